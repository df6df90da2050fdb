//! A core, a fragment or a prompt that exceeds its token budget.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Span, escape};

use super::Subject;
use crate::book::Book;
use crate::compose::{Compositions, Core, RolePrompt, largest};
use crate::tokens::{Tokenizer, estimate};
use crate::value::{Map, Value};

lawful_syntax::declare_codes! {
    TOKEN_BUDGET = "token-budget", Warning, "a core, a fragment or a prompt exceeds its token budget",
        "`lint.token-budgets` in `lawful.yaml` limits the tokens of the `core`, of a `fragment` and of a whole `prompt`. A long core dilutes every persona. The count is an estimate, one token for every four bytes. For a prompt, the largest one over all contexts counts; `lawful matrix` shows the same.\n\nShorten the text, or raise the budget.";
}

fn budget(book: &Book, what: &str) -> Option<u64> {
    let budgets = &book.manifest.lint.token_budgets;
    budgets.iter().find(|(name, ..)| &**name == what).map(|(_, most, _)| *most)
}

pub(super) fn fragments(book: &Book, compositions: &Compositions) -> Vec<Diagnostic> {
    let Some(most) = budget(book, "fragment") else { return Vec::new() };
    let over = compositions.fragments().filter_map(|(_, fragment)| {
        let tokens = estimate(book.sources.slice(fragment.body));
        (tokens as u64 > most).then(|| {
            let message =
                format!("this fragment has about {tokens} tokens, over the budget of {most}");
            Diagnostic::new(&TOKEN_BUDGET, fragment.id_span, message).help("shorten it")
        })
    });
    over.collect()
}

pub(super) fn core(book: &Book, core: &Core) -> Option<Diagnostic> {
    let most = budget(book, "core")?;
    let tokens = estimate(core.text());
    (tokens as u64 > most).then(|| {
        let message = format!("the core has about {tokens} tokens, over the budget of {most}");
        Diagnostic::new(&TOKEN_BUDGET, Span::start_of(core.file), message)
            .help("keep what applies to every role, and move the rest to personas")
    })
}

/// The largest whole prompt of each role, core included, and its context.
#[derive(Default)]
pub(super) struct Largest(BTreeMap<Box<str>, (usize, Span, Value)>);

impl Largest {
    pub(super) fn note(&mut self, prompt: &RolePrompt, context: &Value) {
        let tokens = estimate(prompt.text());
        match self.0.get_mut(&prompt.role) {
            Some((known, ..)) if tokens <= *known => {}
            Some(_) | None => {
                self.0.insert(prompt.role.clone(), (tokens, prompt.span, context.clone()));
            }
        }
    }

    pub(super) fn check(&self, book: &Book) -> Vec<Diagnostic> {
        let Some(most) = budget(book, "prompt") else { return Vec::new() };
        let over = self.0.iter().filter(|(_, (tokens, ..))| *tokens as u64 > most);
        over.map(|(role, (tokens, span, context))| {
            let (role, place) = (escape::name(role), place(Some(context)));
            let message = format!(
                "the prompt of the role `{role}` has about {tokens} tokens{place}, over the budget of {most}"
            );
            Diagnostic::new(&TOKEN_BUDGET, *span, message)
                .help("shorten the persona or the core")
        })
        .collect()
    }
}

pub(super) fn prompt(subject: &Subject<'_>) -> Option<Diagnostic> {
    let most = budget(subject.book, "prompt")?;
    let matrix = subject.matrix.as_ref()?;
    let (book, composition) = (subject.book, subject.composition);
    let sizes = subject.compositions.sizes(book, composition, matrix, Tokenizer::default());
    let at = largest(&sizes)?;
    let (size, class) = (sizes.get(at)?, matrix.classes.get(at)?);
    let tokens = size.tokens;
    let names: Vec<&str> = class.order.iter().map(|id| subject.name(*id)).collect();
    (tokens as u64 > most).then(|| {
        let place = place(size.context.as_ref());
        let message =
            format!("the prompt has about {tokens} tokens{place}, over the budget of {most}");
        Diagnostic::new(&TOKEN_BUDGET, composition.name_span, message)
            .help(format!("shorten one of its fragments: {}", names.join(", ")))
    })
}

