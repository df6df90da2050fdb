use super::*;

fn file(path: &str, text: &str) -> TextFile {
    TextFile { path: path.to_owned(), text: text.to_owned() }
}

fn lines(violations: &[Violation]) -> Vec<usize> {
    violations.iter().map(|violation| violation.line).collect()
}

/// Checks on which lines of a file a rule is broken.
fn check(rule: fn(&TextFile) -> Vec<Violation>, path: &str, text: &str, expected: &[usize]) {
    assert_eq!(lines(&rule(&file(path, text))), expected, "{path}: {text}");
}

#[test]
fn a_violation_prints_as_a_place() {
    let violation = Violation::new(&file("a/b.rs", ""), 3, "too long");
    assert_eq!(violation.to_string(), "a/b.rs:3: too long");
}

#[test]
fn long_sources_are_refused() {
    let rule = layout::check_length;
    check(rule, "crates/lawful/src/a.rs", &"x\n".repeat(600), &[]);
    check(rule, "crates/lawful/src/a.rs", &"x\n".repeat(601), &[601]);
    check(rule, "crates/lawful-cli/src/a/b.rs", &"x\n".repeat(601), &[601]);
    check(rule, "xtask/src/a.rs", &"x\n".repeat(601), &[601]);
    check(rule, "crates/lawful/tests/a.rs", &"x\n".repeat(601), &[]);
    check(rule, "crates/lawful/src/a.txt", &"x\n".repeat(601), &[]);
}

#[test]
fn sources_open_with_what_they_are() {
    let rule = layout::check_opening;
    check(rule, "crates/lawful/src/a.rs", "//! A.\n", &[]);
    check(rule, "crates/lawful/src/a.rs", "use b;\n", &[1]);
    check(rule, "fuzz/src/lib.rs", "\n//! A.\n", &[1]);
    check(rule, "crates/lawful/src/a/tests.rs", "use b;\n", &[]);
    check(rule, "crates/lawful/src/tests/a.rs", "use b;\n", &[]);
    check(rule, "crates/lawful/tests/a.rs", "use b;\n", &[]);
    check(rule, "crates/lawful/src/a.md", "words\n", &[]);
}

#[test]
fn empty_names_are_refused() {
    let rule = layout::check_name;
    check(rule, "crates/lawful/src/utils.rs", "", &[1]);
    check(rule, "crates/lawful/src/common/mod.rs", "", &[1]);
    check(rule, "crates/lawful/src/common_law.rs", "", &[]);
    check(rule, "docs/common.md", "", &[]);
}

#[test]
fn emoji_are_refused_and_signs_are_not() {
    let rule = words::check_emoji;
    check(rule, "a.md", "fine\n\u{1f680} up\n", &[2]);
    check(rule, "a.md", "\u{2705}\n", &[1]);
    check(rule, "a.md", "heart \u{2665}\u{fe0f}\n", &[1]);
    check(rule, "a.md", "na\u{ef}ve \u{2014} \u{2192} \u{2026} \u{2713} \u{6f22}\n", &[]);
}

#[test]
fn leftovers_are_refused_as_whole_words() {
    let rule = words::check_leftovers;
    check(rule, "a.rs", &format!("ok\n// {}: later\n", concat!("TO", "DO")), &[2]);
    check(rule, "a.md", &format!("({})\n", concat!("FIX", "ME")), &[1]);
    check(rule, "a.md", &format!("{}\n", concat!("X", "XX")), &[1]);
    check(
        rule,
        "a.md",
        &format!("{}S {}_A a{}\n", concat!("TO", "DO"), concat!("X", "XX"), concat!("FIX", "ME")),
        &[],
    );
    check(rule, "a.rs", &format!("a.unwrap_or_default() {} lint\n", "//"), &[1]);
    check(rule, "a.rs", "a.unwrap_or_default()\n", &[]);
}

#[test]
fn places_of_one_machine_are_refused() {
    let rule = words::check_places;
    check(rule, "a.md", &format!("see {}me/x\n", "/ho"), &[1]);
    check(rule, "a.sh", &format!("cd \"{}rk/main\"\n", "/wo"), &[1]);
    check(rule, "a.toml", &format!("a = 1\nb = '{}ot/.cargo'\n", "/ro"), &[2]);
    check(rule, "a.md", &format!("docs{}rk/x and ..{}me/y\n", "/wo", "/ho"), &[]);
    check(rule, "a.md", &format!("https://crates{}/crates/x\n", ".io"), &[1]);
    check(rule, "a.md", &format!("pypi{}\n", ".org"), &[1]);
    check(rule, "fuzz/Cargo.lock", &format!("https://static.crates{}\n", ".io"), &[]);
}

