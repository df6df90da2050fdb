//! Reads a shell line and lists the commands that it would run.
//!
//! ```
//! let reading = lawful_shell::read("cd web && sudo g\"i\"t -C app push --force > log");
//! let lines: Vec<String> = reading.commands.iter().flat_map(|command| command.lines()).collect();
//! assert_eq!(lines, [
//!     "cd web",
//!     "sudo git -C app push --force",
//!     "git -C app push --force",
//!     "git push --force",
//! ]);
//! assert!(reading.opaque.is_empty());
//! ```
//!
//! Nothing is run and nothing outside the line is looked at. A line goes through three stages:
//!
//! 1. [`syntax`] parses it as bash does.
//! 2. [`walk`] follows the tree: which commands run, in which folder, with which standard input,
//!    and which files redirections write.
//! 3. [`run`] looks at each simple command: the files that the program writes ([`writes`]), and the
//!    commands that it runs in turn ([`wrappers`]: `sudo`, `xargs`, `sh -c`).
//!
//! **Invariants:**
//! - A command that the line runs is among the commands, or the reading says that it is opaque.
//! - Reading ends in time linear in the length of the line, and never panics. A line over a limit
//!   is opaque.

mod assignments;
mod essence;
mod expand;
mod git;
mod links;
mod options;
mod programs;
mod reading;
mod run;
mod sed;
mod shells;
mod special;
mod syntax;
#[cfg(test)]
mod tables_tests;
mod variables;
mod walk;
mod wrappers;
mod writes;

pub use reading::{Command, Folder, Link, Opaque, Read, Reading, Write};

/// The longest line that is read, in bytes.
pub const MAX_LENGTH: usize = 256 * 1024;

/// The most commands in a reading.
pub const MAX_COMMANDS: usize = 2_000;

/// Reads a line as bash would.
///
/// A line may hold several lines of text: it is what `bash -c` gets.
pub fn read(line: &str) -> Reading {
    let mut reader = walk::Reader::default();
    reader.read_line(line);
    if line.contains('\r') {
        // Whoever passes the line on may or may not remove carriage returns. Both are read.
        reader.read_line(&line.replace("\r\n", "\n"));
    }
    reader.finish()
}
