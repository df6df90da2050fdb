//! One module for each command.

pub(crate) mod align;
pub(crate) mod allow;
pub(crate) mod blame;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod compose;
pub(crate) mod deliver;
pub(crate) mod diff;
mod doctor;
pub(crate) mod envelope;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod guard;
pub(crate) mod harnesses;
pub(crate) mod hook;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod matrix;
pub(crate) mod observe;
pub(crate) mod react;
pub(crate) mod replay;
pub(crate) mod role;
pub(crate) mod schema;
pub(crate) mod session;
pub(crate) mod trust;
pub(crate) mod verify;
mod verify_many;
