//! Compiles conditions to a set: resolves refs, checks arguments, and deduplicates parts.
//!
//! The set has a table of nodes, in which every distinct part occurs once, however many conditions
//! share it, and a table of paths, in which every distinct prefix occurs once. A saved condition is
//! compiled on first reference. Checking and compiling are the same walk, so `validate` and
//! `compile` report the same errors.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use lawful_syntax::{Diagnostic, Span, did_you_mean, escape, nearest};

use super::code::{Asked, Entry, NO, YES, emit};
use super::leaf::Leaf;
use super::operator::Operator;
use super::primitive::Args;
use super::registry::{HostPrimitive, Registry, SavedCondition};
use super::set::{CondId, ConditionSet, HostTest, Node, NodeId, PathEntry, PathId};
use super::sorted::Names;
use super::tree::{Condition, ConditionKind, Ref};
use crate::code;
use crate::index::IndexVec;
use crate::limits::Limits;
use crate::path::Path;
use crate::value::FirstPlace;

/// What to do about a condition over a limit.
const SMALLER: &str = "split it or use fewer references";

mod args;

/// Where a condition is used, which determines the default quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Surface {
    /// A `when`, a trigger or `lawful eval`: some slot for a positive operator, every slot for a
    /// negative one.
    When,
    /// A predicate of a rulespec: every slot.
    Predicate,
}

/// Drops errors that only echo known ones: a broken part is reported only if nothing else is an
/// error.
pub fn without_echoes(found: Vec<Diagnostic>, known: &[Diagnostic]) -> Vec<Diagnostic> {
    let told = known.iter().any(Diagnostic::is_error);
    let echo = |problem: &Diagnostic| told && problem.code == &code::BROKEN_CONDITION;
    found.into_iter().filter(|problem| !echo(problem)).collect()
}

/// The identity of a node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum NodeKey {
    All(Box<[NodeId]>),
    Any(Box<[NodeId]>),
    Not(NodeId),
    Saved(Box<str>),
    /// The path, and the rest of the test as text.
    Leaf(PathId, String),
}

/// The expanded size of a node.
#[derive(Clone, Copy)]
struct Extent {
    nodes: usize,
    depth: usize,
    /// Whether it can evaluate to an error.
    fails: bool,
}

enum SavedState {
    Open,
    Done(NodeId),
    Broken,
}

/// A saved condition whose references are being compiled.
struct OpenSaved<'r> {
    saved: &'r SavedCondition,
    refs: std::vec::IntoIter<(&'r str, Span)>,
}

impl<'r> OpenSaved<'r> {
    fn new(saved: &'r SavedCondition) -> Self {
        let refs = saved.tree.refs();
        Self { saved, refs: refs.into_iter() }
    }
}

/// A set that is being built.
pub struct SetBuilder<'r> {
    registry: &'r Registry,
    set: ConditionSet,
    extents: IndexVec<NodeId, Extent>,
    known: BTreeMap<NodeKey, NodeId>,
    known_paths: BTreeMap<Path, PathId>,
    saved: BTreeMap<&'r str, SavedState>,
    surface: Surface,
    /// Whether a needless `value` is only a warning.
    pub(super) allows_needless_values: bool,
    /// Whether to report every reference to a broken condition, or only if nothing else is
    /// reported.
    every_ref: bool,
    problems: Vec<Diagnostic>,
}

impl std::fmt::Debug for SetBuilder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SetBuilder").finish_non_exhaustive()
    }
}

impl<'r> SetBuilder<'r> {
    pub(super) fn new(registry: &'r Registry) -> Self {
        Self {
            registry,
            set: ConditionSet::default(),
            extents: IndexVec::default(),
            known: BTreeMap::new(),
            known_paths: BTreeMap::new(),
            saved: BTreeMap::new(),
            surface: Surface::When,
            allows_needless_values: false,
            every_ref: false,
            problems: Vec::new(),
        }
    }

    /// Reports a `value` that an operator does not use as a warning, and ignores it.
    pub(crate) fn allow_needless_values(mut self) -> Self {
        self.allows_needless_values = true;
        self
    }

