//! The one writer.
//!
//! Changes are handed to a thread that takes all that wait, makes each inside a savepoint of one
//! transaction, and answers after the commit. While the disk confirms one group the next one gathers,
//! so nobody waits for company and nobody's change is made durable alone when others wait.
//!
//! **Invariant:** an answer is sent after the commit that made it true. A change that fails takes
//! nothing with it: its savepoint is undone, and where the database gave up the whole transaction,
//! every other change is made again on its own.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rusqlite::Connection;

use super::fault::Fault;
use crate::{Error, Ticket};

/// A change. It may be tried more than once: a try that was undone leaves nothing behind.
pub(super) trait Change: Send + 'static {
    /// What it answers.
    type Done: Send + 'static;

    /// Makes the change inside a transaction.
    fn apply(&self, connection: &Connection) -> Result<Self::Done, Fault>;
}

/// The thread, and the way to it.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Option<Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        path: PathBuf,
        group: usize,
    ) -> std::io::Result<Self> {
        let (jobs, waiting) = channel();
        let worker = Worker { connection, path, group: group.max(1) };
        let thread = std::thread::Builder::new()
            .name("lawful-store".to_owned())
            .spawn(move || worker.run(&waiting))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Hands a change over. If the thread has ended the ticket says that the store is closed.
    pub(super) fn submit<C: Change>(&self, change: C) -> Ticket<C::Done> {
        let (reply, answer) = channel();
        if let Some(jobs) = &self.jobs {
            // If the thread has ended nobody answers, and that is the answer.
            let _ = jobs.send(Box::new(Typed { change, done: Err(Error::Closed), reply }));
        }
        Ticket(answer)
    }
}

impl Drop for Writer {
    /// Lets everything that was handed over become durable first.
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Worker {
    connection: Connection,
    path: PathBuf,
    group: usize,
}

impl Worker {
    fn run(self, waiting: &Receiver<Box<dyn Job>>) {
        while let Ok(first) = waiting.recv() {
            let mut jobs = vec![first];
            jobs.extend(waiting.try_iter().take(self.group - 1));
            self.write(jobs);
        }
    }

    fn write(&self, mut jobs: Vec<Box<dyn Job>>) {
        // Whoever waited in vain for the file is not made to wait again for each change.
        if let Err(fault) = self.execute("BEGIN IMMEDIATE") {
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

    fn answer(&self, jobs: Vec<Box<dyn Job>>, void: Option<Fault>) {
        let void = void.map(|fault| fault.of(&self.path));
        for job in jobs {
            job.answer(void.clone());
        }
    }

    /// Makes every change and commits; an error means that none was made.
    fn transaction(&self, jobs: &mut [Box<dyn Job>]) -> Result<(), Fault> {
        let made = jobs.iter_mut().try_for_each(|job| self.member(job.as_mut()));
        let ended = made.and_then(|()| self.execute("COMMIT"));
        if ended.is_err() && !self.connection.is_autocommit() {
            self.execute("ROLLBACK")?;
        }
        ended
    }

    /// Makes one change of a group. Its own failure is its own; an error means that the transaction
    /// is gone.
    fn member(&self, job: &mut dyn Job) -> Result<(), Fault> {
        self.execute("SAVEPOINT change")?;
        match job.make(&self.connection) {
            Ok(()) => self.execute("RELEASE change"),
            // Nothing is left to undo; the others are made again.
            Err(fault) if self.connection.is_autocommit() => Err(fault),
            Err(fault) => {
                self.execute("ROLLBACK TO change")?;
                self.execute("RELEASE change")?;
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

/// A change whose type is forgotten, with the way back to who asked for it.
trait Job: Send {
    fn make(&mut self, connection: &Connection) -> Result<(), Fault>;
    fn fail(&mut self, error: Error);
    /// Sends what the change came to, or the error that made it void.
    fn answer(self: Box<Self>, void: Option<Error>);
}

struct Typed<C: Change> {
    change: C,
    done: Result<C::Done, Error>,
    reply: Sender<Result<C::Done, Error>>,
}

impl<C: Change> Job for Typed<C> {
    fn make(&mut self, connection: &Connection) -> Result<(), Fault> {
        self.done = Ok(self.change.apply(connection)?);
        Ok(())
    }

    fn fail(&mut self, error: Error) {
        self.done = Err(error);
    }

    fn answer(self: Box<Self>, void: Option<Error>) {
        // Whoever asked may have gone; the change is durable all the same.
        let _ = self.reply.send(match void {
            Some(error) => Err(error),
            None => self.done,
        });
    }
}

#[cfg(test)]
mod tests;
