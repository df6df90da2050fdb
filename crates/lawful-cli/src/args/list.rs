//! The arguments of `list`.

use clap::{Args, ValueEnum};
use lawful::ListKind;

use super::{Book, Output};

/// List what a lawbook contains, and the context that each composition reads
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful list
  lawful list compositions --book examples/support-desk
  lawful list fragments --format json

What has errors is left out and reported, and then the exit code is 2.")]
pub(crate) struct List {
    /// Kind to list; default: all
    #[arg(value_enum)]
    pub(crate) kind: Option<Listed>,
    #[command(flatten)]
    pub(crate) book: Book,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listed {
    /// Compositions, with the context they read.
    Compositions,
    /// Fragments.
    Fragments,
    /// Rules of compositions, and rules and reactions of `rules/`.
    Rules,
    /// Roles, with the context they read.
    Roles,
    /// Saved conditions.
    Conditions,
    /// Guards.
    Guards,
}

impl From<Listed> for ListKind {
    fn from(listed: Listed) -> Self {
        match listed {
            Listed::Compositions => Self::Compositions,
            Listed::Fragments => Self::Fragments,
            Listed::Rules => Self::Rules,
            Listed::Roles => Self::Roles,
            Listed::Conditions => Self::Conditions,
            Listed::Guards => Self::Guards,
        }
    }
}
