//! Situations of a project and a home, and what reaches the model in each.

use std::path::Path;

use super::{CORE, User, book, codes, disk, named, request, shown};
use crate::disk::memory::MemoryDisk;
use crate::{Arrives, FileState, Finding, Plan, Prompts, Request, Scope};

/// A project and a home with these files.
fn with(files: &[(&str, &str)]) -> MemoryDisk {
    let disk = disk();
    for (path, text) in files {
        disk.put(Path::new(path), text.as_bytes());
    }
    disk
}

fn activating(ids: &[&str]) -> Request {
    Request { activate: true, ..request(named(ids)) }
}

/// `PATH ARRIVES` of each file of a harness after an installation, without its agents.
fn after(disk: &MemoryDisk, scope: Scope, asked: &Request) -> Vec<String> {
    let user = User::new(disk, scope);
    let plan = user.install(&book("1"), asked);
    assert!(!plan.has_conflict(), "{:?}", plan.findings);
    main_files(&user, &book("1"))
}

fn main_files(user: &User<'_, MemoryDisk>, prompts: &Prompts) -> Vec<String> {
    let files = user.status(prompts).into_iter().filter(|file| file.role == "lead");
    files.map(|file| format!("{} {}", file.path, file.arrives.name())).collect()
}

fn plan(disk: &MemoryDisk, scope: Scope, asked: &Request) -> Plan {
    User::new(disk, scope).plan(&book("1"), asked)
}

fn finding<'p>(plan: &'p Plan, code: &str) -> &'p Finding {
    plan.findings.iter().find(|finding| finding.code.name == code).unwrap()
}

#[test]
fn claude_code_reads_a_block_until_a_style_is_activated() {
    let disk = disk();
    assert_eq!(after(&disk, Scope::Project, &request(named(&["claude-code"]))), ["CLAUDE.md once"]);
    assert_eq!(
        after(&disk, Scope::Project, &activating(&["claude-code"])),
        [".claude/output-styles/lawful-lead.md once", ".claude/settings.json once"]
    );
    assert_eq!(disk.text(Path::new("/p/CLAUDE.md")), None);
}

#[test]
fn a_stronger_settings_file_decides_and_so_the_block_is_used() {
    let local = "/p/.claude/settings.local.json";
    let managed = "/etc/claude-code/managed-settings.json";
    for file in [local, managed] {
        let disk = with(&[(file, "{\"outputStyle\": \"Mine\"}")]);
        let plan = plan(&disk, Scope::Project, &activating(&["claude-code"]));
        assert_eq!(codes(&plan), ["not-activated"], "{file}");
        assert!(finding(&plan, "not-activated").message.contains(&*file.replace("/p/", "")));
        assert_eq!(after(&disk, Scope::Project, &activating(&["claude-code"])), ["CLAUDE.md once"]);
    }
    // It came later.
    let disk = disk();
    after(&disk, Scope::Project, &activating(&["claude-code"]));
    disk.put(Path::new(local), b"{\"outputStyle\": \"Mine\"}");
    let user = User::new(&disk, Scope::Project);
    let (files, findings) = user.status_and_findings(&book("1"));
    let style = files.iter().find(|file| file.path.contains("output-styles")).unwrap();
    assert_eq!((style.state, style.arrives), (FileState::Inactive, Arrives::No));
    assert!(findings.iter().any(|finding| finding.code.name == "overruled-setting"));
    // The settings of a project decide over those of a user.
    let disk = with(&[("/p/.claude/settings.json", "{\"outputStyle\": \"Mine\"}")]);
    assert_eq!(codes(&plan(&disk, Scope::User, &activating(&["claude-code"]))), ["not-activated"]);
}

#[test]
fn settings_of_a_project_count_where_the_harness_is_started() {
    let disk = disk();
    after(&disk, Scope::Project, &activating(&["claude-code"]));
    let mut user = User::new(&disk, Scope::Project);
    user.places = user.places.standing_in(Path::new("/p/src"));
    let (files, findings) = user.status_and_findings(&book("1"));
    assert_eq!(files.iter().find(|file| file.role == "lead").unwrap().arrives, Arrives::No);
    assert!(findings.iter().any(|finding| finding.code.name == "not-read"));
    // Its block and its agents are read there too.
    user.install(&book("1"), &request(named(&["claude-code"])));
    user.uninstall(&named(&["claude-code"]));
    user.install(&book("1"), &request(named(&["claude-code"])));
    assert_eq!(main_files(&user, &book("1")), ["CLAUDE.md once"]);
}

