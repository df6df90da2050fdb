//! `--context KEY=VALUE` and `--context @FILE`.

use std::path::Path as FilePath;

use lawful::syntax::{Format, Limits, Sources, Span, parse, text};
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
    let node = document(file, &mut sources, &mut problems);
    problems.retain(lawful::syntax::Diagnostic::is_error);
    let Some(node) = node.filter(|_| problems.is_empty()) else {
        return Err(Failure::new(sources, problems));
    };
    let Value::Map(map) = Value::from_owned_node(node) else {
        return Err(Failure::instead_of(file, |span: Span| {
            let message = "a context must be a mapping";
            lawful::syntax::Diagnostic::new(&lawful::code::WRONG_TYPE, span, message)
                .help("write `key: value`")
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
    let Some((key, written)) = argument.split_once('=') else {
        let message = format!("`--context {}` has no `=`", lawful::syntax::escape::name(argument));
        return Err(Failure::usage(message, "write `--context KEY=VALUE` or `--context @FILE`"));
    };
    let path = Path::parse(key).map_err(|error| {
        let message =
            format!("`{}` is not a valid key: {error}", lawful::syntax::escape::name(key));
        Failure::usage(message, error.help)
    })?;
    if path.is_wild() {
        let message = format!("`{path}` selects more than one value");
        return Err(Failure::usage(message, "write the whole list in a file and use `@FILE`"));
    }
    if !path.put(context, value(written)?) {
        let message = format!("`{path}` is inside a value that is not a mapping");
        return Err(Failure::usage(message, "make the outer key a mapping, or leave it out"));
    }
    Ok(())
}

/// A YAML scalar, a list or a mapping in brackets; anything else is plain text.
fn value(written: &str) -> Result<Value, Failure> {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "--context", written.as_bytes());
    let (node, problems) = parse(&sources, file, Format::Yaml, &Limits::default());
    let collection = written.trim_start().starts_with(['[', '{']);
    let refused = |code: &str| code == "integer-range" || code == "number-not-finite";
    if problems.iter().any(|problem| refused(problem.code.name)) {
        return Err(Failure::new(sources, problems));
    }
    Ok(match node.filter(|_| problems.is_empty()) {
        None if written.trim().is_empty() => Value::Null,
        None => written.into(),
        Some(node) if !collection && (node.as_map().is_some() || node.as_list().is_some()) => {
            written.into()
        }
        Some(node) => Value::from_owned_node(node),
    })
}
