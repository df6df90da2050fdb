//! Decodes documents to scenarios: `scenarios/*.yaml`, one scenario each.
//!
//! Every problem of every step is reported. A scenario with an error is not played.

mod expect;
mod step;

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, FileId, Format, Node, Sources, Span, escape, parse, sort, text};

use super::codes::{BAD_SCENARIO, NO_EXPECTATION};
use super::context::{WrittenContext, written_contexts};
use super::document::{Given, PromptOf, Scenario, Step};
use super::name::{NameKind, Named};
use crate::book::{Book, Part};
use crate::code;
use crate::cond::Condition;
use crate::decode::{Fields, id, list, path, wrong_type};
use crate::path::Path;
use crate::react::variable;
use crate::value::{Map, Value};

#[cfg(feature = "schema")]
pub(crate) use expect::{LISTED, PROMPT};
pub(crate) use step::envelope_files;
#[cfg(feature = "schema")]
pub(crate) use step::{COMPOSE, SENT, STOP, TURN};

/// The keys of a scenario.
pub(crate) const KEYS: [&str; 3] = ["name", "given", "steps"];
/// The keys of `given`.
pub(crate) const GIVEN: [&str; 2] = ["context", "state"];

/// Every scenario of a book.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scenarios {
    /// The scenarios without errors, in the order of their files.
    pub all: Vec<Scenario>,
    /// Every name that a scenario uses, with errors or without.
    pub(super) names: Vec<Named>,
    /// Every context that a scenario writes.
    pub(super) contexts: Vec<WrittenContext>,
}

impl Scenarios {
    /// Decodes the scenarios of a lawbook. Names are not checked.
    pub(crate) fn decode(book: &Book) -> (Self, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let mut scenarios = Self::default();
        let mut names: BTreeMap<Box<str>, Span> = BTreeMap::new();
        for document in book.documents.iter().filter(|found| found.part == Part::Scenario) {
            let Some(node) = &document.node else { continue };
            let mut found = Vec::new();
            scenarios.contexts.extend(written_contexts(node));
            let used = &mut scenarios.names;
            let context = Context { book, composed: None, names: used, problems: &mut found };
            let scenario = context.scenario(node, (&document.path, document.file));
            if let Some((name, span)) = name_of(node) {
                match names.get(name) {
                    None => drop(names.insert(name.into(), span)),
                    Some(first) => {
                        let message = format!("there are two scenarios `{}`", escape::name(name));
                        found.push(
                            Diagnostic::new(&code::DUPLICATE_ID, span, message)
                                .label(*first, "first defined here")
                                .help("rename one"),
                        );
                    }
                }
            }
            let sound = document.sound && !found.iter().any(Diagnostic::is_error);
            scenarios.all.extend(scenario.filter(|_| sound));
            problems.extend(found);
        }
        sort(&mut problems, &book.sources);
        (scenarios, problems)
    }
}

impl Scenarios {
    /// The conditions that steps expect of the variables.
    pub(crate) fn states(&self) -> impl Iterator<Item = &Condition> {
        let steps = self.all.iter().flat_map(|scenario| &scenario.steps);
        let expected = steps.filter_map(|step| step.expect.as_ref()?.state.as_ref());
        expected.map(|state| &state.condition)
    }
}

impl Scenario {
    /// A scenario of this text, as a file of a book would be read; `None` if it has errors. Names are
    /// not checked.
    pub fn parse(book: &crate::Lawbook, path: &str, text: &str) -> Option<Self> {
        let mut sources = Sources::default();
        let (file, unreadable) = text::add(&mut sources, path, text.as_bytes());
        let limits = &book.manifest().limits.document;
        let (node, mut problems) = parse(&sources, file, Format::of(path), limits);
        problems.extend(unreadable);
        let (mut names, book) = (Vec::new(), book.book());
        let context = Context { book, composed: None, names: &mut names, problems: &mut problems };
        let scenario = context.scenario(&node?, (path, file));
        scenario.filter(|_| !problems.iter().any(Diagnostic::is_error))
    }
}

fn name_of(node: &Node) -> Option<(&str, Span)> {
    let name = node.get("name")?;
    Some((name.as_text()?, name.span))
}

/// What decoding needs, and what it finds.
struct Context<'c> {
    book: &'c Book,
    /// The prompt that was composed last.
    composed: Option<PromptOf>,
    names: &'c mut Vec<Named>,
    problems: &'c mut Vec<Diagnostic>,
}

