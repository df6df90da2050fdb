use super::*;
use crate::syntax::render;

mod reload;

/// Loads a book from these files and compares every problem, as `file:line:column code: message`.
fn check(files: &[(&str, &str)], expected: &str) -> Book {
    check_bytes(
        &files.iter().map(|(path, text)| (*path, text.as_bytes())).collect::<Vec<_>>(),
        expected,
    )
}

fn check_bytes(files: &[(&str, &[u8])], expected: &str) -> Book {
    let source = files
        .iter()
        .fold(MemorySource::new(), |source, (path, bytes)| source.with(path, bytes.to_vec()));
    let (book, problems) = load(&source, Options::default()).unwrap();
    let shown: Vec<String> = problems
        .iter()
        .map(|problem| {
            let view = render::view(problem, &book.sources);
            let (file, line, column) =
                (view.file.unwrap(), view.line.unwrap(), view.column.unwrap());
            format!("{file}:{line}:{column} {}: {}", view.code, view.message)
        })
        .collect();
    assert_eq!(shown.join("\n"), expected);
    book
}

const NAME: (&str, &str) = ("lawful.yaml", "name: desk\n");

#[test]
fn the_smallest_book_has_a_name() {
    let book = check(&[NAME], "");
    assert_eq!(book.manifest.name, "desk");
    check(
        &[("lawful.yaml", "{}")],
        "lawful.yaml:1:1 missing-key: the manifest is missing the key `name`",
    );
    let error = load(&MemorySource::new(), Options::default()).unwrap_err();
    assert_eq!(error, LoadError::NoManifest);
}

#[test]
fn a_manifest_that_is_no_mapping_is_one_problem() {
    check(
        &[("lawful.yaml", "- name: desk\n")],
        "lawful.yaml:1:1 wrong-type: the manifest must be a mapping, found a list",
    );
    check(
        &[("lawful.yaml", "# nothing\n")],
        "lawful.yaml:1:1 empty-document: the document is empty",
    );
}

#[test]
fn every_key_of_the_manifest_is_read() {
    let book = check(
        &[
            (
                "lawful.yaml",
                "name: desk\n\
                 axes: {tone: [terse, warm], user.tier: [free, vip]}\n\
                 variables:\n  \
                   health: {type: number, initial: 100, min: 0, max: 100}\n  \
                   mood: {type: string, protected: true}\n\
                 conditioning: {core: conditioning/core.md, personas: {lead: conditioning/lead.md}, main: lead}\n\
                 observe: {tests: make test}\n\
                 hooks: {stop: {blocks: 2}}\n\
                 lint: {banned-words: [synergy], token-budgets: {prompt: 2000}}\n\
                 limits: {document-depth: 20, condition-nodes: 500}\n",
            ),
            ("conditioning/core.md", "Be exact.\n"),
            ("conditioning/lead.md", "Lead.\n"),
        ],
        "",
    );
    let manifest = &book.manifest;
    assert_eq!(manifest.axes[1].path.to_string(), "user.tier");
    assert_eq!(manifest.variables[0].max, Some(100.into()));
    assert!(manifest.variables[1].protected);
    assert_eq!(manifest.limits.document.depth, 20);
    assert_eq!(manifest.limits.condition_nodes, 500);
    assert_eq!(&*manifest.lint.banned_words[0].0, "synergy");
    let Some(Conditioning { main, .. }) = &manifest.conditioning else { panic!() };
    assert_eq!(main.as_ref().map(|(main, _)| &**main), Some("lead"));
    assert_eq!(manifest.command("tests").unwrap().run, Run::Shell("make test".into()));
    assert_eq!(manifest.hooks.stop.blocks, 2);
}

