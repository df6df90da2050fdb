//! The programs that give a file or folder another name.
//!
//! A name that the line makes is not on the disk while the line is read. So whoever resolves the paths
//! of the line has to know it.

use crate::expand::{Arg, ArgKind};
use crate::options::{self, Scan, Spec};
use crate::reading::Link;
use crate::run::base_name;
use crate::writes::{below, is_folder};

/// The names that a program makes. The first argument is the program.
pub(crate) fn of(name: &str, args: &[Arg]) -> Vec<Link> {
    made(name, args).map(|made| made.links).unwrap_or_default()
}

/// The names, and the files that can be changed by them from now on.
pub(crate) struct Made {
    pub(crate) links: Vec<Link>,
    /// The names alone.
    pub(crate) names: Vec<Arg>,
    /// The sources of names that are equal to the old ones: hard links and mounted folders. Nobody can
    /// tell afterwards that they lead to the source.
    pub(crate) equal: Vec<Arg>,
}

/// What a program makes, if it is one that makes names.
pub(crate) fn made(name: &str, args: &[Arg]) -> Option<Made> {
    let rest = args.get(1..).unwrap_or_default();
    let spec = Spec {
        values: "-S --suffix -o --options",
        folder: "-t --target-directory",
        permuted: true,
        ..Spec::NONE
    };
    let spec = if name == "mount" { Spec { folder: "", values: "-t -o", ..spec } } else { spec };
    let scan = options::scan(rest, &spec);
    let is_bound = || {
        let list = |arg: &Arg| arg.text.split(',').any(|one| one == "bind" || one == "rbind");
        scan.has("-B -R --bind --rbind --move -M") || scan.values("-o").any(list)
    };
    let symbolic = match name {
        "ln" => scan.has("-s --symbolic"),
        "cp" if scan.has("-s --symbolic-link") => true,
        "cp" if scan.has("-l --link") => false,
        "link" => false,
        "mount" if is_bound() => false,
        _ => return None,
    };
    let operands: Vec<&Arg> = scan.operands.iter().filter_map(|index| rest.get(*index)).collect();
    // Only `ln` computes or keeps a target that is relative to the name.
    let from_name = name == "ln" && symbolic && !scan.has("-r --relative");
    // `link` and `mount` never make a name in the folder that they are given.
    let in_folders = matches!(name, "cp" | "ln") && !scan.has("-T --no-target-directory");
    let names = names(&scan, spec.folder, &operands, in_folders);
    let link = |(name, target): &(Arg, &Arg)| Link {
        known: name.is_known() && target.is_known(),
        name: name.text.clone(),
        target: target.text.clone(),
        from_name,
    };
    let links = names.iter().map(link).collect();
    let names = names.into_iter().map(|(name, _)| name).collect();
    let equal = if symbolic { Vec::new() } else { sources(&scan, spec.folder, &operands) };
    Some(Made { links, names, equal })
}

fn sources(scan: &Scan, folder: &str, operands: &[&Arg]) -> Vec<Arg> {
    let named = scan.values(folder).next().is_some();
    let count = if named || operands.len() == 1 {
        operands.len()
    } else {
        operands.len().saturating_sub(1)
    };
    operands.iter().take(count).map(|arg| (*arg).clone()).collect()
}

/// Each name with its target.
fn names<'a>(
    scan: &Scan,
    folder: &str,
    operands: &[&'a Arg],
    in_folders: bool,
) -> Vec<(Arg, &'a Arg)> {
    let folder = scan.values(folder).last().cloned();
    let (sources, target) = match (&folder, operands) {
        (Some(folder), sources) => (sources, folder),
        (None, [only]) => {
            // In the working directory.
            let name = base_name(only.text.trim_end_matches('/')).to_owned();
            let kind = if only.is_known() { ArgKind::Known } else { ArgKind::Expansion };
            return vec![(Arg { text: name, kind }, only)];
        }
        (None, [sources @ .., last]) => (sources, *last),
        (None, []) => return Vec::new(),
    };
    let certainly = in_folders && (folder.is_some() || sources.len() > 1 || is_folder(target));
    let mut names = Vec::new();
    for source in sources {
        if !certainly {
            names.push((target.clone(), *source));
        }
        if in_folders {
            names.push((below(target, source), *source));
        }
    }
    names
}
