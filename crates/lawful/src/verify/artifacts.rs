//! Artifacts of a verification: the program that ran, and a report of what it derived.

use std::fmt::Write as _;

use lawful_datalog::{Datum, Program};
use lawful_syntax::escape;

use super::judge::{Judge, Judgement};
use super::law::RESERVED;

/// The program with the facts of the last envelope: complete, and valid for other engines. Its
/// outputs are `pass(i)`, `fail(i)`, `skipped(i)` and `undecided(i)`, where `i` is the index of the
/// predicate.
pub fn compiled_program(judge: &Judge<'_>) -> String {
    let mut out =
        String::from("// A rulespec and an envelope, compiled to Datalog in Soufflé's dialect.\n");
    let law = &judge.rulespec.law;
    for (at, watch) in law.watches.iter().enumerate() {
        let _ = writeln!(out, "// claim {at}: `{}`", escape::line(&watch.path.to_string()));
    }
    for (at, (watch, asked)) in law.tests.iter().enumerate() {
        let _ = writeln!(out, "// test {at}: `{asked}` on claim {watch}");
    }
    for (at, key) in law.needs.keys.iter().enumerate() {
        let _ = writeln!(out, "// key {at}: `{key}`");
    }
    let program = program(judge);
    if program.needs_64_bits() {
        out.push_str("// Some numbers need 64 bits: a 32-bit engine misreads them.\n");
    }
    out.push('\n');
    let _ = write!(out, "{program}");
    out
}

/// The same, as a [`Program`].
pub(super) fn program(judge: &Judge<'_>) -> Program {
    let compiled = &judge.rulespec.law.compiled;
    let mut program = compiled.program().clone();
    let relations: Vec<_> = program.relations().map(|(id, _)| id).collect();
    // The facts given to the run include those of the program.
    program.clear_facts();
    for relation in relations {
        for row in judge.run.given(relation) {
            let values: Vec<_> = row
                .iter()
                .map(|value| match judge.run.constants.datum(*value) {
                    Datum::Number(number) => program.constants.number(number),
                    Datum::Symbol(symbol) => program.constants.symbol(symbol),
                    Datum::Boolean(boolean) => program.constants.boolean(boolean),
                })
                .collect();
            program.fact(relation, &values);
        }
    }
    program
}

/// What the run derived, by predicate and by relation.
pub fn evaluation_report(judge: &Judge<'_>) -> String {
    const SHOWN: usize = 1_000;
    let mut out = String::new();
    for (index, judgement) in judge.judgements().iter().enumerate() {
        let Some(predicate) = judge.rulespec.predicates.get(index) else { continue };
        let name = predicate
            .name
            .as_deref()
            .map_or(String::new(), |name| format!(" `{}`", escape::line(name)));
        let subject = escape::line(judge.rulespec.subject_name(predicate)).into_owned();
        let value = predicate.value.as_ref().map_or(String::new(), |value| {
            format!(" {}", escape::shorten(&value.to_string(), 200))
        });
        let _ = writeln!(
            out,
            "{:7} predicate {index}{name}: {subject} {}{value}",
            judgement.name(),
            predicate.rule.name()
        );
    }
    let count = |wanted: Judgement| judge.judgements().iter().filter(|one| **one == wanted).count();
    let undecided = match count(Judgement::Undecided) {
        0 => String::new(),
        count => format!(", {count} undecided"),
    };
    let _ = writeln!(
        out,
        "\n{} passed, {} failed, {} skipped{undecided}\n",
        count(Judgement::Pass),
        count(Judgement::Fail),
        count(Judgement::Skipped)
    );
    let program = judge.rulespec.law.compiled.program();
    for (id, relation) in
        program.relations().filter(|(_, relation)| !RESERVED.contains(&&*relation.name))
    {
        let count = judge.run.len(id);
        let facts = if count == 1 { "fact" } else { "facts" };
        let _ = writeln!(out, "{}: {count} {facts}", relation.name);
        for row in judge.run.rows(id).take(SHOWN) {
            let _ = writeln!(out, "  {}", escape::shorten(&judge.run.show(id, &row), 400));
        }
        if judge.run.len(id) > SHOWN {
            let _ = writeln!(out, "  and {} more", judge.run.len(id) - SHOWN);
        }
    }
    out
}
