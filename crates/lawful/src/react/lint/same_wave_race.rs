//! Two rules of one wave, where one writes what the condition of the other reads.

use std::collections::{BTreeMap, BTreeSet};

use lawful_syntax::{Diagnostic, Span, escape};

use crate::cond::lint::analysis_skipped;
use crate::cond::partition::{Caps, Domains, Partition};
use crate::cond::{Condition, ConditionKind, Registry, Surface};
use crate::path::Path;
use crate::react::action::ActionKind;
use crate::react::event::{MESSAGE_AI, MESSAGE_USER, SESSION_START, TURN_COMPLETE};
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
const TURN: [&str; 4] = [SESSION_START, MESSAGE_USER, MESSAGE_AI, TURN_COMPLETE];

/// Beyond this many pairs the check is skipped.
const MOST_PAIRS: usize = 20_000;

pub(super) fn check(rules: &Rules, registry: &Registry, domains: &Domains) -> Vec<Diagnostic> {
    let mut writers: BTreeMap<&str, Vec<(RuleId, &Path)>> = BTreeMap::new();
    let enabled: BTreeSet<&str> = rules.all().flat_map(|(_, rule)| enables(rule)).collect();
    let can_act = |rule: &Rule| rule.enabled || enabled.contains(&*rule.id);
    for (id, rule) in rules.all().filter(|(_, rule)| can_act(rule)) {
        for action in &rule.actions {
            if let ActionKind::Write(path, _) = &action.kind {
                writers.entry(root(path).unwrap_or_default()).or_default().push((id, path));
            }
        }
    }
    let mut found = Vec::new();
    let mut said: BTreeSet<(RuleId, RuleId, Box<str>)> = BTreeSet::new();
    let mut left = MOST_PAIRS;
    for (reader, rule) in rules.all() {
        for read in read_paths(rules, rule) {
            let variable: Box<str> = root(&read).unwrap_or_default().into();
            let near = writers.get(&*variable).into_iter().flatten();
            let near = near.filter(|(writer, path)| *writer != reader && overlap(path, &read));
            for (writer, _) in near.copied() {
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

/// The rules that a rule switches on, or may switch on.
fn enables(rule: &Rule) -> impl Iterator<Item = &str> {
    rule.actions.iter().filter_map(|action| match &action.kind {
        ActionKind::Rule(id, true) => Some(&**id),
        ActionKind::SetFrom(path, _) => path.strip_prefix("@rules.disabled."),
        ActionKind::Rule(_, false)
        | ActionKind::Write(..)
        | ActionKind::Inject(_)
        | ActionKind::Remove(_)
        | ActionKind::Entry(..)
        | ActionKind::Context(..)
        | ActionKind::Emit(_)
        | ActionKind::Trigger(_)
        | ActionKind::Effect(..) => None,
    })
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

/// The paths of variables that the condition of a rule reads.
fn read_paths(rules: &Rules, rule: &Rule) -> Vec<Path> {
    if matches!(rule.when.kind, ConditionKind::Always) {
        return Vec::new();
    }
    let reads = rules.conditions.reads(rule.condition).into_iter();
    reads.map(|path| without_state(path).unwrap_or_else(|| path.clone())).collect()
}

/// Whether one path is, or contains, the other.
fn overlap(a: &Path, b: &Path) -> bool {
    a.segments().iter().zip(b.segments()).all(|(a, b)| a == b)
}

/// Whether both triggers match events that one wave has together: the same event, or the end of the
/// turn and another event of the turn. That two unrelated events come in one turn is chance, and not
/// reported.
fn may_meet(a: &Rule, b: &Rule) -> bool {
    let (On::Type(first), On::Type(second)) = (&a.trigger.on, &b.trigger.on) else {
        // A namespace, or a rule that another one triggers: only the same events are known to meet.
        return a.trigger.on == b.trigger.on && a.trigger.on != On::Manual;
    };
    let with_turn = |kind: &str, other: &str| kind == TURN_COMPLETE && TURN.contains(&other);
    if !(first == second || with_turn(first, second) || with_turn(second, first)) {
        return false;
    }
    if !a.trigger.keywords.is_empty() && !b.trigger.keywords.is_empty() {
        return share_a_keyword(&a.trigger.keywords, &b.trigger.keywords);
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
        ) => !overlap(a, b) || (a == b && up != down),
        (Test::Changed(a) | Test::Crossed { path: a, .. }, Test::Changed(b)) => !overlap(a, b),
        (Test::Changed(a), Test::Crossed { path: b, .. }) => !overlap(a, b),
        (Test::Fields { key: Some((a, x)), .. }, Test::Fields { key: Some((b, y)), .. }) => {
            a == b && is_scalar(x) && x != y
        }
        (_, _) => false,
    })
}

/// Whether one message can match both lists because of one word. Regular expressions are compared as
/// they are written.
fn share_a_keyword(a: &[Box<str>], b: &[Box<str>]) -> bool {
    let folded = |words: &[Box<str>]| words.iter().map(|word| word.to_lowercase()).collect();
    let (a, b): (Vec<String>, Vec<String>) = (folded(a), folded(b));
    a.iter().any(|one| b.iter().any(|two| one.contains(two.as_str()) || two.contains(one.as_str())))
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
        let [one, two] = ["a", "b"].map(|word| format!("type: keyword, keywords: [{word}]"));
        pair(&one, "{x: 1}", &two, "", "");
        pair(turn, "{x: 1}", "type: action, actionId: a", "", "");
        pair("type: action, actionId: a", "{x: 1}", "type: action, actionId: b", "", "");
        pair("type: turn-count, atTurn: 2", "{x: 1}", "type: turn-count, atTurn: 3", "", "");
    }

    #[test]
    fn a_writer_of_another_part_or_one_that_is_off_is_not_reported() {
        let shop = "variables:\n  shop: {type: object, initial: {}}\n";
        let rules = |writes: &str, more: &str, also: &str| {
            format!(
                "rules:\n\
                 \x20 - {{id: reader, trigger: {{type: every-turn}}, conditions: [{{shop.rope: 1}}], actions: [{also}]}}\n\
                 \x20 - {{id: writer, trigger: {{type: every-turn}}, actions: [{{type: modify-variable, variableId: {writes}, operation: set, value: 1}}]{more}}}\n"
            )
        };
        let race = "rules/r.yaml:2:10 same-wave-race: `reader` reads `shop`, which `writer` writes in the same wave; it sees the old value";
        check(shop, &rules("shop.rope", "", ""), race);
        check(shop, &rules("shop.open", "", ""), "");
        check(shop, &rules("shop.rope", ", enabled: false", ""), "");
        let on = "{type: toggle-rule, ruleId: writer, enabled: true}";
        check(shop, &rules("shop.rope", ", enabled: false", on), race);
    }
}
