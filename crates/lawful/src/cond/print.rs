//! The stored form of a condition.

use super::tree::{Condition, ConditionKind};
use crate::value::{Map, Value};

impl Condition {
    /// The stored form: `{type: all|any, rules}`, `{type: not, rule}`, `{type: ref, id, args?}`.
    /// Decoding it gives an equal tree.
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        let mut set = |key: &str, value: Value| map.insert(key, value);
        let list = |rules: &[Self]| Value::List(rules.iter().map(Self::to_value).collect());
        match &self.kind {
            // Decoding it again gives a broken condition too.
            ConditionKind::Broken => set("type", "broken".into()),
            ConditionKind::Always => {
                set("type", "all".into());
                set("rules", Value::List(Vec::new()));
            }
            ConditionKind::All(rules) => {
                set("type", "all".into());
                set("rules", list(rules));
            }
            ConditionKind::Any(rules) => {
                set("type", "any".into());
                set("rules", list(rules));
            }
            ConditionKind::Not(rule) => {
                set("type", "not".into());
                set("rule", rule.to_value());
            }
            ConditionKind::Ref(reference) => {
                set("type", "ref".into());
                set("id", Value::Text(reference.id.clone()));
                if let Some(args) = &reference.args {
                    set("args", Value::from_node(args));
                }
            }
        }
        Value::Map(map)
    }
}
