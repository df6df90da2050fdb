//! Rules that can set each other off in a circle.

use lawful_syntax::{Diagnostic, Span, escape};

use crate::cond::lint::analysis_skipped;
use crate::react::rules::{RuleId, Rules};

lawful_syntax::declare_codes! {
    RULE_CYCLE = "rule-cycle", Warning, "rules can trigger each other in a circle",
        "A rule fires once in a step, so the circle ends where it began; but what it leaves behind depends on which rule came first, and the next step starts it again.\n\nTake one of the steps out, or give one of the rules a condition that ends it.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let Some(graph) = rules.graph() else {
        let place = rules.all().next().map_or(Span::NONE, |(_, rule)| rule.id_span);
        let message = "which rule can trigger which was not worked out: there are too many ways";
        return vec![analysis_skipped(place, message)];
    };
    let cycles = graph.cycles().into_iter();
    cycles
        .filter_map(|circle| {
            let first = *circle.first()?;
            let name = |id: &RuleId| format!("`{}`", escape::name(&rules.rule(*id).id));
            let chain: Vec<String> = circle.iter().chain([&first]).map(name).collect();
            let message = format!("rules can trigger each other: {}", chain.join(" -> "));
            let help = if circle.len() == 1 {
                "it fires once in a step; a condition can keep it from being asked again"
            } else {
                "each fires once in a step; take one of the ways out"
            };
            Some(Diagnostic::new(&RULE_CYCLE, rules.rule(first).id_span, message).help(help))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_circle_is_shown_once() {
        check(
            "variables:\n  x: {type: number, initial: 0}\n  y: {type: number, initial: 0}\n",
            "rules:\n\
             \x20 - id: a\n    trigger: {type: state-change, variableId: x}\n    actions: [{type: modify-variable, variableId: y, operation: add, value: 1}]\n\
             \x20 - id: b\n    trigger: {type: state-change, variableId: y}\n    actions: [{type: modify-variable, variableId: x, operation: add, value: 1}]\n\
             \x20 - id: c\n    trigger: {type: state-change, variableId: y}\n    actions: []\n",
            "rules/r.yaml:2:9 rule-cycle: rules can trigger each other: `a` -> `b` -> `a`",
        );
    }

    #[test]
    fn an_operation_that_moves_the_other_way_is_no_circle() {
        check(
            "variables:\n  x: {type: number, initial: 0}\n",
            "rules:\n\
             \x20 - id: up\n    trigger: {type: variable-crossed, variableId: x, direction: drops-below, threshold: 5}\n    actions: [{type: modify-variable, variableId: x, operation: set, value: 9}]\n\
             \x20 - id: down\n    trigger: {type: variable-crossed, variableId: x, direction: drops-below, threshold: 3}\n    actions: [{type: modify-variable, variableId: x, operation: subtract, value: 1}]\n",
            "rules/r.yaml:5:9 rule-cycle: rules can trigger each other: `down` -> `down`",
        );
    }
}
