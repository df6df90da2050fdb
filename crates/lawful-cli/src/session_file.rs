//! States of sessions in files.

pub(crate) use lawful_host::state_file::insertions;
