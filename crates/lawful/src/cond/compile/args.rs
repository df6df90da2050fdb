//! Checks the arguments of primitives at compile time. There are no defaults.

use lawful_syntax::{Diagnostic, Entry, Kind, Node as Syntax, Span, did_you_mean, escape};

use super::{HostPrimitive, Ref, SetBuilder, Surface};
use crate::code;
use crate::cond::leaf::{How, Leaf, Quantifier, Set, Test};
use crate::cond::operator::{Operand, Operator};
use crate::decode::{narrow, parse_path};
use crate::limits::Limits;
use crate::path::Path;
use crate::value::{Number, Value};

impl SetBuilder<'_> {
    /// The path and test of a built-in operator.
    pub(super) fn leaf(
        &mut self,
        operator: Operator,
        reference: &Ref,
        span: Span,
    ) -> Option<(Path, Leaf)> {
        let name = operator.name();
        let entries = self.entries(reference, span, name)?;
        let before = self.problems.len();
        self.unknown_args(entries, name, &["path", "value", "quantifier"]);
        let find = |key: &str| entries.iter().find(|entry| &*entry.key == key);
        let path = self.path_arg(find("path"), name, span);
        let test = self.test(operator, find("value"), reference.id_span);
        let quantifier = self.quantifier(find("quantifier"));
        if self.problems.get(before..).is_some_and(|new| new.iter().any(Diagnostic::is_error)) {
            return None;
        }
        let (path, test) = (path?, test?);
        if let (Some(entry), Some(_), false) = (find("quantifier"), quantifier, path.is_wild()) {
            let message = format!("`quantifier` has no effect, because `{path}` has no `[*]`");
            self.report(
                Diagnostic::new(
                    &code::NEEDLESS_QUANTIFIER,
                    entry.key_span.to(entry.value.span),
                    message,
                )
                .help("remove `quantifier`, or write `[*]` where you mean every element"),
            );
        }
        let negated = operator.complement_of().is_some();
        let how = match (path.is_wild(), quantifier, self.surface) {
            (_, Some(quantifier), _) => How::Written(quantifier),
            (false, None, _) => How::One,
            (true, None, _) if test.of_list().is_some() => How::AsList,
            (true, None, Surface::When) if !negated => How::Some,
            (true, None, Surface::When | Surface::Predicate) => How::Every,
        };
        Some((path, Leaf { operator, test, negated, how }))
    }

    /// The arguments of a host primitive: `Some(None)` if it has none and needs none.
    pub(super) fn host_args(
        &mut self,
        host: &HostPrimitive,
        reference: &Ref,
        span: Span,
    ) -> Option<Option<Value>> {
        let id = &*reference.id;
        let specs = &host.primitive.args;
        let entries = match &reference.args {
            None => &[][..],
            Some(_) => self.entries(reference, span, id)?,
        };
        let before = self.problems.len();
        let names: Vec<&str> = specs.iter().map(|spec| &*spec.name).collect();
        self.unknown_args(entries, id, &names);
        for spec in specs {
            let given = entries
                .iter()
                .find(|entry| entry.key == spec.name)
                .filter(|entry| !entry.value.is_null());
            let Some(entry) = given else {
                if spec.required {
                    let message =
                        format!("`{}` needs the argument `{}`", escape::name(id), spec.name);
                    self.bad_args(reference.id_span, message, Some("add it under `args`"));
                }
                continue;
            };
            let value = Value::from_node(&entry.value);
            if !spec.kind.admits(&value) {
                let message = format!(
                    "the argument `{}` must be {}, found {}",
                    spec.name,
                    spec.kind.name(),
                    value.kind_name()
                );
                self.bad_args(entry.value.span, message, None);
            } else if let Some(text) = value.as_text()
                && !spec.choices.is_empty()
                && !spec.choices.iter().any(|choice| **choice == *text)
            {
                let message = format!(
                    "invalid value `{1}` for the argument `{0}`",
                    spec.name,
                    escape::name(text)
                );
                let choices = spec.choices.iter().map(|choice| &**choice);
                let help = did_you_mean("value", text, choices);
                self.bad_args(entry.value.span, message, Some(&help));
            }
        }
        let failed =
            self.problems.get(before..).is_some_and(|new| new.iter().any(Diagnostic::is_error));
        (!failed).then(|| reference.args.as_ref().map(Value::from_node))
    }

    fn entries<'a>(&mut self, reference: &'a Ref, span: Span, name: &str) -> Option<&'a [Entry]> {
        let Some(args) = &reference.args else {
            let message = format!("`{}` needs arguments", escape::name(name));
            self.bad_args(span, message, Some("add `args: {…}`"));
            return None;
        };
        let entries = args.as_map();
        if entries.is_none() {
            let message = format!("`args` must be a mapping, found {}", args.kind_name());
            self.bad_args(args.span, message, None);
        }
        entries
    }

    fn unknown_args(&mut self, entries: &[Entry], name: &str, known: &[&str]) {
        for entry in entries.iter().filter(|entry| !known.contains(&&*entry.key)) {
            let message =
                format!("`{}` has no argument `{}`", escape::name(name), escape::name(&entry.key));
            let help = did_you_mean("argument", &entry.key, known.iter().copied());
            self.bad_args(entry.key_span, message, Some(&help));
        }
    }

    fn path_arg(&mut self, entry: Option<&Entry>, name: &str, span: Span) -> Option<Path> {
        let Some(entry) = entry else {
            self.bad_args(span, format!("`{name}` needs a `path`"), Some("add `path: …`"));
            return None;
        };
        let Some(text) = entry.value.as_text() else {
            let message = format!("`path` must be a string, found {}", entry.value.kind_name());
            self.bad_args(entry.value.span, message, Some("write a path such as `user.tier`"));
            return None;
        };
        match parse_path(&entry.value, text) {
            Ok(path) => Some(path),
            Err(problem) => {
                self.report(*problem);
                None
            }
        }
    }

    fn quantifier(&mut self, entry: Option<&Entry>) -> Option<Quantifier> {
        let entry = entry.filter(|entry| !entry.value.is_null())?;
        let written = entry.value.as_text().unwrap_or_default();
        let known = Quantifier::NAMES.iter().find(|(name, _)| *name == written);
        if known.is_none() {
            let shown = entry.value.as_text().map_or_else(|| entry.value.describe(), str::to_owned);
            let message = format!("unknown quantifier `{}`", escape::name(&shown));
            let names = Quantifier::NAMES.iter().map(|(name, _)| *name);
            let help = did_you_mean("quantifier", written, names);
            self.bad_args(entry.value.span, message, Some(&help));
        }
        known.map(|(_, quantifier)| *quantifier)
    }

    fn test(&mut self, operator: Operator, entry: Option<&Entry>, place: Span) -> Option<Test> {
        let name = operator.name();
        let operand = operator.operand();
        let Some(entry) = entry else {
            if operand == Operand::Nothing {
                return Some(Test::Exists);
            }
            self.bad_args(place, format!("`{name}` needs a `value`"), Some("add `value: …`"));
            return None;
        };
        if operand == Operand::Nothing {
            if entry.value.is_null() {
                return Some(Test::Exists);
            }
            let span = entry.key_span.to(entry.value.span);
            let help = match (&entry.value.kind, operator) {
                (Kind::Bool(false), Operator::Exists) => "write `not_exists` without `value`",
                (Kind::Bool(false), Operator::NotExists) => "write `exists` without `value`",
                (_, _) => "remove `value`",
            };
            let message = format!("`{name}` takes no `value`");
            if self.allows_needless_values && !matches!(entry.value.kind, Kind::Bool(false)) {
                self.report(Diagnostic::new(&code::NEEDLESS_VALUE, span, message).help(help));
                return Some(Test::Exists);
            }
            self.bad_args(span, message, Some(help));
            return None;
        }
        let value = Value::from_node(&entry.value);
        if value.present().is_none() {
            let message = format!("`value` is null, but `{name}` cannot compare with null");
            let help =
                "use `not_exists` to test that a value is absent, or `exists` that it is present";
            self.bad_args(entry.value.span, message, Some(help));
            return None;
        }
        self.operand(operator, operand, value, &entry.value)
    }

    fn operand(
        &mut self,
        operator: Operator,
        operand: Operand,
        value: Value,
        node: &Syntax,
    ) -> Option<Test> {
        let positive = operator.complement_of().unwrap_or(operator);
        let name = operator.name();
        let wrong = |expected: &str| {
            format!("`{name}` compares with {expected}, found {}", value.kind_name())
        };
        match (operand, &value) {
            (Operand::Anything, _) => Some(if positive == Operator::Contains {
                Test::Contains(value)
            } else {
                Test::Equals(value)
            }),
            (Operand::Set, Value::List(set)) => {
                self.check_set(name, node);
                Some(Test::AnyOf(Set::new(set.clone())))
            }
            (Operand::Set, _) => {
                self.bad_args(node.span, wrong("a list of values"), Some("write it as `[…]`"));
                None
            }
            (Operand::Number, Value::Number(bound)) => number_test(positive, *bound),
            (Operand::Number, _) => {
                let quoted = matches!(value, Value::Text(_));
                let help = if quoted { "write a number without quotes" } else { "write a number" };
                self.bad_args(node.span, wrong("a number"), Some(help));
                None
            }
            (Operand::Count, _) => {
                let count =
                    if let Value::Number(number) = &value { number.as_count() } else { None };
                let Some(count) = count else {
                    let message = format!(
                        "`{name}` compares with a whole number of at least 0, found {}",
                        node.describe()
                    );
                    self.bad_args(node.span, message, None);
                    return None;
                };
                let minimum = positive == Operator::MinLength;
                Some(if minimum { Test::MinLength(count) } else { Test::MaxLength(count) })
            }
            (Operand::Text, Value::Text(text)) => Some(if positive == Operator::StartsWith {
                Test::StartsWith(text.clone())
            } else {
                Test::EndsWith(text.clone())
            }),
            (Operand::Pattern, Value::Text(text)) => self.pattern(text, node),
            (Operand::Text | Operand::Pattern, _) => {
                let scalar = !matches!(value, Value::List(_) | Value::Map(_));
                let help = if scalar { "write it in quotes" } else { "write a string" };
                self.bad_args(node.span, wrong("a string"), Some(help));
                None
            }
            (Operand::Nothing, _) => None,
        }
    }

    fn check_set(&mut self, name: &str, node: &Syntax) {
        for item in node.as_list().unwrap_or_default().iter().filter(|item| item.is_null()) {
            let message = format!("a null in the set of `{name}` never matches");
            self.report(
                Diagnostic::new(&code::NULL_IN_SET, item.span, message)
                    .help("remove it; use `not_exists` to test for absence"),
            );
        }
    }

    fn pattern(&mut self, text: &str, node: &Syntax) -> Option<Test> {
        let budget = self.registry.limits.pattern_bytes;
        if self.registry.validated {
            return Some(Test::Matches(self.set.patterns.add_valid(text)));
        }
        match self.set.patterns.add(text, budget) {
            Ok(pattern) => Some(Test::Matches(pattern)),
            Err(error) => {
                let span = error.at.map_or(node.span, |at| narrow(node, text, at));
                if error.too_large {
                    self.report(
                        Diagnostic::new(&code::CONDITION_TOO_LARGE, span, error.message)
                            .help(Limits::help_on_patterns(budget)),
                    );
                } else {
                    self.bad_args(span, error.message, Some("use the syntax of Rust's `regex` crate, which has no look-around and no backreferences"));
                }
                None
            }
        }
    }

    fn bad_args(&mut self, span: Span, message: String, help: Option<&str>) {
        let problem = Diagnostic::new(&code::BAD_ARGS, span, message);
        self.report(match help {
            Some(help) => problem.help(help),
            None => problem,
        });
    }
}

fn number_test(positive: Operator, bound: Number) -> Option<Test> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the operators with a number, by their operand"
    )]
    match positive {
        Operator::GreaterThan => Some(Test::GreaterThan(bound)),
        Operator::LessThan => Some(Test::LessThan(bound)),
        Operator::AtLeast => Some(Test::AtLeast(bound)),
        Operator::AtMost => Some(Test::AtMost(bound)),
        _ => None,
    }
}
