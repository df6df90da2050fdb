//! A lawbook for the benchmark: fragments, a base list, rules of every kind, and contexts.
//!
//! The list keeps about its length however many rules there are, so that what is compared between
//! sets of rules is the rules: a `replace` swaps an id with its variant, an `add` draws on a fixed
//! stock of extras, a `forbid` on every fifth id.

use std::fmt::Write as _;

use lawful::book::MemorySource;

use super::naive::cascade::Action;

/// How many fragments the book has.
pub const FRAGMENTS: usize = 1000;
/// How many contexts a batch goes through.
pub const CONTEXTS: usize = 16;
/// What the composition is called.
pub const NAME: &str = "reply";

/// The axes whose values are words.
const AXES: [(&str, [&str; 4]); 7] = [
    ("tone", ["warm", "terse", "formal", "playful"]),
    ("channel", ["mail", "chat", "phone", "forum"]),
    ("locale", ["en", "de", "fr", "ja"]),
    ("plan", ["free", "team", "business", "public"]),
    ("topic", ["billing", "outage", "account", "other"]),
    ("mood", ["calm", "worried", "angry", "joking"]),
    ("staff", ["new", "trained", "senior", "robot"]),
];
/// The axis whose values are numbers, from 0 to 9.
const NUMBER: &str = "tickets";

/// How much of the book a composition uses.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What a person calls it.
    pub label: &'static str,
    /// How long the base list is.
    pub base: usize,
    /// How many of its ids have a variant that takes their place.
    pub variants: usize,
    /// How many ids rules may add.
    pub extras: usize,
}

/// A prompt as people write them, from a large book.
pub const PROMPT: Shape = Shape { label: "prompt", base: 40, variants: 20, extras: 20 };
/// A composition that uses every fragment of the book.
pub const EVERYTHING: Shape = Shape { label: "everything", base: 600, variants: 300, extras: 100 };

/// One test of a context.
#[derive(Clone, Debug)]
pub enum Test {
    /// An axis has this value.
    Is(&'static str, &'static str),
    /// An axis has one of two values.
    OneOf(&'static str, [&'static str; 2]),
    /// The number is greater.
    Greater(u32),
}

/// A condition.
#[derive(Clone, Debug)]
pub enum When {
    /// No `when` at all.
    Always,
    /// An equality map.
    Map(Vec<(&'static str, &'static str)>),
    /// One test.
    Test(Test),
    /// Either.
    Any([Test; 2]),
    /// Not.
    Not(Test),
}

/// A fragment: its id and its body.
#[derive(Clone, Debug)]
pub struct Page {
    /// The id.
    pub id: String,
    /// The body.
    pub body: String,
}

/// A context: axes with their values, and the number.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The axes.
    pub axes: Vec<(&'static str, &'static str)>,
    /// The number.
    pub number: u32,
}

/// Everything that was generated.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How much of the book is used.
    pub shape: Shape,
    /// The fragments.
    pub pages: Vec<Page>,
    /// The base list.
    pub base: Vec<String>,
    /// The rules.
    pub rules: Vec<(When, Action)>,
    /// The contexts.
    pub contexts: Vec<Facts>,
}

impl Plan {
    /// A book with so many rules; the same one every time.
    pub fn new(shape: Shape, rules: usize) -> Self {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let contexts = (0..CONTEXTS).map(|_| Facts::draw(&mut dice)).collect();
        let base = (0..shape.base).map(id).collect();
        let pages = (0..FRAGMENTS).map(page).collect();
        let rules = (0..rules).map(|_| (when(&mut dice), action(&mut dice, shape))).collect();
        Self { shape, pages, base, rules, contexts }
    }

    /// The files of the book.
    pub fn source(&self) -> MemorySource {
        let mut source = MemorySource::new().with("lawful.yaml", "name: bench\n");
        for page in &self.pages {
            let text = format!("---\nid: {}\n---\n\n{}\n", page.id, page.body);
            source = source.with(&format!("fragments/{}.md", page.id), text);
        }
        source.with("compositions/reply.yaml", self.composition())
    }

    fn composition(&self) -> String {
        let mut out = format!("name: {NAME}\nbase: [{}]\nrules:\n", self.base.join(", "));
        for (when, action) in &self.rules {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "  - when: {}\n    {}", when.yaml(), action.yaml());
        }
        out
    }
}

impl Facts {
    fn draw(dice: &mut Dice) -> Self {
        let axes = AXES.map(|(axis, values)| (axis, dice.pick(&values))).to_vec();
        Self { axes, number: u32::try_from(dice.below(10)).unwrap_or_default() }
    }

    /// The value of an axis, as text.
    pub fn get(&self, axis: &str) -> Option<&'static str> {
        self.axes.iter().find(|(name, _)| *name == axis).map(|(_, value)| *value)
    }

    /// As YAML.
    pub fn yaml(&self) -> String {
        let axes = self.axes.iter().map(|(axis, value)| format!("{axis}: {value}, "));
        format!("{{{}{NUMBER}: {}}}", axes.collect::<String>(), self.number)
    }
}

