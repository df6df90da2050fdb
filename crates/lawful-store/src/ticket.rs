//! Tickets: future answers of a store.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use crate::Error;

/// The future answer to something submitted to a store.
#[must_use = "the change is only known to be durable after `wait`"]
pub struct Ticket<T> {
    answer: Receiver<Result<T, Error>>,
    writer: Option<Arc<dyn Writes>>,
}

/// The other end of a ticket. Dropping it without an answer resolves to [`Error::Closed`].
#[must_use = "the holder of the ticket waits for an answer"]
pub struct Resolver<T>(Sender<Result<T, Error>>);

/// Writes what was submitted, for a store without a thread: the caller that waits for an answer
/// does the writing.
pub trait Writes: Send + Sync {
    /// Writes some of the queue, after the current writer has finished. Called until the answer is
    /// there.
    fn write(&self);
}

impl<T> Ticket<T> {
    /// A ticket with an immediate answer.
    pub fn ready(answer: Result<T, Error>) -> Self {
        let (ticket, resolver) = Self::channel();
        resolver.resolve(answer);
        ticket
    }

    /// A ticket, and the end at which another thread answers it.
    pub fn channel() -> (Self, Resolver<T>) {
        let (sender, answer) = channel();
        (Self { answer, writer: None }, Resolver(sender))
    }

    /// A ticket for a store in which the waiting caller does the writing.
    pub fn written_by(writer: Arc<dyn Writes>) -> (Self, Resolver<T>) {
        let (ticket, resolver) = Self::channel();
        (Self { writer: Some(writer), ..ticket }, resolver)
    }

    /// Waits for the answer.
    pub fn wait(self) -> Result<T, Error> {
        let Some(writer) = self.writer else {
            return self.answer.recv().unwrap_or(Err(Error::Closed));
        };
        loop {
            match self.answer.try_recv() {
                Ok(answer) => return answer,
                Err(TryRecvError::Disconnected) => return Err(Error::Closed),
                Err(TryRecvError::Empty) => writer.write(),
            }
        }
    }
}

impl<T> Resolver<T> {
    /// Resolves the ticket. The caller may be gone; what was written is still durable.
    pub fn resolve(self, answer: Result<T, Error>) {
        let _ = self.0.send(answer);
    }
}

impl<T> fmt::Debug for Ticket<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ticket")
    }
}

impl<T> fmt::Debug for Resolver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resolver")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn an_answer_is_there_already_or_comes_from_another_thread() {
        assert_eq!(Ticket::ready(Ok(1)).wait(), Ok(1));
        let (ticket, resolver) = Ticket::channel();
        let other = std::thread::spawn(move || resolver.resolve(Ok(2)));
        assert_eq!(ticket.wait(), Ok(2));
        other.join().unwrap();
    }

    #[test]
    fn nobody_waits_for_a_store_that_is_gone() {
        let (ticket, resolver) = Ticket::<u8>::channel();
        drop(resolver);
        assert_eq!(ticket.wait(), Err(Error::Closed));
    }

    #[test]
    fn whoever_waits_writes_until_the_answer_is_there() {
        struct Late(Mutex<(u8, Option<Resolver<u8>>)>);
        impl Writes for Late {
            fn write(&self) {
                let mut inner = self.0.lock().unwrap();
                inner.0 += 1;
                if inner.0 == 3
                    && let Some(resolver) = inner.1.take()
                {
                    resolver.resolve(Ok(inner.0));
                }
            }
        }
        let late = Arc::new(Late(Mutex::default()));
        let (ticket, resolver) = Ticket::written_by(Arc::clone(&late) as Arc<dyn Writes>);
        late.0.lock().unwrap().1 = Some(resolver);
        assert_eq!(ticket.wait(), Ok(3));
    }
}
