//! Regular expressions, each distinct text compiled once, with a shared memory budget.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use regex_automata::meta::{BuildError, Builder, Config, Regex};
use regex_automata::nfa::thompson::{self, NFA};

use super::prefix::Prefix;
use crate::index::{IndexVec, ids};

ids! {
    /// A regular expression of a set.
    pub(crate) PatternId;
}

/// Every regular expression of a set.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    regexes: IndexVec<PatternId, Pattern>,
    by_text: BTreeMap<Box<str>, PatternId>,
    memory: usize,
}

/// A regular expression.
#[derive(Debug)]
struct Pattern {
    text: Box<str>,
    /// Compiled on first use if it is known to be valid.
    regex: OnceLock<Regex>,
    /// What a text must contain to be searched at all.
    prefix: Option<Prefix>,
}

impl Pattern {
    fn regex(&self) -> &Regex {
        self.regex.get_or_init(|| match config(None).build(&self.text) {
            Ok(regex) => regex,
            #[expect(clippy::panic, reason = "it compiled before, and no answer would be safe")]
            Err(error) => panic!("a pattern that was valid no longer is: {error}"),
        })
    }
}

/// How expressions are compiled; `room` limits their memory.
fn config(room: Option<usize>) -> Builder {
    let config = Config::new()
        .nfa_size_limit(room)
        .onepass_size_limit(Some(ONE_PASS))
        // Building a full automaton costs more than most conditions ever search.
        .dfa(false)
        .hybrid_cache_capacity(CACHE);
    let mut builder = Regex::builder();
    builder.configure(config);
    builder
}

/// The cache size of one expression's lazy automaton.
const CACHE: usize = 512 * 1024;
const ONE_PASS: usize = 256 * 1024;

/// One expression may use this fraction of the shared budget. A rejected one is charged that
/// fraction.
const ONE: usize = 32;
const REFUSED: usize = 8;

/// Why a pattern was rejected.
pub(crate) struct PatternError {
    /// The invalid bytes of the pattern, if the error has a place.
    pub at: Option<Range<usize>>,
    pub message: String,
    pub too_large: bool,
}

impl Patterns {
    /// Compiles a pattern, or returns the existing one. `budget` limits the total memory of all
    /// patterns.
    pub(crate) fn add(&mut self, text: &str, budget: usize) -> Result<PatternId, PatternError> {
        if let Some(id) = self.by_text.get(text) {
            return Ok(*id);
        }
        // A rejected pattern is charged the maximum, because detecting that it is too large takes
        // time, which is limited too.
        let room = (budget / ONE).min(budget.saturating_sub(self.memory));
        let regex = match config(Some(room)).build(text) {
            Ok(regex) => regex,
            Err(error) => {
                let refused = PatternError::from_build(&error, room, budget);
                if refused.too_large {
                    self.memory = self.memory.saturating_add(budget / REFUSED);
                }
                return Err(refused);
            }
        };
        self.memory = self.memory.saturating_add(regex.memory_usage() + CACHE / 8);
        Ok(self.push(text, OnceLock::from(regex), None))
    }

    /// Adds a pattern that compiled within its budget before. It is compiled when a text is searched
    /// that may have a match.
    pub(crate) fn add_valid(&mut self, text: &str) -> PatternId {
        match self.by_text.get(text) {
            Some(id) => *id,
            None => self.push(text, OnceLock::new(), Prefix::of(text)),
        }
    }

    fn push(&mut self, text: &str, regex: OnceLock<Regex>, prefix: Option<Prefix>) -> PatternId {
        let id = self.regexes.push(Pattern { text: text.into(), regex, prefix });
        self.by_text.insert(text.into(), id);
        id
    }

    pub(crate) fn is_match(&self, id: PatternId, text: &str) -> bool {
        let pattern = &self.regexes[id];
        let admits = pattern.prefix.as_ref().is_none_or(|prefix| prefix.admits(text));
        admits && pattern.regex().is_match(text)
    }

