//! Decodes the `then` of a reaction: `set`, `emit` and the `@` paths.

use lawful_syntax::{Diagnostic, Kind, Node, did_you_mean, escape};

use super::action::{
    TRACK_KEYS, Target, context, injection, kind, notification, operation_kind, source, target,
    track_fields, with_value,
};
use crate::decode::{Fields, boolean, id, text, wrong_type};
use crate::insertion::{Position, Role};
use crate::react::action::{Action, ActionKind, EffectKind, Injection};
use crate::react::codes::UNKNOWN_EFFECT_PATH;
use crate::react::event::Event;
use crate::react::operation::OperationKind;
use crate::value::{Map, Value};

/// The parts of a `then`, and whether each raises an event.
pub(crate) const PARTS: [(&str, bool); 2] = [("set", false), ("emit", true)];
/// The keys of `set`.
pub(crate) const SET_KEYS: [&str; 5] = ["type", "path", "value", "valueFrom", "operation"];
/// The keys of `emit`.
pub(crate) const EMIT_KEYS: [&str; 2] = ["type", "event"];

/// Decodes one part of a `then`.
pub(super) fn then(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Action> {
    let (name, emits) = kind(node, "a part of `then`", &PARTS, problems)?;
    let what = format!("`{name}`");
    let kind = if emits {
        let fields = Fields::of(node, &what, &EMIT_KEYS, problems)?;
        let event = Event::decode(fields.require("event", &what, problems)?, problems)?;
        Some(ActionKind::Emit(event.body))
    } else {
        let fields = Fields::of(node, &what, &SET_KEYS, problems)?;
        set(&fields, &what, problems)
    };
    Some(Action { kind: kind?, span: node.span })
}

fn set(fields: &Fields<'_>, what: &str, problems: &mut Vec<Diagnostic>) -> Option<ActionKind> {
    let path = fields.require("path", what, problems);
    let operation = match fields.get("operation") {
        None => Some(OperationKind::Set),
        Some(node) => operation_kind(node, problems),
    };
    let path = path?;
    match target(path, "`path`", problems)? {
        Target::Variable(path) => {
            let operation = with_value(operation?, fields, what, problems)?;
            Some(ActionKind::Write(path, operation))
        }
        Target::Effect => {
            if operation? != OperationKind::Set {
                let place = fields.get("operation").map_or(path.span, |node| node.span);
                let message = "the only operation on an `@` path is `set`";
                problems
                    .push(Diagnostic::new(&UNKNOWN_EFFECT_PATH, place, message).help("remove it"));
                return None;
            }
            let written = path.as_text().unwrap_or_default();
            let place = Place::find(written);
            if place.is_none() {
                unknown(path, written, problems);
            }
            if let Some(node) = fields.get("valueFrom") {
                let source = source(node, fields.written("value"), problems)?;
                place?;
                return Some(ActionKind::SetFrom(written.into(), source));
            }
            let Some(value) = fields.written("value") else {
                fields.require("value", what, problems);
                return None;
            };
            effect(&place?, value, written, problems)
        }
    }
}

/// The target of an `@` path.
pub(crate) enum Place<'p> {
    Audio(&'p str),
    Stop,
    Directive(&'p str),
    Entry(&'p str),
    Context,
    Disabled(&'p str),
    Notification,
    Request,
}

/// The `@` paths; `ID` stands for any id.
pub(crate) const PATHS: [&str; 11] = [
    "@audio.bgm",
    "@audio.sfx",
    "@audio.ambient",
    "@audio.stop",
    "@prompt.directive.ID",
    "@prompt.entry.ID",
    "@prompt.context",
    "@rules.disabled.ID",
    "@ui.notification",
    "@ai.request",
    "@ai.context",
];

impl<'p> Place<'p> {
    pub(crate) fn find(path: &'p str) -> Option<Self> {
        let named = |prefix: &str| path.strip_prefix(prefix).filter(|id| !id.trim().is_empty());
        Some(match path {
            "@audio.bgm" => Self::Audio("bgm"),
            "@audio.sfx" => Self::Audio("sfx"),
            "@audio.ambient" => Self::Audio("ambient"),
            "@audio.stop" => Self::Stop,
            "@prompt.context" | "@ai.context" => Self::Context,
            "@ui.notification" => Self::Notification,
            "@ai.request" => Self::Request,
            _ => match (named("@prompt.directive."), named("@prompt.entry.")) {
                (Some(id), _) => Self::Directive(id),
                (None, Some(id)) => Self::Entry(id),
                (None, None) => Self::Disabled(named("@rules.disabled.")?),
            },
        })
    }
}

fn unknown(node: &Node, path: &str, problems: &mut Vec<Diagnostic>) {
    let message = format!("unknown `@` path `{}`", escape::name(path));
    // Without the id, `@prompt.directives.x` is similar to a known path.
    let mut parts = path.splitn(3, '.');
    let front: Vec<&str> = parts.by_ref().take(2).collect();
    let near = match parts.next() {
        Some(_) => format!("{}.ID", front.join(".")),
        None => path.to_owned(),
    };
    problems.push(
        Diagnostic::new(&UNKNOWN_EFFECT_PATH, node.span, message)
            .help(did_you_mean("path", &near, PATHS)),
    );
}

/// The action that sets an `@` path to a value.
pub(crate) fn effect(
    place: &Place<'_>,
    value: &Node,
    path: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<ActionKind> {
    let what = format!("`{}`", escape::name(path));
    match place {
        Place::Audio(channel) => {
            let mut fields = Map::new();
            fields.insert("channel", (*channel).into());
            track(value, "play", &what, fields, problems)
        }
        Place::Stop => track(value, "stop", &what, Map::new(), problems),
        Place::Directive(id) => directive(id, value, &what, problems),
        Place::Entry(id) => {
            boolean(value, &what, problems).map(|on| ActionKind::Entry((*id).into(), on))
        }
        Place::Disabled(id) => {
            boolean(value, &what, problems).map(|off| ActionKind::Rule((*id).into(), !off))
        }
        Place::Context => match &value.kind {
            Kind::Text(message) => Some(ActionKind::Context(message.clone(), Role::System)),
            Kind::Map(_) => {
                let fields = Fields::of(value, &what, &["message", "role"], problems)?;
                context(&fields, &what, problems)
            }
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::List(_) => {
                problems.push(wrong_type(value, &what, "a text, or `{message, role}`"));
                None
            }
        },
        Place::Notification => match &value.kind {
            Kind::Text(message) => {
                let mut fields = Map::new();
                fields.insert("style", "info".into());
                fields.insert("message", Value::Text(message.clone()));
                Some(ActionKind::Effect(EffectKind::NotifyPlayer, fields))
            }
            Kind::Map(_) => {
                let fields = Fields::of(value, &what, &["style", "message"], problems)?;
                notification(&fields, &what, problems)
            }
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::List(_) => {
                problems.push(wrong_type(value, &what, "a text, or `{style, message}`"));
                None
            }
        },
        Place::Request => {
            let mut fields = Map::new();
            fields.insert("value", Value::from_node(value));
            Some(ActionKind::Effect(EffectKind::AiRequest, fields))
        }
    }
}

/// A track by its id, or as `{trackId, …}`.
fn track(
    value: &Node,
    action: &str,
    what: &str,
    mut fields: Map,
    problems: &mut Vec<Diagnostic>,
) -> Option<ActionKind> {
    let keys: Vec<&str> = ["trackId"].iter().chain(&TRACK_KEYS).copied().collect();
    let (track, more) = match &value.kind {
        Kind::Map(_) => {
            let more = Fields::of(value, what, &keys, problems)?;
            (more.require("trackId", what, problems)?, Some(more))
        }
        Kind::Text(_) => (value, None),
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::List(_) => {
            problems.push(wrong_type(value, what, "the id of a track, or `{trackId, …}`"));
            return None;
        }
    };
    fields.insert("trackId", id(track, "the id of a track", problems)?.into());
    fields.insert("action", action.into());
    if let Some(more) = more {
        track_fields(&more, &mut fields, problems)?;
    }
    Some(ActionKind::Effect(EffectKind::PlayAudio, fields))
}

/// A text is a directive for the next turn, a mapping has more fields, and null removes the
/// directive.
fn directive(
    id: &str,
    value: &Node,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<ActionKind> {
    match &value.kind {
        Kind::Null => Some(ActionKind::Remove(id.into())),
        Kind::Text(_) => Some(ActionKind::Inject(Injection {
            id: id.into(),
            content: text(value, what, problems)?.into(),
            position: Position::AfterChar,
            turns: Some(1),
            is_timed: false,
        })),
        Kind::Map(_) => {
            let keys = ["content", "position", "depth", "persistent", "duration"];
            let fields = Fields::of(value, what, &keys, problems)?;
            injection(&fields, Some(id.into()), what, problems).map(ActionKind::Inject)
        }
        Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::List(_) => {
            problems.push(wrong_type(value, what, "a text, a mapping with `content`, or null"));
            None
        }
    }
}
