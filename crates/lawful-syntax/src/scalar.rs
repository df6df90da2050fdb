//! Plain scalars by the YAML 1.2 core schema.
//!
//! `no`, `on` and `1_000` are strings. An integer is exact in 64 bits or rejected; a float is
//! finite or rejected.

use crate::{Code, Kind, codes};

/// A well-formed number that cannot be represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// An integer outside 64 bits.
    OutOfRange,
    /// Not a number, an infinity, or a float too large for 64 bits.
    NotFinite,
}

impl NumberError {
    pub(crate) fn code(self) -> &'static Code {
        match self {
            Self::OutOfRange => &codes::INTEGER_RANGE,
            Self::NotFinite => &codes::NUMBER_NOT_FINITE,
        }
    }

    pub(crate) fn message(self, written: &str) -> String {
        let written = crate::escape::name(written);
        match self {
            Self::OutOfRange => {
                format!("the integer `{written}` does not fit in a signed 64-bit integer")
            }
            Self::NotFinite => format!("the number `{written}` is not finite"),
        }
    }

    pub(crate) fn help(self) -> &'static str {
        match self {
            Self::OutOfRange => "write it as a string, or as a float if it can be rounded",
            Self::NotFinite => "write a finite number, or leave the key out",
        }
    }
}

/// Resolves a plain scalar.
pub(crate) fn resolve(text: &str) -> Result<Kind, NumberError> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Kind::Null),
        "true" | "True" | "TRUE" => return Ok(Kind::Bool(true)),
        "false" | "False" | "FALSE" => return Ok(Kind::Bool(false)),
        _ => {}
    }
    parse_number(text).unwrap_or_else(|| Ok(Kind::Text(text.into())))
}

/// Parses a number of the core schema; `None` for anything else.
pub fn parse_number(text: &str) -> Option<Result<Kind, NumberError>> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let first = digits.as_bytes().first()?;
    if !first.is_ascii_digit() && *first != b'.' {
        return None;
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(rest) = text.strip_prefix(prefix) {
            let valid = !rest.is_empty() && rest.chars().all(|c| c.is_digit(radix));
            let value = i64::from_str_radix(rest, radix);
            return valid.then(|| value.map(Kind::Int).map_err(|_| NumberError::OutOfRange));
        }
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(text.parse().map(Kind::Int).map_err(|_| NumberError::OutOfRange));
    }
    if matches!(digits, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Err(NumberError::NotFinite));
    }
    is_float(digits).then(|| match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Kind::Float(value)),
        Ok(_) | Err(_) => Err(NumberError::NotFinite),
    })
}

/// `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_float(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa_ok = match mantissa.split_once('.') {
        None => !mantissa.is_empty() && all_digits(mantissa),
        Some(("", fraction)) => !fraction.is_empty() && all_digits(fraction),
        Some((whole, fraction)) => all_digits(whole) && all_digits(fraction),
    };
    let exponent_ok = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && all_digits(digits)
    });
    mantissa_ok && exponent_ok
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match resolve(text) {
            Ok(kind) => format!("{kind:?}"),
            Err(error) => format!("{error:?}"),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_core_schema_holds() {
        check("no", "Text(\"no\")");
        check("on", "Text(\"on\")");
        check("True", "Bool(true)");
        check("~", "Null");
        check("-12", "Int(-12)");
        check("+3", "Int(3)");
        check("0x1F", "Int(31)");
        check("0o17", "Int(15)");
        check("017", "Int(17)");
        check("1e3", "Float(1000.0)");
        check("1.", "Float(1.0)");
        check(".5", "Float(0.5)");
        check("-.5E-1", "Float(-0.05)");
        check("1_000", "Text(\"1_000\")");
        check("0x", "Text(\"0x\")");
        check("1.2.3", "Text(\"1.2.3\")");
        check(".", "Text(\".\")");
        check("-", "Text(\"-\")");
        check("1e", "Text(\"1e\")");
        check("--1", "Text(\"--1\")");
        check("12:30", "Text(\"12:30\")");
    }

    #[test]
    fn numbers_that_cannot_be_kept_are_refused() {
        check("9223372036854775807", "Int(9223372036854775807)");
        check("9223372036854775808", "OutOfRange");
        check("-9223372036854775808", "Int(-9223372036854775808)");
        check("-9223372036854775809", "OutOfRange");
        check("0xFFFFFFFFFFFFFFFF", "OutOfRange");
        check(".nan", "NotFinite");
        check("-.inf", "NotFinite");
        check("1e999", "NotFinite");
    }
}
