//! The fences of `spec/verify`.
//!
//! | input | is |
//! |---|---|
//! | `rulespec` | a rulespec |
//! | `envelope`, `json` | the envelope, as YAML or JSON |
//! | `facts` | the facts alone, with or without their key, as `lawful envelope write` takes them |
//! | `record` | a record as JSON, with what the host saw in it |
//! | `observed` | what the host saw |
//! | `conditions` | saved conditions by id |
//! | `limits` | `predicates`, `facts` and `derivations` in place of the default |
//! | `test` | a rule and its value, for `truth` and `hints` |
//!
//! | expectation | says |
//! |---|---|
//! | `verdict` | `pass`, `fail` or `undecided`; `verdict deny-vacuous` is as strict as that flag |
//! | `outcomes` | what became of each predicate |
//! | `findings` | the same with reasons, places and hints |
//! | `diagnostics` | every problem of the inputs so far; empty without problems |
//! | `truth` | a table: what each value makes of the `test`, on each surface |
//! | `hints` | a table: the hint for each value |
//! | `derivation` | how every verdict was derived |
//! | `view` | the predicates as JSON |
//! | `program`, `report` | what is written beside an envelope |
//!
//! Whatever is judged is judged twice: the written program, read again and run alone, must give
//! the same verdicts. Every hint is tried: applied to the facts, its predicate must pass. No text
//! may hold a character that a terminal obeys.

#[path = "verify/case.rs"]
mod case;
#[path = "verify/table.rs"]
mod table;

use lawful::Limits;
use lawful::syntax::{Format, render};
use lawful::verify::{Judge, Judgement, compiled_program, evaluation_report};
use lawful::view::{PredicateView, derivation_text};

use crate::page::Block;
use crate::runner::Surface;
use case::{Case, Said};

#[derive(Default)]
pub(crate) struct Verifying {
    rulespec: Option<String>,
    said: Option<Said>,
    observed: Option<String>,
    conditions: Option<String>,
    limits: Limits,
    test: Option<String>,
}

impl Surface for Verifying {
    fn input(&mut self, block: &Block) -> Result<bool, String> {
        let text = block.text.clone();
        match block.kind.as_str() {
            "rulespec" => self.rulespec = Some(text),
            "envelope" => self.said = Some(Said::Envelope(text, Format::Yaml)),
            "json" => self.said = Some(Said::Envelope(text, Format::Json)),
            "record" => self.said = Some(Said::Record(text)),
            "facts" => self.said = Some(Said::Facts(text)),
            "observed" => self.observed = Some(text),
            "conditions" => self.conditions = Some(text),
            "limits" => self.limits = case::limits(&text)?,
            "test" => self.test = Some(text.trim().to_owned()),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn output(&mut self, block: &Block) -> Option<Result<String, String>> {
        let deny = block.info.split_whitespace().nth(1) == Some("deny-vacuous");
        let table = |fill: fn(&str, &str) -> Result<String, String>| match &self.test {
            Some(test) => fill(test, &block.text),
            None => Err("no test".to_owned()),
        };
        Some(match block.kind.as_str() {
            "truth" => table(table::truth),
            "hints" => table(table::hints),
            "diagnostics" => self.case().map(|case| case.diagnostics()),
            "verdict" => self.case().map(|case| case.verdict(deny).to_owned()),
            kind => {
                let show: fn(&Case, &Judge<'_>) -> String = match kind {
                    "outcomes" => outcomes,
                    "findings" => findings,
                    "derivation" => derivation,
                    "view" => view,
                    "program" => |_, judge| compiled_program(judge),
                    "report" => |_, judge| evaluation_report(judge),
                    _ => return None,
                };
                self.case().and_then(|case| {
                    let shown = case.judged(|judge| show(&case, judge))?;
                    case::harmless(&shown);
                    Ok(shown)
                })
            }
        })
    }
}

impl Verifying {
    fn case(&self) -> Result<Case, String> {
        let rulespec = self.rulespec.as_ref().ok_or("no rulespec")?;
        let mut case = Case::new(self.limits);
        case.rulespec(rulespec, self.conditions.as_deref())?;
        if let Some(said) = &self.said {
            case.said(said);
        }
        if let Some(observed) = &self.observed {
            case.observed(observed);
        }
        case.check();
        Ok(case)
    }
}

fn outcomes(case: &Case, judge: &Judge<'_>) -> String {
    let findings = case.findings(judge, false);
    let line = |finding: &lawful::verify::Finding| {
        let predicate = &case.law().predicates[finding.index];
        let warning = finding.outcome == Judgement::Fail && predicate.severity.name() == "warning";
        let vacuous = if finding.vacuous { ", vacuous" } else { "" };
        let warning = if warning { ", a warning" } else { "" };
        format!("{} {}{vacuous}{warning}\n", finding.index, finding.outcome.name())
    };
    findings.iter().map(line).collect()
}

fn findings(case: &Case, judge: &Judge<'_>) -> String {
    let mut out = String::new();
    for finding in case.findings(judge, false) {
        out += &format!("{} {}: {}\n", finding.index, finding.outcome.name(), finding.reason);
        if let Some(place) = finding.place.and_then(|span| case.place(span)) {
            out += &format!("  at {place}\n");
        }
        if let Some(hint) = &finding.hint {
            out += &format!("  hint: {}\n", table::hint_text(hint));
        }
    }
    out
}

fn view(case: &Case, judge: &Judge<'_>) -> String {
    render::to_json(&case.views(judge, false)).unwrap()
}

fn derivation(case: &Case, judge: &Judge<'_>) -> String {
    let line = |view: &PredicateView| {
        let steps = derivation_text(&view.derivation);
        let steps: String = steps.lines().map(|line| format!("  {line}\n")).collect();
        format!("{} {}\n{steps}", view.index, view.outcome)
    };
    case.views(judge, true).iter().map(line).collect()
}
