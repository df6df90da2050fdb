use super::*;
use crate::state::tests::{folder, state};
use crate::{BookFolder, HOOKS, find_hook as find};

/// The command of the stop.
const STOP: &str = "out=$(lawful hook --harness claude-code stop \\\"$@\\\")";

fn plain() -> HookCommand {
    HookCommand::default()
}

fn of_book() -> HookCommand {
    HookCommand { book: Some(BookFolder::At("/my law".to_owned())), ..plain() }
}

fn claude() -> &'static Hook {
    find("claude-code").unwrap()
}

fn project(root: &Path) -> Settings {
    Settings::locate(claude(), Scope::Project, root, |_| None).unwrap()
}

#[test]
fn settings_are_where_the_harness_looks_for_them() {
    let at = |scope: Scope, id: &str, set: &'static [(&str, &str)]| {
        let value = move |name: &str| {
            let found = set.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        };
        let found = Settings::locate(find(id).unwrap(), scope, Path::new("/p"), value);
        found.map(|settings| settings.path.display().to_string()).ok()
    };
    let home = &[("HOME", "/h")];
    let moved = &[("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "/c")];
    assert_eq!(at(Scope::User, "claude-code", home).unwrap(), "/h/.claude/settings.json");
    assert_eq!(at(Scope::User, "claude-code", moved).unwrap(), "/c/settings.json");
    assert_eq!(at(Scope::User, "gemini-cli", moved).unwrap(), "/h/.gemini/settings.json");
    assert_eq!(at(Scope::User, "codex", home).unwrap(), "/h/.codex/hooks.json");
    assert_eq!(at(Scope::Project, "claude-code", moved).unwrap(), "/p/.claude/settings.json");
    assert_eq!(at(Scope::User, "claude-code", &[]), None);
}

#[test]
fn installing_and_uninstalling_leaves_every_byte() {
    let root = folder("bytes");
    let state = state(&root.join("state"));
    let settings = project(&root);
    let texts = [
        None,
        Some("{}"),
        Some(""),
        Some("{\n  // mine\n  \"hooks\": {},\n}\n"),
        Some("{\"hooks\": {\"Stop\": []}}"),
        Some("\u{feff}{\r\n\"a\": [1,2,],\r\n}"),
    ];
    for text in texts {
        let _ = fs::remove_dir_all(root.join(".claude"));
        if let Some(text) = text {
            fs::create_dir_all(root.join(".claude")).unwrap();
            fs::write(&settings.path, text).unwrap();
        }
        let install = |events: &[Event], command: &HookCommand| {
            settings.install(claude(), events, command, &state, |_| false).unwrap()
        };
        assert_eq!(install(&[Event::Stop], &plain()), Done::Changed);
        assert_eq!(install(&Event::ALL, &plain()), Done::Changed);
        assert_eq!(install(&Event::ALL, &plain()), Done::Unchanged);
        assert_eq!(install(&Event::ALL, &of_book()), Done::Changed);
        assert_eq!(install(&Event::ALL, &of_book()), Done::Unchanged);
        assert_eq!(settings.uninstall(claude(), &state).unwrap(), Done::Changed);
        assert_eq!(settings.uninstall(claude(), &state).unwrap(), Done::Unchanged);
        let left = fs::read_to_string(&settings.path).ok();
        assert_eq!(left.as_deref(), text);
    }
}

#[test]
fn what_was_edited_since_is_kept() {
    let root = folder("edited");
    let state = state(&root.join("state"));
    let settings = project(&root);
    settings.install(claude(), &Event::ALL, &plain(), &state, |_| false).unwrap();
    let text = fs::read_to_string(&settings.path).unwrap();
    fs::write(&settings.path, text.replacen('{', "{\n  \"model\": \"opus\", // new", 1)).unwrap();
    settings.uninstall(claude(), &state).unwrap();
    let left = fs::read_to_string(&settings.path).unwrap();
    assert!(left.contains("\"model\": \"opus\"") && left.contains("// new"), "{left}");
    assert!(!left.contains("lawful"), "{left}");
}

#[test]
fn broken_settings_are_left_alone() {
    let root = folder("broken");
    let state = state(&root.join("state"));
    let settings = project(&root);
    fs::create_dir_all(root.join(".claude")).unwrap();
    for bytes in [&b"{\"hooks\": "[..], b"[]", b"\xff{}", b"{\"hooks\": 3}"] {
        fs::write(&settings.path, bytes).unwrap();
        assert!(settings.install(claude(), &Event::ALL, &plain(), &state, |_| false).is_err());
        assert!(settings.uninstall(claude(), &state).is_err());
        assert_eq!(fs::read(&settings.path).unwrap(), bytes);
    }
    let files = fs::read_dir(root.join(".claude")).unwrap().count();
    assert_eq!(files, 1, "nothing is left beside it");
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_and_refused_outside() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let outside = folder("links-outside");
    let root = folder("links");
    let state = state(&root.join("state"));
    let settings = project(&root);
    let refused = |settings: &Settings| {
        let error =
            settings.install(claude(), &Event::ALL, &plain(), &state, |_| false).unwrap_err();
        assert!(matches!(error, SettingsError::Outside(_)), "{error}");
    };
    fs::write(outside.join("settings.json"), "{}").unwrap();
    symlink(&outside, root.join(".claude")).unwrap();
    refused(&settings);
    fs::remove_file(root.join(".claude")).unwrap();
    fs::create_dir_all(root.join(".claude")).unwrap();
    symlink(outside.join("settings.json"), &settings.path).unwrap();
    refused(&settings);
    fs::remove_file(&settings.path).unwrap();
    symlink(root.join("nowhere"), &settings.path).unwrap();
    refused(&settings);
    fs::remove_file(&settings.path).unwrap();
    assert_eq!(fs::read_to_string(outside.join("settings.json")).unwrap(), "{}");

    let kept = root.join("dotfiles.json");
    fs::write(&kept, "{}\n").unwrap();
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&kept, &settings.path).unwrap();
    settings.install(claude(), &Event::ALL, &plain(), &state, |_| false).unwrap();
    assert!(fs::symlink_metadata(&settings.path).unwrap().is_symlink());
    assert!(fs::read_to_string(&kept).unwrap().contains("lawful"));
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn every_harness_gets_its_hooks_and_loses_them() {
    for hook in &HOOKS {
        let root = folder(&format!("harness-{}", hook.id));
        let state = state(&root.join("state"));
        let settings = Settings::locate(hook, Scope::Project, &root, |_| None).unwrap();
        let install = |command: &HookCommand| {
            settings.install(hook, &Event::ALL, command, &state, |_| false).unwrap()
        };
        assert_eq!(install(&plain()), Done::Changed, "{}", hook.id);
        assert_eq!(install(&plain()), Done::Unchanged, "{}", hook.id);
        assert_eq!(install(&of_book()), Done::Changed, "{}", hook.id);
        let found = settings.hook(hook, &Event::ALL, Some(&state)).unwrap();
        assert_eq!(found.state, HookState::Clean, "{}: {found:?}", hook.id);
        assert_eq!(found.events.len(), hook.events.len(), "{}", hook.id);
        assert!(found.command.unwrap().contains("/my law"), "{}", hook.id);
        // Without the record it is the same.
        assert_eq!(settings.hook(hook, &Event::ALL, None).unwrap().state, HookState::Clean);
        assert_eq!(settings.uninstall(hook, &state).unwrap(), Done::Changed, "{}", hook.id);
        assert_eq!(settings.uninstall(hook, &state).unwrap(), Done::Unchanged, "{}", hook.id);
        let left: Vec<_> =
            fs::read_dir(&root).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(left, ["state"], "{}", hook.id);
    }
}

#[test]
fn hooks_of_others_are_kept_to_the_byte() {
    for (id, text) in [
        (
            "cursor",
            "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [{\"command\": \"say\"}] // mine\n  }\n}\n",
        ),
        ("copilot", "{\"hooks\": {\"preToolUse\": []}, \"version\": 1}"),
        (
            "codex",
            "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": []}], \"Stop\": []}}",
        ),
        ("qwen", "{ \"hooks\" : {} , \"model\" : {} }"),
        ("cursor", ""),
        ("copilot", " \n"),
    ] {
        let root = folder("others");
        let state = state(&root.join("state"));
        let hook = find(id).unwrap();
        let settings = Settings::locate(hook, Scope::Project, &root, |_| None).unwrap();
        fs::create_dir_all(settings.path.parent().unwrap()).unwrap();
        fs::write(&settings.path, text).unwrap();
        settings.install(hook, &Event::ALL, &plain(), &state, |_| false).unwrap();
        assert!(
            fs::read_to_string(&settings.path).unwrap().contains("\"version\": 1")
                || !["cursor", "copilot"].contains(&id)
        );
        settings.uninstall(hook, &state).unwrap();
        assert_eq!(fs::read_to_string(&settings.path).unwrap(), text, "{id}");
        // Between the two, someone adds a hook of their own.
        settings.install(hook, &Event::ALL, &plain(), &state, |_| false).unwrap();
        let with = fs::read_to_string(&settings.path).unwrap();
        let (head, tail) = with.rsplit_once('}').unwrap();
        let edited = format!("{}, \"theirs\": [1]}}{tail}", head.trim_end());
        fs::write(&settings.path, edited).unwrap();
        settings.uninstall(hook, &state).unwrap();
        let left = fs::read_to_string(&settings.path).unwrap();
        assert!(left.contains("\"theirs\": [1]") && !left.contains("lawful"), "{id}: {left}");
    }
}

