//! The fences of `spec/react`: rules, a session that goes on from input to input, and what came of
//! each step.

use lawful::book::{Book, MemorySource, Options, load};
use lawful::compose::Compositions;
use lawful::cond::{Args, Inputs, Primitive, Registry};
use lawful::react::{Input, Rules, Session, Step};
use lawful::syntax::{Diagnostic, Format, Sources, parse, sort, text};
use lawful::view::{self, InsertionView, StepTrace};
use lawful::{Limits, Value};

use crate::page::Block;
use crate::problems::list;
use crate::runner::Surface;

#[derive(Default)]
pub(crate) struct Reacting {
    /// Files of the book, by path.
    files: Vec<(String, String)>,
    /// Whether an input or expectation stood since the last document of rules: the next one starts
    /// anew.
    used: bool,
    session: Session,
    /// The last step, with the session before it and the input.
    last: Option<(Session, Input, Step)>,
    /// What was wrong with the last state or input.
    refused: String,
}

impl Surface for Reacting {
    fn input(&mut self, block: &Block) -> Result<bool, String> {
        let content = block.text.clone();
        match block.kind.as_str() {
            "rules" | "json-rules" => {
                if std::mem::take(&mut self.used) {
                    self.files.retain(|(path, _)| !path.starts_with("rules/"));
                    self.session = Session::new();
                }
                let number = self.count("rules/") + 1;
                let extension = if block.kind == "rules" { "yaml" } else { "json" };
                self.files.push((format!("rules/{number}.{extension}"), content));
            }
            "manifest" => self.put("lawful.yaml".to_owned(), content),
            "conditions" => self.put("conditions/saved.yaml".to_owned(), content),
            "composition" => self.put("compositions/c.yaml".to_owned(), content),
            "fragment" | "entry" => {
                let name = block.info.split_whitespace().nth(1).ok_or("the page needs a name")?;
                let folder = if block.kind == "entry" { "entries" } else { "fragments" };
                self.put(format!("{folder}/{name}.md"), content);
            }
            "state" => {
                self.used = true;
                match self.read(&content, "state.yaml", Session::decode) {
                    Some(session) => self.session = session,
                    None => self.last = None,
                }
            }
            "input" => {
                self.used = true;
                self.last = None;
                let input = self.read(&content, "input.yaml", Input::decode);
                if let Some(input) = input {
                    let law = self.law();
                    let step = law.rules.step(self.session.clone(), &input);
                    let again = law.rules.step(self.session.clone(), &input);
                    assert_eq!(step.session, again.session, "a step is not the same twice");
                    let before = std::mem::replace(&mut self.session, step.session.clone());
                    self.last = Some((before, input, step));
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn output(&mut self, block: &Block) -> Option<Result<String, String>> {
        self.used = true;
        let law = self.law();
        Some(match block.kind.as_str() {
            "diagnostics" => Ok(list(&law.problems, &law.book.sources)),
            "lints" => Ok(list(&lawful::check(&law.book), &law.book.sources)),
            "graph" => Ok(law.rules.graph().map_or(String::new(), |graph| graph.to_dot())),
            "mermaid" => Ok(law.rules.graph().map_or(String::new(), |graph| graph.to_mermaid())),
            "refused" => Ok(self.refused.clone()),
            "insertions" => Ok(self.insertions(&law)),
            "insertion-problems" => {
                let problems = law.rules.insertions(&self.session).problems;
                Ok(list(&problems, &law.book.sources))
            }
            "prompt" => self.prompt(&law).map(|(text, _)| text),
            "prompt-problems" => self.prompt(&law).map(|(_, problems)| problems),
            kind => match (&self.last, self.after(kind)) {
                (_, Some(found)) => Ok(found),
                (Some(last), None) => Ok(law.step(kind, last)?),
                (None, None) => return None,
            },
        })
    }
}

impl Reacting {
    fn put(&mut self, path: String, content: String) {
        self.files.retain(|(known, _)| *known != path);
        self.files.push((path, content));
    }

    fn count(&self, folder: &str) -> usize {
        self.files.iter().filter(|(path, _)| path.starts_with(folder)).count()
    }

    /// Reads a document that is no part of the book, and keeps what is wrong with it.
    fn read<T>(
        &mut self,
        content: &str,
        name: &str,
        decode: impl Fn(&lawful::syntax::Node) -> (Option<T>, Vec<Diagnostic>),
    ) -> Option<T> {
        let mut sources = Sources::default();
        let (file, _) = text::add(&mut sources, name, content.as_bytes());
        let (node, mut problems) = parse(&sources, file, Format::Yaml, &Limits::default().document);
        let (found, more) = node.as_ref().map_or((None, Vec::new()), decode);
        problems.extend(more);
        sort(&mut problems, &sources);
        self.refused = list(&problems, &sources);
        found
    }

    fn law(&self) -> Law {
        let mut source = MemorySource::new().with("lawful.yaml", "name: test\n");
        for (path, content) in &self.files {
            source = source.with(path, content.as_str());
        }
        let mut registry = Registry::builder();
        let fails = |_: &Args| Ok(|_: &Inputs<'_>| Err("the service is down".to_owned()));
        registry.primitive(Primitive::new("host.fails", fails)).unwrap();
        let options = Options { registry, ..Options::default() };
        let (book, mut problems) = load(&source, options).unwrap();
        let (rules, found) = Rules::decode(&book);
        problems.extend(found);
        sort(&mut problems, &book.sources);
        Law { book, rules, problems }
    }

    /// What the session is like now.
    fn after(&self, kind: &str) -> Option<String> {
        let session = &self.session;
        let lines = |all: Vec<String>| all.join("\n");
        Some(match kind {
            "after" => crate::read::value(&session.to_json()).to_string(),
            "variables" => session.variables.to_string(),
            "directives" => lines(session.directives.iter().map(directive).collect()),
            "context" => {
                let line = |queued: &lawful::react::ContextMessage| {
                    format!("{}: {}", queued.role.name(), queued.message)
                };
                lines(session.context.iter().map(line).collect())
            }
            "counts" => {
                let all = session.fired.iter();
                let line = all.map(|(id, fired)| {
                    format!("{id} {} times, last at turn {}", fired.count, fired.last_turn)
                });
                lines(line.collect())
            }
            "switches" => {
                let mut all = Vec::new();
                for (what, switches) in [("rule", &session.rules), ("entry", &session.entries)] {
                    for (id, on) in switches {
                        all.push(format!("{what} {id} {}", if *on { "on" } else { "off" }));
                    }
                }
                lines(all)
            }
            _ => return None,
        })
    }

    fn insertions(&self, law: &Law) -> String {
        let all = law.rules.insertions(&self.session);
        let line = |insertion: &lawful::insertion::Insertion| {
            let view = InsertionView::from(insertion);
            let depth = view.depth.map_or(String::new(), |depth| format!(" {depth}"));
            let role = view.role.map_or(String::new(), |role| format!(" as {role}"));
            format!("{} {} {}{depth}{role}: {}", view.kind, view.id, view.position, view.text)
        };
        all.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The prompt of the first composition with the session, and its warnings.
    fn prompt(&self, law: &Law) -> Result<(String, String), String> {
        let (compositions, _) = Compositions::decode(&law.book);
        let first = compositions.all().first().ok_or("there is no composition")?;
        let insertions = law.rules.insertions(&self.session);
        let context = Value::Map(law.rules.context(&self.session));
        let sources = &law.book.sources;
        let found = compositions.resolve_with(first, &context, &insertions, sources, false);
        Ok((found.prompt.text, list(&found.trace.warnings, sources)))
    }
}

fn directive(directive: &lawful::react::Directive) -> String {
    let depth = directive.position.depth().map_or(String::new(), |depth| format!(" {depth}"));
    let until = directive.until.map_or("on".to_owned(), |until| format!("to {until}"));
    format!(
        "{} {}{depth}, turns {} {until}: {}",
        directive.id,
        directive.position.name(),
        directive.from,
        directive.content
    )
}

/// What the inputs make.
struct Law {
    book: Book,
    rules: Rules,
    problems: Vec<Diagnostic>,
}

impl Law {
    fn step(&self, kind: &str, (before, input, step): &(Session, Input, Step)) -> Option<String> {
        let trace = StepTrace::new(&self.rules, &step.trace, None);
        let mut out = String::new();
        match kind {
            "fired" => {
                for (number, wave) in step.trace.waves.iter().enumerate() {
                    let ids: Vec<&str> =
                        wave.fired.iter().map(|rule| &*self.rules.rule(*rule).id).collect();
                    if !ids.is_empty() {
                        out += &format!("{number}: {}\n", ids.join(" "));
                    }
                }
            }
            "events" => {
                for (number, wave) in step.trace.waves.iter().enumerate() {
                    for event in &wave.events {
                        out += &format!("{number}: {}\n", event.body());
                    }
                }
            }
            "changes" => {
                for firing in &trace.fired {
                    for change in &firing.changes {
                        let (before, after) = (&change.before, &change.after);
                        let note = change.note.as_deref();
                        let note = note.map_or(String::new(), |note| format!(" ({note})"));
                        let (rule, action, path) = (&firing.rule, change.action, &change.path);
                        out += &format!("{rule} {action} {path}: {before} -> {after}{note}\n");
                    }
                }
            }
            "set-off" => {
                for firing in &trace.fired {
                    out +=
                        &format!("{} in wave {} by {}\n", firing.rule, firing.wave, firing.event);
                }
            }
            "keywords" => {
                for firing in &trace.fired {
                    if let Some(hit) = &firing.matched {
                        let (rule, keyword, found) = (&firing.rule, &hit.keyword, &hit.text);
                        let (start, end) = (hit.start, hit.end);
                        out +=
                            &format!("{rule} `{keyword}` found as `{found}` at {start}..{end}\n");
                    }
                }
            }
            "effects" => {
                for effect in &step.effects {
                    out += &format!("{}\n", view::effect_text(effect));
                }
            }
            "why-not" => {
                for row in self.rules.why_not(before.clone(), input) {
                    let id = &self.rules.rule(row.rule).id;
                    out += &format!("{id} {}: {}\n", row.gate.name(), row.why);
                }
            }
            "reports" => {
                let mut reports = step.diagnostics.clone();
                // The input is no file of the book, so what is said of a write has no place in it.
                for report in &mut reports {
                    if matches!(report.code.name, "refused-write" | "clamped-write") {
                        report.span = lawful::syntax::Span::NONE;
                    }
                }
                out = list(&reports, &self.book.sources);
            }
            _ => return None,
        }
        Some(out)
    }
}
