//! Any life of a project ends with every byte of its owner where it was.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::{User, all, book, disk, named, request, shown};
use crate::disk::memory::MemoryDisk;
use crate::{FileState, Harness, Prompts, Request, Scope};

/// Something that happens.
#[derive(Clone, Debug)]
enum Event {
    Install {
        harnesses: Vec<usize>,
        edition: u8,
        activate: bool,
        roles: Option<u8>,
        overwrite: bool,
        other: bool,
    },
    Uninstall(usize),
    /// The owner edits a file that may hold something of ours, in one of its ways.
    Edit(usize, usize),
    /// An editor changes every line end.
    LineEnds(usize),
    /// The owner replaces a file that may be ours, or makes one where ours would be.
    Replace(usize, u8),
}

/// Files that owners have: what is in them, what is changed, and into what.
const FILES: [(&str, &str, Edits); 9] = [
    ("AGENTS.md", "# Mine\r\n\r\nNo tabs.\r\n", PROSE),
    ("GEMINI.md", "\u{feff}no line end", &[("no line", "not a line")]),
    ("CLAUDE.md", "", PROSE),
    (".github/copilot-instructions.md", "a\n\n\n", PROSE),
    (
        ".claude/settings.json",
        "{\n  // mine\n  \"outputStyle\": \"Terse\",\n}\n",
        &[("// mine", "// still mine"), ("\n}", "\n  /* c */ \"b\": [1],\n}"), ("{", "{ // first")],
    ),
    (
        ".codex/config.toml",
        "# mine\n[tools]\nx = 1\n",
        &[("x = 1", "x = 2 # two"), ("# mine", "# still mine"), ("[tools]", "\n[tools]")],
    ),
    (
        "opencode.jsonc",
        "{ /* c */ \"a\": 1 }",
        &[("\"a\": 1", "\"a\": 2 /* d */"), ("/* c */", "/* e */")],
    ),
    (".gemini/.env", "A=1", &[("A=1", "A=12"), ("A=1", "B=3\nA=1")]),
    (".pi/APPEND_SYSTEM.md", "\n", PROSE),
];

type Edits = &'static [(&'static str, &'static str)];

/// A line at the start changes nothing for anybody.
const PROSE: Edits = &[("", "more\n"), ("", "\nmore\r\n")];

/// Files that would be ours alone.
const OWNED: [&str; 3] =
    [".claude/agents/lawful-scout.md", ".cursor/rules/lawful.mdc", ".gemini/system.md"];

fn event() -> impl Strategy<Value = Event> {
    let some = || prop::collection::vec(0..14_usize, 1..4);
    let how = (any::<bool>(), prop::option::of(0..3_u8), any::<bool>(), any::<bool>());
    prop_oneof![
        4 => (some(), 0..3_u8, how).prop_map(|(harnesses, edition, how)| {
            let (activate, roles, overwrite, other) = how;
            Event::Install { harnesses, edition, activate, roles, overwrite, other }
        }),
        1 => (0..14_usize).prop_map(Event::Uninstall),
        3 => (0..FILES.len(), 0..3_usize).prop_map(|(at, how)| Event::Edit(at, how)),
        1 => (0..FILES.len()).prop_map(Event::LineEnds),
        1 => (0..OWNED.len(), 0..2_u8).prop_map(|(at, how)| Event::Replace(at, how)),
    ]
}

/// A project or a home, and what its owner has in it without anything of ours.
struct Life {
    disk: MemoryDisk,
    owner: MemoryDisk,
    scope: Scope,
}

impl Life {
    fn path(&self, name: &str) -> PathBuf {
        let root = match self.scope {
            Scope::Project => "/p",
            Scope::User => "/u",
        };
        Path::new(root).join(name)
    }

    /// Changes a file as its owner sees it, with what is of ours in it.
    fn change(&self, name: &str, change: impl Fn(&str) -> String) {
        let path = self.path(name);
        if let (Some(now), Some(own)) = (self.disk.text(&path), self.owner.text(&path)) {
            self.disk.put(&path, change(&now).as_bytes());
            self.owner.put(&path, change(&own).as_bytes());
        }
    }

