//! Section 3 of the semantics once more, as plainly as it can be said: lists of names, walked from
//! end to end. It shares no code with the library and knows nothing of speed.

use super::book::{Action, Facts, Plan, Test, When};

/// What should come out.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether each rule fires.
    pub fired: Vec<bool>,
    /// The list as it would come out after each rule.
    pub after: Vec<Vec<String>>,
    /// The final order.
    pub order: Vec<String>,
    /// The prompt.
    pub text: String,
}

/// Resolves a generated composition.
pub fn resolve(plan: &Plan, facts: &Facts) -> Answer {
    let mut list: Vec<String> = Vec::new();
    for id in &plan.base {
        if !list.contains(id) {
            list.push(id.clone());
        }
    }
    let mut forbidden: Vec<String> = Vec::new();
    let mut order: Option<&[String]> = None;
    let mut fired = Vec::new();
    let mut after = Vec::new();
    for (when, action) in &plan.rules {
        let applies = holds(when, facts);
        fired.push(applies);
        if applies {
            match action {
                Action::Replace(pairs) => list = replaced(&list, pairs),
                Action::Add(ids, anchor) => add(&mut list, ids, anchor.as_deref()),
                Action::Forbid(ids) => forbidden.extend(ids.iter().cloned()),
                Action::Order(ids) => order = Some(ids),
            }
        }
        after.push(outcome(&list, order, &forbidden));
    }
    let order = outcome(&list, order, &forbidden);
    let text = text(plan, facts, &order);
    Answer { fired, after, order, text }
}

fn holds(when: &When, facts: &Facts) -> bool {
    match when {
        When::Always => true,
        When::Map(pairs) => pairs.iter().all(|(axis, value)| facts.get(axis) == Some(value)),
        When::Test(test) => passes(test, facts),
        When::Any(tests) => tests.iter().any(|test| passes(test, facts)),
        When::Not(test) => !passes(test, facts),
    }
}

fn passes(test: &Test, facts: &Facts) -> bool {
    match test {
        Test::Is(axis, value) => facts.get(axis) == Some(value),
        Test::OneOf(axis, values) => facts.get(axis).is_some_and(|value| values.contains(&value)),
        Test::Greater(than) => facts.number > *than,
    }
}

/// 3.3: all pairs at once; of two that become the same, the first stays.
fn replaced(list: &[String], pairs: &[(String, String)]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for id in list {
        let pair = pairs.iter().find(|(from, _)| from == id);
        let new = pair.map_or(id, |(_, to)| to);
        if !out.contains(new) {
            out.push(new.clone());
        }
    }
    out
}

/// 3.4: after the anchor, or just before the last; what is there already stays.
fn add(list: &mut Vec<String>, ids: &[String], anchor: Option<&str>) {
    let found = anchor.and_then(|anchor| list.iter().position(|id| id == anchor));
    let mut place = found.map_or(list.len().saturating_sub(1), |at| at + 1);
    for id in ids {
        if !list.contains(id) {
            list.insert(place, id.clone());
            place += 1;
        }
    }
}

/// 3.5 and 3.6: what the order names first, then the others; then without what is forbidden.
fn outcome(list: &[String], order: Option<&[String]>, forbidden: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for id in order.unwrap_or_default().iter().filter(|id| list.contains(id)).chain(list) {
        if !out.contains(id) {
            out.push(id.clone());
        }
    }
    out.retain(|id| !forbidden.contains(id));
    out
}

/// 3.7: bodies with their placeholders filled in, and a blank line between two.
fn text(plan: &Plan, facts: &Facts, order: &[String]) -> String {
    let mut bodies = Vec::new();
    for id in order {
        let page = plan.pages.iter().find(|page| page.id == *id);
        let mut body = page.map(|page| page.body.clone()).unwrap_or_default();
        for (axis, value) in &facts.axes {
            body = body.replace(&format!("${{{axis}}}"), value);
        }
        bodies.push(body);
    }
    bodies.join("\n\n")
}
