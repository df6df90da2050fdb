//! What the command line shows: the public JSON shapes, and the same for people.

mod check;
mod compose;
mod eval;

pub use check::CheckView;
pub use compose::{ComposeView, RuleView, SectionView, TokensView, TraceView};
pub use eval::{EvalView, explanation_text, why};
