//! Judging envelopes for the commands that do: `verify`, `envelope` and `hook`.

mod law;
mod many;
mod one;
mod progress;
mod report;
mod stream;
mod total;

pub(crate) use law::{Home, Law, load};
pub(crate) use many::{Extent, many};
pub(crate) use one::{Observed, Sight, Verification, judge_file};
pub(crate) use stream::is_lines;

/// How strictly, and how much is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) deny_vacuous: bool,
    pub(crate) explain: bool,
}
