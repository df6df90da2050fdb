//! Decodes every written form of a condition to one tree.
//!
//! | written | means |
//! |---|---|
//! | `{type: all, rules: […]}`, `{type: any, …}`, `{type: not, rule: …}`, `{type: ref, id, args}` | the stored form |
//! | `all: […]`, `any: […]`, `not: …`, `ref: id` | the same, shorter |
//! | `{path, op, value, quantifier}` | a test: a `ref` to the operator's primitive |
//! | `{tone: terse, user.tier: vip}` | every path equals its value |
//!
//! The leaves may have other names: in a rulespec a test is `{claim, rule, value}` and the keys of
//! an equality map are claims; in the rules of a session `{variableId, operator, value}` is also a
//! test. [`Leaves`] defines the names and the paths they mean.

use lawful_syntax::{Diagnostic, Entry, Kind, Node, did_you_mean, escape, nearest};

use super::tree::{Condition, ConditionKind, Ref, entry};
use super::{Operator, expression, operator::Operand};
use crate::code;
use crate::decode::{text, wrong_type};

/// Decodes a `when`. One that is missing, null or an empty mapping is always true.
pub fn decode_when(node: Option<&Node>) -> (Condition, Vec<Diagnostic>) {
    node.map_or_else(|| (Condition::always(), Vec::new()), decode)
}

/// Decodes a condition and reports all of its problems. Invalid parts become
/// [`ConditionKind::Broken`], so the tree compiles only if there are no errors.
pub fn decode(node: &Node) -> (Condition, Vec<Diagnostic>) {
    decode_with(node, &Leaves { tests: &[PATH], path: &|written, _| Some(written.clone()) })
}

/// The two keys of a test.
#[derive(Clone, Copy)]
pub(crate) struct TestWords {
    /// The key that makes a mapping a test.
    pub subject: &'static str,
    /// The key of the operator.
    pub operator: &'static str,
    /// Whether the key of the operator is reserved too, so that it is never compared as a path.
    pub reserved: bool,
}

/// `{path, op, value}`.
pub(crate) const PATH: TestWords = TestWords { subject: "path", operator: "op", reserved: false };

/// The stored forms and their keys; the second is required.
pub(crate) const STORED: [(&str, &[&str]); 4] = [
    ("all", &["type", "rules"]),
    ("any", &["type", "rules"]),
    ("not", &["type", "rule"]),
    ("ref", &["type", "id", "args"]),
];

/// The names of leaves, and the path that each of them tests.
pub(crate) struct Leaves<'l> {
    /// The allowed keys of a test; helps show the first.
    pub tests: &'l [TestWords],
    /// Resolves the value of that key, or a key of an equality map, to a path.
    pub path: &'l dyn Fn(&Node, &mut Vec<Diagnostic>) -> Option<Node>,
}

/// Decodes a condition whose leaves have other names.
pub(crate) fn decode_with(node: &Node, leaves: &Leaves<'_>) -> (Condition, Vec<Diagnostic>) {
    if is_nothing(node) {
        return (Condition { kind: ConditionKind::Always, span: node.span }, Vec::new());
    }
    let mut decoder = Decoder { leaves, problems: Vec::new() };
    let condition = decoder.condition(node);
    (condition, decoder.problems)
}

fn is_nothing(node: &Node) -> bool {
    match &node.kind {
        Kind::Null => true,
        Kind::Map(entries) => entries.is_empty(),
        Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_) | Kind::List(_) => false,
    }
}

impl Leaves<'_> {
    /// The reserved words, and the keys that belong to each. `type` is the word of the [`STORED`]
    /// forms.
    pub(crate) fn forms(&self) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
        let tests = self.tests.iter().flat_map(|&TestWords { subject, operator, reserved }| {
            let words = [Some(subject), reserved.then_some(operator)].into_iter().flatten();
            words.map(move |word| (word, vec![subject, operator, "value", "quantifier"]))
        });
        [
            ("all", vec!["all"]),
            ("any", vec!["any"]),
            ("not", vec!["not"]),
            ("ref", vec!["ref", "args"]),
            ("type", vec!["type"]),
        ]
        .into_iter()
        .chain(tests)
    }

    /// What the keys of an equality map are called.
    fn key(&self) -> &'static str {
        let paths = self.tests.iter().any(|test| test.subject == PATH.subject);
        if paths { "key" } else { self.shown().subject }
    }

    /// How to test a key that has the name of a reserved word.
    fn literally(&self, key: &str) -> String {
        if self.key() == "key" {
            return format!("'[\"{key}\"]'");
        }
        let TestWords { subject, operator, .. } = self.shown();
        format!("{{{subject}: {key}, {operator}: equals, value: …}}")
    }

    /// The keys that helps show.
    fn shown(&self) -> TestWords {
        self.tests.first().copied().unwrap_or(PATH)
    }
}

