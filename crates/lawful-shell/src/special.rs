//! Builtins and programs that run commands in ways of their own.

use crate::assignments::{subscripts, variable};
use crate::expand::{Arg, ArgKind};
use crate::options::{self, Spec};
use crate::reading::Folder;
use crate::run::{enter, line_of};
use crate::shells;
use crate::syntax::Dialect;
use crate::walk::{After, Files, Input, Place, Reader, unknown};

/// How many wrappers may be around a command.
pub(crate) const MAX_WRAPPERS: usize = 12;

/// The most words from a pipe that are taken for arguments.
const MAX_GIVEN: usize = 64;

/// The longest argument of an unknown program that is read as a line.
pub(crate) const MAX_GUESS: usize = 4096;

/// Builtins after which the shell may be in another folder.
pub(crate) const CHANGES_FOLDER: [&str; 6] = ["builtin", "cd", "command", "eval", "popd", "pushd"];

/// Sorted.
pub(crate) const SPECIAL: &[&str] = &[
    ".",
    "[",
    "alias",
    "awk",
    "cd",
    "command",
    "compgen",
    "complete",
    "declare",
    "entr",
    "env",
    "eval",
    "export",
    "fc",
    "fd",
    "fdfind",
    "find",
    "flock",
    "gawk",
    "gsed",
    "hash",
    "let",
    "local",
    "mapfile",
    "mawk",
    "mkfifo",
    "mknod",
    "parallel",
    "popd",
    "printf",
    "pushd",
    "python",
    "python2",
    "python3",
    "read",
    "readarray",
    "readonly",
    "rsync",
    "scp",
    "sed",
    "setarch",
    "source",
    "split",
    "tar",
    "test",
    "trap",
    "typeset",
    "unset",
    "wait",
    "xargs",
];

pub(crate) fn is_special(name: &str) -> bool {
    SPECIAL.binary_search(&name).is_ok()
}

/// Runs what the program runs. `None` if the tables say what that is.
pub(crate) fn run(reader: &mut Reader, name: &str, args: &[Arg], place: &Place) -> Option<After> {
    let rest = args.get(1..).unwrap_or_default();
    match name {
        "cd" | "pushd" | "popd" => return Some(change_folder(name, rest, place)),
        "eval" => {
            reader.give_up("`eval` runs text", &line_of(args));
            reader.joined(rest, place);
            return Some(unknown());
        }
        "source" | "." => {
            match rest.first() {
                Some(file) if file.is_known() && !shells::is_input(&file.text) => {}
                Some(file) if file.kind == ArgKind::Expansion && file.text.contains('/') => {}
                Some(_) | None => {
                    reader.give_up("a script is only known at run time", &line_of(args));
                }
            }
            // The script may enter a folder, but most only set variables.
        }
        "command" if rest.first().is_some_and(|arg| matches!(arg.text.as_str(), "-v" | "-V")) => {}
        "command" | "builtin" => return Some(transparent(reader, rest, place)),
        "trap" => trap(reader, rest, place),
        "alias" => alias(reader, rest, place),
        "hash" if rest.iter().any(|arg| arg.text.starts_with("-p")) => {
            reader.give_up("`hash -p` renames a program", &line_of(args));
        }
        "fc" => reader.give_up("`fc` runs a command again", &line_of(args)),
        "mapfile" | "readarray" => {
            reader.assigns = true;
            line_options(reader, rest, "-C", place);
        }
        "complete" | "compgen" => line_options(reader, rest, "-C -F -W", place),
        "env" => env(reader, rest, place),
        "find" => find(reader, rest, place),
        "xargs" => xargs(reader, rest, place),
        "parallel" => parallel(reader, rest, place),
        "entr" => {
            let scan = options::scan(rest, &Spec::NONE);
            let command = rest.get(scan.next..).unwrap_or_default();
            if scan.has("-s") {
                reader.joined(command, place);
            } else {
                reader.run(command, Files::default(), place);
            }
        }
        "fd" | "fdfind" => fd(reader, rest, place),
        "setarch" => setarch(reader, rest, place),
        "split" => line_options(reader, rest, "--filter", place),
        "mkfifo" | "mknod" => reader.makes_pipes = true,
        "nix" => {
            let command =
                rest.iter().position(|arg| matches!(arg.text.as_str(), "-c" | "--command"));
            if let Some(at) = command {
                reader.run(rest.get(at + 1..).unwrap_or_default(), Files::default(), place);
            }
            return None;
        }
        "python" | "python2" | "python3" => {
            let module = rest.iter().position(|arg| arg.text == "-m");
            let command = module.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
            if command.first().is_some_and(|arg| arg.text == "pip") {
                reader.run(command, Files::default(), place);
            }
            return None;
        }
        "awk" | "gawk" | "mawk" => {
            if rest.iter().any(|arg| runs_in_awk(&arg.text)) {
                reader.give_up("a script of `awk` runs commands", &line_of(args));
            }
            return None;
        }
        "sed" | "gsed" => {
            if crate::writes::sed_scripts(rest).any(|script| script.runs) {
                reader.give_up("a script of `sed` runs commands", &line_of(args));
            }
            return None;
        }
        "flock" => flock(reader, rest, place),
        "tar" => line_options(
            reader,
            rest,
            "--to-command --info-script --new-volume-script --use-compress-program -I -F --rsh-command --rmt-command",
            place,
        ),
        "rsync" => line_options(reader, rest, "-e --rsh --rsync-path", place),
        "scp" | "sftp" => line_options(reader, rest, "-S", place),
        "ssh" => {
            ssh(reader, rest, place);
            return None;
        }
        _ => {
            assigned(reader, name, rest, place);
            if is_special(name) {
                subscripts(reader, rest);
            }
            return None;
        }
    }
    Some(After::same(&place.folders))
}

