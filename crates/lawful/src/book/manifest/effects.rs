//! `effects`: what happens to an effect that is requested again after a rewind.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Node, did_you_mean, escape};

use super::{entries, setting};
use crate::code;
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
        if let Some(repetition) = setting(kind.name(), &entry.value, &Repetition::NAMES, problems) {
            effects.insert(kind, repetition);
        }
    }
    effects
}
