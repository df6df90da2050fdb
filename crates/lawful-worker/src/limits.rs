//! The limits of an evaluation.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limits of one evaluation. All roles of a lawbook share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of memory, as the system counts them: everything that is mapped.
    pub memory: u64,
    /// Seconds of processor time.
    pub cpu: u64,
    /// Wall-clock time.
    pub wall: Duration,
    /// Bytes of stack; part of the memory.
    pub stack: usize,
    /// Bytes of the answer.
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
