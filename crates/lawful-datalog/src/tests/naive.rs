//! A naive engine for comparison: it applies all rules to all facts until nothing changes, stratum
//! by stratum. And programs to run both engines on.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::run::compare;
use crate::{
    Atom, By, Constant, Derivation, Literal, Program, Reason, RelationId, Rule, Term, Variable,
};

type Facts = BTreeMap<RelationId, BTreeSet<Vec<Constant>>>;
type Bindings = BTreeMap<Variable, Constant>;

/// Every derived fact of a stratified program.
pub(super) fn run(program: &Program) -> Facts {
    let mut facts = Facts::new();
    for (relation, values) in program.facts() {
        facts.entry(relation).or_default().insert(values.to_vec());
    }
    let levels = levels(program);
    for level in 0..=levels.values().copied().max().unwrap_or(0) {
        loop {
            let before = facts.clone();
            for (_, rule) in program.rules() {
                if levels.get(&rule.head.relation) == Some(&level) {
                    let mut found = Vec::new();
                    matches(
                        program,
                        rule,
                        program.body(rule),
                        &before,
                        &Bindings::new(),
                        &mut found,
                    );
                    facts.entry(rule.head.relation).or_default().extend(found);
                }
            }
            if facts == before {
                break;
            }
        }
    }
    facts
}

/// The number of negations below each relation, incremented until nothing changes.
fn levels(program: &Program) -> BTreeMap<RelationId, usize> {
    let mut levels: BTreeMap<RelationId, usize> =
        program.relations().map(|(id, _)| (id, 0)).collect();
    for _ in 0..=levels.len() * levels.len() {
        for (_, rule) in program.rules() {
            for literal in program.body(rule) {
                let least = match literal {
                    Literal::Positive(atom) => levels[&atom.relation],
                    Literal::Negative(atom) | Literal::Count(atom, ..) => {
                        levels[&atom.relation] + 1
                    }
                    Literal::Compare(..) => 0,
                };
                let level = levels.get_mut(&rule.head.relation).unwrap();
                *level = (*level).max(least);
            }
        }
    }
    levels
}

fn value(term: Term, bindings: &Bindings) -> Option<Constant> {
    match term {
        Term::Constant(constant) => Some(constant),
        Term::Variable(variable) => bindings.get(&variable).copied(),
        Term::Any => None,
    }
}

fn unify(terms: &[Term], row: &[Constant], bindings: &Bindings) -> Option<Bindings> {
    let mut bindings = bindings.clone();
    for (term, constant) in terms.iter().zip(row) {
        match (value(*term, &bindings), term) {
            (Some(known), _) if known != *constant => return None,
            (None, Term::Variable(variable)) => {
                bindings.insert(*variable, *constant);
            }
            _ => {}
        }
    }
    Some(bindings)
}

fn count(program: &Program, atom: Atom, facts: &Facts, bindings: &Bindings) -> usize {
    let rows = facts.get(&atom.relation).into_iter().flatten();
    rows.filter(|row| unify(program.terms(atom), row, bindings).is_some()).count()
}

/// Positive atoms first, so that everything else has its variables bound.
fn matches(
    program: &Program,
    rule: &Rule,
    body: &[Literal],
    facts: &Facts,
    bindings: &Bindings,
    found: &mut Vec<Vec<Constant>>,
) {
    let positive = body.iter().position(|literal| matches!(literal, Literal::Positive(_)));
    let Some(at) = positive.or((!body.is_empty()).then_some(0)) else {
        let head = program.terms(rule.head).iter().map(|term| value(*term, bindings).unwrap());
        found.push(head.collect());
        return;
    };
    let mut rest = body.to_vec();
    let holds = match rest.remove(at) {
        Literal::Positive(atom) => {
            for row in facts.get(&atom.relation).into_iter().flatten() {
                if let Some(bindings) = unify(program.terms(atom), row, bindings) {
                    matches(program, rule, &rest, facts, &bindings, found);
                }
            }
            return;
        }
        Literal::Negative(atom) => count(program, atom, facts, bindings) == 0,
        Literal::Count(atom, comparison, bound) => {
            comparison.holds(i64::try_from(count(program, atom, facts, bindings)).unwrap(), bound)
        }
        Literal::Compare(left, comparison, right) => {
            match (value(left, bindings), value(right, bindings)) {
                (Some(left), Some(right)) => compare(&program.constants, left, comparison, right),
                _ => panic!("the programs here compare only bound variables"),
            }
        }
    };
    if holds {
        matches(program, rule, &rest, facts, bindings, found);
    }
}

