use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

use super::attributes;
use crate::disk::{Disk as _, OsDisk};

/// A new folder with a file in it.
fn file(name: &str) -> (PathBuf, PathBuf) {
    let folder =
        std::env::temp_dir().join(format!("lawful-preserve-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("a");
    fs::write(&file, "old").unwrap();
    (folder, file)
}

fn replace(path: &Path) {
    crate::write_atomically(path, b"new").unwrap();
    assert_eq!(fs::read_to_string(path).unwrap(), "new");
}

#[test]
fn mode_and_attributes_are_kept() {
    let (folder, path) = file("attributes");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let set = |name: &str, value: &[u8]| {
        attributes::set(&File::options().write(true).open(&path).unwrap(), name, value)
    };
    // Not every file system has attributes.
    let has_attributes = set("user.note", b"mine\0\xff").is_ok() && set("user.empty", b"").is_ok();
    // A list that lets the user 12345 read: version 2, then the entries.
    let entry = |tag: u16, rights: u16, id: u32| {
        let mut bytes = tag.to_le_bytes().to_vec();
        bytes.extend(rights.to_le_bytes());
        bytes.extend(id.to_le_bytes());
        bytes
    };
    let none = u32::MAX;
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in
        [(1, 6, none), (2, 4, 12345), (4, 4, none), (0x10, 4, none), (0x20, 0, none)]
    {
        list.extend(entry(tag, rights, id));
    }
    let has_lists = set("system.posix_acl_access", &list).is_ok();
    let before = attributes::all(&path).unwrap();
    assert_eq!(before.len(), 2 * usize::from(has_attributes) + usize::from(has_lists));
    assert_eq!(OsDisk.unkept(&path), [""; 0]);
    replace(&path);
    assert_eq!(attributes::all(&path).unwrap(), before);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_hard_link_is_noticed() {
    let (folder, path) = file("links");
    fs::hard_link(&path, folder.join("b")).unwrap();
    assert_eq!(OsDisk.unkept(&path), ["its hard links"]);
    replace(&path);
    assert_eq!(fs::read_to_string(folder.join("b")).unwrap(), "old");
    assert_eq!(OsDisk.unkept(&path), [""; 0]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn root_keeps_the_owner_and_the_group() {
    let (folder, path) = file("owner");
    // Only root can give a file away.
    if chown(&path, Some(12345), Some(54321)).is_ok() {
        fs::set_permissions(&path, fs::Permissions::from_mode(0o4660)).unwrap();
        assert_eq!(OsDisk.unkept(&path), [""; 0]);
        replace(&path);
        let known = fs::metadata(&path).unwrap();
        assert_eq!((known.uid(), known.gid()), (12345, 54321));
        assert_eq!(known.permissions().mode() & 0o7777, 0o4660);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_nobody_can_set_is_not_promised() {
    for (name, expected) in [
        ("user.note", "Always"),
        ("system.posix_acl_access", "Always"),
        ("security.selinux", "BySystem"),
        ("security.capability", "ByRoot"),
        ("trusted.x", "ByRoot"),
        ("odd", "ByRoot"),
    ] {
        assert_eq!(format!("{:?}", attributes::kept(name)), expected, "{name}");
    }
}
