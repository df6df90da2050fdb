//! Keywords: one search finds all of them.
//!
//! One automaton holds every keyword of every rule, so a message is read once, whatever the number
//! of keywords and matches. Only the leftmost match of each counts. Regular expressions are
//! compiled once and run one by one.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use aho_corasick::Anchored;
use aho_corasick::automaton::{Automaton as _, StateID};
use aho_corasick::nfa::contiguous;
use lawful_syntax::{Diagnostic, Node, Span, escape};
use regex_automata::nfa::thompson::NFA;

use super::codes::{BLANK_KEYWORD, EMPTY_MATCH, KEYWORD_FLAG};
use super::fold::fold;
use super::rules::RuleId;
use super::whole_word;
use crate::code;
use crate::cond::{PatternId, Patterns};
use crate::decode::{list, text};
use crate::limits::Limits;
use crate::word::Words;

/// Whose message is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    /// The message of the user.
    User,
    /// The message of the agent.
    Ai,
}

/// A match of a keyword.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The keyword as the rule writes it.
    pub keyword: Box<str>,
    /// The place of the match, in bytes of the message.
    pub span: Range<usize>,
}

/// One use of a keyword by a rule.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub rule: RuleId,
    pub side: Side,
    /// Its position among the keywords of the rule.
    pub index: usize,
    pub whole_word: bool,
    pub keyword: Box<str>,
}

/// Every keyword of a lawbook.
#[derive(Debug, Default)]
pub(crate) struct Keywords {
    automaton: Option<contiguous::NFA>,
    /// The uses of each keyword of the automaton.
    literal: Vec<Vec<Use>>,
    patterns: Patterns,
    regexes: Vec<(Expression, Use)>,
}

/// A regular expression.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pattern: PatternId,
    /// The automaton for whole words, if the rule asks for them.
    whole_word: Option<NFA>,
}

/// The keywords of a rule, decoded and checked.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub whole_word: bool,
    pub all: Vec<(Box<str>, Kind)>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Folded text.
    Literal(Box<str>),
    Regex(Expression),
}

/// The keywords while they are collected.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    patterns: Patterns,
    texts: BTreeMap<Box<str>, usize>,
    literal: Vec<Vec<Use>>,
    regexes: Vec<(Expression, Use)>,
    bytes: usize,
}

impl Builder {
    /// Decodes a list of keywords.
    pub(crate) fn decode(
        &mut self,
        node: &Node,
        whole_word: bool,
        limits: &Limits,
        problems: &mut Vec<Diagnostic>,
    ) -> Written {
        let items = list(node, "`keywords`", "strings", problems);
        if node.as_list().is_some_and(<[Node]>::is_empty) {
            problems.push(
                Diagnostic::new(&BLANK_KEYWORD, node.span, "the list of keywords is empty")
                    .help("the rule never fires; add a keyword"),
            );
        }
        let mut all = Vec::new();
        for item in items {
            let Some(written) = text(item, "a keyword", problems) else { continue };
            if written.trim().is_empty() {
                problems.push(
                    Diagnostic::new(&BLANK_KEYWORD, item.span, "this keyword is blank")
                        .help("it is ignored; write a word, or remove it"),
                );
                continue;
            }
            let kind = match regex(written) {
                Some(pattern) => {
                    self.regex(&pattern, whole_word, item.span, limits, problems).map(Kind::Regex)
                }
                None => self.literal(written, item.span, limits, problems).map(Kind::Literal),
            };
            all.extend(kind.map(|kind| (written.into(), kind)));
        }
        Written { whole_word, all }
    }

