//! Reading an event of a harness.

use std::path::PathBuf;

use lawful::Value;
use lawful::live::{Action, Moment, ToolUse};
use lawful::syntax::{Diagnostic, Limits, Span, escape, is_dropped, parse_json_leniently};

use super::fields::{Fields, Read, missing, usable, wrong};
use super::target::{Call, target};
use crate::{Event, Hook};

/// The largest event in bytes.
pub const LONGEST_EVENT: usize = 64 * 1024 * 1024;

/// The agent of a conversation that is not a sub-agent.
const MAIN: &str = "main";
/// The type of a sub-agent whose harness does not say it.
const UNKNOWN: &str = "unknown";
/// A sub-agent whose type is the name of the main agent.
const SUB_AGENT_MAIN: &str = "sub-agent main";

/// An event of a harness.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// The session; empty if the harness does not say.
    pub session: Box<str>,
    /// The working directory of the agent.
    pub folder: Option<PathBuf>,
    /// The folder of the project, if the event names it. Some harnesses name it in a variable
    /// instead: [`Hook::project_variable`].
    pub project: Option<PathBuf>,
    /// `main`, or the type of the sub-agent.
    pub agent: Box<str>,
    /// The id of the sub-agent.
    pub agent_id: Option<Box<str>>,
    /// The id of the tool call.
    pub call: Option<Box<str>>,
    /// Whether the agent only continues because an earlier stop was blocked.
    pub continuing: bool,
    /// What happens.
    pub moment: Moment,
    /// What was replaced in the event because it could not be represented.
    pub warnings: Vec<String>,
}

/// Reads an event; the error describes the problem. A caller that gets an error must not let the
/// agent go on as if nothing had happened.
pub fn read(hook: &Hook, event: Event, bytes: &[u8]) -> Result<Incoming, String> {
    let fail =
        |why: String| format!("the input from {} is not a valid hook event: {why}", hook.name);
    let row = hook
        .row(event)
        .ok_or_else(|| format!("{} has no hook for the event `{}`", hook.name, event.name()))?;
    let (value, warnings) = parse(event, bytes).map_err(fail)?;
    let fields = Fields(&value);
    if let Some(name) = fields.text(&["hook_event_name", "hookEventName"]).map_err(fail)?
        && !is_same_event(row.name, name)
    {
        let name = escape::line(&escape::name(name)).into_owned();
        return Err(format!("this hook is for the event `{}`, not for `{name}`", row.name));
    }
    incoming(hook, event, fields, warnings).map_err(fail)
}

/// Whether a name is that of an event, in either of the two spellings that some harnesses have.
fn is_same_event(expected: &str, name: &str) -> bool {
    const PASCAL: [(&str, &str); 8] = [
        ("sessionStart", "SessionStart"),
        ("userPromptSubmitted", "UserPromptSubmit"),
        ("preToolUse", "PreToolUse"),
        ("postToolUse", "PostToolUse"),
        ("subagentStart", "SubagentStart"),
        ("subagentStop", "SubagentStop"),
        ("agentStop", "Stop"),
        ("preCompact", "PreCompact"),
    ];
    expected == name || PASCAL.contains(&(expected, name))
}

