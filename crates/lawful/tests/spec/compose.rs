//! The fences of `spec/compose`.
//!
//! | input | is |
//! |---|---|
//! | `composition` | a composition; a second one right after it is another file |
//! | `fragments` | bodies by id |
//! | `page NAME` | a whole file, `fragments/NAME.md` |
//! | `conditions` | saved conditions by id |
//! | `manifest` | `lawful.yaml`; without it a book with no axes |
//! | `context` | the context; without it an empty one |
//! | `file PATH` | a whole file of the book |
//! | `nickel` | the values of the Nickel files: `{texts: {path: text}, roles: {role: prompt}}` |
//! | `agents` | an `AGENTS.md`, for `record` |
//!
//! A section without `fragments` and `page` has a fragment for every id that its compositions name,
//! and its text is the id. Expectations are about the first composition.
//!
//! | expectation | says |
//! |---|---|
//! | `order` | the final order |
//! | `text` | the prompt |
//! | `trace` | for each rule whether it fired, what it did, and the list after it |
//! | `why` | for each rule where it stands, and the explanation of its condition |
//! | `warnings` | the warnings of the trace |
//! | `context-warnings` | what the check of the context warns of |
//! | `diagnostics` | what is wrong with the documents; nothing if nothing is |
//! | `lints` | what `lawful check` adds to that |
//! | `unmatched` | the context keys that rules name and no rule matched |
//! | `brought` | for each id that a rule brought in, the rule |
//! | `forbidden` | every id that a rule forbade |
//! | `persona` | the persona |
//! | `lines` | each line of the prompt with its fragment, file and line |
//! | `find NAME` | what comes of asking for a composition of that name |
//! | `matrix` | every outcome over the axes |
//! | `role NAME` | the system prompt of a role |
//! | `roles` | every role; the main one has a star |
//! | `refused` | why there are no prompts: `no` or `could not decide`, and the diagnostics |
//! | `role-warnings` | what composing the roles warned of |
//! | `role-lines NAME` | each line of a role's prompt with where it comes from |
//! | `agent NAME` | what the persona of a role says for agent files |
//! | `record` | what of the `AGENTS.md` is the project layer |
//! | `project` | the book's own fragments of the project layer |
//! | `gaps` | what `lawful align` reports |
//!
//! A host stands behind every section, with the primitive `host.fails` (always an error).

mod roles;

use std::collections::BTreeSet;

use lawful::Value;
use lawful::book::{Book, MemorySource, Options, load};
use lawful::compose::{
    Action, Composition, Compositions, Effect, Evaluated, FragmentId, Matrix, MatrixClass, Origin,
    Prompt, Resolution,
};
use lawful::cond::{Args, Inputs, Primitive, Registry};
use lawful::syntax::{Diagnostic, Sources, Span, sort};
use lawful::view;

use crate::page::Block;
use crate::problems::{list, place};
use crate::runner::Surface;

#[derive(Default)]
pub(crate) struct Composing {
    compositions: Vec<String>,
    /// Whether an expectation stood since the last composition: the next one starts anew.
    expected: bool,
    fragments: Vec<(String, String)>,
    pages: Vec<(String, String)>,
    conditions: Option<String>,
    manifest: Option<String>,
    context: Option<String>,
    files: Vec<(String, String)>,
    nickel: Evaluated,
    agents: String,
}

