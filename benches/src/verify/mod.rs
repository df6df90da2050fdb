//! Verify: how long it takes to judge envelopes, in the library and as a whole process.
//!
//! [small] goes from the text of a program to verdicts beside mangle-driver, and from facts to
//! verdicts by a compiled rulespec; [large] runs recursive programs beside mangle-driver and clingo;
//! [stream] judges a file of many envelopes beside a program that merely parses it; [process] starts
//! commands, each of which is one [`Start`](process::Start) of the report.

pub mod clingo;
pub mod goals;
pub mod hook;
pub mod large;
pub mod mangle;
pub mod process;
pub mod report;
pub mod small;
pub mod stream;
pub mod workload;
