//! Decodes one step.

use lawful_syntax::{Diagnostic, Entry, Kind, Node, Span, did_you_mean, escape};

use super::Context;
use crate::book::{Observable, Part};
use crate::code;
use crate::decode::{Fields, id, text, whole, wrong_type};
use crate::live::{Action, Moment, Target as Touched};
use crate::path::Path;
use crate::react::{Input, variable};
use crate::scenario::document::{
    Act, Composing, Live, PromptOf, Step, StepKind, Submitted, Target, undecided_event,
};
use crate::scenario::name::NameKind;
use crate::value::{Map, Value};
use crate::verify::{self, Envelope, Record, UNKNOWN_OBSERVED};

/// The keys of a turn.
pub(crate) const TURN: [&str; 3] = ["user", "ai", "writes"];
/// The keys of a stop.
pub(crate) const STOP: [&str; 3] = ["message", "envelope", "observed"];
/// The keys of an event as a harness sends it.
pub(crate) const SENT: [&str; 2] = ["harness", "event"];
/// The keys of a prompt to compose.
pub(crate) const COMPOSE: [&str; 3] = ["name", "role", "context"];

const EXPECT: &str = "expect";
const OBSERVED: &str = "observed";

impl Context<'_> {
    pub(super) fn step(&mut self, node: &Node) -> Option<Step> {
        let Some(entries) = node.as_map() else {
            let problem = wrong_type(node, "a step", "a mapping");
            self.problems.push(problem.help("write it as `turn: {user: …}`"));
            return None;
        };
        let found = kinds(entries);
        let (kind, written) = match *found {
            [one] => one,
            [] => {
                let kinds: Vec<&str> = StepKind::NAMES.iter().map(|(name, _)| *name).collect();
                let start = Span { end: node.span.start, ..node.span };
                let help = format!("write one of `{}`", kinds.join("`, `"));
                if self.unknown_key(entries, None) {
                    return None;
                }
                self.bad(start, "a step does nothing", help);
                return None;
            }
            [(first, _), .., (last, entry)] => {
                let (first, last) = (first.name(), last.name());
                let message = format!("a step must be of one kind, found `{first}` and `{last}`");
                self.bad(entry.key_span, message, "write two steps");
                return None;
            }
        };
        self.unknown_key(entries, Some(kind));
        let observed = entries.iter().find(|entry| &*entry.key == OBSERVED);
        let observed = observed.filter(|_| kind == StepKind::Envelope).map(|entry| &entry.value);
        let act = self.act(kind, written, observed);
        if let Some(Act::Compose(composing)) = &act {
            self.composed = Some(composing.of.clone());
        }
        let expect = node.get(EXPECT).and_then(|node| self.expect(node, kind));
        let step = Step { span: node.span, kind, act: act?, expect };
        if let Act::Live(Live::Moment(moment)) = &step.act {
            self.problems.extend(undecided_event(moment, &step));
        }
        Some(step)
    }

    /// Reports keys that a step of this kind cannot have; true if there are any.
    fn unknown_key(&mut self, entries: &[Entry], kind: Option<StepKind>) -> bool {
        let mut found = false;
        for entry in entries {
            let own = kind.is_some_and(|kind| kind.name() == &*entry.key);
            let observed = kind == Some(StepKind::Envelope) && &*entry.key == OBSERVED;
            if own || observed || &*entry.key == EXPECT {
                continue;
            }
            found = true;
            let key = escape::name(&entry.key);
            let (message, help) = match kind {
                // The author probably forgot to indent it.
                Some(kind) => (
                    format!("unknown key `{key}` in a step of the kind `{}`", kind.name()),
                    format!("a step has `{}` and `expect`", kind.name()),
                ),
                None => {
                    let kinds = StepKind::NAMES.iter().map(|(name, _)| *name);
                    let names = kinds.chain([EXPECT]);
                    (
                        format!("unknown key `{key}` in a step"),
                        did_you_mean("key", &entry.key, names),
                    )
                }
            };
            let problem = Diagnostic::new(&code::UNKNOWN_KEY, entry.key_span, message);
            self.problems.push(problem.help(help));
        }
        found
    }

    fn act(&mut self, kind: StepKind, entry: &Entry, observed: Option<&Node>) -> Option<Act> {
        let node = &entry.value;
        match kind {
            StepKind::Turn => self.turn(node),
            StepKind::Action if node.as_text().is_some() => {
                self.action_id(node);
                self.input(&alone(entry))
            }
            StepKind::Action => {
                let fields: Vec<&str> =
                    node.as_map().unwrap_or_default().iter().map(|e| &*e.key).collect();
                let named = Fields::of(node, "an action", &fields, self.problems)?;
                let named = named.require("action", "an action", self.problems)?;
                self.action_id(named);
                self.input(node)
            }
            StepKind::Event => {
                let kind = node.get("type");
                if let Some((name, span)) = kind.and_then(|kind| Some((kind.as_text()?, kind.span)))
                {
                    self.name(NameKind::Event, name, span);
                }
                self.input(&alone(entry))
            }
            StepKind::Set => {
                if node.as_list().is_some_and(<[Node]>::is_empty) {
                    self.bad(node.span, "`set` writes nothing", "write `[{path: …, value: …}]`");
                }
                self.written(node, &["path", "variableId"]);
                self.input(&alone(entry))
            }
            StepKind::Prompt => {
                let content = text(node, "`prompt`", self.problems)?.into();
                Some(Act::Live(Live::Moment(Box::new(Moment::Prompt { content }))))
            }
            StepKind::Tool => self.tool(node).map(Act::Live),
            StepKind::Envelope => self.submitted(Some(node), observed).map(Act::Envelope),
            StepKind::Stop => self.stop(node),
            StepKind::Rewind => self.rewind(node).map(Act::Rewind),
            StepKind::Compose => self.compose(node).map(Act::Compose),
        }
    }

    /// An input of the session.
    fn input(&mut self, node: &Node) -> Option<Act> {
        let (input, problems) = Input::decode(node);
        self.problems.extend(problems);
        input.map(Act::Input)
    }

    fn action_id(&mut self, node: &Node) {
        if let Some(id) = node.as_text() {
            self.name(NameKind::Action, id, node.span);
        }
    }

    fn turn(&mut self, node: &Node) -> Option<Act> {
        if node.is_null() {
            let none = Input::Turn { user: None, ai: None, writes: Vec::new() };
            return Some(Act::Input(none));
        }
        let before = self.problems.len();
        let fields = Fields::of(node, "a turn", &TURN, self.problems)?;
        if self.problems.len() > before {
            return None;
        }
        if let Some(writes) = fields.get("writes") {
            self.written(writes, &["variableId"]);
        }
        self.input(node)
    }

    /// The variables that writes name.
    fn written(&mut self, node: &Node, keys: &[&str]) {
        for write in node.as_list().unwrap_or_default() {
            for key in keys {
                let Some(named) = write.get(key) else { continue };
                let path = named.as_text().and_then(|text| Path::parse(text).ok());
                if let Some(name) = path.as_ref().and_then(variable) {
                    self.name(NameKind::Variable, name, named.span);
                }
            }
        }
    }

    fn tool(&mut self, node: &Node) -> Option<Live> {
        if node.get("harness").is_some() || node.get("event").is_some() {
            let what = "an event of a harness";
            let fields = Fields::of(node, what, &SENT, self.problems)?;
            let harness = fields.require("harness", what, self.problems);
            let harness = harness
                .and_then(|node| Some((id(node, "`harness`", self.problems)?.into(), node.span)));
            let event = fields.require("event", what, self.problems)?;
            let sent = self.map(event, "`event`");
            let event = (Value::Map(sent), event.span);
            return Some(Live::Sent { harness: harness?, event: event.0, span: event.1 });
        }
        let (moment, problems) = Moment::decode(node);
        self.problems.extend(problems);
        let moment = moment?;
        if matches!(moment, Moment::Stop { .. }) {
            self.bad(node.span, "a stop is not a tool call", "write the step as `stop: {…}`");
            return None;
        }
        self.touches_something(node, &moment);
        Some(Live::Moment(Box::new(moment)))
    }

    /// Reports a call that touches nothing: no guard would act on it, whatever it says.
    fn touches_something(&mut self, node: &Node, moment: &Moment) {
        let (Moment::ToolCall(call) | Moment::ToolResult { call, .. }) = moment else { return };
        let is_blank = |text: &str| text.trim().is_empty();
        let empty = match &call.target {
            Touched::Shell { command, .. } if is_blank(command) => "command",
            Touched::Url(url) if is_blank(url) => "url",
            Touched::Mcp { server, .. } if is_blank(server) => "server",
            Touched::Mcp { name, .. } if is_blank(name) => "name",
            Touched::Paths(paths) if paths.iter().any(|path| is_blank(path)) => "paths",
            Touched::Paths(paths) if paths.is_empty() && names_paths(call.action) => "paths",
            // A tool whose paths Lawful cannot tell is written with its input.
            Touched::Nothing if names_paths(call.action) && node.get("input").is_none() => "paths",
            Touched::Shell { .. } | Touched::Url(_) | Touched::Mcp { .. } => return,
            Touched::Paths(_) | Touched::Nothing => return,
        };
        let place = node.get(empty).map_or(node.span, |node| node.span);
        let message = format!("a call of the action `{}` has no `{empty}`", call.action.name());
        self.bad(place, message, format!("add `{empty}: …`"));
    }

    fn stop(&mut self, node: &Node) -> Option<Act> {
        if node.is_null() {
            return Some(Act::Stop { message: None, submitted: Submitted::default() });
        }
        let fields = Fields::of(node, "a stop", &STOP, self.problems)?;
        let message = match fields.get("message") {
            None => None,
            Some(node) => Some(text(node, "`message`", self.problems)?.into()),
        };
        let submitted = self.submitted(fields.get("envelope"), fields.get(OBSERVED))?;
        Some(Act::Stop { message, submitted })
    }

    /// An envelope, written here or in a file of the book, and an observation. Both may also be one
    /// record.
    fn submitted(&mut self, envelope: Option<&Node>, observed: Option<&Node>) -> Option<Submitted> {
        let record = match envelope {
            None => None,
            Some(node) => Some(self.record(node)?),
        };
        let own = record.as_ref().and_then(|record| record.observed_node.as_ref());
        for node in own.into_iter().chain(observed) {
            self.observed_keys(node);
        }
        let observed = match observed.filter(|node| !node.is_null()) {
            None => None,
            Some(node) => match verify::observed(node) {
                Ok(value) => Some((value, node.clone(), node.span)),
                Err(problem) => {
                    self.problems.push(problem);
                    return None;
                }
            },
        };
        let Some(record) = record else {
            let observed = observed.map(|(value, node, _)| (value, node));
            return Some(Submitted { envelope: None, observed });
        };
        let own = record.observed.zip(record.observed_node);
        let observed = match (own, observed) {
            (Some(_), Some((_, _, span))) => {
                let message = "`observed` is given twice: here and in the envelope";
                self.bad(span, message, "remove one of them");
                return None;
            }
            (own, given) => own.or(given.map(|(value, node, _)| (value, node))),
        };
        Some(Submitted { envelope: Some(Box::new(record.envelope)), observed })
    }

    /// Reports keys that no host observes. Nothing would read them.
    fn observed_keys(&mut self, node: &Node) {
        let declared = self.book.manifest.observed.iter().map(|name| &**name);
        let built_in = Observable::KEYS.iter().map(|(name, _)| *name);
        let known: Vec<&str> = built_in.chain(declared).collect();
        for entry in node.as_map().unwrap_or_default() {
            if !known.contains(&&*entry.key) {
                let message = format!("nothing observes `{}`", escape::name(&entry.key));
                let help = did_you_mean("key", &entry.key, known.iter().copied());
                let problem = Diagnostic::new(&UNKNOWN_OBSERVED, entry.key_span, message);
                self.problems.push(problem.help(help));
            }
        }
    }

    fn record(&mut self, node: &Node) -> Option<Record> {
        let Some(path) = node.as_text() else {
            return record(node).map_err(|found| self.problems.extend(found)).ok();
        };
        let is_it = |part: Part, known: &str| part == Part::Envelope && known == path;
        let document = self.book.documents.iter().find(|one| is_it(one.part, &one.path));
        // A file that could not be read was reported where it is named.
        let document = document?;
        let Some(tree) = document.node.as_ref().filter(|_| document.sound) else {
            let message = format!("the envelope `{}` has errors", escape::name(path));
            self.bad(node.span, message, "correct the file");
            return None;
        };
        match record(tree) {
            Ok(record) => Some(record),
            Err(found) => {
                let message = format!("the envelope `{}` has errors", escape::name(path));
                self.bad(node.span, message, "correct the file");
                self.problems.extend(found);
                None
            }
        }
    }

    fn rewind(&mut self, node: &Node) -> Option<Target> {
        if node.as_map().is_some() {
            let fields = Fields::of(node, "`rewind`", &["version"], self.problems)?;
            let version = fields.require("version", "`rewind`", self.problems)?;
            return whole(version, "`version`", 0, self.problems).map(Target::Version);
        }
        whole(node, "`rewind`", 0, self.problems).map(Target::Turn)
    }

    fn compose(&mut self, node: &Node) -> Option<Composing> {
        if node.as_text().is_some() {
            let name = id(node, "`compose`", self.problems)?;
            self.name(NameKind::Composition, name, node.span);
            let of = PromptOf::Composition(name.into());
            return Some(Composing { of, span: node.span, context: Map::new() });
        }
        let fields = Fields::of(node, "`compose`", &COMPOSE, self.problems)?;
        let context = fields.get("context").map(|node| self.map(node, "`context`"));
        let of = self.prompt_of(&fields, "name")?;
        let Some((of, span)) = of else {
            let start = Span { end: node.span.start, ..node.span };
            self.bad(start, "`compose` names no prompt", "add `name: …` or `role: …`");
            return None;
        };
        Some(Composing { of, span, context: context.unwrap_or_default() })
    }

    /// The composition or the role that a mapping names. `None` if that has an error.
    #[expect(clippy::option_option, reason = "absent and invalid are different")]
    pub(super) fn prompt_of(
        &mut self,
        fields: &Fields<'_>,
        key: &str,
    ) -> Option<Option<(PromptOf, Span)>> {
        match (fields.get(key), fields.get("role")) {
            (None, None) => Some(None),
            (Some(name), None) => {
                let found = id(name, &format!("`{key}`"), self.problems)?;
                self.name(NameKind::Composition, found, name.span);
                Some(Some((PromptOf::Composition(found.into()), name.span)))
            }
            (None, Some(role)) => {
                let found = id(role, "`role`", self.problems)?;
                self.name(NameKind::Role, found, role.span);
                Some(Some((PromptOf::Role(found.into()), role.span)))
            }
            (Some(_), Some(role)) => {
                let message = format!("`{key}` and `role` cannot be combined");
                self.bad(role.span, message, "remove one of them");
                None
            }
        }
    }
}

