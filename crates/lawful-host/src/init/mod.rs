//! `lawful init`: a first lawbook for a project.
//!
//! A plan is computed first: what the project is, which files the lawbook has, and what could be
//! carried over from the instructions and settings that are there. The lawbook is the folder `lawful`
//! of the project, where every command finds it.
//!
//! **Invariant:** nothing is written before the plan is complete and free of conflicts, and no file
//! that exists is ever written to.

mod detect;
mod import;
mod manifest;
mod needless;
mod node;
mod plan;
mod python;
mod stop;
mod template;
mod view;
mod write;
mod yaml;

pub use detect::TestCommand;
pub use import::{Carried, NotCarried};
pub use plan::{InitPlan, InitRequest};
pub use template::Template;
pub use view::{FoundView, HookView, InitView};

#[cfg(test)]
mod tests;
