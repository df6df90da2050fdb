//! A diff for people, in which no change looks like none.
//!
//! A no-break space looks like a space, a letter and its accent look like one character, and a space
//! at the end of a line looks like nothing. If a removed and an added line look alike, the
//! characters that differ are shown as escapes.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use lawful_syntax::escape;
use unicode_normalization::UnicodeNormalization as _;

use super::unified::{Kind, Line};
use super::{Change, UnifiedDiff, compare_within};

impl UnifiedDiff {
    /// The diff as text for people: safe to print, and with every change visible. A coarse diff
    /// starts with a line that says so.
    pub fn for_people(&self) -> String {
        let mut out = String::new();
        if self.is_coarse() {
            out.push_str(
                "coarse diff: the texts differ too much to match every line, so some blocks are shown as replaced\n",
            );
        }
        // The note on a missing end of line stands between removed and added lines.
        let in_block = |line: &Line| match line.kind {
            Kind::Same => false,
            Kind::Removed | Kind::Added => true,
            Kind::Mark => !line.text.starts_with("@@"),
        };
        for block in self.lines.chunk_by(|a, b| in_block(a) == in_block(b)) {
            let differing = look_alikes(block);
            for (at, line) in block.iter().enumerate() {
                out.push_str(line.sign());
                match differing.get(&at) {
                    None => out.push_str(&escape::line(&line.text)),
                    Some(changes) => show(&mut out, &line.text, changes),
                }
                out.push('\n');
            }
        }
        out
    }
}

/// For each line of a block that looks like one on the other side: which of its characters differ.
fn look_alikes(block: &[Line]) -> BTreeMap<usize, Vec<bool>> {
    let mut removed: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
    for (at, line) in block.iter().enumerate().filter(|(_, line)| line.kind == Kind::Removed) {
        removed.entry(look(&line.text)).or_default().push_back(at);
    }
    let mut differing = BTreeMap::new();
    if removed.is_empty() {
        return differing;
    }
    for (at, added) in block.iter().enumerate().filter(|(_, line)| line.kind == Kind::Added) {
        let twin = removed.get_mut(&look(&added.text)).and_then(VecDeque::pop_front);
        let Some((twin, line)) = twin.and_then(|twin| Some((twin, block.get(twin)?))) else {
            continue;
        };
        let (old, new): (Vec<char>, Vec<char>) =
            (line.text.chars().collect(), added.text.chars().collect());
        // Linear in the line, so that the whole diff stays so.
        let fuel = 1_000 + 16 * (old.len() + new.len());
        let changes = compare_within(&old, &new, fuel).changes;
        differing.insert(twin, marked(old.len(), changes.iter().map(|change| change.old.clone())));
        let of_new = |change: &Change| change.new.clone();
        differing.insert(at, marked(new.len(), changes.iter().map(of_new)));
    }
    differing
}

fn marked(length: usize, ranges: impl Iterator<Item = std::ops::Range<usize>>) -> Vec<bool> {
    let mut marks = vec![false; length];
    for range in ranges {
        marks.get_mut(range).unwrap_or_default().fill(true);
    }
    marks
}

/// What a reader sees of a line.
pub(super) fn look(line: &str) -> String {
    let visible = line.nfkc().filter(|c| !is_invisible(*c) && !escape::is_unsafe(*c));
    let seen: String = visible.map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    seen.trim_end().to_owned()
}

/// Whether a character takes no space. Those that the escapes of every output show are not among
/// them.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200c}' | '\u{200d}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}'
        | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Appends a line with the characters that differ as escapes, unless they are plain ASCII.
fn show(out: &mut String, line: &str, differing: &[bool]) {
    // A space that only invisible characters follow is at the end, too.
    let at_end = |c: char| c.is_whitespace() || is_invisible(c);
    let text_end = line.trim_end_matches(at_end).chars().count();
    for (at, (c, differs)) in line.chars().zip(differing).enumerate() {
        let plain = c.is_ascii_graphic() || (c == ' ' && at < text_end);
        if !differs || plain || c.is_ascii_control() {
            out.push_str(&escape::line(c.encode_utf8(&mut [0; 4])));
        } else {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
    }
}
