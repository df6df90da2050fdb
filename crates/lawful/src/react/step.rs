//! One step: an input, the waves of rules that it triggers, and the results.
//!
//! A wave matches all rules against the session at its start. Then the rules that matched act, one
//! after the other. Their emitted events and changes are the events of the next wave.
//!
//! **Invariant:** a step is a function of the rules, the session and the input. It has no clock, no
//! randomness and no I/O, never fails, and takes bounded time.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Span, escape};

use super::action::Effect;
use super::codes::{CASCADE_LIMIT, CLAMPED_WRITE, REFUSED_WRITE};
use super::event::{
    ACTION_EXECUTED, Event, MESSAGE_AI, MESSAGE_USER, SESSION_START, TURN_COMPLETE,
};
use super::gate::Match;
use super::input::{Input, Write};
use super::rules::{RuleId, Rules};
use super::session::Session;
use super::trace::{Firing, Trace, Wave};
use super::variables::root;
use super::watch::{Stop, Watch};
use crate::code;
use crate::value::{Map, Value};

/// The result of a step.
#[derive(Clone, Debug)]
pub struct Step {
    /// The session after the step.
    pub session: Session,
    /// The requests to the host, in order.
    pub effects: Vec<Effect>,
    /// What happened, and why.
    pub trace: Trace,
    /// Actions and writes that had no effect, and ignored rules.
    pub diagnostics: Vec<Diagnostic>,
}

impl Rules {
    /// An empty session with the variables of the lawbook.
    pub fn start(&self) -> Session {
        let mut session = Session::new();
        self.conform(&mut session);
        session
    }

    /// A session that starts with these variables, and the problems of their values.
    pub(crate) fn start_with(&self, variables: &Map) -> (Session, Vec<Diagnostic>) {
        let mut session = Session::new();
        session.variables = Value::Map(variables.clone());
        let problems = self.conform(&mut session);
        (session, problems)
    }

    /// Runs one step.
    pub fn step(&self, session: Session, input: &Input) -> Step {
        self.watched_step(session, input, &mut ())
    }

    pub(super) fn watched_step(
        &self,
        session: Session,
        input: &Input,
        watch: &mut impl Watch,
    ) -> Step {
        let diagnostics = self.left_out().cloned().collect();
        let mut running = Running {
            rules: self,
            session,
            effects: Vec::new(),
            trace: Trace::default(),
            diagnostics,
            fired: BTreeSet::new(),
            next: Vec::new(),
            touched: Vec::new(),
            events: 0,
            actions: 0,
            full: false,
            halted: None,
            unseen: Vec::new(),
        };
        running.begin(input);
        running.cascade(watch);
        let (stops, unseen): (Vec<Stop>, Vec<Event>) = running.unseen.drain(..).unzip();
        watch.unseen(&unseen, &stops, &running.session, &running.fired);
        running.finish()
    }
}

/// A running step.
pub(super) struct Running<'r> {
    pub rules: &'r Rules,
    pub session: Session,
    pub effects: Vec<Effect>,
    pub trace: Trace,
    pub diagnostics: Vec<Diagnostic>,
    fired: BTreeSet<RuleId>,
    /// The events of the next wave.
    pub next: Vec<Event>,
    /// The variables that were written since the wave began, with their earlier values.
    pub touched: Vec<Touched>,
    /// How many events rules raised, and how many actions ran.
    events: usize,
    actions: usize,
    /// Whether events were dropped because of the limit.
    full: bool,
    /// The limit that stopped the step, if any.
    halted: Option<Stop>,
    /// Events that no rule sees because of a limit.
    unseen: Vec<(Stop, Event)>,
}

/// Who writes a variable with an input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writer {
    Agent,
    Host,
}

impl Writer {
    fn name(self) -> &'static str {
        match self {
            Self::Agent => "the agent",
            Self::Host => "the host",
        }
    }
}

/// A variable that was written.
pub(super) struct Touched {
    pub variable: Box<str>,
    pub before: Value,
    /// The last firing that changed it.
    pub by: Option<usize>,
}

