//! A fragment of one layer in a composition of another.

use lawful_syntax::{Diagnostic, Span};

use super::Subject;
use crate::book::{Book, Persona, RoleSource};
use crate::compose::{Composition, Compositions, Fragment, Layer};

lawful_syntax::declare_codes! {
    LAYER_BLEED = "layer-bleed", Warning, "a fragment of one layer is used in another",
        "The layers `system`, `project` and `task` have different lifetimes, and a fragment belongs to one of them. Text for one task must not become permanent, and permanent rules must not end with a task.\n\nMove the fragment, or correct its `layer` or that of the composition.";
}

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    // The persona of a role belongs to the system layer, even if its composition has no `layer`.
    let persona = is_persona(subject.book, &subject.composition.name);
    let layer = subject.composition.layer.or(persona.map(|_| Layer::System));
    let Some(layer) = layer else { return Vec::new() };
    let used = subject
        .compositions
        .fragments()
        .filter_map(|(id, fragment)| between(fragment, subject.composition.mention(id)?, layer));
    used.collect()
}

/// Reports every composition of another layer that is the persona of a role.
pub(super) fn personas(book: &Book, compositions: &Compositions) -> Vec<Diagnostic> {
    let named = compositions
        .all()
        .iter()
        .filter_map(|composition| persona(composition, is_persona(book, &composition.name)?));
    named.collect()
}

/// Reports a composition of another layer that is the persona of a role.
pub(in crate::compose) fn persona(composition: &Composition, place: Span) -> Option<Diagnostic> {
    let layer = composition.layer.filter(|layer| *layer != Layer::System)?;
    let message = format!(
        "`{}` belongs to the {} layer, but a persona belongs to the system layer",
        composition.name,
        layer.name()
    );
    let bleed = Diagnostic::new(&LAYER_BLEED, place, message);
    Some(bleed.label(composition.name_span, "the composition").help(HELP))
}

const HELP: &str = "move it, or correct the layer of one of them";

/// Where the manifest uses a composition as a persona.
fn is_persona(book: &Book, name: &str) -> Option<Span> {
    let RoleSource::Personas(personas) = &book.manifest.conditioning.as_ref()?.roles else {
        return None;
    };
    personas.iter().find_map(|(_, persona)| match persona {
        Persona::Composition(named, span) if named == name => Some(*span),
        Persona::Composition(..) | Persona::File(..) => None,
    })
}

/// Reports a fragment that is used in another layer.
pub(in crate::compose) fn between(
    fragment: &Fragment,
    place: Span,
    layer: Layer,
) -> Option<Diagnostic> {
    let own = fragment.layer.filter(|own| *own != layer)?;
    let message = format!(
        "`{}` belongs to the {} layer, but this composition belongs to the {} layer",
        fragment.id,
        own.name(),
        layer.name()
    );
    let bleed = Diagnostic::new(&LAYER_BLEED, place, message);
    Some(bleed.label(fragment.id_span, "the fragment").help(HELP))
}

/// Reports a core or a persona whose file declares another layer.
pub(in crate::compose) fn page(layer: Option<(Layer, Span)>, what: &str) -> Option<Diagnostic> {
    let (layer, place) = layer.filter(|(layer, _)| *layer != Layer::System)?;
    let message = format!(
        "{what} belongs to the system layer, but this file belongs to the {} layer",
        layer.name()
    );
    Some(Diagnostic::new(&LAYER_BLEED, place, message).help(HELP))
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_fragment_stays_in_its_layer() {
        check(
            "",
            "layer: system\nbase: [a, b, c, d, e]\n",
            &[
                ("b", "---\nid: b\nlayer: task\n---\ntext\n"),
                ("c", "---\nid: c\nlayer: system\n---\ntext\n"),
            ],
            "compositions/c.yaml:3:11 layer-bleed: `b` belongs to the task layer, but this composition belongs to the system layer",
        );
    }
}