/// Remembers what a builtin assigns.
fn assigned(reader: &mut Reader, name: &str, rest: &[Arg], place: &Place) {
    // Whatever the value is, the commands after it run with another environment.
    reader.assigns |= match name {
        "getopts" | "read" => true,
        "declare" | "export" | "local" | "readonly" | "typeset" => {
            rest.iter().any(|arg| arg.text.contains('='))
        }
        "printf" => rest.first().is_some_and(|arg| arg.text.starts_with("-v")),
        _ => false,
    };
    if matches!(name, "declare" | "export" | "local" | "readonly" | "typeset") {
        for (name, value) in rest.iter().filter_map(|arg| arg.text.split_once('=')) {
            reader.variables.assign(name, value);
        }
    }
    if let ("read", Input::Text(text)) = (name, &place.input) {
        for variable in rest.iter().filter(|arg| !arg.text.starts_with('-')) {
            reader.variables.assign(&variable.text, text.trim());
        }
    }
    if let ("printf", [option, variable, values @ ..]) = (name, rest)
        && option.text == "-v"
    {
        for value in values {
            reader.variables.assign(&variable.text, &value.text);
        }
    }
    if let ("set", [_, values @ ..]) = (name, rest) {
        reader.variables.positional(values);
    }
}

/// The settings of `ssh` that are lines.
fn ssh(reader: &mut Reader, rest: &[Arg], place: &Place) {
    for arg in rest {
        let text = arg.text.strip_prefix("-o").unwrap_or(&arg.text);
        if let Some((key, line)) = text.split_once('=')
            && matches!(
                key.to_ascii_lowercase().as_str(),
                "proxycommand" | "localcommand" | "knownhostscommand"
            )
        {
            reader.script(&Arg { text: line.to_owned(), kind: arg.kind }, Dialect::Posix, place);
        }
    }
}

