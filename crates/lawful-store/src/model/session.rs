//! A session as a list of entries in memory, with naive queries.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Checked, Turn, book, failed, json};
use crate::{
    Acknowledged, EffectId, Entry, Json, NewEffect, NewTurn, Record, Repeat, Status, Target,
};

/// The request that is made again after a rewind; the others are made once.
const AGAIN: u8 = 2;

/// The state after a step. Most of it never changes, as in a real one.
pub(super) fn state(turn: u64, step: u64) -> Checked<Json> {
    let constant = "1234567,".repeat(40);
    json(&format!("[{constant}{turn},{step}]"))
}

/// What the log keeps for an input: events and changes repeat it, as in a real one.
fn record(effects: &[u8]) -> Checked<Record> {
    let message = "the lamp burns ".repeat(effects.len() * 4);
    let input = json(&format!("[\"{message}\",{effects:?}]"))?;
    let events = json(&format!("[{0},{0}]", input.text()))?;
    let changes = json(&format!("[[{0}],{0}]", input.text()))?;
    Ok(Record { input, events, changes, result: json("7")? })
}

/// An effect: its id, its request and its status.
pub(super) type Held = (EffectId, u8, Status);

/// An entry of the log.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) version: u64,
    pub(super) parent: Option<u64>,
    pub(super) turn: u64,
    /// The number of steps up to here, which an engine would keep in its state.
    pub(super) step: u64,
    pub(super) branch: u64,
    pub(super) abandoned: Option<u64>,
    pub(super) key: Option<String>,
    pub(super) input: String,
    pub(super) effects: Vec<Held>,
}

impl Line {
    /// An entry of the store, in the form of the model.
    pub(super) fn of(entry: &Entry) -> Checked<Self> {
        let numbers: Vec<u64> = serde_json::from_str(entry.snapshot.text()).map_err(failed)?;
        let step = numbers.last().copied().unwrap_or_default();
        prop_assert_eq!(&entry.snapshot, &state(entry.turn, step)?, "a state was changed");
        let bodies: Vec<u8> = entry.effects.iter().flat_map(|e| e.body.text().parse()).collect();
        let kept = if entry.parent.is_some() { record(&bodies)? } else { Record::default() };
        prop_assert_eq!(&entry.record, &kept, "a record was changed");
        let mut effects = Vec::new();
        for effect in &entry.effects {
            let body = effect.body.text().parse().map_err(failed)?;
            effects.push((effect.id.clone(), body, effect.status));
        }
        Ok(Self {
            version: entry.version,
            parent: entry.parent,
            turn: entry.turn,
            step,
            branch: entry.branch,
            abandoned: entry.abandoned,
            key: entry.key.clone(),
            input: entry.record.input.text().to_owned(),
            effects,
        })
    }
}

/// The result of a request.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    Committed {
        version: u64,
        effects: Vec<Held>,
    },
    Duplicate {
        line: Line,
        same_input: bool,
    },
    Conflict {
        version: u64,
    },
    Rewound {
        version: u64,
        abandoned: Vec<u64>,
        withdrawn: Vec<EffectId>,
        delivered: Vec<EffectId>,
    },
    NoTarget,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Session {
    pub(super) name: String,
    pub(super) version: u64,
    pub(super) head: u64,
    pub(super) branch: u64,
    pub(super) lines: Vec<Line>,
}

impl Session {
    pub(super) fn new(name: &str) -> Self {
        let start = Line {
            version: 0,
            parent: None,
            turn: 0,
            step: 0,
            branch: 0,
            abandoned: None,
            key: None,
            input: "null".to_owned(),
            effects: Vec::new(),
        };
        Self { name: name.to_owned(), version: 0, head: 0, branch: 0, lines: vec![start] }
    }

    pub(super) fn line(&self, version: u64) -> Checked<&Line> {
        let found = self.lines.iter().find(|line| line.version == version);
        found.ok_or_else(|| failed(format!("no version {version}")))
    }

    pub(super) fn effects(&self) -> impl Iterator<Item = &Held> {
        self.lines.iter().flat_map(|line| &line.effects)
    }

    /// What an engine would produce for a turn now.
    pub(super) fn request(&self, turn: &Turn) -> Checked<NewTurn> {
        let head = self.line(self.head)?;
        let (number, step) = (head.turn + u64::from(turn.advances), head.step + 1);
        let mut effects = Vec::new();
        for (n, body) in (1..).zip(&turn.effects) {
            let id = EffectId { stem: format!("{number}.{step}"), number: n };
            let repeat = if *body == AGAIN { Repeat::Again } else { Repeat::Once };
            effects.push(NewEffect { id, body: json(&body.to_string())?, repeat });
        }
        Ok(NewTurn {
            session: self.name.clone(),
            key: turn.key.map(|key| key.to_string()),
            expect: self.version.saturating_sub(turn.behind),
            turn: number,
            book: book()?,
            record: record(&turn.effects)?,
            snapshot: state(number, step)?,
            effects,
        })
    }

