//! regorus: a policy compiled to a program of its virtual machine, which stays loaded.
//!
//! Each rule adds its number to one set of hits. Rego has no `or`: the `any` of a rule is a rule of
//! its own with two bodies. A program holds at most 65,535 instructions, so every thousand rules are
//! a program of their own; the others of its ways to say the same were slower.

use std::fmt::Write as _;

use regorus::Value;
use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::vm::RegoVM;

use super::Engine;
use crate::Result;
use crate::vocabulary::DOCUMENT;
use crate::workload::{Kind, Rule, Test, Workload};

/// Rules in one program.
const PROGRAM: usize = 1000;

struct Compiled {
    machines: Vec<RegoVM>,
    document: Value,
}

impl Engine for Compiled {
    fn decide(&mut self, hits: &mut [bool]) {
        hits.fill(false);
        for machine in &mut self.machines {
            machine.set_input(self.document.clone());
            let Ok(Value::Set(found)) = machine.execute() else { return };
            for rule in found.iter() {
                let at = rule.as_u64().ok().and_then(|rule| usize::try_from(rule).ok());
                if let Some(hit) = at.and_then(|at| hits.get_mut(at)) {
                    *hit = true;
                }
            }
        }
    }
}

pub(super) fn prepare(workload: &Workload) -> Result<Box<dyn Engine>> {
    // The cache of compiled patterns must hold all of them.
    regorus::cache::configure(regorus::cache::Config { regex: 1 << 16, glob: 0 });
    let programs = workload.rules.chunks(PROGRAM).enumerate();
    let machines =
        programs.map(|(at, rules)| machine(rules, at * PROGRAM)).collect::<Result<_>>()?;
    Ok(Box::new(Compiled { machines, document: Value::from_json_str(DOCUMENT)? }))
}

fn machine(rules: &[Rule], first: usize) -> Result<RegoVM> {
    const ENTRY: &str = "data.rules.hits";
    let mut engine = regorus::Engine::new();
    engine.add_policy("rules.rego".to_owned(), policy(rules, first)?)?;
    let policy = engine.compile_with_entrypoint(&ENTRY.into())?;
    let mut machine = RegoVM::new();
    machine.load_program(Compiler::compile_from_policy(&policy, &[ENTRY])?);
    machine.set_max_instructions(usize::MAX);
    machine.set_data(Value::new_object())?;
    Ok(machine)
}

fn policy(rules: &[Rule], first: usize) -> Result<String> {
    let mut text = String::from("package rules\nimport rego.v1\n");
    for (rule, at) in rules.iter().zip(first..) {
        writeln!(text, "hits contains {at} if {{")?;
        for part in &rule.all {
            writeln!(text, "  {}", test(part))?;
        }
        writeln!(text, "  any_{at}\n}}")?;
        for part in &rule.any {
            writeln!(text, "any_{at} if {}", test(part))?;
        }
    }
    Ok(text)
}

fn test(test: &Test) -> String {
    let Test { path, value, .. } = test;
    match test.kind {
        Kind::Equals => format!("input.{path} == {value}"),
        Kind::Greater => format!("input.{path} > {value}"),
        Kind::Contains => format!("{value} in input.{path}"),
        Kind::StartsWith => format!("startswith(input.{path}, {value})"),
        Kind::Matches => format!("regex.match({value}, input.{path})"),
    }
}
