//! Which results the tests of a path with `[*]` can have together.
//!
//! Each such test is a free variable of its own, but the slots that they test are the same. A slot
//! that every test requires to be 1 is not 2, and a list with an element has a slot. Paths with one
//! `[*]` at the same place have equally many slots.
//!
//! **Invariant:** only what no document can have is excluded. Slots of different paths are taken to
//! be independent except for their number, and an unknown result of a test to be any.

use std::collections::BTreeMap;

use super::Partition;
use super::classes::{Class, classes, is_open};
use super::diagram::{Diagram, TooLarge};
use super::variables::{Quantity, VariableKind};
use crate::cond::Operator;
use crate::cond::leaf::{How, Leaf, ListTest, Set, Test};
use crate::cond::pattern::Patterns;
use crate::cond::set::PathId;
use crate::path::Segment;
use crate::value::Value;

/// The maximum number of tests that are compared all at once; more are compared in pairs.
const AT_ONCE: usize = 8;

/// The maximum number of tests that are compared in pairs.
const IN_PAIRS: usize = 32;

/// The maximum number of classes of a slot.
const CLASSES: usize = 512;

impl Partition<'_> {
    /// A diagram that is true wherever the slots of paths with `[*]` can have the results that their
    /// variables say.
    pub(super) fn possible_slots(&mut self) -> Result<Diagram, TooLarge> {
        let mut groups: BTreeMap<Vec<Segment>, Vec<usize>> = BTreeMap::new();
        for (index, variable) in self.variables.iter().enumerate() {
            if let Some(slots) = &variable.slots {
                groups.entry(self.list_of(slots.path)).or_default().push(index);
            }
        }
        let mut possible = Diagram::ALWAYS;
        for (list, members) in groups {
            for members in together(&members) {
                let Some(tests) = SlotTests::of(self, &members) else { continue };
                for one in self.possible(&list, &tests)? {
                    possible = self.diagrams.and(possible, one)?;
                }
            }
        }
        Ok(possible)
    }

    /// The path of the list whose elements are the slots. A path with several `[*]` has slots of its
    /// own.
    fn list_of(&self, path: PathId) -> Vec<Segment> {
        let segments = self.set.paths[path].path.segments();
        let mut each = segments.iter().enumerate().filter(|(_, one)| **one == Segment::Each);
        match (each.next(), each.next()) {
            (Some((at, _)), None) => segments.get(..at).unwrap_or_default().to_vec(),
            (_, _) => segments.to_vec(),
        }
    }

    /// The diagrams of these tests: one by themselves, and one for each path that can show that the
    /// list has an element.
    fn possible(&mut self, list: &[Segment], tests: &SlotTests) -> Result<Vec<Diagram>, TooLarge> {
        let patterns = &self.set.patterns;
        let any = tests.diagram(&mut self.diagrams, patterns, false, &mut Vec::new())?;
        let filled = tests.diagram(&mut self.diagrams, patterns, true, &mut Vec::new())?;
        let mut all = vec![any];
        if filled == any {
            return Ok(all);
        }
        for (index, variable) in self.variables.iter().enumerate() {
            let VariableKind::Path(path) = &variable.kind else { continue };
            let segments = self.set.paths[*path].path.segments();
            let Some(rest) = segments.strip_prefix(list) else { continue };
            let shows = |class: &Class| match rest.first() {
                None => class.lengths.is_some_and(|(least, _)| least > 0),
                Some(Segment::Index(_)) => class.representative.is_some(),
                Some(Segment::Key(_) | Segment::Each) => false,
            };
            let below = |class| if shows(class) { filled } else { any };
            let children = variable.classes.iter().map(below).collect();
            all.push(self.diagrams.node(index, children)?);
        }
        Ok(all)
    }
}

/// Splits tests into sets that are compared at once.
fn together(members: &[usize]) -> Vec<Vec<usize>> {
    if members.len() <= AT_ONCE {
        return vec![members.to_vec()];
    }
    if members.len() > IN_PAIRS {
        return Vec::new();
    }
    let pairs = members.iter().enumerate().flat_map(|(at, first)| {
        members.iter().skip(at + 1).map(move |second| vec![*first, *second])
    });
    pairs.collect()
}