#[test]
fn an_install_of_only_a_stop_is_upgraded() {
    let root = folder("upgrade");
    let state = state(&root.join("state"));
    let settings = project(&root);
    let old = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "lawful hook --harness claude-code stop --book x", "timeout": 900}]}]}}"#;
    fs::create_dir_all(root.join(".claude")).unwrap();
    fs::write(&settings.path, old).unwrap();
    let now = || settings.hook(claude(), &Event::ALL, Some(&state)).unwrap();
    assert_eq!(now().state, HookState::Outdated);
    assert_eq!(
        settings.install(claude(), &Event::ALL, &plain(), &state, |_| false).unwrap(),
        Done::Changed
    );
    assert_eq!(now().state, HookState::Clean);
    let text = fs::read_to_string(&settings.path).unwrap();
    assert_eq!(text.matches("claude-code stop").count(), 1, "{text}");
}

#[test]
fn a_plugin_of_someone_else_is_left_alone() {
    let root = folder("plugin");
    let state = state(&root.join("state"));
    let hook = find("opencode").unwrap();
    let settings = Settings::locate(hook, Scope::Project, &root, |_| None).unwrap();
    fs::create_dir_all(settings.path.parent().unwrap()).unwrap();
    fs::write(&settings.path, "export const Mine = 1\n").unwrap();
    let install = || settings.install(hook, &Event::ALL, &plain(), &state, |_| false);
    assert!(matches!(install().unwrap_err(), SettingsError::NotOurs));
    assert_eq!(settings.uninstall(hook, &state).unwrap(), Done::Unchanged);
    assert_eq!(settings.hook(hook, &Event::ALL, Some(&state)), None);
    fs::remove_file(&settings.path).unwrap();
    install().unwrap();
    let text = fs::read_to_string(&settings.path).unwrap();
    fs::write(&settings.path, text.replace("code !== 0", "false")).unwrap();
    let found = settings.hook(hook, &Event::ALL, Some(&state)).unwrap();
    assert_eq!(found.state, HookState::Drifted);
    assert!(matches!(install().unwrap_err(), SettingsError::NotOurs));
    assert!(matches!(settings.uninstall(hook, &state).unwrap_err(), SettingsError::Edited));
    fs::remove_file(&settings.path).unwrap();
    assert_eq!(settings.hook(hook, &Event::ALL, Some(&state)).unwrap().state, HookState::Missing);
}

