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

/// The answer of the model, in terms of the harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A final message.
    Text(&'static str),
    /// A call of a tool.
    Call {
        tool: &'static str,
        /// A JSON object.
        input: String,
    },
}

impl Wire {
    /// Whether a request is for the next turn. Harnesses send other requests too, such as one for a
    /// title, and offer no tools there.
    pub(super) fn is_turn(self, path: &str, body: &str) -> bool {
        self.is_answered(path) && body.contains("\"tools\":[{")
    }

    /// Whether a request is for an answer of the model.
    pub(super) fn is_answered(self, path: &str) -> bool {
        let path = path.split('?').next().unwrap_or_default();
        match self {
            Self::Gemini => path.ends_with(":streamGenerateContent"),
            Self::Responses => path.ends_with("/responses"),
            Self::Messages => path.ends_with("/messages"),
            Self::Chat => path.ends_with("/chat/completions"),
        }
    }

    /// The stream of events for the answer.
    pub(super) fn stream(self, turn: usize, answer: &Answer) -> String {
        match self {
            Self::Gemini => gemini(answer),
            Self::Responses => responses(turn, answer),
            Self::Messages => messages(turn, answer),
            Self::Chat => chat(turn, answer),
        }
    }
}

fn gemini(answer: &Answer) -> String {
    let part = match answer {
        Answer::Text(text) => format!(r#"{{"text":{}}}"#, quoted(text)),
        Answer::Call { tool, input } => {
            format!(r#"{{"functionCall":{{"name":"{tool}","args":{input}}}}}"#)
        }
    };
    format!(
        "data: {{\"candidates\":[{{\"content\":{{\"role\":\"model\",\"parts\":[{part}]}},\
         \"finishReason\":\"STOP\",\"index\":0}}],\"usageMetadata\":{{\"promptTokenCount\":1,\
         \"candidatesTokenCount\":1,\"totalTokenCount\":2}},\"modelVersion\":\"stub\"}}\r\n\r\n"
    )
}

fn responses(turn: usize, answer: &Answer) -> String {
    let item = match answer {
        Answer::Text(text) => format!(
            r#"{{"type":"message","role":"assistant","id":"m{turn}","status":"completed","content":[{{"type":"output_text","text":{},"annotations":[]}}]}}"#,
            quoted(text)
        ),
        Answer::Call { tool, input } => format!(
            r#"{{"type":"function_call","id":"f{turn}","call_id":"c{turn}","name":"{tool}","arguments":{}}}"#,
            quoted(input)
        ),
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

fn messages(turn: usize, answer: &Answer) -> String {
    let (block, delta, reason) = match answer {
        Answer::Text(text) => (
            r#"{"type":"text","text":""}"#.to_owned(),
            format!(r#"{{"type":"text_delta","text":{}}}"#, quoted(text)),
            "end_turn",
        ),
        Answer::Call { tool, input } => (
            format!(r#"{{"type":"tool_use","id":"toolu_{turn}","name":"{tool}","input":{{}}}}"#),
            format!(r#"{{"type":"input_json_delta","partial_json":{}}}"#, quoted(input)),
            "tool_use",
        ),
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

fn chat(turn: usize, answer: &Answer) -> String {
    let (delta, reason) = match answer {
        Answer::Text(text) => {
            (format!(r#"{{"role":"assistant","content":{}}}"#, quoted(text)), "stop")
        }
        Answer::Call { tool, input } => (
            format!(
                r#"{{"role":"assistant","tool_calls":[{{"index":0,"id":"t{turn}","type":"function","function":{{"name":"{tool}","arguments":{}}}}}]}}"#,
                quoted(input)
            ),
            "tool_calls",
        ),
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
