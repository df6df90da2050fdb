use std::fmt::Write as _;

use super::Mutant;
use crate::Lawbook;
use crate::book::MemorySource;

/// A lawbook with a manifest and one other file.
fn book(path: &str, text: &str) -> Lawbook {
    let manifest = "name: test\naxes: {tone: [warm, terse], tier: [free, pro]}\n\
                    variables: {hp: {type: number, initial: 9, min: 0, max: 9}}\n";
    let source = MemorySource::new()
        .with("lawful.yaml", manifest)
        .with("fragments/a.md", "---\nid: a\n---\nA.")
        .with("fragments/b.md", "---\nid: b\n---\nB.")
        .with(path, text);
    Lawbook::load(&source).unwrap()
}

fn shown(book: &Lawbook, mutant: &Mutant) -> String {
    let (_, at) = book.sources().locate(mutant.place).unwrap();
    format!("{}:{} {}", at.line, at.column, mutant.change)
}

/// Checks the mutants of a file that compile and change something.
#[track_caller]
fn check(path: &str, text: &str, expected: &str) {
    let book = book(path, text);
    let report = book.check();
    assert_eq!(report.errors, 0, "{:?}", report.diagnostics);
    let mut found = String::new();
    for mutant in book.mutants().iter().filter(|mutant| book.mutated(mutant).is_some()) {
        let _ = writeln!(found, "{}", shown(&book, mutant));
    }
    assert_eq!(found.trim_end(), expected);
}

#[test]
fn a_composition_loses_rules_ids_and_pairs() {
    check(
        "compositions/c.yaml",
        "name: c\nbase: [a]\nrules:\n  - {id: x, when: {tone: warm}, add: [a, b]}\n  - {forbid: [b]}\n  - {replace: {a: b, b: a}}\n",
        "4:5 rule 0 (`x`) of `c` (`add`) removed\n\
         4:19 rule 0 (`x`) of `c`: condition negated\n\
         4:39 rule 0 (`x`) of `c`: `add` of `a` removed\n\
         4:42 rule 0 (`x`) of `c`: `add` of `b` removed\n\
         5:5 rule 1 of `c` (`forbid`) removed\n\
         6:5 rule 2 of `c` (`replace`) removed\n\
         6:16 rule 2 of `c`: `replace` of `a` removed\n\
         6:22 rule 2 of `c`: `replace` of `b` removed",
    );
}

#[test]
fn every_form_of_a_condition_is_negated_turned_and_moved() {
    check(
        "conditions/c.yaml",
        "one: {all: [{tone: warm}, {not: {tier: pro}}, {path: n, op: gte, value: 3}]}\n\
         two: {type: any, rules: [{ref: one}, {type: ref, id: value.less_than, args: {path: n, value: 0.5}}]}\n\
         three: {tone: warm, tier: pro}\n\
         four: {}\n",
        "1:6 condition `one`: condition negated\n\
         1:6 condition `one`: `all` became `any`\n\
         1:13 condition `one`: `{tone: warm}` negated\n\
         1:27 condition `one`: `not` of `{tier: pro}` removed\n\
         1:47 condition `one`: `{path: n, op: gte, value: 3}` negated\n\
         1:73 condition `one`: `n` is at least 3 became 4\n\
         1:73 condition `one`: `n` is at least 3 became 2\n\
         2:6 condition `two`: condition negated\n\
         2:6 condition `two`: `any` became `all`\n\
         2:26 condition `two`: `{ref: one}` negated\n\
         2:38 condition `two`: `{type: \"ref\", id: \"value.less_than\", args: {path: \"n\", value…` negated\n\
         2:94 condition `two`: `n` is less than 0.5 became 1.5\n\
         2:94 condition `two`: `n` is less than 0.5 became -0.5\n\
         3:8 condition `three`: condition negated\n\
         3:8 condition `three`: `all` of `{tone: warm, tier: pro}` became `any`\n\
         3:9 condition `three`: `tone: warm` negated\n\
         3:21 condition `three`: `tier: pro` negated",
    );
}

