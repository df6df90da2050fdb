//! A page of the specification: sections with fenced blocks.

use std::path::Path;

pub(crate) struct Page {
    pub(crate) sections: Vec<Section>,
}

/// A `##` section: one test.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) blocks: Vec<Block>,
}

/// A fenced block.
#[derive(Clone)]
pub(crate) struct Block {
    /// The first word after the fence.
    pub(crate) kind: String,
    /// Everything after the fence.
    pub(crate) info: String,
    pub(crate) text: String,
    /// The line of the opening fence, from 1.
    pub(crate) line: usize,
}

impl Page {
    pub(crate) fn parse(text: &str) -> Self {
        let mut sections: Vec<Section> = Vec::new();
        let mut open: Option<Block> = None;
        for (at, line) in text.lines().enumerate() {
            if let Some(block) = &mut open {
                if line.trim_end() == "```" {
                    let block = open.take().expect("it is open");
                    if let Some(section) = sections.last_mut() {
                        section.blocks.push(block);
                    }
                } else {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
            } else if let Some(info) = line.strip_prefix("```") {
                let kind = info.split_whitespace().next().unwrap_or_default().to_owned();
                let info = info.trim().to_owned();
                open = Some(Block { kind, info, text: String::new(), line: at + 1 });
            } else if let Some(title) = line.strip_prefix("## ") {
                sections.push(Section { title: title.trim().to_owned(), blocks: Vec::new() });
            }
        }
        assert!(open.is_none(), "a fence is never closed");
        Self { sections }
    }
}

/// Writes what was found into the page, in place of what was expected.
pub(crate) fn rewrite(
    path: &Path,
    section: &Section,
    block: &Block,
    found: &str,
) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    // Earlier rewrites may have moved lines: find the block again by section, order and kind.
    let ordinal = section.blocks.iter().position(|other| other.line == block.line).unwrap_or(0);
    let page = Page::parse(&text);
    let again = page
        .sections
        .iter()
        .find(|other| other.title == section.title)
        .and_then(|section| section.blocks.get(ordinal))
        .ok_or("the page changed while it was updated")?;
    let lines: Vec<&str> = text.lines().collect();
    let (before, rest) = lines.split_at(again.line);
    let after = &rest[again.text.lines().count()..];
    let found = found.trim_end();
    let mut out: Vec<&str> = before.to_vec();
    if !found.is_empty() {
        out.extend(found.lines());
    }
    out.extend(after);
    std::fs::write(path, out.join("\n") + "\n").map_err(|error| error.to_string())
}
