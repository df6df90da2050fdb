//! A generated composition resolved by the [naive reading](cascade) of section 3, which the library
//! holds its own properties against.

#[path = "../../../crates/lawful/src/compose/tests/naive.rs"]
pub mod cascade;

use super::book::{Facts, Plan, Test, When};

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
    let fired: Vec<bool> = plan.rules.iter().map(|(when, _)| holds(when, facts)).collect();
    let actions = plan.rules.iter().map(|(_, action)| action);
    let found = cascade::resolve(&plan.base, None, fired.iter().copied().zip(actions));
    let text = text(plan, facts, &found.order);
    Answer { fired, after: found.after, order: found.order, text }
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
