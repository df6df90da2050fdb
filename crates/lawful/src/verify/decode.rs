//! Decodes a rulespec, and reports every problem at its place.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use lawful_datalog::Kinds;
use lawful_syntax::{Diagnostic, Kind, Node, Severity, Sources, Span, did_you_mean, escape, sort};

use super::codes;
use super::hint;
use super::key::Needs;
use super::law::{self, Wanted};
use super::relations::{self, Relations};
use super::rulespec::{Claim, Predicate, Rulespec, Subject};
use super::types;
use crate::code;
use crate::cond::operator::Operand;
use crate::cond::{
    CondId, Condition, ConditionKind, Leaves, Operator, Registry, SetBuilder, Surface, TestWords,
    decode_with, without_echoes,
};
use crate::decode::{Fields, parse_path, text, wrong_type};
use crate::limits::Limits;
use crate::path::{Path, Segment};
use crate::value::Value;

/// The keys of a rulespec.
pub(crate) const KEYS: [&str; 4] = ["claims", "predicates", "relations", "rules"];
/// The keys of a predicate.
pub(crate) const PREDICATE_KEYS: [&str; 10] = [
    "name",
    "claim",
    "relation",
    "rule",
    "value",
    "quantifier",
    "when",
    "severity",
    "source",
    "notes",
];

/// The keys of a claim.
pub(crate) const CLAIM_KEYS: [&str; 2] = ["name", "selector"];
/// The severities of a predicate.
pub(crate) const SEVERITIES: [(&str, Severity); 2] =
    [("error", Severity::Error), ("warning", Severity::Warning)];
/// `{claim, rule, value}`
pub(crate) const CLAIM: TestWords =
    TestWords { subject: "claim", operator: "rule", reserved: false };

impl Rulespec {
    /// Decodes and compiles a rulespec. There is one unless some problem is an error.
    pub fn decode(
        node: &Node,
        sources: &Sources,
        registry: &Registry,
        limits: &Limits,
    ) -> (Option<Self>, Vec<Diagnostic>) {
        let mut decoder = Decoder {
            sources,
            registry,
            set: registry.set().allow_needless_values(),
            claims: Claims::default(),
            problems: Vec::new(),
        };
        let rulespec = decoder.rulespec(node, limits);
        let Decoder { mut problems, .. } = decoder;
        // In a rule with an error, a variable may occur only once because of it.
        if problems.iter().any(|problem| problem.code == &codes::BAD_DATALOG) {
            problems.retain(|problem| problem.code != &codes::SINGLE_USE_VARIABLE);
        }
        sort(&mut problems, sources);
        let failed = problems.iter().any(Diagnostic::is_error);
        (rulespec.filter(|_| !failed), problems)
    }
}

/// Claims by name. A claim with an invalid selector is known, but selects nothing.
#[derive(Default)]
struct Claims {
    list: Vec<Claim>,
    by_name: BTreeMap<Box<str>, (Span, Option<usize>)>,
    used: RefCell<BTreeSet<usize>>,
}

struct Decoder<'d> {
    sources: &'d Sources,
    registry: &'d Registry,
    set: SetBuilder<'d>,
    claims: Claims,
    problems: Vec<Diagnostic>,
}

/// What a predicate judges, its rule, and what it requires of a relation.
type Judged = (Subject, Operator, Option<Wanted>);

/// A predicate whose `when` is not compiled yet. An invalid predicate still has its `when`.
struct Draft {
    predicate: Option<(Predicate, Option<Wanted>)>,
    when: Option<Condition>,
}

