//! The streaming protocols of models: a few events of each.

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    /// `streamGenerateContent` of the Gemini API.
    Gemini,
    /// `responses` of the `OpenAI` API.
    Responses,
    /// `messages` of the Anthropic API.
    Messages,
    /// `chat/completions`, which many providers serve.
    Chat,
}

/// The answer of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// A final message.
    Text(&'static str),
    /// A command to run.
    Shell(&'static str),
}

impl Wire {
    /// Whether a request is for the next turn; harnesses send other requests too.
    pub(super) fn is_turn(self, path: &str) -> bool {
        let path = path.split('?').next().unwrap_or_default();
        match self {
            Self::Gemini => path.ends_with(":streamGenerateContent"),
            Self::Responses => path.ends_with("/responses"),
            Self::Messages => path.ends_with("/messages"),
            Self::Chat => path.ends_with("/chat/completions"),
        }
    }

    /// The stream of events for the answer.
    pub(super) fn stream(self, turn: usize, says: Says) -> String {
        match self {
            Self::Gemini => gemini(says),
            Self::Responses => responses(turn, says),
            Self::Messages => messages(turn, says),
            Self::Chat => chat(turn, says),
        }
    }
}

fn gemini(says: Says) -> String {
    let part = match says {
        Says::Text(text) => format!(r#"{{"text":{}}}"#, quoted(text)),
        Says::Shell(command) => format!(
            r#"{{"functionCall":{{"name":"run_shell_command","args":{{"command":{},"description":"write"}}}}}}"#,
            quoted(command)
        ),
    };
    format!(
        "data: {{\"candidates\":[{{\"content\":{{\"role\":\"model\",\"parts\":[{part}]}},\
         \"finishReason\":\"STOP\",\"index\":0}}],\"usageMetadata\":{{\"promptTokenCount\":1,\
         \"candidatesTokenCount\":1,\"totalTokenCount\":2}},\"modelVersion\":\"stub\"}}\r\n\r\n"
    )
}

fn responses(turn: usize, says: Says) -> String {
    let item = match says {
        Says::Text(text) => format!(
            r#"{{"type":"message","role":"assistant","id":"m{turn}","status":"completed","content":[{{"type":"output_text","text":{},"annotations":[]}}]}}"#,
            quoted(text)
        ),
        Says::Shell(command) => {
            // A login shell would reset the `PATH`, which contains `lawful`.
            let arguments = format!(r#"{{"cmd":{},"login":false}}"#, quoted(command));
            format!(
                r#"{{"type":"function_call","id":"f{turn}","call_id":"c{turn}","name":"exec_command","arguments":{}}}"#,
                quoted(&arguments)
            )
        }
    };
    let created = format!(r#"{{"type":"response.created","response":{{"id":"r{turn}"}}}}"#);
    let done = format!(r#"{{"type":"response.output_item.done","output_index":0,"item":{item}}}"#);
    let completed = format!(
        r#"{{"type":"response.completed","response":{{"id":"r{turn}","output":[{item}],"usage":{{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}}}}"#
    );
    events(&[
        ("response.created", created),
        ("response.output_item.done", done),
        ("response.completed", completed),
    ])
}

fn messages(turn: usize, says: Says) -> String {
    let (block, delta, reason) = match says {
        Says::Text(text) => (
            r#"{"type":"text","text":""}"#.to_owned(),
            format!(r#"{{"type":"text_delta","text":{}}}"#, quoted(text)),
            "end_turn",
        ),
        Says::Shell(command) => {
            let input = format!(r#"{{"command":{},"description":"write"}}"#, quoted(command));
            (
                format!(r#"{{"type":"tool_use","id":"toolu_{turn}","name":"Bash","input":{{}}}}"#),
                format!(r#"{{"type":"input_json_delta","partial_json":{}}}"#, quoted(&input)),
                "tool_use",
            )
        }
    };
    let start = format!(
        r#"{{"type":"message_start","message":{{"id":"m{turn}","type":"message","role":"assistant","model":"stub","content":[],"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":1,"output_tokens":1}}}}}}"#
    );
    events(&[
        ("message_start", start),
        (
            "content_block_start",
            format!(r#"{{"type":"content_block_start","index":0,"content_block":{block}}}"#),
        ),
        (
            "content_block_delta",
            format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#),
        ),
        ("content_block_stop", r#"{"type":"content_block_stop","index":0}"#.to_owned()),
        (
            "message_delta",
            format!(
                r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}","stop_sequence":null}},"usage":{{"output_tokens":1}}}}"#
            ),
        ),
        ("message_stop", r#"{"type":"message_stop"}"#.to_owned()),
    ])
}

fn chat(turn: usize, says: Says) -> String {
    let delta = match says {
        Says::Text(text) => format!(r#"{{"role":"assistant","content":{}}}"#, quoted(text)),
        Says::Shell(command) => {
            let arguments = format!(r#"{{"command":{},"description":"write"}}"#, quoted(command));
            format!(
                r#"{{"role":"assistant","tool_calls":[{{"index":0,"id":"t{turn}","type":"function","function":{{"name":"bash","arguments":{}}}}}]}}"#,
                quoted(&arguments)
            )
        }
    };
    let reason = match says {
        Says::Text(_) => "stop",
        Says::Shell(_) => "tool_calls",
    };
    let chunk = |delta: &str, reason: &str| {
        format!(
            "data: {{\"id\":\"c{turn}\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"stub\",\
             \"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{reason}}}]}}\n\n"
        )
    };
    let last = chunk("{}", &quoted(reason));
    format!("{}{last}data: [DONE]\n\n", chunk(&delta, "null"))
}

fn events(events: &[(&str, String)]) -> String {
    let lines = events.iter().flat_map(|(name, data)| ["event: ", name, "\ndata: ", data, "\n\n"]);
    lines.collect()
}

/// A JSON string; the input only needs escapes for quotes, backslashes and line ends.
pub(super) fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}
