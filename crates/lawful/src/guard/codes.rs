//! The codes of guards.

lawful_syntax::declare_codes! {
    BAD_GUARD = "bad-guard", Error, "a guard is malformed",
        "A guard has exactly one of `deny`, `ask` and `allow`, whose value is the reason:\n\n    - id: no-force-push\n      on: {action: shell}\n      when: {path: event.line, op: matches, value: '^git push .*--force'}\n      deny: Push without --force.\n\nOn `message:user`, `turn:stop` and `agent:stop` only `deny` is possible, because there is no one to ask and nothing to allow. Ids that start with `protect.` or `guards.` are built in.\n\nUntil the error is fixed, the guard denies what it could apply to, unless it is an `allow`.";
    UNKNOWN_FIELD = "unknown-field", Error, "a guard names a field that no event has",
        "The conditions and reasons of guards read the event under `event.` and the variables of the session under `state.`. The fields of an event are a closed set: an unknown one would always be absent, and the guard would never act.\n\nCorrect the name.";
    QUARANTINED_GUARD = "quarantined-guard", Warning, "a guard with errors denies what it could apply to",
        "Lawful never evaluates part of a guard. A `deny` or `ask` with errors denies every call that its `on` matches, or every call if `on` has errors too. An `allow` with errors never acts. `lawful check` reports the errors.";
    UNDECIDED_GUARD = "undecided-guard", Warning, "the condition of a guard could not be evaluated",
        "A host primitive failed, so the condition is neither true nor false. Lawful takes the safe side: a `deny` or an `ask` denies, an `allow` does not act.";
}
