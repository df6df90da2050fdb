//! The names that scenarios use, and whether the lawbook has them.
//!
//! Decoding collects every name with its kind and its place. So one loop checks all of them, and a
//! new kind of name cannot be forgotten.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Severity, Span, did_you_mean, escape, nearest};

use super::codes::UNKNOWN_NAME;
use crate::book::{Book, RoleSource};
use crate::compose::{Compositions, Evaluated};
use crate::guard::{BUILT_IN_GUARDS, Guards};
use crate::react::Rules;
use crate::verify::Rulespec;

/// A name that a scenario uses.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub kind: NameKind,
    pub name: Box<str>,
    pub span: Span,
}

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameKind {
    Rule,
    CompositionRule,
    /// A guard, or what else can decide.
    Guard,
    Predicate,
    Composition,
    Role,
    Directive,
    Variable,
    /// A part of a prompt: a fragment, an entry, a directive, the core or the persona.
    Section,
    Action,
    /// The type of an event of the host.
    Event,
}

impl NameKind {
    fn what(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::CompositionRule => "rule of a composition",
            Self::Guard => "guard",
            Self::Predicate => "predicate",
            Self::Composition => "composition",
            Self::Role => "role",
            Self::Directive => "directive",
            Self::Variable => "variable",
            Self::Section => "fragment",
            Self::Action => "action",
            Self::Event => "event",
        }
    }
}

/// What a lawbook has, by name.
pub(crate) struct Names<'b> {
    rules: BTreeSet<&'b str>,
    composition_rules: BTreeSet<&'b str>,
    guards: BTreeSet<&'b str>,
    /// `None` if the rulespec cannot be decoded.
    predicates: Option<BTreeSet<String>>,
    compositions: BTreeSet<&'b str>,
    /// `None` if they are not known, because Nickel was not evaluated.
    roles: Option<BTreeSet<String>>,
    directives: BTreeSet<&'b str>,
    variables: BTreeSet<&'b str>,
    /// Whether the manifest declares the variables, so that there are no others.
    declared: bool,
    fragments: BTreeSet<&'b str>,
    entries: BTreeSet<&'b str>,
    /// `None` if any action may have an effect.
    actions: Option<BTreeSet<&'b str>>,
    /// The rules that react to events.
    reacting: &'b Rules,
}

/// The parts of a role's prompt that are not fragments.
const PARTS: [&str; 2] = ["core", "persona"];
/// What decides on a stop beside guards.
pub(super) const VERIFY: &str = "verify";
pub(super) const UNDECIDED: &str = "undecided";

impl<'b> Names<'b> {
    pub(crate) fn of(
        book: &'b Book,
        compositions: &'b Compositions,
        rules: &'b Rules,
        guards: &'b Guards,
        rulespec: Option<&'b Rulespec>,
        nickel: Option<&Evaluated>,
    ) -> Self {
        let broken = rules.left_out_ids().flatten();
        let composed = compositions.all().iter();
        Self {
            rules: rules.all().map(|(_, rule)| &*rule.id).chain(broken).collect(),
            composition_rules: composed
                .clone()
                .flat_map(|one| (0..one.rules.len()).filter_map(|at| one.rule_id(at)))
                .collect(),
            guards: guards
                .all()
                .map(|(_, guard)| &*guard.id)
                .chain(guards.left_out_ids())
                .chain(BUILT_IN_GUARDS)
                .chain([VERIFY, UNDECIDED])
                .collect(),
            predicates: rulespec.map(|rulespec| rulespec.labels().collect()),
            compositions: composed
                .map(|one| &*one.name)
                .chain(compositions.broken().iter().map(|name| &**name))
                .collect(),
            roles: roles(book, nickel),
            directives: rules.directive_ids(),
            variables: rules
                .variable_ids()
                .into_iter()
                .chain(guards.variable_ids())
                .chain(compositions.variable_ids())
                .collect(),
            declared: rules.declares_variables(),
            fragments: compositions.fragments().map(|(_, fragment)| &*fragment.id).collect(),
            entries: rules.entries().iter().map(|entry| &*entry.id).collect(),
            actions: rules.action_ids(),
            reacting: rules,
        }
    }

