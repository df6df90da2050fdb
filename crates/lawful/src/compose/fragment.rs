//! Fragments: pages with an id, and bodies with placeholders.

use lawful_syntax::{Diagnostic, FileId, Node, Sources, Span, did_you_mean, escape, nearest};

use super::agent::AgentKeys;
use super::codes::UNREAD_KEY;
use crate::book::{Document, Predicates};
use crate::code;
use crate::decode::{Fields, choice, strings, text, wrong_type};
use crate::index::ids;
use crate::path::Path;

ids! {
    /// An id that a book mentions, whether or not a fragment has it.
    pub FragmentId;
}

/// The lifetime of a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The rules, at every step.
    System,
    /// The lifetime of the project.
    Project,
    /// One task.
    Task,
}

impl Layer {
    /// Every layer with its name.
    pub(crate) const NAMES: [(&'static str, Self); 3] =
        [("system", Self::System), ("project", Self::Project), ("task", Self::Task)];

    /// `system`, `project` or `task`.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Project => "project",
            Self::Task => "task",
        }
    }

    pub(super) fn decode(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Self> {
        choice(node, "layer", &Self::NAMES, problems)
    }
}

/// A page of prompt text with an id.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// Its id.
    pub id: Box<str>,
    /// Where the id is written; the start of the file if it is the name of the file.
    pub id_span: Span,
    /// Whether the id is the name of the file.
    pub named_by_file: bool,
    /// Its file.
    pub file: FileId,
    /// A title for people.
    pub title: Option<String>,
    /// A kind for people and other programs.
    pub kind: Option<Box<str>>,
    /// Tags for searching.
    pub tags: Vec<Box<str>>,
    /// Its lifetime.
    pub layer: Option<Layer>,
    /// The predicates it teaches.
    pub teaches: Predicates,
    /// The body, trimmed.
    pub body: Span,
    /// The line on which the body starts.
    pub(super) first_line: usize,
    pub(super) parts: Vec<Piece>,
}

/// A part of a body.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// Literal text.
    Text(Span),
    /// A value of the context.
    Placeholder(Path, Span),
}

impl Fragment {
    /// Every placeholder, with its place.
    pub fn placeholders(&self) -> impl Iterator<Item = (&Path, Span)> {
        self.parts.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Placeholder(path, span) => Some((path, *span)),
        })
    }

    /// The keys of its front matter.
    pub(crate) const KEYS: [&str; 6] = ["id", "title", "kind", "tags", "layer", "teaches"];

    /// Decodes a page. Without an `id` it has the name of its file, also if its front matter has
    /// errors, so that the ids that name it are not reported as unknown. A `README.md` without
    /// front matter documents its folder and is not a fragment.
    pub(super) fn decode(
        document: &Document,
        sources: &Sources,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let page = document.page.as_ref()?;
        let file_name = document.path.rsplit('/').next().unwrap_or_default();
        if page.written.is_none() && file_name.eq_ignore_ascii_case("readme.md") {
            return None;
        }
        let front = page.front.as_ref();
        let fields = front.and_then(|node| Fields::of(node, "a fragment", &Self::KEYS, problems));
        let get = |key: &str| fields.as_ref().and_then(|fields| fields.get(key));
        let (parts, body) = pieces(page.body, sources, problems);
        let written = get("id").and_then(|node| Some((id(node, problems)?, node.span)));
        let unread = || unread_id(page.written.filter(|_| front.is_none())?, sources);
        let start = Span::start_of(document.file);
        let (name, id_span) = written
            .or_else(|| Some((unread()?, start)))
            .unwrap_or_else(|| (file_name.strip_suffix(".md").unwrap_or(file_name), start));
        let title = get("title").and_then(|node| text(node, "`title`", problems));
        let kind = get("kind").and_then(|node| text(node, "`kind`", problems));
        let layer = get("layer").and_then(|node| Layer::decode(node, problems));
        let mut list = |key: &str| match get(key) {
            Some(node) => strings(node, &format!("`{key}`"), problems),
            None => Vec::new(),
        };
        let (tags, teaches) = (list("tags"), list("teaches"));
        Some(Self {
            id: name.into(),
            id_span,
            named_by_file: written.is_none(),
            file: document.file,
            title: title.map(str::to_owned),
            kind: kind.map(Box::from),
            tags: tags.into_iter().map(|(tag, _)| tag).collect(),
            layer,
            teaches,
            first_line: first_line(body, sources),
            body,
            parts,
        })
    }

    /// A persona: a page without its front matter, of which only known keys are read.
    pub(super) fn persona(
        role: &str,
        document: &Document,
        front: Front,
        sources: &Sources,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let page = document.page.as_ref()?;
        let (parts, body) = pieces(page.body, sources, problems);
        Some(Self {
            id: role.into(),
            id_span: Span::start_of(document.file),
            named_by_file: false,
            file: document.file,
            title: None,
            kind: None,
            tags: Vec::new(),
            layer: front.layer.map(|(layer, _)| layer),
            teaches: front.teaches,
            first_line: first_line(body, sources),
            body,
            parts,
        })
    }
}

