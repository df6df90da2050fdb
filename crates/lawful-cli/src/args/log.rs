//! The arguments of `lawful log` and `lawful allow`.

use clap::{Args, ValueEnum};
use lawful_host::decision_log::DecisionKind;

use super::Output;

/// Show what the hooks decided
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful log --since 2h --decision deny
  lawful log --by no-force-push --format json
  lawful log --follow                  as decisions are made, until interrupted

With `--follow --format json` each decision is one line of JSON.

Exit codes: 0 done, 2 error.")]
pub(crate) struct DecisionLog {
    /// Only sessions whose id contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) session: Option<String>,
    /// Only decisions of this kind
    #[arg(long, value_enum)]
    pub(crate) decision: Option<Kind>,
    /// Only decisions of this guard
    #[arg(long, value_name = "ID")]
    pub(crate) by: Option<String>,
    /// Only decisions since then: a time in UTC such as `2026-11-16T04:15`, or `45s`, `30m`, `2h`, `7d`
    #[arg(long, value_name = "TIME|DURATION")]
    pub(crate) since: Option<String>,
    /// Show new decisions as they are made; without `--since`, only those
    #[arg(long)]
    pub(crate) follow: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Refused.
    Deny,
    /// Left to a person.
    Ask,
    /// Run without a question.
    Allow,
    /// Left to the harness.
    None,
    /// A stop that was blocked.
    Block,
}

impl From<Kind> for DecisionKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Deny => Self::Deny,
            Kind::Ask => Self::Ask,
            Kind::Allow => Self::Allow,
            Kind::None => Self::None,
            Kind::Block => Self::Block,
        }
    }
}

/// Let one denied tool call through
#[derive(Debug, Args)]
#[command(after_help = "\
Shows the call and asks on the terminal. The next call in the same session with the same tool and the
same input runs, if it is made within ten minutes. The answer is logged.

Exit codes: 0 the call is let through, 1 you said no, 2 error, or no terminal.")]
pub(crate) struct Allow {
    /// Id of the decision, as the reason of the denial and `lawful log` show it
    #[arg(value_name = "DECISION-ID")]
    pub(crate) decision: String,
    #[command(flatten)]
    pub(crate) output: Output,
}
