//! Contexts that would reach what is not covered, from the partition.

use super::missing::{Lack, Subject};
use crate::cond::Surface;
use crate::cond::partition::{Answer, Domains, reach};
use crate::guard::reach_guard;
use crate::lawbook::Lawbook;
use crate::scenario::ConditionOf;

pub(super) fn witness(book: &Lawbook, subject: &Subject, lacks: Lack) -> Answer {
    let wanted = match lacks {
        Lack::Fired | Lack::True | Lack::InPrompt | Lack::Pass | Lack::Decision => true,
        Lack::False | Lack::Fail => false,
    };
    match subject {
        Subject::CompositionRule(name, index) => composition_rule(book, name, *index, wanted),
        Subject::Rule(id) => rule(book, id, wanted),
        Subject::Guard(id) => guard(book, id, wanted),
        Subject::Predicate(index) => {
            let rulespec = book.rulespec();
            rulespec.map_or(Answer::Unknown, |spec| spec.reach_predicate(*index, wanted))
        }
        Subject::Fragment(id) => {
            let compositions = book.compositions();
            let Some(id) = compositions.id(id) else { return Answer::Unknown };
            match compositions.reach_fragment(id, book.manifest()) {
                Some((_, context)) => Answer::Yes(context),
                None => Answer::Unknown,
            }
        }
        Subject::Condition(of) => match of {
            ConditionOf::Saved(id) => saved(book, id, wanted),
            ConditionOf::Rule(id) => rule(book, id, wanted),
            ConditionOf::CompositionRule(name, index) => {
                composition_rule(book, name, *index, wanted)
            }
            ConditionOf::Guard(id) => guard(book, id, wanted),
            ConditionOf::Predicate(index) => {
                let rulespec = book.rulespec();
                rulespec.map_or(Answer::Unknown, |spec| spec.reach_when(*index, wanted))
            }
        },
    }
}

fn composition_rule(book: &Lawbook, name: &str, index: usize, wanted: bool) -> Answer {
    let compositions = book.compositions();
    match compositions.get(name) {
        Ok(composition) => compositions.reach_rule(composition, index, wanted, book.manifest()),
        Err(_) => Answer::Unknown,
    }
}

fn rule(book: &Lawbook, id: &str, wanted: bool) -> Answer {
    let rules = book.rules();
    let rule = rules.get(id);
    rule.map_or(Answer::Unknown, |rule| rules.reach_condition(rule, wanted, book.book()))
}

fn guard(book: &Lawbook, id: &str, wanted: bool) -> Answer {
    let guard = book.guards().all().find(|(_, guard)| *guard.id == *id);
    guard.map_or(Answer::Unknown, |(_, guard)| reach_guard(guard, wanted, book.book()))
}

fn saved(book: &Lawbook, id: &str, wanted: bool) -> Answer {
    let registry = book.registry();
    let Some(tree) = registry.saved_tree(id) else { return Answer::Unknown };
    let mut set = registry.set();
    let Some(condition) = set.add(tree, Surface::When).0 else { return Answer::Unknown };
    reach(&set.finish(), condition, wanted, &Domains::of(book.manifest()))
}
