//! The guards of a lawbook, ready to decide.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use lawful_syntax::{Diagnostic, Span, escape, sort};

use super::codes::QUARANTINED_GUARD;
use super::decode::{self, Decoded};
use crate::book::{Book, MANIFEST, Opaque, Part, Protect, ProtectedPaths, folders};
use crate::code;
use crate::cond::{CondId, Condition, ConditionSet};
use crate::index::{IndexVec, ids};
use crate::live::field::Field;
use crate::live::{Action, EventKind, Host};
use crate::path::{Path, Segment};
use crate::react::{EVENT, STATE};
use crate::value::{Map, Value};

ids! {
    /// The number of a guard, in declaration order.
    pub GuardId;
}

/// A guard.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Its id.
    pub id: Box<str>,
    /// Where the id is written.
    pub id_span: Span,
    /// Where the guard is written.
    pub span: Span,
    /// The events that it decides on.
    pub on: On,
    /// Its condition, as written.
    pub when: Condition,
    pub(super) condition: CondId,
    /// What it decides.
    pub decision: Decision,
    /// Why, in the words of the author.
    pub reason: Box<str>,
    /// Where the reason is written.
    pub reason_span: Span,
}

/// The events that a guard decides on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct On {
    /// The kind of event.
    pub event: EventKind,
    /// The kinds of tools; empty for all.
    pub actions: Vec<Action>,
    /// The values that other fields must have: one of the list.
    pub fields: Vec<(Box<str>, Vec<Value>)>,
    /// Where it is written, if it is.
    pub span: Option<Span>,
}

impl Default for On {
    fn default() -> Self {
        Self { event: EventKind::ToolCall, actions: Vec::new(), fields: Vec::new(), span: None }
    }
}

impl On {
    /// Whether it includes this kind of event and this kind of tool.
    pub(super) fn includes(&self, event: EventKind, action: Option<Action>) -> bool {
        let listed = |action| self.actions.is_empty() || self.actions.contains(&action);
        self.event == event && action.is_none_or(listed)
    }

    /// The first field of an event that has another value.
    pub(super) fn differing(&self, event: &Value) -> Option<&(Box<str>, Vec<Value>)> {
        let same = |(field, values): &&(Box<str>, Vec<Value>)| {
            event.get(field).is_some_and(|value| values.contains(value))
        };
        self.fields.iter().find(|field| !same(field))
    }
}

/// What a guard decides. A later one takes precedence over an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// The call is allowed.
    Allow,
    /// A person is asked.
    Ask,
    /// The call is denied.
    Deny,
}

