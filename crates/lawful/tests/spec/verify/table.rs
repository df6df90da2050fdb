//! Tables: one test of a rulespec, asked of many values.
//!
//! The first line is `SELECTOR | columns`; every other is `VALUE | answers`, where VALUE is what
//! stands at the fact `v`, or `missing`.

use lawful::Limits;
use lawful::syntax::Format;
use lawful::verify::{Change, Finding, Judgement};

use super::case::{Case, Said};

/// What each value makes of a test: of the predicate as it stands (`predicate`), with a quantifier
/// (`all`, `any`, `none`), and of a predicate that depends on it (`when`).
pub(super) fn truth(test: &str, table: &str) -> Result<String, String> {
    let (head, columns, values) = read(table)?;
    let mut rows = Vec::new();
    for value in values {
        let mut answers = Vec::new();
        for column in &columns {
            let finding = judge(test, &head, column, &value)?;
            answers.push(match (finding.outcome, finding.vacuous) {
                (Judgement::Pass, true) => "vacuous".to_owned(),
                (outcome, _) => outcome.name().to_owned(),
            });
        }
        rows.push((value, answers));
    }
    rows.insert(0, (head, columns));
    Ok(write(&rows))
}

/// The hint of the predicate for each value.
pub(super) fn hints(test: &str, table: &str) -> Result<String, String> {
    let (head, columns, values) = read(table)?;
    if columns != ["hint"] {
        return Err("the table has one column, `hint`".into());
    }
    let mut rows = vec![(head.clone(), columns)];
    for value in values {
        let finding = judge(test, &head, "predicate", &value)?;
        let told = match (&finding.hint, finding.outcome) {
            (Some(hint), _) => hint_text(hint),
            (None, Judgement::Fail) => "none".to_owned(),
            (None, outcome) => format!("it is a {}", outcome.name()),
        };
        rows.push((value, vec![told]));
    }
    Ok(write(&rows))
}

/// Changes in one sentence.
pub(super) fn hint_text(hint: &[Change]) -> String {
    hint.iter().map(ToString::to_string).collect::<Vec<_>>().join(", then ")
}

type Table = (String, Vec<String>, Vec<String>);

fn read(table: &str) -> Result<Table, String> {
    let mut lines = table.lines();
    let head = lines.next().and_then(|line| line.split_once('|')).ok_or("the table has no head")?;
    let columns = head.1.split_whitespace().map(str::to_owned).collect();
    let value = |line: &str| line.split(" | ").next().unwrap_or(line).trim().to_owned();
    Ok((head.0.trim().to_owned(), columns, lines.map(value).collect()))
}

fn write(rows: &[(String, Vec<String>)]) -> String {
    let width = rows.iter().map(|(value, _)| value.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (value, answers) in rows {
        let mut line = format!("{value}{} |", " ".repeat(width - value.chars().count()));
        for (answer, column) in answers.iter().zip(&rows[0].1) {
            line += &format!(" {answer:<width$}", width = column.len().max(7));
        }
        out += line.trim_end();
        out += "\n";
    }
    out
}

/// Judges `{v: VALUE}` by a test on a selector.
fn judge(test: &str, selector: &str, column: &str, value: &str) -> Result<Finding, String> {
    let test = test.strip_prefix('{').and_then(|test| test.strip_suffix('}')).unwrap_or(test);
    let predicate = match column {
        "predicate" => format!("{{claim: c, {test}}}"),
        "all" | "any" | "none" => format!("{{claim: c, {test}, quantifier: {column}}}"),
        "when" => format!("{{claim: always, rule: not_exists, when: {{claim: c, {test}}}}}"),
        _ => return Err(format!("unknown column `{column}`")),
    };
    let rulespec = format!(
        "claims:\n  - {{name: c, selector: '{selector}'}}\n  - {{name: always, selector: never.there}}\npredicates:\n  - {predicate}\n"
    );
    let facts =
        if value == "missing" { "facts: {}".to_owned() } else { format!("facts: {{v: {value}}}") };
    let mut case = Case::new(Limits::default());
    case.rulespec(&rulespec, None)?;
    case.said(&Said::Envelope(facts, Format::Yaml));
    case.check();
    let findings = case.judged(|judge| case.findings(judge, false))?;
    findings.into_iter().next().ok_or_else(|| "no finding".to_owned())
}
