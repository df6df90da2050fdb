//! A second, naive implementation of section 5, without an index, an automaton or a compiled form.
//! It matches every rule against every event, directly from the documents, and copies the state
//! wherever it is frozen.

mod access;
mod modify;

use std::collections::BTreeMap;

use crate::insertion::{Position, Role};
use crate::react::session::{ContextMessage, Directive, Session};
use crate::react::trace::Change;
use crate::testing::value;
use crate::value::{Number, Value};
use access::{as_map, count, list, number, object, text};
use modify::{is_noted, modify};

pub(super) struct Outcome {
    pub session: Session,
    /// The ids of the rules that fired, in order.
    pub fired: Vec<String>,
    /// The requests to the host, in order: the id, the type and the fields.
    pub effects: Vec<(String, String, Value)>,
    /// What each firing changed, in order.
    pub changes: Vec<Vec<Changed>>,
}

/// A change, as in a trace.
#[derive(Debug, PartialEq)]
pub(super) struct Changed {
    /// The index of the action in its rule.
    pub action: usize,
    pub path: String,
    pub before: Value,
    pub after: Value,
    /// Whether the declaration of the variable changed the value.
    pub noted: bool,
}

impl Changed {
    pub(super) fn of(change: &Change) -> Self {
        let Change { action, path, before, after, note } = change.clone();
        Self { action, path, before, after, noted: note.is_some() }
    }
}

type Raised = (Value, Option<String>);

/// `x` is declared as a number from 0 to 5 that starts at 1, and `p` as a protected string that
/// starts as `none`.
pub(super) fn step(rules: &[Value], before: &Session, input: &Value) -> Outcome {
    let mut session = before.clone();
    session.step += 1;
    let found = session.variables.clone();
    let vars = as_map(&mut session.variables);
    match vars.get("x") {
        Some(Value::Number(number)) => {
            let number = (*number).clamp(0.into(), 5.into());
            vars.insert("x", Value::Number(number));
        }
        _ => vars.insert("x", 1.into()),
    }
    if vars.get("p").and_then(Value::as_text).is_none() {
        vars.insert("p", "none".into());
    }
    for id in ["x", "p"] {
        if found.get(id) != session.variables.get(id) {
            session.untrusted.remove(id);
        }
    }
    let mut events = events_of(&mut session, input);
    let (mut fired, mut effects, mut all_changes) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..16 {
        if events.is_empty() {
            break;
        }
        let frozen = session.clone();
        let mut acting: Vec<(&Value, usize, usize)> = Vec::new();
        for (number, rule) in rules.iter().enumerate() {
            let event = events.iter().position(|event| {
                triggers(rule, event) && conditions(rule, &frozen.variables, &event.0)
            });
            if let Some(event) = event
                && may_fire(rule, &frozen, &fired)
            {
                acting.push((rule, event, number));
            }
        }
        let priority = |rule: &Value| rule.get("priority").map_or(Number::from(0), number);
        acting.sort_by(|a, b| {
            priority(b.0).cmp(&priority(a.0)).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2))
        });
        let seen = std::mem::take(&mut events);
        let mut order = Vec::new();
        for (rule, event, _) in acting {
            let id = text(rule, "id").to_owned();
            let known = session.fired.entry(id.clone().into()).or_default();
            known.count += 1;
            known.last_turn = session.turn;
            fired.push(id);
            let mut changed = Vec::new();
            let actions = list(rule, "actions").iter().chain(list(rule, "then"));
            for (index, action) in actions.enumerate() {
                let before = session.clone();
                let trusted = is_trusted(action, rules, &seen[event].0, &session);
                let action = &with_value(action, &seen[event].0, &session);
                let noted = act(action, rules, &mut session, &mut events, &mut effects, &mut order);
                if let Some((id, operation)) = written(action)
                    && noted.is_some()
                {
                    record_origin(&mut session, id, operation, action.get("value"), trusted);
                }
                let noted = noted.unwrap_or(false);
                changed.extend(change(action, rules, &before, &session, index, noted));
            }
            all_changes.push(changed);
        }
        events.extend(changes(&frozen.variables, &session.variables, &order));
    }
    let turn = session.turn;
    session.directives.retain(|directive| directive.until.is_none_or(|until| until > turn));
    Outcome { session, fired, effects, changes: all_changes }
}

