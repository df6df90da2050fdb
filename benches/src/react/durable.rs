//! Durable turns for each second: the store beside a bare SQLite loop that writes the same rows.
//!
//! One turn reads the state of a session and writes a state of 4 KB, a row of the log of 2 KB and the
//! key of the request, to one of 64 sessions. Both write to files of their own in the same folder, with
//! the same journal, the same synchronisation and the same planner settings, and take turns, so that whatever else the disk does
//! falls on both. The clock on the wall counts: nearly all of it is waiting for the disk.
//!
//! The bare loop is one thread with prepared statements and checks nothing. The store checks versions,
//! keys and JSON, and hands turns to its writer.
//!
//! **Invariant:** a run is void unless both files hold the same states in the end.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use lawful_store::{Book, Json, NewSession, NewTurn, Options, Outcome, Record, Sqlite, Store};
use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::report::Section;
use crate::Result;
use crate::cli::Folder;
use crate::goals::Goal;
use crate::measure::quartiles;
use crate::table::{figure, grouped, list, table};

/// How many sessions are written to, and how many turns a group has.
pub const GROUP: u64 = 64;
/// Bytes of a state.
const STATE: usize = 4096;
/// Bytes of what the log keeps of a turn.
const LOG: usize = 2048;
/// The share of the bare loop that the store must reach.
const LEAST: f64 = 0.8;

/// Turns for each second, one figure for each round.
#[derive(Clone, Debug, Default)]
pub struct Pair {
    /// The store.
    pub store: Vec<f64>,
    /// The bare loop.
    pub bare: Vec<f64>,
}

/// What was measured.
#[derive(Clone, Debug)]
pub struct Figures {
    /// One turn for each commit.
    pub single: Pair,
    /// [`GROUP`] turns for each commit.
    pub grouped: Pair,
    /// How many turns each of them wrote.
    pub turns: u64,
}

/// Measures in the folder of temporary files. In each round both sides write `singles` turns one by
/// one and then `groups` groups.
pub fn run(rounds: usize, singles: u64, groups: u64) -> Result<Figures> {
    let folder = Folder::new()?;
    let mut store = Ours::open(&folder.0.join("store.db"))?;
    let mut bare = Bare::open(&folder.0.join("bare.db"))?;
    let (mut single, mut grouped) = (Pair::default(), Pair::default());
    // The first round warms up and does not count; after it the two take turns at going first.
    for round in 0..=rounds {
        let mut ours = || -> Result<[f64; 2]> {
            let one = rate(singles, || store.singles(singles))?;
            Ok([one, rate(groups * GROUP, || store.groups(groups))?])
        };
        let mut theirs = || -> Result<[f64; 2]> {
            let one = rate(singles, || bare.singles(singles))?;
            Ok([one, rate(groups * GROUP, || bare.groups(groups))?])
        };
        let ([our_one, our_many], [their_one, their_many]) = if round.is_multiple_of(2) {
            let first = ours()?;
            (first, theirs()?)
        } else {
            let first = theirs()?;
            (ours()?, first)
        };
        if round > 0 {
            single.store.push(our_one);
            single.bare.push(their_one);
            grouped.store.push(our_many);
            grouped.bare.push(their_many);
        }
    }
    for session in 0..GROUP {
        if store.state(session)? != bare.state(session)? {
            return Err(format!("void: session {session} is not the same in both files").into());
        }
    }
    Ok(Figures { single, grouped, turns: store.turns })
}

impl Figures {
    /// The goals.
    fn goals(&self) -> Vec<Goal> {
        let goal = |what: &str, pair: &Pair| {
            let aim = format!("durable turns, {what}: at least {LEAST} of a bare SQLite loop");
            let [low, median, high] = quartiles(&pair.ratios());
            let found =
                format!("{median:.2}; half of the rounds lie between {low:.2} and {high:.2}");
            Goal { aim, found, met: Some(median >= LEAST) }
        };
        let grouped = format!("{GROUP} to a commit");
        vec![goal("one to a commit", &self.single), goal(&grouped, &self.grouped)]
    }