#[test]
fn commands_and_hooks_are_read() {
    let book = check(
        &[
            (
                "lawful.yaml",
                "name: desk\n\
             observe:\n  \
               tests: [cargo, test, '']\n  \
               lint: {run: 'npm run lint', timeout: 20, cwd: ./web/../web}\n\
             hooks:\n  \
               stop:\n    \
                 observe: {git: origin/main, files: ['src/**/*.rs'], junit: ['out/*.xml'], run: [lint]}\n    \
                 envelope: out/said/\n    \
                 rulespec: analysis/strict.yaml\n    \
                 blocks: 5\n    \
                 undecided: allow\n",
            ),
            ("analysis/strict.yaml", "claims: []\n"),
        ],
        "",
    );
    let manifest = &book.manifest;
    let tests = manifest.command("tests").unwrap();
    assert_eq!(tests.run, Run::Words(vec!["cargo".into(), "test".into(), "".into()]));
    assert_eq!((tests.timeout, &*tests.folder), (Observation::TIMEOUT, ""));
    let lint = manifest.command("lint").unwrap();
    assert_eq!(lint.run, Run::Shell("npm run lint".into()));
    assert_eq!((lint.timeout, &*lint.folder), (20, "web"));
    let unknown = manifest.command("lints").unwrap_err();
    assert_eq!(unknown.help.as_deref(), Some("did you mean `lint`?"));
    let list = |one: &str| Some(vec![one.to_owned()]);
    let expected = StopHook {
        observe: Wanted {
            git: Some("origin/main".to_owned()),
            files: list("src/**/*.rs"),
            junit: list("out/*.xml"),
            run: list("lint"),
        },
        envelope: "out/said".to_owned(),
        rulespec: manifest.hooks.stop.rulespec.clone(),
        blocks: 5,
        undecided: Undecided::Allow,
    };
    assert_eq!(manifest.hooks.stop, expected);
    assert_eq!(manifest.hooks.stop.rulespec(), "analysis/strict.yaml");
    let strict = book.documents.iter().find(|document| document.path == "analysis/strict.yaml");
    assert_eq!(strict.unwrap().part, Part::Rulespec);
}

#[test]
fn guards_protect_and_the_log_are_read() {
    let book = check(
        &[(
            "lawful.yaml",
            "name: desk\n\
             guards: {opaque: deny}\n\
             protect: {law: false, book: ask, paths: [./ci//, /etc/**, ~/.ssh]}\n\
             hooks: {mode: shadow, law: follow}\n\
             log: {mask: [event.command, 'event.input.env[*].value']}\n",
        )],
        "",
    );
    let Manifest { guards, protect, hooks, log, .. } = &book.manifest;
    assert_eq!(guards.opaque, Some(Opaque::Deny));
    assert_eq!((protect.law, protect.book), (false, Some(EditBook::Ask)));
    let paths: Vec<&str> = protect.paths.iter().map(|(path, _)| &**path).collect();
    assert_eq!(paths, ["ci", "/etc/**", "~/.ssh"]);
    assert_eq!((hooks.mode, hooks.law), (HookMode::Shadow, HookLaw::Follow));
    assert_eq!(log.mask[1].0.to_string(), "event.input.env[*].value");
}

#[test]
fn by_default_the_law_is_protected_trusted_and_enforced() {
    let manifest = check(&[NAME], "").manifest;
    assert_eq!(manifest.guards.opaque, None);
    assert!(manifest.protect.law && manifest.protect.paths.is_empty());
    assert_eq!(manifest.protect.book, None);
    assert_eq!((manifest.hooks.mode, manifest.hooks.law), (HookMode::Enforce, HookLaw::Trusted));
}

#[test]
fn every_problem_of_guards_protect_and_the_log_is_reported() {
    check(
        &[(
            "lawful.yaml",
            "name: desk\n\
             guards: {opaque: block}\n\
             protect: {law: 1, book: allow, paths: [../up, 'a[', 3, '']}\n\
             hooks: {mode: silent, law: trusted}\n\
             log: {mask: [a..b]}\n",
        )],
        "lawful.yaml:2:18 bad-value: invalid value `block` for `opaque`\n\
         lawful.yaml:3:16 wrong-type: `law` must be `true` or `false`, found a number\n\
         lawful.yaml:3:25 bad-value: invalid value `allow` for `book`\n\
         lawful.yaml:3:40 bad-value: `../up` is not a valid pattern of `paths`\n\
         lawful.yaml:3:47 bad-value: invalid pattern `a[`: unclosed character class; missing ']'\n\
         lawful.yaml:3:53 wrong-type: a pattern in `paths` must be a string, found a number\n\
         lawful.yaml:3:56 bad-value: invalid pattern ``: it is empty\n\
         lawful.yaml:4:15 bad-value: invalid value `silent` for `mode`\n\
         lawful.yaml:4:28 bad-value: invalid value `trusted` for `law`\n\
         lawful.yaml:5:16 bad-path: invalid path `a..b` at column 3: a segment of the path is empty",
    );
}

