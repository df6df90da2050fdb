//! The store against a model of it: a list of entries in memory, asked the naive way.
//!
//! Whatever is done, in whatever order and grouping, both answer the same and hold the same; and two
//! things are asked of the store directly: no effect id is ever handed out for two effects, and a
//! state is always the one that its chain of turns makes, so no counter drifts.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use lawful_store::{
    Acknowledged, EffectId, Error, NewEffect, NewTurn, Outcome, Record, Rewind, Rewound, Sqlite,
    Status, Store,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use support::{Folder, book, json, open, start};

const SESSIONS: [&str; 2] = ["a", "b"];

#[derive(Clone, Debug)]
enum Op {
    New(usize),
    /// Turns that are handed in together.
    Turns(Vec<Turn>),
    Rewind {
        session: usize,
        to: u64,
        stale: bool,
    },
    /// Acknowledges one of all effects there ever were.
    Acknowledge {
        session: usize,
        pick: usize,
    },
    Reopen,
}

#[derive(Clone, Debug)]
struct Turn {
    session: usize,
    key: Option<u8>,
    /// How far behind the expected version is.
    behind: u64,
    /// Whether it is a turn, or a step between turns.
    advances: bool,
    effects: Vec<u8>,
}

fn turns() -> impl Strategy<Value = Turn> {
    let behind = prop_oneof![5 => Just(0_u64), 1 => 1_u64..3];
    (0..2_usize, option::of(0..12_u8), behind, prop::bool::weighted(0.7), vec(0..3_u8, 0..4))
        .prop_map(|(session, key, behind, advances, effects)| Turn {
            session,
            key,
            behind,
            advances,
            effects,
        })
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let rewind = (0..2_usize, 0..5_u64, prop::bool::weighted(0.1))
        .prop_map(|(session, to, stale)| Op::Rewind { session, to, stale });
    let acknowledge =
        (0..2_usize, any::<usize>()).prop_map(|(session, pick)| Op::Acknowledge { session, pick });
    let op = prop_oneof![
        1 => (0..2_usize).prop_map(Op::New),
        8 => vec(turns(), 1..5).prop_map(Op::Turns),
        3 => rewind,
        5 => acknowledge,
        1 => Just(Op::Reopen),
    ];
    vec(op, 1..40)
}

#[derive(Clone, Debug, PartialEq)]
struct Line {
    version: u64,
    parent: Option<u64>,
    turn: u64,
    /// How many steps led here: what an engine would keep in its state.
    step: u64,
    branch: u64,
    abandoned: Option<u64>,
    key: Option<String>,
    effects: Vec<(EffectId, u8, Status)>,
}

#[derive(Debug, Default, PartialEq)]
struct Session {
    version: u64,
    head: u64,
    branch: u64,
    lines: Vec<Line>,
}

impl Session {
    fn new() -> Self {
        let start = Line {
            version: 0,
            parent: None,
            turn: 0,
            step: 0,
            branch: 0,
            abandoned: None,
            key: None,
            effects: Vec::new(),
        };
        Self { lines: vec![start], ..Self::default() }
    }

    fn line(&self, version: u64) -> &Line {
        self.lines.iter().find(|line| line.version == version).unwrap()
    }

    /// What the engine would make of a turn now.
    fn request(&self, name: &str, turn: &Turn) -> NewTurn {
        let head = self.line(self.head);
        let (number, step) = (head.turn + u64::from(turn.advances), head.step + 1);
        let effects = (1..).zip(&turn.effects).map(|(n, body)| NewEffect {
            id: EffectId { stem: format!("{number}.{step}"), number: n },
            body: json(body.to_string()),
        });
        NewTurn {
            session: name.to_owned(),
            key: turn.key.map(|key| key.to_string()),
            expect: self.version.saturating_sub(turn.behind),
            turn: number,
            book: book(),
            record: Record { input: json(format!("{:?}", turn.effects)), ..Record::default() },
            snapshot: json(format!("[{number},{step}]")),
            effects: effects.collect(),
        }
    }

