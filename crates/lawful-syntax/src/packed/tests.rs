use proptest::prelude::*;

use super::*;
use crate::{Format, Limits, Sources, parse, text};

/// A document and what it is parsed to.
fn parsed(document: &str) -> (FileId, Node) {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "a.yaml", document.as_bytes());
    let (node, problems) = parse(&sources, file, Format::Yaml, &Limits::default());
    assert!(problems.is_empty(), "{problems:?}");
    (file, node.unwrap())
}

fn packed(node: &Node) -> Vec<u8> {
    let mut bytes = Vec::new();
    pack(node, &mut bytes);
    bytes
}

/// The whole tree with its places, as text: equality of nodes ignores places.
fn shown(node: &Node) -> String {
    format!("{node:?}")
}

fn check(document: &str) {
    let (file, node) = parsed(document);
    let bytes = packed(&node);
    let mut rest = &*bytes;
    let unpacked = unpack(&mut rest, file, 64).unwrap();
    assert_eq!(shown(&unpacked), shown(&node));
    assert!(rest.is_empty());
}

#[test]
fn a_tree_is_the_same_afterwards() {
    check("a: [1, -9223372036854775808, 2.5, true, false, ~, 'ü', '']\nb: {c: {d: []}, e: {}}");
    check("- &x\n  long: |\n    two\n    lines\n- *x\n- [*x, *x]\n");
    check("just text");
}

#[test]
fn a_tree_that_is_too_deep_is_refused() {
    let (file, node) = parsed("[[[1]]]");
    let bytes = packed(&node);
    assert!(unpack(&mut &*bytes, file, 4).is_some());
    assert!(unpack(&mut &*bytes, file, 3).is_none());
}

#[test]
fn a_part_of_a_tree_is_none() {
    let (file, node) = parsed("a: [1, 2.5, text, {b: null}]");
    let bytes = packed(&node);
    for end in 0..bytes.len() {
        assert!(unpack(&mut &bytes[..end], file, 64).is_none(), "{end}");
    }
}

#[test]
fn a_huge_count_asks_for_no_memory() {
    let (file, _) = parsed("a");
    let mut bytes = vec![LIST, 0, 0];
    bytes.extend([0xff; 8]);
    bytes.push(0x7f);
    assert!(unpack(&mut &*bytes, file, 64).is_none());
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let (file, _) = parsed("a");
        let _ = unpack(&mut &*bytes, file, 64);
    }

    #[test]
    fn changed_bytes_are_read(at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let (file, node) = parsed("a: [1, 2.5, text, {b: null}]");
        let mut bytes = packed(&node);
        *at.get_mut(&mut bytes) = to;
        let _ = unpack(&mut &*bytes, file, 64);
    }
}
