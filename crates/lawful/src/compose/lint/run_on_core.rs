//! A prompt without a blank line between the core and the persona.

use lawful_syntax::{Diagnostic, escape};

use crate::compose::contract::SEPARATOR;
use crate::compose::{Core, RolePrompt};

lawful_syntax::declare_codes! {
    RUN_ON_CORE = "run-on-core", Warning, "no blank line between the core and a persona",
        "A prompt is the core, a blank line, and the persona. Nickel builds the whole prompt, and in this one the persona follows the core directly. The last sentence of the core and the first of the persona run together, and text that a session inserts at the top separates them.\n\nWrite `core ++ \"\\n\\n\" ++ persona`.";
}

pub(super) fn check(core: &Core, prompt: &RolePrompt) -> Option<Diagnostic> {
    let rest = prompt.text().strip_prefix(core.text())?;
    (!rest.trim().is_empty() && !rest.starts_with(SEPARATOR)).then(|| {
        let role = escape::name(&prompt.role);
        let message = format!("no blank line follows the core in the prompt of the role `{role}`");
        Diagnostic::new(&RUN_ON_CORE, prompt.span, message)
            .help("write `core ++ \"\\n\\n\" ++ persona`")
    })
}

#[cfg(test)]
mod tests {
    use super::super::check_record;

    #[test]
    fn a_blank_line_stands_between_the_core_and_the_persona() {
        check_record(
            "{ a = 1, b = 2, c = 3, d = 4 }",
            &[
                ("a", "Be exact.\n\nYou lead."),
                ("b", "Be exact.You look."),
                ("c", "Be exact.\nYou cook."),
                ("d", "Be exact.\n"),
            ],
            "all.ncl:1:10 run-on-core: no blank line follows the core in the prompt of the role `b`\n\
             all.ncl:1:17 run-on-core: no blank line follows the core in the prompt of the role `c`\n\
             all.ncl:1:24 empty-persona: the persona of `d` is empty",
        );
    }
}