#[test]
fn hooks_that_say_nothing_are_the_careful_ones() {
    let stop = check(&[NAME], "").manifest.hooks.stop;
    assert_eq!((stop.blocks, stop.undecided), (3, Undecided::Block));
    assert_eq!((&*stop.envelope, stop.rulespec()), (".lawful", "analysis/rulespec.yaml"));
    assert!(stop.observe.is_empty());
}

#[test]
fn a_host_may_declare_what_it_observes() {
    let book = check(&[("lawful.yaml", "name: desk\nobserved: [deployments, ci.status]\n")], "");
    let names: Vec<&str> = book.manifest.observed.iter().map(|name| &**name).collect();
    assert_eq!(names, ["deployments", "ci.status"]);
    check(
        &[("lawful.yaml", "name: desk\nobserved: deployments\n")],
        "lawful.yaml:2:11 wrong-type: `observed` must be a list of names, found a string",
    );
    check(
        &[("lawful.yaml", "name: desk\nobserved: [a, changed, a, '', 1, runs]\n")],
        "lawful.yaml:2:15 bad-value: the built-in key `changed` cannot be declared\n\
         lawful.yaml:2:24 duplicate-value: `observed` contains `a` twice\n\
         lawful.yaml:2:27 bad-value: a name in `observed` is blank\n\
         lawful.yaml:2:31 wrong-type: a name in `observed` must be a string, found a number\n\
         lawful.yaml:2:34 bad-value: the built-in key `runs` cannot be declared",
    );
}

#[test]
fn a_rulespec_that_is_named_must_be_there() {
    check(
        &[("lawful.yaml", "name: desk\nhooks: {stop: {rulespec: analysis/gone.yaml}}\n")],
        "lawful.yaml:2:26 unreadable: the file `analysis/gone.yaml` does not exist",
    );
}

#[test]
fn every_problem_of_commands_and_hooks_is_reported_at_once() {
    check(
        &[(
            "lawful.yaml",
            "name: desk\n\
             observe:\n  \
               a: 3\n  \
               b: ' '\n  \
               c: []\n  \
               d: [make, 3]\n  \
               e: {timeout: 1}\n  \
               f: {run: make, timeout: 0, cwd: ../up, shell: true}\n  \
               ' ': make\n  \
               g: [\"a\\0b\"]\n\
             hooks:\n  \
               start: {}\n  \
               stop:\n    \
                 observe: {git: --output=x, files: ['../*', 'a[', 3], junit: [], run: [h, ff], tests: x}\n    \
                 envelope: /tmp\n    \
                 rulespec: .\n    \
                 blocks: 0\n    \
                 undecided: alow\n",
        )],
        "lawful.yaml:3:6 wrong-type: the command `a` must be a list of words or a string, found a number\n\
         lawful.yaml:4:6 bad-value: the command `b` is blank\n\
         lawful.yaml:5:6 bad-value: the command `c` is blank\n\
         lawful.yaml:6:13 wrong-type: a word of a command must be a string, found a number\n\
         lawful.yaml:7:6 missing-key: the command `e` is missing the key `run`\n\
         lawful.yaml:8:27 bad-value: `timeout` must be a whole number of at least 1, found 0\n\
         lawful.yaml:8:35 outside-book: `../up` leads out of the project\n\
         lawful.yaml:8:42 unknown-key: unknown key `shell` in the command `f`\n\
         lawful.yaml:9:3 bad-value: the name of a command is blank\n\
         lawful.yaml:10:7 bad-value: a command cannot contain a zero byte\n\
         lawful.yaml:12:3 unknown-key: unknown key `start` in `hooks`\n\
         lawful.yaml:14:20 bad-value: `--output=x` does not name a commit\n\
         lawful.yaml:14:40 outside-book: `../*` leads out of the project\n\
         lawful.yaml:14:48 bad-value: invalid pattern `a[`: unclosed character class; missing ']'\n\
         lawful.yaml:14:54 wrong-type: an element of `files` must be a string, found a number\n\
         lawful.yaml:14:65 bad-value: `junit` is empty\n\
         lawful.yaml:14:75 unknown-command: the manifest has no command `h`\n\
         lawful.yaml:14:78 unknown-command: the manifest has no command `ff`\n\
         lawful.yaml:14:83 unknown-key: unknown key `tests` in `observe`\n\
         lawful.yaml:15:15 outside-book: `/tmp` leads out of the lawbook\n\
         lawful.yaml:16:15 bad-value: `rulespec` is empty\n\
         lawful.yaml:17:13 bad-value: `blocks` must be a whole number of at least 1, found 0\n\
         lawful.yaml:18:16 bad-value: invalid value `alow` for `undecided`",
    );
}