    /// Adds a condition. Returns an id unless there are errors. Problems inside a saved condition
    /// are reported on its first use in the set.
    pub fn add(
        &mut self,
        condition: &Condition,
        surface: Surface,
    ) -> (Option<CondId>, Vec<Diagnostic>) {
        if surface != self.surface {
            // A saved condition may have another default quantifier here.
            self.surface = surface;
            self.saved.clear();
            self.known.retain(|key, _| !matches!(key, NodeKey::Saved(_)));
        }
        let node = self.lower(condition, 0);
        if node.is_none() && !self.problems.iter().any(Diagnostic::is_error) {
            self.report(Diagnostic::new(
                &code::BROKEN_CONDITION,
                condition.span,
                "this condition has errors that were already reported",
            ));
        }
        let set = self.set.id;
        let id = node.map(|node| CondId { root: self.set.roots.push(node), set });
        (id, std::mem::take(&mut self.problems))
    }

    /// The paths that a condition of the set may read.
    pub(crate) fn reads(&self, condition: CondId) -> Vec<&Path> {
        self.set.reads(condition)
    }

    /// Finishes the set: sorts the values that tests name, and compiles conditions to jump code.
    pub fn finish(self) -> ConditionSet {
        /// A saved condition larger than this is evaluated once and not inlined.
        const COPIED: usize = 32;
        let Self { mut set, extents, .. } = self;
        set.operands = IndexVec::filled(OnceLock::new(), set.nodes.len());
        set.names = IndexVec::filled(Names::default(), set.paths.len());
        for node in set.nodes.ids() {
            if let Node::Leaf(path, leaf) = &set.nodes[node] {
                set.names[*path].note(&leaf.test);
            }
        }
        for path in set.paths.ids() {
            set.words = set.names[path].sort(set.words);
        }
        let apart = |node: NodeId| extents[node].nodes > COPIED;
        for condition in set.roots.ids() {
            let root = set.roots[condition];
            let entry = if extents[root].fails {
                Entry::Tree(root)
            } else {
                Entry::Code(emit(&mut set, root, YES, NO, &apart))
            };
            set.entries.push(entry);
        }
        let trees = set.roots.ids().any(|id| matches!(set.entries[id], Entry::Tree(_)));
        set.keeps = trees
            || set.code.iter().any(|jump| matches!(jump.test, Asked::Node(_) | Asked::Part(..)));
        set
    }

    /// Compiles saved conditions only to report their problems.
    pub(super) fn add_saved(
        mut self,
        all: impl Iterator<Item = &'r SavedCondition>,
    ) -> Vec<Diagnostic> {
        self.every_ref = true;
        for saved in all {
            if !self.saved.contains_key(&*saved.id) {
                self.compile_saved(saved);
            }
        }
        self.problems
    }

