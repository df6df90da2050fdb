//! The compositions of a book, and how one is resolved.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Node, Sources, Span, did_you_mean, escape, nearest, sort};

use super::cascade::{self, Effect, Row};
use super::codes::{UNKNOWN_COMPOSITION, UNKNOWN_FRAGMENT};
use super::decode::{Action, ActionKind, Composition, Context, Rule, decode};
use super::fragment::{Fragment, FragmentId, Layer};
use super::render::{Prompt, render};
use crate::book::{Book, Part};
use crate::code;
use crate::cond::{ConditionSet, Explanation, Outcome, Outcomes, Surface};
use crate::index::IndexVec;
use crate::insertion::Insertions;
use crate::path::Segment;
use crate::value::Value;

/// Every fragment and composition of a book, ready to resolve.
#[derive(Debug)]
pub struct Compositions {
    names: IndexVec<FragmentId, Box<str>>,
    by_name: BTreeMap<Box<str>, FragmentId>,
    fragments: IndexVec<FragmentId, Option<Fragment>>,
    all: Vec<Composition>,
    /// The names of compositions with errors.
    broken: Vec<Box<str>>,
    conditions: ConditionSet,
    /// The paths that rules read, in rule order.
    paths: Vec<String>,
}

/// The result of resolving a composition in a context.
#[derive(Debug)]
pub struct Resolution {
    /// The final ids, in order, including unknown ones.
    pub order: Vec<FragmentId>,
    /// The fragment that is the persona.
    pub persona: Option<FragmentId>,
    /// The rendered text.
    pub prompt: Prompt,
    /// The explanation.
    pub trace: Trace,
}

/// The explanation of a resolution.
#[derive(Debug)]
pub struct Trace {
    /// One row for each rule.
    pub rows: Vec<Row>,
    /// The effects of all rules, in order.
    pub effects: Vec<Effect>,
    /// The last rule that added each id.
    pub brought_by: Vec<(FragmentId, usize)>,
    /// Every id that a rule forbids.
    pub forbidden: Vec<FragmentId>,
    /// The context keys that only rules that did not fire name.
    pub unmatched: Vec<String>,
    /// All warnings.
    pub warnings: Vec<Diagnostic>,
    outcomes: Outcomes,
}

impl Trace {
    /// What a rule did, if it fired.
    pub fn effects_of(&self, row: &Row) -> &[Effect] {
        self.effects.get(row.effects.clone()).unwrap_or_default()
    }
}

impl Compositions {
    /// Decodes the fragments and compositions of a book, and reports their problems.
    pub fn decode(book: &Book) -> (Self, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let mut names = IndexVec::default();
        let mut by_name: BTreeMap<Box<str>, FragmentId> = BTreeMap::new();
        let mut intern = |name: &str| match by_name.get(name) {
            Some(id) => *id,
            None => {
                let id = names.push(Box::from(name));
                by_name.insert(name.into(), id);
                id
            }
        };
        let of = |part: Part| book.documents.iter().filter(move |document| document.part == part);
        let mut found: Vec<(FragmentId, Fragment)> = Vec::new();
        for document in of(Part::Fragment) {
            let before = problems.len();
            let fragment = Fragment::decode(document, &book.sources, &mut problems);
            let Some(fragment) = fragment else { continue };
            let own = problems.get(before..).unwrap_or_default();
            let broken = !document.sound || own.iter().any(Diagnostic::is_error);
            let id = intern(&fragment.id);
            match found.iter().find(|(known, _)| *known == id) {
                None => found.push((id, fragment)),
                // Its id may be a guess; its own error comes first.
                Some(_) if broken && fragment.named_by_file => {}
                Some((_, first)) => {
                    let (id, span) = (&fragment.id, fragment.id_span);
                    let by_file = fragment.named_by_file || first.named_by_file;
                    let help = "rename one of the files, or give it an `id`";
                    let taken = taken("fragment", id, span, first.id_span);
                    problems.push(if by_file { taken.help(help) } else { taken });
                }
            }
        }
        let mut set = book.registry.set();
        let mut compositions: Vec<Composition> = Vec::new();
        let mut broken = Vec::new();
        for document in of(Part::Composition) {
            let Some(node) = &document.node else { continue };
            let mut compile =
                |condition: &crate::cond::Condition| set.add(condition, Surface::When);
            let mut context =
                Context { intern: &mut intern, compile: &mut compile, problems: &mut problems };
            let Some(composition) = decode(node, &mut context) else {
                broken.extend(node.get("name").and_then(Node::as_text).map(Box::from));
                continue;
            };
            match compositions.iter().find(|known| known.name == composition.name) {
                None => compositions.push(composition),
                Some(first) => problems.push(taken(
                    "composition",
                    &composition.name,
                    composition.name_span,
                    first.name_span,
                )),
            }
        }
        let mut fragments = IndexVec::filled(None, names.len());
        for (id, fragment) in found {
            fragments[id] = Some(fragment);
        }
        sort(&mut problems, &book.sources);
        let conditions = set.finish();
        let mut paths: Vec<String> = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for composition in &mut compositions {
            let mut readers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (at, rule) in composition.rules.iter().enumerate() {
                for path in conditions.reads(rule.condition) {
                    let path = path.to_string();
                    let index = *known.entry(path.clone()).or_insert_with(|| {
                        paths.push(path);
                        paths.len() - 1
                    });
                    readers.entry(index).or_default().push(at);
                }
            }
            composition.readers = readers.into_iter().collect();
        }
        let all = compositions;
        (Self { names, by_name, fragments, all, broken, conditions, paths }, problems)
    }

