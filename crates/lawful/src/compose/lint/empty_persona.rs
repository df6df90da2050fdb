//! An empty persona.

use lawful_syntax::{Diagnostic, escape};

use crate::compose::RolePrompt;

lawful_syntax::declare_codes! {
    EMPTY_PERSONA = "empty-persona", Warning, "a persona is empty",
        "The prompt of the role is the core alone, so the role does not differ from other roles with an empty persona.\n\nWrite the persona, or remove the role.";
}

pub(super) fn check(prompt: &RolePrompt) -> Option<Diagnostic> {
    prompt.persona().trim().is_empty().then(|| {
        let message = format!("the persona of `{}` is empty", escape::name(&prompt.role));
        Diagnostic::new(&EMPTY_PERSONA, prompt.span, message).help("write it, or remove the role")
    })
}

#[cfg(test)]
mod tests {
    use super::super::check_roles;

    #[test]
    fn a_role_has_something_to_say() {
        check_roles(
            "",
            "Be exact.\n",
            &[("lead", "Lead.\n"), ("scout", "---\ntitle: x\n---\n\n")],
            "lawful.yaml:6:12 empty-persona: the persona of `scout` is empty",
        );
    }
}
