use std::os::unix::fs::{PermissionsExt as _, symlink};

use lawful::book::{MemorySource, Options, load};

use super::*;
use crate::trust::location::Location;

struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("lawful-vault-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("p")).unwrap();
        Self(folder.canonicalize().unwrap())
    }

    fn vault(&self) -> Vault {
        let state = self.0.clone().into_os_string();
        let state = State::of_user(|name| (name == "XDG_STATE_HOME").then(|| state.clone()));
        Vault::of(&state.unwrap())
    }

    fn trust(&self, copy: &Bundle) -> io::Result<()> {
        let location = Location::of(&self.0.join("p")).unwrap();
        let fingerprint = Fingerprint::of(copy);
        self.vault().change(Some(copy), |registry| registry.register(location, &fingerprint, false))
    }

    fn mode(&self, path: &str) -> u32 {
        fs::metadata(self.0.join(path)).unwrap().permissions().mode() & 0o777
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn bundle(name: &str) -> Bundle {
    let source = MemorySource::new().with("lawful.yaml", format!("name: {name}\n"));
    Bundle::of(&load(&source, Options::default()).unwrap().0)
}

#[test]
fn a_copy_is_private_named_by_its_content_and_collected() {
    let home = Home::new("private");
    let (one, two) = (bundle("one"), bundle("two"));
    home.trust(&one).unwrap();
    assert_eq!((home.mode("lawful/trust"), home.mode("lawful/trust/books")), (0o700, 0o700));
    let path = format!("lawful/trust/books/{}", one.fingerprint());
    assert_eq!((home.mode("lawful/trust/registry.json"), home.mode(&path)), (0o600, 0o600));
    // What a killed process left is removed with the old copy.
    fs::write(home.0.join("lawful/trust/books/.x.1.0.tmp"), "").unwrap();
    fs::write(home.0.join("lawful/trust/.registry.json.1.0.tmp"), "").unwrap();
    home.trust(&two).unwrap();
    let names = |folder: &str| {
        let entries = fs::read_dir(home.0.join(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("lawful/trust/books"), [two.fingerprint()]);
    assert_eq!(names("lawful/trust"), ["books", "lock", "registry.json"]);
    let vault = home.vault();
    assert!(vault.copy(&Fingerprint::of(&one)).unwrap().is_none());
    assert_eq!(vault.copy(&Fingerprint::of(&two)).unwrap().unwrap().bytes(), two.bytes());
}

#[test]
fn a_copy_that_was_edited_is_refused_and_replaced() {
    let home = Home::new("edited");
    let one = bundle("one");
    home.trust(&one).unwrap();
    let path = home.0.join("lawful/trust/books").join(one.fingerprint());
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = home.vault().copy(&Fingerprint::of(&one)).unwrap_err();
    assert!(error.to_string().contains("is not the copy that was trusted"), "{error}");
    home.trust(&one).unwrap();
    assert!(home.vault().copy(&Fingerprint::of(&one)).unwrap().is_some());
}

#[test]
fn what_others_can_change_is_not_believed() {
    let home = Home::new("others");
    let one = bundle("one");
    home.trust(&one).unwrap();
    let refused = |why: &str| {
        let error = home.vault().registry().unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
        assert!(home.trust(&one).is_err());
    };
    let set = |path: &str, mode| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(home.0.join(path), mode).unwrap();
    };
    for (path, usual) in
        [("lawful", 0o700), ("lawful/trust", 0o700), ("lawful/trust/registry.json", 0o600)]
    {
        set(path, usual | 0o020);
        refused("can be written to by other users");
        set(path, usual);
    }
    let registry = home.0.join("lawful/trust/registry.json");
    fs::rename(&registry, home.0.join("moved.json")).unwrap();
    symlink(home.0.join("moved.json"), &registry).unwrap();
    refused("is a symbolic link");
    fs::remove_file(&registry).unwrap();
    fs::create_dir(&registry).unwrap();
    refused("is not a file");
    fs::remove_dir(&registry).unwrap();
    fs::write(&registry, "{").unwrap();
    refused("is damaged");
    let trust = home.0.join("lawful/trust");
    fs::rename(&trust, home.0.join("moved")).unwrap();
    symlink(home.0.join("moved"), &trust).unwrap();
    refused("is not a folder");
}

#[test]
fn a_folder_of_another_user_is_not_believed() {
    // Only root can give a folder away.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let home = Home::new("owner");
    home.trust(&bundle("one")).unwrap();
    for path in ["lawful/trust/registry.json", "lawful/trust", "lawful"] {
        std::os::unix::fs::chown(home.0.join(path), Some(65_534), None).unwrap();
        let error = home.vault().registry().unwrap_err().to_string();
        assert!(error.contains("belongs to another user"), "{error}");
        std::os::unix::fs::chown(home.0.join(path), Some(0), None).unwrap();
    }
    home.vault().registry().unwrap();
}

#[test]
fn many_processes_register_without_losing_any() {
    let home = Home::new("many");
    std::thread::scope(|scope| {
        for at in 0..8 {
            let home = &home;
            scope.spawn(move || {
                for round in 0..5 {
                    let folder = home.0.join(format!("p{at}"));
                    fs::create_dir_all(&folder).unwrap();
                    let copy = bundle(&format!("n{at}-{round}"));
                    let location = Location::of(&folder).unwrap();
                    let fingerprint = Fingerprint::of(&copy);
                    let register =
                        |registry: &mut Registry| registry.register(location, &fingerprint, false);
                    home.vault().change(Some(&copy), register).unwrap();
                }
            });
        }
    });
    let registry = home.vault().registry().unwrap();
    assert_eq!(registry.entries().len(), 8);
    for entry in registry.entries() {
        assert!(home.vault().copy(&entry.fingerprint().unwrap()).unwrap().is_some());
    }
    assert_eq!(fs::read_dir(home.0.join("lawful/trust/books")).unwrap().count(), 8);
}