    /// The compositions, in the order of their files.
    pub fn all(&self) -> &[Composition] {
        &self.all
    }

    /// The conditions of all rules.
    pub fn conditions(&self) -> &ConditionSet {
        &self.conditions
    }

    /// A composition by its name.
    pub fn get(&self, name: &str) -> Result<&Composition, Box<Diagnostic>> {
        let found = self.all.iter().find(|composition| &*composition.name == name);
        found.ok_or_else(|| {
            let names = self.all.iter().map(|composition| &*composition.name);
            let message = format!("unknown composition `{}`", escape::name(name));
            let help = did_you_mean("composition", name, names);
            Box::new(Diagnostic::new(&UNKNOWN_COMPOSITION, Span::NONE, message).help(help))
        })
    }

    /// The names of compositions that are left out because they have errors.
    pub(crate) fn broken(&self) -> &[Box<str>] {
        &self.broken
    }

    /// The variables of a session that rules and fragments read.
    pub(crate) fn variable_ids(&self) -> impl Iterator<Item = &str> {
        let conditions = self.conditions.paths();
        let placeholders = self.fragments.ids().filter_map(|id| self.fragments[id].as_ref());
        let placeholders = placeholders.flat_map(Fragment::placeholders).map(|(path, _)| path);
        conditions.chain(placeholders).filter_map(|path| match path.segments() {
            [Segment::Key(root), Segment::Key(name), ..] if **root == *"state" => Some(&**name),
            _ => None,
        })
    }

    /// The name of an id.
    pub fn name(&self, id: FragmentId) -> &str {
        &self.names[id]
    }

    /// The id of a name, if the book mentions it.
    pub fn id(&self, name: &str) -> Option<FragmentId> {
        self.by_name.get(name).copied()
    }

    /// The fragment with an id, if it exists.
    pub fn fragment(&self, id: FragmentId) -> Option<&Fragment> {
        self.fragments[id].as_ref()
    }

    /// Every fragment with its id, sorted by name.
    pub fn fragments(&self) -> impl Iterator<Item = (FragmentId, &Fragment)> {
        self.by_name.values().filter_map(|id| Some((*id, self.fragment(*id)?)))
    }

    /// Resolves a composition. `with_lists` stores the list after each rule in the trace; it has no
    /// other effect.
    pub fn resolve(
        &self,
        composition: &Composition,
        context: &Value,
        sources: &Sources,
        with_lists: bool,
    ) -> Resolution {
        let insertions = Insertions::default();
        self.resolve_with(composition, context, &insertions, sources, with_lists)
    }

    /// Resolves a composition with what a session inserts around the persona, at the top or at the
    /// bottom. Insertions into the history are not part of the prompt.
    pub fn resolve_with(
        &self,
        composition: &Composition,
        context: &Value,
        insertions: &Insertions,
        sources: &Sources,
        with_lists: bool,
    ) -> Resolution {
        let mut run = self.conditions.run(context);
        let decided: Vec<Outcome> =
            composition.rules.iter().map(|rule| run.outcome(rule.condition)).collect();
        let outcomes = run.finish();
        let mut warnings: Vec<Diagnostic> = composition
            .rules
            .iter()
            .zip(&decided)
            .filter(|(_, outcome)| **outcome == Outcome::Error)
            .map(|(rule, _)| undecided(&rule.action, rule.span))
            .collect();
        let fired = fired(composition, &decided);
        let mut found = self.cascade(composition, &fired, with_lists);
        warnings.append(&mut found.warnings);
        let persona = composition.persona.map(|(id, _)| id).or(found.order.first().copied());
        let inserted = (persona, insertions);
        let order = &found.order;
        let prompt = self.render(composition, order, inserted, context, sources, &mut warnings);
        let trace = Trace {
            rows: found.rows,
            effects: found.effects,
            brought_by: found.brought_by,
            forbidden: found.forbidden,
            unmatched: self.unmatched(composition, &fired),
            warnings,
            outcomes,
        };
        Resolution { order: found.order, persona, prompt, trace }
    }

    pub(crate) fn cascade(
        &self,
        composition: &Composition,
        fired: &[bool],
        with_lists: bool,
    ) -> cascade::Outcome {
        let fires = |index: usize| fired.get(index).copied().unwrap_or(false);
        let name = |id: FragmentId| self.name(id);
        cascade::run(composition, fires, self.names.len(), &name, with_lists)
    }

