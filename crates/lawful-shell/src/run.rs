//! One simple command: what it writes, and what it runs in turn.

use crate::essence::{self, Sub};
use crate::expand::{Arg, ArgKind};
use crate::options::{self, Scan};
use crate::programs;
use crate::reading::{Command, Folder};
use crate::syntax::Dialect;
use crate::walk::{After, Files, Input, Place, Reader, union};
use crate::wrappers::{self, Bare, Rest, Wrapper};
use crate::{assignments, git, links, shells, special, writes};

/// The most words of one command that are taken for a program of their own.
const MAX_SUSPECTS: usize = 64;

/// The most words of an unknown program that are looked at.
const MAX_SUSPECT_WORDS: usize = 128;

/// The most words of all the commands that unknown programs of one line may run, and letters of the
/// texts that they may run.
const MAX_ALL_SUSPECT_WORDS: usize = 50_000;

impl Reader {
    /// Adds a command and everything that it runs.
    pub(crate) fn run(&mut self, args: &[Arg], redirected: Files, place: &Place) -> After {
        let unchanged = After::same(&place.folders);
        let Some(program) = args.first() else { return unchanged };
        if place.layer > special::MAX_WRAPPERS {
            self.give_up("commands are nested too deeply", &program.text);
            return unchanged;
        }
        let name = base_name(&program.text);
        let words = words(name, args);
        let mut folders = place.folders.clone();
        if let Some(literal) = program.literal().filter(|literal| !literal.starts_with('=')) {
            // The tables have the usual names.
            let table_name = essence::usual_name(name);
            let name = table_name.as_str();
            if name == "git" || name == "make" || name == "gmake" {
                folders = entered(&folders, args);
            }
            let Files { mut writes, reads } = redirected;
            let redirected = writes.len();
            writes.extend(writes::of(name, args));
            let known = Self::is_known(name, args);
            let command = Command {
                words,
                program_path: literal.to_owned(),
                writes,
                redirected,
                links: links::of(name, args),
                reads,
                folders,
                suspects: if known { Vec::new() } else { self.suspects(args) },
            };
            self.noted(command, args);
            return self.inside(name, args, place);
        }
        self.give_up("the program is only known at run time", &line_of(args));
        let suspects = self.suspects(args);
        let program_path = program.text.clone();
        let Files { writes, reads } = redirected;
        let command = Command {
            words,
            program_path,
            redirected: writes.len(),
            writes,
            links: Vec::new(),
            reads,
            folders,
            suspects,
        };
        self.noted(command, args);
        crate::walk::unknown()
    }

    /// Adds a command, and remembers its variables.
    fn noted(&mut self, command: Command, args: &[Arg]) {
        if !self.guessing {
            self.variables.note(self.commands.len(), args);
        }
        self.push(command);
    }

    /// The commands that a program runs.
    fn inside(&mut self, name: &str, args: &[Arg], place: &Place) -> After {
        let unchanged = After::same(&place.folders);
        let deeper = Place { layer: place.layer + 1, ..place.clone() };
        if let Some(value) = self.aliases.get(name).cloned() {
            let rest: Vec<String> = args.iter().skip(1).map(quoted).collect();
            // An alias may name itself: that is the program, not the alias again.
            self.aliases.remove(name);
            self.text(&format!("{value} {}", rest.join(" ")), Dialect::Bash, &deeper);
            self.aliases.insert(name.to_owned(), value);
        }
        if let Some(after) = special::run(self, name, args, &deeper) {
            return after;
        }
        if shells::is_shell(name) {
            shells::run(self, name, args, &deeper);
            return unchanged;
        }
        if let Some(sub) = name.strip_prefix("git-").filter(|sub| !sub.is_empty()) {
            // `git-push` is what `git push` runs.
            let rest = args.iter().skip(1).cloned();
            let args: Vec<Arg> =
                [Arg::known("git"), Arg::known(sub)].into_iter().chain(rest).collect();
            return self.run(&args, Files::default(), &deeper);
        }
        if let Some(global) = essence::global(name) {
            match essence::sub_command(global, args) {
                Sub::At(index) => {
                    if name == "git" {
                        git::run(self, args, index, &deeper);
                    }
                    self.sub_command(name, args, index, &deeper);
                }
                Sub::Missing => {}
                Sub::Unknown => {
                    self.give_up("the sub-command is only known at run time", &line_of(args));
                }
            }
            return unchanged;
        }
        if let Some(wrapper) = wrappers::wrapper(name) {
            self.unwrap(wrapper, args.get(1..).unwrap_or_default(), &deeper);
        }
        unchanged
    }

