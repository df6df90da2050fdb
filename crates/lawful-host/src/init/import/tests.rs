use lawful::Lawbook;
use lawful::book::MemorySource;
use proptest::prelude::*;
use serde_json::json;

use super::super::tests::Scene;
use super::super::{InitPlan, Template};

/// The planned lawbook, in memory.
fn book(plan: &InitPlan) -> Lawbook {
    let add = |source: MemorySource, file: &super::super::plan::PlannedFile| {
        source.with(&file.path, file.text.as_bytes())
    };
    Lawbook::load(&plan.files.iter().fold(MemorySource::new(), add)).unwrap()
}

/// The lines of a text that are not blank, without the blanks around them.
fn lines(text: &str) -> Vec<String> {
    let text = text.replace('\r', "\n");
    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// What could not be carried over: file, line and what it is.
fn lost(plan: &InitPlan) -> Vec<String> {
    let name = |file: &str| file.rsplit("/project/").next().unwrap().to_owned();
    let line = |line: Option<usize>| line.map(|line| format!(":{line}")).unwrap_or_default();
    let lost = plan.not_carried.iter();
    lost.map(|lost| format!("{}{} {}", name(&lost.file), line(lost.line), lost.what)).collect()
}

/// The prompt in a context.
fn prompt(plan: &InitPlan, context: serde_json::Value) -> String {
    let book = book(plan);
    let composed = book.compose("instructions").context(context).run().unwrap();
    composed.text
}

#[test]
fn sections_become_fragments_and_keep_their_order() {
    let text = "Intro.\n\n# Shop\n\n## Tests\n\nRun `make`.\n\n```\n# no heading\n```\n\n## Style\n\n- ${HOME} stays\n";
    let scene = Scene::new("sections", &[("CLAUDE.md", text)]);
    let plan = scene.plan(Template::Guard, &["CLAUDE.md"]);
    assert!(plan.warnings.is_empty(), "{}", plan.warnings);
    assert_eq!(lost(&plan), Vec::<String>::new());
    let fragments: Vec<&str> = plan.carried[0].files.iter().map(String::as_str).collect();
    assert_eq!(
        fragments,
        [
            "fragments/imported/imported-claude.md",
            "fragments/imported/imported-shop.md",
            "fragments/imported/imported-style.md"
        ]
    );
    assert_eq!(prompt(&plan, json!({})), text.trim());
}

#[test]
fn what_several_files_have_in_common_is_the_core() {
    let claude = "# Tests\nRun them.\n# Claude\nOnly here.\n# Style\nShort.\n";
    let agents = "# Style\nShort.\n# Agents\nOnly there.\n# Tests\nRun them.\n";
    let copilot = "# Copilot\nNothing in common.\n# Tests\nRun them.\n";
    let scene = Scene::new(
        "core",
        &[
            ("CLAUDE.md", claude),
            ("AGENTS.md", agents),
            (".github/copilot-instructions.md", copilot),
        ],
    );
    let plan = scene.plan(Template::Guard, &["."]);
    assert!(plan.warnings.is_empty(), "{}", plan.warnings);
    let core: Vec<&str> = plan.files.iter().map(|file| &*file.path).collect();
    let core: Vec<&&str> = core.iter().filter(|path| path.contains("/core/")).collect();
    assert_eq!(core, [&"fragments/core/imported-tests.md", &"fragments/core/imported-style.md"]);
    for (harness, text) in [("claude-code", claude), ("agents-md", agents), ("copilot", copilot)] {
        assert_eq!(lines(&prompt(&plan, json!({"harness": harness}))), lines(text), "{harness}");
    }
    let core = lines("# Tests\nRun them.\n# Style\nShort.");
    assert_eq!(lines(&prompt(&plan, json!({}))), core);
}

#[test]
fn patterns_become_an_axis() {
    let scene = Scene::new(
        "globs",
        &[
            (".cursor/rules/base.mdc", "---\nalwaysApply: true\n---\nAlways.\n"),
            (
                ".cursor/rules/web/ts.mdc",
                "---\ndescription: TypeScript\nglobs: *.ts,src/**/*.{tsx,jsx}\nalwaysApply: false\nauthor: me\n---\n# Types\nStrict.\n",
            ),
            (".cursor/rules/db.mdc", "---\ndescription: Migrations\n---\nAsk first.\n"),
            (".github/instructions/py.instructions.md", "---\napplyTo: '**/*.py'\n---\nTyped.\n"),
            (".claude/rules/all.md", "Also always.\n"),
            ("packages/web/AGENTS.md", "Only in web.\n"),
        ],
    );
    let plan = scene.plan(Template::Guard, &["."]);
    assert!(plan.warnings.is_empty(), "{}", plan.warnings);
    let manifest = &plan.files[0].text;
    let axes = "\
axes:
  harness:
    - cursor  # ";
    assert!(manifest.contains(axes), "{manifest}");
    assert!(manifest.contains("    - ts  # *.ts, src/**/*.{tsx,jsx}\n"), "{manifest}");
    assert!(manifest.contains("    - packages/web  # packages/web/**\n"), "{manifest}");
    assert!(manifest.contains("    - db  # Migrations\n"), "{manifest}");
    let cursor = |context: serde_json::Value| prompt(&plan, context);
    assert_eq!(cursor(json!({"harness": "cursor", "files": "ts"})), "Always.\n\n# Types\nStrict.");
    assert_eq!(cursor(json!({"harness": "claude-code", "files": "py"})), "Also always.\n\nTyped.");
    assert_eq!(cursor(json!({"topic": "db"})), "Ask first.");
    assert_eq!(cursor(json!({"files": "packages/web"})), "Only in web.");
    assert_eq!(
        lost(&plan),
        [
            ".cursor/rules/db.mdc when to use it",
            ".cursor/rules/web/ts.mdc:5 the key `author`",
            ".cursor/rules/web/ts.mdc the patterns `*.ts, src/**/*.{tsx,jsx}`",
            ".github/instructions/py.instructions.md the patterns `**/*.py`",
        ]
    );
}

#[test]
fn what_lawful_wrote_and_imports_are_listed() {
    let text = "Mine: @types/node, me@example.org.\nSee @docs/style.md, and so on.\n<!-- lawful:begin crew 1 -->\nTheirs.\n<!-- lawful:end crew -->\nMore.\n<!-- lawful:begin open\nKept.\n";
    let scene = Scene::new("managed", &[("AGENTS.md", text)]);
    let plan = scene.plan(Template::Crew, &["AGENTS.md"]);
    assert_eq!(
        lost(&plan),
        ["AGENTS.md:3 a block of Lawful", "AGENTS.md:2 the import `@docs/style.md`"]
    );
    let prompt = prompt(&plan, json!({}));
    assert!(!prompt.contains("Theirs.") && prompt.contains("Kept."), "{prompt}");
}

#[test]
fn documents_of_other_tools_load_unchanged() {
    let rulespec = "claims:\n  - name: caps\n    selector: importer.capabilities\npredicates:\n  - claim: caps\n    rule: exists\n    source: task_prompt\n";
    let rule = r#"{"id": "low", "trigger": {"type": "variable-crossed", "variableId": "health", "direction": "drops-below", "threshold": 20}, "conditions": [], "conditionLogic": "all", "actions": [{"type": "notify-player", "style": "warning", "message": "Low."}], "priority": 50, "enabled": true, "cooldownTurns": null, "maxFireCount": null}"#;
    let recipe = format!(
        r#"{{"name": "tale", "variables": [{{"id": "health", "type": "number", "defaultValue": 100}}, {{"id": "bad", "type": "colour"}}], "rules": [{rule}], "lorebook": []}}"#
    );
    let scene = Scene::new(
        "documents",
        &[
            ("Cargo.toml", ""),
            ("analysis/rulespec.yaml", rulespec),
            ("tale.json", &recipe),
            ("fragments/hello.md", "---\nid: hello\n---\nGreet ${name}.\n"),
            (
                "compositions/reply.yaml",
                "name: reply\nbase: [hello]\nrules:\n  - when: {name: x}\n    forbid: [hello]\n",
            ),
            ("compositions/broken.yaml", "name: broken\nbase: hello\n"),
        ],
    );
    let plan = scene.plan(Template::Guard, &[".", "tale.json"]);
    let text =
        |path: &str| plan.files.iter().find(|file| file.path == path).map(|file| &*file.text);
    assert_eq!(text("fragments/hello.md").unwrap(), "---\nid: hello\n---\nGreet ${name}.\n");
    let merged = text("analysis/rulespec.yaml").unwrap();
    assert!(merged.contains("- name: caps") && merged.contains("name: tests-pass"), "{merged}");
    assert!(text("rules/tale.json").unwrap().contains("\"low\""));
    assert!(plan.files[0].text.contains("  health: {\"type\":\"number\",\"defaultValue\":100}\n"));
    assert_eq!(text("compositions/broken.yaml"), None);
    assert_eq!(
        lost(&plan),
        [
            "tale.json:1 the key `lorebook`",
            "compositions/broken.yaml the document for `compositions/broken.yaml`",
            "tale.json:1 the variable `bad`",
        ]
    );
    let record = text("IMPORTED.md").unwrap();
    assert!(
        record.contains("the key `lorebook`") && record.contains("rules/tale.json"),
        "{record}"
    );
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_listed_in_a_folder_and_refused_by_name() {
    let scene =
        Scene::new("odd", &[("AGENTS.md", "Fine.\n"), (".claude/settings.json", "{\"a\": ")]);
    scene.write("GEMINI.md", b"caf\xe9\n");
    scene.write("empty/CLAUDE.md", "\n\n");
    std::os::unix::fs::symlink("/etc/hostname", scene.0.join("project/CLAUDE.md")).unwrap();
    std::os::unix::fs::symlink("nothing", scene.0.join("project/QWEN.md")).unwrap();
    let plan = scene.plan(Template::Guard, &["."]);
    assert_eq!(
        lost(&plan),
        [
            "CLAUDE.md the file",
            "QWEN.md the file",
            "GEMINI.md the file",
            ".claude/settings.json:1 the settings",
            "empty/CLAUDE.md the file",
        ]
    );
    for (name, why) in [
        ("GEMINI.md", "not valid UTF-8"),
        (".claude/settings.json", "expected"),
        ("nowhere", "not found"),
        ("empty", "nothing"),
    ] {
        let request = super::super::InitRequest {
            from: vec![scene.0.join("project").join(name)],
            ..Default::default()
        };
        let failure = scene.workspace().plan_init(&request);
        match failure {
            Err(failure) => assert!(failure.to_string().contains(why), "{name}: {failure}"),
            Ok(_) => assert_eq!(name, "empty"),
        }
    }
}

#[test]
fn an_enormous_file_takes_no_longer_than_its_size() {
    let text = "## A\n\n<!-- lawful:begin\n${x}\n".repeat(50_000);
    let started = std::time::Instant::now();
    let (sections, managed) = super::sections::sections(&text);
    assert_eq!((sections.len(), managed.len()), (1, 0));
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn a_file_with_very_many_sections_is_split_less() {
    let sections = (0..5_000).map(|n| format!("## Section {n}\n\nText {n}.\n"));
    let text = format!("# Top\n\nFirst.\n{}", sections.collect::<String>());
    let scene = Scene::new("many", &[("CLAUDE.md", &text)]);
    let plan = scene.plan(Template::Guard, &["CLAUDE.md"]);
    assert_eq!(plan.carried[0].files.len(), 1);
    assert_eq!(lines(&prompt(&plan, json!({}))), lines(&text));
}

/// A line of Markdown.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("# One".to_owned()),
        Just("## Two".to_owned()),
        Just("### Three".to_owned()),
        Just("---".to_owned()),
        Just("===".to_owned()),
        Just("```".to_owned()),
        Just("<!-- open".to_owned()),
        Just("-->".to_owned()),
        Just("    code".to_owned()),
        Just("- ${x} \\${y} ${".to_owned()),
        Just("> quote".to_owned()),
        "[ a-c#$\\\\{}\"':|&*!%@`-]{0,12}",
        "\\PC{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn every_line_is_in_some_fragment(
        first in prop::collection::vec(line(), 0..20),
        second in prop::collection::vec(line(), 0..20),
        ending in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
        template in prop::sample::select(Template::ALL.to_vec()),
    ) {
        let (first, second) = (first.join(ending), second.join("\n"));
        let scene = Scene::new("property", &[("CLAUDE.md", &first), ("AGENTS.md", &second)]);
        let plan = scene.plan(template, &["CLAUDE.md", "AGENTS.md"]);
        prop_assert_eq!(plan.warnings.errors(), 0);
        let report = book(&plan).test().run().unwrap();
        prop_assert_eq!((report.failed, report.errors), (0, 0));
        if lines(&first).is_empty() && lines(&second).is_empty() {
            return Ok(());
        }
        for (harness, text) in [("claude-code", &first), ("agents-md", &second)] {
            if lines(text).is_empty() {
                continue;
            }
            let composed = lines(&prompt(&plan, json!({"harness": harness})));
            for line in lines(text) {
                prop_assert!(composed.contains(&line), "{line:?} of {text:?} in {composed:?}");
            }
        }
    }
}

#[test]
fn rules_that_apply_to_some_files_only_make_a_whole_lawbook() {
    let rule = "---\nglobs: [unclosed\n---\nUse types.\n";
    let scene = Scene::new("only-scoped", &[(".cursor/rules/ts.mdc", rule)]);
    let plan = scene.plan(Template::Guard, &[".cursor/rules"]);
    assert_eq!(
        lost(&plan),
        [
            ".cursor/rules/ts.mdc:2 a part of the list `globs`",
            ".cursor/rules/ts.mdc the patterns `unclosed`"
        ]
    );
    assert!(plan.files.iter().any(|file| file.path == "scenarios/instructions.yaml"));
    assert!(plan.warnings.is_empty(), "{}", plan.warnings);
    assert_eq!(prompt(&plan, json!({"files": "ts"})), "Use types.");
    let report = book(&plan).test().run().unwrap();
    assert_eq!((report.failed, report.errors), (0, 0), "{report:?}");
}

#[test]
fn the_search_in_a_folder_ends() {
    let scene = Scene::new("bound", &[("CLAUDE.md", "Hello.\n")]);
    for folder in ["a", "b", "c"] {
        std::fs::create_dir(scene.0.join("project").join(folder)).unwrap();
        for number in 0..10_500 {
            let path = scene.0.join("project").join(folder).join(number.to_string());
            std::fs::File::create(path).unwrap();
        }
        scene.write(&format!("{folder}/x/AGENTS.md"), "Here.\n");
    }
    let plan = scene.plan(Template::Guard, &["."]);
    let lost = lost(&plan);
    assert_eq!(lost.iter().filter(|lost| lost.ends_with(" the rest")).count(), 1, "{lost:?}");
    let files: Vec<&str> = plan.carried.iter().map(|carried| &*carried.file).collect();
    assert!(files.iter().any(|file| file.ends_with("CLAUDE.md")), "{files:?}");
    assert!(!files.iter().any(|file| file.ends_with("c/x/AGENTS.md")), "{files:?}");
}
