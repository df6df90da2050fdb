use std::fs;

use super::*;

/// Folders below a temporary one, and entries by root, path and common folder.
struct Scene {
    folder: PathBuf,
    registry: Registry,
}

impl Scene {
    fn new(name: &str, folders: &[&str]) -> Self {
        let folder =
            std::env::temp_dir().join(format!("lawful-registry-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for inner in folders {
            fs::create_dir_all(folder.join(inner)).unwrap();
        }
        Self { folder: folder.canonicalize().unwrap(), registry: Registry::default() }
    }

    fn trust(&mut self, book: &str, digit: char) {
        let location = Location::of(&self.folder.join(book)).unwrap();
        let fingerprint = Fingerprint::parse(&digit.to_string().repeat(64)).unwrap();
        self.registry.register(location, &fingerprint, false);
    }

    /// The digit of what judges in a folder, and its lawbook folder.
    fn judges(&self, folder: &str) -> String {
        match self.registry.find(&self.folder.join(folder)) {
            Found::One(entry, root) => {
                let book = below(&root, &entry.inside);
                let book = book.strip_prefix(&self.folder).unwrap().display().to_string();
                format!("{} {book}", entry.fingerprint.chars().next().unwrap())
            }
            Found::Several(books) => format!("{} books", books.len()),
            Found::Nothing => "none".to_owned(),
        }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn the_folder_lawful_judges_the_folder_above() {
    // With a repository and without one.
    for git in ["p/.git", "p/.other"] {
        let folders = [git, "p/lawful/guards", "p/src", "p/web/lawful", "p/web/src", "p/web/own"];
        let mut scene = Scene::new(&format!("inner-{}", git.len()), &folders);
        scene.trust("p/lawful", '1');
        for folder in ["p", "p/src", "p/web/src", "p/lawful", "p/lawful/guards"] {
            assert_eq!(scene.judges(folder), "1 p/lawful", "{folder}");
        }
        scene.trust("p/web/lawful", '2');
        scene.trust("p/web/own", '3');
        for (folder, expected) in [
            ("p/src", "1 p/lawful"),
            ("p/web/src", "2 p/web/lawful"),
            ("p/web", "2 p/web/lawful"),
            ("p/web/own", "3 p/web/own"),
        ] {
            assert_eq!(scene.judges(folder), expected, "{git} {folder}");
        }
        // A lawbook that was deleted still judges.
        fs::remove_dir_all(scene.folder.join("p/lawful")).unwrap();
        assert_eq!(scene.judges("p/src"), "1 p/lawful");
        // Its own manifest is nearer to a folder than that of its folder `lawful`.
        scene.trust("p/web", '4');
        assert_eq!(scene.judges("p/web/src"), "4 p/web");
        assert_eq!(scene.judges("p/web/lawful"), "2 p/web/lawful");
    }
}

#[test]
fn a_repository_that_is_created_later_moves_the_registration() {
    let mut scene = Scene::new("later", &["p/law", "p/src"]);
    scene.trust("p/law", '1');
    assert_eq!(scene.judges("p/src"), "none");
    fs::create_dir(scene.folder.join("p/.git")).unwrap();
    scene.trust("p/law", '2');
    assert_eq!(scene.judges("p/src"), "2 p/law");
    assert_eq!(scene.judges("p/law"), "2 p/law");
}

#[test]
fn the_nearest_registered_book_above_judges() {
    let mut scene = Scene::new("nearest", &["p/.git", "p/a/x", "p/b", "q"]);
    assert_eq!(scene.judges("p/a"), "none");
    scene.trust("p", '1');
    scene.trust("p/a", '2');
    for (folder, expected) in
        [("p", "1 p"), ("p/a", "2 p/a"), ("p/a/x", "2 p/a"), ("p/b", "1 p"), ("q", "none")]
    {
        assert_eq!(scene.judges(folder), expected, "{folder}");
    }
    assert_eq!(scene.judges("p/gone/deep"), "1 p", "a folder that does not exist");
}

#[test]
fn a_book_beside_the_agent_judges_if_it_is_the_only_one() {
    let mut scene = Scene::new("beside", &["p/.git", "p/law", "p/other", "p/src"]);
    scene.trust("p/law", '1');
    assert_eq!((scene.judges("p/src"), scene.judges("p")), ("1 p/law".into(), "1 p/law".into()));
    scene.trust("p/other", '2');
    assert_eq!(scene.judges("p/src"), "2 books");
    assert_eq!(scene.judges("p/law"), "1 p/law");
}

#[test]
fn a_nested_repository_does_not_hide_the_registered_book() {
    let mut scene = Scene::new("nested", &["p/.git", "p/sub/.git"]);
    scene.trust("p", '1');
    fs::write(scene.folder.join("p/sub/lawful.yaml"), "name: lax").unwrap();
    assert_eq!(scene.judges("p/sub"), "1 p");
}

#[test]
fn working_trees_share_a_registration() {
    let mut scene = Scene::new("trees", &["p/.git/worktrees/w", "p/.git/worktrees/v", "w", "p/v"]);
    let common = "../..\n";
    for (tree, name) in [("w", "w"), ("p/v", "v")] {
        let git = scene.folder.join(format!("p/.git/worktrees/{name}"));
        fs::write(git.join("commondir"), common).unwrap();
        let pointer = format!("gitdir: {}\n", git.display());
        fs::write(scene.folder.join(tree).join(".git"), pointer).unwrap();
    }
    scene.trust("p", '1');
    assert_eq!((scene.judges("w"), scene.judges("p/v")), ("1 w".into(), "1 p/v".into()));
    // Trusted from one of them, it counts for all of them.
    scene.trust("w", '2');
    assert_eq!(scene.registry.entries().len(), 1);
    assert_eq!((scene.judges("p"), scene.judges("p/v")), ("2 p".into(), "2 p/v".into()));
    // A tree in which it was trusted keeps it without its `.git`.
    fs::remove_file(scene.folder.join("w/.git")).unwrap();
    assert_eq!(scene.judges("w"), "2 w");
}

#[test]
fn a_git_that_points_elsewhere_loosens_nothing() {
    let mut scene = Scene::new("forged", &["p/.git", "p/sub", "lax/.git"]);
    scene.trust("p", '1');
    scene.trust("lax", '2');
    let pointer = format!("gitdir: {}\n", scene.folder.join("lax/.git").display());
    fs::write(scene.folder.join("p/sub/.git"), &pointer).unwrap();
    assert_eq!(scene.judges("p/sub"), "1 p");
    fs::remove_dir_all(scene.folder.join("p/.git")).unwrap();
    fs::write(scene.folder.join("p/.git"), &pointer).unwrap();
    assert_eq!(scene.judges("p"), "1 p");
    // And trusting it there changes nothing for the other one.
    scene.trust("p", '3');
    assert_eq!((scene.judges("p"), scene.judges("lax")), ("3 p".into(), "2 lax".into()));
}

#[test]
fn a_submodule_and_a_moved_project_are_projects_of_their_own() {
    let mut scene = Scene::new("moved", &["p/.git/modules/s", "p/s"]);
    fs::write(scene.folder.join("p/s/.git"), "gitdir: ../.git/modules/s\n").unwrap();
    scene.trust("p/s", '1');
    assert_eq!((scene.judges("p/s"), scene.judges("p")), ("1 p/s".into(), "none".into()));
    fs::rename(scene.folder.join("p"), scene.folder.join("q")).unwrap();
    assert_eq!((scene.judges("q/s"), scene.judges("p/s")), ("none".into(), "1 p/s".into()));
}

#[test]
fn earlier_fingerprints_are_remembered_once() {
    let mut scene = Scene::new("earlier", &["p"]);
    for digit in ['1', '2', '3', '2'] {
        scene.trust("p", digit);
    }
    let entry = &scene.registry.entries()[0];
    let fingerprint = |digit: char| Fingerprint::parse(&digit.to_string().repeat(64)).unwrap();
    let was = ['1', '2', '3', '4'].map(|digit| entry.was(&fingerprint(digit)));
    assert_eq!(was, [true, false, true, false]);
    let json = serde_json::to_string(&scene.registry).unwrap();
    assert_eq!(serde_json::from_str::<Registry>(&json).unwrap(), scene.registry);
    let location = Location::of(&scene.folder.join("p")).unwrap();
    assert!(scene.registry.revoke(&location) && !scene.registry.revoke(&location));
}
