use proptest::prelude::*;

use super::*;
use crate::book::{MemorySource, Options, load};
use crate::value::Map;

/// The roles of a book with this core and these personas.
fn compose(core: &str, personas: &[String], nickel: &Evaluated) -> Result<Roles, Refusal> {
    let mut manifest = "name: crew\nconditioning:\n  core: core.md\n  personas:\n".to_owned();
    let mut source = MemorySource::new().with("core.md", core);
    for (at, persona) in personas.iter().enumerate() {
        manifest.extend(["    r", &at.to_string(), ": p", &at.to_string(), ".md\n"]);
        source = source.with(&format!("p{at}.md"), persona.as_str());
    }
    if personas.is_empty() {
        manifest = "name: crew\nconditioning: {nickel: all.ncl, core: core.md}\n".to_owned();
        source = source.with("all.ncl", "{}");
    }
    let (book, _) = load(&source.with("lawful.yaml", manifest), Options::default()).unwrap();
    let (compositions, _) = Compositions::decode(&book);
    Roles::compose(&book, &compositions, &Value::Map(Map::new()), &Insertions::default(), nickel)
}

/// Every place where a text occurs in another, overlaps included.
fn occurrences(text: &str, inside: &str) -> usize {
    (0..inside.len())
        .filter(|at| inside.get(*at..).is_some_and(|rest| rest.starts_with(text)))
        .count()
}

/// Texts that are likely to contain each other, with edge cases of a page.
fn prose() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("law"),
        Just("a"),
        Just("ä"),
        Just(" "),
        Just("\n"),
        Just("\n\n"),
        Just("---"),
        Just("${x}"),
        Just("\\${"),
        Just("# "),
        Just("\r\n"),
        Just("\u{feff}"),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn whatever_comes_out_keeps_the_contract(core in prose(), personas in prop::collection::vec(prose(), 1..4)) {
        match compose(&core, &personas, &Evaluated::default()) {
            Ok(roles) => {
                let law = roles.core.text();
                prop_assert!(!law.trim().is_empty());
                prop_assert_eq!(roles.prompts.len(), personas.len());
                for prompt in &roles.prompts {
                    prop_assert!(prompt.text().starts_with(law));
                    prop_assert_eq!(occurrences(law, prompt.text()), 1);
                    prop_assert_eq!(prompt.text(), format!("{law}\n\n{}", prompt.persona()));
                    let lines: Vec<&str> = prompt.lines().iter().map(|line| line.text).collect();
                    prop_assert_eq!(lines.join("\n"), prompt.text());
                }
            }
            Err(Refusal::Broken(problems)) => prop_assert!(!problems.is_empty()),
            // Unclosed front matter, or a placeholder with an invalid path.
            Err(Refusal::Undecided(problems)) => prop_assert!(!problems.is_empty()),
        }
    }

    #[test]
    fn a_persona_that_repeats_the_core_is_refused(
        core in "[a-z]{1,8}( [a-z]{1,8}){0,3}", before in "[A-Z ]{0,6}", after in "[A-Z ]{0,6}",
    ) {
        let personas = ["YOU LEAD".to_owned(), format!("{before}{core}{after}")];
        match compose(&core, &personas, &Evaluated::default()) {
            Err(Refusal::Broken(problems)) => {
                prop_assert_eq!(problems.len(), 1);
                prop_assert_eq!(problems[0].code.name, "core-repeated");
            }
            other => prop_assert!(false, "{:?}", other.map(|roles| roles.prompts.len())),
        }
    }

    #[test]
    fn a_record_is_held_to_the_same(core in "[a-z ]{1,6}", prompts in prop::collection::btree_map("[a-z]{1,3}", "[a-z ]{0,12}", 1..4)) {
        let nickel = Evaluated { texts: [].into(), roles: prompts.clone() };
        let law = core.trim_end();
        let kept = !law.trim().is_empty()
            && prompts.values().all(|text| text.starts_with(law) && occurrences(law, text) == 1);
        match compose(&core, &[], &nickel) {
            Ok(roles) => {
                prop_assert!(kept);
                let texts: Vec<&str> = roles.prompts.iter().map(RolePrompt::text).collect();
                prop_assert_eq!(texts, prompts.values().map(String::as_str).collect::<Vec<_>>());
            }
            Err(Refusal::Broken(_)) => prop_assert!(!kept),
            Err(Refusal::Undecided(problems)) => prop_assert!(false, "{:?}", problems),
        }
    }
}

#[test]
fn a_line_that_reads_like_many_others_has_its_own_place() {
    let lines = 100_000;
    let text = "x\n".repeat(lines);
    let source = MemorySource::new()
        .with("lawful.yaml", "name: t\nconditioning: {core: core.md, personas: {lead: lead.ncl}}\n")
        .with("core.md", "Law.\n")
        .with("lead.ncl", format!("m%\"\n{}\"%\n", "  x\n".repeat(lines)));
    let (book, _) = load(&source, Options::default()).unwrap();
    let (compositions, _) = Compositions::decode(&book);
    let nickel = Evaluated { texts: [("lead.ncl".to_owned(), text)].into(), roles: [].into() };
    let context = Value::Map(Map::new());
    let roles =
        Roles::compose(&book, &compositions, &context, &Insertions::default(), &nickel).unwrap();
    let last = roles.prompts[0].lines().last().and_then(|line| line.place).unwrap();
    assert_eq!(last.1, lines + 1);
}

