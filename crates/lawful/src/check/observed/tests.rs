use std::fmt::Write as _;

use crate::book::MemorySource;
use crate::check::check_source;

const MANIFEST: &str = "name: test\n\
    observe: {tests: [cargo, test], lint: [cargo, clippy]}\n\
    observed: [deployments]\n";

/// Asserts that a rulespec with these claims and relations has these problems.
fn check(manifest: &str, selectors: &[&str], expected: &str) {
    let mut text = String::from("claims:\n");
    for (at, selector) in selectors.iter().enumerate() {
        let _ = writeln!(text, "  - {{name: c{at}, selector: '{selector}'}}");
    }
    text += "predicates:\n";
    for at in 0..selectors.len() {
        let _ = writeln!(text, "  - {{claim: c{at}, rule: not_contains, value: x}}");
    }
    let source = MemorySource::new()
        .with("lawful.yaml", manifest)
        .with("analysis/rulespec.yaml", text.as_str());
    check_source(&source, None, expected);
    // The same selectors in relations.
    let mut text = String::from("relations:\n");
    for (at, selector) in selectors.iter().enumerate() {
        let _ = writeln!(text, "  - {{name: c{at}, from: '{selector}'}}");
    }
    text += "predicates:\n  - {relation: c0, rule: not_exists}\n";
    let source = MemorySource::new()
        .with("lawful.yaml", manifest)
        .with("analysis/rulespec.yaml", text.as_str());
    // A selector of a relation is four columns before that of a claim.
    let moved = expected.lines().map(|line| {
        let mut parts = line.splitn(3, ':');
        let (file, row) = (parts.next().unwrap(), parts.next().unwrap());
        let (column, rest) = parts.next().unwrap().split_once(' ').unwrap();
        let column = column.parse::<usize>().unwrap() - 4;
        format!("{file}:{row}:{column} {rest}")
    });
    check_source(&source, None, &moved.collect::<Vec<_>>().join("\n"));
}

#[test]
fn what_is_observed_may_be_selected() {
    let known = [
        "observed.changed",
        "observed.added[*]",
        "observed[\"deleted\"]",
        "observed.files",
        "observed.tests.a.b",
        "observed.failing[0]",
        "observed.runs",
        "observed.runs.tests.exit",
        "observed.runs[\"lint\"]",
        "observed.deployments.last",
        "observed",
        "mine.observed.thing",
        "observedly.x",
    ];
    check(MANIFEST, &known, "");
}

#[test]
fn another_key_is_an_error_in_every_spelling() {
    check(
        MANIFEST,
        &[
            "observed.deletd",
            "observed[\"deletd\"]",
            "observed.deletd[*].x",
            "observed[*]",
            "observed[0]",
            "observed.runs.test.exit",
            "observed.runs[*].exit",
            "observed.deployment",
            "observed.counts.failed",
        ],
        "analysis/rulespec.yaml:2:26 unknown-observed: nothing observes `observed.deletd`\n\
         analysis/rulespec.yaml:3:26 unknown-observed: nothing observes `observed.deletd`\n\
         analysis/rulespec.yaml:4:26 unknown-observed: nothing observes `observed.deletd`\n\
         analysis/rulespec.yaml:5:26 unknown-observed: `observed[*]` does not name an observation\n\
         analysis/rulespec.yaml:6:26 unknown-observed: `observed[0]` does not name an observation\n\
         analysis/rulespec.yaml:7:26 unknown-command: the manifest has no command `test`\n\
         analysis/rulespec.yaml:8:26 unknown-observed: `observed.runs[*]` does not name an observation\n\
         analysis/rulespec.yaml:9:26 unknown-observed: nothing observes `observed.deployment`\n\
         analysis/rulespec.yaml:10:26 unknown-observed: nothing observes `observed.counts`",
    );
}

