//! The types of the table of harnesses.
//!
//! A harness has surfaces: files that it reads, each for one scope and one audience, with the
//! strength at which its text reaches the model. The rows are in `table`; no other code knows a
//! harness by name. How a harness reads its files, beyond their names, is in `reading`.

use crate::reading::{Alteration, Reading};
use crate::tools::ToolNames;
use crate::{Hook, Scope, find_hook};

/// A program that runs agents.
#[derive(Debug)]
pub struct Harness {
    /// Its id on the command line.
    pub id: &'static str,
    /// Its display name.
    pub name: &'static str,
    /// Its surfaces; for each scope and audience, the strongest first.
    pub surfaces: &'static [Surface],
    /// Project files that it also reads in any case.
    pub also_reads: &'static [&'static str],
    /// What else decides which files it reads.
    pub reading: Reading,
    /// Files and folders of a project that show that it is in use there.
    pub(crate) project_signs: &'static [&'static str],
    /// Folders of a user that show that it is in use.
    pub(crate) user_signs: &'static [Place],
    /// The programs that start it.
    pub(crate) programs: &'static [&'static str],
}

impl Harness {
    /// Its stop hook, if it has one.
    pub fn hook(&self) -> Option<&'static Hook> {
        find_hook(self.id)
    }

    /// The surfaces for a text, the strongest first. A surface that replaces the prompt of the
    /// harness or needs its settings is used only if allowed.
    pub(crate) fn candidates(
        &self,
        scope: Scope,
        audience: Audience,
        active: bool,
    ) -> impl Iterator<Item = &'static Surface> {
        self.surfaces.iter().filter(move |surface| {
            let used = match surface.used {
                Used::Always => true,
                Used::Activated => active,
                Used::Shared | Used::ByHand => false,
            };
            surface.scope == scope && surface.audience == audience && used
        })
    }
}

/// A place through which a harness takes a text.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// Whose file it is.
    pub scope: Scope,
    /// The audience of the text.
    pub audience: Audience,
    /// How the text reaches the model.
    pub strength: Strength,
    /// The file.
    pub place: Place,
    /// How Lawful uses the file.
    pub form: Form,
    /// When it is used.
    pub used: Used,
    /// The setting that enables it.
    pub switch: Option<Switch>,
    /// Its size limit.
    pub limit: Option<Limit>,
    /// If one of these files exists, this one is not read.
    pub shadowed_by: &'static [Place],
    /// Whether the agents of the harness get its text too.
    pub reaches_agents: bool,
    /// Whether it is read only in projects that the user trusts.
    pub trusted: bool,
    /// Whether it is read only in the folder that the harness is started in.
    pub at_start: bool,
    /// How the harness changes the text.
    pub alters: &'static [Alteration],
    /// The day on which the text was last seen to arrive; `None` if never.
    pub confirmed: Option<&'static str>,
    /// A further note.
    pub note: &'static str,
}

/// The audience of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The main conversation.
    Main,
    /// An agent that the main conversation starts.
    Agents,
}

impl Audience {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Agents => "agents",
        }
    }
}

/// How a text reaches the model, the strongest way first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// It is the whole system prompt.
    Replaces,
    /// It is a part of the system prompt.
    System,
    /// It is a developer message.
    Developer,
    /// It is a user message.
    Message,
}

impl Strength {
    /// The name in output.
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
    /// If another harness has the text there.
    Shared,
    /// Never by Lawful.
    ByHand,
}

impl Used {
    /// The name in `lawful harnesses`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Always => "install",
            Self::Activated => "install --activate",
            Self::Shared => "shared",
            Self::ByHand => "by hand",
        }
    }
}

/// The base of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The root of the project.
    Project,
    /// The home of the user.
    Home,
    /// `$XDG_CONFIG_HOME`, or `~/.config`.
    Config,
    /// A folder in the home of the user that a variable can move.
    Moved(&'static str, &'static str),
    /// The folder that the harness is started in.
    Start,
    /// The file system; only ever read.
    System,
}

