//! Two rules of one wave, where one writes what the condition of the other reads.

use std::collections::{BTreeMap, BTreeSet};

use lawful_syntax::{Diagnostic, Span, escape};

use crate::cond::lint::analysis_skipped;
use crate::cond::partition::{Caps, Domains, Partition};
use crate::cond::{Condition, ConditionKind, Registry, Surface};
use crate::react::action::ActionKind;
use crate::react::event::{MESSAGE_AI, MESSAGE_USER, SESSION_START, STATE_CHANGED, TURN_COMPLETE};
use crate::react::rules::{Rule, RuleId, Rules};
use crate::react::source::without_state;
use crate::react::trigger::{On, Test};
use crate::react::variables::root;
use crate::value::Value;

lawful_syntax::declare_codes! {
    SAME_WAVE_RACE = "same-wave-race", Warning, "a rule reads a variable that another rule writes in the same wave",
        "All rules of a wave are matched before any of them acts. If one rule writes a variable, the condition of another rule of the same wave still sees the old value, whatever their priorities are.\n\nIf the second rule must see the new value, trigger it by `state-change` of the variable, or by `trigger-rule`. If the old value is what you want, this warning is harmless.";
}

/// The events of a turn, which are raised in one wave.
const TURN: [&str; 5] = [SESSION_START, MESSAGE_USER, MESSAGE_AI, TURN_COMPLETE, STATE_CHANGED];

/// Beyond this many pairs the check is skipped.
const MOST_PAIRS: usize = 20_000;

pub(super) fn check(rules: &Rules, registry: &Registry, domains: &Domains) -> Vec<Diagnostic> {
    let mut writers: BTreeMap<&str, BTreeSet<RuleId>> = BTreeMap::new();
    for (id, rule) in rules.all() {
        for action in &rule.actions {
            if let ActionKind::Write(path, _) = &action.kind {
                writers.entry(root(path).unwrap_or_default()).or_default().insert(id);
            }
        }
    }
    let mut found = Vec::new();
    let mut said: BTreeSet<(RuleId, RuleId, Box<str>)> = BTreeSet::new();
    let mut left = MOST_PAIRS;
    for (reader, rule) in rules.all() {
        for variable in read_variables(rules, rule) {
            let near = writers.get(&*variable).into_iter().flatten().copied();
            for writer in near.filter(|writer| *writer != reader) {
                let (a, b) = (reader.min(writer), reader.max(writer));
                if said.contains(&(a, b, variable.clone())) || !may_meet(rule, rules.rule(writer)) {
                    continue;
                }
                if left == 0 {
                    let place = rules.all().next().map_or(Span::NONE, |(_, rule)| rule.id_span);
                    let message = "races between rules were not checked completely: too many rules write and read the same variables";
                    found.push(analysis_skipped(place, message));
                    return found;
                }
                left -= 1;
                if exclude_each_other(&rule.when, &rules.rule(writer).when, registry, domains) {
                    continue;
                }
                said.insert((a, b, variable.clone()));
                found.push(report(rule, rules.rule(writer), &variable));
            }
        }
    }
    found
}

fn report(reader: &Rule, writer: &Rule, variable: &str) -> Diagnostic {
    let [reads, writes, variable] =
        [&*reader.id, &*writer.id, variable].map(|name| escape::name(name).into_owned());
    let message = format!(
        "`{reads}` reads `{variable}`, which `{writes}` writes in the same wave; it sees the old value"
    );
    Diagnostic::new(&SAME_WAVE_RACE, reader.id_span, message)
        .label(writer.id_span, "writes it")
        .help(format!("to see the new value, trigger `{reads}` by a change of `{variable}`"))
}

/// The variables that the condition of a rule reads.
fn read_variables(rules: &Rules, rule: &Rule) -> BTreeSet<Box<str>> {
    if matches!(rule.when.kind, ConditionKind::Always) {
        return BTreeSet::new();
    }
    let reads = rules.conditions.reads(rule.condition).into_iter();
    let bare = reads.map(|path| without_state(path).unwrap_or_else(|| path.clone()));
    bare.filter_map(|path| root(&path).map(Into::into)).collect()
}