/// Some tests of slots, by variable in ascending order, with the classes of the slots of each path.
struct SlotTests {
    tests: Vec<SlotVariable>,
    classes: BTreeMap<PathId, Vec<Class>>,
}

struct SlotVariable {
    index: usize,
    path: PathId,
    quantity: Quantity,
    test: Test,
}

/// What is known of the slots of a path.
#[derive(Default)]
struct Known<'t> {
    /// Every slot has this result.
    every: Vec<(Test, bool)>,
    /// Every slot is absent or passes this test.
    every_present: Vec<Test>,
    /// Some slot has this result.
    some: Vec<(Test, bool)>,
    /// If there is a slot, some slot has this result.
    some_if_any: Vec<(Test, bool)>,
    /// The present values are this list.
    list: Option<&'t [Value]>,
    /// Values that are among the present ones.
    has: Vec<&'t Value>,
    /// The least and greatest number of present slots.
    least: u64,
    most: Option<u64>,
    /// Nothing can be so.
    impossible: bool,
}

impl SlotTests {
    /// `None` if the slots have too many classes.
    fn of(partition: &Partition<'_>, members: &[usize]) -> Option<Self> {
        let mut tests = Vec::new();
        let mut asked: BTreeMap<PathId, Vec<Test>> = BTreeMap::new();
        for index in members {
            let slots = partition.variables.get(*index)?.slots.as_ref()?;
            let of_path = asked.entry(slots.path).or_default();
            of_path.push(slots.test.clone());
            if let (Quantity::List, Some(list)) = (slots.quantity, slots.test.of_list()) {
                of_path.extend(element_tests(list));
            }
            let (path, quantity, test) = (slots.path, slots.quantity, slots.test.clone());
            tests.push(SlotVariable { index: *index, path, quantity, test });
        }
        let of_path = |(path, tests): (PathId, Vec<Test>)| {
            let found = classes(&tests.iter().collect::<Vec<_>>(), None, CLASSES).ok()?;
            Some((path, found))
        };
        let classes = asked.into_iter().map(of_path).collect::<Option<_>>()?;
        Some(Self { tests, classes })
    }

    /// A diagram that is true for the results that are possible together, given the first ones.
    fn diagram(
        &self,
        diagrams: &mut super::diagram::Diagrams,
        patterns: &Patterns,
        filled: bool,
        results: &mut Vec<bool>,
    ) -> Result<Diagram, TooLarge> {
        if !self.is_possible(results, filled, patterns) {
            return Ok(Diagram::NEVER);
        }
        let Some(next) = self.tests.get(results.len()) else { return Ok(Diagram::ALWAYS) };
        let mut children = Vec::with_capacity(2);
        for result in [false, true] {
            results.push(result);
            children.push(self.diagram(diagrams, patterns, filled, results)?);
            results.pop();
        }
        diagrams.node(next.index, children)
    }

    /// Whether the first tests can have these results. `filled` says that there is a slot.
    fn is_possible(&self, results: &[bool], filled: bool, patterns: &Patterns) -> bool {
        let mut known: BTreeMap<PathId, Known<'_>> = BTreeMap::new();
        for path in self.classes.keys() {
            known.insert(*path, Known::default());
        }
        let mut filled = filled;
        for (test, result) in self.tests.iter().zip(results) {
            let Some(of_path) = known.get_mut(&test.path) else { continue };
            filled |= of_path.learn(test, *result);
        }
        // Without a slot nothing is required of one.
        known.values().all(|known| !known.impossible)
            && (!filled
                || known.iter().all(|(path, known)| {
                    let classes = self.classes.get(path).map_or(&[][..], |classes| classes);
                    known.has_slot(classes, patterns)
                }))
    }
}

/// The tests of one slot that a test of all slots as one list leads to.
fn element_tests(list: ListTest<'_>) -> Vec<Test> {
    match list {
        ListTest::Has(None) | ListTest::AtLeast(_) | ListTest::AtMost(_) => vec![Test::Exists],
        ListTest::Has(Some(value)) => vec![Test::Equals(value.clone())],
        ListTest::Is(values) => vec![Test::AnyOf(Set::new(values.to_vec()))],
    }
}