    /// The leftmost match.
    pub(crate) fn find(&self, id: PatternId, text: &str) -> Option<Range<usize>> {
        self.regexes[id].regex().find(text).map(|found| found.range())
    }

    /// The automaton of an expression, for callers that step through it. It is charged like another
    /// expression.
    pub(crate) fn automaton(&mut self, id: PatternId, budget: usize) -> Result<NFA, PatternError> {
        let room = (budget / ONE).min(budget.saturating_sub(self.memory));
        let config = thompson::Config::new()
            .nfa_size_limit(Some(room))
            .which_captures(thompson::WhichCaptures::None);
        // The expression is valid, so only its size can be rejected.
        let nfa = thompson::Compiler::new().configure(config).build(self.text(id));
        let nfa = nfa.map_err(|_| PatternError::too_large(room, budget))?;
        self.memory = self.memory.saturating_add(nfa.memory_usage());
        Ok(nfa)
    }

    pub(crate) fn text(&self, id: PatternId) -> &str {
        &self.regexes[id].text
    }

    /// A short text that an expression matches, if one is easy to find.
    pub(crate) fn example(&self, id: PatternId) -> Option<String> {
        let mut out = String::new();
        let parsed = regex_syntax::parse(self.text(id)).ok()?;
        (spell(&parsed, &mut out) && self.is_match(id, &out)).then_some(out)
    }
}

/// Writes a short match of an expression; false if it is too long. Anchors and word boundaries are
/// ignored, so the caller must verify the result.
fn spell(hir: &regex_syntax::hir::Hir, out: &mut String) -> bool {
    use regex_syntax::hir::{Class, HirKind};
    const LONGEST: usize = 200;
    if out.len() > LONGEST {
        return false;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0);
            text.is_ok_and(|text| {
                out.push_str(text);
                true
            })
        }
        HirKind::Class(Class::Unicode(class)) => {
            let holds =
                |c: &char| class.iter().any(|range| (range.start()..=range.end()).contains(c));
            let first = class.iter().next().map(regex_syntax::hir::ClassUnicodeRange::start);
            let easy = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(" -_./:".chars());
            let c = easy.into_iter().find(holds).or(first);
            out.extend(c);
            c.is_some()
        }
        HirKind::Class(Class::Bytes(_)) => false,
        HirKind::Repetition(repetition) => {
            let times = usize::try_from(repetition.min).unwrap_or(usize::MAX);
            times <= LONGEST && (0..times).all(|_| spell(&repetition.sub, out))
        }
        HirKind::Capture(capture) => spell(&capture.sub, out),
        HirKind::Concat(parts) => parts.iter().all(|part| spell(part, out)),
        HirKind::Alternation(parts) => parts.iter().any(|part| {
            let before = out.len();
            let spelt = spell(part, out);
            if !spelt {
                out.truncate(before);
            }
            spelt
        }),
    }
}

impl PatternError {
    fn from_build(error: &BuildError, room: usize, budget: usize) -> Self {
        let parts = match error.syntax_error() {
            Some(regex_syntax::Error::Parse(error)) => {
                Some((error.kind().to_string(), error.span()))
            }
            Some(regex_syntax::Error::Translate(error)) => {
                Some((error.kind().to_string(), error.span()))
            }
            Some(_) | None => None,
        };
        match parts {
            Some((kind, span)) => Self {
                at: Some(span.start.offset..span.end.offset),
                message: format!("invalid regular expression: {kind}"),
                too_large: false,
            },
            None if error.size_limit().is_some() => Self::too_large(room, budget),
            None => Self {
                at: None,
                message: format!("invalid regular expression: {error}"),
                too_large: false,
            },
        }
    }

    fn too_large(room: usize, budget: usize) -> Self {
        let message = if room < budget / ONE {
            let limit = lawful_syntax::escape::bytes(budget);
            format!("the regular expressions exceed the total limit of {limit}")
        } else {
            let limit = lawful_syntax::escape::bytes(room);
            format!("the regular expression exceeds the limit of {limit}")
        };
        Self { at: None, message, too_large: true }
    }
}
