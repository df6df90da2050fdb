//! Envelopes: what an agent says it did.

use lawful_syntax::{Diagnostic, Node, Span, escape};

use super::codes;
use crate::decode::wrong_type;
use crate::value::Value;

/// An envelope: facts, and where they stand if they were read from a document.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// The facts.
    pub facts: Value,
    /// The same with their places.
    pub node: Option<Node>,
}

const FIX: &str = "write `facts:` and the facts under it; `facts: {}` says that there are none";

impl Envelope {
    /// The envelope of a document.
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
                    .help("an envelope has one key, `facts`; put it under that"),
            );
        }
        problems.extend(Self::check(facts));
        if problems.is_empty() { Ok(Self::of_facts(facts)) } else { Err(problems) }
    }

    /// The envelope of a mapping of facts, with or without its `facts` key.
    pub fn decode_facts(node: &Node) -> Result<Self, Vec<Diagnostic>> {
        if node.as_map().is_some_and(|entries| entries.iter().any(|entry| &*entry.key == "facts")) {
            return Self::decode(node);
        }
        match Self::check(node) {
            None => Ok(Self::of_facts(node)),
            Some(problem) => Err(vec![problem]),
        }
    }

    /// The envelope of a value, for facts whose places nobody asks for.
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
        let message = "an envelope cannot have a fact called `observed`";
        Some(
            Diagnostic::new(&codes::OBSERVED_IN_ENVELOPE, taken.key_span, message)
                .help("that name is for what the host saw; call it something else"),
        )
    }
}

/// What the host saw, from a document.
pub fn observed(node: &Node) -> Result<Value, Diagnostic> {
    if node.as_map().is_none() {
        let problem = wrong_type(node, "what was observed", "a mapping");
        return Err(problem.help("write what `lawful observe` writes"));
    }
    Ok(Value::from_node(node))
}