impl<'t> Known<'t> {
    /// Learns the result of a test. True if it shows that there is a slot.
    fn learn(&mut self, of: &'t SlotVariable, result: bool) -> bool {
        let test = || of.test.clone();
        match (of.quantity, result) {
            (Quantity::Some, true) => self.some.push((test(), true)),
            (Quantity::Some, false) => self.every.push((test(), false)),
            (Quantity::All | Quantity::Every, true) => self.every.push((test(), true)),
            (Quantity::All, false) => self.some.push((test(), false)),
            (Quantity::Every, false) => self.some_if_any.push((test(), false)),
            (Quantity::List, _) => match of.test.of_list() {
                Some(list) => self.learn_list(list, result),
                None => return false,
            },
        }
        let has_present = self.least > 0;
        has_present || !self.some.is_empty() || (of.quantity == Quantity::Every && result)
    }

    fn learn_list(&mut self, list: ListTest<'t>, result: bool) {
        match (list, result) {
            (ListTest::Has(None), true) => self.at_least(1),
            (ListTest::Has(None), false) => self.at_most(Some(0)),
            (ListTest::Has(Some(value)), true) => {
                if !self.has.contains(&value) {
                    self.has.push(value);
                }
                self.some.push((Test::Equals(value.clone()), true));
                self.at_least(self.has.len() as u64);
            }
            (ListTest::Has(Some(value)), false) => {
                self.every.push((Test::Equals(value.clone()), false));
            }
            (ListTest::Is(values), true) => {
                self.impossible |= self.list.is_some_and(|known| known != values);
                self.list = Some(values);
                self.every_present.push(Test::AnyOf(Set::new(values.to_vec())));
                self.at_least(values.len() as u64);
                self.at_most(Some(values.len() as u64));
            }
            (ListTest::Is(_), false) => {}
            (ListTest::AtLeast(count), true) => self.at_least(count),
            (ListTest::AtLeast(count), false) => self.at_most(count.checked_sub(1)),
            (ListTest::AtMost(count), true) => self.at_most(Some(count)),
            (ListTest::AtMost(count), false) => match count.checked_add(1) {
                Some(count) => self.at_least(count),
                None => self.impossible = true,
            },
        }
    }

    fn at_least(&mut self, count: u64) {
        self.least = self.least.max(count);
        self.impossible |= self.most.is_some_and(|most| most < self.least);
    }

    /// At most this many; `None` for fewer than none.
    fn at_most(&mut self, count: Option<u64>) {
        let Some(count) = count else {
            self.impossible = true;
            return;
        };
        self.most = Some(self.most.map_or(count, |known| known.min(count)));
        self.impossible |= self.most < Some(self.least);
    }

    /// Whether there can be slots, at least one, of these classes.
    fn has_slot(&self, classes: &[Class], patterns: &Patterns) -> bool {
        let is =
            |class: &Class, (test, result): &(Test, bool)| may_be(class, test, *result, patterns);
        let allowed: Vec<&Class> = classes
            .iter()
            .filter(|class| self.every.iter().all(|wanted| is(class, wanted)))
            .filter(|class| {
                let passes = |test: &Test| may_be(class, test, true, patterns);
                class.representative.is_none() || self.every_present.iter().all(passes)
            })
            .filter(|class| self.most != Some(0) || class.representative.is_none())
            .collect();
        let can_be = |wanted: &(Test, bool)| allowed.iter().any(|class| is(class, wanted));
        !allowed.is_empty()
            && self.some.iter().chain(&self.some_if_any).all(can_be)
            && (self.least == 0 || allowed.iter().any(|class| class.representative.is_some()))
    }
}

/// Whether a slot of a class can have this result.
fn may_be(class: &Class, test: &Test, result: bool, patterns: &Patterns) -> bool {
    // Only the test counts; the operator is a name for messages.
    let leaf =
        Leaf { operator: Operator::Exists, test: test.clone(), negated: false, how: How::One };
    is_open(class, &leaf) || leaf.holds(class.representative.as_ref(), patterns) == result
}
