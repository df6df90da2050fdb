//! The classes of one path: values that no test on it distinguishes.
//!
//! Every class has a representative, on which the real evaluator runs, so a class cannot disagree
//! with evaluation. The classes only have to be *fine enough*: no test may distinguish two values
//! of one class. For each type:
//!
//! - **absent**, and **true** and **false**: each a class;
//! - **numbers**: each one that is named, and each gap between two neighbours;
//! - **strings**: each one that is named; all others by their longest named prefix, their longest
//!   named suffix and the set of named parts they contain. Each combination is built as prefix,
//!   filler, parts, filler, suffix, which belongs to the class because the filler occurs in no
//!   name;
//! - **lists**: each one that is named; all others by length, between the lengths that are named,
//!   and by which of the named elements they contain;
//! - **objects**: each one that is named, and all others.

use super::domain::Domain;
use crate::cond::leaf::{Leaf, Test};
use crate::path::Segment;
use crate::value::{Map, Number, Value};

/// A class of values.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// One of its values; `None` for absent.
    pub representative: Option<Value>,
    /// Whether the result of every test is known: all of its values are listed.
    pub closed: bool,
    /// The number of values of a declared domain in it.
    pub weight: u64,
    /// Every value that was merged into it, the representative first.
    pub members: Vec<Option<Value>>,
    /// For a class of lists, their least and greatest length, if that is known.
    pub lengths: Option<(u64, u64)>,
}

impl Class {
    pub(super) fn new(representative: Option<Value>, closed: bool, weight: u64) -> Self {
        let lengths = match &representative {
            Some(Value::List(items)) if closed => Some((items.len() as u64, items.len() as u64)),
            Some(_) | None => None,
        };
        let members = vec![representative.clone()];
        Self { representative, closed, weight, members, lengths }
    }

    /// Whether all of its values are lists that are too short for this step.
    pub(super) fn is_too_short(&self, step: &Segment) -> bool {
        let Some((_, longest)) = self.lengths else { return false };
        match step {
            Segment::Index(at) => longest <= u64::from(*at),
            Segment::Each => longest == 0,
            Segment::Key(_) => false,
        }
    }
}

/// The number of classes exceeds the cap.
pub(super) struct TooMany;

/// Whether a test can give different results for values of a class.
pub(super) fn is_open(class: &Class, leaf: &Leaf) -> bool {
    // A regular expression needs the string itself, not its class.
    matches!((&leaf.test, &class.representative), (Test::Matches(_), Some(Value::Text(_))))
        && !class.closed
}

/// Every class that the tests on a path distinguish, before equal ones are merged.
pub(super) fn classes(
    tests: &[&Test],
    domain: Option<&Domain>,
    cap: usize,
) -> Result<Vec<Class>, TooMany> {
    let absent = Class::new(None, true, 1);
    if let Some(Domain::Values { values, absent: may_lack }) = domain {
        let only = |value: &Value| Class::new(Some(value.clone()), true, 1);
        let values = values.iter().map(only);
        return Ok(may_lack.then_some(absent).into_iter().chain(values).collect());
    }
    let named = Named::of(tests, domain);
    if named.constants.len() > cap {
        return Err(TooMany);
    }
    let mut found = vec![Class { weight: 0, ..absent }];
    let mut add_class = |class: Class| {
        found.push(class);
        if found.len() > cap { Err(TooMany) } else { Ok(()) }
    };
    let mut add = |value: Value, only: bool| add_class(Class::new(Some(value), only, 0));
    add(true.into(), true)?;
    add(false.into(), true)?;
    for (value, only) in named.numbers() {
        add(Value::Number(value), only)?;
    }
    for value in &named.constants {
        if !matches!(value, Value::Bool(_) | Value::Number(_)) {
            add(value.clone(), true)?;
        }
    }
    named.strings(cap, &mut |text| add(Value::Text(text.into()), false))?;
    named.lists(cap, &mut |items, lengths| {
        let class = Class::new(Some(Value::List(items)), false, 0);
        add_class(Class { lengths: Some(lengths), ..class })
    })?;
    let mut other = Map::new();
    other.insert(named.filler(), true.into());
    add_class(Class::new(Some(Value::Map(other)), false, 0))?;
    found.retain(|class| match (&class.representative, domain) {
        (Some(value), Some(domain)) => domain.admits(value),
        (None, _) | (_, None) => true,
    });
    Ok(found)
}

/// All values that the tests on a path name.
#[derive(Default)]
struct Named {
    constants: Vec<Value>,
    points: Vec<Number>,
    parts: Vec<Value>,
    starts: Vec<Box<str>>,
    ends: Vec<Box<str>>,
    /// Lengths at which a result changes: a list of this length differs from one that is shorter by
    /// one.
    lengths: Vec<u64>,
}

