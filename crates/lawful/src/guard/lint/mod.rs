//! Lints on guards. Each is one file with its documentation, message and test.
//!
//! What a guard decides on is one condition here: its `on` and its `when` together.

mod absent_field;
mod allow_everything;
mod dead_guard;
mod field_type;
mod overruled_guard;
mod program_folder;
mod test;
mod unknown_variable;
mod useless_guard;

use std::rc::Rc;

use lawful_syntax::{Code, Diagnostic, Span};

use super::guards::{Guard, Guards};
use crate::book::Book;
use crate::cond::lint::analysis_skipped;
use crate::cond::partition::{Caps, Domain, Domains, Partition, Skipped};
use crate::cond::{CondId, Condition, ConditionSet, Operator, Surface, lint_all};
use crate::live::{Action, EventKind};
use crate::path::Path;
use crate::react::Rules;
use crate::value::Value;

/// The codes of all lints.
pub(crate) fn codes() -> impl Iterator<Item = &'static Code> {
    let tables = [
        absent_field::ALL,
        allow_everything::ALL,
        dead_guard::ALL,
        field_type::ALL,
        overruled_guard::ALL,
        program_folder::ALL,
        useless_guard::ALL,
    ];
    tables.into_iter().flatten().copied()
}

/// Runs every lint on the guards of a lawbook.
pub(crate) fn lint(book: &Book, guards: &Guards, rules: &Rules) -> Vec<Diagnostic> {
    let domains = domains(book);
    let whens = guards.all().map(|(_, guard)| &guard.when);
    let mut problems = lint_all(whens, &book.registry, &domains, Caps::default());
    problems.extend(absent_field::check(guards));
    problems.extend(allow_everything::check(guards));
    problems.extend(field_type::check(guards, &book.registry));
    problems.extend(program_folder::check(guards, &book.registry));
    problems.extend(unknown_variable::check(guards, rules, &book.registry));
    let mut builder = book.registry.set();
    let mut scoped = Vec::new();
    for (_, guard) in guards.all() {
        let (Some(when), Some(whole)) = (
            builder.add(&guard.when, Surface::When).0,
            builder.add(&whole(guard), Surface::When).0,
        ) else {
            continue;
        };
        scoped.push(Scoped { guard, when, whole });
    }
    let set = Rc::new(builder.finish());
    // Guards on one kind of event are compared with each other only.
    for (_, event) in EventKind::NAMES {
        let of: Vec<&Scoped<'_>> =
            scoped.iter().filter(|scoped| scoped.guard.on.event == event).collect();
        match compare(&of, &set, &domains) {
            Ok(found) => problems.extend(found),
            Err(skipped) => {
                let place = of.first().map_or(Span::NONE, |scoped| scoped.guard.id_span);
                let message = format!("the guards are not compared with each other: {skipped}");
                problems.push(analysis_skipped(place, &message));
            }
        }
    }
    problems
}

/// A guard, its condition, and the same with what its `on` requires.
struct Scoped<'g> {
    guard: &'g Guard,
    when: CondId,
    whole: CondId,
}

/// The most guards that are compared with each other.
const MOST: usize = 300;

fn compare(
    guards: &[&Scoped<'_>],
    set: &ConditionSet,
    domains: &Domains,
) -> Result<Vec<Diagnostic>, Skipped> {
    if guards.is_empty() {
        return Ok(Vec::new());
    }
    if guards.len() > MOST {
        return Err(Skipped(format!("there are more than {MOST}")));
    }
    let ids: Vec<CondId> = guards.iter().flat_map(|scoped| [scoped.when, scoped.whole]).collect();
    let mut partition = Partition::new(set, &ids, domains, Caps::default())?;
    let mut problems = Vec::new();
    for (at, scoped) in guards.iter().enumerate() {
        let mut others = guards.iter().enumerate().filter(|(other, _)| *other != at);
        if partition.is_never(scoped.whole) {
            problems.extend(dead_guard::check(scoped, &partition));
            continue;
        }
        let mut found = None;
        for (other_at, other) in others.by_ref() {
            if !may_relate(scoped, other) || partition.is_never(other.whole) {
                continue;
            }
            // Of two equal guards, the later one is reported.
            let first_of_equals = at < other_at
                && scoped.guard.decision == other.guard.decision
                && partition.surely_implies(other.whole, scoped.whole)?;
            if !first_of_equals && partition.surely_implies(scoped.whole, other.whole)? {
                found = Some(other);
                break;
            }
        }
        if let Some(other) = found {
            let same = scoped.guard.decision == other.guard.decision;
            problems.push(if same {
                useless_guard::report(scoped.guard, other.guard)
            } else {
                overruled_guard::report(scoped.guard, other.guard)
            });
        }
    }
    Ok(problems)
}

/// Whether another guard is as strict.
fn may_relate(one: &Scoped<'_>, other: &Scoped<'_>) -> bool {
    other.guard.decision >= one.guard.decision
}

/// What a guard decides on, as one condition.
pub(crate) fn whole(guard: &Guard) -> Condition {
    let test = |field: &str, values: Vec<Value>| {
        Condition::test(&format!("event.{field}"), Operator::AnyOf, Some(Value::List(values)))
    };
    let mut parts = Vec::new();
    if !guard.on.actions.is_empty() {
        let actions = guard.on.actions.iter().map(|action| action.name().into()).collect();
        parts.push(test("action", actions));
    }
    for (field, values) in &guard.on.fields {
        parts.push(test(field, values.clone()));
    }
    if parts.is_empty() {
        return guard.when.clone();
    }
    parts.push(guard.when.clone());
    Condition::all(parts)
}

/// The values that fields and variables can have.
pub(crate) fn domains(book: &Book) -> Domains {
    let mut domains = Domains::default();
    let mut declare = |path: &str, values: Vec<Value>| {
        if let Ok(path) = Path::parse(path) {
            domains.declare(path, Domain::Values { values, absent: true });
        }
    };
    let names = |names: &[&str]| names.iter().map(|name| Value::Text((*name).into())).collect();
    declare("event.action", names(&Action::NAMES.map(|(name, _)| name)));
    declare("event.opaque", vec![Value::Bool(true), Value::Bool(false)]);
    declare("event.type", names(&EventKind::NAMES.map(|(name, _)| name)));
    for variable in &book.manifest.variables {
        let Ok(path) = Path::parse(&format!("state.{}", variable.id)) else { continue };
        domains.declare(path, Domain::of_variable(variable));
    }
    domains
}

/// Checks a lawbook with these guards.
#[cfg(test)]
fn check(guards: &str, expected: &str) {
    let source = crate::book::MemorySource::new()
        .with("lawful.yaml", "name: test\nvariables: {hp: {type: number, min: 0, max: 9}}\n")
        .with("guards/g.yaml", guards);
    crate::check::check_source(&source, None, expected);
}
