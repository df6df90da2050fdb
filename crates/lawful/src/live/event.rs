//! The event of a moment: its fields, and the things that a tool call touches.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::kind::EventKind;
use super::moment::{Action, Moment, Target, ToolUse};
use super::places::{MAX_PATHS, Placed, Places, place_of_tool};
use super::{input, shell};
use crate::value::{Map, Value};

/// Why a call with too many paths is opaque.
pub(super) const TOO_MANY_PATHS: &str = "it names too many paths";

/// A live event.
#[derive(Clone, Debug)]
pub struct Event {
    kind: EventKind,
    action: Option<Action>,
    body: Value,
    things: Vec<Thing>,
    opaque: Option<Box<str>>,
    over_limit: bool,
}

/// One thing that a tool call touches: a simple command, a path, or the call itself.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    /// As people see it: the line, the path, or the name of the tool.
    pub(crate) shown: Box<str>,
    /// The fields that conditions read for it: every spelling of a command.
    pub(crate) spellings: Vec<Map>,
    /// What it writes or deletes.
    pub(crate) writes: Vec<Written>,
    /// What redirections read, if it is a command.
    pub(crate) reads: Vec<Placed>,
    /// The words of the command, if it is one.
    pub(crate) words: Vec<String>,
    /// The paths that its arguments would be, if it is a command.
    pub(crate) args: Vec<Placed>,
    /// What the fields of the command do not say.
    pub(crate) unsaid: Vec<Unsaid>,
    /// The commands that it may run, if it is a wrapper: only to deny or to ask.
    pub(crate) suspects: Vec<Thing>,
}

/// A file or folder that a call writes or deletes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Written {
    pub place: Placed,
    /// Whether everything in it is written, too.
    pub tree: bool,
}

/// What a command does besides what its line says. An `allow` needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsaid {
    /// The program is a file of a folder that is not one of the system, or has a blank in its name.
    Program,
    /// The shell line sets a variable.
    Variable,
    /// A redirection writes a file; `event.writes` says which.
    Writes,
    /// A redirection reads a file; `event.reads` says which.
    Reads,
    /// A path leads through a link that the line itself makes.
    Link,
}

impl Event {
    /// The event of a moment.
    pub fn read(moment: &Moment, places: &dyn Places) -> Self {
        match moment {
            Moment::SessionStart { source, agent } => {
                let fields = [("source", text(source)), ("agent", text(agent))];
                Self::plain(EventKind::SessionStart, fields)
            }
            Moment::Prompt { content } => {
                Self::plain(EventKind::MessageUser, [("content", text(content))])
            }
            Moment::ToolCall(call) => Self::call(EventKind::ToolCall, call, places),
            Moment::ToolResult { call, ok, output } => {
                let mut event = Self::call(EventKind::ToolResult, call, places);
                if let Value::Map(body) = &mut event.body {
                    body.insert("ok", Value::Bool(*ok));
                    body.insert("output", output.clone());
                }
                event
            }
            Moment::AgentStart { agent } => {
                Self::plain(EventKind::AgentStart, [("agent", text(agent))])
            }
            Moment::AgentStop { agent, message } => {
                let fields = [("agent", text(agent)), ("message", said(message.as_deref()))];
                Self::plain(EventKind::AgentStop, fields)
            }
            Moment::Stop { message } => {
                Self::plain(EventKind::TurnStop, [("message", said(message.as_deref()))])
            }
            Moment::Compact { trigger } => {
                Self::plain(EventKind::ContextCompact, [("trigger", text(trigger))])
            }
        }
    }

    /// Its kind.
    pub fn kind(&self) -> EventKind {
        self.kind
    }

    /// What kind of tool is called.
    pub fn action(&self) -> Option<Action> {
        self.action
    }

    /// The whole event as data, with its `type`.
    pub fn body(&self) -> &Value {
        &self.body
    }

    /// Why the commands of a shell line are not all known, if they are not.
    pub fn opaque(&self) -> Option<&str> {
        self.opaque.as_deref()
    }

    /// Whether the call is opaque because it is larger than what is looked at.
    pub(crate) fn is_over_limit(&self) -> bool {
        self.over_limit
    }

    /// The things that a call touches, or the event itself.
    pub fn things(&self) -> impl ExactSizeIterator<Item = &str> {
        self.things.iter().map(|thing| &*thing.shown)
    }

    pub(crate) fn touched(&self) -> &[Thing] {
        &self.things
    }

    fn plain<const N: usize>(kind: EventKind, fields: [(&str, Value); N]) -> Self {
        let mut body = Map::new();
        body.insert("type", kind.name().into());
        for (key, value) in fields {
            if value.present().is_some() {
                body.insert(key, value);
            }
        }
        let things = vec![Thing::whole(kind.name())];
        Self { kind, action: None, body: Value::Map(body), things, opaque: None, over_limit: false }
    }

