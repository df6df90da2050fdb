//! The cascade: how a composition's rules turn its base list into the final one.
//!
//! Rules run in written order and later rules win, with two exceptions. `forbid` is collected while
//! the rules run and applied once at the end. Of `order`, the last one that fired is applied just
//! before that.
//!
//! **Invariant:** the cascade never fails. A rule that names a missing id adds a warning, and the
//! cascade continues.

use std::ops::Range;

use lawful_syntax::{Diagnostic, Span};

use super::codes::{ANCHOR_MISSING, DUPLICATE_BASE, FORBID_MISSING, REPLACE_MISSING};
use super::decode::{Action, ActionKind, Composition};
use super::fragment::FragmentId;
use crate::index::Id as _;

/// What one rule did.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its action.
    pub action: ActionKind,
    /// Whether it fired.
    pub fired: bool,
    /// Where its effects are among those of all rules.
    pub(super) effects: Range<usize>,
    /// The final list if this were the last rule; empty unless requested.
    pub after: Vec<FragmentId>,
}

/// One effect of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The first id was replaced by the second.
    Replaced(FragmentId, FragmentId),
    /// The id to replace is not in the list.
    NothingToReplace(FragmentId),
    /// An id was inserted.
    Added(FragmentId),
    /// An id was already in the list and keeps its position.
    AlreadyThere(FragmentId),
    /// The anchor is not in the list, so the default position is used.
    NoAnchor(FragmentId),
    /// An id was removed from the result.
    Forbade(FragmentId),
    /// An id was forbidden that is not in the list or was already forbidden.
    KeepsOut(FragmentId),
    /// The order is set.
    Ordered,
    /// The order is set, but a later rule sets another.
    Superseded,
}

/// The result of a cascade.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub order: Vec<FragmentId>,
    pub rows: Vec<Row>,
    /// The effects of all rules, in order.
    pub effects: Vec<Effect>,
    pub warnings: Vec<Diagnostic>,
    /// The rule that added each id, unless it is in the base.
    pub brought_by: Vec<(FragmentId, usize)>,
    pub forbidden: Vec<FragmentId>,
}

/// Runs the rules for which `fires` is true. `ids` is the number of ids of the book, and `name`
/// returns their names.
pub(super) fn run<'n>(
    composition: &Composition,
    fires: impl Fn(usize) -> bool,
    ids: usize,
    name: &dyn Fn(FragmentId) -> &'n str,
    with_lists: bool,
) -> Outcome {
    let mut state = State {
        list: Vec::with_capacity(composition.base.len() + 8),
        present: vec![false; ids],
        forbidden: vec![false; ids],
        forbids: Vec::new(),
        order: composition.order.as_deref(),
        ordered_by: None,
        live: Vec::new(),
        placed: Vec::new(),
        out: Outcome { rows: Vec::with_capacity(composition.rules.len()), ..Outcome::default() },
        name,
    };
    state.base(composition);
    for (index, rule) in composition.rules.iter().enumerate() {
        let fired = fires(index);
        let start = state.out.effects.len();
        if fired {
            state.apply(index, &rule.action);
        }
        let effects = start..state.out.effects.len();
        let after = if with_lists { state.result() } else { Vec::new() };
        state.out.rows.push(Row { action: rule.action.kind(), fired, effects, after });
    }
    state.finish()
}

struct State<'c, 'n, 'f> {
    list: Vec<FragmentId>,
    present: Vec<bool>,
    forbidden: Vec<bool>,
    forbids: Vec<(FragmentId, Span)>,
    order: Option<&'c [(FragmentId, Span)]>,
    /// The effect of the rule that set the order.
    ordered_by: Option<usize>,
    /// Used by one rule at a time: the pairs to replace, and the new ids that have a place.
    live: Vec<(FragmentId, FragmentId)>,
    placed: Vec<FragmentId>,
    out: Outcome,
    name: &'f dyn Fn(FragmentId) -> &'n str,
}

impl<'c> State<'c, '_, '_> {
    fn base(&mut self, composition: &Composition) {
        for (id, span) in &composition.base {
            if std::mem::replace(flag(&mut self.present, *id), true) {
                let message = format!("`{}` is in the base list twice", (self.name)(*id));
                self.warn(Diagnostic::new(&DUPLICATE_BASE, *span, message).help("remove one"));
            } else {
                self.list.push(*id);
            }
        }
    }

    fn warn(&mut self, warning: Diagnostic) {
        self.out.warnings.push(warning);
    }

    fn is_present(&self, id: FragmentId) -> bool {
        self.present.get(id.index()).copied().unwrap_or(false)
    }

    fn did(&mut self, effect: Effect) {
        self.out.effects.push(effect);
    }

