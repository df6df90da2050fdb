//! The proof that this user wrote a record in a project.
//!
//! Earlier versions of Lawful kept their records in projects. Each has a stamp: a keyed hash
//! (HMAC-SHA-256) of its content and its place, with a key that is only in the user's state folder.
//! Stamps are checked, to move such records to the state folder, and no longer written.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::disk::Disk;
use crate::text::hex;

/// The secret of a user.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Seal {
    key: [u8; Self::LENGTH],
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never print the key.
        f.write_str("Seal")
    }
}

/// The proof that a user wrote a record in a project. The project is identified by its path and,
/// because it can be moved, by its folder.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(Serialize))]
pub(crate) struct Stamp {
    path: Option<String>,
    folder: Option<String>,
}

impl Stamp {
    /// Whether it equals the stamp that the record would get now.
    pub(crate) fn agrees(&self, now: &Self) -> bool {
        let is = |one: &Option<String>, other: &Option<String>| one.is_some() && one == other;
        is(&self.path, &now.path) || is(&self.folder, &now.folder)
    }
}

/// A record and its stamp.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(Serialize))]
pub(crate) struct Sealed<T> {
    #[serde(flatten)]
    pub(crate) record: T,
    #[serde(default)]
    pub(crate) seal: Option<Stamp>,
}

impl Seal {
    /// The length of a key in bytes.
    pub(crate) const LENGTH: usize = 32;

    pub(crate) fn new(key: [u8; Self::LENGTH]) -> Self {
        Self { key }
    }

    /// Whether this user wrote a record in a project.
    pub(crate) fn is_on<T: Serialize>(
        &self,
        disk: &impl Disk,
        root: &Path,
        kind: &str,
        found: &Sealed<T>,
    ) -> bool {
        let Some(stamp) = &found.seal else { return false };
        let text = serde_json::to_vec(&found.record);
        text.is_ok_and(|text| stamp.agrees(&self.stamp(disk, root, kind, &text)))
    }

    /// The stamp of a record in a project.
    pub(crate) fn stamp(&self, disk: &impl Disk, root: &Path, kind: &str, record: &[u8]) -> Stamp {
        let of = |how: &str, place: &[u8]| {
            hex(&self.mac(&[kind.as_bytes(), how.as_bytes(), place, record]))
        };
        let path = disk.resolve(root).ok();
        Stamp {
            path: path.map(|path| of("path", path.as_os_str().as_encoded_bytes())),
            folder: disk.identity(root).map(|folder| of("folder", folder.as_bytes())),
        }
    }

    /// HMAC-SHA-256 of several parts, encoded unambiguously.
    fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        const BLOCK: usize = 64;
        let pad = |with: u8| {
            let mut block = [with; BLOCK];
            block.iter_mut().zip(self.key).for_each(|(byte, key)| *byte ^= key);
            block
        };
        let mut inner = Sha256::new_with_prefix(pad(0x36));
        for part in parts {
            inner.update((part.len() as u64).to_be_bytes());
            inner.update(part);
        }
        Sha256::new_with_prefix(pad(0x5c)).chain_update(inner.finalize()).finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::memory::MemoryDisk;

    #[test]
    fn the_hash_is_the_hmac_of_the_standard() {
        // Computed with Python: hmac.new(bytes(range(32)), parts, "sha256").
        let key: [u8; 32] = std::array::from_fn(|at| u8::try_from(at).unwrap());
        let mac = Seal::new(key).mac(&[b"ledger", b"path"]);
        assert_eq!(hex(&mac), "2bcd49ff93a2e696eb2ff782b34364d5ca1bbd6ba77eced90df1bdae587361c7");
    }

    #[test]
    fn a_stamp_is_of_one_user_one_place_one_kind_and_one_text() {
        let disk = MemoryDisk::new("/p");
        let (mine, theirs) = (Seal::new([1; 32]), Seal::new([2; 32]));
        let root = Path::new("/p");
        let stamp = mine.stamp(&disk, root, "ledger", b"x");
        assert!(stamp.agrees(&mine.stamp(&disk, root, "ledger", b"x")));
        for other in [
            theirs.stamp(&disk, root, "ledger", b"x"),
            mine.stamp(&disk, Path::new("/q"), "ledger", b"x"),
            mine.stamp(&disk, root, "journal", b"x"),
            mine.stamp(&disk, root, "ledger", b"y"),
        ] {
            assert!(!other.agrees(&stamp), "{other:?}");
        }
        let none = Stamp { path: None, folder: None };
        assert!(!none.agrees(&none), "and nothing is no stamp");
        assert_eq!(format!("{mine:?}"), "Seal");
    }
}
