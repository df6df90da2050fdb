//! Paths: `a.b`, `a[0].c`, `items[*].id`, `a["x.y"]`.
//!
//! A path is parsed once and yields *slots*: each a value or absent. Without `[*]` there is
//! exactly one slot. Under `[*]` there is one for each element of a list, none for an empty list,
//! and one absent slot where `[*]` meets anything else.

use std::borrow::Cow;
use std::fmt;
use std::ops::{ControlFlow, Range};

use crate::value::{FirstPlace, Map, Value};

mod slots;

pub(crate) use slots::Slots;

/// A parsed path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    segments: Box<[Segment]>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// The value of a key.
    Key(Box<str>),
    /// An element of a list, counted from 0.
    Index(u32),
    /// Every element of a list.
    Each,
}

/// Why a text is not a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PathError {
    /// The invalid bytes of the text.
    pub at: Range<usize>,
    /// The problem.
    pub message: String,
    /// What to write instead.
    pub help: Cow<'static, str>,
}

impl Path {
    /// Parses a path.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        Parser { text, at: 0 }.path()
    }

    /// The path of these steps, which must not be empty.
    pub(crate) fn of(segments: &[Segment]) -> Self {
        Self { segments: segments.into() }
    }

    /// The steps.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Whether `[*]` occurs in it.
    pub fn is_wild(&self) -> bool {
        self.segments.contains(&Segment::Each)
    }

    /// The value at a path without `[*]`; `None` when absent.
    pub fn get<'v>(&self, root: &'v Value) -> Option<&'v Value> {
        self.slots(root.present()).only()
    }

    /// Sets the value at a path without `[*]` and creates missing parents. Returns false and leaves
    /// the document unchanged if a parent has another type.
    pub fn put(&self, root: &mut Value, value: Value) -> bool {
        let fits = fits(root, &self.segments);
        if fits {
            put(root, &self.segments, value);
        }
        fits
    }

    /// Removes the value at a path without `[*]`. Later elements of a list move up.
    pub fn remove(&self, root: &mut Value) -> Option<Value> {
        let (last, front) = self.segments.split_last()?;
        let mut target = root;
        for segment in front {
            target = match (segment, target) {
                (Segment::Key(key), Value::Map(map)) => map.get_mut(key)?,
                (Segment::Index(index), Value::List(items)) => items.get_mut(*index as usize)?,
                (Segment::Key(_) | Segment::Index(_) | Segment::Each, _) => return None,
            };
        }
        match (last, target) {
            (Segment::Key(key), Value::Map(map)) => map.remove(key),
            (Segment::Index(index), Value::List(items)) => {
                let index = *index as usize;
                (index < items.len()).then(|| items.remove(index))
            }
            (Segment::Key(_) | Segment::Index(_) | Segment::Each, _) => None,
        }
    }

    /// The slots of the path, starting at a value.
    pub(crate) fn slots<'v>(&self, start: Option<&'v Value>) -> Slots<'_, 'v> {
        Slots { start, segments: &self.segments }
    }

    /// Calls `visit` on every slot, in order, until it breaks.
    pub fn visit<'v, B>(
        &self,
        root: &'v Value,
        visit: &mut impl FnMut(Option<&'v Value>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.slots(root.present()).visit(visit)
    }
}

impl Segment {
    /// Follows one step. Returns `None` for `[*]`, which selects many.
    pub(crate) fn step<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match (self, value) {
            (Self::Key(key), Value::Map(map)) => map.get(key)?.present(),
            (Self::Index(index), Value::List(items)) => items.get(*index as usize)?.present(),
            (Self::Key(_) | Self::Index(_) | Self::Each, _) => None,
        }
    }

    /// The same, looking first where a key was found in another object.
    #[inline]
    pub(crate) fn step_near<'v>(&self, value: &'v Value, place: &FirstPlace) -> Option<&'v Value> {
        match (self, value) {
            (Self::Key(key), Value::Map(map)) => map.get_near(key, place)?.present(),
            (Self::Key(_) | Self::Index(_) | Self::Each, _) => self.step(value),
        }
    }
}

