#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "this is a test")]

use std::fs;
use std::io::Write as _;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::time::written;
use super::*;

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let name = format!("lawful-decision-log-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    fn log(&self) -> DecisionLog {
        DecisionLog { folder: self.0.join("log") }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn decision(id: &str) -> LoggedDecision {
    LoggedDecision {
        id: id.to_owned(),
        time: written(UNIX_EPOCH),
        harness: "claude-code".to_owned(),
        session: "s".to_owned(),
        agent: "main".to_owned(),
        event: "tool:call".to_owned(),
        decision: DecisionKind::Deny,
        by: vec!["no-push".to_owned()],
        law: None,
        ms: 1.5,
        mode: EnforcementMode::Enforce,
        action: None,
        tool: None,
        reason: None,
        about: None,
        call: None,
        overrides: None,
    }
}

#[test]
fn a_time_is_written_and_read_again() {
    let check = |text: &str, seconds: u64| {
        assert_eq!(written(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        assert_eq!(Since::parse(text, SystemTime::now()), Some(Since(text.to_owned())));
    };
    check("1970-01-01T00:00:00.000Z", 0);
    check("2000-02-29T23:59:59.000Z", 951_868_799);
    check("2026-11-16T04:15:54.000Z", 1_794_802_554);
    check("2100-03-01T00:00:00.000Z", 4_107_542_400);
}

#[test]
fn since_takes_times_and_durations() {
    let now = UNIX_EPOCH + Duration::from_secs(1_794_802_554);
    let check = |text: &str, expected: &str| {
        let since = Since::parse(text, now).map(|since| since.0);
        assert_eq!(since.as_deref().unwrap_or("invalid"), expected, "{text}");
    };
    check("54s", "2026-11-16T04:15:00.000Z");
    check("15m", "2026-11-16T04:00:54.000Z");
    check("4h", "2026-11-16T00:15:54.000Z");
    check("16d", "2026-10-31T04:15:54.000Z");
    check("999999d", "1970-01-01T00:00:00.000Z");
    check("2026-11-16", "2026-11-16T00:00:00.000Z");
    check("2026-11-16T04:15", "2026-11-16T04:15:00.000Z");
    check("2026-11-16T04:15:54.25+02:00", "2026-11-16T02:15:54.250Z");
    check("2026-11-16T23:30-01:00", "2026-11-17T00:30:00.000Z");
    for text in ["", "d", "-1d", "2026-02-30", "2026-13-01", "2026-11-16T24:00", "1.5h", "now"] {
        check(text, "invalid");
    }
}

#[test]
fn a_line_is_read_as_it_was_appended() {
    let place = Place::new("whole");
    let log = place.log();
    assert!(log.read(&DecisionFilter::default()).unwrap().decisions.is_empty());
    let odd = LoggedDecision {
        reason: Some("a \u{1b}[2J \"quoted\"\nline".to_owned()),
        session: "\u{202e}s\n".to_owned(),
        ..decision("1")
    };
    log.append(&odd).unwrap();
    let text = fs::read_to_string(place.0.join("log/decisions.jsonl")).unwrap();
    assert!(text.lines().count() == 1 && !text.contains('\u{1b}') && !text.contains('\u{202e}'));
    assert_eq!(log.read(&DecisionFilter::default()).unwrap().decisions, std::slice::from_ref(&odd));
    assert_eq!(log.find("1").unwrap(), Some(odd));
    assert_eq!(log.find("2").unwrap(), None);
}

#[test]
fn a_filter_selects() {
    let place = Place::new("filter");
    let log = place.log();
    log.append(&decision("1")).unwrap();
    log.append(&LoggedDecision { decision: DecisionKind::Allow, ..decision("2") }).unwrap();
    log.append(&LoggedDecision { session: "other".to_owned(), ..decision("3") }).unwrap();
    log.append(&LoggedDecision { by: Vec::new(), ..decision("4") }).unwrap();
    log.append(&LoggedDecision { time: "2026".to_owned(), ..decision("5") }).unwrap();
    let check = |filter: DecisionFilter, expected: &str| {
        let found = log.read(&filter).unwrap();
        let ids: Vec<String> = found.decisions.into_iter().map(|one| one.id).collect();
        assert_eq!(ids.join(" "), expected);
    };
    let all = DecisionFilter::default;
    check(all(), "1 2 3 4 5");
    check(DecisionFilter { session: Some("the".to_owned()), ..all() }, "3");
    check(DecisionFilter { decision: Some(DecisionKind::Allow), ..all() }, "2");
    check(DecisionFilter { by: Some("no-push".to_owned()), ..all() }, "1 2 3 5");
    let since = Since::parse("2025-01-01", SystemTime::now());
    check(DecisionFilter { since, ..all() }, "5");
}

#[test]
fn a_damaged_line_is_counted_and_hides_no_other() {
    let place = Place::new("damaged");
    let log = place.log();
    log.append(&decision("1")).unwrap();
    let file = place.0.join("log/decisions.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}{{\"id\": \n\u{0}\n\n{text}")).unwrap();
    let found = log.read(&DecisionFilter::default()).unwrap();
    assert_eq!((found.decisions.len(), found.unreadable), (2, 2));
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new("private");
    place.log().append(&decision("1")).unwrap();
    let mode = |path: &str| fs::metadata(place.0.join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("log"), mode("log/decisions.jsonl")), (0o700, 0o600));
}

#[test]
fn a_log_has_a_maximal_size_and_keeps_the_newest() {
    let place = Place::new("size");
    let log = place.log();
    // Fill files without writing every line.
    for round in 0..12 {
        log.append(&decision(&round.to_string())).unwrap();
        let file = fs::File::options().write(true).open(place.0.join("log/decisions.jsonl"));
        file.unwrap().set_len(4 << 20).unwrap();
    }
    log.append(&decision("last")).unwrap();
    let files = fs::read_dir(place.0.join("log")).unwrap().flatten();
    let names: Vec<String> = files.map(|file| file.file_name().into_string().unwrap()).collect();
    assert_eq!(names.iter().filter(|name| name.ends_with(".jsonl")).count(), 8, "{names:?}");
    let found = log.read(&DecisionFilter::default()).unwrap();
    let ids: Vec<String> = found.decisions.into_iter().map(|one| one.id).collect();
    assert_eq!(ids.join(" "), "5 6 7 8 9 10 11 last");
}

#[test]
fn a_follower_sees_new_lines_across_a_rotation() {
    let place = Place::new("follow");
    let log = place.log();
    log.append(&decision("old")).unwrap();
    let follower = log.follow(DecisionFilter::default()).unwrap();
    let writer = {
        let (log, folder) = (log.clone(), place.0.join("log"));
        thread::spawn(move || {
            log.append(&decision("1")).unwrap();
            thread::sleep(Duration::from_millis(300));
            fs::rename(folder.join("decisions.jsonl"), folder.join("decisions.1.jsonl")).unwrap();
            log.append(&decision("2")).unwrap();
        })
    };
    let mut seen = Vec::new();
    let see = |one: &LoggedDecision| {
        seen.push(one.id.clone());
        if one.id == "2" {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    };
    follower.run(see).unwrap();
    writer.join().unwrap();
    assert_eq!(seen, ["1", "2"]);
}

/// The folder that a child process appends to, and its number.
const CHILD: &str = "LAWFUL_TEST_DECISION_LOG";

#[test]
fn processes_append_at_once_and_rotate() {
    if let Some(place) = std::env::var_os(CHILD) {
        return append_many(&PathBuf::from(place));
    }
    let place = Place::new("processes");
    place.log().append(&decision("first")).unwrap();
    // The first lines of the children make the file full, so that they all want to rename it.
    let file = place.0.join("log/decisions.jsonl");
    fs::File::options().write(true).open(&file).unwrap().set_len((4 << 20) - 5000).unwrap();
    fs::File::options().append(true).open(&file).unwrap().write_all(b"\n").unwrap();
    let name = "decision_log::tests::processes_append_at_once_and_rotate";
    let children: Vec<_> = (0..4)
        .map(|_| {
            let mut child = std::process::Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", name]).env(CHILD, place.0.join("log"));
            child.stdout(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let found = place.log().read(&DecisionFilter::default()).unwrap();
    // The hole in the file counts as lines that are invalid.
    assert_eq!((found.decisions.len(), found.unreadable), (1 + 4 * LINES, 4));
    assert!(place.0.join("log/decisions.1.jsonl").exists());
    assert!(!place.0.join("log/decisions.2.jsonl").exists());
}

const LINES: usize = 200;

fn append_many(folder: &std::path::Path) {
    let log = DecisionLog { folder: folder.to_owned() };
    let reason = Some("r".repeat(300));
    for line in 0..LINES {
        let line = LoggedDecision { reason: reason.clone(), ..decision(&line.to_string()) };
        log.append(&line).unwrap();
    }
}
