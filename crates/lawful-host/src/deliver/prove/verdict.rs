//! Whether what arrives is what the table promises.

use lawful_deliver::Promise;
use lawful_prove::{Proof, Subject};

use super::view::{ProofProblem, times};

/// Everything that is not as promised; empty if all is.
pub(super) fn problems(
    id: &str,
    subject: &Subject,
    proof: &Proof,
    promised: &[&Promise],
) -> Vec<ProofProblem> {
    let mut problems = Vec::new();
    let active: Vec<&&Promise> = promised.iter().filter(|promise| promise.active).collect();
    let (found, core) = (proof.core.arrival, &subject.core);
    match (found.times, proof.core.bytes_equal) {
        (0, _) => problems.push(missing(id, promised)),
        (_, false) => problems.push(ProofProblem::new(
            "the core arrives changed",
            "compare it with `lawful compose`, and leave out what the client changes",
        )),
        (1, true) => {}
        (many, true) => {
            let holds = |text: &str| text.replace("\r\n", "\n").contains(core.as_str());
            let pieces = proof.pieces.iter().filter(|piece| holds(&piece.text));
            let mut sources: Vec<String> = pieces
                .filter_map(|piece| piece.source.as_ref())
                .map(|s| format!("`{s}`"))
                .collect();
            sources.sort();
            sources.dedup();
            let help = match sources.as_slice() {
                [] => "uninstall it from all but one place".to_owned(),
                [one] => format!("see which other file or setting has the text of {one}"),
                all => format!("uninstall it from all but one of {}", all.join(", ")),
            };
            problems.push(ProofProblem::new(format!("the core arrives {}", times(many)), help));
        }
    }
    let weakest = active.iter().max_by_key(|promise| promise.strength);
    if let Some(promise) = weakest {
        // A file with the persona alone promises nothing about the core.
        let (what, strength) = if promise.has_core {
            ("core", found.strength)
        } else {
            ("persona", proof.persona.strength)
        };
        if let Some(strength) = strength
            && strength > promise.strength
        {
            let (found, promised) = (strength.name(), promise.strength.name());
            problems.push(ProofProblem::new(
                format!("the {what} arrives as `{found}`, and `{}` promises `{promised}`", promise.path),
                "the client may be newer than the table; `lawful harnesses` shows what was confirmed",
            ));
        }
    }
    let is_expected = found.times > 0 && !subject.persona.is_empty();
    if is_expected && proof.persona.times != 1 {
        let message = format!("the persona arrives {}", times(proof.persona.times));
        problems
            .push(ProofProblem::new(message, "run `lawful status`, and `lawful install` again"));
    }
    problems
}

/// What is worth knowing and breaks no promise: a client may give an agent the files of the main
/// conversation too.
pub(super) fn notes(proof: &Proof) -> Vec<String> {
    let note = |role: &String| format!("the persona of `{role}` arrives as well");
    proof.others.iter().map(note).collect()
}

/// Why none of the installed files is read, if it is not for a setting that is missing: the file, the
/// reason and what to do.
pub(super) fn unread<'p>(promised: &[&'p Promise]) -> Option<(&'p str, &'p str, &'p str)> {
    if promised.iter().any(|promise| promise.active) {
        return None;
    }
    promised.iter().find_map(|promise| {
        let (why, help) = promise.unread.as_ref()?;
        Some((promise.path.as_str(), why.as_str(), help.as_str()))
    })
}

fn missing(id: &str, promised: &[&Promise]) -> ProofProblem {
    if let Some((path, why, help)) = unread(promised) {
        let message = format!("the core does not arrive from `{path}`: {why}");
        return ProofProblem::new(message, help);
    }
    match promised.first() {
        None => ProofProblem::new(
            "the core does not arrive: nothing is installed for this role",
            format!("run `lawful install --harness {id}`"),
        ),
        Some(promise) if !promised.iter().any(|promise| promise.active) => ProofProblem::new(
            format!("the core does not arrive: no setting enables `{}`", promise.path),
            format!("run `lawful install --harness {id} --activate`"),
        ),
        Some(promise) => ProofProblem::new(
            format!("the core does not arrive, although it is in `{}`", promise.path),
            "another file or setting takes its place; `lawful status` shows which",
        ),
    }
}
