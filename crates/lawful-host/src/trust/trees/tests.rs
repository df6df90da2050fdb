use std::ffi::OsString;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

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

    /// The ids of the guards that are loaded.
    fn guards(&self) -> String {
        let state = State::of_user(self.variable()).unwrap();
        let opened = self.trusted().open_kept(Some(&state)).unwrap();
        format!("{:?}", opened.book.documents)
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

    /// Replaces the trees by those of another lawbook under the same name, so that it shows whether
    /// they are used.
    fn forge() -> Vec<u8> {
        let source = lawful::book::MemorySource::new()
            .with("lawful.yaml", "name: law\n")
            .with("guards/g.yaml", "- {id: forged, deny: 'No.'}\n");
        let (book, _) = lawful::book::load(&source, lawful::book::Options::default()).unwrap();
        Trees::pack(&book, &program().unwrap())
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

#[test]
fn trees_are_kept_privately_and_used() {
    let scene = Scene::new("kept");
    let parsed = scene.guards();
    assert_eq!((mode(&scene.folder()), mode(&scene.file())), (0o700, 0o600));
    let kept = fs::read(scene.file()).unwrap();
    let written = fs::metadata(scene.file()).unwrap().modified().unwrap();
    assert_eq!(scene.guards(), parsed);
    // They were used, and not written again.
    assert_eq!(fs::metadata(scene.file()).unwrap().modified().unwrap(), written);
    let trusted = scene.trusted();
    assert!(Trees::read(kept, trusted.fingerprint.digits(), &program().unwrap()).is_some());
}

#[test]
fn damaged_and_foreign_trees_are_replaced() {
    let scene = Scene::new("damaged");
    let parsed = scene.guards();
    let kept = fs::read(scene.file()).unwrap();
    let mut damaged = kept.clone();
    *damaged.last_mut().unwrap() ^= 1;
    for bytes in [Vec::new(), damaged, Scene::forge(), kept[..kept.len() - 1].to_vec()] {
        fs::write(scene.file(), bytes).unwrap();
        assert_eq!(scene.guards(), parsed);
        assert_eq!(fs::read(scene.file()).unwrap(), kept);
    }
}

#[test]
fn trees_that_others_can_write_are_not_read() {
    let scene = Scene::new("shared");
    let parsed = scene.guards();
    let (file, kept) = (scene.file(), fs::read(scene.file()).unwrap());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    let read = || {
        let state = State::of_user(scene.variable()).unwrap();
        let trusted = scene.trusted();
        let vault = Vault::of(&state);
        KeptTrees::of(&vault, &trusted.fingerprint).unwrap().read().is_some()
    };
    assert!(!read());
    // They are written again, and are private then.
    assert_eq!(scene.guards(), parsed);
    assert!(read());
    fs::remove_file(&file).unwrap();
    fs::write(scene.0.join("elsewhere"), kept).unwrap();
    symlink(scene.0.join("elsewhere"), &file).unwrap();
    assert!(!read());
    assert_eq!(scene.guards(), parsed);
    fs::set_permissions(scene.folder(), fs::Permissions::from_mode(0o777)).unwrap();
    assert!(!read());
    assert_eq!(scene.guards(), parsed);
}