/// Applies the writes of an input, and returns the events that it raises.
fn events_of(session: &mut Session, input: &Value) -> Vec<Raised> {
    let mut events: Vec<Raised> = Vec::new();
    if let Some(id) = input.get("action") {
        let mut fields = vec![("type", "action:executed".into()), ("actionId", id.clone())];
        let Value::Map(all) = input else { panic!("an input is a mapping") };
        fields.extend(all.iter().filter(|(key, _)| *key != "action").map(|(k, v)| (k, v.clone())));
        events.push((object(&fields), None));
    } else if input.get("set").is_some() {
        let frozen = session.variables.clone();
        let mut order = Vec::new();
        for write in list(input, "set") {
            let id = write.get("path").or(write.get("variableId")).unwrap().as_text().unwrap();
            let operation = write.get("operation").and_then(Value::as_text).unwrap_or("set");
            if modify(&mut session.variables, id, operation, write.get("value")) {
                order.push(id.to_owned());
                record_origin(session, id, operation, write.get("value"), true);
            }
        }
        events.extend(changes(&frozen, &session.variables, &order));
    } else if let Some(event) = input.get("event") {
        events.push((event.clone(), None));
    } else {
        let frozen = session.variables.clone();
        session.context.clear();
        let mut order = Vec::new();
        for write in list(input, "writes") {
            let id = text(write, "variableId").to_owned();
            let operation = text(write, "operation");
            if id != "p" && modify(&mut session.variables, &id, operation, write.get("value")) {
                record_origin(session, &id, operation, write.get("value"), false);
                order.push(id);
            }
        }
        session.turn += 1;
        if session.turn == 1 {
            events.push((object(&[("type", "session:start".into())]), None));
        }
        for (kind, key) in [("message:user", "user"), ("message:ai", "ai")] {
            if let Some(said) = input.get(key) {
                events.push((object(&[("type", kind.into()), ("content", said.clone())]), None));
            }
        }
        let turn = Value::from(i64::try_from(session.turn).unwrap());
        events.push((object(&[("type", "turn:complete".into()), ("turn", turn)]), None));
        events.extend(changes(&frozen, &session.variables, &order));
    }
    events
}

/// The change of an action: its path, and the value before and after.
fn change(
    action: &Value,
    rules: &[Value],
    before: &Session,
    after: &Session,
    index: usize,
    noted: bool,
) -> Option<Changed> {
    let switched = |session: &Session, id: &str| -> Value {
        let rule = rules.iter().find(|rule| text(rule, "id") == id);
        let written = rule.map(|rule| rule.get("enabled") != Some(&false.into()));
        let on = session.rules.get(id).copied().or(written);
        on.map_or(Value::Null, |on| Value::Bool(!on))
    };
    let directive = |session: &Session, id: &str| -> Value {
        let found = session.directives.iter().find(|directive| *directive.id == *id);
        found.map_or(Value::Null, |directive| {
            let turn = |turn: u64| Value::from(i64::try_from(turn).unwrap());
            let mut fields = vec![
                ("content", Value::Text(directive.content.clone())),
                ("position", "after_char".into()),
                ("from", turn(directive.from)),
            ];
            fields.extend(directive.until.map(|until| ("until", turn(until))));
            object(&fields)
        })
    };
    let variable = |session: &Session, id: &str| -> Value {
        session.variables.get(id).cloned().unwrap_or_default()
    };
    let both = |path: String, read: &dyn Fn(&Session) -> Value| {
        let (before, after) = (read(before), read(after));
        let changed = before != after || noted;
        changed.then_some(Changed { action: index, path, before, after, noted })
    };
    match text(action, "type") {
        "modify-variable" => {
            let id = text(action, "variableId");
            both(id.to_owned(), &|session| variable(session, id))
        }
        "set" => {
            let path = text(action, "path");
            match path.strip_prefix("@rules.disabled.") {
                Some(id) => both(path.to_owned(), &|session| switched(session, id)),
                None if path.starts_with('@') => None,
                None => both(path.to_owned(), &|session| variable(session, path)),
            }
        }
        "toggle-rule" => {
            let id = text(action, "ruleId");
            both(format!("@rules.disabled.{id}"), &|session| switched(session, id))
        }
        "toggle-entry" => {
            let id = text(action, "entryId");
            let state = |session: &Session| {
                session.entries.get(id).map_or(Value::Null, |on| Value::Bool(*on))
            };
            both(format!("@prompt.entry.{id}"), &state)
        }
        "inject-directive" | "remove-directive" => {
            let id = text(action, "directiveId");
            both(format!("@prompt.directive.{id}"), &|session| directive(session, id))
        }
        "send-context" => Some(Changed {
            action: index,
            path: "@prompt.context".to_owned(),
            before: Value::Null,
            after: object(&[
                ("message", text(action, "message").into()),
                ("role", "system".into()),
            ]),
            noted: false,
        }),
        "emit" | "trigger-rule" | "notify-player" | "play-audio" | "nothing" => None,
        other => panic!("{other}"),
    }
}

