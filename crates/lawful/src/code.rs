//! Every diagnostic code, with its severity and what there is to say about it.
//!
//! `lawful explain CODE` prints from this table, and a diagnostic can only be made from a code in
//! it, so none is undocumented.

pub mod deliver;

use lawful_syntax::{Code, codes as syntax};

lawful_syntax::declare_codes! {
    USAGE = "usage", Error, "the command line is not understood",
        "A command, an option or an argument is missing, unknown or has a value it cannot have.\n\nSee `lawful --help`, or `lawful COMMAND --help`.";
    UNREADABLE = "unreadable", Error, "a file cannot be read",
        "The system refused to hand the file out: it is not there, it is a folder, or permission is missing. Nothing is decided without it.";
    NO_LAWBOOK = "no-lawbook", Error, "there is no lawbook here",
        "A lawbook is a folder with a `lawful.yaml` in it. Without `--book`, Lawful looks for one from the working directory upward, and stops at the root of the repository and where a folder belongs to another user.\n\nName the folder with `--book DIR`, or write a `lawful.yaml`; the smallest is `name: my-law`.";
    NOT_A_DOCUMENT = "not-a-document", Error, "a file is not a document of the lawbook",
        "`lawful check FILE` checks one document of a lawbook, and knows what it is by where it stands: `conditions/*.yaml`, `fragments/**/*.md` and so on. This file stands in no such place, so there is nothing to check it as.";
    NO_RULES = "no-rules", Warning, "a file of rules has none",
        "A file in `rules/` has nothing in it but white space and comments. That is no rules, and the others go on.\n\nWrite the rules, or delete the file.";
    OUTSIDE_BOOK = "outside-book", Error, "a path leads out of the lawbook",
        "A lawbook may come from someone else, so loading it must not read anything but itself: no `..` above its folder, no absolute paths, no symbolic links that leave it.\n\nCopy the file into the lawbook.";
    NOT_A_FILE = "not-a-file", Error, "something that is not a file stands where a document belongs",
        "A document must be an ordinary file, and a folder of the layout must be a folder. Sockets, pipes and devices are never read.";
    TOO_MANY_FILES = "too-many-files", Error, "the lawbook has more files than the limit",
        "The number of documents in a lawbook, their size taken together and the depth of their folders are bounded, so that a book from someone else cannot take unbounded time or memory.\n\nSplit the book.";
    STRAY_FILE = "stray-file", Warning, "a file in a folder of the layout is not read",
        "Every folder of a lawbook holds one kind of document, known by its extension and place. A file that does not fit is not read, and a rule in it silently does nothing.\n\nRename or move the file, or start its name with a dot to say that it is meant to be left out.";
    MISNAMED_FOLDER = "misnamed-folder", Warning, "a folder is named almost like one of the layout",
        "A lawbook's folders have fixed names: `fragments`, `compositions`, `conditions`, `rules`, `entries`, `conditioning`, `analysis`, `scenarios`. A folder with another name is not read.\n\nRename the folder.";

    NO_NICKEL = "no-nickel", Error, "the program that evaluates Nickel is not installed",
        "Nickel is a program of its own, `lawful-nickel`, which only a lawbook with conditioning in Nickel needs. It is started from the folder that `lawful` is in, and is looked for nowhere else: not in `PATH`, and not in a project. No prompt of a role is made without it.\n\nInstall it beside `lawful`; from the sources, `cargo install --path crates/lawful-cli` and `cargo install --path crates/lawful-nickel` put both into one folder.";
    NICKEL_VERSION = "nickel-version", Error, "the program that evaluates Nickel is of another version",
        "`lawful` and `lawful-nickel` agree on a protocol, and its version is checked before anything else is said. The one that is installed speaks another version, so it is told nothing. No prompt of a role is made.\n\nInstall both from the same version.";
    NICKEL_ERROR = "nickel-error", Error, "Nickel refuses a file of the conditioning",
        "The message, the labels and the notes are Nickel's own. Every role is evaluated, also those that nobody asked for, because Nickel is lazy and would not look at them.";
    NICKEL_CONTRACT = "nickel-contract", Error, "a prompt breaks a contract that is written in Nickel",
        "A contract in the Nickel record, such as one that demands the core in every prompt, does not hold for a role. No prompt of a role is made.\n\nThe labels show the contract and the value it was applied to.";
    NICKEL_SHAPE = "nickel-shape", Error, "a Nickel file comes to something other than text",
        "A core or a persona is a string, and the record of `conditioning` has a string for each role.\n\nMake a string of it.";
    NICKEL_LIMIT = "nickel-limit", Error, "evaluating Nickel took more than it may",
        "Nickel is a language, and a program in it can run or grow without end. It runs in a process of its own under limits of memory, stack, processor time, time by the clock and the size of its answer; the message names the one that was reached.\n\nMake the program smaller. If it recurses without end, that is the mistake.";
    NICKEL_FAILED = "nickel-failed", Error, "the process that evaluates Nickel did not answer",
        "It could not be started, or it broke down for a reason that is none of the limits, or it cannot tell what a file imports: an `import` in a default of a pattern or in an enum type is not seen by Nickel's own parser, and no file is evaluated whose imports are not known. No prompt of a role is made.";

    SESSION_FILE = "session-file", Error, "a file of sessions cannot be used",
        "The file that `--db` names is not there, is not a database, belongs to another program, was written by a newer version of Lawful, is damaged, or cannot be read or written. The message says which. It is left as it was, and so is every turn in it.\n\n`lawful session new` creates a file; every other command needs one that exists.";
    SESSION_BUSY = "session-busy", Error, "another process holds the file of sessions",
        "Several processes may use one file; each waits for the others' writes, for five seconds. This one waited in vain, and wrote nothing.\n\nTry again. With `--key`, a turn that is sent again is applied once.";
    SESSION_FULL = "session-full", Error, "the file of sessions cannot grow",
        "The disk is full, or a limit on the size of the file is reached. The turn was not applied, and everything before it is there.\n\nMake room and send the turn again.";
    UNKNOWN_SESSION = "unknown-session", Error, "there is no session of that name",
        "Every session has a name, which `lawful session new` was given or made up.\n\n`lawful session list` shows the sessions of a file.";
    SESSION_EXISTS = "session-exists", Error, "there is a session of that name already",
        "`lawful session new NAME` starts a session and never takes one over.\n\nChoose another name, or none, and one is made up.";
    UNKNOWN_TURN = "unknown-turn", Error, "a session has no such turn to go back to",
        "`lawful session rewind --to TURN` goes back to the end of a turn of the present; 0 is the start. A turn on a branch that was abandoned can be read in the log and is not gone back to.";
    UNKNOWN_EFFECT = "unknown-effect", Error, "a session never had that effect",
        "An effect is acknowledged by the id under which it was handed out, such as `3.4.1`: turn, step, number.\n\n`lawful session effects SESSION` shows those that wait.";
    KEY_REUSED = "key-reused", Warning, "one key names two different requests",
        "A key names one request, so that sending it again changes nothing. This key was used before with another input; the answer is what was stored then, and the new input was not applied.\n\nUse a new key for every request.";

    UNKNOWN_KEY = "unknown-key", Error, "a mapping has a key that means nothing there",
        "A key that is not known would silently do nothing, so it is an error. The help suggests the name that was probably meant.";
    MISSING_KEY = "missing-key", Error, "a mapping lacks a key it needs",
        "Nothing is defaulted that would change a decision.\n\nAdd the key.";
    WRONG_TYPE = "wrong-type", Error, "a value has the wrong type",
        "Lawful never converts one type into another: `\"3\"` is a string, `3` a number, and a single value is not a list of one.\n\nWrite the value as the message asks.";
    BAD_VALUE = "bad-value", Error, "a value is not one of those possible",
        "The type is right and the value is not: a minimum above its maximum, an initial value outside them, a limit of zero.";
    UNKNOWN_COMMAND = "unknown-command", Error, "a command is not listed in the manifest",
        "Only commands that the manifest lists under `observe` are ever run, each by its name:\n\n    observe:\n      tests: [cargo, test]\n\nAdd the command there, or correct the name.";
    CANNOT_OBSERVE = "cannot-observe", Error, "something that was asked for cannot be observed",
        "What the host is asked to see is either in the answer or the answer is no answer: nothing is left out in silence. The message says what failed: git, a folder that cannot be read, a command that cannot be started, too many files.";
    BAD_REPORT = "bad-report", Error, "a file is not a report of test results",
        "Test results are read from JUnit XML: a `testsuites` or `testsuite` with a `testcase` for each test, which has a `name` and perhaps a `classname`. A document type is refused, because nothing in it is needed and it can ask for any amount of memory.";
    DUPLICATE_TEST = "duplicate-test", Warning, "two test results have the same name",
        "Results are known by `classname.name`. Of two with one name the worse counts: `error` before `failed` before `skipped` before `passed`.\n\nGive the tests names of their own, or read one report.";
    DUPLICATE_VALUE = "duplicate-value", Warning, "a list of values has the same one twice",
        "The second one adds nothing. Values are equal by meaning, so `1` and `1.0` are the same.";

    BAD_PATH = "bad-path", Error, "a path is not well formed",
        "A path is keys joined by dots, with `[0]` for an element of a list, `[*]` for every element, and `[\"…\"]` for a key that holds a dot, a bracket or a quote:\n\n    user.tier   items[0].id   items[*].id   labels[\"team.name\"]\n\nA part that is not understood is never dropped.";
    RESERVED_KEY = "reserved-key", Error, "a reserved word stands among other keys",
        "In a condition the words `all`, `any`, `not`, `ref`, `type` and `path` start a form of their own and stand alone:\n\n    all: [{tone: terse}, {tier: vip}]\n\nTo combine a form with other tests, put both under `all`. To test a key that has such a name, quote it as a path: `'[\"type\"]': bug`.";
    MISREAD_FORM = "misread-form", Warning, "a key that looks like a misspelt word of the condition language",
        "A condition whose keys are none of the words `all`, `any`, `not`, `ref`, `type` and `path` compares each key, as a path, with its value. So `al: […]` or `Not: {…}` is a comparison that probably never holds, and `{pth: score, op: gt, value: 3}` three of them.\n\nCorrect the word. If the key is meant, quote it as a path, such as `'[\"al\"]'`.";
    UNKNOWN_TYPE = "unknown-type", Error, "a condition has an unknown `type`",
        "The stored form of a condition has `type: all`, `any`, `not` or `ref`.\n\nTo test a key called `type`, quote it as a path: `'[\"type\"]': bug`.";
    UNKNOWN_OPERATOR = "unknown-operator", Error, "a test names an operator that does not exist",
        "The operators are `exists`, `not_exists`, `equals` (`eq`), `not_equals` (`neq`), `contains`, `not_contains`, `any_of`, `none_of`, `greater_than` (`gt`), `less_than` (`lt`), `at_least` (`gte`), `at_most` (`lte`), `min_length`, `max_length`, `matches`, `not_matches`, `starts_with` and `ends_with`.";
    UNKNOWN_REF = "unknown-ref", Error, "a `ref` names nothing",
        "A `ref` names a primitive (`value.equals` and the like, or one that the host registered) or a saved condition. Both share one namespace.\n\nCorrect the id, or save a condition under it in `conditions/`.";
    BROKEN_CONDITION = "broken-condition", Error, "a condition, or one it refers to, has errors of its own",
        "The error is reported at its own place, once; until it is mended nothing that uses the condition can be decided.\n\nFix the condition that is named.";
    CYCLE = "cycle", Error, "saved conditions refer to each other in a circle",
        "A saved condition is expanded where it is referred to, so it cannot contain itself. The message shows the chain.\n\nTake one of the references out.";
    DUPLICATE_ID = "duplicate-id", Error, "two things have the same id",
        "Ids share one namespace, so that a `ref` means one thing. The message shows both places.\n\nRename one.";
    BAD_ARGS = "bad-args", Error, "the arguments of a test do not fit it",
        "Arguments are checked before anything runs: a `value` that is missing, needless or null; a bound that is not a number; a set that is not a list; a regular expression that does not compile; an argument nobody asked for.\n\nAbsence is tested with `not_exists`, never by comparing with null.";
    ARGS_ON_SAVED_RULE = "args-on-saved-rule", Warning, "a `ref` to a saved condition has arguments",
        "A saved condition is complete; arguments on a reference to it are ignored.\n\nRemove `args`, or refer to a primitive.";
    EMPTY_ALL = "empty-all", Warning, "an `all` has no conditions",
        "`all: []` is true, because nothing in it is false. That is rarely meant.\n\nRemove it, or fill it. A rule that always applies simply has no `when`.";
    EMPTY_ANY = "empty-any", Warning, "an `any` has no conditions",
        "`any: []` is false, because nothing in it is true: what it guards never happens.\n\nRemove it, or fill it.";
    NEEDLESS_QUANTIFIER = "needless-quantifier", Warning, "a quantifier on a path without `[*]`",
        "`quantifier: all|any|none` says how the answers for the elements under `[*]` are taken together. A path without `[*]` has one.\n\nRemove the quantifier, or write `[*]` where you mean every element.";
    LIST_IN_EQUALITY = "list-in-equality", Warning, "an equality map compares with a list",
        "`{tone: [terse, warm]}` holds when `tone` is exactly that list. Most who write it mean \"one of\".\n\nWrite `{path: tone, op: any_of, value: [terse, warm]}`, or `op: equals` if the list is meant.";
    NULL_IN_SET = "null-in-set", Warning, "a set of values has a null in it",
        "An absent value is in no set, so a null in `any_of` or `none_of` never matches anything.\n\nRemove it, and test absence with `not_exists`.";
    UNDECIDED_RULE = "undecided-rule", Warning, "the condition of a rule could not be decided",
        "A primitive of the host failed, so the condition is neither true nor false. The safe side is taken: a `forbid` applies, any other rule does not.";
    CONDITION_TOO_LARGE = "condition-too-large", Error, "a condition is larger than the limit once expanded",
        "Saved conditions are expanded where they are referred to, and a few lines that refer to each other twice can grow without bound. The size and depth of an expanded condition and the memory of all regular expressions are limited.\n\nSplit the condition, or refer to less.";
}

/// Every code of Lawful, sorted by name.
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
        .chain(deliver::ALL.iter().copied())
        .collect();
    codes.sort_by_key(|code| code.name);
    codes
}

/// The code of a name.
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
