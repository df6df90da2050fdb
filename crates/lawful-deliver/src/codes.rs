//! The codes of delivering prompts to harnesses.

lawful::syntax::declare_codes! {
    NOT_OURS = "not-ours", Error, "a file or setting here was not written by Lawful",
        "A file that Lawful owns has a marker after its front matter. The file at this path has no marker, or the marker of another lawbook, so Lawful leaves it alone and writes nothing anywhere.\n\nMove the file, or replace it with `--overwrite`: Lawful keeps its content, and `lawful uninstall` restores it.";
    EDITED_BY_HAND = "edited-by-hand", Error, "something that Lawful wrote was edited",
        "Prompts are generated from the lawbook; installed files are output, never a source. Overwriting the file would lose the edit, so Lawful leaves it and writes nothing anywhere. The diff shows the edit, from what Lawful wrote to what is there, and the diagnostic points at its first line.\n\nMake the change in the lawbook, then overwrite the edit with `lawful install --overwrite`. `lawful restore FILE` brings it back.";
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
    FOLLOWED_LINK = "followed-link", Warning, "a link in a project leads to a file that no harness reads",
        "Lawful writes to the files that harnesses read. A symbolic link in a project can lead from such a file to another file of the project, which is then written to. If the project comes from someone else, they decided which file that is.\n\nLook at the link with `ls -l`. Replace it with a file if you did not make it.";
    CANNOT_DELIVER = "cannot-deliver", Error, "a file cannot be written",
        "The path is a folder, is below `.git`, is not text, cannot be read, or is a settings file that does not parse; or an envelope or an artifact would be written through a symbolic link. Lawful leaves it unchanged and writes nothing anywhere.";
    BAD_ROLE_NAME = "bad-role-name", Error, "a role name is not valid as a file name",
        "A role name becomes part of a file name in every harness. It has at most 64 letters, digits, `-`, `_` and `.`, and no two names differ only in case.";
    INTERRUPTED_INSTALL = "interrupted-install", Error, "an installation was interrupted",
        "A process ended while it was writing several files. Its journal remains. The next `lawful install` or `lawful uninstall` completes the work, or reverts it if nothing had been written.";
    INSTALL_BUSY = "install-busy", Error, "another process is installing",
        "Two installations into the same place would overwrite each other's ledger, so only one can write at a time.\n\nTry again.";
    BAD_LEDGER = "bad-ledger", Error, "the ledger cannot be read",
        "Without its ledger, Lawful cannot distinguish what it wrote from what you wrote, so it writes nothing. The file is `lawful/ledger.json` in your state folder, or for a project `lawful/projects/…/ledger.json`.\n\nRestore the file. If it is lost, delete it: in a project, `lawful.lock` and the files say what was installed; elsewhere Lawful recognizes its blocks and files by their markers. What Lawful replaced, and earlier values of settings, are only in the ledger.";
    LEDGER_FULL = "ledger-full", Error, "a ledger would become too large",
        "The ledger keeps what Lawful wrote, and what it replaced. It has at most 1,000 roles and 64 MiB. Lawful writes nothing instead of a ledger that it could not read again.\n\nInstall fewer roles with `--role`, or for fewer harnesses.";
    BAD_LOCK = "bad-lock", Error, "`lawful.lock` is not valid",
        "`lawful.lock` says which files of a project have text of Lawful, for clones and other branches. This one does not have the form that Lawful writes: a merge may have left conflict markers, someone may have edited it, or a newer version of Lawful wrote it. Lawful does not use it, and writes nothing, so that nothing in it is lost.\n\nRestore it from version control. If it is not worth keeping, delete it and run `lawful install`, or replace it with `lawful install --overwrite`: the new one lists what your ledger has and what is installed now.";
    MOVED_PROJECT = "moved-project", Warning, "a project may have been moved",
        "The lock of this project has the id of a project that Lawful knows at another path, and that path is gone. If you moved the project, the ledger at the old path is its ledger, with the files and settings that Lawful replaced. If this is a copy or a clone, that ledger has nothing to do with it. Lawful cannot tell these apart, so it asks on a terminal.\n\nRun `lawful install --yes` or `lawful uninstall --yes` to confirm the move. Until then, the project is treated as a clone.";
    OTHER_PROJECT = "other-project", Warning, "another project was at this path",
        "Lawful has a ledger for this path, with files and settings that it replaced. The folder at the path is another one by now, and it has no lock that says that it is the same project. What was replaced in one project must not be restored in another, so the ledger is kept and not used.\n\nIf this is the same project, for instance restored from a backup, restore its `lawful.lock` too. If it is another project, there is nothing to do: the warning ends with the first installation.";
    FOREIGN_LEDGER = "foreign-ledger", Warning, "a project has a ledger or a journal that you did not write",
        "A ledger says what to restore, and a journal says what remains to be written. One that comes with a project could therefore make Lawful write anything. Lawful keeps its own in your state folder, and never follows one in a project. Earlier versions kept them in projects, sealed with a key in your state folder: those with your seal are moved to the state folder by the next `lawful install` or `lawful uninstall`. A file without your seal, which may not be a ledger at all, is ignored and left unchanged.\n\nDelete the file if it came with the project. It may be yours if the project was copied, if your state folder is new, or if it is damaged. Its content is then lost: Lawful recognizes blocks and files by their markers.";
    SAME_NAME = "same-name", Warning, "another lawbook with the same name is installed here",
        "A lawbook is identified by its name and its folder. `lawful uninstall` removes what the lawbook in one folder installed, and leaves what a lawbook with the same name in another folder installed. If that folder no longer has a lawbook, the lawbook was moved, and is recognized by its name.\n\nTo uninstall the other lawbook, pass its folder with `--book`.";
    UNKNOWN_ROLE = "unknown-role", Error, "the lawbook has no such role",
        "`--role` takes roles of the lawbook: the personas of its `conditioning`.";
    SHADOWED = "shadowed", Warning, "a harness will not read a file that was written",
        "The harness reads another file instead of this one, and the other file exists.\n\nMove the other file, or copy its text into this one.";
    NOT_READ = "not-read", Warning, "a harness does not read a file that was written",
        "A setting of the harness names other files, or must name this one, or the harness reads the file only in the folder that it is started in. The help says which, and what to change.";
    UNTRUSTED_PROJECT = "untrusted-project", Warning, "a harness reads a file only in trusted projects",
        "Some harnesses read files of a project only after their user has trusted the project, and this one is not trusted. Nothing of the file reaches the model.\n\nStart the harness in the project once and trust it.";
    OVERRULED_SETTING = "overruled-setting", Warning, "another settings file decides instead of the one that Lawful wrote",
        "A harness reads several settings files, and a stronger one sets the same key to another value, so the prompt is not read. Lawful changes only its own settings file.\n\nRemove the key from the stronger file, or set it to the value in the help.";
    NOT_ACTIVATED = "not-activated", Warning, "`--activate` could not use the strongest surface",
        "The text would not arrive through that surface, would arrive twice, would be changed, or would hide a file of yours. The next surface is used instead, and the message says why.\n\nRemove the cause and install again.";
    HIDES_FILE = "hides-file", Error, "a new file would hide one of yours from a harness",
        "Some harnesses read only the first of several files: opencode and pi stop reading `CLAUDE.md` when there is an `AGENTS.md`, and Gemini CLI reads one `.env` only. The rules or keys in your file would silently stop to apply, so nothing is written.\n\nMove the text into the new file, leave the harness out, or accept it with `--may-hide`.";
    ALTERED_TEXT = "altered-text", Error, "a harness would change a text",
        "Some harnesses replace parts of a text before the model gets it: `@name` becomes the content of a file, `${name}` a value, consecutive blank lines become one, and comments are removed. None of these can be escaped so that the model gets the text as it is written. Lawful writes nothing instead of a text that arrives changed.\n\nChange the text as the help says, or leave the harness out.";
    ARRIVES_CHANGED = "arrives-changed", Warning, "a text reaches the model changed",
        "The text was written as it should be, but the harness replaces or drops a part of it on the way to the model, such as an import, a variable, blank lines, a comment, or the end of a long file.\n\nChange the text or the file around it; `lawful install` says what the harness replaces.";
    ALREADY_DELIVERED = "already-delivered", Error, "a harness already gets the core from another scope",
        "The harness reads files of the project and of the user together, and the other one already has this core, so the model would get it twice. Nothing is written.\n\nUninstall it from the other scope first, or leave the harness out.";
    CORE_RUNS_ON = "core-runs-on", Error, "no blank line between the core and a persona",
        "The text after the core continues its last line or paragraph, and so can change what the core says: `core ++ \" unless asked\"` reverses a rule. `lawful check` reports this as `run-on-core`; nothing is installed.\n\nWrite `core ++ \"\\n\\n\" ++ persona`.";
    DELIVERED_TWICE = "delivered-twice", Warning, "a harness reads the same text from two files",
        "The harness reads two files together, and both contain the core, so the model gets it twice: a file of the project and one of the user, its own file and a shared one, or a copy that you made.\n\nInstall for only one of the two, or remove the copy.";
    NO_SURFACE = "no-surface", Warning, "a harness has no surface for a text",
        "Not every harness reads a file of the user, and not every harness has agents with their own prompts. `lawful harnesses` lists what each reads.";
    UNDELIVERED_ROLE = "undelivered-role", Warning, "a harness has no surface for a role",
        "Not every harness has agents with their own prompts. A role other than the main one is not delivered to a harness without them. Every `lawful install` and `lawful status` reports this, because sessions in that harness run without the role.\n\n`lawful harnesses` lists what each reads. `--role` selects the roles to deliver.";
    UNDELIVERED_KEY = "undelivered-key", Warning, "a harness does not get a key of a persona",
        "`description`, `tools`, `model` and the keys below `harness` of a persona go into the agent files of a harness that supports them. If the file has no place for a key, the role is delivered without it: a role with restricted `tools` can use every tool there. Every `lawful install` and `lawful status` reports this.\n\nSet it in the harness itself, or do not install for that harness.";
    UNDELIVERED_TOOL = "undelivered-tool", Warning, "a harness does not have a tool that a role may use",
        "`tools` of a persona names actions (`shell`, `read`, `write`, `edit`, `search`, `fetch`, `agent`), which Lawful translates to the tools of each harness, or tools by the names of one harness, which are written as they are. A harness has no tool for an action, or the name is one that only other harnesses have: some ignore it there, and some do not load the agent.\n\nName the action instead of the tool, or set the tools of one harness below `harness`.";
    NOT_KEPT = "not-kept", Warning, "a replaced file loses something",
        "Lawful writes a new file and renames it over the old one, so that nobody ever reads half a file. The new file takes over owner, group, mode and extended attributes, as far as your rights allow. Only root can keep the owner of a file of someone else, and some attributes. Other names of the file (hard links) keep the old text. If the group cannot be kept, its rights are reduced to those of everyone.\n\nSet again what you need, or run the command as the owner of the file.";
    NO_PLACE_FOR_ROLE = "no-place-for-role", Error, "a harness has no surface for any requested role",
        "The harness has no surface for any of the roles in `--role`: not every harness has agents with their own prompts. What it has is left unchanged.\n\nAdd the main role, or leave the harness out. `lawful harnesses` lists what each reads.";
    NOTHING_KEPT = "nothing-kept", Error, "no earlier text of a file is kept",
        "`lawful restore FILE` brings back a text that `lawful install --overwrite`, `lawful hook install` or an earlier `lawful restore` replaced. The texts are in `lawful/restore` of your state folder, by the path of the file: at most 20 of a file, and 64 MiB in all. The oldest are removed first.\n\n`lawful restore --list` lists the files that have one.";
    NOT_INSTALLED = "not-installed", Error, "Lawful did not install this file",
        "`lawful blame --installed FILE` uses the ledger, which records the lawbook and role of every file. No ledger has this file.";
}
