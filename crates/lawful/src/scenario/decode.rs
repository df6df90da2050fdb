//! Decodes documents to scenarios: `scenarios/*.yaml`, one scenario each.
//!
//! Every problem of every step is reported. A scenario with an error is not played.

mod expect;
mod step;

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, FileId, Format, Node, Sources, Span, escape, parse, sort, text};

use super::codes::{BAD_SCENARIO, NO_EXPECTATION};
use super::document::{Given, PromptOf, Scenario, Step};
use super::name::{NameKind, Named};
use crate::book::{Book, Part};
use crate::code;
use crate::decode::{Fields, id, list, wrong_type};
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
        let state = fields.get("state").map(|node| {
            for entry in node.as_map().unwrap_or_default() {
                self.name(NameKind::Variable, &entry.key, entry.key_span);
            }
            self.map(node, "`state`")
        });
        Given {
            context: context.unwrap_or_default(),
            state: state.unwrap_or_default(),
            state_span: fields.get("state").map(|node| node.span),
        }
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
