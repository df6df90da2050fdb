//! The files that a program writes, creates or deletes, from a table of programs.
//!
//! The table is for programs whose arguments say what they write. A write that only the program
//! knows (a build, a formatter, a script) cannot be seen here.

use crate::essence::{self, Sub};
use crate::expand::{Arg, ArgKind};
use crate::links;
use crate::options::{self, Scan, Spec};
use crate::reading::Write;
use crate::run::base_name;
use crate::sed;

/// Which operands a program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    /// Every operand.
    All,
    /// Every operand but the first, which is a mode or an owner.
    AfterFirst,
    /// Only the first.
    First,
    /// The last, or the same names in the folder of `-t`.
    Target,
    /// Every operand, and the sources in the last.
    Moved,
    /// None: only options say what is written.
    None,
}

/// A program that writes.
pub(crate) struct Writer {
    pub(crate) name: &'static str,
    pub(crate) which: Which,
    /// Options that take a value, separated by blanks.
    values: &'static str,
    /// Options whose value is written.
    outputs: &'static str,
    /// Options that reach everything below. `*` means always.
    tree: &'static str,
    /// One of these options must be there. Empty: none is needed.
    needs: &'static str,
}

const ROW: Writer =
    Writer { name: "", which: Which::All, values: "", outputs: "", tree: "", needs: "" };

const fn row(name: &'static str, which: Which, values: &'static str) -> Writer {
    Writer { name, which, values, ..ROW }
}

const fn output(name: &'static str, outputs: &'static str) -> Writer {
    Writer { name, which: Which::None, outputs, ..ROW }
}

const RECURSIVE: &str = "-R -r --recursive";

/// Sorted by name. A name with a blank is a program and its sub-command.
pub(crate) const WRITERS: &[Writer] = &[
    row("bunzip2", Which::All, ""),
    row("bzip2", Which::All, ""),
    Writer { tree: RECURSIVE, ..row("chattr", Which::AfterFirst, "-p -v") },
    Writer { tree: RECURSIVE, ..row("chgrp", Which::AfterFirst, "--from --reference") },
    Writer { tree: RECURSIVE, ..row("chmod", Which::AfterFirst, "--reference") },
    Writer { tree: RECURSIVE, ..row("chown", Which::AfterFirst, "--from --reference") },
    Writer { tree: "-R -a -r --archive --recursive", ..row("cp", Which::Target, "-S --suffix") },
    output(
        "curl",
        "-D -c -o --cookie-jar --dump-header --etag-save --output --output-dir --trace --trace-ascii",
    ),
    row("dos2unix", Which::All, ""),
    row("ed", Which::All, "-p"),
    row("ex", Which::All, "-c -S"),
    Writer { outputs: "-o --output", ..row("gcc", Which::None, "") },
    Writer { tree: "*", outputs: "-o --output", ..row("git archive", Which::None, "") },
    Writer { tree: "*", ..row("git checkout", Which::All, "-b -B --orphan --conflict") },
    row(
        "git clone",
        Which::Target,
        "-b -c -j -o -u --branch --config --depth --jobs --origin --reference --upload-pack",
    ),
    output("git config", "-f --file"),
    Writer {
        tree: "*",
        outputs: "-o --output-directory",
        ..row("git format-patch", Which::None, "")
    },
    Writer { tree: "*", ..row("git init", Which::All, "-b --initial-branch --template") },
    Writer { tree: "*", ..row("git mv", Which::Moved, "") },
    Writer { tree: "*", ..row("git restore", Which::All, "-s --source --conflict") },
    Writer { tree: "*", ..row("git rm", Which::All, "") },
    output("go", "-o"),
    row("gunzip", Which::All, ""),
    row("gzip", Which::All, "-S --suffix"),
    row("install", Which::Target, "-S -g -m -o --group --mode --owner --suffix"),
    row("mkdir", Which::All, "-m --mode"),
    row("mkfifo", Which::All, "-m --mode"),
    row("mknod", Which::First, "-m --mode"),
    Writer { outputs: "-p --tmpdir", ..row("mktemp", Which::All, "--suffix") },
    Writer { tree: "*", ..row("mv", Which::Moved, "-S --suffix") },
    row("nano", Which::All, ""),
    output("openssl", "-out"),
    Writer {
        outputs: "-o -r --output --reject-file",
        ..row("patch", Which::First, "-B -D -F -Y -d -i -p -z --input --strip --directory")
    },
    Writer { tree: RECURSIVE, ..row("rm", Which::All, "") },
    row("rmdir", Which::All, ""),
    Writer {
        tree: "*",
        ..row(
            "rsync",
            Which::Target,
            "-B -T -e -f -M --bwlimit --chmod --chown --compare-dest --copy-dest --exclude --exclude-from --files-from --filter --include --include-from --info --link-dest --log-file --max-size --min-size --out-format --partial-dir --port --rsh --rsync-path --suffix --temp-dir --timeout",
        )
    },
    Writer { tree: RECURSIVE, ..row("scp", Which::Target, "-F -J -P -S -c -i -l -o") },
    Writer { tree: RECURSIVE, ..row("setfacl", Which::All, "-M -X -m -x --modify --remove") },
    row("shred", Which::All, "-n -s --iterations --size"),
    output("sort", "-o --output"),
    row(
        "split",
        Which::AfterFirst,
        "-C -a -b -l -n -t --bytes --filter --line-bytes --lines --number --separator --suffix-length",
    ),
    row("sponge", Which::All, ""),
    output("ssh-keygen", "-f"),
    output("strace", "-o --output"),
    row("tee", Which::All, "--output-error"),
    row("touch", Which::All, "-d -r -t --date --reference --time"),
    row("truncate", Which::All, "-r -s --reference --size"),
    row("uniq", Which::AfterFirst, "-f -s -w --check-chars --skip-chars --skip-fields"),
    row("unlink", Which::All, ""),
    row("unxz", Which::All, ""),
    row("vi", Which::All, "-c -S"),
    row("vim", Which::All, "-c -S"),
    output(
        "wget",
        "-O -P -a -o --append-output --directory-prefix --output-document --output-file",
    ),
    row("xz", Which::All, "-T -S --suffix --threads"),
    Writer {
        needs: "-i --in-place --inplace",
        ..row("yq", Which::AfterFirst, "-I -o -p --indent")
    },
    row("zip", Which::First, "-i -x -b -t"),
    row("zstd", Which::All, "-T -o --threads"),
];

