//! The actions of a rule.

use lawful_syntax::{Diagnostic, Node, did_you_mean, escape};

use super::position::position;
use crate::code;
use crate::decode::{Fields, boolean, choice, id, number, path, text, whole};
use crate::insertion::Role;
use crate::path::Path;
use crate::react::action::{Action, ActionKind, EffectKind, Injection};
use crate::react::codes::{NEEDLESS_KEY, OPERAND_NEVER_FITS, UNKNOWN_ACTION, UNKNOWN_OPERATION};
use crate::react::operation::{Operation, OperationKind};
use crate::react::source::{RESERVED, Source, without_state};
use crate::value::{Map, Number, Value};

/// The target of a change.
pub(crate) enum Target {
    /// A variable, or a value inside one.
    Variable(Path),
    /// The target of an `@` path.
    Effect,
}

/// The actions, and the keys that each accepts besides `type`.
pub(crate) const ACTIONS: [(&str, &[&str]); 9] = [
    ("modify-variable", &["variableId", "operation", "value", "valueFrom"]),
    (
        "inject-directive",
        &["directiveId", "content", "position", "depth", "persistent", "duration"],
    ),
    ("remove-directive", &["directiveId"]),
    ("notify-player", &["style", "message"]),
    ("play-audio", &["trackId", "action", "channel", "volume", "fade", "fadeDuration", "loop"]),
    ("toggle-entry", &["entryId", "enabled"]),
    ("toggle-rule", &["ruleId", "enabled"]),
    ("send-context", &["message", "role"]),
    ("trigger-rule", &["ruleId"]),
];

/// The styles of a notification.
pub(crate) const STYLES: [&str; 4] = ["info", "achievement", "warning", "danger"];

/// What a track can be told to do.
pub(crate) const TRACK_ACTIONS: [&str; 6] =
    ["play", "stop", "pause", "resume", "crossfade", "volume"];
/// Where a track plays.
pub(crate) const CHANNELS: [&str; 3] = ["bgm", "sfx", "ambient"];
/// What else a track can be given.
pub(crate) const TRACK_KEYS: [&str; 4] = ["volume", "fade", "fadeDuration", "loop"];

