//! Applies the limits of the parent to this process.

use lawful_worker::Limits;

/// Applies the limits to this process. For limits that cannot be set, the parent's timeout remains.
#[cfg(unix)]
pub(crate) fn set(limits: &Limits) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let bound = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    // A limit can only be lowered, down from the current one.
    let lower = |resource: Resource, wanted: Rlimit| {
        let _ = setrlimit(resource, wanted);
    };
    lower(Resource::As, bound(limits.memory));
    // At the first limit the system sends a signal that names the cause; at the second it kills.
    let cpu = Rlimit { current: Some(limits.cpu), maximum: Some(limits.cpu.saturating_add(1)) };
    lower(Resource::Cpu, cpu);
    lower(Resource::Core, bound(0));
    lower(Resource::Fsize, bound(limits.answer as u64));
}

/// Here only the parent's timeout applies.
#[cfg(not(unix))]
pub(crate) fn set(_limits: &Limits) {}