fn writer(name: &str) -> Option<&'static Writer> {
    let index = WRITERS.binary_search_by(|writer| writer.name.cmp(name)).ok()?;
    WRITERS.get(index)
}

/// What a program writes. The first argument is the program.
pub(crate) fn of(name: &str, args: &[Arg]) -> Vec<Write> {
    let rest = args.get(1..).unwrap_or_default();
    match name {
        "dd" => dd(rest),
        "find" => find(rest),
        "sed" | "gsed" => {
            let mut writes = in_place(rest, SED_VALUES, SED_SCRIPTS);
            let files = sed_scripts(rest).flat_map(|script| script.files);
            writes.extend(files.map(|file| write(&Arg::known(file), false)));
            writes
        }
        "awk" | "gawk" if rest.windows(2).any(is_inplace) => {
            let spec = Spec { values: "-F -f -i -v -e", permuted: true, ..Spec::NONE };
            let (scan, operands) = operands(rest, &spec);
            let skip = usize::from(!scan.has("-f -e"));
            operands.iter().skip(skip).map(|arg| write(arg, false)).collect()
        }
        "bunzip2" | "bzip2" | "gunzip" | "gzip" | "unxz" | "xz" | "zstd" => compressed(name, rest),
        "zip" if rest.iter().any(|arg| matches!(arg.text.as_str(), "-m" | "-rm" | "--move")) => {
            let all = |writer: &Writer| {
                written(&Writer { which: Which::All, tree: "*", ..*writer }, rest)
            };
            writer("zip").map(all).unwrap_or_default()
        }
        "perl" | "ruby" => in_place(rest, "-e -E -I -M -m -r", "-e -E"),
        "tar" | "bsdtar" | "gtar" => tar(rest),
        "unzip" => unzip(rest),
        "git" => git(args),
        "install" if rest.iter().any(|arg| arg.text == "-d" || arg.text == "--directory") => {
            writer("mkdir").map(|writer| written(writer, rest)).unwrap_or_default()
        }
        "chmod" if rest.iter().any(is_mode) => {
            let all = |writer: &Writer| written(&Writer { which: Which::All, ..*writer }, rest);
            writer("chmod").map(all).unwrap_or_default()
        }
        "patch" => patch(rest),
        "ln" | "link" | "mount" => linked(name, args),
        "cp" => {
            let mut writes = writer("cp").map(|writer| written(writer, rest)).unwrap_or_default();
            let made = links::made(name, args);
            let equal = made.iter().flat_map(|made| &made.equal);
            writes.extend(equal.map(|source| write(source, true)));
            writes
        }
        "curl" | "wget" => download(name, rest),
        _ => writer(name).map(|writer| written(writer, rest)).unwrap_or_default(),
    }
}