#[test]
fn a_hook_asks_for_what_its_rulespec_reads() {
    let manifest = |observe: &str| format!("{MANIFEST}hooks: {{stop: {{{observe}}}}}\n");
    let read = [
        "observed.changed",
        "observed.files",
        "observed.failing",
        "observed.runs.tests.exit",
        "observed.runs.lint.exit",
        "observed",
    ];
    check(&manifest(""), &read, "");
    let all = "observe: {git: HEAD, files: ['*'], junit: [a.xml], run: [tests, lint]}";
    check(&manifest(all), &read, "");
    check(
        &manifest("observe: {files: ['*'], run: [lint]}"),
        &read,
        "analysis/rulespec.yaml:2:26 not-asked-for: `hooks.stop.observe` does not observe `observed.changed`\n\
         analysis/rulespec.yaml:4:26 not-asked-for: `hooks.stop.observe` does not observe `observed.failing`\n\
         analysis/rulespec.yaml:5:26 not-asked-for: `hooks.stop.observe` does not observe `observed.runs.tests`",
    );
}

/// The stop hook passes nothing of a host.
#[test]
fn a_hook_does_not_observe_a_declared_key() {
    let read = ["observed.deployments.last"];
    check(MANIFEST, &read, "");
    let message = "analysis/rulespec.yaml:2:26 not-asked-for: the stop hook does not observe the \
                   declared key `observed.deployments`";
    for stop in ["", "{}", "{blocks: 2}", "{observe: {git: HEAD}}"] {
        check(&format!("{MANIFEST}hooks:\n  stop: {stop}\n"), &read, message);
    }
    let source = MemorySource::new()
        .with(
            "lawful.yaml",
            format!("{MANIFEST}hooks: {{stop: {{rulespec: analysis/law.yaml}}}}\n"),
        )
        .with(
            "analysis/law.yaml",
            "claims: [{name: a, selector: a}]\npredicates: [{claim: a, rule: exists}]\n",
        )
        .with(
            "analysis/rulespec.yaml",
            "claims: [{name: a, selector: observed.deployments}]\n\
             predicates: [{claim: a, rule: exists}]\n",
        );
    check_source(&source, None, "");
}

/// Asserts that a rulespec with this relation has these problems.
fn check_relation(manifest: &str, from: &str, columns: &str, expected: &str) {
    let text = format!(
        "relations:\n  - name: r\n    from: '{from}'\n    columns: {columns}\n\
         predicates: [{{relation: r, rule: not_exists}}]\n"
    );
    let source = MemorySource::new()
        .with("lawful.yaml", manifest)
        .with("analysis/rulespec.yaml", text.as_str());
    check_source(&source, None, expected);
}

/// The key may be in `from`, in a column, or in both.
#[test]
fn a_column_that_names_a_key_is_looked_at() {
    for (from, columns) in [
        ("observed", "[runs.tests.exit, 'changed[*]', deployments.last]"),
        ("observed", "[., '[\"deleted\"]']"),
        ("observed.runs", "[tests.exit, '[\"lint\"].exit']"),
        ("observed.changed[*]", "[deletd]"),
        ("observed.runs.tests", "[exit, lines]"),
        ("mine", "[observed.deletd]"),
    ] {
        check_relation(MANIFEST, from, columns, "");
    }
    let unknown = |place: &str, what: &str| {
        format!("analysis/rulespec.yaml:{place} unknown-observed: {what}")
    };
    let no_command =
        "analysis/rulespec.yaml:4:15 unknown-command: the manifest has no command `test`";
    for (from, columns, expected) in [
        ("observed", "['deletd[*]']", unknown("4:15", "nothing observes `observed.deletd`")),
        ("observed", "[changed, deletd.x]", unknown("4:24", "nothing observes `observed.deletd`")),
        ("observed", "['[*]']", unknown("4:15", "`observed[*]` does not name an observation")),
        ("observed", "[runs.test.exit]", no_command.to_owned()),
        ("observed.runs", "[test.exit]", no_command.to_owned()),
        (
            "observed.runs",
            "['[*].exit']",
            unknown("4:15", "`observed.runs[*]` does not name an observation"),
        ),
        ("observed[*]", "[exit, x]", unknown("3:11", "`observed[*]` does not name an observation")),
        ("observed.deletd", "[., x]", unknown("3:11", "nothing observes `observed.deletd`")),
    ] {
        check_relation(MANIFEST, from, columns, &expected);
    }
    let manifest = format!("{MANIFEST}hooks: {{stop: {{observe: {{run: [lint]}}}}}}\n");
    let not_asked = |place: &str, key: &str| {
        format!(
            "analysis/rulespec.yaml:{place} not-asked-for: `hooks.stop.observe` does not observe `{key}`"
        )
    };
    check_relation(&manifest, "observed.runs", "[lint.exit, .]", "");
    check_relation(
        &manifest,
        "observed.runs",
        "[lint.exit, tests.exit]",
        &not_asked("4:26", "observed.runs.tests"),
    );
    check_relation(&manifest, "observed", "[changed]", &not_asked("4:15", "observed.changed"));
}

