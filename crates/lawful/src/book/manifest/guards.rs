//! `guards`: what happens to a shell line that cannot be read in full.

use lawful_syntax::{Diagnostic, Node};

use super::setting;
use crate::decode::Fields;

/// The settings of guards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuardSettings {
    /// The decision on an opaque call that no guard denies. `None`: [`Opaque::Ask`] if a guard
    /// applies to shell lines, else no decision.
    pub opaque: Option<Opaque>,
}

/// The decision on an opaque call that no guard denies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opaque {
    /// A person is asked.
    Ask,
    /// It is denied.
    Deny,
    /// It is allowed, unless a guard asks.
    Allow,
}

impl Opaque {
    /// Every choice with its name.
    pub const NAMES: [(&'static str, Self); 3] =
        [("ask", Self::Ask), ("deny", Self::Deny), ("allow", Self::Allow)];
}

/// The keys of `guards`.
pub(crate) const KEYS: [&str; 1] = ["opaque"];

pub(super) fn guards(node: &Node, problems: &mut Vec<Diagnostic>) -> GuardSettings {
    let Some(fields) = Fields::of(node, "`guards`", &KEYS, problems) else {
        return GuardSettings::default();
    };
    let opaque = fields.get("opaque");
    let opaque = opaque.and_then(|node| setting("opaque", node, &Opaque::NAMES, problems));
    GuardSettings { opaque }
}
