//! Compose: how long it takes to resolve a prompt, in the library and as a whole process.
//!
//! A lawbook is [generated](book) in memory and loaded once. Before anything is timed, every answer
//! is compared with that of a [naive second implementation](naive). Then the program `lawful` takes
//! turns with its peers on projects of the same size ([process]).

pub mod book;
pub mod judge;
pub mod naive;
pub mod peers;
pub mod process;
pub mod report;
pub mod resolve;