    fn play(&self, event: &Event) {
        let user = User::new(&self.disk, self.scope);
        match event {
            Event::Install { harnesses, edition, activate, roles, overwrite, other } => {
                let harnesses: Vec<&'static Harness> =
                    harnesses.iter().map(|at| all()[*at]).collect();
                let role = |at: u8| ["lead", "scout", "smith"][usize::from(at)].to_owned();
                let roles = roles.map(|at| vec![role(at)]);
                let (name, source) = if *other { ("other", "law2") } else { ("crew", "law") };
                let asked = Request {
                    activate: *activate,
                    overwrite: *overwrite,
                    may_hide: *overwrite,
                    roles,
                    source: source.to_owned(),
                    ..request(harnesses)
                };
                let prompts = Prompts { book: name.to_owned(), ..book(&edition.to_string()) };
                let before = self.disk.tree();
                let plan = user.install(&prompts, &asked);
                if plan.has_conflict() {
                    let found = super::codes(&plan);
                    let reasons = ["no-place-for-role", "not-ours", "hides-file"];
                    assert!(found.iter().any(|code| reasons.contains(code)), "{:?}", plan.findings);
                    assert!(!found.contains(&"edited-by-hand"), "{:?}", plan.findings);
                    assert!(
                        !overwrite || found.contains(&"no-place-for-role"),
                        "{:?}",
                        plan.findings
                    );
                    assert_eq!(self.disk.tree(), before, "nothing is written, and nothing taken");
                    return;
                }
                let before = self.disk.tree();
                let again = user.install(&prompts, &Request { overwrite: false, ..asked });
                assert!(again.is_done(), "{:?} {:?}", super::shown(&again), again.findings);
                assert_eq!(self.disk.tree(), before, "a second installation changes nothing");
            }
            Event::Uninstall(at) => {
                user.uninstall(&[all()[*at]]);
            }
            Event::Edit(at, how) => {
                let (name, _, edits) = FILES[*at];
                let (old, new) = edits[how % edits.len()];
                self.change(name, |text| match old {
                    "" => format!("{new}{text}"),
                    old => text.replacen(old, new, 1),
                });
            }
            Event::LineEnds(at) => self.change(FILES[*at].0, |text| {
                let plain = text.replace("\r\n", "\n");
                if plain == text { plain.replace('\n', "\r\n") } else { plain }
            }),
            Event::Replace(at, how) => {
                let path = self.path(OWNED[*at]);
                let text = format!("mine {how}\n");
                self.disk.put(&path, text.as_bytes());
                self.owner.put(&path, text.as_bytes());
            }
        }
    }
}

fn play(scope: Scope, present: &[bool], linked: bool, events: &[Event]) {
    let life = Life { disk: disk(), owner: disk(), scope };
    for (at, there) in present.iter().enumerate() {
        if *there {
            life.disk.put(&life.path(FILES[at].0), FILES[at].1.as_bytes());
            life.owner.put(&life.path(FILES[at].0), FILES[at].1.as_bytes());
        }
    }
    if linked && present[0] && !present[1] {
        life.disk.link(&life.path("GEMINI.md"), &life.path("AGENTS.md"));
    }
    for event in events {
        life.play(event);
    }
    let plan = User::new(&life.disk, scope).uninstall(&all());
    assert!(!plan.has_conflict(), "{:?}", plan.findings);
    assert_eq!(texts(&life.disk), texts(&life.owner));
}

/// Everything there is, to be read.
fn texts(disk: &MemoryDisk) -> BTreeMap<PathBuf, Option<String>> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    disk.tree().into_iter().map(|(path, bytes)| (path, bytes.map(text))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn the_owner_has_every_byte_back(
        of_user in any::<bool>(),
        present in prop::collection::vec(any::<bool>(), FILES.len()),
        linked in any::<bool>(),
        events in prop::collection::vec(event(), 0..8),
    ) {
        let scope = if of_user { Scope::User } else { Scope::Project };
        play(scope, &present, linked, &events);
    }
}

/// The state of the only file of a harness.
fn state_of(disk: &MemoryDisk, edition: &str) -> (FileState, bool) {
    let found = User::new(disk, Scope::Project).status(&book(edition));
    assert_eq!(found.len(), 1, "{found:?}");
    (found[0].state, found[0].core)
}

