//! A progress line on the terminal. Nothing is drawn into a pipe.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use crate::output::print_error;

/// The progress of a run.
pub(crate) struct Progress {
    shown: bool,
    next: Instant,
}

const EVERY: Duration = Duration::from_millis(100);

impl Progress {
    pub(crate) fn new() -> Self {
        Self { shown: std::io::stderr().is_terminal(), next: Instant::now() + EVERY }
    }

    /// Draws the line, unless it was drawn a moment ago.
    pub(crate) fn at(&mut self, envelopes: usize, failed: usize) {
        let now = Instant::now();
        if self.shown && now >= self.next {
            self.next = now + EVERY;
            print_error(&format!("\r{envelopes} envelopes, {failed} failed\u{1b}[K"));
        }
    }

    /// Removes the line.
    pub(crate) fn end(&self) {
        if self.shown {
            print_error("\r\u{1b}[K");
        }
    }
}
