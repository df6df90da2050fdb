//! Instructions for one document: the same on a busy machine as on an idle one.
//!
//! The binary runs itself under valgrind twice, over few documents and over many. The difference is
//! the cost of the documents; the cost of the start cancels out.

use std::process::Command;

use crate::Result;
use crate::engines::{CONTENDERS, Contender, DATALOGIC, LAWFUL, LAWFUL_EXPLAIN, LAWFUL_KEEP};
use crate::workload::Workload;

/// The engines that are counted.
pub const ENGINES: [&str; 4] = [LAWFUL, LAWFUL_KEEP, LAWFUL_EXPLAIN, DATALOGIC];

/// The workloads that they are counted on.
pub const WORKLOADS: [&str; 5] = ["mixed", "true", "mixed-regex", "true-regex", "mixed-own"];

/// Instructions for one document, by engine and workload; `None` where an engine has no answer.
pub type Counts = Vec<(&'static Contender, Vec<Option<u64>>)>;

/// Decides one document again and again and says nothing: what is run under valgrind.
pub fn run(engine: &str, workload: &str, documents: u32) -> Result<()> {
    let workload = Workload::named(workload).ok_or("there is no such workload")?;
    let contender = Contender::named(engine).ok_or("there is no such engine")?;
    let mut engine = contender.prepare(&workload)?;
    let mut hits = vec![false; workload.rules.len()];
    for _ in 0..documents {
        engine.decide(std::hint::black_box(&mut hits));
    }
    Ok(())
}

/// Counts for every engine on every workload; `None` where there is no valgrind.
pub fn count_all() -> Result<Option<Counts>> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return Ok(None);
    }
    let mut counts = Vec::new();
    for contender in CONTENDERS.iter().filter(|one| ENGINES.contains(&one.name)) {
        let mut row = Vec::new();
        for workload in WORKLOADS {
            let known = Workload::named(workload).ok_or("there is no such workload")?;
            let counted = contender.can_express(&known);
            row.push(counted.then(|| per_document(contender.name, workload)).transpose()?);
        }
        counts.push((contender, row));
    }
    Ok(Some(counts))
}

fn per_document(engine: &str, workload: &str) -> Result<u64> {
    const FEW: u32 = 50;
    const MANY: u32 = 250;
    let few = instructions(engine, workload, FEW)?;
    let many = instructions(engine, workload, MANY)?;
    Ok(many.saturating_sub(few) / u64::from(MANY - FEW))
}

fn instructions(engine: &str, workload: &str, documents: u32) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["--count", engine, workload, &documents.to_string()])
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected :"));
    match collected.and_then(|(_, count)| count.trim().parse().ok()) {
        Some(count) if output.status.success() => Ok(count),
        Some(_) | None => Err(format!("valgrind did not count `{engine}`: {said}").into()),
    }
}
