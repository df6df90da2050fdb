//! The protocols of models: which requests ask for an answer, and a few events of each answer.

use serde_json::{Value, json};

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// `generateContent` and `streamGenerateContent` of the Gemini API.
    Gemini,
    /// `responses` of the `OpenAI` API.
    Responses,
    /// `messages` of the Anthropic API.
    Messages,
    /// `chat/completions`, which many providers serve.
    Chat,
}

/// The answer of the model, in terms of the harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A final message.
    Text(String),
    /// A call of a tool.
    Call {
        /// The name of the tool; `NAMESPACE/NAME` where a protocol has namespaces.
        tool: String,
        /// A JSON object.
        input: String,
    },
}

impl Answer {
    /// A final message.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

impl Wire {
    /// Whether a request is for the next turn of a conversation. Harnesses send other requests too,
    /// such as one for a title, and offer no tools there.
    pub fn is_turn(self, path: &str, body: &str) -> bool {
        self.is_answered(path) && offers_tools(body)
    }

    /// Whether a request is for an answer of the model.
    pub fn is_answered(self, path: &str) -> bool {
        let path = path.split('?').next().unwrap_or_default();
        match self {
            Self::Gemini => {
                path.ends_with(":streamGenerateContent") || path.ends_with(":generateContent")
            }
            Self::Responses => path.ends_with("/responses"),
            Self::Messages => path.ends_with("/messages"),
            Self::Chat => path.ends_with("/chat/completions"),
        }
    }

    /// The answer to a request: its media type and its text. A stream of events if the request asks
    /// for one.
    pub fn reply(
        self,
        path: &str,
        body: &str,
        turn: usize,
        answer: &Answer,
    ) -> (&'static str, String) {
        let streams = match self {
            Self::Gemini => path.contains(":streamGenerateContent"),
            Self::Responses | Self::Messages | Self::Chat => asks_for_stream(body),
        };
        if streams {
            ("text/event-stream", self.stream(turn, answer))
        } else {
            ("application/json", self.whole(turn, answer).to_string())
        }
    }

    fn stream(self, turn: usize, answer: &Answer) -> String {
        match self {
            Self::Gemini => format!("data: {}\r\n\r\n", gemini(answer)),
            Self::Responses => responses(turn, answer),
            Self::Messages => messages(turn, answer),
            Self::Chat => chat(turn, answer),
        }
    }

    fn whole(self, turn: usize, answer: &Answer) -> Value {
        match self {
            Self::Gemini => gemini(answer),
            Self::Responses => response(turn, &response_item(turn, answer)),
            Self::Messages => message(turn, answer),
            Self::Chat => json!({
                "id": format!("c{turn}"), "object": "chat.completion", "created": 1, "model": "stub",
                "choices": [{
                    "index": 0, "message": chat_message(turn, answer), "finish_reason": chat_end(answer),
                }],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }),
        }
    }
}

fn offers_tools(body: &str) -> bool {
    let Ok(body) = serde_json::from_str::<Value>(body) else { return false };
    body.get("tools").and_then(Value::as_array).is_some_and(|tools| !tools.is_empty())
}

fn asks_for_stream(body: &str) -> bool {
    let body = serde_json::from_str::<Value>(body);
    body.is_ok_and(|body| body.get("stream").and_then(Value::as_bool) == Some(true))
}

fn input(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| json!({}))
}

fn gemini(answer: &Answer) -> Value {
    let part = match answer {
        Answer::Text(text) => json!({ "text": text }),
        Answer::Call { tool, input: given } => {
            json!({ "functionCall": { "name": tool, "args": input(given) } })
        }
    };
    json!({
        "candidates": [{
            "content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0,
        }],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        "modelVersion": "stub",
    })
}

fn response_item(turn: usize, answer: &Answer) -> Value {
    match answer {
        Answer::Text(text) => json!({
            "type": "message", "role": "assistant", "id": format!("m{turn}"), "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }),
        Answer::Call { tool, input } => {
            let mut call = json!({
                "type": "function_call", "id": format!("f{turn}"), "call_id": format!("c{turn}"),
                "name": tool, "arguments": input,
            });
            if let (Some((space, name)), Some(call)) = (tool.split_once('/'), call.as_object_mut())
            {
                call.insert("namespace".to_owned(), space.into());
                call.insert("name".to_owned(), name.into());
            }
            call
        }
    }
}

fn response(turn: usize, item: &Value) -> Value {
    json!({
        "id": format!("r{turn}"), "object": "response", "status": "completed", "output": [item],
        "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
    })
}

fn responses(turn: usize, answer: &Answer) -> String {
    let item = response_item(turn, answer);
    events(&[
        json!({"type": "response.created", "response": {"id": format!("r{turn}")}}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": response(turn, &item)}),
    ])
}

fn message(turn: usize, answer: &Answer) -> Value {
    let (block, reason) = match answer {
        Answer::Text(text) => (json!({"type": "text", "text": text}), "end_turn"),
        Answer::Call { tool, input: given } => (
            json!({"type": "tool_use", "id": format!("toolu_{turn}"), "name": tool, "input": input(given)}),
            "tool_use",
        ),
    };
    json!({
        "id": format!("m{turn}"), "type": "message", "role": "assistant", "model": "stub",
        "content": [block], "stop_reason": reason, "stop_sequence": null,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    })
}

fn messages(turn: usize, answer: &Answer) -> String {
    let (block, delta, reason) = match answer {
        Answer::Text(text) => (
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": text}),
            "end_turn",
        ),
        Answer::Call { tool, input } => (
            json!({"type": "tool_use", "id": format!("toolu_{turn}"), "name": tool, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": input}),
            "tool_use",
        ),
    };
    let start = json!({
        "id": format!("m{turn}"), "type": "message", "role": "assistant", "model": "stub",
        "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    });
    events(&[
        json!({"type": "message_start", "message": start}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({
            "type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
            "usage": {"output_tokens": 1},
        }),
        json!({"type": "message_stop"}),
    ])
}

fn chat_message(turn: usize, answer: &Answer) -> Value {
    match answer {
        Answer::Text(text) => json!({"role": "assistant", "content": text}),
        Answer::Call { tool, input } => json!({
            "role": "assistant",
            "tool_calls": [{
                "index": 0, "id": format!("t{turn}"), "type": "function",
                "function": {"name": tool, "arguments": input},
            }],
        }),
    }
}

fn chat_end(answer: &Answer) -> &'static str {
    match answer {
        Answer::Text(_) => "stop",
        Answer::Call { .. } => "tool_calls",
    }
}

fn chat(turn: usize, answer: &Answer) -> String {
    let chunk = |delta: &Value, reason: Option<&str>| {
        let chunk = json!({
            "id": format!("c{turn}"), "object": "chat.completion.chunk", "created": 1, "model": "stub",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        });
        format!("data: {chunk}\n\n")
    };
    let first = chunk(&chat_message(turn, answer), None);
    let last = chunk(&json!({}), Some(chat_end(answer)));
    format!("{first}{last}data: [DONE]\n\n")
}

/// Server-sent events, each named by its type.
fn events(events: &[Value]) -> String {
    let event = |event: &Value| {
        let name = event.get("type").and_then(Value::as_str).unwrap_or_default();
        format!("event: {name}\ndata: {event}\n\n")
    };
    events.iter().map(event).collect()
}

#[cfg(test)]
mod tests;