    /// Sub-commands that run a command, such as `docker compose exec`.
    fn sub_command(&mut self, name: &str, args: &[Arg], index: usize, place: &Place) {
        let mut path = name.to_owned();
        for (offset, arg) in args.iter().skip(index).take(2).enumerate() {
            let Some(word) = arg.literal() else { return };
            path.push(' ');
            path.push_str(word);
            if let Some(wrapper) = wrappers::wrapper(&path) {
                let rest = args.get(index + offset + 1..).unwrap_or_default();
                if wrapper.name == "cargo watch" {
                    for line in options::scan(rest, &wrapper.spec).values("-x --exec") {
                        let text = format!("cargo {}", line.text);
                        self.script(&Arg { text, kind: line.kind }, Dialect::Posix, place);
                    }
                }
                self.unwrap(wrapper, rest, place);
                return;
            }
        }
    }

    /// Finds the command in the arguments of a wrapper.
    pub(crate) fn unwrap(&mut self, wrapper: &Wrapper, args: &[Arg], place: &Place) {
        let scan = options::scan(args, &wrapper.spec);
        let mut inside = place.clone();
        for folder in scan.values(wrapper.spec.folder) {
            inside.folders = enter(&inside.folders, folder);
        }
        if wrapper.elsewhere {
            inside.folders = vec![Folder::Unknown];
        }
        let mut found = false;
        for line in scan.values(wrapper.spec.lines) {
            self.script(line, Dialect::Posix, &inside);
            found = true;
        }
        for value in &scan.assignments {
            assignments::variable(self, value, &inside);
        }
        let rest = args.get(scan.next..).unwrap_or_default();
        match wrapper.rest {
            Rest::Plain => {
                if wrapper.bare == Bare::Shell && !found {
                    self.reads_script(&inside, wrapper.name);
                }
            }
            Rest::Lines => {
                for line in scan.operands.iter().filter_map(|index| args.get(*index)) {
                    self.script(line, Dialect::Posix, &inside);
                }
            }
            Rest::Words | Rest::Line => {
                if let Some(unknown) = rest.iter().take(wrapper.operands).find(|arg| !fixed(arg)) {
                    self.give_up(
                        "where the command starts is only known at run time",
                        &unknown.text,
                    );
                }
                let mut command = rest.get(wrapper.operands..).unwrap_or_default();
                if command.first().is_some_and(|arg| arg.text.starts_with('-')) {
                    // More options: `kubectl exec pod -c box -- command`.
                    let dashes = command.iter().position(|arg| arg.text == "--");
                    command = command.get(dashes.map_or(0, |at| at + 1)..).unwrap_or_default();
                }
                let replaced: Vec<Arg> =
                    scan.values("--entrypoint").take(1).chain(command).cloned().collect();
                let command = replaced.as_slice();
                if !command.is_empty() && wrapper.rest == Rest::Line {
                    self.joined(command, &inside);
                } else if !command.is_empty() {
                    self.run(command, Files::default(), &inside);
                } else if wrapper.bare == Bare::Shell && !found {
                    self.reads_script(&inside, wrapper.name);
                }
            }
        }
    }

    /// Words that a shell reads again.
    pub(crate) fn joined(&mut self, words: &[Arg], place: &Place) {
        let kind =
            if words.iter().all(Arg::is_known) { ArgKind::Known } else { ArgKind::Expansion };
        self.script(&Arg { text: line_of(words), kind }, Dialect::Posix, place);
    }

    /// A line for a shell in an argument.
    pub(crate) fn script(&mut self, arg: &Arg, dialect: Dialect, place: &Place) {
        if !arg.is_known() {
            self.give_up("a script is only known at run time", &arg.text);
            if arg.kind == ArgKind::Rest || arg.kind == ArgKind::Process {
                return;
            }
        }
        let place = Place { layer: place.layer + 1, ..place.clone() };
        self.text(&arg.text, dialect, &place);
    }

    /// A shell without a script reads its standard input.
    pub(crate) fn reads_script(&mut self, place: &Place, text: &str) {
        match &place.input {
            Input::Text(script) => {
                let script = Arg::known(script.to_string());
                let place = Place { input: Input::Unknown, ..place.clone() };
                self.script(&script, Dialect::Posix, &place);
            }
            Input::Inherited if !self.input_replaced => {}
            Input::File if !self.makes_pipes => {}
            Input::File | Input::Inherited | Input::Unknown => {
                self.give_up("a shell reads its script at run time", text);
            }
        }
    }

    /// Whether it is known what the program does with its arguments.
    fn is_known(name: &str, args: &[Arg]) -> bool {
        programs::is_plain(name)
            || shells::is_shell(name)
            || special::is_special(name)
            || wrappers::wrapper(name).is_some()
            || essence::global(name).is_some()
            || args.len() < 2
    }

