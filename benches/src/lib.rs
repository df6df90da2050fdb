//! Lawful side by side with its peers.
//!
//! One workload is generated, every engine compiles it in its own way, and all of them decide the
//! same rules over the same document.
//!
//! **Invariant:** a run is void unless every engine gives every rule the answer that the rule was
//! built to have. Only then is anything timed.

pub mod agree;
pub mod cli;
pub mod command;
pub mod compose;
pub mod count;
pub mod engines;
pub mod goals;
pub mod hook;
pub mod install;
pub mod machine;
pub mod measure;
mod npm;
pub mod react;
mod read;
pub mod reload;
pub mod report;
mod table;
pub mod test;
pub mod verify;
pub mod vocabulary;
pub mod workload;

/// What can go wrong in a run: told to the person who started it, and then the run ends.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