/// The longest list that `put` creates to reach an index.
const REACH: u32 = 1_000;

fn fits(target: &Value, segments: &[Segment]) -> bool {
    let Some((segment, rest)) = segments.split_first() else { return true };
    match (segment, target) {
        // Missing parents are created, and the rest of the path must fit them too.
        (Segment::Key(key), Value::Map(map)) => fits(map.get(key).unwrap_or(&Value::Null), rest),
        (Segment::Index(index), Value::List(items)) => {
            *index < REACH && fits(items.get(*index as usize).unwrap_or(&Value::Null), rest)
        }
        (Segment::Key(_), Value::Null) => fits(&Value::Null, rest),
        (Segment::Index(index), Value::Null) => *index < REACH && fits(&Value::Null, rest),
        (Segment::Key(_) | Segment::Index(_) | Segment::Each, _) => false,
    }
}

fn put(target: &mut Value, segments: &[Segment], value: Value) {
    let Some((segment, rest)) = segments.split_first() else {
        *target = value;
        return;
    };
    match segment {
        Segment::Key(key) => {
            if !matches!(target, Value::Map(_)) {
                *target = Value::Map(Map::new());
            }
            if let Value::Map(map) = target {
                if map.get(key).is_none() {
                    map.insert(key.clone(), Value::Null);
                }
                if let Some(inner) = map.get_mut(key) {
                    put(inner, rest, value);
                }
            }
        }
        Segment::Index(index) => {
            if !matches!(target, Value::List(_)) {
                *target = Value::List(Vec::new());
            }
            if let Value::List(items) = target {
                let index = *index as usize;
                if items.len() <= index {
                    items.resize(index + 1, Value::Null);
                }
                if let Some(item) = items.get_mut(index) {
                    put(item, rest, value);
                }
            }
        }
        Segment::Each => {}
    }
}

/// The canonical spelling: the shortest that parses to the same path.
impl std::str::FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        Self::parse(text)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.segments.iter().enumerate() {
            match segment {
                Segment::Key(key) if is_bare(key) && (at > 0 || !is_foreign(key)) => {
                    f.write_str(if at == 0 { "" } else { "." })?;
                    f.write_str(key)?;
                }
                Segment::Key(key) => {
                    let escaped = key.replace('\\', "\\\\").replace('"', "\\\"");
                    write!(f, "[\"{escaped}\"]")?;
                }
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Each => f.write_str("[*]")?,
            }
        }
        Ok(())
    }
}

/// Whether a key needs no quotes.
fn is_bare(key: &str) -> bool {
    !key.is_empty()
        && key != "*"
        && !key.contains(['.', '[', ']', '"'])
        && !key.contains(char::is_control)
        && key.trim() == key
}

/// Whether a path that starts with this key looks like `JSONPath` or a JSON Pointer.
fn is_foreign(key: &str) -> bool {
    key == "$" || key.starts_with('/')
}