/// A rulespec without a hook may read any observation that exists.
#[test]
fn another_rulespec_is_not_held_to_what_the_hook_asks_for() {
    let rulespec = "claims: [{name: a, selector: observed.changed}, {name: b, selector: observed.chnged}]\n\
        predicates: [{claim: a, rule: exists}, {claim: b, rule: exists}]\n";
    let law = "claims: [{name: a, selector: a}]\npredicates: [{claim: a, rule: exists}]\n";
    let manifest =
        "name: test\nhooks: {stop: {observe: {files: ['*']}, rulespec: analysis/law.yaml}}\n";
    let source = MemorySource::new()
        .with("lawful.yaml", manifest)
        .with("analysis/law.yaml", law)
        .with("analysis/rulespec.yaml", rulespec);
    check_source(
        &source,
        None,
        "analysis/rulespec.yaml:1:69 unknown-observed: nothing observes `observed.chnged`",
    );
}

#[test]
fn a_saved_condition_that_a_when_reads_is_looked_at() {
    let source = MemorySource::new()
        .with("lawful.yaml", "name: test\n")
        .with("conditions/c.yaml", "gone: {path: observed.deletd, op: exists}\n")
        .with(
            "analysis/rulespec.yaml",
            "claims: [{name: a, selector: a}]\n\
             predicates:\n  - {claim: a, rule: exists, when: {ref: gone}}\n",
        );
    check_source(
        &source,
        None,
        "analysis/rulespec.yaml:3:5 unknown-observed: nothing observes `observed.deletd`",
    );
}

/// Other errors in a rulespec hide nothing.
#[test]
fn a_rulespec_that_does_not_compile_is_looked_at_too() {
    let source = MemorySource::new().with("lawful.yaml", "name: test\n").with(
        "analysis/rulespec.yaml",
        "claims: [{name: a, selector: observed.deletd}]\npredicates: [{claim: b, rule: exists}]\n",
    );
    check_source(
        &source,
        None,
        "analysis/rulespec.yaml:1:17 unused-claim: no predicate uses the claim `a`\n\
         analysis/rulespec.yaml:1:30 unknown-observed: nothing observes `observed.deletd`\n\
         analysis/rulespec.yaml:2:22 unknown-claim: unknown claim `b`",
    );
}

#[test]
fn a_stop_without_a_rulespec_is_an_error() {
    for stop in ["{}", "{blocks: 2}", "null", "~"] {
        let source = MemorySource::new()
            .with("lawful.yaml", format!("name: test\nhooks:\n  stop: {stop}\n"));
        check_source(
            &source,
            None,
            "lawful.yaml:3:9 no-rulespec: `hooks.stop` has no rulespec, so an agent could never stop",
        );
    }
    check_source(&MemorySource::new().with("lawful.yaml", "name: test\n"), None, "");
}