    fn commit(&mut self, turn: &Turn, request: &NewTurn) -> String {
        let used = |line: &&Line| line.key.is_some() && line.key == request.key;
        if let Some(line) = self.lines.iter().find(used) {
            return format!("duplicate {}", line.version);
        }
        if request.expect != self.version {
            return format!("conflict {}", self.version);
        }
        let mut effects = Vec::new();
        for (new, body) in request.effects.iter().zip(&turn.effects) {
            effects.push(self.effect(&new.id, *body, &effects));
        }
        self.version += 1;
        self.lines.push(Line {
            version: self.version,
            parent: Some(self.head),
            turn: request.turn,
            step: self.line(self.head).step + 1,
            branch: self.branch,
            abandoned: None,
            key: request.key.clone(),
            effects,
        });
        self.head = self.version;
        format!("committed {}", self.version)
    }

    /// The rule on effect ids, read naively.
    fn effect(
        &self,
        given: &EffectId,
        body: u8,
        beside: &[(EffectId, u8, Status)],
    ) -> (EffectId, u8, Status) {
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
        if let Some(id) = done.first() {
            return ((*id).clone(), body, Status::Repeated);
        }
        let all = self.lines.iter().flat_map(|line| &line.effects).chain(beside);
        let used: BTreeSet<u64> =
            all.filter(|(id, ..)| id.stem == given.stem).map(|(id, ..)| id.number).collect();
        let taken = used.contains(&given.number);
        let number = if taken { used.last().unwrap() + 1 } else { given.number };
        (EffectId { stem: given.stem.clone(), number }, body, Status::Pending)
    }

    fn rewind(&mut self, to: u64, expect: Option<u64>) -> String {
        if expect.is_some_and(|expected| expected != self.version) {
            return format!("conflict {}", self.version);
        }
        let live = |line: &&Line| line.abandoned.is_none();
        let Some(target) = self.lines.iter().rfind(|line| live(line) && line.turn == to) else {
            return "no turn".to_owned();
        };
        let target = target.version;
        if target == self.head {
            return format!("at {} dropped []", self.version);
        }
        self.version += 1;
        self.branch += 1;
        let mut dropped = Vec::new();
        for line in self.lines.iter_mut().filter(|line| line.abandoned.is_none()) {
            if line.version > target {
                dropped.push(line.version);
                line.abandoned = Some(self.version);
                for (_, _, status) in &mut line.effects {
                    if *status == Status::Pending {
                        *status = Status::Withdrawn;
                    }
                }
            }
        }
        self.head = target;
        format!("at {} dropped {dropped:?}", self.version)
    }

    fn acknowledge(&mut self, id: &EffectId) -> Acknowledged {
        let all = self.lines.iter_mut().flat_map(|line| &mut line.effects);
        let mut own = all.filter(|(other, _, status)| other == id && *status != Status::Repeated);
        let (_, _, status) = own.next().unwrap();
        let before = std::mem::replace(status, Status::Acknowledged);
        match before {
            Status::Pending => Acknowledged::Now,
            Status::Withdrawn => Acknowledged::Late,
            Status::Acknowledged | Status::Repeated => Acknowledged::Before,
        }
    }
}

/// What the store holds of a session, as the model would say it.
fn held(store: &dyn Store, name: &str) -> Session {
    let export = store.export(name).unwrap();
    let lines = export.entries.iter().map(|entry| {
        let parts: Option<Vec<u64>> = serde_json::from_str(entry.snapshot.text()).ok();
        let effects = entry.effects.iter();
        Line {
            version: entry.version,
            parent: entry.parent,
            turn: entry.turn,
            step: parts.map_or(0, |parts| parts[1]),
            branch: entry.branch,
            abandoned: entry.abandoned,
            key: entry.key.clone(),
            effects: effects
                .map(|e| (e.id.clone(), e.body.text().parse().unwrap(), e.status))
                .collect(),
        }
    });
    Session {
        version: export.version,
        head: export.head,
        branch: export.branch,
        lines: lines.collect(),
    }
}

