//! A store in memory, made with nothing but what the crate offers to everybody: turns are written by a
//! thread of their own, and everything is kept for whoever opens it again.

use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

use lawful_store::{
    Acknowledged, Book, Committed, Created, Duplicate, Effect, EffectId, Entry, Error, Export,
    FORMAT, Fork, Head, Json, NewEffect, NewSession, NewTurn, Outcome, Record, Repeat, Resolver,
    Rewind, Rewound, Status, Store, Summary, Target, Ticket,
};

/// What is kept.
#[derive(Default)]
pub(crate) struct Kept {
    sessions: Vec<Session>,
    books: BTreeMap<String, Json>,
    /// A mistake to be found: ids of abandoned effects are used again.
    reuses_ids: bool,
}

struct Session {
    name: String,
    version: u64,
    head: u64,
    branch: u64,
    entries: Vec<Entry>,
}

type Job = (NewTurn, Resolver<Outcome>);

/// A store that is open.
pub(crate) struct Memory {
    kept: Arc<Mutex<Kept>>,
    queue: Option<Sender<Vec<Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl Memory {
    pub(crate) fn open(kept: Arc<Mutex<Kept>>) -> Self {
        let (queue, jobs) = channel::<Vec<Job>>();
        let own = Arc::clone(&kept);
        let thread = std::thread::spawn(move || {
            for (turn, resolver) in jobs.into_iter().flatten() {
                let answer = own.lock().unwrap().commit(&turn);
                resolver.resolve(answer);
            }
        });
        Self { kept, queue: Some(queue), thread: Some(thread) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        drop(self.queue.take());
        let _ = self.thread.take().unwrap().join();
    }
}

impl Kept {
    /// Nothing yet.
    pub(crate) fn new(reuses_ids: bool) -> Self {
        Self { reuses_ids, ..Self::default() }
    }

    fn session(&mut self, name: &str) -> Result<&mut Session, Error> {
        let found = self.sessions.iter_mut().find(|session| session.name == name);
        found.ok_or_else(|| Error::NoSession { session: name.to_owned() })
    }

    fn commit(&mut self, turn: &NewTurn) -> Result<Outcome, Error> {
        turn.check()?;
        let reuses_ids = self.reuses_ids;
        let session = self.session(&turn.session)?;
        let used = |entry: &&Entry| entry.key.is_some() && entry.key == turn.key;
        if let Some(entry) = session.entries.iter().find(used) {
            let same_input = entry.record.input == turn.record.input;
            let again = Duplicate { entry: entry.clone(), same_input };
            return Ok(Outcome::Duplicate(Box::new(again)));
        }
        if turn.expect != session.version {
            return Ok(Outcome::Conflict(session.standing()));
        }
        let mut effects = Vec::new();
        for new in &turn.effects {
            effects.push(session.hand_out(new, &effects, reuses_ids));
        }
        let parent = Some(session.head);
        session.version += 1;
        session.head = session.version;
        let (version, branch) = (session.version, session.branch);
        session.entries.push(Entry {
            version,
            parent,
            turn: turn.turn,
            branch,
            abandoned: None,
            key: turn.key.clone(),
            book: turn.book.hash.clone(),
            record: turn.record.clone(),
            snapshot: turn.snapshot.clone(),
            effects: effects.clone(),
        });
        self.books.insert(turn.book.hash.clone(), turn.book.text.clone());
        Ok(Outcome::Committed(Committed { version, effects }))
    }
}

impl Session {
    fn standing(&self) -> Head {
        let entry = self.entries.iter().find(|entry| entry.version == self.head).unwrap();
        Head {
            session: self.name.clone(),
            version: self.version,
            turn: entry.turn,
            branch: self.branch,
            book: entry.book.clone(),
            snapshot: entry.snapshot.clone(),
        }
    }

    fn hand_out(&self, new: &NewEffect, beside: &[Effect], reuses_ids: bool) -> Effect {
        let version = self.version + 1;
        let own = |effect: &&Effect| effect.id.stem == new.id.stem;
        let gone = self.entries.iter().filter(|entry| entry.abandoned.is_some());
        let done = gone.flat_map(|entry| &entry.effects).filter(own).filter(|effect| {
            effect.status == Status::Acknowledged
                && effect.body == new.body
                && !beside.iter().any(|other| other.id == effect.id)
        });
        if let Some(effect) = done.min_by_key(|e| (e.id != new.id, e.id.number))
            && new.repeat == Repeat::Once
        {
            let id = effect.id.clone();
            return Effect { id, version, status: Status::Repeated, body: new.body.clone() };
        }
        let all = self.entries.iter().flat_map(|entry| &entry.effects).chain(beside);
        let numbers: Vec<u64> = all.filter(own).map(|effect| effect.id.number).collect();
        let taken = numbers.contains(&new.id.number) && !reuses_ids;
        let number = if taken { numbers.iter().max().unwrap() + 1 } else { new.id.number };
        let id = EffectId { stem: new.id.stem.clone(), number };
        Effect { id, version, status: Status::Pending, body: new.body.clone() }
    }

    fn pending(&self) -> Vec<Effect> {
        let all = self.entries.iter().flat_map(|entry| &entry.effects);
        all.filter(|effect| effect.status == Status::Pending).cloned().collect()
    }

    fn effect(&mut self, id: &EffectId) -> Result<&mut Effect, Error> {
        let session = self.name.clone();
        let mut all = self.entries.iter_mut().flat_map(|entry| &mut entry.effects);
        let found = all.find(|effect| effect.id == *id && effect.status != Status::Repeated);
        found.ok_or_else(|| Error::NoEffect { session, effect: id.to_string() })
    }
}

impl Store for Memory {
    fn create(&self, session: NewSession) -> Result<Created, Error> {
        session.check()?;
        let mut kept = self.kept();
        let name = session.name.unwrap_or_else(|| format!("session-{}", kept.sessions.len()));
        if kept.session(&name).is_ok() {
            return Err(Error::SessionExists { session: name });
        }
        kept.books.insert(session.book.hash.clone(), session.book.text.clone());
        let start = Entry {
            version: 0,
            parent: None,
            turn: session.turn,
            branch: 0,
            abandoned: None,
            key: None,
            book: session.book.hash.clone(),
            record: Record::default(),
            snapshot: session.snapshot,
            effects: Vec::new(),
        };
        let entries = vec![start];
        kept.sessions.push(Session { name: name.clone(), version: 0, head: 0, branch: 0, entries });
        Ok(Created { session: name, version: 0 })
    }

    fn submit(&self, turns: Vec<NewTurn>) -> Vec<Ticket<Outcome>> {
        let (tickets, resolvers): (Vec<_>, Vec<_>) =
            turns.iter().map(|_| Ticket::channel()).unzip();
        let group = turns.into_iter().zip(resolvers).collect();
        self.queue.as_ref().unwrap().send(group).unwrap();
        tickets
    }

    fn rewind(&self, rewind: Rewind) -> Result<Rewound, Error> {
        let mut kept = self.kept();
        let session = kept.session(&rewind.session)?;
        if rewind.expect.is_some_and(|expected| expected != session.version) {
            return Ok(Rewound::Conflict(session.standing()));
        }
        let meant = |entry: &&Entry| match rewind.to {
            Target::Turn(turn) => entry.turn == turn,
            Target::Version(version) => entry.version == version,
        };
        let live = |entry: &&Entry| entry.abandoned.is_none() && meant(entry);
        let Some(target) = session.entries.iter().rfind(live).map(|entry| entry.version) else {
            let (name, current) = (rewind.session, session.standing().turn);
            return Err(match rewind.to {
                Target::Turn(turn) => Error::NoTurn { session: name, turn, current },
                Target::Version(version) => Error::NotOnBranch { session: name, version },
            });
        };
        let (mut abandoned, mut withdrawn, mut delivered) = (Vec::new(), Vec::new(), Vec::new());
        if target != session.head {
            session.version += 1;
            session.branch += 1;
            session.head = target;
            for entry in &mut session.entries {
                if entry.abandoned.is_some() || entry.version <= target {
                    continue;
                }
                entry.abandoned = Some(session.version);
                abandoned.push(entry.version);
                for effect in &mut entry.effects {
                    if effect.status == Status::Pending {
                        effect.status = Status::Withdrawn;
                        withdrawn.push(effect.id.clone());
                    } else if effect.status == Status::Acknowledged {
                        delivered.push(effect.id.clone());
                    }
                }
            }
        }
        Ok(Rewound::Done { head: session.standing(), abandoned, withdrawn, delivered })
    }

    fn fork(&self, fork: Fork) -> Result<Created, Error> {
        fork.check()?;
        let mut kept = self.kept();
        let taken = kept.session(&fork.name).is_ok();
        let from = kept.session(&fork.session)?;
        let at = fork.at.unwrap_or(from.head);
        let (mut entries, mut next) = (Vec::new(), Some(at));
        while let Some(version) = next {
            let found = from.entries.iter().find(|entry| entry.version == version).cloned();
            let missing = || Error::NoVersion { session: fork.session.clone(), version: at };
            let mut entry = found.ok_or_else(missing)?;
            entry.abandoned = None;
            for effect in &mut entry.effects {
                if effect.status == Status::Pending {
                    effect.status = Status::Withdrawn;
                }
            }
            next = entry.parent;
            entries.insert(0, entry);
        }
        if taken {
            return Err(Error::SessionExists { session: fork.name });
        }
        let branch = entries.last().unwrap().branch;
        let name = fork.name.clone();
        kept.sessions.push(Session { name, version: at, head: at, branch, entries });
        Ok(Created { session: fork.name, version: at })
    }

    fn import(&self, export: Export) -> Result<Created, Error> {
        export.check()?;
        let mut kept = self.kept();
        if kept.session(&export.session).is_ok() {
            return Err(Error::SessionExists { session: export.session });
        }
        for book in export.books {
            kept.books.insert(book.hash, book.text);
        }
        let Export { session, version, head, branch, entries, .. } = export;
        kept.sessions.push(Session { name: session.clone(), version, head, branch, entries });
        Ok(Created { session, version })
    }

    fn delete(&self, session: &str) -> Result<(), Error> {
        let mut kept = self.kept();
        kept.session(session)?;
        kept.sessions.retain(|other| other.name != session);
        Ok(())
    }

    fn acknowledge_all(
        &self,
        session: &str,
        effects: &[EffectId],
    ) -> Result<Vec<Acknowledged>, Error> {
        let mut kept = self.kept();
        let session = kept.session(session)?;
        for id in effects {
            session.effect(id)?;
        }
        let acknowledge = |id: &EffectId| {
            let effect = session.effect(id)?;
            let before = std::mem::replace(&mut effect.status, Status::Acknowledged);
            Ok(match before {
                Status::Pending => Acknowledged::Now,
                Status::Withdrawn => Acknowledged::Late,
                Status::Acknowledged | Status::Repeated => Acknowledged::Before,
            })
        };
        effects.iter().map(acknowledge).collect()
    }

    fn head(&self, session: &str) -> Result<Head, Error> {
        Ok(self.kept().session(session)?.standing())
    }

    fn log(&self, session: &str, after: Option<u64>, limit: usize) -> Result<Vec<Entry>, Error> {
        let mut kept = self.kept();
        let entries = kept.session(session)?.entries.iter();
        let later = entries.filter(|entry| after.is_none_or(|after| entry.version > after));
        Ok(later.take(limit).cloned().collect())
    }

    fn pending(&self, session: &str) -> Result<Vec<Effect>, Error> {
        Ok(self.kept().session(session)?.pending())
    }

    fn list(&self) -> Result<Vec<Summary>, Error> {
        let summary = |session: &Session| {
            let Head { session: name, version, turn, branch, .. } = session.standing();
            let pending = session.pending().len() as u64;
            Summary { session: name, version, turn, branch, pending }
        };
        Ok(self.kept().sessions.iter().map(summary).collect())
    }

    fn book(&self, hash: &str) -> Result<Option<Json>, Error> {
        Ok(self.kept().books.get(hash).cloned())
    }

    fn export(&self, session: &str) -> Result<Export, Error> {
        let mut kept = self.kept();
        let books = kept.books.clone();
        let session = kept.session(session)?;
        let used = |hash: &String| session.entries.iter().any(|entry| entry.book == *hash);
        let books = books.into_iter().filter(|(hash, _)| used(hash));
        Ok(Export {
            format: FORMAT,
            session: session.name.clone(),
            version: session.version,
            head: session.head,
            branch: session.branch,
            entries: session.entries.clone(),
            books: books.map(|(hash, text)| Book { hash, text }).collect(),
        })
    }
}
