use lawful_syntax::{Severity, Span};

use super::*;
use crate::book::{MemorySource, Options, load};
use crate::code::WRONG_TYPE;

/// A book with one document of every part, and a second rulespec, which is the one in force.
fn book() -> Book {
    let source = MemorySource::new()
        .with("lawful.yaml", "name: all\nhooks: {stop: {rulespec: other.yaml}}")
        .with("fragments/a.md", "---\nid: a\n---\nA")
        .with("compositions/c.yaml", "base: [a]")
        .with("conditions/c.yaml", "{}")
        .with("rules/sound.yaml", "[]")
        .with("rules/torn.yaml", "[")
        .with("entries/e.md", "---\nid: e\n---\nE")
        .with("conditioning/core.md", "Core.")
        .with("analysis/rulespec.yaml", "{}")
        .with("other.yaml", "{}")
        .with("scenarios/s.yaml", "{}")
        .with("guards/sound.yaml", "[]")
        .with("guards/torn.yaml", "[");
    load(&source, Options::default()).unwrap().0
}

/// `!` blocks the verb, `+` is reported, `.` is ignored.
fn shown(impact: Impact) -> char {
    match impact {
        Impact::Blocks => '!',
        Impact::Reported => '+',
        Impact::Ignored => '.',
    }
}

#[test]
fn every_verb_has_its_row() {
    let book = book();
    let paths = [
        "lawful.yaml",
        "fragments/a.md",
        "compositions/c.yaml",
        "conditions/c.yaml",
        "rules/sound.yaml",
        "rules/torn.yaml",
        "entries/e.md",
        "conditioning/core.md",
        "analysis/rulespec.yaml",
        "other.yaml",
        "scenarios/s.yaml",
        "guards/sound.yaml",
        "guards/torn.yaml",
    ];
    assert_eq!(book.documents.len(), paths.len());
    let row = |verb: Verb| {
        let of = |path: &str| {
            let document = book.documents.iter().find(|document| document.path == path).unwrap();
            let error = Diagnostic::new(&WRONG_TYPE, Span::start_of(document.file), "wrong");
            let mut warning = error.clone();
            warning.severity = Severity::Warning;
            assert_eq!(impact(verb, &book, &warning), Impact::Ignored);
            assert_eq!(blocks(verb, &book, &error), impact(verb, &book, &error) == Impact::Blocks);
            shown(impact(verb, &book, &error))
        };
        let unread = Diagnostic::new(&WRONG_TYPE, Span::NONE, "unread");
        let cells: String = paths.iter().map(|path| of(path)).collect();
        format!("{verb:?} {cells} {}", shown(impact(verb, &book, &unread)))
    };
    let table: Vec<String> = Verb::ALL.into_iter().map(row).collect();
    // The columns are the paths above, in order; the last one is a file that could not be read.
    assert_eq!(
        table,
        [
            "Check ............. .",
            "List !+++++.+...++ +",
            "Compose !!!!......... !",
            "Roles !!!!...!..... !",
            "Insert ......!...... .",
            "React !..++!+...... !",
            "Replay ............. .",
            "Verify !..!.....!... .",
            "VerifyWith !..!......... .",
            "Observe !............ .",
            "Stop !............ .",
            "Guard !..+.......+! !",
            "Uninstall ............. .",
        ]
    );
}
