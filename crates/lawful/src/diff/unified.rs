//! The unified diff of two texts.

use std::fmt;
use std::ops::Range;

use serde::{Serialize, Serializer};

use super::{Change, compare};

/// The unified diff of two texts; empty if they are equal. It prints and serialises as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnifiedDiff {
    pub(super) lines: Vec<Line>,
    coarse: bool,
}

/// A line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) kind: Kind,
    /// The text without the sign in front of it and without the end of the line.
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The names of the sides, the place of a hunk, or the note on a missing end of line.
    Mark,
    Same,
    Removed,
    Added,
}

impl Line {
    pub(super) fn sign(&self) -> &'static str {
        match self.kind {
            Kind::Mark => "",
            Kind::Same => " ",
            Kind::Removed => "-",
            Kind::Added => "+",
        }
    }
}

impl UnifiedDiff {
    /// The diff of two texts, with their names and this many lines around each change. Lines end at
    /// `\n` alone, so that any other character is part of what is compared.
    pub fn new(
        (old_name, old): (&str, &str),
        (new_name, new): (&str, &str),
        around: usize,
    ) -> Self {
        let (old, new): (Vec<&str>, Vec<&str>) =
            (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
        let compared = compare(&old, &new);
        let mut diff = Self { lines: Vec::new(), coarse: compared.coarse };
        if compared.changes.is_empty() {
            return diff;
        }
        diff.mark(format!("--- {old_name}"));
        diff.mark(format!("+++ {new_name}"));
        for hunk in hunks(&compared.changes, around) {
            diff.hunk(hunk, (&old, &new), around);
        }
        diff
    }

    /// Whether the texts are equal.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether some block is shown as replaced as a whole, because matching its lines would take
    /// too long.
    pub fn is_coarse(&self) -> bool {
        self.coarse
    }

    /// Each line, with the sign in front of it.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.lines.iter().map(|line| format!("{}{}", line.sign(), line.text))
    }

    fn mark(&mut self, text: String) {
        self.lines.push(Line { kind: Kind::Mark, text });
    }

    fn hunk(&mut self, changes: &[Change], (old, new): (&[&str], &[&str]), around: usize) {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return };
        let lead = around.min(first.old.start);
        let tail = around.min(old.len() - last.old.end);
        let (old_lines, new_lines) = (
            first.old.start - lead..last.old.end + tail,
            first.new.start - lead..last.new.end + tail,
        );
        self.mark(format!("@@ -{} +{} @@", place(&old_lines), place(&new_lines)));
        let mut at = old_lines.start;
        for change in changes {
            self.push(Kind::Same, old, at..change.old.start);
            self.push(Kind::Removed, old, change.old.clone());
            self.push(Kind::Added, new, change.new.clone());
            at = change.old.end;
        }
        self.push(Kind::Same, old, at..old_lines.end);
    }

    fn push(&mut self, kind: Kind, side: &[&str], range: Range<usize>) {
        for line in side.get(range).unwrap_or_default() {
            let ended = line.strip_suffix('\n');
            self.lines.push(Line { kind, text: ended.unwrap_or(line).to_owned() });
            if ended.is_none() {
                self.mark("\\ No newline at end of file".to_owned());
            }
        }
    }
}

/// The changes that are shown together, because the lines around them meet.
fn hunks(changes: &[Change], around: usize) -> impl Iterator<Item = &[Change]> {
    changes.chunk_by(move |a, b| b.old.start - a.old.end <= 2 * around)
}

/// The lines of a hunk on one side. An empty range is named by the line before it.
fn place(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        many => format!("{},{many}", lines.start + 1),
    }
}

impl fmt::Display for UnifiedDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{}{}", line.sign(), line.text))
    }
}

impl Serialize for UnifiedDiff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for UnifiedDiff {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}
