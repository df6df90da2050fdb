//! Envelopes, which state what an agent did, and records, which a host wrote down of one run.
//!
//! Both are mappings with the key `facts`. Only a record has `observed`: what the host saw is not
//! for an agent to say. Other top-level keys are kept and not judged.

use lawful_syntax::codes::INTEGER_RANGE;
use lawful_syntax::{Diagnostic, Entry, Kind, Node, Severity, Sources, Span, escape, is_dropped};

use super::codes;
use crate::decode::wrong_type;
use crate::value::{Map, Value};

/// Top-level keys that are expected beside `facts`.
pub(crate) const KNOWN: [&str; 4] = ["id", "type", "verified", "meta"];

/// An envelope: facts, and their places if they come from a document.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    /// The facts.
    pub facts: Value,
    /// The same facts with their places.
    pub node: Option<Node>,
    /// The other top-level keys, which are not judged.
    pub rest: Map,
    /// Warnings about the document.
    pub warnings: Vec<Diagnostic>,
}

/// A record: an envelope with the observation that was made with it.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// What the agent stated.
    pub envelope: Envelope,
    /// What the host saw; `None` if it did not look.
    pub observed: Option<Value>,
    /// The same with its places.
    pub observed_node: Option<Node>,
}

const FIX: &str = "write `facts:` and the facts under it, or `facts: {}` if there are none";

/// The problems of reading a document that stop it from being judged. A value that lenient reading
/// dropped is one of them, because an absent value can make a predicate pass.
pub fn reading_errors(problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let stops = |problem: Diagnostic| {
        let stops = problem.is_error() || is_dropped(&problem);
        let message = problem.message.replace("; the value is dropped", "");
        stops.then_some(Diagnostic { severity: Severity::Error, message, ..problem })
    };
    problems.into_iter().filter_map(stops).collect()
}

impl Envelope {
    /// An envelope of facts without places.
    pub fn of(facts: Value) -> Self {
        Self { facts, ..Self::default() }
    }

    /// Decodes the envelope of a document.
    pub fn decode(node: &Node) -> Result<Self, Vec<Diagnostic>> {
        Record::read(node, "an envelope", &mut |observed| {
            let message = "an envelope cannot have the key `observed`";
            Err(Diagnostic::new(&codes::OBSERVED_IN_ENVELOPE, observed.key_span, message).help(
                "the host passes what it saw with `--observed FILE`; if the host wrote this as a \
                 record, pass `--records`",
            ))
        })
        .map(|record| record.envelope)
    }

    /// Decodes a mapping of facts, with or without the `facts` key.
    pub fn decode_facts(node: &Node) -> Result<Self, Vec<Diagnostic>> {
        if node.as_map().is_some_and(|entries| entries.iter().any(|entry| &*entry.key == "facts")) {
            return Self::decode(node);
        }
        match check(node) {
            None => Ok(Self::of_facts(node)),
            Some(problem) => Err(vec![problem]),
        }
    }

    /// The envelope of a value, for facts without places. `None` if it is not sound; warnings are
    /// not made.
    pub fn from_value(value: Value) -> Option<Self> {
        let Value::Map(mut rest) = value else { return None };
        let facts = rest.remove("facts")?;
        let sound = matches!(&facts, Value::Map(facts) if facts.get("observed").is_none())
            && rest.get("observed").is_none()
            && rest.get("id").is_none_or(is_absent_or_id);
        // Without an unused default map, which would be allocated for each of many envelopes.
        sound.then(|| Self { facts, node: None, rest, warnings: Vec::new() })
    }

    /// The `id` of the document, if it is a string or an integer.
    pub fn id(&self) -> Option<&Value> {
        self.rest.get("id").filter(|id| is_id(id))
    }

    /// The top-level keys that a warning reports.
    pub fn unjudged_keys(&self) -> impl Iterator<Item = &str> {
        self.rest.iter().map(|(key, _)| key).filter(|key| !KNOWN.contains(key))
    }

    fn of_facts(node: &Node) -> Self {
        let facts = Value::from_node(node);
        Self { facts, node: Some(node.clone()), ..Self::default() }
    }
}

impl Record {
    /// Decodes the record of a document.
    pub fn decode(node: &Node) -> Result<Self, Vec<Diagnostic>> {
        let mut found = None;
        let mut record = Self::read(node, "a record", &mut |entry| {
            if !entry.value.is_null() {
                found = Some((observed(&entry.value)?, entry.value.clone()));
            }
            Ok(())
        })?;
        (record.observed, record.observed_node) = found.unzip();
        Ok(record)
    }

