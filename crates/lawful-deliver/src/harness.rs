//! What the table of harnesses is made of.
//!
//! A harness has surfaces: files that it reads, each for one scope and one audience, with the
//! strength at which the text in it reaches the model. The rows stand in `table`; nothing outside
//! of it knows a harness by name.

use crate::{Hook, Scope, find_hook};

/// A program that agents run in.
#[derive(Debug)]
pub struct Harness {
    /// What it is called on the command line.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// Where it reads a prompt from; for each scope and audience the strongest first.
    pub surfaces: &'static [Surface],
    /// Files of a project that it also reads, whatever else it is given.
    pub also_reads: &'static [&'static str],
    /// Files and folders of a project that show that it is used there.
    pub(crate) project_signs: &'static [&'static str],
    /// Folders of a user that show that it is used.
    pub(crate) user_signs: &'static [Place],
    /// What it is started by.
    pub(crate) programs: &'static [&'static str],
}

impl Harness {
    /// How its stop is held, if that can be done.
    pub fn hook(&self) -> Option<&'static Hook> {
        find_hook(self.id)
    }

    /// The surface that a text goes to: the strongest, and among those that replace the prompt of
    /// the harness or need its settings only if they may be used.
    pub(crate) fn surface(
        &self,
        scope: Scope,
        audience: Audience,
        active: bool,
    ) -> Option<&'static Surface> {
        self.surfaces.iter().find(|surface| {
            let used = match surface.used {
                Used::Always => true,
                Used::Activated => active,
                Used::ByHand => false,
            };
            surface.scope == scope && surface.audience == audience && used
        })
    }
}

/// A place where a harness takes a text.
#[derive(Debug)]
pub struct Surface {
    /// Whose place it is.
    pub scope: Scope,
    /// Whom the text is for.
    pub audience: Audience,
    /// How the text reaches the model.
    pub strength: Strength,
    /// The file.
    pub place: Place,
    /// What the file is to us.
    pub form: Form,
    /// When it is used.
    pub used: Used,
    /// The setting that turns it on.
    pub switch: Option<Switch>,
    /// How much it takes.
    pub limit: Option<Limit>,
    /// Files beside which this one is not read.
    pub shadowed_by: &'static [&'static str],
    /// The day on which the text was last seen to arrive; `None` if it never was.
    pub confirmed: Option<&'static str>,
    /// What else there is to know.
    pub note: &'static str,
}

/// Whom a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The main conversation.
    Main,
    /// An agent that the main conversation starts.
    Agents,
}

impl Audience {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Agents => "agents",
        }
    }
}

/// How a text reaches the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// It is the whole system prompt.
    Replaces,
    /// It is a part of the system prompt.
    System,
    /// It is a message of the developer.
    Developer,
    /// It is a message of the user.
    Message,
}

impl Strength {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Replaces => "replaces",
            Self::System => "system",
            Self::Developer => "developer",
            Self::Message => "message",
        }
    }
}

/// When a surface is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Used {
    /// By every installation.
    Always,
    /// With `--activate`.
    Activated,
    /// Never by us.
    ByHand,
}

impl Used {
    /// What `lawful harnesses` says.
    pub fn name(self) -> &'static str {
        match self {
            Self::Always => "install",
            Self::Activated => "install --activate",
            Self::ByHand => "by hand",
        }
    }
}

/// Where a path starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The root of the project.
    Project,
    /// The home of the user.
    Home,
    /// `$XDG_CONFIG_HOME`, or `~/.config`.
    Config,
    /// A folder in the home of the user that a variable moves.
    Moved(&'static str, &'static str),
}

/// A file of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where the path starts.
    pub base: Base,
    /// The rest of it; `{role}` stands for the role.
    pub path: &'static str,
}

impl Place {
    /// The path as people write it.
    pub fn shown(&self) -> String {
        match self.base {
            Base::Project => self.path.to_owned(),
            Base::Home => format!("~/{}", self.path),
            Base::Config => format!("~/.config/{}", self.path),
            Base::Moved(_, folder) => format!("~/{folder}/{}", self.path),
        }
    }
}

/// What a file is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A file of ours, with these lines of front matter.
    Owned(&'static [(&'static str, Front)]),
    /// A block in a file of others.
    Block,
    /// A setting that holds the text.
    Setting(Syntax, &'static str),
}

impl Form {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Owned(_) => "owned",
            Self::Block => "block",
            Self::Setting(..) => "setting",
        }
    }
}

/// A value of front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Front {
    /// `lawful-ROLE`.
    Name,
    /// What the text is for.
    Description,
    /// The only tools that may be used, if the persona names some.
    Tools,
    /// The model to run on, if the persona names one.
    Model,
    /// As it stands here.
    Raw(&'static str),
}

/// How a settings file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// JSON with comments.
    Json,
    /// TOML.
    Toml,
    /// Lines `NAME=value`.
    Env,
}

impl Syntax {
    /// How a settings file is written, by its name.
    pub(crate) fn of(path: &str) -> Self {
        match path.rsplit('.').next() {
            Some("toml") => Self::Toml,
            Some("env") => Self::Env,
            Some(_) | None => Self::Json,
        }
    }
}

/// A setting that turns a surface on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The file.
    pub place: Place,
    /// How it is written.
    pub syntax: Syntax,
    /// The key.
    pub key: &'static str,
    /// The value.
    pub value: SwitchValue,
    /// Whether the harness reads the same name with `.jsonc` in its place.
    pub or_jsonc: bool,
}

/// What a switch is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchValue {
    /// `lawful-ROLE`.
    Name,
    /// The path of the file.
    Path,
}

/// How much a surface takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many bytes in the whole file.
    Bytes(usize),
    /// So many characters in the whole file.
    Characters(usize),
    /// So many bytes in this file and those of the same name on the way down from it.
    BytesInAll(usize),
}

impl Limit {
    /// As people say it.
    pub fn shown(self) -> String {
        match self {
            Self::Bytes(most) | Self::BytesInAll(most) => lawful::syntax::escape::bytes(most),
            Self::Characters(most) => format!("{most} characters"),
        }
    }

    /// By how much a text is too long.
    pub(crate) fn excess(self, text: &str) -> Option<usize> {
        let (length, most) = match self {
            Self::Bytes(most) | Self::BytesInAll(most) => (text.len(), most),
            Self::Characters(most) => (text.chars().count(), most),
        };
        length.checked_sub(most).filter(|excess| *excess > 0)
    }
}
