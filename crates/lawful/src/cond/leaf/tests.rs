use super::*;

struct List<'d>(&'d [Option<Value>]);

impl<'d> Slots<'d> for List<'d> {
    fn visit<B>(
        &self,
        visit: &mut impl FnMut(Option<&'d Value>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.iter().try_for_each(|slot| visit(slot.as_ref()))
    }
}

/// Every list of slots of up to this length.
fn lists(length: usize) -> Vec<Vec<Option<Value>>> {
    let text = |text: &str| Some(Value::Text(text.into()));
    let slots = [None, text("a"), text("b")];
    let mut all = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..length {
        let longer = |list: &Vec<Option<Value>>| {
            slots
                .iter()
                .map(|slot| [&list[..], std::slice::from_ref(slot)].concat())
                .collect::<Vec<_>>()
        };
        longest = longest.iter().flat_map(longer).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

#[test]
fn nothing_after_the_decisive_slot_changes_the_answer() {
    let patterns = Patterns::default();
    let text = |text: &str| Value::Text(text.into());
    let tests = [
        (Operator::Exists, Test::Exists),
        (Operator::Equals, Test::Equals(text("a"))),
        (Operator::Equals, Test::Equals(Value::List(vec![text("a"), text("b")]))),
        (Operator::Contains, Test::Contains(text("a"))),
        (Operator::MinLength, Test::MinLength(1)),
        (Operator::MaxLength, Test::MaxLength(1)),
        (Operator::StartsWith, Test::StartsWith("a".into())),
    ];
    let written = Quantifier::NAMES.map(|(_, quantifier)| How::Written(quantifier));
    let hows = [How::AsList, How::Some, How::Every].into_iter().chain(written);
    let mut decided = 0;
    for (how, (operator, test)) in hows.flat_map(|how| tests.iter().map(move |test| (how, test))) {
        for negated in [false, true] {
            let leaf = Leaf { operator: *operator, test: test.clone(), negated, how };
            for slots in lists(3) {
                let Some(at) = leaf.decisive(&List(&slots), &patterns) else { continue };
                decided += 1;
                let answer = leaf.holds_for(&List(&slots), &patterns);
                for more in lists(2) {
                    let other = [&slots[..=at], &more].concat();
                    let now = leaf.holds_for(&List(&other), &patterns);
                    assert_eq!(now, answer, "{leaf:?} over {slots:?} and {other:?}");
                }
            }
        }
    }
    assert!(decided > 1000, "{decided}");
}
