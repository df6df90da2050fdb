//! Ending a long run early.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// A flag that the first interrupt or request to terminate sets. The second one ends the process.
pub fn interrupt_flag() -> Arc<AtomicBool> {
    let flag: Arc<AtomicBool> = Arc::default();
    for signal in [SIGINT, SIGTERM] {
        // In this order the first signal finds the flag unset. If a signal cannot be handled, it
        // ends the process at once.
        let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&flag));
        let _ = flag::register(signal, Arc::clone(&flag));
    }
    flag
}
