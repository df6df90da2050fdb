//! The rules that every engine decides, generated from a seed.
//!
//! Each rule is `all[equals, greater, contains, any[starts-with or matches, equals]]`. It is built
//! to hold, or to fail at a chosen part, so the right answer is known without asking any engine.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::vocabulary::{self, Origin};

/// What a test asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The value is this one.
    Equals,
    /// The number is greater.
    Greater,
    /// The list has this element.
    Contains,
    /// The text starts like this.
    StartsWith,
    /// The text matches this regular expression.
    Matches,
}

/// One test of the value at a path.
#[derive(Clone, Debug)]
pub struct Test {
    /// The path, its keys joined by dots.
    pub path: &'static str,
    /// What is asked.
    pub kind: Kind,
    /// What the value is compared with.
    pub value: Value,
}

/// A rule: every one of `all` and some one of `any`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// All of these must hold.
    pub all: [Test; 3],
    /// One of these must hold.
    pub any: [Test; 2],
    /// What it was built to be.
    pub holds: bool,
}

/// How the rules of a workload come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// One in ten holds; the others fail at the first, second, third or fourth part.
    Mixed,
    /// All hold.
    AllTrue,
    /// One in a hundred holds; the others fail at their first test.
    Sparse,
}

/// A set of rules.
#[derive(Clone, Debug)]
pub struct Workload {
    /// A short name for commands.
    pub name: &'static str,
    /// How tables call it.
    pub label: &'static str,
    /// Whether texts are tested with regular expressions.
    pub regex: bool,
    /// The rules.
    pub rules: Vec<Rule>,
}

struct Recipe {
    name: &'static str,
    label: &'static str,
    rules: usize,
    mix: Mix,
    regex: bool,
    /// How many tests in a hundred take a constant that other rules use too.
    shared: u32,
}

const fn recipe(
    name: &'static str,
    label: &'static str,
    rules: usize,
    mix: Mix,
    regex: bool,
    shared: u32,
) -> Recipe {
    Recipe { name, label, rules, mix, regex, shared }
}

const RECIPES: &[Recipe] = &[
    recipe("mixed", "mixed", 100, Mix::Mixed, false, 50),
    recipe("true", "all true", 100, Mix::AllTrue, false, 50),
    recipe("mixed-regex", "mixed, with regex", 100, Mix::Mixed, true, 50),
    recipe("true-regex", "all true, with regex", 100, Mix::AllTrue, true, 50),
    recipe("mixed-own", "mixed, nothing shared on purpose", 100, Mix::Mixed, false, 0),
    recipe("mixed-10", "mixed, 10 rules", 10, Mix::Mixed, false, 50),
    recipe("mixed-1000", "mixed, 1,000 rules", 1000, Mix::Mixed, false, 50),
    recipe("mixed-10000", "mixed, 10,000 rules", 10_000, Mix::Mixed, false, 50),
    recipe("sparse-10000", "sparse, 10,000 rules", 10_000, Mix::Sparse, false, 50),
];

impl Workload {
    /// The names of all workloads, in the order of the report.
    pub fn names() -> impl Iterator<Item = &'static str> {
        RECIPES.iter().map(|recipe| recipe.name)
    }

    /// Generates a workload; the same one every time.
    pub fn named(name: &str) -> Option<Self> {
        let recipe = RECIPES.iter().find(|recipe| recipe.name == name)?;
        let mut random = Random::new(20_481);
        let mut outcomes: Vec<Fails> = (0..recipe.rules).map(|at| recipe.mix.outcome(at)).collect();
        random.shuffle(&mut outcomes);
        let rules = outcomes.into_iter().map(|fails| rule(&mut random, recipe, fails)).collect();
        Some(Self { name: recipe.name, label: recipe.label, regex: recipe.regex, rules })
    }

    /// How many tests there are, and how many that differ.
    pub fn tests(&self) -> (usize, usize) {
        let mut all = 0;
        let mut distinct = BTreeSet::new();
        for test in self.rules.iter().flat_map(|rule| rule.all.iter().chain(&rule.any)) {
            all += 1;
            distinct.insert((test.path, test.kind, test.value.to_string()));
        }
        (all, distinct.len())
    }

    /// How many paths the rules name.
    pub fn paths(&self) -> usize {
        let tests = self.rules.iter().flat_map(|rule| rule.all.iter().chain(&rule.any));
        tests.map(|test| test.path).collect::<BTreeSet<_>>().len()
    }
}

