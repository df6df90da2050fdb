use proptest::prelude::*;

use super::*;

/// The delta of a text to a base, and that it leads back.
fn check(base: &str, text: &str) -> usize {
    let (base, text) = (base.as_bytes(), text.as_bytes());
    let searched = Base::new(base).delta(text);
    let delta = delta(base, text);
    for delta in [&searched, &delta] {
        assert_eq!(apply(base, delta, text.len()).as_deref(), Some(text));
    }
    delta.len()
}

/// Text that does not repeat itself.
fn noise(len: usize) -> String {
    let mut seed = 7_u32;
    let letters = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'a' + u8::try_from(seed >> 27).unwrap_or_default() % 26)
    });
    letters.take(len).collect()
}

#[test]
fn texts_that_share_nothing_are_inserted() {
    assert_eq!(check("", ""), 0);
    assert_eq!(check("", "abc"), 4);
    assert_eq!(check("abc", ""), 0);
    assert!(check(&noise(500), &"x".repeat(300)) <= 303);
}

#[test]
fn a_large_value_between_small_changes_is_copied() {
    let value = noise(1_000_000);
    let state = |turn: u32| format!(r#"{{"turn":{turn},"notes":"{value}","last":{}}}"#, turn * 3);
    assert!(check(&state(1), &state(2)) < 60);
    assert!(check(&state(9), &state(10)) < 60);
}

#[test]
fn a_text_that_differs_in_one_place_is_two_copies_and_the_difference() {
    let (before, after) = (noise(300), noise(200).to_uppercase());
    let base = format!("{before}12{after}");
    for (text, expected) in [
        (base.clone(), 3),
        (format!("{before}345{after}"), 3 + 4 + 4),
        (format!("{before}{after}"), 3 + 4),
        (format!("{before}12{after}!"), 3 + 2),
        (format!("!{before}12{after}"), 2 + 3),
        (format!("{before}12"), 3),
        (after.clone(), 4),
    ] {
        assert_eq!(check(&base, &text), expected, "{text}");
        assert!(one_edit(base.as_bytes(), text.as_bytes()).is_some(), "{text}");
    }
    // What is long is looked for.
    let text = format!("{before}{before}{after}");
    assert_eq!(one_edit(base.as_bytes(), text.as_bytes()), None);
    assert!(check(&base, &text) < 20);
}

#[test]
fn a_hash_that_is_moved_is_the_hash_of_the_next_block() {
    let text = noise(2 * BLOCK);
    let text = text.as_bytes();
    let mut hash = Rolling::new(&text[..BLOCK]);
    for at in 1..=BLOCK {
        hash.roll(text[at - 1], text[at - 1 + BLOCK]);
        assert_eq!(hash.value(), Rolling::new(&text[at..at + BLOCK]).value(), "{at}");
    }
}

#[test]
fn what_moved_is_copied() {
    let (one, two) = (noise(2000), "the harbour at night, seen from the lamp room".repeat(3));
    let base = format!("{one}{two}");
    assert!(check(&base, &format!("{two}{one}")) < 40);
    assert!(check(&base, &format!("{one}!{one}!{one}")) < 40);
}

#[test]
fn a_base_that_repeats_itself_takes_no_longer() {
    let base = "a".repeat(200_000);
    let text = format!("{}b{}", "a".repeat(99_999), "a".repeat(99_999));
    assert!(check(&base, &text) < 40);
    // Only short repetitions, each of them everywhere.
    check(&base, &"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab".repeat(3000));
}

#[test]
fn what_is_no_delta_is_refused() {
    let bad: [&[u8]; 6] = [
        &[0x81],                                                       // a number that does not end
        &[2],     // an insertion without its bytes
        &[3],     // a copy without its place
        &[21, 0], // ten bytes of a base of five
        &[3, 9],  // a place outside
        &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], // a number that is too large
    ];
    for delta in bad {
        assert_eq!(apply(b"12345", delta, 100), None, "{delta:?}");
    }
    // However often it is copied, the limit holds.
    assert_eq!(apply(b"12345", &[11, 0, 11, 0], 9), None);
    assert_eq!(apply(b"12345", &[11, 0, 11, 0], 10).as_deref(), Some(&b"1234512345"[..]));
}

proptest! {
    #[test]
    fn a_delta_leads_back(
        parts in prop::collection::vec("[ab]{0,40}|[a-z]{0,90}", 0..8),
        order in prop::collection::vec((0..8_usize, "[a-z]{0,4}"), 0..12),
    ) {
        let base = parts.concat();
        let part = |(at, new): &(usize, String)| {
            parts.get(*at).cloned().unwrap_or_default() + new
        };
        let text: String = order.iter().map(part).collect();
        check(&base, &text);
    }

    #[test]
    fn no_bytes_break_it(base in prop::collection::vec(any::<u8>(), 0..99), delta in prop::collection::vec(any::<u8>(), 0..99)) {
        let made = apply(&base, &delta, 500);
        prop_assert!(made.is_none_or(|made| made.len() <= 500));
    }
}