#[test]
fn gemini_and_qwen_get_an_absolute_path_that_holds_in_every_folder() {
    for (id, folder, key) in
        [("gemini-cli", ".gemini", "GEMINI_SYSTEM_MD"), ("qwen", ".qwen", "QWEN_SYSTEM_MD")]
    {
        let disk = disk();
        after(&disk, Scope::Project, &activating(&[id]));
        let env = disk.text(&Path::new("/p").join(folder).join(".env")).unwrap();
        assert_eq!(env, format!("{key}=/p/{folder}/system.md\n"));
        let mut user = User::new(&disk, Scope::Project);
        user.places = user.places.standing_in(Path::new("/p/src"));
        let files = main_files(&user, &book("1"));
        assert!(files.iter().all(|file| file.ends_with(" once")), "{files:?}");
    }
}

#[test]
fn a_new_env_file_never_hides_one_with_keys() {
    let cases = [
        ("gemini-cli", "/p/.env", Scope::Project, true),
        ("gemini-cli", "/.env", Scope::Project, true),
        ("gemini-cli", "/u/.gemini/.env", Scope::Project, true),
        ("gemini-cli", "/u/.env", Scope::Project, true),
        ("gemini-cli", "/u/.env", Scope::User, true),
        ("gemini-cli", "/p/.gemini/.env", Scope::Project, false),
        ("qwen", "/p/.env", Scope::Project, true),
        // Qwen Code reads those of the home in any case.
        ("qwen", "/u/.qwen/.env", Scope::Project, false),
        ("qwen", "/u/.env", Scope::User, false),
    ];
    for (id, file, scope, is_hidden) in cases {
        let disk = with(&[(file, "API_KEY=1\n")]);
        let found = plan(&disk, scope, &activating(&[id]));
        let expected: &[&str] = if is_hidden { &["not-activated"] } else { &[] };
        assert_eq!(codes(&found), expected, "{id} {file}");
        let files = after(&disk, scope, &activating(&[id]));
        assert!(files.iter().all(|file| file.ends_with(" once")), "{id} {file}: {files:?}");
        assert!(disk.text(Path::new(file)).unwrap().starts_with("API_KEY=1\n"));
        // Whoever allows it has it.
        let may = Request { may_hide: true, ..activating(&[id]) };
        assert_eq!(codes(&plan(&disk, scope, &may)), [""; 0], "{id} {file}");
    }
}

#[test]
fn the_file_of_another_folder_decides_for_a_user() {
    let disk = disk();
    after(&disk, Scope::User, &activating(&["gemini-cli"]));
    disk.put(Path::new("/p/.env"), b"OTHER=1\n");
    let user = User::new(&disk, Scope::User);
    let files = main_files(&user, &book("1"));
    assert!(files.iter().all(|file| file.ends_with(" no")), "{files:?}");
}

#[test]
fn codex_gets_a_block_in_a_project_that_is_not_trusted() {
    let disk = disk();
    let trust = disk.text(Path::new("/u/.codex/config.toml")).unwrap();
    disk.put(Path::new("/u/.codex/config.toml"), b"");
    let asked = activating(&["codex"]);
    let found = plan(&disk, Scope::Project, &asked);
    assert_eq!(codes(&found), ["not-activated", "untrusted-project", "untrusted-project"]);
    assert_eq!(after(&disk, Scope::Project, &asked), ["AGENTS.md once"]);
    disk.put(Path::new("/u/.codex/config.toml"), trust.as_bytes());
    assert_eq!(main_files(&User::new(&disk, Scope::Project), &book("1")), ["AGENTS.md once"]);
    assert_eq!(after(&disk, Scope::Project, &asked), [".codex/config.toml once"]);
    // Trust that is withdrawn takes it away.
    disk.put(Path::new("/u/.codex/config.toml"), b"");
    let user = User::new(&disk, Scope::Project);
    let (files, findings) = user.status_and_findings(&book("1"));
    assert_eq!((files[0].state, files[0].arrives), (FileState::Inactive, Arrives::No));
    assert!(findings.iter().any(|finding| finding.code.name == "untrusted-project"));
}

