//! Rulespecs that no envelope can pass.

use proptest::prelude::*;

use super::{Judge, Verdict, generate, judgements, rulespec};
use crate::book::MemorySource;
use crate::check::check_source;

fn check(predicates: &str, expected: &str) {
    let claims = "claims: [{name: a, selector: a}, {name: ab, selector: a.b}, {name: n, selector: n}, {name: l, selector: 'l[*]'}, {name: x, selector: 'l[*].x'}, {name: y, selector: 'l[*].y'}, {name: list, selector: l}, {name: first, selector: 'l[0]'}, {name: fourth, selector: 'l[3]'}, {name: o, selector: observed.runs.t.exit}]";
    let relations = "relations: [{name: r, from: 'l[*]'}]";
    let rulespec = rulespec(&format!("{claims}\n{relations}\npredicates:\n{predicates}"));
    let found = rulespec.never_passes().map(|problem| problem.message).unwrap_or_default();
    let found = found.strip_prefix("no envelope can pass this rulespec: ").unwrap_or(&found);
    assert_eq!(found, expected, "{predicates}");
}

#[test]
fn predicates_that_contradict_each_other_are_found() {
    check(
        "- {claim: a, rule: exists}\n- {claim: n, rule: exists}\n- {claim: a, rule: not_exists}",
        "predicates 0 and 2 contradict each other",
    );
    check(
        "- {claim: n, rule: gt, value: 5}\n- {claim: n, rule: lt, value: 3}",
        "predicates 0 and 1 contradict each other",
    );
    check(
        "- {claim: a, rule: equals, value: x}\n- {claim: ab, rule: exists}",
        "predicates 0 and 1 contradict each other",
    );
    check("- {claim: n, rule: any_of, value: []}", "predicate 0 never holds");
    check(
        "- {claim: l, rule: exists}\n- {claim: l, rule: not_exists}",
        "predicates 0 and 1 contradict each other",
    );
    check(
        "- {claim: o, rule: equals, value: 0}\n- {claim: o, rule: equals, value: 1}",
        "predicates 0 and 1 contradict each other",
    );
}

#[test]
fn the_elements_of_a_list_are_compared() {
    let one = "predicates 0 and 1 contradict each other";
    let two = "predicates 0, 1 and 2 contradict each other";
    for (predicates, expected) in [
        ("- {claim: x, rule: equals, value: 1}\n- {claim: x, rule: equals, value: 2}", one),
        (
            "- {claim: x, rule: equals, value: 1, quantifier: all}\n- {claim: x, rule: equals, value: 2, quantifier: any}",
            one,
        ),
        (
            "- {claim: x, rule: gt, value: 5, quantifier: any}\n- {claim: x, rule: gt, value: 3, quantifier: none}",
            one,
        ),
        ("- {claim: l, rule: min_length, value: 3}\n- {claim: l, rule: max_length, value: 2}", one),
        (
            "- {claim: l, rule: max_length, value: 1}\n- {claim: l, rule: contains, value: a}\n- {claim: l, rule: contains, value: b}",
            two,
        ),
        (
            "- {claim: l, rule: contains, value: a}\n- {claim: l, rule: equals, value: b, quantifier: all}",
            one,
        ),
        ("- {claim: l, rule: equals, value: [a]}\n- {claim: l, rule: contains, value: b}", one),
        // Without an element both hold.
        (
            "- {claim: x, rule: equals, value: 1, quantifier: all}\n- {claim: x, rule: equals, value: 2, quantifier: all}",
            "",
        ),
        // Different elements.
        (
            "- {claim: x, rule: equals, value: 1, quantifier: any}\n- {claim: x, rule: equals, value: 2, quantifier: any}",
            "",
        ),
        ("- {claim: x, rule: equals, value: 1}\n- {claim: y, rule: equals, value: 2}", ""),
        ("- {claim: x, rule: matches, value: a}\n- {claim: x, rule: matches, value: b}", ""),
    ] {
        check(predicates, expected);
    }
}

#[test]
fn what_requires_an_element_is_seen() {
    let both = "- {claim: x, rule: equals, value: 1, quantifier: all}\n- {claim: x, rule: equals, value: 2, quantifier: all}\n";
    for third in [
        "{claim: list, rule: min_length, value: 1}",
        "{claim: first, rule: exists}",
        "{claim: fourth, rule: gt, value: 2}",
        "{claim: l, rule: exists}",
        "{claim: y, rule: exists}",
        "{claim: y, rule: equals, value: 1, quantifier: any}",
    ] {
        check(&format!("{both}- {third}"), "predicates 0, 1 and 2 contradict each other");
    }
    for third in [
        "{claim: list, rule: exists}",
        "{claim: list, rule: max_length, value: 1}",
        "{claim: first, rule: not_exists}",
        "{claim: a, rule: exists}",
    ] {
        check(&format!("{both}- {third}"), "");
    }
}

