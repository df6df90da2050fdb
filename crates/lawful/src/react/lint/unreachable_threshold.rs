//! A threshold that a variable can never cross.

use lawful_syntax::{Diagnostic, escape};

use crate::path::Segment;
use crate::react::rules::Rules;
use crate::react::trigger::{Direction, Test};
use crate::react::variables::root;

lawful_syntax::declare_codes! {
    UNREACHABLE_THRESHOLD = "unreachable-threshold", Warning, "a threshold is outside the bounds of its variable",
        "A declared number stays between its `min` and its `max`. To cross a threshold it must first be on one side of it, or at it, and then beyond it. These bounds do not allow that, so the rule never fires.\n\nCorrect the threshold or the bounds.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (_, rule) in rules.all() {
        for test in &rule.trigger.tests {
            let Test::Crossed { path, direction, threshold } = test else { continue };
            let [Segment::Key(_)] = path.segments() else { continue };
            let declared = root(path).and_then(|root| rules.declared.get(root));
            let Some(declared) = declared else { continue };
            let (min, max) = (declared.min, declared.max);
            let reachable = match direction {
                Direction::RisesAbove => {
                    min.is_none_or(|min| min <= *threshold)
                        && max.is_none_or(|max| max > *threshold)
                }
                Direction::DropsBelow => {
                    min.is_none_or(|min| min < *threshold)
                        && max.is_none_or(|max| max >= *threshold)
                }
            };
            if !reachable {
                let bounds = match (min, max) {
                    (Some(min), Some(max)) => format!("between {min} and {max}"),
                    (Some(min), None) => format!("at or above {min}"),
                    (None, Some(max)) => format!("at or below {max}"),
                    (None, None) => continue,
                };
                let (id, phrase) = (escape::name(&declared.id), direction.phrase());
                let message = format!("`{id}` stays {bounds} and cannot {phrase} {threshold}");
                found.push(
                    Diagnostic::new(&UNREACHABLE_THRESHOLD, rule.trigger.span, message)
                        .label(declared.span, "declared here")
                        .help("correct the threshold or the bounds"),
                );
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::check;

    fn rule(direction: &str, threshold: i64) -> String {
        format!(
            "rules:\n  - id: a\n    trigger: {{type: variable-crossed, variableId: h, direction: {direction}, threshold: {threshold}}}\n    actions: []\n"
        )
    }

    #[test]
    fn a_threshold_must_be_within_the_bounds() {
        let manifest = "variables:\n  h: {type: number, min: 0, max: 100}\n";
        let says = |what: &str| {
            format!(
                "rules/r.yaml:3:14 unreachable-threshold: `h` stays between 0 and 100 and cannot {what}"
            )
        };
        check(manifest, &rule("drops-below", 20), "");
        check(manifest, &rule("drops-below", 100), "");
        check(manifest, &rule("drops-below", 0), &says("drop below 0"));
        check(manifest, &rule("drops-below", 101), &says("drop below 101"));
        check(manifest, &rule("rises-above", 0), "");
        check(manifest, &rule("rises-above", 100), &says("rise above 100"));
        check(manifest, &rule("rises-above", -1), &says("rise above -1"));
    }
}
