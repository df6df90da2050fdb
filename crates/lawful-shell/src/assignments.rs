//! Assignments: the variables that a line sets, and the commands that some of them hold.

use crate::expand::{Arg, ArgKind};
use crate::syntax::{Dialect, Word};
use crate::walk::{Place, Reader};

/// Looks at an assignment in front of a command.
pub(crate) fn assignment(reader: &mut Reader, name: &str, value: &Word, place: &Place) {
    let text = value.text();
    let literal = value.literal().is_some();
    let kind = if literal { ArgKind::Known } else { ArgKind::Expansion };
    assign(reader, name, &Arg { text, kind }, place);
}

/// Looks at an argument `NAME=value`.
pub(crate) fn variable(reader: &mut Reader, arg: &Arg, place: &Place) {
    if let Some((name, value)) = arg.text.split_once('=') {
        assign(reader, name, &Arg { text: value.to_owned(), kind: arg.kind }, place);
    }
}

/// A subscript in an argument of a builtin is arithmetic, which runs substitutions.
pub(crate) fn subscripts(reader: &mut Reader, args: &[Arg]) {
    for arg in args {
        if let Some((_, subscript)) = arg.text.split_once('[')
            && subscript.contains(['$', '`'])
            && arg.is_known()
        {
            reader.give_up("a subscript runs commands", &arg.text);
        }
    }
}

/// Variables whose value a shell or another program runs. Sorted.
pub(crate) const RUN_BY_NAME: &[&str] = &[
    "BROWSER",
    "EDITOR",
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "LESSCLOSE",
    "LESSOPEN",
    "MANPAGER",
    "PAGER",
    "PROMPT_COMMAND",
    "RSYNC_RSH",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "TAR_OPTIONS",
    "VISUAL",
];

fn assign(reader: &mut Reader, name: &str, value: &Arg, place: &Place) {
    reader.assigns = true;
    reader.variables.assign(name, &value.text);
    if RUN_BY_NAME.binary_search(&name).is_ok() {
        if !value.text.is_empty() {
            let place = Place { layer: place.layer + 1, ..place.clone() };
            reader.script(value, Dialect::Posix, &place);
        }
    } else if matches!(name, "PS0" | "PS1" | "PS2" | "PS4" | "BASH_ENV" | "ENV")
        || name.starts_with("BASH_FUNC_")
    {
        if value.text.contains(['$', '`'])
            || value.text.contains("<(")
            || name.starts_with("BASH_FUNC_")
        {
            reader.give_up("a variable holds commands", &value.text);
        }
    } else if name.starts_with("GIT_CONFIG") && !value.text.is_empty() {
        crate::git::environment(reader, name, value);
    } else if value.is_known() && value.text.contains('[') {
        subscripts(reader, std::slice::from_ref(value));
    }
}
