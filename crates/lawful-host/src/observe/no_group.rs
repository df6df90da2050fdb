//! Without process groups, nothing is run: a process that cannot be stopped must not be started.

use std::io;
use std::process::{Child, Command};
use std::thread::{self, JoinHandle};

/// Always fails.
pub(super) fn spawn(_command: &mut Command) -> io::Result<Child> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no process groups"))
}

/// Never called, because no child is started.
pub(super) fn watch(_child: &Child, done: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    thread::spawn(done)
}

/// Never called, because no child is started.
pub(super) fn kill(_child: &Child) {}
