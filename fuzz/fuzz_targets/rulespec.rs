//! Decodes a rulespec and an envelope, split at the first line `---`.
//!
//! Checks these properties: there is a rulespec or an error; a valid rulespec judges any envelope;
//! and every verdict has the properties of `lawful_fuzz::verdict`.

#![no_main]

use lawful::Value;
use lawful::cond::Registry;
use lawful::syntax::{Format, Sources};
use lawful::verify::{Envelope, Facts, Rulespec};
use lawful_fuzz::verdict::{check_verdict, limits};
use lawful_fuzz::{check_problems, has_error, read_clean};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    let (written, said) = input.split_once("\n---\n").unwrap_or((input, "facts: {}"));
    let mut sources = Sources::default();
    let Some(node) = read_clean(&mut sources, written, Format::Yaml) else { return };
    let (rulespec, problems) = Rulespec::decode(&node, &sources, &Registry::default(), &limits());
    check_problems(&sources, &problems);
    assert_eq!(rulespec.is_none(), has_error(&problems), "a rulespec, or an error: {problems:?}");
    let Some(rulespec) = rulespec else { return };

    let envelope = read_clean(&mut sources, said, Format::Yaml);
    let envelope = envelope.and_then(|node| Envelope::decode_facts(&node).ok());
    let nothing = Envelope { facts: "{}".parse().expect("a value"), ..Envelope::default() };
    let seen: Value = "{a: 1, list: [x, y], exit: 0}".parse().expect("a value");
    for envelope in envelope.iter().chain([&nothing]) {
        for seen in [None, Some(&seen)] {
            check_verdict(&rulespec, envelope, Facts { said: &envelope.facts, seen }, &sources);
        }
    }
});
