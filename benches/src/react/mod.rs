//! React: turns that are durable.

pub mod durable;