impl Decision {
    /// Every decision with its name, the strictest first.
    pub const NAMES: [(&'static str, Self); 3] =
        [("deny", Self::Deny), ("ask", Self::Ask), ("allow", Self::Allow)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

/// A guard with errors.
#[derive(Clone, Debug)]
pub(super) struct Quarantined {
    pub id: Option<Box<str>>,
    pub span: Span,
    /// What it decides on; everything, if that has errors too.
    pub on: Option<On>,
    /// Whether it denies: it is not certainly an `allow`.
    pub denies: bool,
}

impl Quarantined {
    pub(super) fn includes(&self, event: EventKind, action: Option<Action>) -> bool {
        self.on.as_ref().is_none_or(|on| on.includes(event, action))
    }
}

/// Every guard of a lawbook, and what its manifest protects.
#[derive(Debug)]
pub struct Guards {
    pub(super) all: IndexVec<GuardId, Guard>,
    pub(super) quarantined: Vec<Quarantined>,
    pub(super) conditions: ConditionSet,
    /// The guards by event and action.
    index: BTreeMap<(EventKind, Option<Action>), Vec<GuardId>>,
    pub(super) reads: Reads,
    /// Whether the condition of each guard reads something of one thing that a call touches.
    pub(super) per_thing: IndexVec<GuardId, bool>,
    /// The initial values of the declared variables.
    pub(super) initial: Map,
    pub(super) opaque: Option<Opaque>,
    /// Whether a guard that is not among these decides on shell lines.
    others_have_shell: bool,
    pub(super) protect: Protect,
    /// The files and folders of the lawbook, relative to its folder.
    pub(super) book_paths: Vec<Box<str>>,
    /// The patterns of `protect.paths`, for the first host that asks.
    protected: OnceLock<(Whose, ProtectedPaths)>,
}

/// The home folder and the project that patterns are compiled for.
type Whose = (Option<Box<str>>, Option<Box<str>>);

/// What the conditions of all guards read.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    /// The fields of the event.
    pub fields: BTreeSet<Box<str>>,
    /// The variables.
    pub variables: BTreeSet<Box<str>>,
}

impl Guards {
    /// Decodes the guards of a lawbook, and reports every problem.
    pub fn decode(book: &Book) -> (Self, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let mut conditions = book.registry.set();
        let mut found: Vec<Decoded> = Vec::new();
        for document in book.documents.iter().filter(|document| document.part == Part::Guards) {
            let Some(node) = &document.node else { continue };
            let mut decoded = decode::document(node, &mut conditions, &mut problems);
            if !document.sound {
                // It is complete enough to check, but not to decide by.
                for decoded in &mut decoded {
                    decoded.guard = None;
                }
            }
            found.extend(decoded);
        }
        let mut all = IndexVec::default();
        let mut quarantined = Vec::new();
        let mut places: BTreeMap<Box<str>, Span> = BTreeMap::new();
        for Decoded { id, span, on, denies, mut guard } in found {
            if let Some((id, id_span)) = &id {
                match places.get(id) {
                    None => drop(places.insert(id.clone(), *id_span)),
                    Some(first) => {
                        let message = format!("there are two guards `{}`", escape::name(id));
                        problems.push(
                            Diagnostic::new(&code::DUPLICATE_ID, *id_span, message)
                                .label(*first, "first defined here")
                                .help("rename one"),
                        );
                        guard = None;
                    }
                }
            }
            match guard {
                Some(guard) => drop(all.push(guard)),
                None => {
                    quarantined.push(Quarantined { id: id.map(|(id, _)| id), span, on, denies });
                }
            }
        }
        sort(&mut problems, &book.sources);
        let conditions = conditions.finish();
        let guards = Self {
            index: index(&all),
            reads: Reads::of(&conditions),
            per_thing: per_thing(&all, &conditions),
            all,
            quarantined,
            conditions,
            initial: initial(book),
            opaque: book.manifest.guards.opaque,
            others_have_shell: false,
            protect: book.manifest.protect.clone(),
            book_paths: book_paths(book),
            protected: OnceLock::new(),
        };
        (guards, problems)
    }

    /// The guards in declaration order, without those that have errors.
    pub fn all(&self) -> impl Iterator<Item = (GuardId, &Guard)> {
        self.all.ids().map(|id| (id, &self.all[id]))
    }

    /// A guard by its number.
    pub fn guard(&self, id: GuardId) -> &Guard {
        &self.all[id]
    }

    /// The warnings about guards with errors.
    pub fn left_out(&self) -> impl Iterator<Item = Diagnostic> {
        self.quarantined.iter().map(|guard| {
            let name = guard.id.as_ref().map(|id| format!("the guard `{}`", escape::name(id)));
            let name = name.unwrap_or_else(|| "a guard without an id".to_owned());
            let what = if guard.denies { "denies what it could apply to" } else { "is ignored" };
            let message = format!("{name} has errors and {what}");
            Diagnostic::new(&QUARANTINED_GUARD, guard.span, message)
                .help("`lawful check` reports the errors")
        })
    }

    /// The ids of guards with errors.
    pub(crate) fn left_out_ids(&self) -> impl Iterator<Item = &str> {
        self.quarantined.iter().filter_map(|guard| guard.id.as_deref())
    }

    /// The variables that conditions read.
    pub(crate) fn variable_ids(&self) -> impl Iterator<Item = &str> {
        self.reads.variables.iter().map(|name| &**name)
    }

    /// Whether a decision or a reason can depend on the session.
    pub fn reads_state(&self) -> bool {
        !self.reads.variables.is_empty()
            || self.all.ids().any(|id| self.all[id].reason.contains("${"))
    }

    /// The guards that decide on this kind of event and tool.
    pub(super) fn of(&self, event: EventKind, action: Option<Action>) -> &[GuardId] {
        self.index.get(&(event, action)).map_or(&[], Vec::as_slice)
    }

    /// Whether a guard decides on shell lines.
    pub(crate) fn has_shell(&self) -> bool {
        let (event, action) = (EventKind::ToolCall, Some(Action::Shell));
        self.others_have_shell
            || !self.of(event, action).is_empty()
            || self.quarantined.iter().any(|guard| guard.includes(event, action))
    }

    /// Says whether a guard of the whole lawbook decides on shell lines, if these are only some of its
    /// guards.
    #[must_use]
    pub(crate) fn of_whole(mut self, has_shell: bool) -> Self {
        self.others_have_shell = has_shell;
        self
    }

    /// Calls a function with the protected patterns.
    pub(super) fn with_protected<T>(
        &self,
        host: &Host,
        use_paths: impl FnOnce(&ProtectedPaths) -> T,
    ) -> T {
        let (home, project) = (host.home.as_deref(), host.project.as_deref());
        let compile = || self.protect.compile_in(home, project);
        let whose = || (host.home.clone(), host.project.clone());
        let (of, known) = self.protected.get_or_init(|| (whose(), compile()));
        if *of == whose() { use_paths(known) } else { use_paths(&compile()) }
    }
}

fn index(all: &IndexVec<GuardId, Guard>) -> BTreeMap<(EventKind, Option<Action>), Vec<GuardId>> {
    let mut index: BTreeMap<_, Vec<GuardId>> = BTreeMap::new();
    for id in all.ids() {
        let on = &all[id].on;
        if on.event != EventKind::ToolCall {
            index.entry((on.event, None)).or_default().push(id);
            continue;
        }
        for (_, action) in Action::NAMES {
            if on.includes(on.event, Some(action)) {
                index.entry((on.event, Some(action))).or_default().push(id);
            }
        }
    }
    index
}

fn per_thing(all: &IndexVec<GuardId, Guard>, conditions: &ConditionSet) -> IndexVec<GuardId, bool> {
    let of_thing = |path: &Path| match path.segments() {
        [Segment::Key(root), Segment::Key(field), ..] => {
            **root == *EVENT && Field::of_things().any(|known| *known.name == **field)
        }
        // The whole event.
        _ => true,
    };
    let mut per_thing = IndexVec::default();
    for id in all.ids() {
        per_thing.push(conditions.reads(all[id].condition).iter().any(|path| of_thing(path)));
    }
    per_thing
}

impl Reads {
    fn of(conditions: &ConditionSet) -> Self {
        let mut reads = Self::default();
        for path in conditions.paths() {
            if let [Segment::Key(root), Segment::Key(key), ..] = path.segments() {
                match &**root {
                    EVENT => drop(reads.fields.insert(key.clone())),
                    STATE => drop(reads.variables.insert(key.clone())),
                    _ => {}
                }
            }
        }
        reads
    }
}

fn initial(book: &Book) -> Map {
    let mut initial = Map::new();
    for variable in &book.manifest.variables {
        if let Some(value) = variable.initial.as_ref().and_then(Value::present) {
            initial.insert(variable.id.clone(), value.clone());
        }
    }
    initial
}

/// The manifest, the folders of the layout, and the documents that are elsewhere.
fn book_paths(book: &Book) -> Vec<Box<str>> {
    let mut paths: Vec<Box<str>> = vec![MANIFEST.into()];
    paths.extend(folders().map(Into::into));
    for document in &book.documents {
        let folder = document.path.split('/').next().unwrap_or_default();
        if !paths.iter().any(|known| **known == *folder) {
            paths.push((&*document.path).into());
        }
    }
    paths
}
