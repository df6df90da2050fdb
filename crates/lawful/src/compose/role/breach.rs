//! The diagnostic for a breach of the core contract.

use lawful_syntax::{Diagnostic, Span, escape};

use super::{Core, RolePrompt};
use crate::book::Book;
use crate::compose::codes::{CORE_NOT_FIRST, CORE_REPEATED, EMPTY_CORE};
use crate::compose::contract::{self, Breach};
use crate::compose::places::Places;
use crate::compose::render::Origin;
use crate::insertion::Insertion;

/// The breach of the contract in a prompt, if any.
pub(super) fn breach(
    book: &Book,
    core: &Core,
    prompt: &RolePrompt,
    insertions: &[Insertion],
) -> Option<Diagnostic> {
    let role = escape::name(&prompt.role);
    Some(match contract::check(core.text(), prompt.text()).err()? {
        Breach::EmptyCore => {
            let place = Span::start_of(core.file);
            Diagnostic::new(&EMPTY_CORE, place, "the core is empty")
                .help("write the rules for every role")
        }
        Breach::NotFirst { agrees } => {
            let message = format!("the prompt of the role `{role}` does not start with the core");
            let help = if agrees == 0 {
                "start it with the core, unchanged".to_owned()
            } else {
                format!(
                    "use the core unchanged; the prompt differs after {}",
                    escape::count(agrees, "byte")
                )
            };
            Diagnostic::new(&CORE_NOT_FIRST, prompt.span, message)
                .label(Span::start_of(core.file), "the core")
                .help(help)
        }
        Breach::Repeated { at } => {
            let message = format!("the prompt of the role `{role}` contains the core twice");
            // A record that includes the core twice has it in one place, which is not the error.
            let place = Places::of(&book.sources, &prompt.prompt).at(at);
            let place = place.filter(|place| place.file != core.file).unwrap_or(prompt.span);
            let section = prompt.prompt.sections.iter().find(|section| section.range.contains(&at));
            let inserted = match section.map(|section| section.origin) {
                Some(Origin::Insertion(number)) => insertions.get(number),
                Some(Origin::Core | Origin::Persona | Origin::Fragment(_)) | None => None,
            };
            let help = match inserted {
                Some(insertion) => format!(
                    "remove it from the {} `{}`, which the session inserts",
                    insertion.kind.name(),
                    escape::name(&insertion.id)
                ),
                None => "remove it from the persona; every prompt already contains it".to_owned(),
            };
            Diagnostic::new(&CORE_REPEATED, place, message)
                .label(Span::start_of(core.file), "the core")
                .help(help)
        }
    })
}
