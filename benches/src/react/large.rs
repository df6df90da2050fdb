//! A session with a large variable that does not change: what it takes on the disk, and what reading
//! and rewinding cost after many turns.
//!
//! One turn changes a counter beside a text of a megabyte. The store keeps what changed, so the file must stay
//! small, and a state that is put together from what changed must be read about as fast as one that
//! is stored whole. Both are in the same file and take turns. The clock on the wall counts, because a
//! rewind waits for the disk.
//!
//! **Invariant:** a run is void unless every state that is read is the one that was written.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use lawful_store::{
    Book, Json, NewSession, NewTurn, Options, Outcome, Record, Rewind, Rewound, Sqlite, Store,
    Target,
};

use super::report::Section;
use crate::Result;
use crate::cli::Folder;
use crate::goals::Goal;
use crate::measure::quartiles;
use crate::table::{figure, grouped, list, table};

/// Bytes of the variable.
const VARIABLE: usize = 1 << 20;
/// The most that the file may take.
const MOST_BYTES: u64 = 20_000_000;
/// How much longer reading and rewinding may take than with a state that is stored whole.
const FACTOR: f64 = 1.5;

/// Microseconds for one, one figure for each round.
#[derive(Clone, Debug, Default)]
pub struct Pair {
    /// After the turns.
    pub after: Vec<f64>,
    /// With a state that is stored whole.
    pub whole: Vec<f64>,
}

/// What was measured.
#[derive(Clone, Debug)]
pub struct Figures {
    /// How many turns were taken.
    pub turns: u64,
    /// Bytes of the file after them.
    pub bytes: u64,
    /// Reading the state.
    pub read: Pair,
    /// Going back by one turn.
    pub rewind: Pair,
}

/// Takes turns in the folder of temporary files, and measures that many rounds.
pub fn run(turns: u64, rounds: usize) -> Result<Figures> {
    let folder = Folder::new()?;
    let file = folder.0.join("large.db");
    let mut store = Large::open(&file)?;
    store.start("after")?;
    for _ in 0..turns {
        store.turn("after")?;
    }
    // The file is measured when the journal is empty.
    drop(store);
    let bytes = file.metadata()?.len();
    let mut store = Large::open(&file)?;
    store.start("whole")?;
    let (mut read, mut rewind) = (Pair::default(), Pair::default());
    // The first round warms up and does not count.
    for round in 0..=rounds {
        let after = [store.read("after", turns)?, store.rewind("after", turns)?];
        let whole = [store.read("whole", 0)?, store.rewind("whole", 0)?];
        if round > 0 {
            read.after.push(after[0]);
            read.whole.push(whole[0]);
            rewind.after.push(after[1]);
            rewind.whole.push(whole[1]);
        }
    }
    Ok(Figures { turns, bytes, read, rewind })
}

impl Figures {
    /// The goals.
    fn goals(&self) -> Vec<Goal> {
        let turns = grouped(self.turns);
        let goal = |what: &str, pair: &Pair| {
            let aim = format!("{what} after {turns} turns: at most {FACTOR} of a whole state");
            let [low, median, high] = quartiles(&pair.ratios());
            let found = format!("{median:.2}; interquartile range {low:.2} to {high:.2}");
            Goal { aim, found, met: Some(median <= FACTOR) }
        };
        let most = grouped(MOST_BYTES);
        let aim = format!(
            "{turns} turns over a variable of 1 MB that does not change: under {most} bytes"
        );
        let found = format!("{} bytes", grouped(self.bytes));
        let size = Goal { aim, found, met: Some(self.bytes < MOST_BYTES) };
        vec![size, goal("reading", &self.read), goal("rewinding", &self.rewind)]
    }

