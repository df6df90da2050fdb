//! Parses bytes as an envelope, and judges it by a rulespec with every rule.
//!
//! Checks these properties: there is an envelope or an error; the fast path for lines, which keeps
//! no places, gives the same facts as the slow one; and every verdict has the properties of
//! `lawful_fuzz::verdict`.

#![no_main]

use std::sync::LazyLock;

use lawful::Value;
use lawful::cond::Registry;
use lawful::syntax::{Format, Limits, Node, Sources, parse_json};
use lawful::verify::{Envelope, Facts, Rulespec};
use lawful_fuzz::verdict::{check_verdict, limits};
use lawful_fuzz::{add, check_problems, has_error, read, read_clean};
use libfuzzer_sys::fuzz_target;

static LAW: LazyLock<(Rulespec, Sources)> = LazyLock::new(|| {
    let mut sources = Sources::default();
    let node = read_clean(&mut sources, include_str!("../rulespec.yaml"), Format::Yaml);
    let node = node.expect("it is sound");
    let (rulespec, problems) = Rulespec::decode(&node, &sources, &Registry::default(), &limits());
    (rulespec.unwrap_or_else(|| panic!("{problems:?}")), sources)
});

fuzz_target!(|bytes: &[u8]| {
    let mut sources = LAW.1.clone();
    let Some(file) = add(&mut sources, bytes) else { return };
    for format in [Format::Yaml, Format::Json] {
        let (node, problems) = read(&sources, file, format, &Limits::default());
        let node = node.filter(|_| !has_error(&problems));
        let decoded = node.as_ref().map(Envelope::decode);
        let facts = node.as_ref().map(Envelope::decode_facts);
        for envelope in [&decoded, &facts].into_iter().flatten() {
            judge(envelope, &sources);
        }
        if format == Format::Json {
            check_quick(bytes, node.as_ref());
        }
    }
});

fn judge(envelope: &Result<Envelope, Vec<lawful::syntax::Diagnostic>>, sources: &Sources) {
    match envelope {
        Ok(envelope) => {
            let facts = Facts { said: &envelope.facts, seen: None };
            assert!(matches!(envelope.facts, Value::Map(_)));
            check_verdict(&LAW.0, envelope, facts, sources);
        }
        Err(problems) => {
            assert!(has_error(problems), "no envelope, and no error");
            check_problems(sources, problems);
        }
    }
}

/// The fast path for lines.
fn check_quick(bytes: &[u8], node: Option<&Node>) {
    // Text is normalized before it is parsed to a node. Lines are not.
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if text.starts_with('\u{feff}') || text.contains('\r') {
        return;
    }
    let quick: Option<Value> = parse_json(text, &Limits::default());
    let quick = quick.and_then(Envelope::from_value);
    let slow = node.and_then(|node| Envelope::decode(node).ok());
    let facts = |envelope: Option<Envelope>| envelope.map(|envelope| envelope.facts);
    assert_eq!(facts(quick), facts(slow), "two ways to read one line");
}