    fn report(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    fn lower(&mut self, condition: &Condition, depth: usize) -> Option<NodeId> {
        if depth >= self.registry.limits.condition_depth {
            self.too_deep(condition.span);
            return None;
        }
        match &condition.kind {
            ConditionKind::Broken => {
                // A condition from a document was reported when it was decoded.
                if !condition.span.is_some() {
                    let message = "invalid condition";
                    self.report(
                        Diagnostic::new(&code::BROKEN_CONDITION, condition.span, message)
                            .help("parse it from text to see the errors"),
                    );
                }
                None
            }
            ConditionKind::Always => self.branch(NodeKey::All(Box::default()), condition.span),
            ConditionKind::All(rules) => {
                if rules.is_empty() {
                    self.report(
                        Diagnostic::new(
                            &code::EMPTY_ALL,
                            condition.span,
                            "this `all` is empty, so it is always true",
                        )
                        .help("remove it, or add conditions"),
                    );
                }
                let children = self.children(rules, depth)?;
                self.branch(NodeKey::All(children), condition.span)
            }
            ConditionKind::Any(rules) => {
                if rules.is_empty() {
                    self.report(
                        Diagnostic::new(
                            &code::EMPTY_ANY,
                            condition.span,
                            "this `any` is empty, so it is never true",
                        )
                        .help("remove it, or add conditions"),
                    );
                }
                let children = self.children(rules, depth)?;
                self.branch(NodeKey::Any(children), condition.span)
            }
            ConditionKind::Not(rule) => {
                let child = self.lower(rule, depth + 1)?;
                self.branch(NodeKey::Not(child), condition.span)
            }
            ConditionKind::Ref(reference) => self.reference(reference, condition.span),
        }
    }

    /// Compiles every child, so that all problems are reported, then fails if one failed.
    fn children(&mut self, rules: &[Condition], depth: usize) -> Option<Box<[NodeId]>> {
        let children: Vec<Option<NodeId>> =
            rules.iter().map(|rule| self.lower(rule, depth + 1)).collect();
        children.into_iter().collect()
    }

    fn reference(&mut self, reference: &Ref, span: Span) -> Option<NodeId> {
        let registry = self.registry;
        let id = &*reference.id;
        if let Some(operator) = Operator::with_id(id) {
            let (path, leaf) = self.leaf(operator, reference, span)?;
            let path = self.path(&path);
            return Some(self.leaf_node(path, leaf));
        }
        if let Some(host) = registry.primitives.get(id) {
            return self.host(host, reference, span);
        }
        let Some(saved) = registry.saved.get(id) else {
            let message = format!("unknown condition or primitive `{}`", escape::name(id));
            let help = self.instead_of(id);
            self.report(Diagnostic::new(&code::UNKNOWN_REF, reference.id_span, message).help(help));
            return None;
        };
        if let Some(args) = &reference.args {
            let message =
                format!("`{}` is a saved condition and takes no arguments", escape::name(id));
            self.report(
                Diagnostic::new(&code::ARGS_ON_SAVED_RULE, args.span, message)
                    .help("remove `args`; they are ignored"),
            );
        }
        let body = self.saved_body(saved, reference.id_span)?;
        self.branch_of(NodeKey::Saved(id.into()), Node::Saved(id.into(), body), &[body], span)
    }

    /// The help for an unknown id.
    fn instead_of(&self, id: &str) -> String {
        let registry = self.registry;
        if let Some(operator) = id.strip_prefix("value.").and_then(Operator::find) {
            return format!("did you mean `{}`?", operator.id());
        }
        let saved = registry.saved.keys().map(|id| &**id);
        let hosts = registry.primitives.keys().map(|id| &**id);
        let mut names: Vec<&str> = saved.chain(hosts).collect();
        if names.is_empty() || nearest(id, names.iter().copied()).is_empty() {
            let operators: Vec<&str> = Operator::all().map(Operator::id).collect();
            if let Some(near) = nearest(id, operators).first() {
                return format!("did you mean `{near}`?");
            }
        }
        if names.is_empty() {
            return "write a built-in test without `ref`; there are no saved conditions".into();
        }
        names.sort_unstable();
        did_you_mean("condition", id, names.iter().copied())
    }

    /// The node of a saved condition, compiled on first use.
    fn saved_body(&mut self, saved: &'r SavedCondition, from: Span) -> Option<NodeId> {
        if !self.saved.contains_key(&*saved.id) {
            self.compile_saved(saved);
        }
        let state = self.saved.get(&*saved.id);
        let node = if let Some(SavedState::Done(node)) = state { Some(*node) } else { None };
        let told = !self.every_ref && self.problems.iter().any(Diagnostic::is_error);
        if node.is_none() && !told {
            let message =
                format!("the saved condition `{}` does not compile", escape::name(&saved.id));
            self.report(
                Diagnostic::new(&code::BROKEN_CONDITION, from, message)
                    .label(saved.id_span, "saved here")
                    .help("fix the saved condition first"),
            );
        }
        node
    }

    /// Compiles a saved condition after everything it refers to. The walk has an explicit stack, so
    /// a long chain of references cannot overflow the call stack.
    fn compile_saved(&mut self, first: &'r SavedCondition) {
        let registry = self.registry;
        let mut open = vec![OpenSaved::new(first)];
        self.saved.insert(&first.id, SavedState::Open);
        while let Some(current) = open.last_mut() {
            let Some((id, from)) = current.refs.next() else {
                let saved = current.saved;
                let node = self.lower(&saved.tree, 0);
                self.saved.insert(&saved.id, node.map_or(SavedState::Broken, SavedState::Done));
                open.pop();
                continue;
            };
            let Some(next) = registry.saved.get(id) else { continue };
            match self.saved.get(id) {
                None => {
                    self.saved.insert(&next.id, SavedState::Open);
                    open.push(OpenSaved::new(next));
                }
                Some(SavedState::Open) => {
                    let circle =
                        open.iter().map(|open| &*open.saved.id).skip_while(|open| *open != id);
                    let chain: Vec<String> =
                        circle.chain([id]).map(|id| format!("`{}`", escape::name(id))).collect();
                    let message = format!("saved conditions form a cycle: {}", chain.join(" -> "));
                    self.report(
                        Diagnostic::new(&code::CYCLE, from, message)
                            .label(next.id_span, "the cycle starts and ends here")
                            .help("remove one of the references"),
                    );
                }
                Some(SavedState::Done(_) | SavedState::Broken) => {}
            }
        }
    }

    fn host(&mut self, host: &HostPrimitive, reference: &Ref, span: Span) -> Option<NodeId> {
        let args = self.host_args(host, reference, span)?;
        let predicate = match (host.primitive.build)(&Args(args.clone().unwrap_or_default())) {
            Ok(predicate) => predicate,
            Err(why) => {
                let place = reference.args.as_ref().map_or(span, |args| args.span);
                let message =
                    format!("`{}` rejects its arguments: {why}", escape::name(&reference.id));
                self.report(Diagnostic::new(&code::BAD_ARGS, place, message));
                return None;
            }
        };
        let reads = host.reads.iter().map(|path| self.path(path)).collect();
        let node = Node::Host(HostTest { id: (&*reference.id).into(), args, reads, predicate });
        self.extents.push(Extent { nodes: 1, depth: 1, fails: true });
        Some(self.set.nodes.push(node))
    }

    fn leaf_node(&mut self, path: PathId, leaf: Leaf) -> NodeId {
        let expected = leaf.test.expected(&self.set.patterns).unwrap_or_default();
        let key =
            NodeKey::Leaf(path, format!("{} {:?} {expected}", leaf.operator.name(), leaf.how));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        self.extents.push(Extent { nodes: 1, depth: 1, fails: false });
        let id = self.set.nodes.push(Node::Leaf(path, leaf));
        self.known.insert(key, id);
        id
    }

    fn branch(&mut self, key: NodeKey, span: Span) -> Option<NodeId> {
        match &key {
            NodeKey::All(children) => {
                let (node, children) = (Node::All(children.clone()), children.clone());
                self.branch_of(key, node, &children, span)
            }
            NodeKey::Any(children) => {
                let (node, children) = (Node::Any(children.clone()), children.clone());
                self.branch_of(key, node, &children, span)
            }
            NodeKey::Not(child) => {
                let child = *child;
                self.branch_of(key, Node::Not(child), &[child], span)
            }
            NodeKey::Saved(_) | NodeKey::Leaf(..) => None,
        }
    }

    fn branch_of(
        &mut self,
        key: NodeKey,
        node: Node,
        children: &[NodeId],
        span: Span,
    ) -> Option<NodeId> {
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let mut extent = Extent { nodes: 1, depth: 1, fails: false };
        for child in children {
            let child = self.extents[*child];
            extent.nodes = extent.nodes.saturating_add(child.nodes);
            extent.depth = extent.depth.max(child.depth + 1);
            extent.fails |= child.fails;
        }
        let limits = &self.registry.limits;
        if extent.nodes > limits.condition_nodes {
            let help =
                Limits::help_on("condition-nodes", limits.condition_nodes, SMALLER, |most| {
                    most.condition_nodes
                });
            self.too_large(span, "has more nodes", limits.condition_nodes, help);
            return None;
        }
        if extent.depth > limits.condition_depth {
            self.too_deep(span);
            return None;
        }
        self.extents.push(extent);
        let id = self.set.nodes.push(node);
        self.known.insert(key, id);
        Some(id)
    }

    fn too_deep(&mut self, span: Span) {
        let limits = self.registry.limits;
        let help = Limits::help_on("condition-depth", limits.condition_depth, SMALLER, |most| {
            most.condition_depth
        });
        self.too_large(span, "nests deeper", limits.condition_depth, help);
    }

    fn too_large(&mut self, span: Span, how: &str, limit: usize, help: String) {
        let message = format!("the condition {how} than the limit of {limit} once expanded");
        self.report(Diagnostic::new(&code::CONDITION_TOO_LARGE, span, message).help(help));
    }

    /// The id of a path. Every prefix gets an id too, so that it is looked up once.
    fn path(&mut self, path: &Path) -> PathId {
        if let Some(known) = self.known_paths.get(path) {
            return *known;
        }
        let (parent, step) = path.split_last_step();
        let parent = parent.map(|parent| self.path(&parent));
        let id = self.set.paths.push(PathEntry {
            parent,
            step,
            place: FirstPlace::default(),
            path: path.clone(),
            text: OnceLock::new(),
        });
        self.known_paths.insert(path.clone(), id);
        id
    }
}
