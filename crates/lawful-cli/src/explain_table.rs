//! The table of `lawful compose --explain`: what each rule did, and why.

use lawful::syntax::escape;
use lawful::view::{Composed, explanation_text};

use crate::args::Detail;
use crate::output::Width;

/// Draws the table.
pub(crate) fn draw(view: &Composed, detail: Detail, tokens: &str, width: Width) -> String {
    let mut out = String::new();
    let mut section = |mark: &str, lead: &str, text: &str| {
        let head = format!("{mark:<2}{lead:<12}");
        for (at, line) in wrap(text, width, head.chars().count()).into_iter().enumerate() {
            let start = if at == 0 { head.clone() } else { " ".repeat(head.chars().count()) };
            out.push_str(format!("{start}{line}").trim_end());
            out.push('\n');
        }
    };
    section("", "base", &view.trace.base.join(", "));
    for rule in &view.trace.rules {
        if !rule.fired && detail == Detail::Fired {
            continue;
        }
        let mark = if rule.fired { "+" } else { "." };
        let why = match &rule.id {
            Some(id) => format!("{id}: {}", rule.why),
            None => rule.why.clone(),
        };
        section(mark, &format!("{} {}", rule.index, rule.action), &why);
        if !rule.effect.is_empty() {
            section("", "", &rule.effect);
        }
        if detail == Detail::Full {
            if let Some(explanation) = &rule.explanation {
                for line in explanation_text(explanation).lines() {
                    section("", "", &format!("  {line}"));
                }
            }
            section("", "", &format!("= {}", rule.after.join(", ")));
        }
    }
    section("", "order", &view.order.join(", "));
    for insertion in &view.insertions {
        let place = match insertion.depth {
            Some(depth) => format!("in the history at depth {depth}"),
            None => format!("at {}", insertion.position),
        };
        section("", "inserted", &format!("{} {} {place}", insertion.kind, insertion.id));
    }
    section("", "size", tokens);
    if detail >= Detail::Notes && !view.trace.unmatched.is_empty() {
        section("", "unmatched", &view.trace.unmatched.join(", "));
    }
    out
}

/// Wraps a text at spaces. A pipe has no width, so its lines are not wrapped.
fn wrap(text: &str, width: Width, lead: usize) -> Vec<String> {
    let text = escape::line(text).into_owned();
    let room = match width {
        Width::Unbounded => return vec![text],
        Width::Columns(columns) => columns.saturating_sub(lead).max(20),
    };
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > room {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
