//! One question about one condition.

use super::{Answer, Caps, Domains, Partition};
use crate::cond::set::{CondId, ConditionSet};

/// Whether some document makes a condition true, or false if `wanted` is.
pub(crate) fn reach(
    set: &ConditionSet,
    condition: CondId,
    wanted: bool,
    domains: &Domains,
) -> Answer {
    match Partition::new(set, &[condition], domains, Caps::default()) {
        Ok(partition) if wanted => partition.can_hold(condition),
        Ok(partition) => partition.can_fail(condition),
        Err(_) => Answer::Unknown,
    }
}
