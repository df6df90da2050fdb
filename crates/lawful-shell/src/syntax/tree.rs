//! The tree that the parser builds.

/// A command or a group of commands.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    Simple(SimpleId),
    /// Commands that run at the same time, each in its own subshell.
    Pipeline(Vec<Node>),
    /// `!`
    Not(Box<Node>),
    List(Vec<(Node, Separator)>),
    Subshell(Box<Node>, Vec<Redirect>),
    Group(Box<Node>, Vec<Redirect>),
    /// Each arm is a condition and a body; the condition of `else` is empty.
    If(Vec<(Node, Node)>, Vec<Redirect>),
    /// `while`, `until`, `for`, `select`: the words, the condition and the body.
    Loop {
        /// The variable of `for` and `select`.
        name: Option<String>,
        words: Vec<Word>,
        condition: Box<Node>,
        body: Box<Node>,
        redirects: Vec<Redirect>,
    },
    /// `case`: the words (subject and patterns) and the bodies.
    Case {
        words: Vec<Word>,
        bodies: Vec<Node>,
        redirects: Vec<Redirect>,
    },
    /// `[[ … ]]`, `(( … ))`: only its substitutions matter.
    Test(Vec<Word>, Vec<Redirect>),
    Function {
        name: String,
        body: Box<Node>,
    },
    Coprocess(Box<Node>),
}

/// An index into the simple commands of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SimpleId(pub(crate) usize);

/// What follows a command in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Separator {
    And,
    Or,
    /// `;`, a line end, or nothing at the end.
    Sequence,
    /// `&`
    Background,
}

/// A command without structure: assignments, words and redirections.
#[derive(Debug, Clone, Default)]
pub(crate) struct Simple {
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) words: Vec<Word>,
    pub(crate) redirects: Vec<Redirect>,
}

/// `name=value` in front of a command.
#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    pub(crate) name: String,
    pub(crate) value: Word,
    /// `name+=value`
    pub(crate) appends: bool,
}

/// A redirection.
#[derive(Debug, Clone)]
pub(crate) struct Redirect {
    /// The file descriptor, if one is written.
    pub(crate) descriptor: Option<String>,
    pub(crate) kind: RedirectKind,
    /// The target or the here-string; empty for a here-document.
    pub(crate) target: Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RedirectKind {
    /// `<`
    Read,
    /// `>`, `>>`, `>|`, `&>`, `&>>`, and `>&` with a file
    Write,
    /// `<>`
    ReadWrite,
    /// `<&`, and `>&` with a descriptor
    Duplicate { input: bool },
    /// `<<`, with the index of its body.
    HereDocument(usize),
    /// `<<<`
    HereString,
}

/// A word as written, in parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Word {
    pub(crate) parts: Vec<Part>,
}

#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// Characters outside quotes, so braces, patterns and `~` count.
    Plain(String),
    /// Characters from quotes or after a backslash.
    Quoted(String),
    /// An expansion, as written. Its value is known only at run time.
    Expansion {
        text: String,
        /// The commands that run to compute the value.
        scripts: Vec<Node>,
    },
    /// `<(…)` and `>(…)`: the name of a pipe.
    Process { text: String, script: Node },
}

impl Word {
    pub(crate) fn push_plain(&mut self, character: char) {
        if let Some(Part::Plain(text)) = self.parts.last_mut() {
            text.push(character);
        } else {
            self.parts.push(Part::Plain(character.into()));
        }
    }

    pub(crate) fn push_quoted(&mut self, character: char) {
        if let Some(Part::Quoted(text)) = self.parts.last_mut() {
            text.push(character);
        } else {
            self.parts.push(Part::Quoted(character.into()));
        }
    }

    /// The commands that run while the shell expands the word.
    pub(crate) fn scripts(&self) -> impl Iterator<Item = &Node> {
        self.parts.iter().flat_map(|part| match part {
            Part::Plain(_) | Part::Quoted(_) => [].iter(),
            Part::Expansion { scripts, .. } => scripts.iter(),
            Part::Process { script, .. } => std::slice::from_ref(script).iter(),
        })
    }

    /// The commands, when the word itself is no longer needed.
    pub(crate) fn into_scripts(self) -> impl Iterator<Item = Node> {
        self.parts.into_iter().flat_map(|part| match part {
            Part::Plain(_) | Part::Quoted(_) => Vec::new(),
            Part::Expansion { scripts, .. } => scripts,
            Part::Process { script, .. } => vec![script],
        })
    }

    /// Whether quotes hide what would be an expansion without them.
    pub(crate) fn hides_expansion(&self) -> bool {
        let hides = |part: &Part| matches!(part, Part::Quoted(text) if text.contains(['$', '`']));
        self.parts.iter().any(hides)
    }

    /// The text if nothing in the word is decided at run time.
    pub(crate) fn literal(&self) -> Option<String> {
        let mut literal = String::new();
        for part in &self.parts {
            match part {
                Part::Plain(text) | Part::Quoted(text) => literal.push_str(text),
                Part::Expansion { .. } | Part::Process { .. } => return None,
            }
        }
        Some(literal)
    }

    /// The text without quotes, with expansions as written.
    pub(crate) fn text(&self) -> String {
        self.parts.iter().map(Part::text).collect()
    }
}

impl Part {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Plain(text) | Self::Quoted(text) => text,
            Self::Expansion { text, .. } | Self::Process { text, .. } => text,
        }
    }
}
