//! The diagnostic codes of stored sessions and of trust, and every code of Lawful for `lawful explain`.

use lawful::syntax::Code;

lawful::syntax::declare_codes! {
    UNTRUSTED_LAW = "untrusted-law", Error, "nobody trusted this lawbook",
        "Hooks judge by a lawbook only after a person has trusted it, because anyone who can write to the project can write a lawbook. Without one a hook runs no command and no Nickel, and cannot decide.\n\nRead the lawbook, then run `lawful trust DIR`. A lawbook that was trusted in another folder needs one confirmation in this one.";
    LAW_CHANGED = "law-changed", Warning, "the lawbook differs from what was trusted",
        "Hooks judge by the copy of the lawbook that a person trusted. The files of the lawbook have changed since, and the change has no effect.\n\nRun `lawful trust` to see what changed and to accept it.";
    TRUST_MISMATCH = "trust-mismatch", Error, "the lawbook does not have the expected fingerprint",
        "`lawful trust --hash` trusts a lawbook only if its content has the given fingerprint. Nothing was registered.\n\n`lawful trust --show` prints the fingerprint of the files as they are.";
    TRUST_STATE = "trust-state", Error, "what is trusted cannot be read or written",
        "What a user trusts is in the state folder of that user: `$XDG_STATE_HOME/lawful/trust`, or `~/.local/state/lawful/trust`. The folder cannot be read or written, belongs to another user, can be written to by others, or contains a symbolic link or a damaged file. The message says which. Until it is fixed, hooks cannot decide.";
    UNPROTECTED_COMMAND = "unprotected-command", Warning, "a command runs a file that an agent can change",
        "A command of the manifest is trusted together with the lawbook, but the file that it runs is not part of the lawbook. An agent that edits the file decides what the command does.\n\nAdd the file to `protect.paths`, so that agents cannot change it, or run a program from outside the project.";
    WOULD_OVERWRITE = "would-overwrite", Error, "a file exists where a new lawbook would write",
        "`lawful init` only ever creates files. A file, a link or a lawbook exists where the new lawbook would be, or a document that would become part of it. The diagnostics list all of them, and nothing was written.\n\nMove them away, or run `lawful init` in another folder.";
    HARNESS_TOOL = "harness-tool", Warning, "a guard names a tool that only some harnesses have",
        "`tool` is the name that a harness has for a tool, and every harness has names of its own: the shell is `Bash`, `bash`, `shell`, `Shell` or `run_shell_command`. A guard that names one of them never acts in the other harnesses. `action` is the same in all of them.\n\nWrite `on: {action: shell}`. If the guard is meant for one harness, write both: `on: {action: shell, tool: Bash}`.";
    UNKNOWN_HARNESS = "unknown-harness", Error, "a persona has keys for a harness that does not exist",
        "`harness` in the front matter of a persona maps the id of a harness to keys for its agent files. `lawful harnesses` lists the ids.";
    SESSION_FILE = "session-file", Error, "the session file cannot be used",
        "The file that `--db` names does not exist, is not a database, belongs to another program, was written by a newer version of Lawful, is damaged, or cannot be read or written. The message says which. The file and every turn in it are unchanged.\n\n`lawful session new` and `lawful session import` create a file. Every other command needs an existing one.";
    SESSION_BUSY = "session-busy", Error, "another process has locked the session file",
        "Several processes can use one session file. Each waits up to five seconds for the others to finish writing. This one timed out and wrote nothing.\n\nTry again. With `--key`, a repeated turn is applied once.";
    SESSION_FULL = "session-full", Error, "the session file cannot grow",
        "The disk is full, or the file has reached a size limit. The turn was not applied. All earlier turns are stored.\n\nFree some space and repeat the turn.";
    SESSION_DAMAGED = "session-damaged", Error, "a stored step does not match its checksum",
        "Every step is stored with checksums of its state and its record. This one has changed since it was written: the disk is failing, or the file was edited. Nothing of it is used. The checksums find damage, not forgery.\n\nRestore the file from a backup. Or return to a version before the damage with `lawful session rewind --to-version`, or copy the session up to there with `lawful session fork --at`.";
    SESSION_IMPORT = "session-import", Error, "the document is not an exported session",
        "`lawful session import` reads what `lawful session export` printed. The document is not JSON, has other fields, contradicts itself, or contains a lawbook that does not match its fingerprint. The message says which. Nothing was imported.";
    UNKNOWN_SESSION = "unknown-session", Error, "unknown session",
        "Every session has a name, either given to `lawful session new` or generated by it.\n\n`lawful session list` lists the sessions in a file.";
    SESSION_EXISTS = "session-exists", Error, "a session with this name already exists",
        "`lawful session new NAME` creates a session. It never reuses an existing one.\n\nChoose another name, or omit it to have one generated.";
    UNKNOWN_TURN = "unknown-turn", Error, "the session has no such turn to rewind to",
        "`lawful session rewind --to TURN` rewinds to the end of a turn on the current branch; 0 is the start. Turns on an abandoned branch stay in the log, but cannot be rewound to.";
    UNKNOWN_VERSION = "unknown-version", Error, "the session has no step with this version",
        "Every step creates a version of the session; so does a rewind, which is no step. `lawful session rewind --to-version` needs a step on the current branch. `lawful session fork --at` and `lawful session why-not --version` take a step of any branch.\n\n`lawful session log` lists the steps with their versions.";
    UNKNOWN_EFFECT = "unknown-effect", Error, "the session has no such effect",
        "An effect is acknowledged by the id it was returned with, such as `3.4.1`: turn, step, number.\n\n`lawful session effects SESSION` lists the pending effects.";
    OTHER_LAWBOOK = "other-lawbook", Warning, "a turn uses another lawbook than the turn before it",
        "A session keeps its variables from turn to turn. If a turn is taken with a lawbook of another name, the variables that it declares are added to those of the session, and its rules act on all of them. The turn is taken. An edited lawbook with the same name is not reported.\n\nUse the same `--book` for every turn of a session, or start a session of its own for the other lawbook.";
    KEY_ABANDONED = "key-abandoned", Warning, "an idempotency key belongs to an abandoned step",
        "The key was used for a step that a rewind abandoned. A repeated request returns the stored result, also after a rewind, so nothing was applied: a request that arrives late must not change the new branch.\n\nTo take the step again after a rewind, use a new key.";
    KEY_REUSED = "key-reused", Warning, "an idempotency key was reused for a different request",
        "An idempotency key names one request: a repeated request returns the stored result. This key was used before with different input. The stored result is returned, and the new input is not applied.\n\nUse a new key for each request.";
}

/// Every code of Lawful, sorted by name: the library's, those of delivery, of sessions and of trust.
pub fn all() -> Vec<&'static Code> {
    let mut codes = lawful::code::all();
    codes.extend(lawful_deliver::codes::ALL.iter().chain(ALL));
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
            let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(code.name.chars().all(allowed), "{}", code.name);
            assert!(code.summary.len() < 90 && !code.summary.ends_with('.'), "{}", code.name);
            assert!(code.details.len() > 60, "{}", code.name);
        }
    }
}
