//! The layout of a lawbook: which folder contains which documents.

/// The file that makes a folder a lawbook.
pub const MANIFEST: &str = "lawful.yaml";

/// The folder of a project that can be its lawbook.
pub const BOOK_FOLDER: &str = "lawful";

/// The kind of a document, determined by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// `lawful.yaml`.
    Manifest,
    /// `fragments/**/*.md`.
    Fragment,
    /// `compositions/*.yaml`.
    Composition,
    /// `conditions/*.yaml`.
    Conditions,
    /// `rules/*.yaml` or `.json`.
    Rules,
    /// `entries/*.md`.
    Entry,
    /// `conditioning/**`: a core or a persona.
    Conditioning,
    /// `analysis/rulespec.yaml`.
    Rulespec,
    /// `scenarios/*.yaml`.
    Scenario,
    /// `guards/*.yaml`.
    Guards,
    /// An envelope that a scenario names, anywhere in the book.
    Envelope,
}

/// The format of the documents of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// YAML or JSON.
    Data,
    /// Markdown, with front matter or without.
    Page,
}

pub(super) struct Folder {
    pub name: &'static str,
    pub part: Part,
    pub written: Written,
    /// Whether subfolders are read too.
    pub deep: bool,
    /// The only file that is read, if there is only one.
    pub only: Option<&'static str>,
    /// Extensions of files that are also allowed and are kept as plain text.
    pub also: &'static [&'static str],
}

const fn folder(name: &'static str, part: Part, written: Written) -> Folder {
    Folder { name, part, written, deep: false, only: None, also: &[] }
}

pub(super) static FOLDERS: [Folder; 9] = [
    Folder { deep: true, ..folder("fragments", Part::Fragment, Written::Page) },
    folder("compositions", Part::Composition, Written::Data),
    folder("conditions", Part::Conditions, Written::Data),
    folder("rules", Part::Rules, Written::Data),
    folder("entries", Part::Entry, Written::Page),
    Folder {
        deep: true,
        also: &["ncl"],
        ..folder("conditioning", Part::Conditioning, Written::Page)
    },
    Folder { only: Some("rulespec.yaml"), ..folder("analysis", Part::Rulespec, Written::Data) },
    folder("scenarios", Part::Scenario, Written::Data),
    folder("guards", Part::Guards, Written::Data),
];

impl Folder {
    /// Whether a file of this name is a document of the folder.
    pub(super) fn reads(&self, name: &str) -> bool {
        if let Some(only) = self.only {
            return name == only;
        }
        let usual = match self.written {
            Written::Data => matches!(extension(name), Some("yaml" | "yml" | "json")),
            Written::Page => extension(name) == Some("md"),
        };
        usual || self.is_plain(name)
    }

    /// Whether a file of this name would be a document with an extension in lower case.
    pub(super) fn almost_reads(&self, name: &str) -> bool {
        !self.reads(name) && self.reads(&name.to_ascii_lowercase())
    }

    /// Whether a file of this name is kept as plain text.
    pub(super) fn is_plain(&self, name: &str) -> bool {
        extension(name).is_some_and(|extension| self.also.contains(&extension))
    }

    /// Whether a file of this name is stray: neither read nor hidden on purpose.
    pub(super) fn is_stray(&self, name: &str) -> bool {
        let hidden = name.starts_with('.');
        // A README documents the folder.
        let readme = name.eq_ignore_ascii_case("readme.md");
        let others_may_live_here = self.only.is_some_and(|only| stem(only) != stem(name));
        !(hidden || readme || others_may_live_here)
    }

    /// The expected file names of the folder, for a help.
    pub(super) fn expects(&self) -> String {
        match (self.only, self.written) {
            (Some(only), _) => format!("`{}/{only}`", self.name),
            (None, Written::Data) => format!("`{}/*.yaml`", self.name),
            (None, Written::Page) if self.deep => format!("`{}/**/*.md`", self.name),
            (None, Written::Page) => format!("`{}/*.md`", self.name),
        }
    }
}

/// The names of the folders that a lawbook reads.
pub fn folders() -> impl Iterator<Item = &'static str> {
    FOLDERS.iter().map(|folder| folder.name)
}

/// The folder of the layout that a name is similar to, if it is not one itself.
pub(super) fn misnamed(name: &str) -> Option<&'static str> {
    let folded = name.to_lowercase();
    FOLDERS.iter().map(|folder| folder.name).find(|layout| {
        let singular = layout.strip_suffix('s').is_some_and(|singular| singular == folded);
        *layout != name && (singular || *layout == folded)
    })
}

fn extension(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, extension)| extension)
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
