//! Limits of the system that would otherwise kill the process.

/// Turns the limit on the size of files (`ulimit -f`) into an error of the write that exceeds it. By
/// default the signal for it ends the process, before a session could be said to be full. Programs
/// that are started later have the default again.
pub fn survive_file_size_limit() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;

        // A handler that does nothing. If it cannot be installed, the default stays.
        let ignored = Arc::new(AtomicBool::new(false));
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, ignored);
    }
}
