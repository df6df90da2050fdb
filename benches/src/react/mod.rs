//! React: what one step costs, and what it costs to keep it.
//!
//! A [book](book) of rules is generated at two sizes, in which the same rules match; a step must
//! cost about the same ([step]). Ten thousand keywords are looked for beside a bare automaton
//! ([keywords]), and the common subset of both runs beside json-rules-engine ([peer]). Turns are made
//! [durable] beside a bare SQLite loop, and a session with a [large] variable is read and rewound.
//!
//! **Invariant:** a run is void unless all answers agree.

pub mod book;
pub mod durable;
pub mod keywords;
pub mod large;
pub mod peer;
pub mod report;
pub mod step;
