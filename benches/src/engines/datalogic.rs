//! datalogic-rs: one compiled logic for each rule, evaluated over the parsed document without a
//! copy, in an arena that is reset for each document. Its documentation calls this the tier of the
//! least cost.

use datalogic_rs::bumpalo::Bump;
use datalogic_rs::{Engine as Datalogic, Logic, ParsedData};
use serde_json::{Value, json};

use super::Engine;
use crate::Result;
use crate::vocabulary::DOCUMENT;
use crate::workload::{Kind, Test, Workload};

struct Compiled {
    engine: Datalogic,
    rules: Vec<Logic>,
    document: ParsedData,
    arena: Bump,
}

impl Engine for Compiled {
    fn decide(&mut self, hits: &mut [bool]) {
        for (hit, rule) in hits.iter_mut().zip(&self.rules) {
            let answer = self.engine.evaluate(rule, &self.document, &self.arena);
            *hit = answer.is_ok_and(|value| value.as_bool() == Some(true));
        }
        self.arena.reset();
    }
}

pub(super) fn prepare(workload: &Workload) -> Result<Box<dyn Engine>> {
    let engine = Datalogic::new();
    let mut rules = Vec::new();
    for rule in &workload.rules {
        let any: Vec<Value> = rule.any.iter().map(test).collect::<Result<_>>()?;
        let mut all: Vec<Value> = rule.all.iter().map(test).collect::<Result<_>>()?;
        all.push(json!({ "or": any }));
        rules.push(engine.compile(json!({ "and": all }).to_string().as_str())?);
    }
    let document = ParsedData::from_json(DOCUMENT)?;
    Ok(Box::new(Compiled { engine, rules, document, arena: Bump::new() }))
}

fn test(test: &Test) -> Result<Value> {
    let found = json!({ "var": test.path });
    let value = &test.value;
    Ok(match test.kind {
        Kind::Equals => json!({ "===": [found, value] }),
        Kind::Greater => json!({ ">": [found, value] }),
        Kind::Contains => json!({ "in": [value, found] }),
        Kind::StartsWith => json!({ "starts_with": [found, value] }),
        Kind::Matches => return Err("JSONLogic has no regular expressions".into()),
    })
}
