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

/// Puts this process under the limits. What it cannot be put under, the parent's clock still holds.
#[cfg(unix)]
pub(crate) fn set(limits: &Limits) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let bound = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    // A limit is lowered as far as the one that is there already allows.
    let lower = |resource: Resource, wanted: Rlimit| {
        let _ = setrlimit(resource, wanted);
    };
    lower(Resource::As, bound(limits.memory));
    // At the first number the system sends a signal that says why, at the second it kills.
    let cpu = Rlimit { current: Some(limits.cpu), maximum: Some(limits.cpu.saturating_add(1)) };
    lower(Resource::Cpu, cpu);
    lower(Resource::Core, bound(0));
    lower(Resource::Fsize, bound(limits.answer as u64));
}

/// There is nothing to put a process under here but the parent's clock.
#[cfg(not(unix))]
pub(crate) fn set(_limits: &Limits) {}
