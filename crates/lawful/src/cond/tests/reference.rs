//! A naive reference implementation: collects every slot, writes out every rule, shares nothing.

#![expect(clippy::wildcard_enum_match_arm, reason = "short enough to see at a glance")]

use crate::cond::{Condition, ConditionKind, Operator, Surface};
use crate::path::{Path, Segment};
use crate::value::Value;

pub(super) fn holds(condition: &Condition, surface: Surface, document: &Value) -> bool {
    match &condition.kind {
        ConditionKind::Broken => panic!("it cannot be decided"),
        ConditionKind::Always => true,
        ConditionKind::All(rules) => rules.iter().all(|rule| holds(rule, surface, document)),
        ConditionKind::Any(rules) => rules.iter().any(|rule| holds(rule, surface, document)),
        ConditionKind::Not(rule) => !holds(rule, surface, document),
        ConditionKind::Ref(reference) => {
            let operator = Operator::with_id(&reference.id).unwrap();
            let args = Value::from_node(reference.args.as_ref().unwrap());
            let path = Path::parse(args.get("path").unwrap().as_text().unwrap()).unwrap();
            let operand = args.get("value").cloned().unwrap_or_default();
            let quantifier = args.get("quantifier").and_then(Value::as_text).map(str::to_owned);
            test(operator, &path, &operand, quantifier.as_deref(), surface, document)
        }
    }
}

/// 1.4
fn slots(segments: &[Segment], value: Option<Value>) -> Vec<Option<Value>> {
    let value = value.filter(|value| *value != Value::Null);
    match (segments.split_first(), value) {
        (None, value) => vec![value],
        (Some((Segment::Each, rest)), Some(Value::List(items))) => {
            items.into_iter().flat_map(|item| slots(rest, Some(item))).collect()
        }
        (Some((Segment::Each, _)), _) => vec![None],
        (Some((Segment::Key(key), rest)), Some(Value::Map(map))) => {
            slots(rest, map.get(key).cloned())
        }
        (Some((Segment::Index(index), rest)), Some(Value::List(items))) => {
            slots(rest, items.get(*index as usize).cloned())
        }
        (Some((_, rest)), _) => slots(rest, None),
    }
}

/// 2.9
fn test(
    operator: Operator,
    path: &Path,
    operand: &Value,
    quantifier: Option<&str>,
    surface: Surface,
    document: &Value,
) -> bool {
    use Operator::{
        Contains, Equals, Exists, MaxLength, MinLength, NotContains, NotEquals, NotExists,
    };
    let slots = slots(path.segments(), Some(document.clone()));
    let ask = |slot: &Option<Value>| one(operator, slot.as_ref(), operand);
    match quantifier {
        Some("all") => return slots.iter().all(ask),
        Some("any") => return slots.iter().any(ask),
        Some(_) => return !slots.iter().any(ask),
        None => {}
    }
    if !path.is_wild() {
        return ask(&slots[0]);
    }
    let present: Vec<Value> = slots.iter().flatten().cloned().collect();
    let list_operand = matches!(operand, Value::List(_));
    match operator {
        Exists => return !present.is_empty(),
        NotExists => return present.is_empty(),
        Contains => return present.contains(operand),
        NotContains => return !present.contains(operand),
        Equals if list_operand => return Value::List(present) == *operand,
        NotEquals if list_operand => return Value::List(present) != *operand,
        MinLength | MaxLength => return one(operator, Some(&Value::List(present)), operand),
        _ => {}
    }
    if slots.is_empty() {
        return ask(&None);
    }
    let negative = operator.complement_of().is_some();
    if surface == Surface::When && !negative {
        slots.iter().any(ask)
    } else {
        slots.iter().all(ask)
    }
}

/// 2.3 and 2.4
fn one(operator: Operator, slot: Option<&Value>, operand: &Value) -> bool {
    if let Some(positive) = operator.complement_of() {
        return !one(positive, slot, operand);
    }
    let Some(value) = slot else { return false };
    let number = |compare: fn(&std::cmp::Ordering) -> bool| match (value, operand) {
        (Value::Number(a), Value::Number(b)) => compare(&a.cmp(b)),
        _ => false,
    };
    let text = |compare: fn(&str, &str) -> bool| match (value, operand) {
        (Value::Text(a), Value::Text(b)) => compare(a, b),
        _ => false,
    };
    let length = |compare: fn(u64, u64) -> bool| match (value, operand) {
        (Value::List(items), Value::Number(bound)) => {
            compare(items.len() as u64, bound.as_count().unwrap())
        }
        _ => false,
    };
    match operator {
        Operator::Exists => true,
        Operator::Equals => value == operand,
        Operator::Contains => match value {
            Value::List(items) => items.contains(operand),
            _ => text(|a, b| a.contains(b)),
        },
        Operator::AnyOf => matches!(operand, Value::List(set) if set.contains(value)),
        Operator::GreaterThan => number(|order| order.is_gt()),
        Operator::LessThan => number(|order| order.is_lt()),
        Operator::AtLeast => number(|order| order.is_ge()),
        Operator::AtMost => number(|order| order.is_le()),
        Operator::MinLength => length(|a, b| a >= b),
        Operator::MaxLength => length(|a, b| a <= b),
        Operator::Matches => text(|a, b| regex_automata::meta::Regex::new(b).unwrap().is_match(a)),
        Operator::StartsWith => text(|a, b| a.starts_with(b)),
        Operator::EndsWith => text(|a, b| a.ends_with(b)),
        negative => panic!("{} is negative", negative.name()),
    }
}