#[test]
fn envelopes_are_never_written_below_git() {
    for (path, shown) in [
        (".git", ".git"),
        (".git/hooks", ".git/hooks"),
        ("a/../.GIT/x", ".GIT/x"),
        ("sub/.git./x", "sub/.git./x"),
        ("git~1", "git~1"),
    ] {
        check(
            &[("lawful.yaml", &format!("name: a\nhooks: {{stop: {{envelope: {path}}}}}\n"))],
            &format!("lawful.yaml:2:26 bad-value: `{shown}` is in the folder of git"),
        );
    }
}

#[test]
fn every_problem_of_a_manifest_is_reported_at_once() {
    check(
        &[(
            "lawful.yaml",
            "name: 3\n\
             axis: {}\n\
             axes: {tone: terse, 'a..b': [1], 'x[*]': [1], n: [1, 1.0, null], e: []}\n\
             variables:\n  \
               a: {type: nummber}\n  \
               b: {initial: 1}\n  \
               c: {type: number, initial: x, min: 5, max: 1}\n  \
               d: {type: string, min: 1, protected: maybe}\n  \
               e.f: {type: number}\n\
             observe: [x]\n\
             lint: {banned-words: [1], token-budgets: {promt: 1, core: 0}}\n\
             limits: {document-depth: 1000, condition-nodes: none, turns: 2}\n",
        )],
        "lawful.yaml:1:7 wrong-type: `name` must be a string, found a number\n\
         lawful.yaml:2:1 unknown-key: unknown key `axis` in the manifest\n\
         lawful.yaml:3:14 wrong-type: the axis `tone` must be a list of values, found a string\n\
         lawful.yaml:3:21 bad-path: invalid path `a..b`: a segment of the path is empty\n\
         lawful.yaml:3:34 bad-path: the axis `x[*]` cannot contain `[*]`\n\
         lawful.yaml:3:54 duplicate-value: the axis `n` has the value 1.0 twice\n\
         lawful.yaml:3:59 bad-value: an axis cannot have the value null\n\
         lawful.yaml:3:69 bad-value: the axis `e` has no values\n\
         lawful.yaml:5:13 bad-value: unknown type `nummber`\n\
         lawful.yaml:6:6 missing-key: the variable `b` is missing the key `type`\n\
         lawful.yaml:7:6 bad-value: the minimum 5 of the variable `c` is above its maximum 1\n\
         lawful.yaml:7:30 wrong-type: `initial` must be a number, found a string\n\
         lawful.yaml:8:26 bad-value: `min` is only valid for numbers, but the variable `d` is a string\n\
         lawful.yaml:8:40 wrong-type: `protected` must be `true` or `false`, found a string\n\
         lawful.yaml:9:3 bad-path: `e.f` is not a valid variable id\n\
         lawful.yaml:10:10 wrong-type: `observe` must be a mapping, found a list\n\
         lawful.yaml:11:23 wrong-type: a banned word must be a string, found a number\n\
         lawful.yaml:11:43 unknown-key: unknown budget `promt`\n\
         lawful.yaml:11:59 bad-value: `core` must be a whole number of at least 1, found 0\n\
         lawful.yaml:12:26 bad-value: a lawbook can lower `document-depth`, not raise it above 128\n\
         lawful.yaml:12:49 bad-value: `condition-nodes` must be a whole number of at least 1, found \"none\"\n\
         lawful.yaml:12:55 unknown-key: unknown key `turns` in `limits`",
    );
}