#[test]
fn every_state_has_its_word() {
    let agents = Path::new("/p/AGENTS.md");
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &request(named(&["agents-md"])));
    assert_eq!(state_of(&disk, "1"), (FileState::Clean, true));
    assert_eq!(state_of(&disk, "2"), (FileState::Stale, true));
    let text = disk.text(agents).unwrap();
    disk.put(agents, text.replace("You lead", "You follow").as_bytes());
    assert_eq!(state_of(&disk, "1"), (FileState::Drifted, true));
    assert_eq!(state_of(&disk, "2"), (FileState::Both, true));
    disk.put(agents, text.replace("what you saw", "what they want").as_bytes());
    assert_eq!(state_of(&disk, "1"), (FileState::Drifted, false), "the core is broken");
    disk.put(agents, b"mine\n");
    assert_eq!(state_of(&disk, "1"), (FileState::Missing, false));
    disk.put(agents, text.replace("lawful:end", "lawful:and").as_bytes());
    assert_eq!(state_of(&disk, "1"), (FileState::Foreign, false));
    disk.put(agents, text.replace('\n', "\r\n").as_bytes());
    assert_eq!(state_of(&disk, "1"), (FileState::Clean, true), "line ends are no edit");
    // An older edition of ours, as a branch brings it back.
    user.install(&book("2"), &request(named(&["agents-md"])));
    disk.put(agents, text.as_bytes());
    assert_eq!(state_of(&disk, "2"), (FileState::Drifted, true));
    assert_eq!(state_of(&disk, "3"), (FileState::Both, true));
    assert_eq!(state_of(&disk, "1"), (FileState::Clean, true), "as it would be written now");
    assert_eq!(
        shown(&user.install(&book("2"), &request(named(&["agents-md"])))),
        ["update-block agents-md AGENTS.md"],
        "nobody's edit is lost"
    );
    // A hash proves nothing.
    let (forged, _) = crate::block::append("", "crew", "You do evil.");
    disk.put(agents, forged.as_bytes());
    assert_eq!(state_of(&disk, "2"), (FileState::Drifted, false));
}

#[test]
fn an_owned_file_that_somebody_replaced_is_foreign_and_stays() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &request(named(&["cursor"])));
    let rule = Path::new("/p/.cursor/rules/lawful.mdc");
    disk.put(rule, b"mine\n");
    let found = user.status(&book("1"));
    let of_rule = found.iter().find(|file| file.path.ends_with("lawful.mdc")).unwrap();
    assert_eq!(of_rule.state, FileState::Foreign);
    user.uninstall(&all());
    assert_eq!(disk.text(rule).unwrap(), "mine\n");
}

#[test]
fn a_lost_ledger_is_made_up_for_by_the_markers() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let asked = request(named(&["claude-code", "codex"]));
    user.install(&book("1"), &asked);
    super::lose_ledger(&disk, true);
    let plan = user.install(&book("2"), &asked);
    assert!(!plan.has_conflict(), "{:?}", plan.findings);
    let left = user.uninstall(&all());
    assert!(!left.has_conflict());
    let files = super::disk().tree().values().flatten().count();
    assert_eq!(disk.tree().values().flatten().count(), files, "{:?}", disk.tree().keys());
}

#[test]
fn what_others_took_since_stays_theirs() {
    let settings = Path::new("/p/.claude/settings.json");
    let disk = disk();
    disk.put(settings, b"{\"outputStyle\": \"Old\", \"a\": 1}");
    let user = User::new(&disk, Scope::Project);
    let asked = Request { activate: true, ..request(named(&["claude-code"])) };
    user.install(&book("1"), &asked);
    assert_eq!(disk.text(settings).unwrap(), "{\"outputStyle\": \"lawful-lead\", \"a\": 1}");
    // An edit elsewhere in the file: the earlier value is still restored.
    disk.put(settings, b"{\"outputStyle\": \"lawful-lead\", \"a\": 2}");
    user.uninstall(&all());
    assert_eq!(disk.text(settings).unwrap(), "{\"outputStyle\": \"Old\", \"a\": 2}");
    user.install(&book("1"), &asked);
    disk.put(settings, b"{\"outputStyle\": \"Theirs\"}");
    // Without asking for it again, their choice stays; asking for it again takes it.
    user.install(&book("1"), &request(named(&["claude-code"])));
    assert_eq!(disk.text(settings).unwrap(), "{\"outputStyle\": \"Theirs\"}");
    user.uninstall(&all());
    assert_eq!(disk.text(settings).unwrap(), "{\"outputStyle\": \"Theirs\"}");
}
