//! A placeholder that is not declared.

use lawful_syntax::{Diagnostic, did_you_mean};

use crate::book::Book;
use crate::compose::Compositions;

lawful_syntax::declare_codes! {
    UNDECLARED_PLACEHOLDER = "undeclared-placeholder", Warning, "a placeholder names a path that is not declared",
        "The manifest declares the context with `axes` and `variables`. This `${path}` is in neither, so it may have no value.\n\nDeclare it, correct it, or write `\\${` for a literal `${`. A lawbook without axes declares no context, and its placeholders are not checked.";
}

pub(super) fn check(book: &Book, compositions: &Compositions) -> Vec<Diagnostic> {
    let manifest = &book.manifest;
    if manifest.axes.is_empty() {
        return Vec::new();
    }
    let axes = manifest.axes.iter().map(|axis| axis.path.to_string());
    let declared: Vec<String> =
        axes.chain(manifest.variables.iter().map(|variable| variable.id.to_string())).collect();
    let mut found = Vec::new();
    for (_, fragment) in compositions.fragments() {
        for (path, span) in fragment.placeholders() {
            let written = path.to_string();
            // A session puts its variables under `state`, and its turn under `session`.
            if written == "session.turn" {
                continue;
            }
            let written = written.strip_prefix("state.").unwrap_or(&written);
            let below =
                |name: &String| written == *name || written.starts_with(&format!("{name}."));
            if !declared.iter().any(below) {
                let message = format!("no axis or variable declares `{path}`");
                let names = declared.iter().map(String::as_str);
                found.push(
                    Diagnostic::new(&UNDECLARED_PLACEHOLDER, span, message).help(did_you_mean(
                        "placeholder",
                        written,
                        names,
                    )),
                );
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_placeholder_is_declared_or_reported() {
        let base = "base: [a, b, c, d, e]\n";
        let body = [("a", "In a ${tne} tone, ${tone}, \\${not}, ${mood.now}.")];
        check(
            "axes: {tone: [warm]}\nvariables: {mood: {type: object}}\n",
            base,
            &body,
            "fragments/a.md:4:6 undeclared-placeholder: no axis or variable declares `tne`",
        );
        check("", base, &body, "");
        check(
            "axes: {tone: [warm]}\nvariables: {hp: {type: number, initial: 1}}\n",
            base,
            &[("a", "${state.hp} ${session.turn} ${state.ph} ${session.trun}")],
            "fragments/a.md:4:29 untrusted-in-system: this text is in the system layer, and `${state.ph}` may hold text that no author wrote\n\
             fragments/a.md:4:29 undeclared-placeholder: no axis or variable declares `state.ph`\n\
             fragments/a.md:4:41 undeclared-placeholder: no axis or variable declares `session.trun`",
        );
    }
}
