use super::*;
use crate::book::{MemorySource, Options, load};
use crate::compose::Evaluated;

const RULESPEC: &str = "claims:\n  - {name: tests, selector: tests}\n  - {name: plan, selector: plan}\n\
predicates:\n  - {name: tests-exist, claim: tests, rule: exists}\n  - {claim: plan, rule: exists}\n";

/// Aligns a book from these files and compares the gaps, one per line.
fn check(files: &[(&str, &str)], expected: &str) {
    let mut source = MemorySource::new().with("analysis/rulespec.yaml", RULESPEC);
    for (path, text) in files {
        source = source.with(path, *text);
    }
    let (book, problems) = load(&source, Options::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let (compositions, problems) = Compositions::decode(&book);
    assert!(problems.is_empty(), "{problems:?}");
    let context = Compositions::first_context(&book.manifest);
    let nickel = Evaluated::default();
    let roles = book.manifest.conditioning.as_ref().map(|_| {
        Roles::compose(
            &book,
            &compositions,
            &context,
            &crate::insertion::Insertions::default(),
            &nickel,
        )
        .unwrap()
    });
    let (rulespec, problems) = crate::rulespec(&book).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let found = Alignment::of(&book, &compositions, roles.as_ref(), &rulespec.unwrap()).unwrap();
    let lines: Vec<String> = found
        .diagnostics()
        .iter()
        .map(|problem| {
            let (file, place) = book.sources.locate(problem.span).unwrap();
            format!("{}:{} {}: {}", file.name(), place.line, problem.code.name, problem.message)
        })
        .collect();
    assert_eq!(lines.join("\n"), expected);
    assert_eq!(found.is_aligned(), expected.is_empty());
}

const TWO: &str =
    "name: crew\nconditioning: {core: core.md, personas: {lead: lead.md, scout: scout.md}}\n";

#[test]
fn the_core_teaches_everybody_and_a_persona_its_role() {
    let core = ("core.md", "---\nteaches: [tests-exist]\n---\nTest.\n");
    let lead = ("lead.md", "---\nteaches: [plan]\n---\nPlan.\n");
    let taught = ("scout.md", "---\nteaches: [plan]\n---\nLook.\n");
    check(&[("lawful.yaml", TWO), core, lead, taught], "");
    check(
        &[("lawful.yaml", TWO), core, lead, ("scout.md", "Look.\n")],
        "analysis/rulespec.yaml:6 untaught-predicate: the prompt of `scout` does not teach `plan`",
    );
    check(
        &[("lawful.yaml", TWO), ("core.md", "Test.\n"), lead, taught],
        "analysis/rulespec.yaml:5 untaught-predicate: no prompt teaches `tests-exist`",
    );
}

#[test]
fn a_name_that_no_predicate_has_is_told() {
    check(
        &[
            ("lawful.yaml", TWO),
            ("core.md", "---\nteaches: [tests-exist, plan]\n---\nTest.\n"),
            ("lead.md", "---\nteaches: [tests-exists]\n---\nLead.\n"),
            ("scout.md", "Look.\n"),
        ],
        "lead.md:2 unknown-predicate: the persona of `lead` teaches `tests-exists`, which is not a predicate",
    );
}

#[test]
fn a_rule_can_take_the_teaching_out() {
    let manifest = "name: crew\naxes: {mode: [full, quick]}\n\
                    conditioning: {core: core.md, personas: {lead: {composition: lead}}}\n";
    let composition = "name: lead\nbase: [planning, voice]\n\
                       rules:\n  - {when: {mode: quick}, forbid: [planning]}\n";
    check(
        &[
            ("lawful.yaml", manifest),
            ("core.md", "---\nteaches: [tests-exist]\n---\nTest.\n"),
            ("compositions/lead.yaml", composition),
            ("fragments/planning.md", "---\nid: planning\nteaches: [plan]\n---\nPlan.\n"),
            ("fragments/voice.md", "---\nid: voice\n---\nSpeak.\n"),
        ],
        "analysis/rulespec.yaml:6 untaught-predicate: the prompt of `lead` does not teach `plan` in some contexts, such as {\"mode\": \"quick\"}\n\
         compositions/lead.yaml:4 forbidden-teaching: this rule forbids `planning`, and nothing else in the prompt of `lead` teaches `plan`",
    );
}

#[test]
fn without_roles_the_compositions_are_the_prompts() {
    check(
        &[
            ("lawful.yaml", "name: crew\n"),
            ("compositions/a.yaml", "name: a\nbase: [planning]\n"),
            ("compositions/b.yaml", "name: b\nbase: [testing]\n"),
            (
                "fragments/planning.md",
                "---\nid: planning\nteaches: [plan, tests-exist]\n---\nPlan.\n",
            ),
            ("fragments/testing.md", "---\nid: testing\nteaches: [tests-exist]\n---\nTest.\n"),
        ],
        "analysis/rulespec.yaml:6 untaught-predicate: the composition `b` does not teach `plan`",
    );
}
