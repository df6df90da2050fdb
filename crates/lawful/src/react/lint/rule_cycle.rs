//! Rules that can trigger each other in a cycle.

use lawful_syntax::{Diagnostic, Span, escape};

use crate::cond::lint::analysis_skipped;
use crate::react::graph::MOST_EDGES;
use crate::react::rules::{RuleId, Rules};

lawful_syntax::declare_codes! {
    RULE_CYCLE = "rule-cycle", Warning, "rules can trigger each other in a cycle",
        "A rule fires once in a step, so the cycle ends with the rule that started it. But the result depends on which rule fired first, and the next step can start the cycle again.\n\nRemove one of the triggers, or give one of the rules a condition that ends the cycle.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let Some(graph) = rules.graph() else {
        let place = rules.all().next().map_or(Span::NONE, |(_, rule)| rule.id_span);
        let message = format!(
            "cycles of rules were not checked: rules can trigger each other in more than {MOST_EDGES} ways"
        );
        return vec![analysis_skipped(place, &message)];
    };
    let cycles = graph.cycles().into_iter();
    cycles
        .filter_map(|cycle| {
            let first = *cycle.first()?;
            let name = |id: &RuleId| format!("`{}`", escape::name(&rules.rule(*id).id));
            let chain: Vec<String> = cycle.iter().chain([&first]).map(name).collect();
            let message = format!("rules can trigger each other: {}", chain.join(" -> "));
            let help = if cycle.len() == 1 {
                "it fires once in a step; add a condition that ends the cycle"
            } else {
                "each fires once in a step; remove one of the triggers, or add a condition"
            };
            Some(Diagnostic::new(&RULE_CYCLE, rules.rule(first).id_span, message).help(help))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_cycle_is_reported_once() {
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
    fn an_operation_in_the_other_direction_is_not_a_cycle() {
        check(
            "variables:\n  x: {type: number, initial: 0}\n",
            "rules:\n\
             \x20 - id: up\n    trigger: {type: variable-crossed, variableId: x, direction: drops-below, threshold: 5}\n    actions: [{type: modify-variable, variableId: x, operation: set, value: 9}]\n\
             \x20 - id: down\n    trigger: {type: variable-crossed, variableId: x, direction: drops-below, threshold: 3}\n    actions: [{type: modify-variable, variableId: x, operation: subtract, value: 1}]\n",
            "rules/r.yaml:5:9 rule-cycle: rules can trigger each other: `down` -> `down`",
        );
    }
}