    /// The part of the report.
    pub fn section(&self) -> Section {
        let about = list(vec![
            format!("a turn reads a session and writes a state of {STATE} bytes, {LOG} bytes of log and the key of the request; {GROUP} sessions take turns"),
            "both sides have a file of their own in the same folder, write-ahead journal, `synchronous=FULL`; the bare loop is one thread with prepared statements that checks nothing".to_owned(),
            format!("the clock on the wall counts; the ratio is the median over {} rounds in which both take turns, {} turns each", self.single.store.len(), grouped(self.turns)),
        ]);
        Section {
            title: "Durable turns",
            text: format!("{}\n\n{about}", self.table()),
            goals: self.goals(),
        }
    }

    /// A table of turns for each second.
    fn table(&self) -> String {
        let head = ["durable turns for each second", "store", "bare SQLite", "ratio"];
        let middle = |figures: &[f64]| {
            let [_, median, _] = quartiles(figures);
            median
        };
        let row = |label: String, pair: &Pair| {
            let figures = [middle(&pair.store), middle(&pair.bare), middle(&pair.ratios())];
            std::iter::once(label).chain(figures.map(figure)).collect::<Vec<String>>()
        };
        let rows = [
            row("one to a commit".to_owned(), &self.single),
            row(format!("{GROUP} to a commit"), &self.grouped),
        ];
        table(&head.map(str::to_owned), &rows)
    }
}

impl Pair {
    /// What the store reaches of the bare loop, round by round.
    pub fn ratios(&self) -> Vec<f64> {
        self.store.iter().zip(&self.bare).map(|(store, bare)| store / bare).collect()
    }
}

fn rate(turns: u64, work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    work()?;
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let turns = turns as f64;
    Ok(turns / start.elapsed().as_secs_f64())
}

/// The state after a turn: 4 KB of JSON that differs from turn to turn.
fn state(turn: u64) -> String {
    padded(turn, STATE)
}

/// A JSON text of a size.
fn padded(number: u64, size: usize) -> String {
    let head = format!("{{\"turn\":{number},\"text\":\"");
    let fill = size.saturating_sub(head.len() + 2);
    format!("{head}{}\"}}", "x".repeat(fill))
}

/// The store.
struct Ours {
    store: Sqlite,
    book: Arc<Book>,
    turns: u64,
}

impl Ours {
    fn open(file: &Path) -> Result<Self> {
        let store = Sqlite::open(file, &Options { create: true, ..Options::default() })?;
        let book = Arc::new(Book { hash: "1f".to_owned(), text: Json::parse("{}")? });
        for session in 0..GROUP {
            let name = Some(session.to_string());
            let snapshot = Json::parse(state(0))?;
            store.create(NewSession { name, book: Arc::clone(&book), turn: 0, snapshot })?;
        }
        Ok(Self { store, book, turns: 0 })
    }

    /// Reads a session and works out its next turn.
    fn next(&mut self) -> Result<NewTurn> {
        let session = (self.turns % GROUP).to_string();
        let head = self.store.head(&session)?;
        let turn = head.turn + 1;
        let key = Some(format!("request-{}", self.turns));
        self.turns += 1;
        Ok(NewTurn {
            session,
            key,
            expect: head.version,
            turn,
            book: Arc::clone(&self.book),
            record: Record { input: Json::parse(padded(turn, LOG))?, ..Record::default() },
            snapshot: Json::parse(state(turn))?,
            effects: Vec::new(),
        })
    }

    fn singles(&mut self, turns: u64) -> Result<()> {
        for _ in 0..turns {
            let turn = self.next()?;
            committed(&self.store.commit(turn)?)?;
        }
        Ok(())
    }

    fn groups(&mut self, groups: u64) -> Result<()> {
        for _ in 0..groups {
            let turns = (0..GROUP).map(|_| self.next()).collect::<Result<_>>()?;
            for ticket in self.store.submit(turns) {
                committed(&ticket.wait()?)?;
            }
        }
        Ok(())
    }