    fn regex(
        &mut self,
        pattern: &str,
        whole_word: bool,
        span: Span,
        limits: &Limits,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Expression> {
        let budget = limits.pattern_bytes;
        let found = self.patterns.add(pattern, budget).and_then(|pattern| {
            let whole_word =
                whole_word.then(|| self.patterns.automaton(pattern, budget)).transpose()?;
            Ok(Expression { pattern, whole_word })
        });
        match found {
            Ok(expression) => {
                if self.patterns.is_match(expression.pattern, "") {
                    let message =
                        "this expression matches the empty string, so it matches every message";
                    problems.push(
                        Diagnostic::new(&EMPTY_MATCH, span, message)
                            .help("require at least one character, as in `/a+/`"),
                    );
                }
                Some(expression)
            }
            Err(error) => {
                problems.push(if error.too_large {
                    Diagnostic::new(&code::CONDITION_TOO_LARGE, span, error.message)
                        .help(Limits::help_on_patterns(budget))
                } else {
                    Diagnostic::new(&code::BAD_ARGS, span, error.message).help(
                        "a keyword between slashes is a regular expression; write `\\/` for a slash in it",
                    )
                });
                None
            }
        }
    }

    fn literal(
        &mut self,
        written: &str,
        span: Span,
        limits: &Limits,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Box<str>> {
        if let Some(flag) = unknown_flag(written) {
            let message = format!("this keyword is plain text: `{flag}` is not a supported flag");
            problems.push(
                Diagnostic::new(&KEYWORD_FLAG, span, message)
                    .help("the flags are `g`, `i`, `m`, `s`, `u` and `x`"),
            );
        }
        let folded = fold(written).text.into_owned();
        self.bytes = self.bytes.saturating_add(folded.len());
        if self.bytes > limits.keyword_bytes {
            let limit = escape::bytes(limits.keyword_bytes);
            let message = format!("the keywords exceed the size limit of {limit}");
            problems.push(Diagnostic::new(&code::CONDITION_TOO_LARGE, span, message).help(
                Limits::help_on(
                    "keyword-bytes",
                    limits.keyword_bytes,
                    "use fewer or shorter keywords",
                    |most| most.keyword_bytes,
                ),
            ));
            return None;
        }
        Some(folded.into())
    }

    /// Adds the keywords of a rule.
    pub(crate) fn add(&mut self, written: &Written, rule: RuleId, side: Side) {
        for (index, (keyword, kind)) in written.all.iter().enumerate() {
            let (whole_word, keyword) = (written.whole_word, keyword.clone());
            let used = Use { rule, side, index, whole_word, keyword };
            match kind {
                Kind::Regex(expression) => self.regexes.push((expression.clone(), used)),
                Kind::Literal(text) => {
                    let next = self.literal.len();
                    let at = *self.texts.entry(text.clone()).or_insert(next);
                    if at == next {
                        self.literal.push(Vec::new());
                    }
                    if let Some(uses) = self.literal.get_mut(at) {
                        uses.push(used);
                    }
                }
            }
        }
    }

    /// The keywords, and a problem if they exceed the limits of one automaton.
    pub(crate) fn finish(self) -> (Keywords, Option<Diagnostic>) {
        let mut texts: Vec<(&str, usize)> =
            self.texts.iter().map(|(text, at)| (&**text, *at)).collect();
        texts.sort_by_key(|(_, at)| *at);
        let built = if texts.is_empty() {
            Ok(None)
        } else {
            contiguous::NFA::new(texts.iter().map(|(text, _)| text)).map(Some)
        };
        let (automaton, problem) = match built {
            Ok(automaton) => (automaton, None),
            Err(error) => {
                let message = format!("the keywords could not be compiled: {error}");
                let problem = Diagnostic::new(&code::CONDITION_TOO_LARGE, Span::NONE, message);
                (None, Some(problem))
            }
        };
        let Self { patterns, literal, regexes, .. } = self;
        (Keywords { automaton, literal, patterns, regexes }, problem)
    }
}

impl Keywords {
    /// The rules with a keyword in a message, each with its leftmost match.
    pub(crate) fn scan(&self, side: Side, message: &str) -> BTreeMap<RuleId, Hit> {
        /// The best match of a rule so far: its start, and which keyword it is.
        type Best<'k> = BTreeMap<RuleId, (usize, usize, &'k Use, Range<usize>)>;
        fn offer<'k>(best: &mut Best<'k>, used: &'k Use, range: Range<usize>) {
            let new = (range.start, used.index, used, range);
            let known = best.get(&used.rule).is_some_and(|old| (old.0, old.1) <= (new.0, new.1));
            if !known {
                best.insert(used.rule, new);
            }
        }
        let mut best = Best::new();
        if let Some(automaton) = &self.automaton {
            let folded = fold(message);
            for (range, used) in self.literals(automaton, &folded.text, side) {
                offer(&mut best, used, range);
            }
            for (start, _, _, range) in best.values_mut() {
                *range = folded.original(range.clone());
                *start = range.start;
            }
        }
        let words = Words::of(message);
        // Each expression runs once, however many rules use it.
        let mut asked: BTreeMap<(PatternId, bool), Option<Range<usize>>> = BTreeMap::new();
        for (Expression { pattern, whole_word }, used) in
            self.regexes.iter().filter(|(_, used)| used.side == side)
        {
            let found = asked.entry((*pattern, used.whole_word)).or_insert_with(|| {
                let first = self.patterns.find(*pattern, message)?;
                match whole_word {
                    None => Some(first),
                    Some(nfa) => whole_word::find(nfa, message, first.start, &words),
                }
            });
            if let Some(range) = found.clone() {
                offer(&mut best, used, range);
            }
        }
        let hit = |used: &Use, span| Hit { keyword: used.keyword.clone(), span };
        best.into_iter().map(|(rule, (_, _, used, range))| (rule, hit(used, range))).collect()
    }
}

