//! Unknown ids of rules, entries and directives.

use std::collections::BTreeSet;

use lawful_syntax::{Code, Diagnostic, Span, did_you_mean, escape};

use crate::react::action::ActionKind;
use crate::react::rules::Rules;

lawful_syntax::declare_codes! {
    UNKNOWN_RULE = "unknown-rule", Warning, "an action names a rule that does not exist",
        "`toggle-rule`, `trigger-rule` and `@rules.disabled.ID` name a rule or a reaction by its id. No rule has this id, so the action has no effect.\n\nCorrect the id, or write the rule.";
    UNKNOWN_ENTRY = "unknown-entry", Warning, "an action names an entry that does not exist",
        "`toggle-entry` and `@prompt.entry.ID` name a page of `entries/` by the `id` in its front matter. No page has this id.\n\nCorrect the id, or write the entry.";
    UNKNOWN_DIRECTIVE = "unknown-directive", Warning, "an action removes a directive that nothing injects",
        "No `inject-directive` and no `@prompt.directive.ID` of the lawbook creates a directive with this id, so the action never removes anything.\n\nCorrect the id.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let broken = rules.quarantined.iter().filter_map(|(id, _)| id.as_deref());
    let rule_ids: BTreeSet<&str> = rules.by_id.keys().map(|id| &**id).chain(broken).collect();
    let entries: BTreeSet<&str> = rules.entries.iter().map(|entry| &*entry.id).collect();
    let actions = || rules.all().flat_map(|(_, rule)| &rule.actions);
    let directives = rules.directive_ids();
    let mut found = Vec::new();
    for action in actions() {
        let (code, what, id, known): (&'static Code, _, _, _) = match &action.kind {
            ActionKind::Rule(id, _) | ActionKind::Trigger(id) => {
                (&UNKNOWN_RULE, "rule", id, &rule_ids)
            }
            ActionKind::Entry(id, _) => (&UNKNOWN_ENTRY, "entry", id, &entries),
            ActionKind::Remove(id) => (&UNKNOWN_DIRECTIVE, "directive", id, &directives),
            ActionKind::Write(..)
            | ActionKind::Inject(_)
            | ActionKind::Context(..)
            | ActionKind::Emit(_)
            | ActionKind::Effect(..)
            | ActionKind::SetFrom(..) => continue,
        };
        if !known.contains(&**id) {
            found.push(unknown(code, what, id, known, action.span));
        }
    }
    found
}

fn unknown(
    code: &'static Code,
    what: &str,
    id: &str,
    known: &BTreeSet<&str>,
    span: Span,
) -> Diagnostic {
    let message = format!("unknown {what} `{}`", escape::name(id));
    Diagnostic::new(code, span, message).help(did_you_mean(what, id, known.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn every_id_is_checked() {
        check(
            "",
            "rules:\n\
             \x20 - id: a\n    trigger: {type: every-turn}\n    actions:\n\
             \x20     - {type: toggle-rule, ruleId: b, enabled: true}\n\
             \x20     - {type: toggle-rule, ruleId: nobody, enabled: true}\n\
             \x20     - {type: trigger-rule, ruleId: nobody}\n\
             \x20     - {type: toggle-entry, entryId: lore, enabled: true}\n\
             \x20     - {type: toggle-entry, entryId: lorre, enabled: true}\n\
             \x20     - {type: remove-directive, directiveId: mood}\n\
             \x20     - {type: remove-directive, directiveId: mod}\n\
             reactions:\n\
             \x20 - id: b\n    when: {eventType: x}\n    then:\n\
             \x20     - {type: set, path: '@prompt.directive.mood', value: Sad.}\n\
             \x20     - {type: set, path: '@prompt.directive.gone', value: null}\n\
             \x20     - {type: set, path: '@rules.disabled.c', value: true}\n\
             \x20     - {type: set, path: '@prompt.entry.old', value: true}\n",
            "rules/r.yaml:6:9 unknown-rule: unknown rule `nobody`\n\
             rules/r.yaml:7:9 unknown-rule: unknown rule `nobody`\n\
             rules/r.yaml:9:9 unknown-entry: unknown entry `lorre`\n\
             rules/r.yaml:11:9 unknown-directive: unknown directive `mod`\n\
             rules/r.yaml:17:9 unknown-directive: unknown directive `gone`\n\
             rules/r.yaml:18:9 unknown-rule: unknown rule `c`\n\
             rules/r.yaml:19:9 unknown-entry: unknown entry `old`",
        );
    }
}