/// The new names, and what can be changed by a name that is equal to the old one.
fn linked(name: &str, args: &[Arg]) -> Vec<Write> {
    let Some(made) = links::made(name, args) else { return Vec::new() };
    let is_tree = name == "mount";
    let mut writes: Vec<Write> = Vec::new();
    writes.extend(made.names.iter().map(|name| write(name, is_tree)));
    writes.extend(made.equal.iter().map(|source| write(source, is_tree)));
    writes
}

const SED_VALUES: &str = "-e -f -l --expression --file --line-length";
const SED_SCRIPTS: &str = "-e -f --expression --file";

/// The scripts in the arguments of `sed`.
pub(crate) fn sed_scripts(args: &[Arg]) -> impl Iterator<Item = sed::Script> {
    let spec = Spec { values: SED_VALUES, permuted: true, ..Spec::NONE };
    let (scan, operands) = operands(args, &spec);
    let mut scripts: Vec<Arg> = scan.values("-e --expression").cloned().collect();
    if !scan.has(SED_SCRIPTS) {
        scripts.extend(operands.into_iter().take(1));
    }
    scripts.into_iter().map(|script| sed::read(&script.text))
}

/// `-i inplace`
fn is_inplace(pair: &[Arg]) -> bool {
    let texts: Vec<&str> = pair.iter().map(|arg| arg.text.as_str()).collect();
    matches!(texts.as_slice(), ["-i" | "--include", "inplace"] | [_, "-iinplace"])
}

/// A file is replaced by one with or without the suffix.
fn compressed(name: &str, args: &[Arg]) -> Vec<Write> {
    let mut writes = writer(name).map(|writer| written(writer, args)).unwrap_or_default();
    let suffix = match name {
        "gunzip" | "gzip" => ".gz",
        "bunzip2" | "bzip2" => ".bz2",
        "unxz" | "xz" => ".xz",
        _ => ".zst",
    };
    let others: Vec<Write> = writes
        .iter()
        .filter_map(|write| write.path.strip_suffix(suffix).map(|path| (write, path.to_owned())))
        .map(|(write, path)| Write { path, ..write.clone() })
        .collect();
    writes.extend(others);
    writes
}

/// A mode that looks like an option, such as `-x`: then every operand is a file.
fn is_mode(arg: &Arg) -> bool {
    let rest = arg.text.strip_prefix('-');
    rest.is_some_and(|rest| rest.starts_with(['r', 'w', 'x', 'X', 's', 't', 'u', 'g', 'o']))
}

/// Without an operand, the patch names the files. `-d` is the folder of all of them.
fn patch(args: &[Arg]) -> Vec<Write> {
    let mut writes = writer("patch").map(|writer| written(writer, args)).unwrap_or_default();
    let spec = Spec { folder: "-d --directory", permuted: true, ..Spec::NONE };
    writes.extend(options::scan(args, &spec).values(spec.folder).map(somewhere));
    if writes.is_empty() && !args.iter().any(|arg| arg.text == "--dry-run") {
        writes.push(somewhere(&Arg::known(".")));
    }
    writes
}