    /// The record of a value, as [`Envelope::from_value`] does it.
    pub fn from_value(value: Value) -> Option<Self> {
        let Value::Map(mut map) = value else { return None };
        let observed = match map.remove("observed") {
            None | Some(Value::Null) => None,
            Some(observed @ Value::Map(_)) => Some(observed),
            Some(Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_)) => {
                return None;
            }
        };
        let envelope = Envelope::from_value(Value::Map(map))?;
        Some(Self { envelope, observed, observed_node: None })
    }

    /// Decodes a document. `on_observed` handles the key `observed`.
    fn read(
        node: &Node,
        what: &str,
        on_observed: &mut dyn FnMut(&Entry) -> Result<(), Diagnostic>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let Some(entries) = node.as_map() else {
            return Err(vec![wrong_type(node, what, "a mapping").help(FIX)]);
        };
        let named = entries.iter().find(|entry| &*entry.key == "facts");
        let Some(facts) = named.map(|entry| &entry.value).filter(|facts| !facts.is_null()) else {
            let place = named.map_or(Span { end: node.span.start, ..node.span }, |entry| {
                entry.key_span.to(entry.value.span)
            });
            let noun = what.split(' ').next_back().unwrap_or_default();
            let message = format!("the {noun} has no `facts`");
            let other = entries
                .iter()
                .find(|entry| entry.key.eq_ignore_ascii_case("facts") && &*entry.key != "facts");
            return Err(vec![match other {
                Some(entry) => Diagnostic::new(&codes::NO_FACTS, entry.key_span, message)
                    .help("did you mean `facts`? keys are case-sensitive"),
                None => Diagnostic::new(&codes::NO_FACTS, place, message).help(FIX),
            }]);
        };
        let mut problems: Vec<Diagnostic> = check(facts).into_iter().collect();
        let mut envelope = Envelope::of_facts(facts);
        for entry in entries {
            match &*entry.key {
                "facts" => {}
                "observed" => problems.extend(on_observed(entry).err()),
                key => {
                    if key == "id"
                        && let Some(problem) = bad_id(entry, what)
                    {
                        if problem.is_error() {
                            problems.push(problem);
                        } else {
                            envelope.warnings.push(problem);
                        }
                    }
                    envelope.rest.insert(key, Value::from_node(&entry.value));
                    let known = KNOWN.contains(&key);
                    envelope.warnings.extend((!known).then(|| unjudged(entry)));
                }
            }
        }
        if problems.is_empty() { Ok(Self { envelope, ..Self::default() }) } else { Err(problems) }
    }
}

/// The `id` of a document, if it is a string or an integer.
pub fn id_of(node: &Node) -> Option<Value> {
    node.get("id").map(Value::from_node).filter(is_id)
}

/// Keeps the `id` of a document if it is an integer of more than 64 bits: as the string of its
/// digits. Nothing computes with it, and a record must not lose its name.
pub fn keep_long_id(node: &mut Node, sources: &Sources, problems: &mut Vec<Diagnostic>) {
    let Kind::Map(entries) = &mut node.kind else { return };
    let Some(id) = entries.iter_mut().find(|entry| &*entry.key == "id") else { return };
    let place = id.value.span;
    let is_long = |problem: &Diagnostic| problem.code == &INTEGER_RANGE && problem.span == place;
    if problems.iter().any(is_long) {
        id.value.kind = Kind::Text(sources.slice(place).into());
        problems.retain(|problem| !is_long(problem));
    }
}

fn is_id(id: &Value) -> bool {
    match id {
        Value::Text(_) => true,
        Value::Number(number) => number.as_i64().is_some(),
        Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => false,
    }
}

fn is_absent_or_id(id: &Value) -> bool {
    matches!(id, Value::Null) || is_id(id)
}

/// An `id` that cannot name its document in results. A host has to correct its record; an envelope
/// is judged, and named by its place.
fn bad_id(entry: &Entry, what: &str) -> Option<Diagnostic> {
    let value = Value::from_node(&entry.value);
    if is_absent_or_id(&value) {
        return None;
    }
    let message = format!(
        "the `id` of {what} must be a string or an integer, found {}",
        entry.value.kind_name()
    );
    let problem = Diagnostic::new(&codes::BAD_ID, entry.value.span, message);
    let problem = problem.help("write it as a string, or leave it out to use the line number");
    let severity = if what == "a record" { Severity::Error } else { Severity::Warning };
    Some(Diagnostic { severity, ..problem })
}

fn unjudged(entry: &Entry) -> Diagnostic {
    let message = format!("the key `{}` is not judged", escape::name(&entry.key));
    Diagnostic::new(&codes::UNJUDGED_KEY, entry.key_span, message).help(
        "move it under `facts` to have it judged, or under `meta` to keep it without a warning",
    )
}

fn check(facts: &Node) -> Option<Diagnostic> {
    let Some(entries) = facts.as_map() else {
        return Some(wrong_type(facts, "`facts`", "a mapping").help(FIX));
    };
    let taken = entries.iter().find(|entry| &*entry.key == "observed")?;
    let message = "an envelope cannot have a fact named `observed`";
    Some(
        Diagnostic::new(&codes::OBSERVED_IN_ENVELOPE, taken.key_span, message)
            .help("the name is reserved for what the host saw; rename the fact"),
    )
}

/// Decodes an observation.
pub fn observed(node: &Node) -> Result<Value, Diagnostic> {
    if node.as_map().is_none() {
        let problem = wrong_type(node, "an observation", "a mapping");
        return Err(problem.help("use the output of `lawful observe`"));
    }
    Ok(Value::from_node(node))
}
