//! A progress line on the terminal. Nothing is drawn into a pipe.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use lawful::syntax::escape;
use lawful_host::verify::BatchProgress;

use crate::output::print_error;

/// The progress of a run.
pub(crate) struct Progress {
    shown: bool,
    /// What is counted.
    unit: &'static str,
    start: Instant,
    next: Instant,
}

const EVERY: Duration = Duration::from_millis(100);

impl Progress {
    pub(crate) fn new(unit: &'static str) -> Self {
        let start = Instant::now();
        Self { shown: std::io::stderr().is_terminal(), unit, start, next: start + EVERY }
    }

    /// Draws the line, unless it was drawn a moment ago.
    pub(crate) fn at(&mut self, progress: BatchProgress) {
        let now = Instant::now();
        if self.shown && now >= self.next {
            self.next = now + EVERY;
            let line = line(self.unit, progress, now - self.start);
            print_error(&format!("\r{line}\u{1b}[K"));
        }
    }

    /// Removes the line.
    pub(crate) fn end(&self) {
        if self.shown {
            print_error("\r\u{1b}[K");
        }
    }
}

/// The counts, the rate, and an estimate if the size of the input is known.
fn line(unit: &str, progress: BatchProgress, elapsed: Duration) -> String {
    let BatchProgress { envelopes, failed, read, size } = progress;
    let mut line = format!("{}, {failed} failed", escape::count(envelopes, unit));
    let milliseconds = elapsed.as_millis().max(1);
    let rate = envelopes as u128 * 1000 / milliseconds;
    let _ = write!(line, ", {rate}/s");
    if let Some(size) = size.filter(|size| *size > 0 && read > 0) {
        let (read, size) = (u128::from(read.min(size)), u128::from(size));
        let left = milliseconds * (size - read) / read / 1000;
        let _ = write!(line, ", {}%, {} left", read * 100 / size, duration(left));
    }
    line
}

fn duration(seconds: u128) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_a_rate_and_an_estimate_if_the_size_is_known() {
        let progress = BatchProgress { envelopes: 5000, failed: 2, read: 250, size: Some(1000) };
        let elapsed = Duration::from_secs(50);
        assert_eq!(
            line("record", progress, elapsed),
            "5000 records, 2 failed, 100/s, 25%, 2 min 30 s left"
        );
        let unknown = BatchProgress { size: None, ..progress };
        assert_eq!(line("envelope", unknown, elapsed), "5000 envelopes, 2 failed, 100/s");
        let start = BatchProgress { envelopes: 0, failed: 0, read: 0, size: Some(1000) };
        assert_eq!(line("record", start, Duration::ZERO), "0 records, 0 failed, 0/s");
        let one = BatchProgress { envelopes: 1, size: None, ..start };
        assert_eq!(line("record", one, Duration::from_secs(1)), "1 record, 0 failed, 1/s");
    }

    #[test]
    fn a_duration_has_two_units() {
        assert_eq!(duration(59), "59 s");
        assert_eq!(duration(3 * 3600 + 125), "3 h 2 min");
    }
}
