//! Helps for conditions that are written as expressions, such as `a == 1`: what to write instead.

use lawful_syntax::escape;

use super::decode::TestWords;

/// The signs of comparisons, longer ones first, and their operators.
const SIGNS: [(&str, &str); 9] = [
    ("===", "equals"),
    ("!==", "not_equals"),
    ("==", "equals"),
    ("!=", "not_equals"),
    (">=", "at_least"),
    ("<=", "at_most"),
    (">", "greater_than"),
    ("<", "less_than"),
    ("=", "equals"),
];

/// The connectives of other languages, and the words for them here.
const CONNECTIVES: [(&str, &str); 4] =
    [("and", "all"), ("or", "any"), ("&&", "all"), ("||", "any")];

/// `all` or `any` for a connective of another language.
pub(super) fn connective(word: &str) -> Option<&'static str> {
    let same = |(known, _): &&(&str, &str)| known.eq_ignore_ascii_case(word);
    CONNECTIVES.iter().find(same).map(|(_, word)| *word)
}

/// The help for a condition that is a string.
pub(super) fn help(written: &str, words: TestWords) -> String {
    let mut parts = written.split_whitespace();
    if let Some(word) = parts.find_map(connective) {
        let tests: Vec<String> = split(written).into_iter().map(|part| form(part, words)).collect();
        return format!("write `{word}: [{}]`", tests.join(", "));
    }
    if let Some(help) = test(written, words) {
        return help;
    }
    let id = written.trim();
    match id.strip_prefix("not ").or_else(|| id.strip_prefix('!')).map(str::trim) {
        Some(id) if is_id(id) => {
            format!("write `not: {{ref: {}}}` for a saved condition", escape::name(id))
        }
        Some(_) => "write `not: {…}` with a condition such as `{tone: terse}`".to_owned(),
        None if is_id(id) => format!("write `ref: {}` for a saved condition", escape::name(id)),
        None => "write a test such as `{tone: terse}`".to_owned(),
    }
}

/// The help for a comparison; `None` if the text is not one.
pub(super) fn test(written: &str, words: TestWords) -> Option<String> {
    compare(written, words).map(|form| format!("write `{form}`"))
}

/// A comparison in the form of this language.
fn compare(written: &str, words: TestWords) -> Option<String> {
    let (at, (sign, operator)) = written.char_indices().find_map(|(at, _)| {
        SIGNS
            .iter()
            .find(|(sign, _)| written.get(at..).is_some_and(|rest| rest.starts_with(sign)))
            .map(|found| (at, found))
    })?;
    let left = written.get(..at)?.trim();
    let right = written.get(at + sign.len()..)?.trim();
    if left.is_empty() || right.is_empty() || left.contains(char::is_whitespace) {
        return None;
    }
    let (left, right) = (escape::name(left), escape::name(right));
    let left = if left.contains('[') { format!("'{left}'") } else { left.into_owned() };
    let TestWords { subject, operator: key, .. } = words;
    Some(if *operator == "equals" {
        format!("{{{left}: {right}}}")
    } else {
        format!("{{{subject}: {left}, {key}: {operator}, value: {right}}}")
    })
}

fn form(part: &str, words: TestWords) -> String {
    compare(part, words).unwrap_or_else(|| "{…}".to_owned())
}

/// The parts between the connectives of an expression.
fn split(written: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for word in written.split_inclusive(char::is_whitespace) {
        if connective(word.trim()).is_some() {
            parts.extend(written.get(start..at));
            start = at + word.len();
        }
        at += word.len();
    }
    parts.extend(written.get(start..));
    parts
}

fn is_id(text: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    !text.is_empty() && text.chars().all(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cond::decode::PATH;

    #[test]
    fn an_expression_is_shown_as_a_condition() {
        let check = |written: &str, expected: &str| assert_eq!(help(written, PATH), expected);
        check("a == 1", "write `{a: 1}`");
        check("user.tier = 'vip'", "write `{user.tier: 'vip'}`");
        check("a[0] == 1", "write `{'a[0]': 1}`");
        check("a != 1", "write `{path: a, op: not_equals, value: 1}`");
        check("a>=3", "write `{path: a, op: at_least, value: 3}`");
        check("a == 1 and b == 2", "write `all: [{a: 1}, {b: 2}]`");
        check("a || b > 2", "write `any: [{…}, {path: b, op: greater_than, value: 2}]`");
        check("vip", "write `ref: vip` for a saved condition");
        check("not vip", "write `not: {ref: vip}` for a saved condition");
        check("the user is a vip", "write a test such as `{tone: terse}`");
    }
}