/// Which part of a rule fails.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fails {
    Nowhere,
    At(usize),
}

impl Mix {
    /// What becomes of the rule with this number, before they are shuffled.
    fn outcome(self, at: usize) -> Fails {
        match (self, at % 100, at % 10) {
            (Self::AllTrue, _, _) | (Self::Sparse, 0, _) | (Self::Mixed, _, 0) => Fails::Nowhere,
            (Self::Mixed, _, 1) => Fails::At(3),
            (Self::Mixed, _, 2) => Fails::At(2),
            (Self::Mixed, _, 3 | 4) => Fails::At(1),
            // Half fail at once, as rules do that begin with what they are about.
            (Self::Mixed | Self::Sparse, _, _) => Fails::At(0),
        }
    }
}

fn rule(random: &mut Random, recipe: &Recipe, fails: Fails) -> Rule {
    let holds = |random: &mut Random, part: usize| match fails {
        Fails::At(failing) if failing == part => false,
        // Nobody asks what stands behind the part that fails; most of it would be false as well.
        Fails::At(failing) if failing < part => random.chance(30),
        Fails::At(_) | Fails::Nowhere => true,
    };
    let origin = |random: &mut Random| {
        if random.chance(recipe.shared) { Origin::Shared } else { Origin::Own }
    };
    let (fine, from) = (holds(random, 0), origin(random));
    let equals = vocabulary::equals(random, fine, from);
    let (fine, from) = (holds(random, 1), origin(random));
    let greater = vocabulary::greater(random, fine, from);
    let (fine, from) = (holds(random, 2), origin(random));
    let contains = vocabulary::contains(random, fine, from);
    // If the last part holds, it is by its first test or by its second, one as often as the other.
    let (fine, by_first) = (holds(random, 3), random.chance(50));
    let from = origin(random);
    let text = if recipe.regex { vocabulary::matches } else { vocabulary::starts_with };
    let first = text(random, fine && by_first, from);
    let from = origin(random);
    let second = vocabulary::equals(random, fine && !by_first, from);
    Rule { all: [equals, greater, contains], any: [first, second], holds: fails == Fails::Nowhere }
}

/// A linear congruential generator: the same rules on every machine.
pub struct Random {
    state: u64,
    owned: usize,
}

impl Random {
    fn new(seed: u64) -> Self {
        Self { state: seed, owned: 0 }
    }

    fn next(&mut self) -> u64 {
        // Knuth's constants; only the upper half is used, for the lower bits repeat soon.
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.state >> 33
    }

    /// A number below the bound, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next()).unwrap_or_default() % bound.max(1)
    }

    /// A number in the range, both ends included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = usize::try_from(high - low + 1).unwrap_or(1);
        low + i64::try_from(self.below(width)).unwrap_or_default()
    }

    /// True so many times in a hundred.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }

    /// One of the items.
    #[expect(clippy::indexing_slicing, reason = "the lists of the vocabulary are not empty")]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }

    /// A number that nobody had before.
    pub fn own(&mut self) -> usize {
        self.owned += 1;
        self.owned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workload_is_the_same_every_time() {
        let [one, other] = [Workload::named("mixed").unwrap(), Workload::named("mixed").unwrap()];
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
    }

    #[test]
    fn one_in_ten_holds_where_it_is_mixed() {
        for name in ["mixed", "mixed-10", "mixed-1000"] {
            let workload = Workload::named(name).unwrap();
            let holding = workload.rules.iter().filter(|rule| rule.holds).count();
            assert_eq!(holding * 10, workload.rules.len(), "{name}");
        }
    }

    #[test]
    fn rules_share_some_tests_and_not_all() {
        for name in Workload::names() {
            let (all, distinct) = Workload::named(name).unwrap().tests();
            assert!(distinct * 5 > all, "{name}: {distinct} of {all} tests differ");
            assert!(distinct < all, "{name}: no test is shared");
        }
    }
}
