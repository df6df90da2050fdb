//! A condition that is too large to analyse.

use lawful_syntax::Diagnostic;

use super::Skipped;
use crate::cond::Condition;

lawful_syntax::declare_codes! {
    ANALYSIS_SKIPPED = "analysis-skipped", Warning, "a condition is too large to analyse",
        "Whether a condition can hold, and whether one part makes another useless, is worked out from the values it can tell apart. Where these are too many, nothing is said of the condition, and this says so; it still compiles and decides.\n\nSplit the condition into saved ones to have its parts looked at.";
}

pub(super) fn report(condition: &Condition, skipped: &Skipped) -> Diagnostic {
    let message = format!("the condition was not analysed: {skipped}");
    Diagnostic::new(&ANALYSIS_SKIPPED, condition.span, message)
        .help("split it; it still decides as it is")
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
            "1:1 analysis-skipped: the condition was not analysed: the tests on `s` tell too many values apart",
        );
        let branches: Vec<String> = (0..210).map(|n| format!("{{p{n}: 1}}")).collect();
        check(
            &format!("any: [{}]", branches.join(", ")),
            "1:1 analysis-skipped: the condition was not analysed: it has more than 200 branches",
        );
    }
}
