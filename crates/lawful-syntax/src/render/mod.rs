//! Diagnostics as text and as JSON.

mod human;
mod json;

pub use human::{Style, human};
pub use json::{DiagnosticView, LabelView, to_json, view};
