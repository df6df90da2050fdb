//! `list`: what a book contains, and the context that it reads.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, FileId, Sources, Span};

use super::Lawbook;
use crate::book::{Axis, Part, Persona, RoleSource};
use crate::compose::{
    Composition, Fragment, FragmentId, Layer, NICKEL_NOT_EVALUATED, page_placeholders,
};
use crate::diagnostics::Diagnostics;
use crate::error::Error;
use crate::guard::Guard;
use crate::path::Path;
use crate::policy::{Impact, Verb, impact};
use crate::react::RuleKind;
use crate::view::{
    AxisView, ListView, ListedComposition, ListedCondition, ListedFragment, ListedGuard,
    ListedRole, ListedRule, PlaceholderView,
};

/// A kind of thing that a book contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListKind {
    /// Compositions.
    Compositions,
    /// Fragments.
    Fragments,
    /// The rules of compositions, and the rules and reactions of `rules/`.
    Rules,
    /// Roles.
    Roles,
    /// Saved conditions.
    Conditions,
    /// Guards.
    Guards,
}

impl ListKind {
    /// Every kind, in the order of a list.
    pub const ALL: [Self; 6] = [
        Self::Compositions,
        Self::Fragments,
        Self::Rules,
        Self::Roles,
        Self::Conditions,
        Self::Guards,
    ];

    /// Its name, and its key in the JSON form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compositions => "compositions",
            Self::Fragments => "fragments",
            Self::Rules => "rules",
            Self::Roles => "roles",
            Self::Conditions => "conditions",
            Self::Guards => "guards",
        }
    }

    /// Whether errors in a part of the book make a list of this kind incomplete.
    fn depends_on(self, part: Part) -> bool {
        match part {
            Part::Manifest => true,
            Part::Fragment => matches!(self, Self::Compositions | Self::Fragments | Self::Roles),
            Part::Composition => self != Self::Conditions && self != Self::Guards,
            Part::Conditions => true,
            Part::Rules => self == Self::Rules,
            Part::Conditioning => self == Self::Roles,
            Part::Guards => self == Self::Guards,
            Part::Entry | Part::Rulespec | Part::Scenario | Part::Envelope => false,
        }
    }
}

impl Lawbook {
    /// Lists what the book contains. What has errors is left out and reported.
    ///
    /// The roles of a Nickel record are listed only if [`with_nickel`](Self::with_nickel) provided
    /// their values.
    ///
    /// ```
    /// use lawful::ListKind;
    ///
    /// let source = lawful::book::MemorySource::new()
    ///     .with("lawful.yaml", "{name: desk, axes: {tone: [warm, terse]}}")
    ///     .with("fragments/hello.md", "Greet ${customer.name}.")
    ///     .with("fragments/terse.md", "One sentence.")
    ///     .with(
    ///         "compositions/reply.yaml",
    ///         "{name: reply, base: [hello], rules: [{when: {tone: terse}, add: [terse]}]}",
    ///     );
    /// let book = lawful::Lawbook::load(&source)?;
    /// let list = book.list(&[ListKind::Compositions])?;
    /// let reply = &list.compositions.unwrap()[0];
    /// assert_eq!(reply.axes[0].path, "tone");
    /// assert_eq!(reply.placeholders[0].path, "customer.name");
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn list(&self, kinds: &[ListKind]) -> Result<ListView, Error> {
        self.ready_for(Verb::List)?;
        let mut problems = self.list_problems(kinds);
        let mut list = ListView::default();
        for kind in kinds {
            match kind {
                ListKind::Compositions => {
                    let all = self.compositions().all().iter();
                    list.compositions = Some(all.map(|one| self.listed_composition(one)).collect());
                }
                ListKind::Fragments => {
                    let all = self.compositions().fragments();
                    let all = all.map(|(id, fragment)| self.listed_fragment(id, fragment));
                    list.fragments = Some(all.collect());
                }
                ListKind::Rules => list.rules = Some(self.listed_rules()),
                ListKind::Roles => list.roles = Some(self.listed_roles(&mut problems)),
                ListKind::Conditions => list.conditions = Some(self.listed_conditions()),
                ListKind::Guards => list.guards = Some(self.listed_guards()),
            }
        }
        list.diagnostics = Diagnostics::new(problems, self.sources.clone());
        Ok(list)
    }

