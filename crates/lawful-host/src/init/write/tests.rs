use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;
use crate::init::tests::Scene;
use crate::init::{InitRequest, Template};

/// The paths that keep the lawbook from being written, relative to the project.
fn refused(scene: &Scene) -> Vec<String> {
    let before = tree(&scene.0);
    let failure = scene.workspace().plan_init(&InitRequest::default()).unwrap_err();
    assert_eq!(tree(&scene.0), before, "nothing is written");
    assert!(failure.problems.iter().all(|problem| problem.code == &codes::WOULD_OVERWRITE));
    let project = scene.0.join("project").display().to_string() + "/";
    let views = failure.views();
    views.iter().map(|view| view.file.clone().unwrap().replace(&project, "")).collect()
}

/// Every path below a folder, with what is in it.
fn tree(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            found.push((entry.path(), fs::read(entry.path()).unwrap_or_default()));
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn everything_that_exists_is_listed_and_kept() {
    let scene = Scene::new("exists", &[("lawful/guards/git.yaml", "mine"), ("lawful/rules/x", "")]);
    assert_eq!(refused(&scene), ["lawful/guards/git.yaml", "lawful/rules/x"]);
    let scene = Scene::new("exists-file", &[("lawful", "")]);
    assert_eq!(refused(&scene), ["lawful"]);
    let scene = Scene::new("exists-book", &[("lawful.yaml", "name: mine\n")]);
    assert_eq!(refused(&scene), ["lawful.yaml"]);
    let scene = Scene::new("exists-inner", &[("lawful/lawful.yaml", "name: mine\n")]);
    assert_eq!(refused(&scene), ["lawful/lawful.yaml"]);
}

#[test]
fn a_folder_with_other_things_is_used() {
    let scene = Scene::new("beside", &[("lawful/__init__.py", "x = 1\n")]);
    scene.plan(Template::Guard, &[]).write().unwrap();
    let kept = fs::read(scene.0.join("project/lawful/__init__.py")).unwrap();
    assert_eq!(kept, b"x = 1\n");
}

#[test]
fn links_are_not_followed() {
    let scene = Scene::new("links", &[("lawful/x", "")]);
    fs::create_dir(scene.0.join("elsewhere")).unwrap();
    symlink(scene.0.join("elsewhere"), scene.0.join("project/lawful/guards")).unwrap();
    symlink(scene.0.join("nothing"), scene.0.join("project/lawful/lawful.yaml")).unwrap();
    assert_eq!(refused(&scene), ["lawful/guards", "lawful/lawful.yaml"]);
    let scene = Scene::new("links-book", &[]);
    fs::create_dir(scene.0.join("elsewhere")).unwrap();
    symlink(scene.0.join("elsewhere"), scene.0.join("project/lawful")).unwrap();
    assert_eq!(refused(&scene), ["lawful"]);
}

#[test]
fn a_file_that_appears_in_between_is_kept() {
    let scene = Scene::new("between", &[]);
    let plan = scene.plan(Template::Guard, &[]);
    scene.write("lawful/scenarios/downloads.yaml", "mine");
    let failure = plan.write().unwrap_err();
    assert_eq!(failure.problems[0].code, &codes::WOULD_OVERWRITE);
    assert_eq!(fs::read(scene.0.join("project/lawful/scenarios/downloads.yaml")).unwrap(), b"mine");
}

#[test]
fn what_cannot_be_completed_is_undone() {
    let scene = Scene::new("undone", &[]);
    let file = |path: &str| PlannedFile { path: path.to_owned(), text: String::new() };
    let before = tree(&scene.0);
    // The second needs a folder where the first is a file.
    let files = [file("lawful.yaml"), file("guards/a"), file("guards/a/b")];
    let failure = create(&scene.0.join("project"), &files).unwrap_err();
    assert!(failure.to_string().contains("cannot write the file"), "{failure}");
    assert_eq!(tree(&scene.0), before);
    // Everyone may write to a folder but the one who may not; a privileged user is never refused.
    let project = scene.0.join("project");
    fs::set_permissions(&project, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(project.join("probe"), "").is_err() {
        let failure = scene.plan(Template::Guard, &[]).write().unwrap_err();
        assert!(failure.to_string().contains("cannot write the file"), "{failure}");
    }
    fs::set_permissions(&project, fs::Permissions::from_mode(0o755)).unwrap();
}
