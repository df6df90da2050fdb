//! A condition that is too large to analyse.

use lawful_syntax::Diagnostic;

use super::Skipped;
use crate::cond::Condition;

lawful_syntax::declare_codes! {
    ANALYSIS_SKIPPED = "analysis-skipped", Warning, "a condition is too large to analyse",
        "To find out whether a condition can be true, and whether one part makes another redundant, Lawful uses the values that the condition distinguishes. If there are too many, it skips the analysis and reports this. The condition still compiles and is evaluated.\n\nSplit the condition into saved conditions to have its parts analysed.";
}

pub(super) fn report(condition: &Condition, skipped: &Skipped) -> Diagnostic {
    let message = format!("the condition was not analysed: {skipped}");
    Diagnostic::new(&ANALYSIS_SKIPPED, condition.span, message)
        .help("split it to have it analysed; it is still evaluated")
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn what_is_too_large_is_named() {
        let tests: Vec<String> =
            (0..30).map(|n| format!("{{path: s, op: contains, value: w{n}}}")).collect();
        check(
            &format!("any: [{}]", tests.join(", ")),
            "1:1 analysis-skipped: the condition was not analysed: the tests on `s` distinguish too many values",
        );
        let branches: Vec<String> = (0..210).map(|n| format!("{{p{n}: 1}}")).collect();
        check(
            &format!("any: [{}]", branches.join(", ")),
            "1:1 analysis-skipped: the condition was not analysed: it has more than 200 branches",
        );
    }
}
