//! The decision on an event.

use std::collections::{BTreeMap, BTreeSet};

use lawful_syntax::{Diagnostic, escape};

use super::codes::UNDECIDED_GUARD;
use super::document::{Documents, Touched, touched};
use super::guards::{Decision, Guard, GuardId, Guards};
use super::reason::shown;
use crate::book::Opaque;
use crate::cond::Outcome;
use crate::live::field::Field;
use crate::live::{Action, Event, EventKind, Host, Thing, Unsaid};
use crate::path::{Path, Segment};
use crate::react::EVENT;
use crate::react::Session;
use crate::value::Value;

/// The decision of all guards together.
#[derive(Clone, Debug, Default)]
pub struct Decided {
    /// The guards that acted, each with its decision and reason.
    pub(super) acts: Vec<Act>,
    /// Guards that could not be evaluated.
    pub diagnostics: Vec<Diagnostic>,
}

/// A guard that acts.
#[derive(Clone, Debug)]
pub(super) struct Act {
    pub id: Box<str>,
    pub decision: Decision,
    pub reason: String,
    /// What it acted on.
    pub thing: Option<Box<str>>,
}

/// The ids of guards that no lawbook writes.
pub(super) const OPAQUE: &str = "guards.opaque";
pub(super) const INVALID: &str = "guards.invalid";

impl Decided {
    /// The decision; `None` if no guard acts.
    pub fn decision(&self) -> Option<Decision> {
        self.acts.iter().map(|act| act.decision).max()
    }

    /// The ids of the guards that made the decision.
    pub fn by(&self) -> impl Iterator<Item = &str> {
        // A built-in guard can act on two things.
        let is_first =
            |(at, act): &(usize, &Act)| !self.winning().take(*at).any(|before| before.id == act.id);
        let acts = self.winning().enumerate().filter(is_first).map(|(_, act)| &*act.id);
        acts.collect::<Vec<&str>>().into_iter()
    }

    /// Every guard that acted, with its decision.
    pub fn acts(&self) -> impl Iterator<Item = (&str, Decision)> {
        self.acts.iter().map(|act| (&*act.id, act.decision))
    }

    /// The reasons of the guards that made the decision, each on a line of its own.
    pub fn reason(&self) -> Option<String> {
        let mut reasons: Vec<&str> = Vec::new();
        for act in self.winning() {
            if !reasons.contains(&&*act.reason) {
                reasons.push(&act.reason);
            }
        }
        (!reasons.is_empty()).then(|| reasons.join("\n"))
    }

    fn winning(&self) -> impl Iterator<Item = &Act> {
        let decision = self.decision();
        self.acts.iter().filter(move |act| Some(act.decision) == decision)
    }
}

/// What the condition of a guard is for the things of an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally<'e> {
    pub guard: GuardId,
    /// The first thing, suspected or not, for which it is true.
    pub first_true: Option<Touched<'e>>,
    /// The first thing, suspected or not, for which it could not be evaluated.
    pub first_error: Option<Touched<'e>>,
    /// The first thing that is not only suspected and for which it is not true.
    pub first_other: Option<Touched<'e>>,
    /// The first thing of which the condition of an `allow` does not test everything.
    pub first_unsaid: Option<(&'e Thing, Unsaid)>,
    /// Whether it was not evaluated, because the call is too large.
    pub too_large: bool,
}

/// How many bytes of the call the conditions compare that are asked for each thing. The rest could not
/// be evaluated.
const MAX_COMPARED: usize = 256 * 1024 * 1024;

impl Guards {
    /// Decides on an event.
    pub fn decide(&self, event: &Event, session: &Session, host: &Host) -> Decided {
        let mut decided = Decided::default();
        self.quarantine(event, &mut decided);
        for tally in self.tallies(event, session) {
            self.act(&tally, event, session, &mut decided);
        }
        if event.kind() == EventKind::ToolCall {
            decided.acts.extend(self.protect(event, host));
        }
        decided.acts.extend(self.on_opaque(event, &decided));
        decided
    }