    fn call(kind: EventKind, call: &ToolUse, places: &dyn Places) -> Self {
        let mut body = Map::new();
        body.insert("type", kind.name().into());
        body.insert("action", call.action.name().into());
        body.insert("tool", text(&call.tool));
        body.insert("agent", text(&call.agent));
        if call.input.present().is_some() {
            body.insert("input", call.input.clone());
        }
        let mut things = Vec::new();
        let (mut opaque, mut over_limit) = (None, false);
        match &call.target {
            Target::Shell { command, folder } => {
                let line = shell::read(command, folder.as_deref(), places);
                body.insert("command", text(command));
                let with_program = line.commands.iter().filter(|command| !command.words.is_empty());
                let lines = with_program.map(|command| command.words.join(" ").into());
                body.insert("lines", distinct(lines));
                let programs = line.commands.iter().filter_map(|command| command.words.first());
                body.insert("programs", distinct(programs.map(Into::into)));
                let writes = line.commands.iter().flat_map(|command| &command.writes);
                body.insert("writes", distinct(writes.map(|write| (&*write.place.path).into())));
                let reads = line.commands.iter().flat_map(|command| &command.reads);
                body.insert("reads", distinct(reads.map(|read| (&*read.path).into())));
                body.insert("opaque", Value::Bool(line.opaque.is_some()));
                things = line.commands;
                (opaque, over_limit) = (line.opaque, line.over_limit);
            }
            Target::Paths(paths) => {
                let first = paths.iter().take(MAX_PATHS);
                let mut placed: Vec<Placed> =
                    first.map(|path| place_of_tool(path, places)).collect();
                if paths.len() > MAX_PATHS {
                    placed.push(Placed::anywhere(""));
                    (opaque, over_limit) = (Some(TOO_MANY_PATHS.into()), true);
                }
                body.insert("paths", distinct(placed.iter().map(|place| (&*place.path).into())));
                things.extend(placed.into_iter().map(|place| Thing::path(place, call.action)));
            }
            Target::Url(url) => body.insert("url", text(url)),
            Target::Mcp { server, name } => {
                body.insert("server", text(server));
                body.insert("name", text(name));
            }
            Target::Nothing => {}
        }
        if things.is_empty() {
            things.push(Thing::whole(&call.tool));
        }
        if matches!(call.action, Action::Mcp | Action::Other)
            && let Some(first) = things.first_mut()
        {
            // What such a tool does with a path is not known, so it may write there.
            let named = input::paths(&call.input);
            let within = named.iter().take(MAX_PATHS);
            let mut placed: Vec<Placed> = within.map(|path| place_of_tool(path, places)).collect();
            if named.len() > MAX_PATHS {
                placed.push(Placed::anywhere(""));
                (opaque, over_limit) = (Some(TOO_MANY_PATHS.into()), true);
            }
            let written = placed.into_iter().map(|place| Written { place, tree: false });
            first.writes.extend(written);
        }
        let action = Some(call.action);
        Self { kind, action, body: Value::Map(body), things, opaque, over_limit }
    }
}

impl Thing {
    /// The call, or the event, itself.
    fn whole(shown: &str) -> Self {
        Self {
            shown: shown.into(),
            spellings: vec![Map::new()],
            writes: Vec::new(),
            reads: Vec::new(),
            words: Vec::new(),
            args: Vec::new(),
            unsaid: Vec::new(),
            suspects: Vec::new(),
        }
    }

    fn path(place: Placed, action: Action) -> Self {
        let mut fields = Map::new();
        fields.insert("path", text(&place.path));
        let writes = match action {
            Action::Write | Action::Edit => vec![Written { place: place.clone(), tree: false }],
            Action::Shell | Action::Read | Action::Search | Action::Fetch => Vec::new(),
            Action::Mcp | Action::Agent | Action::Other => Vec::new(),
        };
        Self {
            shown: place.path,
            spellings: vec![fields],
            writes,
            reads: Vec::new(),
            words: Vec::new(),
            args: Vec::new(),
            unsaid: Vec::new(),
            suspects: Vec::new(),
        }
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn said(message: Option<&str>) -> Value {
    message.map_or(Value::Null, text)
}

/// A list of texts, each once.
pub(super) fn distinct<'t>(texts: impl Iterator<Item = Cow<'t, str>>) -> Value {
    let mut seen: BTreeSet<Cow<'t, str>> = BTreeSet::new();
    let mut out = Vec::new();
    for one in texts {
        if !seen.contains(&one) {
            out.push(text(&one));
            seen.insert(one);
        }
    }
    Value::List(out)
}
