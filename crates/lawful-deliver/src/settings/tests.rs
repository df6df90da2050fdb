use super::*;
use crate::find_hook as find;
use crate::state::tests::{folder, state};

const COMMAND: &str = "lawful hook --harness claude-code stop";

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
        let install =
            |command: &str| settings.install(claude(), command, &state, |_| false).unwrap();
        assert_eq!(install(COMMAND), Done::Changed);
        assert_eq!(install(COMMAND), Done::Unchanged);
        assert_eq!(install(&format!("{COMMAND} --book law")), Done::Changed);
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
    settings.install(claude(), COMMAND, &state, |_| false).unwrap();
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
        assert!(settings.install(claude(), COMMAND, &state, |_| false).is_err());
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
        let error = settings.install(claude(), COMMAND, &state, |_| false).unwrap_err();
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
    settings.install(claude(), COMMAND, &state, |_| false).unwrap();
    assert!(fs::symlink_metadata(&settings.path).unwrap().is_symlink());
    assert!(fs::read_to_string(&kept).unwrap().contains("lawful"));
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn the_hook_in_settings_has_a_state() {
    let root = folder("hook-state");
    let state = state(&root.join("state"));
    let settings = project(&root);
    let now = || settings.hook(claude(), Some(&state)).map(|hook| (hook.state, hook.command));
    let named = |state: HookState| Some((state, Some(COMMAND.to_owned())));
    let edit = |from: &str, to: &str| {
        let text = fs::read_to_string(&settings.path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&settings.path, text.replace(from, to)).unwrap();
    };
    assert_eq!(now(), None);
    settings.install(claude(), COMMAND, &state, |_| false).unwrap();
    assert_eq!(now(), named(HookState::Clean));
    // Someone else's settings are not ours to judge.
    edit("{\n  \"hooks\"", "{\n  \"model\": \"opus\",\n  \"hooks\"");
    assert_eq!(now(), named(HookState::Clean));
    edit("900", "1");
    assert_eq!(now(), named(HookState::Drifted), "the harness would not wait for it");
    edit(": 1", ": 900");
    edit(COMMAND, &format!("{COMMAND} --undecided allow"));
    assert_eq!(now().unwrap().0, HookState::Drifted, "this is not what was installed");
    // Whoever clones the project has no record.
    assert_eq!(settings.hook(claude(), None).unwrap().state, HookState::Clean);
    edit(&format!("{COMMAND} --undecided allow"), "other check \\\"all\\\"");
    let other = "other check \"all\"".to_owned();
    assert_eq!(now(), Some((HookState::Drifted, Some(other))), "it was edited, not removed");
    fs::write(&settings.path, "{\"hooks\": ").unwrap();
    assert_eq!(now(), Some((HookState::Foreign, None)));
    fs::write(&settings.path, "{}").unwrap();
    assert_eq!(now(), Some((HookState::Missing, None)));
    fs::remove_file(&settings.path).unwrap();
    assert_eq!(now(), Some((HookState::Missing, None)));
    assert_eq!(settings.hook(claude(), None), None);
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