#[test]
fn conditioning_stays_in_the_book() {
    let manifest = |conditioning: &str| format!("name: crew\nconditioning: {conditioning}\n");
    let one = |conditioning: &str, expected: &str| {
        check(&[("lawful.yaml", &manifest(conditioning)), ("c/core.md", "Be exact.\n")], expected);
    };
    one(
        "{core: ../core.md, personas: {a: /etc/a.md, b: c/../../b.md, d: c/../c/core.md}}",
        "lawful.yaml:2:22 outside-book: `../core.md` leads out of the lawbook\n\
         lawful.yaml:2:48 outside-book: `/etc/a.md` leads out of the lawbook\n\
         lawful.yaml:2:62 outside-book: `c/../../b.md` leads out of the lawbook",
    );
    one(
        "{core: c/core.md, personas: {a: c/missing.md}, main: b}",
        "lawful.yaml:2:47 unreadable: the file `c/missing.md` does not exist\n\
         lawful.yaml:2:68 bad-value: the role `b` has no persona",
    );
    one("{core: c/core.md, personas: {a: {composition: reply}}}", "");
    one(
        "{core: c/core.txt, personas: {a: {compositon: reply}}}",
        "lawful.yaml:2:22 bad-value: `core` must be a `.md` or `.ncl` file\n\
         lawful.yaml:2:48 missing-key: the persona `a` is missing the key `composition`\n\
         lawful.yaml:2:49 unknown-key: unknown key `compositon` in the persona `a`",
    );
    one("c/core.md", "lawful.yaml:2:15 bad-value: `c/core.md` is not a Nickel file");
    one(
        "c/compose.ncl",
        "lawful.yaml:2:15 unreadable: the file `c/compose.ncl` does not exist\n\
         lawful.yaml:2:15 unreadable: the file `c/core.ncl` does not exist",
    );
    check(
        &[
            ("lawful.yaml", &manifest("{nickel: c/compose.ncl, core: c/law.ncl, main: lead}")),
            ("c/compose.ncl", "{}"),
            ("c/law.ncl", "\"\""),
        ],
        "",
    );
}

#[test]
fn saved_conditions_of_all_files_share_one_namespace() {
    check(
        &[
            NAME,
            ("conditions/a.yaml", "vip: {tier: vip}\nquiet: {ref: vpi}\n"),
            (
                "conditions/b.json",
                "{\"vip\": {\"tier\": \"gold\"}, \"loud\": {\"ref\": \"quiet\"}}",
            ),
            ("conditions/c.yml", "- not a mapping\n"),
            ("conditions/d.yaml", "' ': {a: 1}\nvalue.equals: {a: 1}\nx: [1]\n"),
        ],
        "conditions/a.yaml:2:14 unknown-ref: unknown condition or primitive `vpi`\n\
         conditions/b.json:1:2 duplicate-id: the id `vip` is already taken\n\
         conditions/b.json:1:43 broken-condition: the saved condition `quiet` does not compile\n\
         conditions/c.yml:1:1 wrong-type: a document of conditions must be a mapping from id to condition, found a list\n\
         conditions/d.yaml:1:1 bad-value: the id of a condition is blank\n\
         conditions/d.yaml:2:1 duplicate-id: the id `value.equals` is already taken\n\
         conditions/d.yaml:3:4 wrong-type: a condition must be a mapping, found a list",
    );
}