impl Keywords {
    /// The leftmost match of every keyword in a folded text, with its uses.
    fn literals<'k>(
        &'k self,
        automaton: &contiguous::NFA,
        text: &str,
        side: Side,
    ) -> Vec<(Range<usize>, &'k Use)> {
        let mut found = Vec::new();
        let Ok(mut state) = automaton.start_state(Anchored::No) else { return found };
        let words = Words::of(text);
        // Whether a match of each keyword is known, and whether one at a whole word is.
        let mut known: HashMap<usize, [bool; 2]> = HashMap::new();
        // The states that were visited, and whether all their matches are known. The matches that
        // end in a state are always the same, except that a word may or may not end there.
        let mut met: HashMap<StateID, bool> = HashMap::new();
        for (at, byte) in text.bytes().enumerate() {
            state = automaton.next_state(Anchored::No, state, byte);
            if !automaton.is_match(state) {
                continue;
            }
            let end = at + 1;
            match met.get(&state) {
                Some(true) => continue,
                Some(false) if !words.is_edge(end) => continue,
                Some(false) | None => {}
            }
            let mut all_known = true;
            for index in 0..automaton.match_len(state) {
                let pattern = automaton.match_pattern(state, index);
                let start = end.saturating_sub(automaton.pattern_len(pattern));
                let pattern = pattern.as_usize();
                let Some(uses) = self.literal.get(pattern) else { continue };
                let known = known.entry(pattern).or_insert_with(|| [false, !asks_whole_word(uses)]);
                let [anywhere, whole_word] = *known;
                let is_whole = !whole_word && words.is_whole(&(start..end));
                *known = [true, whole_word || is_whole];
                all_known &= whole_word || is_whole;
                let fresh = |used: &&Use| if used.whole_word { is_whole } else { !anywhere };
                let uses = uses.iter().filter(|used| used.side == side).filter(fresh);
                found.extend(uses.map(|used| (start..end, used)));
            }
            met.insert(state, all_known);
        }
        found
    }
}

/// Whether some use of a keyword requires a whole word.
fn asks_whole_word(uses: &[Use]) -> bool {
    uses.iter().any(|used| used.whole_word)
}

/// The first flag that other languages know and that makes this keyword plain text.
fn unknown_flag(keyword: &str) -> Option<char> {
    let (body, flags) = keyword.strip_prefix('/')?.rsplit_once('/')?;
    let elsewhere = !body.is_empty() && flags.chars().all(|flag| "dgimsuvxy".contains(flag));
    flags.chars().find(|flag| elsewhere && "dvy".contains(*flag))
}

/// The regular expression of a keyword such as `/gold( coin)?s?/i`; `None` for plain text.
fn regex(keyword: &str) -> Option<String> {
    let (body, flags) = keyword.strip_prefix('/')?.rsplit_once('/')?;
    if body.is_empty() || !flags.chars().all(|flag| "gimsux".contains(flag)) {
        return None;
    }
    // `g` and `u` are the default here.
    let flags: String = flags.chars().filter(|flag| !"gu".contains(*flag)).collect();
    Some(if flags.is_empty() { body.to_owned() } else { format!("(?{flags}){body}") })
}