    /// The problem with a name that the lawbook does not have.
    pub(super) fn unknown(&self, named: &Named) -> Option<Diagnostic> {
        let name = &*named.name;
        let of = |known: &BTreeSet<&str>| -> Option<Vec<String>> {
            let all = || known.iter().map(|name| (*name).to_owned()).collect();
            (!known.contains(name)).then(all)
        };
        let of_owned = |known: &BTreeSet<String>| -> Option<Vec<String>> {
            (!known.contains(name)).then(|| known.iter().cloned().collect())
        };
        let candidates = match named.kind {
            NameKind::Rule => of(&self.rules)?,
            NameKind::CompositionRule => of(&self.composition_rules)?,
            NameKind::Guard => of(&self.guards)?,
            NameKind::Predicate => of_owned(self.predicates.as_ref()?)?,
            NameKind::Composition => of(&self.compositions)?,
            NameKind::Role => of_owned(self.roles.as_ref()?)?,
            NameKind::Directive => of(&self.directives)?,
            NameKind::Variable => {
                let unknown = of(&self.variables)?;
                // Without declarations an agent may write any variable, so only a name that is close to
                // another is wrong.
                let is_near = || !nearest(name, self.variables.iter().copied()).is_empty();
                if !self.declared && !is_near() {
                    return None;
                }
                unknown
            }
            NameKind::Action => of(self.actions.as_ref()?)?,
            NameKind::Event => return self.without_reaction(named),
            NameKind::Section => {
                let others = [&self.entries, &self.directives];
                if PARTS.contains(&name) || others.iter().any(|known| known.contains(name)) {
                    return None;
                }
                of(&self.fragments)?
            }
        };
        let what = named.kind.what();
        let message = format!("unknown {what} `{}`", escape::name(name));
        let help = self
            .misplaced(named)
            .unwrap_or_else(|| did_you_mean(what, name, candidates.iter().map(String::as_str)));
        Some(Diagnostic::new(&UNKNOWN_NAME, named.span, message).help(help))
    }

    /// The warning for an event that no rule reacts to. The host may have other events, so that alone
    /// is no error.
    fn without_reaction(&self, named: &Named) -> Option<Diagnostic> {
        // What a rule with errors reacts to is not known.
        let is_known = self.reacting.left_out().next().is_none();
        if !is_known || self.rules.is_empty() || self.reacting.reacts_to(&named.name) {
            return None;
        }
        let message = format!("no rule reacts to the event `{}`", escape::name(&named.name));
        let types = self.reacting.event_types();
        let help = match nearest(&named.name, types.iter().copied()).first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name an event of a trigger; this step does nothing".to_owned(),
        };
        let problem = Diagnostic::new(&UNKNOWN_NAME, named.span, message).help(help);
        Some(Diagnostic { severity: Severity::Warning, ..problem })
    }

    /// The help for a rule that exists, but that a step of this kind cannot fire.
    fn misplaced(&self, named: &Named) -> Option<String> {
        let name = &*named.name;
        if named.kind == NameKind::Rule && self.composition_rules.contains(name) {
            return Some("it is a rule of a composition; expect it of a `compose` step".to_owned());
        }
        if named.kind == NameKind::CompositionRule && self.rules.contains(name) {
            return Some(
                "it is a rule of the session, and `compose` is not a step of the session"
                    .to_owned(),
            );
        }
        None
    }
}

/// The roles of a book, as far as they are known.
fn roles(book: &Book, nickel: Option<&Evaluated>) -> Option<BTreeSet<String>> {
    let Some(conditioning) = &book.manifest.conditioning else { return Some(BTreeSet::new()) };
    match &conditioning.roles {
        RoleSource::Personas(personas) => {
            Some(personas.iter().map(|(role, _)| role.to_string()).collect())
        }
        RoleSource::Nickel(..) => Some(nickel?.roles.keys().cloned().collect()),
    }
}
