use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::*;

/// A project with a lawbook, and a home.
struct Scene(PathBuf);

impl Scene {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("lawful-law-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("p/.git")).unwrap();
        let scene = Self(folder.canonicalize().unwrap());
        scene.write("p/lawful.yaml", "name: one\n");
        scene
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn workspace(&self, pin: Option<&str>) -> Workspace {
        let (home, pin) = (self.0.join("home"), pin.map(ToOwned::to_owned));
        Workspace::at(self.0.join("p"))
            .with_variables(move |name| match name {
                "XDG_STATE_HOME" => Some(home.clone().into_os_string()),
                VARIABLE => pin.clone().map(Into::into),
                _ => None,
            })
            .with_system_trust(self.0.join("etc/trust"))
    }

    fn trust(&self, book: &str) -> Fingerprint {
        let workspace = self.workspace(None).with_book(Some(&self.0.join(book)));
        let review = workspace.review().unwrap();
        workspace.trust(&review).unwrap();
        review.fingerprint
    }

    /// The name of the lawbook that judges, or why none does.
    fn judges(&self, folder: &str, pin: Option<&str>) -> String {
        self.shown(self.workspace(pin).law(&self.0.join(folder)))
    }

    fn shown(&self, law: Law) -> String {
        let place = |book: PathBuf| {
            book.strip_prefix(&self.0)
                .map_or_else(|_| book.clone(), Path::to_owned)
                .display()
                .to_string()
        };
        match law {
            Law::Trusted(law) => {
                let name = law.open().unwrap().book.manifest.name;
                let changed = if law.is_changed(None) { " changed" } else { "" };
                format!("{name} {}{changed}", place(law.book))
            }
            Law::Untrusted { book, why } => format!("untrusted {}: {why}", place(book)),
            Law::Unknown { why } => format!("unknown: {why}"),
            Law::None => "none".to_owned(),
        }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const RULESPEC: &str = "claims: [{name: c, selector: a}]\npredicates: [{claim: c, rule: exists}]\n";
const NOBODY: &str = "nobody trusted it yet";

#[test]
fn an_edit_has_no_effect_until_it_is_trusted() {
    let scene = Scene::new("edit");
    assert_eq!(scene.judges("p", None), format!("untrusted p: {NOBODY}"));
    scene.trust("p");
    assert_eq!(scene.judges("p", None), "one p");
    scene.write("p/lawful.yaml", "name: two\n");
    assert_eq!(scene.judges("p", None), "one p changed");
    scene.write("p/lawful.yaml", "name: one\n");
    scene.write("p/rules/more.yaml", "rules: []\n");
    assert_eq!(scene.judges("p", None), "one p changed");
    fs::remove_dir_all(scene.0.join("p/rules")).unwrap();
    assert_eq!(scene.judges("p", None), "one p");
    fs::remove_file(scene.0.join("p/lawful.yaml")).unwrap();
    assert_eq!(scene.judges("p", None), "one p changed", "also when it is gone");
    scene.write("p/lawful.yaml", "name: two\n");
    scene.trust("p");
    assert_eq!(scene.judges("p", None), "two p");
}

#[test]
fn the_outermost_book_is_proposed_where_none_is_registered() {
    let scene = Scene::new("outermost");
    scene.write("p/a/b/lawful.yaml", "name: inner\n");
    assert_eq!(scene.judges("p/a/b", None), format!("untrusted p: {NOBODY}"));
    // A registered book counts wherever it is and whatever is nearer.
    scene.trust("p");
    assert_eq!(scene.judges("p/a/b", None), "one p");
    fs::create_dir_all(scene.0.join("q/.git")).unwrap();
    assert_eq!(scene.judges("q", None), "none");
}

#[test]
fn a_given_book_judges_only_if_it_is_trusted() {
    let scene = Scene::new("given");
    scene.write("law/lawful.yaml", "name: law\n");
    scene.trust("p");
    let given = |book: &str| {
        let workspace = scene.workspace(None).with_book(Some(&scene.0.join(book)));
        scene.shown(workspace.law(&scene.0.join("p")))
    };
    assert_eq!(given("law"), format!("untrusted law: {NOBODY}"));
    scene.trust("law");
    assert_eq!((given("law"), given("p")), ("law law".into(), "one p".into()));
    assert_eq!(scene.judges("p", None), "one p");
}

#[test]
fn a_fingerprint_in_the_environment_trusts_exactly_that_content() {
    let scene = Scene::new("pin");
    let one = in_folder(&scene.0.join("p")).unwrap();
    let pin = Fingerprint::of(&one).to_string();
    assert_eq!(scene.judges("p", Some(&pin)), "one p", "without a copy");
    scene.write("p/lawful.yaml", "name: two\n");
    let refused = scene.judges("p", Some(&pin));
    assert!(refused.starts_with("untrusted p: its content is not what"), "{refused}");
    // It wins over what is registered, and what is registered provides the copy.
    scene.trust("p");
    assert_eq!(scene.judges("p", Some(&pin)), refused);
    scene.write("p/lawful.yaml", "name: one\n");
    scene.trust("p");
    scene.write("p/lawful.yaml", "name: three\n");
    assert_eq!(scene.judges("p", Some(&pin)), "one p changed");
    for wrong in ["sha256:12", "one", "0"] {
        assert!(scene.judges("p", Some(wrong)).starts_with("unknown: `LAWFUL_LAW`"), "{wrong}");
    }
    // A state folder that cannot be used does not matter then.
    scene.write("p/lawful.yaml", "name: one\n");
    fs::write(scene.0.join("home/lawful/trust/registry.json"), "{").unwrap();
    assert_eq!(scene.judges("p", Some(&pin)), "one p");
    assert!(scene.judges("p", None).starts_with("unknown: "));
}

#[test]
fn the_administrator_trusts_in_a_file_that_only_root_can_change() {
    let scene = Scene::new("system");
    let one = Fingerprint::of(&in_folder(&scene.0.join("p")).unwrap());
    scene.write("etc/trust", &format!("# all machines\n\n{one}  # ours\n"));
    let set = |path: &str, mode| {
        fs::set_permissions(scene.0.join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    set("etc", 0o755);
    set("etc/trust", 0o644);
    if rustix::process::geteuid().is_root() {
        assert_eq!(scene.judges("p", None), "one p");
        let other = format!("sha256:{}", "0".repeat(64));
        assert_eq!(scene.judges("p", Some(&other)), "one p", "it wins over the environment");
        let review = scene.workspace(None).review().unwrap();
        assert_eq!(review.standing, crate::trust::Standing::Pinned);
        scene.write("p/lawful.yaml", "name: two\n");
        assert!(scene.judges("p", None).starts_with("untrusted p: "));
        let review = scene.workspace(None).review().unwrap();
        assert_eq!(review.standing, crate::trust::Standing::Excluded);
        assert!(scene.workspace(None).trust(&review).is_err(), "nothing else can be trusted");
        scene.write("etc/trust", "all of them\n");
        assert!(scene.judges("p", None).contains("has a line that is not a fingerprint"));
    }
    for (path, usual) in [("etc/trust", 0o644), ("etc", 0o755)] {
        set(path, usual | 0o022);
        let said = scene.judges("p", None);
        assert!(said.contains("does not belong to root alone"), "{said}");
        set(path, usual);
    }
}

#[test]
fn edits_count_where_the_trusted_content_says_so() {
    let scene = Scene::new("follow");
    let follow = "name: one\nhooks: {law: follow, stop: {undecided: block}}\n";
    scene.write("p/analysis/rulespec.yaml", RULESPEC);
    scene.write("p/lawful.yaml", "name: one\n");
    scene.trust("p");
    scene.write("p/lawful.yaml", follow);
    assert_eq!(scene.judges("p", None), "one p changed", "an edit cannot say so itself");
    scene.trust("p");
    scene.write(
        "p/lawful.yaml",
        "name: two\nhooks: {mode: shadow, stop: {undecided: allow, blocks: 9}}\n",
    );
    let Law::Trusted(law) = scene.workspace(None).law(&scene.0.join("p")) else { panic!() };
    let hooks = law.open().unwrap().book.manifest.hooks;
    assert_eq!(hooks.stop.blocks, 9);
    assert_eq!(hooks.stop.undecided, lawful::book::Undecided::Block);
    assert_eq!(hooks.mode, lawful::book::HookMode::Enforce);
    assert_eq!(hooks.law, lawful::book::HookLaw::Follow);
    assert_ne!(law.fingerprint, law.trusted_fingerprint());
    fs::remove_file(scene.0.join("p/lawful.yaml")).unwrap();
    assert_eq!(scene.judges("p", None), "one p changed");
    // A pin trusts exactly its content.
    scene.write("p/lawful.yaml", follow);
    let pin = Fingerprint::of(&in_folder(&scene.0.join("p")).unwrap()).to_string();
    scene.write("p/lawful.yaml", "name: two\n");
    assert_eq!(scene.judges("p", Some(&pin)), "one p changed");
}

#[test]
fn a_copy_that_is_gone_or_edited_does_not_judge() {
    let scene = Scene::new("copy");
    let one = scene.trust("p");
    let copy = scene.0.join("home/lawful/trust/books").join(one.digits());
    fs::write(&copy, "x").unwrap();
    assert_eq!(scene.judges("p", None), "one p", "the folder has the same content");
    scene.write("p/lawful.yaml", "name: two\n");
    assert!(scene.judges("p", None).contains("is not the copy that was trusted"));
    fs::remove_file(&copy).unwrap();
    assert_eq!(scene.judges("p", None), "untrusted p: its trusted copy does not exist");
}