fn told(outcome: Result<Outcome, Error>) -> String {
    match outcome.unwrap() {
        Outcome::Committed(done) => format!("committed {}", done.version),
        Outcome::Duplicate(again) => format!("duplicate {}", again.entry.version),
        Outcome::Conflict(head) => format!("conflict {}", head.version),
    }
}

fn told_of_rewind(outcome: Result<Rewound, Error>) -> String {
    match outcome {
        Ok(Rewound::Done { head, abandoned, .. }) => {
            format!("at {} dropped {abandoned:?}", head.version)
        }
        Ok(Rewound::Conflict(head)) => format!("conflict {}", head.version),
        Err(Error::NoTurn { .. }) => "no turn".to_owned(),
        Err(error) => panic!("{error}"),
    }
}

/// Every effect id that was pending at some time, with what it asked for.
type Seen = BTreeMap<(&'static str, EffectId), (u64, String)>;

fn check(store: &Sqlite, model: &BTreeMap<&'static str, Session>, seen: &mut Seen) {
    for (name, session) in model {
        assert_eq!(held(store, name), *session);
        let head = store.head(name).unwrap();
        let line = session.line(session.head);
        assert_eq!(
            (head.version, head.turn, head.branch),
            (session.version, line.turn, session.branch)
        );
        let steps = std::iter::successors(Some(line), |line| Some(session.line(line.parent?)));
        assert_eq!(steps.count() as u64, line.step + 1, "the counter of steps has drifted");
        let waiting = store.pending(name).unwrap();
        for effect in waiting {
            let what = (effect.version, effect.body.text().to_owned());
            let first = seen.entry((name, effect.id)).or_insert_with(|| what.clone());
            assert_eq!(*first, what, "an id was handed out for two effects");
        }
    }
}

fn run(ops: Vec<Op>) {
    let folder = Folder::new();
    let file = folder.file("model.db");
    let mut store = open(&file);
    let mut model: BTreeMap<&'static str, Session> = BTreeMap::new();
    let mut seen = Seen::new();
    for op in ops {
        match op {
            Op::New(at) => {
                let name = SESSIONS[at];
                if model.contains_key(name) {
                    continue;
                }
                start(&store, name);
                model.insert(name, Session::new());
            }
            Op::Turns(turns) => {
                let (mut requests, mut answers) = (Vec::new(), Vec::new());
                for turn in turns {
                    let name = SESSIONS[turn.session];
                    let Some(session) = model.get_mut(name) else { continue };
                    let request = session.request(name, &turn);
                    answers.push(session.commit(&turn, &request));
                    requests.push(request);
                }
                for (expected, ticket) in answers.into_iter().zip(store.submit(requests)) {
                    assert_eq!(told(ticket.wait()), expected);
                }
            }
            Op::Rewind { session, to, stale } => {
                let name = SESSIONS[session];
                let Some(session) = model.get_mut(name) else { continue };
                let expect = Some(session.version + u64::from(stale));
                let request = Rewind { session: name.to_owned(), to, expect };
                let expected = session.rewind(to, expect);
                assert_eq!(told_of_rewind(store.rewind(request)), expected);
            }
            Op::Acknowledge { session, pick } => {
                let name = SESSIONS[session];
                let Some(session) = model.get_mut(name) else { continue };
                let all = session.lines.iter().flat_map(|line| &line.effects);
                let ids: Vec<EffectId> = all.map(|(id, ..)| id.clone()).collect();
                let Some(id) = ids.get(pick % ids.len().max(1)) else { continue };
                let expected = session.acknowledge(id);
                assert_eq!(store.acknowledge(name, id).unwrap(), expected);
            }
            Op::Reopen => {
                drop(store);
                store = open(&file);
            }
        }
        check(&store, &model, &mut seen);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn the_store_does_what_the_model_does(ops in ops()) {
        run(ops);
    }
}
