//! `--context KEY=VALUE`, `--context KEY:=JSON` and `--context @FILE`.
//!
//! A shell passes text, so a value is text unless it can be nothing else: a plain decimal number,
//! `true`, `false` or `null`. `KEY:=JSON` passes every other value.

use std::path::Path as FilePath;

use lawful::syntax::{
    Diagnostic, Format, Limits, Node, NumberError, Sources, Span, codes, escape, parse,
    parse_number, text,
};
use lawful::{Map, Path, Value};
use lawful_host::Failure;
use lawful_host::input::document;

/// The context of these arguments; later ones win.
pub(crate) fn context(arguments: &[String]) -> Result<Value, Failure> {
    changed(Value::Map(Map::new()), arguments)
}

/// A context with the values of these arguments; its other keys stay.
pub(crate) fn changed(mut context: Value, arguments: &[String]) -> Result<Value, Failure> {
    for argument in arguments {
        if let Some(file) = argument.strip_prefix('@') {
            merge_file(&mut context, FilePath::new(file))?;
        } else {
            merge_pair(&mut context, argument)?;
        }
    }
    Ok(context)
}

fn merge_file(context: &mut Value, file: &FilePath) -> Result<(), Failure> {
    let mut sources = Sources::default();
    let mut problems = Vec::new();
    let node = document(file, &Limits::default(), &mut sources, &mut problems);
    problems.retain(Diagnostic::is_error);
    let Some(node) = node.filter(|_| problems.is_empty()) else {
        return Err(Failure::new(sources, problems));
    };
    let Value::Map(map) = Value::from_owned_node(node) else {
        return Err(Failure::instead_of(file, |span: Span| {
            let message = "a context must be a mapping";
            Diagnostic::new(&lawful::code::WRONG_TYPE, span, message).help("write `key: value`")
        }));
    };
    if let Value::Map(all) = context {
        for (key, value) in map.iter() {
            all.insert(key, value.clone());
        }
    }
    Ok(())
}

fn merge_pair(context: &mut Value, argument: &str) -> Result<(), Failure> {
    let Some((key, written)) = split(argument) else {
        let message = format!("`--context {}` has no `=`", escape::name(argument));
        let help = "write `--context KEY=VALUE`, `--context KEY:=JSON` or `--context @FILE`";
        return Err(Failure::usage(message, help));
    };
    let (key, value) = match key.strip_suffix(':') {
        Some(key) => (key, json(written)?),
        None => (key, value(key, written)?),
    };
    let path = Path::parse(key).map_err(|error| {
        let message = format!("`{}` is not a valid key: {error}", escape::name(key));
        Failure::usage(message, error.help)
    })?;
    if path.is_wild() {
        let message = format!("`{path}` selects more than one value");
        return Err(Failure::usage(message, "pass the whole list with `KEY:=JSON` or `@FILE`"));
    }
    if !path.put(context, value) {
        let message = format!("`{path}` is inside a value that is not a mapping");
        return Err(Failure::usage(message, "make the outer key a mapping, or leave it out"));
    }
    Ok(())
}

/// Splits at the first `=` that is not inside a quoted key.
fn split(argument: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let mut escaped = false;
    let equals = argument.char_indices().find(|(at, c)| {
        let opens = argument.get(..*at).is_some_and(|before| before.ends_with('['));
        match c {
            '"' if !quoted => quoted = opens,
            '"' if !escaped => quoted = false,
            _ => {}
        }
        escaped = quoted && *c == '\\' && !escaped;
        *c == '=' && !quoted
    });
    let (at, _) = equals?;
    Some((argument.get(..at)?, argument.get(at + 1..)?))
}

/// The value of `KEY=VALUE`.
fn value(key: &str, written: &str) -> Result<Value, Failure> {
    Ok(match written {
        "null" => Value::Null,
        "true" => true.into(),
        "false" => false.into(),
        number if is_plain_decimal(number) => match parse_number(number) {
            Some(Ok(kind)) => Value::from_owned_node(Node::unplaced(kind)),
            Some(Err(error)) => return Err(out_of_range(key, number, error)),
            None => number.into(),
        },
        text => text.into(),
    })
}

