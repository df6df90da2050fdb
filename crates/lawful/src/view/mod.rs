//! What the command line shows: the public JSON shapes, and the same for people.

mod align;
mod check;
mod compose;
mod diff;
mod eval;
mod react;
mod react_text;
mod role;
mod verify;

pub use align::{AlignView, ForbiddenView, UnknownView, UntaughtView};
pub use check::{CheckReport, CheckView};
pub use compose::{ComposeTrace, Composed, ReplacedView, RuleView, SectionView, TokensView};
pub use diff::{Blame, Diff, DiffTokens, LineView};
pub use eval::{Evaluation, explanation_text, why};
pub use react::{
    ChangeView, FiringView, HitView, InsertionView, NotFiredView, StateView, StepTrace, Stepped,
    WaveView,
};
pub use react_text::{Told, effect_text, request_text, state_diff, step_text};
pub use role::{ComposedRole, LayerView, LayersView};
pub use verify::{
    FailureView, ManyView, PlaceView, PredicateView, StepView, TallyView, VerifyView,
    derivation_text,
};
