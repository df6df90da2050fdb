//! Runs the commands in the documentation and compares their output.
//!
//! In a `console` block, a line that starts with `$ ` is a command, and the lines below it are its
//! output, including standard error. Without lines, any output is allowed. A line `...` stands for
//! any number of lines. A last line `[EXIT n]` is the exit code; default: 0.
//!
//! Commands run in the folder of the page. Those of a tutorial, and those of a block that is marked
//! `console scratch`, run in an empty folder that the page has to itself. There, `cd` lasts, and a
//! block that is marked `file=PATH` is written to that file. Every page has an empty home, so no
//! command reads or changes the files of the person who runs this.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::diff::diff;
use crate::workspace::{Failure, Result, build_programs, failed, root, target_folder, text_files};

/// The only command that is never run, because it runs this check.
const RUNNING: &str = "cargo xtask ci";

/// Runs every command of `README.md`, `examples/*/README.md` and `docs/`, or of the given pages.
pub(crate) fn run(pages: &[String]) -> Result {
    let root = root();
    let mut work: Vec<(String, PathBuf, Vec<Block>)> = Vec::new();
    let wanted = |path: &String| pages.is_empty() || pages.contains(path);
    for file in text_files()?.into_iter().filter(|file| wanted(&file.path)) {
        let Some(folder) = folder_of(&file.path).map(|folder| root.join(folder)) else { continue };
        let tutorial = is_tutorial(&file.path);
        let blocks: Vec<Block> = blocks(&file.text)
            .into_iter()
            .map(|block| Block { scratch: block.scratch || tutorial, ..block })
            .collect();
        if blocks.iter().any(|block| matches!(block.content, Content::Commands(_))) {
            work.push((file.path, folder, blocks));
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
    for (path, folder, blocks) in &work {
        let mut stage = Stage::new(folder)?;
        for block in blocks {
            match &block.content {
                Content::File(file, text) if block.scratch => stage.write(file, text)?,
                Content::File(..) => {
                    let problem = format!("{path}: a block with `file=` needs a scratch folder");
                    return Err(Failure::Failed(problem));
                }
                Content::Commands(examples) => {
                    for example in examples.iter().filter(|example| example.command != RUNNING) {
                        println!("{path}:{}: $ {}", example.line, example.command);
                        if let Some(problem) = stage.check(example, block.scratch)? {
                            println!("{problem}");
                            wrong += 1;
                        }
                    }
                }
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

/// Whether a page is followed from an empty folder.
fn is_tutorial(path: &str) -> bool {
    path.strip_prefix("docs/").is_some_and(|page| page.starts_with("tutorial-"))
}

/// A fenced block that matters here.
struct Block {
    /// Whether it belongs to the scratch folder of its page.
    scratch: bool,
    content: Content,
}

enum Content {
    Commands(Vec<Example>),
    /// A file and its text.
    File(String, String),
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

/// The blocks of a page that are commands or files.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut fence: Option<Fence> = None;
    let mut lines: Vec<(usize, &str)> = Vec::new();
    for (at, line) in page.lines().enumerate() {
        match &fence {
            None => fence = Fence::opened_by(line),
            Some(current) if current.closed_by(line) => {
                blocks.extend(current.block(&lines));
                lines.clear();
                fence = None;
            }
            Some(current) => lines.push((at + 1, current.without_indent(line))),
        }
    }
    blocks
}

/// The commands of a block.
fn examples(lines: &[(usize, &str)]) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for (at, line) in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            let command = command.trim().to_owned();
            examples.push(Example { line: *at, command, output: None, exit: 0 });
        } else if let Some(example) = examples.last_mut() {
            example.output.get_or_insert_default().push(line.trim_end().to_owned());
        }
    }
    examples.into_iter().map(Example::finished).collect()
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
    /// What stands after the mark.
    info: String,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let text = line.trim_start();
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let rest = text.trim_start_matches(mark);
        let length = text.len() - rest.len();
        let info = rest.trim().to_owned();
        // Backticks after the fence make it inline code.
        if length < 3 || (mark == '`' && info.contains('`')) {
            return None;
        }
        Some(Self { mark, length, indent: line.len() - text.len(), info })
    }

    /// The block of these lines, if it is one of commands or a file.
    fn block(&self, lines: &[(usize, &str)]) -> Option<Block> {
        let mut words = self.info.split_whitespace();
        if words.next()? == "console" {
            let scratch = words.any(|word| word == "scratch");
            return Some(Block { scratch, content: Content::Commands(examples(lines)) });
        }
        let file = words.find_map(|word| word.strip_prefix("file="))?.to_owned();
        let text = lines.iter().flat_map(|(_, line)| [line, "\n"]).collect();
        Some(Block { scratch: true, content: Content::File(file, text) })
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

/// Where the commands of a page run.
struct Stage {
    /// The folder of the page.
    folder: PathBuf,
    /// A new folder with the scratch folder, the home, and where a command left off.
    own: PathBuf,
    /// Where the next command of the scratch folder runs.
    scratch: PathBuf,
    path: OsString,
}

impl Stage {
    fn new(folder: &Path) -> Result<Self> {
        static STAGES: AtomicUsize = AtomicUsize::new(0);
        let number = STAGES.fetch_add(1, Ordering::Relaxed);
        let name = format!("lawful-documentation-{}-{number}", std::process::id());
        let own = env::temp_dir().join(name);
        let scratch = own.join("scratch");
        if own.exists() {
            fs::remove_dir_all(&own).map_err(|error| failed(own.display(), error))?;
        }
        for made in [&scratch, &own.join("home")] {
            fs::create_dir_all(made).map_err(|error| failed(made.display(), error))?;
        }
        let mut path = target_folder().join("debug").into_os_string();
        if let Some(rest) = env::var_os("PATH") {
            path.push(":");
            path.push(rest);
        }
        Ok(Self { folder: folder.to_owned(), own, scratch, path })
    }

    fn write(&self, file: &str, text: &str) -> Result {
        let file = self.scratch.join(file);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(|error| failed(folder.display(), error))?;
        }
        fs::write(&file, text).map_err(|error| failed(file.display(), error))
    }

    /// Runs a command; returns the differences from the expectation, if any.
    fn check(&mut self, example: &Example, scratch: bool) -> Result<Option<String>> {
        let left_off = self.own.join("left-off");
        let script =
            format!("exec 2>&1\n{}\nset -- $?\npwd > \"$LEFT_OFF\"\nexit $1", example.command);
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).current_dir(if scratch {
            &self.scratch
        } else {
            &self.folder
        });
        // Cargo and rustup live in the real home.
        if let Some(home) = env::home_dir() {
            for (variable, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
                if env::var_os(variable).is_none() {
                    command.env(variable, home.join(folder));
                }
            }
        }
        for variable in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(variable);
        }
        let output = command
            .env("HOME", self.own.join("home"))
            .env("LEFT_OFF", &left_off)
            .env("PATH", &self.path)
            .env("NO_COLOR", "1")
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| failed(format!("`{}`", example.command), error))?;
        if let (true, Ok(folder)) = (scratch, fs::read_to_string(&left_off)) {
            self.scratch = PathBuf::from(folder.trim_end());
        }
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(compare(example, &text, output.status.code()))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A temporary folder that cannot be removed is no reason to fail.
        let _ = fs::remove_dir_all(&self.own);
    }
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
