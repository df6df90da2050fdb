//! The codes of compose: what a trace warns of, and what makes a document unusable.

lawful_syntax::declare_codes! {
    BAD_RULE = "bad-rule", Error, "a rule of a composition is malformed",
        "A rule has a `when` (or none, and then always applies) and exactly one action:\n\n    - when: {tone: terse}\n      replace: {old-id: new-id}\n    - add: [id]\n      after: anchor-id\n    - forbid: [id]\n    - order: [first-id, second-id]\n\n`after` goes with `add` and nothing else.";
    UNKNOWN_COMPOSITION = "unknown-composition", Error, "there is no composition of this name",
        "Compositions are known by the `name` in their files under `compositions/`, not by the names of the files.\n\nCorrect the name.";
    MATRIX_TOO_LARGE = "matrix-too-large", Error, "a composition has too many outcomes to list",
        "The prompts of a composition are worked out from the values its rules can tell apart. Where these are too many, none is listed, because a part of them would look like all.\n\nSplit the composition, or declare fewer values.";
    DUPLICATE_BASE = "duplicate-base", Warning, "a base list names the same fragment twice",
        "The first place counts and the second is dropped.\n\nRemove one.";
    UNKNOWN_FRAGMENT = "unknown-fragment", Warning, "an id names no fragment",
        "The id stays in the order, so that the hole can be seen, and nothing is rendered for it.\n\nCorrect the id, or write the fragment.";
    REPLACE_MISSING = "replace-missing", Warning, "a replace names an id that is not in the list",
        "The pair does nothing. An earlier rule may have replaced the id already, or it was never there.\n\nCorrect the id, or the order of the rules.";
    ANCHOR_MISSING = "anchor-missing", Warning, "an add names an anchor that is not in the list",
        "The ids are added at the default place instead, just before the last one.\n\nCorrect `after`, or add the anchor in an earlier rule.";
    FORBID_MISSING = "forbid-missing", Warning, "a forbid names an id that is not there at the end",
        "Nothing was removed, because nothing had brought the id in.\n\nIf that is so in every context, the rule is not needed.";
    MISSING_PLACEHOLDER = "missing-placeholder", Warning, "a placeholder names nothing in the context",
        "`${path}` in a fragment stands for a value of the context. This one is not there, so the place stays empty.\n\nGive the context a value, or write `\\${` for the two characters themselves.";
}