/// The id at a place of the book: first the base, then its variants, then extras, then the others.
fn id(at: usize) -> String {
    format!("part-{at:04}")
}

fn page(at: usize) -> Page {
    let mut body = format!(
        "Part {at} of the law of this desk says what to do when a customer writes.\n\
         Read the whole message first, and answer every question in it.\n\
         Say plainly what happens next, and when."
    );
    if at.is_multiple_of(4) {
        body.push_str("\nKeep the tone ${tone}, because the topic is ${topic}.");
    }
    Page { id: id(at), body }
}

fn when(dice: &mut Dice) -> When {
    let (first, second) = (dice.below(AXES.len()), dice.below(AXES.len() - 1));
    let second = (first + 1 + second) % AXES.len();
    let mut is = |at: usize| {
        let (axis, values) = AXES.get(at).copied().unwrap_or(AXES[0]);
        (axis, dice.pick(&values))
    };
    let (one, two) = (is(first), is(second));
    let test = Test::Is(one.0, one.1);
    match dice.below(20) {
        0 => When::Always,
        1..=7 => When::Map(vec![one]),
        8..=11 => When::Map(vec![one, two]),
        12..=14 => {
            let values = AXES.get(first).map_or(AXES[0].1, |(_, values)| *values);
            When::Test(Test::OneOf(one.0, [one.1, dice.pick(&values)]))
        }
        15 | 16 => When::Test(Test::Greater(u32::try_from(dice.below(9)).unwrap_or_default())),
        17 | 18 => When::Any([test, Test::Is(two.0, two.1)]),
        _ => When::Not(test),
    }
}

fn action(dice: &mut Dice, shape: Shape) -> Action {
    let Shape { base, variants, extras, .. } = shape;
    let extra = |dice: &mut Dice| id(base + variants + dice.below(extras));
    let twice = 1 + dice.below(2);
    match dice.below(10) {
        0..=2 => {
            let mut pairs: Vec<(String, String)> = Vec::new();
            for _ in 0..twice {
                // The first ids of the base have variants; either takes the place of the other.
                let at = dice.below(variants);
                let (one, other) = (id(at), id(base + at));
                let pair = if dice.below(2) == 0 { (one, other) } else { (other, one) };
                if !pairs.iter().any(|(from, _)| *from == pair.0) {
                    pairs.push(pair);
                }
            }
            Action::Replace(pairs)
        }
        3..=6 => {
            let ids = (0..twice).map(|_| extra(dice)).collect();
            let after = match dice.below(10) {
                0..=4 => None,
                // The last ids of the base have no variants, so they are there.
                5..=8 => Some(id(variants + dice.below(base - variants))),
                _ => Some(extra(dice)),
            };
            Action::Add(ids, after)
        }
        7 | 8 => {
            let fifth = |dice: &mut Dice| dice.below((base + variants + extras) / 5) * 5;
            Action::Forbid((0..twice).map(|_| id(fifth(dice))).collect())
        }
        _ => Action::Order((0..5).map(|_| id(dice.below(base))).collect()),
    }
}

impl When {
    fn yaml(&self) -> String {
        match self {
            Self::Always => "{}".to_owned(),
            Self::Map(pairs) => {
                let pairs = pairs.iter().map(|(axis, value)| format!("{axis}: {value}"));
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
            Self::Test(test) => test.yaml(),
            Self::Any([one, two]) => format!("{{any: [{}, {}]}}", one.yaml(), two.yaml()),
            Self::Not(test) => format!("{{not: {}}}", test.yaml()),
        }
    }
}

impl Test {
    fn yaml(&self) -> String {
        match self {
            Self::Is(axis, value) => format!("{{{axis}: {value}}}"),
            Self::OneOf(axis, [one, two]) => {
                format!("{{path: {axis}, op: any_of, value: [{one}, {two}]}}")
            }
            Self::Greater(than) => format!("{{path: {NUMBER}, op: greater_than, value: {than}}}"),
        }
    }
}

impl Action {
    fn yaml(&self) -> String {
        match self {
            Self::Replace(pairs) => {
                let pairs = pairs.iter().map(|(from, to)| format!("{from}: {to}"));
                format!("replace: {{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
            Self::Add(ids, None) => format!("add: [{}]", ids.join(", ")),
            Self::Add(ids, Some(after)) => {
                format!("add: [{}]\n    after: {after}", ids.join(", "))
            }
            Self::Forbid(ids) => format!("forbid: [{}]", ids.join(", ")),
            Self::Order(ids) => format!("order: [{}]", ids.join(", ")),
        }
    }
}

/// Numbers that look random and are the same in every run (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 33) % (end.max(1) as u64)).unwrap_or_default()
    }

    /// One of four, which is how many values an axis of words has.
    fn pick<T: Copy>(&mut self, from: &[T; 4]) -> T {
        let [one, two, three, four] = *from;
        match self.below(4) {
            0 => one,
            1 => two,
            2 => three,
            _ => four,
        }
    }
}