/// The named file, or the last part of each address.
fn download(name: &str, args: &[Arg]) -> Vec<Write> {
    let mut writes = writer(name).map(|writer| written(writer, args)).unwrap_or_default();
    let names_remotely = |arg: &Arg| {
        let text = arg.text.as_str();
        matches!(text, "--remote-name" | "--remote-name-all")
            || (text.starts_with('-') && !text.starts_with("--") && text.contains('O'))
    };
    let option = if name == "curl" { "--output-dir" } else { "-P --directory-prefix" };
    let folders = Spec { folder: option, permuted: true, ..Spec::NONE };
    let document = Spec { values: "-O --output-document", permuted: true, ..Spec::NONE };
    let named = options::scan(args, &document).has(document.values);
    if (name == "curl" && args.iter().any(names_remotely)) || (name == "wget" && !named) {
        for address in args.iter().filter(|arg| arg.text.contains("://")) {
            let path = address.text.split(['?', '#']).next().unwrap_or_default();
            let file = Arg { text: base_name(path).to_owned(), kind: address.kind };
            let folder = options::scan(args, &folders).values(folders.folder).last().cloned();
            let file = folder.map_or(file.clone(), |folder| below(&folder, &file));
            writes.push(write(&file, false));
        }
    }
    writes
}

fn written(writer: &Writer, args: &[Arg]) -> Vec<Write> {
    let spec = Spec {
        values: writer.values,
        lines: writer.outputs,
        folder: "-t --target-directory",
        permuted: true,
        ..Spec::NONE
    };
    let uses_target = matches!(writer.which, Which::Target | Which::Moved);
    let spec = if uses_target { spec } else { Spec { folder: "", ..spec } };
    let (scan, operands) = operands(args, &spec);
    if !writer.needs.is_empty()
        && !scan.options.iter().any(|(option, _)| options::lists(writer.needs, option))
    {
        return Vec::new();
    }
    let tree = writer.tree == "*"
        || scan.options.iter().any(|(option, _)| options::lists(writer.tree, option));
    let mut writes: Vec<Write> = scan.values(writer.outputs).map(|arg| write(arg, tree)).collect();
    let folder = scan.values(spec.folder).last().cloned();
    match writer.which {
        Which::None => {}
        Which::All => writes.extend(operands.iter().map(|arg| write(arg, tree))),
        Which::First => writes.extend(operands.iter().take(1).map(|arg| write(arg, tree))),
        Which::AfterFirst => {
            let skip = usize::from(!scan.has("--reference"));
            writes.extend(operands.iter().skip(skip).map(|arg| write(arg, tree)));
        }
        Which::Target | Which::Moved => {
            let (sources, target) = match (&folder, operands.split_last()) {
                (Some(folder), _) => (operands.as_slice(), Some(folder)),
                (None, Some((last, sources))) => (sources, Some(last)),
                (None, None) => (operands.as_slice(), None),
            };
            if writer.which == Which::Moved {
                writes.extend(sources.iter().map(|arg| write(arg, tree)));
            }
            let Some(target) = target else { return writes };
            // Of a folder, only what the sources are called is written.
            if folder.is_none() && sources.len() <= 1 && !is_folder(target) {
                writes.push(write(target, tree));
            }
            for source in sources {
                let spills = tree && writer.which == Which::Target && spills(source);
                if spills && scan.options.iter().any(|(option, _)| option.starts_with("--del")) {
                    writes.push(write(target, true));
                } else if spills {
                    writes.push(somewhere(target));
                }
                if !is_itself(source) {
                    writes.push(write(&below(target, source), tree));
                }
            }
        }
    }
    writes
}

/// The options, and the words that are no options.
fn operands(args: &[Arg], spec: &Spec) -> (Scan, Vec<Arg>) {
    let scan = options::scan(args, spec);
    let operands = scan.operands.iter().filter_map(|index| args.get(*index)).cloned().collect();
    (scan, operands)
}

/// Whether a word can only be a folder.
pub(crate) fn is_folder(arg: &Arg) -> bool {
    arg.is_known() && (arg.text.ends_with('/') || is_itself(arg))
}

