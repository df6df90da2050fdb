//! What goes to standard output and standard error, and the exit code.
//!
//! **Invariant:** with `--format json`, standard output is exactly one JSON document. If the reader
//! closes the pipe early, the program exits without an error.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;

use lawful::Diagnostics;
use lawful::code;
use lawful::syntax::render::{Style, human, to_json, write_json};
use lawful::syntax::{Diagnostic, Sources, Span, escape};
use lawful::view::CheckView;
pub(crate) use lawful_host::Answer;
use lawful_host::Failure;
use schemars::JsonSchema;
use serde::Serialize;

/// The exit code of an answer.
pub(crate) fn exit_code(answer: Answer) -> ExitCode {
    match answer {
        Answer::Yes => ExitCode::SUCCESS,
        Answer::No => ExitCode::from(1),
        Answer::Undecided => ExitCode::from(2),
    }
}

/// Reports why a command has no result.
pub(crate) trait Report {
    /// Prints the problems, as one JSON document or as text on standard error.
    fn report(&self, json: bool) -> Answer;
}

impl Report for Failure {
    fn report(&self, json: bool) -> Answer {
        if json {
            print_json(&CheckView::from(&self.diagnostics()));
        } else {
            print_error(&diagnostics(&self.problems, &self.sources, stderr_style()));
        }
        self.answer
    }
}

/// Prints the problems of a result as text.
pub(crate) fn print_problems(problems: &Diagnostics) {
    print_error(&problems.render(stderr_style()));
}

/// Prints the warnings of a prompt, except that a `forbid` had nothing to remove: that is what a
/// guard is for, and the trace has it.
pub(crate) fn print_warnings(warnings: &Diagnostics) {
    let shown = warnings.iter().filter(|one| one.code.name != "forbid-missing").cloned().collect();
    print_problems(&Diagnostics::in_order(shown, warnings.sources().clone()));
}

/// Writes to standard output.
pub(crate) fn print(text: &str) {
    let _: ControlFlow<()> = print_bytes(text.as_bytes());
}

/// Writes bytes to standard output; `Break` if the reader closed the pipe.
pub(crate) fn print_bytes(bytes: &[u8]) -> ControlFlow<()> {
    written(|out| out.write_all(bytes))
}

/// Writes to standard output what `write` writes; `Break` if the reader closed the pipe.
pub(crate) fn written(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> ControlFlow<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => ControlFlow::Continue(()),
        // The reader closed the pipe early, such as `head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ControlFlow::Break(()),
        Err(error) => {
            print_error(&format!("error: cannot write the output: {error}\n"));
            std::process::exit(2);
        }
    }
}

/// Writes one JSON document to standard output without keeping its text.
pub(crate) fn stream_json<T: Serialize>(value: &T) {
    let _: ControlFlow<()> = written(|out| {
        write_json(value, out).map_err(io::Error::from)?;
        out.write_all(b"\n")
    });
}

/// A value from outside on one line, escaped and cut.
pub(crate) fn one_line(text: &str) -> String {
    escape::line(&shortened(text)).into_owned()
}

/// A value from outside, cut.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    /// How many characters of a value are shown.
    const MOST: usize = 2_000;
    escape::shorten(text, MOST)
}

/// Writes to standard error.
pub(crate) fn print_error(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Whether there is a terminal to ask on.
pub(crate) fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks a question on the terminal; no is the default.
pub(crate) fn ask(question: &str) -> bool {
    print_error(&format!("{question} [y/N] "));
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

/// Writes one JSON document to standard output.
pub(crate) fn print_json<T: Serialize>(value: &T) {
    match to_json(value) {
        Ok(text) => print(&(text + "\n")),
        Err(error) => {
            print_error(&format!("error: cannot write the output: {error}\n"));
            std::process::exit(2);
        }
    }
}

/// The style of standard output: colours only on a terminal, and only if the user allows them.
pub(crate) fn stdout_style() -> Style {
    style(io::stdout().is_terminal())
}

/// The style of standard error.
pub(crate) fn stderr_style() -> Style {
    style(io::stderr().is_terminal())
}

/// The maximal width of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// The width of the terminal.
    Columns(usize),
    /// A pipe or a file: lines are not wrapped.
    Unbounded,
}

/// The width of standard output.
pub(crate) fn stdout_width() -> Width {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    match (io::stdout().is_terminal(), columns) {
        (true, Some(columns)) => Width::Columns(columns),
        (true, None) => terminal_size::terminal_size()
            .map_or(Width::Columns(80), |(width, _)| Width::Columns(width.0.into())),
        (false, _) => Width::Unbounded,
    }
}

fn style(terminal: bool) -> Style {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    if terminal && !unwanted { Style::Colour } else { Style::Plain }
}

/// The help of a command.
#[derive(Serialize, JsonSchema)]
pub(crate) struct HelpView {
    /// The text.
    help: String,
}

/// Answers an invalid command line, or a request for help.
pub(crate) fn usage(error: &clap::Error) -> Answer {
    use clap::error::ErrorKind;
    let asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if !json_wanted() {
        let _ = error.print();
    } else if asked_for {
        print_json(&HelpView { help: error.render().to_string() });
    } else {
        let text = error.render().to_string();
        // The first paragraph is the error; the usage follows.
        let said: Vec<&str> =
            text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        let said = said.join(" ");
        let message = said.strip_prefix("error: ").unwrap_or(&said);
        let problem = Diagnostic::new(&code::USAGE, Span::NONE, message)
            .help("see `lawful --help`, or `lawful COMMAND --help`");
        print_json(&CheckView::from(&Diagnostics::new(vec![problem], Arc::default())));
    }
    if asked_for { Answer::Yes } else { Answer::Undecided }
}

/// Whether the command line asks for JSON; a guess, because it did not parse.
fn json_wanted() -> bool {
    let words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    words.windows(2).any(|pair| pair == ["--format", "json"])
        || words.iter().any(|word| word == "--format=json")
}

/// Prints diagnostics as text.
pub(crate) fn diagnostics(problems: &[Diagnostic], sources: &Sources, style: Style) -> String {
    human(problems, sources, style)
}
