//! Just enough Markdown to find sections and sentences: which lines are headings, and which are not
//! prose.
//!
//! Blocks follow `CommonMark` at the top level of a text. A heading or code block inside a list
//! item or a block quote does not count.

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The first line of a heading.
    Heading {
        /// 1 to 6.
        depth: usize,
        /// Its text, without the markers.
        title: String,
    },
    /// A further line of a heading: its underline, or the rest of its text.
    HeadingRest,
    /// A line of a code block, including its fences.
    Code,
    /// A line of HTML.
    Html,
    /// Anything else.
    Text,
}

/// What each line of a text is.
pub fn lines(text: &str) -> Vec<Line> {
    let mut reader = Reader::default();
    for line in text.lines() {
        reader.read(line);
    }
    reader.lines
}

/// The block that is open after the lines so far.
#[derive(Debug, Default)]
enum Open {
    /// No block continues on the next line.
    #[default]
    Nothing,
    /// A paragraph that starts at this line.
    Paragraph(usize),
    /// A paragraph in a list or a block quote, which the next line may continue.
    Inner,
    /// A fence of this character and length.
    Fence(char, usize),
    /// HTML up to a line that contains this.
    Html(&'static str),
    /// HTML up to a blank line.
    HtmlToBlank,
}

#[derive(Debug, Default)]
struct Reader<'t> {
    lines: Vec<Line>,
    texts: Vec<&'t str>,
    open: Open,
    /// The column from which a line belongs to the open list item.
    item: Option<usize>,
}

impl<'t> Reader<'t> {
    fn read(&mut self, line: &'t str) {
        self.texts.push(line);
        let (indent, said) = indented(line);
        let said = said.trim_end();
        let kind = match self.open {
            Open::Fence(mark, length) => {
                let closing = said.trim_start_matches(mark).is_empty() && said.len() >= length;
                if closing && indent < 4 {
                    self.open = Open::Nothing;
                }
                Line::Code
            }
            Open::Html(end) => {
                if line.to_ascii_lowercase().contains(end) {
                    self.open = Open::Nothing;
                }
                Line::Html
            }
            Open::HtmlToBlank if !said.is_empty() => Line::Html,
            Open::HtmlToBlank | Open::Nothing | Open::Paragraph(_) | Open::Inner => {
                self.block(indent, said)
            }
        };
        self.lines.push(kind);
    }

    /// A line outside fences and HTML.
    fn block(&mut self, indent: usize, said: &str) -> Line {
        if said.is_empty() {
            self.open = Open::Nothing;
            return Line::Text;
        }
        if self.item.is_some_and(|column| indent >= column) {
            self.open = Open::Inner;
            return Line::Text;
        }
        let paragraph = match self.open {
            Open::Paragraph(first) => Some(first),
            Open::Nothing | Open::Inner | Open::Fence(..) | Open::Html(_) | Open::HtmlToBlank => {
                None
            }
        };
        let goes_on = matches!(self.open, Open::Paragraph(_) | Open::Inner);
        if indent >= 4 {
            // Indented code, unless the line continues a paragraph.
            if !goes_on {
                self.item = None;
            }
            return if goes_on { Line::Text } else { Line::Code };
        }
        if let (Some(first), Some(depth)) = (paragraph, underline(said)) {
            return self.underlined(first, depth);
        }
        if let Some((depth, title)) = heading(said) {
            self.leave(Open::Nothing);
            return Line::Heading { depth, title: title.to_owned() };
        }
        if let Some((mark, length)) = fence(said) {
            self.leave(Open::Fence(mark, length));
            return Line::Code;
        }
        if is_rule(said) {
            self.leave(Open::Nothing);
            return Line::Text;
        }
        if let Some(open) = html(said, goes_on) {
            self.leave(open);
            return Line::Html;
        }
        if said.starts_with('>') {
            self.leave(Open::Inner);
        } else if let Some(width) = marker(said, paragraph.is_some()) {
            self.leave(Open::Inner);
            self.item = Some(indent + width);
        } else if !goes_on {
            let first = self.lines.len();
            self.leave(Open::Paragraph(first));
        }
        Line::Text
    }