/// Whether every fact of a derivation is given, or follows from the facts below it.
pub(super) fn is_grounded(program: &Program, derivation: &Derivation) -> bool {
    match &derivation.by {
        By::Given => program.facts().any(|(relation, values)| {
            relation == derivation.relation && values == derivation.values
        }),
        By::Cut => false,
        By::Rule(rule, reasons) => {
            let rule = program.get_rule(*rule);
            reasons.len() == program.body(rule).len()
                && reasons.iter().all(|reason| match reason {
                    Reason::Fact(fact) => is_grounded(program, fact),
                    Reason::Absent(..) | Reason::Compared(..) | Reason::Counted(..) => true,
                })
        }
    }
}

/// Programs over relations of one and two columns, with every feature of the language.
pub(super) fn any_program() -> impl Strategy<Value = String> {
    let fact = prop_oneof![
        (0..4_u8, 0..4_u8).prop_map(|(a, b)| format!("e({a}, {b}).")),
        (0..4_u8).prop_map(|a| format!("n({a}).")),
        any::<bool>().prop_map(|a| format!("f({a}).")),
    ];
    let name = prop_oneof![Just("x"), Just("y"), Just("z")];
    let term = prop_oneof![4 => name.clone().prop_map(str::to_owned), 1 => (0..4_u8).prop_map(|n| n.to_string()), 1 => Just("_".to_owned())];
    let atom = prop_oneof![
        (prop_oneof![Just("e"), Just("p"), Just("q")], term.clone(), term.clone())
            .prop_map(|(relation, a, b)| format!("{relation}({a}, {b})")),
        (prop_oneof![Just("n"), Just("u")], term.clone())
            .prop_map(|(relation, a)| format!("{relation}({a})")),
    ];
    let sign = prop_oneof![Just("<"), Just("<="), Just("="), Just("!=")];
    let literal = prop_oneof![
        4 => atom.clone(),
        1 => atom.clone().prop_map(|atom| format!("!{atom}")),
        1 => (name.clone(), sign.clone(), 0..4_u8).prop_map(|(x, sign, n)| format!("n({x}), {x} {sign} {n}")),
        1 => any::<bool>().prop_map(|a| format!("f({a})")),
        1 => any::<bool>().prop_map(|a| format!("!f({a})")),
        1 => any::<bool>().prop_map(|a| format!("f(w), w != {a}")),
        1 => (atom.clone(), sign, 0..5_u8).prop_map(|(atom, sign, n)| format!("count : {{ {atom} }} {sign} {n}")),
    ];
    let head = prop_oneof![
        (prop_oneof![Just("p"), Just("q")], name.clone(), name.clone())
            .prop_map(|(relation, a, b)| format!("{relation}({a}, {b})")),
        name.prop_map(|a| format!("u({a})")),
    ];
    let rule = (head, prop::collection::vec(literal, 1..4))
        .prop_map(|(head, body)| format!("{head} :- {}.", body.join(", ")));
    (prop::collection::vec(fact, 1..12), prop::collection::vec(rule, 0..6)).prop_map(|(facts, rules)| {
        let declared = ".decl e(a: number, b: number)\n.decl n(a: number)\n.decl p(a: number, b: number)\n.decl q(a: number, b: number)\n.decl u(a: number)\n.decl f(a: boolean)\n";
        format!("{declared}{}\n{}\n.output p\n", facts.join("\n"), rules.join("\n"))
    })
}