    fn state(&self, session: u64) -> Result<String> {
        Ok(self.store.head(&session.to_string())?.snapshot.text().to_owned())
    }
}

fn committed(outcome: &Outcome) -> Result<()> {
    match outcome {
        Outcome::Committed(_) => Ok(()),
        Outcome::Duplicate(_) | Outcome::Conflict(_) => Err("void: a turn was refused".into()),
    }
}

/// The bare loop.
struct Bare {
    connection: Connection,
    turns: u64,
}

const SCHEMA: &str = "
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE session (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, version INTEGER NOT NULL);
CREATE TABLE snapshot (session INTEGER NOT NULL, version INTEGER NOT NULL, text TEXT NOT NULL);
CREATE UNIQUE INDEX snapshot_version ON snapshot (session, version);
CREATE TABLE log (session INTEGER NOT NULL, version INTEGER NOT NULL, text TEXT NOT NULL);
CREATE TABLE request (session INTEGER NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL,
                      PRIMARY KEY (session, key)) WITHOUT ROWID;";

impl Bare {
    fn open(file: &Path) -> Result<Self> {
        let connection = Connection::open(file)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.execute_batch(SCHEMA)?;
        for session in 0..GROUP {
            let (id, name) = (i64::try_from(session)?, session.to_string());
            connection.execute("INSERT INTO session VALUES (?1, ?2, 0)", (id, name))?;
            connection.execute("INSERT INTO snapshot VALUES (?1, 0, ?2)", (id, state(0)))?;
        }
        Ok(Self { connection, turns: 0 })
    }

    /// Reads a session: its id, its version and its state.
    fn read(&self, session: u64) -> Result<(i64, u64, String)> {
        let sql = "SELECT s.id, s.version, t.text FROM session s \
                   JOIN snapshot t ON t.session = s.id AND t.version = s.version WHERE s.name = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement
            .query_row([session.to_string()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?)
    }

    fn next(&mut self) -> Result<(i64, u64, String)> {
        let (id, version, _) = self.read(self.turns % GROUP)?;
        let key = format!("request-{}", self.turns);
        self.turns += 1;
        Ok((id, version + 1, key))
    }

    fn write(&self, (id, version, key): &(i64, u64, String)) -> Result<()> {
        let run = |sql: &str, values: &[&dyn rusqlite::ToSql]| -> Result<()> {
            self.connection.prepare_cached(sql)?.execute(values)?;
            Ok(())
        };
        let (text, log) = (state(*version), padded(*version, LOG));
        run("INSERT INTO snapshot VALUES (?1, ?2, ?3)", &[id, version, &text])?;
        run("INSERT INTO log VALUES (?1, ?2, ?3)", &[id, version, &log])?;
        run("INSERT INTO request VALUES (?1, ?2, ?3)", &[id, key, version])?;
        run("UPDATE session SET version = ?2 WHERE id = ?1", &[id, version])
    }

    fn commit(&self, turns: &[(i64, u64, String)]) -> Result<()> {
        let execute = |sql: &str| -> Result<()> {
            self.connection.prepare_cached(sql)?.execute([])?;
            Ok(())
        };
        execute("BEGIN IMMEDIATE")?;
        turns.iter().try_for_each(|turn| self.write(turn))?;
        execute("COMMIT")
    }

    fn singles(&mut self, turns: u64) -> Result<()> {
        for _ in 0..turns {
            let turn = self.next()?;
            self.commit(&[turn])?;
        }
        Ok(())
    }

    fn groups(&mut self, groups: u64) -> Result<()> {
        for _ in 0..groups {
            let turns: Vec<_> = (0..GROUP).map(|_| self.next()).collect::<Result<_>>()?;
            self.commit(&turns)?;
        }
        Ok(())
    }

    fn state(&self, session: u64) -> Result<String> {
        Ok(self.read(session)?.2)
    }
}