struct Decoder<'l> {
    leaves: &'l Leaves<'l>,
    problems: Vec<Diagnostic>,
}

impl Decoder<'_> {
    fn condition(&mut self, node: &Node) -> Condition {
        let kind = self.kind(node).unwrap_or(ConditionKind::Broken);
        Condition { kind, span: node.span }
    }

    /// The kind of the condition; `None` if it is invalid, which is reported.
    fn kind(&mut self, node: &Node) -> Option<ConditionKind> {
        let Some(entries) = node.as_map() else {
            let mut problem = wrong_type(node, "a condition", "a mapping");
            match &node.kind {
                Kind::List(_) => problem = problem.help("write `all: […]` or `any: […]`"),
                Kind::Text(written) => {
                    problem = problem.help(expression::help(written, self.leaves.shown()));
                }
                Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Map(_) => {
                    problem = problem.help("write a test such as `{tone: terse}`");
                }
            }
            self.problems.push(problem);
            return None;
        };
        let form = self.leaves.forms().find_map(|(word, keys)| {
            entries.iter().find(|entry| &*entry.key == word).map(|entry| (entry, keys))
        });
        match form {
            None => Some(self.equality_map(entries)),
            Some((word, _)) if &*word.key == "type" => self.stored(node, entries, word),
            Some((word, keys)) => {
                self.only(entries, word, &keys)?;
                Some(match &*word.key {
                    "all" => ConditionKind::All(self.list(&word.value, "`all`")?),
                    "any" => ConditionKind::Any(self.list(&word.value, "`any`")?),
                    "not" => ConditionKind::Not(Box::new(self.negated(&word.value)?)),
                    "ref" => self.reference(&word.value, node.get("args"))?,
                    name => {
                        let mut tests = self.leaves.tests.iter();
                        let words =
                            tests.find(|test| [test.subject, test.operator].contains(&name));
                        self.test(node, *words?)?
                    }
                })
            }
        }
    }

    fn list(&mut self, node: &Node, what: &str) -> Option<Vec<Condition>> {
        let Some(items) = node.as_list() else {
            let problem = wrong_type(node, what, "a list of conditions");
            self.problems.push(problem.help("write it as `[…]`"));
            return None;
        };
        Some(items.iter().map(|item| self.condition(item)).collect())
    }

    fn negated(&mut self, node: &Node) -> Option<Condition> {
        if node.as_list().is_some() {
            let problem = wrong_type(node, "`not`", "one condition");
            self.problems.push(problem.help("write `not: {any: […]}` or `not: {all: […]}`"));
            return None;
        }
        Some(self.condition(node))
    }

    fn reference(&mut self, id: &Node, args: Option<&Node>) -> Option<ConditionKind> {
        let text = text(id, "the id of a `ref`", &mut self.problems)?;
        let args = args.filter(|args| !args.is_null()).cloned();
        Some(ConditionKind::Ref(Ref { id: text.into(), id_span: id.span, args }))
    }

    fn stored(&mut self, node: &Node, entries: &[Entry], word: &Entry) -> Option<ConditionKind> {
        let written = word.value.as_text().unwrap_or_default();
        let Some((kind, keys)) = STORED.iter().find(|(kind, _)| *kind == written) else {
            let shown = word.value.as_text().map_or_else(|| word.value.describe(), str::to_owned);
            let message = format!("unknown condition type `{}`", escape::name(&shown));
            let near = did_you_mean("type", written, STORED.iter().map(|(kind, _)| *kind));
            let help = format!(
                "{near} (to test a {} called `type`, write it as `{}`)",
                self.leaves.key(),
                self.leaves.literally("type")
            );
            self.problems
                .push(Diagnostic::new(&code::UNKNOWN_TYPE, word.value.span, message).help(help));
            return None;
        };
        self.only(entries, word, keys)?;
        let needed = keys.get(1).copied().unwrap_or_default();
        let Some(value) = node.get(needed) else {
            let message = format!("`type: {kind}` is missing the key `{needed}`");
            self.problems.push(
                Diagnostic::new(&code::MISSING_KEY, word.key_span.to(word.value.span), message)
                    .help(format!("add `{needed}: …`")),
            );
            return None;
        };
        match *kind {
            "all" => Some(ConditionKind::All(self.list(value, "`rules`")?)),
            "any" => Some(ConditionKind::Any(self.list(value, "`rules`")?)),
            "not" => Some(ConditionKind::Not(Box::new(self.negated(value)?))),
            _ => self.reference(value, node.get("args")),
        }
    }

    fn test(&mut self, node: &Node, words: TestWords) -> Option<ConditionKind> {
        let TestWords { subject, operator: key, .. } = words;
        let written =
            |key: &str| node.as_map().unwrap_or_default().iter().find(|entry| &*entry.key == key);
        let (word, op) = match (written(subject), written(key)) {
            (Some(word), Some(op)) => (word, &op.value),
            (word, op) => {
                let (missing, there) = if word.is_none() { (subject, op) } else { (key, word) };
                // A key in another case is reported as such, and is what the author meant.
                let entries = node.as_map().unwrap_or_default();
                if entries.iter().any(|entry| entry.key.eq_ignore_ascii_case(missing)) {
                    return None;
                }
                let span = there.map_or(node.span, |one| one.key_span.to(one.value.span));
                let message = format!("a test is missing the key `{missing}`");
                self.problems.push(
                    Diagnostic::new(&code::MISSING_KEY, span, message)
                        .help(format!("write `{{{subject}: …, {key}: equals, value: …}}`")),
                );
                return None;
            }
        };
        let path = (self.leaves.path)(&word.value, &mut self.problems);
        let name = text(op, &format!("`{key}`"), &mut self.problems)?;
        let Some(operator) = Operator::find(name) else {
            let message = format!("unknown operator `{}`", escape::name(name));
            let help = suggest_operator(name);
            self.problems
                .push(Diagnostic::new(&code::UNKNOWN_OPERATOR, op.span, message).help(help));
            return None;
        };
        let mut args = vec![Entry { key: "path".into(), key_span: word.key_span, value: path? }];
        for key in ["value", "quantifier"] {
            // A null `value` counts as absent if the operator takes no value.
            let needless = key == "value" && operator.operand() == Operand::Nothing;
            args.extend(written(key).filter(|entry| !(needless && entry.value.is_null())).cloned());
        }
        let args = Some(Node { kind: Kind::Map(args), span: node.span });
        Some(ConditionKind::Ref(Ref { id: operator.id().into(), id_span: op.span, args }))
    }

    fn equality_map(&mut self, entries: &[Entry]) -> ConditionKind {
        if entries.is_empty() {
            return ConditionKind::Always;
        }
        let misread: Vec<Diagnostic> =
            entries.iter().filter_map(|entry| misread(entry, entries, self.leaves)).collect();
        let suspicious = !misread.is_empty();
        self.problems.extend(misread);
        let mut tests: Vec<Condition> =
            entries.iter().map(|entry| self.equality(entry, suspicious)).collect();
        match (tests.pop(), tests.is_empty()) {
            (Some(only), true) => only.kind,
            (last, _) => {
                tests.extend(last);
                ConditionKind::All(tests)
            }
        }
    }

    fn equality(&mut self, written: &Entry, suspicious: bool) -> Condition {
        if written.value.is_null()
            && let Some(help) = expression::test(&written.key, self.leaves.shown())
        {
            let message = format!("`{}` is not a condition", escape::name(&written.key));
            self.problems
                .push(Diagnostic::new(&code::WRONG_TYPE, written.key_span, message).help(help));
            return Condition { kind: ConditionKind::Broken, span: written.key_span };
        }
        if written.value.as_list().is_some() && !suspicious {
            let path = escape::name(&written.key);
            let message = format!("`{path}` is compared with a whole list");
            let TestWords { subject, operator, .. } = self.leaves.shown();
            let help = format!(
                "for \"one of\" write `{{{subject}: {path}, {operator}: any_of, value: …}}`, for the list itself `{operator}: equals`"
            );
            self.problems.push(
                Diagnostic::new(&code::LIST_IN_EQUALITY, written.value.span, message).help(help),
            );
        }
        let span = written.key_span.to(written.value.span);
        let key = Node::text(written.key.clone(), written.key_span);
        let Some(path) = (self.leaves.path)(&key, &mut self.problems) else {
            return Condition { kind: ConditionKind::Broken, span };
        };
        let args = vec![entry("path", path), entry("value", written.value.clone())];
        let args = Some(Node { kind: Kind::Map(args), span });
        let id = Operator::Equals.id().into();
        Condition { kind: ConditionKind::Ref(Ref { id, id_span: written.key_span, args }), span }
    }

    /// Checks that a reserved word has only the keys of its form.
    fn only(&mut self, entries: &[Entry], word: &Entry, keys: &[&str]) -> Option<()> {
        let mut fine = Some(());
        for other in entries.iter().filter(|entry| !keys.contains(&&*entry.key)) {
            fine = None;
            let name = escape::name(&other.key);
            let message = format!(
                "the key `{}` is not allowed next to the reserved word `{}`",
                name, word.key
            );
            let beside = keys.iter().copied().filter(|key| **key != *word.key);
            // The operator has this name in other documents.
            let foreign = ["op", "operator", "rule"].contains(&&*other.key);
            let tests = self.leaves.tests.iter();
            let own = tests.filter(|test| foreign && *test.subject == *word.key);
            let own = own.map(|test| test.operator).next();
            let help = match own.or_else(|| nearest(&other.key, beside).first().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "put both under `all: […]`; to test a {} called `{}`, write it as `{}`",
                    self.leaves.key(),
                    word.key,
                    self.leaves.literally(&word.key)
                ),
            };
            self.problems.push(
                Diagnostic::new(&code::RESERVED_KEY, other.key_span, message)
                    .label(word.key_span, "the reserved word")
                    .help(help),
            );
        }
        fine
    }
}

