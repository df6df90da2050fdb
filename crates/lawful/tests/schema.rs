//! The schemas of documents: whatever decodes validates, and a typo in a closed set does not.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "this is a test"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use lawful::book::MemorySource;
use lawful::schema;
use lawful::syntax::Severity;
use serde_json::{Value as Json, json};

/// A validator for every document.
fn validators() -> BTreeMap<&'static str, Validator> {
    let compile = |name| {
        let schema = schema::document(name).unwrap();
        (name, jsonschema::draft202012::new(&schema).unwrap())
    };
    schema::documents().map(compile).collect()
}

fn json(yaml: &str) -> Option<Json> {
    yaml.parse::<lawful::Value>().ok().map(Json::from)
}

/// The front matter of a page.
fn front(page: &str) -> Option<&str> {
    page.strip_prefix("---\n")?.split_once("\n---").map(|(front, _)| front)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(files(&path));
        } else {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// The document that a file of a lawbook is.
fn kind(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?;
    let data = matches!(extension, "yaml" | "yml" | "json");
    if path.ends_with("lawful.yaml") {
        return Some("manifest");
    }
    path.iter().find_map(|part| match part.to_str()? {
        "compositions" if data => Some("composition"),
        "conditions" if data => Some("conditions"),
        "rules" if data => Some("rules"),
        "guards" if data && path.parent()?.ends_with("guards") => Some("guards"),
        "scenarios" if data => Some("scenario"),
        "envelopes" | "reports" if data => Some("envelope"),
        "analysis" if data => Some("rulespec"),
        "entries" if extension == "md" => Some("entry"),
        "fragments" if extension == "md" => Some("fragment"),
        _ => None,
    })
}

fn errors(validator: &Validator, document: &Json) -> Vec<String> {
    let error =
        |error: jsonschema::ValidationError<'_>| format!("{}: {error}", error.instance_path());
    validator.iter_errors(document).map(error).collect()
}

#[test]
fn every_schema_is_one() {
    for name in schema::documents() {
        let schema = schema::document(name).unwrap();
        jsonschema::meta::validate(&schema).unwrap();
        assert_eq!(schema["$id"], format!("urn:lawful:schema:{name}"));
        assert!(schema["title"].is_string(), "{name}");
        described(&schema, name);
    }
    assert!(schema::document("compositions").is_none());
}

/// Every key says what it is for.
fn described(schema: &Json, place: &str) {
    let Json::Object(members) = schema else { return };
    let closed = members.get("additionalProperties") == Some(&json!(false));
    for (key, member) in members {
        let place = format!("{place}/{key}");
        match member {
            Json::Object(properties) if key == "properties" => {
                for (name, schema) in properties {
                    let said = schema["description"].is_string() || schema.get("const").is_some();
                    assert!(!closed || said, "{place}/{name} has no description");
                    described(schema, &format!("{place}/{name}"));
                }
            }
            Json::Object(inner) if key == "$defs" => {
                inner
                    .iter()
                    .for_each(|(name, schema)| described(schema, &format!("{place}/{name}")));
            }
            Json::Array(items) => items.iter().for_each(|item| described(item, &place)),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Object(_) => {
                described(member, &place)
            }
        }
    }
}

#[test]
fn every_document_of_the_examples_validates() {
    let validators = validators();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for path in files(&root) {
        let below = path.strip_prefix(&root).unwrap();
        let Some(kind) = kind(below) else { continue };
        let text = std::fs::read_to_string(&path).unwrap();
        let page = below.extension().is_some_and(|extension| extension == "md");
        let written = if page { front(&text).unwrap() } else { &text };
        let document = json(written).unwrap();
        let errors = errors(&validators[kind], &document);
        assert!(errors.is_empty(), "{}: {errors:?}", below.display());
        *seen.entry(kind).or_default() += 1;
    }
    // A line of a file of records is a document of its own. One of them is not JSON, on purpose.
    for path in files(&root).into_iter().filter(|path| path.ends_with("records.jsonl")) {
        for record in std::fs::read_to_string(&path).unwrap().lines().filter_map(json) {
            let errors = errors(&validators["record"], &record);
            assert!(errors.is_empty(), "{}: {record}: {errors:?}", path.display());
            *seen.entry("record").or_default() += 1;
        }
    }
    let kinds: Vec<&str> = schema::documents().collect();
    assert!(kinds.iter().all(|kind| seen.contains_key(kind)), "{seen:?}");
}

/// Diagnostics of one document that a schema sees as well.
const TYPOS: [&str; 8] = [
    "unknown-key",
    "unknown-operator",
    "unknown-type",
    "unknown-trigger",
    "unknown-action",
    "unknown-operation",
    "missing-key",
    "wrong-type",
];

/// A fence of the specification that is a whole document: what it is, and where a book has it.
fn fence(folder: &str, info: &str) -> Option<(&'static str, String)> {
    let mut words = info.split_whitespace();
    let kind = words.next()?;
    let name = words.next().unwrap_or_default();
    Some(match (folder, kind) {
        (_, "manifest") => ("manifest", "lawful.yaml".to_owned()),
        (_, "composition") => ("composition", "compositions/one.yaml".to_owned()),
        ("cond", "condition") => ("conditions", "conditions/one.json".to_owned()),
        (_, "conditions") => ("conditions", "conditions/one.yaml".to_owned()),
        ("react", "rules") => ("rules", "rules/one.yaml".to_owned()),
        ("react", "json-rules") => ("rules", "rules/one.json".to_owned()),
        ("react", "entry") => ("entry", format!("entries/{name}.md")),
        ("react", "fragment") | ("compose", "page") => ("fragment", format!("fragments/{name}.md")),
        ("scenario", "scenario") => ("scenario", "scenarios/one.yaml".to_owned()),
        ("verify", "rulespec") => ("rulespec", "analysis/rulespec.yaml".to_owned()),
        ("compose", "file") => (kind_of_file(name)?, name.to_owned()),
        _ => return None,
    })
}

fn kind_of_file(name: &str) -> Option<&'static str> {
    kind(Path::new(name)).filter(|kind| *kind != "envelope")
}

