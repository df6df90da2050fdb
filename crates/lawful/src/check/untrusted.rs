//! Variables in fragments and personas, which are the system layer.

use lawful_syntax::{Diagnostic, Span};

use crate::book::{Book, Part};
use crate::code::UNTRUSTED_IN_SYSTEM;
use crate::compose::{Compositions, Fragment, persona_pages};
use crate::path::Path;
use crate::react::{Rules, STATE};

/// The placeholders of fragments that would show text which no author wrote.
///
/// In a book without rules, entries and variables `state` is a key of the host's context like any
/// other, and so it is below a declared axis.
pub(super) fn check(book: &Book, compositions: &Compositions, rules: &Rules) -> Vec<Diagnostic> {
    let reacts = |part: Part| part == Part::Rules || part == Part::Entry;
    let has_session = book.documents.iter().any(|document| reacts(document.part));
    if !has_session && book.manifest.variables.is_empty() {
        return Vec::new();
    }
    let is_axis = |path: &Path| {
        let is_below = |axis: &Path| path.segments().starts_with(axis.segments());
        book.manifest.axes.iter().any(|axis| is_below(&axis.path))
    };
    let personas = persona_pages(book);
    let fragments = compositions.fragments().map(|(_, fragment)| fragment);
    let all = fragments.chain(&personas).flat_map(Fragment::placeholders);
    all.filter(|(path, _)| !is_axis(path) && !rules.may_show(path))
        .map(|(path, span)| report(path, span))
        .collect()
}

fn report(path: &Path, span: Span) -> Diagnostic {
    let message = format!(
        "this text is in the system layer, and `${{{path}}}` may hold text that no author wrote"
    );
    let help = if path.segments().len() == 2 {
        "declare its `values`, or protect it and write only literals to it".to_owned()
    } else {
        format!("name one variable, such as `${{{STATE}.hp}}`")
    };
    Diagnostic::new(&UNTRUSTED_IN_SYSTEM, span, message).help(help)
}