impl Named {
    fn of(tests: &[&Test], domain: Option<&Domain>) -> Self {
        let mut named = Self::default();
        for test in tests {
            match test {
                Test::Exists | Test::Matches(_) => {}
                Test::Equals(value) => named.constants.push(value.clone()),
                Test::AnyOf(set) => {
                    named
                        .constants
                        .extend(set.values.iter().filter(|v| v.present().is_some()).cloned());
                }
                Test::Contains(value) => named.parts.push(value.clone()),
                Test::GreaterThan(bound)
                | Test::LessThan(bound)
                | Test::AtLeast(bound)
                | Test::AtMost(bound) => named.points.push(*bound),
                Test::MinLength(bound) => named.lengths.push(*bound),
                Test::MaxLength(bound) => named.lengths.push(bound.saturating_add(1)),
                Test::StartsWith(text) => named.starts.push(text.clone()),
                Test::EndsWith(text) => named.ends.push(text.clone()),
            }
        }
        if let Some(Domain::Type { min, max, .. }) = domain {
            named.points.extend([*min, *max].into_iter().flatten());
        }
        for value in &named.constants {
            if let Value::Number(number) = value {
                named.points.push(*number);
            }
        }
        named.points.sort();
        named.points.dedup();
        dedup(&mut named.constants);
        dedup(&mut named.parts);
        // The empty string is not a part, because every string contains it.
        named.starts.retain(|text| !text.is_empty());
        named.ends.retain(|text| !text.is_empty());
        for list in [&mut named.starts, &mut named.ends] {
            list.sort();
            list.dedup();
        }
        named.lengths.push(0);
        named.lengths.sort_unstable();
        named.lengths.dedup();
        named
    }

    /// Every named number, and one number from each gap that is not empty.
    fn numbers(&self) -> Vec<(Number, bool)> {
        let mut out = Vec::new();
        let mut before = None;
        for point in &self.points {
            out.extend(Number::between(before, Some(*point)).map(|number| (number, false)));
            out.push((*point, true));
            before = Some(*point);
        }
        out.extend(Number::between(before, None).map(|number| (number, false)));
        out
    }

    /// A character that occurs in no name.
    fn filler(&self) -> String {
        let mut used = String::new();
        for value in self.constants.iter().chain(&self.parts) {
            collect_text(value, &mut used);
        }
        for text in self.starts.iter().chain(&self.ends) {
            used.push_str(text);
        }
        let free = |c: &char| !used.contains(*c);
        ('a'..='z')
            .rev()
            .chain('\u{e000}'..='\u{f8ff}')
            .find(free)
            .unwrap_or('\u{10ffff}')
            .to_string()
    }

    fn strings(
        &self,
        cap: usize,
        add: &mut impl FnMut(String) -> Result<(), TooMany>,
    ) -> Result<(), TooMany> {
        let filler = self.filler();
        let parts: Vec<&str> =
            self.parts.iter().filter_map(Value::as_text).filter(|text| !text.is_empty()).collect();
        if parts.len() >= 16 || (1 << parts.len()) > cap {
            return Err(TooMany);
        }
        let nothing: Box<str> = "".into();
        for start in std::iter::once(&nothing).chain(&self.starts) {
            for end in std::iter::once(&nothing).chain(&self.ends) {
                for chosen in subsets(&parts) {
                    let mut text = format!("{start}{filler}");
                    for part in chosen {
                        text += part;
                        text += &filler;
                    }
                    text += end;
                    add(text)?;
                }
            }
        }
        Ok(())
    }

    fn lists(
        &self,
        cap: usize,
        add: &mut impl FnMut(Vec<Value>, (u64, u64)) -> Result<(), TooMany>,
    ) -> Result<(), TooMany> {
        /// The longest list that is useful as a witness.
        const LONGEST: u64 = 1_000;
        if self.parts.len() >= 16 || (1 << self.parts.len()) > cap {
            return Err(TooMany);
        }
        let filler = Value::from(self.filler().as_str());
        for (at, shortest) in self.lengths.iter().enumerate() {
            let longest = self.lengths.get(at + 1).map_or(u64::MAX, |next| next - 1);
            for chosen in subsets(&self.parts) {
                let least = (*shortest).max(chosen.len() as u64);
                if least > longest {
                    continue;
                }
                if least > LONGEST {
                    return Err(TooMany);
                }
                let mut found = false;
                // One more element than needed, if allowed, avoids named lists.
                for length in [least.saturating_add(1), least] {
                    if found || length > longest {
                        continue;
                    }
                    let mut items: Vec<Value> = chosen.iter().map(|part| (*part).clone()).collect();
                    let missing = usize::try_from(length).unwrap_or(0).saturating_sub(items.len());
                    items.extend(std::iter::repeat_n(filler.clone(), missing));
                    // No named list contains the filler, so only a list without it can be named.
                    if !self.constants.contains(&Value::List(items.clone())) {
                        add(items, (*shortest, longest))?;
                        found = true;
                    }
                }
                // A list without filler is a named one. With two or more elements, other orders
                // would be in the class too; they are not searched.
                if !found && chosen.len() > 1 {
                    return Err(TooMany);
                }
            }
        }
        Ok(())
    }
}

/// Collects all text in a value, including keys.
fn collect_text(value: &Value, out: &mut String) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::Text(text) => out.push_str(text),
        Value::List(items) => items.iter().for_each(|item| collect_text(item, out)),
        Value::Map(map) => {
            for (key, value) in map.iter() {
                out.push_str(key);
                collect_text(value, out);
            }
        }
    }
}

fn dedup(values: &mut Vec<Value>) {
    let mut seen = std::collections::BTreeSet::new();
    values.retain(|value| seen.insert(value.to_string()));
}

/// All subsets.
fn subsets<T>(things: &[T]) -> impl Iterator<Item = Vec<&T>> {
    (0_u32..1 << things.len()).map(move |bits| {
        things.iter().enumerate().filter(|(at, _)| bits & (1 << at) != 0).map(|(_, t)| t).collect()
    })
}
