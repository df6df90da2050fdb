//! What an evaluation may take.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The bounds of one evaluation. All roles of a book share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of memory, as the system counts them: everything that is mapped.
    pub memory: u64,
    /// Seconds of processor time.
    pub cpu: u64,
    /// Time by the clock on the wall.
    pub wall: Duration,
    /// Bytes of stack; part of the memory.
    pub stack: usize,
    /// Bytes of answer.
    pub answer: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: 512 << 20,
            cpu: 5,
            wall: Duration::from_secs(20),
            stack: 64 << 20,
            answer: 16 << 20,
        }
    }
}
