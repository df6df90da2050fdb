//! Lints: conditions that compile and probably do not mean what they say.
//!
//! Each lint is a file with its documentation, its message and its test. Most are questions to the
//! [partition](super::partition), which answers with certainty or not at all, so a lint is never a
//! guess. A lint is reported at the smallest part that shows it, and only once: what is wrong with
//! a part is not said again of the whole.

mod always_true;
mod analysis_skipped;
mod contradictory_equality;
mod duplicate_child;
mod never_true;
mod type_never_fits;
mod useless_branch;
mod value_off_axis;

use lawful_syntax::{Code, Diagnostic, Node};

use super::partition::{Answer, Caps, Domain, Domains, Partition, Skipped};
use super::{CondId, Condition, ConditionKind, Operator, Registry, Surface};
use crate::path::Path;

/// The codes of all lints.
pub(crate) fn codes() -> impl Iterator<Item = &'static Code> {
    let tables = [
        always_true::ALL,
        analysis_skipped::ALL,
        contradictory_equality::ALL,
        duplicate_child::ALL,
        never_true::ALL,
        type_never_fits::ALL,
        useless_branch::ALL,
        value_off_axis::ALL,
    ];
    tables.into_iter().flatten().copied()
}

/// Every lint on a condition. One that does not compile has none.
pub fn lint(
    condition: &Condition,
    registry: &Registry,
    domains: &Domains,
    caps: Caps,
) -> Vec<Diagnostic> {
    let mut builder = registry.set();
    let mut add = |condition: &Condition| builder.add(condition, Surface::When).0;
    let Some(tree) = Part::of(condition, &mut add) else { return Vec::new() };
    let set = builder.finish();
    let mut ids = Vec::new();
    tree.ids(&mut ids);
    match Partition::new(&set, &ids, domains, caps) {
        Ok(partition) => {
            let mut linter = Linter { partition, domains, problems: Vec::new() };
            linter.part(&tree);
            linter.problems
        }
        Err(skipped) => vec![analysis_skipped::report(condition, &skipped)],
    }
}

/// A part of a condition, compiled on its own.
struct Part<'c> {
    condition: &'c Condition,
    id: CondId,
    children: Vec<Part<'c>>,
}

impl<'c> Part<'c> {
    fn of(
        condition: &'c Condition,
        add: &mut impl FnMut(&Condition) -> Option<CondId>,
    ) -> Option<Self> {
        let children: Option<Vec<Self>> = match &condition.kind {
            ConditionKind::All(rules) | ConditionKind::Any(rules) => {
                rules.iter().map(|rule| Self::of(rule, add)).collect()
            }
            ConditionKind::Not(rule) => Self::of(rule, add).map(|child| vec![child]),
            ConditionKind::Always | ConditionKind::Ref(_) | ConditionKind::Broken => {
                Some(Vec::new())
            }
        };
        Some(Self { condition, id: add(condition)?, children: children? })
    }

    fn ids(&self, out: &mut Vec<CondId>) {
        out.push(self.id);
        self.children.iter().for_each(|child| child.ids(out));
    }

    /// The built-in test this part is, if it is one: operator, path and the node of its value.
    fn test(&self) -> Option<(Operator, Path, Option<&'c Node>)> {
        let ConditionKind::Ref(reference) = &self.condition.kind else { return None };
        let operator = Operator::with_id(&reference.id)?;
        let args = reference.args.as_ref()?;
        let path = Path::parse(args.get("path")?.as_text()?).ok()?;
        Some((operator, path, args.get("value")))
    }
}

struct Linter<'s, 'd> {
    partition: Partition<'s>,
    domains: &'d Domains,
    problems: Vec<Diagnostic>,
}

impl Linter<'_, '_> {
    /// Lints a part and everything in it. True if what is wrong with it has been said.
    fn part(&mut self, part: &Part<'_>) -> bool {
        let mut said = false;
        for child in &part.children {
            said |= self.part(child);
        }
        if self.misfits(part) || said {
            return true;
        }
        let found = match &part.condition.kind {
            ConditionKind::All(_) => {
                duplicate_child::check(part).or_else(|| contradictory_equality::check(part))
            }
            ConditionKind::Any(_) => duplicate_child::check(part),
            ConditionKind::Always
            | ConditionKind::Not(_)
            | ConditionKind::Ref(_)
            | ConditionKind::Broken => None,
        };
        let found = found
            .or_else(|| never_true::check(part, &self.partition))
            .or_else(|| always_true::check(part, &self.partition));
        let found = match found {
            Some(found) => vec![found],
            None => useless_branch::check(part, &mut self.partition)
                .unwrap_or_else(|skipped| vec![analysis_skipped::report(part.condition, &skipped)]),
        };
        let said = !found.is_empty();
        self.problems.extend(found);
        said
    }

    /// Whether a test does not fit what is declared of its path.
    fn misfits(&mut self, part: &Part<'_>) -> bool {
        let Some((operator, path, value)) = part.test() else { return false };
        let found = match self.domains.get(&path) {
            None => Vec::new(),
            Some(Domain::Values { values, .. }) => {
                value_off_axis::check(operator, &path, value, values)
            }
            Some(domain @ Domain::Type { kind, .. }) => {
                let found = type_never_fits::check(part, operator, &path, value, domain, *kind);
                found.into_iter().collect()
            }
        };
        let said = !found.is_empty();
        self.problems.extend(found);
        said
    }
}

/// Whether the answer is a certain no.
fn is_no(answer: &Answer) -> bool {
    matches!(answer, Answer::No)
}

#[cfg(test)]
fn check(yaml: &str, expected: &str) {
    use lawful_syntax::{Format, Sources, parse, text};

    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "c.yaml", yaml.as_bytes());
    let limits = crate::Limits::default();
    let (node, _) = parse(&sources, file, Format::Yaml, &limits.document);
    let (condition, _) = super::decode(&node.unwrap());
    let mut problems = lint(&condition, &Registry::default(), &declared(), Caps::default());
    lawful_syntax::sort(&mut problems, &sources);
    let line = |problem: &Diagnostic| {
        let (_, place) = sources.locate(problem.span).unwrap();
        format!("{}:{} {}: {}", place.line, place.column, problem.code.name, problem.message)
    };
    assert_eq!(problems.iter().map(line).collect::<Vec<_>>().join("\n"), expected, "{yaml}");
}

/// `tone` is an axis, `health` and `name` are variables.
#[cfg(test)]
fn declared() -> Domains {
    use crate::Value;
    use crate::book::VariableType;

    let path = |text: &str| Path::parse(text).unwrap();
    let mut domains = Domains::default();
    let values = vec![Value::from("terse"), Value::from("warm")];
    domains.declare(path("tone"), Domain::Values { values, absent: true });
    let (min, max) = (Some(0.into()), Some(100.into()));
    domains.declare(path("health"), Domain::Type { kind: VariableType::Number, min, max });
    let kind = VariableType::String;
    domains.declare(path("name"), Domain::Type { kind, min: None, max: None });
    domains
}
