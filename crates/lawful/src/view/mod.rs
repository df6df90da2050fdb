//! What the command line shows: the public JSON shapes, and their text for people.

mod align;
mod check;
mod compose;
mod coverage;
mod diff;
mod eval;
mod guard;
mod list;
mod matrix;
mod react;
mod react_text;
mod role;
mod test;
mod verify;

pub use crate::cond::{explanation_text, why};
pub use align::{AlignReport, ForbiddenView, PromptView, UnknownView, UntaughtView};
pub use check::{CheckReport, CheckView};
pub use compose::{ComposeTrace, Composed, ReplacedView, RuleView, SectionView, TokensView};
pub use coverage::{CoverageView, CoveredView, MissingView, MutationView, SurvivorView};
pub use diff::{Blame, Diff, DiffTokens, LineView};
pub use eval::Evaluation;
pub use guard::GuardDecision;
pub use list::{
    AxisView, ListView, ListedComposition, ListedCondition, ListedFragment, ListedGuard,
    ListedRole, ListedRule, PlaceholderView,
};
pub use matrix::{ClassView, MatrixReport};
pub use react::{
    ChangeView, FiringView, HitView, InsertionView, NotFiredView, StateView, StepTrace, Stepped,
    WaveView, left_out,
};
pub use react_text::{Told, effect_text, left_out_text, request_text, state_diff, step_text};
pub use role::{ComposedRole, LayerView, LayersView};
pub use test::{ExpectationView, TestReport, TestedScenario};
pub use verify::{
    FailureView, ManyView, NameView, PlaceView, PredicateView, RecordView, StepView, StoppedView,
    TallyView, Verification, derivation_text,
};
