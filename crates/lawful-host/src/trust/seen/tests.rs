use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::*;
use crate::trust::law::in_folder;

/// A lawbook folder, and a state folder.
struct Scene(PathBuf);

impl Scene {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("lawful-seen-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let scene = Self(folder);
        scene.write("lawful.yaml", "name: law\n");
        scene.write("rules/a.yaml", "rules: []\n");
        scene.write("fragments/empty/.keep", "");
        scene
    }

    fn book(&self) -> PathBuf {
        self.0.join("law")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.book().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn state(&self) -> State {
        let state = self.0.join("state").into_os_string();
        State::of_user(|name| (name == "XDG_STATE_HOME").then(|| state.clone())).unwrap()
    }

    /// Every file that was noted.
    fn notes(&self) -> usize {
        fs::read_dir(self.0.join("state/lawful").join(KIND)).map_or(0, Iterator::count)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_change_is_found_whatever_was_noted() {
    let scene = Scene::new("change");
    let book = in_folder(&scene.book()).unwrap();
    let changed = || is_changed(&scene.book(), book.fingerprint(), Some(&scene.state()));
    assert!(!changed());
    assert_eq!(scene.notes(), 0, "what has just changed may change again unnoticed");
    std::thread::sleep(Duration::from_millis(2_100));
    assert!(!changed());
    assert_eq!(scene.notes(), 1);
    assert!(!changed());
    scene.write("unrelated.txt", "");
    assert!(!changed());
    for (path, text) in [
        ("rules/a.yaml", "rules:  []\n"),
        ("rules/b.yaml", "rules: []\n"),
        ("fragments/empty/new.md", "---\nid: new\n---\n"),
        ("compositions/new.yaml", "{name: new, base: []}\n"),
    ] {
        let before = fs::read(scene.book().join(path)).ok();
        scene.write(path, text);
        assert!(changed(), "{path}");
        match before {
            Some(before) => fs::write(scene.book().join(path), before).unwrap(),
            None => fs::remove_file(scene.book().join(path)).unwrap(),
        }
        assert!(!changed(), "{path}");
    }
    fs::remove_file(scene.book().join("lawful.yaml")).unwrap();
    assert!(changed());
    fs::remove_dir_all(scene.book()).unwrap();
    assert!(changed());
}
