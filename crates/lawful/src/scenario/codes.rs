//! The codes of scenarios.

lawful_syntax::declare_codes! {
    BAD_SCENARIO = "bad-scenario", Error, "a scenario is malformed",
        "A scenario is a list of steps. Each step has exactly one of `turn`, `action`, `event`, `set`, `prompt`, `tool`, `envelope`, `stop`, `rewind` and `compose`, and may say what to expect:\n\n    steps:\n      - tool: {action: shell, command: git push --force}\n        expect: {decision: deny, by: [no-force-push]}\n\nAn expectation must be one that the step can meet: only a step on which guards decide has a `decision`, and only one that judges an envelope has a `verdict`.\n\nA scenario with errors is not played.";
    UNKNOWN_NAME = "unknown-name", Error, "a scenario names something that the lawbook does not have",
        "Rules, guards, predicates, compositions, roles, directives, variables, fragments and diagnostic codes that a scenario names must exist. An expectation about a misspelled rule that must not fire would hold forever.\n\nCorrect the name.";
    EXPECTATION_FAILED = "expectation-failed", Error, "an expectation of a scenario does not hold",
        "`lawful test` played the scenario, and a step did not do what its `expect` says. The notes show what was expected, what was there, and why: the gate that stopped a rule, the condition of a guard, the reason of a predicate, or the rules of a composition.\n\nCorrect the lawbook, or the expectation.";
    NO_SCENARIO = "no-scenario", Error, "there is no scenario to play",
        "The lawbook has no document in `scenarios/`, or none that the paths and the filter select. A test run that plays nothing says nothing, so it is not a success.\n\nWrite a scenario, or correct the path or the filter.";
    NO_EXPECTATION = "no-expectation", Warning, "a scenario expects nothing",
        "No step of the scenario has an expectation, so it can only fail if it cannot be played.\n\nAdd `expect` to a step. `lawful test --bless` fills an empty `expect: {}` with what happened; review it before you keep it.";
}
