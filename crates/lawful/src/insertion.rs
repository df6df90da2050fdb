//! What a session inserts into a prompt: plain data that compose and react share.
//!
//! React derives insertions from a session and the entries of a book; compose places them. Neither
//! depends on the other.

use std::collections::BTreeSet;
use std::ops::Deref;

use lawful_syntax::{Diagnostic, FileId};

use crate::path::{Path, Segment};

/// Everything that a session adds to a prompt.
#[derive(Clone, Debug, Default)]
pub struct Insertions {
    /// The texts, in order.
    pub list: Vec<Insertion>,
    /// The variables whose values may stand in the system layer; `None` without a session.
    pub trusted: Option<BTreeSet<Box<str>>>,
    /// The problems of the texts.
    pub problems: Vec<Diagnostic>,
}

impl Insertions {
    /// Whether a placeholder reads a variable of the session that must not enter the system layer.
    pub(crate) fn withholds(&self, path: &Path) -> bool {
        let Some(trusted) = &self.trusted else { return false };
        match path.segments() {
            [Segment::Key(root), Segment::Key(variable)] if **root == *"state" => {
                !trusted.contains(variable)
            }
            [Segment::Key(root), ..] => **root == *"state",
            [] | [Segment::Index(_) | Segment::Each, ..] => false,
        }
    }
}

impl Deref for Insertions {
    type Target = [Insertion];

    fn deref(&self) -> &[Insertion] {
        &self.list
    }
}

/// A text and its position in the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// The kind of its source.
    pub kind: InsertionKind,
    /// Its id; for a queued message, its index in the queue.
    pub id: Box<str>,
    /// Where it is inserted.
    pub position: Position,
    /// The role of the message, if it is a separate message.
    pub role: Option<Role>,
    /// Its text, trimmed.
    pub text: Box<str>,
    /// The file and the line at which it starts; `None` for a directive.
    pub place: Option<(FileId, usize)>,
}

/// The kind of source of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InsertionKind {
    /// A directive that a rule injected.
    Directive,
    /// An enabled entry of the book.
    Entry,
    /// A message that a rule sent, for the next turn only.
    Context,
}

/// A position in a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    /// Directly after the core, before everything else.
    Top,
    /// Directly before the persona.
    BeforeChar,
    /// Directly after the persona.
    AfterChar,
    /// In the history instead of the prompt, this many messages before its end.
    Depth(u32),
    /// After everything else.
    Bottom,
}

/// The role of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The system.
    System,
    /// The user.
    User,
}

impl InsertionKind {
    /// `directive`, `entry` or `context`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Directive => "directive",
            Self::Entry => "entry",
            Self::Context => "context",
        }
    }
}

impl Position {
    /// The default depth, in messages from the newest.
    pub const DEPTH: u32 = 4;

    /// Every name of a position; `auto` is `after_char`.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("top", Self::Top),
        ("before_char", Self::BeforeChar),
        ("after_char", Self::AfterChar),
        ("auto", Self::AfterChar),
        ("depth", Self::Depth(Self::DEPTH)),
        ("bottom", Self::Bottom),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::BeforeChar => "before_char",
            Self::AfterChar => "after_char",
            Self::Depth(_) => "depth",
            Self::Bottom => "bottom",
        }
    }

    /// The number of messages from the newest, if the position is in the history.
    pub fn depth(self) -> Option<u32> {
        match self {
            Self::Depth(depth) => Some(depth),
            Self::Top | Self::BeforeChar | Self::AfterChar | Self::Bottom => None,
        }
    }
}

impl Role {
    /// Every name of a role.
    pub const NAMES: [(&'static str, Self); 2] = [("system", Self::System), ("user", Self::User)];

    /// `system` or `user`.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
        }
    }
}