/// The JSON of an event. In a tool call, a value that cannot be represented costs the whole event,
/// because the harness may still use it.
fn parse(event: Event, bytes: &[u8]) -> Read<(Value, Vec<String>)> {
    if bytes.len() > LONGEST_EVENT {
        return Err(format!("it is longer than {}", escape::bytes(LONGEST_EVENT)));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    let limits = Limits { bytes: LONGEST_EVENT, ..Limits::default() };
    let (value, problems) = parse_json_leniently::<Value>(text, Span::NONE.file, &limits);
    let is_fatal = |problem: &&Diagnostic| {
        problem.is_error() || (event == Event::ToolCall && is_dropped(problem))
    };
    if let Some(problem) = problems.iter().find(is_fatal) {
        return Err(problem.message.clone());
    }
    let value = value.ok_or("it is empty")?;
    if !matches!(value, Value::Map(_)) {
        return Err(format!("it is {}, not an object", value.kind_name()));
    }
    Ok((value, problems.into_iter().map(|problem| problem.message).collect()))
}

fn incoming(
    hook: &Hook,
    event: Event,
    fields: Fields<'_>,
    warnings: Vec<String>,
) -> Read<Incoming> {
    let session = fields.text(&["session_id", "sessionId", "conversation_id"])?.unwrap_or_default();
    let roots = fields.texts(&["workspace_roots"])?;
    let project = fields.text(&["project"])?.or_else(|| roots.first().copied());
    let folder = fields.text(&["cwd"])?.filter(|cwd| !cwd.is_empty());
    let path = |text: &str| usable(text, "a folder").map(|text| PathBuf::from(&*text));
    let agent_id = fields.text(&["agent_id", "agentId"])?.filter(|id| !id.is_empty());
    let named = fields.text(&["agent_type", "agentName", "subagent_type"])?;
    let named = named.filter(|name| !name.is_empty());
    // The main conversation can have an agent type too; only a sub-agent has an id.
    let is_sub_agent = agent_id.is_some() || matches!(event, Event::AgentStart | Event::AgentStop);
    let agent = match named {
        _ if !is_sub_agent => MAIN,
        // A sub-agent must not pass for the main agent, whatever its type is.
        Some(name) if name.trim().eq_ignore_ascii_case(MAIN) => SUB_AGENT_MAIN,
        Some(name) => name,
        None => UNKNOWN,
    };
    Ok(Incoming {
        session: session.into(),
        folder: folder.or_else(|| roots.first().copied()).map(path).transpose()?,
        project: project.filter(|project| !project.is_empty()).map(path).transpose()?,
        agent: agent.into(),
        agent_id: agent_id.map(Into::into),
        call: fields.text(&["tool_use_id", "toolCallId", "call_id"])?.map(Into::into),
        continuing: fields.flag(&["stop_hook_active"])? || loops(fields)?,
        moment: moment(hook, event, fields, agent)?,
        warnings,
    })
}

/// Whether Cursor says that the agent was already made to continue.
fn loops(fields: Fields<'_>) -> Read<bool> {
    match fields.get(&["loop_count"])? {
        None => Ok(false),
        Some(Value::Number(count)) => Ok(count.as_i64().is_none_or(|count| count > 0)),
        Some(other) => Err(wrong(&["loop_count"], other, "a number")),
    }
}

fn moment(hook: &Hook, event: Event, fields: Fields<'_>, agent: &str) -> Read<Moment> {
    let message = || -> Read<Option<Box<str>>> {
        let said = fields.text(&["last_assistant_message", "prompt_response", "summary"])?;
        Ok(said.map(Into::into))
    };
    Ok(match event {
        Event::SessionStart => Moment::SessionStart {
            source: fields.text(&["source"])?.unwrap_or("startup").into(),
            agent: agent.into(),
        },
        Event::Prompt => Moment::Prompt { content: fields.needed(&["prompt"])?.into() },
        Event::ToolCall => Moment::ToolCall(tool_use(hook, fields, agent)?),
        Event::ToolResult => {
            let call = match tool_use(hook, fields, agent) {
                Ok(call) => call,
                // The tool has run: what it touched is of less use than that it ran.
                Err(why) => without_target(fields, agent).map_err(|_| why)?,
            };
            let names = ["tool_response", "tool_output", "toolResult", "tool_result"];
            let output = fields.get(&names)?.cloned().unwrap_or_default();
            Moment::ToolResult { call, ok: succeeded(&output), output }
        }
        Event::AgentStart => Moment::AgentStart { agent: agent.into() },
        Event::AgentStop => Moment::AgentStop { agent: agent.into(), message: message()? },
        Event::Stop => Moment::Stop { message: message()? },
        Event::Compact => {
            Moment::Compact { trigger: fields.text(&["trigger"])?.unwrap_or("auto").into() }
        }
    })
}

fn tool_use(hook: &Hook, fields: Fields<'_>, agent: &str) -> Read<ToolUse> {
    let tool = usable(fields.needed(&["tool_name", "toolName"])?, "the name of the tool")?;
    let input = input(fields)?;
    let context = fields.get(&["mcp_context"])?.map(Fields);
    let mcp = match context {
        Some(context) => Some((context.needed(&["server_name"])?, context.needed(&["tool_name"])?)),
        None => None,
    };
    let servers = fields.texts(&["mcp_servers"])?;
    let call = Call { tool: &tool, input: &input, mcp, servers: &servers };
    let (action, target) = target(hook, &call)?;
    Ok(ToolUse { action, tool, agent: agent.into(), input, target })
}

fn without_target(fields: Fields<'_>, agent: &str) -> Read<ToolUse> {
    Ok(ToolUse {
        action: Action::Other,
        tool: usable(fields.needed(&["tool_name", "toolName"])?, "the name of the tool")?,
        agent: agent.into(),
        input: input(fields)?,
        target: lawful::live::Target::Nothing,
    })
}

/// The input of a tool. Some harnesses send it as a text that is JSON itself.
fn input(fields: Fields<'_>) -> Read<Value> {
    let names = ["tool_input", "toolArgs"];
    match fields.get(&names)? {
        None => Err(missing(&names)),
        Some(Value::Map(map)) => Ok(Value::Map(map.clone())),
        Some(Value::Text(text)) if text.trim_start().starts_with('{') => {
            parse(Event::ToolCall, text.as_bytes())
                .map(|(value, _)| value)
                .map_err(|why| format!("the input of the tool is not JSON: {why}"))
        }
        // The patch of a tool that takes nothing else.
        Some(Value::Text(text)) => Ok(Value::Text(text.clone())),
        Some(other) => Err(wrong(&names, other, "an object")),
    }
}

/// Whether a tool succeeded, as far as its output says.
fn succeeded(output: &Value) -> bool {
    let is = |name: &str, expected: bool| matches!(output.get(name), Some(Value::Bool(value)) if *value == expected);
    let kind = output.get("resultType").and_then(Value::as_text);
    !(is("is_error", true)
        || is("isError", true)
        || is("success", false)
        || output.get("error").is_some()
        || kind.is_some_and(|kind| kind != "success"))
}

#[cfg(test)]
mod tests;