    /// The errors that make a list of these kinds incomplete.
    fn list_problems(&self, kinds: &[ListKind]) -> Vec<Diagnostic> {
        let decoded = self.decoded_compositions().1.iter().chain(&self.decoded_rules().1);
        let decoded = decoded.chain(&self.decoded_guards().1);
        let found = self.problems.iter().chain(decoded);
        let counts = |problem: &&Diagnostic| {
            let part = self.part_of(problem.span.file);
            let needed = part.is_none_or(|part| kinds.iter().any(|kind| kind.depends_on(part)));
            needed && impact(Verb::List, &self.book, problem) == Impact::Reported
        };
        found.filter(counts).cloned().collect()
    }

    fn part_of(&self, file: FileId) -> Option<Part> {
        let found = self.book.documents.iter().find(|document| document.file == file);
        found.map(|document| document.part)
    }

    fn listed_composition(&self, composition: &Composition) -> ListedComposition {
        let (file, line) = place(&self.sources, composition.name_span);
        let ContextUse { axes, reads, placeholders } = self.context_use(composition);
        ListedComposition {
            name: composition.name.to_string(),
            axes,
            reads,
            placeholders,
            rules: composition.rules.len(),
            file,
            line,
        }
    }

    /// The context that the rules of a composition and the fragments of its prompts read.
    fn context_use(&self, composition: &Composition) -> ContextUse {
        let compositions = self.compositions();
        let conditions = compositions.conditions();
        let read = composition.rules.iter().flat_map(|rule| conditions.reads(rule.condition));
        let read: Vec<&Path> = read.collect();
        let mut placeholders: Vec<(&Path, Option<&str>)> = Vec::new();
        for fragment in composition.brought().filter_map(|id| compositions.fragment(id)) {
            let own = fragment.placeholders().map(|(path, _)| (path, Some(&*fragment.id)));
            placeholders.extend(own);
        }
        ContextUse::of(&self.book.manifest.axes, &read, &placeholders)
    }

    fn listed_fragment(&self, id: FragmentId, fragment: &Fragment) -> ListedFragment {
        let users = self.compositions().all().iter();
        let users = users.filter(|composition| composition.mention(id).is_some());
        ListedFragment {
            id: fragment.id.to_string(),
            title: fragment.title.clone(),
            kind: fragment.kind.as_deref().map(str::to_owned),
            tags: fragment.tags.iter().map(ToString::to_string).collect(),
            layer: fragment.layer.map(Layer::name),
            teaches: fragment.teaches.iter().map(|(name, _)| name.to_string()).collect(),
            placeholders: distinct(fragment.placeholders().map(|(path, _)| path.to_string())),
            compositions: users.map(|composition| composition.name.to_string()).collect(),
            file: place(&self.sources, Span::start_of(fragment.file)).0,
        }
    }

    fn listed_rules(&self) -> Vec<ListedRule> {
        let mut out = Vec::new();
        for composition in self.compositions().all() {
            for (index, rule) in composition.rules.iter().enumerate() {
                let (file, line) = place(&self.sources, rule.span);
                out.push(ListedRule {
                    id: composition.rule_id(index).map(str::to_owned),
                    index,
                    composition: Some(composition.name.to_string()),
                    kind: rule.action.kind().name(),
                    file,
                    line,
                });
            }
        }
        for (index, (_, rule)) in self.rules().all().enumerate() {
            let (file, line) = place(&self.sources, rule.span);
            out.push(ListedRule {
                id: Some(rule.id.to_string()),
                index,
                composition: None,
                kind: match rule.kind {
                    RuleKind::Rule => "rule",
                    RuleKind::Reaction => "reaction",
                },
                file,
                line,
            });
        }
        out
    }

    fn listed_roles(&self, problems: &mut Vec<Diagnostic>) -> Vec<ListedRole> {
        let Some(conditioning) = &self.book.manifest.conditioning else { return Vec::new() };
        let mut roles = match &conditioning.roles {
            RoleSource::Personas(personas) => {
                personas.iter().map(|(role, persona)| self.listed_role(role, persona)).collect()
            }
            RoleSource::Nickel(path, span) => {
                let Some(nickel) = &self.nickel else {
                    let message = "the roles are in a Nickel record, which was not evaluated";
                    problems.push(
                        Diagnostic::new(&NICKEL_NOT_EVALUATED, *span, message)
                            .help("evaluate it and pass the values to `Lawbook::with_nickel`"),
                    );
                    return Vec::new();
                };
                let file = self.file_of(path);
                let role = |name: &String| ListedRole {
                    name: name.clone(),
                    main: false,
                    composition: None,
                    file: file.clone(),
                    axes: Vec::new(),
                    reads: Vec::new(),
                    placeholders: Vec::new(),
                };
                nickel.roles.keys().map(role).collect::<Vec<_>>()
            }
        };
        let named = conditioning.main.as_ref().map(|(main, _)| &**main);
        let main = named.or(roles.first().map(|role| &*role.name)).map(str::to_owned);
        for role in &mut roles {
            role.main = Some(&role.name) == main.as_ref();
        }
        roles
    }