    /// Turns the open paragraph into a heading.
    fn underlined(&mut self, first: usize, depth: usize) -> Line {
        let last = self.lines.len();
        let said = self.texts.get(first..last).unwrap_or_default();
        let title = said.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        for line in self.lines.iter_mut().skip(first) {
            *line = Line::HeadingRest;
        }
        if let Some(line) = self.lines.get_mut(first) {
            *line = Line::Heading { depth, title };
        }
        self.leave(Open::Nothing);
        Line::HeadingRest
    }

    /// Opens a block at the top level, which ends a list.
    fn leave(&mut self, open: Open) {
        self.open = open;
        self.item = None;
    }
}

/// The column at which a line starts, and its text from there.
fn indented(line: &str) -> (usize, &str) {
    let said = line.trim_start_matches([' ', '\t']);
    let blank = line.len() - said.len();
    let column = line.chars().take(blank).fold(0, |column, c| match c {
        '\t' => column + 4 - column % 4,
        _ => column + 1,
    });
    (column, said)
}

/// `## Title ##`
fn heading(said: &str) -> Option<(usize, &str)> {
    let rest = said.trim_start_matches('#');
    let depth = said.len() - rest.len();
    if !(1..=6).contains(&depth) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let title = rest.trim();
    let open = title.trim_end_matches('#');
    // Closing markers count only after white space.
    let closed = open.is_empty() || open.ends_with([' ', '\t']);
    Some((depth, if closed { open.trim_end() } else { title }))
}

/// `===` or `---` below a paragraph.
fn underline(said: &str) -> Option<usize> {
    let only = |mark: char| said.chars().all(|c| c == mark);
    if only('=') {
        Some(1)
    } else if only('-') {
        Some(2)
    } else {
        None
    }
}

/// The character and length of an opening fence. A backtick fence has no backtick after it.
fn fence(said: &str) -> Option<(char, usize)> {
    let mark = said.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = said.trim_start_matches(mark);
    let length = said.len() - info.len();
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length))
}

/// `***`, `---` or `_ _ _`
fn is_rule(said: &str) -> bool {
    let marks: Vec<char> = said.chars().filter(|c| !matches!(c, ' ' | '\t')).collect();
    let same = |mark: char| marks.iter().all(|c| *c == mark);
    marks.len() >= 3 && ['*', '-', '_'].into_iter().any(same)
}

/// The offset of the text of a list item, if the line starts one.
fn marker(said: &str, in_paragraph: bool) -> Option<usize> {
    let digits = said.len() - said.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mark = match digits {
        0 => said.strip_prefix(['-', '*', '+'])?,
        1..=9 => said.get(digits..)?.strip_prefix(['.', ')'])?,
        _ => return None,
    };
    let width = said.len() - mark.len();
    let text = mark.trim_start_matches([' ', '\t']);
    if !(mark.is_empty() || text.len() < mark.len()) {
        return None;
    }
    // Within a paragraph, only `1` or a bullet with text starts an item.
    let starts_at_one = digits == 0 || said.get(..digits) == Some("1");
    if in_paragraph && (text.is_empty() || !starts_at_one) {
        return None;
    }
    let gap = indented(mark).0;
    Some(width + if (1..=4).contains(&gap) && !text.is_empty() { gap } else { 1 })
}

/// The HTML block that a line opens.
fn html(said: &str, goes_on: bool) -> Option<Open> {
    const VERBATIM: [(&str, &str); 4] = [
        ("<pre", "</pre>"),
        ("<script", "</script>"),
        ("<style", "</style>"),
        ("<textarea", "</textarea>"),
    ];
    let lower = said.to_ascii_lowercase();
    let opened = |start: &str| {
        lower
            .strip_prefix(start)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '>']))
    };
    let found = VERBATIM.into_iter().find(|(start, _)| opened(start));
    let comment = said.starts_with("<!--").then_some(("<!--", "-->"));
    if let Some((start, end)) = comment.or(found) {
        let rest = lower.get(start.len()..).unwrap_or_default();
        return Some(if rest.contains(end) { Open::Nothing } else { Open::Html(end) });
    }
    // A single tag on its own line.
    let inside = said.strip_prefix('<')?.strip_suffix('>')?;
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let tag = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !inside.contains(['<', '>']);
    let address = name.contains(':') && !name.contains([' ', '=']);
    (tag && !address && !goes_on).then_some(Open::HtmlToBlank)
}

#[cfg(test)]
mod tests;
