//! The codes of verify: errors in rulespecs and envelopes, and the results of predicates.

lawful_syntax::declare_codes! {
    UNKNOWN_CLAIM = "unknown-claim", Error, "a predicate or `when` names a claim that does not exist",
        "Every predicate judges a claim of its rulespec, or a relation. The keys of an equality map in a `when` are names of claims, too.\n\nCorrect the name, or add the claim:\n\n    claims:\n      - name: tests\n        selector: feature.tests";
    FACTS_PREFIX = "facts-prefix", Error, "a selector starts with `facts.`",
        "A selector starts inside the envelope's `facts`. `facts.file` would select `facts` inside `facts`, which is absent, so every negative rule on it would pass.\n\nRemove the prefix. If a fact is really named `facts`, write `[\"facts\"].file`.";
    NO_PREDICATES = "no-predicates", Error, "a rulespec has no predicates",
        "A rulespec without predicates judges nothing, and judging nothing is not a pass.\n\nAdd a predicate.";
    TOO_MANY_PREDICATES = "too-many-predicates", Error, "a rulespec has more predicates than the limit",
        "A rulespec can have 20,000 predicates, unless the host sets another limit. The message names the limit.\n\nSplit the rulespec.";
    BAD_PREDICATE = "bad-predicate", Error, "a predicate is malformed",
        "A predicate judges either a claim or a relation:\n\n    - claim: tests\n      rule: min_length\n      value: 1\n    - relation: cycle\n      rule: not_exists\n\nThe rules for a relation are `exists`, `not_exists`, `min_length`, `max_length` and `contains`. The value of `contains` is a tuple: a list with one value for each column.";
    BAD_RELATION = "bad-relation", Error, "a relation of a rulespec is malformed",
        "A relation is a table of values from the facts:\n\n    relations:\n      - name: imports\n        from: modules[*]\n        columns: [name, imports[*]]\n\nEach present value of `from` gives one tuple. The columns are selectors inside that value, and `.` is the value itself. A column with `[*]` gives one tuple for each of its values. If a column is absent, there is no tuple.\n\nNames consist of letters, digits and `_`. `pass`, `fail`, `skipped`, `undecided` and names that start with `law_` are reserved.";
    UNKNOWN_RELATION = "unknown-relation", Error, "a relation is not defined",
        "Define a relation under `relations`, or by a rule in `rules`.\n\nCorrect the name, or define it.";
    BAD_DATALOG = "bad-datalog", Error, "the Datalog of a rulespec is invalid",
        "`rules` contains Datalog in Soufflé's dialect over the relations of the rulespec:\n\n    rules: |\n      reaches(x, y) :- imports(x, y).\n      reaches(x, z) :- reaches(x, y), imports(y, z).\n      cycle(x) :- reaches(x, x).\n\n`!` negates, `_` matches any value, `=`, `!=`, `<`, `<=`, `>` and `>=` compare, and `count : { r(_) } >= 2` counts. A positive atom must bind every variable. A relation must not depend on its own negation. Directives such as `.input` and `.output` are not allowed.";
    SINGLE_USE_VARIABLE = "single-use-variable", Warning, "a variable of a rule occurs only once",
        "In `rules`, a word without quotes is a variable. One that occurs only once in a rule matches any value, so it is often text without its quotes: `test(x, failed)` matches every test, and `test(x, \"failed\")` those that failed.\n\nPut text in double quotes. Write `_` for any value, or start the name with `_`.";
    NO_FACTS = "no-facts", Error, "an envelope has no `facts`",
        "An envelope is a mapping with the key `facts`, whose value is a mapping:\n\n    facts:\n      feature:\n        file: src/feature.rs\n\nWithout it there is nothing to judge. Write `facts: {}` if there are no facts.";
    UNJUDGED_KEY = "unjudged-key", Warning, "an envelope has a key that is not judged",
        "A selector starts inside `facts`, so no predicate can read another top-level key. The key is kept and ignored. `id`, `type`, `verified` and `meta` are expected there and raise no warning.\n\nMove the key under `facts` to have it judged, or under `meta`.";
    OBSERVED_IN_ENVELOPE = "observed-in-envelope", Error, "an envelope states what was observed",
        "Selectors under `observed` select what the host saw. An envelope states what the agent did, so neither the envelope nor its facts can have a key of that name.\n\nRename the fact. Pass what the host saw with `--observed FILE`. If the host wrote the document as a record, with `facts` and `observed`, pass `--records`.";
    BAD_ID = "bad-id", Error, "the `id` of a record is not a string or an integer",
        "Results name a record by its `id`: a string or an integer. Another value cannot name it, and using the line number instead would hide the mistake. An integer of more than 64 bits is kept as the string of its digits. In an envelope this is a warning, and the results name its line or file.\n\nWrite the `id` as a string, or leave it out.";
    UNFIT_COLUMN = "unfit-column", Error, "a value has the wrong type for a column of a relation",
        "A column of a relation contains strings, whole numbers or booleans, and only one of these types. Values of different types are never equal, so rules over them would silently match nothing. Columns that share a variable in a rule have the same type.\n\nSelect a scalar, or use one type in the facts.";
    OUT_OF_FUEL = "out-of-fuel", Error, "judging an envelope exceeds a limit",
        "Judging can use 1,000,000 facts and 100,000,000 derivation steps, unless the host sets other limits, so that an untrusted rulespec or envelope cannot take unbounded time or memory. There is no verdict.\n\nSelect less, or write rules that derive less.";
    NOT_OBSERVED = "not-observed", Warning, "a rulespec reads an observation that was not made",
        "Predicates on `observed` compare an envelope with what the host saw. Without an observation they are undecided. A hook observes what the manifest lists under `hooks.stop.observe` before it judges.\n\n`--observe` makes the same observation first. `--observed FILE` reads the output of `lawful observe`.";
    NO_VERDICT = "no-verdict", Error, "the program returns no verdict on a predicate",
        "Every predicate is exactly one of pass, fail, skipped and undecided. A predicate without a result is a bug in Lawful. It never counts as a pass.";
    PREDICATE_FAILED = "predicate-failed", Error, "an envelope fails a predicate",
        "The envelope does not satisfy the rulespec. The message states the actual and the expected value, and the places show both. The help is the smallest known change to the facts that makes the predicate pass.\n\nFix the work, then update the envelope.";
    PREDICATE_UNDECIDED = "predicate-undecided", Error, "a predicate reads something that was not observed",
        "A value that was not observed is not the same as an absent value. If the key of a selector under `observed` was not observed, the predicate is undecided. So is a predicate whose `when` reads it, and one on a relation that is derived from it. If no predicate fails, the verdict is `undecided`, with exit code 2.\n\nObserve it: `--observed FILE` reads the output of `lawful observe`, and `hooks.stop.observe` lists what a hook observes. Or correct the name.";
    UNKNOWN_OBSERVED = "unknown-observed", Error, "a selector reads an unknown key of the observation",
        "The keys under `observed` are the built-in ones (`changed`, `added`, `deleted`, `files`, `tests`, `failing`, and `runs` with the commands of the manifest), and those that the manifest declares for a host that observes more:\n\n    observed: [deployments]\n\nAny other key is never observed, so a predicate on it is always undecided.\n\nCorrect the name, or declare it.";
    NOT_ASKED_FOR = "not-asked-for", Error, "a rulespec reads something that the stop hook does not observe",
        "A hook observes only what the manifest lists under `hooks.stop.observe`. It never observes a key that the manifest declares under `observed`. A predicate on a key that the hook does not observe is undecided each time an agent wants to stop, so no work can satisfy it.\n\nList a built-in key there. Judge a declared key by another rulespec, with `lawful verify --observed FILE`. Or remove the predicate.";
    VACUOUS_PASS = "vacuous-pass", Error, "a predicate passes only because a value is absent",
        "A negative rule such as `not_contains` passes if its claim selects no value. `--deny-vacuous` rejects such a pass.\n\nState the fact, or add a predicate with the rule `exists`.";
    NOTHING_EVALUATED = "nothing-evaluated", Error, "every predicate was skipped",
        "The `when` of every predicate was false, so nothing was judged. `--deny-vacuous` rejects such a pass.";
    NEVER_PASSES = "never-passes", Error, "no envelope can pass a rulespec",
        "Predicates of severity `error` contradict each other, so every envelope fails, whatever the agent did and the host saw. A stop hook that judges by this rulespec blocks every stop. Examples: `exists` and `not_exists` of one claim; `greater_than` 5 and `less_than` 3; a relation with `min_length` 2 and `max_length` 1.\n\nThe message names the smallest known group of predicates that contradict each other. Change one, give one a `when`, or set its severity to `warning`.\n\nIt is a warning in a rulespec that the stop hook does not use.";
    INTERRUPTED = "interrupted", Error, "a run over many envelopes did not reach the end",
        "The run was interrupted, or nobody read its output any more, so the rest of the envelopes was not judged. The verdict is undecided.\n\nRun it again, or go on with `--from LINE`.";
    MORE_FAILURES = "more-failures", Error, "more envelopes failed than are shown",
        "A run over many envelopes shows at most `--max-failures` of them. The others are counted.\n\nRaise `--max-failures`, or use `--format jsonl`, which has a line for each envelope.";
    UNUSED_CLAIM = "unused-claim", Warning, "no predicate uses a claim",
        "No predicate judges what the claim selects.\n\nAdd a predicate, or remove the claim.";
    NO_RULESPEC = "no-rulespec", Error, "there is no rulespec",
        "The rulespec of a lawbook is `analysis/rulespec.yaml`, or the file that `hooks.stop.rulespec` of its manifest names.\n\nWrite it, or name another file with `--rulespec FILE`.";
    NO_ENVELOPE = "no-envelope", Error, "no envelope was written",
        "The work is not complete until its envelope is written.\n\nWrite it with `lawful envelope write --facts FILE`.";
}