    fn listed_role(&self, role: &str, persona: &Persona) -> ListedRole {
        let axes = &self.book.manifest.axes;
        let (composition, file, read) = match persona {
            Persona::Composition(name, _) => {
                let found = self.compositions().get(name).ok();
                let file = found.and_then(|found| place(&self.sources, found.name_span).0);
                let read = found.map(|found| self.context_use(found)).unwrap_or_default();
                (Some(name.clone()), file, read)
            }
            Persona::File(path, _) => {
                let found = self.book.documents.iter().find(|document| document.path == *path);
                let page = found.and_then(|document| document.page.as_ref());
                let paths = page.map(|page| page_placeholders(page.body, &self.book.sources));
                let paths = paths.unwrap_or_default();
                let placeholders: Vec<_> = paths.iter().map(|path| (path, None)).collect();
                (None, self.file_of(path), ContextUse::of(axes, &[], &placeholders))
            }
        };
        let ContextUse { axes, reads, placeholders } = read;
        let name = role.to_owned();
        ListedRole { name, main: false, composition, file, axes, reads, placeholders }
    }

    fn file_of(&self, path: &str) -> Option<String> {
        let found = self.book.documents.iter().find(|document| document.path == path)?;
        place(&self.sources, Span::start_of(found.file)).0
    }

    fn listed_guards(&self) -> Vec<ListedGuard> {
        let listed = |guard: &Guard| {
            let (file, line) = place(&self.sources, guard.id_span);
            let actions = guard.on.actions.iter().map(|action| action.name()).collect();
            ListedGuard {
                id: guard.id.to_string(),
                event: guard.on.event.name(),
                actions,
                decision: guard.decision.name(),
                reason: guard.reason.to_string(),
                file,
                line,
            }
        };
        self.guards().all().map(|(_, guard)| listed(guard)).collect()
    }

    fn listed_conditions(&self) -> Vec<ListedCondition> {
        let mut out = Vec::new();
        for saved in self.book.registry.saved() {
            // One with errors is reported.
            let Ok((set, condition, _)) = self.book.registry.compile(&saved.tree) else { continue };
            let (file, line) = place(&self.sources, saved.id_span);
            out.push(ListedCondition {
                id: saved.id.to_string(),
                reads: set.reads(condition).into_iter().map(ToString::to_string).collect(),
                condition: saved.tree.to_value(),
                file,
                line,
            });
        }
        out
    }
}

/// The part of the context that is read.
#[derive(Default)]
struct ContextUse {
    axes: Vec<AxisView>,
    reads: Vec<String>,
    placeholders: Vec<PlaceholderView>,
}

impl ContextUse {
    /// What conditions read, and placeholders with their fragments.
    fn of(axes: &[Axis], read: &[&Path], placeholders: &[(&Path, Option<&str>)]) -> Self {
        let overlap = |axis: &Axis, path: &Path| {
            let (axis, path) = (axis.path.segments(), path.segments());
            axis.starts_with(path) || path.starts_with(axis)
        };
        let is_read = |axis: &&Axis| {
            let used = placeholders.iter().map(|(path, _)| *path);
            read.iter().copied().chain(used).any(|path| overlap(axis, path))
        };
        let undeclared = read.iter().filter(|path| !axes.iter().any(|axis| overlap(axis, path)));
        Self {
            axes: axes
                .iter()
                .filter(is_read)
                .map(|axis| AxisView { path: axis.path.to_string(), values: axis.values.clone() })
                .collect(),
            reads: distinct(undeclared.map(ToString::to_string)),
            placeholders: distinct(placeholders.iter().map(|(path, fragment)| PlaceholderView {
                path: path.to_string(),
                fragment: fragment.map(str::to_owned),
            })),
        }
    }
}

/// Each item once, at its first place.
fn distinct<T: Clone + Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    items.filter(|item| seen.insert(item.clone())).collect()
}

/// The file and the line of a place.
fn place(sources: &Sources, span: Span) -> (Option<String>, Option<usize>) {
    let found = sources.locate(span);
    (found.map(|(file, _)| file.name().to_owned()), found.map(|(_, at)| at.line))
}
