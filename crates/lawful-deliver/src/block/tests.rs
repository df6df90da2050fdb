use proptest::prelude::*;

use super::*;

fn only(file: &str) -> Found {
    let mut found = blocks(file).unwrap();
    assert_eq!(found.len(), 1, "{file}");
    found.remove(0)
}

fn broken(file: &str) -> String {
    blocks(file).unwrap_err().to_string()
}

#[test]
fn a_block_goes_to_the_end_and_is_updated_in_place() {
    let (file, _) = append("# Mine\n", "law", "first\nsecond");
    assert_eq!(
        file,
        "# Mine\n\n<!-- lawful:begin law 4252f8d56b4bb236 by `lawful install`; edit the lawbook, not this -->\n\
         first\nsecond\n<!-- lawful:end law -->\n"
    );
    let file = format!("{file}after\n");
    assert!(only(&file).is_whole());
    let updated = replace(&file, &only(&file), "law", "third");
    assert_eq!(only(&updated).text, "third");
    assert!(updated.starts_with("# Mine\n\n<!--") && updated.ends_with("-->\nafter\n"));
}

#[test]
fn an_edit_inside_shows() {
    let (file, _) = append("", "law", "be kind");
    assert!(only(&file).is_whole());
    assert!(only(&file.replace('\n', "\r\n")).is_whole(), "line ends are no edit");
    assert!(!only(&file.replace("kind", "rude")).is_whole());
}

#[test]
fn what_does_not_pair_up_is_said_and_left() {
    let begin = "<!-- lawful:begin a 0 -->\n";
    let end = "<!-- lawful:end a -->\n";
    let other = "# >>> predicate conditioning block >>>\n";
    let other_end = "# <<< predicate conditioning block <<<\n";
    let cases = [
        (format!("x\n{begin}text\n"), "the block that begins in line 2 does not end"),
        (format!("{begin}{begin}{end}"), "a block begins in line 2, inside the block of line 1"),
        (format!("{begin}{end}{begin}{end}"), "the block `a` occurs twice, in lines 1 and 3"),
        (end.to_owned(), "line 1 ends a block that does not begin"),
        (format!("{begin}<!-- lawful:end b -->\n"), "line 2 ends a block that does not begin"),
        ("<!-- lawful:begin\n".to_owned(), "line 1 is a malformed begin or end of a block"),
        (format!("{other}text\n"), "the block that begins in line 1 does not end"),
        (
            format!("{other}{begin}{end}{other_end}"),
            "a block begins in line 2, inside the block of line 1",
        ),
        (
            format!("{begin}{other}{other_end}{end}"),
            "a block begins in line 2, inside the block of line 1",
        ),
        (other_end.to_owned(), "line 1 ends a block that does not begin"),
    ];
    for (file, expected) in cases {
        assert_eq!(broken(&file), expected, "{file}");
    }
}

#[test]
fn the_block_of_another_tool_is_text_like_any_other() {
    let file =
        "# >>> predicate conditioning block >>>\ntheirs\n# <<< predicate conditioning block <<<\n";
    assert_eq!(blocks(file), Ok(Vec::new()));
    let (with, separators) = append(file, "law", "ours");
    assert!(with.starts_with(file));
    assert_eq!(remove(&with, &only(&with), &separators), file);
}

#[test]
fn a_line_of_ours_in_a_text_is_known() {
    assert!(has_sentinel("a\n<!-- lawful:end x -->"));
    assert!(has_sentinel("# >>> predicate conditioning block >>>  \n"));
    assert!(!has_sentinel("see `<!-- lawful:begin -->`\n ## >>> predicate\n"));
}

fn lines() -> impl Strategy<Value = String> {
    let line = prop_oneof![Just("a"), Just(""), Just("# b"), Just("é")];
    let end = prop_oneof![Just("\n"), Just("\r\n")];
    (any::<bool>(), prop::collection::vec(line, 0..5), end, any::<bool>()).prop_map(
        |(mark, lines, end, last)| {
            let mark = if mark { "\u{feff}" } else { "" };
            format!("{mark}{}{}", lines.join(end), if last { end } else { "" })
        },
    )
}

proptest! {
    #[test]
    fn a_block_comes_and_goes_without_a_trace(file in lines(), first in lines(), second in lines()) {
        let text = |text: String| text.replace(['\r', '\u{feff}'], "");
        let (with, separators) = append(&file, "law", &text(first));
        let again = replace(&with, &only(&with), "law", &text(second.clone()));
        prop_assert!(only(&again).is_whole());
        prop_assert_eq!(only(&again).text, text(second));
        prop_assert_eq!(remove(&again, &only(&again), &separators), file);
    }

    #[test]
    fn what_others_write_around_it_stays(file in lines(), above in lines(), below in lines()) {
        let above = above.replace('\u{feff}', "") + "\n";
        let below = below.replace('\u{feff}', "");
        let (with, separators) = append(&file, "law", "text");
        let edited = format!("{above}{with}{below}");
        let left = remove(&edited, &only(&edited), &separators);
        let bare = |text: &str| text.replace(['\r', '\n'], "");
        prop_assert_eq!(bare(&left), bare(&format!("{above}{file}{below}")));
        if below.is_empty() {
            prop_assert_eq!(left, format!("{above}{file}"));
        }
    }
}
