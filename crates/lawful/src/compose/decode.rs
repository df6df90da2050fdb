//! Compositions: a base list, and rules that change it.

use std::collections::{BTreeMap, BTreeSet};

use lawful_syntax::{Diagnostic, Entry, Node, Span, did_you_mean, escape};

use super::codes::BAD_RULE;
use super::fragment::{FragmentId, Layer};
use super::resolve::taken;
use crate::cond::{CondId, Condition, decode_when, without_echoes};
use crate::decode::{Fields, id, text, wrong_type};

/// A named list of fragments with rules.
#[derive(Clone, Debug)]
pub struct Composition {
    /// Its name.
    pub name: Box<str>,
    /// Where the name is written.
    pub name_span: Span,
    /// The list before any rule.
    pub base: Vec<(FragmentId, Span)>,
    /// The rules, in the order they run.
    pub rules: Vec<Rule>,
    /// The order, unless a rule sets another.
    pub order: Option<Vec<(FragmentId, Span)>>,
    /// The fragment that is the persona; the first of the final order if none is named.
    pub persona: Option<(FragmentId, Span)>,
    /// Its lifetime.
    pub layer: Option<Layer>,
    /// The paths that its conditions read, as indexes into the book's list, each with the rules
    /// that read it.
    pub(super) readers: Vec<(usize, Vec<usize>)>,
}

/// A condition and an action.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its id, with its place; unique in the composition.
    pub id: Option<(Box<str>, Span)>,
    /// When it applies, as written.
    pub when: Condition,
    /// The same in the set of the book.
    pub condition: CondId,
    /// What it does.
    pub action: Action,
    /// Where it is written.
    pub span: Span,
}

/// What a rule does to the list.
#[derive(Clone, Debug)]
pub enum Action {
    /// Swaps ids, all pairs at once.
    Replace(Vec<(FragmentId, FragmentId, Span)>),
    /// Inserts ids.
    Add {
        /// What is inserted.
        ids: Vec<(FragmentId, Span)>,
        /// What it is inserted after.
        after: Option<(FragmentId, Span)>,
    },
    /// Keeps ids out of the result.
    Forbid(Vec<(FragmentId, Span)>),
    /// Puts these first, in this order.
    Order(Vec<(FragmentId, Span)>),
}

impl Composition {
    /// The id of a rule, if it has one.
    pub fn rule_id(&self, index: usize) -> Option<&str> {
        self.rules.get(index)?.id.as_ref().map(|(id, _)| &**id)
    }

    /// Every id that a prompt can contain, each once: those of the base and those that rules bring.
    pub(crate) fn brought(&self) -> impl Iterator<Item = FragmentId> {
        let mut out: Vec<FragmentId> = self.base.iter().map(|(id, _)| *id).collect();
        for rule in &self.rules {
            match &rule.action {
                Action::Replace(pairs) => out.extend(pairs.iter().map(|(_, to, _)| *to)),
                Action::Add { ids, .. } => out.extend(ids.iter().map(|(id, _)| *id)),
                Action::Forbid(_) | Action::Order(_) => {}
            }
        }
        let mut seen = BTreeSet::new();
        out.retain(|id| seen.insert(*id));
        out.into_iter()
    }

    /// A rule as messages name it: "rule 2" or "rule 2 (`vip-offer`)".
    pub(crate) fn rule_name(&self, index: usize) -> String {
        match self.rule_id(index) {
            Some(id) => format!("rule {index} (`{}`)", escape::name(id)),
            None => format!("rule {index}"),
        }
    }

    /// Where it first names an id.
    pub fn mention(&self, id: FragmentId) -> Option<Span> {
        let in_rule = |rule: &Rule| match &rule.action {
            Action::Replace(pairs) => pairs
                .iter()
                .find(|(from, to, _)| *from == id || *to == id)
                .map(|(_, _, span)| *span),
            Action::Add { ids, after } => {
                ids.iter().chain(after).find(|(named, _)| *named == id).map(|(_, span)| *span)
            }
            Action::Forbid(ids) | Action::Order(ids) => {
                ids.iter().find(|(named, _)| *named == id).map(|(_, span)| *span)
            }
        };
        let in_base = self.base.iter().find(|(named, _)| *named == id).map(|(_, span)| *span);
        in_base.or_else(|| self.rules.iter().find_map(in_rule))
    }
}