impl Running<'_> {
    /// Raises the events of an input.
    fn begin(&mut self, input: &Input) {
        self.session.step = Session::after(self.session.step, 1);
        self.diagnostics.extend(self.rules.conform(&mut self.session));
        match input {
            Input::Turn { user, ai, writes } => {
                // They were for the prompt of this turn.
                self.session.context.clear();
                self.write_all(writes, Writer::Agent);
                self.session.turn = Session::after(self.session.turn, 1);
                let started = std::mem::take(&mut self.session.started);
                if self.session.turn == 1 && !started {
                    self.raise(Event::new(SESSION_START, []));
                }
                for (kind, said) in [(MESSAGE_USER, user), (MESSAGE_AI, ai)] {
                    if let Some(said) = said {
                        self.raise(Event::new(kind, [("content", Value::Text(said.clone()))]));
                    }
                }
                let turn = i64::try_from(self.session.turn).unwrap_or(i64::MAX);
                self.raise(Event::new(TURN_COMPLETE, [("turn", turn.into())]));
                self.net_changes();
            }
            Input::Action { id, fields } => {
                let mut body = Map::new();
                body.insert("type", ACTION_EXECUTED.into());
                body.insert("actionId", Value::Text(id.clone()));
                for (key, value) in fields.iter() {
                    body.insert(key, value.clone());
                }
                self.raise(Event::of(Value::Map(body)));
            }
            Input::Set(writes) => {
                self.write_all(writes, Writer::Host);
                self.net_changes();
            }
            Input::Event(event) => self.raise(event.clone()),
            Input::Live(events) => self.raise_live(events),
        }
    }

    /// Raises live events. `session:start` is raised once, before the first of them.
    fn raise_live(&mut self, events: &[Event]) {
        let is_start = |event: &Event| event.kind() == SESSION_START;
        if self.session.turn == 0 && !std::mem::replace(&mut self.session.started, true) {
            let own = events.iter().find(|event| is_start(event)).cloned();
            self.raise(own.unwrap_or_else(|| Event::new(SESSION_START, [])));
        }
        for event in events.iter().filter(|event| !is_start(event)) {
            self.raise(event.clone());
        }
    }

    /// Applies writes in order. The limit is that of all rules together; writes do not use up the
    /// rules' share.
    fn write_all(&mut self, writes: &[Write], writer: Writer) {
        let most = self.rules.limits.actions;
        for write in writes.iter().take(most) {
            self.write(write, writer);
        }
        if let Some(write) = writes.get(most) {
            let of = match writer {
                Writer::Agent => "a turn",
                Writer::Host => "an input",
            };
            let message = format!("only the first {most} writes of {of} are applied");
            self.diagnostics.push(Diagnostic::new(&REFUSED_WRITE, write.span, message));
        }
    }

    /// Applies one write.
    fn write(&mut self, write: &Write, writer: Writer) {
        let Write { requested, span } = write;
        let requested = match requested {
            Ok(requested) => requested,
            Err(problem) => {
                self.diagnostics.push((**problem).clone());
                return;
            }
        };
        let name = escape::name(&requested.written);
        let mut report = |code, why: String| {
            self.diagnostics.push(Diagnostic::new(code, *span, why));
        };
        let Some(path) = &requested.path else {
            let who = writer.name();
            report(&REFUSED_WRITE, format!("`{name}` is not a variable; {who} cannot set it"));
            return;
        };
        let variable = root(path).unwrap_or_default();
        let protected = self.rules.declared.get(variable).is_some_and(|known| known.protected);
        if protected && writer == Writer::Agent {
            report(&REFUSED_WRITE, format!("`{name}` is protected; the agent cannot change it"));
            return;
        }
        let before = self.session.variables.get(variable).cloned().unwrap_or_default();
        match self.rules.declared.write(&mut self.session.variables, path, &requested.operation) {
            Err(why) => report(&REFUSED_WRITE, format!("`{name}` is unchanged: {why}")),
            Ok(written) => {
                if let Some(note) = written.note {
                    report(&CLAMPED_WRITE, format!("`{name}` is {note}"));
                }
                self.touch(variable, before, None);
                self.record_origin(path, &requested.operation, writer == Writer::Host);
            }
        }
    }

    /// Records that a variable was written; `before` is its value just before.
    pub(super) fn touch(&mut self, variable: &str, before: Value, by: Option<usize>) {
        match self.touched.iter_mut().find(|touched| *touched.variable == *variable) {
            // A write that changes nothing is not what caused a change.
            Some(touched) => touched.by = by.or(touched.by),
            None => self.touched.push(Touched { variable: variable.into(), before, by }),
        }
    }

    /// Raises one event for each variable that differs from its value at the start of the wave.
    fn net_changes(&mut self) {
        for Touched { variable, before, by } in std::mem::take(&mut self.touched) {
            let now = self.session.variables.get(&variable).cloned().unwrap_or_default();
            if now != before {
                let event = Event { by, ..Event::changed(&variable, before, now) };
                self.raise(event);
            }
        }
    }

    /// Raises an event in the next wave. Events of the input are always seen, so that no flood of
    /// writes hides a change from the rules. Events that rules add are limited. Events that were
    /// raised before the limit still get their wave.
    pub(super) fn raise(&mut self, event: Event) {
        let stop = Stop { what: "events", limit: self.rules.limits.events };
        if event.by.is_none() {
            self.next.push(event);
        } else if let Some(stop) = self.halted {
            self.unseen.push((stop, event));
        } else if self.events < stop.limit {
            self.events += 1;
            self.next.push(event);
        } else {
            if !std::mem::replace(&mut self.full, true) {
                self.report_limit(stop, &event);
            }
            self.unseen.push((stop, event));
        }
    }

    fn cascade(&mut self, watch: &mut impl Watch) {
        let stop = Stop { what: "waves", limit: self.rules.limits.waves };
        while !self.next.is_empty() {
            let events = std::mem::take(&mut self.next);
            if let (Some(first), true) = (events.first(), self.trace.waves.len() >= stop.limit) {
                self.report_limit(stop, first);
                self.unseen.extend(events.into_iter().map(|event| (stop, event)));
                return;
            }
            watch.wave(&events, &self.session, &self.fired);
            let matched = self.rules.matched(&events, &self.session, &self.fired);
            for rule in matched.undecided {
                self.undecided(rule);
            }
            self.trace.waves.push(Wave { events, fired: Vec::new() });
            for found in matched.acting {
                self.fire(found);
                if self.halted.is_some() {
                    break;
                }
            }
            self.net_changes();
            if let Some(stop) = self.halted {
                let events = std::mem::take(&mut self.next);
                self.unseen.extend(events.into_iter().map(|event| (stop, event)));
                return;
            }
        }
    }

    fn undecided(&mut self, rule: RuleId) {
        let rule = self.rules.rule(rule);
        let name = escape::name(&rule.id);
        let message =
            format!("the condition of `{name}` could not be evaluated, so the rule does not fire");
        self.diagnostics.push(
            Diagnostic::new(&code::UNDECIDED_RULE, rule.span, message)
                .help("a primitive of the host failed"),
        );
    }

    /// Runs the actions of a rule.
    fn fire(&mut self, found: Match) {
        let Match { rule: id, event, hit, .. } = found;
        let rule = self.rules.rule(id);
        let wave = self.trace.waves.len().saturating_sub(1);
        self.fired.insert(id);
        let fired = self.session.fired.entry(rule.id.clone()).or_default();
        fired.count = Session::after(fired.count, 1);
        fired.last_turn = self.session.turn;
        if let Some(wave) = self.trace.waves.last_mut() {
            wave.fired.push(id);
        }
        let at = self.trace.fired.len();
        self.trace.fired.push(Firing { rule: id, wave, event, hit, changes: Vec::new() });
        for (index, action) in rule.actions.iter().enumerate() {
            let stop = Stop { what: "actions", limit: self.rules.limits.actions };
            if self.actions >= stop.limit {
                let by = Event { by: Some(at), ..Event::new("", []) };
                self.report_limit(stop, &by);
                self.halted = Some(stop);
                return;
            }
            self.actions += 1;
            if let Some(change) = self.act(at, index, action)
                && let Some(firing) = self.trace.fired.get_mut(at)
            {
                firing.changes.push(change);
            }
        }
    }

    /// Reports that a limit stopped the step, and the chain of rules that reached it.
    fn report_limit(&mut self, stop: Stop, event: &Event) {
        let chain = self.trace.chain(event);
        let name = |rule: &RuleId| format!("`{}`", escape::name(&self.rules.rule(*rule).id));
        let names: Vec<String> = chain.iter().map(name).collect();
        let led = if names.is_empty() { "the input itself".to_owned() } else { names.join(" -> ") };
        let message = format!("{stop}: {led}");
        let place = chain.last().map_or(Span::NONE, |rule| self.rules.rule(*rule).id_span);
        self.diagnostics.push(Diagnostic::new(&CASCADE_LIMIT, place, message).help(format!(
            "break the chain, or raise `limits: {{{}: …}}` in the manifest",
            stop.what
        )));
    }

    fn finish(mut self) -> Step {
        let turn = self.session.turn;
        self.session.directives.retain(|known| known.until.is_none_or(|until| until > turn));
        let Self { session, effects, trace, diagnostics, .. } = self;
        Step { session, effects, trace, diagnostics }
    }
}
