//! A fragment that no composition uses.

use lawful_syntax::Diagnostic;

use super::Action;
use crate::compose::{Compositions, Layer};

lawful_syntax::declare_codes! {
    UNUSED_FRAGMENT = "unused-fragment", Warning, "no composition uses a fragment",
        "No base list and no rule adds the fragment to a prompt. Fragments of the project layer are not reported.\n\nUse it, or delete it.";
}

pub(super) fn check(compositions: &Compositions) -> Vec<Diagnostic> {
    if compositions.all().is_empty() {
        return Vec::new();
    }
    let mut used = Vec::new();
    for composition in compositions.all() {
        used.extend(composition.base.iter().map(|(id, _)| *id));
        used.extend(composition.rules.iter().flat_map(|rule| Action::brings(&rule.action)));
    }
    // Fragments of the project layer are shown next to a prompt, not in it.
    let unused = compositions
        .fragments()
        .filter(|(id, fragment)| !used.contains(id) && fragment.layer != Some(Layer::Project));
    unused
        .map(|(_, fragment)| {
            Diagnostic::new(&UNUSED_FRAGMENT, fragment.id_span, "no composition uses this fragment")
                .help("use it, or delete it")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_fragment_that_is_only_forbidden_is_unused() {
        check(
            "",
            "base: [a, b, c]\nrules:\n  - when: {x: 1}\n    add: [d]\n  - when: {y: 1}\n    forbid: [e]\n",
            &[],
            "compositions/c.yaml:7:14 forbid-never-present: `e` is never in the list\n\
             fragments/e.md:2:5 unused-fragment: no composition uses this fragment",
        );
    }
}
