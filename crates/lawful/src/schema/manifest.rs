//! `lawful.yaml`

use serde_json::{Map, Value as Json, json};

use super::build::{
    Object, boolean, choice, definition, described, id, list, mapping, number, text, whole, with,
};
use crate::book::manifest::conditioning::{NICKEL_KEYS, PERSONA_KEYS, PERSONAS_KEYS, TEACHES_KEYS};
use crate::book::manifest::settings::{BUDGETS, LINT_KEYS, named};
use crate::book::manifest::{KEYS, guards, hooks, log, observe, protect, variables};
use crate::book::{EditBook, HookLaw, HookMode, Opaque, Repetition, Undecided, VariableType};
use crate::limits::Limits;
use crate::react::EffectKind;

pub(super) fn schema() -> Json {
    let axis = json!({
        "type": "array",
        "items": { "type": ["string", "number", "boolean", "array", "object"] },
        "minItems": 1,
    });
    let manifest = Object::closed(&KEYS)
        .required("name", "The name of the lawbook", text())
        .optional("axes", "The values that contexts can have, by path", mapping(&axis))
        .optional("variables", "The variables of a session, by id", variables_schema())
        .optional("conditioning", "The core and the personas", conditioning())
        .optional("observe", "The commands that may run, by name", commands())
        .optional("observed", "Keys that the host observes beside the built-in ones", list(&text()))
        .optional("effects", "Effects that are requested again after a rewind, by kind", effects())
        .optional("guards", "What happens to shell lines that cannot be read", guards_schema())
        .optional("protect", "What no agent may change", protect_schema())
        .optional("hooks", "What the hooks do", hooks_schema())
        .optional("log", "The log of decisions", log_schema())
        .optional("lint", "What `lawful check` looks for beside mistakes", lint())
        .optional("limits", "Limits of this lawbook", limits());
    with(
        manifest.build(),
        json!({
            "title": "Manifest of a lawbook",
            "description": "`lawful.yaml`",
            "$defs": { "command": command() },
        }),
    )
}

/// Variables by id, or the list of a recipe.
fn variables_schema() -> Json {
    let keys: Vec<&'static str> = ["id"].iter().chain(&variables::KEYS).copied().collect();
    let listed = variable(Object::closed(&keys).required("id", "Its id", text()));
    let by_id = variable(Object::closed(&variables::KEYS));
    json!({ "anyOf": [mapping(&by_id), list(&listed), { "type": "null" }] })
}

fn variable(object: Object) -> Json {
    let mut types: Vec<&str> = VariableType::NAMES.iter().map(|(name, _)| *name).collect();
    types.push(variables::JSON);
    let values = json!({ "type": ["array", "null"], "minItems": 1 });
    let variable = object
        .optional("type", "The type that the variable keeps", json!({ "enum": types }))
        .optional("initial", "The value in a new session", Json::Bool(true))
        .optional("defaultValue", "`initial`, as recipes write it", Json::Bool(true))
        .optional("values", "The only values that it can have", values)
        .optional("name", "For people", text())
        .optional("description", "For people", text())
        .optional("category", "For people", text())
        .optional("min", "The least value of a number", number())
        .optional("max", "The greatest value of a number", number())
        .optional("protected", "Refuse the agent's own writes; default `false`", boolean());
    let typed = VariableType::NAMES.iter().map(|(name, kind)| {
        let bounds = match kind {
            VariableType::Number => json!({ "type": ["number", "null"] }),
            VariableType::String
            | VariableType::Boolean
            | VariableType::Array
            | VariableType::Object => json!({ "type": "null" }),
        };
        json!({
            "if": { "properties": { "type": { "const": name } }, "required": ["type"] },
            "then": { "properties": { "initial": { "type": [name, "null"] }, "min": bounds, "max": bounds } },
        })
    });
    let has_type = json!({ "anyOf": [{ "required": ["type"] }, { "required": ["defaultValue"] }] });
    with(variable.build(), json!({ "allOf": typed.chain([has_type]).collect::<Vec<_>>() }))
}

fn conditioning() -> Json {
    let nickel = json!({ "type": "string", "pattern": "\\.ncl$" });
    let file = json!({ "type": "string", "pattern": "\\.(md|ncl)$" });
    let strings = list(&text());
    let teaches = Object::closed(&TEACHES_KEYS)
        .optional("core", "The predicates that the core teaches", strings.clone())
        .optional("personas", "The predicates that each persona teaches", mapping(&strings))
        .build();
    let main = "The role of the main conversation";
    let taught = "What the core and the personas teach";
    let core = "The file of the core";
    let by_nickel = Object::closed(&NICKEL_KEYS)
        .required("nickel", "The Nickel file of a record of role to prompt", nickel.clone())
        .optional(
            "core",
            "The file of the core; default `core.ncl` beside the Nickel file",
            file.clone(),
        )
        .optional("main", main, text())
        .optional("teaches", taught, teaches.clone())
        .build();
    let composed = Object::closed(&PERSONA_KEYS)
        .required("composition", "The composition that is the persona", text())
        .build();
    let persona = json!({ "if": { "type": "object" }, "then": composed, "else": file });
    let by_persona = Object::closed(&PERSONAS_KEYS)
        .required("core", core, file)
        .required("personas", "The file or composition of each role", mapping(&persona))
        .optional("main", main, text())
        .optional("teaches", taught, teaches)
        .build();
    json!({
        "if": { "type": "string" },
        "then": nickel,
        "else": {
            "if": { "type": "object", "required": ["nickel"] },
            "then": by_nickel,
            "else": by_persona,
        },
    })
}