/// A file of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The base of the path.
    pub base: Base,
    /// The rest of it; `{role}` stands for the role.
    pub path: &'static str,
}

impl Place {
    /// The path as users write it.
    pub fn shown(&self) -> String {
        match self.base {
            Base::Project => self.path.to_owned(),
            Base::Home => format!("~/{}", self.path),
            Base::Config => format!("~/.config/{}", self.path),
            Base::Moved(_, folder) => format!("~/{folder}/{}", self.path),
            Base::Start => format!("./{}", self.path),
            Base::System => format!("/{}", self.path),
        }
    }
}

/// How Lawful uses a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A file of Lawful, with this front matter.
    Owned(&'static [(&'static str, Front)]),
    /// A TOML file of Lawful, with these keys; one of them contains the prompt.
    OwnedToml(&'static [(&'static str, Front)]),
    /// A block in a file of someone else.
    Block,
    /// A setting that contains the text.
    Setting(Syntax, &'static str),
}

impl Form {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Owned(_) | Self::OwnedToml(_) => "owned",
            Self::Block => "block",
            Self::Setting(..) => "setting",
        }
    }

    /// The keys that describe the text; empty if the file has no place for them.
    pub(crate) fn front(self) -> &'static [(&'static str, Front)] {
        match self {
            Self::Owned(front) | Self::OwnedToml(front) => front,
            Self::Block | Self::Setting(..) => &[],
        }
    }
}

/// A value of front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Front {
    /// `lawful-ROLE`.
    Name,
    /// The purpose of the text.
    Description,
    /// The allowed tools, if the persona lists them.
    Tools(ToolForm, ToolNames),
    /// The model, if the persona names one.
    Model,
    /// This word.
    Word(&'static str),
    /// This boolean.
    Flag(bool),
    /// The prompt.
    Prompt,
}

impl Front {
    /// Whether only Lawful can decide on the value.
    pub(crate) fn is_fixed(self) -> bool {
        match self {
            Self::Name | Self::Word(_) | Self::Flag(_) | Self::Prompt => true,
            Self::Description | Self::Tools(..) | Self::Model => false,
        }
    }
}

/// How an agent file lists the allowed tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolForm {
    /// As a text with commas.
    Text,
    /// As a list.
    List,
    /// As permissions: everything is denied, and these are allowed.
    Permissions,
}

/// The syntax of a settings file.
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
    /// The syntax of a settings file, by its name.
    pub(crate) fn of(path: &str) -> Self {
        match path.rsplit('.').next() {
            Some("toml") => Self::Toml,
            Some("env") => Self::Env,
            Some(_) | None => Self::Json,
        }
    }
}

/// A setting that enables a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The file.
    pub place: Place,
    /// Its syntax.
    pub syntax: Syntax,
    /// The key.
    pub key: &'static str,
    /// The value.
    pub value: SwitchValue,
    /// Whether the harness also reads the same name with `.jsonc`.
    pub or_jsonc: bool,
    /// The settings files that can set the key, the one that decides first; empty if the harness
    /// finds them another way.
    pub order: &'static [Place],
}

/// The value of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchValue {
    /// `lawful-ROLE`.
    Name,
    /// The absolute path of the file: a relative one would depend on where the harness is started.
    Path,
}

/// The size limit of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Bytes in the whole file.
    Bytes(usize),
    /// Characters in the whole file.
    Characters(usize),
    /// Bytes in this file and those of the same name in folders below it.
    BytesInAll(usize),
}

impl Limit {
    /// The limit as text.
    pub fn shown(self) -> String {
        match self {
            Self::Bytes(most) | Self::BytesInAll(most) => lawful::syntax::escape::bytes(most),
            Self::Characters(most) => format!("{most} characters"),
        }
    }

    /// By how much a text exceeds the limit.
    pub(crate) fn excess(self, text: &str) -> Option<usize> {
        let (length, most) = match self {
            Self::Bytes(most) | Self::BytesInAll(most) => (text.len(), most),
            Self::Characters(most) => (text.chars().count(), most),
        };
        length.checked_sub(most).filter(|excess| *excess > 0)
    }
}
