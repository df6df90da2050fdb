//! Diagnostics for people and for programs.

mod human;
mod json;

pub use human::{Style, human};
pub use json::{DiagnosticView, LabelView, to_json, view};