fn run() -> Json {
    json!({
        "anyOf": [
            { "description": "A line for `sh -c`", "type": "string", "pattern": "\\S" },
            {
                "description": "A program and its arguments",
                "type": "array",
                "items": { "type": "string" },
                "minItems": 1,
            },
        ],
    })
}

fn commands() -> Json {
    with(mapping(&definition("command")), json!({ "propertyNames": { "pattern": "\\S" } }))
}

fn command() -> Json {
    let whole_form = Object::closed(&observe::KEYS)
        .required("run", "A list of words, or a line for `sh -c`", run())
        .optional("timeout", "Seconds; default 600", whole(1))
        .optional("cwd", "A folder below the root of the repository", text())
        .build();
    json!({ "if": { "type": "object" }, "then": whole_form, "else": run() })
}

fn effects() -> Json {
    let about = "Whether the host performs it once or again";
    let kind =
        |kind: EffectKind| (kind.name().to_owned(), described(about, choice(&Repetition::NAMES)));
    let kinds: Map<String, Json> = EffectKind::ALL.into_iter().map(kind).collect();
    json!({ "type": "object", "properties": kinds, "additionalProperties": false })
}

fn hooks_schema() -> Json {
    let some = json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 });
    let wanted = Object::closed(&hooks::WANTED_KEYS)
        .optional(
            "git",
            "What changed since this commit",
            json!({ "type": "string", "minLength": 1 }),
        )
        .optional("files", "Which files exist, by patterns", some.clone())
        .optional("junit", "Test results in these reports", some.clone())
        .optional("run", "The exit codes and outputs of these commands", some)
        .build();
    let stop = Object::closed(&hooks::STOP_KEYS)
        .optional("observe", "What is gathered before the envelope is judged", wanted)
        .optional("envelope", "The folder of the envelope; default `.lawful`", text())
        .optional("rulespec", "The rulespec; default `analysis/rulespec.yaml`", text())
        .optional("blocks", "After so many blocks in a row the agent may stop; default 3", whole(1))
        .optional("undecided", "What happens if nothing can be decided", choice(&Undecided::NAMES))
        .build();
    Object::closed(&hooks::KEYS)
        .optional(
            "mode",
            "Whether decisions are enforced; default `enforce`",
            choice(&HookMode::NAMES),
        )
        .optional("law", "`follow`: edits of the lawbook apply at once", choice(&HookLaw::NAMES))
        .optional("stop", "When an agent wants to stop", stop)
        .build()
}

fn guards_schema() -> Json {
    let opaque = "The decision on a shell line that cannot be read in full";
    Object::closed(&guards::KEYS).optional("opaque", opaque, choice(&Opaque::NAMES)).build()
}

fn protect_schema() -> Json {
    let law =
        "Protect the settings with hooks, the state folder and what is trusted; default `true`";
    let paths = "Patterns of files that no agent may write, edit or delete";
    Object::closed(&protect::KEYS)
        .optional("law", law, boolean())
        .optional("book", "When an agent edits the lawbook", choice(&EditBook::NAMES))
        .optional("paths", paths, list(&text()))
        .build()
}

fn log_schema() -> Json {
    let mask = "Paths into a line of the log; values there are masked";
    Object::closed(&log::KEYS).optional("mask", mask, list(&text())).build()
}

fn lint() -> Json {
    let budgets: Map<String, Json> = BUDGETS
        .iter()
        .map(|name| ((*name).to_owned(), described("The most tokens", whole(1))))
        .collect();
    let budgets = json!({ "type": "object", "properties": budgets, "additionalProperties": false });
    Object::closed(&LINT_KEYS)
        .optional(
            "banned-words",
            "Words, phrases and symbols that no fragment may contain",
            list(&id()),
        )
        .optional("token-budgets", "The most tokens of the core, a fragment and a prompt", budgets)
        .build()
}

fn limits() -> Json {
    let mut limits = Limits::default();
    let properties: Map<String, Json> = named(&mut limits)
        .into_iter()
        .map(|(name, default, most)| {
            let about = format!("Default {default}, at most {most}");
            let schema = json!({ "type": "integer", "minimum": 1, "maximum": most });
            (name.to_owned(), described(&about, schema))
        })
        .collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}
