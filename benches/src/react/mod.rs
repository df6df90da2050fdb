//! React: what one step costs.
//!
//! A [book](book) of rules is generated at two sizes, in which the same rules match; a step must
//! cost about the same ([step]). Ten thousand keywords are looked for beside a bare automaton
//! ([keywords]), and the common subset of both runs beside json-rules-engine ([peer]).
//!
//! **Invariant:** a run is void unless all answers agree.

pub mod book;
pub mod keywords;
pub mod peer;
pub mod report;
pub mod step;
