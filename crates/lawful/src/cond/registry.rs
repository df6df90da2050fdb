//! Resolves refs: built-in operators, host primitives and saved conditions share one namespace.
//!
//! **Invariant:** a registry never changes after it is built. Saved conditions are added only
//! through the builder, from the host's configuration, and cannot be added or listed afterwards. So
//! clones share everything.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use lawful_syntax::{Diagnostic, Span, escape};

use super::compile::{SetBuilder, Surface};
use super::groups::Groups;
use super::primitive::Primitive;
use super::set::{CondId, ConditionSet};
use super::{Condition, Operator};
use crate::code;
use crate::limits::Limits;
use crate::path::Path;

/// A condition with an id.
#[derive(Clone, Debug)]
pub struct SavedCondition {
    /// The id.
    pub id: Box<str>,
    /// Where the id was written.
    pub id_span: Span,
    /// The tree.
    pub tree: Condition,
}

/// Why a primitive cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistrationError {
    /// The id lacks a dot.
    #[error("the id `{0}` of a primitive must contain a `.`, as in `deal.stage`")]
    IdWithoutDot(String),
    /// The id is taken.
    #[error("the id `{0}` is already taken")]
    Taken(String),
    /// A declared path is invalid or contains `[*]`.
    #[error("the primitive `{id}` cannot read `{path}`: {why}")]
    BadRead {
        /// The id of the primitive.
        id: String,
        /// The path as declared.
        path: String,
        /// The problem.
        why: String,
    },
}

pub(super) struct HostPrimitive {
    pub primitive: Primitive,
    pub reads: Vec<Path>,
}

/// The meaning of every ref. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    pub(super) primitives: Arc<BTreeMap<Box<str>, Arc<HostPrimitive>>>,
    pub(super) saved: Arc<BTreeMap<Box<str>, Arc<SavedCondition>>>,
    pub(super) limits: Limits,
    /// Whether everything that is compiled with it compiled before.
    pub(super) validated: bool,
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Registry").finish_non_exhaustive()
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl Registry {
    /// Starts a registry that has only the built-in operators.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder {
            registry: Self {
                primitives: Arc::default(),
                saved: Arc::default(),
                limits: Limits::default(),
                validated: false,
            },
        }
    }

    /// Starts a set of conditions to compile together.
    pub fn set(&self) -> SetBuilder<'_> {
        SetBuilder::new(self)
    }

    /// All problems in a condition and in the saved conditions it refers to.
    pub fn validate(&self, condition: &Condition) -> Vec<Diagnostic> {
        self.set().add(condition, Surface::When).1
    }

    /// Compiles one condition and returns it with its warnings; fails if it has errors.
    pub fn compile(
        &self,
        condition: &Condition,
    ) -> Result<(ConditionSet, CondId, Vec<Diagnostic>), Vec<Diagnostic>> {
        match self.compile_with_warnings(condition) {
            (Some((set, id)), warnings) => Ok((set, id, warnings)),
            (None, problems) => Err(problems),
        }
    }

    /// The compiled condition, if it has no errors, and all problems.
    pub(crate) fn compile_with_warnings(
        &self,
        condition: &Condition,
    ) -> (Option<(ConditionSet, CondId)>, Vec<Diagnostic>) {
        let mut set = self.set();
        let (id, problems) = set.add(condition, Surface::When);
        (id.map(|id| (set.finish(), id)), problems)
    }

    /// The saved conditions with their ids, for the book they come from.
    pub(crate) fn saved(&self) -> impl Iterator<Item = &SavedCondition> {
        self.saved.values().map(|saved| &**saved)
    }

    /// The saved conditions, for the checks of the book they come from.
    pub(crate) fn saved_trees(&self) -> impl Iterator<Item = &Condition> {
        self.saved.values().map(|saved| &saved.tree)
    }

    /// The saved conditions without errors, compiled together.
    pub(crate) fn saved_set(&self) -> ConditionSet {
        let mut set = self.set();
        for tree in self.saved_trees() {
            set.add(tree, Surface::When);
        }
        set.finish()
    }

    /// A saved condition, for the checks of the book it comes from.
    pub(crate) fn saved_tree(&self, id: &str) -> Option<&Condition> {
        self.saved.get(id).map(|saved| &saved.tree)
    }

    /// All problems in the saved conditions, each at its place.
    pub fn validate_saved(&self) -> Vec<Diagnostic> {
        Groups::of(self, None).problems().cloned().collect()
    }
}

/// A registry that is being built. A clone has the same primitives.
#[derive(Clone, Debug)]
pub struct RegistryBuilder {
    registry: Registry,
}

impl RegistryBuilder {
    /// Sets the limits on conditions.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.registry.limits = limits;
        self
    }

    /// Says that everything that is compiled with this registry compiled before, with the same program
    /// and limits. Then regular expressions are compiled when they are first needed.
    #[must_use]
    pub(crate) fn validated(mut self) -> Self {
        self.registry.validated = true;
        self
    }

    /// Registers a primitive of the host.
    pub fn primitive(&mut self, primitive: Primitive) -> Result<(), RegistrationError> {
        let id = primitive.id.clone();
        if !id.contains('.') {
            return Err(RegistrationError::IdWithoutDot(id.into()));
        }
        if self.is_taken(&id) {
            return Err(RegistrationError::Taken(id.into()));
        }
        let bad_read = |path: &str, why: String| RegistrationError::BadRead {
            id: id.clone().into(),
            path: path.to_owned(),
            why,
        };
        let mut reads = Vec::new();
        for text in &primitive.reads {
            let path = Path::parse(text).map_err(|error| bad_read(text, error.to_string()))?;
            if path.is_wild() {
                return Err(bad_read(text, "it contains `[*]`; read the list instead".to_owned()));
            }
            reads.push(path);
        }
        let host = Arc::new(HostPrimitive { primitive, reads });
        Arc::make_mut(&mut self.registry.primitives).insert(id, host);
        Ok(())
    }

    /// Adds a saved condition from the host's configuration.
    pub fn saved(&mut self, saved: impl Into<Arc<SavedCondition>>) -> Result<(), Diagnostic> {
        let saved = saved.into();
        let is_primitive = Operator::with_id(&saved.id).is_some()
            || self.registry.primitives.contains_key(&saved.id);
        let place = Arc::make_mut(&mut self.registry.saved).entry(saved.id.clone());
        if is_primitive || matches!(place, Entry::Occupied(_)) {
            let id = escape::name(&saved.id);
            let message = format!("the id `{id}` is already taken");
            let mut problem = Diagnostic::new(&code::DUPLICATE_ID, saved.id_span, message);
            problem = match place {
                Entry::Occupied(first) => {
                    problem.label(first.get().id_span, "first taken here").help("rename one")
                }
                Entry::Vacant(_) => problem.help("choose another id; this one is a primitive"),
            };
            return Err(problem);
        }
        place.or_insert(saved);
        Ok(())
    }

    /// Builds the registry.
    pub fn build(self) -> Registry {
        self.registry
    }

    fn is_taken(&self, id: &str) -> bool {
        Operator::with_id(id).is_some()
            || self.registry.primitives.contains_key(id)
            || self.registry.saved.contains_key(id)
    }
}