#[test]
fn gemini_reads_files_of_trusted_projects_only() {
    let disk = disk();
    let mut user = User::new(&disk, Scope::Project);
    user.places = crate::Places::new(Path::new("/p"), |name| (name == "HOME").then(|| "/u".into()));
    let plan = user.install(&book("1"), &request(named(&["gemini-cli"])));
    assert_eq!(codes(&plan), ["untrusted-project"; 3]);
    assert!(plan.roles.iter().all(|role| role.state == crate::Delivered::Inactive));
    assert_eq!(main_files(&user, &book("1")), ["GEMINI.md no"]);
    disk.put(Path::new("/u/.gemini/trustedFolders.json"), b"{\"/p\": \"TRUST_FOLDER\"}");
    assert_eq!(main_files(&user, &book("1")), ["GEMINI.md once"]);
    disk.put(Path::new("/u/.gemini/trustedFolders.json"), b"{}");
    let off = b"{\"security\": {\"folderTrust\": {\"enabled\": false}}} // mine";
    disk.put(Path::new("/u/.gemini/settings.json"), off);
    assert_eq!(main_files(&user, &book("1")), ["GEMINI.md once"]);
}

#[test]
fn another_default_agent_of_opencode_counts_where_it_is_stronger() {
    let theirs = "{\"default_agent\": \"mine\"}";
    for (file, scope) in [
        ("/p/.opencode/opencode.json", Scope::Project),
        ("/p/opencode.json", Scope::User),
        ("/etc/opencode/opencode.json", Scope::Project),
    ] {
        let disk = with(&[(file, theirs)]);
        let found = plan(&disk, scope, &activating(&["opencode"]));
        assert_eq!(codes(&found), ["not-activated"], "{file}");
        let files = after(&disk, scope, &activating(&["opencode"]));
        assert!(files.iter().all(|file| file.contains("AGENTS.md once")), "{files:?}");
    }
    let disk = with(&[("/u/.config/opencode/opencode.json", theirs)]);
    let files = after(&disk, Scope::Project, &activating(&["opencode"]));
    assert_eq!(files, [".opencode/agents/lawful-lead.md once", "opencode.json once"]);
}

#[test]
fn qwen_reads_the_files_that_its_settings_name() {
    let settings = "/u/.qwen/settings.json";
    let name =
        |names: &str| with(&[(settings, &format!("{{\"context\": {{\"fileName\": {names}}}}}"))]);
    let asked = request(named(&["qwen"]));
    assert_eq!(after(&disk(), Scope::Project, &asked), ["AGENTS.md once"]);
    assert_eq!(
        after(&name("[\"X.md\", \"AGENTS.md\"]"), Scope::Project, &asked),
        ["AGENTS.md once"]
    );
    assert_eq!(after(&name("\"QWEN.md\""), Scope::Project, &asked), ["QWEN.md once"]);
    let other = name("[\"RULES.md\"]");
    let found = plan(&other, Scope::Project, &asked);
    assert_eq!(codes(&found), ["not-read"]);
    assert_eq!(finding(&found, "not-read").help, "add `AGENTS.md` to that setting");
    assert_eq!(after(&other, Scope::Project, &asked), ["AGENTS.md no"]);
}

#[test]
fn a_new_agents_file_does_not_hide_the_rules_of_its_owner() {
    let rules = [("/p/CLAUDE.md", "# Mine\n")];
    // Where they are read there is room for a block.
    let disk = with(&rules);
    let files = after(&disk, Scope::Project, &request(named(&["opencode"])));
    assert_eq!(files, ["CLAUDE.md once"]);
    assert_eq!(disk.text(Path::new("/p/AGENTS.md")), None);
    // Another harness reads no other file.
    for reader in ["opencode", "pi"] {
        let disk = with(&rules);
        let asked = request(named(&["codex", reader]));
        let found = plan(&disk, Scope::Project, &asked);
        assert!(found.has_conflict() && found.is_done(), "{reader}");
        assert!(codes(&found).contains(&"hides-file"), "{reader}: {:?}", found.findings);
        let may = Request { may_hide: true, ..asked };
        assert!(!plan(&disk, Scope::Project, &may).has_conflict(), "{reader}");
    }
    // Who does not read them has nothing to lose, and neither has who reads `AGENTS.md` already.
    assert!(!plan(&with(&rules), Scope::Project, &request(named(&["codex"]))).has_conflict());
    let both = with(&[rules[0], ("/p/AGENTS.md", "# Mine too\n")]);
    assert_eq!(after(&both, Scope::Project, &request(named(&["opencode"]))), ["AGENTS.md once"]);
    // In a home it is the same.
    let home = with(&[("/u/.claude/CLAUDE.md", "# Mine\n")]);
    let files = after(&home, Scope::User, &request(named(&["opencode"])));
    assert_eq!(files, ["/u/.claude/CLAUDE.md once"]);
}