fn may_fire(rule: &Value, session: &Session, fired: &[String]) -> bool {
    let id = text(rule, "id");
    let written = rule.get("enabled") != Some(&false.into());
    let known = session.fired.get(id).copied().unwrap_or_default();
    let cooldown = rule.get("cooldownTurns").map_or(0, count);
    let spent = rule.get("maxFireCount").is_some_and(|most| known.count >= count(most));
    session.rules.get(id).copied().unwrap_or(written)
        && !fired.iter().any(|known| known == id)
        && (known.count == 0 || session.turn >= known.last_turn + cooldown)
        && !spent
}

/// The variable that an action writes, and how.
fn written(action: &Value) -> Option<(&str, &str)> {
    match text(action, "type") {
        "modify-variable" => Some((text(action, "variableId"), text(action, "operation"))),
        "set" => Some((text(action, "path"), "set")).filter(|(path, _)| !path.starts_with('@')),
        _ => None,
    }
}

/// Remembers whether a variable holds text that neither the author nor the host wrote.
fn record_origin(
    session: &mut Session,
    id: &str,
    operation: &str,
    with: Option<&Value>,
    trusted: bool,
) {
    let with = with.cloned().unwrap_or_default();
    let adds = matches!(operation, "set" | "append" | "push" | "merge");
    let replaces = operation == "set" || (operation == "delete" && with == Value::Null);
    if !session.variables.get(id).is_some_and(has_words) {
        session.untrusted.remove(id);
    } else if adds && !trusted && has_words(&with) {
        session.untrusted.insert(id.into());
    } else if replaces {
        session.untrusted.remove(id);
    }
}

