//! What the stub answers: it asks for each agent once, and is then done.
//!
//! The answer depends only on the request and on how many agents were asked for, so a client that
//! repeats a request, or sends others in between, gets the same.

use std::time::Duration;

use serde_json::Value;

use crate::client::Delegation;
use crate::stub::{Recorded, Reply};
use crate::texts::{RoleText, TextRole, read};
use crate::wire::{Answer, Wire};

/// The message that the client is started with.
pub const PROMPT: &str = "Reply with the word: ready.";

/// How long an agent in the background may take to ask its model.
const PATIENCE: Duration = Duration::from_secs(4);

/// The task of an agent.
pub fn task(agent: &str) -> String {
    format!("Reply with your name, {agent}.")
}

/// A model that delegates to each of these agents and ends.
#[derive(Clone, Debug)]
pub struct Script {
    wire: Wire,
    delegation: Option<&'static Delegation>,
    agents: Vec<String>,
    /// How many agents were asked for.
    asked: usize,
    turns: usize,
}

impl Script {
    /// A script for a protocol. Without a delegation no agent is asked for.
    pub fn new(wire: Wire, delegation: Option<&'static Delegation>, agents: Vec<String>) -> Self {
        Self { wire, delegation, agents, asked: 0, turns: 0 }
    }

    /// The answer to a request; `None` if it is not for the model.
    pub fn answer(&mut self, request: &Recorded) -> Option<Reply> {
        if !self.wire.is_answered(&request.path) {
            return None;
        }
        self.turns += 1;
        let is_waited_for = self.asked > 0
            && self.delegation.is_some_and(|delegation| delegation.in_background)
            && is_main(self.wire, request);
        let answer = self.next(request);
        let reply = self.wire.reply(&request.path, &request.body, self.turns, &answer);
        let after = if is_waited_for { PATIENCE } else { Duration::ZERO };
        Some(Reply { after, ..Reply::new(reply) })
    }

    fn next(&mut self, request: &Recorded) -> Answer {
        let done = Answer::text("ready");
        if !is_main(self.wire, request) {
            return done;
        }
        let (Some(delegation), Some(agent)) = (self.delegation, self.agents.get(self.asked)) else {
            return done;
        };
        let Some(tool) = delegation.tool(agent, &tools(&request.body)) else { return done };
        self.asked += 1;
        Answer::Call { tool, input: delegation.input(agent, &task(agent)) }
    }
}

/// Whether a request is for a turn of the main conversation.
pub(crate) fn is_main(wire: Wire, request: &Recorded) -> bool {
    is_for(wire, request, PROMPT)
}

/// Whether a request is for a turn of the conversation that was started with a message.
pub(crate) fn is_for(wire: Wire, request: &Recorded, message: &str) -> bool {
    if !wire.is_turn(&request.path, &request.body) {
        return false;
    }
    // A conversation can contain the one that started it, so the last message decides.
    let texts = read(wire, &request.body).unwrap_or_default();
    let is_start = |text: &&RoleText| {
        text.role == TextRole::User
            && (text.text.contains(PROMPT) || text.text.contains("Reply with your name, "))
    };
    texts.iter().rev().find(is_start).is_some_and(|text| text.text.contains(message))
}

/// The names of the tools that a request offers; one in a namespace is `NAMESPACE/NAME`.
fn tools(body: &str) -> Vec<String> {
    let mut names = Vec::new();
    if let Ok(body) = serde_json::from_str::<Value>(body)
        && let Some(tools) = body.get("tools").and_then(Value::as_array)
    {
        for tool in tools {
            let list = |key: &str| tool.get(key).and_then(Value::as_array).into_iter().flatten();
            let inner = list("functionDeclarations").chain(tool.get("function"));
            let name = |one: &Value| one.get("name").and_then(Value::as_str).map(str::to_owned);
            names.extend(inner.chain([tool]).filter_map(name));
            let of_space = |one: &Value| Some(format!("{}/{}", name(tool)?, name(one)?));
            names.extend(list("tools").filter_map(of_space));
        }
    }
    names
}

#[cfg(test)]
mod tests;
