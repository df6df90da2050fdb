//! Shells: where their script is.

use crate::expand::{Arg, ArgKind};
use crate::run::line_of;
use crate::syntax::Dialect;
use crate::walk::{Place, Reader};

/// Sorted.
pub(crate) const SHELLS: &[&str] = &[
    "ash", "bash", "csh", "dash", "fish", "hush", "ksh", "ksh93", "mksh", "posh", "rbash", "sh",
    "tcsh", "yash", "zsh",
];

/// Options of shells that take a value. `-o` and `+o` may stand in a cluster.
const VALUES: &[&str] =
    &["--init-file", "--rcfile", "-O", "+O", "-o", "+o", "-C", "--init-command"];

pub(crate) fn is_shell(name: &str) -> bool {
    SHELLS.binary_search(&name).is_ok()
}

/// Reads the script of a shell.
pub(crate) fn run(reader: &mut Reader, name: &str, args: &[Arg], place: &Place) {
    let dialect = match name {
        "bash" | "rbash" | "zsh" | "ksh" | "ksh93" | "mksh" => Dialect::Bash,
        _ => Dialect::Posix,
    };
    let mut index = 1;
    let mut from_option = false;
    let mut from_input = false;
    while let Some(arg) = args.get(index) {
        let text = arg.text.as_str();
        if matches!(text, "--" | "-") {
            index += 1;
            break;
        }
        if !text.starts_with(['-', '+']) {
            break;
        }
        if !arg.is_known() {
            reader.give_up("a script is only known at run time", &line_of(args));
        }
        index += 1;
        if text == "--command" {
            from_option = true;
        } else if text == "--rcfile" || text == "--init-file" {
            if args.get(index).is_some_and(|file| !file.is_known() || is_input(&file.text)) {
                reader.give_up("a script is only known at run time", &line_of(args));
            }
            index += 1;
        } else if !text.starts_with("--") {
            from_option |= text.starts_with('-') && text.contains('c');
            from_input |= text.starts_with('-') && text.contains('s');
            if VALUES.contains(&text) || text.ends_with(['o', 'O']) {
                index += 1;
            }
        }
    }
    if matches!(name, "csh" | "fish" | "tcsh") && args.len() > 1 {
        reader.give_up("the script is in another language", &line_of(args));
    }
    match args.get(index) {
        Some(script) if from_option => {
            reader.variables.positional(args.get(index + 2..).unwrap_or_default());
            reader.script(script, dialect, place);
        }
        None if from_option => {}
        Some(file) if !from_input => match file.kind {
            ArgKind::Known if is_input(&file.text) => reader.reads_script(place, &line_of(args)),
            ArgKind::Known if reader.makes_pipes => {
                reader.give_up("a script is only known at run time", &line_of(args));
            }
            ArgKind::Known => {}
            // With a folder in it, this is a file; otherwise it may as well be an option.
            ArgKind::Expansion if file.text.contains('/') => {}
            ArgKind::Expansion | ArgKind::Process | ArgKind::Rest => {
                reader.give_up("a script is only known at run time", &line_of(args));
            }
        },
        Some(_) | None => reader.reads_script(place, &line_of(args)),
    }
}

/// The names of the standard input.
pub(crate) fn is_input(path: &str) -> bool {
    path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/")
}
