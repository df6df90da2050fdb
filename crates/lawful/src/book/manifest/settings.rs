//! `lint` and `limits`.

use lawful_syntax::{Diagnostic, Node, Span, did_you_mean, escape};

use super::{count, entries};
use crate::code;
use crate::decode::{Fields, text, wrong_type};
use crate::limits::Limits;

/// The settings of lints.
#[derive(Clone, Debug, Default)]
pub struct Lint {
    /// Words, phrases and symbols that no fragment may contain.
    pub banned_words: Vec<(Box<str>, Span)>,
    /// The token budget of each kind of text.
    pub token_budgets: Vec<(Box<str>, u64, Span)>,
}

/// The keys of `lint`.
pub(crate) const LINT_KEYS: [&str; 2] = ["banned-words", "token-budgets"];
/// What `token-budgets` can bound.
pub(crate) const BUDGETS: [&str; 3] = ["core", "fragment", "prompt"];

pub(super) fn lint(node: &Node, problems: &mut Vec<Diagnostic>) -> Lint {
    let mut lint = Lint::default();
    let Some(fields) = Fields::of(node, "`lint`", &LINT_KEYS, problems) else { return lint };
    if let Some(words) = fields.get("banned-words") {
        match words.as_list() {
            None => problems.push(wrong_type(words, "`banned-words`", "a list of strings")),
            Some(items) => {
                for item in items {
                    let Some(word) = text(item, "a banned word", problems) else { continue };
                    if word.trim().is_empty() {
                        problems.push(
                            Diagnostic::new(&code::BAD_VALUE, item.span, "a banned word is blank")
                                .help("remove it, or write the word"),
                        );
                    } else {
                        lint.banned_words.push((word.into(), item.span));
                    }
                }
            }
        }
    }
    if let Some(budgets) = fields.get("token-budgets") {
        for entry in entries(budgets, "`token-budgets`", problems) {
            if !BUDGETS.contains(&&*entry.key) {
                let message = format!("unknown budget `{}`", escape::name(&entry.key));
                problems.push(
                    Diagnostic::new(&code::UNKNOWN_KEY, entry.key_span, message)
                        .help(did_you_mean("budget", &entry.key, BUDGETS)),
                );
            } else if let Some(count) = count(&entry.key, &entry.value, problems) {
                lint.token_budgets.push((entry.key.clone(), count, entry.key_span));
            }
        }
    }
    lint
}

/// The limits that a lawbook can set: the name, the limit, and the most that it can be.
pub(crate) fn named(limits: &mut Limits) -> [(&'static str, &mut usize, usize); 13] {
    let host = *limits;
    [
        ("document-bytes", &mut limits.document.bytes, host.document.bytes),
        ("document-depth", &mut limits.document.depth, host.document.depth),
        ("alias-expansion", &mut limits.document.aliases, host.document.aliases),
        ("condition-nodes", &mut limits.condition_nodes, host.condition_nodes),
        ("condition-depth", &mut limits.condition_depth, host.condition_depth),
        ("pattern-bytes", &mut limits.pattern_bytes, host.pattern_bytes),
        ("predicates", &mut limits.predicates, host.predicates),
        ("datalog-facts", &mut limits.datalog.facts, host.datalog.facts),
        ("datalog-derivations", &mut limits.datalog.derivations, host.datalog.derivations),
        ("keyword-bytes", &mut limits.keyword_bytes, host.keyword_bytes),
        ("waves", &mut limits.cascade.waves, host.cascade_most.waves),
        ("events", &mut limits.cascade.events, host.cascade_most.events),
        ("actions", &mut limits.cascade.actions, host.cascade_most.actions),
    ]
}

pub(super) fn lower(limits: &mut Limits, node: &Node, problems: &mut Vec<Diagnostic>) {
    let mut named = named(limits);
    let names: Vec<&str> = named.iter().map(|(name, ..)| *name).collect();
    let Some(_) = Fields::of(node, "`limits`", &names, problems) else { return };
    for entry in node.as_map().unwrap_or_default() {
        let found = named.iter_mut().find(|(name, ..)| **name == *entry.key);
        let Some((name, limit, ceiling)) = found else { continue };
        let Some(count) = count(&entry.key, &entry.value, problems) else { continue };
        match usize::try_from(count) {
            Ok(count) if count <= *ceiling => **limit = count,
            Ok(_) | Err(_) => {
                let message = format!("a lawbook can lower `{name}`, not raise it above {ceiling}");
                problems.push(Diagnostic::new(&code::BAD_VALUE, entry.value.span, message));
            }
        }
    }
}
