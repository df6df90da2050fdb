//! Packs the documents of a book.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Limits, Node, Span, pack};

use super::{MAGIC, PARTS, Trees, checksum, has_items};
use crate::book::contents::{Book, Document};
use crate::book::items::{Parted, part};
use crate::book::layout::Part;
use crate::book::packing::put;
use crate::guard::{self, Guards};
use crate::react::{self, Rules};

impl Trees {
    /// The trees of a book as bytes. `problems` are those of its load, and `program` identifies the
    /// build of the program, whose parser made the trees.
    pub fn pack(book: &Book, problems: &[Diagnostic], program: &str) -> Vec<u8> {
        let decoded = Decoded::of(book);
        let mut body = Vec::new();
        put(&mut body, book.fingerprint().as_bytes());
        put(&mut body, program.as_bytes());
        put(&mut body, &limits(&book.manifest.limits.document));
        put(&mut body, &decoded.facts(book, problems));
        for document in &book.documents {
            let Some(number) = (0..).zip(PARTS).find(|(_, part)| *part == document.part) else {
                continue;
            };
            put(&mut body, document.path.as_bytes());
            body.push(number.0);
            body.push(u8::from(is_clean(document)));
            put(&mut body, &decoded.tree(document));
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&checksum(&body).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }
}

/// Whether a document need not be parsed again. The manifest must: it decides the limits of the others.
fn is_clean(document: &Document) -> bool {
    document.problems.is_empty() && document.page.is_none() && document.part != Part::Manifest
}

fn limits(limits: &Limits) -> Vec<u8> {
    let Limits { bytes, depth, aliases } = *limits;
    [bytes, depth, aliases].iter().flat_map(|limit| (*limit as u64).to_le_bytes()).collect()
}

/// The guards and rules of a book, by their places.
struct Decoded {
    guards: (Guards, Vec<Diagnostic>),
    rules: (Rules, Vec<Diagnostic>),
    /// What can reach each of them.
    reach: BTreeMap<Span, Vec<u8>>,
    /// The rules that each rule needs.
    needs: BTreeMap<Span, Vec<u8>>,
}

impl Decoded {
    fn of(book: &Book) -> Self {
        let (guards, rules) = (Guards::decode(book), Rules::decode(book));
        let of_guards =
            guards.0.all().map(|(_, guard)| (guard.span, guard::packed_on::pack(&guard.on)));
        let of_rules =
            rules.0.all().map(|(_, rule)| (rule.span, react::packed_trigger::pack(&rule.trigger)));
        let reach = of_guards.chain(of_rules).collect();
        let needs = needs(book, &rules.0);
        Self { guards, rules, reach, needs }
    }

    /// What a part of the book must know of the whole; empty if the book has errors, because then
    /// only the whole book can say what they mean.
    fn facts(&self, book: &Book, problems: &[Diagnostic]) -> Vec<u8> {
        let (guards, rules) = (&self.guards, &self.rules);
        let mut found = problems.iter().chain(&guards.1).chain(&rules.1);
        let quarantined =
            rules.0.left_out().next().is_some() || guards.0.left_out().next().is_some();
        if !book.complete || quarantined || found.any(Diagnostic::is_error) {
            return Vec::new();
        }
        let has_rules = rules.0.all().next().is_some();
        let flags = [has_rules, guards.0.reads_state(), guards.0.has_shell()];
        let mut out: Vec<u8> = flags.map(u8::from).to_vec();
        let trust = rules.0.whole_trust();
        for texts in [trust.variables, trust.names] {
            let mut list = Vec::new();
            for text in &texts {
                put(&mut list, text.as_bytes());
            }
            put(&mut out, &list);
        }
        out
    }

    /// The tree of a document; empty if it has none.
    fn tree(&self, document: &Document) -> Vec<u8> {
        let mut out = Vec::new();
        let Some(node) = &document.node else { return out };
        if !has_items(document.part) {
            pack(node, &mut out);
            return out;
        }
        let Parted { frame, items } = part(node);
        put(&mut out, &packed(&frame));
        for (slot, item) in items {
            let reach = self.reach.get(&item.span);
            let needs = self.needs.get(&item.span);
            out.push(slot);
            // An item that was not decoded is reached by everything.
            put(&mut out, reach.map_or(&[], Vec::as_slice));
            put(&mut out, needs.map_or(&[], Vec::as_slice));
            put(&mut out, &packed(item));
        }
        out
    }
}

fn packed(node: &Node) -> Vec<u8> {
    let mut out = Vec::new();
    pack(node, &mut out);
    out
}

/// The numbers of the rules that each rule names, directly or through others.
fn needs(book: &Book, rules: &Rules) -> BTreeMap<Span, Vec<u8>> {
    let documents = book.documents.iter().filter(|document| document.part == Part::Rules);
    let nodes = documents.filter_map(|document| document.node.as_ref());
    let items = nodes.flat_map(|node| part(node).items).map(|(_, item)| item.span);
    let numbers: BTreeMap<Span, u32> = items.zip(0..).collect();
    let mut out = BTreeMap::new();
    for (_, rule) in rules.all() {
        let mut found = BTreeMap::new();
        let mut open = vec![rule];
        while let Some(rule) = open.pop() {
            let named = rule.actions.iter().filter_map(|action| action.kind.named_rule());
            for other in named.filter_map(|id| rules.get(id)) {
                let number = numbers.get(&other.span).copied();
                if found.insert(other.span, number).is_none() {
                    open.push(other);
                }
            }
        }
        let list: Vec<u8> =
            found.values().flatten().flat_map(|number| number.to_le_bytes()).collect();
        out.insert(rule.span, list);
    }
    out
}
