use std::ffi::OsString;

use super::*;

/// A new state folder, and a folder for files.
fn scene(name: &str, test: impl FnOnce(&KeptTexts<'_>, &Path)) {
    let root = std::env::temp_dir().join(format!("lawful-kept-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join("files")).unwrap();
    let home = OsString::from(root.as_os_str());
    let state = State::of_user(|name| (name == "HOME").then(|| home.clone())).unwrap();
    test(&KeptTexts::of(&state), &root.join("files"));
    fs::remove_dir_all(&root).unwrap();
}

fn text(text: &str) -> Part {
    Part::File { text: text.to_owned() }
}

fn texts(kept: &KeptTexts<'_>, path: &Path) -> Vec<String> {
    let shown = |one: KeptText| match one.part {
        Part::File { text } => text,
        Part::Key { key, value } => format!("{key}: {value:?}"),
    };
    kept.versions(path).unwrap().into_iter().map(shown).collect()
}

fn restore(kept: &KeptTexts<'_>, path: &Path, number: usize) {
    let version = kept.versions(path).unwrap().swap_remove(number - 1);
    kept.restore(&kept.plan(path, &version).unwrap()).unwrap();
}

#[test]
fn what_a_restoration_replaces_is_kept_too() {
    scene("twice", |kept, folder| {
        let path = folder.join("a");
        kept.add(&path, &text("one"), ReplacedBy::Install).unwrap();
        kept.add(&path, &text("one"), ReplacedBy::Install).unwrap();
        assert_eq!(texts(kept, &path), ["one"], "the same text is kept once");
        fs::write(&path, "two").unwrap();
        restore(kept, &path, 1);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        assert_eq!(texts(kept, &path), ["two", "one"]);
        restore(kept, &path, 1);
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(texts(kept, &path), ["one", "two", "one"]);
        // A file that is gone, with its folder.
        fs::remove_dir_all(folder).unwrap();
        restore(kept, &path, 2);
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(kept.all().unwrap().len(), 1);
    });
}

#[test]
fn of_settings_only_the_value_is_kept() {
    scene("settings", |kept, folder| {
        let path = folder.join("config.toml");
        let part = Part::Key { key: "a".to_owned(), value: Some("'mine'".to_owned()) };
        kept.add(&path, &part, ReplacedBy::Install).unwrap();
        fs::write(&path, "token = 'secret'\na = \"theirs\" # why\n").unwrap();
        restore(kept, &path, 1);
        let now = fs::read_to_string(&path).unwrap();
        assert_eq!(now, "token = 'secret'\na = 'mine' # why\n");
        assert_eq!(texts(kept, &path), ["a: Some(\"\\\"theirs\\\"\")", "a: Some(\"'mine'\")"]);
        let record = fs::read_dir(kept.state.folder().join(KIND)).unwrap().next().unwrap().unwrap();
        assert!(!fs::read_to_string(record.path()).unwrap().contains("secret"));
    });
}

#[test]
fn a_file_that_changes_meanwhile_is_left_alone() {
    scene("race", |kept, folder| {
        let path = folder.join("a");
        kept.add(&path, &text("one"), ReplacedBy::Install).unwrap();
        fs::write(&path, "two").unwrap();
        let planned = kept.plan(&path, &kept.versions(&path).unwrap().remove(0)).unwrap();
        fs::write(&path, "three").unwrap();
        assert!(kept.restore(&planned).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        fs::write(&path, [0xff]).unwrap();
        let version = kept.versions(&path).unwrap().remove(0);
        assert!(matches!(kept.plan(&path, &version), Err(RestoreError::NotText)));
    });
}

#[test]
fn the_oldest_go_first() {
    scene("limits", |kept, folder| {
        let limits = Limits { versions: 3, bytes: 10, files: 2, all_bytes: 1 << 20 };
        let kept = KeptTexts { state: kept.state, limits };
        let path = folder.join("a");
        for one in ["1", "2", "3", "4"] {
            kept.add(&path, &text(one), ReplacedBy::Install).unwrap();
        }
        assert_eq!(texts(&kept, &path), ["4", "3", "2"]);
        kept.add(&path, &text("0123456789abc"), ReplacedBy::Install).unwrap();
        assert_eq!(texts(&kept, &path), ["0123456789abc"], "the newest stays, whatever its size");
        for name in ["b", "c"] {
            kept.add(&folder.join(name), &text("x"), ReplacedBy::Install).unwrap();
        }
        let names: Vec<PathBuf> = kept.all().unwrap().into_iter().map(|file| file.path).collect();
        assert_eq!(names.len(), 2);
        assert!(names.contains(&folder.join("c")));
    });
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_them() {
    use std::os::unix::fs::PermissionsExt as _;
    scene("private", |kept, folder| {
        kept.add(&folder.join("a"), &text("mine"), ReplacedBy::Install).unwrap();
        let store = kept.state.folder().join(KIND);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&store), 0o700);
        for entry in fs::read_dir(&store).unwrap() {
            assert_eq!(mode(&entry.unwrap().path()), 0o600);
        }
    });
}
