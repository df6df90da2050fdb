//! A program that is named with its folder.

use lawful_syntax::{Diagnostic, Node, escape};

use super::test::{self, Test};
use crate::cond::{Operator, Registry};
use crate::guard::guards::Guards;
use crate::react::EVENT;

lawful_syntax::declare_codes! {
    PROGRAM_FOLDER = "program-folder", Warning, "a guard names a program with its folder",
        "`event.program`, `event.programs` and the first word of `event.line` are names without folders: `/usr/bin/git push` is `git push`. A name with a slash in it never equals them.\n\nWrite the name alone. A condition on `event.command` reads the line as it was given.";
}

pub(super) fn check(guards: &Guards, registry: &Registry) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for (_, guard) in guards.all() {
        for test in test::of(guard, registry) {
            let field = test.root().filter(|(root, _)| *root == EVENT);
            let Some((_, name)) = field else { continue };
            let never: fn(&str) -> bool = match name {
                "program" | "programs" => |text| text.contains('/'),
                "line" | "lines" => |text| starts_with_folder(text),
                _ => continue,
            };
            let found = test.values().iter().find(|value| names_folder(&test, value, never));
            problems.extend(found.and_then(|value| report(name, value)));
        }
    }
    problems
}

/// Whether a value has a folder where the field has none.
fn names_folder(test: &Test<'_>, value: &Node, never: fn(&str) -> bool) -> bool {
    let Some(text) = value.as_text() else { return false };
    // Of a line, only a test that knows where the text starts says something about the program.
    let is_program = matches!(test.root(), Some((_, "program" | "programs")));
    // A list contains whole elements, and a string parts of itself.
    let is_whole = matches!(test.root(), Some((_, "lines"))) && test.rest().is_empty();
    match test.operator {
        Operator::Equals | Operator::NotEquals | Operator::AnyOf | Operator::NoneOf => never(text),
        Operator::StartsWith => never(text),
        Operator::Contains | Operator::NotContains => (is_program || is_whole) && never(text),
        Operator::EndsWith => is_program && never(text),
        Operator::Matches | Operator::NotMatches => {
            let start = text.strip_prefix("(?i)").unwrap_or(text).strip_prefix('^');
            let folder = |start: &str| start.starts_with('/') || start.starts_with("\\./");
            start.is_some_and(folder) && !text.contains('|')
        }
        Operator::Exists | Operator::NotExists | Operator::MinLength | Operator::MaxLength => false,
        Operator::GreaterThan | Operator::LessThan | Operator::AtLeast | Operator::AtMost => false,
    }
}

fn starts_with_folder(line: &str) -> bool {
    line.split(char::is_whitespace).next().is_some_and(|word| word.contains('/'))
}

fn report(field: &str, value: &Node) -> Option<Diagnostic> {
    let text = value.as_text()?;
    let message = format!(
        "a program in `event.{field}` has no folder, so `{}` is never there",
        escape::name(text)
    );
    let word = text.split(char::is_whitespace).next()?;
    let name = word.rsplit('/').next().filter(|name| !name.is_empty());
    let help = match name {
        Some(name) => format!("write `{}`", escape::name(&text.replacen(word, name, 1))),
        None => "write the name of the program alone".to_owned(),
    };
    Some(Diagnostic::new(&PROGRAM_FOLDER, value.span, message).help(help))
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_program_with_a_folder_is_reported() {
        check(
            "- {id: a, when: {event.program: /usr/bin/git}, deny: No.}\n\
             - {id: b, when: {path: event.program, op: any_of, value: [rm, ./rm]}, deny: No.}\n\
             - {id: c, when: {path: event.line, op: starts_with, value: ./deploy prod}, deny: No.}\n\
             - {id: d, when: {path: event.programs, op: contains, value: /bin/sh}, deny: No.}\n\
             - {id: e, when: {path: event.line, op: matches, value: '^/usr/bin/npm '}, deny: No.}\n",
            "guards/g.yaml:1:33 program-folder: a program in `event.program` has no folder, so `/usr/bin/git` is never there\n\
             guards/g.yaml:2:63 program-folder: a program in `event.program` has no folder, so `./rm` is never there\n\
             guards/g.yaml:3:60 program-folder: a program in `event.line` has no folder, so `./deploy prod` is never there\n\
             guards/g.yaml:4:61 program-folder: a program in `event.programs` has no folder, so `/bin/sh` is never there\n\
             guards/g.yaml:5:56 program-folder: a program in `event.line` has no folder, so `^/usr/bin/npm ` is never there",
        );
    }

    #[test]
    fn a_folder_elsewhere_is_left_alone() {
        check(
            "- {id: a, when: {event.line: rm -rf /etc/hosts}, deny: No.}\n\
             - {id: b, when: {path: event.line, op: contains, value: /opt/}, deny: No.}\n\
             - {id: c, when: {path: event.command, op: starts_with, value: ./x}, deny: No.}\n\
             - {id: d, when: {path: event.line, op: matches, value: '^/|x'}, deny: No.}\n",
            "",
        );
    }
}