/// The codes of what is wrong with one document, alone in a lawbook.
fn problems(path: &str, text: &str) -> Vec<(&'static str, Severity)> {
    let source = MemorySource::new().with("lawful.yaml", "name: one").with(path, text);
    let book = lawful::Lawbook::load(&source).unwrap();
    let found = book.check();
    found.diagnostics.iter().map(|problem| (problem.code.name, problem.code.severity)).collect()
}

#[test]
fn every_document_of_the_specification_that_decodes_validates() {
    let validators = validators();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    let (mut sound, mut refused) = (0, 0);
    for path in files(&root) {
        let text = std::fs::read_to_string(&path).unwrap();
        let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(info) = line.strip_prefix("```") else { continue };
            let body: Vec<&str> =
                lines.by_ref().take_while(|line| line.trim_end() != "```").collect();
            let Some((kind, place)) = fence(folder, info) else { continue };
            let mut body = body.join("\n") + "\n";
            if info == "condition" {
                let Some(condition) = json(&body) else { continue };
                body = json!({ "one": condition }).to_string();
            }
            let written = if place.ends_with(".md") { front(&body) } else { Some(&*body) };
            let Some(document) = written.and_then(json) else { continue };
            let found = problems(&place, &body);
            let said = errors(&validators[kind], &document);
            let shown = format!("{} `{info}`:\n{body}{found:?}\n{said:?}", path.display());
            if found.iter().all(|(_, severity)| *severity == Severity::Warning) {
                assert!(said.is_empty(), "{shown}");
                sound += 1;
            } else if found.iter().any(|(code, _)| TYPOS.contains(code)) {
                assert!(!said.is_empty(), "{shown}");
                refused += 1;
            }
        }
    }
    assert!(sound > 400 && refused > 30, "{sound} and {refused}");
}

#[test]
fn an_envelope_has_facts_and_no_observation() {
    let validator = &validators()["envelope"];
    for (envelope, sound) in [
        (json!({"facts": {}}), true),
        (json!({"facts": {"observation": 1, "done": null}}), true),
        (json!({"facts": null}), false),
        (json!({"facts": []}), false),
        (json!({"facts": {"observed": {}}}), false),
        (json!({"fact": {}}), false),
        (json!({"facts": {}, "more": 1}), true),
        (json!({"facts": {}, "observed": {}}), false),
        (json!([]), false),
    ] {
        assert_eq!(validator.is_valid(&envelope), sound, "{envelope}");
    }
}

