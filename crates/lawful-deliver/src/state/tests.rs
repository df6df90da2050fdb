use super::*;

pub(crate) fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("lawful-deliver-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path.canonicalize().unwrap()
}

pub(crate) fn state(folder: &Path) -> State {
    let folder = folder.as_os_str().to_owned();
    State::of_user(move |name| (name == "XDG_STATE_HOME").then(|| folder.clone())).unwrap()
}

#[test]
fn blocks_are_counted_for_each_session() {
    let state = state(&folder("blocks"));
    assert_eq!(state.blocks("h", "a").unwrap(), 0);
    state.set_blocks("h", "a", 1).unwrap();
    state.set_blocks("h", "a", 2).unwrap();
    state.set_blocks("h", "b", 7).unwrap();
    assert_eq!(state.blocks("h", "a").unwrap(), 2);
    assert_eq!(state.blocks("h", "b").unwrap(), 7);
    assert_eq!(state.blocks("other", "a").unwrap(), 0);
    state.set_blocks("h", "a", 0).unwrap();
    state.set_blocks("h", "a", 0).unwrap();
    assert_eq!(state.blocks("h", "a").unwrap(), 0);
}

#[test]
fn the_id_of_a_session_is_never_a_path() {
    let root = folder("ids");
    let state = state(&root.join("state"));
    let long = "x".repeat(100_000);
    let ids = ["../../../up", "/etc/passwd", "a/b", "", ".", "nul\0", "\n", "\u{202e}", &long];
    for (at, id) in ids.iter().enumerate() {
        state.set_blocks("h", id, at as u64 + 1).unwrap();
    }
    for (at, id) in ids.iter().enumerate() {
        assert_eq!(state.blocks("h", id).unwrap(), at as u64 + 1);
    }
    let outside: Vec<_> = fs::read_dir(&root).unwrap().flatten().collect();
    assert_eq!(outside.len(), 1);
    for file in fs::read_dir(root.join("state/lawful/hooks")).unwrap().flatten() {
        let name = file.file_name().into_string().unwrap();
        let stem = name.strip_suffix(".json").unwrap();
        assert!(stem.len() == 32 && stem.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
    }
}

#[test]
fn what_is_not_ours_counts_for_nothing() {
    let state = state(&folder("foreign"));
    for text in
        ["", "[]", "{", r#"{"session": "other", "blocks": 9}"#, r#"{"session": "a", "blocks": -1}"#]
    {
        let path = state.file("hooks", &["h", "a"]).unwrap();
        fs::write(path, text).unwrap();
        assert_eq!(state.blocks("h", "a").unwrap(), 0, "{text}");
    }
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_what_is_remembered() {
    use std::os::unix::fs::PermissionsExt as _;
    let state = state(&folder("private"));
    state.set_blocks("h", "a", 1).unwrap();
    let path = state.file("hooks", &["h", "a"]).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(path.parent().unwrap()), 0o700);
}

#[test]
fn old_sessions_are_forgotten() {
    let state = state(&folder("old"));
    let path = state.file("hooks", &["h", "gone"]).unwrap();
    state.set_blocks("h", "gone", 1).unwrap();
    let long_ago = SystemTime::now() - Duration::from_hours(40 * 24);
    fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
    state.set_blocks("h", "here", 1).unwrap();
    assert!(!path.exists());
    assert_eq!(state.blocks("h", "here").unwrap(), 1);
}

#[test]
fn the_folder_is_where_the_system_wants_it() {
    let of = |set: &'static [(&str, &str)]| {
        let value = move |name: &str| {
            let found = set.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        };
        State::of_user(value).map(|state| state.folder.display().to_string()).ok()
    };
    assert_eq!(of(&[("XDG_STATE_HOME", "/s"), ("HOME", "/h")]).unwrap(), "/s/lawful");
    assert_eq!(of(&[("XDG_STATE_HOME", "s"), ("HOME", "/h")]).unwrap(), "/h/.local/state/lawful");
    assert_eq!(of(&[("HOME", "/h")]).unwrap(), "/h/.local/state/lawful");
    assert_eq!(of(&[]), None);
}
