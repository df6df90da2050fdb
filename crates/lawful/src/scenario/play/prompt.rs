//! Prompts that a scenario composes.

use crate::book::{Persona, RoleSource};
use crate::error::Error;
use crate::lawbook::Lawbook;
use crate::react::Session;
use crate::scenario::document::PromptOf;
use crate::scenario::happened::Prompted;
use crate::value::{Map, Value};

/// Composes a prompt for a session.
pub(super) fn prompted(
    book: &Lawbook,
    of: &PromptOf,
    context: Map,
    session: &Session,
) -> Result<Prompted, Error> {
    let context = Value::Map(context);
    let resolve = |name: &str| book.compose(name).context(&context).session(session).run();
    match of {
        PromptOf::Composition(name) => {
            let composed = resolve(name)?;
            let inserted = composed.insertions.iter().filter(|one| one.depth.is_some());
            Ok(Prompted {
                of: of.clone(),
                history: inserted.map(|one| one.text.clone()).collect(),
                text: composed.text,
                sections: composed.sections,
                rules: composed.trace.rules,
                composition: Some((name.clone(), composed.context)),
                warnings: composed.trace.warnings.to_vec(),
            })
        }
        PromptOf::Role(role) => {
            let composed = book.role(role).context(&context).session(session).run()?;
            let persona = match composition_of(book, role) {
                None => None,
                Some(name) => Some((name, resolve(name)?)),
            };
            let inserted = composed.insertions.iter().filter(|one| one.depth.is_some());
            let (composition, rules) = match persona {
                None => (None, Vec::new()),
                Some((name, composed)) => {
                    (Some((name.into(), composed.context)), composed.trace.rules)
                }
            };
            Ok(Prompted {
                of: of.clone(),
                history: inserted.map(|one| one.text.clone()).collect(),
                text: composed.text,
                sections: composed.sections,
                rules,
                composition,
                warnings: composed.warnings.to_vec(),
            })
        }
    }
}

/// The composition that the persona of a role is made by.
fn composition_of<'b>(book: &'b Lawbook, role: &str) -> Option<&'b str> {
    let conditioning = book.manifest().conditioning.as_ref()?;
    let RoleSource::Personas(personas) = &conditioning.roles else { return None };
    let (_, persona) = personas.iter().find(|(name, _)| **name == *role)?;
    match persona {
        Persona::Composition(name, _) => Some(name),
        Persona::File(..) => None,
    }
}