fn change_folder(name: &str, args: &[Arg], place: &Place) -> After {
    let scan = options::scan(args, &Spec::NONE);
    let failure = place.folders.clone();
    let success = match args.get(scan.next) {
        Some(folder) if name != "popd" && !folder.text.starts_with(['-', '+']) => {
            enter(&place.folders, folder)
        }
        Some(_) | None => vec![Folder::Unknown],
    };
    After { success, failure }
}

/// A wrapper that the shell itself is, so that `command cd` changes its folder.
fn transparent(reader: &mut Reader, args: &[Arg], place: &Place) -> After {
    let scan = options::scan(args, &Spec::NONE);
    let command = args.get(scan.next..).unwrap_or_default();
    if command.is_empty() {
        After::same(&place.folders)
    } else {
        reader.run(command, Files::default(), place)
    }
}

fn trap(reader: &mut Reader, args: &[Arg], place: &Place) {
    let args = match args.first() {
        Some(arg) if arg.text == "--" => args.get(1..).unwrap_or_default(),
        Some(_) | None => args,
    };
    if let Some(line) = args.first()
        && !line.text.starts_with('-')
        && args.len() > 1
    {
        // It runs later, wherever the shell is then.
        let place = Place { folders: vec![Folder::Unknown], ..place.clone() };
        reader.script(line, Dialect::Bash, &place);
    }
}

fn alias(reader: &mut Reader, args: &[Arg], place: &Place) {
    for arg in args {
        let Some((name, value)) = arg.text.split_once('=') else { continue };
        let value = Arg { text: value.to_owned(), kind: arg.kind };
        reader.script(&value, Dialect::Bash, place);
        if arg.is_known() {
            reader.aliases.insert(name.to_owned(), value.text);
        }
    }
}

fn line_options(reader: &mut Reader, args: &[Arg], lines: &'static str, place: &Place) {
    let spec = Spec { lines, permuted: true, ..Spec::NONE };
    let scan = options::scan(args, &spec);
    for line in scan.values(lines) {
        reader.script(line, Dialect::Posix, place);
    }
    for (option, value) in &scan.options {
        // `tar --checkpoint-action=exec=…`
        if option == "--checkpoint-action"
            && let Some(value) = value
        {
            let text = value.text.strip_prefix("exec=").unwrap_or_default().to_owned();
            reader.script(&Arg { text, kind: value.kind }, Dialect::Posix, place);
        }
    }
}

fn env(reader: &mut Reader, args: &[Arg], place: &Place) {
    let spec = Spec {
        values: "-u --unset -P",
        lines: "-S --split-string",
        last: "-S --split-string",
        folder: "-C --chdir",
        assignments: true,
        permuted: false,
    };
    let scan = options::scan(args, &spec);
    let mut inside = place.clone();
    for folder in scan.values(spec.folder) {
        inside.folders = enter(&inside.folders, folder);
    }
    for value in &scan.assignments {
        variable(reader, value, &inside);
    }
    let mut start = scan.next;
    // `env -` is `env -i`.
    while args.get(start).is_some_and(|arg| arg.text == "-" || options::is_assignment(&arg.text)) {
        start += 1;
    }
    let command = args.get(start..).unwrap_or_default();
    let split: Vec<&Arg> = scan.values(spec.lines).collect();
    if let Some(line) = split.last() {
        let mut text = line.text.replace('\\', " ");
        for arg in command {
            text.push(' ');
            text.push_str(&crate::run::quoted(arg));
        }
        let text = format!("env {text}");
        if line.text.contains(['\\', '$', '#', ';', '&', '|', '<', '>', '(', '`']) {
            reader.give_up("`env -S` has its own quoting", &line.text);
        }
        reader.script(&Arg { text, kind: line.kind }, Dialect::Posix, &inside);
    } else if !command.is_empty() {
        reader.run(command, Files::default(), &inside);
    }
}

