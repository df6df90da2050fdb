//! Compares what happened with what was expected.

use lawful_syntax::{Diagnostic, Span, escape};

use super::codes::EXPECTATION_FAILED;
use super::document::{PromptOf, Step, StepKind};
use super::expect::{Expect, Listed, PromptTest, StateTest};
use super::happened::{Happened, Prompted};
use super::why::{Why, in_prompt, not_in_prompt};
use crate::cond::{Outcome, why};
use crate::lawbook::Lawbook;
use crate::react::{REFUSED_WRITE, STATE};
use crate::value::{Map, Value};

/// An expectation that does not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The number of the step, from 1.
    pub step: usize,
    /// The kind of the step.
    pub kind: StepKind,
    /// The key of the expectation: `fired`, `prompt.contains`.
    pub what: &'static str,
    /// What is wrong, as a phrase.
    pub message: String,
    /// What was expected.
    pub expected: Value,
    /// What was there.
    pub actual: Value,
    /// Why, a line for each reason.
    pub why: Vec<String>,
    /// Where the expectation is written.
    pub span: Span,
}

impl Failure {
    /// The same as a diagnostic.
    pub fn diagnostic(&self) -> Diagnostic {
        /// The longest value that is shown in full.
        const LONGEST: usize = 500;
        let shown = |value: &Value| {
            let text = value.as_text().map_or_else(|| value.to_string(), str::to_owned);
            escape::shorten(&text, LONGEST).into_owned()
        };
        let message = format!("step {} (`{}`): {}", self.step, self.kind.name(), self.message);
        let mut out = Diagnostic::new(&EXPECTATION_FAILED, self.span, message)
            .note(format!("expected: {}", shown(&self.expected)))
            .note(format!("actual:   {}", shown(&self.actual)));
        for line in &self.why {
            out = out.note(escape::shorten(line, LONGEST));
        }
        out
    }
}

/// Every expectation that does not hold. `prompt` is the one that the step composed or that the
/// expectation names.
pub(super) fn compare(
    book: &Lawbook,
    step: usize,
    (expect, happened): (&Expect, &Happened),
    prompt: Option<&Prompted>,
) -> Vec<Failure> {
    let why = Why::new(book, happened);
    let mut comparing = Comparing { step, happened, why, failures: Vec::new() };
    comparing.all(expect, prompt);
    comparing.failures
}

/// The failure of a step whose write was refused, unless it expects that. The state would stay as it
/// is, and whatever expects no change would hold by accident.
pub(super) fn refused_write(step: usize, written: &Step, happened: &Happened) -> Option<Failure> {
    let is_refused = |problem: &&Diagnostic| problem.code == &REFUSED_WRITE;
    let refused: Vec<&Diagnostic> = happened.diagnostics.iter().filter(is_refused).collect();
    let expected = written.expect.as_ref().and_then(|expect| expect.diagnostics.as_ref());
    let says_so = |listed: &Listed| {
        listed.exactly || listed.items.iter().any(|(code, _)| **code == *REFUSED_WRITE.name)
    };
    if refused.is_empty() || expected.is_some_and(says_so) {
        return None;
    }
    let mut why: Vec<String> = refused.iter().map(|problem| problem.message.clone()).collect();
    why.push("to expect this, write `diagnostics: [refused-write]`".to_owned());
    Some(Failure {
        step,
        kind: written.kind,
        what: "diagnostics",
        message: "a write was refused".to_owned(),
        expected: Value::List(Vec::new()),
        actual: Value::List(vec![REFUSED_WRITE.name.into()]),
        why,
        span: refused.first().map_or(written.span, |problem| problem.span),
    })
}

struct Comparing<'c> {
    step: usize,
    happened: &'c Happened,
    why: Why<'c>,
    failures: Vec<Failure>,
}

/// What is wrong with a list.
struct Difference<'d> {
    missing: Vec<(&'d str, Span)>,
    surplus: Vec<&'d str>,
}