/// The maximum number of steps; a document cannot nest deeper.
const LONGEST: usize = 128;

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn path(mut self) -> Result<Path, PathError> {
        let mut segments = Vec::new();
        if self.text.is_empty() {
            return Err(self.error(0..0, "the path is empty", "write the name of a key"));
        }
        if let Some(problem) = self.foreign() {
            return Err(problem);
        }
        if !self.rest().starts_with('[') {
            segments.push(self.key()?);
        }
        while let Some(next) = self.rest().chars().next() {
            match next {
                '[' => segments.push(self.bracket()?),
                '.' => {
                    self.at += 1;
                    segments.push(self.key()?);
                }
                ']' => return Err(self.stray_bracket()),
                _ => {
                    let to = self.at + next.len_utf8();
                    return Err(self.error(
                        self.at..to,
                        "expected `.` or `[` after `]`",
                        "write a `.` before the next key",
                    ));
                }
            }
        }
        if segments.len() > LONGEST {
            let message = "the path has more than 128 steps";
            return Err(self.error(
                0..self.text.len(),
                message,
                "use a shorter path; no document nests that deep",
            ));
        }
        Ok(Path { segments: segments.into() })
    }

    /// A path in the notation of `JSONPath` or JSON Pointer.
    fn foreign(&self) -> Option<PathError> {
        let (here, message, path) = match self.text.strip_prefix('$') {
            Some(rest) if rest.is_empty() || rest.starts_with(['.', '[']) => {
                let path = rest.trim_start_matches('.').to_owned();
                (0..1, "a path does not start with `$`", path)
            }
            Some(_) | None => {
                let steps = self.text.strip_prefix('/')?.split('/').filter(|step| !step.is_empty());
                let segment = |step: &str| match step.parse() {
                    Ok(index) => Segment::Index(index),
                    Err(_) => Segment::Key(step.replace("~1", "/").replace("~0", "~").into()),
                };
                let segments: Vec<Segment> = steps.map(segment).collect();
                (0..1, "a path does not start with `/`", Path::of(&segments).to_string())
            }
        };
        let key = match self.text.get(here.clone()) {
            Some("$") => "$",
            Some(_) | None => "/…",
        };
        let help = match path.as_str() {
            "" => format!("write the name of a key, or `[\"{key}\"]` for a key of that name"),
            path => {
                let path = lawful_syntax::escape::name(path);
                format!("write `{path}`, or `[\"{key}\"]` for a key of that name")
            }
        };
        Some(PathError { at: here, message: message.to_owned(), help: help.into() })
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn key(&mut self) -> Result<Segment, PathError> {
        let start = self.at;
        let rest = self.rest();
        let len = rest.find(['.', '[', ']', '"']).unwrap_or(rest.len());
        let key = rest.get(..len).unwrap_or_default();
        self.at += len;
        let here = start..self.at;
        match self.rest().chars().next() {
            Some(']') => return Err(self.stray_bracket()),
            Some('"') => {
                return Err(self.error(
                    self.at..self.at + 1,
                    "a quote outside brackets",
                    "write a key in quotes as `[\"…\"]`",
                ));
            }
            Some(_) | None => {}
        }
        if key.is_empty() {
            let help = "remove the extra `.`; a key in quotes is written `[\"…\"]` without one";
            return Err(self.error(here, "a segment of the path is empty", help));
        }
        if key == "*" {
            return Err(self.error(
                here,
                "`*` is not a key",
                "write `[*]` for every element, or `[\"*\"]` for a key of that name",
            ));
        }
        if !is_bare(key) {
            return Err(self.error(
                here,
                "a key with white space around it or control characters in it needs quotes",
                "write it as `[\"…\"]`",
            ));
        }
        Ok(Segment::Key(key.into()))
    }

    fn bracket(&mut self) -> Result<Segment, PathError> {
        let start = self.at;
        self.at += 1;
        let segment = if self.rest().starts_with('"') {
            self.quoted(start)?
        } else {
            let rest = self.rest();
            let Some(len) = rest.find(']') else { return Err(self.unclosed(start)) };
            let inside = rest.get(..len).unwrap_or_default();
            let here = self.at..self.at + len;
            self.at += len;
            self.inside(inside, here)?
        };
        match self.rest().chars().next() {
            Some(']') => {
                self.at += 1;
                Ok(segment)
            }
            None => Err(self.unclosed(start)),
            Some(other) => {
                let here = self.at..self.at + other.len_utf8();
                Err(self.error(here, "expected `]` after the quote", "close it with `]`"))
            }
        }
    }

    fn stray_bracket(&self) -> PathError {
        self.error(
            self.at..self.at + 1,
            "unmatched `]`",
            "remove it, or write the key in quotes: `[\"…\"]`",
        )
    }

    fn inside(&self, inside: &str, here: Range<usize>) -> Result<Segment, PathError> {
        if inside == "*" {
            return Ok(Segment::Each);
        }
        if !inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_digit()) {
            return inside.parse().map(Segment::Index).map_err(|_| {
                self.error(
                    here,
                    "an index is at most 4294967295",
                    "use an index that a list can have",
                )
            });
        }
        let negative = inside.strip_prefix('-').is_some_and(|rest| rest.parse::<u64>().is_ok());
        if negative {
            return Err(self.error(
                here,
                "an index cannot be negative",
                "count from 0 at the start of the list",
            ));
        }
        let message =
            if inside.is_empty() { "the brackets are empty" } else { "an index must be a number" };
        let help = "write `[0]`, `[*]` for every element, or `[\"…\"]` for a key";
        Err(self.error(here, message, help))
    }

    fn quoted(&mut self, start: usize) -> Result<Segment, PathError> {
        let open = self.at;
        let mut key = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => {
                    self.at = open + at + 1;
                    return Ok(Segment::Key(key.into()));
                }
                '\\' => match characters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => key.push(escaped),
                    Some(_) | None => {
                        let here = open + at..open + at + 1;
                        let help =
                            "in a quoted key write `\\\"` for a quote and `\\\\` for a backslash";
                        return Err(self.error(here, "unknown escape", help));
                    }
                },
                _ => key.push(c),
            }
        }
        self.at = self.text.len();
        Err(self.error(start..self.text.len(), "unclosed quote", "close it with `\"]`"))
    }

    fn unclosed(&self, start: usize) -> PathError {
        self.error(start..self.text.len(), "unclosed bracket", "close it with `]`")
    }

    #[expect(clippy::unused_self, reason = "reads better at the call")]
    fn error(&self, at: Range<usize>, message: &str, help: &'static str) -> PathError {
        PathError { at, message: message.to_owned(), help: help.into() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match Path::parse(text) {
            Ok(path) => path.to_string(),
            Err(error) => format!("{}..{} {error}", error.at.start, error.at.end),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn every_form_parses() {
        check("a", "a");
        check("a.b-c.d_e", "a.b-c.d_e");
        check("a[0].c[12]", "a[0].c[12]");
        check("items[*].id", "items[*].id");
        check("a[*][*]", "a[*][*]");
        check(r#"a["x.y"].b"#, r#"a["x.y"].b"#);
        check(r#"["facts"].x"#, "facts.x");
        check(r#"["a b"]["*"][""]"#, r#"a b["*"][""]"#);
        check(r#"["q\"\\"]"#, r#"["q\"\\"]"#);
        check("[0].x", "[0].x");
        check("naïve.漢字", "naïve.漢字");
        check("a[007]", "a[7]");
        // Bare, these would look like another notation.
        check(r#"["$"].a"#, r#"["$"].a"#);
        check(r#"["/a"]"#, r#"["/a"]"#);
        check("a.$./b", "a.$./b");
        check("$x", "$x");
    }

    #[test]
    fn every_mistake_has_a_place() {
        check("", "0..0 the path is empty");
        check("$.a", "0..1 a path does not start with `$`");
        check("$[0]", "0..1 a path does not start with `$`");
        check("/a/b", "0..1 a path does not start with `/`");
        check(".a", "0..0 a segment of the path is empty");
        check("a..b", "2..2 a segment of the path is empty");
        check("a.", "2..2 a segment of the path is empty");
        check("a.[0]", "2..2 a segment of the path is empty");
        check("a[", "1..2 unclosed bracket");
        check("a[0", "1..3 unclosed bracket");
        check("a]", "1..2 unmatched `]`");
        check("a[]", "2..2 the brackets are empty");
        check("a[-1]", "2..4 an index cannot be negative");
        check("a[x]", "2..3 an index must be a number");
        check("a['x']", "2..5 an index must be a number");
        check("a[1.5]", "2..5 an index must be a number");
        check("a[99999999999]", "2..13 an index is at most 4294967295");
        check("a[0]b", "4..5 expected `.` or `[` after `]`");
        check("a[\"x", "1..4 unclosed quote");
        check("a[\"x\"", "1..5 unclosed bracket");
        check(r#"a["\n"]"#, "3..4 unknown escape");
        check("a\"b", "1..2 a quote outside brackets");
        check("a.*.b", "2..3 `*` is not a key");
        check(&"a.".repeat(200), "400..400 a segment of the path is empty");
        check(&["a"; 129].join("."), "0..257 the path has more than 128 steps");
        check(
            " a",
            "0..2 a key with white space around it or control characters in it needs quotes",
        );
    }

    fn slots(path: &str, value: &Value) -> String {
        let mut out = Vec::new();
        let path = Path::parse(path).unwrap();
        let _: ControlFlow<()> = path.visit(value, &mut |slot| {
            out.push(slot.map_or("-".to_owned(), ToString::to_string));
            ControlFlow::Continue(())
        });
        out.join(" ")
    }

    fn value(yaml: &str) -> Value {
        crate::testing::value(yaml)
    }

    #[test]
    fn slots_follow_the_lists() {
        let document = value("{a: [{b: 1}, {}, {b: null}, 5], e: [], s: x, n: [[1, 2], [], 3]}");
        assert_eq!(slots("s", &document), "\"x\"");
        assert_eq!(slots("missing", &document), "-");
        assert_eq!(slots("a[0].b", &document), "1");
        assert_eq!(slots("a[9].b", &document), "-");
        assert_eq!(slots("a[*].b", &document), "1 - - -");
        assert_eq!(slots("e[*]", &document), "");
        assert_eq!(slots("e[*].x", &document), "");
        assert_eq!(slots("s[*]", &document), "-");
        assert_eq!(slots("missing[*].x", &document), "-");
        assert_eq!(slots("n[*][*]", &document), "1 2 -");
    }

    #[test]
    fn what_is_put_makes_its_way_within_reason() {
        let put = |path: &str, into: &str| {
            let mut document = value(into);
            let fits = Path::parse(path).unwrap().put(&mut document, true.into());
            format!("{fits} {document}")
        };
        assert_eq!(put("a.b[1]", "{}"), "true {\"a\": {\"b\": [null, true]}}");
        assert_eq!(put("a.b", "{a: {c: 1}}"), "true {\"a\": {\"c\": 1, \"b\": true}}");
        assert_eq!(put("a.b", "{a: 1}"), "false {\"a\": 1}");
        assert_eq!(put("a[0]", "{a: {}}"), "false {\"a\": {}}");
        assert_eq!(put("a[1000]", "{}"), "false {}");
        assert_eq!(put("a.b[4000000000].c", "{a: {}}"), "false {\"a\": {}}");
        assert_eq!(put("a[0][1000]", "{a: []}"), "false {\"a\": []}");
    }

    fn any_path() -> impl Strategy<Value = Path> {
        let segment = prop_oneof![
            any::<String>().prop_map(|key| Segment::Key(key.into())),
            "[a-z]{1,4}".prop_map(|key| Segment::Key(key.into())),
            any::<u32>().prop_map(Segment::Index),
            Just(Segment::Each),
        ];
        prop::collection::vec(segment, 1..6).prop_map(|segments| Path { segments: segments.into() })
    }

    proptest! {
        #[test]
        fn a_path_prints_back_to_itself(path in any_path()) {
            prop_assert_eq!(Path::parse(&path.to_string()), Ok(path));
        }

        #[test]
        fn no_text_is_too_much(text in "[a\\[\\]\"*.0\\\\ -]{0,12}") {
            if let Err(error) = Path::parse(&text) {
                prop_assert!(text.get(error.at.clone()).is_some(), "{:?}", error);
            }
        }
    }
}