/// A document, what validates in it, and the same with a typo.
const CLOSED: [(&str, &str, &str); 56] = [
    ("manifest", "axes: {}", "axis: {}"),
    ("manifest", "variables: {a: {type: number}}", "variables: {a: {type: numbr}}"),
    ("manifest", "variables: {a: {type: number}}", "variables: {a: {type: string, min: 1}}"),
    ("manifest", "effects: {play-audio: once}", "effects: {play-audio: twice}"),
    ("manifest", "effects: {ai-request: again}", "effects: {ai-reply: again}"),
    ("manifest", "limits: {waves: 2}", "limits: {wave: 2}"),
    ("manifest", "limits: {waves: 256}", "limits: {waves: 257}"),
    ("manifest", "lint: {token-budgets: {core: 1}}", "lint: {token-budgets: {cor: 1}}"),
    ("manifest", "guards: {opaque: deny}", "guards: {opaque: block}"),
    ("manifest", "protect: {law: false, book: ask}", "protect: {book: allow}"),
    ("manifest", "protect: {paths: [ci]}", "protect: {path: [ci]}"),
    ("manifest", "hooks: {mode: shadow}", "hooks: {mode: silent}"),
    ("manifest", "hooks: {law: follow}", "hooks: {law: trusted}"),
    ("manifest", "log: {mask: [event.command]}", "log: {masks: [event.command]}"),
    ("manifest", "hooks: {stop: {undecided: allow}}", "hooks: {stop: {undecided: alow}}"),
    ("manifest", "hooks: {stop: {observe: {git: main}}}", "hooks: {stop: {observe: {gti: main}}}"),
    (
        "manifest",
        "conditioning: {core: a.md, personas: {}}",
        "conditioning: {core: a.txt, personas: {}}",
    ),
    ("composition", "layer: task", "layer: taks"),
    ("composition", "rules: [{forbid: [a]}]", "rules: [{forbids: [a]}]"),
    ("composition", "rules: [{add: [a], after: b}]", "rules: [{forbid: [a], after: b}]"),
    ("composition", "rules: [{add: [a]}]", "rules: [{add: [a], forbid: [b]}]"),
    (
        "composition",
        "rules: [{when: {path: a, op: gt, value: 1}, add: [a]}]",
        "rules: [{when: {path: a, op: gtt, value: 1}, add: [a]}]",
    ),
    (
        "composition",
        "rules: [{when: {path: a, op: gt, value: 1}, add: [a]}]",
        "rules: [{when: {path: a, op: gt, value: x}, add: [a]}]",
    ),
    (
        "composition",
        "rules: [{when: {not: {all: [{a: 1}]}}, add: [a]}]",
        "rules: [{when: {not: {all: [{a: 1}], b: 2}}, add: [a]}]",
    ),
    ("conditions", "c: {path: a, op: exists}", "c: {path: a, op: exist}"),
    ("conditions", "c: {path: a, op: exists}", "c: {path: a, opp: exists}"),
    ("conditions", "c: {type: any, rules: []}", "c: {type: some, rules: []}"),
    (
        "conditions",
        "c: {path: 'a[*]', op: exists, quantifier: any}",
        "c: {path: 'a[*]', op: exists, quantifier: some}",
    ),
    ("entry", "position: top", "position: topp"),
    ("entry", "enabled: true", "enable: true"),
    ("fragment", "teaches: [a]", "teach: [a]"),
    ("rules", "trigger: {type: every-turn}", "trigger: {type: every-trun}"),
    ("rules", "trigger: {type: turn-count, atTurn: 1}", "trigger: {type: turn-count}"),
    ("rules", "trigger: {type: action, actionId: a}", "trigger: {type: action, action: a}"),
    (
        "rules",
        "actions: [{type: trigger-rule, ruleId: a}]",
        "actions: [{type: triger-rule, ruleId: a}]",
    ),
    (
        "rules",
        "actions: [{type: modify-variable, variableId: a, operation: push, value: 1}]",
        "actions: [{type: modify-variable, variableId: a, operation: psh, value: 1}]",
    ),
    (
        "rules",
        "actions: [{type: inject-directive, directiveId: a, content: b, position: bottom}]",
        "actions: [{type: inject-directive, directiveId: a, content: b, position: botom}]",
    ),
    (
        "rules",
        "conditions: [{variableId: a, operator: lt, value: 2}]",
        "conditions: [{variableId: a, operator: less, value: 2}]",
    ),
    (
        "reaction",
        "then: [{type: set, path: '@prompt.entry.storm', value: true}]",
        "then: [{type: set, path: '@prompt.entri.storm', value: true}]",
    ),
    (
        "reaction",
        "then: [{type: emit, event: {type: a}}]",
        "then: [{type: emits, event: {type: a}}]",
    ),
    (
        "reaction",
        "when: {eventType: a, match: {b: {op: gt, value: 1}}}",
        "when: {eventType: a, match: {b: {op: gtt, value: 1}}}",
    ),
    ("rulespec", "predicates: [{claim: a, rule: exists}]", "predicates: [{claim: a, rule: exist}]"),
    ("scenario", "given: {state: {hp: 1}}", "given: {stat: {hp: 1}}"),
    ("scenario", "steps: [{turn: null}]", "steps: [{trun: null}]"),
    ("scenario", "steps: [{turn: {user: a}}]", "steps: [{turn: {usr: a}}]"),
    ("scenario", "steps: [{turn: {}}]", "steps: [{turn: {}, prompt: a}]"),
    (
        "scenario",
        "steps: [{tool: {action: shell, command: a}}]",
        "steps: [{tool: {action: shel, command: a}}]",
    ),
    ("scenario", "steps: [{tool: {harness: a, event: {}}}]", "steps: [{tool: {harness: a}}]"),
    ("scenario", "steps: [{rewind: {version: 1}}]", "steps: [{rewind: {versoin: 1}}]"),
    ("scenario", "steps: [{compose: {role: a}}]", "steps: [{compose: {roll: a}}]"),
    (
        "scenario",
        "steps: [{stop: null, expect: {decision: deny}}]",
        "steps: [{stop: null, expect: {decision: block}}]",
    ),
    (
        "scenario",
        "steps: [{turn: null, expect: {fired: {exactly: []}}}]",
        "steps: [{turn: null, expect: {fired: []}}]",
    ),
    (
        "scenario",
        "steps: [{turn: null, expect: {prompt: {lacks: a, role: b}}}]",
        "steps: [{turn: null, expect: {prompt: {lack: a, role: b}}}]",
    ),
    (
        "rulespec",
        "predicates: [{claim: a, rule: exists, severity: warning}]",
        "predicates: [{claim: a, rule: exists, severity: warn}]",
    ),
    (
        "rulespec",
        "predicates: [{relation: a, rule: exists}]",
        "predicates: [{relation: a, rule: equals, value: 1}]",
    ),
    (
        "rulespec",
        "predicates: [{claim: a, rule: exists, when: {claim: b, rule: exists}}]",
        "predicates: [{claim: a, rule: exists, when: {claim: b, rule: exsts}}]",
    ),
];

#[test]
fn a_typo_in_a_closed_set_does_not_validate() {
    let validators = validators();
    for (kind, right, wrong) in CLOSED {
        let (kind, base) = match kind {
            "manifest" => (kind, json!({"name": "a"})),
            "composition" => (kind, json!({"name": "a", "base": []})),
            "entry" | "fragment" => (kind, json!({"id": "a"})),
            "scenario" => (kind, json!({"steps": [{"prompt": "a"}]})),
            "rules" => (kind, json!({"id": "a", "trigger": {"type": "manual"}, "actions": []})),
            "reaction" => ("rules", json!({"id": "a", "when": {"eventType": "a"}, "then": []})),
            _ => (kind, json!({})),
        };
        for (written, sound) in [(right, true), (wrong, false)] {
            let mut document = base.clone();
            let more = json(written).unwrap();
            document.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let errors = errors(&validators[kind], &document);
            assert_eq!(errors.is_empty(), sound, "{kind}: {written}: {errors:?}");
        }
    }
}
