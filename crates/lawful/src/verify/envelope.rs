//! Envelopes: what an agent states that it did.

use lawful_syntax::{Diagnostic, Node, Span, escape};

use super::codes;
use crate::decode::wrong_type;
use crate::value::Value;

/// An envelope: facts, and their places if they come from a document.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// The facts.
    pub facts: Value,
    /// The same facts with their places.
    pub node: Option<Node>,
}

const FIX: &str = "write `facts:` and the facts under it, or `facts: {}` if there are none";

impl Envelope {
    /// Decodes the envelope of a document.
    pub fn decode(node: &Node) -> Result<Self, Vec<Diagnostic>> {
        let Some(entries) = node.as_map() else {
            let problem = wrong_type(node, "an envelope", "a mapping");
            return Err(vec![problem.help(FIX)]);
        };
        let named = entries.iter().find(|entry| &*entry.key == "facts");
        let Some(facts) = named.map(|entry| &entry.value).filter(|facts| !facts.is_null()) else {
            let place = named.map_or(Span { end: node.span.start, ..node.span }, |entry| {
                entry.key_span.to(entry.value.span)
            });
            let message = "the envelope has no `facts`";
            return Err(vec![Diagnostic::new(&codes::NO_FACTS, place, message).help(FIX)]);
        };
        let mut problems = Vec::new();
        for entry in entries.iter().filter(|entry| &*entry.key != "facts") {
            let message = format!("unknown key `{}` in an envelope", escape::name(&entry.key));
            problems.push(
                Diagnostic::new(&codes::BAD_ENVELOPE, entry.key_span, message)
                    .help("an envelope has one key, `facts`; move this under it"),
            );
        }
        problems.extend(Self::check(facts));
        if problems.is_empty() { Ok(Self::of_facts(facts)) } else { Err(problems) }
    }

    /// Decodes a mapping of facts, with or without the `facts` key.
    pub fn decode_facts(node: &Node) -> Result<Self, Vec<Diagnostic>> {
        if node.as_map().is_some_and(|entries| entries.iter().any(|entry| &*entry.key == "facts")) {
            return Self::decode(node);
        }
        match Self::check(node) {
            None => Ok(Self::of_facts(node)),
            Some(problem) => Err(vec![problem]),
        }
    }

    /// The envelope of a value, for facts without places.
    pub fn from_value(value: Value) -> Option<Self> {
        let Value::Map(mut map) = value else { return None };
        let facts = map.remove("facts")?;
        let sound = map.is_empty()
            && matches!(&facts, Value::Map(facts) if facts.get("observed").is_none());
        sound.then_some(Self { facts, node: None })
    }

    fn of_facts(node: &Node) -> Self {
        Self { facts: Value::from_node(node), node: Some(node.clone()) }
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
}

/// Decodes an observation.
pub fn observed(node: &Node) -> Result<Value, Diagnostic> {
    if node.as_map().is_none() {
        let problem = wrong_type(node, "an observation", "a mapping");
        return Err(problem.help("use the output of `lawful observe`"));
    }
    Ok(Value::from_node(node))
}
