//! What the texts of a request contain of a prompt.
//!
//! The core counts where its exact bytes are, with either kind of line end. If they are nowhere, its
//! longest line tells whether a changed core is there. Each text is split at the contents of the files
//! that the client was given, so that every part has a source or is the client's own.

use lawful_deliver::Strength;

use crate::script;
use crate::stub::Recorded;
use crate::texts::{RoleText, TextRole, read};
use crate::wire::Wire;

/// What to look for.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The core.
    pub core: String,
    /// The persona of the role; empty if it has none.
    pub persona: String,
    /// The personas of other roles, which should not be there, by role.
    pub others: Vec<(String, String)>,
    /// The files that the client was given: the shown path, and its text.
    pub files: Vec<(String, String)>,
}

/// How often something arrives, and how strongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// How often.
    pub times: usize,
    /// The strongest way; `None` if it does not arrive.
    pub strength: Option<Strength>,
}

/// How the core arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// How often and how strongly, in changed form if its bytes are not there.
    pub arrival: Arrival,
    /// Whether it arrives byte for byte.
    pub bytes_equal: bool,
}

/// A part of a text that has one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The role of the text.
    pub role: TextRole,
    /// The file that it comes from; `None` if the client added it.
    pub source: Option<String>,
    /// The part.
    pub text: String,
}

/// What arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The core.
    pub core: Whole,
    /// The persona.
    pub persona: Arrival,
    /// Other roles whose personas arrive as well.
    pub others: Vec<String>,
    /// Every text, split by source.
    pub pieces: Vec<Piece>,
}

/// Examines the first request of a conversation: of the main one, or of an agent. `None` if there is
/// no such request.
pub fn examine(
    wire: Wire,
    requests: &[Recorded],
    agent: Option<&str>,
    subject: &Subject,
) -> Option<Proof> {
    let message = agent.map_or_else(|| script::PROMPT.to_owned(), script::task);
    let request = requests.iter().find(|request| script::is_for(wire, request, &message))?;
    let texts = read(wire, &request.body)?;
    Some(proof(&texts, subject))
}

fn proof(texts: &[RoleText], subject: &Subject) -> Proof {
    let texts: Vec<RoleText> = texts
        .iter()
        .map(|text| RoleText { role: text.role, text: text.text.replace("\r\n", "\n") })
        .collect();
    let exact = arrival(&texts, &subject.core);
    let core = if exact.times > 0 {
        Whole { arrival: exact, bytes_equal: true }
    } else {
        Whole { arrival: changed(&texts, &subject.core), bytes_equal: false }
    };
    let others = subject.others.iter().filter(|(_, persona)| arrival(&texts, persona).times > 0);
    Proof {
        core,
        persona: arrival(&texts, &subject.persona),
        others: others.map(|(role, _)| role.clone()).collect(),
        pieces: pieces(&texts, &subject.files),
    }
}

/// The bytes of other system text that may precede a text which is still the whole prompt: a client
/// that replaces its own instructions keeps a sentence or two.
const HEAD: usize = 512;

/// How often a text occurs, and how strongly.
fn arrival(texts: &[RoleText], wanted: &str) -> Arrival {
    let mut found = Arrival { times: 0, strength: None };
    if wanted.trim().is_empty() {
        return found;
    }
    let mut before = 0;
    for text in texts {
        if let Some(first) = text.text.find(wanted) {
            found.times += text.text.matches(wanted).count();
            let strength = match text.role {
                TextRole::System if before + first <= HEAD => Strength::Replaces,
                TextRole::System => Strength::System,
                TextRole::Developer => Strength::Developer,
                TextRole::User => Strength::Message,
            };
            found.strength = Some(found.strength.map_or(strength, |known| known.min(strength)));
        }
        if text.role == TextRole::System {
            before += text.text.len();
        }
    }
    found
}

/// Finds a core by its longest line, with any white space.
fn changed(texts: &[RoleText], core: &str) -> Arrival {
    let words = |text: &str| text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let Some(line) = core.lines().max_by_key(|line| line.trim().len()) else {
        return Arrival { times: 0, strength: None };
    };
    let line = words(line);
    let within = words(core).matches(&line).count().max(1);
    let texts: Vec<RoleText> =
        texts.iter().map(|text| RoleText { role: text.role, text: words(&text.text) }).collect();
    let found = arrival(&texts, &line);
    Arrival { times: found.times.div_ceil(within), ..found }
}

/// The parts of texts by source.
fn pieces(texts: &[RoleText], files: &[(String, String)]) -> Vec<Piece> {
    let mut known: Vec<(&str, Vec<String>)> =
        files.iter().map(|(path, text)| (&**path, candidates(text))).collect();
    let mut pieces = Vec::new();
    for text in texts {
        // The same text can be in two files, and a developer message comes from settings. A longer
        // text may contain a shorter one.
        known.sort_by_key(|(path, texts)| {
            let ends = [".toml", ".json", ".jsonc"];
            let is_settings = ends.iter().any(|end| path.ends_with(end));
            let is_unlikely = is_settings != (text.role == TextRole::Developer);
            (is_unlikely, std::cmp::Reverse(texts.first().map_or(0, String::len)))
        });
        let mut open = vec![Piece { role: text.role, source: None, text: text.text.clone() }];
        for (path, candidates) in &known {
            open = open.into_iter().flat_map(|piece| split(piece, path, candidates)).collect();
        }
        pieces.extend(open);
    }
    pieces
}

/// The forms in which the text of a file can arrive: whole, without its front matter, or in parts
/// between comments, which some clients remove.
fn candidates(text: &str) -> Vec<String> {
    /// Shorter texts could occur anywhere.
    const SHORTEST: usize = 16;
    let text = text.replace("\r\n", "\n");
    let body = match text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")) {
        Some((_, body)) => body,
        None => &text,
    };
    let is_comment = |line: &&str| line.starts_with("<!--") && line.trim_end().ends_with("-->");
    let mut parts = vec![String::new()];
    for line in body.split_inclusive('\n') {
        if is_comment(&line) {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push_str(line);
        }
    }
    let all = [text.as_str(), body].map(str::to_owned).into_iter().chain(parts);
    let mut forms: Vec<String> = Vec::new();
    for form in all.map(|form| form.trim().to_owned()) {
        if form.len() >= SHORTEST && !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// Splits a part without a source at the text of a file.
fn split(piece: Piece, path: &str, candidates: &[String]) -> Vec<Piece> {
    if piece.source.is_some() {
        return vec![piece];
    }
    let found = candidates.iter().find_map(|form| Some((piece.text.find(form.as_str())?, form)));
    let Some((at, form)) = found else { return vec![piece] };
    let part = |text: &str, source: Option<String>| {
        let role = piece.role;
        (!text.trim().is_empty()).then(|| Piece { role, source, text: text.to_owned() })
    };
    let before = piece.text.get(..at).unwrap_or_default();
    let after = piece.text.get(at + form.len()..).unwrap_or_default();
    let mut pieces: Vec<Piece> = part(before, None).into_iter().collect();
    pieces.extend(part(form, Some(path.to_owned())));
    pieces.extend(part(after, None).into_iter().flat_map(|rest| split(rest, path, candidates)));
    pieces
}

#[cfg(test)]
mod tests;
