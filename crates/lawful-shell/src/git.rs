//! Git runs commands from its configuration.

use crate::expand::Arg;
use crate::options::{self, Spec};
use crate::run::quoted;
use crate::syntax::Dialect;
use crate::walk::{Place, Reader};

/// The last part of keys whose value git runs, in lowercase. Sorted.
pub(crate) const RUN_KEYS: &[&str] = &[
    "askpass",
    "clean",
    "cmd",
    "command",
    "driver",
    "editor",
    "external",
    "fsmonitor",
    "gitproxy",
    "helper",
    "packobjectshook",
    "pager",
    "process",
    "program",
    "smudge",
    "sshcommand",
    "textconv",
];

/// Reads what the options and arguments of `git` run. `sub` is the index of the sub-command.
pub(crate) fn run(reader: &mut Reader, args: &[Arg], sub: usize, place: &Place) {
    let spec =
        Spec { values: "-C -c --git-dir --work-tree --namespace --config-env", ..Spec::NONE };
    let scan = options::scan(args.get(1..sub).unwrap_or_default(), &spec);
    let rest = args.get(sub..).unwrap_or_default();
    for setting in scan.values("-c") {
        if let Some((key, value)) = setting.text.split_once('=') {
            let value = Arg { text: value.to_owned(), kind: setting.kind };
            configured(reader, key, &value, rest, place);
        } else if !setting.is_known() {
            reader.give_up("a setting of git is only known at run time", &setting.text);
        }
    }
    if scan.has("--config-env") || scan.has("--exec-path") {
        reader.give_up("git runs programs from another place", &crate::run::line_of(args));
    }
    let clones =
        rest.first().is_some_and(|sub| matches!(sub.text.as_str(), "clone" | "init" | "submodule"));
    for pair in rest.windows(2) {
        let [key, value] = pair else { continue };
        if rest.first().is_some_and(|sub| sub.text == "config") {
            configured(reader, &key.text, value, &[], place);
        }
        if clones
            && matches!(key.text.as_str(), "-c" | "--config")
            && let Some((key, setting)) = value.text.split_once('=')
        {
            configured(
                reader,
                key,
                &Arg { text: setting.to_owned(), kind: value.kind },
                &[],
                place,
            );
        }
    }
    for arg in rest {
        if let Some(line) = arg.text.strip_prefix("ext::") {
            reader.give_up("a transport of git runs a command", &arg.text);
            let text = line.replace("% ", " ");
            reader.script(&Arg { text, kind: arg.kind }, Dialect::Posix, place);
        }
    }
}

/// Settings in the environment.
pub(crate) fn environment(reader: &mut Reader, name: &str, value: &Arg) {
    let harmless = matches!(name, "GIT_CONFIG_NOSYSTEM" | "GIT_CONFIG_COUNT")
        || (matches!(name, "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM" | "GIT_CONFIG")
            && value.text == "/dev/null");
    if !harmless {
        reader.give_up("a variable configures git", &value.text);
    }
}

/// A setting: an alias is a command, and some other values are, too.
fn configured(reader: &mut Reader, key: &str, value: &Arg, used: &[Arg], place: &Place) {
    let key = key.to_lowercase();
    if let Some(alias) = key.strip_prefix("alias.") {
        let mut line = match value.text.strip_prefix('!') {
            Some(line) => line.to_owned(),
            None => format!("git {}", value.text),
        };
        if used.first().is_some_and(|sub| sub.text.to_lowercase() == alias) {
            for arg in used.iter().skip(1) {
                line.push(' ');
                line.push_str(&quoted(arg));
            }
        }
        reader.script(&Arg { text: line, kind: value.kind }, Dialect::Posix, place);
        return;
    }
    let Some((section, last)) = key.rsplit_once('.') else { return };
    let runs = RUN_KEYS.binary_search(&last).is_ok() || section == "pager";
    if !runs || value.text.is_empty() {
        return;
    }
    let line = match value.text.strip_prefix('!') {
        Some(line) => line,
        // A helper without a path is a sub-command of git, and most other values may be names.
        None if last == "helper" && !value.text.starts_with('/') => return,
        None if matches!(value.text.as_str(), "true" | "false") => return,
        None => &value.text,
    };
    reader.script(&Arg { text: line.to_owned(), kind: value.kind }, Dialect::Posix, place);
}