    /// The guards whose `on` matches, with what their conditions are.
    pub(super) fn tallies<'e>(&self, event: &'e Event, session: &Session) -> Vec<Tally<'e>> {
        let all = self.of(event.kind(), event.action()).iter().copied();
        let asked = all.filter(|id| self.all[*id].on.differing(event.body()).is_none());
        let (first_true, first_error, first_other) = (None, None, None);
        let blank = |guard| {
            let first_unsaid = self.unsaid(guard, event);
            let too_large = false;
            Tally { guard, first_true, first_error, first_other, first_unsaid, too_large }
        };
        let mut tallies: Vec<Tally<'e>> = asked.map(blank).collect();
        if tallies.is_empty() {
            return tallies;
        }
        self.mark_too_large(&mut tallies, event);
        let mut documents = Documents::new(self, event, session);
        let mut is_first = true;
        let mut count = |touched: Touched<'e>| {
            let document = documents.of(touched.spelling);
            let mut run = self.conditions.run_few(document, tallies.len());
            // The outcome for the first thing is that for all others, unless the condition reads
            // something of the thing.
            let asked = |tally: &&mut Tally<'e>| {
                !tally.too_large && (is_first || self.per_thing[tally.guard])
            };
            for tally in tallies.iter_mut().filter(asked) {
                let outcome = run.outcome(self.all[tally.guard].condition);
                let first = match outcome {
                    Outcome::True => &mut tally.first_true,
                    Outcome::Error => &mut tally.first_error,
                    Outcome::False | Outcome::NotEvaluated => &mut None,
                };
                first.get_or_insert(touched);
                if outcome != Outcome::True && !touched.suspected {
                    tally.first_other.get_or_insert(touched);
                }
            }
            is_first = false;
        };
        touched(event).for_each(&mut count);
        tallies
    }

    /// Marks the guards that would compare a large part of a call with every thing of a large call.
    fn mark_too_large<'e>(&self, tallies: &mut [Tally<'e>], event: &'e Event) {
        let things = touched(event).count();
        let Some(first) = touched(event).next().filter(|_| things > 1) else { return };
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        let mut compared: usize = 0;
        for tally in tallies.iter_mut().filter(|tally| self.per_thing[tally.guard]) {
            let reads = self.conditions.reads(self.all[tally.guard].condition);
            let fields: BTreeSet<&str> =
                reads.iter().filter_map(|path| field_of_call(path)).collect();
            for field in fields {
                let value = event.body().get(field);
                let size = *sizes.entry(field).or_insert_with(|| value.map_or(0, size));
                compared = compared.saturating_add(size.saturating_mul(things));
            }
            if compared > MAX_COMPARED {
                tally.too_large = true;
                tally.first_error = Some(first);
                tally.first_other = Some(first);
            }
        }
    }

    /// What an event does that the condition of an `allow` cannot have tested.
    fn unsaid<'e>(&self, guard: GuardId, event: &'e Event) -> Option<(&'e Thing, Unsaid)> {
        let guard = &self.all[guard];
        if guard.decision != Decision::Allow {
            return None;
        }
        let mut all = event
            .touched()
            .iter()
            .flat_map(|thing| thing.unsaid.iter().map(move |unsaid| (thing, *unsaid)));
        all.find(|(_, unsaid)| match unsaid {
            Unsaid::Program | Unsaid::Variable | Unsaid::Link => true,
            Unsaid::Writes => !self.tests(guard, "writes"),
            Unsaid::Reads => !self.tests(guard, "reads"),
        })
    }

    /// Whether the condition of a guard reads a field of the event.
    fn tests(&self, guard: &Guard, field: &str) -> bool {
        let is_field = |segments: &[Segment]| match segments {
            [Segment::Key(root), Segment::Key(key), ..] => **root == *EVENT && **key == *field,
            _ => false,
        };
        self.conditions.reads(guard.condition).iter().any(|path| is_field(path.segments()))
    }

    fn act(&self, tally: &Tally<'_>, event: &Event, session: &Session, decided: &mut Decided) {
        let guard = &self.all[tally.guard];
        let reason = |touched: Option<Touched<'_>>| {
            self.fill(&guard.reason, event, touched.map(|touched| touched.spelling), session)
        };
        let act = |decision, touched: Option<Touched<'_>>, reason| Act {
            id: guard.id.clone(),
            decision,
            reason,
            thing: touched.map(|touched| touched.thing.shown.clone()),
        };
        match acts(guard, tally, event) {
            Acts::Yes(touched) => {
                decided.acts.push(act(guard.decision, Some(touched), reason(Some(touched))));
            }
            Acts::No => {}
            Acts::Undecided(touched) => {
                decided.diagnostics.push(undecided(guard));
                if guard.decision != Decision::Allow {
                    let why = format!(
                        "the guard `{}` could not be evaluated: {}",
                        shown(&guard.id),
                        reason(Some(touched))
                    );
                    decided.acts.push(act(Decision::Deny, Some(touched), why));
                }
            }
        }
    }

    /// Guards with errors deny what they could apply to.
    fn quarantine(&self, event: &Event, decided: &mut Decided) {
        for guard in &self.quarantined {
            let applies = guard.includes(event.kind(), event.action())
                && guard.on.as_ref().is_none_or(|on| on.differing(event.body()).is_none());
            if !guard.denies || !applies {
                continue;
            }
            let name = guard.id.as_ref().map(|id| format!("the guard `{}`", shown(id)));
            let name = name.unwrap_or_else(|| "a guard".to_owned());
            decided.acts.push(Act {
                id: guard.id.clone().unwrap_or_else(|| INVALID.into()),
                decision: Decision::Deny,
                reason: format!("{name} in the lawbook has errors, so it denies"),
                thing: None,
            });
        }
    }

    /// What happens to an opaque call that no guard denies.
    fn on_opaque(&self, event: &Event, decided: &Decided) -> Option<Act> {
        let why = event.opaque().filter(|_| event.kind() == EventKind::ToolCall)?;
        if decided.decision() == Some(Decision::Deny) {
            return None;
        }
        let decision = match self.opaque_setting(event)? {
            Opaque::Ask => Decision::Ask,
            Opaque::Deny => Decision::Deny,
            Opaque::Allow => Decision::Allow,
        };
        let reason = format!("this line cannot be read in full: {why}");
        Some(Act { id: OPAQUE.into(), decision, reason, thing: None })
    }

    /// The setting of the manifest, or its default. What is over a limit is never silently allowed,
    /// because the built-in guards have not seen all of it.
    pub(super) fn opaque_setting(&self, event: &Event) -> Option<Opaque> {
        let asks = self.has_shell() || event.is_over_limit();
        self.opaque.or_else(|| asks.then_some(Opaque::Ask))
    }
}