/// Whether a word names a folder by its place: `.`, `a/..`.
fn is_itself(arg: &Arg) -> bool {
    matches!(base_name(arg.text.trim_end_matches('/')), "." | ".." | "")
}

/// Whether the files in a source are copied, and not the folder that they are in: `a/`, `a/.`.
fn spills(source: &Arg) -> bool {
    source.text.ends_with('/') || is_itself(source)
}

fn write(arg: &Arg, tree: bool) -> Write {
    Write { path: arg.text.clone(), tree, known: arg.is_known() }
}

pub(crate) fn below(folder: &Arg, source: &Arg) -> Arg {
    let name = base_name(source.text.trim_end_matches('/'));
    let known = folder.is_known() && source.is_known();
    let kind = if known { ArgKind::Known } else { ArgKind::Expansion };
    Arg { text: format!("{}/{name}", folder.text.trim_end_matches('/')), kind }
}

fn dd(args: &[Arg]) -> Vec<Write> {
    args.iter()
        .filter_map(|arg| {
            let path = arg.text.strip_prefix("of=")?;
            Some(Write { path: path.to_owned(), tree: false, known: arg.is_known() })
        })
        .collect()
}

fn find(args: &[Arg]) -> Vec<Write> {
    let mut writes = Vec::new();
    if args.iter().any(|arg| arg.text == "-delete") {
        let roots: Vec<&Arg> = args
            .iter()
            .skip_while(|arg| matches!(arg.text.as_str(), "-H" | "-L" | "-P"))
            .take_while(|arg| !arg.text.starts_with(['-', '(', '!']))
            .collect();
        writes.extend(roots.iter().map(|root| somewhere(root)));
        if roots.is_empty() {
            writes.push(somewhere(&Arg::known(".")));
        }
    }
    for pair in args.windows(2) {
        if let [option, file] = pair
            && matches!(option.text.as_str(), "-fls" | "-fprint" | "-fprint0" | "-fprintf")
        {
            writes.push(write(file, false));
        }
    }
    writes
}

/// `sed -i` and the like: the operands after the script.
fn in_place(args: &[Arg], values: &'static str, scripts: &'static str) -> Vec<Write> {
    let spec = Spec { values, permuted: true, ..Spec::NONE };
    let (scan, operands) = operands(args, &spec);
    let edits = scan.has("-i --in-place")
        || args.iter().any(|arg| arg.text.starts_with("-i") || arg.text.starts_with("--in-place"));
    if !edits {
        return Vec::new();
    }
    // On some systems `-i` takes a word of its own, so the script may be one word further on: what
    // is a script here is never a file that matters.
    let skip = usize::from(!scan.options.iter().any(|(option, _)| options::lists(scripts, option)));
    operands.iter().skip(skip).map(|arg| write(arg, false)).collect()
}

fn tar(args: &[Arg]) -> Vec<Write> {
    let Some(first) = args.first() else { return Vec::new() };
    // `tar xf file`: letters without a dash.
    let bundled = !first.text.starts_with('-');
    let letters = |text: &str| text.trim_start_matches('-').to_owned();
    let has = |letter: char, long: &str| {
        (bundled && first.text.contains(letter))
            || args.iter().any(|arg| {
                arg.text == long
                    || (arg.text.starts_with('-')
                        && !arg.text.starts_with("--")
                        && letters(&arg.text).contains(letter))
            })
    };
    let spec = Spec {
        values: "-f -T -X -b -g --exclude --files-from --exclude-from --file",
        folder: "-C --directory --one-top-level",
        permuted: true,
        ..Spec::NONE
    };
    let (scan, operands) = operands(args, &spec);
    let folder = scan.values(spec.folder).last().cloned();
    if has('x', "--extract") || has('x', "--get") {
        return vec![somewhere(&folder.unwrap_or_else(|| Arg::known(".")))];
    }
    let mut removed = Vec::new();
    if args.iter().any(|arg| arg.text == "--remove-files") {
        removed.extend(operands.iter().skip(usize::from(bundled)).map(|arg| write(arg, true)));
    }
    if has('c', "--create") || has('r', "--append") || has('u', "--update") {
        let file = scan.values("-f --file").last().cloned();
        let file = file
            .or_else(|| operands.get(usize::from(bundled)).filter(|_| has('f', "--file")).cloned());
        let file = file.iter().filter(|file| file.text != "-").map(|file| write(file, false));
        return file.chain(removed).collect();
    }
    Vec::new()
}

