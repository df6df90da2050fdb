use super::*;

const CORE: &str =
    "# The law\n\n- Say what you saw.\n- A rather long line of the law stays as it is.";

fn text(role: TextRole, text: &str) -> RoleText {
    RoleText { role, text: text.to_owned() }
}

fn subject() -> Subject {
    Subject {
        core: CORE.to_owned(),
        persona: "You lead the work.".to_owned(),
        others: vec![("scout".to_owned(), "You look around.".to_owned())],
        files: Vec::new(),
    }
}

/// `times strength equal persona-times`, and other roles.
fn check(texts: &[RoleText], expected: &str) {
    let proof = proof(texts, &subject());
    let strength = proof.core.arrival.strength.map_or("-", Strength::name);
    let (times, equal) = (proof.core.arrival.times, proof.core.bytes_equal);
    let mut found = format!("{times} {strength} {equal} {}", proof.persona.times);
    for role in proof.others {
        found = format!("{found} {role}");
    }
    assert_eq!(found, expected);
}

#[test]
fn the_core_counts_where_its_bytes_are() {
    use TextRole::{Developer, System, User};
    let whole = format!("{CORE}\n\nYou lead the work.");
    let own = "own instructions ".repeat(40);
    check(&[text(System, &own), text(User, &whole)], "1 message true 1");
    check(&[text(System, &format!("{own}{whole}"))], "1 system true 1");
    check(&[text(System, "You are an agent."), text(System, &whole)], "1 replaces true 1");
    check(&[text(System, &own), text(Developer, &whole)], "1 developer true 1");
    check(&[text(System, &own), text(User, &whole), text(User, &whole)], "2 message true 2");
    check(&[text(System, &format!("{own}{whole}")), text(User, CORE)], "2 system true 1");
    check(&[text(System, &own)], "0 - false 0");
    check(&[text(User, &whole.replace('\n', "\r\n"))], "1 message true 1");
    check(&[text(User, &format!("{whole}\nYou look around."))], "1 message true 1 scout");
}

#[test]
fn a_changed_core_is_found_by_its_longest_line() {
    let changed = CORE.replace("\n\n", "\n").replace("what you saw", "anything");
    check(&[text(TextRole::User, &changed)], "1 message false 0");
    check(&[text(TextRole::User, &format!("{changed}\n{changed}"))], "2 message false 0");
}

#[test]
fn every_part_has_the_file_that_it_comes_from() {
    let file =
        format!("<!-- lawful:begin x 1 -->\n{CORE}\n<!-- lawful:end x -->\n\n# My own rules\n");
    let owned = format!("---\nname: x\n---\n{CORE}\n");
    let pieces = |file: &str, sent: &str| -> Vec<String> {
        let texts = [text(TextRole::User, sent)];
        let files = [("AGENTS.md".to_owned(), file.to_owned())];
        let show = |piece: Piece| {
            format!("{}: {}", piece.source.as_deref().unwrap_or("-"), piece.text.trim())
        };
        super::pieces(&texts, &files).into_iter().map(show).collect()
    };
    let sent = format!("before\n{file}\nafter");
    assert_eq!(
        pieces(&file, &sent),
        ["-: before".to_owned(), format!("AGENTS.md: {}", file.trim()), "-: after".to_owned()]
    );
    // Without front matter, and without comments.
    assert_eq!(
        pieces(&owned, &format!("before {CORE}")),
        ["-: before".to_owned(), format!("AGENTS.md: {CORE}")]
    );
    let bare = format!("{CORE}\n\n\n# My own rules\n");
    assert_eq!(
        pieces(&file, &bare),
        [format!("AGENTS.md: {CORE}"), "-: # My own rules".to_owned()]
    );
    assert_eq!(pieces("short\n", "a short text"), ["-: a short text"]);
}

#[test]
fn a_developer_message_comes_from_settings() {
    let law = "Say what you saw, and nothing else.";
    let files = ["AGENTS.md", ".codex/config.toml"].map(|path| (path.to_owned(), law.to_owned()));
    let text = |role: TextRole| RoleText { role, text: law.to_owned() };
    let found = pieces(&[text(TextRole::Developer), text(TextRole::User)], &files);
    let sources: Vec<&str> = found.iter().filter_map(|piece| piece.source.as_deref()).collect();
    assert_eq!(sources, [".codex/config.toml", "AGENTS.md"]);
}
