//! The checksum of an entry.
//!
//! It finds damage: a bad sector, a file that was edited by hand, a copy that went wrong. It does not
//! find forgery, because whoever can write the file can write a checksum.

/// A checksum that is being computed. A change inside one aligned word of eight bytes always changes
/// it, because each step is a bijection; any other change goes unnoticed once in 2^64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checksum(u64);

impl Checksum {
    pub(super) fn new() -> Self {
        Self(0x6c61_7766_756c_0001)
    }

    /// Adds a number.
    #[must_use]
    pub(super) fn number(self, number: u64) -> Self {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self(mixed ^ mixed >> 29)
    }

    /// Adds bytes. Their number is added too, so that no two lists of parts are alike.
    #[must_use]
    pub(super) fn bytes(self, bytes: &[u8]) -> Self {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut sum = self.number(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        for word in words {
            sum = sum.number(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        for (place, byte) in last.iter_mut().zip(rest) {
            *place = *byte;
        }
        if rest.is_empty() { sum } else { sum.number(u64::from_le_bytes(last)) }
    }

    /// The checksum, as SQLite stores numbers.
    pub(super) fn value(self) -> i64 {
        self.0.cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parts: &[&str]) -> i64 {
        parts.iter().fold(Checksum::new(), |sum, part| sum.bytes(part.as_bytes())).value()
    }

    #[test]
    fn a_changed_byte_changes_it() {
        let text = "a state of thirty-nine bytes, and so on";
        for at in 0..text.len() {
            let mut other = text.as_bytes().to_vec();
            other[at] ^= 1;
            assert_ne!(Checksum::new().bytes(&other).value(), of(&[text]), "{at}");
        }
    }

    #[test]
    fn the_parts_and_their_order_count() {
        let all = [
            of(&["ab", "c"]),
            of(&["a", "bc"]),
            of(&["c", "ab"]),
            of(&["abc"]),
            of(&["ab", "c", ""]),
        ];
        for (at, sum) in all.iter().enumerate() {
            assert!(!all[..at].contains(sum), "{at}");
        }
    }

    #[test]
    fn it_is_the_same_on_every_machine_and_in_every_version() {
        assert_eq!(of(&["a state"]), -2_376_910_539_678_557_146);
    }
}
