//! The codes of compose: errors in documents and warnings in traces.

lawful_syntax::declare_codes! {
    BAD_RULE = "bad-rule", Error, "a rule of a composition is malformed",
        "A rule has exactly one action. It also has a `when`, unless it always applies:\n\n    - when: {tone: terse}\n      replace: {old-id: new-id}\n    - add: [id]\n      after: anchor-id\n    - forbid: [id]\n    - order: [first-id, second-id]\n\n`after` is only valid with `add`.";
    UNKNOWN_COMPOSITION = "unknown-composition", Error, "unknown composition",
        "A composition is identified by the `name` in its file under `compositions/`, not by the name of the file.\n\nCorrect the name.";
    NO_CONDITIONING = "no-conditioning", Error, "the lawbook has no core or no personas",
        "The system prompt of a role is the core, a blank line, and the persona of the role. The manifest names their files:\n\n    conditioning:\n      core: conditioning/core.md\n      personas: {lead: conditioning/lead.md}\n      main: lead\n\nor a Nickel record from role to prompt: `conditioning: conditioning/compose.ncl`.";
    EMPTY_CORE = "empty-core", Error, "the core is empty",
        "The core is the law for every role. With an empty core, prompts would look valid and bind an agent to nothing, so no role has a prompt.\n\nWrite the core.";
    CORE_NOT_FIRST = "core-not-first", Error, "the prompt of a role does not start with the core",
        "Every prompt starts with the exact bytes of the core. If the prompt of one role does not, no role has a prompt.\n\nStart the prompt with the core, unchanged.";
    CORE_REPEATED = "core-repeated", Error, "the prompt of a role contains the core twice",
        "The core must occur once in a prompt. A copy in a persona would drift from it, so no role has a prompt.\n\nRemove the core from the persona.";
    NICKEL_NOT_EVALUATED = "nickel-not-evaluated", Error, "a required Nickel file was not evaluated",
        "The library does not run Nickel. The host evaluates the Nickel files that the manifest names and passes in the results. Without them, no role has a prompt.";
    UNREAD_KEY = "unread-key", Warning, "a core or a persona has a key that is ignored",
        "In the front matter of a core or a persona, Lawful reads `layer` and `teaches`, and of a persona also `description`, `tools` and `model`. It ignores all other keys. A key that is similar to one of these is probably misspelled. A line such as `Never: guess` is probably a sentence between two Markdown rules, which would be in no prompt. Keys that describe the file, such as `title` or `author`, are not reported.\n\nCorrect or remove the key. If the dashes are meant as a Markdown rule, start the file with an empty line.";
    MATRIX_TOO_LARGE = "matrix-too-large", Error, "a composition has too many outcomes to list",
        "Lawful derives the prompts of a composition from the values that its rules distinguish. If there are too many, it lists none, because a partial list would look complete.\n\nSplit the composition, or declare fewer values.";
    NOT_A_SNAPSHOT = "not-a-snapshot", Error, "a file is not a snapshot of this composition",
        "`lawful matrix NAME --check FILE` compares every prompt of a composition with a file that `--snapshot` wrote. The file is something else, a snapshot of another composition, or has an older format that did not record which contexts lead to a prompt.\n\nReview the prompts, then write the snapshot again: `lawful matrix NAME --snapshot FILE`.";
    UNKNOWN_CONTEXT = "unknown-context", Warning, "a context key that the lawbook does not know",
        "No axis or variable of the manifest declares this top-level key, and no condition or placeholder reads it. The value has no effect, so the key is probably misspelled.\n\nCorrect the key, or remove it from the context. `lawful list compositions` shows what each composition reads. The keys `state` and `session` are always known, but a session replaces them: beside `--state` or `--session` they have no effect.";
    DUPLICATE_BASE = "duplicate-base", Warning, "a base list contains the same fragment twice",
        "The second occurrence is ignored.\n\nRemove one of the two from the `base` of the composition.";
    UNKNOWN_FRAGMENT = "unknown-fragment", Warning, "unknown fragment",
        "The id stays in the order, so that the gap is visible, but nothing is rendered for it.\n\nCorrect the id, or write the fragment.";
    REPLACE_MISSING = "replace-missing", Warning, "a `replace` names an id that is not in the list",
        "The pair has no effect. An earlier rule may have replaced the id already, or the id was never in the list.\n\nCorrect the id, or the order of the rules.";
    ANCHOR_MISSING = "anchor-missing", Warning, "an `add` names an anchor that is not in the list",
        "The ids are added at the default position instead: just before the last id.\n\nCorrect `after`, or add the anchor in an earlier rule.";
    FORBID_MISSING = "forbid-missing", Warning, "a `forbid` names an id that is not in the final list",
        "Nothing was removed, because the id was not in the list.\n\nIf this is so in every context, remove the rule.";
    MISSING_PLACEHOLDER = "missing-placeholder", Warning, "a placeholder has no value in the context",
        "`${path}` in a fragment is replaced by a value of the context. The context has no value at this path, so the placeholder renders as nothing.\n\nAdd the value to the context, or write `\\${` for a literal `${`.";
}
