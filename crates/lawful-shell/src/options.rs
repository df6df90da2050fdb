//! Options in front of the words that matter.

use crate::expand::Arg;

/// Which options a program has, as far as they decide where the other words start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spec {
    /// Options that take a value, separated by blanks.
    pub(crate) values: &'static str,
    /// Options whose value is a line for a shell.
    pub(crate) lines: &'static str,
    /// Options whose value is the working directory.
    pub(crate) folder: &'static str,
    /// Options after whose value no more options come.
    pub(crate) last: &'static str,
    /// `NAME=value` may come between the options and the command.
    pub(crate) assignments: bool,
    /// Options may come after other words.
    pub(crate) permuted: bool,
}

impl Spec {
    pub(crate) const NONE: Self =
        Self { values: "", lines: "", folder: "", last: "", assignments: false, permuted: false };

    fn takes_value(&self, option: &str) -> bool {
        lists(self.values, option) || lists(self.lines, option) || lists(self.folder, option)
    }
}

/// What is in front of the words that matter.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The index of the first word that is no option.
    pub(crate) next: usize,
    /// Each option with its value.
    pub(crate) options: Vec<(String, Option<Arg>)>,
    pub(crate) assignments: Vec<Arg>,
    /// The indices of the words that are no options, if those may be anywhere.
    pub(crate) operands: Vec<usize>,
}

impl Scan {
    pub(crate) fn has(&self, wanted: &str) -> bool {
        self.options.iter().any(|(option, _)| lists(wanted, option))
    }

    /// The values of options, in order.
    pub(crate) fn values<'a>(&'a self, wanted: &'a str) -> impl Iterator<Item = &'a Arg> {
        self.options
            .iter()
            .filter(move |(option, _)| lists(wanted, option))
            .filter_map(|(_, value)| value.as_ref())
    }
}

/// Whether a list of options, separated by blanks, has this one.
pub(crate) fn lists(options: &str, wanted: &str) -> bool {
    options.split(' ').any(|option| option == wanted && !option.is_empty())
}

/// Reads options up to the first other word, or all of them if they may be anywhere.
pub(crate) fn scan(args: &[Arg], spec: &Spec) -> Scan {
    let mut scan = Scan::default();
    let mut index = 0;
    while let Some(arg) = args.get(index) {
        if scan.options.last().is_some_and(|(option, _)| lists(spec.last, option)) {
            break;
        }
        let text = arg.text.as_str();
        let value_of = |at: usize| args.get(at).cloned();
        if text == "--" {
            index += 1;
            break;
        }
        if !arg.is_known() && !text.starts_with('-') {
            if spec.permuted {
                scan.operands.push(index);
                index += 1;
                continue;
            }
            break;
        }
        if let Some((name, value)) = text.split_once('=')
            && name.starts_with('-')
        {
            scan.options
                .push((name.to_owned(), Some(Arg { text: value.to_owned(), kind: arg.kind })));
            index += 1;
        } else if text.starts_with('-') && text.len() > 1 {
            if spec.takes_value(text) {
                scan.options.push((text.to_owned(), value_of(index + 1)));
                index += 2;
            } else if text.starts_with("--") {
                scan.options.push((text.to_owned(), None));
                index += 1;
            } else {
                index += cluster(arg, value_of(index + 1), spec, &mut scan);
            }
        } else if spec.assignments && is_assignment(text) {
            scan.assignments.push(arg.clone());
            index += 1;
        } else if spec.permuted {
            scan.operands.push(index);
            index += 1;
        } else {
            break;
        }
    }
    if spec.permuted {
        scan.operands.extend(index..args.len());
        index = scan.operands.first().copied().unwrap_or(index);
    }
    scan.next = index.min(args.len());
    scan
}

/// `-abc`, `-n5` or `-n 5`: returns how many arguments it takes.
fn cluster(arg: &Arg, next: Option<Arg>, spec: &Spec, scan: &mut Scan) -> usize {
    let mut letters = arg.text.chars().skip(1);
    while let Some(letter) = letters.next() {
        let option = format!("-{letter}");
        if spec.takes_value(&option) {
            let attached: String = letters.collect();
            if attached.is_empty() {
                scan.options.push((option, next));
                return 2;
            }
            scan.options.push((option, Some(Arg { text: attached, kind: arg.kind })));
            return 1;
        }
        scan.options.push((option, None));
    }
    1
}

pub(crate) fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    })
}
