//! Where there are no process groups, nothing is run: what cannot be ended must not be started.

use std::io;
use std::process::{Child, Command};
use std::thread::{self, JoinHandle};

/// Refuses.
pub(super) fn spawn(_command: &mut Command) -> io::Result<Child> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no process groups"))
}

/// Never called with a child, because none is started.
pub(super) fn watch(_child: &Child, done: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    thread::spawn(done)
}

/// Never called with a child, because none is started.
pub(super) fn kill(_child: &Child) {}