#[test]
fn a_condition_that_does_not_compile_breaks_what_refers_to_it() {
    let book = check(
        &[NAME, ("conditions/a.yaml", "bad: {path: a, op: gt}\nuses: {ref: bad}\n")],
        "conditions/a.yaml:1:20 bad-args: `greater_than` needs a `value`",
    );
    let problems = book.registry.compile(&crate::cond::Condition::reference("uses")).unwrap_err();
    assert!(!problems.is_empty());
}

#[test]
fn one_broken_document_does_not_hide_another() {
    let book = check_bytes(
        &[
            ("lawful.yaml", b"name: desk\n"),
            ("conditions/a.yaml", b"a: [1\n"),
            ("conditions/b.yaml", b"b: \xff\n"),
            ("fragments/deep/er/x.md", b"---\nid: x\nbody without an end\n"),
            ("fragments/y.md", b"---\nid: y\n---\nHello.\n"),
            ("entries/z.md", b"---\nid: [z\n---\n"),
            ("rules/r.json", b"{\"rules\": [],}"),
            ("analysis/rulespec.yaml", b"claims: 1\nclaims: 2\n"),
            ("scenarios/s.yaml", b"--- a\n--- b\n"),
            ("compositions/c.yaml", b"base: !fancy x\n"),
        ],
        "analysis/rulespec.yaml:2:1 duplicate-key: duplicate key `claims`\n\
         compositions/c.yaml:1:7 custom-tag: unknown tag `!fancy`\n\
         conditions/a.yaml:1:4 yaml-syntax: unclosed bracket '['\n\
         conditions/b.yaml:1:4 invalid-utf8: byte `0xff` is not valid UTF-8\n\
         entries/z.md:2:5 yaml-syntax: unclosed bracket '['\n\
         fragments/deep/er/x.md:1:1 front-matter-unclosed: front matter is not closed\n\
         rules/r.json:1:14 json-syntax: expected a value after the comma, found `}`\n\
         scenarios/s.yaml:2:1 multiple-documents: a second document starts here",
    );
    let sound: Vec<&str> = book.documents.iter().filter(|d| d.sound).map(|d| &*d.path).collect();
    assert_eq!(sound, ["lawful.yaml", "fragments/y.md"]);
}

#[test]
fn what_is_not_read_is_said() {
    check(
        &[
            NAME,
            ("Conditions/a.yaml", "a: {b: 1}\n"),
            ("fragment/a.md", "x"),
            ("src/main.rs", "fn main() {}"),
            ("conditions/notes.txt", "x"),
            ("conditions/.hidden.txt", "x"),
            ("conditions/README.md", "x"),
            ("conditions/deep/a.yaml", "a: {b: 1}\n"),
            ("analysis/rulespec.yml", "x: 1"),
            ("analysis/report.txt", "x"),
            ("conditioning/compose.ncl", "x"),
        ],
        "Conditions:1:1 misnamed-folder: the folder `Conditions` is ignored\n\
         analysis/rulespec.yml:1:1 stray-file: this file is ignored\n\
         conditions/deep:1:1 stray-file: this folder is ignored\n\
         conditions/notes.txt:1:1 stray-file: this file is ignored\n\
         fragment:1:1 misnamed-folder: the folder `fragment` is ignored",
    );
}

#[test]
fn limits_have_their_own_diagnostics() {
    let source = MemorySource::new()
        .with("lawful.yaml", "name: a\n")
        .with("conditions/a.yaml", "x".repeat(2000))
        .with("conditions/b.yaml", "b: {x: 1}\n")
        .with("conditions/c.yaml", "c: {x: 1}\n");
    let mut options = Options::default();
    options.limits.document.bytes = 1000;
    options.limits.files = 2;
    let (book, problems) = load(&source, options).unwrap();
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.name).collect();
    assert_eq!(codes, ["too-large", "too-many-files"]);
    assert!(!book.complete);

    let mut options = Options::default();
    options.limits.book_bytes = 1000;
    let (book, problems) = load(&source, options).unwrap();
    assert_eq!(problems[0].code.name, "too-many-files");
    assert!(!book.complete);
}
