//! The verbs of a workspace, from Rust: no command line is involved.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lawful::book::{Undecided, Wanted};
use lawful::verify::Verdict;
use lawful::{Verb, blocks};
use lawful_deliver::{Event, Op, Scope, find_hook};
use lawful_host::deliver::{InstallRequest, Scopes, StatusRequest, UninstallRequest};
use lawful_host::live::LiveRequest;
use lawful_host::session::{TurnRequest, TurnResult};
use lawful_host::verify::{
    BatchProgress, BatchRequest, BatchSink, EnvelopeChecked, EnvelopeRequest, Observation,
    ObservedFacts, ReportedEnvelope, Strictness,
};
use lawful_host::{Answer, Workspace};
use serde_json::{Value as Json, json};

/// A folder of its own with a lawbook in it, removed when it is dropped.
struct Scene(PathBuf);

const MANIFEST: &str = "\
name: desk
conditioning:
  core: conditioning/core.md
  personas:
    clerk: conditioning/clerk.md
hooks:
  stop:
    envelope: .lawful
    observe: {files: ['src/*.rs']}
";

const RULES: &str = "\
- id: hello
  trigger: {type: keyword, keywords: [hello]}
  actions: [{type: notify-player, message: Welcome.}]
";

const RULESPEC: &str = "\
claims:
  - {name: kind, selector: kind}
  - {name: files, selector: observed.files}
predicates:
  - {claim: kind, rule: equals, value: fix}
  - {claim: files, rule: contains, value: src/a.rs}
";

