//! Decodes the expectations of a step.

use std::sync::Arc;

use lawful_syntax::{Diagnostic, Kind, Node, Severity, Span, did_you_mean, escape};

use super::Context;
use crate::book::Part;
use crate::code;
use crate::cond::{decode, without_echoes};
use crate::decode::{Fields, choice, list, text, wrong_type};
use crate::react::{EffectKind, variable};
use crate::scenario::codes::UNKNOWN_NAME;
use crate::scenario::document::{PromptOf, StepKind};
use crate::scenario::expect::{Decided, Expect, Listed, PromptTest, StateTest};
use crate::scenario::name::NameKind;
use crate::value::{Map, Value};
use crate::verify::Verdict;

/// The keys of an expectation on a prompt.
pub(crate) const PROMPT: [&str; 5] = ["contains", "lacks", "order", "composition", "role"];
/// The key of a list that says everything.
pub(crate) const LISTED: [&str; 1] = ["exactly"];

impl Context<'_> {
    pub(super) fn expect(&mut self, node: &Node, kind: StepKind) -> Option<Expect> {
        if node.is_null() {
            let help = "write `expect: {}` and run `lawful test --bless`, or remove the key";
            self.bad(node.span, "`expect` is null, which expects nothing", help);
            return None;
        }
        let before = self.problems.len();
        Fields::of(node, "`expect`", &Expect::KEYS, self.problems)?;
        let mut expect = Expect::none(node.span);
        for entry in node.as_map().unwrap_or_default() {
            if !Expect::KEYS.contains(&&*entry.key) {
                continue;
            }
            if let Err(why) = Expect::fits(&entry.key, kind) {
                let (key, kind) = (&entry.key, kind.name());
                let message = format!("a step of the kind `{kind}` has no `{key}`");
                self.bad(entry.key_span, message, why);
                continue;
            }
            if entry.value.is_null() {
                let message = format!("`{}` is null, which expects nothing", entry.key);
                self.bad(entry.value.span, message, "remove the key, or say what to expect");
                continue;
            }
            self.key(&mut expect, &entry.key, &entry.value, kind);
        }
        let found = self.problems.get(before..).unwrap_or_default();
        (!found.iter().any(Diagnostic::is_error)).then_some(expect)
    }

    fn key(&mut self, expect: &mut Expect, key: &str, node: &Node, kind: StepKind) {
        let rules = match kind {
            StepKind::Compose => NameKind::CompositionRule,
            StepKind::Turn | StepKind::Action | StepKind::Event | StepKind::Set => NameKind::Rule,
            StepKind::Prompt | StepKind::Tool | StepKind::Stop => NameKind::Rule,
            StepKind::Envelope | StepKind::Rewind => NameKind::Rule,
        };
        match key {
            "state" => expect.state = self.state(node),
            "fired" => expect.fired = self.named(key, node, rules),
            "not-fired" => expect.not_fired = self.not_fired(node, rules),
            "by" => expect.by = self.named(key, node, NameKind::Guard),
            "directives" => expect.directives = self.named(key, node, NameKind::Directive),
            "effects" => expect.effects = self.listed(key, node, Self::effect),
            "decision" => {
                let found = choice(node, "decision", &Decided::NAMES, self.problems);
                expect.decision = found.map(|decision| (decision, node.span));
            }
            "verdict" => {
                let all = [Verdict::Pass, Verdict::Fail, Verdict::Undecided];
                let names = all.map(|verdict| (verdict.name(), verdict));
                let found = choice(node, "verdict", &names, self.problems);
                expect.verdict = found.map(|verdict| (verdict, node.span));
            }
            "failed" => expect.failed = self.predicates(key, node),
            "skipped" => expect.skipped = self.predicates(key, node),
            "undecided" => expect.undecided = self.predicates(key, node),
            "diagnostics" => expect.diagnostics = self.listed(key, node, Self::code),
            _ => expect.prompt = self.prompt(node, kind),
        }
    }

    /// A condition on the variables.
    fn state(&mut self, node: &Node) -> Option<StateTest> {
        let (condition, mut found) = decode(node);
        let (compiled, more) = self.book.registry.compile_with_warnings(&condition);
        let more = without_echoes(more, &found);
        found.extend(more);
        // An expectation that holds by its form alone says nothing.
        for problem in &mut found {
            if problem.code == &code::EMPTY_ALL || problem.code == &code::EMPTY_ANY {
                problem.severity = Severity::Error;
            }
        }
        self.problems.extend(found);
        if condition.is_always() {
            let help = "write it as `{hp: 3}`; to expect no variable, remove the key";
            self.bad(node.span, "`state` expects nothing", help);
            return None;
        }
        let (set, root) = compiled?;
        for path in set.reads(root) {
            if let Some(name) = variable(path) {
                let name = name.to_owned();
                self.name(NameKind::Variable, &name, node.span);
            } else {
                let path = path.to_string();
                let message =
                    format!("`state` reads `{}`, which is not a variable", escape::name(&path));
                self.bad(node.span, message, "write the name of a variable, as in `{hp: 3}`");
            }
        }
        let (written, compiled) = (Value::from_node(node), Arc::new((set, root)));
        Some(StateTest { condition, written, span: node.span, compiled })
    }

    /// A list, or `{exactly: […]}`.
    fn listed<T>(
        &mut self,
        key: &str,
        node: &Node,
        item: impl Fn(&mut Self, &Node) -> Option<T>,
    ) -> Option<Listed<T>> {
        let (items, exactly) = if node.as_map().is_some() {
            let fields = Fields::of(node, &format!("`{key}`"), &LISTED, self.problems)?;
            (fields.require("exactly", &format!("`{key}`"), self.problems)?, true)
        } else {
            (node, false)
        };
        let written = list(items, &format!("`{key}`"), "what is expected", self.problems);
        items.as_list()?;
        if written.is_empty() && !exactly {
            let help = format!("write `{key}: {{exactly: []}}` to expect that there are none");
            self.bad(node.span, format!("an empty `{key}` expects nothing"), help);
            return None;
        }
        let count = written.len();
        let items: Vec<(T, Span)> =
            written.iter().filter_map(|node| Some((item(self, node)?, node.span))).collect();
        (items.len() == count).then_some(Listed { items, exactly, span: node.span })
    }

    fn named(&mut self, key: &str, node: &Node, kind: NameKind) -> Option<Listed> {
        self.listed(key, node, |context, item| {
            let found = text(item, &format!("an element of `{key}`"), context.problems)?;
            context.name(kind, found, item.span);
            Some(found.into())
        })
    }

    /// The rules that must not fire. All others may, so `exactly` would say nothing.
    fn not_fired(&mut self, node: &Node, kind: NameKind) -> Option<Listed> {
        let found = self.named("not-fired", node, kind)?;
        if found.exactly {
            let help = "write the rules as a list; to say everything that fires, use `fired`";
            self.bad(node.span, "`not-fired` cannot be `exactly`", help);
            return None;
        }
        Some(found)
    }

    /// Predicates by name, or by index if they have none.
    fn predicates(&mut self, key: &str, node: &Node) -> Option<Listed> {
        self.listed(key, node, |context, item| {
            let found: Box<str> = match &item.kind {
                Kind::Int(index) if *index >= 0 => index.to_string().into(),
                Kind::Text(name) => name.clone(),
                Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => {
                    let what = format!("an element of `{key}`");
                    context.problems.push(wrong_type(item, &what, "the name of a predicate"));
                    return None;
                }
                Kind::List(_) | Kind::Map(_) => {
                    let what = format!("an element of `{key}`");
                    context.problems.push(wrong_type(item, &what, "the name of a predicate"));
                    return None;
                }
            };
            context.name(NameKind::Predicate, &found, item.span);
            Some(found)
        })
    }

    fn code(&mut self, node: &Node) -> Option<Box<str>> {
        let name = text(node, "an element of `diagnostics`", self.problems)?;
        if code::find(name).is_none() {
            let message = format!("unknown diagnostic code `{}`", escape::name(name));
            let all = code::all();
            let help = did_you_mean("code", name, all.iter().map(|code| code.name));
            self.problems.push(Diagnostic::new(&UNKNOWN_NAME, node.span, message).help(help));
            return None;
        }
        Some(name.into())
    }

    /// The fields of an effect.
    fn effect(&mut self, node: &Node) -> Option<Map> {
        let Value::Map(fields) = Value::from_node(node) else {
            let problem = wrong_type(node, "an element of `effects`", "a mapping");
            self.problems.push(problem.help("write it as `{type: notify-player}`"));
            return None;
        };
        if let Some(kind) = node.get("type") {
            let names = EffectKind::ALL.map(|kind| (kind.name(), ()));
            choice(kind, "type", &names, self.problems)?;
        }
        if fields.is_empty() {
            let help = "write the fields to compare, such as `{type: notify-player}`";
            self.bad(node.span, "an effect without fields expects nothing", help);
            return None;
        }
        for entry in node.as_map().unwrap_or_default() {
            if entry.value.is_null() {
                let message = format!("the field `{}` is null", escape::name(&entry.key));
                let help = "remove it, or write its value; an absent field cannot be expected";
                self.bad(entry.value.span, message, help);
            }
        }
        Some(fields)
    }

    fn prompt(&mut self, node: &Node, kind: StepKind) -> Option<PromptTest> {
        let fields = Fields::of(node, "`prompt`", &PROMPT, self.problems)?;
        let of = self.prompt_of(&fields, "composition")?;
        let contains = self.texts(fields.get("contains"), "contains");
        let lacks = self.texts(fields.get("lacks"), "lacks");
        let order = match fields.get("order") {
            None => Some(Vec::new()),
            Some(node) => self.order(node),
        };
        let mut test =
            PromptTest { span: node.span, of, contains: contains?, lacks: lacks?, order: order? };
        if test.contains.is_empty() && test.lacks.is_empty() && test.order.is_empty() {
            let help = "add `contains`, `lacks` or `order`";
            self.bad(node.span, "`prompt` expects nothing", help);
            return None;
        }
        if test.of.is_none() && kind != StepKind::Compose {
            test.of = self.usual_prompt(node.span);
            if test.of.is_none() {
                let help = "add `composition: …` or `role: …`";
                self.bad(node.span, "this step composes no prompt", help);
                return None;
            }
        }
        Some(test)
    }

    /// The prompt that an expectation means if it names none: the one that was composed last, or that
    /// of the only composition of the book.
    fn usual_prompt(&self, span: Span) -> Option<(PromptOf, Span)> {
        let of_book = || {
            let documents = self.book.documents.iter();
            let mut all = documents.filter(|document| document.part == Part::Composition);
            let (only, None) = (all.next()?, all.next()) else { return None };
            let name = only.node.as_ref()?.get("name")?.as_text()?;
            Some(PromptOf::Composition(name.into()))
        };
        self.composed.clone().or_else(of_book).map(|of| (of, span))
    }

    /// A text or a list of texts.
    fn texts(&mut self, node: Option<&Node>, key: &str) -> Option<Vec<(Box<str>, Span)>> {
        let Some(node) = node else { return Some(Vec::new()) };
        let items = match node.as_list() {
            Some(items) => items,
            None => std::slice::from_ref(node),
        };
        let mut out = Vec::new();
        for item in items {
            let found = text(item, &format!("`{key}`"), self.problems)?;
            if found.is_empty() {
                let message = format!("`{key}` has an empty text, which every prompt contains");
                self.bad(item.span, message, "write the text to look for");
                return None;
            }
            out.push((found.into(), item.span));
        }
        if out.is_empty() {
            let message = format!("an empty `{key}` expects nothing");
            self.bad(node.span, message, "write a text, or remove the key");
            return None;
        }
        Some(out)
    }

    fn order(&mut self, node: &Node) -> Option<Vec<(Box<str>, Span)>> {
        let items = list(node, "`order`", "fragment ids", self.problems);
        node.as_list()?;
        let mut out = Vec::new();
        for item in items {
            let id = text(item, "an element of `order`", self.problems)?;
            self.name(NameKind::Section, id, item.span);
            out.push((id.into(), item.span));
        }
        if out.is_empty() {
            self.bad(node.span, "an empty `order` expects nothing", "list ids of fragments");
            return None;
        }
        Some(out)
    }
}
