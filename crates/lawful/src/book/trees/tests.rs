use proptest::prelude::*;

use super::*;
use crate::book::{Bundle, MemorySource, Options, Source, load};

const PROGRAM: &str = "test 1";

fn source() -> MemorySource {
    MemorySource::new()
        .with("lawful.yaml", "name: law\nvariables: {hp: {type: number, initial: 3}}\n")
        .with(
            "rules/a.yaml",
            "rules:\n- {id: a, trigger: {type: every-turn}, actions: [{type: notify-player, message: a}]}\n",
        )
        .with("rules/empty.yaml", "# nothing\n")
        .with("guards/g.yaml", "- {id: g, when: {event.program: rm}, deny: 'No.'}\n")
        .with("guards/broken.yaml", "- {id: g2, id: g2, deny: 'No.'}\n")
        .with("conditions/c.json", "{\"vip\": {\"tier\": \"vip\"}}")
        .with("fragments/f.md", "---\nid: f\n---\nF")
}

fn bundle(source: &dyn Source) -> Bundle {
    Bundle::of(&load(source, Options::default()).unwrap().0)
}

/// Everything that a load gives, as text. Equality of trees ignores their places, so it is no use.
fn loaded(source: &dyn Source) -> String {
    let (book, problems) = load(source, Options::default()).unwrap();
    format!("{:?}\n{:?}\n{:?}\n{problems:?}", book.manifest, book.documents, book.sources)
}

fn packed(bundle: &Bundle) -> Vec<u8> {
    let (book, problems) = load(bundle, Options::default()).unwrap();
    Trees::pack(&book, &problems, PROGRAM)
}

fn trees(bundle: &Bundle) -> Trees {
    Trees::read(packed(bundle), bundle.fingerprint(), PROGRAM).unwrap()
}

#[test]
fn a_bundle_loads_to_the_same_book_with_its_trees() {
    let bundle = bundle(&source()).shown_in("law");
    let trees = trees(&bundle);
    let kept = trees.documents.iter().filter(|document| document.clean && document.has_tree());
    let kept: Vec<&str> = kept.filter_map(|document| trees.path(document)).collect();
    assert_eq!(kept, ["conditions/c.json", "rules/a.yaml", "guards/g.yaml"]);
    assert_eq!(loaded(&bundle.clone().with_trees(Some(trees))), loaded(&bundle));
}

#[test]
fn trees_are_used() {
    let bundle = bundle(&source());
    let other = source().with("guards/g.yaml", "- {id: other, deny: 'No.'}\n");
    let other = super::super::Bundle::of(&load(&other, Options::default()).unwrap().0);
    let trees = Some(trees(&other));
    assert!(loaded(&bundle.with_trees(trees)).contains("other"));
}

#[test]
fn trees_of_something_else_are_refused() {
    let bundle = bundle(&source());
    let bytes = packed(&bundle);
    let fingerprint = bundle.fingerprint();
    assert!(Trees::read(bytes.clone(), fingerprint, PROGRAM).is_some());
    assert!(Trees::read(bytes.clone(), &"0".repeat(64), PROGRAM).is_none());
    assert!(Trees::read(bytes, fingerprint, "test 2").is_none());
}

#[test]
fn other_limits_parse_again() {
    let bundle = bundle(&source());
    let trees = trees(&bundle);
    let mut options = Options::default();
    options.limits.document.depth = 2;
    let load = |bundle: &Bundle| load(bundle, options.clone()).unwrap().1.len();
    assert_eq!(load(&bundle.clone().with_trees(Some(trees))), load(&bundle));
    assert!(load(&bundle) > 2);
}

proptest! {
    #[test]
    fn damaged_trees_are_refused(at in any::<prop::sample::Index>(), change in 1..=255_u8) {
        let bundle = bundle(&source());
        let mut bytes = packed(&bundle);
        *at.get_mut(&mut bytes) ^= change;
        prop_assert!(Trees::read(bytes.clone(), bundle.fingerprint(), PROGRAM).is_none());
        bytes.truncate(at.index(bytes.len()));
        prop_assert!(Trees::read(bytes, bundle.fingerprint(), PROGRAM).is_none());
    }

    /// Any texts, most of which have problems.
    #[test]
    fn any_book_loads_to_the_same_with_its_trees(
        texts in proptest::collection::vec("[-a-c:{}\\[\\], 0-9'\"&*\n#|]{0,40}", 4),
    ) {
        let paths = ["rules/a.yaml", "guards/b.yaml", "conditions/c.yaml", "rules/d.json"];
        let mut source = source();
        for (path, text) in paths.iter().zip(&texts) {
            source = source.with(path, text.as_bytes());
        }
        let bundle = bundle(&source);
        let trees = trees(&bundle);
        prop_assert_eq!(loaded(&bundle.clone().with_trees(Some(trees))), loaded(&bundle));
    }
}
