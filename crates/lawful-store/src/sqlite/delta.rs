//! Deltas between texts: a text as copies from another text and what is new.
//!
//! A state changes little from turn to turn, and a trace repeats the messages of its input. So a
//! text is stored as the difference to a base that can be read as well. The store does not need to
//! know what the texts mean.
//!
//! A delta is a list of operations: a varint, whose lowest bit says which one, and whose other bits
//! are a length.
//!
//! - `copy`: a varint follows, the place in the base.
//! - `insert`: as many bytes follow.
//!
//! **Invariant:** applying the delta of a text to its base returns the text. Applying anything else
//! returns a text, or `None`; it never takes more than `limit` bytes.

/// The size of the blocks by which a base is indexed. A shorter repetition is not found unless it is
/// beside a longer one.
const BLOCK: usize = 32;

/// The end of a chain in the index.
const NONE: u32 = u32::MAX;

/// The most bytes between a common start and a common end that are inserted without a search for them.
const EDIT: usize = 2 * BLOCK;

/// The delta that turns a base into a text.
pub(super) fn delta(base: &[u8], text: &[u8]) -> Vec<u8> {
    // Most states differ from their base in one place. Finding that takes no index.
    one_edit(base, text).unwrap_or_else(|| Base::new(base).delta(text))
}

/// The delta of a text that differs from its base in one short place.
fn one_edit(base: &[u8], text: &[u8]) -> Option<Vec<u8>> {
    // A copy of a few bytes is no shorter than the bytes.
    let worth_a_copy = |len: usize| if len < 8 { 0 } else { len };
    let start = worth_a_copy(common_prefix(base, text));
    let (base_rest, text_rest) = (base.get(start..)?, text.get(start..)?);
    let end = worth_a_copy(common_suffix(base_rest, text_rest));
    let edit = text_rest.get(..text_rest.len() - end).filter(|edit| edit.len() <= EDIT)?;
    let mut out = Vec::with_capacity(edit.len() + 16);
    copy(0, start, &mut out);
    insert(edit, &mut out);
    copy(base.len() - end, end, &mut out);
    Some(out)
}

/// A base with an index of its blocks. Several texts can be compared with it.
pub(super) struct Base<'t> {
    text: &'t [u8],
    /// The first block of each hash.
    first: Vec<u32>,
    /// The next block with the same hash.
    next: Vec<u32>,
}

/// How many blocks with one hash are compared, so that a repetitive base costs no more than others.
const TRIES: usize = 8;

impl<'t> Base<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        let blocks = text.len() / BLOCK;
        let buckets = (blocks.max(1) * 2).next_power_of_two();
        let mut base = Self { text, first: vec![NONE; buckets], next: vec![NONE; blocks] };
        // Backwards, so that a chain starts with the earliest block.
        for (at, block) in text.chunks_exact(BLOCK).enumerate().rev() {
            let bucket = base.bucket(Rolling::new(block).value());
            let Ok(number) = u32::try_from(at) else { continue };
            if let (Some(first), Some(next)) = (base.first.get_mut(bucket), base.next.get_mut(at)) {
                *next = std::mem::replace(first, number);
            }
        }
        base
    }

    fn bucket(&self, hash: u32) -> usize {
        // The upper bits are mixed best.
        let mixed = u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        usize::try_from(mixed).unwrap_or_default() & (self.first.len() - 1)
    }

    /// The delta that turns the base into a text.
    pub(super) fn delta(&self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        // What is before `done` is in the delta; `at` is the place to look at.
        let (mut done, mut at) = (0, 0);
        // Both texts usually start alike, and what follows a copy often follows in the base too.
        let start = common_prefix(self.text, text);
        if start >= BLOCK {
            copy(0, start, &mut out);
            (done, at) = (start, start);
        }
        let mut rolling = None;
        while let Some(window) = text.get(at..at + BLOCK) {
            let hash = match &mut rolling {
                Some(hash) => *hash,
                unset @ None => *unset.insert(Rolling::new(window)),
            };
            match self.longest(hash.value(), text, done, at) {
                Some(found) => {
                    insert(text.get(done..found.start).unwrap_or_default(), &mut out);
                    copy(found.base, found.len, &mut out);
                    done = found.start + found.len;
                    at = done;
                    rolling = None;
                }
                None => {
                    let (old, new) = (text.get(at), text.get(at + BLOCK));
                    if let (Some(hash), Some(old), Some(new)) = (&mut rolling, old, new) {
                        hash.roll(*old, *new);
                    }
                    at += 1;
                }
            }
        }
        insert(text.get(done..).unwrap_or_default(), &mut out);
        out
    }

    /// The longest match of the window at a place, extended in both directions.
    fn longest(&self, hash: u32, text: &[u8], done: usize, at: usize) -> Option<Found> {
        let mut best: Option<Found> = None;
        let mut block = *self.first.get(self.bucket(hash))?;
        for _ in 0..TRIES {
            let Ok(number) = usize::try_from(block) else { break };
            if block == NONE {
                break;
            }
            let place = number * BLOCK;
            let rest = (self.text.get(place..)?, text.get(at..)?);
            let after = common_prefix(rest.0, rest.1);
            if after >= BLOCK {
                let before =
                    common_suffix(self.text.get(..place)?, text.get(done..at).unwrap_or_default());
                let found = Found { base: place - before, start: at - before, len: before + after };
                if best.as_ref().is_none_or(|best| found.len > best.len) {
                    best = Some(found);
                }
            }
            block = *self.next.get(number)?;
        }
        best
    }
}

