//! The core contract, which every system prompt of a book must satisfy.
//!
//! `system(role) = core ++ "\n\n" ++ persona(role)`, by one combinator. A prompt is valid only if
//! the core is not empty, the prompt starts with the exact bytes of the core, and the core occurs
//! in it exactly once.
//!
//! **Invariant:** every prompt of a role is passed to [`check`] before this crate returns it,
//! including those that [`system`] builds.

use super::render::Prompt;

/// The text between a core and a persona.
pub const SEPARATOR: &str = "\n\n";

/// How a prompt breaks the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// The core is empty.
    #[error("the core is empty")]
    EmptyCore,
    /// The prompt starts with something else, or with a changed core.
    #[error("the prompt does not start with the core")]
    NotFirst {
        /// The number of leading bytes that match the core.
        agrees: usize,
    },
    /// The core occurs again.
    #[error("the core occurs a second time")]
    Repeated {
        /// Where in the prompt, in bytes.
        at: usize,
    },
}

/// Checks a prompt against its core, byte for byte.
pub fn check(core: &str, prompt: &str) -> Result<(), Breach> {
    if core.trim().is_empty() {
        return Err(Breach::EmptyCore);
    }
    if !prompt.starts_with(core) {
        let same = core.bytes().zip(prompt.bytes()).take_while(|(core, prompt)| core == prompt);
        return Err(Breach::NotFirst { agrees: same.count() });
    }
    // A second occurrence may overlap the first, so search from the next character.
    let next = core.chars().next().map_or(1, char::len_utf8);
    match prompt.get(next..).and_then(|rest| rest.find(core)) {
        Some(at) => Err(Breach::Repeated { at: next + at }),
        None => Ok(()),
    }
}

/// The one combinator: a core, a blank line, and a persona.
pub(super) fn system(core: &Prompt, persona: Prompt) -> Prompt {
    let mut prompt = core.clone();
    prompt.text.push_str(SEPARATOR);
    let offset = prompt.text.len();
    prompt.text.push_str(&persona.text);
    prompt.sections.extend(persona.sections.into_iter().map(|mut section| {
        section.range = section.range.start + offset..section.range.end + offset;
        section
    }));
    prompt
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(core: &str, prompt: &str, expected: Result<(), Breach>) {
        assert_eq!(check(core, prompt), expected, "{core:?} in {prompt:?}");
    }

    #[test]
    fn the_core_comes_first_and_once() {
        one("Be exact.", "Be exact.\n\nLead.", Ok(()));
        one("Be exact.", "Be exact.", Ok(()));
        one("", "\n\nLead.", Err(Breach::EmptyCore));
        one(" \n", " \n\n\nLead.", Err(Breach::EmptyCore));
        one("Be exact.", "Be exact!\n\nLead.", Err(Breach::NotFirst { agrees: 8 }));
        one("Be exact.", "Lead.\n\nBe exact.", Err(Breach::NotFirst { agrees: 0 }));
        one("Be exact.", "Be", Err(Breach::NotFirst { agrees: 2 }));
        one("Be exact.", "Be exact.\n\nBe exact.", Err(Breach::Repeated { at: 11 }));
    }

    #[test]
    fn an_overlap_is_a_repetition() {
        one("a\n\na", "a\n\na\n\na", Err(Breach::Repeated { at: 3 }));
        one("ää", "äää", Err(Breach::Repeated { at: 2 }));
    }
}