impl Decoder<'_> {
    fn rulespec(&mut self, node: &Node, limits: &Limits) -> Option<Rulespec> {
        let fields = Fields::of(node, "a rulespec", &KEYS, &mut self.problems)?;
        match fields.get("claims") {
            Some(claims) if claims.as_map().is_some() => self.claims_as_mapping(claims),
            Some(claims) => {
                for claim in self.list(claims, "`claims`") {
                    self.claim(claim);
                }
            }
            None => {}
        }
        let relations = relations::decode(
            fields.get("relations"),
            fields.get("rules"),
            self.sources,
            &mut self.problems,
        );
        let items = fields.get("predicates").map(|list| self.list(list, "`predicates`"));
        let items = items.unwrap_or_default();
        let listed = fields.get("predicates").is_none_or(|list| list.as_list().is_some());
        if items.is_empty() && fields.has_in_other_case("predicates") {
            return None;
        }
        if items.is_empty() && listed {
            let place = fields
                .get("predicates")
                .map_or(Span { end: node.span.start, ..node.span }, |list| list.span);
            self.problems.push(
                Diagnostic::new(&codes::NO_PREDICATES, place, "the rulespec has no predicates")
                    .help("add one: `predicates: [{claim: …, rule: exists}]`"),
            );
            return None;
        }
        if items.len() > limits.predicates {
            let message = format!(
                "the rulespec has {} predicates, and the limit is {}",
                items.len(),
                limits.predicates
            );
            self.problems.push(
                Diagnostic::new(&codes::TOO_MANY_PREDICATES, node.span, message).help(
                    Limits::help_on("predicates", limits.predicates, "split it", |most| {
                        most.predicates
                    }),
                ),
            );
            return None;
        }
        let drafts: Vec<Draft> =
            items.iter().filter_map(|item| self.predicate(item, &relations)).collect();
        let mut predicates = Vec::new();
        let mut wanted = Vec::new();
        for Draft { predicate, when } in drafts {
            let when = when.and_then(|when| self.compile(&when, Surface::When));
            if let Some((predicate, demand)) = predicate {
                predicates.push(Predicate { when, ..predicate });
                wanted.push(demand);
            }
        }
        self.unique_names(items);
        self.unused_claims();
        let tuples: Vec<_> = predicates.iter().zip(wanted.iter().map(Option::as_ref)).collect();
        let kinds = Kinds::infer(&relations.program).0;
        self.problems.extend(types::conflicts(&tuples, &relations.program, &kinds));
        let Relations { list, program, broken } = relations;
        if self.problems.iter().any(Diagnostic::is_error) {
            // Problems of the rules as a whole are reported in any case.
            let found = if broken { None } else { program.compile().err() };
            self.problems.extend(list.place(found.unwrap_or_default(), self.sources));
            return None;
        }
        let set = std::mem::replace(&mut self.set, self.registry.set()).finish();
        let needs = Needs::new(&predicates, &set, &list.relations, &program);
        match law::compile(&predicates, &wanted, &set, program, needs, self.sources) {
            Ok(law) => {
                let claims = std::mem::take(&mut self.claims.list);
                let by_path = hint::by_path(&predicates, &set);
                let derives = list.rules_place();
                let relations = list.relations;
                Some(Rulespec { claims, predicates, relations, derives, set, law, by_path })
            }
            Err(found) => {
                self.problems.extend(list.place(found, self.sources));
                None
            }
        }
    }

    fn list<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        let items = node.as_list();
        if items.is_none() {
            self.problems.push(wrong_type(node, what, "a list").help("write it as `- …`"));
        }
        items.unwrap_or_default()
    }

    /// Claims by name are not supported, but their names are known, so that predicates on them can
    /// be checked.
    fn claims_as_mapping(&mut self, node: &Node) {
        let entries = node.as_map().unwrap_or_default();
        let mut problem = wrong_type(node, "`claims`", "a list");
        if let Some(first) = entries.first() {
            let selector = first.value.as_text().or_else(|| first.value.get("selector")?.as_text());
            let selector = selector.map_or("…".into(), escape::name);
            let quote = if selector.contains('[') { "'" } else { "" };
            let name = escape::name(&first.key);
            problem = problem.help(format!(
                "write `- {{name: {name}, selector: {quote}{selector}{quote}}}` for each claim"
            ));
        }
        self.problems.push(problem);
        for entry in entries {
            self.claims.by_name.insert(entry.key.clone(), (entry.key_span, None));
        }
    }

    fn claim(&mut self, node: &Node) {
        let problems = &mut self.problems;
        let Some(fields) = Fields::of(node, "a claim", &CLAIM_KEYS, problems) else {
            return;
        };
        let name_node = fields.require("name", "a claim", problems);
        let name = name_node.and_then(|name| text(name, "the name of a claim", problems));
        let selector_node = fields.require("selector", "a claim", problems);
        let selector = selector_node.and_then(|selector| text(selector, "`selector`", problems));
        let selected = match (selector_node, selector) {
            (Some(node), Some(written)) => match select(node, written) {
                Ok(path) => Some(path),
                Err(problem) => {
                    problems.push(*problem);
                    None
                }
            },
            (_, _) => None,
        };
        let (Some(name), Some(name_node)) = (name, name_node) else { return };
        if name.is_empty() {
            let message = "the name of a claim cannot be empty";
            self.problems.push(
                Diagnostic::new(&code::BAD_VALUE, name_node.span, message)
                    .help("write a name for predicates to refer to"),
            );
        }
        if let Some((first, _)) = self.claims.by_name.get(name) {
            let message = format!("there are two claims named `{}`", escape::name(name));
            self.problems.push(
                Diagnostic::new(&code::DUPLICATE_ID, name_node.span, message)
                    .label(*first, "first defined here")
                    .help("rename one"),
            );
            return;
        }
        let at = selected.map(|path| {
            self.claims.list.push(Claim { name: name.into(), path, span: name_node.span });
            self.claims.list.len() - 1
        });
        self.claims.by_name.insert(name.into(), (name_node.span, at));
    }

    fn predicate(&mut self, node: &Node, relations: &Relations) -> Option<Draft> {
        let fields = Fields::of(node, "a predicate", &PREDICATE_KEYS, &mut self.problems)?;
        let mut optional = |key: &str| -> Option<Box<str>> {
            let node = fields.get(key)?;
            text(node, &format!("`{key}`"), &mut self.problems).map(Into::into)
        };
        let (name, source, notes) = (optional("name"), optional("source"), optional("notes"));
        let severity = self.severity(fields.get("severity"));
        let when = fields.get("when").map(|when| self.condition(when));
        let when = when.filter(|when| !matches!(when.kind, ConditionKind::Always));
        let value = node.as_map().unwrap_or_default().iter().find(|entry| &*entry.key == "value");
        let judged = match (fields.get("claim"), fields.get("relation")) {
            (Some(_), None) => self.on_claim(node),
            (None, Some(relation)) => self.on_relation(node, relation, &fields, relations),
            (None, None)
                if ["claim", "relation"].iter().any(|key| fields.has_in_other_case(key)) =>
            {
                None
            }
            (claim, _) => {
                let message = match claim {
                    Some(_) => "a predicate judges a claim or a relation, not both",
                    None => "a predicate needs the key `claim` or `relation`",
                };
                let place = Span { end: node.span.start, ..node.span };
                self.problems.push(
                    Diagnostic::new(&codes::BAD_PREDICATE, place, message)
                        .help("write `claim: NAME` or `relation: NAME`"),
                );
                None
            }
        };
        let value = value.map(|entry| Value::from_node(&entry.value));
        let value = value.filter(|value| value.present().is_some());
        let predicate = judged.map(|(subject, rule, wanted)| {
            let value = value.filter(|_| rule.operand() != Operand::Nothing);
            let span = node.span;
            let when = None;
            (Predicate { name, subject, rule, value, severity, source, notes, span, when }, wanted)
        });
        Some(Draft { predicate, when })
    }

    fn on_claim(&mut self, node: &Node) -> Option<Judged> {
        let own = ["claim", "rule", "value", "quantifier"];
        let entries = node.as_map().unwrap_or_default().iter();
        let entries = entries.filter(|entry| own.contains(&&*entry.key)).cloned().collect();
        let test = Node { kind: Kind::Map(entries), span: node.span };
        let condition = self.condition(&test);
        let id = self.compile(&condition, Surface::Predicate)?;
        let rule = Operator::find(node.get("rule")?.as_text()?)?;
        let (_, at) = self.claims.by_name.get(node.get("claim")?.as_text()?)?;
        Some((Subject::Claim((*at)?, id), rule, None))
    }

    fn on_relation(
        &mut self,
        node: &Node,
        relation: &Node,
        fields: &Fields<'_>,
        relations: &Relations,
    ) -> Option<Judged> {
        let name = text(relation, "`relation`", &mut self.problems)?;
        let columns = relations.columns_of(name);
        // If relations or rules are invalid, it may be defined there.
        if columns.is_none() && !relations.broken {
            let message = format!("unknown relation `{}`", escape::name(name));
            let names = relations.names();
            let help = did_you_mean("relation", name, names.iter().map(|name| &**name));
            self.problems
                .push(Diagnostic::new(&codes::UNKNOWN_RELATION, relation.span, message).help(help));
        }
        if let Some(quantifier) = fields.get("quantifier") {
            let message = "a relation has no slots to quantify over";
            self.problems.push(
                Diagnostic::new(&codes::BAD_PREDICATE, quantifier.span, message)
                    .help("remove `quantifier`"),
            );
        }
        let rule = fields.require("rule", "a predicate", &mut self.problems)?;
        let value = node.as_map().unwrap_or_default().iter().find(|entry| &*entry.key == "value");
        match relations::wanted(rule, value, columns, &mut self.problems) {
            Ok((operator, wanted)) => {
                columns?;
                Some((Subject::Relation(name.into()), operator, Some(wanted)))
            }
            Err(problem) => {
                self.problems.push(*problem);
                None
            }
        }
    }

    fn severity(&mut self, node: Option<&Node>) -> Severity {
        let Some(node) = node else { return Severity::Error };
        let written = node.as_text().unwrap_or_default();
        let found = SEVERITIES.iter().find(|(name, _)| *name == written);
        if let Some((_, severity)) = found {
            return *severity;
        }
        let message = format!("`severity` cannot be {}", node.describe());
        let help = did_you_mean("severity", written, SEVERITIES.map(|(name, _)| name));
        self.problems.push(Diagnostic::new(&code::BAD_VALUE, node.span, message).help(help));
        Severity::Error
    }

    /// A condition over claims.
    fn condition(&mut self, node: &Node) -> Condition {
        let claims = &self.claims;
        let path = |written: &Node, problems: &mut Vec<Diagnostic>| {
            let name = text(written, "`claim`", problems)?;
            match claims.by_name.get(name) {
                Some((_, Some(at))) => {
                    claims.used.borrow_mut().insert(*at);
                    let claim = claims.list.get(*at)?;
                    Some(Node::text(claim.path.to_string(), written.span))
                }
                // Its selector is invalid. Any path that allows a quantifier lets the rest be
                // checked.
                Some((_, None)) => {
                    let path = Path::of(&[Segment::Key(name.into()), Segment::Each]);
                    Some(Node::text(path.to_string(), written.span))
                }
                None => {
                    problems.push(unknown_claim(name, written.span, claims));
                    None
                }
            }
        };
        let leaves = Leaves { tests: &[CLAIM], path: &path };
        let (condition, found) = decode_with(node, &leaves);
        self.problems.extend(found);
        condition
    }

    fn compile(&mut self, condition: &Condition, surface: Surface) -> Option<CondId> {
        let (id, found) = self.set.add(condition, surface);
        let found = without_echoes(found, &self.problems);
        self.problems.extend(found);
        id
    }

    fn unique_names(&mut self, predicates: &[Node]) {
        let mut known: BTreeMap<&str, Span> = BTreeMap::new();
        for predicate in predicates {
            let Some(name) = predicate.get("name").and_then(Node::as_text) else { continue };
            match known.get(name) {
                None => {
                    known.insert(name, predicate.span);
                }
                Some(first) => {
                    let message =
                        format!("there are two predicates named `{}`", escape::name(name));
                    self.problems.push(
                        Diagnostic::new(&code::DUPLICATE_ID, predicate.span, message)
                            .label(*first, "first defined here")
                            .help("rename one"),
                    );
                }
            }
        }
    }

    fn unused_claims(&mut self) {
        let used = self.claims.used.take();
        for (at, claim) in self.claims.list.iter().enumerate() {
            if used.contains(&at) {
                continue;
            }
            let message = format!("no predicate uses the claim `{}`", escape::name(&claim.name));
            self.problems.push(
                Diagnostic::new(&codes::UNUSED_CLAIM, claim.span, message)
                    .help("add a predicate, or remove the claim"),
            );
        }
    }
}