/// The known keys in the front matter of a core or a persona.
#[derive(Default)]
pub(super) struct Front {
    pub(super) layer: Option<(Layer, Span)>,
    pub(super) teaches: Predicates,
    pub(super) agent: AgentKeys,
}

impl Front {
    /// Reads the front matter of `what`. Text between two Markdown rules looks like front matter
    /// and would be dropped, so anything but a mapping is an error.
    pub(super) fn read(
        of: PageOf,
        document: &Document,
        sources: &Sources,
        problems: &mut Vec<Diagnostic>,
        warnings: &mut Vec<Diagnostic>,
    ) -> Self {
        const RULE: &str = "if the dashes are a Markdown rule, start the file with an empty line";
        const KEYS: [&str; 2] = ["layer", "teaches"];
        /// Common keys that describe a file, for people and other programs.
        const PASSED_OVER: [&str; 10] = [
            "author",
            "color",
            "date",
            "description",
            "id",
            "name",
            "tags",
            "title",
            "updated",
            "version",
        ];
        let Some(page) = &document.page else { return Self::default() };
        let what = of.name();
        let whose = format!("the front matter of {what}");
        let Some(front) = &page.front else {
            let written = page.written.filter(|written| !sources.slice(*written).trim().is_empty());
            // Loading has already reported unreadable front matter.
            if let Some(written) = written.filter(|_| document.sound) {
                let message = format!("{whose} must be a mapping, found only comments");
                problems.push(Diagnostic::new(&code::WRONG_TYPE, written, message).help(RULE));
            }
            return Self::default();
        };
        let Some(entries) = front.as_map() else {
            problems.push(wrong_type(front, &whose, "a mapping").help(RULE));
            return Self::default();
        };
        let of_agent = |key: &str| AgentKeys::NAMES.contains(&key);
        let is_known = |key: &str| {
            let is_read = KEYS.contains(&key) || (of == PageOf::Persona && of_agent(key));
            is_read || PASSED_OVER.contains(&key)
        };
        let mut read = KEYS.to_vec();
        if of == PageOf::Persona {
            read.extend(AgentKeys::NAMES);
        }
        for entry in entries.iter().filter(|entry| !is_known(&entry.key)) {
            let help = if of_agent(&entry.key) {
                "write it in the personas; it describes one agent".to_owned()
            } else if nearest(&entry.key, read.iter().copied()).is_empty() {
                RULE.to_owned()
            } else {
                did_you_mean("key", &entry.key, read.iter().copied())
            };
            let message = format!("the key `{}` of {what} is ignored", escape::name(&entry.key));
            warnings.push(Diagnostic::new(&UNREAD_KEY, entry.key_span, message).help(help));
        }
        let get = |key| front.get(key).filter(|node| !node.is_null());
        let layer = get("layer").and_then(|node| Some((Layer::decode(node, problems)?, node.span)));
        let teaches = get("teaches").map(|node| strings(node, "`teaches`", problems));
        let agent = match of {
            PageOf::Core => AgentKeys::default(),
            PageOf::Persona => AgentKeys::decode(front, problems),
        };
        Self { layer, teaches: teaches.unwrap_or_default(), agent }
    }
}

