//! Reading the log.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::ops::ControlFlow;
use std::time::Duration;

use serde::Serialize;

use super::{DecisionKind, DecisionLog, LoggedDecision, Since};

/// Which decisions to show; default: all.
#[derive(Clone, Debug, Default)]
pub struct DecisionFilter {
    /// Only those of sessions whose id contains this.
    pub session: Option<String>,
    /// Only decisions of this kind.
    pub decision: Option<DecisionKind>,
    /// Only those that this guard made.
    pub by: Option<String>,
    /// Only those from here on.
    pub since: Option<Since>,
}

impl DecisionFilter {
    fn accepts(&self, decision: &LoggedDecision) -> bool {
        let Self { session, decision: kind, by, since } = self;
        session.as_ref().is_none_or(|text| decision.session.contains(text))
            && kind.is_none_or(|kind| decision.decision == kind)
            && by.as_ref().is_none_or(|id| decision.by.contains(id))
            && since.as_ref().is_none_or(|Since(time)| decision.time >= *time)
    }
}

/// `{"decisions", "unreadable"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decisions {
    /// The decisions, oldest first.
    pub decisions: Vec<LoggedDecision>,
    /// The number of lines that are not decisions.
    #[serde(skip_serializing_if = "is_zero")]
    pub unreadable: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The maximal length of a line. Lawful writes no longer ones.
const LONGEST_LINE: u64 = 1 << 20;

impl DecisionLog {
    /// The decisions that a filter accepts.
    pub fn read(&self, filter: &DecisionFilter) -> io::Result<Decisions> {
        let mut found = Decisions { decisions: Vec::new(), unreadable: 0 };
        for file in self.files()? {
            let mut lines = Lines::of(file);
            while let Some(line) = lines.next_line()? {
                match serde_json::from_slice::<LoggedDecision>(&line) {
                    Ok(decision) if filter.accepts(&decision) => found.decisions.push(decision),
                    Ok(_) => {}
                    Err(_) => found.unreadable += 1,
                }
            }
        }
        Ok(found)
    }

    /// The decision with an id.
    pub(crate) fn find(&self, id: &str) -> io::Result<Option<LoggedDecision>> {
        let all = self.read(&DecisionFilter::default())?;
        Ok(all.decisions.into_iter().rev().find(|decision| decision.id == id))
    }

    /// Follows the log from its end.
    pub fn follow(&self, filter: DecisionFilter) -> io::Result<Follower> {
        let mut lines = None;
        if let Some(mut file) = self.files()?.pop() {
            file.seek(SeekFrom::End(0))?;
            lines = Some(Lines::of(file));
        }
        Ok(Follower { log: self.clone(), filter, lines })
    }
}

/// New decisions of a log.
#[derive(Debug)]
pub struct Follower {
    log: DecisionLog,
    filter: DecisionFilter,
    lines: Option<Lines>,
}

/// How long to wait for the next decision.
const PAUSE: Duration = Duration::from_millis(100);

impl Follower {
    /// Calls `see` for each new decision until it breaks.
    pub fn run(
        mut self,
        mut see: impl FnMut(&LoggedDecision) -> ControlFlow<()>,
    ) -> io::Result<()> {
        loop {
            // Look for a new file first: then the lines of the old one are complete.
            let next = self.renamed()?;
            while let Some(line) = self.lines.as_mut().map_or(Ok(None), Lines::next_line)? {
                let decision = serde_json::from_slice::<LoggedDecision>(&line);
                if let Ok(decision) = decision
                    && self.filter.accepts(&decision)
                    && see(&decision).is_break()
                {
                    return Ok(());
                }
            }
            match next {
                Some(file) => self.lines = Some(Lines::of(file)),
                None => std::thread::sleep(PAUSE),
            }
        }
    }

    /// The current file, if it is another one than before.
    fn renamed(&self) -> io::Result<Option<File>> {
        let Some(newest) = self.log.files()?.pop() else { return Ok(None) };
        let same = match &self.lines {
            None => false,
            Some(lines) => is_same(lines.file(), &newest)?,
        };
        Ok((!same).then_some(newest))
    }
}

#[cfg(unix)]
fn is_same(one: &File, other: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let (one, other) = (one.metadata()?, other.metadata()?);
    Ok((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

#[cfg(not(unix))]
fn is_same(one: &File, other: &File) -> io::Result<bool> {
    Ok(other.metadata()?.len() >= one.metadata()?.len())
}

/// The lines of a file that others append to. A line without its end is kept until the rest is there.
#[derive(Debug)]
struct Lines {
    reader: BufReader<File>,
    partial: Vec<u8>,
}

impl Lines {
    fn of(file: File) -> Self {
        Self { reader: BufReader::new(file), partial: Vec::new() }
    }

    fn file(&self) -> &File {
        self.reader.get_ref()
    }

    /// The next line that is not empty; `None` at the end of the file.
    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let room = LONGEST_LINE.saturating_sub(self.partial.len() as u64).max(1);
            let read = self.reader.by_ref().take(room).read_until(b'\n', &mut self.partial)?;
            if read == 0 {
                return Ok(None);
            }
            let ended = self.partial.ends_with(b"\n");
            if ended || self.partial.len() as u64 >= LONGEST_LINE {
                let line = std::mem::take(&mut self.partial);
                if line != b"\n" {
                    return Ok(Some(line));
                }
            }
        }
    }
}
