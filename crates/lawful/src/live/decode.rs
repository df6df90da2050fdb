//! Decodes a moment that someone writes down: `lawful guard`, scenarios and tests.
//!
//! The keys are those of the event. `type` defaults to `tool:call`.

use lawful_syntax::{Diagnostic, Node};

use super::kind::EventKind;
use super::moment::{Action, Moment, Target, ToolUse};
use crate::code;
use crate::decode::{Fields, boolean, choice, strings, text};
use crate::value::Value;

/// The keys of a call, by action.
const CALL: [&str; 5] = ["type", "action", "tool", "agent", "input"];
const RESULT: [&str; 2] = ["ok", "output"];

impl Moment {
    /// Decodes a moment. There is one unless some problem is an error.
    pub fn decode(node: &Node) -> (Option<Self>, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let moment = moment(node, &mut problems);
        let sound = !problems.iter().any(Diagnostic::is_error);
        (moment.filter(|_| sound), problems)
    }
}

fn moment(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Moment> {
    let kind = match node.get("type").filter(|node| !node.is_null()) {
        None => EventKind::ToolCall,
        Some(node) => choice(node, "type", &EventKind::NAMES, problems)?,
    };
    let what = format!("the event `{}`", kind.name());
    match kind {
        EventKind::ToolCall => call(node, &[], &what, problems).map(Moment::ToolCall),
        EventKind::ToolResult => {
            let call = call(node, &RESULT, &what, problems)?;
            let ok = node.get("ok").filter(|node| !node.is_null());
            let ok = ok.map_or(Some(true), |node| boolean(node, "`ok`", problems))?;
            let output = node.get("output").map(Value::from_node).unwrap_or_default();
            Some(Moment::ToolResult { call, ok, output })
        }
        EventKind::SessionStart => {
            let fields = Fields::of(node, &what, &["type", "source", "agent"], problems)?;
            let source = word(&fields, "source", "startup", problems)?;
            Some(Moment::SessionStart { source, agent: agent(&fields, problems)? })
        }
        EventKind::MessageUser => {
            let fields = Fields::of(node, &what, &["type", "content"], problems)?;
            let content = fields.require("content", &what, problems)?;
            let content = text(content, "`content`", problems)?.into();
            Some(Moment::Prompt { content })
        }
        EventKind::AgentStart => {
            let fields = Fields::of(node, &what, &["type", "agent"], problems)?;
            Some(Moment::AgentStart { agent: agent(&fields, problems)? })
        }
        EventKind::AgentStop => {
            let fields = Fields::of(node, &what, &["type", "agent", "message"], problems)?;
            let message = optional(&fields, "message", problems)?;
            Some(Moment::AgentStop { agent: agent(&fields, problems)?, message })
        }
        EventKind::TurnStop => {
            let fields = Fields::of(node, &what, &["type", "message"], problems)?;
            Some(Moment::Stop { message: optional(&fields, "message", problems)? })
        }
        EventKind::ContextCompact => {
            let fields = Fields::of(node, &what, &["type", "trigger"], problems)?;
            Some(Moment::Compact { trigger: word(&fields, "trigger", "auto", problems)? })
        }
    }
}

fn call(node: &Node, more: &[&str], what: &str, problems: &mut Vec<Diagnostic>) -> Option<ToolUse> {
    let Some(written) = node.get("action").filter(|node| !node.is_null()) else {
        // Reports a node that is not a mapping, or that has no action.
        let keys: Vec<&str> = node.as_map().unwrap_or_default().iter().map(|e| &*e.key).collect();
        let fields = Fields::of(node, what, &keys, problems)?;
        fields.require("action", what, problems);
        return None;
    };
    let action = choice(written, "action", &Action::NAMES, problems)?;
    let own: &[&str] = match action {
        Action::Shell => &["command", "folder"],
        Action::Read | Action::Write | Action::Edit | Action::Search => &["paths", "path"],
        Action::Fetch => &["url"],
        Action::Mcp => &["server", "name"],
        Action::Agent | Action::Other => &[],
    };
    let keys: Vec<&str> = CALL.iter().chain(own).chain(more).copied().collect();
    let of = format!("a call of the action `{}`", action.name());
    let fields = Fields::of(node, &of, &keys, problems)?;
    let agent = agent(&fields, problems);
    let tool = word(&fields, "tool", action.name(), problems);
    let input = fields.get("input").map(Value::from_node).unwrap_or_default();
    let target = target(action, &fields, &of, problems);
    Some(ToolUse { action, tool: tool?, agent: agent?, input, target: target? })
}

fn target(
    action: Action,
    fields: &Fields<'_>,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<Target> {
    let mut required = |key: &str| {
        let node = fields.require(key, what, problems)?;
        text(node, &format!("`{key}`"), problems).map(Into::into)
    };
    match action {
        Action::Shell => {
            let command = required("command");
            let folder = optional(fields, "folder", problems);
            Some(Target::Shell { command: command?, folder: folder? })
        }
        Action::Fetch => required("url").map(Target::Url),
        Action::Mcp => {
            let (server, name) = (required("server"), required("name"));
            Some(Target::Mcp { server: server?, name: name? })
        }
        Action::Read | Action::Write | Action::Edit | Action::Search => {
            if let Some(path) = fields.get("path") {
                if let Some(both) = fields.get("paths") {
                    let message = "`path` and `paths` cannot be combined";
                    let problem = Diagnostic::new(&code::BAD_VALUE, both.span, message);
                    problems.push(problem.help("write only `paths`"));
                    return None;
                }
                return Some(Target::Paths(vec![text(path, "`path`", problems)?.into()]));
            }
            let Some(node) = fields.get("paths") else { return Some(Target::Nothing) };
            let paths = strings(node, "`paths`", problems);
            Some(Target::Paths(paths.into_iter().map(|(path, _)| path).collect()))
        }
        Action::Agent | Action::Other => Some(Target::Nothing),
    }
}

fn agent(fields: &Fields<'_>, problems: &mut Vec<Diagnostic>) -> Option<Box<str>> {
    word(fields, "agent", "main", problems)
}

/// A string, or a default.
fn word(
    fields: &Fields<'_>,
    key: &str,
    default: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<Box<str>> {
    optional(fields, key, problems).map(|found| found.unwrap_or_else(|| default.into()))
}

/// A string, if it is given. `None` if it is not a string.
#[expect(clippy::option_option, reason = "absent and invalid are different")]
fn optional(
    fields: &Fields<'_>,
    key: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<Option<Box<str>>> {
    match fields.get(key) {
        None => Some(None),
        Some(node) => text(node, &format!("`{key}`"), problems).map(|text| Some(text.into())),
    }
}
