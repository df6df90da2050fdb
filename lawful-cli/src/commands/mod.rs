//! One module for each command.

pub(crate) mod blame;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod compose;
pub(crate) mod diff;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod matrix;
pub(crate) mod react;
pub(crate) mod replay;
pub(crate) mod session;
