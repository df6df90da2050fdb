use super::*;

/// What lenient reading makes of a text: the value and the codes of its problems.
fn lenient(text: &str) -> (Option<String>, Vec<&'static str>) {
    let limits = Limits { depth: 3, bytes: 20, ..Limits::default() };
    let (node, problems) = parse_json_leniently::<Node>(text, Span::NONE.file, &limits);
    for problem in &problems {
        let is_kept = problem.is_error() || problem.code == &codes::LONE_SURROGATE;
        assert_eq!(is_dropped(problem), !is_kept);
        assert!(!problem.is_error() || node.is_none());
    }
    let codes = problems.iter().map(|problem| problem.code.name).collect();
    (node.map(|node| node.describe()), codes)
}

#[test]
fn a_lone_surrogate_that_is_sent_becomes_a_replacement_character() {
    let replaced = |text: &str| match lenient(text) {
        (Some(value), codes) if codes == ["lone-surrogate"] => value,
        other => panic!("{other:?}"),
    };
    assert_eq!(replaced(r#""a\ud83d""#), "\"a\u{fffd}\"");
    assert_eq!(replaced(r#""\ude00b""#), "\"\u{fffd}b\"");
    assert_eq!(replaced(r#""\ud83d\u0041""#), "\"\u{fffd}A\"");
    assert_eq!(replaced(r#""\ud83d\ud83d\ude00""#), "\"\u{fffd}\u{1f600}\"");
    assert_eq!(lenient(r#""\ud83d\ude00""#), (Some("\"\u{1f600}\"".to_owned()), vec![]));
    // A file is read strictly.
    assert!(parse_json::<Node>(r#""a\ud83d""#, &Limits::default()).is_none());
}

#[test]
fn a_bad_value_that_is_sent_costs_only_itself() {
    let cases = [
        ("[1, [[[2]]], 3]", "too-deep"),
        (r#"[1, [[{"a": "}]\""}]], 3]"#, "too-deep"),
        ("[1, 99999999999999999999, 3]", "integer-range"),
        ("[1, 1e999, 3]", "number-not-finite"),
        (r#"[1, "aaaaaaaaaaaaaaaaaaaaaaaaa", 3]"#, "too-large"),
    ];
    for (text, code) in cases {
        let limits = Limits { depth: 3, bytes: 20, ..Limits::default() };
        let (node, _) = parse_json_leniently::<Node>(text, Span::NONE.file, &limits);
        let kinds: Vec<Kind> =
            node.unwrap().as_list().unwrap().iter().map(|node| node.kind.clone()).collect();
        assert!(matches!(kinds.first(), Some(Kind::Int(1))), "{text}");
        assert!(matches!(kinds.last(), Some(Kind::Int(3))), "{text}");
        assert_eq!(kinds.len(), 3, "{text}");
        assert_eq!(lenient(text).1, [code]);
    }
    assert_eq!(lenient("[[[[1]]]").1, ["too-deep", "json-syntax"]);
    assert_eq!(lenient("[[[[1").1, ["json-syntax"]);
}

#[test]
fn skipping_a_deep_value_does_not_use_the_stack() {
    let text = format!("[{}{}, 1]", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let (node, problems) = parse_json_leniently::<Node>(&text, Span::NONE.file, &Limits::default());
    assert_eq!(node.unwrap().as_list().unwrap().len(), 2);
    assert_eq!(problems.len(), 1);
}

#[test]
fn whatever_ends_a_run_of_plain_bytes_is_found_wherever_it_stands() {
    for end in [b'"', b'\\', 0, 0x1f] {
        for before in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xff] {
            for length in 0..24 {
                let mut bytes = vec![before; length];
                assert_eq!(plain_bytes(&bytes), length);
                bytes.extend([end, before, end]);
                assert_eq!(plain_bytes(&bytes), length);
            }
        }
    }
}