#[test]
fn agents_that_get_the_shared_file_have_the_persona_alone() {
    let cases = [
        ("opencode", "/p/.opencode/agents/lawful-scout.md", false),
        ("opencode", "/p/.opencode/agents/lawful-scout.md", true),
        ("qwen", "/p/.qwen/agents/lawful-scout.md", false),
        ("qwen", "/p/.qwen/agents/lawful-scout.md", true),
        ("gemini-cli", "/p/.gemini/agents/lawful-scout.md", false),
        ("gemini-cli", "/p/.gemini/agents/lawful-scout.md", true),
        ("claude-code", "/p/.claude/agents/lawful-scout.md", false),
        ("claude-code", "/p/.claude/agents/lawful-scout.md", true),
        // Only an agent that a person starts gets the instructions too.
        ("copilot", "/p/.github/agents/lawful-scout.agent.md", false),
        ("cline", "/p/.cline/agents/lawful-scout.yaml", false),
    ];
    for (id, path, activate) in cases {
        let disk = disk();
        let user = User::new(&disk, Scope::Project);
        let asked = Request { activate, ..request(named(&[id])) };
        user.install(&book("1"), &asked);
        let text = disk.text(Path::new(path)).unwrap();
        // What replaces the system prompt reaches the main conversation only.
        assert_eq!(text.contains(CORE), activate || id == "copilot", "{id} {activate}");
        assert!(text.ends_with("You look. (1)\n"), "{id} {activate}");
        for file in user.status(&book("1")) {
            assert_eq!(
                (file.arrives, file.core),
                (Arrives::Once, true),
                "{id} {activate} {file:?}"
            );
        }
    }
    // Without the main role the agent has nothing else.
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let asked = Request { roles: Some(vec!["scout".to_owned()]), ..request(named(&["opencode"])) };
    user.install(&book("1"), &asked);
    let scout = Path::new("/p/.opencode/agents/lawful-scout.md");
    assert!(disk.text(scout).unwrap().contains(CORE));
    // With the text of another harness it has.
    user.install(&book("1"), &request(named(&["codex"])));
    user.install(&book("1"), &asked);
    assert!(!disk.text(scout).unwrap().contains(CORE));
    // If that goes, nothing says that all is well.
    disk.put(Path::new("/p/AGENTS.md"), b"");
    let files = user.status(&book("1"));
    let scout = files.iter().find(|file| file.path.contains("lawful-scout")).unwrap();
    assert!(!scout.core && scout.arrives != Arrives::Once, "{scout:?}");
}

#[test]
fn several_harnesses_that_read_one_file_get_the_core_once() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let ids = ["cursor", "opencode", "codex", "qwen", "pi", "zed", "agents-md", "devin", "cline"];
    user.install(&book("1"), &request(named(&ids)));
    for file in user.status(&book("1")).iter().filter(|file| file.role == "lead") {
        assert_eq!((&*file.path, file.arrives), ("AGENTS.md", Arrives::Once), "{file:?}");
    }
    // Also if one of them came first.
    let disk = super::disk();
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &request(named(&["cursor"])));
    assert!(disk.text(Path::new("/p/.cursor/rules/lawful.mdc")).is_some());
    let plan = user.install(&book("1"), &request(named(&["codex"])));
    assert!(shown(&plan).contains(&"delete cursor .cursor/rules/lawful.mdc".to_owned()));
    assert_eq!(main_files(&user, &book("1")), ["AGENTS.md once"; 2]);
    // And with settings.
    let plan = user.install(&book("1"), &activating(&["opencode"]));
    assert_eq!(codes(&plan), ["not-activated"]);
    assert_eq!(main_files(&user, &book("1")), ["AGENTS.md once"; 3]);
}

