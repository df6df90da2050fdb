//! The codes of react: errors in rules, and what a step reports.

lawful_syntax::declare_codes! {
    UNKNOWN_TRIGGER = "unknown-trigger", Error, "a rule has an unknown trigger",
        "The triggers are `variable-crossed`, `state-change`, `turn-count`, `session-start`, `keyword`, `ai-keyword`, `every-turn`, `action`, `manual` and `event`.\n\nA reaction has no trigger. It has a `when` with an `eventType`.";
    UNKNOWN_ACTION = "unknown-action", Error, "a rule has an unknown action",
        "The actions of a rule are `modify-variable`, `inject-directive`, `remove-directive`, `notify-player`, `play-audio`, `toggle-entry`, `toggle-rule`, `send-context` and `trigger-rule`. The actions of a reaction are `set` and `emit`.";
    UNKNOWN_OPERATION = "unknown-operation", Error, "a change of a variable has an unknown operation",
        "The operations are `set`, `add`, `subtract`, `multiply`, `toggle`, `append`, `push`, `merge` and `delete`.";
    UNKNOWN_EFFECT_PATH = "unknown-effect-path", Error, "an `@` path is invalid",
        "A path that starts with `@` targets something other than a variable: `@audio.bgm`, `@audio.sfx`, `@audio.ambient`, `@audio.stop`, `@prompt.directive.ID`, `@prompt.entry.ID`, `@prompt.context`, `@rules.disabled.ID`, `@ui.notification`, `@ai.request` and `@ai.context`. Only the `set` of a reaction can use it, and only with the operation `set`.";
    BAD_EVENT = "bad-event", Error, "an event or an event pattern is malformed",
        "An event is a mapping with a `type`, such as `spatial:zone-enter`, and any other fields. A pattern matches it by `eventType`: exactly, or by a prefix such as `spatial:*`.";
    NEEDLESS_KEY = "needless-key", Warning, "a key has no effect",
        "The operation `toggle` ignores `value` and `valueFrom`, and only the position `depth` uses `depth`.\n\nRemove the key.";
    BLANK_KEYWORD = "blank-keyword", Warning, "a keyword is blank, or the list of keywords is empty",
        "A blank keyword would match every message, so it is ignored. An empty list never matches.\n\nWrite a word, or a regular expression such as `/gold( coin)?s?/i`.";
    KEYWORD_FLAG = "keyword-flag", Warning, "a keyword looks like a regular expression with an unknown flag",
        "A keyword such as `/gold/i` is a regular expression. Its flags are `g`, `i`, `m`, `s`, `u` and `x`. With any other flag the keyword is plain text, including the slashes.\n\nRemove the flag. The flags `y`, `d` and `v` of other languages have no meaning for keywords.";
    EMPTY_MATCH = "empty-match", Warning, "a keyword is a regular expression that matches the empty string",
        "An expression such as `/a*/` also matches the empty string, so the rule fires on every message.\n\nRequire at least one character, as in `/a+/`.";
    OPERAND_NEVER_FITS = "operand-never-fits", Warning, "the value of an operation has the wrong type",
        "`add`, `subtract` and `multiply` take a number, `append` a string, `merge` an object, and `delete` a key or an index. Values are never converted, so the operation never has an effect.";

    MISSING_VALUE = "missing-value", Warning, "a placeholder of a directive, an entry or a message has no value",
        "`${event.FIELD}` is looked up in the event that triggered the rule, and `${state.VARIABLE}` in the variables of the session. There is no value, so the placeholder renders as nothing.\n\nCorrect the name, or give the variable an `initial` value.";
    QUARANTINED_RULE = "quarantined-rule", Warning, "a rule with errors is ignored",
        "Lawful never runs part of a rule: a step ignores a rule with errors and runs the others. `lawful check` reports the errors.";
    REFUSED_ACTION = "refused-action", Warning, "an action of a rule had no effect",
        "Values are never converted. A rule cannot add to a string, append to a number, or set a key in a value that is not an object. A declared variable keeps its type and takes only its `values`. An action with `valueFrom` needs a value there. The action has no effect, and the next actions run.\n\nDeclare the variable with an `initial` value, or fix the rule.";
    REFUSED_WRITE = "refused-write", Warning, "a write of the agent or the host was refused",
        "The host may change every variable, and the agent may change the variables of its session, except those with `protected: true`. Neither may set an `@` path. Variables keep their types, as they do for rules. A malformed write is refused too. The rest of the turn continues.";
    CLAMPED_WRITE = "clamped-write", Warning, "a write of the agent was clamped to the bounds of its variable",
        "A declared number stays between its `min` and its `max`, whoever writes it. A value outside of them is set to the nearer bound.";
    MENDED_VARIABLE = "mended-variable", Warning, "a variable of the state does not match its declaration",
        "A declared variable has the declared type and stays between `min` and `max`. A value of another type is reset to `initial`. A value out of bounds is set to the nearer bound.";
    CASCADE_LIMIT = "cascade-limit", Error, "a step reached a limit and was stopped",
        "By default one step runs at most 16 waves and 4,096 actions, and rules raise at most 1,024 events. `limits` in the manifest (`waves`, `events`, `actions`) changes the defaults. Everything done before the stop is kept. The message shows the chain of rules that reached the limit.\n\nBreak the chain, or raise the limit.";
}
