//! A vector indexed by its own id type: the one place where indexing is expected.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An id that is a position in an [`IndexVec`].
pub(crate) trait Id: Copy {
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Declares id types.
macro_rules! ids {
    ($($(#[$doc:meta])* $visibility:vis $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            $visibility struct $name(u32);

            impl $crate::index::Id for $name {
                fn from_index(index: usize) -> Self {
                    Self(u32::try_from(index).unwrap_or(u32::MAX))
                }
                fn index(self) -> usize {
                    self.0 as usize
                }
            }
        )*
    };
}
pub(crate) use ids;

/// An append-only list, indexed by the ids that it returns.
#[derive(Clone, Debug)]
pub(crate) struct IndexVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn() -> I>,
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self { items: Vec::new(), ids: PhantomData }
    }
}

impl<I: Id, T> IndexVec<I, T> {
    pub(crate) fn filled(value: T, len: usize) -> Self
    where
        T: Clone,
    {
        Self { items: vec![value; len], ids: PhantomData }
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.items
    }

    pub(crate) fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_index(self.items.len() - 1)
    }

    /// Every id of this list.
    pub(crate) fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }
}

#[expect(clippy::indexing_slicing, reason = "only the vector itself creates its ids")]
impl<I: Id, T> Index<I> for IndexVec<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

#[expect(clippy::indexing_slicing, reason = "only the vector itself creates its ids")]
impl<I: Id, T> IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

/// A value for each id: dense for all ids, or sparse for those that were set.
///
/// A dense table is fast to read and slow to create; a sparse one is the opposite. A dense table of
/// up to `N` ids needs no allocation.
#[derive(Clone, Debug)]
pub(crate) enum Table<I, T, const N: usize> {
    Few([T; N]),
    Dense(IndexVec<I, T>),
    Sparse(BTreeMap<I, T>, T),
}

#[expect(clippy::indexing_slicing, reason = "only the list of this length creates its ids")]
impl<I: Id + Ord, T: Copy, const N: usize> Table<I, T, N> {
    pub(crate) fn dense(value: T, len: usize) -> Self {
        if (1..=N).contains(&len) {
            Self::Few([value; N])
        } else {
            Self::Dense(IndexVec::filled(value, len))
        }
    }

    pub(crate) fn sparse(value: T) -> Self {
        Self::Sparse(BTreeMap::new(), value)
    }

    #[inline]
    pub(crate) fn get(&self, id: I) -> T {
        match self {
            Self::Few(items) => items[id.index()],
            Self::Dense(items) => items[id],
            Self::Sparse(items, rest) => items.get(&id).copied().unwrap_or(*rest),
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, id: I, value: T) {
        match self {
            Self::Few(items) => items[id.index()] = value,
            Self::Dense(items) => items[id] = value,
            Self::Sparse(items, _) => {
                items.insert(id, value);
            }
        }
    }

    /// The values by index; empty if they are stored in another way.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        match self {
            Self::Few(items) => items,
            Self::Dense(items) => items.as_slice(),
            Self::Sparse(..) => &[],
        }
    }

    /// Whether it has no value for any id.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Dense(items) => items.is_empty(),
            Self::Few(_) | Self::Sparse(..) => false,
        }
    }
}
