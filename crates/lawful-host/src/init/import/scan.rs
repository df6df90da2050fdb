//! Which files are carried over: those that the user names, and in a folder those whose name or place
//! says what they are.

use std::fs;
use std::path::{Path, PathBuf};

use lawful::book::BOOK_FOLDER;
use lawful::code;
use lawful::syntax::Diagnostic;

use super::NotCarried;
use crate::failure::Failure;

/// A file to carry over.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Where it is.
    pub(super) path: PathBuf,
    /// Its path, as the user would write it.
    pub(super) shown: String,
    /// What it is.
    pub(super) kind: Kind,
    /// Whether the user named it, rather than its folder.
    pub(super) is_named: bool,
}

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Instructions in Markdown.
    Page(PageKind),
    /// Settings of Claude Code.
    Settings,
    /// YAML or JSON whose content says what it is.
    Document,
    /// A document that loads as it is, at this path of the lawbook.
    Copied(String),
}

/// When instructions apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    /// Always, for the harness with this id.
    Always(&'static str),
    /// When its front matter says so, for the harness with this id.
    Rule(&'static str, String),
    /// In a folder of the project.
    Nested(String),
    /// The user named it, and nothing says when it applies.
    Plain,
}

/// Files that a harness always reads.
pub(super) const ALWAYS: [(&str, &str); 8] = [
    ("CLAUDE.md", "claude-code"),
    (".claude/CLAUDE.md", "claude-code"),
    ("AGENTS.md", "agents-md"),
    ("GEMINI.md", "gemini-cli"),
    ("QWEN.md", "qwen"),
    (".github/copilot-instructions.md", "copilot"),
    ("copilot-instructions.md", "copilot"),
    (".cursorrules", "cursor"),
];

/// Folders of rule files: the folder, the end of their names, and the harness.
pub(super) const RULES: [(&str, &str, &str); 3] = [
    (".cursor/rules", ".mdc", "cursor"),
    (".github/instructions", ".instructions.md", "copilot"),
    (".claude/rules", ".md", "claude-code"),
];

/// Settings of Claude Code.
const SETTINGS: [&str; 2] = ["settings.json", "settings.local.json"];

/// Folders in which nobody writes instructions.
const SKIPPED: [&str; 8] =
    ["node_modules", "target", "vendor", "dist", "build", "venv", "__pycache__", BOOK_FOLDER];

/// How many entries are looked at below a folder.
const MOST: usize = 20_000;

/// The files to carry over, each once.
pub(super) fn candidates(
    from: &[PathBuf],
    lost: &mut Vec<NotCarried>,
) -> Result<Vec<Candidate>, Failure> {
    let mut found: Vec<Candidate> = Vec::new();
    for path in from {
        let refused = |message: &str, help: &str| {
            Failure::instead_of(path, |span| {
                Diagnostic::new(&code::UNREADABLE, span, message).help(help)
            })
        };
        let Ok(known) = fs::metadata(path) else {
            return Err(refused("file or folder not found", "check the path of `--from`"));
        };
        if known.is_dir() {
            let mut folder = Folder::new(path, lost);
            folder.scan();
            let inside = folder.found;
            if inside.is_empty() {
                let help = "name a file, or a folder with CLAUDE.md, AGENTS.md, .cursor/rules, \
                            .claude/settings.json or documents of a prompt book";
                return Err(refused("nothing here can be carried over", help));
            }
            found.extend(inside);
        } else {
            let kind = kind_of(path).ok_or_else(|| {
                refused(
                    "the name does not say what this is",
                    "name Markdown, YAML, JSON or `.mdc` files",
                )
            })?;
            let shown = path.display().to_string();
            found.push(Candidate { path: path.clone(), shown, kind, is_named: true });
        }
    }
    // A file can be named twice. Two names of one file are two files: harnesses read them by name.
    let mut once: Vec<Candidate> = Vec::new();
    for candidate in found {
        let real = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if !once.iter().any(|known| real(&known.path) == real(&candidate.path)) {
            once.push(candidate);
        }
    }
    Ok(once)
}

/// What a named file is, by its name and place.
fn kind_of(path: &Path) -> Option<Kind> {
    let shown = path.to_string_lossy().replace('\\', "/");
    let name = path.file_name()?.to_str()?;
    let is_at = |place: &str| shown == place || shown.ends_with(&format!("/{place}"));
    if let Some((_, harness)) = ALWAYS.iter().find(|(place, _)| is_at(place)) {
        return Some(Kind::Page(PageKind::Always(harness)));
    }
    let in_folder = |folder: &str| shown.contains(&format!("{folder}/"));
    let of_rules = RULES
        .iter()
        .find(|(folder, end, _)| name.ends_with(end) && (*end != ".md" || in_folder(folder)));
    if let Some((_, end, harness)) = of_rules {
        let rule = name.strip_suffix(end).unwrap_or(name).to_owned();
        return Some(Kind::Page(PageKind::Rule(harness, rule)));
    }
    if SETTINGS.contains(&name) {
        return Some(Kind::Settings);
    }
    match name.rsplit_once('.')?.1 {
        "md" | "markdown" | "txt" => Some(Kind::Page(PageKind::Plain)),
        "yaml" | "yml" | "json" => Some(Kind::Document),
        _ => None,
    }
}

/// A folder that is searched.
struct Folder<'s> {
    root: &'s Path,
    real: PathBuf,
    found: Vec<Candidate>,
    lost: &'s mut Vec<NotCarried>,
    looked_at: usize,
}

