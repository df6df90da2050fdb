use std::fs;
use std::path::PathBuf;

use lawful::Lawbook;
use lawful_deliver::{HOOKS, Hook};

use super::*;
use crate::workspace::Workspace;

/// A project of its own, with a home that nobody lives in.
pub(super) struct Scene(pub(super) PathBuf);

impl Scene {
    pub(super) fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let root = std::env::temp_dir().join(format!("lawful-init-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("home")).unwrap();
        fs::create_dir_all(root.join("project")).unwrap();
        let scene = Self(root.canonicalize().unwrap());
        for (path, text) in files {
            scene.write(path, text);
        }
        scene
    }

    pub(super) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.0.join("project").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn workspace(&self) -> Workspace {
        let home = self.0.join("home");
        let variables = move |name: &str| (name == "HOME").then(|| home.clone().into());
        Workspace::at(self.0.join("project")).with_variables(variables)
    }

    pub(super) fn plan(&self, template: Template, from: &[&str]) -> InitPlan {
        let from = from.iter().map(|path| self.0.join("project").join(path)).collect();
        let request = InitRequest { template, from, ..InitRequest::default() };
        self.workspace().plan_init(&request).unwrap_or_else(|failure| panic!("{failure}"))
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Projects of several kinds, and one that nothing is known of.
const PROJECTS: [(&str, &[(&str, &str)]); 5] = [
    ("none", &[]),
    ("rust", &[("Cargo.toml", "[package]\nname = \"a\"\n")]),
    ("python", &[("pyproject.toml", "[tool.pytest.ini_options]\n")]),
    ("node", &[("package.json", "{\"scripts\": {\"test\": \"node --test\"}}")]),
    ("two", &[("go.mod", ""), ("Cargo.toml", "[workspace]\n")]),
];

/// A template in a project and for a harness passes `check --deny warnings` and `test`.
fn check(template: Template, (name, files): (&str, &[(&str, &str)]), harness: &'static Hook) {
    let scene = Scene::new(&format!("all-{}-{name}", template.name()), files);
    let request = InitRequest { template, harnesses: vec![harness], from: Vec::new() };
    let plan = scene.workspace().plan_init(&request).unwrap();
    let place = format!("{} {name} {}", template.name(), harness.id);
    assert!(plan.warnings.is_empty(), "{place}: {}", plan.warnings);
    assert_eq!(plan.hooks.len(), 1, "{place}");
    plan.write().unwrap();
    let checked = scene.workspace().check(&[]);
    assert_eq!(checked.len(), 1);
    assert!(checked[0].readable && checked[0].problems.is_empty(), "{place}");
    // Everything that was planned is there, and is part of the lawbook.
    assert_eq!(checked[0].files, plan.paths().len(), "{place}");
    let report = Lawbook::open(scene.0.join("project/lawful")).unwrap().test().run().unwrap();
    assert!(report.passed > 0, "{place}");
    assert_eq!((report.failed, report.errors), (0, 0), "{place}: {report:?}");
}

#[test]
fn every_template_has_no_problems_for_every_project_and_harness() {
    for template in Template::ALL {
        for (at, harness) in HOOKS.iter().enumerate() {
            check(template, PROJECTS[at % PROJECTS.len()], harness);
        }
    }
}

#[test]
fn the_tests_of_a_project_are_judged_when_the_agent_stops() {
    let scene = Scene::new("stop", &[("package.json", "{\"scripts\": {\"test\": \"vitest\"}}")]);
    let plan = scene.plan(Template::Guard, &[]);
    let text = |path: &str| &*plan.files.iter().find(|file| file.path == path).unwrap().text;
    let manifest = text("lawful.yaml");
    assert!(manifest.contains("  tests: {run: [npm, test], timeout: 600}\n"), "{manifest}");
    // What decides which tests run is protected, so that `lawful trust` has nothing to warn of.
    assert!(manifest.contains("    - package.json  # decides what the tests run\n"), "{manifest}");
    assert!(text("analysis/rulespec.yaml").contains("selector: \"observed.runs.tests.exit\""));
    assert!(text("scenarios/stop.yaml").contains("failed: [tests-pass]"));
    let plain = Scene::new("no-stop", &[]).plan(Template::Guard, &[]);
    assert!(!plain.files.iter().any(|file| file.path == "analysis/rulespec.yaml"));
}

#[test]
fn the_name_of_the_lawbook_is_that_of_the_folder() {
    let scene = Scene::new("name", &[]);
    for name in ["shop", "my shop", "true", "1.0", "caf\u{e9}: x", "a\"b'c", "#x"] {
        let folder = scene.0.join(name);
        let plan = Workspace::at(&folder).plan_init(&InitRequest::default()).unwrap();
        plan.write().unwrap();
        let book = Workspace::at(&folder).lawbook().unwrap();
        assert_eq!(book.manifest().name, name);
    }
}

#[test]
fn what_is_not_a_folder_is_refused() {
    let scene = Scene::new("file", &[("x", "")]);
    let failure = Workspace::at(scene.0.join("project/x")).plan_init(&InitRequest::default());
    assert!(failure.unwrap_err().to_string().contains("this is not a folder"));
}

#[test]
fn a_harness_that_runs_the_hooks_of_another_one_gets_none_of_its_own() {
    for other in [".github/copilot-instructions.md", ".cursor/rules/a.mdc"] {
        let scene = Scene::new("once", &[("CLAUDE.md", "# A\n"), (other, "# B\nx\n")]);
        let plan = scene.plan(Template::Guard, &[]);
        let hooks: Vec<&str> = plan.hooks.iter().map(|hook| hook.id).collect();
        assert_eq!(hooks, ["claude-code"], "{other}: {:?}", plan.harnesses);
        let notices = plan.notices.iter().filter(|one| one.contains("none of its own"));
        assert_eq!(notices.count(), 1, "{:?}", plan.notices);
    }
}