    /// Only the final order in a context.
    pub(super) fn order_in(&self, composition: &Composition, context: &Value) -> Vec<FragmentId> {
        let mut run = self.conditions.run(context);
        let decided: Vec<Outcome> =
            composition.rules.iter().map(|rule| run.outcome(rule.condition)).collect();
        self.cascade(composition, &fired(composition, &decided), false).order
    }

    /// The bodies of fragments in this order, with placeholders unfilled.
    pub fn template<'s>(&self, order: &[FragmentId], sources: &'s Sources) -> Vec<&'s str> {
        let bodies = order.iter().filter_map(|id| self.fragment(*id));
        bodies.map(|fragment| sources.slice(fragment.body)).collect()
    }

    /// The prompt from fragments in this order, in a context.
    pub fn prompt(
        &self,
        composition: &Composition,
        order: &[FragmentId],
        context: &Value,
        sources: &Sources,
    ) -> Prompt {
        self.render(
            composition,
            order,
            (None, &Insertions::default()),
            context,
            sources,
            &mut Vec::new(),
        )
    }

    /// The fragments of a layer, sorted by name, rendered in a context.
    pub fn layer(
        &self,
        layer: Layer,
        (context, insertions): (&Value, &Insertions),
        sources: &Sources,
        warnings: &mut Vec<Diagnostic>,
    ) -> Prompt {
        let own = self.fragments().filter(|(_, fragment)| fragment.layer == Some(layer));
        let order: Vec<FragmentId> = own.map(|(id, _)| id).collect();
        let find = |id: FragmentId| self.fragment(id).ok_or_else(|| self.unknown(id, Span::NONE));
        render(&order, (None, insertions), find, context, sources, warnings)
    }

    fn render(
        &self,
        composition: &Composition,
        order: &[FragmentId],
        inserted: (Option<FragmentId>, &Insertions),
        context: &Value,
        sources: &Sources,
        warnings: &mut Vec<Diagnostic>,
    ) -> Prompt {
        let find = |id: FragmentId| {
            self.fragment(id)
                .ok_or_else(|| self.unknown(id, composition.mention(id).unwrap_or(Span::NONE)))
        };
        render(order, inserted, find, context, sources, warnings)
    }

    /// The warning for an unknown fragment.
    pub(crate) fn unknown(&self, id: FragmentId, place: Span) -> Diagnostic {
        let name = self.name(id);
        let message = format!("unknown fragment `{}`", escape::name(name));
        let names: Vec<&str> = self.fragments().map(|(_, fragment)| &*fragment.id).collect();
        let help = match nearest(name, names).as_slice() {
            [] => "write the fragment, or correct the id".to_owned(),
            [near, ..] => format!("a fragment with a similar name exists: `{near}`"),
        };
        Diagnostic::new(&UNKNOWN_FRAGMENT, place, message).help(help)
    }

    /// Explains why a rule fired or did not.
    pub fn why(
        &self,
        composition: &Composition,
        rule: usize,
        context: &Value,
        trace: &Trace,
    ) -> Option<Explanation> {
        let condition = composition.rules.get(rule)?.condition;
        Some(self.conditions.explain(condition, context, &trace.outcomes))
    }

    fn unmatched(&self, composition: &Composition, fired: &[bool]) -> Vec<String> {
        let fires = |rule: &usize| fired.get(*rule).copied().unwrap_or(false);
        let missed = composition.readers.iter().filter(|(_, rules)| !rules.iter().any(fires));
        missed.filter_map(|(path, _)| self.paths.get(*path).cloned()).collect()
    }
}

/// Whether each rule fires: if its condition is true, and for a `forbid` also if it is an error.
pub(super) fn fired(composition: &Composition, decided: &[Outcome]) -> Vec<bool> {
    let fires = |(rule, outcome): (&Rule, &Outcome)| match outcome {
        Outcome::True => true,
        Outcome::Error => rule.action.kind() == ActionKind::Forbid,
        Outcome::False | Outcome::NotEvaluated => false,
    };
    composition.rules.iter().zip(decided).map(fires).collect()
}

fn undecided(action: &Action, span: Span) -> Diagnostic {
    let side = match action.kind() {
        ActionKind::Forbid => "so the `forbid` applies",
        ActionKind::Replace | ActionKind::Add | ActionKind::Order => "so the rule does not apply",
    };
    Diagnostic::new(
        &code::UNDECIDED_RULE,
        span,
        format!("the condition could not be evaluated, {side}"),
    )
    .help("see the explanation of the rule for the primitive that failed")
}

pub(super) fn taken(what: &str, name: &str, span: Span, first: Span) -> Diagnostic {
    let message = format!("duplicate {what} `{}`", escape::name(name));
    Diagnostic::new(&code::DUPLICATE_ID, span, message)
        .label(first, "the first one")
        .help("rename one")
}