impl Context<'_> {
    fn scenario(mut self, node: &Node, (path, file): (&str, FileId)) -> Option<Scenario> {
        let what = "a scenario";
        let fields = Fields::of(node, what, &KEYS, self.problems)?;
        let name = fields.get("name").map(|node| id(node, "`name`", self.problems));
        let given = fields.get("given").map(|node| self.given(node)).unwrap_or_default();
        let steps = fields.require("steps", what, self.problems);
        let steps = steps.map(|node| self.steps(node))?;
        self.expects_something(node);
        let name = name.unwrap_or_else(|| Some(stem(path)))?;
        Some(Scenario { name: name.into(), path: path.into(), file, given, steps })
    }

    /// Warns of a scenario that expects nothing.
    fn expects_something(&mut self, node: &Node) {
        let Some(steps) = node.get("steps").filter(|steps| steps.as_list().is_some()) else {
            return;
        };
        let expects = |step: &Node| {
            let expect = step.get("expect").and_then(Node::as_map);
            expect.is_some_and(|entries| !entries.is_empty())
        };
        let all = steps.as_list().unwrap_or_default();
        if all.is_empty() || all.iter().any(expects) {
            return;
        }
        let (place, message) = (steps.span, "this scenario expects nothing");
        let start = Span { end: place.start, ..place };
        let problem = Diagnostic::new(&NO_EXPECTATION, start, message);
        self.problems.push(problem.help("add `expect` to a step"));
    }

    fn given(&mut self, node: &Node) -> Given {
        let Some(fields) = Fields::of(node, "`given`", &GIVEN, self.problems) else {
            return Given::default();
        };
        let context = fields.get("context").map(|node| self.map(node, "`context`"));
        let state = fields.get("state").map(|node| self.given_state(node));
        Given {
            context: context.unwrap_or_default(),
            state: state.unwrap_or_default(),
            state_span: fields.get("state").map(|node| node.span),
        }
    }

    /// The given variables. A key is a path, so a part of a variable can be given too.
    fn given_state(&mut self, node: &Node) -> Map {
        let Some(entries) = node.as_map() else { return self.map(node, "`state`") };
        let mut state = Value::Map(Map::new());
        for entry in entries {
            let key = Node::text(entry.key.clone(), entry.key_span);
            let Some(path) = path(&key, "a variable", self.problems) else { continue };
            if let Some(name) = variable(&path) {
                self.name(NameKind::Variable, name, entry.key_span);
                // A part of a variable leaves the rest of its initial value.
                if let Value::Map(map) = &mut state
                    && path.segments().len() > 1
                    && map.get(name).is_none()
                    && let Some(initial) = self.initial(name)
                {
                    map.insert(name, initial.clone());
                }
            }
            if !path.put(&mut state, Value::from_node(&entry.value)) {
                let message = format!("`{path}` is inside a value that is not a mapping");
                let help = "give the outer variable as a mapping";
                self.bad(entry.key_span, message, help);
            }
        }
        match state {
            Value::Map(map) => map,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                Map::new()
            }
        }
    }

    /// The initial value of a declared variable.
    fn initial(&self, name: &str) -> Option<&Value> {
        let is_it = |id: &str| {
            let path = Path::parse(id).ok();
            path.as_ref().and_then(variable).unwrap_or(id) == name
        };
        self.book.manifest.variables.iter().find(|known| is_it(&known.id))?.initial.as_ref()
    }

    fn steps(&mut self, node: &Node) -> Vec<Step> {
        let items = list(node, "`steps`", "steps", self.problems);
        if items.is_empty() && node.as_list().is_some() {
            let message = "a scenario needs at least one step";
            self.problems.push(
                Diagnostic::new(&BAD_SCENARIO, node.span, message)
                    .help("start each step with `- turn: …`, `- tool: …` or another kind"),
            );
        }
        items.iter().filter_map(|item| self.step(item)).collect()
    }

    /// A mapping as data.
    fn map(&mut self, node: &Node, what: &str) -> Map {
        if let Value::Map(map) = Value::from_node(node) {
            return map;
        }
        self.problems.push(wrong_type(node, what, "a mapping"));
        Map::new()
    }

    /// Records a name that the book must have.
    fn name(&mut self, kind: NameKind, name: &str, span: Span) {
        self.names.push(Named { kind, name: name.into(), span });
    }

    fn bad(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Diagnostic::new(&BAD_SCENARIO, span, message).help(help.into()));
    }
}

/// The name of a file without its folder and its extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