fn unzip(args: &[Arg]) -> Vec<Write> {
    let spec = Spec { folder: "-d", values: "-P", permuted: true, ..Spec::NONE };
    let (scan, _) = operands(args, &spec);
    if scan.has("-l") || scan.has("-t") || scan.has("-p") || scan.has("-v") {
        return Vec::new();
    }
    let folder = scan.values("-d").last().cloned();
    vec![somewhere(&folder.unwrap_or_else(|| Arg::known(".")))]
}

fn git(args: &[Arg]) -> Vec<Write> {
    let Some(global) = essence::global("git") else { return Vec::new() };
    let Sub::At(index) = essence::sub_command(global, args) else { return Vec::new() };
    let rest = args.get(index + 1..).unwrap_or_default();
    let sub = args.get(index).map(|arg| arg.text.as_str()).unwrap_or_default();
    let has = |wanted: &str| rest.iter().any(|arg| arg.text == wanted);
    let whole = somewhere(&Arg::known("."));
    match sub {
        "reset" if has("--hard") || has("--merge") || has("--keep") => vec![whole],
        "clean" if !has("-n") && !has("--dry-run") => {
            let named = writer("git rm").map(|writer| written(writer, rest)).unwrap_or_default();
            // It deletes whatever git does not know, so nothing in the folder is safe.
            if named.is_empty() { vec![write(&Arg::known("."), true)] } else { named }
        }
        "apply" | "am" if !has("--check") && !has("--stat") => vec![whole],
        "stash" if !has("list") && !has("show") && !has("drop") && !has("clear") => vec![whole],
        "clone" => {
            let writes =
                writer("git clone").map(|writer| written(writer, rest)).unwrap_or_default();
            // Only an address: the folder gets its last part.
            match writes.as_slice() {
                [address] => {
                    let path = address.path.trim_end_matches('/');
                    let name = base_name(path.strip_suffix(".git").unwrap_or(path));
                    vec![Write { path: name.to_owned(), tree: true, known: address.known }]
                }
                _ => {
                    writes.into_iter().take(1).map(|write| Write { tree: true, ..write }).collect()
                }
            }
        }
        "worktree" if has("add") => rest
            .iter()
            .skip(1)
            .filter(|arg| !arg.text.starts_with('-'))
            .map(|arg| write(arg, true))
            .collect(),
        // The index is no file of the project.
        "restore" if (has("--staged") || has("-S")) && !has("--worktree") && !has("-W") => {
            Vec::new()
        }
        "checkout" | "restore" => {
            let name = format!("git {sub}");
            let writes = writer(&name).map(|writer| written(writer, rest)).unwrap_or_default();
            writes.into_iter().flat_map(restored).collect()
        }
        "diff" | "log" | "show" => written(&output("", "--output"), rest),
        _ => writer(&format!("git {sub}")).map(|writer| written(writer, rest)).unwrap_or_default(),
    }
}

/// Git restores the files that it knows: of a folder, some of the files in it.
fn restored(write: Write) -> Vec<Write> {
    let path = Arg::known(write.path.clone());
    if write.known && write.path.starts_with(':') {
        // `:/a`, `:(top,icase)a`: from the root of the repository, which may be elsewhere.
        let rest = write.path.trim_start_matches([':', '/', '!', '^']);
        let rest =
            rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |r| r.1);
        let named = Write { path: rest.to_owned(), ..write };
        let named = Some(named).filter(|named| !named.path.is_empty());
        return [somewhere(&Arg::known("."))].into_iter().chain(named).collect();
    }
    vec![if write.known && is_folder(&path) { somewhere(&path) } else { write }]
}

/// Some of what is below a folder.
fn somewhere(folder: &Arg) -> Write {
    Write { path: folder.text.clone(), tree: true, known: false }
}
