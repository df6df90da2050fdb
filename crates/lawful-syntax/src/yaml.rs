//! YAML text to nodes: the only module that uses the YAML parser.
//!
//! The parser produces events with byte spans; a stack of open collections turns them into a tree.
//! Depth and alias expansion are counted before anything is built, so no document can use more
//! memory than its limits allow.
//!
//! **Invariant:** a syntax error ends the parse with exactly one diagnostic. All other problems
//! (duplicate keys, tags, numbers) are collected, and the tree is still returned.

use std::collections::{BTreeMap, BTreeSet};

use granit_parser::{
    ErrorKind, Event, Parser, ScalarStyle, ScanError, Span as Place, StructureStyle, Tag,
};

use crate::json::Tree as _;
use crate::{Diagnostic, Entry, FileId, Kind, Limits, Node, Span, codes, escape};
use crate::{problems, scalar, unquoted};

/// Parses `text`, which starts `base` bytes into the file.
pub(crate) fn parse(
    text: &str,
    file: FileId,
    base: usize,
    limits: &Limits,
) -> (Option<Node>, Vec<Diagnostic>) {
    let mut builder = Builder {
        text,
        file,
        base,
        limits,
        has_tabs: text.contains('\t'),
        open: Vec::new(),
        anchors: BTreeMap::new(),
        aliased: aliased(text),
        alias_weight: 0,
        anchor_weight: 0,
        root: None,
        problems: Vec::new(),
    };
    let stopped = builder.run().err();
    let Builder { root, problems: mut found, .. } = builder;
    if let Some(problem) = stopped {
        found.push(problem);
        return (None, found);
    }
    match root {
        Some(node) if !(node.is_null() && node.span.start == node.span.end) => (Some(node), found),
        Some(_) | None => {
            if found.is_empty() {
                found.push(problems::empty(file, base));
            }
            (None, found)
        }
    }
}

/// The anchors that aliases refer to, found in a first pass that builds nothing.
fn aliased(text: &str) -> BTreeSet<usize> {
    if !(text.contains('&') && text.contains('*')) {
        return BTreeSet::new();
    }
    let events = Parser::new_from_str(text).map_while(Result::ok);
    events
        .filter_map(|(event, _)| if let Event::Alias(anchor) = event { Some(anchor) } else { None })
        .collect()
}

/// A list or mapping that is not complete yet.
struct Open {
    body: Body,
    span: Span,
    style: StructureStyle,
    anchor: usize,
    /// The deepest child so far, 0 for none.
    height: usize,
    /// Nodes and bytes of text inside.
    weight: usize,
}

enum Body {
    List(Vec<Node>),
    Map { entries: Vec<Entry>, key: Option<(Box<str>, Span)> },
}

/// A complete node, and the cost of repeating it.
#[derive(Clone)]
struct Built {
    node: Node,
    height: usize,
    weight: usize,
}

/// The node of an anchor: `None` while its collection is open.
type Anchors = BTreeMap<usize, Option<Built>>;

