//! Every diagnostic code, with its severity and its explanation.
//!
//! `lawful explain CODE` prints from this table. A diagnostic can only be created from a code in
//! it, so every code is documented.

use lawful_syntax::{Code, codes as syntax};

lawful_syntax::declare_codes! {
    USAGE = "usage", Error, "invalid command line",
        "A command, an option or an argument is missing, unknown, or has an invalid value.\n\nSee `lawful --help` or `lawful COMMAND --help`.";
    UNREADABLE = "unreadable", Error, "a file cannot be read",
        "The file does not exist, is a folder, or permission is denied. Lawful decides nothing without it.";
    NO_LAWBOOK = "no-lawbook", Error, "no lawbook found",
        "A lawbook is a folder with a `lawful.yaml`. Without `--book`, Lawful searches from the working directory upward for a `lawful.yaml` or a `lawful/lawful.yaml`. The search stops at the root of the repository and at a folder that belongs to another user.\n\n`lawful init` creates a lawbook for a project. To use one in another folder, pass `--book DIR`.";
    UNTRUSTED_IN_SYSTEM = "untrusted-in-system", Error, "the system layer would show text that no author wrote",
        "Fragments, entries and directives outside `depth`, and context messages of the role `system`, are the system layer: the model obeys them. A variable that the agent can write, and a field of an event, can hold text from users, tools or the agent. Such text must not give orders, so the placeholder renders as nothing.\n\nTrusted are: what the host gives as context; numbers and booleans; variables with declared `values`; strings with `protected: true` to which every action writes a literal or another trusted value; of events `variableId`, and every field of `verify:*`, `predicate:failed` and `guard:*`.\n\nDeclare the variable accordingly, or move the text into a message: a directive with `position: depth`, or a context message with `role: user`. In a message every value may stand.";
    NOT_A_DOCUMENT = "not-a-document", Error, "a file is not a document of the lawbook",
        "`lawful check FILE` checks one document of a lawbook. The path of a file determines its kind: `conditions/*.yaml`, `fragments/**/*.md` and so on. This path matches none of them.";
    NO_RULES = "no-rules", Warning, "a rules file is empty",
        "A file in `rules/` contains only white space and comments. It defines no rules; the other files are not affected.\n\nWrite the rules, or delete the file.";
    OUTSIDE_BOOK = "outside-book", Error, "a path leads out of the lawbook",
        "A lawbook may be untrusted, so loading it reads nothing outside its folder: no `..` above it, no absolute paths, no symbolic links that leave it.\n\nCopy the file into the lawbook.";
    NOT_A_FILE = "not-a-file", Error, "a document is not a regular file",
        "A document must be a regular file, and a folder of the layout must be a folder. Lawful never reads sockets, pipes or devices.";
    TOO_MANY_FILES = "too-many-files", Error, "the lawbook exceeds a limit on its files",
        "A lawbook may be untrusted, so the number of its documents, their total size and the depth of its folders are limited.\n\nSplit the book.";
    STRAY_FILE = "stray-file", Warning, "a file in a folder of the layout is ignored",
        "Each folder of a lawbook contains one kind of document, identified by its extension and place. Any other file is ignored, so a rule in it has no effect. In `scenarios`, a folder, or a file that differs from a scenario only in the case of its extension, is an error: its tests would never be played.\n\nRename or move the file. If it is not meant to be a document, start its name with a dot, which silences this.";
    MISNAMED_FOLDER = "misnamed-folder", Warning, "a folder has almost the name of a folder of the layout",
        "The folders of a lawbook have fixed names: `fragments`, `compositions`, `conditions`, `rules`, `entries`, `conditioning`, `analysis`, `scenarios`, `guards`. A folder with any other name is ignored.\n\nRename the folder.";

    NO_NICKEL = "no-nickel", Error, "the program that evaluates Nickel is not installed",
        "Nickel runs in a separate program, `lawful-nickel`. Only a lawbook whose conditioning is written in Nickel needs it. Lawful starts it from the folder that contains `lawful` and searches nowhere else: not in `PATH`, and not in a project. Without it, no role has a prompt.\n\nInstall it next to `lawful`. From the sources, `cargo install --path crates/lawful-cli` and `cargo install --path crates/lawful-nickel` put both into one folder.";
    NICKEL_VERSION = "nickel-version", Error, "the program that evaluates Nickel has a different version",
        "`lawful` and `lawful-nickel` check the version of their protocol before they exchange anything else. The installed program has a different version, so Lawful sends it nothing. No role has a prompt.\n\nInstall both programs from the same version.";
    NICKEL_ERROR = "nickel-error", Error, "Nickel rejects a conditioning file",
        "The message, the labels and the notes come from Nickel. Lawful evaluates every role, including those you did not ask for, because Nickel is lazy and would skip them.";
    NICKEL_CONTRACT = "nickel-contract", Error, "a prompt breaks a Nickel contract",
        "A contract in the Nickel record failed for a role; for example, a contract that requires the core in every prompt. No role has a prompt until it is fixed.\n\nThe labels show the contract and the value it was applied to.";
    NICKEL_SHAPE = "nickel-shape", Error, "a Nickel file does not evaluate to text",
        "A core or a persona must evaluate to a string, and the record of `conditioning` to a string for each role.\n\nChange the file so that it evaluates to a string.";
    NICKEL_LIMIT = "nickel-limit", Error, "evaluating Nickel exceeded a limit",
        "A Nickel program can run or grow without bound. Lawful evaluates it in a separate process with limits on memory, stack, CPU time, wall-clock time and output size. The message names the limit that was reached.\n\nMake the program smaller. Check it for infinite recursion.";
    NICKEL_FAILED = "nickel-failed", Error, "the process that evaluates Nickel failed",
        "The process could not be started, crashed without reaching a limit, or could not determine what a file imports. Nickel's parser does not report an `import` in the default of a pattern or in an enum type, and Lawful evaluates no file with unknown imports. No role has a prompt.";

    UNKNOWN_KEY = "unknown-key", Error, "a mapping has an unknown key",
        "An unknown key would silently have no effect, so it is an error. The help suggests a similar name, if there is one.";
    MISSING_KEY = "missing-key", Error, "a mapping lacks a required key",
        "Lawful has no defaults that would change a decision.\n\nAdd the key.";
    WRONG_TYPE = "wrong-type", Error, "a value has the wrong type",
        "Lawful never converts between types: `\"3\"` is a string, `3` is a number, and a single value is not a list of one.\n\nWrite the value with the type that the message names.";
    BAD_VALUE = "bad-value", Error, "a value is invalid",
        "The type is right, but the value is not allowed: a minimum above its maximum, an initial value outside them, a limit of zero.";
    UNKNOWN_COMMAND = "unknown-command", Error, "a command is not listed in the manifest",
        "Lawful runs only commands that the manifest lists under `observe`, each by its name:\n\n    observe:\n      tests: [cargo, test]\n\nAdd the command there, or correct the name.";
    CANNOT_OBSERVE = "cannot-observe", Error, "a requested observation failed",
        "Lawful reports either everything that was requested or an error. It never omits a part silently. The message names what failed: git, a folder that cannot be read, a command that cannot be started, too many files.";
    BAD_REPORT = "bad-report", Error, "a file is not a test report",
        "Test results are read from JUnit XML: a `testsuites` or `testsuite` element with a `testcase` for each test, which has a `name` and optionally a `classname`. A document type declaration is an error, because it is not needed and can make the parser use unlimited memory.";
    DUPLICATE_TEST = "duplicate-test", Warning, "two test results have the same name",
        "A result is identified by `classname.name`. Of two results with the same name, the worse one counts: `error` before `failed` before `skipped` before `passed`.\n\nGive the tests different names, or read only one report.";
    DUPLICATE_VALUE = "duplicate-value", Warning, "a list contains the same value twice",
        "The second value has no effect. Values are compared by meaning, so `1` and `1.0` are equal.";

    BAD_PATH = "bad-path", Error, "invalid path",
        "A path is a sequence of keys joined by dots. `[0]` selects an element of a list, `[*]` every element, and `[\"…\"]` a key that contains a dot, a bracket or a quote:\n\n    user.tier   items[0].id   items[*].id   labels[\"team.name\"]\n\nLawful never ignores a part of a path.";
    RESERVED_KEY = "reserved-key", Error, "a reserved word is used next to other keys",
        "In a condition, each of the words `all`, `any`, `not`, `ref`, `type` and `path` starts a form and must be alone:\n\n    all: [{tone: terse}, {tier: vip}]\n\nTo combine a form with other tests, put both under `all`. To test a key with such a name, quote it as a path: `'[\"type\"]': bug`.";
    MISREAD_FORM = "misread-form", Warning, "a key looks like a misspelled word of the condition language",
        "A condition without any of the words `all`, `any`, `not`, `ref`, `type` and `path` compares each key, as a path, with its value. So `al: […]` or `Not: {…}` is a comparison that is probably never true, and `{pth: score, op: gt, value: 3}` is three comparisons.\n\nCorrect the word. If you mean the key, quote it as a path, such as `'[\"al\"]'`.";
    UNKNOWN_TYPE = "unknown-type", Error, "a condition has an unknown `type`",
        "In the stored form of a condition, `type` is `all`, `any`, `not` or `ref`.\n\nTo test a key named `type`, quote it as a path: `'[\"type\"]': bug`.";
    UNKNOWN_OPERATOR = "unknown-operator", Error, "a test has an unknown operator",
        "The operators are `exists`, `not_exists`, `equals` (`eq`), `not_equals` (`neq`), `contains`, `not_contains`, `any_of`, `none_of`, `greater_than` (`gt`), `less_than` (`lt`), `at_least` (`gte`), `at_most` (`lte`), `min_length`, `max_length`, `matches`, `not_matches`, `starts_with` and `ends_with`.";
    UNKNOWN_REF = "unknown-ref", Error, "a `ref` does not resolve",
        "A `ref` names a primitive, built in (such as `value.equals`) or registered by the host, or a saved condition. Both share one namespace.\n\nCorrect the id, or save a condition with this id in `conditions/`.";
    BROKEN_CONDITION = "broken-condition", Error, "a condition, or one it refers to, has errors",
        "The error is reported once, where it is. Nothing that uses the condition can be evaluated until the error is fixed.\n\nFix the condition that the message names.";
    CYCLE = "cycle", Error, "saved conditions refer to each other in a cycle",
        "A saved condition is expanded wherever it is referred to, so it cannot contain itself. The message shows the cycle.\n\nRemove one of the references.";
    DUPLICATE_ID = "duplicate-id", Error, "two items have the same id",
        "Ids share one namespace, so that a `ref` is unambiguous. The message shows both places.\n\nRename one.";
    BAD_ARGS = "bad-args", Error, "invalid arguments",
        "Arguments are checked before anything runs. Examples of errors: a `value` that is missing, unexpected or null; a bound that is not a number; a set that is not a list; an invalid regular expression; an unknown argument.\n\nTo test for absence, use `not_exists` instead of comparing with null.";
    ARGS_ON_SAVED_RULE = "args-on-saved-rule", Warning, "a `ref` to a saved condition has arguments",
        "A saved condition takes no arguments, so they are ignored.\n\nRemove `args`, or refer to a primitive.";
    EMPTY_ALL = "empty-all", Warning, "an `all` has no conditions",
        "`all: []` is true, because nothing in it is false. This is rarely intended.\n\nRemove it, or add conditions. For a rule that always applies, omit `when`.";
    EMPTY_ANY = "empty-any", Warning, "an `any` has no conditions",
        "`any: []` is false, because nothing in it is true. A rule with this condition never applies.\n\nRemove it, or add conditions.";
    NEEDLESS_QUANTIFIER = "needless-quantifier", Warning, "a quantifier on a path without `[*]`",
        "`quantifier: all|any|none` combines the results for the elements under `[*]`. A path without `[*]` has only one result.\n\nRemove the quantifier, or write `[*]` where you mean every element.";
    NEEDLESS_VALUE = "needless-value", Warning, "a rule of a rulespec has a `value` that it does not use",
        "`exists` and `not_exists` compare with nothing, so a `value` beside them is ignored in a rulespec. Anywhere else it is an error.\n\nRemove it. `value: false` is always an error, because `exists` with `false` reads like `not_exists`.";
    LIST_IN_EQUALITY = "list-in-equality", Warning, "an equality map compares with a list",
        "`{tone: [terse, warm]}` is true when `tone` is exactly that list. Usually \"one of\" is meant.\n\nWrite `{path: tone, op: any_of, value: [terse, warm]}`, or `op: equals` if you mean the list.";
    NULL_IN_SET = "null-in-set", Warning, "a set of values contains null",
        "An absent value is in no set, so a null in `any_of` or `none_of` never matches.\n\nRemove it, and test for absence with `not_exists`.";
    UNDECIDED_RULE = "undecided-rule", Warning, "the condition of a rule could not be evaluated",
        "A host primitive failed, so the condition is neither true nor false. Lawful takes the safe side: a `forbid` applies, any other rule does not.";
    CONDITION_TOO_LARGE = "condition-too-large", Error, "an expanded condition exceeds a limit",
        "Saved conditions are expanded wherever they are referred to, so a few lines that refer to each other twice can grow without bound. The size and depth of an expanded condition and the memory of all regular expressions are limited.\n\nSplit the condition, or use fewer references.";
}

