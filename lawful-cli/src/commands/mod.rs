//! One module for each command.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod eval;
pub(crate) mod explain;
