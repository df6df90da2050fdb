//! States and inputs that reach a rule.

use super::action::ActionKind;
use super::event::{
    ACTION_EXECUTED, MESSAGE_AI, MESSAGE_USER, SESSION_START, STATE_CHANGED, TURN_COMPLETE,
};
use super::rules::{Rule, RuleId, Rules};
use super::trigger::{Direction, On, Test};
use super::variables::root;
use crate::book::{Book, Manifest, Variable, VariableType};
use crate::cond::partition::{Answer, Domains, reach};
use crate::cond::{Condition, Operator, Surface};
use crate::path::{Path, Segment};
use crate::value::{Map, Number, Value};

/// What may set off a rule: variables at the start, and the steps of a scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Approach {
    pub state: Map,
    pub steps: Vec<Value>,
}

/// More turns than this are not written.
const MOST_TURNS: u64 = 30;

impl Rules {
    /// Whether some state makes the condition of a rule true, or false. The witness gives a value to
    /// every variable that starts with one, if it can.
    pub(crate) fn reach_condition(&self, rule: &Rule, wanted: bool, book: &Book) -> Answer {
        let domains = Domains::of_variables(&book.manifest);
        let answer = reach(&self.conditions, rule.condition, wanted, &domains);
        let reads = self.conditions.reads(rule.condition);
        let starts = |variable: &&Variable| {
            variable.initial.as_ref().is_some_and(|value| value.present().is_some())
                && reads.iter().any(|path| root(path) == Some(&*variable.id))
        };
        let starting = book.manifest.variables.iter().filter(starts);
        let exists = |variable: &Variable| {
            let path = Path::of(&[Segment::Key(variable.id.clone())]);
            Condition::test(&path.to_string(), Operator::Exists, None)
        };
        let own = rule.when.clone();
        let own = if wanted { own } else { Condition::not(own) };
        let tree = Condition::all([own].into_iter().chain(starting.map(exists)));
        let mut set = book.registry.set();
        let present = set.add(&tree, Surface::When).0;
        let present = present.map(|condition| reach(&set.finish(), condition, true, &domains));
        match present {
            Some(found @ Answer::Yes(_)) if answer != Answer::No => found,
            _ => answer,
        }
    }

    /// Values of the variables that a condition reads that are not their first ones, one at a time.
    pub(crate) fn other_states(&self, rule: &Rule, manifest: &Manifest) -> Vec<Map> {
        let reads = self.conditions.reads(rule.condition);
        let mut states = Vec::new();
        for variable in &manifest.variables {
            if !reads.iter().any(|path| root(path) == Some(&*variable.id)) {
                continue;
            }
            if let Some(value) = other_value(variable) {
                states.push([(variable.id.clone(), value)].into_iter().collect());
            }
        }
        states
    }

    /// Steps that match the trigger of a rule. Whether its conditions hold is not known.
    pub(crate) fn approach(&self, rule: &Rule, manifest: &Manifest) -> Option<Approach> {
        self.approach_within(rule, manifest, &mut Vec::new())
    }

    /// `seen` are the manual rules on the way, which may trigger each other.
    fn approach_within(
        &self,
        rule: &Rule,
        manifest: &Manifest,
        seen: &mut Vec<Box<str>>,
    ) -> Option<Approach> {
        let kind = match &rule.trigger.on {
            On::Type(kind) => kind.to_string(),
            On::Namespace(namespace) => format!("{namespace}example"),
            On::Manual => {
                seen.push(rule.id.clone());
                let triggers = |(_, other): &(RuleId, &Rule)| {
                    let names = |kind: &ActionKind| {
                        if let ActionKind::Trigger(id) = kind { *id == rule.id } else { false }
                    };
                    other.actions.iter().any(|action| names(&action.kind))
                };
                let mut by = self.all().filter(triggers);
                let (_, first) = by.find(|(_, other)| !seen.contains(&other.id))?;
                return self.approach_within(first, manifest, seen);
            }
        };
        let step =
            |key: &str, value: Value| Value::Map([(key.into(), value)].into_iter().collect());
        let said = |side: &str, text: &str| {
            step("turn", Value::Map([(side.into(), text.into())].into_iter().collect()))
        };
        let steps = match kind.as_str() {
            MESSAGE_USER => vec![said("user", keyword(rule))],
            MESSAGE_AI => vec![said("ai", keyword(rule))],
            SESSION_START => vec![said("user", "Hello.")],
            TURN_COMPLETE => {
                let turns = rule.trigger.tests.iter().find_map(|test| match test {
                    Test::Turn { at, every } => at.or(*every),
                    Test::Fields { .. } | Test::Changed(_) => None,
                    Test::Crossed { .. } | Test::Keywords(_) => None,
                });
                let turns = turns.unwrap_or(1).min(MOST_TURNS);
                (0..turns).map(|_| said("user", "Hello.")).collect()
            }
            STATE_CHANGED => return change(rule, manifest),
            ACTION_EXECUTED => {
                let mut fields = self.fields(rule);
                let id = fields.remove("actionId")?;
                if fields.is_empty() {
                    vec![step("action", id)]
                } else {
                    fields.insert("action", id);
                    vec![step("action", Value::Map(fields))]
                }
            }
            _ => {
                let mut body = Map::new();
                body.insert("type", kind.as_str().into());
                for (key, value) in self.fields(rule).iter() {
                    body.insert(key, value.clone());
                }
                vec![step("event", Value::Map(body))]
            }
        };
        Some(Approach { state: Map::new(), steps })
    }

