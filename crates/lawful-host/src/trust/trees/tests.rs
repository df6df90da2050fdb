use std::ffi::OsString;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use lawful::book::{MemorySource, Options, load};
use lawful::live::{Action, Event, Host, LexicalPlaces, Moment, Target, ToolUse};
use lawful_deliver::State;

use super::*;
use crate::trust::{Law, Trusted};
use crate::workspace::Workspace;

/// A project with a trusted lawbook, and a home.
struct Scene(PathBuf);

impl Scene {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("lawful-trees-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("p/guards")).unwrap();
        let scene = Self(folder.canonicalize().unwrap());
        fs::write(scene.0.join("p/lawful.yaml"), "name: law\n").unwrap();
        fs::write(scene.0.join("p/guards/g.yaml"), "- {id: g, deny: 'No.'}\n").unwrap();
        let workspace = scene.workspace();
        workspace.trust(&workspace.review().unwrap()).unwrap();
        scene
    }

    fn variable(&self) -> impl Fn(&str) -> Option<OsString> + Send + Sync + 'static {
        let home = self.0.join("home").into_os_string();
        move |name| (name == "XDG_STATE_HOME").then(|| home.clone())
    }

    fn workspace(&self) -> Workspace {
        Workspace::at(self.0.join("p"))
            .with_variables(self.variable())
            .with_system_trust(self.0.join("etc/trust"))
    }

    fn trusted(&self) -> Box<Trusted> {
        let law = self.workspace().law(&self.0.join("p"));
        let Law::Trusted(law) = law else { panic!("{law:?}") };
        law
    }

    /// What the lawbook decides on a call, and whether a part of it did.
    fn decided(&self) -> (String, bool) {
        self.decided_by(&self.trusted())
    }

    fn decided_by(&self, trusted: &Trusted) -> (String, bool) {
        let state = State::of_user(self.variable()).unwrap();
        let moment = Moment::ToolCall(ToolUse {
            action: Action::Other,
            tool: "T".into(),
            agent: "main".into(),
            input: lawful::Value::Null,
            target: Target::Nothing,
        });
        let event = Event::read(&moment, &LexicalPlaces::new("/p"));
        let law = trusted.open_live(Some(&state), Some(&event)).unwrap();
        let decided = law.guard(&event, &law.start(), &Host::default()).unwrap();
        (decided.by.join(" "), law.is_part())
    }

    /// Whether there are trees that can be used.
    fn is_kept(&self) -> bool {
        let vault = Vault::of(&State::of_user(self.variable()).unwrap());
        KeptTrees::of(&vault, &self.trusted().fingerprint).unwrap().read().is_some()
    }

    fn folder(&self) -> PathBuf {
        self.0.join("home/lawful/trust/trees")
    }

    /// The file of the trees.
    fn file(&self) -> PathBuf {
        let files: Vec<_> = fs::read_dir(self.folder()).unwrap().flatten().collect();
        let [file] = &*files else { panic!("{files:?}") };
        file.path()
    }

    /// The trees of another lawbook, which say that they are of this one.
    fn forge(&self) -> Vec<u8> {
        let source = MemorySource::new()
            .with("lawful.yaml", "name: law\n")
            .with("guards/g.yaml", "- {id: forged, deny: 'No.'}\n");
        let (book, problems) = load(&source, Options::default()).unwrap();
        let bytes = Trees::pack(&book, &problems, &program().unwrap());
        let own = self.trusted().fingerprint.digits().to_owned();
        let text = book.fingerprint();
        let at = bytes.windows(text.len()).position(|part| part == text.as_bytes()).unwrap();
        let mut forged = bytes.clone();
        forged[at..at + text.len()].copy_from_slice(own.as_bytes());
        forged
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// By the whole lawbook, and by a part of it.
fn whole() -> (String, bool) {
    ("g".to_owned(), false)
}

fn part() -> (String, bool) {
    ("g".to_owned(), true)
}

#[test]
fn trees_are_kept_privately_and_used() {
    let scene = Scene::new("kept");
    assert_eq!(scene.decided(), whole());
    assert_eq!((mode(&scene.folder()), mode(&scene.file())), (0o700, 0o600));
    let kept = fs::read(scene.file()).unwrap();
    let written = fs::metadata(scene.file()).unwrap().modified().unwrap();
    assert_eq!(scene.decided(), part());
    // They were used, and not written again.
    assert_eq!(fs::metadata(scene.file()).unwrap().modified().unwrap(), written);
    let trusted = scene.trusted();
    assert!(Trees::read(kept, trusted.fingerprint.digits(), &program().unwrap()).is_some());
}

#[test]
fn damaged_and_foreign_trees_are_replaced() {
    let scene = Scene::new("damaged");
    assert_eq!(scene.decided(), whole());
    let kept = fs::read(scene.file()).unwrap();
    let mut damaged = kept.clone();
    *damaged.last_mut().unwrap() ^= 1;
    for bytes in [Vec::new(), damaged, scene.forge(), kept[..kept.len() - 1].to_vec()] {
        fs::write(scene.file(), bytes).unwrap();
        assert_eq!(scene.decided(), whole());
        assert_eq!(fs::read(scene.file()).unwrap(), kept);
    }
    assert_eq!(scene.decided(), part());
}

#[test]
fn trees_that_others_can_write_are_not_read() {
    let scene = Scene::new("shared");
    assert_eq!(scene.decided(), whole());
    let (file, kept) = (scene.file(), fs::read(scene.file()).unwrap());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(!scene.is_kept());
    // They are written again, and are private then.
    assert_eq!(scene.decided(), whole());
    assert!(scene.is_kept());
    fs::remove_file(&file).unwrap();
    fs::write(scene.0.join("elsewhere"), kept).unwrap();
    symlink(scene.0.join("elsewhere"), &file).unwrap();
    assert!(!scene.is_kept());
    assert_eq!(scene.decided(), whole());
    fs::set_permissions(scene.folder(), fs::Permissions::from_mode(0o777)).unwrap();
    assert!(!scene.is_kept());
    assert_eq!(scene.decided(), whole());
}

#[test]
fn what_the_administrator_trusts_needs_no_trust_in_the_state_folder() {
    let scene = Scene::new("pinned");
    assert_eq!(scene.decided(), whole());
    assert_eq!(scene.decided(), part());
    let (variable, pin) = (scene.variable(), scene.trusted().fingerprint.to_string());
    let pinned = scene.workspace().with_variables(move |name| match name {
        "LAWFUL_LAW" => Some(pin.clone().into()),
        _ => variable(name),
    });
    let Law::Trusted(law) = pinned.law(&scene.0.join("p")) else { panic!() };
    assert_eq!(scene.decided_by(&law), whole());
}
