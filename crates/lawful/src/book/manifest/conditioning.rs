//! `conditioning`: where the core and the personas are, and what they teach.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Entry, Node, Span, did_you_mean, escape};

use super::{Within, entries, inside};
use crate::code;
use crate::decode::{Fields, strings, text};

/// Where the core and the personas are; paths are relative to the book and stay in it.
#[derive(Clone, Debug)]
pub struct Conditioning {
    /// The file of the core.
    pub core: (String, Span),
    /// Where the roles come from.
    pub roles: RoleSource,
    /// The role of the main conversation, if the manifest names it.
    pub main: Option<(Box<str>, Span)>,
    /// What the core and the personas teach, if their files cannot declare it.
    pub teaches: Teaches,
    /// Where it is written.
    pub span: Span,
}

/// Where the roles come from.
#[derive(Clone, Debug)]
pub enum RoleSource {
    /// A persona for each role, in the order they are written.
    Personas(Vec<(Box<str>, Persona)>),
    /// A Nickel record from role to prompt.
    Nickel(String, Span),
}

/// Where a persona comes from.
#[derive(Clone, Debug)]
pub enum Persona {
    /// A file.
    File(String, Span),
    /// A composition of the book.
    Composition(String, Span),
}

/// Names of predicates, each with its place.
pub type Predicates = Vec<(Box<str>, Span)>;

/// What the core and the personas teach. A Markdown file declares this in its front matter instead.
#[derive(Clone, Debug, Default)]
pub struct Teaches {
    /// What the core teaches every role.
    pub core: Predicates,
    /// What the persona of a role teaches, with the place of the role's name.
    pub personas: Vec<(Box<str>, Span, Predicates)>,
}

impl Persona {
    /// Where the manifest names it.
    pub fn span(&self) -> Span {
        match self {
            Self::File(_, span) | Self::Composition(_, span) => *span,
        }
    }
}

impl Conditioning {
    /// Every file it names.
    pub fn files(&self) -> Vec<(&str, Span)> {
        let mut files = vec![(&*self.core.0, self.core.1)];
        match &self.roles {
            RoleSource::Personas(personas) => {
                files.extend(personas.iter().filter_map(|(_, persona)| match persona {
                    Persona::File(path, span) => Some((&**path, *span)),
                    Persona::Composition(..) => None,
                }));
            }
            RoleSource::Nickel(path, span) => files.push((path, *span)),
        }
        files
    }

    /// The Nickel files that must evaluate to a string, without duplicates.
    pub fn nickel_texts(&self) -> Vec<(&str, Span)> {
        let record = match &self.roles {
            RoleSource::Nickel(path, _) => Some(&**path),
            RoleSource::Personas(_) => None,
        };
        let mut texts: Vec<(&str, Span)> = Vec::new();
        for (path, span) in self.files() {
            let known = texts.iter().any(|(known, _)| *known == path);
            if path.ends_with(".ncl") && Some(path) != record && !known {
                texts.push((path, span));
            }
        }
        texts
    }

    /// The Nickel file that must evaluate to a record from role to prompt.
    pub fn nickel_record(&self) -> Option<(&str, Span)> {
        match &self.roles {
            RoleSource::Nickel(path, span) => Some((path, *span)),
            RoleSource::Personas(_) => None,
        }
    }
}

/// Checks the name of a role, which becomes part of file names.
pub(crate) fn bad_role(name: &str, span: Span) -> Option<Diagnostic> {
    /// A longer name with a suffix would exceed the limit of some file systems.
    const LONGEST: usize = 64;
    let starts = name.starts_with(char::is_alphanumeric);
    let fits = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if starts && fits && name.len() <= LONGEST {
        return None;
    }
    let message = format!("`{}` is not a valid role name", escape::name(name));
    Some(Diagnostic::new(&code::BAD_VALUE, span, message).help(format!(
        "use letters, digits, `-`, `_` and `.`; start with a letter or digit; use at most {LONGEST} bytes"
    )))
}

/// Roles whose names differ only in case. Many file systems ignore case.
pub(crate) fn same_but_for_case(roles: &[(&str, Span)]) -> Vec<Diagnostic> {
    let mut first: BTreeMap<String, (&str, Span)> = BTreeMap::new();
    let mut problems = Vec::new();
    for (name, span) in roles {
        let Some((other, place)) = first.get(&name.to_lowercase()) else {
            first.insert(name.to_lowercase(), (name, *span));
            continue;
        };
        // A duplicate name is a duplicate key, which was reported already.
        if other != name {
            let (name, other) = (escape::name(name), escape::name(other));
            let message = format!("the roles `{other}` and `{name}` differ only in case");
            problems.push(
                Diagnostic::new(&code::BAD_VALUE, *span, message)
                    .label(*place, "the other one")
                    .help("rename one of them; roles become file names"),
            );
        }
    }
    problems
}

/// The diagnostic for a role without a persona.
pub(crate) fn unknown_role<'n>(
    name: &str,
    span: Span,
    roles: impl Iterator<Item = &'n str> + Clone,
) -> Diagnostic {
    let message = format!("the role `{}` has no persona", escape::name(name));
    Diagnostic::new(&code::BAD_VALUE, span, message).help(did_you_mean("role", name, roles))
}

