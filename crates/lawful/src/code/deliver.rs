//! The codes of delivering prompts to harnesses.

lawful_syntax::declare_codes! {
    NOT_OURS = "not-ours", Error, "the path already has a file that this lawbook did not write",
        "A file that Lawful owns has a marker after its front matter. The file at this path has no marker, or the marker of another lawbook. It is left unchanged, and nothing is written.\n\nMove the file, or replace it with `--adopt`. Its content is kept, and `lawful uninstall` restores it.";
    EDITED_BY_HAND = "edited-by-hand", Error, "an installed prompt was edited",
        "Lawful generates each prompt from the lawbook. An installed prompt is output, never a source. Overwriting it would lose the edit, so nothing is written.\n\nMake the change in the lawbook, then overwrite the edit with `lawful install --adopt`.";
    BROKEN_BLOCK = "broken-block", Error, "the begin and end lines of blocks in a file do not match",
        "A Lawful block is enclosed by two comments with the same id. If one is missing, duplicated or nested, Lawful cannot tell the block from your text, so it leaves the file unchanged. The same applies to a block of another tool that begins and does not end.\n\nFix the lines, or remove them.";
    SENTINEL_IN_PROMPT = "sentinel-in-prompt", Error, "a prompt contains a line that begins or ends a block",
        "The lines `<!-- lawful:… -->` mark where a block in a file begins and ends. A prompt that contains such a line could not be separated from its surroundings later, so nothing is written.\n\nIndent the line, or put it in backticks.";
    TOO_LONG_FOR_HARNESS = "too-long-for-harness", Error, "a harness would truncate a file",
        "Some harnesses read only a limited part of a file and silently drop the rest. `lawful harnesses` lists the limits. Lawful writes nothing rather than half of a prompt.\n\nShorten the prompt or the rest of the file, or use a surface without the limit.";
    CUT_SHORT = "cut-short", Warning, "a harness truncates a file",
        "The file was short enough when it was written, but is now too long for a harness that reads it. The harness silently drops the rest. `lawful harnesses` lists the limits.\n\nShorten the prompt or the rest of the file.";
    OUTSIDE_ROOT = "outside-root", Error, "a symbolic link leads out of the target folder",
        "A project may be untrusted, so Lawful does not follow a symbolic link that leads out of it or is dangling. Links that stay inside are followed.";
    CANNOT_DELIVER = "cannot-deliver", Error, "a file cannot be written to",
        "The path is a folder, is not text, cannot be read, or is a settings file that does not parse. It is left unchanged, and nothing is written.";
    BAD_ROLE_NAME = "bad-role-name", Error, "a role cannot be used as a file name",
        "The role becomes part of a file name on every harness. It may have letters, digits, `-`, `_` and `.`, and at most 64 of them. No two roles may differ only in case.";
    INTERRUPTED_INSTALL = "interrupted-install", Error, "an installation was interrupted",
        "A process ended while it was writing several files. Its journal is still there. The next `lawful install` or `lawful uninstall` completes the installation, or rolls it back if nothing had been written yet.";
    INSTALL_BUSY = "install-busy", Error, "another process is installing",
        "Two concurrent installations into the same place would overwrite each other's ledger, so only one at a time can write.\n\nTry again.";
    BAD_LEDGER = "bad-ledger", Error, "the ledger of installed files cannot be read",
        "Without its ledger, Lawful cannot tell what it wrote from what you wrote, so it writes nothing. The file is `.lawful/ledger.json` of a project, or `lawful/ledger.json` in your state folder.\n\nRestore it. If it is lost, remove it: Lawful then recognises its blocks and files by their markers.";
    FOREIGN_LEDGER = "foreign-ledger", Warning, "a project has a ledger or journal that you did not write",
        "A ledger says what to restore where, and a journal what remains to be written. One that came with a project could cause arbitrary writes. Lawful therefore seals its own with a key in your state folder, for the project they are in. It ignores one without your seal, and leaves it unchanged. To write its own in that place, Lawful first moves the other one aside, in the same folder.\n\nIt may be your own if the project was copied, if your state folder is new, or if an earlier version of Lawful wrote it. What it recorded is then lost. Lawful recognises blocks and files by their markers, and the next `lawful install` takes ownership of them.";
    UNKNOWN_ROLE = "unknown-role", Error, "the lawbook has no such role",
        "`--role` names roles of the lawbook: the personas of its `conditioning`.";
    SHADOWED = "shadowed", Warning, "a harness will ignore an installed file",
        "The harness reads another file instead of this one, and that file exists.\n\nMove the other file, or merge its text into this one.";
    DELIVERED_TWICE = "delivered-twice", Warning, "a harness reads the same text from two files",
        "The harness reads both its own file and a shared one. Both contain the prompt, so the model gets it twice.\n\nInstall for only one of the two.";
    NO_SURFACE = "no-surface", Warning, "a harness has no surface for a text",
        "Not every harness reads a user file, and not every harness supports agents with their own prompts. `lawful harnesses` lists what each one reads.";
    UNDELIVERED_ROLE = "undelivered-role", Warning, "a harness has no surface for a role",
        "Not every harness supports agents with their own prompts, so a role other than the main one is not delivered there. Every `lawful install` and `lawful status` reports this, because users of that harness work without the role.\n\n`lawful harnesses` lists what each one reads. `--role` selects the roles to deliver.";
    UNDELIVERED_KEY = "undelivered-key", Warning, "a key of a persona is not delivered to a harness",
        "The keys `description`, `tools` and `model` of a persona are written into the agent files of harnesses that support them. If the file of a role has no place for a key, the role is delivered without it: a role with restricted `tools` may use every tool there. Every `lawful install` and `lawful status` reports this.\n\nSet it in the harness itself, or leave the harness out.";
    NO_PLACE_FOR_ROLE = "no-place-for-role", Error, "a harness has no surface for any of the requested roles",
        "The harness supports none of the roles that `--role` names: not every harness supports agents with their own prompts. What is installed there is left unchanged.\n\nRequest the main role, or leave the harness out. `lawful harnesses` lists what each one reads.";
    LEDGER_SEEN_BY_GIT = "ledger-seen-by-git", Warning, "git does not ignore the ledger of a project",
        "The ledger stores what files contained before Lawful wrote to them, and is specific to one machine. Lawful puts a `.gitignore` next to it, but never changes an existing one.\n\nAdd the line `*` to `.lawful/.gitignore`, or remove the file and install again.";
    NOT_INSTALLED = "not-installed", Error, "Lawful did not install this file",
        "`lawful blame --installed FILE` reads the ledger, which records the lawbook and the role of every file that Lawful wrote. No ledger lists this file.";
}