/// `-?(0|[1-9][0-9]*)(\.[0-9]+)?`
fn is_plain_decimal(written: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = match written.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (written, None),
    };
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let padded = whole.len() > 1 && whole.starts_with('0');
    digits(whole) && !padded && fraction.is_none_or(digits)
}

fn out_of_range(key: &str, number: &str, error: NumberError) -> Failure {
    let (key, number) = (escape::name(key), escape::name(number));
    let (code, message) = match error {
        NumberError::OutOfRange => {
            (&codes::INTEGER_RANGE, format!("the integer `{number}` does not fit in 64 bits"))
        }
        NumberError::NotFinite => {
            (&codes::NUMBER_NOT_FINITE, format!("the number `{number}` is not finite"))
        }
    };
    let help = format!("to pass it as text, write `'{key}:=\"{number}\"'`");
    Failure::of(Diagnostic::new(code, Span::NONE, message).help(help))
}

/// The value of `KEY:=JSON`.
fn json(written: &str) -> Result<Value, Failure> {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "--context", written.as_bytes());
    let (node, problems) = parse(&sources, file, Format::Json, &Limits::default());
    match node.filter(|_| !problems.iter().any(Diagnostic::is_error)) {
        Some(node) => Ok(Value::from_owned_node(node)),
        None => {
            let help = "write text in quotes, as in `KEY:=\"text\"`, or use `KEY=text`";
            let problems = problems.into_iter().map(|problem| match problem.help {
                Some(_) => problem,
                None => problem.help(help),
            });
            Err(Failure::new(sources, problems.collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "this is a test")]

    use super::*;

    fn check(argument: &str, expected: &str) {
        let made = context(&[argument.to_owned()]).map(|context| context.to_string());
        assert_eq!(made.unwrap_or_else(|failure| failure.to_string()), expected, "{argument}");
    }

    #[test]
    fn numbers_booleans_and_null_are_themselves() {
        check("v=3", r#"{"v": 3}"#);
        check("v=-1.5", r#"{"v": -1.5}"#);
        check("v=0", r#"{"v": 0}"#);
        check("v=true", r#"{"v": true}"#);
        check("v=null", r#"{"v": null}"#);
    }

    #[test]
    fn other_text_is_taken_character_by_character() {
        for text in [
            "see issue # 12",
            "007",
            "-01",
            "1e3",
            "0x1f",
            "+3",
            ".5",
            "5.",
            "1.2.3",
            " padded ",
            "&a b",
            "*a",
            "!tag",
            "a: b",
            "[a, b]",
            "{a: b}",
            "",
            " ",
            "True",
            "NULL",
            "~",
            "-",
            "a=b",
            "'quoted'",
            "two\nlines\n",
            "\r\n",
            "| block",
            "- item",
            "3 ",
        ] {
            let made = context(&[format!("v={text}")]).unwrap();
            assert_eq!(made.get("v").and_then(Value::as_text), Some(text), "{text:?}");
        }
    }

    #[test]
    fn json_gives_any_value() {
        check(r#"v:="3""#, r#"{"v": "3"}"#);
        check(r#"a.b:=[1, {"c": null}]"#, r#"{"a": {"b": [1, {"c": null}]}}"#);
        check("v:=1e3", r#"{"v": 1000.0}"#);
        assert!(context(&["v:=terse".to_owned()]).is_err());
        assert!(context(&["v:=".to_owned()]).is_err());
    }

    #[test]
    fn a_quoted_key_may_contain_an_equals_sign() {
        check(r#"a["x=y"]=1"#, r#"{"a": {"x=y": 1}}"#);
        check(r#"a["x\"=y"]=z="#, r#"{"a": {"x\"=y": "z="}}"#);
        check(r#"a["x:="]:=[1]"#, r#"{"a": {"x:=": [1]}}"#);
    }
}
