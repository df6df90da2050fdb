//! Objects: keys in written order, with fast lookup.
//!
//! Most objects have a handful of keys, for which a linear search beats any index. Larger ones keep
//! a second list of positions sorted by key. There is no hashing, so no input can make lookups slow
//! and no hash order can reach an output.

use std::sync::atomic::{AtomicU32, Ordering};

use super::Value;

/// An object.
#[derive(Clone, Debug, Default)]
pub struct Map(Box<Body>);

#[derive(Clone, Debug, Default)]
struct Body {
    entries: Vec<(Box<str>, Value)>,
    /// Positions in `entries`, sorted by key; empty while there are few.
    sorted: Vec<u32>,
}

/// Equality of short strings that mostly differ: the bytes are compared only if the lengths and the
/// first bytes are the same, and without a call if two words hold them.
#[inline]
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    const WORD: usize = 8;
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() || a.first() != b.first() {
        return false;
    }
    if let Some(same) = have_same_ends::<WORD>(a, b) {
        return same && (a.len() <= 2 * WORD || a == b);
    }
    if let Some(same) = have_same_ends::<{ WORD / 2 }>(a, b) {
        return same;
    }
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// Whether the first `N` bytes and the last `N` bytes are the same; `None` if there are fewer.
#[inline]
fn have_same_ends<const N: usize>(a: &[u8], b: &[u8]) -> Option<bool> {
    let same_start = a.first_chunk::<N>()? == b.first_chunk::<N>()?;
    Some(same_start && a.last_chunk::<N>()? == b.last_chunk::<N>()?)
}

/// Where a key was found the first time. Objects of one kind mostly have their keys in one order.
///
/// It is set once, so threads that share it do not take its cache line from each other.
#[derive(Debug)]
pub(crate) struct FirstPlace(AtomicU32);

impl FirstPlace {
    const UNKNOWN: u32 = u32::MAX;
}

impl Default for FirstPlace {
    fn default() -> Self {
        Self(AtomicU32::new(Self::UNKNOWN))
    }
}

/// Up to this many keys are searched linearly.
const FEW: usize = 12;

impl Map {
    /// An empty object.
    pub fn new() -> Self {
        Self::default()
    }

    /// An object from entries with distinct keys.
    pub(super) fn of_distinct(entries: Vec<(Box<str>, Value)>) -> Self {
        let mut map = Self(Box::new(Body { entries, sorted: Vec::new() }));
        map.sort();
        map
    }

    /// How many keys there are, null ones included.
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    /// The value of a key, null included.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let at = self.position(key)?;
        self.0.entries.get(at).map(|(_, value)| value)
    }

    /// The value of a key, null included. Looks first where the key was found in another object.
    #[inline]
    pub(crate) fn get_near(&self, key: &str, place: &FirstPlace) -> Option<&Value> {
        let known = place.0.load(Ordering::Relaxed);
        if let Some((name, value)) = self.0.entries.get(known as usize)
            && is_same(name, key)
        {
            return Some(value);
        }
        let at = self.position(key)?;
        if known == FirstPlace::UNKNOWN {
            place.0.store(u32::try_from(at).unwrap_or(known), Ordering::Relaxed);
        }
        self.0.entries.get(at).map(|(_, value)| value)
    }

    /// The mutable value of a key, null included.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let at = self.position(key)?;
        self.0.entries.get_mut(at).map(|(_, value)| value)
    }

    /// Sets a key. An existing key keeps its position.
    pub fn insert(&mut self, key: impl Into<Box<str>>, value: Value) {
        let key = key.into();
        if let Some(old) = self.get_mut(&key) {
            *old = value;
            return;
        }
        let small = self.0.sorted.is_empty();
        let position = u32::try_from(self.0.entries.len()).unwrap_or(u32::MAX);
        if !small && let Err(at) = self.search(&key) {
            self.0.sorted.insert(at, position);
        }
        self.0.entries.push((key, value));
        if small && self.0.entries.len() > FEW {
            self.sort();
        }
    }

    /// Removes a key. The others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let at = self.position(key)?;
        let (_, value) = self.0.entries.remove(at);
        if !self.0.sorted.is_empty() {
            self.sort();
        }
        Some(value)
    }

    /// Keys and values in the order they were written.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.0.entries.iter().map(|(key, value)| (&**key, value))
    }

    fn position(&self, key: &str) -> Option<usize> {
        let body = &*self.0;
        if body.sorted.is_empty() {
            return body.entries.iter().position(|(name, _)| is_same(name, key));
        }
        self.search(key).ok().and_then(|at| body.sorted.get(at)).map(|at| *at as usize)
    }

    fn search(&self, key: &str) -> Result<usize, usize> {
        let body = &*self.0;
        let key_at = |at: &u32| body.entries.get(*at as usize).map_or("", |(name, _)| &**name);
        body.sorted.binary_search_by(|at| key_at(at).cmp(key))
    }

    fn sort(&mut self) {
        let Body { entries, sorted } = &mut *self.0;
        sorted.clear();
        if entries.len() > FEW {
            sorted.extend((0..entries.len()).map(|at| u32::try_from(at).unwrap_or(u32::MAX)));
            sorted.sort_by_key(|at| entries.get(*at as usize).map(|(name, _)| &**name));
        }
    }
}

impl FromIterator<(Box<str>, Value)> for Map {
    /// Of two entries with one key, the later wins.
    fn from_iter<T: IntoIterator<Item = (Box<str>, Value)>>(entries: T) -> Self {
        let mut map = Self::new();
        map.0.entries = entries.into_iter().collect();
        let mut keys: Vec<&str> = map.0.entries.iter().map(|(key, _)| &**key).collect();
        keys.sort_unstable();
        if keys.windows(2).any(|pair| pair.first() == pair.last()) {
            let entries = std::mem::take(&mut map.0.entries);
            for (key, value) in entries {
                map.insert(key, value);
            }
        } else {
            map.sort();
        }
        map
    }
}

/// A null key equals a missing one.
impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        let present =
            |map: &Self| map.iter().filter(|(_, value)| value.present().is_some()).count();
        present(self) == present(other)
            && self
                .iter()
                .filter(|(_, value)| value.present().is_some())
                .all(|(key, value)| other.get(key) == Some(value))
    }
}

impl Eq for Map {}
