use super::*;
use crate::path::Segment;

/// Every list of slots of up to this length.
fn lists(length: usize) -> Vec<Vec<Value>> {
    let text = |text: &str| Value::Text(text.into());
    let slots = [Value::Null, text("a"), text("b")];
    let mut all = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..length {
        let longer = |list: &Vec<Value>| {
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
    let decide = |leaf: &Leaf, slots: &[Value]| {
        let list = Value::List(slots.to_vec());
        let slots = Slots { start: Some(&list), segments: &[Segment::Each] };
        leaf.decide(slots, &Patterns::default())
    };
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
                let Decision { holds, by: Some(at) } = decide(&leaf, &slots) else { continue };
                decided += 1;
                for more in lists(2) {
                    let other = [&slots[..=at], &more].concat();
                    let now = decide(&leaf, &other);
                    let expected = Decision { holds, by: Some(at) };
                    assert_eq!(now, expected, "{leaf:?} over {slots:?} and {other:?}");
                }
            }
        }
    }
    assert!(decided > 1000, "{decided}");
}
