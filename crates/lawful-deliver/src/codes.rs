//! The codes of delivering prompts to harnesses.

lawful::syntax::declare_codes! {
    NOT_OURS = "not-ours", Error, "a file or setting here was not written by Lawful",
        "A file that Lawful owns has a marker after its front matter. The file at this path has no marker, or the marker of another lawbook, so Lawful leaves it alone and writes nothing anywhere.\n\nMove the file, or replace it with `--overwrite`: Lawful keeps its content, and `lawful uninstall` restores it.";
    EDITED_BY_HAND = "edited-by-hand", Error, "something that Lawful wrote was edited",
        "Prompts are generated from the lawbook; installed files are output, never a source. Overwriting the file would lose the edit, so Lawful leaves it and writes nothing anywhere. The diff shows the edit, from what Lawful wrote to what is there, and the diagnostic points at its first line.\n\nMake the change in the lawbook, then overwrite the edit with `lawful install --overwrite`.";
    BROKEN_BLOCK = "broken-block", Error, "the begin and end lines of blocks in a file do not match",
        "A block of Lawful is between two comments with the same id. If one is missing, repeated or inside another block, Lawful cannot know which lines belong to the block, so it leaves the file unchanged. The same applies to a block of another tool that begins and does not end.\n\nFix the lines, or remove them.";
    SENTINEL_IN_PROMPT = "sentinel-in-prompt", Error, "a prompt contains a line that begins or ends a block",
        "The lines `<!-- lawful:… -->` mark where a block in a file begins and ends. A prompt that contains such a line could not be separated from the rest of the file later, so nothing is written.\n\nIndent the line, or put it in backticks.";
    TOO_LONG_FOR_HARNESS = "too-long-for-harness", Error, "a harness would truncate a file",
        "Some harnesses read a file only up to a limit and silently drop the rest. `lawful harnesses` lists the limits. Lawful writes nothing instead of half a prompt.\n\nShorten the prompt or the rest of the file, or use a surface without a limit.";
    CUT_SHORT = "cut-short", Warning, "a harness reads only part of a file",
        "The file was short enough when Lawful wrote it. Now it is longer than the limit of a harness that reads it, and the harness silently drops the rest. `lawful harnesses` lists the limits.\n\nShorten the prompt or the rest of the file.";
    OUTSIDE_ROOT = "outside-root", Error, "a symbolic link leads out of the target folder",
        "A project can come from someone else, so Lawful does not follow a symbolic link that leads out of it, or to nothing. It follows links that stay inside.";
    CANNOT_DELIVER = "cannot-deliver", Error, "a file cannot be written",
        "The path is a folder, is below `.git`, is not text, cannot be read, or is a settings file that does not parse; or an envelope or an artifact would be written through a symbolic link. Lawful leaves it unchanged and writes nothing anywhere.";
    BAD_ROLE_NAME = "bad-role-name", Error, "a role name is not valid as a file name",
        "A role name becomes part of a file name in every harness. It has at most 64 letters, digits, `-`, `_` and `.`, and no two names differ only in case.";
    INTERRUPTED_INSTALL = "interrupted-install", Error, "an installation was interrupted",
        "A process ended while it was writing several files. Its journal remains. The next `lawful install` or `lawful uninstall` completes the work, or reverts it if nothing had been written.";
    INSTALL_BUSY = "install-busy", Error, "another process is installing",
        "Two installations into the same place would overwrite each other's ledger, so only one can write at a time.\n\nTry again.";
    BAD_LEDGER = "bad-ledger", Error, "the ledger cannot be read",
        "Without its ledger, Lawful cannot distinguish what it wrote from what you wrote, so it writes nothing. The file is `.lawful/ledger.json` in a project, or `lawful/ledger.json` in your state folder.\n\nRestore the file. If it is lost, delete it: Lawful then recognizes its blocks and files by their markers.";
    FOREIGN_LEDGER = "foreign-ledger", Warning, "a project has a ledger or a journal that you did not write",
        "A ledger says what to restore, and a journal says what remains to be written. One that comes with a project could therefore make Lawful write anything. Lawful seals its own with a key in your state folder, for one project. It ignores the content of a file without your seal, which may not be a ledger at all, and leaves the file unchanged. To write its own in that place, it first moves the other file aside, in the same folder.\n\nThe file may be yours if the project was copied, if your state folder is new, if an earlier version of Lawful wrote it, or if it is damaged. Its content is then lost: Lawful recognizes blocks and files by their markers, and the next `lawful install` adds them to its ledger.";
    SAME_NAME = "same-name", Warning, "another lawbook with the same name is installed here",
        "A lawbook is identified by its name and its folder. `lawful uninstall` removes what the lawbook in one folder installed, and leaves what a lawbook with the same name in another folder installed. If that folder no longer has a lawbook, the lawbook was moved, and is recognized by its name.\n\nTo uninstall the other lawbook, pass its folder with `--book`.";
    UNKNOWN_ROLE = "unknown-role", Error, "the lawbook has no such role",
        "`--role` takes roles of the lawbook: the personas of its `conditioning`.";
    SHADOWED = "shadowed", Warning, "a harness will not read a file that was written",
        "The harness reads another file instead of this one, and the other file exists.\n\nMove the other file, or copy its text into this one.";
    DELIVERED_TWICE = "delivered-twice", Warning, "a harness reads the same text from two files",
        "The harness reads both its own file and a shared one, and both contain the prompt, so the model gets it twice.\n\nInstall for only one of the two.";
    NO_SURFACE = "no-surface", Warning, "a harness has no surface for a text",
        "Not every harness reads a file of the user, and not every harness has agents with their own prompts. `lawful harnesses` lists what each reads.";
    UNDELIVERED_ROLE = "undelivered-role", Warning, "a harness has no surface for a role",
        "Not every harness has agents with their own prompts. A role other than the main one is not delivered to a harness without them. Every `lawful install` and `lawful status` reports this, because sessions in that harness run without the role.\n\n`lawful harnesses` lists what each reads. `--role` selects the roles to deliver.";
    UNDELIVERED_KEY = "undelivered-key", Warning, "a harness does not get a key of a persona",
        "`description`, `tools` and `model` of a persona go into the agent files of a harness that supports them. If the file has no place for a key, the role is delivered without it: a role with restricted `tools` can use every tool there. Every `lawful install` and `lawful status` reports this.\n\nSet it in the harness itself, or do not install for that harness.";
    NO_PLACE_FOR_ROLE = "no-place-for-role", Error, "a harness has no surface for any requested role",
        "The harness has no surface for any of the roles in `--role`: not every harness has agents with their own prompts. What it has is left unchanged.\n\nAdd the main role, or leave the harness out. `lawful harnesses` lists what each reads.";
    LEDGER_SEEN_BY_GIT = "ledger-seen-by-git", Warning, "git would track the ledger of a project",
        "The ledger contains what was in files before Lawful wrote to them, on one machine. Lawful puts a `.gitignore` beside it, and leaves an existing one unchanged.\n\nAdd the line `*` to `.lawful/.gitignore`, or delete that file and install again.";
    NOT_INSTALLED = "not-installed", Error, "Lawful did not install this file",
        "`lawful blame --installed FILE` uses the ledger, which records the lawbook and role of every file. No ledger has this file.";
}
