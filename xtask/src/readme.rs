//! Runs the commands in the documentation and compares their output.
//!
//! In a `console` block, a line that starts with `$ ` is a command, and the lines below it are its
//! output, including standard error. Without lines, any output is allowed. A line `...` stands for
//! any number of lines. A last line `[EXIT n]` is the exit code; default: 0.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::diff::diff;
use crate::workspace::{Failure, Result, build_programs, failed, root, target_folder, text_files};

/// The only command that is never run, because it runs this check.
const RUNNING: &str = "cargo xtask ci";

/// Runs every command of `README.md`, `examples/*/README.md` and `docs/`, or of the given pages.
pub(crate) fn run(pages: &[String]) -> Result {
    let root = root();
    let mut work: Vec<(String, PathBuf, Vec<Example>)> = Vec::new();
    let wanted = |path: &String| pages.is_empty() || pages.contains(path);
    for file in text_files()?.into_iter().filter(|file| wanted(&file.path)) {
        let Some(folder) = folder_of(&file.path) else { continue };
        let examples = examples(&file.text);
        if !examples.is_empty() {
            let folder = root.join(folder);
            work.push((file.path, folder, examples));
        }
    }
    if let Some(page) = pages.iter().find(|page| work.iter().all(|(path, ..)| path != *page)) {
        return Err(Failure::Usage(format!("no commands in `{page}`")));
    }
    if work.is_empty() {
        println!("no commands in the documentation");
        return Ok(());
    }
    build_programs()?;
    let mut wrong = 0;
    for (path, folder, examples) in &work {
        for example in examples.iter().filter(|example| example.command != RUNNING) {
            println!("{path}:{}: $ {}", example.line, example.command);
            if let Some(problem) = check(example, folder)? {
                println!("{problem}");
                wrong += 1;
            }
        }
    }
    match wrong {
        0 => Ok(()),
        1 => Err(Failure::Failed("one command does not match its documentation".to_owned())),
        _ => Err(Failure::Failed(format!("{wrong} commands do not match their documentation"))),
    }
}

/// The folder in which the commands of a page run; `None` if the page is not run.
fn folder_of(path: &str) -> Option<&str> {
    match path.split('/').collect::<Vec<_>>().as_slice() {
        ["README.md"] => Some(""),
        ["examples", _, "README.md"] => path.strip_suffix("/README.md"),
        ["docs", .., page] if Path::new(page).extension().is_some_and(|end| end == "md") => {
            Some("")
        }
        _ => None,
    }
}

/// A command and its expected output.
#[derive(Debug, PartialEq, Eq)]
struct Example {
    /// Its line, from 1.
    line: usize,
    command: String,
    /// `None` if the output does not matter.
    output: Option<Vec<String>>,
    exit: i32,
}

/// The commands of a page.
fn examples(page: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut fence: Option<Fence> = None;
    let mut open: Option<Example> = None;
    for (at, line) in page.lines().enumerate() {
        let Some(current) = &fence else {
            fence = Fence::opened_by(line);
            continue;
        };
        if current.closed_by(line) {
            examples.extend(open.take().map(Example::finished));
            fence = None;
        } else if current.console {
            let line = current.without_indent(line);
            if let Some(command) = line.strip_prefix("$ ") {
                examples.extend(open.take().map(Example::finished));
                let command = command.trim().to_owned();
                open = Some(Example { line: at + 1, command, output: None, exit: 0 });
            } else if let Some(example) = &mut open {
                example.output.get_or_insert_default().push(line.trim_end().to_owned());
            }
        }
    }
    examples.extend(open.map(Example::finished));
    examples
}

impl Example {
    /// Removes the exit code and empty lines from the end of the output.
    fn finished(mut self) -> Self {
        let mut lines = self.output.take().unwrap_or_default();
        drop_empty_end(&mut lines);
        let exit = lines.last().and_then(|line| {
            line.strip_prefix("[EXIT ")?.strip_suffix(']')?.trim().parse::<i32>().ok()
        });
        if let Some(exit) = exit {
            self.exit = exit;
            lines.pop();
            drop_empty_end(&mut lines);
        }
        self.output = (!lines.is_empty()).then_some(lines);
        self
    }
}

fn drop_empty_end(lines: &mut Vec<String>) {
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
}

/// A fenced block of Markdown.
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
    console: bool,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let text = line.trim_start();
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let rest = text.trim_start_matches(mark);
        let length = text.len() - rest.len();
        let info = rest.trim();
        // Backticks after the fence make it inline code.
        if length < 3 || (mark == '`' && info.contains('`')) {
            return None;
        }
        let console = info.split_whitespace().next() == Some("console");
        Some(Self { mark, length, indent: line.len() - text.len(), console })
    }

    fn closed_by(&self, line: &str) -> bool {
        let text = line.trim();
        text.len() >= self.length && text.chars().all(|c| c == self.mark)
    }

    fn without_indent<'l>(&self, line: &'l str) -> &'l str {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        line.get(spaces.min(self.indent)..).unwrap_or(line)
    }
}

/// Runs a command; returns the differences from the expectation, if any.
fn check(example: &Example, folder: &Path) -> Result<Option<String>> {
    let mut path = target_folder().join("debug").into_os_string();
    if let Some(rest) = env::var_os("PATH") {
        path.push(":");
        path.push(rest);
    }
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("exec 2>&1\n{}", example.command))
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| failed(format!("`{}`", example.command), error))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(compare(example, &text, output.status.code()))
}

fn compare(example: &Example, text: &str, exit: Option<i32>) -> Option<String> {
    let mut found: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    drop_empty_end(&mut found);
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    let difference = example.output.as_ref().and_then(|expected| {
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        diff(&expected, &found)
    });
    let mut problem = String::new();
    if exit != Some(example.exit) {
        let code = exit.map_or_else(|| "a signal".to_owned(), |code| code.to_string());
        problem = format!("  it should exit with {} and exits with {code}\n", example.exit);
        if difference.is_none() {
            problem.extend(found.iter().map(|line| format!("  | {line}\n")));
        }
    }
    if let Some(difference) = difference {
        problem.push_str("  it should print (-) and prints (+):\n");
        problem.extend(difference.lines().map(|line| format!("  {line}\n")));
    }
    (!problem.is_empty()).then(|| problem.trim_end().to_owned())
}

#[cfg(test)]
mod tests;
