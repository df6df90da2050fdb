//! Contexts that reach a rule or a fragment.

use super::decode::Composition;
use super::fragment::FragmentId;
use super::matrix::completed;
use super::resolve::Compositions;
use crate::book::Manifest;
use crate::cond::partition::Answer;
use crate::value::Value;

impl Compositions {
    /// Whether some context makes the condition of a rule true, or false. A context has a value for
    /// every axis.
    pub(crate) fn reach_rule(
        &self,
        composition: &Composition,
        rule: usize,
        wanted: bool,
        manifest: &Manifest,
    ) -> Answer {
        let Some(rule) = composition.rules.get(rule) else { return Answer::Unknown };
        let Ok(partition) = self.partition(&[rule.condition], manifest) else {
            return Answer::Unknown;
        };
        let answer = if wanted {
            partition.can_hold(rule.condition)
        } else {
            partition.can_fail(rule.condition)
        };
        match answer {
            Answer::Yes(context) => Answer::Yes(completed(&context, manifest)),
            Answer::No => Answer::No,
            Answer::Unknown => Answer::Unknown,
        }
    }

    /// A composition and a context in which its prompt has a fragment.
    pub(crate) fn reach_fragment(
        &self,
        fragment: FragmentId,
        manifest: &Manifest,
    ) -> Option<(&Composition, Value)> {
        let mut bringing =
            self.all().iter().filter(|composition| composition.brought().any(|id| id == fragment));
        bringing.find_map(|composition| {
            let matrix = self.matrix(composition, manifest).ok()?;
            let classes = matrix.classes.into_iter();
            let mut having = classes.filter(|class| class.order.contains(&fragment));
            Some((composition, having.find_map(|class| class.witness)?))
        })
    }
}
