//! Lawbooks on the disk: nothing outside is read, nothing strange is waited for, and loading again
//! misses no change.

#![allow(
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "this is a test"
)]

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use lawful::book::{
    Book, FindError, FolderSource, Item, LoadError, Options, Source, SourceError, Stamp, find,
    find_outermost, home_of, load, reload,
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

#[test]
fn the_folder_lawful_is_the_lawbook_of_the_folder_above() {
    let home = Folder::new("inner");
    home.write("project/.git/HEAD", "")
        .write("project/src/deep/x", "")
        .write("project/lawful/lawful.yaml", "name: inner\n")
        .write("project/lawful/guards/x", "")
        .write("project/web/lawful/lawful.yaml", "name: web\n");
    let project = home.0.join("project");
    for start in ["", "src/deep", "lawful", "lawful/guards"] {
        assert_eq!(find(&project.join(start)), Ok(project.join("lawful")), "{start}");
        assert_eq!(find_outermost(&project.join(start)), Ok(project.join("lawful")), "{start}");
    }
    assert_eq!(find(&project.join("web")), Ok(project.join("web/lawful")));
    assert_eq!(find_outermost(&project.join("web")), Ok(project.join("lawful")));
    assert_eq!(home_of(&project.join("lawful")), project);
    assert_eq!(home_of(&project.join("src")), project.join("src"));
    // The manifest of the folder itself takes precedence.
    home.write("project/lawful.yaml", "name: own\n");
    assert_eq!(find(&project.join("src")), Ok(project.clone()));
    assert_eq!(find_outermost(&project.join("lawful")), Ok(project.clone()));
    assert_eq!(home_of(&project.join("lawful")), project.join("lawful"));
}

#[test]
fn a_repository_or_a_link_called_lawful_is_not_the_lawbook_of_the_folder_above() {
    let home = Folder::new("inner-other");
    home.write("a/lawful/lawful.yaml", "name: own\n")
        .write("a/lawful/.git/HEAD", "")
        .write("a/x", "")
        .write("b/.git/HEAD", "")
        .write("c/lawful.yaml", "name: c\n")
        .write("lawful.yaml", "name: outer\n");
    assert_eq!(find(&home.0.join("a")), Ok(home.0.clone()));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(home.0.join("c"), home.0.join("b/lawful")).unwrap();
        assert_eq!(find(&home.0.join("b")), Err(FindError::RepositoryRoot));
    }
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

/// A folder that counts what is read of it.
struct Counting(FolderSource, Cell<usize>);

impl Counting {
    fn open(folder: &Folder) -> Self {
        Self(FolderSource::open(&folder.0).unwrap(), Cell::new(0))
    }

    /// Waits until every file has a stamp.
    fn settle(&self, paths: &[&str]) {
        while !paths.iter().all(|path| self.stamp(path).is_some()) {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }

    /// Loads the book again, checks that it is what a load afresh gives, and says how many files
    /// were read.
    fn again(&self, book: &mut Book) -> usize {
        self.1.set(0);
        let (next, problems) = reload(book, self).unwrap();
        let reads = self.1.get();
        let (fresh, expected) = load(&self.0, Options::default()).unwrap();
        let views = |book: &Book, problems: &[lawful::syntax::Diagnostic]| -> Vec<String> {
            let views = problems.iter().map(|problem| render::view(problem, &book.sources));
            views.map(|view| format!("{view:?}")).collect()
        };
        assert_eq!(views(&next, &problems), views(&fresh, &expected));
        assert_eq!(next.fingerprint(), fresh.fingerprint());
        assert_eq!(next.complete, fresh.complete);
        let paths = |book: &Book| -> Vec<String> {
            book.documents.iter().map(|document| document.path.clone()).collect()
        };
        assert_eq!(paths(&next), paths(&fresh));
        *book = next;
        reads
    }
}

impl Source for Counting {
    fn list(&self, folder: &str) -> Result<Option<Vec<Item>>, SourceError> {
        self.0.list(folder)
    }

    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, SourceError> {
        self.1.set(self.1.get() + 1);
        self.0.read(path, limit)
    }

    fn shown(&self, path: &str) -> String {
        self.0.shown(path)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.0.stamp(path)
    }
}

#[test]
fn edits_within_one_tick_of_the_clock_are_seen() {
    let folder = Folder::new("tick");
    folder.write("lawful.yaml", "name: a\n").write("conditions/a.yaml", "a: {b: 0}\n");
    let source = Counting::open(&folder);
    let (mut book, _) = load(&source, Options::default()).unwrap();
    for round in 1..200 {
        folder.write("conditions/a.yaml", &format!("a: {{b: {}}}\n", round % 10));
        assert_eq!(source.again(&mut book), 2, "a file this young has no stamp");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_did_not_change_is_not_read_and_every_change_is_seen() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = Folder::new("stamps");
    folder
        .write("lawful.yaml", "name: a\n")
        .write("conditions/a.yaml", "a: {b: 0}\n")
        .write("conditions/b.yaml", "b: {b: 0}\n")
        .write("real/one.yaml", "one: {b: 0}\n")
        .write("real/two.yaml", "two: {b: 0}\n")
        .write("rules/r.yaml", "rules: []\n");
    let link = folder.0.join("conditions/link.yaml");
    symlink("../real/one.yaml", &link).unwrap();
    let source = Counting::open(&folder);
    let paths = ["lawful.yaml", "conditions/a.yaml", "conditions/b.yaml", "real/one.yaml"];
    source.settle(&paths);
    source.settle(&["real/two.yaml", "rules/r.yaml", "rules"]);
    let (mut book, _) = load(&source, Options::default()).unwrap();
    assert_eq!(source.again(&mut book), 0);

    // As many bytes, and the time of the last write put back.
    let path = folder.0.join("conditions/a.yaml");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    folder.write("conditions/a.yaml", "a: {b: 1}\n");
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    assert_eq!(source.again(&mut book), 1);
    assert!(book.sources.file(book.documents[1].file).unwrap().text().contains('1'));

    // A file more in a folder whose list was taken over so far, and a file less.
    folder.write("rules/s.yaml", "rules: []\n");
    assert_eq!(source.again(&mut book), 2);
    assert_eq!(book.documents.len(), 6);
    fs::remove_file(folder.0.join("rules/s.yaml")).unwrap();
    assert_eq!(source.again(&mut book), 1);

    // Another file under the same name.
    folder.write("conditions/new", "b: {b: 2}\n");
    fs::rename(folder.0.join("conditions/new"), folder.0.join("conditions/b.yaml")).unwrap();
    assert_eq!(source.again(&mut book), 2);

    // A link that leads elsewhere, to a file that is as old and as long; then out of the book.
    fs::remove_file(&link).unwrap();
    symlink("../real/two.yaml", &link).unwrap();
    assert_eq!(source.again(&mut book), 3);
    assert!(book.sources.file(book.documents[3].file).unwrap().text().contains("two"));
    let outside = Folder::new("stamps-outside");
    outside.write("x.yaml", "x: {b: 0}\n");
    fs::remove_file(&link).unwrap();
    symlink(outside.0.join("x.yaml"), &link).unwrap();
    source.again(&mut book);
    assert_eq!(book.documents.len(), 4);

    // A file that may not be read any more, and one that is a folder now. Root may read anything.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    source.again(&mut book);
    fs::remove_file(folder.0.join("conditions/b.yaml")).unwrap();
    folder.write("conditions/b.yaml/x", "");
    source.again(&mut book);
    assert!(book.documents.len() <= 3);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    source.again(&mut book);
    assert_eq!(book.documents.len(), 3);
}

#[cfg(unix)]
#[test]
fn a_folder_that_becomes_a_link_out_of_the_book_is_refused() {
    use std::os::unix::fs::symlink;
    let outside = Folder::new("moved");
    outside.write("a.yaml", "a: {b: 1}\n").write("core.md", "Theirs.\n");
    let folder = Folder::new("becomes");
    folder
        .write("lawful.yaml", "name: a\nconditioning: {core: c/core.md}\n")
        .write("conditions/a.yaml", "a: {b: 0}\n")
        .write("c/core.md", "Ours.\n");
    let source = Counting::open(&folder);
    let (mut book, _) = load(&source, Options::default()).unwrap();
    assert_eq!(book.documents.len(), 3);
    for name in ["conditions", "c"] {
        fs::remove_dir_all(folder.0.join(name)).unwrap();
        symlink(&outside.0, folder.0.join(name)).unwrap();
    }
    source.again(&mut book);
    assert_eq!(book.documents.len(), 1);
}
