//! Lints: conditions that compile but are probably wrong.
//!
//! Each lint is a file with its documentation, message and test. Most query the
//! [partition](super::partition), which gives a certain answer or none, so a lint never guesses. A
//! lint is reported once, at the smallest part that shows it, and not again for the whole.

mod always_true;
mod analysis_skipped;
mod contradictory_equality;
mod duplicate_child;
mod never_true;
mod type_never_fits;
mod useless_branch;
mod value_off_axis;

use lawful_syntax::{Code, Diagnostic, Node, Span};

pub(crate) use self::value_off_axis::VALUE_OFF_AXIS;
use super::partition::{Caps, Domain, Domains, Partition, Skipped};
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

/// The warning for something too large to analyse.
pub(crate) fn analysis_skipped(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&analysis_skipped::ANALYSIS_SKIPPED, span, message)
        .help("split it to have it analysed; it still works")
}

/// All lints on a condition; none if it does not compile.
pub fn lint(
    condition: &Condition,
    registry: &Registry,
    domains: &Domains,
    caps: Caps,
) -> Vec<Diagnostic> {
    lint_all(std::iter::once(condition), registry, domains, caps)
}

/// All lints on many conditions, compiled as one set. The total cost of the analysis is limited
/// too; reaching the limit is reported.
pub fn lint_all<'c>(
    conditions: impl Iterator<Item = &'c Condition>,
    registry: &Registry,
    domains: &Domains,
    caps: Caps,
) -> Vec<Diagnostic> {
    /// The total cost for all conditions, as a multiple of the cap of one.
    const TIMES: usize = 8;
    let mut builder = registry.set();
    let mut add = |condition: &Condition| builder.add(condition, Surface::When).0;
    let trees: Vec<Part<'_>> =
        conditions.filter_map(|condition| Part::of(condition, &mut add)).collect();
    let set = builder.finish();
    let mut problems = Vec::new();
    let mut left = caps.size.saturating_mul(TIMES);
    for tree in trees {
        if left == 0 {
            let most = caps.size.saturating_mul(TIMES);
            let skipped = Skipped(format!(
                "the conditions before it reached the total limit of {most} nodes"
            ));
            problems.push(analysis_skipped::report(tree.condition, &skipped));
            continue;
        }
        let mut ids = Vec::new();
        tree.ids(&mut ids);
        let caps = Caps { size: caps.size.min(left), ..caps };
        match Partition::new(&set, &ids, domains, caps) {
            Ok(partition) => {
                let mut linter = Linter { partition, domains, problems };
                linter.part(&tree);
                left = left.saturating_sub(linter.partition.size());
                problems = linter.problems;
            }
            Err(skipped) => {
                left = left.saturating_sub(caps.size);
                problems.push(analysis_skipped::report(tree.condition, &skipped));
            }
        }
    }
    problems
}

/// A part of a condition, compiled separately.
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

    fn is_branch(&self) -> bool {
        matches!(self.condition.kind, ConditionKind::All(_) | ConditionKind::Any(_))
    }

    /// Whether it is only a reference to something that is checked elsewhere.
    fn is_reference(&self) -> bool {
        matches!(&self.condition.kind, ConditionKind::Ref(reference) if Operator::with_id(&reference.id).is_none())
    }

    /// The operator, path and value of this part, if it is a built-in test.
    fn test(&self) -> Option<(Operator, Path, Option<&'c Node>)> {
        let ConditionKind::Ref(reference) = &self.condition.kind else { return None };
        let operator = Operator::with_id(&reference.id)?;
        let args = reference.args.as_ref()?;
        // A quantifier, even a needless one, changes the meaning of the operator.
        if args.get("quantifier").is_some_and(|node| !node.is_null()) {
            return None;
        }
        let path = Path::parse(args.get("path")?.as_text()?).ok()?;
        Some((operator, path, args.get("value")))
    }
}

struct Linter<'s, 'd> {
    partition: Partition<'s>,
    domains: &'d Domains,
    problems: Vec<Diagnostic>,
}

/// The maximum number of branches to compare with each other.
const BRANCHES: usize = 200;

impl Linter<'_, '_> {
    /// Lints a part and everything in it. Returns true if the part, or something in it, was
    /// reported as always or never true; then the enclosing parts are not.
    fn part(&mut self, part: &Part<'_>) -> bool {
        let said: Vec<bool> = part.children.iter().map(|child| self.part(child)).collect();
        let below = said.contains(&true);
        if self.misfits(part) {
            return true;
        }
        let too_many = part.children.len() > BRANCHES;
        if too_many {
            let skipped = Skipped(format!("it has more than {BRANCHES} branches"));
            self.problems.push(analysis_skipped::report(part.condition, &skipped));
        }
        let compared = part.is_branch() && !too_many;
        let duplicates = if compared { duplicate_child::check(part) } else { Vec::new() };
        let contradictions = match &part.condition.kind {
            ConditionKind::All(_) if compared => contradictory_equality::check(part),
            ConditionKind::All(_)
            | ConditionKind::Any(_)
            | ConditionKind::Always
            | ConditionKind::Not(_)
            | ConditionKind::Ref(_)
            | ConditionKind::Broken => Vec::new(),
        };
        let mut decided = !contradictions.is_empty();
        self.problems.extend(contradictions);
        if !below && !decided && !part.is_reference() {
            let found = never_true::check(part, &self.partition)
                .or_else(|| always_true::check(part, &self.partition));
            decided = found.is_some();
            self.problems.extend(found);
        }
        if compared && !decided {
            let left_out = |at: usize| {
                said.get(at).copied().unwrap_or(false)
                    || duplicates.iter().any(|(duplicate, _)| *duplicate == at)
            };
            let found = useless_branch::check(part, &mut self.partition, &left_out);
            self.problems.extend(found.unwrap_or_else(|skipped| {
                vec![analysis_skipped::report(part.condition, &skipped)]
            }));
        }
        self.problems.extend(duplicates.into_iter().map(|(_, problem)| problem));
        decided || below
    }

    /// Whether a test does not fit the declaration of its path.
    fn misfits(&mut self, part: &Part<'_>) -> bool {
        let Some((operator, path, value)) = part.test() else { return false };
        let found = match self.domains.get(&path) {
            None => Vec::new(),
            Some(Domain::Values { values, .. }) => {
                value_off_axis::check(operator, &path, value, values)
            }
            Some(domain @ Domain::Type { kind, .. }) => {
                type_never_fits::check(part, operator, &path, value, domain, *kind)
            }
        };
        let said = !found.is_empty();
        self.problems.extend(found);
        said
    }
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