/// The context of a prompt in a message. Every prompt is the same if there is nothing to set.
fn place(context: Option<&Value>) -> String {
    match context {
        None => " in some context".to_owned(),
        Some(Value::Map(map)) if map.iter().next().is_none() => String::new(),
        Some(context) => format!(" in the context {}", abridged(context)),
    }
}

/// The same value with long texts shortened, so that every key is shown.
fn abridged(value: &Value) -> Value {
    match value {
        Value::Text(text) => Value::from(&*escape::shorten(text, 40)),
        Value::Map(map) => {
            let mut short = Map::new();
            for (key, value) in map.iter() {
                short.insert(key, abridged(value));
            }
            Value::Map(short)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{check, check_roles};

    #[test]
    fn the_core_has_a_budget_of_its_own() {
        let core = "word ".repeat(40);
        let personas = [("lead", "Lead.\n")];
        check_roles("lint: {token-budgets: {core: 50}}\n", &core, &personas, "");
        check_roles(
            "lint: {token-budgets: {core: 49}}\n",
            &core,
            &personas,
            "core.md:1:1 token-budget: the core has about 50 tokens, over the budget of 49",
        );
        check_roles(
            "lint: {token-budgets: {core: 50, prompt: 51}}\n",
            &core,
            &personas,
            "lawful.yaml:5:11 token-budget: the prompt of the role `lead` has about 52 tokens, over the budget of 51",
        );
    }

    #[test]
    fn the_longest_value_counts_in_a_persona_too() {
        let long = "word ".repeat(40);
        check_roles(
            &format!("axes: {{tone: [warm, '{long}']}}\nlint: {{token-budgets: {{prompt: 40}}}}\n"),
            "Be exact.\n",
            &[("lead", "Lead, ${tone}.\n")],
            "lawful.yaml:5:11 token-budget: the prompt of the role `lead` has about 55 tokens in the context {\"tone\": \"word word word word word word word word …\"}, over the budget of 40",
        );
    }

    #[test]
    fn the_largest_prompt_counts() {
        let rules = "base: [b, c, d, e]\nrules:\n  - when: {x: 1}\n    add: [a]\n";
        let body = "word ".repeat(40);
        let bodies = [("a", body.as_str())];
        check("lint: {token-budgets: {fragment: 60, prompt: 60}}\n", rules, &bodies, "");
        check(
            "lint: {token-budgets: {fragment: 40, prompt: 50}}\n",
            rules,
            &bodies,
            "compositions/c.yaml:1:7 token-budget: the prompt has about 56 tokens in the context {\"x\": 1}, over the budget of 50\n\
             fragments/a.md:2:5 token-budget: this fragment has about 50 tokens, over the budget of 40",
        );
    }

    #[test]
    fn a_placeholder_is_as_long_as_its_longest_value() {
        let long = "word ".repeat(40);
        check(
            &format!("axes: {{tone: [warm, '{long}']}}\nlint: {{token-budgets: {{prompt: 40}}}}\n"),
            "base: [a, b, c, d, e]\n",
            &[("a", "Say ${tone}.")],
            "compositions/c.yaml:1:7 token-budget: the prompt has about 58 tokens in the context {\"tone\": \"word word word word word word word word …\"}, over the budget of 40",
        );
    }

    #[test]
    fn values_that_only_fit_together_count_together() {
        check(
            "axes: {p: [s, longer], q: [t, longest]}\nlint: {token-budgets: {prompt: 10}}\n",
            "base: [a, c, d, e]\nrules:\n  - when: {any: [{p: s, q: t}, {p: longer, q: longest}]}\n    add: [b]\n",
            &[("a", "Say ${p} and ${q}."), ("b", "A rather long sentence.")],
            "compositions/c.yaml:1:7 token-budget: the prompt has about 17 tokens in the context {\"p\": \"longer\", \"q\": \"longest\"}, over the budget of 10",
        );
    }
}
