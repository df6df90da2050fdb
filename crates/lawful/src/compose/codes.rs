//! The codes of compose: what a trace warns of, and what makes a document unusable.

lawful_syntax::declare_codes! {
    BAD_RULE = "bad-rule", Error, "a rule of a composition is malformed",
        "A rule has a `when` (or none, and then always applies) and exactly one action:\n\n    - when: {tone: terse}\n      replace: {old-id: new-id}\n    - add: [id]\n      after: anchor-id\n    - forbid: [id]\n    - order: [first-id, second-id]\n\n`after` goes with `add` and nothing else.";
    UNKNOWN_COMPOSITION = "unknown-composition", Error, "there is no composition of this name",
        "Compositions are known by the `name` in their files under `compositions/`, not by the names of the files.\n\nCorrect the name.";
    NO_CONDITIONING = "no-conditioning", Error, "a lawbook has no core, or no personas",
        "A role's system prompt is the core, a blank line, and the persona of the role. The manifest says where they are:\n\n    conditioning:\n      core: conditioning/core.md\n      personas: {lead: conditioning/lead.md}\n      main: lead\n\nor names a Nickel record of role to prompt: `conditioning: conditioning/compose.ncl`.";
    EMPTY_CORE = "empty-core", Error, "the core has nothing to say",
        "The core is the law of every role. An empty one would make prompts that look lawful and bind to nothing, so no prompt of a role is made.\n\nWrite the core.";
    CORE_NOT_FIRST = "core-not-first", Error, "the prompt of a role does not start with the core",
        "Every prompt starts with the exact bytes of the core; a changed, shortened or later core is a different law. If one role of a book breaks this, no prompt of a role is made.\n\nBegin the prompt with the core, unchanged.";
    CORE_REPEATED = "core-repeated", Error, "the prompt of a role has the core twice",
        "The law is written once. A persona that repeats the core would drift from it, so no prompt of a role is made.\n\nTake the core out of the persona.";
    NICKEL_NOT_EVALUATED = "nickel-not-evaluated", Error, "a Nickel file was needed and not evaluated",
        "The library does not run Nickel. A host evaluates the Nickel files that the manifest names and hands in what they come to; one that leaves them out gets no prompts.";
    UNREAD_KEY = "unread-key", Warning, "a core or a persona has a key that nothing reads",
        "Of the front matter of a core or a persona only `layer` and `teaches` are read, and of a persona `description`, `tools` and `model`, and the rest is dropped: a key that is nearly one of these has no effect, and `Never: guess` is probably a sentence between two rules of Markdown, which then is in no prompt. Keys that say something of a file, such as `title` or `author`, are passed over.\n\nCorrect or remove the key, or start the file with an empty line, so that the dashes are a rule and not the fence of front matter.";
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