impl Surface for Composing {
    fn input(&mut self, block: &Block) -> Result<bool, String> {
        let text = block.text.clone();
        match block.kind.as_str() {
            "composition" => {
                if std::mem::take(&mut self.expected) {
                    self.compositions.clear();
                }
                self.compositions.push(text);
            }
            "fragments" => {
                let Value::Map(bodies) = crate::read::value(&text) else {
                    return Err("fragments are a mapping of id to text".into());
                };
                let body = |value: &Value| value.as_text().map(str::to_owned);
                self.fragments = bodies
                    .iter()
                    .map(|(id, value)| Some((id.to_string(), body(value)?)))
                    .collect::<Option<_>>()
                    .ok_or("a body is a text")?;
            }
            "page" => {
                let name = word(block).ok_or("a page needs a name")?;
                self.pages.retain(|(known, _)| *known != name);
                self.pages.push((name, text));
            }
            "conditions" => self.conditions = Some(text),
            "manifest" => self.manifest = Some(text),
            "context" => self.context = Some(text),
            "file" => {
                let path = word(block).ok_or("a file needs a path")?;
                self.files.retain(|(known, _)| *known != path);
                self.files.push((path, text));
            }
            "nickel" => self.nickel = roles::evaluated(&text)?,
            "agents" => self.agents = text,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn output(&mut self, block: &Block) -> Option<Result<String, String>> {
        self.expected = true;
        let law = self.law();
        Some(match block.kind.as_str() {
            "diagnostics" => Ok(law.list(&law.problems)),
            "lints" => Ok(law.list(&lawful::check(&law.book))),
            "find" => {
                word(block).ok_or_else(|| "find needs a name".to_owned()).map(|name| {
                    match law.compositions.get(&name) {
                        Ok(found) => format!("there is `{}`", found.name),
                        Err(unknown) => law.list(&[*unknown]),
                    }
                })
            }
            "matrix" => law.first().and_then(|first| {
                let matrix = law.compositions.matrix(first, &law.book.manifest);
                matrix.map(|matrix| law.matrix(&matrix)).map_err(|skipped| format!("{skipped:?}"))
            }),
            "context-warnings" => {
                let context = self.context.as_deref().map(crate::read::value);
                let context = context.unwrap_or_else(|| crate::read::value("{}"));
                let lawbook = lawful::Lawbook::new(law.book, law.problems);
                Ok(list(&lawbook.check_context(&context), lawbook.sources()))
            }
            "record" => Ok(lawful::compose::project_record(&self.agents)),
            kind if roles::KINDS.contains(&kind) => {
                let context = self.context.as_deref().map(crate::read::value);
                let context = context.unwrap_or_else(|| crate::read::value("{}"));
                roles::output(kind, word(block), &law, &context, &self.nickel)
            }
            kind => {
                let context = self.context.as_deref().map(crate::read::value);
                let context = context.unwrap_or_else(|| crate::read::value("{}"));
                match law.first() {
                    Ok(first) => Ok(law.resolved(kind, first, &context)?),
                    Err(none) => Err(none),
                }
            }
        })
    }
}

/// The second word after the fence.
fn word(block: &Block) -> Option<String> {
    block.info.split_whitespace().nth(1).map(str::to_owned)
}

impl Composing {
    fn law(&self) -> Law {
        let mut pages = self.pages.clone();
        let page = |id: &str, body: &str| (id.to_owned(), format!("---\nid: {id}\n---\n{body}\n"));
        pages.extend(self.fragments.iter().map(|(id, body)| page(id, body)));
        let law = self.load(&pages);
        if !pages.is_empty() || !self.files.is_empty() {
            return law;
        }
        let named: BTreeSet<FragmentId> = law.compositions.all().iter().flat_map(named).collect();
        let names = named.iter().map(|id| law.compositions.name(*id));
        let pages: Vec<(String, String)> = names.map(|name| page(name, name)).collect();
        self.load(&pages)
    }

    fn load(&self, pages: &[(String, String)]) -> Law {
        let manifest = self.manifest.as_deref().unwrap_or("name: test\n");
        let mut source = MemorySource::new().with("lawful.yaml", manifest);
        for (at, composition) in self.compositions.iter().enumerate() {
            source = source.with(&format!("compositions/{}.yaml", at + 1), composition.as_str());
        }
        for (name, text) in pages {
            source = source.with(&format!("fragments/{name}.md"), text.as_str());
        }
        for (path, text) in &self.files {
            source = source.with(path, text.as_str());
        }
        if let Some(conditions) = &self.conditions {
            source = source.with("conditions/saved.yaml", conditions.as_str());
        }
        let mut registry = Registry::builder();
        let fails = |_: &Args| Ok(|_: &Inputs<'_>| Err("the service is down".to_owned()));
        registry.primitive(Primitive::new("host.fails", fails)).unwrap();
        let options = Options { registry, ..Options::default() };
        let (book, mut problems) = load(&source, options).unwrap();
        let (compositions, found) = Compositions::decode(&book);
        problems.extend(found);
        sort(&mut problems, &book.sources);
        Law { book, compositions, problems }
    }
}

/// Every id that a composition names.
fn named(composition: &Composition) -> Vec<FragmentId> {
    let firsts = |ids: &[(FragmentId, Span)]| ids.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    let mut out = firsts(&composition.base);
    out.extend(composition.persona.iter().map(|(id, _)| *id));
    for rule in &composition.rules {
        match &rule.action {
            Action::Replace(pairs) => {
                out.extend(pairs.iter().flat_map(|(from, to, _)| [*from, *to]));
            }
            Action::Add { ids, after } => {
                out.extend(firsts(ids));
                out.extend(after.iter().map(|(id, _)| *id));
            }
            Action::Forbid(ids) | Action::Order(ids) => out.extend(firsts(ids)),
        }
    }
    out
}

/// What the inputs make.
struct Law {
    book: Book,
    compositions: Compositions,
    problems: Vec<Diagnostic>,
}

impl Law {
    fn sources(&self) -> &Sources {
        &self.book.sources
    }

    fn first(&self) -> Result<&Composition, String> {
        let none = || format!("no composition decodes:\n{}", self.list(&self.problems));
        self.compositions.all().first().ok_or_else(none)
    }

    fn resolved(&self, kind: &str, composition: &Composition, context: &Value) -> Option<String> {
        let found = self.compositions.resolve(composition, context, self.sources(), true);
        let plain = self.compositions.resolve(composition, context, self.sources(), false);
        assert_eq!(found.prompt.text, plain.prompt.text, "tracing changes the result");
        Some(match kind {
            "order" => self.names(&found.order),
            "text" => found.prompt.text,
            "trace" => self.trace(&found),
            "why" => self.why(composition, context, &found),
            "warnings" => self.list(&found.trace.warnings),
            "unmatched" => found.trace.unmatched.join(" "),
            "brought" => self.brought(&found),
            "forbidden" => self.names(&found.trace.forbidden),
            "persona" => found.persona.map_or("none", |id| self.compositions.name(id)).to_owned(),
            "lines" => self.lines(&found.prompt),
            _ => return None,
        })
    }

    fn names(&self, ids: &[FragmentId]) -> String {
        let names: Vec<&str> = ids.iter().map(|id| self.compositions.name(*id)).collect();
        names.join(" ")
    }

    fn place(&self, span: Span) -> Option<String> {
        place(span, self.sources())
    }

    fn list(&self, problems: &[Diagnostic]) -> String {
        list(problems, self.sources())
    }

    fn trace(&self, found: &Resolution) -> String {
        let mut out = String::new();
        for (index, row) in found.trace.rows.iter().enumerate() {
            let effects: Vec<String> =
                found.trace.effects_of(row).iter().map(|one| self.effect(*one)).collect();
            let fired = match (row.fired, effects.is_empty()) {
                (false, _) => "not fired".to_owned(),
                (true, true) => "fired".to_owned(),
                (true, false) => format!("fired: {}", effects.join(", ")),
            };
            let after = self.names(&row.after);
            out += format!("{index} {} {fired}; after: {after}", row.action.name()).trim_end();
            out += "\n";
        }
        out
    }

    fn effect(&self, effect: Effect) -> String {
        let name = |id: FragmentId| self.compositions.name(id);
        match effect {
            Effect::Replaced(from, to) => format!("{} becomes {}", name(from), name(to)),
            Effect::NothingToReplace(id) => format!("no {} to replace", name(id)),
            Effect::Added(id) => format!("adds {}", name(id)),
            Effect::AlreadyThere(id) => format!("{} is already there", name(id)),
            Effect::NoAnchor(id) => format!("no anchor {}", name(id)),
            Effect::Forbade(id) => format!("forbids {}", name(id)),
            Effect::KeepsOut(id) => format!("keeps {} out", name(id)),
            Effect::Ordered => "orders".to_owned(),
            Effect::Superseded => "superseded".to_owned(),
        }
    }

    fn why(&self, composition: &Composition, context: &Value, found: &Resolution) -> String {
        let mut out = String::new();
        for (index, rule) in composition.rules.iter().enumerate() {
            let place = self.place(rule.span).unwrap_or_default();
            let why = self.compositions.why(composition, index, context, &found.trace).unwrap();
            out += &format!("{index} {place}\n");
            for line in view::explanation_text(&why).lines() {
                out += &format!("  {line}\n");
            }
        }
        out
    }

    fn brought(&self, found: &Resolution) -> String {
        let brought = &found.trace.brought_by;
        let last = |id: &FragmentId| brought.iter().rev().find(|(known, _)| known == id);
        let line = |(id, rule): &(FragmentId, usize)| {
            format!("{} by rule {rule}", self.compositions.name(*id))
        };
        found.order.iter().filter_map(last).map(line).collect::<Vec<_>>().join("\n")
    }

    fn lines(&self, prompt: &Prompt) -> String {
        let mut out = String::new();
        for line in prompt.lines() {
            let id = match line.origin {
                None => None,
                Some(Origin::Core) => Some("core".to_owned()),
                Some(Origin::Persona) => Some("persona".to_owned()),
                Some(Origin::Fragment(id)) => Some(self.compositions.name(id).to_owned()),
                Some(Origin::Insertion(at)) => Some(format!("insertion {at}")),
            };
            let source = id.map_or("-".to_owned(), |id| {
                line.place.map_or(id.clone(), |(file, number)| {
                    let file = self.sources().locate(Span::start_of(file)).unwrap().0.name();
                    format!("{id} {file}:{number}")
                })
            });
            out += format!("{source} | {}", line.text).trim_end();
            out += "\n";
        }
        out
    }

    fn matrix(&self, matrix: &Matrix) -> String {
        let mut out = String::new();
        for MatrixClass { order, contexts, witness, .. } in &matrix.classes {
            let contexts = contexts.map_or("uncounted".to_owned(), |count| count.to_string());
            let witness = witness.as_ref().map_or("none".to_owned(), ToString::to_string);
            out += &format!("{contexts}: {}; such as {witness}\n", self.names(order));
        }
        let numbers =
            |list: &[usize]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        for (title, list) in [
            ("never fire", numbers(&matrix.never_fire)),
            ("unused", self.names(&matrix.unused)),
            ("always forbidden", self.names(&matrix.always_forbidden)),
            ("superseded", numbers(&matrix.superseded)),
        ] {
            if !list.is_empty() {
                out += &format!("{title}: {list}\n");
            }
        }
        out
    }
}
