//! Decodes one rule or reaction. They differ only in how their trigger and their actions are
//! written.

use lawful_syntax::{Diagnostic, Node};

use super::action::action;
use super::condition::conditions;
use super::then::then;
use super::trigger::{trigger, when};
use super::{Context, Decoded, broken};
use crate::decode::{Fields, boolean, id, list, number, text, whole};
use crate::react::action::Action;
use crate::react::rules::{Rule, RuleKind};
use crate::value::Number;

/// Decodes a rule. A rule with an error is reported and ignored.
pub(super) fn rule(node: &Node, kind: RuleKind, context: &mut Context<'_, '_>) -> Decoded {
    let before = context.problems.len();
    let id = node.get("id").and_then(|id| Some((id.as_text()?.into(), id.span)));
    let rule = parts(node, kind, context);
    let found = context.problems.get(before..).unwrap_or_default();
    let sound = !found.iter().any(Diagnostic::is_error);
    let rule = rule.filter(|_| sound);
    let broken = if rule.is_none() { broken::writes(node) } else { Vec::new() };
    Decoded { kind, id, span: node.span, rule, broken }
}

/// The key of the pattern and of the actions of a rule or reaction.
pub(crate) fn words(kind: RuleKind) -> (&'static str, &'static str) {
    match kind {
        RuleKind::Rule => ("trigger", "actions"),
        RuleKind::Reaction => ("when", "then"),
    }
}

/// The keys of a rule or reaction.
pub(crate) fn keys(kind: RuleKind) -> [&'static str; 11] {
    let (on, does) = words(kind);
    [
        "id",
        "name",
        "description",
        on,
        "conditions",
        "conditionLogic",
        does,
        "priority",
        "enabled",
        "cooldownTurns",
        "maxFireCount",
    ]
}

fn parts(
    node: &Node,
    kind: RuleKind,
    context: &mut Context<'_, '_>,
) -> Option<(Rule, Option<crate::react::keyword::Written>)> {
    let what = match kind {
        RuleKind::Rule => "a rule",
        RuleKind::Reaction => "a reaction",
    };
    let (on, does) = words(kind);
    let fields = Fields::of(node, what, &keys(kind), context.problems)?;
    let name = fields.require("id", what, context.problems);
    let name = name.and_then(|node| Some((id(node, "`id`", context.problems)?, node.span)));
    for key in ["name", "description"] {
        if let Some(node) = fields.get(key) {
            text(node, &format!("`{key}`"), context.problems);
        }
    }
    let pattern = fields.require(on, what, context.problems);
    let pattern = pattern.and_then(|node| match kind {
        RuleKind::Rule => trigger(node, context),
        RuleKind::Reaction => when(node, context),
    });
    let before = context.problems.len();
    let tree = conditions(&fields, context.problems);
    let condition = context.compile(&tree, before);
    let actions = fields.require(does, what, context.problems);
    let actions = actions.and_then(|node| {
        let items = list(node, &format!("`{does}`"), "actions", context.problems);
        let decode = |item: &Node| match kind {
            RuleKind::Rule => action(item, context.problems),
            RuleKind::Reaction => then(item, context.problems),
        };
        let all: Vec<Option<Action>> = items.iter().map(decode).collect();
        all.into_iter().collect::<Option<Vec<Action>>>()
    });
    let problems = &mut *context.problems;
    let priority = fields.get("priority");
    let priority =
        priority.map_or(Some(Number::from(0)), |node| number(node, "`priority`", problems));
    let enabled = fields.get("enabled");
    let enabled = enabled.map_or(Some(true), |node| boolean(node, "`enabled`", problems));
    let mut count = |key: &str| match fields.get(key) {
        None => Some(None),
        Some(node) => whole(node, &format!("`{key}`"), 0, problems).map(Some),
    };
    let (cooldown, most) = (count("cooldownTurns"), count("maxFireCount"));
    let (name, id_span) = name?;
    let (trigger, keywords) = pattern?;
    let rule = Rule {
        id: name.into(),
        id_span,
        kind,
        span: node.span,
        trigger,
        when: tree,
        condition: condition?,
        actions: actions?,
        priority: priority?,
        enabled: enabled?,
        cooldown: cooldown?.unwrap_or(0),
        max_fires: most?,
    };
    Some((rule, keywords))
}
