use proptest::prelude::*;

use super::*;

fn float(value: f64) -> Value {
    Value::Number(Number::from_float(value).unwrap())
}

fn object(entries: &[(&str, Value)]) -> Value {
    Value::Map(entries.iter().map(|(key, value)| ((*key).into(), value.clone())).collect())
}

#[test]
fn integers_and_floats_compare_exactly() {
    assert_eq!(Value::from(1), float(1.0));
    assert_ne!(Value::from(i64::MAX), float(9_223_372_036_854_775_808.0));
    assert_ne!(Value::from(9_007_199_254_740_993), float(9_007_199_254_740_992.0));
    assert!(Number::from(i64::MIN) == Number::from_float(-9_223_372_036_854_775_808.0).unwrap());
    assert!(Number::from(-1) > Number::from_float(-1.5).unwrap());
    assert!(Number::from(1) < Number::from_float(1.5).unwrap());
}

#[test]
fn nothing_is_coerced() {
    assert_ne!(Value::from(1), Value::from("1"));
    assert_ne!(Value::from(true), Value::from("true"));
    assert_ne!(Value::from(0), Value::from(false));
}

#[test]
fn a_null_key_is_a_missing_one_and_order_does_not_count() {
    let one = object(&[("a", 1.into()), ("b", Value::Null), ("c", 3.into())]);
    let other = object(&[("c", 3.into()), ("a", 1.into())]);
    assert_eq!(one, other);
    assert_ne!(one, object(&[("a", 1.into())]));
    assert_eq!(Value::List(vec![Value::Null]), Value::List(vec![Value::Null]));
    assert_ne!(Value::List(vec![Value::Null]), Value::List(vec![]));
}

#[test]
fn floats_that_are_not_finite_do_not_get_in() {
    assert!(Number::from_float(f64::NAN).is_none());
    assert!(Number::from_float(f64::INFINITY).is_none());
}

#[test]
fn text_is_shown_escaped() {
    assert_eq!(Value::from("a\"b\n\u{1b}\u{202e}").to_string(), r#""a\"b\n\u001b\u202e""#);
}

proptest! {
    /// A map behaves like a list of pairs searched from the front, at every size.
    #[test]
    fn a_map_keeps_order_and_finds_every_key(
        operations in prop::collection::vec((any::<bool>(), 0_u8..40, any::<i8>()), 0..120),
    ) {
        let mut map = Map::new();
        let mut model: Vec<(String, i64)> = Vec::new();
        let places: Vec<FirstPlace> = (0..40).map(|_| FirstPlace::default()).collect();
        for (insert, key, value) in operations {
            let key = format!("k{key}");
            if insert {
                map.insert(key.as_str(), i64::from(value).into());
                match model.iter_mut().find(|(name, _)| *name == key) {
                    Some((_, old)) => *old = value.into(),
                    None => model.push((key, value.into())),
                }
            } else {
                let removed = map.remove(&key);
                let at = model.iter().position(|(name, _)| *name == key);
                prop_assert_eq!(removed.is_some(), at.is_some());
                at.map(|at| model.remove(at));
            }
            let shown: Vec<(String, Value)> =
                map.iter().map(|(key, value)| (key.to_owned(), value.clone())).collect();
            let expected: Vec<(String, Value)> =
                model.iter().map(|(key, value)| (key.clone(), (*value).into())).collect();
            prop_assert_eq!(shown, expected);
            for (key, place) in (0..40).zip(&places) {
                let key = format!("k{key}");
                let expected = model.iter().find(|(name, _)| *name == key).map(|(_, v)| (*v).into());
                prop_assert_eq!(map.get(&key), expected.as_ref());
                prop_assert_eq!(map.get_near(&key, place), expected.as_ref());
            }
        }
    }

    #[test]
    fn number_order_agrees_with_wide_arithmetic(a in any::<i64>(), b in any::<i32>(), shift in 0_u32..20) {
        // `b / 2^shift` is exact in a float; compare both sides scaled up.
        let float = f64::from(b) / f64::from(1_u32 << shift);
        let expected = (i128::from(a) << shift).cmp(&i128::from(b));
        prop_assert_eq!(Number::from(a).cmp(&Number::from_float(float).unwrap()), expected);
    }
}

#[test]
fn keys_that_differ_in_one_byte_are_told_apart_whatever_their_length() {
    let key = "abcdefghijklmnopqrstuvwxyz";
    for length in 0..=key.len() {
        let one = key.get(..length).unwrap();
        assert!(is_same(one, &String::from(one)), "{one}");
        for at in 0..length {
            let mut other = one.as_bytes().to_vec();
            other[at] = b'!';
            assert!(!is_same(one, std::str::from_utf8(&other).unwrap()), "{one} at {at}");
        }
        assert!(!is_same(one, &format!("{one}a")));
    }
}
