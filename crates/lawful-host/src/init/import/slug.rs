//! Names for what is made from titles and patterns.

/// Lower-case letters, digits and single dashes; at most 48 characters. Empty if nothing is left.
pub(super) fn slug(text: &str) -> String {
    /// Long enough to recognise a title.
    const LONGEST: usize = 48;
    let mut out = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        if out.chars().count() == LONGEST {
            break;
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// A name that is not taken yet: the name, or the name with a number.
pub(super) fn unique(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut candidate = name.to_owned();
    let mut number = 2_usize;
    while is_taken(&candidate) {
        candidate = format!("{name}-{number}");
        number += 1;
    }
    candidate
}
