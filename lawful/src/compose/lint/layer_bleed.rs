//! A fragment of one layer in a composition of another.

use lawful_syntax::Diagnostic;

use super::Subject;

lawful_syntax::declare_codes! {
    LAYER_BLEED = "layer-bleed", Warning, "a fragment of one layer is used in another",
        "What is said for one assignment must not become law, and law must not be forgotten with an assignment: `system`, `project` and `task` have different lifetimes, and a fragment belongs to one of them.\n\nMove the fragment, or correct its `layer` or that of the composition.";
}

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let Some(layer) = subject.composition.layer else { return Vec::new() };
    let used = subject.compositions.fragments().filter_map(|(id, fragment)| {
        let place = subject.composition.mention(id)?;
        let own = fragment.layer.filter(|own| *own != layer)?;
        let message = format!(
            "`{}` belongs to the {} layer, and this composition to the {} layer",
            fragment.id,
            own.name(),
            layer.name()
        );
        Some(
            Diagnostic::new(&LAYER_BLEED, place, message)
                .label(fragment.id_span, "the fragment")
                .help("move it, or correct the layer of one of them"),
        )
    });
    used.collect()
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
            "compositions/c.yaml:3:11 layer-bleed: `b` belongs to the task layer, and this composition to the system layer",
        );
    }
}
