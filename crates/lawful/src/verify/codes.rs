//! The codes of verify: what makes a rulespec unusable, an envelope undecidable, a pass suspicious.

lawful_syntax::declare_codes! {
    UNKNOWN_CLAIM = "unknown-claim", Error, "a predicate or `when` names a claim that does not exist",
        "Every predicate judges a claim of its rulespec, or a relation. The keys of an equality map in a `when` are names of claims too.\n\nCorrect the name, or add the claim:\n\n    claims:\n      - name: tests\n        selector: feature.tests";
    FACTS_PREFIX = "facts-prefix", Error, "a selector starts with `facts.`",
        "A selector starts inside the envelope's `facts`, so `facts.file` would look for `facts` in `facts`, find nothing, and every negative rule on it would pass.\n\nDrop the prefix. A fact that is really called `facts` is written `[\"facts\"].file`.";
    NO_PREDICATES = "no-predicates", Error, "a rulespec has no predicates",
        "A rulespec without predicates has nothing to say of any envelope, and nothing to say is not a pass.\n\nAdd a predicate.";
    TOO_MANY_PREDICATES = "too-many-predicates", Error, "a rulespec has more predicates than the limit",
        "The number of predicates in one rulespec is limited.\n\nSplit the rulespec.";
    BAD_PREDICATE = "bad-predicate", Error, "a predicate is malformed",
        "A predicate judges either a claim or a relation:\n\n    - claim: tests\n      rule: min_length\n      value: 1\n    - relation: cycle\n      rule: not_exists\n\nOn a relation the rules are `exists`, `not_exists`, `min_length`, `max_length` and `contains` with a tuple, which is a list of one value for each column.";
    BAD_RELATION = "bad-relation", Error, "a relation of a rulespec is malformed",
        "A relation is made from the facts:\n\n    relations:\n      - name: imports\n        from: modules[*]\n        columns: [name, imports[*]]\n\nThere is one tuple for each present value of `from`; columns are selectors inside it, `.` is the value itself, and a column with `[*]` gives a tuple for each of its values. A tuple with an absent column is not made. Names are made of letters, digits and `_`; `pass`, `fail`, `skipped`, `undecided` and everything that starts with `law_` are taken.";
    UNKNOWN_RELATION = "unknown-relation", Error, "a relation that nothing defines",
        "A relation is defined under `relations`, or by a rule of `rules`.\n\nCorrect the name, or define it.";
    BAD_DATALOG = "bad-datalog", Error, "the Datalog text of a rulespec is not valid",
        "`rules` holds Datalog in Soufflé's dialect over the relations of the rulespec:\n\n    rules: |\n      reaches(x, y) :- imports(x, y).\n      reaches(x, z) :- reaches(x, y), imports(y, z).\n      cycle(x) :- reaches(x, x).\n\n`!` negates, `_` is any value, `=`, `!=`, `<`, `<=`, `>` and `>=` compare, `count : { r(_) } >= 2` counts. Every variable must be bound by a positive atom, a relation must not depend on its own absence, and directives such as `.input` and `.output` are refused.";
    NO_FACTS = "no-facts", Error, "an envelope has no `facts`",
        "An envelope is a mapping with the key `facts`, which is a mapping:\n\n    facts:\n      feature:\n        file: src/feature.rs\n\nWithout it nothing can be judged. `facts: {}` says that there are none.";
    BAD_ENVELOPE = "bad-envelope", Error, "an envelope is malformed",
        "An envelope is a mapping with one key, `facts`, whose value is a mapping of facts. Anything else would be silently ignored, so it is an error.";
    OBSERVED_IN_ENVELOPE = "observed-in-envelope", Error, "an envelope claims to have been observed",
        "What the host saw is selected under `observed`. An envelope is what the agent says, so it must not bring a fact of that name.\n\nRename the fact.";
    UNFIT_COLUMN = "unfit-column", Error, "a value does not fit the column of a relation",
        "A column of a relation holds strings, whole numbers or booleans, and only one of these: values of different types are never equal, so rules over them would silently do nothing. Columns that share a variable in a rule count as one.\n\nSelect a scalar, or give the facts one type.";
    OUT_OF_FUEL = "out-of-fuel", Error, "judging an envelope takes more than the limit",
        "The number of facts and of derivation steps is limited, so that a rulespec or an envelope from someone else cannot take unbounded time or memory. Nothing is decided.\n\nSelect less, or write rules that derive less.";
    NOT_OBSERVED = "not-observed", Warning, "a rulespec asks for what the host saw, and nothing was observed",
        "Predicates on `observed` compare an envelope with what the host saw. Without it they are undecided, whatever the work is like; a hook observes what the manifest names under `hooks.stop.observe` before it judges.\n\n`--observe` gathers the same first. `--observed FILE` takes what `lawful observe` wrote.";
    NO_VERDICT = "no-verdict", Error, "the program reaches no verdict on a predicate",
        "Every predicate comes to exactly one of pass, fail, skipped and undecided. One that comes to none is a mistake in Lawful, and is never taken for a pass.";
    PREDICATE_FAILED = "predicate-failed", Error, "an envelope does not keep a predicate",
        "What the envelope says is not what the rulespec demands. The message tells what was there and what was expected, the places show both, and the help is the smallest change to the facts that makes the predicate pass, where one is known.\n\nFix the work, and then say so in the envelope.";
    PREDICATE_UNDECIDED = "predicate-undecided", Error, "a predicate reads what was not observed",
        "Nothing seen is not the same as nothing there. A selector under `observed` whose key was not observed decides nothing: not its predicate, not one whose `when` reads it, and not one on a relation that is made from it. Without a failure beside it the verdict is `undecided`, exit code 2.\n\nObserve it: `--observed FILE` takes what `lawful observe` wrote, and `hooks.stop.observe` says what a hook gathers. Or correct the name.";
    UNKNOWN_OBSERVED = "unknown-observed", Error, "a selector asks for something that nothing observes",
        "Under `observed` there are the built-in keys (`changed`, `added`, `deleted`, `files`, `tests`, `failing`, and `runs` with the commands of the manifest), and those that the manifest declares for hosts with facts of their own:\n\n    observed: [deployments]\n\nAnything else is never there, so a predicate on it is never decided.\n\nCorrect the name, or declare it.";
    NOT_ASKED_FOR = "not-asked-for", Error, "a rulespec reads what `hooks.stop.observe` does not ask for",
        "A hook observes what the manifest names under `hooks.stop.observe`, and nothing else. A predicate on another built-in key could not be decided when an agent wants to stop, so it would never get there.\n\nAsk for it there, or take the predicate out.";
    VACUOUS_PASS = "vacuous-pass", Error, "a predicate passes only because nothing is there",
        "A negative rule such as `not_contains` holds when its claim selects nothing at all. `--deny-vacuous` does not let that pass.\n\nState the fact, or add a predicate that demands that it `exists`.";
    NOTHING_EVALUATED = "nothing-evaluated", Error, "every predicate was skipped",
        "The `when` of every predicate was unmet, so nothing was judged. `--deny-vacuous` does not let that pass.";
    UNUSED_CLAIM = "unused-claim", Warning, "no predicate uses a claim",
        "The claim selects something that nothing judges.\n\nAdd a predicate, or remove the claim.";
    NO_RULESPEC = "no-rulespec", Error, "there is no rulespec",
        "The rulespec of a lawbook is `analysis/rulespec.yaml`, or the one that `hooks.stop.rulespec` of its manifest names.\n\nWrite it, or name another with `--rulespec FILE`.";
    NO_ENVELOPE = "no-envelope", Error, "no envelope was written",
        "The work is not finished until its envelope is written.\n\nWrite it with `lawful envelope write --facts FILE`.";
}