/// The four actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// `replace`
    Replace,
    /// `add`
    Add,
    /// `forbid`
    Forbid,
    /// `order`
    Order,
}

impl ActionKind {
    /// The key it is written with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::Add => "add",
            Self::Forbid => "forbid",
            Self::Order => "order",
        }
    }
}

impl Action {
    /// Which of the four it is.
    pub fn kind(&self) -> ActionKind {
        match self {
            Self::Replace(_) => ActionKind::Replace,
            Self::Add { .. } => ActionKind::Add,
            Self::Forbid(_) => ActionKind::Forbid,
            Self::Order(_) => ActionKind::Order,
        }
    }
}

/// Compiles a condition into the set of the book.
pub(super) type Compile<'c> = dyn FnMut(&Condition) -> (Option<CondId>, Vec<Diagnostic>) + 'c;

/// What decoding needs from the book: the ids of fragments and the set of conditions.
pub(super) struct Context<'c> {
    pub intern: &'c mut dyn FnMut(&str) -> FragmentId,
    pub compile: &'c mut Compile<'c>,
    pub problems: &'c mut Vec<Diagnostic>,
}

/// The keys of a composition.
pub(crate) const KEYS: [&str; 6] = ["name", "base", "rules", "order", "persona", "layer"];
/// The keys of a rule.
pub(crate) const RULE_KEYS: [&str; 7] =
    ["when", "replace", "add", "after", "forbid", "order", "id"];
/// The actions; a rule has one of them.
pub(crate) const ACTIONS: [&str; 4] = ["replace", "add", "forbid", "order"];

/// Decodes a document; `None` if some part of it is invalid.
pub(super) fn decode(node: &Node, context: &mut Context<'_>) -> Option<Composition> {
    let what = "a composition";
    let fields = Fields::of(node, what, &KEYS, context.problems)?;
    let name = fields.require("name", what, context.problems);
    let name = name.and_then(|node| Some((text(node, "`name`", context.problems)?, node.span)));
    let base = fields.require("base", what, context.problems);
    let base = base.and_then(|node| context.ids(node, "`base`"));
    let rules = match fields.get("rules") {
        None => Some(Vec::new()),
        Some(node) => context.rules(node),
    };
    let order = fields.get("order").map(|node| context.ids(node, "`order`"));
    let persona = fields.get("persona").map(|node| context.id(node, "`persona`"));
    let layer = fields.get("layer").map(|node| Layer::decode(node, context.problems));
    let (name, name_span) = name?;
    Some(Composition {
        name: name.into(),
        name_span,
        base: base?,
        rules: rules?,
        order: transpose(order)?,
        persona: transpose(persona)?,
        layer: transpose(layer)?,
        readers: Vec::new(),
    })
}

/// An absent value is valid; a value that does not decode is not.
fn transpose<T>(written: Option<Option<T>>) -> Option<Option<T>> {
    match written {
        None => Some(None),
        Some(None) => None,
        Some(some) => Some(some),
    }
}

