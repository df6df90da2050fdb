//! The codes of react: what makes a rule unusable, and what a step reports.

lawful_syntax::declare_codes! {
    UNKNOWN_TRIGGER = "unknown-trigger", Error, "a rule has an unknown trigger",
        "The triggers are `variable-crossed`, `state-change`, `turn-count`, `session-start`, `keyword`, `ai-keyword`, `every-turn`, `action` and `manual`.\n\nA reaction has no trigger but a `when` with an `eventType`.";
    UNKNOWN_ACTION = "unknown-action", Error, "a rule has an unknown type of action",
        "The actions of a rule are `modify-variable`, `inject-directive`, `remove-directive`, `notify-player`, `play-audio`, `toggle-entry`, `toggle-rule`, `send-context` and `trigger-rule`; those of a reaction are `set` and `emit`.";
    UNKNOWN_OPERATION = "unknown-operation", Error, "a variable is changed by an unknown operation",
        "The operations are `set`, `add`, `subtract`, `multiply`, `toggle`, `append`, `push`, `merge` and `delete`.";
    UNKNOWN_EFFECT_PATH = "unknown-effect-path", Error, "an `@` path leads to nothing",
        "A path that starts with `@` reaches outside the variables: `@audio.bgm`, `@audio.sfx`, `@audio.ambient`, `@audio.stop`, `@prompt.directive.ID`, `@prompt.entry.ID`, `@prompt.context`, `@rules.disabled.ID`, `@ui.notification`, `@ai.request` and `@ai.context`. It is written in the `set` of a reaction, and its operation is `set`.";
    BAD_EVENT = "bad-event", Error, "an event or a pattern of events is malformed",
        "An event is a mapping with a `type`, such as `spatial:zone-enter`, and whatever else it says. A pattern names it by `eventType`, exactly or as `spatial:*`.";
    NEEDLESS_KEY = "needless-key", Warning, "a key has no effect beside the others",
        "A `value` does nothing where the operation is `toggle`, and a `depth` only counts where the position is `depth`.\n\nRemove it.";
    BLANK_KEYWORD = "blank-keyword", Warning, "a keyword is blank, or there is none",
        "A blank keyword would be found in every message, so it is left out; a list without keywords never matches.\n\nWrite a word, or a regular expression such as `/gold( coin)?s?/i`.";
    KEYWORD_FLAG = "keyword-flag", Warning, "a keyword looks like a regular expression with an unknown flag",
        "A keyword such as `/gold/i` is a regular expression with the flags `g`, `i`, `m`, `s`, `u` or `x`. With any other letter behind the slash it is plain text, slashes included.\n\nTake the flag out; what `y`, `d` and `v` mean elsewhere does not matter to a keyword.";
    EMPTY_MATCH = "empty-match", Warning, "a keyword is a regular expression that matches the empty text",
        "An expression such as `/a*/` also matches the empty text, which is in every message, so the rule fires on every one.\n\nMake some part of it obligatory, as in `/a+/`.";
    OPERAND_NEVER_FITS = "operand-never-fits", Warning, "the value of an operation has a type it cannot use",
        "`add`, `subtract` and `multiply` take a number, `append` a string, `merge` an object, and `delete` the key or the index of what is to go. Nothing is converted, so the operation never does anything.";

    QUARANTINED_RULE = "quarantined-rule", Warning, "a rule with errors is left out",
        "A rule that cannot be read as it is meant must not be half obeyed: the step goes on without it. `lawful check` shows what is wrong with it.";
    REFUSED_ACTION = "refused-action", Warning, "an action of a rule did nothing",
        "Nothing is converted from one type to another: adding to a string, appending to a number, reaching into a value that is no object. A declared variable keeps its type. The action does nothing, and those after it go on.\n\nDeclare the variable with an `initial` value, or mend the rule.";
    REFUSED_WRITE = "refused-write", Warning, "a write of the agent did nothing",
        "The agent may change the variables of its session, except those that are `protected: true`, and never anything behind an `@` path. Types are kept as for rules. A write that cannot be read is refused as well, and the rest of the turn goes on.";
    CLAMPED_WRITE = "clamped-write", Warning, "a write of the agent was cut to the bounds of its variable",
        "A declared number keeps between its `min` and its `max`, whoever writes to it. What is beyond is cut to the nearer bound.";
    MENDED_VARIABLE = "mended-variable", Warning, "a variable of the given state did not fit its declaration",
        "A declared variable has its type and keeps between its `min` and `max`. One of another type starts again at its `initial`, and one out of bounds is moved to the nearer bound.";
    CASCADE_LIMIT = "cascade-limit", Error, "the rules that one step set off were stopped",
        "One step may run 16 waves, 1,024 events that rules raise and 4,096 actions, unless `limits` in the manifest (`waves`, `events`, `actions`) says otherwise. What was done until then is kept. The message shows the chain of rules that led there.\n\nBreak the chain, or raise the limit.";
}
