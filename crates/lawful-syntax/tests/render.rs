//! What people read, and what programs read.

#![allow(
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "this is a test"
)]

use lawful_syntax::render::{Style, human, to_json, view};
use lawful_syntax::{Diagnostic, Format, Limits, Sources, Span, codes, escape, parse, text};

fn check(name: &str, source: &str, expected: &str) {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, name, source.as_bytes());
    let (_, problems) = parse(&sources, file, Format::of(name), &Limits::default());
    assert_eq!(human(&problems, &sources, Style::Plain), expected);
}

#[test]
fn a_diagnostic_shows_its_line_and_a_way_out() {
    check(
        "a.yaml",
        "tone: terse\nlevel: 3\ntone: warm\n",
        "error[duplicate-key]: duplicate key `tone`
 --> a.yaml:3:1
  |
3 | tone: warm
  | ^^^^
 ::: a.yaml:1:1
  |
1 | tone: terse
  | ---- first used here
  |
  = help: remove one of them, or rename it

",
    );
}

#[test]
fn a_span_over_many_lines_is_marked_to_the_end_of_its_first() {
    check(
        "a.yaml",
        "? [a,\n   b]\n: c\n",
        "error[non-string-key]: a key must be a string, but this is a list
 --> a.yaml:1:3
  |
1 | ? [a,
  |   ^^^
  |
  = help: write a string as the key

",
    );
}

#[test]
fn a_long_line_is_cut_to_a_window_and_keeps_its_column() {
    let line = format!("{{\"{}\": 1, \"b\": nope, \"{}\": 2}}", "a".repeat(300), "c".repeat(300));
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "a.json", line.as_bytes());
    let (_, problems) = parse(&sources, file, Format::Json, &Limits::default());
    let shown = human(&problems, &sources, Style::Plain);
    assert!(shown.contains("--> a.json:1:314"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() < 200), "{shown}");
    let lines: Vec<&str> = shown.lines().collect();
    let caret = lines.iter().find(|line| line.contains('^')).unwrap().find('^').unwrap();
    let source = lines.iter().find(|line| line.starts_with("1 | ")).unwrap();
    let under: String = source.chars().skip(caret).take(4).collect();
    assert_eq!(under, "nope", "{shown}");
}

#[test]
fn hostile_source_and_names_are_escaped() {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "a\u{1b}[31m.yaml", "k: \u{202e}x\u{1b}y\n".as_bytes());
    let span = Span::new(file, 6, 7);
    let problem = Diagnostic::new(&codes::YAML_SYNTAX, span, "bad\n\u{7}").help("do\rthis");
    let shown = human(std::slice::from_ref(&problem), &sources, Style::Plain);
    assert_eq!(
        shown,
        "error[yaml-syntax]: bad\\n\\u{7}
 --> a\\u{1b}[31m.yaml:1:5
  |
1 | k: \\u{202e}x\\u{1b}y
  |            ^
  |
  = help: do\\rthis

"
    );
    let json = to_json(&view(&problem, &sources)).unwrap();
    assert!(!json.contains(|c: char| c != '\n' && escape::is_unsafe(c)), "{json}");
    let back: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(back["message"], "bad\n\u{7}");
    assert_eq!(back["file"], "a\u{1b}[31m.yaml");
}

#[test]
fn a_problem_without_a_place_is_still_shown() {
    let problem = Diagnostic::new(&codes::TOO_LARGE, Span::NONE, "too much");
    let sources = Sources::default();
    let shown = human(std::slice::from_ref(&problem), &sources, Style::Plain);
    assert_eq!(shown, "error[too-large]: too much\n\n");
    assert_eq!(view(&problem, &sources).file, None);
}

#[test]
fn colours_are_only_drawn_when_asked_for() {
    let problem = Diagnostic::new(&codes::TOO_LARGE, Span::NONE, "too much");
    let sources = Sources::default();
    let coloured = human(std::slice::from_ref(&problem), &sources, Style::Colour);
    assert!(coloured.contains("\u{1b}["));
}
