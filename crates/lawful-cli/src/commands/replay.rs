//! `lawful replay SESSION`
//!
//! Every step of the present is taken again from the one before it, by the law that it was taken by or
//! by another. A step is the same if its events, the rules that fired, what they changed, the effects
//! and the state are the same. Effect ids are not compared: after a rewind the store gives them out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lawful::Value;
use lawful::react::{Rules, Session};
use lawful::syntax::render::DiagnosticView;
use lawful::syntax::{escape, sort};
use lawful::view::{StateView, state_diff};
use lawful_store::{Entry, Json, Store};
use serde::Serialize;

use super::session::stored::{self, word};
use super::session::taken::Taken;
use super::session::{ask, law, open};
use crate::args::{Format, Replay};
use crate::lawbook::{Failure, LoadedRules, rules};
use crate::output::{Answer, diagnostics, print, print_error, print_json, stderr_style};

/// `{"session", "same", "steps"}`, and `diagnostics` where there are any
#[derive(Serialize)]
struct View {
    session: String,
    same: bool,
    steps: Vec<StepView>,
    /// What is wrong with rules of the other law that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<DiagnosticView>,
}

#[derive(Serialize)]
struct StepView {
    version: u64,
    turn: u64,
    same: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<Differs>,
}

/// What was stored, and what came of it now.
#[derive(Serialize)]
struct Differs {
    /// Rules that fired only then, and only now.
    fired: Sides<Vec<String>>,
    /// Effects that were asked for only then, and only now.
    effects: Sides<Vec<Value>>,
    state: Sides<Value>,
    /// What is different in the state, each on one line.
    changes: Vec<String>,
}

#[derive(Serialize)]
struct Sides<T> {
    stored: T,
    replayed: T,
}

pub(crate) fn run(args: &Replay) -> Answer {
    match replay(args) {
        Ok((view, problems)) => {
            match args.format {
                Format::Human => {
                    print_error(&problems);
                    print(&human(&view));
                }
                Format::Json => print_json(&view),
            }
            if view.same { Answer::Yes } else { Answer::No }
        }
        Err(failure) => failure.report(args.format.is_json()),
    }
}

/// What came of it, and the problems of the other law as they are shown to people.
fn replay(args: &Replay) -> Result<(View, String), Failure> {
    let (other, diagnostics, shown) = match &args.with {
        Some(folder) => {
            let LoadedRules { book, rules, mut problems } = rules(Some(folder))?;
            problems.extend(rules.left_out().cloned());
            sort(&mut problems, &book.sources);
            let shown = diagnostics(&problems, &book.sources, stderr_style());
            (Some(rules), stored::diagnostics(&problems, &book.sources), shown)
        }
        None => (None, Vec::new(), String::new()),
    };
    let store = open(&args.db)?;
    let mut entries = ask(&store, |store| store.log(&args.session, None, usize::MAX))?;
    entries.retain(|entry| entry.abandoned.is_none());
    let own = match other {
        Some(_) => BTreeMap::new(),
        None => laws(&store, &entries)?,
    };
    let mut steps = Vec::new();
    let mut session = Session::new();
    for entry in &entries {
        let Some(rules) = other.as_ref().or_else(|| own.get(entry.book.as_str())) else { continue };
        let then = Account::stored(entry)?;
        let now = match entry.parent {
            Some(_) => {
                let input = stored::input(&entry.record.input)?;
                Account::taken(Taken::new(rules, session, &input)?)?
            }
            // Under its own law a session starts where it started; another law has its own start.
            None if other.is_some() => {
                Account { session: rules.start(), ..Account::stored(entry)? }
            }
            None => Account::stored(entry)?,
        };
        let differs = if then == now { None } else { Some(compare(&then, &now)?) };
        session = now.session;
        let (version, turn, same) = (entry.version, entry.turn, differs.is_none());
        steps.push(StepView { version, turn, same, differs });
    }
    let same = steps.iter().all(|step| step.same);
    Ok((View { session: args.session.clone(), same, steps, diagnostics }, shown))
}

/// The law of every step, each loaded once.
fn laws<'e>(store: &dyn Store, entries: &'e [Entry]) -> Result<BTreeMap<&'e str, Rules>, Failure> {
    let mut laws = BTreeMap::new();
    for entry in entries {
        if !laws.contains_key(entry.book.as_str()) {
            laws.insert(entry.book.as_str(), law::unpack(store, &entry.book)?);
        }
    }
    Ok(laws)
}