fn find(reader: &mut Reader, args: &[Arg], place: &Place) {
    let mut index = 0;
    while let Some(arg) = args.get(index) {
        index += 1;
        if !matches!(arg.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir") {
            if arg.kind == ArgKind::Rest {
                reader.give_up("the arguments of `find` are only known at run time", "find");
            }
            continue;
        }
        let mut inside = place.clone();
        if arg.text.ends_with("dir") {
            inside.folders = vec![Folder::Unknown];
        }
        let rest = args.get(index..).unwrap_or_default();
        let end = rest.iter().enumerate().position(|(at, arg)| {
            arg.text == ";"
                || (arg.text == "+"
                    && at > 0
                    && rest.get(at - 1).is_some_and(|last| last.text == "{}"))
        });
        let end = end.unwrap_or(rest.len());
        let command = replaced(rest.get(..end).unwrap_or_default(), "{}");
        reader.run(&command, Files::default(), &inside);
        index += end;
    }
}

/// Marks the arguments that hold a placeholder.
fn replaced(args: &[Arg], placeholder: &str) -> Vec<Arg> {
    let mark = |arg: &Arg| {
        let kind = if arg.text.contains(placeholder) { ArgKind::Expansion } else { arg.kind };
        Arg { text: arg.text.clone(), kind }
    };
    args.iter().map(mark).collect()
}

fn xargs(reader: &mut Reader, args: &[Arg], place: &Place) {
    let spec = Spec {
        values: "-a -d -E -I -J -L -n -P -R -S -s --arg-file --delimiter --max-args --max-chars --max-procs --process-slot-var",
        ..Spec::NONE
    };
    let scan = options::scan(args, &spec);
    let mut command = args.get(scan.next..).unwrap_or_default().to_vec();
    if command.is_empty() {
        return;
    }
    let attached =
        |option: &str| scan.options.iter().any(|(name, value)| name == option && value.is_none());
    let mut placeholders: Vec<String> =
        scan.values("-I -J --replace").map(|value| value.text.clone()).collect();
    if attached("-i") || attached("--replace") {
        placeholders.push("{}".to_owned());
    }
    if placeholders.is_empty() {
        command.push(Arg { text: String::new(), kind: ArgKind::Rest });
    }
    for placeholder in &placeholders {
        command = replaced(&command, placeholder);
    }
    let inside = Place { input: Input::Unknown, ..place.clone() };
    let first = reader.commands.len();
    reader.run(&command, Files::default(), &inside);
    let given: Vec<String> = match (&place.piped, &place.input) {
        (Some(words), _) => words.to_vec(),
        (None, Input::Text(text)) => text.split_whitespace().map(str::to_owned).collect(),
        (None, Input::Inherited | Input::File | Input::Unknown) => return,
    };
    if given.len() > MAX_GIVEN {
        reader.give_up("`xargs` gets too many words", &line_of(args));
        return;
    }
    for command in reader.commands.iter_mut().skip(first) {
        let mut words = command.words.clone();
        for placeholder in &placeholders {
            let replace = |word: &String| word.replace(placeholder, &given.join(" "));
            words = words.iter().map(replace).collect();
        }
        if placeholders.is_empty() {
            words.extend(given.iter().cloned());
        }
        command.suspects.push(words);
    }
}

/// GNU parallel passes the words to a shell. Without words each input is a line.
fn parallel(reader: &mut Reader, args: &[Arg], place: &Place) {
    let spec = Spec {
        values: "-a -C -d -E -I -j -J -L -l -N -n -P -s -S --arg-file --basefile --block --colsep --delay --delimiter --env --halt --jobs --joblog --load --max-args --max-procs --memfree --nice --results --retries --rpl --sshlogin --tagstring --timeout --tmpdir --wd --workdir",
        ..Spec::NONE
    };
    let scan = options::scan(args, &spec);
    let rest = args.get(scan.next..).unwrap_or_default();
    let inputs = rest.iter().position(|arg| arg.text.starts_with(":::"));
    let (command, inputs) =
        rest.split_at_checked(inputs.unwrap_or(rest.len())).unwrap_or((rest, &[]));
    if command.is_empty() {
        if inputs.is_empty() {
            reader.give_up("`parallel` reads commands from its input", "parallel");
        }
        for line in inputs.iter().filter(|arg| !arg.text.starts_with(":::")) {
            reader.script(line, Dialect::Posix, place);
        }
        return;
    }
    let inside = Place { input: crate::walk::Input::Unknown, ..place.clone() };
    let command = replaced(command, "{");
    // The words as they are, and as the shell reads them again.
    let mut words = command.clone();
    words.push(Arg { text: String::new(), kind: ArgKind::Rest });
    reader.run(&words, Files::default(), &inside);
    if command.iter().any(|arg| {
        arg.text.contains(|letter: char| letter.is_whitespace() || ";&|<>$`(".contains(letter))
    }) {
        reader.joined(&command, &inside);
    }
}

