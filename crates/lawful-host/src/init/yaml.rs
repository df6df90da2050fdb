//! Writing values into YAML and JSON texts.

/// A string as a YAML scalar: plain where that is safe, quoted otherwise.
pub(super) fn scalar(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '.' || c == '/')
        || text.starts_with('-') && text.chars().nth(1).is_some_and(|c| c != ' ');
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let is_word = matches!(
        text.to_ascii_lowercase().as_str(),
        "true" | "false" | "null" | "yes" | "no" | "on" | "off" | ".nan" | ".inf" | "-.inf"
    );
    // `-1` and `.5` are numbers.
    let is_number = text.trim_start_matches(['-', '.']).starts_with(|c: char| c.is_ascii_digit());
    if is_plain
        && text.chars().all(safe)
        && !is_word
        && !is_number
        && text != "---"
        && text != "..."
    {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// A string in double quotes, as JSON and YAML both read it.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A string in single quotes, without escapes: for regular expressions. Control characters need
/// double quotes.
pub(super) fn single_quoted(text: &str) -> String {
    if text.chars().any(char::is_control) {
        return quoted(text);
    }
    format!("'{}'", text.replace('\'', "''"))
}

/// A flow list of strings.
pub(super) fn list<'t>(items: impl IntoIterator<Item = &'t str>) -> String {
    let items: Vec<String> = items.into_iter().map(scalar).collect();
    format!("[{}]", items.join(", "))
}

/// A text on one line of a comment.
pub(super) fn comment(text: &str) -> String {
    lawful::syntax::escape::line(text).into_owned()
}