    fn apply(&mut self, index: usize, action: &'c Action) {
        match action {
            Action::Replace(pairs) => self.replace(index, pairs),
            Action::Add { ids, after } => self.add(index, ids, *after),
            Action::Forbid(ids) => {
                // Not applied here: a later `add` must not bring a forbidden id back.
                let start = self.out.effects.len();
                for (id, span) in ids {
                    let already = std::mem::replace(flag(&mut self.forbidden, *id), true);
                    if !already {
                        self.out.forbidden.push(*id);
                    }
                    self.forbids.push((*id, *span));
                    let effect = if self.is_present(*id) && !already {
                        Effect::Forbade(*id)
                    } else {
                        Effect::KeepsOut(*id)
                    };
                    let own = self.out.effects.get(start..).unwrap_or_default();
                    if !own.contains(&effect) {
                        self.did(effect);
                    }
                }
            }
            Action::Order(ids) => {
                let earlier = self.ordered_by.and_then(|at| self.out.effects.get_mut(at));
                if let Some(earlier) = earlier {
                    *earlier = Effect::Superseded;
                }
                self.order = Some(ids);
                self.ordered_by = Some(self.out.effects.len());
                self.did(Effect::Ordered);
            }
        }
    }

    /// Replaces all pairs at once, based on the list before the rule.
    fn replace(&mut self, index: usize, pairs: &[(FragmentId, FragmentId, Span)]) {
        self.live.clear();
        self.placed.clear();
        for (from, to, span) in pairs {
            if self.is_present(*from) {
                self.live.push((*from, *to));
                self.did(Effect::Replaced(*from, *to));
            } else {
                self.did(Effect::NothingToReplace(*from));
                let message = format!("`{}` is not in the list", (self.name)(*from));
                self.warn(
                    Diagnostic::new(&REPLACE_MISSING, *span, message)
                        .help("this pair has no effect"),
                );
            }
        }
        let Self { list, present, live, placed, out, .. } = self;
        if live.is_empty() {
            return;
        }
        // Only the new ids can be duplicates; keep the first of each.
        let brought_by = &mut out.brought_by;
        list.retain_mut(|id| {
            let new = live.iter().find(|(from, _)| from == id).map(|(_, to)| *to);
            let now = new.unwrap_or(*id);
            if live.iter().any(|(_, to)| *to == now) {
                if placed.contains(&now) {
                    return false;
                }
                placed.push(now);
            }
            if new.is_some() {
                brought_by.push((now, index));
            }
            *id = now;
            true
        });
        for (from, _) in live {
            *flag(present, *from) = false;
        }
        for id in placed {
            *flag(present, *id) = true;
        }
    }

    fn add(&mut self, index: usize, ids: &[(FragmentId, Span)], after: Option<(FragmentId, Span)>) {
        let anchor = after.and_then(|(anchor, span)| {
            let found = self.list.iter().position(|id| *id == anchor);
            if found.is_none() {
                self.did(Effect::NoAnchor(anchor));
                let message = format!("the anchor `{}` is not in the list", (self.name)(anchor));
                self.warn(
                    Diagnostic::new(&ANCHOR_MISSING, span, message)
                        .help("the default position is used: just before the last id"),
                );
            }
            found
        });
        let mut place = anchor.map_or(self.list.len().saturating_sub(1), |at| at + 1);
        for (id, _) in ids {
            if std::mem::replace(flag(&mut self.present, *id), true) {
                self.did(Effect::AlreadyThere(*id));
                continue;
            }
            self.list.insert(place.min(self.list.len()), *id);
            place += 1;
            self.out.brought_by.push((*id, index));
            self.did(Effect::Added(*id));
        }
    }

    /// The current result: ordered, and without forbidden ids.
    fn result(&self) -> Vec<FragmentId> {
        let allowed = |id: &&FragmentId| !self.forbidden.get(id.index()).copied().unwrap_or(false);
        let Some(order) = self.order else {
            return self.list.iter().filter(allowed).copied().collect();
        };
        let mut placed = vec![false; self.present.len()];
        let mut out = Vec::with_capacity(self.list.len());
        let first = order.iter().map(|(id, _)| id).filter(|id| self.is_present(**id));
        for id in first.chain(&self.list) {
            if !std::mem::replace(flag(&mut placed, *id), true) && allowed(&id) {
                out.push(*id);
            }
        }
        out
    }

    fn finish(mut self) -> Outcome {
        self.out.order = self.result();
        for (id, span) in std::mem::take(&mut self.forbids) {
            if !self.is_present(id) {
                let message = format!("the forbidden id `{}` is not in the list", (self.name)(id));
                self.warn(
                    Diagnostic::new(&FORBID_MISSING, span, message)
                        .help("this `forbid` has no effect"),
                );
            }
        }
        self.out
    }
}

/// The flag of an id.
#[expect(clippy::indexing_slicing, reason = "the book that sized the flags created every id")]
fn flag(flags: &mut [bool], id: FragmentId) -> &mut bool {
    &mut flags[id.index()]
}
