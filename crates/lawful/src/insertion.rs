//! What a session puts into a prompt: neutral data, known to compose and to react alike.
//!
//! React makes insertions out of a session and the entries of a book; compose places them. Neither
//! knows the other.

use lawful_syntax::FileId;

/// A text and the place in the prompt that it goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// What it comes from.
    pub kind: InsertionKind,
    /// Its id; for a queued message its number in the queue, from 0.
    pub id: Box<str>,
    /// Where it goes.
    pub position: Position,
    /// Who says it, if it is a message of its own.
    pub role: Option<Role>,
    /// What it says, without white space around it.
    pub text: Box<str>,
    /// The file that it is written in and the line on which it starts; a directive has none.
    pub place: Option<(FileId, usize)>,
}

/// What an insertion comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InsertionKind {
    /// A directive that a rule injected.
    Directive,
    /// An entry of the book that is switched on.
    Entry,
    /// A message that a rule sent, for the next turn only.
    Context,
}

/// A place in a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    /// Directly after the core, before everything else.
    Top,
    /// Directly before the persona.
    BeforeChar,
    /// Directly after the persona.
    AfterChar,
    /// Not in the prompt but in the history, so many messages before its end.
    Depth(u32),
    /// After everything else.
    Bottom,
}

/// Who says a message.
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
    /// How many messages from the newest a `depth` is that says no number.
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

    /// How many messages from the newest, if it is in the history.
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
