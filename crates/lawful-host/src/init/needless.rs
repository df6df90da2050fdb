//! Fitting a template to imported permissions: what they decide, the template need not.

use lawful::syntax::{Diagnostic, Sources};

use super::plan::PlannedFile;

/// Guards of the template that an imported permission includes: after `deny: [Bash]`, no other guard on
/// shell lines is needed.
#[derive(Default)]
pub(super) struct Needless {
    /// The files of the guards, and the lines with their ids.
    guards: Vec<(String, String)>,
    /// Those that stay, because something else uses a part of them.
    tried: Vec<(String, String)>,
    /// How many are left out without errors.
    settled: usize,
}

impl Needless {
    /// Adds the guard that a warning is about; says whether there is one.
    pub(super) fn add(
        &mut self,
        warning: &Diagnostic,
        sources: &Sources,
        files: &[PlannedFile],
    ) -> bool {
        if warning.code.name != "useless-guard" {
            return false;
        }
        if self.guards.len() > self.settled {
            // What used a part of the others may be gone now.
            self.settled = self.guards.len();
            self.tried.clear();
        }
        let Some((file, position)) = sources.locate(warning.span) else { return false };
        if !files.iter().any(|known| known.path == file.name()) {
            return false;
        }
        let Some(line) = file.text().lines().nth(position.line.saturating_sub(1)) else {
            return false;
        };
        let guard = (file.name().to_owned(), line.to_owned());
        let is_new = line.starts_with("- id: ")
            && !self.guards.contains(&guard)
            && !self.tried.contains(&guard);
        if is_new {
            self.guards.push(guard);
        }
        is_new
    }

    /// Takes back the last guard, because the lawbook has errors without it; says whether there is one.
    pub(super) fn take_back(&mut self) -> bool {
        let last = self.guards.pop();
        let is_some = last.is_some();
        self.tried.extend(last);
        is_some
    }

    /// The files without the guards.
    pub(super) fn taken_from(&self, files: Vec<PlannedFile>) -> Vec<PlannedFile> {
        let mut left = Vec::new();
        for mut file in files {
            let of_file = self.guards.iter().filter(|(path, _)| *path == file.path);
            let ids: Vec<&str> = of_file.map(|(_, line)| &**line).collect();
            if !ids.is_empty() {
                let has_id = |block: &&str| block.lines().any(|line| ids.contains(&line));
                let kept: Vec<&str> =
                    file.text.split("\n\n").filter(|block| !has_id(block)).collect();
                file.text = kept.join("\n\n").trim_end().to_owned() + "\n";
            }
            if file.path.starts_with("scenarios/") {
                // The permission decides there now.
                for (_, line) in &self.guards {
                    let id = line.trim_start_matches("- id: ");
                    file.text = file.text.replace(&format!(", by: [{id}]}}"), "}");
                }
            }
            if ids.is_empty() || file.text.contains("- id: ") {
                left.push(file);
            }
        }
        left
    }
}

/// A scenario that expects another decision on a line, or the same one by any guard.
pub(super) fn expecting(scenario: &str, line: usize, decision: Option<&str>) -> String {
    let rewritten = (1..).zip(scenario.lines()).map(|(number, text)| {
        let written = text.split_once("expect: {decision: ").filter(|_| number == line);
        let Some((before, expected)) = written else { return text.to_owned() };
        let known = expected.split([',', '}']).next().unwrap_or_default();
        let decision = decision.unwrap_or(known);
        format!("{before}expect: {{decision: {decision}}}  # as the imported permissions say")
    });
    rewritten.collect::<Vec<String>>().join("\n") + "\n"
}
