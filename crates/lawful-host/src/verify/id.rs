//! The `id` of a line that cannot be judged: whoever reads the results looks for it.

use lawful::Value;
use lawful::syntax::Limits;

/// The `id` at the top of a JSON object, read up to where the text is damaged. `None` if there is
/// none before that, if there are two, or if it is not a string or an integer.
pub(super) fn leading_id(line: &[u8]) -> Option<Value> {
    let sound = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(line.get(..error.valid_up_to())?).ok()?,
    };
    let mut scan = Scan { rest: sound.trim_start_matches('\u{feff}') };
    scan.skip("{")?;
    let mut found = None;
    while let Some(key) = scan.key() {
        let Some(token) = scan.value() else { break };
        if key == "id" {
            if found.is_some() {
                return None;
            }
            found = Some(id_of(token));
        }
        if scan.skip(",").is_none() {
            break;
        }
    }
    found?
}

/// The `id` that a token of JSON stands for. An integer that does not fit in 64 bits is the string
/// of its digits.
fn id_of(token: &str) -> Option<Value> {
    let digits = token.strip_prefix('-').unwrap_or(token);
    let whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    if token.starts_with('"') || (whole && token.parse::<i64>().is_ok()) {
        return Value::from_json(token, &Limits::default());
    }
    (whole && !digits.starts_with('0') && !digits.is_empty()).then(|| Value::from(token))
}

struct Scan<'t> {
    rest: &'t str,
}

impl<'t> Scan<'t> {
    fn skip(&mut self, mark: &str) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(mark)?;
        Some(())
    }

    fn key(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        let token = self.string()?;
        self.skip(":")?;
        let key = Value::from_json(token, &Limits::default())?;
        key.as_text().map(str::to_owned)
    }

    /// A string with its quotes.
    fn string(&mut self) -> Option<&'t str> {
        let mut escaped = false;
        let end = self.rest.bytes().enumerate().skip(1).find_map(|(at, byte)| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes.then_some(at)
        });
        self.take(end.filter(|_| self.rest.starts_with('"'))? + 1)
    }

    /// A whole value, as it is written.
    fn value(&mut self) -> Option<&'t str> {
        self.rest = self.rest.trim_start();
        match self.rest.bytes().next()? {
            b'"' => self.string(),
            b'{' | b'[' => self.nested(),
            _ => {
                let ends = |c: char| matches!(c, ',' | '}' | ']') || c.is_ascii_whitespace();
                // A word that the text ends with may be cut off.
                self.take(self.rest.find(ends)?)
            }
        }
    }

    fn nested(&mut self) -> Option<&'t str> {
        let start = self.rest;
        let mut open = 0_usize;
        loop {
            match self.rest.bytes().next()? {
                b'{' | b'[' => open += 1,
                b'}' | b']' => open = open.checked_sub(1)?,
                b'"' => {
                    self.string()?;
                    continue;
                }
                _ => {}
            }
            let skipped = self.rest.chars().next()?.len_utf8();
            self.take(skipped)?;
            if open == 0 {
                return start.get(..start.len() - self.rest.len());
            }
        }
    }

    fn take(&mut self, count: usize) -> Option<&'t str> {
        let (token, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let found = leading_id(line.as_bytes());
        assert_eq!(found.map_or("none".to_owned(), |id| id.to_string()), expected, "{line}");
    }

    #[test]
    fn an_id_before_the_damage_is_read() {
        check(r#"{"id": "a", "facts": {"#, "\"a\"");
        check(r#" { "meta" : {"id": 1, "x": ["}", "\""]} , "id" : 17 , "#, "17");
        check(r#"{"id": "\u0061\"b", "facts": nonsense}"#, r#""a\"b""#);
        check(r#"{"facts": {}, "id": -3}"#, "-3");
        check(r#"{"id": 0}"#, "0");
        check("\u{feff}{\"id\": 1}", "1");
        assert_eq!(leading_id(b"{\"id\": 5, \"facts\": \"\xff\"}"), Some(Value::from(5_i64)));
    }

    #[test]
    fn an_integer_of_any_length_is_its_digits() {
        check(r#"{"id": 123456789012345678901234567890}"#, r#""123456789012345678901234567890""#);
        check(r#"{"id": -9223372036854775809}"#, r#""-9223372036854775809""#);
    }

    #[test]
    fn what_is_not_certain_is_no_id() {
        for line in [
            r#"{"id": 12"#,
            r#"{"id": "a"#,
            r#"{"id": "a", "id": "b", "facts": {"#,
            r#"{"id": [1]}"#,
            r#"{"id": 1.5}"#,
            r#"{"id": 1e3}"#,
            r#"{"id": true}"#,
            r#"{"id": null}"#,
            r#"{"facts": {, "id": 1}"#,
            r#"["id", 1]"#,
            r#"{"id": 00000000000000000000000001}"#,
            "",
        ] {
            check(line, "none");
        }
    }
}
