//! The matrix: every distinct outcome of a composition over its context axes.
//!
//! The axes are those of the manifest. A path that rules read and no axis declares has one value
//! for each class that the rules distinguish, including absence. The outcomes come from the
//! [partition](crate::cond::partition), so the product of the axes is never enumerated.

use std::collections::{BTreeMap, BTreeSet};

use lawful_syntax::Diagnostic;

use super::codes::MATRIX_TOO_LARGE;
use super::decode::{Action, Composition};
use super::fragment::FragmentId;
use super::resolve::{Compositions, fired};
use crate::book::Manifest;
use crate::cond::CondId;
use crate::cond::partition::{Answer, Caps, Domain, Domains, Partition, Skipped};
use crate::path::Path;
use crate::value::{Map, Value};

/// Every outcome of a composition.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The distinct prompts, in a stable order.
    pub classes: Vec<MatrixClass>,
    /// Rules that never fire.
    pub never_fire: Vec<usize>,
    /// Fragments of the book that are in no prompt of this composition.
    pub unused: Vec<FragmentId>,
    /// Ids that rules add and that are forbidden wherever they are added.
    pub always_forbidden: Vec<FragmentId>,
    /// `order` rules that a later one always supersedes.
    pub superseded: Vec<usize>,
}

/// Contexts that lead to the same order of fragments.
#[derive(Clone, Debug)]
pub struct MatrixClass {
    /// The order.
    pub order: Vec<FragmentId>,
    /// The number of combinations of axis values that lead here; `None` if there are too many to
    /// count.
    pub contexts: Option<u128>,
    /// One such context, with a value for every axis; `None` if none could be constructed.
    pub witness: Option<Value>,
}

impl Compositions {
    /// The matrix of a composition.
    pub fn matrix(
        &self,
        composition: &Composition,
        manifest: &Manifest,
    ) -> Result<Matrix, Box<Diagnostic>> {
        self.work_out(composition, manifest).map_err(|skipped| too_large(composition, &skipped))
    }

    fn work_out(&self, composition: &Composition, manifest: &Manifest) -> Result<Matrix, Skipped> {
        let conditions: Vec<CondId> = composition.rules.iter().map(|rule| rule.condition).collect();
        let partition = self.partition(&conditions, manifest)?;
        let mut matrix = Matrix {
            classes: Vec::new(),
            never_fire: Vec::new(),
            unused: Vec::new(),
            always_forbidden: Vec::new(),
            superseded: Vec::new(),
        };
        let mut classes: BTreeMap<Vec<FragmentId>, MatrixClass> = BTreeMap::new();
        let mut seen = Seen::default();
        for class in partition.outcomes(&conditions)? {
            let fired = fired(composition, &class.outcomes);
            let found = self.cascade(composition, &fired, false);
            seen.note(composition, &fired, &found.forbidden);
            let witness = match class.witness {
                Answer::Yes(context) => Some(completed(&context, manifest)),
                Answer::No | Answer::Unknown => None,
            };
            match classes.get_mut(&found.order) {
                None => {
                    let order = found.order.clone();
                    let class = MatrixClass { order, contexts: class.contexts, witness };
                    classes.insert(found.order, class);
                }
                Some(known) => {
                    let sum = known.contexts.zip(class.contexts);
                    known.contexts = sum.and_then(|(a, b)| a.checked_add(b));
                    known.witness = known.witness.take().or(witness);
                }
            }
        }
        matrix.classes = classes.into_values().collect();
        matrix.classes.sort_by(|a, b| b.contexts.cmp(&a.contexts).then(a.order.cmp(&b.order)));
        let rules = composition.rules.len();
        matrix.never_fire = (0..rules).filter(|rule| !seen.fired.contains(rule)).collect();
        matrix.superseded = seen.superseded(composition);
        matrix.always_forbidden = seen.always_forbidden();
        let used: BTreeSet<FragmentId> =
            matrix.classes.iter().flat_map(|class| class.order.iter().copied()).collect();
        matrix.unused =
            self.fragments().map(|(id, _)| id).filter(|id| !used.contains(id)).collect();
        Ok(matrix)
    }

