//! What the command line shows: the public JSON shapes, and the same for people.

mod align;
mod check;
mod compose;
mod eval;
mod react;
mod react_text;
mod role;
mod verify;

pub use align::{AlignView, ForbiddenView, UnknownView, UntaughtView};
pub use check::CheckView;
pub use compose::{ComposeView, RuleView, SectionView, TokensView, TraceView};
pub use eval::{EvalView, explanation_text, why};
pub use react::{
    ChangeView, FiringView, HitView, InsertionView, NotFiredView, ReactTraceView, ReactView,
    StateView, WaveView,
};
pub use react_text::{Told, effect_text, request_text, state_diff, step_text};
pub use role::{LayerView, LayersView, RoleView};
pub use verify::{
    FailureView, ManyView, PlaceView, PredicateView, StepView, TallyView, VerifyView,
    derivation_text,
};
