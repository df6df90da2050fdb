//! "Did you mean": similar names from a closed set.

use crate::escape;

/// The names similar to what was written, most similar first; ties keep the order of the set.
pub fn nearest<'n>(written: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    /// Longer names, and more of them, are not compared, to limit the time.
    const LONGEST: usize = 64;
    const COMPARED: usize = 1_000;
    let length = written.chars().count();
    if length > LONGEST {
        return Vec::new();
    }
    let reach = (length / 3).clamp(1, 3);
    let lower = written.to_lowercase();
    let mut near: Vec<(usize, &str)> = names
        .into_iter()
        .take(COMPARED)
        .filter(|name| name.chars().count().abs_diff(length) <= reach)
        .filter_map(|name| {
            let distance = strsim::damerau_levenshtein(&lower, &name.to_lowercase());
            let folded = |text: &str| text.replace(['_', '-', ' '], "").to_lowercase();
            // `min-length` for `min_length` is one mistake, whatever the edit distance.
            let distance = if folded(name) == folded(written) { 0 } else { distance };
            (distance <= reach).then_some((distance, name))
        })
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    // A name that differs only in case, dashes and underscores is the only suggestion.
    let kept = if near.first().is_some_and(|(distance, _)| *distance == 0) { 1 } else { 3 };
    near.truncate(kept);
    near.into_iter().map(|(_, name)| name).collect()
}

/// The help for an unknown name: the similar names, or all valid ones if none is similar.
///
/// `what` is the kind of name in the singular: "key", "operator".
pub fn did_you_mean<'n>(
    what: &str,
    written: &str,
    names: impl IntoIterator<Item = &'n str> + Clone,
) -> String {
    const SHOWN: usize = 24;
    let near = nearest(written, names.clone());
    if !near.is_empty() {
        return format!("did you mean {}?", list(&near, "or"));
    }
    let all: Vec<&str> = names.into_iter().collect();
    match all.len() {
        0 => format!("there is no {what} to choose from"),
        1 => format!("the only valid {what} is {}", list(&all, "and")),
        2..=SHOWN => format!("the valid {what} names are {}", list(&all, "and")),
        count => {
            let shown = all.get(..SHOWN).unwrap_or_default();
            format!("the valid {what} names are {} and {} more", list(shown, ","), count - SHOWN)
        }
    }
}

fn list(names: &[&str], last: &str) -> String {
    let quoted: Vec<String> =
        names.iter().map(|name| format!("`{}`", escape::name(name))).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., final_one] if last != "," => {
            format!("{} {last} {final_one}", first.join(", "))
        }
        many => many.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["equals", "not_equals", "min_length", "matches"];

    #[test]
    fn a_slip_finds_its_name() {
        assert_eq!(did_you_mean("operator", "equal", NAMES), "did you mean `equals`?");
        assert_eq!(did_you_mean("operator", "min-length", NAMES), "did you mean `min_length`?");
        assert_eq!(did_you_mean("operator", "mathces", NAMES), "did you mean `matches`?");
    }

    #[test]
    fn a_stranger_gets_the_whole_list() {
        assert_eq!(
            did_you_mean("operator", "frobnicate", NAMES),
            "the valid operator names are `equals`, `not_equals`, `min_length` and `matches`"
        );
    }

    #[test]
    fn an_empty_set_says_so() {
        assert_eq!(did_you_mean("condition", "x", []), "there is no condition to choose from");
    }
}
