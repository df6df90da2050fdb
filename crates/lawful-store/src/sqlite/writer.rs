//! One writer at a time.
//!
//! Changes go into a queue. A thread that waits for a change takes the connection and writes the
//! whole queue in one transaction; the answers are sent after the commit. While the disk confirms
//! one group, the next one collects, so nobody waits for a group to fill, and changes that arrive
//! together share one sync. A single caller writes on its own thread, because waking another one
//! can take as long as the disk.
//!
//! **Invariant:** an answer is sent after the commit that makes it true. A failed change does not
//! affect others: a refused change has written nothing. If a change fails after it has written, the
//! transaction is rolled back and every change of the group is retried alone. That costs a few
//! commits when a disk fails, while a savepoint per change would always cost something.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use rusqlite::Connection;

use super::fault::Fault;
use super::recent::Recent;
use crate::{Error, Resolver, Ticket, Writes};

/// A change. It can be applied more than once: a rolled-back attempt leaves nothing behind.
pub(super) trait Change: Send + 'static {
    /// Its answer.
    type Done: Send + 'static;

    /// Applies the change inside a transaction.
    fn apply(&self, connection: &Connection, recent: &mut Recent) -> Result<Self::Done, Fault>;
}

/// The queue, and its connection.
pub(super) struct Writer(Arc<Shared>);

struct Shared {
    waiting: Mutex<VecDeque<Group>>,
    worker: Mutex<Worker>,
}

/// Changes that were submitted together.
type Group = Vec<Box<dyn Job>>;

impl Writer {
    pub(super) fn new(connection: Connection, path: PathBuf, group: usize) -> Self {
        let (group, recent) = (group.max(1), Recent::default());
        let worker = Mutex::new(Worker { connection, recent, path, group });
        Self(Arc::new(Shared { waiting: Mutex::default(), worker }))
    }

    /// Applies one change.
    pub(super) fn make<C: Change>(&self, change: C) -> Result<C::Done, Error> {
        self.submit(vec![change]).pop().map_or(Err(Error::Closed), Ticket::wait)
    }

    /// Puts changes into the queue.
    pub(super) fn submit<C: Change>(&self, changes: Vec<C>) -> Vec<Ticket<C::Done>> {
        let mut group: Group = Vec::with_capacity(changes.len());
        let mut tickets = Vec::with_capacity(changes.len());
        for change in changes {
            let (ticket, reply) = Ticket::written_by(Arc::clone(&self.0) as Arc<dyn Writes>);
            group.push(Box::new(Typed { change, done: Err(Error::Closed), reply }));
            tickets.push(ticket);
        }
        lock(&self.0.waiting).push_back(group);
        tickets
    }

    /// Queries the writing connection, whose cache is warm, unless it is busy.
    pub(super) fn ask<T>(&self, ask: impl FnOnce(&Connection, &Recent) -> T) -> Option<T> {
        match self.0.worker.try_lock() {
            Ok(worker) => Some(ask(&worker.connection, &worker.recent)),
            Err(TryLockError::Poisoned(_) | TryLockError::WouldBlock) => None,
        }
    }
}

impl Drop for Writer {
    /// Changes that were submitted and not waited for become durable too.
    fn drop(&mut self) {
        while !lock(&self.0.waiting).is_empty() {
            self.0.write();
        }
    }
}

impl Writes for Shared {
    fn write(&self) {
        let mut worker = lock(&self.worker);
        let mut jobs = Vec::new();
        let mut waiting = lock(&self.waiting);
        while jobs.len() < worker.group
            && let Some(more) = waiting.pop_front()
        {
            jobs.extend(more);
        }
        drop(waiting);
        if !jobs.is_empty() {
            worker.write(jobs);
        }
    }
}

/// The lock. What it guards is consistent after every step, so a panic in another thread does no
/// harm: the database rolls back what was not committed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Worker {
    connection: Connection,
    recent: Recent,
    path: PathBuf,
    group: usize,
}

impl Worker {
    fn write(&mut self, mut jobs: Vec<Box<dyn Job>>) {
        // After a timeout on the file, do not wait again for each change.
        if let Err(fault) = self.begin() {
            return self.answer(jobs, Some(fault));
        }
        match self.transaction(&mut jobs) {
            Err(_) if jobs.len() > 1 => {
                for job in jobs {
                    self.write(vec![job]);
                }
            }
            ended => self.answer(jobs, ended.err()),
        }
    }

    fn begin(&mut self) -> Result<(), Fault> {
        if !self.connection.is_autocommit() {
            self.recent.clear();
            self.execute("ROLLBACK")?;
        }
        self.execute("BEGIN IMMEDIATE")
    }

    fn answer(&self, jobs: Vec<Box<dyn Job>>, void: Option<Fault>) {
        let void = void.map(|fault| fault.of(&self.path));
        for job in jobs {
            job.answer(void.clone());
        }
    }

    /// Applies every change and commits; an error means that none was applied.
    fn transaction(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<(), Fault> {
        let checked = self.recent.check(&self.connection);
        let made =
            checked.and_then(|()| jobs.iter_mut().try_for_each(|job| self.member(job.as_mut())));
        let ended = made.and_then(|()| self.execute("COMMIT"));
        if ended.is_err() {
            self.recent.clear();
            if !self.connection.is_autocommit() {
                self.execute("ROLLBACK")?;
            }
        }
        ended
    }

    /// Applies one change. A failure before anything was written affects only this change; an error
    /// means that the transaction must be rolled back.
    fn member(&mut self, job: &mut dyn Job) -> Result<(), Fault> {
        let before = self.connection.total_changes();
        match job.make(&self.connection, &mut self.recent) {
            Ok(()) => Ok(()),
            Err(fault) => {
                let untouched = self.connection.total_changes() == before;
                if self.connection.is_autocommit() || !untouched {
                    return Err(fault);
                }
                job.fail(fault.of(&self.path));
                Ok(())
            }
        }
    }

    fn execute(&self, sql: &str) -> Result<(), Fault> {
        self.connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}

/// A change with its type erased, and the channel to its caller.
trait Job: Send {
    fn make(&mut self, connection: &Connection, recent: &mut Recent) -> Result<(), Fault>;
    fn fail(&mut self, error: Error);
    /// Sends the answer of the change, or the error that made it void.
    fn answer(self: Box<Self>, void: Option<Error>);
}

struct Typed<C: Change> {
    change: C,
    done: Result<C::Done, Error>,
    reply: Resolver<C::Done>,
}

impl<C: Change> Job for Typed<C> {
    fn make(&mut self, connection: &Connection, recent: &mut Recent) -> Result<(), Fault> {
        self.done = Ok(self.change.apply(connection, recent)?);
        Ok(())
    }

    fn fail(&mut self, error: Error) {
        self.done = Err(error);
    }

    fn answer(self: Box<Self>, void: Option<Error>) {
        self.reply.resolve(match void {
            Some(error) => Err(error),
            None => self.done,
        });
    }
}

#[cfg(test)]
mod tests;
