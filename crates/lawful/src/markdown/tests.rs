use proptest::prelude::*;

use super::*;

/// Each line as a letter: `1` to `6` a heading, `-` the rest of one, `#` code, `<` HTML,
/// `.` text.
fn check(text: &str, expected: &str) {
    let letter = |line: &Line| match line {
        Line::Heading { depth, .. } => depth.to_string(),
        Line::HeadingRest => "-".to_owned(),
        Line::Code => "#".to_owned(),
        Line::Html => "<".to_owned(),
        Line::Text => ".".to_owned(),
    };
    let found: String = lines(text).iter().map(letter).collect();
    assert_eq!(found, expected, "{text}");
}

fn titles(text: &str, expected: &[&str]) {
    let found: Vec<String> = lines(text)
        .into_iter()
        .filter_map(|line| match line {
            Line::Heading { title, .. } => Some(title),
            Line::HeadingRest | Line::Code | Line::Html | Line::Text => None,
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn headings_have_marks_before_or_below_them() {
    check("# A\n   ## B\n    ## C\n####### D\n#E\n#", "12#..1");
    check("A\n===\n\nB\nb\n  -\n", "1-.2--");
}

#[test]
fn a_heading_says_what_stands_between_its_marks() {
    titles("## A ##\n## B#\n# \n## C # ##\nD\n*e*\n===\n", &["A", "B#", "", "C #", "D *e*"]);
}

#[test]
fn a_fence_is_closed_by_its_own_mark_at_least_as_long() {
    check("```\n# a\n~~~\n``\n````\n# b", "#####1");
    check("~~~ `x`\n# a\n```\n~~~\n# b", "####1");
    check("````\n```\n# a", "###");
    check("```make``` builds it\n# a", ".1");
    check("```\n# a\n    ```\n# b\n```  \n# c", "#####1");
    check("``` x\n``` x\n# a\n", "###");
}

#[test]
fn an_underline_needs_a_paragraph_above_it() {
    check("A\nb\n---\nC\n\n---\n- d\n---\n===\n", "2--......");
}

#[test]
fn what_is_in_a_list_or_a_quotation_is_inside() {
    check("- a\n  # b\n  ```\n# c", "...1");
    check("1. a\n\n   ## b\n## c", "...2");
    check("> # a\n> ```\n# b", "..1");
    check("- a\nb\n---\n# c", "...1");
    check("a\n2. b\n===\n", "1--");
}

#[test]
fn html_and_code_are_not_prose() {
    check("<!-- a\n# b\n-->\n# c", "<<<1");
    check("<!-- a -->\n# c", "<1");
    check("<details>\n# a\n\n# b", "<<.1");
    check("<https://a.b>\n===\n", "1-");
    check("<pre>\n\n# a\n</pre>\n# b", "<<<<1");
    check("a\n\n    # b\n\n# c", "..#.1");
}

proptest! {
    #[test]
    fn every_line_is_something(text in "([-#=`~>*1. \ta\n<]|<!--|```|~~~| {4}){0,40}") {
        prop_assert_eq!(lines(&text).len(), text.lines().count());
    }
}