    pub(super) fn commit(&mut self, turn: &Turn, request: &NewTurn) -> Checked<Answer> {
        let input = request.record.input.text();
        let used = |line: &&Line| line.key.is_some() && line.key == request.key;
        if let Some(line) = self.lines.iter().find(used) {
            return Ok(Answer::Duplicate { line: line.clone(), same_input: line.input == input });
        }
        if request.expect != self.version {
            return Ok(Answer::Conflict { version: self.version });
        }
        let mut effects = Vec::new();
        for (new, body) in request.effects.iter().zip(&turn.effects) {
            effects.push(self.effect(&new.id, *body, &effects));
        }
        let step = self.line(self.head)?.step + 1;
        self.version += 1;
        self.lines.push(Line {
            version: self.version,
            parent: Some(self.head),
            turn: request.turn,
            step,
            branch: self.branch,
            abandoned: None,
            key: request.key.clone(),
            input: input.to_owned(),
            effects: effects.clone(),
        });
        self.head = self.version;
        Ok(Answer::Committed { version: self.version, effects })
    }

    /// The rule on effect ids, implemented naively.
    fn effect(&self, given: &EffectId, body: u8, beside: &[Held]) -> Held {
        let gone = self.lines.iter().filter(|line| line.abandoned.is_some());
        let mut done: Vec<&EffectId> = gone
            .flat_map(|line| &line.effects)
            .filter(|(id, what, status)| {
                id.stem == given.stem && *what == body && *status == Status::Acknowledged
            })
            .map(|(id, _, _)| id)
            .filter(|id| !beside.iter().any(|(other, ..)| other == *id))
            .collect();
        done.sort_by_key(|id| (*id != given, id.number));
        if let Some(id) = done.first()
            && body != AGAIN
        {
            return ((*id).clone(), body, Status::Repeated);
        }
        let all = self.effects().chain(beside);
        let used: BTreeSet<u64> =
            all.filter(|(id, ..)| id.stem == given.stem).map(|(id, ..)| id.number).collect();
        let number = match used.last() {
            Some(last) if used.contains(&given.number) => last + 1,
            Some(_) | None => given.number,
        };
        (EffectId { stem: given.stem.clone(), number }, body, Status::Pending)
    }

    pub(super) fn rewind(&mut self, to: Target, expect: Option<u64>) -> Answer {
        if expect.is_some_and(|expected| expected != self.version) {
            return Answer::Conflict { version: self.version };
        }
        let live = |line: &&Line| line.abandoned.is_none();
        let meant = |line: &&Line| match to {
            Target::Turn(turn) => line.turn == turn,
            Target::Version(version) => line.version == version,
        };
        let Some(target) = self.lines.iter().rfind(|line| live(line) && meant(line)) else {
            return Answer::NoTarget;
        };
        let target = target.version;
        let mut abandoned = Vec::new();
        let (mut withdrawn, mut delivered) = (Vec::new(), Vec::new());
        if target != self.head {
            self.version += 1;
            self.branch += 1;
            let following = |line: &&mut Line| line.abandoned.is_none() && line.version > target;
            for line in self.lines.iter_mut().filter(following) {
                abandoned.push(line.version);
                line.abandoned = Some(self.version);
                for (id, _, status) in &mut line.effects {
                    match status {
                        Status::Pending => {
                            *status = Status::Withdrawn;
                            withdrawn.push(id.clone());
                        }
                        Status::Acknowledged => delivered.push(id.clone()),
                        Status::Withdrawn | Status::Repeated => {}
                    }
                }
            }
            self.head = target;
        }
        Answer::Rewound { version: self.version, abandoned, withdrawn, delivered }
    }

    /// The session that a fork makes, or `None` if there is no such version.
    pub(super) fn fork(&self, name: &str, at: Option<u64>) -> Option<Self> {
        let at = at.unwrap_or(self.head);
        let mut lines: Vec<Line> = Vec::new();
        let mut next = Some(at);
        while let Some(version) = next {
            let mut line = self.lines.iter().find(|line| line.version == version)?.clone();
            line.abandoned = None;
            for (_, _, status) in &mut line.effects {
                if *status == Status::Pending {
                    *status = Status::Withdrawn;
                }
            }
            next = line.parent;
            lines.insert(0, line);
        }
        let branch = lines.last()?.branch;
        Some(Self { name: name.to_owned(), version: at, head: at, branch, lines })
    }

    pub(super) fn acknowledge(&mut self, id: &EffectId) -> Checked<Acknowledged> {
        let all = self.lines.iter_mut().flat_map(|line| &mut line.effects);
        let mut own = all.filter(|(other, _, status)| other == id && *status != Status::Repeated);
        let Some((_, _, status)) = own.next() else {
            return Err(failed(format!("no effect `{id}`")));
        };
        Ok(match std::mem::replace(status, Status::Acknowledged) {
            Status::Pending => Acknowledged::Now,
            Status::Withdrawn => Acknowledged::Late,
            Status::Acknowledged | Status::Repeated => Acknowledged::Before,
        })
    }
}