/// Everything that a step came to, without the ids of its effects.
#[derive(PartialEq)]
struct Account {
    session: Session,
    events: Value,
    fired: Value,
    effects: Vec<Value>,
}

impl Account {
    fn stored(entry: &Entry) -> Result<Self, Failure> {
        let bodies = entry.effects.iter().map(|effect| &effect.body);
        let session = stored::state(&entry.snapshot)?;
        Self::new(session, &entry.record.events, &entry.record.changes, bodies)
    }

    fn taken(taken: Taken) -> Result<Self, Failure> {
        let bodies = taken.effects.iter().map(|effect| &effect.body);
        Self::new(taken.session, &taken.events, &taken.changes, bodies)
    }

    fn new<'b>(
        session: Session,
        events: &Json,
        changes: &Json,
        bodies: impl Iterator<Item = &'b Json>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            session,
            events: stored::value(events)?,
            fired: stored::value(changes)?,
            effects: bodies.map(stored::value).collect::<Result<_, _>>()?,
        })
    }

    fn rules(&self) -> Vec<String> {
        let fired = stored::items(Some(&self.fired)).iter();
        fired.map(|firing| word(firing, "rule").to_owned()).collect()
    }

    fn state(&self) -> Result<Value, Failure> {
        stored::value(&stored::json(&StateView::new(&self.session))?)
    }
}

fn compare(then: &Account, now: &Account) -> Result<Differs, Failure> {
    let mut changes = state_diff(&then.session, &now.session);
    changes.extend(counters(&then.session, &now.session));
    Ok(Differs {
        fired: apart(&then.rules(), &now.rules()),
        effects: apart(&then.effects, &now.effects),
        state: Sides { stored: then.state()?, replayed: now.state()? },
        changes,
    })
}

/// What each side has and the other has not, as often as it has it more.
fn apart<T: Clone + PartialEq>(then: &[T], now: &[T]) -> Sides<Vec<T>> {
    let mut replayed = now.to_vec();
    let mut stored = Vec::new();
    for item in then {
        match replayed.iter().position(|other| other == item) {
            Some(at) => drop(replayed.remove(at)),
            None => stored.push(item.clone()),
        }
    }
    Sides { stored, replayed }
}

/// The counters of rules that are different.
fn counters(then: &Session, now: &Session) -> Vec<String> {
    let mut rules: Vec<&str> = then.fired.keys().chain(now.fired.keys()).map(|id| &**id).collect();
    rules.sort_unstable();
    rules.dedup();
    let line = |rule: &&str| {
        let (old, new) = (then.fired(rule), now.fired(rule));
        let shown = |fired: lawful::react::Fired| match fired.count {
            0 => "never".to_owned(),
            count => format!("{count} times, last in turn {}", fired.last_turn),
        };
        let rule = escape::line(rule);
        (old != new).then(|| format!("~ {rule} fired: {} -> {}", shown(old), shown(new)))
    };
    rules.iter().filter_map(line).collect()
}

fn human(view: &View) -> String {
    let mut out = String::new();
    for step in &view.steps {
        let Some(differs) = &step.differs else { continue };
        let what =
            if step.version == 0 { "the start".to_owned() } else { format!("turn {}", step.turn) };
        let _ = writeln!(out, "{what}, version {}", step.version);
        for (mark, rules) in [("-", &differs.fired.stored), ("+", &differs.fired.replayed)] {
            for rule in rules {
                let _ = writeln!(out, "  {mark} fired {}", escape::line(rule));
            }
        }
        for (mark, effects) in [("-", &differs.effects.stored), ("+", &differs.effects.replayed)] {
            for effect in effects {
                let _ = writeln!(out, "  {mark} effect {}", stored::body_line(effect));
            }
        }
        for line in &differs.changes {
            let _ = writeln!(out, "  {line}");
        }
    }
    let all = view.steps.len().saturating_sub(1);
    let different = view.steps.iter().filter(|step| !step.same && step.version > 0).count();
    let _ = match (different, view.same) {
        (0, true) => writeln!(out, "steps played again: {all}; all is the same"),
        (0, false) => writeln!(out, "steps played again: {all}; only the start is different"),
        (_, _) => writeln!(out, "steps played again: {all}, different: {different}"),
    };
    out
}