impl<'s> Folder<'s> {
    fn new(root: &'s Path, lost: &'s mut Vec<NotCarried>) -> Self {
        let real = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        Self { root, real, found: Vec::new(), lost, looked_at: 0 }
    }

    fn scan(&mut self) {
        for (place, harness) in ALWAYS {
            self.file(place, Kind::Page(PageKind::Always(harness)));
        }
        for (folder, end, harness) in RULES {
            self.rules(folder, end, harness);
            // The user can name the folder itself.
            if self.real.ends_with(folder) {
                self.rules("", end, harness);
            }
        }
        for name in SETTINGS {
            self.file(&format!(".claude/{name}"), Kind::Settings);
            if self.real.ends_with(".claude") {
                self.file(name, Kind::Settings);
            }
        }
        for name in ["analysis/rulespec.yaml", "rulespec.yaml"] {
            self.file(name, Kind::Document);
        }
        for book in ["", "prompts/", "promptbook/"] {
            self.prompt_book(book);
        }
        for name in self.names("rules", false) {
            if is_data(&name) {
                self.file(&format!("rules/{name}"), Kind::Document);
            }
        }
        self.nested("", 0);
    }

    /// Adds a file if it exists. What a link outside leads to is not carried over.
    fn file(&mut self, inside: &str, kind: Kind) {
        let path = self.root.join(inside);
        if fs::symlink_metadata(&path).is_err() || path.is_dir() {
            return;
        }
        // Without the `.` of `--from .`.
        let shown = path.strip_prefix(".").unwrap_or(&path).components().collect::<PathBuf>();
        let shown = shown.display().to_string();
        match path.canonicalize() {
            Ok(real) if real.starts_with(&self.real) => {
                self.found.push(Candidate { path, shown, kind, is_named: false });
            }
            Ok(_) => self.lose(shown, "the file", "it is a link that leads out of the folder"),
            Err(_) => self.lose(shown, "the file", "it is a link to nothing"),
        }
    }

    fn lose(&mut self, file: String, what: &str, why: &str) {
        let (what, why) = (what.to_owned(), why.to_owned());
        self.lost.push(NotCarried { file, line: None, what, why });
    }

    /// The names in a folder, sorted: of its files, or of its folders.
    fn names(&mut self, inside: &str, folders: bool) -> Vec<String> {
        let mut names = Vec::new();
        if self.looked_at > MOST {
            return names;
        }
        for entry in fs::read_dir(self.root.join(inside)).into_iter().flatten().flatten() {
            self.looked_at += 1;
            if self.looked_at > MOST {
                break;
            }
            // A link to a folder is not followed, because it could form a cycle.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder == folders {
                names.extend(entry.file_name().into_string());
            }
        }
        if self.looked_at > MOST {
            // Said once: from here on, no folder is read.
            let why = format!(
                "the search stops after {MOST} files and folders; name the files or their folders"
            );
            self.lose(self.root.join(inside).display().to_string(), "the rest", &why);
        }
        names.sort();
        names
    }

    /// Rule files in a folder and below it.
    fn rules(&mut self, inside: &str, end: &str, harness: &'static str) {
        let prefix = if inside.is_empty() { String::new() } else { format!("{inside}/") };
        for name in self.names(inside, false) {
            if let Some(rule) = name.strip_suffix(end) {
                let kind = Kind::Page(PageKind::Rule(harness, rule.to_owned()));
                self.file(&format!("{prefix}{name}"), kind);
            }
        }
        for name in self.names(inside, true) {
            self.rules(&format!("{prefix}{name}"), end, harness);
        }
    }

    /// The fragments and compositions of a prompt book.
    fn prompt_book(&mut self, book: &str) {
        let compositions: Vec<String> = self.names(&format!("{book}compositions"), false);
        let compositions: Vec<String> =
            compositions.into_iter().filter(|name| is_data(name)).collect();
        if compositions.is_empty() {
            return;
        }
        for name in compositions {
            let place = format!("compositions/{name}");
            self.file(&format!("{book}{place}"), Kind::Copied(place));
        }
        self.fragments(book, "fragments");
    }

    fn fragments(&mut self, book: &str, inside: &str) {
        for name in self.names(&format!("{book}{inside}"), false) {
            if name.ends_with(".md") && !name.eq_ignore_ascii_case("readme.md") {
                let place = format!("{inside}/{name}");
                self.file(&format!("{book}{place}"), Kind::Copied(place));
            }
        }
        for name in self.names(&format!("{book}{inside}"), true) {
            self.fragments(book, &format!("{inside}/{name}"));
        }
    }

    /// Instructions in the folders of a project, which apply there.
    fn nested(&mut self, inside: &str, depth: usize) {
        /// Deeper than people nest packages.
        const DEEPEST: usize = 6;
        if depth == DEEPEST || self.looked_at > MOST {
            return;
        }
        for name in self.names(inside, true) {
            if name.starts_with('.') || SKIPPED.contains(&&*name) {
                continue;
            }
            let folder = if inside.is_empty() { name } else { format!("{inside}/{name}") };
            for name in ["CLAUDE.md", "AGENTS.md", "GEMINI.md"] {
                self.file(
                    &format!("{folder}/{name}"),
                    Kind::Page(PageKind::Nested(folder.clone())),
                );
            }
            self.nested(&folder, depth + 1);
        }
    }
}

fn is_data(name: &str) -> bool {
    [".yaml", ".yml", ".json"].iter().any(|end| name.ends_with(end))
}