/// Whether a call of this action concerns files that it names.
fn names_paths(action: Action) -> bool {
    match action {
        Action::Read | Action::Write | Action::Edit => true,
        Action::Search | Action::Shell | Action::Fetch => false,
        Action::Mcp | Action::Agent | Action::Other => false,
    }
}

/// The kinds that a step is written as.
fn kinds(entries: &[Entry]) -> Vec<(StepKind, &Entry)> {
    let mut found = Vec::new();
    for entry in entries {
        let known = StepKind::NAMES.iter().find(|(name, _)| *name == &*entry.key);
        found.extend(known.map(|(_, kind)| (*kind, entry)));
    }
    found
}

/// An envelope, or a record if it has an observation.
fn record(node: &Node) -> Result<Record, Vec<Diagnostic>> {
    if node.get(OBSERVED).is_some() {
        return Record::decode(node);
    }
    let envelope = Envelope::decode(node)?;
    Ok(Record { envelope, ..Record::default() })
}

/// A mapping with only this entry.
fn alone(entry: &Entry) -> Node {
    let span = entry.key_span.to(entry.value.span);
    Node { kind: Kind::Map(vec![entry.clone()]), span }
}

/// The files that a scenario names as envelopes, with their places.
pub(crate) fn envelope_files(node: &Node) -> Vec<(&str, Span)> {
    let steps = node.get("steps").and_then(Node::as_list).unwrap_or_default();
    let named = steps.iter().flat_map(|step| {
        let of_stop = step.get("stop").and_then(|stop| stop.get("envelope"));
        [step.get("envelope"), of_stop].into_iter().flatten()
    });
    named.filter_map(|node| Some((node.as_text()?, node.span))).collect()
}