    /// The words from each word that could be a program.
    fn suspects(&mut self, args: &[Arg]) -> Vec<Vec<String>> {
        let mut suspects = Vec::new();
        if self.guessing {
            return suspects;
        }
        if args.len() > MAX_SUSPECT_WORDS {
            self.give_up("an unknown program has too many words", &line_of(args));
        }
        let args = args.get(..MAX_SUSPECT_WORDS).unwrap_or(args);
        for (index, arg) in args.iter().enumerate().skip(1) {
            if self.suspect_words > MAX_ALL_SUSPECT_WORDS {
                self.give_up("unknown programs have too many words", &line_of(args));
                break;
            }
            let text = arg.text.as_str();
            let could_be_program = !text.is_empty() && !text.starts_with('-') && text != ";";
            if let Some((_, value)) = text.split_once('=').filter(|_| text.starts_with('-')) {
                if value.contains(char::is_whitespace) && suspects.len() < MAX_SUSPECTS {
                    self.suspect_words += value.len();
                    suspects.extend(Self::guess(value));
                }
                continue;
            }
            if !could_be_program || arg.kind == ArgKind::Rest {
                continue;
            }
            if suspects.len() >= MAX_SUSPECTS {
                self.give_up("an unknown program has too many words", &line_of(args));
                break;
            }
            if text.contains(char::is_whitespace) {
                self.suspect_words += text.len();
                suspects.extend(Self::guess(text));
            } else {
                self.suspect_words += args.len() - index;
                let rest = args.get(index..).unwrap_or_default();
                suspects.push(words(base_name(text), rest));
            }
        }
        suspects
    }

    /// The commands of a text that may be a line for a shell.
    fn guess(text: &str) -> Vec<Vec<String>> {
        let mut reader = Self::default();
        reader.guessing = true;
        let place = Place {
            folders: vec![Folder::Unknown],
            input: Input::Unknown,
            layer: special::MAX_WRAPPERS,
            piped: None,
        };
        if text.len() <= special::MAX_GUESS {
            reader.text(text, Dialect::Bash, &place);
        }
        reader.commands.into_iter().map(|command| command.words).take(MAX_SUSPECTS).collect()
    }
}

/// The words of a command, the program without its folder.
fn words(name: &str, args: &[Arg]) -> Vec<String> {
    let rest = args.iter().skip(1).filter(|arg| arg.kind != ArgKind::Rest);
    std::iter::once(name.to_owned()).chain(rest.map(|arg| arg.text.clone())).collect()
}

pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The texts joined by one blank.
pub(crate) fn line_of(args: &[Arg]) -> String {
    let shown = args.iter().filter(|arg| arg.kind != ArgKind::Rest);
    let texts: Vec<&str> = shown.map(|arg| arg.text.as_str()).collect();
    texts.join(" ")
}

/// The argument as a word that a shell reads as the same argument.
pub(crate) fn quoted(arg: &Arg) -> String {
    if arg.is_known() { format!("'{}'", arg.text.replace('\'', "'\\''")) } else { arg.text.clone() }
}

/// Whether an argument is one word, whatever its value.
fn fixed(arg: &Arg) -> bool {
    arg.is_known() || arg.text.contains('/') || arg.kind == ArgKind::Process
}

/// The folders after entering one that an argument names.
pub(crate) fn enter(folders: &[Folder], arg: &Arg) -> Vec<Folder> {
    let in_working = ["$PWD", "${PWD}"].iter().find_map(|name| arg.text.strip_prefix(name));
    let known = in_working.filter(|below| {
        (below.is_empty() || below.starts_with('/')) && !below.contains(['$', '`', '*', '?', '['])
    });
    match arg.literal().or(known.map(|_| arg.text.as_str())) {
        Some(path) if !path.is_empty() => {
            let entered = folders.iter().map(|folder| folder.enter(path)).collect();
            union(Vec::new(), entered)
        }
        Some(_) | None => vec![Folder::Unknown],
    }
}

/// The folders after the `-C` options of `git` and `make`.
fn entered(folders: &[Folder], args: &[Arg]) -> Vec<Folder> {
    let spec = options::Spec {
        values: "-c --git-dir --work-tree --namespace -f -I -o -W",
        folder: "-C --directory",
        ..options::Spec::NONE
    };
    let scan: Scan = options::scan(args.get(1..).unwrap_or_default(), &spec);
    let mut folders = folders.to_vec();
    for folder in scan.values(spec.folder) {
        folders = enter(&folders, folder);
    }
    folders
}