    /// The partition of contexts by the conditions of a composition.
    pub(super) fn partition(
        &self,
        conditions: &[CondId],
        manifest: &Manifest,
    ) -> Result<Partition<'_>, Skipped> {
        let mut domains = Domains::default();
        for axis in &manifest.axes {
            let values = axis.values.clone();
            domains.declare(axis.path.clone(), Domain::Values { values, absent: false });
        }
        self.lift_axes(conditions, manifest, &mut domains)?;
        Partition::new(self.conditions(), conditions, &domains, Caps::default())
    }

    /// If a rule reads the parent of an axis, the parent replaces the axis. Its values are the
    /// objects that the axes below it can form.
    fn lift_axes(
        &self,
        conditions: &[CondId],
        manifest: &Manifest,
        domains: &mut Domains,
    ) -> Result<(), Skipped> {
        /// The maximum number of such objects.
        const OBJECTS: usize = 1_000;
        let mut read: Vec<&Path> =
            conditions.iter().flat_map(|condition| self.conditions().reads(*condition)).collect();
        read.sort_by_key(|path| path.segments().len());
        for path in read {
            if path.is_wild() || domains.get(path).is_some() {
                continue;
            }
            let below: Vec<_> = manifest
                .axes
                .iter()
                .filter(|axis| domains.get(&axis.path).is_some())
                .filter(|axis| axis.path.segments().starts_with(path.segments()))
                .collect();
            if below.is_empty() {
                continue;
            }
            let mut objects = vec![Value::Map(Map::new())];
            for axis in &below {
                let mut next = Vec::new();
                for object in &objects {
                    for value in &axis.values {
                        let mut object = object.clone();
                        axis.path.put(&mut object, value.clone());
                        next.push(object);
                    }
                }
                if next.len() > OBJECTS {
                    return Err(Skipped(format!(
                        "the axes below `{path}` form more than {OBJECTS} objects"
                    )));
                }
                objects = next;
                domains.forget(&axis.path);
            }
            let values = objects.iter().filter_map(|object| path.get(object).cloned()).collect();
            domains.declare(path.clone(), Domain::Values { values, absent: false });
        }
        Ok(())
    }

    /// A context with the first value of every axis.
    pub fn first_context(manifest: &Manifest) -> Value {
        let mut context = Value::Map(Map::new());
        for axis in &manifest.axes {
            if let Some(value) = axis.values.first() {
                axis.path.put(&mut context, value.clone());
            }
        }
        context
    }
}

/// The diagnostic for a composition with too many prompts.
pub(super) fn too_large(composition: &Composition, skipped: &Skipped) -> Box<Diagnostic> {
    let name = &composition.name;
    let message = format!("`{name}` has too many prompts to list: {skipped}");
    Box::new(
        Diagnostic::new(&MATRIX_TOO_LARGE, composition.name_span, message)
            .help("split the composition, or declare fewer values"),
    )
}

/// Completes a witness: every axis that it does not set gets its first value.
pub(super) fn completed(witness: &Value, manifest: &Manifest) -> Value {
    let mut context = Compositions::first_context(manifest);
    lay_over(&mut context, witness);
    context
}

fn lay_over(below: &mut Value, above: &Value) {
    match (below, above) {
        (Value::Map(below), Value::Map(above)) => {
            for (key, value) in above.iter() {
                let mut inner = below.get(key).cloned().unwrap_or_default();
                lay_over(&mut inner, value);
                below.insert(key, inner);
            }
        }
        (below, above) => *below = above.clone(),
    }
}

/// What happened in any class.
#[derive(Default)]
struct Seen {
    fired: Vec<usize>,
    /// `order` rules that took effect.
    in_force: Vec<usize>,
    added: Vec<FragmentId>,
    added_and_allowed: Vec<FragmentId>,
}

impl Seen {
    fn note(&mut self, composition: &Composition, fired: &[bool], forbidden: &[FragmentId]) {
        let mut last_order = None;
        for (index, rule) in composition.rules.iter().enumerate() {
            if !fired.get(index).copied().unwrap_or(false) {
                continue;
            }
            note(&mut self.fired, index);
            match &rule.action {
                Action::Order(_) => last_order = Some(index),
                Action::Add { ids, .. } => {
                    for (id, _) in ids {
                        note(&mut self.added, *id);
                        if !forbidden.contains(id) {
                            note(&mut self.added_and_allowed, *id);
                        }
                    }
                }
                Action::Replace(_) | Action::Forbid(_) => {}
            }
        }
        if let Some(index) = last_order {
            note(&mut self.in_force, index);
        }
    }

    fn superseded(&self, composition: &Composition) -> Vec<usize> {
        let is_order = |index: &usize| {
            composition
                .rules
                .get(*index)
                .is_some_and(|rule| matches!(rule.action, Action::Order(_)))
        };
        let mut found: Vec<usize> = self
            .fired
            .iter()
            .filter(|index| is_order(index) && !self.in_force.contains(index))
            .copied()
            .collect();
        found.sort_unstable();
        found
    }

    fn always_forbidden(&self) -> Vec<FragmentId> {
        self.added.iter().filter(|id| !self.added_and_allowed.contains(id)).copied().collect()
    }
}

fn note<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
