//! Texts with placeholders: directives, entries, context messages and notifications.
//!
//! A text is parsed once and filled in one pass, so a value that contains `${…}` is never
//! substituted again. Only `${event.…}`, `${state.…}` and `${session.turn}` are placeholders;
//! `\${` is a literal `${`.

use lawful_syntax::escape;

use super::source::Source;
use crate::path::Path;
use crate::value::Value;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// Literal text.
    Text(&'t str),
    /// A placeholder that is filled.
    Value(Source),
    /// A `${…}` that is not filled, because it names something else.
    Other(&'t str),
}

/// The parts of a text.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once("${") {
        if let Some(before) = before.strip_suffix('\\') {
            out.push(Piece::Text(before));
            out.push(Piece::Text("${"));
            rest = inside;
            continue;
        }
        out.push(Piece::Text(before));
        let close = inside.find(['}', '\n']).filter(|at| inside.get(*at..=*at) == Some("}"));
        let Some((written, after)) = close.and_then(|at| inside.split_at_checked(at)) else {
            out.push(Piece::Text("${"));
            rest = inside;
            continue;
        };
        let whole = rest.get(before.len()..before.len() + written.len() + 3).unwrap_or_default();
        out.push(match source(written.trim()) {
            Some(source) => Piece::Value(source),
            None => Piece::Other(whole),
        });
        rest = after.get(1..).unwrap_or_default();
    }
    out.push(Piece::Text(rest));
    out
}

fn source(written: &str) -> Option<Source> {
    let path = Path::parse(written).ok().filter(|path| !path.is_wild())?;
    Source::named(&path)
}

/// The sources that a text reads.
pub(crate) fn sources(text: &str) -> impl Iterator<Item = Source> {
    pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Value(source) => Some(source),
        Piece::Text(_) | Piece::Other(_) => None,
    })
}

/// A text with each placeholder replaced by what `show` returns.
pub(super) fn fill(text: &str, mut show: impl FnMut(&Source) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) | Piece::Other(text) => out.push_str(text),
            Piece::Value(source) => out.push_str(&show(&source)),
        }
    }
    out
}

/// A value that stands in the system layer: it is trusted, and stays as it is.
pub(crate) fn plain(value: &Value) -> String {
    value.as_text().map_or_else(|| value.to_string(), str::to_owned)
}

/// A value that stands in a message: on one line, escaped and cut.
pub(super) fn quoted(value: &Value) -> String {
    /// How many characters of a value a message shows.
    const MOST: usize = 2_000;
    let text = plain(value);
    escape::line(&escape::shorten(&text, MOST)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_of_a_session_are_placeholders() {
        let shown = |text: &str| fill(text, |source| format!("<{source}>"));
        assert_eq!(shown("a ${state.hp} b ${ event.item } c"), "a <state.hp> b <event.item> c");
        assert_eq!(shown("${session.turn}${state.a[0].b}"), "<session.turn><state.a[0].b>");
        assert_eq!(
            shown("${name} ${state} ${event} ${state.a[*]}"),
            "${name} ${state} ${event} ${state.a[*]}"
        );
        assert_eq!(shown("\\${state.hp} ${state.hp"), "${state.hp} ${state.hp");
        assert_eq!(shown("${state.\nhp}"), "${state.\nhp}");
    }

    #[test]
    fn a_value_is_not_substituted_again() {
        assert_eq!(fill("${state.a}!", |_| "${state.b}\\".to_owned()), "${state.b}\\!");
        assert_eq!(fill("${state.a}${state.b}", |_| "\\".to_owned()), "\\\\");
    }

    #[test]
    fn a_value_in_a_message_is_one_line() {
        assert_eq!(quoted(&"a\nb\u{202e}".into()), "a\\nb\\u{202e}");
        assert_eq!(quoted(&3.into()), "3");
    }
}
