//! The rules of a lawbook, ready to run.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Node, Span, escape, sort};

use super::action::Action;
use super::codes::QUARANTINED_RULE;
use super::decode::broken::BrokenWrite;
use super::decode::{Context, Decoded, document};
use super::entry::Entry;
use super::index::Index;
use super::keyword::{self, Keywords};
use super::source::RESERVED;
use super::trigger::{Test, Trigger};
use super::trust::{Trust, Unused, WholeTrust};
use super::variables::{Declared, root};
use crate::book::{Book, Part};
use crate::code;
use crate::cond::{CondId, Condition, ConditionSet};
use crate::index::{IndexVec, ids};
use crate::insertion::Insertions;
use crate::limits::Cascade;
use crate::path::Path;
use crate::value::Number;

ids! {
    /// The number of a rule or reaction: rules first, each in declaration order.
    pub RuleId;
}

/// A rule or a reaction.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its id; rules and reactions share one namespace.
    pub id: Box<str>,
    /// Where the id is written.
    pub id_span: Span,
    /// Whether it is a rule or a reaction.
    pub kind: RuleKind,
    /// Where it is written.
    pub span: Span,
    /// When it is evaluated.
    pub trigger: Trigger,
    /// Its condition, as written.
    pub when: Condition,
    pub(super) condition: CondId,
    /// What it does.
    pub actions: Vec<Action>,
    /// Rules with a higher priority act first.
    pub priority: Number,
    /// Whether it is on by default.
    pub enabled: bool,
    /// How many turns after a firing it may fire again.
    pub cooldown: u64,
    /// The maximum number of firings in a session.
    pub max_fires: Option<u64>,
}

/// How a rule is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleKind {
    /// With a `trigger` and `actions`.
    Rule,
    /// With a `when` and a `then`.
    Reaction,
}

/// Every rule, reaction and entry of a lawbook.
#[derive(Debug)]
pub struct Rules {
    pub(super) all: IndexVec<RuleId, Rule>,
    pub(super) by_id: BTreeMap<Box<str>, RuleId>,
    /// The ids of ignored rules, with the warning for every step.
    pub(super) quarantined: Vec<(Option<Box<str>>, Diagnostic)>,
    pub(super) conditions: ConditionSet,
    pub(super) patterns: ConditionSet,
    pub(super) keywords: Keywords,
    pub(super) index: Index,
    pub(super) entries: Vec<Entry>,
    pub(super) declared: Declared,
    /// What may stand in the system layer.
    pub(super) trust: Trust,
    /// The paths that conditions read, for the rules whose conditions read the event, or variables
    /// under `state`.
    pub(super) projected: BTreeMap<RuleId, Vec<Path>>,
    pub(super) limits: Cascade,
}

impl Rules {
    /// Decodes the rules, reactions and entries of a lawbook, and reports every problem.
    pub fn decode(book: &Book) -> (Self, Vec<Diagnostic>) {
        let documents = book.documents.iter().filter(|document| document.part == Part::Rules);
        let documents = documents.map(|document| (document.node.as_ref(), document.sound));
        Self::decode_from(book, documents, None)
    }

    /// Decodes some rules of a lawbook without errors. What depends on all rules is given. `None` if
    /// one is found nevertheless.
    pub(crate) fn decode_part(book: &Book, documents: &[Node], whole: &WholeTrust) -> Option<Self> {
        let documents = documents.iter().map(|node| (Some(node), true));
        let (rules, problems) = Self::decode_from(book, documents, Some(whole));
        (!problems.iter().any(Diagnostic::is_error)).then_some(rules)
    }

    /// What is trusted because of all rules.
    pub(crate) fn whole_trust(&self) -> WholeTrust {
        self.trust.whole()
    }

    /// Decodes documents of rules; the flag says whether a document has no errors.
    fn decode_from<'n>(
        book: &Book,
        documents: impl Iterator<Item = (Option<&'n Node>, bool)>,
        whole: Option<&WholeTrust>,
    ) -> (Self, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let mut conditions = book.registry.set();
        let mut patterns = book.registry.set();
        let mut keywords = keyword::Builder::default();
        let limits = &book.manifest.limits;
        let of = |part: Part| book.documents.iter().filter(move |document| document.part == part);
        let mut found: Vec<Decoded> = Vec::new();
        // Whether every rule was read, even if it has errors.
        let mut complete = true;
        for (node, sound) in documents {
            complete &= sound;
            let Some(node) = node else { continue };
            let mut context = Context {
                conditions: &mut conditions,
                patterns: &mut patterns,
                keywords: &mut keywords,
                limits,
                problems: &mut problems,
            };
            let (mut decoded, recognised) = document(node, &mut context);
            complete &= recognised;
            if !sound {
                // It is complete enough to check, but not to run.
                for decoded in &mut decoded {
                    decoded.rule = None;
                }
            }
            found.extend(decoded);
        }
        // The sort is stable: rules before reactions, each in declaration order.
        found.sort_by_key(|decoded| decoded.kind);
        let mut rules = Collected::default();
        for decoded in found {
            rules.add(decoded, &mut keywords, &mut problems);
        }
        let mut entries: Vec<Entry> = Vec::new();
        for document in of(Part::Entry) {
            let entry = Entry::decode(document, &book.sources, &mut problems);
            let Some(entry) = entry else { continue };
            match entries.iter().find(|known| known.id == entry.id) {
                None => entries.push(entry),
                Some(first) => {
                    problems.push(duplicate_id("entry", &entry.id, entry.id_span, first.id_span));
                }
            }
        }
        let (keywords, problem) = keywords.finish();
        problems.extend(problem);
        sort(&mut problems, &book.sources);
        let Collected { all, by_id, quarantined, ignored, broken, .. } = rules;
        // A state is written as `{"variables": …}`, which adds one level.
        let depth = limits.document.depth.saturating_sub(1);
        let declared = Declared::new(&book.manifest.variables, depth);
        let conditions = conditions.finish();
        let rules = Self {
            index: Index::new(&all),
            trust: match whole {
                Some(whole) => Trust::known(whole, &declared),
                None => {
                    let unused = Unused { rules: ignored, writes: broken, complete };
                    Trust::new(&all, &unused, &declared)
                }
            },
            projected: projected(&all, &conditions),
            all,
            by_id,
            quarantined,
            conditions,
            patterns: patterns.finish(),
            keywords,
            entries,
            declared,
            limits: limits.cascade,
        };
        (rules, problems)
    }