impl Scene {
    fn new(name: &str) -> Self {
        let folder = format!("lawful-host-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        // Its real path, and the root of a repository of its own.
        let scene = Self(folder.canonicalize().unwrap());
        scene.write("project/.git/HEAD", "ref: refs/heads/main\n");
        scene.write("project/lawful.yaml", MANIFEST);
        scene.write("project/conditioning/core.md", "Be kind.\n");
        scene.write("project/conditioning/clerk.md", "You are a clerk.\n");
        scene.write("project/rules/hello.yaml", RULES);
        scene.write("project/analysis/rulespec.yaml", RULESPEC);
        scene.write("project/src/a.rs", "");
        scene
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.join("project").join(path)
    }

    /// The workspace around the project, with a home of its own.
    fn workspace(&self) -> Workspace {
        let home: OsString = self.0.join("home").into();
        Workspace::at(self.0.join("project"))
            .with_variables(move |name| (name == "HOME").then(|| home.clone()))
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn json(value: &impl serde::Serialize) -> Json {
    serde_json::to_value(value).unwrap()
}

fn files(pattern: &str) -> Wanted {
    Wanted { files: Some(vec![pattern.to_owned()]), ..Wanted::default() }
}

#[test]
fn what_the_host_sees_is_judged_with_what_the_agent_says() {
    let scene = Scene::new("verify");
    let workspace = scene.workspace();
    let observed = workspace.observe(&files("src/*.rs")).unwrap();
    assert_eq!(json(&observed), json!({"files": ["src/a.rs"]}));
    assert!(observed.warnings.is_empty());
    let facts = ObservedFacts::from(observed);

    scene.write("project/said.yaml", "facts: {kind: fix}\n");
    let mut loaded = workspace.rulespec(None).unwrap();
    let file = scene.path("said.yaml");
    let strictness = Strictness::default();
    let seen = Observation::Facts(facts.clone());
    let verified = loaded.verify_file(&file, seen, strictness).unwrap();
    assert_eq!((verified.verdict, verified.answer()), (Verdict::Pass, Answer::Yes));

    scene.write("project/said.yaml", "facts: {kind: feature}\n");
    let seen = Observation::Facts(facts.clone());
    let verified = loaded.verify_file(&file, seen, strictness).unwrap();
    assert_eq!((verified.verdict, verified.at_fault), (Verdict::Fail, true));
    let view = json(&verified.view(&loaded));
    assert_eq!((&view["verdict"], &view["failed"]), (&json!("fail"), &json!(1)));

    // What nobody looked at is not decided.
    scene.write("project/said.yaml", "facts: {kind: fix}\n");
    let verified = loaded.verify_file(&file, Observation::None, strictness).unwrap();
    assert_eq!(verified.answer(), Answer::Undecided);

    scene.write("project/runs/many.jsonl", "{\"facts\": {\"kind\": \"fix\"}}\n{\"facts\": {}}\n");
    let request = BatchRequest { jobs: 2, ..BatchRequest::new(vec![scene.path("runs")]) };
    let mut heard = Heard::default();
    let many = loaded.verify_many(&request, Some(&facts), strictness, None, &mut heard);
    assert_eq!((many.envelopes, many.passed, many.failed), (2, 1, 1));
    assert_eq!((heard.envelopes, heard.reported.len()), (2, 1));
    assert_eq!(many.answer(), Answer::No);
    assert!(heard.reported[0].ends_with("many.jsonl:2"));

    // An interrupted run says where to go on.
    let request = BatchRequest { interrupt: Arc::new(true.into()), ..request };
    let many = loaded.verify_many(&request, Some(&facts), strictness, None, &mut heard);
    assert_eq!((many.envelopes, many.answer()), (0, Answer::Undecided));
    assert_eq!(many.stopped.unwrap().line, 1);
}

#[derive(Default)]
struct Heard {
    envelopes: usize,
    reported: Vec<String>,
}

impl BatchSink for Heard {
    fn reported(&mut self, report: ReportedEnvelope) {
        self.reported.push(report.name);
    }

    fn progress(&mut self, progress: BatchProgress) {
        self.envelopes = progress.envelopes;
    }
}

#[test]
fn an_envelope_is_written_where_the_hook_looks_for_it() {
    let scene = Scene::new("envelope");
    let workspace = scene.workspace();
    let observing = EnvelopeRequest { observe: true, ..EnvelopeRequest::default() };
    let missing = workspace.check_envelope(&observing).unwrap();
    assert!(matches!(missing, EnvelopeChecked::Missing(_)));
    assert_eq!(missing.answer(), Answer::No);

    let stop = || {
        let harness = find_hook("claude-code").unwrap();
        let event = format!(r#"{{"session_id": "s", "cwd": "{}"}}"#, scene.path("").display());
        let request = LiveRequest { harness, event: Event::Stop, undecided: Undecided::Block };
        workspace.live(request, event.as_bytes()).stdout
    };
    assert!(stop().contains("nobody trusted it yet"));
    workspace.trust(&workspace.review().unwrap()).unwrap();
    assert!(stop().contains("No envelope was written"));

    scene.write("project/facts.yaml", "kind: feature\n");
    let (_, verified) = workspace.write_envelope(&scene.path("facts.yaml"), &observing).unwrap();
    assert_eq!(verified.verdict, Verdict::Fail);
    assert!(stop().contains("does not pass"));

    scene.write("project/facts.yaml", "kind: fix\n");
    let (_, verified) = workspace.write_envelope(&scene.path("facts.yaml"), &observing).unwrap();
    assert_eq!(verified.verdict, Verdict::Pass);
    assert_eq!(workspace.check_envelope(&observing).unwrap().answer(), Answer::Yes);
    assert_eq!(stop(), "");
}

#[test]
fn a_session_lives_in_a_file() {
    let scene = Scene::new("session");
    let workspace = scene.workspace();
    let db = scene.path("sessions.db");
    assert!(workspace.sessions(&db).is_err());
    let book = workspace.lawbook_for(Verb::React).unwrap();
    let sessions = workspace.create_sessions(&db).unwrap();
    let started = sessions.start(&book, Some("tale".to_owned())).unwrap();
    assert_eq!(json(&started), json!({"session": "tale", "version": 0}));

    let turn = |text: &str, key: &str, expect: Option<u64>| {
        let input: lawful::Value = json!({"user": text}).into();
        let request = TurnRequest::new("tale", input).unwrap();
        TurnRequest { key: Some(key.to_owned()), expect, ..request }
    };
    let first = sessions.turn(&book, &turn("hello", "one", None)).unwrap();
    assert_eq!((first.result, first.version), (TurnResult::Committed, 1));
    assert_eq!(first.effects[0].id.to_string(), "1.1.1");
    // The same request again returns what is stored, and it reads back as it was taken.
    let again = sessions.turn(&book, &turn("hello", "one", None)).unwrap();
    assert_eq!(again.result, TurnResult::Duplicate);
    let (mut stored, taken) = (json(&again), json(&first));
    stored["result"] = json!("committed");
    assert_eq!(stored, taken);
    let conflict = sessions.turn(&book, &turn("hello", "two", Some(7))).unwrap();
    assert_eq!((conflict.result, conflict.answer()), (TurnResult::Conflict, Answer::No));

    assert_eq!(sessions.show("tale").unwrap().state.turn, 1);
    assert_eq!(sessions.log("tale").unwrap().entries.len(), 2);
    let pending = sessions.effects("tale", &[]).unwrap();
    assert_eq!(pending.effects.len(), 1);
    let rewound = sessions.rewind("tale", 0, None).unwrap();
    assert_eq!((rewound.answer(), rewound.abandoned), (Answer::Yes, vec![1]));
    assert_eq!(sessions.list().unwrap().sessions.len(), 1);
    let unknown = sessions.show("tail").unwrap_err();
    assert_eq!(unknown.problems[0].code.name, "unknown-session");
}

#[test]
fn the_file_of_sessions_is_given_or_in_the_environment_or_in_the_book() {
    let scene = Scene::new("session-file");
    let workspace = scene.workspace();
    let default = workspace.folder().unwrap().join(".lawful/sessions.db");
    let unset = workspace.clone().with_variables(|_| None);
    assert_eq!(unset.session_file(None).unwrap(), default);
    assert!(!default.parent().unwrap().exists(), "naming the file creates nothing");
    let set = workspace.with_variables(|name| (name == "LAWFUL_DB").then(|| "tales.db".into()));
    assert_eq!(set.session_file(None).unwrap(), Path::new("tales.db"));
    assert_eq!(set.session_file(Some(Path::new("a.db"))).unwrap(), Path::new("a.db"));
    // Only the default file gets its folder made.
    assert!(unset.create_sessions(&default).is_ok());
    assert!(unset.create_sessions(&scene.path("nowhere/tales.db")).is_err());
}

#[test]
fn prompts_are_installed_compared_and_taken_back() {
    let scene = Scene::new("install");
    let workspace = scene.workspace();
    let request = InstallRequest {
        harnesses: vec!["codex".to_owned()],
        all: false,
        detect: false,
        scope: Scope::Project,
        roles: Vec::new(),
        project: None,
        dry_run: false,
        activate: false,
        overwrite: false,
        was_moved: None,
        may_hide: false,
    };
    let installed = workspace.install(&request).unwrap();
    assert_eq!(installed.answer(), Answer::Yes);
    assert!(installed.operations.iter().any(|operation| operation.op == Op::Create));
    let status = workspace.status(&StatusRequest::default());
    assert_eq!((status.answer(), status.files.is_empty()), (Answer::Yes, false));
    let view = json(&status.view());
    assert_eq!(view["files"][0]["arrives"], "once");
    assert_eq!(view["law"]["trusted"], false);
    assert!(view["law"]["fingerprint"].as_str().unwrap().starts_with("sha256:"));
    let request = UninstallRequest {
        harnesses: Vec::new(),
        scope: Scopes::Project,
        every_book: false,
        project: None,
        dry_run: false,
        was_moved: None,
    };
    assert_eq!(workspace.uninstall(&request).unwrap().answer(), Answer::Yes);
    assert!(workspace.status(&StatusRequest::default()).files.is_empty());
}

#[test]
fn a_problem_stops_only_the_verbs_that_depend_on_it() {
    let scene = Scene::new("policy");
    scene.write("project/analysis/rulespec.yaml", "claims: 3\n");
    let workspace = scene.workspace();
    assert!(workspace.rulespec(None).is_err());
    assert!(workspace.lawbook_for(Verb::React).is_ok());
    assert!(workspace.observe(&files("src/*.rs")).is_ok());
    scene.write("project/lawful.yaml", "name: desk\nhooks: 3\n");
    assert!(workspace.lawbook_for(Verb::React).is_err());
    let opened = workspace.open().unwrap();
    let stops = |verb| opened.problems.iter().any(|one| blocks(verb, &opened.book, one));
    assert!(stops(Verb::Observe) && stops(Verb::Compose) && !stops(Verb::Check));
    let named = workspace.with_book(Some(Path::new("nowhere")));
    assert_eq!(named.open().unwrap_err().answer, Answer::Undecided);
}