/// The path of a selector into the facts.
pub(super) fn select(node: &Node, written: &str) -> Result<Path, Box<Diagnostic>> {
    let inside = |rest: &&str| rest.is_empty() || rest.starts_with(['.', '[']);
    if let Some(rest) = written.strip_prefix("facts").filter(inside) {
        let message = format!("the selector `{}` starts with `facts`", escape::name(written));
        let instead = match rest.strip_prefix('.').unwrap_or(rest) {
            "" => "select a fact".to_owned(),
            rest => format!("write `{}`", escape::name(rest)),
        };
        let help = format!(
            "{instead}: a selector starts inside `facts`; write `[\"facts\"]` for a fact of that name"
        );
        return Err(Box::new(Diagnostic::new(&codes::FACTS_PREFIX, node.span, message).help(help)));
    }
    parse_path(node, written)
}

fn unknown_claim(name: &str, span: Span, claims: &Claims) -> Diagnostic {
    let message = format!("unknown claim `{}`", escape::name(name));
    let words = ["claim", "rule", "value", "quantifier", "all", "any", "not", "ref", "args"];
    let in_other_case = words.iter().find(|word| **word != name && word.eq_ignore_ascii_case(name));
    if let Some(word) = in_other_case {
        let help = format!("did you mean the key `{word}`? keys are case-sensitive");
        return Diagnostic::new(&codes::UNKNOWN_CLAIM, span, message).help(help);
    }
    let help = match name {
        "path" | "op" | "value" | "quantifier" => {
            "a test in a rulespec has the form `{claim: …, rule: …, value: …}`".to_owned()
        }
        "and" => "write `all: […]` for several conditions".to_owned(),
        "or" => "write `any: […]` for alternatives".to_owned(),
        _ => did_you_mean("claim", name, claims.by_name.keys().map(|name| &**name)),
    };
    Diagnostic::new(&codes::UNKNOWN_CLAIM, span, message).help(help)
}
