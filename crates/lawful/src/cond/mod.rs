//! Conditions: the language of every `when`.
//!
//! ```text
//! Node --decode--> Condition --compile--> ConditionSet --run(document)--> outcomes --explain--> Explanation
//! ```
//!
//! A [`Condition`] is a serialisable tree of `all`, `any`, `not` and `ref`. A [`Registry`] resolves
//! the refs: built-in operators, host primitives and saved conditions. All conditions of a book
//! compile into one [`ConditionSet`], which shares equal parts and looks up every path once per
//! document. Evaluation writes a flat vector of outcomes; an explanation reads it later.

mod code;
mod compile;
mod convert;
pub(crate) mod decode;
mod eval;
mod explain;
mod explain_text;
mod expression;
mod groups;
pub(crate) mod leaf;
pub(crate) mod lint;
pub(crate) mod operator;
mod outcome;
pub mod partition;
pub(crate) mod parts;
mod pattern;
mod prefix;
mod primitive;
mod print;
mod registry;
mod set;
mod sorted;
mod tree;

pub use compile::{SetBuilder, Surface, without_echoes};
pub(crate) use decode::{Leaves, PATH, TestWords, decode_with};
pub use decode::{decode, decode_when};
pub use eval::{Outcomes, Run};
pub use explain::{Explanation, ExplanationKind};
pub use explain_text::{explanation_text, why};
pub(crate) use groups::Groups;
pub use leaf::Quantifier;
pub use lint::{lint, lint_all};
pub use operator::Operator;
pub use outcome::Outcome;
pub(crate) use pattern::{PatternId, Patterns};
pub use primitive::{ArgKind, ArgSpec, Args, Inputs, Predicate, Primitive};
pub use registry::{RegistrationError, Registry, RegistryBuilder, SavedCondition};
pub use set::{CondId, ConditionSet};
pub(crate) use tree::to_node;
pub use tree::{Condition, ConditionKind, Ref};

#[cfg(test)]
pub(crate) mod tests;
