//! Alignment: compares what the prompts teach with what the predicates check.
//!
//! An agent fails when its prompt asks for one thing and the rulespec checks another. A fragment, a
//! persona or the core declares which predicates it teaches (`teaches: […]`). Alignment compares
//! the two for every role and every prompt that its rules can produce.
//!
//! A predicate is identified by its name or, without one, by the claim or relation it judges.

mod prompts;

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Span, did_you_mean, escape};

pub use self::prompts::Teacher;
use self::prompts::{Taught, prompts};
use crate::book::Book;
use crate::compose::{Compositions, Roles};
use crate::value::Value;
use crate::verify::Rulespec;

lawful_syntax::declare_codes! {
    UNTAUGHT_PREDICATE = "untaught-predicate", Warning, "a predicate is checked, but no prompt teaches it",
        "The work of a role is judged by a predicate that its prompt does not teach. If this is so only in some contexts, the message shows one.\n\nWrite `teaches: [name]` in the front matter of the fragment or persona that teaches it, or write one that does. For a core or persona in Nickel, write `teaches` in the manifest, under `conditioning`.";
    UNKNOWN_PREDICATE = "unknown-predicate", Warning, "a `teaches` names a predicate that does not exist",
        "A name under `teaches` is not a predicate of the rulespec, so what is taught is not checked. A predicate without a name is identified by the claim or relation that it judges.\n\nCorrect the name, or write the predicate.";
    FORBIDDEN_TEACHING = "forbidden-teaching", Warning, "a rule forbids the fragment that teaches a predicate",
        "In some context, a rule removes the only part of the prompt that teaches a predicate, but the predicate is still checked.\n\nTeach it elsewhere too, or correct the rule.";
}

/// The mismatches between prompts and predicates.
#[derive(Debug, Default)]
pub struct Alignment {
    /// Predicates that some prompt does not teach.
    pub untaught: Vec<Untaught>,
    /// Names under `teaches` that are not predicates.
    pub unknown: Vec<Unknown>,
    /// Predicates whose teaching fragment a rule forbids.
    pub forbidden: Vec<Forbidden>,
    /// How many predicates were checked.
    pub predicates: usize,
    /// How many prompts were checked.
    pub prompts: usize,
}

/// A predicate that some prompt does not teach.
#[derive(Debug)]
pub struct Untaught {
    /// Its name.
    pub predicate: Box<str>,
    /// Where it is written.
    pub span: Span,
    /// The prompt; `None` if no prompt teaches it.
    pub prompt: Option<Named>,
    /// A context that leads to such a prompt; `None` if every context does.
    pub witness: Option<Value>,
}

/// The name of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A role.
    Role(Box<str>),
    /// A composition, in a book without roles.
    Composition(Box<str>),
}

/// A name under `teaches` that is not a predicate.
#[derive(Debug)]
pub struct Unknown {
    /// The name.
    pub predicate: Box<str>,
    /// What teaches it.
    pub teacher: Teacher,
    /// Where the name is written.
    pub span: Span,
    /// What to write instead.
    pub help: String,
}

/// A predicate whose teaching fragment a rule forbids.
#[derive(Debug)]
pub struct Forbidden {
    /// The name of the predicate.
    pub predicate: Box<str>,
    /// The fragment that teaches it.
    pub fragment: Box<str>,
    /// The prompt that lacks it.
    pub prompt: Named,
    /// The rule, by its position in the composition.
    pub rule: usize,
    /// Its id, if it has one.
    pub rule_id: Option<Box<str>>,
    /// Where the rule is written.
    pub span: Span,
    /// A context in which the rule applies; `None` if it always does.
    pub witness: Option<Value>,
}

impl Alignment {
    /// Compares the prompts of a book with its rulespec. In a book without conditioning, the
    /// compositions are the prompts. Fails if there are too many prompts to list.
    pub fn of(
        book: &Book,
        compositions: &Compositions,
        roles: Option<&Roles>,
        rulespec: &Rulespec,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut names: Vec<(&str, Span)> = Vec::new();
        for predicate in &rulespec.predicates {
            let name = predicate.name.as_deref().unwrap_or(rulespec.subject_name(predicate));
            if !names.iter().any(|(known, _)| *known == name) {
                names.push((name, predicate.span));
            }
        }
        let prompts = prompts(book, compositions, roles)?;
        let mut alignment =
            Self { predicates: names.len(), prompts: prompts.len(), ..Self::default() };
        for (name, span) in &names {
            alignment.look_for(name, *span, &prompts);
        }
        alignment.unknown = unknown(&names, compositions, roles);
        Ok(alignment)
    }