    /// The rules and reactions in declaration order, rules first.
    pub fn all(&self) -> impl Iterator<Item = (RuleId, &Rule)> {
        self.all.ids().map(|id| (id, &self.all[id]))
    }

    /// A rule by its number.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.all[id]
    }

    /// A rule by its id.
    pub fn get(&self, id: &str) -> Option<&Rule> {
        self.by_id.get(id).map(|id| &self.all[*id])
    }

    /// The warnings about ignored rules, for every step.
    pub fn left_out(&self) -> impl Iterator<Item = &Diagnostic> {
        self.quarantined.iter().map(|(_, problem)| problem)
    }

    /// The ids of the ignored rules; `None` for a rule without one.
    pub fn left_out_ids(&self) -> impl Iterator<Item = Option<&str>> {
        self.quarantined.iter().map(|(id, _)| id.as_deref())
    }

    /// Whether a placeholder of the system layer may show what a path reads.
    pub(crate) fn may_show(&self, path: &Path) -> bool {
        let trusted = Some(self.trust.variables().clone());
        !Insertions { trusted, ..Insertions::default() }.withholds(path)
    }

    /// The entries, in the order of their files.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

/// What the conditions that read more than bare variables read.
fn projected(
    all: &IndexVec<RuleId, Rule>,
    conditions: &ConditionSet,
) -> BTreeMap<RuleId, Vec<Path>> {
    let is_special = |path: &Path| root(path).is_some_and(|root| RESERVED.contains(&root));
    if !conditions.paths().any(is_special) {
        return BTreeMap::new();
    }
    let reads = |id: RuleId| {
        let reads = conditions.reads(all[id].condition);
        let special = reads.iter().any(|path| is_special(path));
        special.then(|| (id, reads.into_iter().cloned().collect()))
    };
    all.ids().filter_map(reads).collect()
}

#[derive(Default)]
struct Collected {
    all: IndexVec<RuleId, Rule>,
    by_id: BTreeMap<Box<str>, RuleId>,
    places: BTreeMap<Box<str>, Span>,
    quarantined: Vec<(Option<Box<str>>, Diagnostic)>,
    /// Rules that are ignored because of their ids.
    ignored: Vec<Rule>,
    /// The writes of rules that could not be decoded.
    broken: Vec<BrokenWrite>,
}

impl Collected {
    fn add(
        &mut self,
        decoded: Decoded,
        keywords: &mut keyword::Builder,
        problems: &mut Vec<Diagnostic>,
    ) {
        let Decoded { id, span, mut rule, broken, .. } = decoded;
        self.broken.extend(broken);
        if let Some((id, id_span)) = &id {
            match self.places.get(id) {
                None => drop(self.places.insert(id.clone(), *id_span)),
                Some(first) => {
                    problems.push(duplicate_id("rule", id, *id_span, *first));
                    self.ignored.extend(rule.take().map(|(rule, _)| rule));
                }
            }
        }
        match rule {
            Some((rule, written)) => {
                let name = rule.id.clone();
                let sides: Vec<keyword::Side> =
                    rule.trigger.tests.iter().filter_map(side).collect();
                let id = self.all.push(rule);
                if let (Some(written), Some(side)) = (&written, sides.first()) {
                    keywords.add(written, id, *side);
                }
                self.by_id.insert(name, id);
            }
            None => {
                let name = id.as_ref().map(|(id, _)| format!("the rule `{}`", escape::name(id)));
                let name = name.unwrap_or_else(|| "a rule without an id".to_owned());
                let message = format!("{name} has errors and is ignored");
                let problem = Diagnostic::new(&QUARANTINED_RULE, span, message)
                    .help("`lawful check` reports the errors");
                self.quarantined.push((id.map(|(id, _)| id), problem));
            }
        }
    }
}

fn side(test: &Test) -> Option<keyword::Side> {
    match test {
        Test::Keywords(side) => Some(*side),
        Test::Fields { .. } | Test::Changed(_) | Test::Crossed { .. } | Test::Turn { .. } => None,
    }
}

fn duplicate_id(what: &str, id: &str, span: Span, first: Span) -> Diagnostic {
    let plural = if what == "entry" { "entries".to_owned() } else { format!("{what}s") };
    let message = format!("there are two {plural} `{}`", escape::name(id));
    Diagnostic::new(&code::DUPLICATE_ID, span, message)
        .label(first, "first defined here")
        .help("rename one")
}
