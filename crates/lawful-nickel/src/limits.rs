//! What the parent allows, made binding for this process.

use lawful_worker::Limits;

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
