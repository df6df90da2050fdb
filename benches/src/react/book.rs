//! Lawbooks of rules: some that match, and any number that do not.

use std::fmt::Write as _;

use lawful::book::{MemorySource, Options, load};
use lawful::react::{Input, Rules};
use lawful::syntax::Diagnostic;
use crate::read::{messages, node};

use crate::Result;

const MANIFEST: &str = "\
name: bench
variables:
  health: {type: number, initial: 40, min: 0, max: 100}
  gold: {type: number, initial: 5}
  mood: {type: string, initial: calm}
";

/// The rules that the inputs set off, with what they set off in turn.
const HOT: &str = "\
rules:
  - {id: tired, trigger: {type: every-turn}, conditions: [{variableId: health, operator: gt, value: 0}], actions: [{type: modify-variable, variableId: health, operation: subtract, value: 1}]}
  - {id: lantern, trigger: {type: keyword, keywords: [lantern]}, actions: [{type: modify-variable, variableId: gold, operation: subtract, value: 2}, {type: notify-player, message: It is lit.}]}
  - {id: low, trigger: {type: variable-crossed, variableId: gold, direction: drops-below, threshold: 4}, actions: [{type: inject-directive, directiveId: poor, content: The purse is light., duration: 2}, {type: trigger-rule, ruleId: worry}]}
  - {id: worry, trigger: {type: manual}, actions: [{type: modify-variable, variableId: mood, operation: set, value: worried}]}
  - {id: felt, trigger: {type: state-change, variableId: mood}, actions: [{type: send-context, message: Worries show.}]}
reactions:
  - {id: sighed, when: {eventType: state:changed, variableId: mood}, then: [{type: emit, event: {type: voice:sigh, loud: true}}]}
  - {id: heard, when: {eventType: 'voice:*', loud: true}, then: [{type: set, path: '@audio.sfx', value: sigh}]}
";

/// What is stepped through, again and again from the same state.
const INPUTS: [&str; 2] = [
    "{user: I buy the lantern, ai: It costs two coins., writes: [{variableId: health, operation: add, value: 3}]}",
    "{event: {type: 'voice:sigh', loud: true}}",
];

/// A book with as many rules as asked for, of which always the same match.
pub fn source(rules: usize) -> MemorySource {
    let mut cold = String::from("rules:\n");
    let mut reactions = String::from("reactions:\n");
    let hot = HOT.matches("{id:").count();
    for n in 0..rules.saturating_sub(hot) {
        let condition = format!("conditions: [{{variableId: w{n}, operator: gt, value: {n}}}]");
        let action =
            format!("[{{type: modify-variable, variableId: w{n}, operation: add, value: 1}}]");
        let trigger = match n % 6 {
            0 => format!("{{type: state-change, variableId: v{n}}}"),
            1 => format!(
                "{{type: variable-crossed, variableId: v{n}, direction: rises-above, threshold: {n}}}"
            ),
            2 => format!("{{type: action, actionId: a{n}}}"),
            3 => format!("{{type: keyword, keywords: [{}]}}", super::keywords::word(n)),
            4 => format!("{{type: turn-count, atTurn: {}}}", n + 1_000),
            _ => {
                let _ = writeln!(
                    reactions,
                    "  - {{id: c{n}, when: {{eventType: spatial:enter, zone: z{n}}}, {condition}, then: [{{type: set, path: w{n}, value: 1}}]}}"
                );
                continue;
            }
        };
        let _ =
            writeln!(cold, "  - {{id: c{n}, trigger: {trigger}, {condition}, actions: {action}}}");
    }
    MemorySource::new()
        .with("lawful.yaml", MANIFEST)
        .with("rules/hot.yaml", HOT)
        .with("rules/cold.yaml", cold)
        .with("rules/places.yaml", reactions)
}

/// Loads the rules of a book that has no errors.
pub fn rules(source: &MemorySource) -> Result<Rules> {
    let (book, mut problems) =
        load(source, Options::default()).map_err(|error| error.to_string())?;
    let (rules, found) = Rules::decode(&book);
    problems.extend(found);
    problems.retain(Diagnostic::is_error);
    if problems.is_empty() { Ok(rules) } else { Err(messages(&problems).into()) }
}

/// The inputs.
pub fn inputs() -> Result<Vec<Input>> {
    INPUTS.iter().map(|text| input(text)).collect()
}

/// An input from YAML.
pub fn input(text: &str) -> Result<Input> {
    let (input, problems) = Input::decode(&node(text));
    input.ok_or_else(|| messages(&problems).into())
}
