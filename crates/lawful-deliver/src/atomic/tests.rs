use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::process::Command;

use super::*;

/// Writes `new` to a path in a new folder in which something was done.
fn check(name: &str, before: impl FnOnce(&Path), path: &str, after: impl FnOnce(&Path)) {
    let folder = std::env::temp_dir().join(format!("lawful-atomic-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    before(&folder);
    write(&folder.join(path), b"new").unwrap();
    after(&folder);
    let left = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().ends_with(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
    fs::remove_dir_all(&folder).unwrap();
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_file_keeps_its_mode() {
    let before = |folder: &Path| {
        fs::write(folder.join("a"), "old").unwrap();
        fs::set_permissions(folder.join("a"), fs::Permissions::from_mode(0o640)).unwrap();
    };
    check("mode", before, "a", |folder| {
        assert_eq!(text(&folder.join("a")), "new");
        assert_eq!(fs::metadata(folder.join("a")).unwrap().permissions().mode() & 0o777, 0o640);
    });
}

#[test]
fn a_link_stays_and_the_file_behind_it_is_written() {
    let before = |folder: &Path| {
        fs::create_dir(folder.join("real")).unwrap();
        fs::write(folder.join("real/a"), "old").unwrap();
        symlink("real/a", folder.join("link")).unwrap();
        symlink("link", folder.join("again")).unwrap();
    };
    check("link", before, "again", |folder| {
        assert_eq!(text(&folder.join("real/a")), "new");
        assert_eq!(fs::read_link(folder.join("link")).unwrap(), Path::new("real/a"));
        assert_eq!(fs::read_link(folder.join("again")).unwrap(), Path::new("link"));
    });
}

#[test]
fn a_link_to_nothing_leads_to_a_new_file() {
    check(
        "nothing",
        |folder| symlink("new", folder.join("link")).unwrap(),
        "link",
        |folder| {
            assert_eq!(text(&folder.join("new")), "new");
            assert!(OsDisk.is_link(&folder.join("link")));
        },
    );
}

#[test]
fn a_circle_of_links_is_an_error() {
    let folder = std::env::temp_dir().join(format!("lawful-atomic-circle-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    symlink("b", folder.join("a")).unwrap();
    symlink("a", folder.join("b")).unwrap();
    assert!(write(&folder.join("a"), b"new").is_err());
    assert!(OsDisk.is_link(&folder.join("a")));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_pipe_is_written_into() {
    let mut reader = None;
    let before = |folder: &Path| {
        let pipe = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        symlink("pipe", folder.join("link")).unwrap();
        reader = Some(std::thread::spawn(move || fs::read(pipe).unwrap()));
    };
    check("pipe", before, "link", |folder| {
        assert!(fs::symlink_metadata(folder.join("pipe")).unwrap().file_type().is_fifo());
    });
    assert_eq!(reader.unwrap().join().unwrap(), b"new");
}

#[test]
fn a_device_is_written_into() {
    // Through a link, so that the test harms nothing where it is run by root.
    check(
        "device",
        |folder| symlink("/dev/null", folder.join("link")).unwrap(),
        "link",
        |folder| {
            assert!(OsDisk.is_link(&folder.join("link")));
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        },
    );
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_open_is_written_into() {
    use std::os::fd::AsRawFd as _;
    use std::os::unix::fs::MetadataExt as _;

    let open = std::cell::OnceCell::new();
    let before = |folder: &Path| {
        let file = fs::File::create(folder.join("a")).unwrap();
        symlink(format!("/proc/self/fd/{}", file.as_raw_fd()), folder.join("link")).unwrap();
        open.set(file).unwrap();
    };
    check("open", before, "link", |folder| {
        assert_eq!(text(&folder.join("a")), "new");
        let now = fs::metadata(folder.join("a")).unwrap().ino();
        assert_eq!(now, open.get().unwrap().metadata().unwrap().ino());
    });
}