#[test]
fn a_core_that_another_scope_has_is_not_written_again() {
    for (id, is_twice) in [
        ("claude-code", true),
        ("codex", true),
        ("gemini-cli", true),
        ("qwen", true),
        ("opencode", true),
        // Its file of the project is read instead of the other.
        ("pi", false),
    ] {
        let disk = disk();
        User::new(&disk, Scope::User).install(&book("1"), &request(named(&[id])));
        let asked = request(named(&[id]));
        let found = plan(&disk, Scope::Project, &asked);
        let expected: &[&str] = if is_twice { &["already-delivered"] } else { &[] };
        assert_eq!(codes(&found), expected, "{id}");
    }
    // A setting of the project is read instead of one of the user.
    let disk = disk();
    User::new(&disk, Scope::User).install(&book("1"), &activating(&["codex"]));
    assert_eq!(codes(&plan(&disk, Scope::Project, &activating(&["codex"]))), [""; 0]);
    // Where both are there already, they say so.
    let disk = super::disk();
    let user = User::new(&disk, Scope::User);
    user.install(&book("1"), &request(named(&["claude-code"])));
    disk.put(
        Path::new("/p/CLAUDE.md"),
        disk.text(Path::new("/u/.claude/CLAUDE.md")).unwrap().as_bytes(),
    );
    let (files, findings) = user.status_and_findings(&book("1"));
    assert!(files.iter().all(|file| file.arrives == Arrives::Twice), "{files:?}");
    assert!(findings.iter().any(|finding| finding.code.name == "delivered-twice"));
}

/// A book with this text after the core of every role.
fn saying(text: &str) -> Prompts {
    let mut prompts = book("1");
    prompts.core = format!("{CORE}\n\n{text}");
    for prompt in &mut prompts.roles {
        prompt.text = format!("{}\n\nYou are {}.", prompts.core, prompt.role);
    }
    prompts
}

#[test]
fn a_text_that_a_harness_would_change_is_refused() {
    let cases = [
        ("gemini-cli", Scope::Project, false, "Ask @team first.", true),
        ("gemini-cli", Scope::Project, false, "Ask `@team` first, or a@b.c.", false),
        ("gemini-cli", Scope::User, false, "One.\n\n\nTwo.", true),
        ("gemini-cli", Scope::Project, false, "One.\n\n\nTwo.", false),
        ("qwen", Scope::Project, false, "Ask @team first.", true),
        ("claude-code", Scope::Project, false, "Ask @team first.", false),
        ("claude-code", Scope::Project, false, "<!-- not said -->\nSaid.", true),
        ("claude-code", Scope::Project, true, "<!-- said -->\nSaid.", false),
        ("codex", Scope::Project, false, "Ask @team ${first}.\n\n\n<!-- x -->", false),
    ];
    for (id, scope, activate, text, is_refused) in cases {
        let disk = disk();
        let user = User::new(&disk, scope);
        let asked = Request { activate, ..request(named(&[id])) };
        let plan = user.plan(&saying(text), &asked);
        assert_eq!(
            codes(&plan).contains(&"altered-text"),
            is_refused,
            "{id} {text:?}: {:?}",
            plan.findings
        );
        assert_eq!(plan.has_conflict(), is_refused, "{id} {text:?}");
    }
    // A variable in an agent stops it, and in the file of the main conversation it is text.
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let mut prompts = book("1");
    prompts.roles[0].text.push_str(" ${name}");
    assert!(!user.plan(&prompts, &request(named(&["gemini-cli"]))).has_conflict());
    prompts.roles[1].text.push_str(" ${name}");
    assert_eq!(codes(&user.plan(&prompts, &request(named(&["gemini-cli"])))), ["altered-text"]);
    // Where the replacement of the system prompt would change it, the block does not.
    let plan = user.plan(&saying("One.\n\n\nTwo. ${SubAgents}"), &activating(&["gemini-cli"]));
    assert_eq!(codes(&plan).first(), Some(&"not-activated"));
}

#[test]
fn what_changes_a_text_later_is_said() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let prompts = saying("Ask `the @team` first.");
    user.install(&prompts, &request(named(&["gemini-cli"])));
    // One backtick before the block turns what is code in it into text.
    let file = disk.text(Path::new("/p/GEMINI.md")).unwrap();
    disk.put(Path::new("/p/GEMINI.md"), format!("A ` tick.\n\n{file}").as_bytes());
    let (files, findings) = user.status_and_findings(&prompts);
    let main = files.iter().find(|file| file.path == "GEMINI.md").unwrap();
    assert_eq!((main.state, main.arrives), (FileState::Clean, Arrives::Changed));
    assert!(findings.iter().any(|finding| finding.code.name == "arrives-changed"));
}