/// Whether a guard acts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Acts<'e> {
    Yes(Touched<'e>),
    No,
    Undecided(Touched<'e>),
}

/// `deny` and `ask` act if the condition is true for some thing; `allow` only if it is true for
/// every thing, all things are known, and no command does more than its condition tests.
pub(super) fn acts<'e>(guard: &Guard, tally: &Tally<'e>, event: &Event) -> Acts<'e> {
    match (guard.decision, tally.first_true, tally.first_error) {
        (Decision::Deny | Decision::Ask, Some(touched), _) => Acts::Yes(touched),
        (Decision::Deny | Decision::Ask, None, Some(touched)) => Acts::Undecided(touched),
        (Decision::Deny | Decision::Ask, None, None) => Acts::No,
        (Decision::Allow, Some(touched), _)
            if tally.first_other.is_none()
                && tally.first_unsaid.is_none()
                && event.opaque().is_none() =>
        {
            Acts::Yes(touched)
        }
        (Decision::Allow, _, Some(touched)) if !touched.suspected => Acts::Undecided(touched),
        (Decision::Allow, _, _) => Acts::No,
    }
}

/// The field of the event that a path reads, unless it belongs to one thing.
fn field_of_call(path: &Path) -> Option<&str> {
    match path.segments() {
        [Segment::Key(root), Segment::Key(field), ..] if **root == *EVENT => {
            let of_thing = Field::of_things().any(|known| *known.name == **field);
            (!of_thing).then_some(&**field)
        }
        _ => None,
    }
}

/// About how many bytes a value has.
fn size(value: &Value) -> usize {
    const NODE: usize = 8;
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => NODE,
        Value::Text(text) => NODE + text.len(),
        Value::List(items) => NODE + items.iter().map(size).sum::<usize>(),
        Value::Map(map) => {
            NODE + map.iter().map(|(key, value)| key.len() + size(value)).sum::<usize>()
        }
    }
}

fn undecided(guard: &Guard) -> Diagnostic {
    let what = match guard.decision {
        Decision::Deny | Decision::Ask => "it denies",
        Decision::Allow => "it does not act",
    };
    let name = escape::name(&guard.id);
    let message = format!("the condition of `{name}` could not be evaluated, so {what}");
    Diagnostic::new(&UNDECIDED_GUARD, guard.span, message)
        .help("a primitive of the host failed, or the call is too large")
}

impl Guards {
    /// The events that a decision raises in the session: one for each guard that denied or asked.
    pub fn events(decided: &Decided, event: &Event) -> Vec<crate::react::Event> {
        let kind = match decided.decision() {
            Some(Decision::Deny) => "guard:denied",
            Some(Decision::Ask) => "guard:asked",
            Some(Decision::Allow) | None => return Vec::new(),
        };
        let field = |name: &str| event.body().get(name).cloned().unwrap_or_default();
        let raised = |id: &str| {
            let fields = [
                ("id", Value::Text(id.into())),
                ("action", event.action().map(Action::name).map_or(Value::Null, Into::into)),
                ("tool", field("tool")),
                ("agent", field("agent")),
            ];
            crate::react::Event::of_host(kind, fields)
        };
        decided.by().map(raised).collect()
    }
}
