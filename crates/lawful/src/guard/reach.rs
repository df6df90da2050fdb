//! Events that a guard acts on.

use super::guards::Guard;
use super::lint::{domains, whole};
use crate::book::Book;
use crate::cond::Surface;
use crate::cond::partition::{Answer, reach};

/// Whether some event that a guard decides on makes its condition true, or false. The witness has
/// the fields of the event under `event`, and variables under `state`.
pub(crate) fn reach_guard(guard: &Guard, wanted: bool, book: &Book) -> Answer {
    let mut set = book.registry.set();
    let tree = if wanted { whole(guard) } else { guard.when.clone() };
    let Some(condition) = set.add(&tree, Surface::When).0 else { return Answer::Unknown };
    reach(&set.finish(), condition, wanted, &domains(book))
}