/// Decodes one action of a rule.
pub(super) fn action(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Action> {
    let (name, keys) = kind(node, "an action", &ACTIONS, problems)?;
    let what = format!("`{name}`");
    let known: Vec<&str> = ["type"].iter().chain(keys).copied().collect();
    let fields = Fields::of(node, &what, &known, problems)?;
    let kind = match name {
        "modify-variable" => modify(&fields, &what, problems),
        "inject-directive" => {
            let name = required_id(&fields, "directiveId", &what, problems);
            injection(&fields, name, &what, problems).map(ActionKind::Inject)
        }
        "remove-directive" => {
            required_id(&fields, "directiveId", &what, problems).map(ActionKind::Remove)
        }
        "notify-player" => notification(&fields, &what, problems),
        "play-audio" => audio(&fields, &what, problems),
        "toggle-entry" => switch(&fields, "entryId", &what, problems)
            .map(|(entry, on)| ActionKind::Entry(entry, on)),
        "toggle-rule" => {
            switch(&fields, "ruleId", &what, problems).map(|(rule, on)| ActionKind::Rule(rule, on))
        }
        "send-context" => context(&fields, &what, problems),
        _ => required_id(&fields, "ruleId", &what, problems).map(ActionKind::Trigger),
    };
    Some(Action { kind: kind?, span: node.span })
}

/// The `type` of an action, checked against the known ones.
pub(super) fn kind<T: Copy>(
    node: &Node,
    what: &str,
    all: &[(&'static str, T)],
    problems: &mut Vec<Diagnostic>,
) -> Option<(&'static str, T)> {
    // The other keys are checked later, once the type is known.
    let keys: Vec<&str> =
        node.as_map().unwrap_or_default().iter().map(|entry| &*entry.key).collect();
    let fields = Fields::of(node, what, &keys, problems)?;
    let written = fields.require("type", what, problems)?;
    let name = text(written, "`type`", problems)?;
    let found = all.iter().find(|(known, _)| *known == name);
    if found.is_none() {
        let message = format!("unknown action `{}`", escape::name(name));
        let help = did_you_mean("action", name, all.iter().map(|(name, _)| *name));
        problems.push(Diagnostic::new(&UNKNOWN_ACTION, written.span, message).help(help));
    }
    found.copied()
}

fn required_id(
    fields: &Fields<'_>,
    key: &str,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<Box<str>> {
    let node = fields.require(key, what, problems)?;
    id(node, &format!("`{key}`"), problems).map(Into::into)
}

/// The target that a path names.
pub(crate) fn target(node: &Node, what: &str, problems: &mut Vec<Diagnostic>) -> Option<Target> {
    if node.as_text().is_some_and(|written| written.starts_with('@')) {
        return Some(Target::Effect);
    }
    let found = path(node, what, problems)?;
    let root = crate::react::variables::root(&found);
    if let Some(root) = root.filter(|root| RESERVED.contains(root)) {
        let message = format!("`{root}` is not a variable");
        let help = match without_state(&found) {
            Some(variable) => format!("write `{variable}`"),
            None => "write the name of a variable".to_owned(),
        };
        problems.push(Diagnostic::new(&code::BAD_PATH, node.span, message).help(help));
        return None;
    }
    if root.is_none() {
        let message = format!("`{found}` does not start with the id of a variable");
        problems.push(Diagnostic::new(&code::BAD_PATH, node.span, message).help("write a name"));
        return None;
    }
    Some(Target::Variable(found))
}

/// `operation` and `value`.
pub(crate) fn operation(
    fields: &Fields<'_>,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<Operation> {
    let node = fields.require("operation", what, problems)?;
    let kind = operation_kind(node, problems)?;
    with_value(kind, fields, what, problems)
}

pub(crate) fn operation_kind(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<OperationKind> {
    let name = text(node, "`operation`", problems)?;
    let found = OperationKind::NAMES.iter().find(|(known, _)| *known == name);
    if found.is_none() {
        let message = format!("unknown operation `{}`", escape::name(name));
        let names = OperationKind::NAMES.iter().map(|(name, _)| *name);
        problems.push(Diagnostic::new(&UNKNOWN_OPERATION, node.span, message).help(did_you_mean(
            "operation",
            name,
            names,
        )));
    }
    found.map(|(_, kind)| *kind)
}

/// An operation with the `value` beside it.
pub(crate) fn with_value(
    kind: OperationKind,
    fields: &Fields<'_>,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<Operation> {
    let written = fields.written("value");
    if let Some(node) = fields.get("valueFrom") {
        if kind == OperationKind::Toggle {
            let message = "`toggle` inverts a boolean and takes no `valueFrom`";
            problems.push(Diagnostic::new(&NEEDLESS_KEY, node.span, message).help("remove it"));
            return Some(Operation { kind, value: Value::Null, from: None });
        }
        let from = Some(source(node, written, problems)?);
        return Some(Operation { kind, value: Value::Null, from });
    }
    if kind == OperationKind::Toggle {
        if let Some(node) = written.filter(|node| !node.is_null()) {
            let message = "`toggle` inverts a boolean and takes no `value`";
            problems.push(Diagnostic::new(&NEEDLESS_KEY, node.span, message).help("remove it"));
        }
        return Some(Operation { kind, value: Value::Null, from: None });
    }
    // `set` may set null. The other operations need a value.
    let node = match kind {
        OperationKind::Delete => written,
        OperationKind::Set if written.is_some() => written,
        OperationKind::Set
        | OperationKind::Add
        | OperationKind::Subtract
        | OperationKind::Multiply
        | OperationKind::Toggle
        | OperationKind::Append
        | OperationKind::Push
        | OperationKind::Merge => match written.filter(|node| node.is_null()) {
            None => Some(fields.require("value", what, problems)?),
            Some(null) => {
                let message = format!("`{}` needs a `value` other than null", kind.name());
                problems.push(
                    Diagnostic::new(&code::MISSING_KEY, null.span, message).help("write a value"),
                );
                return None;
            }
        },
    };
    let value = node.map(Value::from_node).unwrap_or_default();
    if let (Some(node), Some(misfit)) = (node, kind.misfit(&value)) {
        problems.push(
            Diagnostic::new(&OPERAND_NEVER_FITS, node.span, misfit)
                .help("values are never converted, so the operation never has an effect"),
        );
    }
    Some(Operation { kind, value, from: None })
}

/// `valueFrom`: where a value comes from when the action runs. `value` is the key beside it, if it
/// is written.
pub(super) fn source(
    node: &Node,
    value: Option<&Node>,
    problems: &mut Vec<Diagnostic>,
) -> Option<Source> {
    if let Some(value) = value {
        let message = "`value` and `valueFrom` cannot be combined";
        problems.push(
            Diagnostic::new(&code::BAD_VALUE, value.span, message)
                .label(node.span, "this is the other one")
                .help("remove one of them"),
        );
        return None;
    }
    let path = path(node, "`valueFrom`", problems)?;
    let source = Source::of(&path).filter(|_| !path.is_wild());
    if source.is_none() {
        let message = format!("`{path}` is not a field of the event and not a variable");
        problems.push(
            Diagnostic::new(&code::BAD_PATH, node.span, message)
                .help("write `event.FIELD`, `state.VARIABLE` or `session.turn`"),
        );
    }
    source
}

fn modify(fields: &Fields<'_>, what: &str, problems: &mut Vec<Diagnostic>) -> Option<ActionKind> {
    let node = fields.require("variableId", what, problems);
    let target = node.and_then(|node| Some((target(node, "`variableId`", problems)?, node.span)));
    let operation = operation(fields, what, problems);
    match target? {
        (Target::Variable(path), _) => Some(ActionKind::Write(path, operation?)),
        (Target::Effect, span) => {
            let message = "an `@` path is not a variable";
            problems.push(
                Diagnostic::new(&code::BAD_PATH, span, message)
                    .help("use the action for it, or the `set` of a reaction"),
            );
            None
        }
    }
}

/// The directive of these fields. `duration` takes precedence over `persistent`.
pub(super) fn injection(
    fields: &Fields<'_>,
    id: Option<Box<str>>,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<Injection> {
    let content = fields.require("content", what, problems);
    let content = content.and_then(|node| text(node, "`content`", problems));
    let position = position(fields, problems);
    let persistent = fields.get("persistent");
    let persistent = persistent.map_or(Some(false), |node| boolean(node, "`persistent`", problems));
    let duration = match fields.get("duration") {
        None => Some(None),
        Some(node) => whole(node, "`duration`", 1, problems).map(Some),
    };
    let turns = match (duration?, persistent?) {
        (Some(turns), _) => Some(turns),
        (None, true) => None,
        (None, false) => Some(1),
    };
    let is_timed = ["persistent", "duration"].iter().any(|key| fields.get(key).is_some());
    Some(Injection { id: id?, content: content?.into(), position: position?, turns, is_timed })
}

/// `style` and `message`.
pub(super) fn notification(
    fields: &Fields<'_>,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<ActionKind> {
    let styles = STYLES.map(|style| (style, style));
    let style = fields.get("style");
    let style = style.map_or(Some("info"), |node| choice(node, "style", &styles, problems));
    let message = fields.require("message", what, problems);
    let message = message.and_then(|node| text(node, "`message`", problems));
    let mut out = Map::new();
    out.insert("style", style?.into());
    out.insert("message", message?.into());
    Some(ActionKind::Effect(EffectKind::NotifyPlayer, out))
}

/// A track: its id, what it does, where it plays and how.
fn audio(fields: &Fields<'_>, what: &str, problems: &mut Vec<Diagnostic>) -> Option<ActionKind> {
    let track = required_id(fields, "trackId", what, problems);
    let actions = TRACK_ACTIONS.map(|action| (action, action));
    let action = fields.get("action");
    let action = action.map_or(Some("play"), |node| choice(node, "action", &actions, problems));
    let channels = CHANNELS.map(|channel| (channel, channel));
    let channel = match fields.get("channel") {
        None => Some(None),
        Some(node) => choice(node, "channel", &channels, problems).map(Some),
    };
    let mut more = Map::new();
    let fine = track_fields(fields, &mut more, problems);
    let mut out = Map::new();
    out.insert("trackId", Value::Text(track?));
    out.insert("action", action?.into());
    if let Some(channel) = channel? {
        out.insert("channel", channel.into());
    }
    fine?;
    for (key, value) in more.iter() {
        out.insert(key, value.clone());
    }
    Some(ActionKind::Effect(EffectKind::PlayAudio, out))
}

/// How a track plays: [`TRACK_KEYS`].
pub(super) fn track_fields(
    fields: &Fields<'_>,
    out: &mut Map,
    problems: &mut Vec<Diagnostic>,
) -> Option<()> {
    let mut fine = true;
    for key in TRACK_KEYS {
        let Some(node) = fields.get(key) else { continue };
        let what = format!("`{key}`");
        let value = if key == "loop" {
            boolean(node, &what, problems).map(Value::Bool)
        } else {
            number(node, &what, problems).map(Value::Number)
        };
        let most = (key == "volume").then(|| Number::from(1));
        let within =
            |number: &Number| *number >= Number::from(0) && most.is_none_or(|most| *number <= most);
        match value {
            Some(Value::Number(number)) if !within(&number) => {
                let bounds = if most.is_some() { "between 0 and 1" } else { "0 or more" };
                let message = format!("{what} must be {bounds}, found {number}");
                problems.push(Diagnostic::new(&code::BAD_VALUE, node.span, message));
                fine = false;
            }
            Some(value) => out.insert(key, value),
            None => fine = false,
        }
    }
    fine.then_some(())
}

fn switch(
    fields: &Fields<'_>,
    key: &str,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<(Box<str>, bool)> {
    let name = required_id(fields, key, what, problems);
    let enabled = fields.require("enabled", what, problems);
    let enabled = enabled.and_then(|node| boolean(node, "`enabled`", problems));
    Some((name?, enabled?))
}

/// `message` and `role`.
pub(super) fn context(
    fields: &Fields<'_>,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<ActionKind> {
    let message = fields.require("message", what, problems);
    let message = message.and_then(|node| text(node, "`message`", problems));
    let role = fields.get("role");
    let role = role.map_or(Some(Role::System), |node| choice(node, "role", &Role::NAMES, problems));
    Some(ActionKind::Context(message?.into(), role?))
}
