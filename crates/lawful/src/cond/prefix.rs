//! The literal text that every match of a regular expression starts with.
//!
//! **Invariant:** a text without the literal has no match. Where the expression is not plain enough to
//! be sure, there is no literal.

/// A literal that every match starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    literal: Box<str>,
    /// Whether it must be at the start of the text.
    anchored: bool,
}

impl Prefix {
    /// The literal of an expression.
    pub(super) fn of(pattern: &str) -> Option<Self> {
        let (anchored, rest) = match pattern.strip_prefix('^') {
            Some(rest) => (true, rest),
            None => (false, pattern),
        };
        let end = rest.find(|c: char| !is_plain(c)).unwrap_or(rest.len());
        let (mut literal, rest) = rest.split_at_checked(end)?;
        if rest.starts_with(['*', '+', '?', '{']) {
            // The last character may be repeated, or absent.
            literal = literal.get(..literal.len().checked_sub(1)?)?;
        }
        let is_sure = !literal.is_empty() && !has_choice(rest);
        is_sure.then(|| Self { literal: literal.into(), anchored })
    }

    /// Whether a text may have a match.
    pub(super) fn admits(&self, text: &str) -> bool {
        if self.anchored { text.starts_with(&*self.literal) } else { text.contains(&*self.literal) }
    }
}

/// Whether a character stands for itself outside of brackets.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, ' ' | '_' | '-' | '/' | ',' | ':' | '=' | '@' | '%')
}

/// Whether an expression has a choice outside of groups, or may have one.
fn has_choice(pattern: &str) -> bool {
    if !pattern.contains('|') {
        return false;
    }
    // Brackets may contain parentheses, and flags may change what everything means.
    if pattern.contains('[') || pattern.replace("(?:", "(").contains("(?") {
        return true;
    }
    let mut depth = 0_u32;
    let mut characters = pattern.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => drop(characters.next()),
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex_automata::meta::Regex;

    use super::*;

    fn check(pattern: &str, expected: Option<(&str, bool)>) {
        let expected =
            expected.map(|(literal, anchored)| Prefix { literal: literal.into(), anchored });
        assert_eq!(Prefix::of(pattern), expected, "{pattern}");
    }

    #[test]
    fn an_expression_starts_with_its_plain_characters() {
        check(r"^git push\b.*(--force|-f)\b", Some(("git push", true)));
        check("^tool5 (rm|delete|drop)", Some(("tool5 ", true)));
        check("curl .*", Some(("curl ", false)));
        check("abc?", Some(("ab", false)));
        check("abc*d", Some(("ab", false)));
        check("rm", Some(("rm", false)));
    }

    #[test]
    fn an_expression_that_is_not_plain_has_no_literal() {
        for pattern in [
            "",
            "^",
            "a?",
            "a|b",
            "ab|c",
            "^ab(c)|d",
            "(?i)ab",
            "[ab]c",
            "ab[(]|c",
            r"\bab",
            ".ab",
            r"ab\(|c)",
            "ab(?x) # (\n|c",
        ] {
            check(pattern, None);
        }
    }

    proptest! {
        #[test]
        fn a_text_without_the_literal_has_no_match(
            pattern in r"\^?[ab ]{0,3}([|?*+{}()\[\]a^b.$\\ -]|\(\?:|\(\?i\)|\(\?m\)|\{2\}|\\b|\n){0,6}",
            texts in proptest::collection::vec("[ab AB\n()|-]{0,6}", 8),
        ) {
            let (Ok(regex), Some(prefix)) = (Regex::new(&pattern), Prefix::of(&pattern)) else {
                return Ok(());
            };
            for text in &texts {
                prop_assert!(!regex.is_match(text) || prefix.admits(text), "{} {}", pattern, text);
            }
        }
    }
}
