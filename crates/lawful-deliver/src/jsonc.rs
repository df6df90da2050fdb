//! JSON as harnesses read their settings: with comments and trailing commas.

use jsonc_parser::ParseOptions;

/// JSON with comments and trailing commas, and no other extension that the parser allows. What no
/// harness accepts is not parsed, so that it is not taken for something else.
pub const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The next comma, after only white space and comments.
pub fn next_comma(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = text.get(at..)?;
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/")? + 2
        } else {
            match rest.chars().next()? {
                ',' => return Some(at),
                c if c.is_whitespace() => c.len_utf8(),
                _ => return None,
            }
        };
    }
}
