//! The outbox: assigns effect ids, and records what the host performed.
//!
//! The rules are those of [`crate::Status`]: an id is used for one effect, and an effect that the
//! host performed for an abandoned step is not requested again.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension as _};

use super::fault::Fault;
use super::recent::Recent;
use super::rows::session;
use super::writer::Change;
use crate::{Acknowledged, Effect, EffectId, Error, NewEffect, Repeat, Status};

/// Records the effects of an entry.
pub(super) fn hand_out(
    connection: &Connection,
    session: i64,
    entry: i64,
    version: u64,
    effects: &[NewEffect],
) -> Result<Vec<Effect>, Fault> {
    let mut steps: BTreeMap<&str, Step> = BTreeMap::new();
    let mut handed = Vec::with_capacity(effects.len());
    for (position, effect) in effects.iter().enumerate() {
        let NewEffect { id, body, repeat } = effect;
        let step = match steps.get_mut(id.stem.as_str()) {
            Some(step) => step,
            None => steps.entry(&id.stem).or_insert(Step::read(connection, session, &id.stem)?),
        };
        let done_before = match repeat {
            Repeat::Once => step.repeat(id.number, body.text()),
            Repeat::Again => None,
        };
        let (number, status) = match done_before {
            Some(number) => (number, Status::Repeated),
            None => (step.free(id.number), Status::Pending),
        };
        let id = EffectId { stem: id.stem.clone(), number };
        let effect = Effect { id, version, status, body: body.clone() };
        write_effect(connection, session, entry, position, &effect)?;
        handed.push(effect);
    }
    Ok(handed)
}

/// Writes an effect of an entry.
pub(super) fn write_effect(
    connection: &Connection,
    session: i64,
    entry: i64,
    position: usize,
    effect: &Effect,
) -> Result<(), Fault> {
    let sql = "INSERT INTO effect (session, entry, position, stem, number, status, body) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let Effect { id: EffectId { stem, number }, status, body, .. } = effect;
    let row = (session, entry, position, stem, number, status.code(), body.text());
    connection.prepare_cached(sql)?.execute(row)?;
    Ok(())
}

/// What the session knows about one step: the numbers it used, and what was delivered for turns
/// that are now abandoned.
struct Step {
    used: BTreeSet<u64>,
    delivered: Vec<(u64, String)>,
}

impl Step {
    fn read(connection: &Connection, session: i64, stem: &str) -> Result<Self, Fault> {
        let sql = "SELECT f.number, f.status = 1 AND e.abandoned IS NOT NULL, f.body \
                   FROM effect f JOIN entry e ON e.id = f.entry \
                   WHERE f.session = ?1 AND f.stem = ?2 AND f.status <> 3 ORDER BY f.number";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query((session, stem))?;
        let mut step = Self { used: BTreeSet::new(), delivered: Vec::new() };
        while let Some(row) = rows.next()? {
            let number = row.get(0)?;
            step.used.insert(number);
            if row.get(1)? {
                step.delivered.push((number, row.get(2)?));
            }
        }
        Ok(step)
    }

    /// The number under which the same request was delivered, preferably the given one. It counts
    /// for one repetition.
    fn repeat(&mut self, given: u64, body: &str) -> Option<u64> {
        let mut same = self.delivered.iter().enumerate().filter(|(_, (_, done))| done == body);
        let at = same.clone().find(|(_, (number, _))| *number == given).or_else(|| same.next());
        let at = at.map(|(at, _)| at)?;
        Some(self.delivered.remove(at).0)
    }

    /// The given number, or the next unused one.
    fn free(&mut self, given: u64) -> u64 {
        let number = match self.used.last() {
            Some(last) if self.used.contains(&given) => last + 1,
            Some(_) | None => given,
        };
        self.used.insert(number);
        number
    }
}

/// Acknowledges effects that the host performed.
pub(super) struct Acknowledge {
    pub(super) session: String,
    pub(super) effects: Vec<EffectId>,
}

impl Change for Acknowledge {
    type Done = Vec<Acknowledged>;

    fn apply(&self, connection: &Connection, _: &mut Recent) -> Result<Vec<Acknowledged>, Fault> {
        let session = session(connection, &self.session)?;
        // Look up all of them before writing anything: an unknown id leaves the others unchanged.
        for effect in &self.effects {
            self.look_up(connection, session.id, effect)?;
        }
        let mut answers = Vec::with_capacity(self.effects.len());
        for effect in &self.effects {
            let (id, status) = self.look_up(connection, session.id, effect)?;
            let answer = match status {
                Some(Status::Pending) => Acknowledged::Now,
                Some(Status::Withdrawn) => Acknowledged::Late,
                Some(Status::Acknowledged | Status::Repeated) | None => Acknowledged::Before,
            };
            if answer != Acknowledged::Before {
                let sql = "UPDATE effect SET status = ?2 WHERE id = ?1";
                connection.prepare_cached(sql)?.execute((id, Status::Acknowledged.code()))?;
            }
            answers.push(answer);
        }
        Ok(answers)
    }
}

impl Acknowledge {
    fn look_up(
        &self,
        connection: &Connection,
        session: i64,
        effect: &EffectId,
    ) -> Result<(i64, Option<Status>), Fault> {
        let sql = "SELECT id, status FROM effect \
                   WHERE session = ?1 AND stem = ?2 AND number = ?3 AND status <> 3";
        let mut statement = connection.prepare_cached(sql)?;
        let found = statement.query_row((session, &effect.stem, effect.number), |row| {
            Ok((row.get::<_, i64>(0)?, Status::from_code(row.get(1)?)))
        });
        found.optional()?.ok_or_else(|| {
            let effect = effect.to_string();
            Error::NoEffect { session: self.session.clone(), effect }.into()
        })
    }
}