/// Every code of the library, sorted by name.
pub fn all() -> Vec<&'static Code> {
    let mut codes: Vec<&Code> = syntax::ALL
        .iter()
        .chain(ALL)
        .copied()
        .chain(crate::cond::lint::codes())
        .chain(crate::compose::CODES.iter().copied())
        .chain(crate::compose::lint::codes())
        .chain(crate::align::ALL.iter().copied())
        .chain(crate::verify::CODES.iter().copied())
        .chain(crate::react::CODES.iter().copied())
        .chain(crate::react::lint::codes())
        .chain(crate::guard::CODES.iter().copied())
        .chain(crate::guard::lint::codes())
        .chain(crate::scenario::CODES.iter().copied())
        .collect();
    codes.sort_by_key(|code| code.name);
    codes
}

/// Finds a code by its name.
pub fn find(name: &str) -> Option<&'static Code> {
    all().into_iter().find(|code| code.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_kebab_case_and_explained() {
        let codes = all();
        assert!(codes.windows(2).all(|pair| pair[0].name < pair[1].name));
        for code in codes {
            assert!(
                code.name.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit())
            );
            assert!(code.summary.len() < 90 && !code.summary.ends_with('.'), "{}", code.name);
            assert!(code.details.len() > 60, "{}", code.name);
        }
    }
}
