//! Alignment: what prompts teach against what predicates check.
//!
//! Prose that urges one thing while a contract checks another makes an agent miss. A fragment, a
//! persona or the core says which predicates it teaches (`teaches: […]`), and here the two sides are
//! held against each other, for every role and every prompt that its rules can lead to.
//!
//! A predicate is known by its own name, or, if it has none, by that of the claim or relation that
//! it judges.

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
    UNTAUGHT_PREDICATE = "untaught-predicate", Warning, "a predicate is checked and no prompt teaches it",
        "The work of a role is judged by a predicate that nothing in its prompt prepares it for. Where only some contexts lead to such a prompt, the message shows one.\n\nWrite `teaches: [name]` in the front matter of the fragment or persona that teaches it, or write one that does. A core or persona in Nickel is given its `teaches` in the manifest, under `conditioning`.";
    UNKNOWN_PREDICATE = "unknown-predicate", Warning, "something teaches a predicate that does not exist",
        "A name under `teaches` is none of the predicates of the rulespec: what is taught is not checked. A predicate without a name of its own is known by the claim or relation that it judges.\n\nCorrect the name, or write the predicate.";
    FORBIDDEN_TEACHING = "forbidden-teaching", Warning, "a rule forbids the fragment that teaches a predicate",
        "In some context a rule takes out the only thing in the prompt that teaches a predicate, and the predicate is checked all the same.\n\nLet something else teach it, or correct the rule.";
}

/// What does not fit between prompts and predicates.
#[derive(Debug, Default)]
pub struct Alignment {
    /// Predicates that nothing in some prompt teaches.
    pub untaught: Vec<Untaught>,
    /// Names that something teaches and no predicate has.
    pub unknown: Vec<Unknown>,
    /// Predicates whose teaching fragment a rule forbids.
    pub forbidden: Vec<Forbidden>,
    /// How many predicates were looked for.
    pub predicates: usize,
    /// How many prompts they were looked for in.
    pub prompts: usize,
}

/// A predicate that nothing in some prompt teaches.
#[derive(Debug)]
pub struct Untaught {
    /// Its name.
    pub predicate: Box<str>,
    /// Where it is written.
    pub span: Span,
    /// Whose prompt; `None` if it is taught in no prompt at all.
    pub prompt: Option<Named>,
    /// A context that leads to such a prompt; `None` if every context does.
    pub witness: Option<Value>,
}

/// What a prompt is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A role.
    Role(Box<str>),
    /// A composition, in a book without roles.
    Composition(Box<str>),
}

/// A name that something teaches and no predicate has.
#[derive(Debug)]
pub struct Unknown {
    /// The name.
    pub predicate: Box<str>,
    /// What teaches it.
    pub teacher: Teacher,
    /// Where it says so.
    pub span: Span,
    /// What was probably meant.
    pub help: String,
}

/// A predicate whose teaching fragment a rule forbids.
#[derive(Debug)]
pub struct Forbidden {
    /// The name of the predicate.
    pub predicate: Box<str>,
    /// The fragment that teaches it.
    pub fragment: Box<str>,
    /// Whose prompt lacks it.
    pub prompt: Named,
    /// The rule, by its position in the composition.
    pub rule: usize,
    /// Where the rule is written.
    pub span: Span,
    /// A context in which it does; `None` if it does in every one.
    pub witness: Option<Value>,
}

impl Alignment {
    /// Holds the prompts of a book against its rulespec. A book without conditioning has its
    /// compositions for prompts; one whose prompts are too many to list cannot be decided.
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

    /// How many things are amiss.
    pub fn gaps(&self) -> usize {
        self.untaught.len() + self.unknown.len() + self.forbidden.len()
    }

    /// Whether nothing is amiss.
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

    /// Everything that is amiss, as diagnostics.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let untaught = self.untaught.iter().map(|gap| {
            let name = escape::name(&gap.predicate);
            let message = match (&gap.prompt, &gap.witness) {
                (None, _) => format!("no prompt teaches `{name}`"),
                (Some(prompt), None) => format!("{prompt} does not teach `{name}`"),
                (Some(prompt), Some(context)) => {
                    format!("{prompt} does not teach `{name}` in some context, such as {context}")
                }
            };
            Diagnostic::new(&UNTAUGHT_PREDICATE, gap.span, message)
                .help(format!("write `teaches: [{name}]` where it is taught"))
        });
        let unknown = self.unknown.iter().map(|gap| {
            let name = escape::name(&gap.predicate);
            let message = format!("{} teaches `{name}`, which is no predicate", gap.teacher);
            Diagnostic::new(&UNKNOWN_PREDICATE, gap.span, message).help(&*gap.help)
        });
        let forbidden = self.forbidden.iter().map(|gap| {
            let (name, fragment) = (escape::name(&gap.predicate), escape::name(&gap.fragment));
            let message = format!(
                "this rule forbids `{fragment}`, and nothing else in {} teaches `{name}`",
                gap.prompt
            );
            let problem = Diagnostic::new(&FORBIDDEN_TEACHING, gap.span, message)
                .help("let something else teach it, or correct the rule");
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

/// Names that something teaches and no predicate has.
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