    /// The number of mismatches.
    pub fn gaps(&self) -> usize {
        self.untaught.len() + self.unknown.len() + self.forbidden.len()
    }

    /// Whether there are no mismatches.
    pub fn is_aligned(&self) -> bool {
        self.gaps() == 0
    }

    fn look_for(&mut self, name: &str, span: Span, prompts: &[Taught]) {
        let lacks = |prompt: &&Taught| !prompt.teaches.contains(name);
        let gap = |prompt, witness| Untaught { predicate: name.into(), span, prompt, witness };
        for prompt in prompts.iter().filter(lacks) {
            let found = prompt.forbidden.iter().filter(|found| found.teaches.contains(name));
            self.forbidden.extend(found.map(|found| Forbidden {
                predicate: name.into(),
                fragment: found.fragment.clone(),
                prompt: prompt.named.clone(),
                rule: found.rule,
                rule_id: found.rule_id.clone(),
                span: found.span,
                witness: prompt.witness.clone(),
            }));
        }
        if prompts.iter().all(|prompt| lacks(&prompt)) {
            self.untaught.push(gap(None, None));
            return;
        }
        let mut done: Vec<&Named> = Vec::new();
        for prompt in prompts.iter().filter(lacks) {
            let mut own = prompts.iter().filter(|other| other.named == prompt.named);
            if own.all(|other| lacks(&other)) {
                if !done.contains(&&prompt.named) {
                    done.push(&prompt.named);
                    self.untaught.push(gap(Some(prompt.named.clone()), None));
                }
            } else {
                self.untaught.push(gap(Some(prompt.named.clone()), prompt.witness.clone()));
            }
        }
    }

    /// All mismatches, as diagnostics.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let untaught = self.untaught.iter().map(|gap| {
            let name = escape::name(&gap.predicate);
            let message = match (&gap.prompt, &gap.witness) {
                (None, _) => format!("no prompt teaches `{name}`"),
                (Some(prompt), None) => format!("{prompt} does not teach `{name}`"),
                (Some(prompt), Some(context)) => {
                    format!("{prompt} does not teach `{name}` in some contexts, such as {context}")
                }
            };
            Diagnostic::new(&UNTAUGHT_PREDICATE, gap.span, message).help(format!(
                "write `teaches: [{name}]` in the front matter of the text that teaches it"
            ))
        });
        let unknown = self.unknown.iter().map(|gap| {
            let name = escape::name(&gap.predicate);
            let message = format!("{} teaches `{name}`, which is not a predicate", gap.teacher);
            Diagnostic::new(&UNKNOWN_PREDICATE, gap.span, message).help(&*gap.help)
        });
        let forbidden = self.forbidden.iter().map(|gap| {
            let (name, fragment) = (escape::name(&gap.predicate), escape::name(&gap.fragment));
            let message = format!(
                "this rule forbids `{fragment}`, and nothing else in {} teaches `{name}`",
                gap.prompt
            );
            let problem = Diagnostic::new(&FORBIDDEN_TEACHING, gap.span, message)
                .help("teach it elsewhere too, or correct the rule");
            match &gap.witness {
                Some(context) => problem.note(format!("in a context such as {context}")),
                None => problem,
            }
        });
        untaught.chain(unknown).chain(forbidden).collect()
    }
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Role(role) => write!(f, "the prompt of `{}`", escape::name(role)),
            Self::Composition(name) => write!(f, "the composition `{}`", escape::name(name)),
        }
    }
}

/// Names under `teaches` that are not predicates.
fn unknown(
    names: &[(&str, Span)],
    compositions: &Compositions,
    roles: Option<&Roles>,
) -> Vec<Unknown> {
    let known: BTreeSet<&str> = names.iter().map(|(name, _)| *name).collect();
    let mut out: Vec<Unknown> = Vec::new();
    let mut look = |teacher: Teacher, name: &str, span: Span| {
        let told = |gap: &Unknown| gap.span == span && gap.teacher == teacher;
        if !known.contains(name) && !out.iter().any(told) {
            let help = did_you_mean("predicate", name, known.iter().copied());
            out.push(Unknown { predicate: name.into(), teacher, span, help });
        }
    };
    for (_, fragment) in compositions.fragments() {
        for (name, span) in &fragment.teaches {
            look(Teacher::Fragment(fragment.id.clone()), name, *span);
        }
    }
    for (name, span) in roles.iter().flat_map(|roles| &roles.core.teaches) {
        look(Teacher::Core, name, *span);
    }
    for prompt in roles.iter().flat_map(|roles| &roles.prompts) {
        for (name, span) in &prompt.teaches {
            look(Teacher::Persona(prompt.role.clone()), name, *span);
        }
    }
    out
}

#[cfg(test)]
mod tests;