#[test]
fn phrases_are_refused_where_they_are_checked() {
    let rule = words::check_phrases;
    let phrase = concat!("It come", "s to three.\n");
    check(rule, "docs/a.md", phrase, &[1]);
    check(rule, "README.md", &format!("Fine.\n{}\n", concat!("See for", " yourself.")), &[2]);
    check(rule, "examples/a/rules/b.yaml", phrase, &[1]);
    check(rule, "docs/a.md", concat!("It can be me", "nded.\n"), &[1]);
    check(rule, "docs/a.md", concat!("`me", "nded-variable` is a code.\n"), &[]);
    check(rule, "crates/lawful/src/react/a.rs", phrase, &[1]);
    check(rule, "docs/a.md", "We recommend an amendment.\n", &[]);
    check(rule, "docs/a.md", &format!("```console\n{phrase}```\n{phrase}"), &[4]);
    check(rule, "docs/a.md", &format!("- a\n\n  ````\n  ```\n{phrase}  ````\n"), &[]);
    check(rule, "docs/cli.md", phrase, &[]);
    check(rule, "benches/src/a.rs", phrase, &[]);
}

#[test]
fn links_lead_to_files_and_headings() {
    let page = "\
# A page
[file](../src/a.rs), [folder](../src/), [heading](#a-page), [other](b.md#why-x-is-y)
[gone](c.md) and [gone](b.md#other)
[out](../../x) but [far](https://example.org/x)
```text
[in a fence](nowhere)
```
";
    let files = [
        file("docs/a.md", page),
        file("docs/b.md", "## Why `x` is *y*\n"),
        file("src/a.rs", "// [not a page](nowhere)\n"),
    ];
    let found: Vec<String> = links::check(&files).iter().map(Violation::to_string).collect();
    assert_eq!(
        found,
        [
            "docs/a.md:3: the link `c.md` leads to no file",
            "docs/a.md:3: the link `b.md#other` leads to no heading",
            "docs/a.md:4: the link `../../x` leads to no file",
        ]
    );
}

#[test]
fn surfaces_do_not_know_each_other() {
    let rule = source::check_surfaces;
    check(
        rule,
        "crates/lawful/src/compose/a.rs",
        "use crate::value;\nuse crate::react::Rule;\n",
        &[2],
    );
    check(rule, "crates/lawful/src/compose/a.rs", "use crate::compose::Rule;\n", &[]);
    check(rule, "crates/lawful/src/react.rs", "fn f() { crate::verify::g() }\n", &[1]);
    check(rule, "crates/lawful/src/verify/a/b.rs", "use super::super::super::compose;\n", &[1]);
    check(rule, "crates/lawful/src/turn.rs", "use crate::{compose, react};\n", &[]);
    check(rule, "crates/lawful/src/verify/a.rs", "// as crate::react does\n", &[]);
    check(
        rule,
        "crates/lawful/src/verify/a.rs",
        "use crate::reaction;\nuse notcrate::react;\n",
        &[],
    );
    let group =
        "use crate::{\n    cond::{react, compose},\n    value::Value,\n    react::{Rule},\n};\n";
    check(rule, "crates/lawful/src/verify/a.rs", group, &[4]);
}

#[test]
fn the_disk_has_one_door() {
    let rule = source::check_disk;
    check(rule, "crates/lawful/src/cond/a.rs", "use std::fs;\n", &[1]);
    check(rule, "crates/lawful/src/cond/a.rs", "//! No std::fs.\nuse std::{io, fs::File};\n", &[2]);
    check(rule, "crates/lawful/src/cond/a.rs", "use std::{fmt, path::{self}};\n", &[]);
    check(rule, "crates/lawful/src/book/fs.rs", "use std::fs;\n", &[]);
    check(rule, "crates/lawful-cli/src/a.rs", "use std::fs;\n", &[]);
}

#[test]
fn libraries_do_not_print() {
    let rule = source::check_printing;
    check(
        rule,
        "crates/lawful/src/a.rs",
        "fn f() {\n    println!();\n    eprintln!();\n}\n",
        &[2, 3],
    );
    check(rule, "crates/lawful/src/a.rs", "/// println!(\"{a}\");\n", &[]);
    check(rule, "crates/lawful/src/a.rs", "my_println!();\n", &[]);
    check(rule, "crates/lawful/src/a/tests.rs", "println!();\n", &[]);
    check(rule, "crates/lawful/tests/spec/main.rs", "println!();\n", &[]);
    check(rule, "crates/lawful-cli/src/main.rs", "println!();\n", &[]);
    check(rule, "crates/lawful-host/src/a.rs", "println!();\n", &[1]);
    check(rule, "crates/lawful/examples/a.rs", "println!();\n", &[]);
    check(rule, "docs/a.md", "println!();\n", &[]);
}

#[test]
fn only_programs_parse_arguments_and_end_the_process() {
    let rule = source::check_front_end;
    let text = "use clap::Parser;\nfn f() {\n    std::process::exit(2);\n}\n";
    check(rule, "crates/lawful-host/src/a.rs", text, &[1, 3]);
    check(rule, "crates/lawful/src/a.rs", text, &[1, 3]);
    check(rule, "crates/lawful-host/src/a.rs", "// clap\nfn clapper() {}\n", &[]);
    check(rule, "crates/lawful-cli/src/main.rs", text, &[]);
    check(rule, "crates/lawful-nickel/src/main.rs", text, &[]);
    check(rule, "crates/lawful-store/tests/a.rs", text, &[]);
}

fn missing_rules(page: &str) -> Vec<String> {
    let found = spec::check_rules(&[file("spec/cond/a.md", page)]);
    found.iter().map(Violation::to_string).collect()
}

#[test]
fn every_rule_is_cited_by_a_heading() {
    let all = format!("# Everything ({})\n", spec::RULES.join(", "));
    assert_eq!(missing_rules(&all), Vec::<String>::new());
    let without = all.replace("2.9, ", "");
    assert_eq!(missing_rules(&without), ["spec:1: no heading cites rule 2.9; write `## … (2.9)`"]);
    let fenced = format!("{without}```\n# Not a heading (2.9)\n```\nnor this (2.9)\n");
    assert_eq!(missing_rules(&fenced).len(), 1);
    let other = format!("{all}## Words (see 9.9)\n## Later (7.4)\n## Unknown (9.9, 2.11)\n");
    assert_eq!(
        missing_rules(&other),
        [
            "spec/cond/a.md:4: there is no rule 9.9 in the semantics",
            "spec/cond/a.md:4: there is no rule 2.11 in the semantics"
        ]
    );
}

#[test]
fn rules_count_only_in_pages_of_the_specification() {
    let found = spec::check_rules(&[file("docs/a.md", "# Values (1.1)\n")]);
    assert!(found.iter().any(|violation| violation.message.contains("rule 1.1;")));
}

#[test]
fn every_code_is_shown_somewhere() {
    let syntax = "crate::declare_codes! {\n    TOO_LARGE = \"too-large\", Error, \"x\",\n        \"y\";\n    TOO_DEEP = \"too-deep\", Warning, \"x\",\n}\n";
    let own = "lawful_syntax::declare_codes! {\n    CYCLE = \"cycle\", Error, \"x\",\n}\n";
    let declared = || {
        vec![
            file("crates/lawful-syntax/src/codes.rs", syntax),
            file("crates/lawful/src/code.rs", own),
            file(
                "crates/lawful/src/other.rs",
                "const A: X = (\"a\", Error,);\nB = \"b\", Error,\n",
            ),
        ]
    };
    let places = |files: &[TextFile]| {
        let found = spec::check_codes(files);
        found.iter().map(|v| format!("{}:{}", v.path, v.line)).collect::<Vec<_>>()
    };
    assert_eq!(
        places(&declared()),
        [
            "crates/lawful-syntax/src/codes.rs:2",
            "crates/lawful-syntax/src/codes.rs:4",
            "crates/lawful/src/code.rs:2"
        ]
    );
    let mut files = declared();
    files.push(file("spec/a.md", "error[too-large]: too-deeply nested\n"));
    files.push(file("crates/lawful/src/cond/tests_more.rs", "\"cycle\"\n"));
    assert_eq!(places(&files), ["crates/lawful-syntax/src/codes.rs:4"]);
    files.push(file("crates/lawful-cli/tests/cmd/a.trycmd", "too-deep\n"));
    assert_eq!(places(&files), Vec::<String>::new());
}

#[test]
fn all_rules_run_and_are_sorted() {
    let files = [file("z/src/utils.rs", "x"), file("a.md", "\u{1f680}\n")];
    let found = super::check(&files);
    let placed: Vec<String> = found.iter().map(|v| format!("{}:{}", v.path, v.line)).collect();
    assert_eq!(placed.first().map(String::as_str), Some("a.md:1"));
    assert!(placed.contains(&"z/src/utils.rs:1".to_owned()));
    assert!(placed.contains(&"spec:1".to_owned()));
}