/// A stretch that is in the base and in the text.
struct Found {
    base: usize,
    start: usize,
    len: usize,
}

/// The text that a delta makes of a base, or `None` if the delta is invalid or makes more than `limit` bytes.
pub(super) fn apply(base: &[u8], mut delta: &[u8], limit: usize) -> Option<Vec<u8>> {
    // A text is usually about as long as its base.
    let mut out = Vec::with_capacity(base.len().saturating_add(delta.len()).min(limit));
    while !delta.is_empty() {
        let head = varint(&mut delta)?;
        let len = head >> 1;
        if len > limit - out.len() {
            return None;
        }
        let from = if head & 1 == 1 {
            let place = varint(&mut delta)?;
            base.get(place..)?.get(..len)?
        } else {
            let (new, rest) = delta.split_at_checked(len)?;
            delta = rest;
            new
        };
        out.extend_from_slice(from);
    }
    Some(out)
}

fn copy(place: usize, len: usize, out: &mut Vec<u8>) {
    if len > 0 {
        write_varint(len << 1 | 1, out);
        write_varint(place, out);
    }
}

fn insert(new: &[u8], out: &mut Vec<u8>) {
    if !new.is_empty() {
        write_varint(new.len() << 1, out);
        out.extend_from_slice(new);
    }
}

fn write_varint(mut number: usize, out: &mut Vec<u8>) {
    loop {
        let low = u8::try_from(number & 0x7f).unwrap_or_default();
        number >>= 7;
        if number == 0 {
            return out.push(low);
        }
        out.push(low | 0x80);
    }
}

fn varint(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    for shift in (0..usize::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let part = usize::from(byte & 0x7f);
        number |= part.checked_shl(shift).filter(|shifted| shifted >> shift == part)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// How many bytes are compared at once: most of a large state is equal.
const STRIDE: usize = 64;

fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    let strides = one.chunks_exact(STRIDE).zip(other.chunks_exact(STRIDE));
    let equal = strides.take_while(|(one, other)| one == other).count() * STRIDE;
    let rest = one.iter().skip(equal).zip(other.iter().skip(equal));
    equal + rest.take_while(|(one, other)| one == other).count()
}

fn common_suffix(one: &[u8], other: &[u8]) -> usize {
    let strides = one.rchunks_exact(STRIDE).zip(other.rchunks_exact(STRIDE));
    let equal = strides.take_while(|(one, other)| one == other).count() * STRIDE;
    let rest = one.iter().rev().skip(equal).zip(other.iter().rev().skip(equal));
    equal + rest.take_while(|(one, other)| one == other).count()
}

/// A hash of [`BLOCK`] bytes that can be moved by one byte.
#[derive(Clone, Copy)]
struct Rolling(u32);

impl Rolling {
    const BASE: u32 = 0x0100_0193;

    /// What each byte of a block is multiplied by. With these, no step waits for the one before it.
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
    const FACTORS: [u32; BLOCK] = {
        let mut factors = [1_u32; BLOCK];
        let mut at = BLOCK - 1;
        while at > 0 {
            factors[at - 1] = factors[at].wrapping_mul(Self::BASE);
            at -= 1;
        }
        factors
    };

    fn new(block: &[u8]) -> Self {
        let parts = block.iter().zip(Self::FACTORS);
        let parts = parts.map(|(byte, factor)| (u32::from(*byte) + 1).wrapping_mul(factor));
        Self(parts.fold(0, u32::wrapping_add))
    }

    fn value(self) -> u32 {
        self.0
    }

    fn roll(&mut self, old: u8, new: u8) {
        const OUT: u32 = Rolling::BASE.wrapping_pow(32);
        self.0 = self.0.wrapping_mul(Self::BASE).wrapping_add(u32::from(new) + 1);
        self.0 = self.0.wrapping_sub((u32::from(old) + 1).wrapping_mul(OUT));
    }
}

#[cfg(test)]
mod tests;
