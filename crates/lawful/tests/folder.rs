//! Lawbooks on the disk: nothing outside is read, nothing strange is waited for.

#![allow(
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "this is a test"
)]

use std::fs;
use std::path::{Path, PathBuf};

use lawful::book::{
    FindError, FolderSource, LoadError, Options, Source as _, SourceError, find, load,
};
use lawful::syntax::render;

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lawful-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn check(folder: &Path, expected: &str) {
    let source = FolderSource::open(folder).unwrap();
    let (book, problems) = load(&source, Options::default()).unwrap();
    let shown: Vec<String> = problems
        .iter()
        .map(|problem| {
            let view = render::view(problem, &book.sources);
            let file = view.file.unwrap();
            let file = Path::new(&file).strip_prefix(folder).unwrap().display().to_string();
            format!("{file} {}", view.code)
        })
        .collect();
    assert_eq!(shown.join("\n"), expected);
}

#[cfg(unix)]
#[test]
fn links_that_leave_the_book_are_refused() {
    use std::os::unix::fs::symlink;
    let outside = Folder::new("outside");
    outside.write("secret.yaml", "a: {b: 1}\n").write("more/x.md", "x");
    let book = Folder::new("links");
    book.write("lawful.yaml", "name: a\n")
        .write("conditions/real.yaml", "a: {b: 1}\n")
        .write("fragments/a.md", "x");
    symlink(outside.0.join("secret.yaml"), book.0.join("conditions/out.yaml")).unwrap();
    symlink("../../lawful-none", book.0.join("conditions/broken.yaml")).unwrap();
    symlink(outside.0.join("more"), book.0.join("fragments/more")).unwrap();
    symlink("..", book.0.join("fragments/round")).unwrap();
    symlink(&outside.0, book.0.join("rules")).unwrap();
    check(
        &book.0,
        "conditions/broken.yaml not-a-file\n\
         conditions/out.yaml outside-book\n\
         fragments/more outside-book\n\
         fragments/round stray-file\n\
         rules outside-book",
    );
    let source = FolderSource::open(&book.0).unwrap();
    assert_eq!(source.read("conditions/out.yaml", 100), Err(SourceError::Outside));
    assert_eq!(source.read("../outside/secret.yaml", 100), Err(SourceError::Missing));
    assert_eq!(
        source.read(outside.0.join("secret.yaml").to_str().unwrap(), 100),
        Err(SourceError::Outside)
    );
    // A link that stays inside is an ordinary file.
    symlink("real.yaml", book.0.join("conditions/same.json")).unwrap();
    assert!(source.read("conditions/same.json", 100).is_ok());
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_folder_is_not_waited_for() {
    let book = Folder::new("pipe");
    book.write("lawful.yaml", "name: a\n").write("conditions/dir.yaml/x", "").write("rules", "x");
    let pipe = book.0.join("conditions/pipe.yaml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    check(
        &book.0,
        "conditions/dir.yaml not-a-file\nconditions/pipe.yaml not-a-file\nrules not-a-file",
    );
}

#[test]
fn a_manifest_that_is_a_folder_is_no_book() {
    let book = Folder::new("manifest");
    book.write("lawful.yaml/x", "");
    let source = FolderSource::open(&book.0).unwrap();
    let error = load(&source, Options::default()).unwrap_err();
    assert_eq!(error, LoadError::UnreadableManifest(SourceError::NotAFile));
}

#[test]
fn looking_upward_stops_at_the_root_of_the_repository() {
    let home = Folder::new("find");
    home.write("lawful.yaml", "name: outer\n")
        .write("repo/.git/HEAD", "")
        .write("repo/src/deep/x", "")
        .write("repo/law/lawful.yaml", "name: inner\n")
        .write("plain/deep/x", "");
    assert_eq!(find(&home.0.join("repo/src/deep")), Err(FindError::RepositoryRoot));
    assert_eq!(find(&home.0.join("repo/law")), Ok(home.0.join("repo/law")));
    assert_eq!(find(&home.0.join("plain/deep")), Ok(home.0.clone()));
    fs::write(home.0.join("repo/lawful.yaml"), "name: repo\n").unwrap();
    assert_eq!(find(&home.0.join("repo/src/deep")), Ok(home.0.join("repo")));
}

/// Only a privileged user can make a folder that belongs to another.
#[cfg(unix)]
#[test]
fn looking_upward_stops_where_the_owner_changes() {
    let home = Folder::new("owner");
    home.write("lawful.yaml", "name: theirs\n").write("mine/deep/x", "");
    let mine = home.0.join("mine/deep");
    assert_eq!(find(&mine), Ok(home.0.clone()));
    let given =
        std::process::Command::new("chown").args(["-R", "65534"]).arg(home.0.join("mine")).status();
    if given.is_ok_and(|status| status.success()) {
        assert_eq!(find(&mine), Err(FindError::OwnerChanges));
    }
}
