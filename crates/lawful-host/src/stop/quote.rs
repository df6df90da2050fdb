//! Quoting words for a shell.

/// Quotes a word for a POSIX shell, if it needs quotes.
pub(crate) fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_must_be_is_quoted() {
        assert_eq!(quote("a/b-c.yaml"), "a/b-c.yaml");
        assert_eq!(quote(""), "''");
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("it's; $HOME"), "'it'\\''s; $HOME'");
    }
}
