//! May the agent stop?

mod quote;

pub use quote::quote;
