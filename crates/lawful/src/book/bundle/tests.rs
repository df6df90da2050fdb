use super::*;
use crate::book::{MemorySource, Options, load};

fn book() -> MemorySource {
    MemorySource::new()
        .with("lawful.yaml", "name: law\nhooks: {stop: {rulespec: judge/work.yaml}}\n")
        .with("rules/a.yaml", "rules: []\n")
        .with("fragments/a/b.md", "---\nid: b\n---\nB")
        .with("fragments/a-c.md", "---\nid: c\n---\nC")
        .with("judge/work.yaml", "{claims: [], predicates: []}")
        .with("scenarios/first.yaml", "name: first")
        .with(".lawful/envelope.yaml", "facts: {}")
}

fn bundle(source: &dyn Source) -> Bundle {
    Bundle::of(&load(source, Options::default()).unwrap().0)
}

#[test]
fn a_bundle_loads_to_a_book_with_the_same_fingerprint() {
    let bundle = bundle(&book());
    let paths: Vec<&str> = bundle.files().map(|(path, _)| path).collect();
    assert_eq!(
        paths,
        ["fragments/a-c.md", "fragments/a/b.md", "judge/work.yaml", "lawful.yaml", "rules/a.yaml"]
    );
    let again = Bundle::read(bundle.bytes().to_vec()).unwrap().shown_in("law");
    let (loaded, problems) = load(&again, Options::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(loaded.fingerprint(), bundle.fingerprint());
    assert_eq!(again.shown("rules/a.yaml"), "law/rules/a.yaml");
    let names: Vec<String> =
        again.list("fragments").unwrap().unwrap().into_iter().map(|item| item.name).collect();
    assert_eq!(names, ["a", "a-c.md"]);
}

#[test]
fn every_file_that_decides_counts_and_no_other_does() {
    let before = bundle(&book()).fingerprint().to_owned();
    let with = |path: &str, text: &str| bundle(&book().with(path, text)).fingerprint().to_owned();
    for (path, text) in [
        ("lawful.yaml", "name: other"),
        ("rules/a.yaml", "rules:  []\n"),
        ("judge/work.yaml", "{claims: [],  predicates: []}"),
        ("compositions/new.yaml", "{name: new, base: []}"),
        ("conditions/new.yaml", "x: {a: 1}"),
        ("conditioning/core.ncl", "\"x\""),
        ("entries/new.md", "---\nid: e\n---\n"),
    ] {
        assert_ne!(with(path, text), before, "{path}");
    }
    for (path, text) in [
        ("scenarios/first.yaml", "name: second"),
        (".lawful/envelope.yaml", "facts: {a: 1}"),
        ("analysis/notes.yaml", "x"),
        ("README.md", "x"),
        ("rules/a.yaml", "rules: []\r\n"),
    ] {
        assert_eq!(with(path, text), before, "{path}");
    }
}

#[test]
fn what_nickel_imports_counts_wherever_it_is() {
    let book = |imported: &str| {
        let source = MemorySource::new()
            .with(
                "lawful.yaml",
                "name: law\nconditioning: {core: conditioning/core.ncl, personas: {a: {text: hello}}}\n",
            )
            .with("conditioning/core.ncl", "(import # the law\n \"../law/deep.ncl\")")
            .with("law/deep.ncl", "import \"text.json\" & import \"../../outside.ncl\"")
            .with("law/text.json", imported)
            .with("law/unused.ncl", "1");
        bundle(&source)
    };
    let paths = |bundle: &Bundle| -> Vec<String> {
        bundle.files().map(|(path, _)| path.to_owned()).collect()
    };
    let one = book("1");
    assert_eq!(
        paths(&one),
        ["conditioning/core.ncl", "law/deep.ncl", "law/text.json", "lawful.yaml"]
    );
    assert_ne!(one.fingerprint(), book("2").fingerprint());
    // What the folder and the bundle load is the same.
    let again = Bundle::read(one.bytes().to_vec()).unwrap();
    assert_eq!(bundle(&again).fingerprint(), one.fingerprint());
}

#[test]
fn bytes_that_are_no_bundle_are_refused() {
    let good = bundle(&book()).bytes().to_vec();
    for cut in [1, 7, 8, 20, good.len() - 1] {
        assert!(Bundle::read(good[..cut].to_vec()).is_err(), "{cut}");
    }
    let encoded = |paths: &[&str]| {
        let mut bytes = Vec::new();
        for path in paths {
            put(&mut bytes, path);
            put(&mut bytes, "x");
        }
        Bundle::read(bytes)
    };
    assert!(encoded(&["a", "b"]).is_ok());
    for paths in [&["b", "a"][..], &["a", "a"], &["../a"], &["/a"], &[""], &["a//b"], &["a/./b"]] {
        assert!(encoded(paths).is_err(), "{paths:?}");
    }
    let mut huge = u64::MAX.to_le_bytes().to_vec();
    huge.extend_from_slice(b"x");
    assert!(Bundle::read(huge).is_err());
}