impl Context<'_> {
    fn id(&mut self, node: &Node, what: &str) -> Option<(FragmentId, Span)> {
        let name = text(node, what, self.problems)?;
        Some(((self.intern)(name), node.span))
    }

    fn ids(&mut self, node: &Node, what: &str) -> Option<Vec<(FragmentId, Span)>> {
        let Some(items) = node.as_list() else {
            let problem = wrong_type(node, what, "a list of ids");
            self.problems.push(problem.help("write it as `[…]`"));
            return None;
        };
        let each = format!("an id of {what}");
        let ids: Vec<Option<(FragmentId, Span)>> =
            items.iter().map(|item| self.id(item, &each)).collect();
        ids.into_iter().collect()
    }

    fn rules(&mut self, node: &Node) -> Option<Vec<Rule>> {
        let Some(items) = node.as_list() else {
            let problem = wrong_type(node, "`rules`", "a list of rules");
            self.problems.push(problem.help("start each rule with `- when: …`"));
            return None;
        };
        let rules: Vec<Option<Rule>> = items.iter().map(|item| self.rule(item)).collect();
        let rules: Option<Vec<Rule>> = rules.into_iter().collect();
        let mut known: BTreeMap<&str, Span> = BTreeMap::new();
        for (id, span) in rules.iter().flatten().filter_map(|rule| rule.id.as_ref()) {
            match known.get(&**id) {
                None => {
                    known.insert(id, *span);
                }
                Some(first) => self.problems.push(taken("rule", id, *span, *first)),
            }
        }
        rules
    }

    fn rule(&mut self, node: &Node) -> Option<Rule> {
        let before = self.problems.len();
        let fields = Fields::of(node, "a rule", &RULE_KEYS, self.problems)?;
        let name = fields.get("id").map(|node| {
            id(node, "the `id` of a rule", self.problems).map(|id| (Box::from(id), node.span))
        });
        let (when, problems) = decode_when(fields.get("when"));
        self.problems.extend(problems);
        let (condition, problems) = (self.compile)(&when);
        let known = self.problems.get(before..).unwrap_or_default();
        let found = without_echoes(problems, known);
        self.problems.extend(found);

        let entries = node.as_map().unwrap_or_default();
        let written: Vec<&Entry> =
            entries.iter().filter(|e| ACTIONS.contains(&&*e.key) && !e.value.is_null()).collect();
        let after = entries.iter().find(|e| &*e.key == "after" && !e.value.is_null());
        let action = match written.as_slice() {
            [only] => self.action(only, after),
            [] => {
                let start = Span { end: node.span.start, ..node.span };
                let unknown = entries.iter().find(|entry| !RULE_KEYS.contains(&&*entry.key));
                let help = unknown.map_or_else(
                    || "write one of `replace`, `add`, `forbid` and `order`".to_owned(),
                    |entry| did_you_mean("action", &entry.key, ACTIONS),
                );
                self.bad_rule(start, "a rule is missing an action", &help);
                None
            }
            [first, second, ..] => {
                let message = format!(
                    "a rule must have one action, found `{}` and `{}`",
                    first.key, second.key
                );
                self.bad_rule(second.key_span, &message, "split it into two rules");
                None
            }
        };
        Some(Rule {
            id: transpose(name)?,
            when,
            condition: condition?,
            action: action?,
            span: node.span,
        })
    }

    fn bad_rule(&mut self, span: Span, message: &str, help: &str) {
        self.problems.push(Diagnostic::new(&BAD_RULE, span, message).help(help.to_owned()));
    }

    fn action(&mut self, entry: &Entry, after: Option<&Entry>) -> Option<Action> {
        if let (Some(after), false) = (after, &*entry.key == "add") {
            let message = format!("`after` is only valid with `add`, not with `{}`", entry.key);
            self.bad_rule(after.key_span, &message, "remove it");
            return None;
        }
        let what = format!("`{}`", entry.key);
        match &*entry.key {
            "replace" => self.replace(&entry.value),
            "add" => {
                let ids = self.ids(&entry.value, &what);
                let after = after.map(|after| self.id(&after.value, "`after`"));
                Some(Action::Add { ids: ids?, after: transpose(after)? })
            }
            "forbid" => self.ids(&entry.value, &what).map(Action::Forbid),
            _ => self.ids(&entry.value, &what).map(Action::Order),
        }
    }

    fn replace(&mut self, node: &Node) -> Option<Action> {
        let Some(entries) = node.as_map() else {
            let problem = wrong_type(node, "`replace`", "a mapping from old id to new id");
            self.problems.push(problem.help("write `replace: {old: new}`"));
            return None;
        };
        if entries.is_empty() {
            self.bad_rule(node.span, "this `replace` has no pairs", "write `replace: {old: new}`");
            return None;
        }
        let mut pairs = Vec::new();
        for entry in entries {
            let what = format!("the id that replaces `{}`", escape::name(&entry.key));
            let from = (self.intern)(&entry.key);
            let to = self.id(&entry.value, &what)?;
            pairs.push((from, to.0, entry.key_span.to(entry.value.span)));
        }
        Some(Action::Replace(pairs))
    }
}
