//! Passes that depend only on an absent value, and `--deny-vacuous`.

use lawful_syntax::{Diagnostic, Severity, Span};

use super::codes;
use super::ground_facts::Facts;
use super::judge::{Judge, Judgement};
use super::rulespec::{Predicate, Rulespec, Subject};
use crate::cond::Operator;
use crate::cond::leaf::{How, Quantifier};
use crate::cond::parts::Part;

impl Rulespec {
    /// Whether a predicate passed only because a value is absent: what it judges has no value, and
    /// the predicate does not ask for absence.
    pub fn is_vacuous(&self, predicate: &Predicate, facts: Facts<'_>) -> bool {
        let Subject::Claim(_, condition) = &predicate.subject else { return false };
        let Part::Leaf(path, leaf) = self.set.part(self.set.root(*condition)).1 else {
            return false;
        };
        let asks_for_absence = match (predicate.rule, leaf.how) {
            (Operator::NotExists, How::Written(Quantifier::None)) => false,
            (Operator::NotExists, _) | (Operator::Exists, How::Written(Quantifier::None)) => true,
            // A count of 0 is a valid result.
            (Operator::MinLength | Operator::MaxLength, How::AsList) => true,
            (_, _) => false,
        };
        !asks_for_absence && !facts.is_present(path)
    }
}

impl Judge<'_> {
    /// What `--deny-vacuous` rejects, after these facts were judged.
    pub fn denials(&self, facts: Facts<'_>) -> Vec<Diagnostic> {
        let predicates = self.judgements().iter().zip(&self.rulespec.predicates).enumerate();
        let mut denied: Vec<Diagnostic> = predicates
            .filter(|(_, (judgement, predicate))| {
                **judgement == Judgement::Pass && self.rulespec.is_vacuous(predicate, facts)
            })
            .map(|(index, (_, predicate))| {
                let message = format!("predicate {index} passes only because a value is absent");
                Diagnostic::new(&codes::VACUOUS_PASS, predicate.span, message)
                    .help("state the fact, or add a predicate with the rule `exists`")
            })
            .collect();
        // The verdict already reports an undecided predicate that counts.
        let nothing = |(judgement, predicate): (&Judgement, &Predicate)| match judgement {
            Judgement::Skipped => true,
            Judgement::Undecided => predicate.severity == Severity::Warning,
            Judgement::Pass | Judgement::Fail => false,
        };
        if self.judgements().iter().zip(&self.rulespec.predicates).all(nothing) {
            let place = self.rulespec.predicates.first().map_or(Span::NONE, |first| first.span);
            let message = "every predicate was skipped, so nothing was judged";
            denied
                .push(Diagnostic::new(&codes::NOTHING_EVALUATED, place, message).help(
                    "state a fact that some `when` needs, or add a predicate without `when`",
                ));
        }
        denied
    }
}