/// The kind of a conditioning page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PageOf {
    Core,
    Persona,
}

impl PageOf {
    /// Its name in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Core => "the core",
            Self::Persona => "a persona",
        }
    }
}

/// The id of a fragment, or a diagnostic.
fn id<'n>(node: &'n Node, problems: &mut Vec<Diagnostic>) -> Option<&'n str> {
    let id = text(node, "`id`", problems)?;
    if id.trim().is_empty() {
        problems.push(
            Diagnostic::new(&code::BAD_VALUE, node.span, "the id of a fragment is blank")
                .help("give it a name, or remove the key to use the name of the file"),
        );
        return None;
    }
    Some(id)
}

/// The id in front matter that does not parse.
fn unread_id(front: Span, sources: &Sources) -> Option<&str> {
    let id = sources.slice(front).lines().find_map(|line| line.strip_prefix("id:"))?;
    let id = id.trim().trim_matches(['"', '\'']);
    (!id.is_empty()).then_some(id)
}

fn first_line(body: Span, sources: &Sources) -> usize {
    sources.locate(body).map_or(1, |(_, position)| position.line)
}

/// Splits a body at its placeholders. `\${` is a literal `${`.
fn pieces(body: Span, sources: &Sources, problems: &mut Vec<Diagnostic>) -> (Vec<Piece>, Span) {
    let whole = sources.slice(body);
    let lead = whole.len() - whole.trim_start().len();
    let trimmed = whole.trim();
    let start = body.start as usize + lead;
    let span = |from: usize, to: usize| Span::new(body.file, start + from, start + to);
    let mut out = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = trimmed.get(at..).and_then(|rest| rest.find("${")).map(|n| at + n) {
        let escaped = trimmed.get(..found).is_some_and(|before| before.ends_with('\\'));
        let inside = trimmed.get(found + 2..).unwrap_or_default();
        let close = inside.find(['}', '\n']).filter(|at| inside.get(*at..=*at) == Some("}"));
        match (escaped, close) {
            // Drop the backslash and keep the rest as text.
            (true, _) => {
                out.push(Piece::Text(span(from, found - 1)));
                from = found;
                at = found + 2;
            }
            // Not closed on its line: a literal `${`.
            (false, None) => at = found + 2,
            (false, Some(close)) => {
                out.push(Piece::Text(span(from, found)));
                let written = inside.get(..close).unwrap_or_default();
                let place = span(found, found + 2 + close + 1);
                at = found + 2 + close + 1;
                from = at;
                match placeholder(written.trim()) {
                    Ok(path) => out.push(Piece::Placeholder(path, place)),
                    Err(why) => problems.push(
                        Diagnostic::new(
                            &code::BAD_PATH,
                            place,
                            format!(
                                "invalid path in the placeholder `{}`: {why}",
                                escape::name(written)
                            ),
                        )
                        .help("correct it, or write `\\${` for a literal `${`"),
                    ),
                }
            }
        }
    }
    out.push(Piece::Text(span(from, trimmed.len())));
    (out, span(0, trimmed.len()))
}

/// The paths of the placeholders of a body, without those that have errors.
pub(crate) fn placeholders(body: Span, sources: &Sources) -> Vec<Path> {
    let (parts, _) = pieces(body, sources, &mut Vec::new());
    let paths = parts.into_iter().filter_map(|piece| match piece {
        Piece::Text(_) => None,
        Piece::Placeholder(path, _) => Some(path),
    });
    paths.collect()
}

fn placeholder(written: &str) -> Result<Path, String> {
    let path = Path::parse(written).map_err(|error| error.to_string())?;
    if path.is_wild() {
        return Err("`[*]` selects many values".to_owned());
    }
    Ok(path)
}
