//! Whether two loads gave the same book.

use lawful::book::Document;
use lawful::syntax::{File, render};

use super::Loaded;
use crate::Result;

/// Fails unless everything that can be seen of two books is the same, ids aside.
pub fn check(one: &Loaded, other: &Loaded) -> Result<()> {
    let (left, right) = (seen(one), seen(other));
    if left.len() != right.len() {
        return Err(format!("{} things are not {} things", left.len(), right.len()).into());
    }
    match left.iter().zip(&right).find(|(left, right)| left != right) {
        Some((left, right)) => {
            Err(format!("two books that are not the same:\n{left}\n{right}").into())
        }
        None => Ok(()),
    }
}

fn seen((book, problems): &Loaded) -> Vec<String> {
    let own = |text: String, document: &Document| text.replace(&format!("{:?}", document.file), "");
    let mut seen = vec![format!("{} {}", book.fingerprint(), book.complete)];
    if let Some(first) = book.documents.first() {
        seen.push(own(format!("{:?}", book.manifest), first));
    }
    for document in &book.documents {
        seen.push(own(format!("{document:?}"), document));
        seen.push(book.sources.file(document.file).map_or("", File::text).to_owned());
    }
    let views = problems.iter().map(|problem| render::view(problem, &book.sources));
    seen.extend(views.map(|view| format!("{view:?}")));
    seen
}
