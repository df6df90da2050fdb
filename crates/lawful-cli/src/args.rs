//! The arguments of every command.

mod check;
mod compose;
mod deliver;
mod guard;
mod hook;
mod init;
mod list;
mod log;
mod observe;
mod prove;
mod react;
mod schema;
mod session;
mod shared;
mod test;
mod trust;
mod verify;

use std::ffi::OsString;

use clap::{Parser, Subcommand};

pub(crate) use check::{Check, Completions, Deny, Eval, Explain, GraphLanguage};
pub(crate) use compose::{Align, AlignDeny, Blame, Compose, Detail, Diff, Matrix, PromptFormat};
pub(crate) use deliver::{Harnesses, Install, Restore, Status, Uninstall};
pub(crate) use guard::Guard;
pub(crate) use hook::{Hook, HookAction, HookDoctor, HookEvent, HookStatus};
pub(crate) use init::Init;
pub(crate) use list::List as ListBook;
pub(crate) use log::{Allow, DecisionLog};
pub(crate) use observe::Observe;
pub(crate) use prove::{Prove, ProveInside};
pub(crate) use react::React;
pub(crate) use schema::Schema;
pub(crate) use session::{
    Delete, Effects, Export, Fork, Import, List, Live, Log, New, Place, Replay, Rewind,
    SessionCommand, Show, Turn, Verb, WhyNot,
};
pub(crate) use shared::{
    Book, Context, Db, Format, Output, PromptSession, ReportFormat, ReportOutput, Scope, Scopes,
    VerdictFormat, VerdictOutput, Watch,
};
pub(crate) use test::{Gap, Test, TestFormat};
pub(crate) use trust::Trust;
pub(crate) use verify::{
    EnvelopeArgs, EnvelopeCheck, EnvelopeCommand, EnvelopeLaw, EnvelopeWrite, Verify,
};

/// One rule system for AI agents: compose their prompts, react between their turns, verify their
/// work, and explain every decision.
#[derive(Debug, Parser)]
#[command(name = "lawful", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Parses arguments, of which the first is the name of the program.
    ///
    /// A harness runs `lawful hook` at every tool call, and describing every command to the parser takes
    /// longer than answering. So a hook is first parsed as if there were no other command. Whatever is
    /// not accepted that way is parsed in full, for the same errors and the same help.
    pub(crate) fn read(words: impl Iterator<Item = OsString>) -> Result<Self, clap::Error> {
        let words: Vec<OsString> = words.collect();
        if words.get(1).is_some_and(|word| word == "hook")
            && let Ok(HookCli { command: OnlyHook::Hook(hook) }) = HookCli::try_parse_from(&words)
        {
            return Ok(Self { command: Command::Hook(hook) });
        }
        Self::try_parse_from(words)
    }
}

/// The command line as a hook needs it.
#[derive(Debug, Parser)]
#[command(name = "lawful")]
struct HookCli {
    #[command(subcommand)]
    command: OnlyHook,
}

#[derive(Debug, Subcommand)]
enum OnlyHook {
    Hook(Hook),
}

const EXIT_CODES: &str = "\
Exit codes: 0 yes, 1 no, 2 could not decide.
With `--format json` standard output is one JSON document for every exit code.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(Init),
    Check(Check),
    Test(Test),
    List(ListBook),
    Eval(Eval),
    Compose(Compose),
    Blame(Blame),
    Diff(Diff),
    Matrix(Matrix),
    Align(Align),
    Verify(Verify),
    Envelope(EnvelopeArgs),
    Install(Install),
    Status(Status),
    Uninstall(Uninstall),
    Prove(Prove),
    #[command(hide = true)]
    ProveInside(ProveInside),
    Restore(Restore),
    Harnesses(Harnesses),
    Observe(Observe),
    Hook(Hook),
    Guard(Guard),
    Log(DecisionLog),
    Allow(Allow),
    Trust(Trust),
    React(React),
    Session(SessionCommand),
    Replay(Replay),
    Explain(Explain),
    Schema(Schema),
    Completions(Completions),
}

#[cfg(test)]
mod tests;
