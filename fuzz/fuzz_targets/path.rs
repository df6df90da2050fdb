//! Parses text as a path.
//!
//! Checks these properties: a path prints to a text that parses to the same path; an error points
//! between characters; and evaluating a path never panics for any document.

#![no_main]

use std::ops::ControlFlow;
use std::sync::LazyLock;

use lawful::{Path, Value};
use libfuzzer_sys::fuzz_target;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    r#"
a: {b: {c: [1, 2.5, {d: x}], a: null}, "": empty, "*": star, "x.y": dotted}
b: [[1, 2], [], 3, null, {a: [{a: 1}, {b: 2}]}]
c: null
"0": zero
"#
    .parse()
    .expect("a document")
});

fuzz_target!(|text: &str| {
    match Path::parse(text) {
        Ok(path) => {
            let printed = path.to_string();
            assert_eq!(Path::parse(&printed).as_ref(), Ok(&path), "{printed:?}");
            assert!(!path.segments().is_empty());
            check_slots(&path);
        }
        Err(error) => {
            assert!(text.get(error.at.clone()).is_some(), "{:?} in {text:?}", error.at);
            assert!(!error.message.is_empty() && !error.help.is_empty());
        }
    }
});

fn check_slots(path: &Path) {
    let mut slots = Vec::new();
    let flow: ControlFlow<()> = path.visit(&DOCUMENT, &mut |slot| {
        slots.push(slot);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    assert!(slots.iter().flatten().all(|value| value.present().is_some()), "a slot is null");
    if path.is_wild() {
        assert_eq!(path.get(&DOCUMENT), None);
    } else {
        assert_eq!(slots, [path.get(&DOCUMENT)]);
    }
    let mut seen = 0;
    let stopped = path.visit(&DOCUMENT, &mut |_| {
        seen += 1;
        ControlFlow::Break(())
    });
    assert_eq!((stopped.is_break(), seen), if slots.is_empty() { (false, 0) } else { (true, 1) });
}
