//! Decodes documents to rules: `rules/*.yaml` with `rules` and `reactions`.
//!
//! A document may also be a list, or a single rule or reaction. Every problem of every document is
//! reported. A rule with an error is ignored, but its id stays known.

pub(crate) mod action;
pub(super) mod broken;
pub(crate) mod condition;
pub(crate) mod position;
pub(crate) mod rule;
pub(crate) mod then;
pub(crate) mod trigger;

use lawful_syntax::{Diagnostic, Kind, Node, Span};

use self::broken::BrokenWrite;
use super::keyword;
use super::rules::{Rule, RuleKind};
use crate::cond::{CondId, Condition, SetBuilder, Surface, without_echoes};
use crate::decode::{Fields, list, wrong_type};
use crate::limits::Limits;

/// What decoding needs from the lawbook.
pub(super) struct Context<'c, 'r> {
    /// The conditions on variables.
    pub conditions: &'c mut SetBuilder<'r>,
    /// The conditions on events.
    pub patterns: &'c mut SetBuilder<'r>,
    pub keywords: &'c mut keyword::Builder,
    pub limits: &'c Limits,
    pub problems: &'c mut Vec<Diagnostic>,
}

/// A rule, as far as it could be decoded.
pub(super) struct Decoded {
    pub kind: RuleKind,
    pub id: Option<(Box<str>, Span)>,
    pub span: Span,
    /// `None` if it has an error.
    pub rule: Option<(Rule, Option<keyword::Written>)>,
    /// What it would write if it had no error.
    pub broken: Vec<BrokenWrite>,
}

/// The keys of a document that is neither a list nor one rule.
pub(crate) const KEYS: [&str; 2] = ["rules", "reactions"];
/// The keys by which a mapping is a rule or a reaction by itself.
pub(crate) const ONE_KEYS: [&str; 4] = ["trigger", "actions", "when", "then"];

/// Decodes a document, in the order in which it is written. The flag is false if a part of it could
/// not be recognised as rules.
pub(super) fn document(node: &Node, context: &mut Context<'_, '_>) -> (Vec<Decoded>, bool) {
    let mut out = Vec::new();
    let mut complete = true;
    match &node.kind {
        Kind::List(items) => {
            for item in items {
                let kind = kind_of(item);
                out.push(rule::rule(item, kind, context));
            }
        }
        Kind::Map(_)
            if node.get("rules").is_none() && node.get("reactions").is_none() && is_one(node) =>
        {
            out.push(rule::rule(node, kind_of(node), context));
        }
        Kind::Map(_) => {
            let what = "a document of rules";
            complete = node.as_map().unwrap_or_default().iter().all(|entry| {
                KEYS.contains(&&*entry.key)
                    && matches!(entry.value.kind, Kind::List(_) | Kind::Null)
            });
            let Some(fields) = Fields::of(node, what, &KEYS, context.problems) else {
                return (out, complete);
            };
            for (key, kind) in [("rules", RuleKind::Rule), ("reactions", RuleKind::Reaction)] {
                let Some(written) = fields.get(key) else { continue };
                for item in list(written, &format!("`{key}`"), key, context.problems) {
                    out.push(rule::rule(item, kind, context));
                }
            }
        }
        Kind::Null => {}
        Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_) => {
            let problem = wrong_type(node, "a document of rules", "a mapping");
            context.problems.push(problem.help("write `rules: […]` and `reactions: […]`"));
            complete = false;
        }
    }
    (out, complete)
}

/// Whether a mapping is a single rule or reaction.
fn is_one(node: &Node) -> bool {
    ONE_KEYS.iter().any(|key| node.get(key).is_some())
}

/// A reaction has `when` or `then`, and neither `trigger` nor `actions`.
pub(crate) fn kind_of(node: &Node) -> RuleKind {
    let reaction = node.get("trigger").is_none() && node.get("actions").is_none();
    let written = node.get("when").is_some() || node.get("then").is_some();
    if reaction && written { RuleKind::Reaction } else { RuleKind::Rule }
}

impl Context<'_, '_> {
    /// Adds a condition on variables to the set of the lawbook. `known` is the number of problems
    /// before it was decoded.
    fn compile(&mut self, tree: &Condition, known: usize) -> Option<CondId> {
        let (id, found) = self.conditions.add(tree, Surface::When);
        self.report(found, known);
        id
    }

    /// The same for a condition on the fields of an event.
    fn compile_pattern(&mut self, tree: &Condition, known: usize) -> Option<CondId> {
        let (id, found) = self.patterns.add(tree, Surface::When);
        self.report(found, known);
        id
    }

    fn report(&mut self, found: Vec<Diagnostic>, known: usize) {
        let before = self.problems.get(known..).unwrap_or_default();
        let found = without_echoes(found, before);
        self.problems.extend(found);
    }
}
