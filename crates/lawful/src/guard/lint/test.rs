//! The tests of a guard's condition, also those of the saved conditions that it refers to.

use std::collections::BTreeSet;

use lawful_syntax::{Node, Span};

use crate::cond::{Condition, ConditionKind, Operator, Registry};
use crate::guard::Guard;
use crate::path::{Path, Segment};

/// One test of one path.
pub(super) struct Test<'c> {
    pub path: Path,
    /// Where the path is written.
    pub path_span: Span,
    pub operator: Operator,
    /// What it compares with.
    pub value: Option<&'c Node>,
    /// Where the test is written.
    pub span: Span,
}

impl Test<'_> {
    /// The first two names of its path: `event` and `line`.
    pub(super) fn root(&self) -> Option<(&str, &str)> {
        match self.path.segments() {
            [Segment::Key(root), Segment::Key(name), ..] => Some((root, name)),
            _ => None,
        }
    }

    /// What follows these two names.
    pub(super) fn rest(&self) -> &[Segment] {
        self.path.segments().get(2..).unwrap_or_default()
    }

    /// The values that it compares with: the elements of a set, or the one value.
    pub(super) fn values(&self) -> &[Node] {
        match (self.operator, self.value) {
            (_, None) => &[],
            (Operator::AnyOf | Operator::NoneOf, Some(value)) => {
                value.as_list().unwrap_or_default()
            }
            (_, Some(value)) => std::slice::from_ref(value),
        }
    }
}

/// Every test of a guard. A test of a saved condition is at its own place.
pub(super) fn of<'c>(guard: &'c Guard, registry: &'c Registry) -> Vec<Test<'c>> {
    let mut tests = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![&guard.when];
    while let Some(condition) = open.pop() {
        collect(condition, &mut tests, &mut |id| {
            if seen.insert(id.to_owned()) {
                open.extend(registry.saved_tree(id));
            }
        });
    }
    tests
}

fn collect<'c>(condition: &'c Condition, out: &mut Vec<Test<'c>>, saved: &mut impl FnMut(&str)) {
    match &condition.kind {
        ConditionKind::All(parts) | ConditionKind::Any(parts) => {
            for part in parts {
                collect(part, out, saved);
            }
        }
        ConditionKind::Not(part) => collect(part, out, saved),
        ConditionKind::Ref(reference) => {
            let Some(operator) = Operator::with_id(&reference.id) else {
                saved(&reference.id);
                return;
            };
            let arg = |name: &str| reference.args.as_ref().and_then(|args| args.get(name));
            let Some(written) = arg("path") else { return };
            if let Some(Ok(path)) = written.as_text().map(Path::parse) {
                out.push(Test {
                    path,
                    path_span: written.span,
                    operator,
                    value: arg("value"),
                    span: condition.span,
                });
            }
        }
        ConditionKind::Always | ConditionKind::Broken => {}
    }
}
