//! How a harness reads, as data: what it trusts, which settings name other files, which files hide
//! others, and how it changes a text on the way to the model.
//!
//! The facts come from the sources of the harnesses; `cargo xtask e2e` checks them against the real
//! clients. `arrive` evaluates them.

use crate::harness::Place;

/// What decides which files a harness reads, beyond their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// How it knows that the user trusts a project.
    pub trust: Option<Trust>,
    /// The setting that names its context files.
    pub names: Option<NameSetting>,
    /// Which `.env` files it reads.
    pub env: Option<EnvFiles>,
    /// Files that it stops reading when another file appears.
    pub hidden: &'static [Hidden],
}

impl Reading {
    /// It reads every file that the table names.
    pub(crate) const PLAIN: Self = Self { trust: None, names: None, env: None, hidden: &[] };
}

/// How a harness knows that the user trusts a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trust {
    /// The file with the trusted folders.
    pub list: Place,
    /// Its form.
    pub form: TrustForm,
    /// A variable that trusts every folder if it is `true`, and none if it is `false`.
    pub variable: Option<&'static str>,
    /// Whether trust is required if the settings do not say so.
    pub is_default: bool,
    /// The settings that say whether trust is required, in `security.folderTrust.enabled`; the one
    /// that decides first.
    pub settings: &'static [Place],
}

/// The form of a list of trusted folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustForm {
    /// TOML: `[projects."/folder"] trust_level = "trusted"`.
    Projects,
    /// JSON: `{"/folder": "TRUST_FOLDER"}`.
    Folders,
}

/// A setting with the names of context files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameSetting {
    /// The path of the key.
    pub key: &'static [&'static str],
    /// The settings that can have it, the one that decides first.
    pub settings: &'static [Place],
    /// The folder of the user that has context files too.
    pub user: Place,
    /// The names without the setting.
    pub default: &'static [&'static str],
    /// Whether the default names are read in any case.
    pub keeps_default: bool,
}

/// Which `.env` files a harness reads. It looks in each folder from where it is started upwards,
/// first in its own subfolder and then in the folder itself, and then in the home of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvFiles {
    /// The first one only.
    First,
    /// The first one outside the home, and then those in the home.
    FirstAndHome,
}

/// Files that a harness does not read while another exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The file that hides them.
    pub by: Place,
    /// The hidden files.
    pub files: &'static [Place],
}

/// A change that a harness makes to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alteration {
    /// `@path` becomes the content of a file, or a comment that says that the file does not exist.
    Imports,
    /// `${name}` becomes a value, or an error.
    Variables,
    /// `${AgentSkills}`, `${SubAgents}`, `${AvailableTools}` and `${NAME_ToolName}` become values.
    PromptVariables,
    /// Consecutive blank lines become one.
    BlankLines,
    /// A comment on lines of its own is removed.
    Comments,
}
