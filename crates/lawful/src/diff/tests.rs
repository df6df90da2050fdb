#![allow(clippy::format_collect, reason = "this is a test")]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// Applies a comparison to the old list, and checks that what it calls equal is.
fn applied<T: Copy + Eq + std::fmt::Debug>(old: &[T], new: &[T], compared: &Comparison) -> Vec<T> {
    let (mut out, mut at) = (Vec::new(), 0);
    for change in &compared.changes {
        assert!(!change.old.is_empty() || !change.new.is_empty());
        out.extend(&old[at..change.old.start]);
        out.extend(&new[change.new.clone()]);
        at = change.old.end;
    }
    out.extend(&old[at..]);
    assert!(compared.matches().all(|(x, y)| old[x] == new[y]));
    out
}

/// The length of a longest common subsequence.
fn longest(old: &[u8], new: &[u8]) -> usize {
    let mut row = vec![0; new.len() + 1];
    for a in old {
        let mut corner = 0;
        for (at, b) in new.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b { corner + 1 } else { above.max(row[at]) };
            corner = above;
        }
    }
    row[new.len()]
}

proptest! {
    #[test]
    fn a_diff_turns_the_old_list_into_the_new_one(
        old in prop::collection::vec(0_u8..6, 0..40),
        new in prop::collection::vec(0_u8..6, 0..40),
        fuel in 0_usize..300,
    ) {
        prop_assert_eq!(applied(&old, &new, &compare_within(&old, &new, fuel)), new);
    }

    #[test]
    fn with_enough_fuel_a_diff_is_shortest(
        old in prop::collection::vec(0_u8..6, 0..40),
        new in prop::collection::vec(0_u8..6, 0..40),
    ) {
        let compared = compare(&old, &new);
        prop_assert!(!compared.coarse);
        prop_assert_eq!(compared.matches().count(), longest(&old, &new));
    }

    #[test]
    fn only_equal_texts_have_no_diff(old in "[ab\u{a0}\r\n]{0,12}", new in "[ab\u{a0}\r\n]{0,12}") {
        let diff = UnifiedDiff::new(("a", &old), ("b", &new), 1);
        prop_assert_eq!(diff.is_empty(), old == new);
    }

    #[test]
    fn a_change_never_looks_like_none(
        old in "[ae \u{a0}\u{301}é\u{200d}]{0,6}",
        new in "[ae \u{a0}\u{301}é\u{200d}]{0,6}",
    ) {
        prop_assume!(old != new);
        let diff = UnifiedDiff::new(("a", &format!("{old}\n")), ("b", &format!("{new}\n")), 0);
        let text = diff.for_people();
        let lines: Vec<&str> = text.lines().skip(3).collect();
        let [removed, added] = lines.as_slice() else { panic!("{text}") };
        let seen = |line: &str| visible::look(line.trim_start_matches(['-', '+']));
        prop_assert_ne!(seen(removed), seen(added), "{}", text);
    }
}

fn unified(old: &str, new: &str) -> UnifiedDiff {
    UnifiedDiff::new(("old", old), ("new", new), 1)
}

#[test]
fn hunks_are_numbered_from_one_and_show_the_lines_around() {
    let (old, new) = ("a\nb\nc\nd\ne\nf\n", "a\nB\nc\nd\ne\nf\ng\n");
    assert_eq!(
        unified(old, new).to_string(),
        "--- old\n+++ new\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -6 +6,2 @@\n f\n+g\n"
    );
    assert_eq!(unified("", "a\n").to_string(), "--- old\n+++ new\n@@ -0,0 +1 @@\n+a\n");
}

#[test]
fn a_missing_end_of_line_is_a_change() {
    assert_eq!(
        unified("a", "a\n").to_string(),
        "--- old\n+++ new\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"
    );
}

#[test]
fn an_added_paragraph_is_shown_whole() {
    let diff = unified("a\n\nc\n", "a\n\nb\n\nc\n").to_string();
    assert_eq!(diff, "--- old\n+++ new\n@@ -2,2 +2,4 @@\n \n+b\n+\n c\n");
}

#[test]
fn what_looks_alike_is_shown_as_escapes() {
    let check = |old: &str, new: &str, expected: &str| {
        let shown = unified(old, new).for_people();
        let lines: Vec<&str> = shown.lines().skip(3).collect();
        assert_eq!(lines.join("\n"), expected);
    };
    check("a b\n", "a\u{a0}b\n", "-a b\n+a\\u{a0}b");
    check("caf\u{e9}!\n", "cafe\u{301}!\n", "-caf\\u{e9}!\n+cafe\\u{301}!");
    check("one\r\ntwo\n", "one\ntwo\n", "-one\\r\n+one\n two");
    check("end\n", "end  \n", "-end\n+end\\u{20}\\u{20}");
    check("a\u{200d}b\n", "ab\n", "-a\\u{200d}b\n+ab");
    // A change that can be seen is left as it is.
    check("caf\u{e9} au\u{a0}lait\n", "th\u{e9}\n", "-caf\u{e9} au\u{a0}lait\n+th\u{e9}");
}

/// A text of words that repeat, without a pattern that a diff could use.
fn noise(seed: u64, lines: usize, words: u64) -> String {
    let mut state = seed;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % words
    };
    (0..lines).map(|_| format!("line {}\n", next())).collect()
}

#[test]
fn texts_that_share_nothing_are_compared_without_a_search() {
    let text = |word: &str| (0..20_000).map(|n| format!("{word} {n}\n\n")).collect::<String>();
    let diff = unified(&text("old"), &text("new"));
    assert!(!diff.is_coarse());
    assert!(diff.lines().any(|line| line == "-old 19999"));
}

#[test]
fn past_the_fuel_a_diff_is_coarse_and_says_so() {
    let (old, new) = (noise(1, 20_000, 50), noise(2, 20_000, 50));
    let diff = unified(&old, &new);
    assert!(diff.is_coarse());
    assert!(diff.for_people().starts_with("coarse diff: "));
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    assert_eq!(applied(&old, &new, &compare(&old, &new)), new);
}

#[test]
fn unique_lines_keep_a_large_diff_readable() {
    // Each section is short, but together they take more than the fuel.
    let section =
        |n: usize, seed: u64| format!("== section {n}\n{}", noise(n as u64 * 2 + seed, 20, 4));
    let text = |seed| (0..2_000).map(|n| section(n, seed)).collect::<String>();
    let diff = unified(&text(0), &text(1));
    assert!(!diff.is_coarse());
    let headings: BTreeSet<String> =
        diff.lines().filter(|line| line.contains("== section")).collect();
    assert!(headings.iter().all(|line| line.starts_with(' ')), "{headings:?}");
}
