//! Strata: the order in which relations are evaluated.
//!
//! A relation needs every relation in the bodies of its rules. Relations that need each other form
//! one stratum: a strongly connected component, found by Tarjan's algorithm. A stratum runs after
//! every stratum that it needs. `!` and `count` ask for facts that are *absent*, which is known
//! only when a relation is complete. So neither may be part of a cycle.

use crate::problem::{Problem, ProblemKind};
use crate::program::{Literal, Program, RelationId, RuleId};

/// Relations that are evaluated together, with their rules.
#[derive(Debug)]
pub(crate) struct Stratum {
    pub rules: Vec<RuleId>,
    /// Its relations, if they need each other or themselves.
    pub recursive: Vec<RelationId>,
}

/// One relation needs another.
#[derive(Clone, Copy, Debug)]
struct Need {
    relation: RelationId,
    /// Whether it needs the other to be complete.
    finished: bool,
    rule: RuleId,
}

/// The strata in the order of evaluation, or every cycle through a negation.
pub(crate) fn stratify(program: &Program) -> Result<Vec<Stratum>, Vec<Problem>> {
    let mut needs: Vec<Vec<Need>> = vec![Vec::new(); program.relations.len()];
    let mut rules: Vec<Vec<RuleId>> = vec![Vec::new(); program.relations.len()];
    for (id, rule) in program.rules() {
        let head = rule.head.relation.index();
        if let Some(list) = rules.get_mut(head) {
            list.push(id);
        }
        let Some(list) = needs.get_mut(head) else { continue };
        for literal in program.body(rule) {
            let (relation, finished) = match literal {
                Literal::Positive(atom) => (atom.relation, false),
                Literal::Negative(atom) | Literal::Count(atom, ..) => (atom.relation, true),
                Literal::Compare(..) => continue,
            };
            let known = |need: &Need| need.relation == relation && need.finished == finished;
            // A list of needs is short, and most rules repeat the needs of the one before.
            if !list.iter().rev().take(8).any(known) {
                list.push(Need { relation, finished, rule: id });
            }
        }
    }
    let components = components(&needs);
    let mut component_of = vec![usize::MAX; program.relations.len()];
    for (at, members) in components.iter().enumerate() {
        for member in members {
            if let Some(place) = component_of.get_mut(member.index()) {
                *place = at;
            }
        }
    }
    let problems = cycles(program, &needs, &components, &component_of);
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(components
        .into_iter()
        .filter_map(|members| {
            let mut own: Vec<RuleId> = Vec::new();
            for member in &members {
                own.extend(rules.get(member.index()).into_iter().flatten());
            }
            own.sort_unstable();
            let itself = |member: &RelationId| {
                needs
                    .get(member.index())
                    .is_some_and(|needs| needs.iter().any(|need| members.contains(&need.relation)))
            };
            let recursive = members.len() > 1 || members.iter().any(itself);
            (!own.is_empty()).then_some(Stratum {
                rules: own,
                recursive: if recursive { members } else { Vec::new() },
            })
        })
        .collect())
}

/// The strongly connected components, each after those it needs. Tarjan's algorithm with an
/// explicit stack, so that a long chain of relations cannot exhaust the call stack.
fn components(needs: &[Vec<Need>]) -> Vec<Vec<RelationId>> {
    const NEW: usize = usize::MAX;
    let mut found = vec![NEW; needs.len()];
    let mut low = vec![NEW; needs.len()];
    let mut on_stack = vec![false; needs.len()];
    let mut stack: Vec<usize> = Vec::new();
    let mut out = Vec::new();
    let mut clock = 0;
    let mut open: Vec<(usize, usize)> = Vec::new();
    #[expect(clippy::indexing_slicing, reason = "every list has one place for each relation")]
    for root in 0..needs.len() {
        if found[root] != NEW {
            continue;
        }
        open.push((root, 0));
        while let Some((node, next)) = open.pop() {
            if next == 0 {
                found[node] = clock;
                low[node] = clock;
                clock += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(need) = needs[node].get(next) {
                let to = need.relation.index();
                open.push((node, next + 1));
                if found[to] == NEW {
                    open.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(found[to]);
                }
                continue;
            }
            if let Some((above, _)) = open.last() {
                low[*above] = low[*above].min(low[node]);
            }
            if low[node] == found[node] {
                let mut members = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    members.push(RelationId(crate::program::position(member)));
                    if member == node {
                        break;
                    }
                }
                members.sort_unstable();
                out.push(members);
            }
        }
    }
    out
}

/// Every need of a complete relation inside its own component, shown as a cycle.
fn cycles(
    program: &Program,
    needs: &[Vec<Need>],
    components: &[Vec<RelationId>],
    component_of: &[usize],
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, list) in needs.iter().enumerate() {
        let from = RelationId(crate::program::position(at));
        for need in list.iter().filter(|need| need.finished) {
            let component = component_of.get(at);
            if component != component_of.get(need.relation.index()) {
                continue;
            }
            let members = component.and_then(|at| components.get(*at)).map_or(&[][..], |m| m);
            let mut shown =
                format!("{} -> !{}", program.get(from).name, program.get(need.relation).name);
            for step in shortest_path(needs, members, need.relation, from) {
                shown.push_str(" -> ");
                shown.push_str(&program.get(step).name);
            }
            problems.push(Problem::new(
                ProblemKind::Cycle,
                program.get_rule(need.rule).at.clone(),
                format!("`{}` depends on its own negation: {shown}", program.get(from).name),
                "remove the negation, or one of the rules of the cycle",
            ));
            break;
        }
    }
    problems
}

/// The shortest path from one relation of a component to another, without the first.
fn shortest_path(
    needs: &[Vec<Need>],
    members: &[RelationId],
    from: RelationId,
    to: RelationId,
) -> Vec<RelationId> {
    let mut came: Vec<(RelationId, Option<usize>)> = vec![(from, None)];
    let mut at = 0;
    while let Some((here, _)) = came.get(at).copied() {
        if here == to {
            break;
        }
        for need in needs.get(here.index()).into_iter().flatten() {
            let new = members.contains(&need.relation)
                && !came.iter().any(|(known, _)| *known == need.relation);
            if new {
                came.push((need.relation, Some(at)));
            }
        }
        at += 1;
    }
    let mut way = Vec::new();
    let mut step = Some(at);
    while let Some((here, before)) = step.and_then(|at| came.get(at).copied()) {
        if before.is_some() {
            way.push(here);
        }
        step = before;
    }
    way.reverse();
    way
}