/// Whether both triggers can match events of one wave.
fn may_meet(a: &Rule, b: &Rule) -> bool {
    let (On::Type(first), On::Type(second)) = (&a.trigger.on, &b.trigger.on) else {
        // A namespace, or a rule that another one triggers: only the same events are known to meet.
        return a.trigger.on == b.trigger.on && a.trigger.on != On::Manual;
    };
    let of_turn = |kind: &str| TURN.contains(&kind);
    if !(first == second || (of_turn(first) && of_turn(second))) {
        return false;
    }
    let tests =
        a.trigger.tests.iter().flat_map(|one| b.trigger.tests.iter().map(move |two| (one, two)));
    !tests.into_iter().any(|(one, two)| match (one, two) {
        // A step has one turn.
        (Test::Turn { at: Some(a), every: None }, Test::Turn { at: Some(b), every: None }) => {
            a != b
        }
        // A variable has one net change in a wave.
        (
            Test::Crossed { path: a, direction: up, .. },
            Test::Crossed { path: b, direction: down, .. },
        ) => a == b && up != down,
        // An input has one action or event, but a wave has many changes.
        (Test::Fields { key: Some((a, x)), .. }, Test::Fields { key: Some((b, y)), .. }) => {
            !of_turn(first) && a == b && is_scalar(x) && x != y
        }
        (_, _) => false,
    })
}

fn is_scalar(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::Number(_) | Value::Text(_) => true,
        Value::Null | Value::List(_) | Value::Map(_) => false,
    }
}

/// Whether no state makes both conditions true.
fn exclude_each_other(
    a: &Condition,
    b: &Condition,
    registry: &Registry,
    domains: &Domains,
) -> bool {
    if matches!(b.kind, ConditionKind::Always) || matches!(a.kind, ConditionKind::Always) {
        return false;
    }
    let mut builder = registry.set();
    let both = Condition { kind: ConditionKind::All(vec![a.clone(), b.clone()]), span: a.span };
    let Some(id) = builder.add(&both, Surface::When).0 else { return false };
    let set = builder.finish();
    let caps = Caps { size: 20_000, ..Caps::default() };
    Partition::new(&set, &[id], domains, caps).is_ok_and(|partition| partition.is_never(id))
}

#[cfg(test)]
mod tests {
    use super::super::check;

    const MANIFEST: &str =
        "variables:\n  x: {type: number, initial: 0}\n  y: {type: number, initial: 0}\n";

    fn pair(trigger: &str, condition: &str, other: &str, other_condition: &str, expected: &str) {
        let rules = format!(
            "rules:\n\
             \x20 - id: reader\n    trigger: {{{trigger}}}\n    conditions: [{condition}]\n    actions: [{{type: modify-variable, variableId: y, operation: add, value: 1}}]\n\
             \x20 - id: writer\n    trigger: {{{other}}}\n    conditions: [{other_condition}]\n    actions: [{{type: modify-variable, variableId: x, operation: add, value: 1}}]\n"
        );
        check(MANIFEST, &rules, expected);
    }

    const RACE: &str = "rules/r.yaml:2:9 same-wave-race: `reader` reads `x`, which `writer` writes in the same wave; it sees the old value";

    #[test]
    fn a_rule_that_reads_what_another_writes_in_one_wave_is_reported() {
        let turn = "type: every-turn";
        pair(turn, "{x: 1}", turn, "", RACE);
        pair(turn, "{state.x: 1}", "type: keyword, keywords: [a]", "", RACE);
        pair("type: action, actionId: a", "{x: 1}", "type: action, actionId: a", "", RACE);
    }

    #[test]
    fn rules_that_cannot_meet_are_not() {
        let turn = "type: every-turn";
        pair(turn, "{x: 1}", turn, "{x: 2}", "");
        pair(turn, "{y: 1}", turn, "", "");
        pair(turn, "{x: 1}", "type: action, actionId: a", "", "");
        pair("type: action, actionId: a", "{x: 1}", "type: action, actionId: b", "", "");
        pair("type: turn-count, atTurn: 2", "{x: 1}", "type: turn-count, atTurn: 3", "", "");
    }
}
