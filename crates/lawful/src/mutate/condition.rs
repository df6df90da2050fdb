//! Mutants of a condition, in every form that the condition language has.

use lawful_syntax::{Entry, Kind, Node};

use super::edit::{Edit, mapping, negated};
use super::{Owner, Steps, Tree, child, entry, is_bound};
use crate::cond::{Operator, PATH, TestWords};

/// Adds the mutants of a condition. `tests` are the keys that a test can have here.
pub(super) fn mutants(
    node: &Node,
    steps: &Steps,
    tests: &[TestWords],
    owner: &Owner,
    tree: &mut Tree<'_>,
) {
    if is_empty(node) {
        return;
    }
    if !matches!(form(node, tests), Form::Not(..)) {
        let edit = Edit::Put(steps.clone(), negated(node));
        tree.add(owner, "condition negated", node.span, edit);
    }
    parts(node, steps, tests, owner, tree);
}

/// Adds the mutants of what is below a condition, and of the condition itself but for its negation.
pub(super) fn parts(
    node: &Node,
    steps: &Steps,
    tests: &[TestWords],
    owner: &Owner,
    tree: &mut Tree<'_>,
) {
    match form(node, tests) {
        Form::Group { word, items, at } => {
            if items.len() > 1 {
                let other = if word == "all" { "any" } else { "all" };
                let items = Node { kind: Kind::List(items.to_vec()), span: node.span };
                let edit = Edit::Put(steps.clone(), mapping(other, items));
                tree.add(owner, format!("`{word}` became `{other}`"), node.span, edit);
            }
            let list = child(steps, at);
            for (index, item) in items.iter().enumerate() {
                let steps = child(&list, index);
                if items.len() > 1 {
                    part_negated(item, &steps, tests, owner, tree);
                }
                parts(item, &steps, tests, owner, tree);
            }
        }
        Form::Not(inner, at) => {
            let edit = Edit::Put(steps.clone(), inner.clone());
            let change = format!("`not` of {} removed", tree.shown(inner));
            tree.add(owner, change, node.span, edit);
            parts(inner, &child(steps, at), tests, owner, tree);
        }
        Form::Test { operator, subject, value } => {
            if let Some((value, steps_below)) = value.filter(|_| is_bound(operator)) {
                let steps = steps.iter().copied().chain(steps_below).collect();
                let what = format!("`{}` {}", subject, operator.phrase());
                tree.bound(owner, &what, value, &steps);
            }
        }
        Form::Equalities(entries) => equalities(node, entries, steps, owner, tree),
        Form::Other => {}
    }
}

/// Negates one part of a group.
pub(super) fn part_negated(
    item: &Node,
    steps: &Steps,
    tests: &[TestWords],
    owner: &Owner,
    tree: &mut Tree<'_>,
) {
    // Removing a `not` is the same.
    if is_empty(item) || matches!(form(item, tests), Form::Not(..)) {
        return;
    }
    let change = format!("{} negated", tree.shown(item));
    tree.add(owner, change, item.span, Edit::Put(steps.clone(), negated(item)));
}

/// An equality map is an `all`.
fn equalities(node: &Node, entries: &[Entry], steps: &Steps, owner: &Owner, tree: &mut Tree<'_>) {
    if entries.len() < 2 {
        return;
    }
    let one = |entry: &Entry| Node {
        kind: Kind::Map(vec![entry.clone()]),
        span: entry.key_span.to(entry.value.span),
    };
    let group = |word: &str, items: Vec<Node>| {
        mapping(word, Node { kind: Kind::List(items), span: node.span })
    };
    let any = group("any", entries.iter().map(one).collect());
    let edit = Edit::Put(steps.clone(), any);
    tree.add(owner, format!("`all` of {} became `any`", tree.shown(node)), node.span, edit);
    for negates in 0..entries.len() {
        let turned = |(at, entry): (usize, &Entry)| {
            if at == negates { negated(&one(entry)) } else { one(entry) }
        };
        let all = group("all", entries.iter().enumerate().map(turned).collect());
        let Some(entry) = entries.get(negates) else { continue };
        let place = entry.key_span.to(entry.value.span);
        let change = format!("{} negated", tree.shown(&one(entry)));
        tree.add(owner, change, place, Edit::Put(steps.clone(), all));
    }
}

/// How a condition is written.
enum Form<'n> {
    /// `all` or `any`, and the number of the entry with the list.
    Group { word: &'static str, items: &'n [Node], at: usize },
    /// `not`, and the number of its entry.
    Not(&'n Node, usize),
    /// A test, with its value and the steps to it.
    Test { operator: Operator, subject: &'n str, value: Option<(&'n Node, Vec<usize>)> },
    /// An equality map.
    Equalities(&'n [Entry]),
    /// A reference to a saved condition, or something that does not decode.
    Other,
}

fn form<'n>(node: &'n Node, tests: &[TestWords]) -> Form<'n> {
    let Some(entries) = node.as_map() else { return Form::Other };
    let group = |word: &'static str, key: &str| {
        let (at, entry) = entry(node, key)?;
        Some(Form::Group { word, items: entry.value.as_list()?, at })
    };
    let not = |key: &str| entry(node, key).map(|(at, entry)| Form::Not(&entry.value, at));
    for word in ["all", "any"] {
        if entry(node, word).is_some() {
            return group(word, word).unwrap_or(Form::Other);
        }
    }
    if let Some(form) = not("not") {
        return form;
    }
    if entry(node, "ref").is_some() {
        return reference(node, "ref");
    }
    if let Some((_, kind)) = entry(node, "type") {
        return match kind.value.as_text() {
            Some("all") => group("all", "rules").unwrap_or(Form::Other),
            Some("any") => group("any", "rules").unwrap_or(Form::Other),
            Some("not") => not("rule").unwrap_or(Form::Other),
            Some("ref") => reference(node, "id"),
            Some(_) | None => Form::Other,
        };
    }
    for words in tests {
        let own = [Some(words.subject), words.reserved.then_some(words.operator)];
        if own.into_iter().flatten().any(|key| entry(node, key).is_some()) {
            return test(node, *words).unwrap_or(Form::Other);
        }
    }
    if entries.is_empty() { Form::Other } else { Form::Equalities(entries) }
}

fn test(node: &Node, words: TestWords) -> Option<Form<'_>> {
    let operator = Operator::find(node.get(words.operator)?.as_text()?)?;
    let subject = node.get(words.subject)?.as_text()?;
    let value = entry(node, "value").map(|(at, entry)| (&entry.value, vec![at]));
    Some(Form::Test { operator, subject, value })
}

/// A reference to the primitive of an operator is a test.
fn reference<'n>(node: &'n Node, key: &str) -> Form<'n> {
    let test = || {
        let operator = Operator::with_id(node.get(key)?.as_text()?)?;
        let (at, args) = entry(node, "args")?;
        let subject = args.value.get(PATH.subject)?.as_text()?;
        let value = entry(&args.value, "value").map(|(own, entry)| (&entry.value, vec![at, own]));
        Some(Form::Test { operator, subject, value })
    };
    test().unwrap_or(Form::Other)
}

fn is_empty(node: &Node) -> bool {
    node.is_null() || node.as_map().is_some_and(<[Entry]>::is_empty)
}
