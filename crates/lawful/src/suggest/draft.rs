//! Drafts of scenarios that may reach something.

use super::{owner, step, tool};
use crate::cond::partition::Answer;
use crate::coverage::{Missing, Subject};
use crate::lawbook::Lawbook;
use crate::react::STATE;
use crate::value::{Map, Value};

/// The steps of a scenario, and the variables that it starts from.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// The last part of its name.
    pub name: String,
    pub state: Map,
    pub steps: Vec<Map>,
    /// Whether its steps do not depend on each other, so that they can be joined with others.
    pub joins: bool,
}

/// Scenarios that may reach something, the most likely first.
pub(super) fn drafts(book: &Lawbook, missing: &Missing) -> Vec<Draft> {
    let witness = match &missing.reach {
        Answer::Yes(Value::Map(witness)) => witness.clone(),
        Answer::Yes(_) | Answer::Unknown => Map::new(),
        Answer::No => return Vec::new(),
    };
    match owner(&missing.subject) {
        Some(Subject::CompositionRule(name, _)) => vec![compose(&name, witness)],
        Some(Subject::Fragment(id)) => {
            let compositions = book.compositions();
            let found = compositions
                .id(&id)
                .and_then(|id| compositions.reach_fragment(id, book.manifest()));
            found.map(|(composition, _)| compose(&composition.name, witness)).into_iter().collect()
        }
        Some(Subject::Rule(id)) => rule(book, &id, witness),
        Some(Subject::Guard(id)) => {
            let guard = book.guards().all().find(|(_, guard)| guard.id == id);
            guard.map(|(_, guard)| tool::draft(guard, witness)).into_iter().collect()
        }
        Some(Subject::Predicate(_)) => vec![envelope(witness)],
        // A saved condition is evaluated where something refers to it.
        Some(Subject::Condition(_)) | None => {
            let names = book.compositions().all().iter().map(|composition| &composition.name);
            names.map(|name| compose(name, witness.clone())).collect()
        }
    }
}

/// A prompt in a context. Variables are given to the session.
fn compose(name: &str, mut context: Map) -> Draft {
    let state = variables(&mut context);
    // The turn is counted, not given.
    context.remove("session");
    let value = if context.is_empty() {
        name.into()
    } else {
        let mut fields = Map::new();
        fields.insert("name", name.into());
        fields.insert("context", Value::Map(context));
        Value::Map(fields)
    };
    Draft { name: slug(name), state, steps: vec![step("compose", value)], joins: true }
}

/// Steps that match the trigger of a rule, in a state that its conditions want.
fn rule(book: &Lawbook, id: &str, mut witness: Map) -> Vec<Draft> {
    let rules = book.rules();
    let found = rules.get(id);
    let approach = found.and_then(|rule| rules.approach(rule, book.manifest()));
    let Some(approach) = approach else { return Vec::new() };
    let approach_state = approach.state.clone();
    let mut state = variables(&mut witness);
    let event = witness.remove("event");
    for (key, value) in witness.iter().chain(approach.state.iter()) {
        state.insert(key, value.clone());
    }
    let steps = approach.steps.into_iter().filter_map(|one| {
        let Value::Map(mut fields) = one else { return None };
        if let (Some(Value::Map(raised)), Some(Value::Map(more))) =
            (fields.get_mut("event"), &event)
        {
            for (key, value) in more.iter() {
                raised.insert(key, value.clone());
            }
        }
        Some(fields)
    });
    let first =
        Draft { name: format!("rule-{}", slug(id)), state, steps: steps.collect(), joins: false };
    // A variable that the partition takes to be absent starts with its first value.
    let others = found.into_iter().flat_map(|rule| rules.other_states(rule, book.manifest()));
    let other = |more: Map| {
        let mut draft = first.clone();
        for (key, value) in more.iter().filter(|(key, _)| approach_state.get(key).is_none()) {
            draft.state.insert(key, value.clone());
        }
        draft
    };
    let others: Vec<Draft> = others.map(other).collect();
    [first].into_iter().chain(others).collect()
}

/// An envelope with these facts; what is observed is beside it.
fn envelope(mut facts: Map) -> Draft {
    let observed = facts.remove("observed");
    let mut envelope = Map::new();
    envelope.insert("facts", Value::Map(facts));
    let mut fields = step("envelope", Value::Map(envelope));
    if let Some(observed) = observed {
        fields.insert("observed", observed);
    }
    Draft { name: "predicates".to_owned(), steps: vec![fields], joins: true, state: Map::new() }
}

/// Takes the variables out of a witness.
pub(super) fn variables(witness: &mut Map) -> Map {
    match witness.remove(STATE) {
        Some(Value::Map(variables)) => variables,
        Some(_) | None => Map::new(),
    }
}

/// A name as a part of a file name.
pub(super) fn slug(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    name.chars().map(plain).collect()
}