#[test]
fn rules_lose_actions_and_their_bounds_move() {
    check(
        "rules/r.yaml",
        "rules:\n  - id: hurt\n    trigger: {type: variable-crossed, variableId: hp, direction: drops-below, threshold: 3}\n    conditions: [{hp: 1}, {ref: value.exists, args: {path: hp}}]\n    cooldownTurns: 0\n    actions: [{type: notify-player, message: Ouch.}]\nreactions:\n  - id: storm\n    when: {eventType: 'weather:*', zone: sea, match: {wind: {op: gte, value: 6}}}\n    then: [{type: set, path: hp, value: 1}]\n",
        "2:5 rule `hurt` removed\n\
         3:90 rule `hurt`: `threshold` 3 became 4\n\
         3:90 rule `hurt`: `threshold` 3 became 2\n\
         5:20 rule `hurt`: `cooldownTurns` 0 became 1\n\
         4:17 rule `hurt`: condition negated\n\
         4:17 rule `hurt`: `all` became `any`\n\
         4:18 rule `hurt`: `{hp: 1}` negated\n\
         4:27 rule `hurt`: `{ref: value.exists, args: {path: hp}}` negated\n\
         6:15 rule `hurt`: action 0 (`notify-player`) removed\n\
         8:5 reaction `storm` removed\n\
         9:36 reaction `storm`: `zone` negated\n\
         9:66 reaction `storm`: `wind`: `at_least` became `less_than`\n\
         9:78 reaction `storm`: `wind` is at least 6 became 7\n\
         9:78 reaction `storm`: `wind` is at least 6 became 5\n\
         10:12 reaction `storm`: action 0 (`set hp`) removed",
    );
}

#[test]
fn a_single_rule_is_a_document() {
    check(
        "rules/r.yaml",
        "{id: one, trigger: {type: every-turn}, actions: [{type: notify-player, message: Hi.}]}\n",
        "1:1 rule `one` removed\n\
         1:50 rule `one`: action 0 (`notify-player`) removed",
    );
}

#[test]
fn guards_and_their_conditions_change() {
    check(
        "guards/g.yaml",
        "- {id: g, on: {action: shell}, when: {any: [{event.program: rm}, {path: state.hp, op: gt, value: 8}]}, deny: No.}\n",
        "1:3 guard `g` removed\n\
         1:38 guard `g`: condition negated\n\
         1:38 guard `g`: `any` became `all`\n\
         1:45 guard `g`: `{event.program: rm}` negated\n\
         1:66 guard `g`: `{path: state.hp, op: gt, value: 8}` negated\n\
         1:98 guard `g`: `state.hp` is greater than 8 became 9\n\
         1:98 guard `g`: `state.hp` is greater than 8 became 7",
    );
}

#[test]
fn predicates_are_removed_negated_and_moved() {
    check(
        "analysis/rulespec.yaml",
        "claims: [{name: n, selector: n}, {name: m, selector: m}]\npredicates:\n  - {name: some, claim: n, rule: at_least, value: 1}\n  - {claim: m, rule: exists, when: {claim: n, rule: greater_than, value: 2}}\n",
        "3:5 predicate `some` removed\n\
         3:34 predicate `some`: `at_least` became `less_than`\n\
         3:51 predicate `some`: `at_least` 1 became 2\n\
         3:51 predicate `some`: `at_least` 1 became 0\n\
         4:5 predicate 1 removed\n\
         4:36 predicate 1: condition negated\n\
         4:74 predicate 1: `n` is greater than 2 became 3\n\
         4:74 predicate 1: `n` is greater than 2 became 1\n\
         4:22 predicate 1: `exists` became `not_exists`",
    );
    // A rulespec without predicates does not compile.
    check(
        "analysis/rulespec.yaml",
        "claims: [{name: n, selector: n}]\npredicates: [{claim: n, rule: max_length, value: 0}]\n",
        "2:50 predicate 0: `max_length` 0 became 1",
    );
}

#[test]
fn a_condition_that_stays_the_same_is_no_mutant() {
    // The number is at most 9, so above 20 and above 21 are both never.
    check(
        "rules/r.yaml",
        "- {id: one, trigger: {type: every-turn}, conditions: [{path: hp, op: gt, value: 20}], actions: []}\n",
        "1:3 rule `one` removed\n\
         1:55 rule `one`: condition negated",
    );
}

#[test]
fn a_mutant_shares_what_it_does_not_change() {
    let book = book(
        "rules/r.yaml",
        "- {id: one, trigger: {type: every-turn}, actions: [{type: notify-player, message: Hi.}]}\n",
    );
    let mutants = book.mutants();
    let changed = book.mutated(&mutants[0]).unwrap();
    assert_eq!(changed.rules().all().count(), 0);
    assert_eq!(book.rules().all().count(), 1);
    assert!(std::ptr::eq(changed.compositions(), book.compositions()));
    assert!(std::ptr::eq(changed.guards(), book.guards()));
}

#[test]
fn the_same_book_has_the_same_mutants() {
    let text = "- {id: g, when: {any: [{event.program: rm}, {event.program: mv}]}, deny: No.}\n";
    let all = |book: &Lawbook| -> Vec<String> {
        book.mutants().iter().map(|mutant| shown(book, mutant)).collect()
    };
    assert_eq!(all(&book("guards/g.yaml", text)), all(&book("guards/g.yaml", text)));
}
