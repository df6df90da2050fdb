//! The codes of delivering prompts to harnesses.

lawful_syntax::declare_codes! {
    NOT_OURS = "not-ours", Error, "something of others stands where Lawful would write",
        "A file that Lawful owns carries a marker after its front matter. The file at this path has none, or has the one of another lawbook, so it is left alone and nothing is written anywhere.\n\nMove the file away, or take its place with `--adopt`: what it holds is kept, and `lawful uninstall` puts it back.";
    EDITED_BY_HAND = "edited-by-hand", Error, "what Lawful wrote was edited since",
        "A prompt is generated from the lawbook every time; what is installed is output and never a source. An edit there would be lost by writing over it, so it is left, and nothing is written anywhere.\n\nMake the change in the lawbook, and write over the edit with `lawful install --adopt`.";
    BROKEN_BLOCK = "broken-block", Error, "the begin and end lines of blocks in a file do not pair up",
        "A block of Lawful stands between two comments with the same id. Where one is missing, doubled or inside of another, there is no telling what belongs to the block and what to you, so the file is left as it is. The same holds for the block of another tool that begins and does not end.\n\nMend the lines, or take them out.";
    SENTINEL_IN_PROMPT = "sentinel-in-prompt", Error, "a prompt has a line that begins or ends a block",
        "The lines `<!-- lawful:… -->` say where a block in a file starts and stops. A prompt with such a line in it could not be told from its surroundings later, so nothing is written.\n\nIndent the line, or put it in backticks.";
    TOO_LONG_FOR_HARNESS = "too-long-for-harness", Error, "a harness would cut a file short",
        "Some harnesses read only so much of a file and drop the rest without a word. `lawful harnesses` lists the limits. Nothing is written rather than half of a prompt.\n\nShorten the prompt or what else is in the file, or use a surface without the limit.";
    CUT_SHORT = "cut-short", Warning, "a harness reads less of a file than there is",
        "The file was short enough when it was written, and is too long by now for a harness that reads it, which drops the rest without a word. `lawful harnesses` lists the limits.\n\nShorten the prompt or what else is in the file.";
    OUTSIDE_ROOT = "outside-root", Error, "a link leads out of the folder that is written to",
        "A project may come from someone else, so a symbolic link that leads out of it, or nowhere, is not followed. Links that stay inside are.";
    CANNOT_DELIVER = "cannot-deliver", Error, "a file cannot be written to as it is",
        "The path is a folder, is not text, cannot be read, or is a settings file that does not parse. It is left as it is, and nothing is written anywhere.";
    BAD_ROLE_NAME = "bad-role-name", Error, "a role cannot become the name of a file",
        "The role becomes part of a file name on every harness: letters, digits, `-`, `_` and `.`, at most 64 of them, and no two roles that differ only in upper and lower case.";
    INTERRUPTED_INSTALL = "interrupted-install", Error, "an installation was interrupted",
        "A process that was writing many files ended in the middle. Its journal is there, and the next `lawful install` or `lawful uninstall` finishes what was begun, or takes it back if nothing had been written yet.";
    INSTALL_BUSY = "install-busy", Error, "another process is installing",
        "Two installations into the same place would overwrite each other's ledger, so one at a time writes.\n\nTry again.";
    BAD_LEDGER = "bad-ledger", Error, "the record of what was installed cannot be read",
        "Without its ledger Lawful cannot tell what it wrote from what you wrote, so it writes nothing. The file is `.lawful/ledger.json` of a project, or `lawful/ledger.json` in your folder for state.\n\nRestore it. If it is lost, remove it: blocks and files of Lawful are then known by their markers.";
    FOREIGN_LEDGER = "foreign-ledger", Warning, "a project has a ledger or a journal that you did not write there",
        "A ledger says what to put back where, and a journal what is left to be written, so one that came with a project could have anything written. Lawful seals its own with a key in your folder for state, for the project that they are in. One without your seal is never obeyed: nothing is read from it but that, and it stays as it is. Where Lawful has to write its own in that place, it puts the other one aside, in the same folder.\n\nThis may be your own if the project was copied, if your folder for state is new, or if an earlier version of Lawful wrote it. What it knew is lost then: blocks and files are known by their markers, and the next `lawful install` makes them its own.";
    UNKNOWN_ROLE = "unknown-role", Error, "the lawbook has no such role",
        "`--role` names roles of the lawbook: the personas of its `conditioning`.";
    SHADOWED = "shadowed", Warning, "a harness will not read what was written",
        "The harness reads another file in place of this one, and that file is there.\n\nMove the other file away, or put its text into this one.";
    DELIVERED_TWICE = "delivered-twice", Warning, "a harness reads the same text from two files",
        "The harness has a file of its own and reads a shared one too, and both hold the prompt, so the model is given it twice.\n\nInstall for one of the two.";
    NO_SURFACE = "no-surface", Warning, "a harness has no place for a text",
        "Not every harness reads a file of the user, and not every one has agents with prompts of their own. `lawful harnesses` lists what each reads.";
    UNDELIVERED_ROLE = "undelivered-role", Warning, "a harness has no place for a role",
        "Not every harness has agents with prompts of their own, so a role other than the main one is not delivered there. This is said by every `lawful install` and by `lawful status`, because whoever works with that harness works without the role.\n\n`lawful harnesses` lists what each reads. `--role` chooses the roles that are delivered.";
    UNDELIVERED_KEY = "undelivered-key", Warning, "a harness is not given a key of a persona",
        "`description`, `tools` and `model` of a persona go into the agent files of a harness that knows them. Where the file of the role has no place for one, the role is delivered without it: a role whose `tools` are restricted may use every tool there. This is said by every `lawful install` and by `lawful status`.\n\nSet it in the harness itself, or leave the harness out.";
    NO_PLACE_FOR_ROLE = "no-place-for-role", Error, "a harness has no place for any of the roles that were asked for",
        "`--role` names roles, and the harness would be given none of them: not every one has agents with prompts of their own. What it has is left as it is.\n\nAsk for the main role, or leave the harness out; `lawful harnesses` lists what each reads.";
    LEDGER_SEEN_BY_GIT = "ledger-seen-by-git", Warning, "git would see the ledger of a project",
        "The ledger holds what was in files before Lawful wrote there, for the machine it is on. Lawful puts a `.gitignore` beside it, and leaves one that is there already as it is.\n\nAdd the line `*` to `.lawful/.gitignore`, or remove the file and install again.";
    NOT_INSTALLED = "not-installed", Error, "the file is not one that Lawful installed",
        "`lawful blame --installed FILE` goes by the ledger, which says for every file that was written from which lawbook and role it came. This file is in none.";
}
