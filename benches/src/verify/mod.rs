//! Verifying, timed.

pub mod hook;