fn flock(reader: &mut Reader, args: &[Arg], place: &Place) {
    let spec = Spec { values: "-E -w --conflict-exit-code --timeout --wait", ..Spec::NONE };
    let scan = options::scan(args, &spec);
    let rest = args.get(scan.next + 1..).unwrap_or_default();
    match rest.split_first() {
        Some((option, lines)) if matches!(option.text.as_str(), "-c" | "--command") => {
            if let Some(line) = lines.first() {
                reader.script(line, Dialect::Posix, place);
            }
        }
        Some(_) => {
            reader.run(rest, Files::default(), place);
        }
        None => {}
    }
}

/// `fd -x command`: up to `;`.
fn fd(reader: &mut Reader, args: &[Arg], place: &Place) {
    let mut rest = args;
    while let Some(at) = rest
        .iter()
        .position(|arg| matches!(arg.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"))
    {
        let command = rest.get(at + 1..).unwrap_or_default();
        let end = command.iter().position(|arg| arg.text == ";").unwrap_or(command.len());
        let command = replaced(command.get(..end).unwrap_or_default(), "{");
        reader.run(&command, Files::default(), place);
        rest = rest.get(at + 1 + end..).unwrap_or_default();
    }
}

/// The architecture may be missing, and options may follow it.
fn setarch(reader: &mut Reader, args: &[Arg], place: &Place) {
    const ARCHITECTURES: [&str; 12] = [
        "aarch64", "alpha", "arm", "i", "ia64", "linux", "mips", "parisc", "ppc", "riscv", "s390",
        "x86",
    ];
    let scan = options::scan(args, &Spec::NONE);
    let mut command = args.get(scan.next..).unwrap_or_default();
    let is_architecture = |arg: &Arg| {
        ARCHITECTURES.iter().any(|start| arg.text.starts_with(start))
            && arg.text.contains(|letter: char| letter.is_ascii_digit())
    };
    if command.first().is_some_and(is_architecture) {
        let after = command.get(1..).unwrap_or_default();
        command = after.get(options::scan(after, &Spec::NONE).next..).unwrap_or_default();
    }
    reader.run(command, Files::default(), place);
}

/// Whether a script of `awk` calls `system` or has a pipe to or from a command.
fn runs_in_awk(script: &str) -> bool {
    // Strings may hold anything.
    let mut code = String::new();
    let (mut quoted, mut escaped) = (false, false);
    for letter in script.chars() {
        if letter == '"' && !escaped {
            quoted = !quoted;
        }
        if !quoted && (letter == '\n' || !letter.is_whitespace()) {
            code.push(letter);
        }
        escaped = letter == '\\' && !escaped;
    }
    let code = code.replace("||", "");
    let prints = code.split("print").skip(1);
    let mut statements = prints.filter_map(|after| after.split([';', '}', '\n']).next());
    code.contains("system(")
        || code.contains("|getline")
        || code.contains("|&")
        || statements.any(|statement| statement.contains('|'))
        // A quote that does not close: it may be a part of a regular expression.
        || (quoted && (script.contains("system") || script.contains('|')))
}