    /// The part of the report.
    pub fn section(&self) -> Section {
        let about = list(vec![
            format!(
                "{} turns, each of which changes a counter beside a text of {} bytes; the file takes {} bytes",
                grouped(self.turns),
                grouped(VARIABLE as u64),
                grouped(self.bytes)
            ),
            "the whole state is that of a session which was just started, in the same file"
                .to_owned(),
            format!(
                "the clock on the wall counts; the median over {} rounds in which both take turns; before each rewind a turn is taken, which does not count",
                self.read.after.len()
            ),
        ]);
        let head = ["microseconds for one", "after the turns", "whole state", "ratio"];
        let middle = |figures: &[f64]| {
            let [_, median, _] = quartiles(figures);
            figure(median)
        };
        let row = |what: &str, pair: &Pair| {
            vec![what.to_owned(), middle(&pair.after), middle(&pair.whole), middle(&pair.ratios())]
        };
        let rows = [row("reading", &self.read), row("rewinding", &self.rewind)];
        Section {
            title: "A large variable",
            text: format!("{}\n\n{about}", table(&head.map(str::to_owned), &rows)),
            goals: self.goals(),
        }
    }
}

impl Pair {
    /// How much longer it takes after the turns, round by round.
    pub fn ratios(&self) -> Vec<f64> {
        self.after.iter().zip(&self.whole).map(|(after, whole)| after / whole).collect()
    }
}

/// A state: a counter, a text that does not change, and the counter again.
fn state(turn: u64) -> Result<Json> {
    let mut text = String::with_capacity(VARIABLE + 100);
    let mut seed = 7_u32;
    while text.len() < VARIABLE {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(&(seed >> 8).to_string());
        text.push(' ');
    }
    Ok(Json::parse(format!(r#"{{"turn":{turn},"variables":{{"notes":"{text}"}},"last":{turn}}}"#))?)
}

/// The store with its sessions.
struct Large {
    store: Sqlite,
    book: Arc<Book>,
}

impl Large {
    fn open(file: &Path) -> Result<Self> {
        let store = Sqlite::open(file, &Options { create: true, ..Options::default() })?;
        let book = Arc::new(Book { hash: "1f".to_owned(), text: Json::parse("{}")? });
        Ok(Self { store, book })
    }

    fn start(&mut self, session: &str) -> Result<()> {
        let (name, book) = (Some(session.to_owned()), Arc::clone(&self.book));
        self.store.create(NewSession { name, book, turn: 0, snapshot: state(0)? })?;
        Ok(())
    }

    fn turn(&mut self, session: &str) -> Result<()> {
        let head = self.store.head(session)?;
        let turn = head.turn + 1;
        let outcome = self.store.commit(NewTurn {
            session: session.to_owned(),
            key: None,
            expect: head.version,
            turn,
            book: Arc::clone(&self.book),
            record: Record { input: Json::parse(r#"{"user":"I wait."}"#)?, ..Record::default() },
            snapshot: state(turn)?,
            effects: Vec::new(),
        })?;
        match outcome {
            Outcome::Committed(_) => Ok(()),
            Outcome::Duplicate(_) | Outcome::Conflict(_) => Err("void: a turn was refused".into()),
        }
    }

    /// Microseconds to read the state.
    fn read(&self, session: &str, turn: u64) -> Result<f64> {
        let start = Instant::now();
        let head = self.store.head(session)?;
        let took = start.elapsed().as_secs_f64() * 1e6;
        if head.snapshot == state(turn)? { Ok(took) } else { Err("void: another state".into()) }
    }

    /// Takes a turn, and measures going back to where it was.
    fn rewind(&mut self, session: &str, turn: u64) -> Result<f64> {
        self.turn(session)?;
        let to = Rewind { session: session.to_owned(), to: Target::Turn(turn), expect: None };
        let start = Instant::now();
        let rewound = self.store.rewind(to)?;
        let took = start.elapsed().as_secs_f64() * 1e6;
        match rewound {
            Rewound::Done { head, .. } if head.snapshot == state(turn)? => Ok(took),
            Rewound::Done { .. } | Rewound::Conflict(_) => Err("void: another state".into()),
        }
    }
}