impl<'c> Comparing<'c> {
    fn all(&mut self, expect: &Expect, prompt: Option<&Prompted>) {
        let happened = self.happened;
        if let Some(test) = &expect.state {
            self.state(test);
        }
        self.list("fired", expect.fired.as_ref(), &happened.fired, Why::not_fired, Why::fired);
        if let Some(listed) = &expect.not_fired {
            self.not_fired(listed);
        }
        if let Some((expected, span)) = expect.decision {
            let actual = happened.decision.map_or("none", super::expect::Decided::name);
            if expected.name() != actual {
                let message = format!("the decision is `{actual}`, not `{}`", expected.name());
                let why = self.why.decision(expected);
                self.fail("decision", message, (expected.name().into(), actual.into()), why, span);
            }
        }
        self.list("by", expect.by.as_ref(), &happened.by, Why::not_by, Why::by);
        let directives = &happened.directives;
        let expected = expect.directives.as_ref();
        self.list("directives", expected, directives, Why::no_directive, in_force);
        if let Some(listed) = &expect.effects {
            self.effects(listed);
        }
        if let Some((expected, span)) = expect.verdict {
            let actual = happened.verdict.map_or("none", crate::verify::Verdict::name);
            if expected.name() != actual {
                let message = format!("the verdict is `{actual}`, not `{}`", expected.name());
                let why = self.why.verdict();
                self.fail("verdict", message, (expected.name().into(), actual.into()), why, span);
            }
        }
        for (key, listed, actual) in [
            ("failed", &expect.failed, &happened.failed),
            ("skipped", &expect.skipped, &happened.skipped),
            ("undecided", &expect.undecided, &happened.undecided),
        ] {
            self.list(key, listed.as_ref(), actual, Why::predicate, Why::predicate);
        }
        let codes: Vec<Box<str>> =
            happened.diagnostics.iter().map(|problem| problem.code.name.into()).collect();
        let expected = expect.diagnostics.as_ref();
        self.list("diagnostics", expected, &codes, unreported, Why::diagnostic);
        if let (Some(test), Some(prompt)) = (&expect.prompt, prompt) {
            self.prompt(test, prompt);
        }
    }

    fn fail(
        &mut self,
        what: &'static str,
        message: String,
        (expected, actual): (Value, Value),
        why: Vec<String>,
        span: Span,
    ) {
        let (step, kind) = (self.step, self.happened.kind);
        self.failures.push(Failure { step, kind, what, message, expected, actual, why, span });
    }

    fn state(&mut self, test: &StateTest) {
        let (set, condition) = &*test.compiled;
        let mut document = match &self.happened.variables {
            Value::Map(map) => map.clone(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                Map::new()
            }
        };
        document.insert(STATE, self.happened.variables.clone());
        let document = Value::Map(document);
        let mut run = set.run(&document);
        if run.outcome(*condition) == Outcome::True {
            return;
        }
        let explanation = set.explain(*condition, &document, &run.finish());
        let mut actual = Map::new();
        for path in set.reads(*condition) {
            let value = if path.is_wild() { None } else { path.get(&document).cloned() };
            if value.is_some() || !path.is_wild() {
                actual.insert(path.to_string(), value.unwrap_or_default());
            }
        }
        let mut lines = vec![why(&explanation)];
        lines.extend(self.why.refused_writes());
        let values = (test.written.clone(), Value::Map(actual));
        self.fail("state", "`state` does not hold".to_owned(), values, lines, test.span);
    }