/// The warning for a key that resembles a reserved word and has a value of its form.
fn misread(entry: &Entry, entries: &[Entry], leaves: &Leaves<'_>) -> Option<Diagnostic> {
    let shown = leaves.shown().subject;
    let names_operator = |entry: &Entry| {
        let known = entry.value.as_text().is_some_and(|op| Operator::find(op).is_some());
        leaves.tests.iter().find(|test| known && *entry.key == *test.operator)
    };
    if let Some(TestWords { subject, operator, .. }) = names_operator(entry) {
        let near_path = entries.iter().any(|other| strays_by_one(subject, &other.key));
        return (!near_path).then(|| {
            let message = format!(
                "`{operator}` is compared as a {shown} with its value, because `{subject}` is missing"
            );
            Diagnostic::new(&code::MISREAD_FORM, entry.key_span, message).help(format!(
                "add `{subject}: …`; write a {} of that name as `{}`",
                leaves.key(),
                leaves.literally(operator)
            ))
        });
    }
    let words: Vec<&str> = leaves.forms().map(|(word, _)| word).collect();
    let same = words.iter().find(|word| word.eq_ignore_ascii_case(&entry.key));
    let meant = same.copied().or_else(|| expression::connective(&entry.key));
    let word =
        meant.or_else(|| words.iter().copied().find(|word| strays_by_one(word, &entry.key)))?;
    let text = entry.value.as_text();
    let fits = match word {
        "all" | "any" => entry.value.as_list().is_some_and(|items| items.iter().all(is_map)),
        "not" => is_map(&entry.value),
        "type" => text.is_some_and(|text| ["all", "any", "not", "ref"].contains(&text)),
        "ref" => same.is_some() && text.is_some(),
        _ => entries.iter().any(|entry| names_operator(entry).is_some()),
    };
    let key = escape::name(&entry.key);
    fits.then(|| {
        Diagnostic::new(
            &code::MISREAD_FORM,
            entry.key_span,
            format!("`{key}` is compared as a {shown} with its value"),
        )
        .help(format!(
            "did you mean `{}`? write a {} of that name as `{}`",
            if matches!(word, "all" | "any") { format!("{word}: […]") } else { word.to_owned() },
            leaves.key(),
            leaves.literally(&key)
        ))
    })
}

fn is_map(node: &Node) -> bool {
    node.as_map().is_some()
}

fn strays_by_one(word: &str, written: &str) -> bool {
    nearest(written, [word]).first() == Some(&word) && written.len().abs_diff(word.len()) <= 1
}

/// Suggests similar names, aliases included; the list of all operators omits aliases.
fn suggest_operator(name: &str) -> String {
    let aliases = Operator::all().filter_map(Operator::alias);
    match nearest(name, Operator::all().map(Operator::name).chain(aliases)).as_slice() {
        [] => did_you_mean("operator", name, Operator::all().map(Operator::name)),
        near => did_you_mean("operator", name, near.iter().copied()),
    }
}
