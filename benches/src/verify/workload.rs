//! What is judged: a rulespec of 100 predicates with one envelope, and a rulespec of 10 with as many
//! envelopes as are asked for. Everything follows from the numbers, so that every run has the same.

use std::fmt::Write as _;

use lawful::cond::Registry;
use lawful::syntax::{Format, Sources, parse, text};
use crate::read::messages;
use lawful::verify::{Envelope, Judgement, Rulespec};
use lawful::{Limits, Value};

use crate::Result;

/// How many predicates the larger rulespec has.
pub const PREDICATES: usize = 100;
/// How many modules its envelope speaks of; each has five predicates.
const MODULES: usize = PREDICATES / 5;

/// A rulespec, an envelope and the judgements that the envelope was built to get.
#[derive(Debug)]
pub struct Case {
    /// The rulespec, as its author writes it.
    pub rulespec: String,
    /// The envelope, as an agent writes it.
    pub envelope: String,
    /// The result of each predicate.
    pub expected: Vec<Judgement>,
}

/// 100 predicates over 20 modules, of which every third is not tested and every fourth has no owner.
pub fn modules() -> Case {
    let (mut claims, mut predicates, mut envelope) =
        ("claims:\n".to_owned(), "predicates:\n".to_owned(), "facts:\n".to_owned());
    let mut expected = Vec::new();
    for at in 0..MODULES {
        let (tested, owned) = (at % 3 != 0, at % 4 != 0);
        let name = if owned { "core" } else { "null" };
        let _ = write!(
            envelope,
            "  m{at}:\n    path: src/part_{at}.rs\n    lines: {}\n    tested: {tested}\n    owner: {name}\n    steps: [read, {}]\n",
            at * 10,
            if tested { "test" } else { "write" },
        );
        for key in ["path", "lines", "tested", "owner", "steps[*]"] {
            let name = key.trim_end_matches("[*]");
            let _ = writeln!(claims, "  - {{name: {name}_{at}, selector: 'm{at}.{key}'}}");
        }
        let when = format!("when: {{claim: tested_{at}, rule: equals, value: true}}");
        // Every tenth module has a predicate over all of its steps.
        let (claim, last) = if at % 10 == 0 {
            ("steps", "rule: any_of, value: [read, write], quantifier: all")
        } else {
            ("lines", "rule: not_equals, value: 999")
        };
        let folder = if at % 2 == 0 { "src" } else { "lib" };
        for (claim, test) in [
            ("path", format!("rule: matches, value: '^{folder}/part_{at}\\.rs$'")),
            ("lines", "rule: less_than, value: 20".to_owned()),
            ("owner", "rule: equals, value: core".to_owned()),
            ("steps", format!("rule: contains, value: test, {when}")),
            (claim, last.to_owned()),
        ] {
            let _ = writeln!(predicates, "  - {{claim: {claim}_{at}, {test}}}");
        }
        let judged = |holds: bool| if holds { Judgement::Pass } else { Judgement::Fail };
        let followed = if tested { Judgement::Pass } else { Judgement::Skipped };
        let all = at % 10 != 0 || !tested;
        expected.extend([
            judged(at % 2 == 0),
            judged(at < 2),
            judged(owned),
            followed,
            judged(all),
        ]);
    }
    Case { rulespec: claims + &predicates, envelope, expected }
}

/// The rulespec of many envelopes: 10 predicates.
pub const TEN: &str = "\
claims:
  - {name: task, selector: task.id}
  - {name: kind, selector: task.kind}
  - {name: files, selector: 'files[*]'}
  - {name: lines, selector: change.lines}
  - {name: tests, selector: change.tests}
  - {name: status, selector: status}
  - {name: checks, selector: 'checks[*].ok'}
  - {name: summary, selector: summary}
predicates:
  - {claim: task, rule: matches, value: '^T-[0-9]+$'}
  - {claim: kind, rule: any_of, value: [fix, feature, chore]}
  - {claim: files, rule: min_length, value: 1}
  - {claim: files, rule: starts_with, value: src/, quantifier: all}
  - {claim: lines, rule: less_than, value: 10000}
  - {claim: tests, rule: greater_than, value: 0, when: {claim: kind, rule: equals, value: fix}}
  - {claim: status, rule: equals, value: done, severity: warning}
  - {claim: checks, rule: not_equals, value: false, quantifier: all}
  - {claim: summary, rule: exists}
  - {claim: summary, rule: not_contains, value: secret}
";

/// How long a line is, with its end.
pub const LINE: usize = 300;

/// One envelope in so many fails a predicate, which is a warning only.
pub const FAILS: usize = 1_000;

/// One envelope of many, as a line; the last of every thousand is not done.
pub fn line(number: usize) -> String {
    let kind = ["fix", "feature", "chore"].get(number % 3).copied().unwrap_or("fix");
    let status = if number % FAILS == FAILS - 1 { "open" } else { "done" };
    let (first, second) = (number % 97, number % 89);
    let mut line = format!(
        r#"{{"facts":{{"task":{{"id":"T-{number}","kind":"{kind}"}},"files":["src/part_{first}.rs","src/part_{second}/mod.rs"],"change":{{"lines":{},"tests":{}}},"status":"{status}","checks":[{{"name":"build","ok":true}},{{"name":"lint","ok":true}}],"summary":""#,
        number % 1000,
        number % 7 + 1,
    );
    let tail = "\"}}\n";
    let words = "kept the old order and told the reader why it changed ";
    let room = LINE.saturating_sub(line.len() + tail.len());
    line.extend(words.chars().cycle().take(room));
    line.push_str(tail);
    line
}

/// The rulespec of a text.
pub fn rulespec(yaml: &str) -> Result<Rulespec> {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "rulespec.yaml", yaml.as_bytes());
    let limits = Limits::default();
    let (node, problems) = parse(&sources, file, Format::Yaml, &limits.document);
    let node = node.filter(|_| problems.is_empty()).ok_or_else(|| messages(&problems))?;
    let (rulespec, problems) = Rulespec::decode(&node, &sources, &Registry::default(), &limits);
    rulespec.ok_or_else(|| messages(&problems).into())
}

/// The facts of an envelope's text.
pub fn facts(yaml: &str) -> Result<Value> {
    let envelope = Envelope::decode(&crate::read::node(yaml));
    Ok(envelope.map_err(|problems| messages(&problems))?.facts)
}