    /// A list of names.
    fn list(
        &mut self,
        what: &'static str,
        listed: Option<&Listed>,
        actual: &[Box<str>],
        why_missing: impl Fn(&Why<'c>, &str) -> Vec<String>,
        why_surplus: impl Fn(&Why<'c>, &str) -> Vec<String>,
    ) {
        let Some(listed) = listed else { return };
        let Difference { missing, surplus } = difference(listed, actual);
        if missing.is_empty() && surplus.is_empty() {
            return;
        }
        let mut said = Vec::new();
        if !missing.is_empty() {
            said.push(format!("`{what}` lacks {}", names(missing.iter().map(|(name, _)| *name))));
        }
        if !surplus.is_empty() {
            let also = names(surplus.iter().copied());
            said.push(format!("`{what}` also has {also}"));
        }
        let mut why: Vec<String> =
            missing.iter().flat_map(|(name, _)| why_missing(&self.why, name)).collect();
        why.extend(surplus.iter().flat_map(|name| why_surplus(&self.why, name)));
        why.dedup();
        let span = missing.first().map_or(listed.span, |(_, span)| *span);
        let items = listed.items.iter().map(|(name, _)| Value::Text(name.clone()));
        let expected = written(items.collect(), listed.exactly);
        self.fail(what, said.join(", and "), (expected, texts(actual)), why, span);
    }

    fn not_fired(&mut self, listed: &Listed) {
        let fired = &self.happened.fired;
        let wrong: Vec<&(Box<str>, Span)> =
            listed.items.iter().filter(|(name, _)| fired.contains(name)).collect();
        let Some((_, span)) = wrong.first() else { return };
        let span = *span;
        let message = format!("{} fired", names(wrong.iter().map(|(name, _)| &**name)));
        let why = wrong.iter().flat_map(|(name, _)| self.why.fired(name)).collect();
        let items = listed.items.iter().map(|(name, _)| Value::Text(name.clone())).collect();
        self.fail("not-fired", message, (Value::List(items), texts(fired)), why, span);
    }

    /// Effects, in the fields that are given.
    fn effects(&mut self, listed: &Listed<Map>) {
        let actual = &self.happened.effects;
        let fits = |wanted: &Map, effect: &Value| {
            wanted.iter().all(|(key, value)| effect.get(key) == value.present())
        };
        // Each effect meets at most one expectation, so that two equal ones need two effects.
        let mut met = vec![false; actual.len()];
        let mut missing = Vec::new();
        for (wanted, span) in &listed.items {
            let free = actual.iter().zip(&mut met).find(|(one, met)| !**met && fits(wanted, one));
            match free {
                Some((_, met)) => *met = true,
                None => missing.push((wanted, *span)),
            }
        }
        let surplus = actual.iter().zip(&met).filter(|(_, met)| listed.exactly && !**met);
        let surplus: Vec<&Value> = surplus.map(|(effect, _)| effect).collect();
        if missing.is_empty() && surplus.is_empty() {
            return;
        }
        let message = match missing.first() {
            Some((wanted, _)) => format!("no effect has {}", Value::Map((*wanted).clone())),
            None => "`effects` also has others".to_owned(),
        };
        let near = missing.iter().filter_map(|(wanted, _)| nearly(wanted, actual));
        let why = near.chain(surplus.iter().map(|effect| format!("{effect} is not expected")));
        let why = why.collect();
        let span = missing.first().map_or(listed.span, |(_, span)| *span);
        let items = listed.items.iter().map(|(wanted, _)| Value::Map(wanted.clone())).collect();
        let expected = written(items, listed.exactly);
        self.fail("effects", message, (expected, Value::List(actual.clone())), why, span);
    }

    fn prompt(&mut self, test: &PromptTest, prompt: &Prompted) {
        let whose = match &prompt.of {
            PromptOf::Composition(name) => format!("the prompt of `{}`", escape::name(name)),
            PromptOf::Role(role) => format!("the prompt of the role `{}`", escape::name(role)),
        };
        let all = || Value::Text(prompt.texts().collect::<Vec<_>>().join("\n\n").into());
        for (text, span) in &test.contains {
            if !prompt.texts().any(|part| part.contains(&**text)) {
                let message = format!("{whose} lacks the text");
                let why = not_in_prompt(prompt);
                let expected = Value::Text(text.clone());
                self.fail("prompt.contains", message, (expected, all()), why, *span);
            }
        }
        for (text, span) in &test.lacks {
            if prompt.texts().any(|part| part.contains(&**text)) {
                let message = format!("{whose} contains the text");
                let why = in_prompt(prompt, text);
                let expected = Value::Text(text.clone());
                self.fail("prompt.lacks", message, (expected, all()), why, *span);
            }
        }
        self.order(test, prompt, &whose);
    }

    fn order(&mut self, test: &PromptTest, prompt: &Prompted, whose: &str) {
        let order: Vec<&str> = prompt.order().collect();
        let mut before: Option<(usize, &str)> = None;
        let mut wrong: Option<(String, Span)> = None;
        let mut is_missing = false;
        for (id, span) in &test.order {
            let name = escape::name(id);
            match order.iter().position(|known| **known == **id) {
                None => {
                    is_missing = true;
                    wrong.get_or_insert((format!("{whose} lacks `{name}`"), *span));
                }
                Some(at) => {
                    if let Some((_, first)) = before.filter(|(place, _)| *place >= at) {
                        let first = escape::name(first);
                        let said = format!("`{name}` stands before `{first}` in {whose}");
                        wrong.get_or_insert((said, *span));
                    }
                    before = Some((at, id));
                }
            }
        }
        let Some((message, span)) = wrong else { return };
        let expected = test.order.iter().map(|(id, _)| Value::Text(id.clone())).collect();
        let actual = order.iter().map(|id| Value::from(*id)).collect();
        let why = if is_missing { not_in_prompt(prompt) } else { Vec::new() };
        self.fail("prompt.order", message, (Value::List(expected), Value::List(actual)), why, span);
    }
}

fn difference<'d>(listed: &'d Listed, actual: &'d [Box<str>]) -> Difference<'d> {
    let has = |name: &str| actual.iter().any(|known| **known == *name);
    let missing = listed.items.iter().filter(|(name, _)| !has(name));
    let expects = |name: &str| listed.items.iter().any(|(known, _)| **known == *name);
    let mut surplus: Vec<&str> = Vec::new();
    for name in actual.iter().filter(|name| listed.exactly && !expects(name)) {
        if !surplus.contains(&&**name) {
            surplus.push(name);
        }
    }
    Difference { missing: missing.map(|(name, span)| (&**name, *span)).collect(), surplus }
}

/// Why a directive is there.
fn in_force(_: &Why<'_>, id: &str) -> Vec<String> {
    vec![format!("`{}` is in force", escape::name(id))]
}

/// Why a diagnostic is not there.
fn unreported(_: &Why<'_>, code: &str) -> Vec<String> {
    vec![format!("nothing reported `{}`", escape::name(code))]
}

/// A list as it is written.
fn written(items: Vec<Value>, exactly: bool) -> Value {
    if !exactly {
        return Value::List(items);
    }
    let mut map = Map::new();
    map.insert("exactly", Value::List(items));
    Value::Map(map)
}

fn texts(names: &[Box<str>]) -> Value {
    Value::List(names.iter().map(|name| Value::Text(name.clone())).collect())
}

fn names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{}`", escape::name(name))).collect();
    names.join(", ")
}

/// How the effect that is closest to an expectation differs from it.
fn nearly(wanted: &Map, actual: &[Value]) -> Option<String> {
    let differing = |effect: &Value| -> Vec<String> {
        let other = wanted.iter().filter(|(key, value)| effect.get(key) != value.present());
        other
            .map(|(key, value)| {
                let key = escape::name(key);
                match effect.get(key.as_ref()) {
                    Some(found) => format!("`{key}` is {found}, not {value}"),
                    None => format!("it has no `{key}`"),
                }
            })
            .collect()
    };
    let (effect, closest) =
        actual.iter().map(|one| (one, differing(one))).min_by_key(|(_, lines)| lines.len())?;
    let id = effect.get("id").and_then(Value::as_text).unwrap_or_default();
    if closest.is_empty() {
        return Some(format!("the effect {id} already meets another expectation"));
    }
    Some(format!("the closest is the effect {id}: {}", closest.join("; ")))
}