#[test]
fn the_hook_in_settings_has_a_state() {
    let root = folder("hook-state");
    let state = state(&root.join("state"));
    let settings = project(&root);
    let stop = [Event::Stop];
    let found = |state: Option<&State>| settings.hook(claude(), &stop, state);
    let now = || found(Some(&state)).map(|hook| hook.state);
    let named = |state: HookState| Some(state);
    let edit = |from: &str, to: &str| {
        let text = fs::read_to_string(&settings.path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&settings.path, text.replace(from, to)).unwrap();
    };
    assert_eq!(now(), None);
    settings.install(claude(), &stop, &plain(), &state, |_| false).unwrap();
    assert_eq!(now(), named(HookState::Clean));
    // Someone else's settings are not ours to judge.
    edit("{\n  \"hooks\"", "{\n  \"model\": \"opus\",\n  \"hooks\"");
    assert_eq!(now(), named(HookState::Clean));
    edit("900", "1");
    assert_eq!(now(), named(HookState::Drifted), "the harness would not wait for it");
    edit(": 1", ": 900");
    edit("PATH?\\\"}'", "PATH?\\\"}' --undecided allow");
    assert_eq!(now(), Some(HookState::Drifted), "this is not what was installed");
    // Whoever clones the project has no record.
    assert_eq!(found(None).unwrap().state, HookState::Clean);
    edit(STOP, "out=$(true)");
    assert_eq!(found(None), None);
    let replaced = found(Some(&state)).unwrap();
    assert_eq!(replaced.state, HookState::Drifted, "it was edited, not removed");
    assert!(replaced.command.unwrap().contains("out=$(true)"));
    fs::write(&settings.path, "{\"hooks\": ").unwrap();
    assert_eq!(now(), Some(HookState::Foreign));
    fs::write(&settings.path, "{}").unwrap();
    assert_eq!(now(), Some(HookState::Missing));
    fs::remove_file(&settings.path).unwrap();
    assert_eq!(now(), Some(HookState::Missing));
    assert_eq!(found(None), None);
}

#[test]
fn the_nearest_setting_turns_hooks_off_or_on() {
    let root = folder("switch");
    let home = root.join("home");
    let project = root.join("project");
    let write = |path: &Path, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let disabled = || {
        let variable = |name: &str| (name == "HOME").then(|| home.clone().into_os_string());
        crate::disabled_by(claude(), &project, variable)
    };
    let user = home.join(".claude/settings.json");
    let shared = project.join(".claude/settings.json");
    let local = project.join(".claude/settings.local.json");
    assert_eq!(disabled(), None);
    write(&user, "{\"disableAllHooks\": true, // for now\n}");
    assert_eq!(disabled(), Some(user));
    write(&shared, "{\"disableAllHooks\": false}");
    assert_eq!(disabled(), None);
    write(&local, "{\"disableAllHooks\": true}");
    assert_eq!(disabled(), Some(local.clone()));
    write(&local, "{\"disableAllHooks\": \"true\"}");
    assert_eq!(disabled(), None, "this is not a boolean");
}