#[test]
fn a_string_on_the_only_line_of_a_file_is_written_there() {
    let source = MemorySource::new()
        .with("lawful.yaml", "name: t\nconditioning: {core: core.ncl, personas: {lead: lead.md}}\n")
        .with("core.ncl", "\n\"Never guess.\\nAsk.\"\n")
        .with("lead.md", "Lead.\n");
    let (book, _) = load(&source, Options::default()).unwrap();
    let (compositions, _) = Compositions::decode(&book);
    let texts = [("core.ncl".to_owned(), "Never guess.\nAsk.".to_owned())].into();
    let nickel = Evaluated { texts, roles: [].into() };
    let context = Value::Map(Map::new());
    let roles =
        Roles::compose(&book, &compositions, &context, &Insertions::default(), &nickel).unwrap();
    let places: Vec<Option<usize>> =
        roles.core.prompt.lines().iter().map(|line| line.place.map(|(_, line)| line)).collect();
    assert_eq!(places, [Some(2), Some(2)]);
}

#[test]
fn a_core_that_a_session_repeats_is_the_sessions() {
    use crate::insertion::{Insertion, InsertionKind, Position};
    let list = vec![Insertion {
        kind: InsertionKind::Directive,
        id: "nag".into(),
        position: Position::Bottom,
        role: None,
        text: "Again: Never guess.".into(),
        place: None,
    }];
    let insertions = Insertions { list, ..Insertions::default() };
    let source = MemorySource::new()
        .with("lawful.yaml", "name: t\nconditioning: {core: core.md, personas: {lead: lead.md}}\n")
        .with("core.md", "Never guess.\n")
        .with("lead.md", "Lead.\n");
    let (book, _) = load(&source, Options::default()).unwrap();
    let (compositions, _) = Compositions::decode(&book);
    let context = Value::Map(Map::new());
    let made = Roles::compose(&book, &compositions, &context, &insertions, &Evaluated::default());
    let Err(Refusal::Broken(problems)) = made else { panic!("it is composed") };
    let help = problems[0].help.as_deref();
    assert_eq!(help, Some("remove it from the directive `nag`, which the session inserts"));
}

/// A book with one role that has two to the power of `axes` prompts, the last of which contains the
/// core twice.
fn many(axes: usize) -> Vec<String> {
    let names: Vec<String> = (0..axes).map(|n| format!("a{n}")).collect();
    let declared: Vec<String> = names.iter().map(|name| format!("{name}: [x, y]")).collect();
    let mut rules = "name: rev\nbase: [z]\nrules:\n".to_owned();
    let mut source = MemorySource::new()
        .with(
            "lawful.yaml",
            format!(
                "name: many\naxes: {{{}}}\n\
                 conditioning: {{core: core.md, personas: {{rev: {{composition: rev}}}}}}\n",
                declared.join(", ")
            ),
        )
        .with("core.md", "Never guess.\n")
        .with("fragments/z.md", "---\nid: z\n---\nZed.\n")
        .with("fragments/dup.md", "---\nid: dup\n---\nNever guess.\n");
    for name in &names {
        rules.extend(["  - when: {", name, ": y}\n    add: [", name, "]\n"]);
        source = source
            .with(&format!("fragments/{name}.md"), format!("---\nid: {name}\n---\n{name}.\n"));
    }
    let all: Vec<String> = names.iter().map(|name| format!("{name}: y")).collect();
    rules.extend(["  - when: {", &all.join(", "), "}\n    add: [dup]\n"]);
    let source = source.with("compositions/rev.yaml", rules);
    let (book, problems) = load(&source, Options::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let problems = crate::check(&book);
    problems.iter().map(|one| format!("{}: {}", one.code.name, one.message)).collect()
}

#[test]
fn every_prompt_of_a_role_is_looked_at_or_it_is_said() {
    assert_eq!(many(9), ["core-repeated: the prompt of the role `rev` contains the core twice"]);
    let found = many(14);
    let skipped =
        "analysis-skipped: the role `rev` has 16384 prompts, but only 10000 of them were checked";
    assert_eq!(found.first().map(String::as_str), Some(skipped));
}

#[test]
fn what_a_session_inserts_comes_after_the_core() {
    use crate::insertion::{Insertion, InsertionKind, Position};
    let insertion = |id: &str, position| Insertion {
        kind: InsertionKind::Directive,
        id: id.into(),
        position,
        role: None,
        text: id.into(),
        place: None,
    };
    let list = vec![
        insertion("top", Position::Top),
        insertion("bottom", Position::Bottom),
        insertion("before", Position::BeforeChar),
        insertion("after", Position::AfterChar),
    ];
    let insertions = Insertions { list, ..Insertions::default() };
    let expected = "Law.\n\ntop\n\nbefore\n\nLead.\n\nafter\n\nbottom";
    let manifests = [
        "{core: core.md, personas: {lead: lead.md}}",
        "{core: core.md, personas: {lead: lead.ncl}}",
        "{core: core.md, personas: {lead: {composition: lead}}}",
        "{core: core.md, nickel: all.ncl}",
    ];
    let nickel = Evaluated {
        texts: [("lead.ncl".to_owned(), "Lead.".to_owned())].into(),
        roles: [("lead".to_owned(), "Law.\n\nLead.".to_owned())].into(),
    };
    for manifest in manifests {
        let source = MemorySource::new()
            .with("lawful.yaml", format!("name: crew\nconditioning: {manifest}\n"))
            .with("core.md", "Law.\n")
            .with("lead.md", "Lead.\n")
            .with("lead.ncl", "\"Lead.\"")
            .with("all.ncl", "{}")
            .with("fragments/lead.md", "---\nid: lead\n---\nLead.\n")
            .with("compositions/lead.yaml", "name: lead\nbase: [lead]\n");
        let (book, problems) = load(&source, Options::default()).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        let (compositions, _) = Compositions::decode(&book);
        let context = Value::Map(Map::new());
        let roles = Roles::compose(&book, &compositions, &context, &insertions, &nickel).unwrap();
        assert_eq!(roles.prompts[0].text(), expected, "{manifest}");
    }
}