#[test]
fn a_list_is_too_short_for_an_index() {
    let fourth = "- {claim: fourth, rule: exists}";
    let length = |rule: &str, count: usize| {
        format!("- {{claim: list, rule: {rule}, value: {count}}}\n{fourth}")
    };
    check(&length("max_length", 2), "predicates 0 and 1 contradict each other");
    check(&length("max_length", 3), "predicates 0 and 1 contradict each other");
    check(&length("max_length", 4), "");
    check(&length("min_length", 1), "");
    // An element may be null.
    check("- {claim: list, rule: min_length, value: 4}\n- {claim: fourth, rule: not_exists}", "");
    check(
        "- {claim: list, rule: max_length, value: 0}\n- {claim: x, rule: equals, value: 1, quantifier: any}",
        "predicates 0 and 1 contradict each other",
    );
}

#[test]
fn a_when_that_always_applies_is_seen_through() {
    check(
        "- {claim: n, rule: equals, value: 1, when: {a: x}}\n- {claim: n, rule: equals, value: 2, when: {a: x}}\n- {claim: a, rule: equals, value: x}",
        "predicates 0, 1 and 2 contradict each other",
    );
    check(
        "- {claim: n, rule: equals, value: 1, when: {a: x}}\n- {claim: n, rule: equals, value: 2, when: {not: {a: x}}}",
        "",
    );
    check(
        "- {claim: n, rule: equals, value: 1, when: {a: x}}\n- {claim: n, rule: equals, value: 2, when: {a: x}}",
        "",
    );
}

#[test]
fn relations_are_compared_by_the_number_of_their_tuples() {
    check(
        "- {relation: r, rule: exists}\n- {relation: r, rule: not_exists}",
        "predicates 0 and 1 contradict each other",
    );
    check(
        "- {relation: r, rule: max_length, value: 1}\n- {relation: r, rule: contains, value: [x]}\n- {relation: r, rule: min_length, value: 2}",
        "predicates 0 and 2 contradict each other",
    );
    check(
        "- {relation: r, rule: max_length, value: 2}\n- {relation: r, rule: min_length, value: 2}",
        "",
    );
    check("- {relation: r, rule: exists, when: {a: 1}}\n- {relation: r, rule: not_exists}", "");
}

#[test]
fn what_an_envelope_can_meet_is_left_alone() {
    check("- {claim: n, rule: gt, value: 3}\n- {claim: n, rule: lt, value: 5}", "");
    check("- {claim: a, rule: exists}\n- {claim: a, rule: not_exists, severity: warning}", "");
    check("- {claim: a, rule: matches, value: x}\n- {claim: a, rule: matches, value: y}", "");
    check(
        "- {claim: l, rule: gt, value: 3, quantifier: any}\n- {claim: l, rule: lt, value: 3, quantifier: any}",
        "",
    );
}

#[test]
fn a_hook_that_judges_by_it_is_an_error() {
    let never = "claims: [{name: a, selector: a}]\npredicates:\n  - {claim: a, rule: exists}\n  - {claim: a, rule: not_exists}\n";
    let message = "never-passes: no envelope can pass this rulespec: predicates 0 and 1 contradict each other";
    let source = MemorySource::new()
        .with("lawful.yaml", "{name: x, hooks: {stop: {}}}")
        .with("analysis/rulespec.yaml", never);
    check_source(&source, None, &format!("analysis/rulespec.yaml:4:5 {message}"));
}

/// A rulespec of more facts than one analysis can take is analysed fact by fact.
#[test]
fn a_large_rulespec_is_analysed_in_parts() {
    let each = |line: fn(usize) -> String| (0..1_000).map(line).collect::<String>();
    let claims = each(|at| format!("- {{name: c{at}, selector: f{at}.x}}\n"));
    let predicates = each(|at| format!("- {{claim: c{at}, rule: exists}}\n"));
    let last = "- {claim: c500, rule: not_exists}";
    let spec = format!("claims:\n{claims}predicates:\n{predicates}{last}");
    let found = rulespec(&spec).never_passes().unwrap();
    assert_eq!(
        found.message,
        "no envelope can pass this rulespec: predicates 500 and 1000 contradict each other"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// There is no false alarm: what is reported has no envelope that passes.
    #[test]
    fn a_reported_rulespec_never_passes(spec in generate::rulespec(), facts in prop::collection::vec((generate::facts(), prop::option::of(generate::seen())), 1..8)) {
        let rulespec = rulespec(&spec);
        if let Some(problem) = rulespec.never_passes() {
            for (facts, seen) in facts {
                let judged = judgements(&rulespec, &facts, seen.as_ref());
                prop_assert_ne!(Judge::verdict(&rulespec, &judged), Verdict::Pass, "{}\n{}\n{}", problem.message, spec, facts);
            }
        }
    }

    /// The same over lists and their elements, where every short list is judged.
    #[test]
    fn a_reported_rulespec_on_elements_never_passes(spec in generate::rulespec_on_elements()) {
        let rulespec = rulespec(&spec);
        if let Some(problem) = rulespec.never_passes() {
            for facts in generate::lists() {
                let judged = judgements(&rulespec, &facts, None);
                prop_assert_ne!(Judge::verdict(&rulespec, &judged), Verdict::Pass, "{}\n{}\n{}", problem.message, spec, facts);
            }
        }
    }
}