struct Builder<'t> {
    text: &'t str,
    file: FileId,
    base: usize,
    limits: &'t Limits,
    has_tabs: bool,
    open: Vec<Open>,
    anchors: Anchors,
    /// The anchors that some alias refers to: only these are copied.
    aliased: BTreeSet<usize>,
    alias_weight: usize,
    anchor_weight: usize,
    root: Option<Node>,
    problems: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        let options = granit_parser::options! {
            // The parser looks ahead and counts each kind separately; our own count adds them up.
            flow_nesting_limit: self.limits.depth,
            block_nesting_limit: self.limits.depth,
            emit_comments: false,
        };
        for next in Parser::new_from_str_with_options(self.text, options) {
            let (event, place) = next.map_err(|error| self.syntax_error(&error))?;
            let range = place.byte_range().unwrap_or_default();
            let span = self.span(range.start, range.end);
            match event {
                Event::Scalar(value, style, anchor, tag) => {
                    self.check_indent(span);
                    let node = self.scalar(&value, style, tag.as_deref(), &place, span);
                    let weight = 1 + value.len();
                    self.finish(Built { node, height: 0, weight }, anchor, key_style(style))?;
                }
                Event::SequenceStart(style, anchor, tag) => {
                    self.collection_tag(tag.as_deref(), "seq", "a list", span, &place);
                    self.start(Body::List(Vec::new()), style, anchor, span)?;
                }
                Event::MappingStart(style, anchor, tag) => {
                    self.collection_tag(tag.as_deref(), "map", "a mapping", span, &place);
                    let body = Body::Map { entries: Vec::new(), key: None };
                    self.start(body, style, anchor, span)?;
                }
                Event::SequenceEnd | Event::MappingEnd => self.end(span)?,
                Event::Alias(anchor) => {
                    self.check_indent(span);
                    let built = self.repeat(anchor, span)?;
                    self.finish(built, 0, KeyStyle::Quoted)?;
                }
                Event::DocumentStart(..) if self.root.is_some() => {
                    return Err(Diagnostic::new(
                        &codes::MULTIPLE_DOCUMENTS,
                        span,
                        "a second document starts here",
                    )
                    .help("move it into another file"));
                }
                Event::DocumentStart(..)
                | Event::DocumentEnd
                | Event::StreamStart
                | Event::StreamEnd => {}
                // Not enabled in the options; an unknown event must not be skipped.
                Event::Anchor(..) | Event::UnresolvedAlias(..) | _ => {
                    return Err(Diagnostic::new(
                        &codes::YAML_SYNTAX,
                        span,
                        "unsupported YAML construct",
                    ));
                }
            }
        }
        Ok(())
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, self.base + start, self.base + end)
    }

    fn start(
        &mut self,
        body: Body,
        style: StructureStyle,
        anchor: usize,
        span: Span,
    ) -> Result<(), Diagnostic> {
        if self.open.len() >= self.limits.depth {
            return Err(problems::too_deep(span, self.limits));
        }
        self.check_indent(span);
        if anchor != 0 {
            self.anchors.insert(anchor, None);
        }
        self.open.push(Open { body, span, style, anchor, height: 0, weight: 1 });
        Ok(())
    }

    fn end(&mut self, span: Span) -> Result<(), Diagnostic> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let last_child = match &open.body {
            Body::List(items) => items.last().map(|node| node.span),
            Body::Map { entries, .. } => {
                entries.last().map(|entry| entry.key_span.to(entry.value.span))
            }
        };
        // The end event of a block collection is at the start of the next token.
        let end = match (open.style, last_child) {
            (StructureStyle::Flow, _) | (StructureStyle::Block, None) => span,
            (StructureStyle::Block, Some(child)) => child,
        };
        let kind = match open.body {
            Body::List(items) => Kind::List(items),
            Body::Map { entries, .. } => {
                problems::duplicate_keys(&entries, Node::key, &mut self.problems);
                Kind::Map(entries)
            }
        };
        // A child repeated by an alias can be before the collection itself.
        let span = if end.end >= open.span.start { open.span.to(end) } else { open.span };
        let built =
            Built { node: Node { kind, span }, height: open.height + 1, weight: open.weight };
        self.finish(built, open.anchor, KeyStyle::Quoted)
    }

    /// Adds a complete node to the collection around it.
    fn finish(&mut self, built: Built, anchor: usize, style: KeyStyle) -> Result<(), Diagnostic> {
        if self.aliased.contains(&anchor) {
            // The copies for aliases have the same limit as the aliases.
            self.anchor_weight = self.anchor_weight.saturating_add(built.weight);
            if self.anchor_weight > self.limits.aliases {
                return Err(self.too_many_aliases(built.node.span));
            }
            self.anchors.insert(anchor, Some(built.clone()));
        }
        let Built { node, height, weight } = built;
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        open.height = open.height.max(height);
        open.weight = open.weight.saturating_add(weight);
        match &mut open.body {
            Body::List(items) => items.push(node),
            Body::Map { entries, key } => match key.take() {
                Some((key, key_span)) => entries.push(Entry { key, key_span, value: node }),
                None => {
                    let span = node.span;
                    let text = key_text(node, style, self.text, self.base, &mut self.problems);
                    *key = Some((text, span));
                }
            },
        }
        Ok(())
    }

    fn repeat(&mut self, anchor: usize, span: Span) -> Result<Built, Diagnostic> {
        match self.anchors.get(&anchor) {
            Some(Some(built)) if self.open.len() + built.height > self.limits.depth => {
                Err(problems::too_deep(span, self.limits))
            }
            Some(Some(built)) => {
                self.alias_weight = self.alias_weight.saturating_add(built.weight);
                if self.alias_weight > self.limits.aliases {
                    return Err(self.too_many_aliases(span));
                }
                // The span of the repeated node is the alias; the spans of its content are at the
                // anchor.
                let mut repeated = built.clone();
                repeated.node.span = span;
                Ok(repeated)
            }
            Some(None) | None => Err(Diagnostic::new(
                &codes::RECURSIVE_ALIAS,
                span,
                "this alias is inside the node it repeats",
            )
            .help("write the value out")),
        }
    }

    fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        tag: Option<&Tag>,
        place: &Place,
        span: Span,
    ) -> Node {
        let resolved = match (style, tag) {
            // The parser reports an empty plain scalar as `~`, which means the same.
            (ScalarStyle::Plain, None) => scalar::resolve(value),
            (_, None) => Ok(Kind::Text(value.into())),
            (_, Some(tag)) => {
                let tag_span = self.tag_span(place, span);
                let empty = style == ScalarStyle::Plain && span.start == span.end;
                let value = if empty { "" } else { value };
                return self.tagged(value, tag, tag_span, span);
            }
        };
        let kind = resolved.unwrap_or_else(|error| {
            self.problems
                .push(Diagnostic::new(error.code(), span, error.message(value)).help(error.help()));
            Kind::Null
        });
        Node { kind, span }
    }

    fn tagged(&mut self, value: &str, tag: &Tag, tag_span: Span, span: Span) -> Node {
        let text = || Kind::Text(value.into());
        // A lone `!` means "not resolved": a string.
        if tag.handle().is_empty() && tag.suffix() == "!" {
            return Node { kind: text(), span };
        }
        let Some(core) = tag.core_suffix() else {
            self.report_tag(tag, tag_span);
            return Node { kind: text(), span };
        };
        let kind = match (core, scalar::resolve(value)) {
            ("str", _) => Some(text()),
            (_, Err(error)) => {
                problems::report(&mut self.problems, || problems::number(error, value, span));
                Some(Kind::Null)
            }
            ("null", Ok(kind @ Kind::Null))
            | ("bool", Ok(kind @ Kind::Bool(_)))
            | ("int", Ok(kind @ Kind::Int(_)))
            | ("float", Ok(kind @ Kind::Float(_))) => Some(kind),
            #[expect(clippy::cast_precision_loss, reason = "the tag asks for a float")]
            ("float", Ok(Kind::Int(value))) => Some(Kind::Float(value as f64)),
            (_, Ok(_)) => None,
        };
        let kind = kind.unwrap_or_else(|| {
            self.report_misfit(&format!("`{}`", escape::name(value)), core, span);
            Kind::Null
        });
        Node { kind, span }
    }

    fn collection_tag(
        &mut self,
        tag: Option<&Tag>,
        expected: &str,
        what: &str,
        span: Span,
        place: &Place,
    ) {
        let Some(tag) = tag else { return };
        match tag.core_suffix() {
            Some(core) if core == expected => {}
            Some(core) => self.report_misfit(what, core, span),
            None => self.report_tag(tag, self.tag_span(place, span)),
        }
    }

    fn report_misfit(&mut self, what: &str, core: &str, span: Span) {
        problems::report(&mut self.problems, || {
            let message = format!("{what} is not a valid `!!{core}`");
            Diagnostic::new(&codes::BAD_TAGGED_VALUE, span, message).help("remove the tag")
        });
    }

    fn tag_span(&self, place: &Place, otherwise: Span) -> Span {
        let range = place.tag_span().and_then(|tag| tag.byte_range());
        range.map_or(otherwise, |range| self.span(range.start, range.end))
    }

    fn report_tag(&mut self, tag: &Tag, span: Span) {
        problems::report(&mut self.problems, || {
            let written = format!("{}{}", tag.original_handle(), tag.suffix());
            let message = format!("unknown tag `{}`", escape::name(&written));
            Diagnostic::new(&codes::CUSTOM_TAG, span, message)
                .help("remove the tag and write a plain value")
        });
    }

    /// Block collections must not be indented with tabs; the parser accepts some of them.
    fn check_indent(&mut self, span: Span) {
        if !self.has_tabs
            || self.open.last().is_some_and(|open| matches!(open.style, StructureStyle::Flow))
        {
            return;
        }
        let start = (span.start as usize).saturating_sub(self.base);
        let before = self.text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let lead = before.get(line_start..).unwrap_or_default();
        let indent = lead.len() - lead.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = lead.get(..indent).unwrap_or_default().find('\t') {
            let at = line_start + tab;
            let problem = tab_indent(self.span(at, at + 1));
            if self.problems.last() != Some(&problem) {
                problems::report(&mut self.problems, || problem);
            }
        }
    }

    /// A quote still open at the end of the indentation was forgotten, not folded.
    fn unclosed_quote(&self, at: usize) -> Diagnostic {
        let before = self.text.get(..at).unwrap_or_default();
        let opens = |(at, c): &(usize, char)| {
            let lead = before.get(..*at).unwrap_or_default();
            matches!(c, '"' | '\'')
                && (lead.is_empty() || lead.ends_with([' ', '\n', '[', '{', ',', ':']))
        };
        let quote = before.char_indices().rev().find(opens).map_or(at, |(quote, _)| quote);
        let span = self.span(quote, (quote + 1).min(self.text.len()));
        Diagnostic::new(&codes::YAML_SYNTAX, span, "unclosed quote").help("close the quote")
    }

    fn unquoted_path(&self, path: std::ops::Range<usize>) -> Diagnostic {
        let written = self.text.get(path.clone()).unwrap_or_default();
        let quote = if written.contains('\'') { '"' } else { '\'' };
        let shown = escape::name(written);
        let after = unquoted::after_key(self.text.get(path.end..).unwrap_or_default());
        let message = format!("the path `{shown}` needs quotes inside `{{…}}` or `[…]`");
        Diagnostic::new(&codes::YAML_SYNTAX, self.span(path.start, path.end), message)
            .help(format!("write `{quote}{shown}{quote}{}`", escape::name(&after)))
    }

    fn too_many_aliases(&self, span: Span) -> Diagnostic {
        let limit = self.limits.aliases;
        let message = format!("aliases repeat more than the limit of {limit} nodes and bytes");
        Diagnostic::new(&codes::ALIAS_LIMIT, span, message)
            .help(self.limits.help_on_aliases("write the repeated parts out or repeat less"))
    }

    /// The first line up to a place that starts with three tildes. YAML reads them as text, so the
    /// error is at what comes after them.
    fn tildes_before(&self, at: usize) -> Option<usize> {
        let before = self.text.get(..at).unwrap_or_default();
        let end = before.len() + self.text.get(at..)?.find('\n').unwrap_or(0);
        let lines = self.text.get(..end)?.split_inclusive('\n');
        let mut starts = lines.scan(0, |start, line| {
            let own = *start + line.len() - line.trim_start().len();
            *start += line.len();
            Some((own, line.trim_start()))
        });
        starts.find(|(_, line)| line.starts_with(problems::TILDES)).map(|(at, _)| at)
    }

    fn syntax_error(&self, error: &ScanError) -> Diagnostic {
        let at = error.marker().byte_offset().unwrap_or(self.text.len()).min(self.text.len());
        let width =
            self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let span = self.span(at, at + width);
        if let Some(path) = unquoted::path_at(self.text, at) {
            return self.unquoted_path(path);
        }
        if let Some(fence) = self.tildes_before(at) {
            return problems::fence(&codes::YAML_SYNTAX, self.span(fence, fence + 3));
        }
        let problem = Diagnostic::new(&codes::YAML_SYNTAX, span, error.info());
        #[expect(clippy::wildcard_enum_match_arm, reason = "a help for some of the many kinds")]
        match error.kind() {
            ErrorKind::RecursionLimitExceeded => problems::too_deep(span, self.limits),
            kind if kind.to_string().contains("tab") => {
                // The marker can be before or after the tab, so search from the start of its line.
                let before = self.text.get(..at).unwrap_or_default();
                let line = before.rfind('\n').map_or(0, |newline| newline + 1);
                let tab =
                    self.text.get(line..).and_then(|rest| rest.find('\t')).map(|tab| line + tab);
                tab_indent(tab.map_or(span, |tab| self.span(tab, tab + 1)))
            }
            ErrorKind::MappingValueNotAllowed => problem.help(
                "put a value that contains `: ` in quotes; start a nested mapping on its own line",
            ),
            ErrorKind::UnexpectedCharacter { character: '`' }
                if self
                    .text
                    .get(at..)
                    .is_some_and(|rest| rest.starts_with(problems::BACKTICKS)) =>
            {
                problems::fence(&codes::YAML_SYNTAX, self.span(at, at + 3))
            }
            ErrorKind::UnexpectedCharacter { character } => {
                let shown = character.to_string();
                let message = format!("unexpected character `{}`", escape::line(&shown));
                Diagnostic::new(&codes::YAML_SYNTAX, span, message)
                    .help("put a value that starts with this character in quotes")
            }
            ErrorKind::UnknownAnchor => problem
                .help("put a value that starts with `*` in quotes, or define the anchor first"),
            ErrorKind::UnclosedQuotedScalar => problem.help("close the quote"),
            kind if kind.to_string().contains("indentation in multiline quoted") => {
                self.unclosed_quote(at)
            }
            kind if kind.to_string().contains("escape") => {
                problem.help("write a backslash as `\\\\` in double quotes, or use single quotes")
            }
            kind if kind.to_string().contains("trailing content after") => {
                problem.help("inside single quotes write `''`, inside double quotes `\\\"`")
            }
            kind if kind.to_string().contains("illegal placement of ':'") => {
                problem.help("a bracket before this line may be unclosed")
            }
            ErrorKind::BlockSequenceEntryNotAllowed => {
                problem.help("start the list on its own line, or write `[…]`")
            }
            ErrorKind::UnclosedFlowCollection { .. } => problem.help("close the bracket"),
            _ => problem,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyStyle {
    Plain,
    Quoted,
}

fn key_style(style: ScalarStyle) -> KeyStyle {
    if style == ScalarStyle::Plain { KeyStyle::Plain } else { KeyStyle::Quoted }
}

fn tab_indent(span: Span) -> Diagnostic {
    Diagnostic::new(&codes::TAB_INDENT, span, "the line is indented with a tab")
        .help("indent with spaces")
}

/// The key of a node. One that is not a string is reported and replaced by its source text, so that
/// the rest of the document can be checked.
fn key_text(
    node: Node,
    style: KeyStyle,
    text: &str,
    base: usize,
    problems: &mut Vec<Diagnostic>,
) -> Box<str> {
    let span = node.span;
    let kind_name = node.kind_name();
    if let Kind::Text(key) = node.kind {
        if &*key == "<<" && style == KeyStyle::Plain {
            problems::report(problems, || {
                Diagnostic::new(&codes::MERGE_KEY, span, "merge keys are not supported")
                    .help("write the merged keys out; put a key called `<<` in quotes")
            });
        }
        return key;
    }
    let from = (span.start as usize).saturating_sub(base);
    let to = (span.end as usize).saturating_sub(base);
    let written = text.get(from..to).unwrap_or_default();
    let message = format!("a key must be a string, but this is {kind_name}");
    let help = if matches!(node.kind, Kind::List(_) | Kind::Map(_)) {
        "write a string as the key".to_owned()
    } else {
        format!("put it in quotes: `\"{}\"`", escape::name(written))
    };
    problems::report(problems, || {
        Diagnostic::new(&codes::NON_STRING_KEY, span, message).help(help)
    });
    written.into()
}
