use proptest::prelude::*;

use super::*;

fn check(syntax: Syntax, before: &str, after: &str) {
    let (set_once, separators) = set(syntax, before, "style", "x").unwrap();
    assert_eq!(set_once, after);
    assert_eq!(set(syntax, &set_once, "style", "x").unwrap().0, after, "twice is once");
    let raw = get(syntax, before, "style").unwrap().map(|held| held.raw);
    assert_eq!(raw.is_some(), separators.is_none());
    let separators = separators.unwrap_or_default();
    let earlier = raw.as_deref().map_or(Earlier::Nothing(&separators), Earlier::Value);
    assert_eq!(put_back(syntax, &set_once, "style", earlier).unwrap(), before);
    // Line ends are not ours.
    let other = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
    let back = put_back(syntax, &other(&set_once), "style", earlier).unwrap();
    assert_eq!(back, other(before));
}

/// Sets a key, edits the file, and puts the key back.
fn edited(syntax: Syntax, before: &str, edit: (&str, &str), expected: &str) {
    let (with, separators) = set(syntax, before, "style", "x").unwrap();
    let now = with.replacen(edit.0, edit.1, 1);
    assert_ne!(now, with);
    let left = put_back(syntax, &now, "style", Earlier::Nothing(&separators.unwrap())).unwrap();
    assert_eq!(left, expected, "{now}");
    get(syntax, &left, "style").unwrap();
}

#[test]
fn what_others_edit_in_the_file_stays_as_they_wrote_it() {
    let json = |before: &str, edit: (&str, &str), expected: &str| {
        edited(Syntax::Json, before, edit, expected);
    };
    json("{ // keep\n  \"a\": 1\n}\n", ("1", "2"), "{ // keep\n  \"a\": 2\n}\n");
    json("{ /* x */ \"a\": 1 }", ("1", "2"), "{ /* x */ \"a\": 2 }");
    json("{\"a\": 1}", ("1", "2"), "{\"a\": 2}");
    json("{}", ("\"x\"", "\"x\",\n  \"a\": 1"), "{\n  \"a\": 1\n}");
    json("", ("\"x\"", "\"x\",\n  \"a\": 1"), "{\n  \"a\": 1\n}\n");
    json("", ("\"x\"", "\"x\" // why"), "{ // why\n}\n");
    json("{\"a\": 1}", ("\"x\", ", "\"x\" /* c */ , "), "{/* c */  \"a\": 1}");
    json(
        "{\n  \"a\": 1\n}",
        ("\n  \"style\": \"x\",\n", " // c\n  \"style\": \"x\","),
        "{ // c\n    \"a\": 1\n}",
    );
    // Ours is the last by now.
    json(
        "{\"a\": 1}",
        ("\"style\": \"x\", \"a\": 1", "\"a\": 1 /* , */, \"style\": \"x\""),
        "{\"a\": 1 /* , */ }",
    );
    let toml = |before: &str, edit: (&str, &str), expected: &str| {
        edited(Syntax::Toml, before, edit, expected);
    };
    toml("a = 1", ("\"x\"\n", "\"x\"\nb = 2\n"), "a = 1\nb = 2\n");
    toml("a = 1\n", ("\"x\"", "\"x\" # why"), "a = 1\n # why\n");
    edited(Syntax::Env, "A=1", ("style=x\n", "style=x\nB=2\n"), "A=1\nB=2\n");
    edited(Syntax::Env, "A=1", ("A=1", "A=2"), "A=2");
}

#[test]
fn a_key_of_json_is_set_with_comments_kept() {
    let json = |before: &str, after: &str| check(Syntax::Json, before, after);
    json("", "{\n  \"style\": \"x\"\n}\n");
    json("{}", "{\n  \"style\": \"x\"\n}");
    json("{ \"a\": 1 }", "{ \"style\": \"x\", \"a\": 1 }");
    json(
        "{\n  // mine\n  \"a\": 1,\n  \"style\": \"old\", // why\n}\n",
        "{\n  // mine\n  \"a\": 1,\n  \"style\": \"x\", // why\n}\n",
    );
    json("{\n  // mine\n  \"a\": 1,\n}\n", "{\n  \"style\": \"x\",\n  // mine\n  \"a\": 1,\n}\n");
    json("\u{feff}{\r\n  \"a\": 1\r\n}", "\u{feff}{\r\n  \"style\": \"x\",\r\n  \"a\": 1\r\n}");
    json("{\n  /* c */ \"a\": 1\n}", "{\n  \"style\": \"x\",\n  /* c */ \"a\": 1\n}");
    json("{\"style\": [1, 2]}", "{\"style\": \"x\"}");
}

#[test]
fn a_key_of_toml_goes_before_the_tables() {
    let toml = |before: &str, after: &str| check(Syntax::Toml, before, after);
    toml("", "style = \"x\"\n");
    toml("a = 1 # one\n\n[t]\nb = 2\n", "a = 1 # one\nstyle = \"x\"\n\n[t]\nb = 2\n");
    toml("# head\r\n[t]\r\nb = 2\r\n", "style = \"x\"\r\n# head\r\n[t]\r\nb = 2\r\n");
    toml("style = 'old' # why\na = [\n1,\n]", "style = \"x\" # why\na = [\n1,\n]");
    toml("a = 1", "a = 1\nstyle = \"x\"\n");
}

#[test]
fn a_name_of_an_env_file_is_set() {
    let env = |before: &str, after: &str| check(Syntax::Env, before, after);
    env("", "style=x\n");
    env("A=1", "A=1\nstyle=x\n");
    env("export style='old'\r\nB=2\r\n", "export style=x\r\nB=2\r\n");
    assert!(set(Syntax::Env, "style=1\nstyle=2\n", "style", "x").is_err());
}

#[test]
fn broken_settings_are_said_to_be() {
    for (syntax, file) in [
        (Syntax::Json, "{\"a\": "),
        (Syntax::Json, "[]"),
        (Syntax::Json, "{\"style\": 1, \"style\": 2}"),
        (Syntax::Toml, "a = "),
        (Syntax::Toml, "[style]\na = 1\n"),
    ] {
        assert!(set(syntax, file, "style", "x").is_err(), "{file}");
    }
}

proptest! {
    #[test]
    fn any_text_comes_back_from_toml(text in "[ -~\n\t'\"\\\\é\u{1}]{0,40}") {
        let (written, separators) = set(Syntax::Toml, "a = 1\n[t]\n", "style", &text).unwrap();
        prop_assert_eq!(get(Syntax::Toml, &written, "style").unwrap().unwrap().text, Some(text));
        let left = put_back(Syntax::Toml, &written, "style", Earlier::Nothing(&separators.unwrap()));
        prop_assert_eq!(left.unwrap(), "a = 1\n[t]\n");
    }
}