/// The keys of `conditioning` where one Nickel record has every prompt.
pub(crate) const NICKEL_KEYS: [&str; 4] = ["nickel", "core", "main", "teaches"];
/// The keys of `conditioning` where each role has a persona.
pub(crate) const PERSONAS_KEYS: [&str; 4] = ["core", "personas", "main", "teaches"];
/// The keys of `teaches`.
pub(crate) const TEACHES_KEYS: [&str; 2] = ["core", "personas"];
/// The keys of a persona that is a composition.
pub(crate) const PERSONA_KEYS: [&str; 1] = ["composition"];

pub(super) fn conditioning(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Conditioning> {
    let span = node.span;
    if let Some(path) = node.as_text() {
        let (path, span) = nickel_path(path, node.span, problems)?;
        let core = (beside(&path, "core.ncl"), span);
        let roles = RoleSource::Nickel(path, span);
        return Some(Conditioning { core, roles, main: None, teaches: Teaches::default(), span });
    }
    let what = "`conditioning`";
    if node.get("nickel").is_some() {
        let fields = Fields::of(node, what, &NICKEL_KEYS, problems)?;
        let written = fields.require("nickel", what, problems)?;
        let path = text(written, "`nickel`", problems)?;
        let (path, place) = nickel_path(path, written.span, problems)?;
        let core = match fields.get("core") {
            Some(core) => book_path(core, "`core`", problems)?,
            None => (beside(&path, "core.ncl"), place),
        };
        let roles = RoleSource::Nickel(path, place);
        let (main, teaches) = (main(&fields, problems), teaches(&fields, problems));
        return Some(Conditioning { core, roles, main, teaches, span });
    }
    let fields = Fields::of(node, what, &PERSONAS_KEYS, problems)?;
    let core = fields.require("core", what, problems);
    let roles = fields.require("personas", what, problems);
    let (main, teaches) = (main(&fields, problems), teaches(&fields, problems));
    let core = core.and_then(|core| book_path(core, "`core`", problems));
    let written = roles.map_or(&[][..], |roles| entries(roles, "`personas`", problems));
    let mut personas = Vec::new();
    for entry in written {
        problems.extend(bad_role(&entry.key, entry.key_span));
        if let Some(persona) = persona(entry, problems) {
            personas.push((entry.key.clone(), persona));
        }
    }
    let named: Vec<(&str, Span)> =
        written.iter().map(|entry| (&*entry.key, entry.key_span)).collect();
    problems.extend(same_but_for_case(&named));
    let taught = teaches.personas.iter().map(|(role, span, _)| (role, *span));
    for (role, span) in main.iter().map(|(role, span)| (role, *span)).chain(taught) {
        if !written.iter().any(|entry| entry.key == *role) {
            let names = written.iter().map(|entry| &*entry.key);
            problems.push(unknown_role(role, span, names));
        }
    }
    Some(Conditioning { core: core?, roles: RoleSource::Personas(personas), main, teaches, span })
}

fn main(fields: &Fields<'_>, problems: &mut Vec<Diagnostic>) -> Option<(Box<str>, Span)> {
    let node = fields.get("main")?;
    Some((text(node, "`main`", problems)?.into(), node.span))
}

fn teaches(fields: &Fields<'_>, problems: &mut Vec<Diagnostic>) -> Teaches {
    let mut teaches = Teaches::default();
    let Some(node) = fields.get("teaches") else { return teaches };
    let fields = Fields::of(node, "`teaches`", &TEACHES_KEYS, problems);
    let Some(fields) = fields else { return teaches };
    if let Some(node) = fields.get("core") {
        teaches.core = strings(node, "`core`", problems);
    }
    let roles = fields.get("personas");
    for entry in roles.map_or(&[][..], |node| entries(node, "`personas`", problems)) {
        let what = format!("what `{}` teaches", escape::name(&entry.key));
        let taught = strings(&entry.value, &what, problems);
        teaches.personas.push((entry.key.clone(), entry.key_span, taught));
    }
    teaches
}

fn persona(entry: &Entry, problems: &mut Vec<Diagnostic>) -> Option<Persona> {
    let what = format!("the persona `{}`", escape::name(&entry.key));
    if entry.value.as_map().is_some() {
        let fields = Fields::of(&entry.value, &what, &PERSONA_KEYS, problems)?;
        let name = fields.require("composition", &what, problems)?;
        return text(name, "`composition`", problems)
            .map(|text| Persona::Composition(text.to_owned(), name.span));
    }
    book_path(&entry.value, &what, problems).map(|(path, span)| Persona::File(path, span))
}

fn nickel_path(path: &str, span: Span, problems: &mut Vec<Diagnostic>) -> Option<(String, Span)> {
    if !path.ends_with(".ncl") {
        let message = format!("`{}` is not a Nickel file", escape::name(path));
        problems.push(
            Diagnostic::new(&code::BAD_VALUE, span, message)
                .help("name a `.ncl` file, or write `{core: …, personas: {…}}`"),
        );
        return None;
    }
    Some((inside(path, span, Within::Book, problems)?, span))
}

fn book_path(node: &Node, what: &str, problems: &mut Vec<Diagnostic>) -> Option<(String, Span)> {
    let path = text(node, what, problems)?;
    if !(path.ends_with(".md") || path.ends_with(".ncl")) {
        let message = format!("{what} must be a `.md` or `.ncl` file");
        problems.push(Diagnostic::new(&code::BAD_VALUE, node.span, message));
        return None;
    }
    Some((inside(path, node.span, Within::Book, problems)?, node.span))
}

fn beside(path: &str, name: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    }
}
