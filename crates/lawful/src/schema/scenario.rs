//! `scenarios/*.yaml`

use serde_json::{Value as Json, json};

use super::build::{
    Object, choice, definition, described, id, list, names, text, whole, with, written,
};
use super::condition::{CONDITION, condition};
use super::envelope;
use crate::cond::PATH;
use crate::live::{Action, EventKind};
use crate::react::EffectKind;
use crate::scenario::decode::{COMPOSE, GIVEN, KEYS, LISTED, PROMPT, SENT, STOP, TURN};
use crate::scenario::{Decided, Expect, StepKind};

pub(super) fn schema() -> Json {
    let scenario = Object::closed(&KEYS)
        .optional("name", "Its name; default: the name of the file", id())
        .optional("given", "Where it starts from", given())
        .required("steps", "What happens, in order", steps())
        .build();
    with(
        scenario,
        json!({
            "title": "Scenario of a lawbook",
            "description": "`scenarios/*.yaml`",
            "$defs": { "step": step(), "expect": expect(), CONDITION: condition(&[PATH]) },
        }),
    )
}

fn any_mapping() -> Json {
    json!({ "type": "object" })
}

fn given() -> Json {
    Object::closed(&GIVEN)
        .optional("context", "The context of its prompts", any_mapping())
        .optional("state", "Variables by name", any_mapping())
        .build()
}

fn steps() -> Json {
    with(list(&definition("step")), json!({ "minItems": 1 }))
}

/// A mapping with the key of one kind.
fn step() -> Json {
    let mut properties = serde_json::Map::new();
    let mut kinds = Vec::new();
    for (name, kind) in StepKind::NAMES {
        let (description, schema) = act(kind);
        properties.insert(name.to_owned(), described(description, schema));
        kinds.push(json!({ "required": [name] }));
    }
    let expect = json!({ "anyOf": [definition("expect"), { "type": "null" }] });
    properties.insert("expect".to_owned(), described("What is expected of the step", expect));
    let observed = json!({ "type": ["object", "null"] });
    properties
        .insert("observed".to_owned(), described("What the host saw, for `envelope`", observed));
    json!({
        "type": "object",
        "properties": properties,
        "oneOf": kinds,
        "additionalProperties": false,
    })
}

fn act(kind: StepKind) -> (&'static str, Json) {
    match kind {
        StepKind::Turn => ("A turn", nullable(&turn())),
        StepKind::Action => (
            "An action of the user interface: its id, or a mapping with `action` and its fields",
            json!({ "anyOf": [id(), { "type": "object", "required": ["action"] }] }),
        ),
        StepKind::Event => {
            let event = json!({
                "type": "object",
                "properties": { "type": described("Its type", id()) },
                "required": ["type"],
            });
            ("An event of the host", event)
        }
        StepKind::Set => ("Writes of the host", list(&any_mapping())),
        StepKind::Prompt => ("A prompt that a person submits", text()),
        StepKind::Tool => ("A tool call, or an event as a harness sends it", tool()),
        StepKind::Envelope => ("An envelope to judge, or a file of the book", envelope_or_file()),
        StepKind::Stop => ("The agent wants to stop", nullable(&stop())),
        StepKind::Rewind => {
            ("Back to the end of a turn, or to a version", json!({ "anyOf": [whole(0), rewind()] }))
        }
        StepKind::Compose => ("A prompt to compose", json!({ "anyOf": [id(), compose()] })),
    }
}

fn nullable(schema: &Json) -> Json {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

fn turn() -> Json {
    Object::closed(&TURN)
        .optional("user", "What the user says", text())
        .optional("ai", "What the agent says", text())
        .optional("writes", "What the agent writes", json!({ "type": "array" }))
        .build()
}

fn tool() -> Json {
    let sent = Object::closed(&SENT)
        .required("harness", "The harness", id())
        .required("event", "The event, as the harness sends it", any_mapping())
        .build();
    let call = json!({
        "type": "object",
        "properties": {
            "type": described("The type of event; default: `tool:call`", nullable(&choice(&EventKind::NAMES))),
            "action": described("What kind of tool it is", nullable(&choice(&Action::NAMES))),
            "command": described("The shell line", text()),
            "paths": described("The paths, relative to the project", list(&text())),
            "url": described("The address", text()),
            "server": described("The server of the tool", text()),
            "name": described("The tool of the server", text()),
            "agent": described("`main`, or the type of the sub-agent", nullable(&text())),
        },
        "not": { "anyOf": [{ "required": ["harness"] }, { "required": ["event"] }] },
    });
    json!({ "anyOf": [call, sent] })
}

fn envelope_or_file() -> Json {
    json!({ "anyOf": [text(), envelope::record()] })
}

fn stop() -> Json {
    Object::closed(&STOP)
        .optional("message", "The last message of the agent", text())
        .optional("envelope", "Its envelope, or a file of the book", envelope_or_file())
        .optional("observed", "What the host saw", any_mapping())
        .build()
}

fn rewind() -> Json {
    Object::closed(&["version"]).required("version", "The version", whole(0)).build()
}

fn compose() -> Json {
    let compose = Object::closed(&COMPOSE)
        .optional("name", "The composition", id())
        .optional("role", "The role", id())
        .optional("context", "The context, added to that of `given`", any_mapping())
        .build();
    with(compose, json!({ "oneOf": [written("name"), written("role")] }))
}

fn expect() -> Json {
    let of = |items: &Json| {
        let all = Object::closed(&LISTED).required("exactly", "All of them", list(items)).build();
        json!({ "anyOf": [with(list(items), json!({ "minItems": 1 })), all] })
    };
    let effect = json!({
        "type": "object",
        "properties": { "type": names(EffectKind::ALL.map(EffectKind::name)) },
        "minProperties": 1,
    });
    let predicate = json!({ "anyOf": [text(), whole(0)] });
    Object::closed(&Expect::KEYS)
        .always("state", "A condition on the variables", definition(CONDITION))
        .always("fired", "Rules that fire", of(&text()))
        .always(
            "not-fired",
            "Rules that do not fire",
            with(list(&text()), json!({ "minItems": 1 })),
        )
        .always("by", "Guards that make the decision", of(&text()))
        .always("directives", "Directives in force", of(&text()))
        .always("effects", "Effects, in the fields that are given", of(&effect))
        .always("decision", "The decision", choice(&Decided::NAMES))
        .always("verdict", "The verdict", names(["pass", "fail", "undecided"]))
        .always("failed", "Predicates that fail", of(&predicate))
        .always("skipped", "Predicates that are skipped", of(&predicate))
        .always("undecided", "Predicates that are undecided", of(&predicate))
        .always("diagnostics", "Codes of diagnostics", of(&text()))
        .always("prompt", "The prompt after the step", prompt())
        .build()
}

fn prompt() -> Json {
    let some = |items: Json| with(list(&items), json!({ "minItems": 1 }));
    let line = json!({ "type": "string", "minLength": 1 });
    let lines = json!({ "anyOf": [line, some(line.clone())] });
    Object::closed(&PROMPT)
        .optional("contains", "Texts that it contains", lines.clone())
        .optional("lacks", "Texts that it does not contain", lines)
        .optional("order", "Ids of fragments in this order", some(text()))
        .optional("composition", "The composition, if the step composes no prompt", id())
        .optional("role", "The role, if the step composes no prompt", id())
        .build()
}
