//! Text as a symbol of the program.
//!
//! A program is printed, and run by engines that support few escapes. So the symbol of a text never
//! needs an escape other than for quotes and backslashes: control characters and direction marks
//! are spelled out, and backslashes are doubled. Different texts have different symbols.

use std::borrow::Cow;

use lawful_syntax::escape;

/// The symbol of a text.
pub(super) fn encode(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(|c| c == '\\' || escape::is_unsafe(c)) {
        return text;
    }
    let doubled = text.replace('\\', "\\\\");
    Cow::Owned(escape::line(&doubled).into_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_unsafe_is_left() {
        assert_eq!(encode("plain 漢字".into()), "plain 漢字");
        assert_eq!(encode("a\nb\u{202e}\0\\n".into()), "a\\nb\\u{202e}\\u{0}\\\\n");
    }

    proptest! {
        #[test]
        fn different_texts_stay_different(a in "[\\\\nu{}0\n\0]{0,6}", b in "[\\\\nu{}0\n\0]{0,6}") {
            prop_assert_eq!(a == b, encode(a.as_str().into()) == encode(b.as_str().into()));
        }
    }
}
