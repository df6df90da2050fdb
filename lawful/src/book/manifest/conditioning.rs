//! `conditioning`: where the core and the personas are.

use lawful_syntax::{Diagnostic, Entry, Node, Span, did_you_mean, escape};

use super::{Within, entries, inside};
use crate::code;
use crate::decode::{Fields, text};

/// Where the core and the personas are; paths are relative to the book and stay in it.
#[derive(Clone, Debug)]
pub enum Conditioning {
    /// A core and a persona for each role.
    Files {
        /// The file of the core.
        core: (String, Span),
        /// The personas, in the order they are written.
        personas: Vec<(Box<str>, Persona)>,
        /// The role of the main conversation.
        main: Option<Box<str>>,
    },
    /// A Nickel record of role to prompt.
    Nickel {
        /// The file of the record.
        file: (String, Span),
        /// The file of the core.
        core: (String, Span),
        /// The role of the main conversation.
        main: Option<Box<str>>,
    },
}

/// Where a persona comes from.
#[derive(Clone, Debug)]
pub enum Persona {
    /// A file.
    File(String, Span),
    /// A composition of the book.
    Composition(String, Span),
}

impl Conditioning {
    /// Every file it names.
    pub fn files(&self) -> Vec<(&str, Span)> {
        let mut files = Vec::new();
        match self {
            Self::Files { core, personas, .. } => {
                files.push((&*core.0, core.1));
                files.extend(personas.iter().filter_map(|(_, persona)| match persona {
                    Persona::File(path, span) => Some((&**path, *span)),
                    Persona::Composition(..) => None,
                }));
            }
            Self::Nickel { file, core, .. } => {
                files.push((&*file.0, file.1));
                files.push((&*core.0, core.1));
            }
        }
        files
    }
}

pub(super) fn conditioning(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Conditioning> {
    if let Some(path) = node.as_text() {
        let file = nickel_path(path, node.span, problems)?;
        let core = (beside(&file.0, "core.ncl"), node.span);
        return Some(Conditioning::Nickel { file, core, main: None });
    }
    let what = "`conditioning`";
    if node.get("nickel").is_some() {
        let fields = Fields::of(node, what, &["nickel", "core", "main"], problems)?;
        let written = fields.require("nickel", what, problems)?;
        let path = text(written, "`nickel`", problems)?;
        let file = nickel_path(path, written.span, problems)?;
        let core = match fields.get("core") {
            Some(core) => book_path(core, "`core`", problems)?,
            None => (beside(&file.0, "core.ncl"), written.span),
        };
        return Some(Conditioning::Nickel { file, core, main: role(&fields, problems) });
    }
    let fields = Fields::of(node, what, &["core", "personas", "main"], problems)?;
    let core = fields.require("core", what, problems);
    let roles = fields.require("personas", what, problems);
    let main = role(&fields, problems);
    let core = core.and_then(|core| book_path(core, "`core`", problems));
    let written = roles.map_or(&[][..], |roles| entries(roles, "`personas`", problems));
    let mut personas = Vec::new();
    for entry in written {
        if let Some(persona) = persona(entry, problems) {
            personas.push((entry.key.clone(), persona));
        }
    }
    if let Some(main) = &main
        && !written.iter().any(|entry| entry.key == *main)
    {
        let span = fields.get("main").map_or(node.span, |node| node.span);
        let message = format!("there is no persona for the role `{}`", escape::name(main));
        let names: Vec<&str> = written.iter().map(|entry| &*entry.key).collect();
        problems.push(Diagnostic::new(&code::BAD_VALUE, span, message).help(did_you_mean(
            "role",
            main,
            names.iter().copied(),
        )));
    }
    Some(Conditioning::Files { core: core?, personas, main })
}

fn role(fields: &Fields<'_>, problems: &mut Vec<Diagnostic>) -> Option<Box<str>> {
    text(fields.get("main")?, "`main`", problems).map(Into::into)
}

fn persona(entry: &Entry, problems: &mut Vec<Diagnostic>) -> Option<Persona> {
    let what = format!("the persona `{}`", escape::name(&entry.key));
    if entry.value.as_map().is_some() {
        let fields = Fields::of(&entry.value, &what, &["composition"], problems)?;
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
