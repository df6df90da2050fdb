//! `effects`: what happens to an effect that is requested again after a rewind.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Node, did_you_mean, escape};

use super::entries;
use crate::code;
use crate::decode::text;
use crate::react::EffectKind;

/// What happens to an effect that the host performed before a rewind, when its step is taken again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repetition {
    /// It is done already, and not handed out.
    Once,
    /// It is handed out again, under a new id.
    Again,
}

impl Repetition {
    /// Every choice with its name.
    pub(crate) const NAMES: [(&'static str, Self); 2] =
        [("once", Self::Once), ("again", Self::Again)];

    /// The default of a kind. A message that was read and an answer that was given are there; music
    /// that was played is over.
    pub fn default_of(kind: EffectKind) -> Self {
        match kind {
            EffectKind::NotifyPlayer | EffectKind::AiRequest => Self::Once,
            EffectKind::PlayAudio => Self::Again,
        }
    }
}

/// Decodes `effects`.
pub(super) fn effects(
    node: &Node,
    problems: &mut Vec<Diagnostic>,
) -> BTreeMap<EffectKind, Repetition> {
    let mut effects = BTreeMap::new();
    for entry in entries(node, "`effects`", problems) {
        let Some(kind) = EffectKind::ALL.into_iter().find(|kind| kind.name() == &*entry.key) else {
            let message = format!("unknown effect `{}`", escape::name(&entry.key));
            let help = did_you_mean("effect", &entry.key, EffectKind::ALL.map(EffectKind::name));
            problems.push(Diagnostic::new(&code::UNKNOWN_KEY, entry.key_span, message).help(help));
            continue;
        };
        let Some(written) = text(&entry.value, &format!("`{}`", kind.name()), problems) else {
            continue;
        };
        match Repetition::NAMES.iter().find(|(name, _)| *name == written) {
            Some((_, repetition)) => drop(effects.insert(kind, *repetition)),
            None => {
                let kind = kind.name();
                let message = format!("invalid value `{}` for `{kind}`", escape::name(written));
                let help = did_you_mean("value", written, Repetition::NAMES.map(|(name, _)| name));
                problems
                    .push(Diagnostic::new(&code::BAD_VALUE, entry.value.span, message).help(help));
            }
        }
    }
    effects
}
