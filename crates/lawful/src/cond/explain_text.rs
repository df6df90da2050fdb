//! Explanations as text for people: in full, and in one sentence.

use lawful_syntax::escape;

use super::explain::{Explanation, ExplanationKind};
use super::{Operator, Outcome};
use crate::value::Value;

/// An explanation for people: one line for each part, marked with its result.
///
/// ```text
/// false  all of
///   true   tone equals "terse"
///   false  score is greater than 10: it is 7
///   -      tags contains "x": not evaluated
/// ```
pub fn explanation_text(explanation: &Explanation) -> String {
    let mut out = String::new();
    write_part(explanation, 0, &mut out);
    out
}

fn write_part(part: &Explanation, depth: usize, out: &mut String) {
    let mark = match part.result {
        Outcome::True => "true ",
        Outcome::False => "false",
        Outcome::Error => "error",
        Outcome::NotEvaluated => "-    ",
    };
    let line = format!("{}{mark}  {}", "  ".repeat(depth), sentence(part));
    out.push_str(line.trim_end());
    out.push('\n');
    // Parts of what was not evaluated need no line.
    if part.result != Outcome::NotEvaluated {
        for child in &part.children {
            write_part(child, depth + 1, out);
        }
    }
}

fn sentence(part: &Explanation) -> String {
    let what = match part.kind {
        ExplanationKind::All if part.children.is_empty() => "always".to_owned(),
        ExplanationKind::All => "all of".to_owned(),
        ExplanationKind::Any if part.children.is_empty() => "never".to_owned(),
        ExplanationKind::Any => "any of".to_owned(),
        ExplanationKind::Not => "not".to_owned(),
        ExplanationKind::Ref => {
            let id = escape::line(part.id.as_deref().unwrap_or_default()).into_owned();
            match &part.expected {
                Some(args) => format!("{id} {}", short(args)),
                None => id,
            }
        }
        ExplanationKind::Test => {
            let path = escape::line(part.path.as_deref().unwrap_or_default()).into_owned();
            let operator = part.op.and_then(Operator::find);
            let phrase = operator.map_or("", Operator::phrase);
            match &part.expected {
                Some(expected) => format!("{path} {phrase} {}", short(expected)),
                None => format!("{path} {phrase}"),
            }
        }
    };
    if part.result == Outcome::NotEvaluated {
        return format!("{what}: not evaluated");
    }
    let mut said: Vec<String> = Vec::new();
    if let Some(actual) = &part.actual {
        let verb = if part.kind == ExplanationKind::Test { "it is " } else { "" };
        said.push(format!("{verb}{}", short(actual)));
    }
    if let Some(note) = &part.note {
        said.push(escape::line(note).into_owned());
    }
    if said.is_empty() { what } else { format!("{what}: {}", said.join("; ")) }
}

/// An explanation in one sentence: the deciding parts, with the actual values.
pub fn why(explanation: &Explanation) -> String {
    escape::shorten(&because(explanation), 400).into_owned()
}

fn because(part: &Explanation) -> String {
    let join = |word: &str| -> String {
        let asked = part.children.iter().filter(|child| child.result != Outcome::NotEvaluated);
        asked.map(because).collect::<Vec<_>>().join(word)
    };
    // One child decides a false `all` and a true `any`.
    let reason = |outcome: Outcome| part.children.iter().find(|child| child.result == outcome);
    match (part.kind, part.result) {
        (_, Outcome::NotEvaluated) => "not evaluated".to_owned(),
        (ExplanationKind::All, _) if part.children.is_empty() => "always".to_owned(),
        (ExplanationKind::Any, _) if part.children.is_empty() => "never".to_owned(),
        (ExplanationKind::All, Outcome::False) => {
            reason(Outcome::False).map(because).unwrap_or_default()
        }
        (ExplanationKind::Any, Outcome::True) => {
            reason(Outcome::True).map(because).unwrap_or_default()
        }
        (ExplanationKind::All, _) => join(" and "),
        (ExplanationKind::Any, _) => join("; "),
        (ExplanationKind::Not, _) => format!("not ({})", join("")),
        (ExplanationKind::Ref, _) if !part.children.is_empty() => {
            let id = escape::line(part.id.as_deref().unwrap_or_default()).into_owned();
            format!("{id} ({})", join(""))
        }
        (ExplanationKind::Ref | ExplanationKind::Test, _) => sentence(part),
    }
}

/// A value on one line, shortened.
fn short(value: &Value) -> String {
    escape::shorten(&value.to_string(), 120).into_owned()
}
