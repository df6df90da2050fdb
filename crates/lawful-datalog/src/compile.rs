//! Compiles a program: checks it, and plans its rules.

use crate::constant::Mark;
use crate::kinds::Kinds;
use crate::plan::{Plan, Plans};
use crate::problem::{Problem, ProblemKind};
use crate::program::{Literal, Program, RelationId};
use crate::run::Run;
use crate::stratify::stratify;

/// A checked and planned program, which can run any number of times.
#[derive(Debug)]
pub struct Compiled {
    pub(crate) program: Program,
    pub(crate) strata: Vec<Planned>,
    pub(crate) plans: Plans,
    pub(crate) mark: Mark,
    kinds: Kinds,
}

/// A stratum with its plans.
#[derive(Debug)]
pub(crate) struct Planned {
    /// Mutually recursive relations; empty if the stratum is not recursive.
    pub recursive: Vec<RelationId>,
    /// Plans that run once.
    pub once: Vec<Plan>,
    /// Plans that run in every round.
    pub rounds: Vec<Plan>,
}

impl Program {
    /// Checks and plans a program, or returns every problem.
    pub fn compile(self) -> Result<Compiled, Vec<Problem>> {
        let (kinds, mut problems) = Kinds::infer(&self);
        problems.extend(self.unknown_relations());
        let strata = match stratify(&self) {
            Ok(strata) => strata,
            Err(circles) => {
                problems.extend(circles);
                // Each rule can still be checked by itself.
                let rules = self.rules().map(|(id, _)| id).collect();
                vec![crate::stratify::Stratum { rules, recursive: Vec::new() }]
            }
        };
        let mut plans = Plans::new(&self);
        let mut planned = Vec::with_capacity(strata.len());
        for stratum in strata {
            let recursive = stratum.recursive;
            let (mut once, mut rounds) = (Vec::with_capacity(stratum.rules.len()), Vec::new());
            for id in stratum.rules {
                let body = self.body(self.get_rule(id));
                let fresh = body.iter().enumerate().filter(|(_, literal)| match literal {
                    Literal::Positive(atom) => recursive.contains(&atom.relation),
                    Literal::Negative(_) | Literal::Compare(..) | Literal::Count(..) => false,
                });
                let mut fresh = fresh.map(|(at, _)| at).peekable();
                if fresh.peek().is_none() {
                    match plans.add(&self, id, None, &recursive) {
                        Ok(plan) => once.push(plan),
                        Err(problem) => problems.push(problem),
                    }
                }
                for at in fresh {
                    match plans.add(&self, id, Some(at), &recursive) {
                        Ok(plan) => rounds.push(plan),
                        Err(problem) => {
                            problems.push(problem);
                            break;
                        }
                    }
                }
            }
            planned.push(Planned { recursive, once, rounds });
        }
        if problems.is_empty() {
            let mark = self.constants.mark();
            Ok(Compiled { program: self, strata: planned, plans, mark, kinds })
        } else {
            problems.sort_by_key(|problem| problem.at.start);
            Err(problems)
        }
    }

    fn unknown_relations(&self) -> Vec<Problem> {
        let mut defined = vec![false; self.relations.len()];
        let mut define = |relation: RelationId| {
            if let Some(place) = defined.get_mut(relation.index()) {
                *place = true;
            }
        };
        self.facts.iter().for_each(|fact| define(fact.relation));
        self.rules.iter().for_each(|rule| define(rule.head.relation));
        let nobody = self.relations.iter().zip(defined);
        nobody
            .filter(|(relation, defined)| !defined && !relation.declared)
            .map(|(relation, _)| {
                let names: Vec<String> = self
                    .relations
                    .iter()
                    .filter(|other| other.name != relation.name)
                    .take(24)
                    .map(|other| format!("`{}`", other.name))
                    .collect();
                Problem::new(
                    ProblemKind::Unknown,
                    relation.at.clone(),
                    format!("unknown relation `{}`", relation.name),
                    format!("define it with a rule; the known relations are {}", names.join(", ")),
                )
            })
            .collect()
    }
}

impl Compiled {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The kinds of the columns.
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// Starts a run with the facts of the program.
    pub fn start(&self) -> Run<'_> {
        Run::new(self)
    }
}
