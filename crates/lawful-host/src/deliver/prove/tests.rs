use lawful_deliver::{Promise, Strength};
use lawful_prove::{Recorded, Subject, Wire};

use super::verdict::{notes, problems};

const CORE: &str = "# The law\n\nSay what you saw, and nothing else.";

/// A request of the main conversation with this system prompt and this message.
fn sent(system: &str, user: &str) -> Recorded {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let body = format!(
        r#"{{"system":{},"messages":[{{"role":"user","content":{}}},{{"role":"user","content":{}}}],"tools":[{{"name":"x"}}]}}"#,
        quoted(system),
        quoted(user),
        quoted(lawful_prove::PROMPT)
    );
    Recorded { path: "/v1/messages".to_owned(), body }
}

/// What is not as promised, when a surface of this strength is installed.
fn check(system: &str, user: &str, promised: &[(Strength, bool)], expected: &[&str]) {
    let subject = Subject {
        core: CORE.to_owned(),
        persona: "You lead.".to_owned(),
        others: vec![("scout".to_owned(), "You look.".to_owned())],
        files: Vec::new(),
    };
    let requests = [sent(system, user)];
    let proof = lawful_prove::examine(Wire::Messages, &requests, None, &subject).unwrap();
    let promise = |(strength, active): &(Strength, bool)| Promise {
        role: "lead".to_owned(),
        strength: *strength,
        path: "FILE.md".to_owned(),
        active: *active,
        unread: None,
        has_core: true,
    };
    let promised: Vec<Promise> = promised.iter().map(promise).collect();
    let promised: Vec<&Promise> = promised.iter().collect();
    let found = problems("x", &subject, &proof, &promised);
    let found: Vec<String> =
        found.iter().map(|problem| format!("{}; {}", problem.message, problem.help)).collect();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{found} does not contain {expected}");
    }
}

fn own() -> String {
    "The client's own instructions. ".repeat(30)
}

#[test]
fn a_promise_is_kept_by_the_same_or_a_stronger_way() {
    let whole = format!("{CORE}\n\nYou lead.");
    let system = format!("{}{whole}", own());
    check(&system, "hello", &[(Strength::System, true)], &[]);
    check(&system, "hello", &[(Strength::Message, true)], &[]);
    check(&whole, "hello", &[(Strength::Replaces, true)], &[]);
    check(&own(), &whole, &[(Strength::Message, true)], &[]);
    check(&own(), &whole, &[(Strength::System, true)], &["arrives as `message`"]);
    check(&system, "hello", &[(Strength::Replaces, true)], &["promises `replaces`"]);
}

#[test]
fn every_way_to_break_a_promise_is_named() {
    let whole = format!("{CORE}\n\nYou lead.");
    let active = &[(Strength::Message, true)];
    check(&own(), "hello", active, &["although it is in `FILE.md`"]);
    check(
        &own(),
        "hello",
        &[(Strength::Message, false)],
        &["no setting enables `FILE.md`; run `lawful install --harness x --activate`"],
    );
    check(
        &own(),
        "hello",
        &[],
        &["nothing is installed for this role; run `lawful install --harness x`"],
    );
    check(&own(), &whole.replace("\n\n", "\n"), active, &["the core arrives changed"]);
    check(&own(), &format!("{whole}\n\n{CORE}"), active, &["the core arrives twice"]);
    check(&own(), CORE, active, &["the persona arrives nowhere"]);
}

#[test]
fn another_persona_is_noted() {
    let subject = Subject {
        core: CORE.to_owned(),
        persona: "You lead.".to_owned(),
        others: vec![("scout".to_owned(), "You look.".to_owned())],
        files: Vec::new(),
    };
    let requests = [sent(&own(), &format!("{CORE}\n\nYou lead. You look."))];
    let proof = lawful_prove::examine(Wire::Messages, &requests, None, &subject).unwrap();
    assert_eq!(notes(&proof), ["the persona of `scout` arrives as well"]);
}

#[test]
fn a_file_that_the_client_does_not_read_has_its_own_reason() {
    let subject = Subject { core: CORE.to_owned(), ..Subject::default() };
    let requests = [sent(&own(), "hello")];
    let proof = lawful_prove::examine(Wire::Messages, &requests, None, &subject).unwrap();
    let why = "Codex reads this only in projects that you trust";
    let promise = Promise {
        role: "lead".to_owned(),
        strength: Strength::Developer,
        path: "FILE.toml".to_owned(),
        active: false,
        unread: Some((why.to_owned(), "trust it".to_owned())),
        has_core: true,
    };
    let found = problems("codex", &subject, &proof, &[&promise]);
    assert_eq!(found[0].help, "trust it");
    assert!(found[0].message.contains("from `FILE.toml`: Codex reads this only in"), "{found:?}");
}

#[test]
fn one_file_is_not_advised_to_leave_all_but_itself() {
    let subject = Subject {
        core: CORE.to_owned(),
        files: vec![("FILE.md".to_owned(), CORE.to_owned())],
        ..Subject::default()
    };
    let requests = [sent(&format!("{}{CORE}\n\n{CORE}", own()), "hello")];
    let proof = lawful_prove::examine(Wire::Messages, &requests, None, &subject).unwrap();
    let found = problems("x", &subject, &proof, &[]);
    assert_eq!(found[0].help, "see which other file or setting has the text of `FILE.md`");
}
