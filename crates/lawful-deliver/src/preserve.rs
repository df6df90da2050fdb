//! What a file that replaces another one takes over from it: owner, group, mode, and extended
//! attributes such as access control lists.
//!
//! A replacement is a new file under an old name, so other names of the old file (hard links) keep the
//! old text. Only root can give a file away, and some attributes are not for users to set. What will
//! be lost is known before anything is written.
//!
//! **Invariant:** nobody can read the new file who could not read the old one.

#[cfg(unix)]
pub(crate) use unix::{copy, lost};

/// Copies the mode of a file.
#[cfg(not(unix))]
pub(crate) fn copy(old: &std::path::Path, new: &std::fs::File) -> std::io::Result<()> {
    match std::fs::metadata(old) {
        Ok(known) => new.set_permissions(known.permissions()),
        Err(_) => Ok(()),
    }
}

/// Unknown before the attempt.
#[cfg(not(unix))]
pub(crate) fn lost(_path: &std::path::Path) -> Vec<String> {
    Vec::new()
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, File, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    use std::path::Path;

    use rustix::process::{getegid, geteuid, getgroups};

    use super::attributes::{self, Kept};

    /// Copies everything that can be kept from a file to the one that will replace it.
    pub(crate) fn copy(old: &Path, new: &File) -> io::Result<()> {
        let Ok(known) = fs::metadata(old) else { return Ok(()) };
        let made = new.metadata()?;
        let owner = (known.uid() != made.uid()).then(|| known.uid());
        let group = (known.gid() != made.gid()).then(|| known.gid());
        if owner.is_some() || group.is_some() {
            // Whoever may not give the file away may still give it to a group of theirs.
            let _ = fchown(new, owner, group).or_else(|_| fchown(new, None, group));
        }
        let mut mode = known.permissions().mode();
        let has_group = new.metadata()?.gid() == known.gid();
        if !has_group {
            // Another group must not get the rights of the old one.
            mode = (mode & !0o2070) | ((mode & 0o7) << 3);
        }
        new.set_permissions(Permissions::from_mode(mode))?;
        for (name, value) in attributes::all(old)? {
            // The list names the rights of the group, whichever that is.
            if name == attributes::ACCESS_LIST && !has_group {
                continue;
            }
            let is_set = attributes::set(new, &name, &value);
            if attributes::kept(&name) == Kept::Always {
                is_set?;
            }
        }
        Ok(())
    }

    /// What a replacement of a file would lose, in words.
    pub(crate) fn lost(path: &Path) -> Vec<String> {
        let Ok(known) = fs::metadata(path) else { return Vec::new() };
        let mut lost = Vec::new();
        let user = geteuid();
        if !user.is_root() {
            if known.uid() != user.as_raw() {
                lost.push("its owner".to_owned());
            }
            let mut groups = getgroups().unwrap_or_default();
            groups.push(getegid());
            let has_group = groups.iter().any(|group| group.as_raw() == known.gid());
            if !has_group {
                lost.push("its group".to_owned());
            }
            for (name, _) in attributes::all(path).unwrap_or_default() {
                let is_skipped = name == attributes::ACCESS_LIST && !has_group;
                if is_skipped || attributes::kept(&name) == Kept::ByRoot {
                    let name = lawful::syntax::escape::name(&name).into_owned();
                    lost.push(format!("the attribute `{name}`"));
                }
            }
        }
        if known.nlink() > 1 {
            lost.push("its hard links".to_owned());
        }
        lost
    }
}

/// Extended attributes.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod attributes {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use rustix::fs::{XattrFlags, fsetxattr, getxattr, getxattr_query, listxattr, listxattr_query};
    use rustix::io::Errno;

    /// The access control list of a file.
    pub(super) const ACCESS_LIST: &str = "system.posix_acl_access";

    /// Who can set an attribute on their own file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Kept {
        /// Everyone.
        Always,
        /// Everyone, as far as the system allows; otherwise the system sets it itself.
        BySystem,
        /// Root.
        ByRoot,
    }

    pub(super) fn kept(name: &str) -> Kept {
        match name.split_once('.') {
            Some(("user", _) | ("system", "posix_acl_access")) => Kept::Always,
            Some(("security", "selinux" | "SMACK64") | ("com", _)) => Kept::BySystem,
            Some(_) | None if cfg!(target_vendor = "apple") => Kept::Always,
            Some(_) | None => Kept::ByRoot,
        }
    }

    /// The attributes of a file; none where there are no attributes.
    pub(super) fn all(path: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
        let size = match listxattr_query(path) {
            Ok(0) | Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(Vec::new()),
            Ok(size) => size,
            Err(error) => return Err(error.into()),
        };
        let mut names = vec![0; size];
        let size = listxattr(path, names.as_mut_slice())?;
        names.truncate(size);
        let mut found = Vec::new();
        for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
            let Ok(name) = std::str::from_utf8(name) else { continue };
            let Ok(size) = getxattr_query(path, name) else { continue };
            let mut value = vec![0; size];
            if size > 0 {
                let size = getxattr(path, name, value.as_mut_slice())?;
                value.truncate(size);
            }
            found.push((name.to_owned(), value));
        }
        Ok(found)
    }

    pub(super) fn set(file: &File, name: &str, value: &[u8]) -> io::Result<()> {
        Ok(fsetxattr(file, name, value, XattrFlags::empty())?)
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android", target_vendor = "apple"))))]
mod attributes {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub(super) const ACCESS_LIST: &str = "";

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Kept {
        Always,
        BySystem,
        ByRoot,
    }

    pub(super) fn kept(_name: &str) -> Kept {
        Kept::ByRoot
    }

    pub(super) fn all(_path: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
        Ok(Vec::new())
    }

    pub(super) fn set(_file: &File, _name: &str, _value: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