    /// Fields of an event that pass the tests of a trigger.
    fn fields(&self, rule: &Rule) -> Map {
        let condition = rule.trigger.tests.iter().find_map(|test| match test {
            Test::Fields { condition, .. } => Some(*condition),
            Test::Changed(_) | Test::Crossed { .. } => None,
            Test::Turn { .. } | Test::Keywords(_) => None,
        });
        let none = Domains::default();
        match condition.map(|condition| reach(&self.patterns, condition, true, &none)) {
            Some(Answer::Yes(Value::Map(fields))) => fields,
            _ => Map::new(),
        }
    }
}

/// The first keyword that is no pattern.
fn keyword(rule: &Rule) -> &str {
    let mut keywords = rule.trigger.keywords.iter();
    keywords.find(|keyword| !keyword.starts_with('/')).map_or("Hello.", |keyword| keyword)
}

/// A write of the host that changes the variable of a trigger.
fn change(rule: &Rule, manifest: &Manifest) -> Option<Approach> {
    let one = Number::from(1);
    let (path, before, after) = rule.trigger.tests.iter().find_map(|test| match test {
        Test::Crossed { path, direction, threshold } => {
            let beyond = match direction {
                Direction::RisesAbove => threshold.plus(one)?,
                Direction::DropsBelow => threshold.minus(one)?,
            };
            Some((path, Some(Value::Number(*threshold)), Value::Number(beyond)))
        }
        Test::Changed(path) => {
            let variable = root(path)?;
            let declared = manifest.variables.iter().find(|known| *known.id == *variable);
            Some((path, None, other_value(declared?)?))
        }
        Test::Fields { .. } | Test::Turn { .. } | Test::Keywords(_) => None,
    })?;
    let mut state = Value::Map(Map::new());
    if let Some(before) = before {
        path.put(&mut state, before);
    }
    let Value::Map(state) = state else { return None };
    Some(Approach { state, steps: vec![write(path, after)] })
}

fn write(path: &Path, value: Value) -> Value {
    let entry = |key: &str, value: Value| (Box::from(key), value);
    let write = [entry("path", Value::from(path.to_string().as_str())), entry("value", value)];
    let writes = Value::List(vec![Value::Map(write.into_iter().collect())]);
    Value::Map([entry("set", writes)].into_iter().collect())
}

/// A value of a variable that is not its first one.
fn other_value(variable: &Variable) -> Option<Value> {
    if let Some(other) =
        variable.values.iter().find(|value| Some(*value) != variable.initial.as_ref())
    {
        return Some(other.clone());
    }
    match (variable.kind, variable.initial.as_ref()) {
        (VariableType::Boolean, Some(Value::Bool(initial))) => Some(Value::Bool(!initial)),
        (VariableType::Boolean, _) => Some(Value::Bool(true)),
        (VariableType::Number, Some(Value::Number(initial))) => {
            let up = initial.plus(1.into())?;
            let fits = variable.max.is_none_or(|max| up <= max);
            let other = if fits { up } else { initial.minus(1.into())? };
            Some(Value::Number(other))
        }
        (VariableType::Number, _) => Some(Value::Number(variable.min.unwrap_or(1.into()))),
        (VariableType::String, _) => Some("changed".into()),
        (VariableType::Array, _) => Some(Value::List(vec!["changed".into()])),
        (VariableType::Object, _) => None,
    }
}
