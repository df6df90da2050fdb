//! Conditions: the one language under every `when`.
//!
//! ```text
//! Node --decode--> Condition --compile--> ConditionSet --run(document)--> outcomes --explain--> Explanation
//! ```
//!
//! A [`Condition`] is a serialisable tree of `all`, `any`, `not` and `ref`. A [`Registry`] knows
//! what the refs mean: the built-in operators, the primitives of a host, and saved conditions. All
//! conditions of a book compile into one [`ConditionSet`], in which equal parts are one part and
//! every path is looked up once per document. Evaluation writes a flat vector of outcomes; an
//! explanation is that vector read back later.

mod code;
mod compile;
mod convert;
pub(crate) mod decode;
mod eval;
mod explain;
pub(crate) mod leaf;
pub(crate) mod lint;
pub(crate) mod operator;
mod outcome;
pub mod partition;
pub(crate) mod parts;
mod pattern;
mod primitive;
mod print;
mod registry;
mod set;
mod sorted;
mod tree;

pub use compile::{SetBuilder, Surface, news};
pub(crate) use decode::{Leaves, PATH, TestWords, decode_with};
pub use decode::{decode, decode_when};
pub use eval::{Outcomes, Run};
pub use explain::{Explanation, ExplanationKind};
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
