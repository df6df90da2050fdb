//! The snapshot of a matrix: every prompt and the contexts that lead to it, as text to commit.
//!
//! **Invariant:** the text determines the axes, the contexts of every prompt and the prompts, and
//! is determined by them. Two snapshots are equal if and only if every context has the same prompt.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lawful_syntax::{Diagnostic, Sources};

use super::decode::Composition;
use super::fragment::FragmentId;
use super::matrix::{Matrix, MatrixClass, too_large};
use super::resolve::{Compositions, fired};
use crate::book::Manifest;
use crate::cond::CondId;
use crate::cond::partition::Regions;
use crate::value::Value;

impl Compositions {
    /// The snapshot of a matrix of this composition.
    pub fn snapshot(
        &self,
        composition: &Composition,
        manifest: &Manifest,
        matrix: &Matrix,
        sources: &Sources,
    ) -> Result<String, Box<Diagnostic>> {
        let mut regions = self.regions(composition, manifest, matrix)?;
        let mut classes: Vec<(Vec<String>, &MatrixClass, Vec<String>)> = matrix
            .classes
            .iter()
            .enumerate()
            .map(|(at, class)| {
                let names = class.order.iter().map(|id| quoted(self.name(*id))).collect();
                (names, class, regions.remove(&at).unwrap_or_default())
            })
            .collect();
        classes.sort_by(|a, b| b.1.contexts.cmp(&a.1.contexts).then_with(|| a.0.cmp(&b.0)));
        let mut out = format!("{}\n", Self::snapshot_title(composition));
        for line in axes(manifest) {
            let _ = writeln!(out, "# axis {line}");
        }
        for (names, class, contexts) in classes {
            let count = class.contexts.map_or("?".to_owned(), |count| count.to_string());
            let _ = writeln!(out, "\n== {count} contexts");
            for line in contexts {
                let _ = writeln!(out, "   {line}");
            }
            let _ = writeln!(out, "-- {}", names.join(" "));
            let template = self.template(&class.order, sources).join("\n\n");
            for line in template.split('\n') {
                // A prefix on every line, so that no text can look like the next prompt.
                let space = if line.is_empty() { "" } else { " " };
                let _ = writeln!(out, "|{space}{line}");
            }
        }
        Ok(out)
    }

    /// The first line of a snapshot, with the version of the format.
    pub fn snapshot_title(composition: &Composition) -> String {
        format!("# every prompt of `{}`, written by `lawful matrix` (form 2)", composition.name)
    }

    /// Whether a text is a snapshot of this composition.
    pub fn recognise(composition: &Composition, text: &str) -> Result<(), SnapshotProblem> {
        let first = text.lines().next().unwrap_or_default();
        if first == Self::snapshot_title(composition) {
            return malformed_line(text).map_or(Ok(()), |line| Err(SnapshotProblem::Line(line)));
        }
        let titled = first.strip_prefix("# every prompt of `");
        let titled = titled.and_then(|rest| rest.split_once("`, written by `lawful matrix`"));
        Err(match titled {
            None => SnapshotProblem::Other,
            Some((name, _)) if name == &*composition.name => SnapshotProblem::OlderFormat,
            Some((name, _)) => SnapshotProblem::OtherComposition(name.to_owned()),
        })
    }

    /// The contexts of each class of the matrix.
    fn regions(
        &self,
        composition: &Composition,
        manifest: &Manifest,
        matrix: &Matrix,
    ) -> Result<Regions, Box<Diagnostic>> {
        let conditions: Vec<CondId> = composition.rules.iter().map(|rule| rule.condition).collect();
        let numbers: BTreeMap<&[FragmentId], usize> =
            matrix.classes.iter().enumerate().map(|(at, class)| (&*class.order, at)).collect();
        let mut label = |outcomes: &[_]| {
            let found = self.cascade(composition, &fired(composition, outcomes), false);
            numbers.get(&*found.order).copied().unwrap_or(usize::MAX)
        };
        self.partition(&conditions, manifest)
            .and_then(|partition| partition.regions(&conditions, &mut label))
            .map_err(|skipped| too_large(composition, &skipped))
    }
}

/// Why a text is not a snapshot of a composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotProblem {
    /// It is something else.
    Other,
    /// It is a snapshot of this composition.
    OtherComposition(String),
    /// An earlier version wrote it.
    OlderFormat,
    /// It starts as a snapshot, but this line, from 1, cannot follow.
    Line(usize),
}

/// The first line, from 1, that breaks the format: after the title the axes, then for each prompt an
/// empty line, the number of its contexts, the contexts, its order and its text.
fn malformed_line(text: &str) -> Option<usize> {
    #[derive(Clone, Copy)]
    enum After {
        Axes,
        Gap,
        Contexts,
        Order,
        Text,
    }
    let mut state = After::Axes;
    let mut number = 1;
    for line in text.lines().skip(1) {
        number += 1;
        state = match state {
            After::Axes if line.starts_with("# axis ") => After::Axes,
            After::Axes | After::Text if line.is_empty() => After::Gap,
            After::Gap if line.starts_with("== ") => After::Contexts,
            After::Contexts if line.starts_with("   ") => After::Contexts,
            After::Contexts if line.starts_with("-- ") => After::Order,
            After::Order | After::Text if line.starts_with('|') => After::Text,
            After::Axes | After::Gap | After::Contexts | After::Order | After::Text => {
                return Some(number);
            }
        };
    }
    match state {
        After::Text => None,
        After::Axes | After::Gap | After::Contexts | After::Order => Some(number),
    }
}

/// The axes and their values, by name.
fn axes(manifest: &Manifest) -> Vec<String> {
    let line = |axis: &crate::book::Axis| {
        let mut values: Vec<String> = axis.values.iter().map(ToString::to_string).collect();
        values.sort();
        format!("{}: {}", axis.path, values.join("|"))
    };
    let mut lines: Vec<String> = manifest.axes.iter().map(line).collect();
    lines.sort();
    lines
}

/// A name, quoted if it would be ambiguous.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:".contains(c);
    if !name.is_empty() && name.chars().all(plain) {
        name.to_owned()
    } else {
        Value::from(name).to_string()
    }
}