fn has_words(value: &Value) -> bool {
    match value {
        Value::Text(text) => !text.is_empty(),
        Value::List(items) => items.iter().any(has_words),
        Value::Map(map) => map.iter().next().is_some(),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether what an action writes is text of the author or of the host. Events of the tests are of
/// hosts and users; of their fields only the name of a known variable is trusted.
fn is_trusted(action: &Value, rules: &[Value], event: &Value, session: &Session) -> bool {
    let Some(from) = action.get("valueFrom").and_then(Value::as_text) else { return true };
    let Some(value) = read(from, event, session) else { return true };
    if !has_words(&value) {
        return true;
    }
    match from.split_once('.') {
        Some(("event", "variableId")) => {
            names(rules).iter().any(|name| value.as_text() == Some(name))
        }
        Some(("event", _)) => false,
        Some((_, "p")) => !session.untrusted.contains("p") && !is_spoiled(rules),
        None if from == "p" => !session.untrusted.contains("p") && !is_spoiled(rules),
        _ => false,
    }
}

/// The variables that are declared, written by rules, or named by triggers.
fn names(rules: &[Value]) -> Vec<String> {
    let mut names = vec!["x".to_owned(), "p".to_owned()];
    for rule in rules {
        let triggers = [rule.get("trigger"), rule.get("when")].into_iter().flatten();
        names.extend(triggers.map(|trigger| text(trigger, "variableId").to_owned()));
        let actions = list(rule, "actions").iter().chain(list(rule, "then"));
        names.extend(actions.filter_map(written).map(|(id, _)| id.to_owned()));
    }
    names
}

/// Whether some rule could write text of others to `p`.
fn is_spoiled(rules: &[Value]) -> bool {
    rules.iter().any(|rule| {
        let trigger = rule.get("trigger").or(rule.get("when")).unwrap();
        let of_variable = matches!(text(trigger, "type"), "state-change" | "variable-crossed")
            || trigger.get("variableId").is_some();
        let mut actions = list(rule, "actions").iter().chain(list(rule, "then"));
        actions.any(|action| {
            let from = action.get("valueFrom").and_then(Value::as_text);
            let fine = match from {
                None | Some("session.turn" | "state.x" | "x" | "state.p" | "p") => true,
                Some("event.variableId") => of_variable,
                Some(_) => false,
            };
            written(action).is_some_and(|(id, _)| id == "p") && !fine
        })
    })
}

/// An action with the value that its `valueFrom` has now, and its message filled. Without a value
/// the action does nothing.
fn with_value(action: &Value, event: &Value, session: &Session) -> Value {
    let mut action = action.clone();
    let map = as_map(&mut action);
    if let Some(from) = map.remove("valueFrom") {
        match read(from.as_text().unwrap(), event, session) {
            Some(value) => map.insert("value", value),
            None => map.insert("type", "nothing".into()),
        }
    }
    if let Some(message) = map.get("message").and_then(Value::as_text) {
        let x = session.variables.get("x").unwrap().to_string();
        let filled = message.replace("${state.x}", &x);
        map.insert("message", filled.as_str().into());
    }
    action
}

fn read(path: &str, event: &Value, session: &Session) -> Option<Value> {
    if path == "session.turn" {
        return Some(Value::from(i64::try_from(session.turn).unwrap()));
    }
    let (from, name) = match path.split_once('.') {
        Some(("event", name)) => (event, name),
        Some(("state", name)) => (&session.variables, name),
        _ => (&session.variables, path),
    };
    from.get(name).and_then(Value::present).cloned()
}

fn conditions(rule: &Value, variables: &Value, event: &Value) -> bool {
    let mut all = list(rule, "conditions").iter().map(|test| {
        let path = text(test, "variableId");
        let value = match path.split_once('.') {
            Some(("event", name)) => event.get(name),
            Some(("state", name)) => variables.get(name),
            _ => variables.get(path),
        };
        let value = value.and_then(Value::present);
        let wanted = test.get("value");
        match text(test, "operator") {
            "eq" => value.is_some() && value == wanted,
            "neq" => value.is_none() || value != wanted,
            "gt" => {
                matches!((value, wanted), (Some(Value::Number(a)), Some(Value::Number(b))) if a > b)
            }
            other => panic!("{other}"),
        }
    });
    if list(rule, "conditions").is_empty() {
        return true;
    }
    match rule.get("conditionLogic").and_then(Value::as_text) {
        Some("any") => all.any(|holds| holds),
        _ => all.all(|holds| holds),
    }
}

fn triggers(rule: &Value, (event, target): &Raised) -> bool {
    let kind = text(event, "type");
    let of_event = rule.get("trigger").filter(|trigger| text(trigger, "type") == "event");
    if let Some(when) = rule.get("when").or(of_event) {
        let Value::Map(fields) = when else { panic!("a when is a mapping") };
        let wanted = text(when, "eventType");
        let fits = match wanted.strip_suffix('*') {
            Some(namespace) => kind.starts_with(namespace),
            None => kind == wanted,
        };
        return fits
            && fields
                .iter()
                .filter(|(key, _)| *key != "eventType" && (of_event.is_none() || *key != "type"))
                .all(|(key, value)| event.get(key) == Some(value));
    }
    let trigger = rule.get("trigger").unwrap();
    let variable = trigger.get("variableId");
    let changed =
        kind == "state:changed" && (variable.is_none() || event.get("variableId") == variable);
    let turn = event.get("turn").map_or(0, count);
    match text(trigger, "type") {
        "every-turn" => kind == "turn:complete",
        "session-start" => kind == "session:start",
        "state-change" => changed,
        "turn-count" => {
            let at = trigger.get("atTurn").is_some_and(|at| count(at) == turn);
            let every = trigger.get("everyNTurns").is_some_and(|n| turn % count(n) == 0);
            kind == "turn:complete" && (at || every)
        }
        "action" => kind == "action:executed" && event.get("actionId") == trigger.get("actionId"),
        "manual" => target.as_deref() == Some(text(rule, "id")),
        "keyword" | "ai-keyword" => {
            let side =
                if text(trigger, "type") == "keyword" { "message:user" } else { "message:ai" };
            let content = || text(event, "content").to_lowercase();
            let mut keywords = list(trigger, "keywords").iter();
            kind == side
                && keywords.any(|word| content().contains(&word.as_text().unwrap().to_lowercase()))
        }
        "variable-crossed" => {
            let (old, new) = (event.get("oldValue"), event.get("newValue"));
            let limit = trigger.get("threshold").map(number).unwrap();
            let (Some(Value::Number(old)), Some(Value::Number(new))) = (old, new) else {
                return false;
            };
            changed
                && match text(trigger, "direction") {
                    "rises-above" => *old <= limit && limit < *new,
                    _ => *old >= limit && limit > *new,
                }
        }
        other => panic!("{other}"),
    }
}

fn changes(before: &Value, after: &Value, order: &[String]) -> Vec<Raised> {
    let mut out: Vec<Raised> = Vec::new();
    let mut told: Vec<&String> = Vec::new();
    for id in order {
        if before.get(id) != after.get(id) && !told.contains(&id) {
            told.push(id);
            let value = |from: &Value| from.get(id).cloned().unwrap_or_default();
            let event = object(&[
                ("type", "state:changed".into()),
                ("variableId", id.as_str().into()),
                ("oldValue", value(before)),
                ("newValue", value(after)),
            ]);
            out.push((event, None));
        }
    }
    out
}

fn act(
    action: &Value,
    rules: &[Value],
    session: &mut Session,
    events: &mut Vec<Raised>,
    effects: &mut Vec<(String, String, Value)>,
    order: &mut Vec<String>,
) -> Option<bool> {
    let enabled = action.get("enabled") == Some(&true.into());
    let effect_id = format!("{}.{}.{}", session.turn, session.step, effects.len() + 1);
    let mut noted = None;
    match text(action, "type") {
        "modify-variable" => {
            let (id, operation) = (text(action, "variableId"), text(action, "operation"));
            let before = session.variables.clone();
            if modify(&mut session.variables, id, operation, action.get("value")) {
                order.push(id.to_owned());
                noted = Some(is_noted(id, operation, action.get("value"), &before));
            }
        }
        "set" => {
            let path = text(action, "path");
            if let Some(id) = path.strip_prefix("@rules.disabled.") {
                session.rules.insert(id.into(), action.get("value") == Some(&false.into()));
            } else if path == "@ui.notification" {
                let fields =
                    object(&[("style", "info".into()), ("message", text(action, "value").into())]);
                effects.push((effect_id, "notify-player".to_owned(), fields));
            } else if modify(&mut session.variables, path, "set", action.get("value")) {
                order.push(path.to_owned());
                noted = Some(false);
            }
        }
        "nothing" => {}
        "emit" => events.push((action.get("event").unwrap().clone(), None)),
        "toggle-rule" => drop(session.rules.insert(text(action, "ruleId").into(), enabled)),
        "toggle-entry" => drop(session.entries.insert(text(action, "entryId").into(), enabled)),
        "notify-player" => {
            let fields =
                object(&[("style", "info".into()), ("message", text(action, "message").into())]);
            effects.push((effect_id, "notify-player".to_owned(), fields));
        }
        "play-audio" => {
            let fields =
                object(&[("trackId", text(action, "trackId").into()), ("action", "play".into())]);
            effects.push((effect_id, "play-audio".to_owned(), fields));
        }
        "send-context" => session.context.push(ContextMessage {
            message: text(action, "message").into(),
            values: BTreeMap::new(),
            role: Role::System,
        }),
        "remove-directive" => {
            session.directives.retain(|known| *known.id != *text(action, "directiveId"));
        }
        "inject-directive" => {
            let id = text(action, "directiveId");
            session.directives.retain(|known| *known.id != *id);
            let persistent = action.get("persistent") == Some(&true.into());
            let turns = action.get("duration").map(count).or((!persistent).then_some(1));
            session.directives.push(Directive {
                id: id.into(),
                content: text(action, "content").into(),
                values: BTreeMap::new(),
                position: Position::AfterChar,
                from: session.turn + 1,
                until: turns.map(|turns| session.turn + turns),
            });
        }
        "trigger-rule" => {
            let id = text(action, "ruleId");
            let manual = |rule: &Value| {
                text(rule, "id") == id
                    && rule.get("trigger").is_some_and(|trigger| text(trigger, "type") == "manual")
            };
            if rules.iter().any(manual) {
                let event = object(&[("type", "rule:triggered".into()), ("ruleId", id.into())]);
                events.push((event, Some(id.to_owned())));
            }
        }
        other => panic!("{other}"),
    }
    noted
}

/// Every rule of a document, rules before reactions.
pub(super) fn rules(yaml: &str) -> Vec<Value> {
    let document = value(yaml);
    list(&document, "rules").iter().chain(list(&document, "reactions")).cloned().collect()
}
