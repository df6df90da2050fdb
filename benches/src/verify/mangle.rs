//! mangle-driver: the same texts, run by another engine.
//!
//! Its store writes a line to standard error for every relation of every run. While it runs, standard
//! error leads nowhere; for the programs here that is less than a dozen writes a run.

use std::fs::File;

use mangle_ast::Arena;
use mangle_driver::{compile, execute};
use mangle_interpreter::{MemStore, Value};

use crate::Result;

/// Runs a program, and hands every fact of some relations over: the place of the relation in the
/// list, and the numbers.
pub fn run(text: &str, asked: &[&str], mut each: impl FnMut(usize, &[i64])) -> Result<()> {
    let arena = Arena::new_with_global_interner();
    let (mut ir, strata) = compile(text, &arena)?;
    let run = execute(&mut ir, &strata, Box::new(MemStore::new()))?;
    let mut row = Vec::new();
    for (at, name) in asked.iter().enumerate() {
        for fact in run.store().scan(name)? {
            row.clear();
            for value in &fact {
                if let Value::Number(number) = value {
                    row.push(*number);
                }
            }
            each(at, &row);
        }
    }
    Ok(())
}

/// Standard error, leading nowhere until this is dropped.
#[derive(Debug)]
pub struct Quiet(rustix::fd::OwnedFd);

impl Quiet {
    /// Leads standard error nowhere.
    pub fn new() -> Result<Self> {
        let kept = rustix::io::dup(std::io::stderr())?;
        rustix::stdio::dup2_stderr(File::options().write(true).open("/dev/null")?)?;
        Ok(Self(kept))
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        // If it cannot be brought back, there is nowhere to say so.
        let _ = rustix::stdio::dup2_stderr(&self.0);
    }
}
