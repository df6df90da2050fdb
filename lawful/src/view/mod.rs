//! What the command line shows: the public JSON shapes, and the same for people.

mod check;
mod eval;

pub use check::CheckView;
pub use eval::{EvalView, explanation_text};
