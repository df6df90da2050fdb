//! `lawful schema [NAME]`

use lawful::schema::{document, documents, output};
use lawful::syntax::{did_you_mean, escape, nearest};
use lawful::view::{
    AlignReport, Blame, CheckView, Composed, ComposedRole, Diff, Evaluation, GuardDecision,
    ListView, ManyView, MatrixReport, RecordView, Stepped, TestReport, Verification,
};
use lawful_host::Failure;
use lawful_host::decision_log::{Decisions, LoggedDecision};
use lawful_host::deliver::{
    HarnessesView, HooksInstalled, HooksView, KeptFilesView, OperationsView, Proven, RestoredView,
    StatusView,
};
use lawful_host::doctor::Checkup;
use lawful_host::init::InitView;
use lawful_host::live::AllowedCall;
use lawful_host::observe::Observed;
use lawful_host::session::{
    DeletedSession, PendingEffects, Replayed, SessionHead, SessionList, SessionLog, SessionRewound,
    SessionWhyNot, StartedSession, TurnTaken,
};
use lawful_host::trust::TrustView;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::completions::CompletionsView;
use super::explain::{CodeList, CodeView};
use super::trust::RevokedView;
use crate::args::{Format, Schema};
use crate::output::{Answer, HelpView, Report as _, print, print_json};

#[derive(Serialize, JsonSchema)]
struct SchemaList {
    /// Every name.
    schemas: Vec<&'static str>,
}

/// An output: its name, and what makes its schema.
type Output = (&'static str, fn(&str) -> Value);

/// What each command prints with `--format json`. A dot stands before a subcommand, and a dash before
/// what an option makes of the output.
const OUTPUTS: &[Output] = &[
    ("output.align", output::<AlignReport>),
    ("output.allow", output::<AllowedCall>),
    ("output.blame", output::<Blame>),
    ("output.check", output::<CheckView>),
    ("output.completions", output::<CompletionsView>),
    ("output.compose", output::<Composed>),
    ("output.compose-role", output::<ComposedRole>),
    ("output.diff", output::<Diff>),
    ("output.envelope.check", output::<Verification>),
    ("output.envelope.write", output::<Verification>),
    ("output.eval", output::<Evaluation>),
    ("output.explain", output::<CodeView>),
    ("output.explain-list", output::<CodeList>),
    ("output.guard", output::<GuardDecision>),
    ("output.harnesses", output::<HarnessesView>),
    ("output.help", output::<HelpView>),
    ("output.hook.doctor", output::<Checkup>),
    ("output.hook.install", output::<HooksInstalled>),
    ("output.hook.status", output::<HooksView>),
    ("output.hook.uninstall", output::<HooksInstalled>),
    ("output.init", output::<InitView>),
    ("output.install", output::<OperationsView>),
    ("output.list", output::<ListView>),
    ("output.log", output::<Decisions>),
    ("output.log-line", output::<LoggedDecision>),
    ("output.matrix", output::<MatrixReport>),
    ("output.observe", output::<Observed>),
    ("output.prove", output::<Proven>),
    ("output.react", output::<Stepped>),
    ("output.replay", output::<Replayed>),
    ("output.restore", output::<RestoredView>),
    ("output.restore-list", output::<KeptFilesView>),
    ("output.schema-list", output::<SchemaList>),
    ("output.session.delete", output::<DeletedSession>),
    ("output.session.effects", output::<PendingEffects>),
    ("output.session.export", output::<lawful_store::Export>),
    ("output.session.fork", output::<StartedSession>),
    ("output.session.import", output::<StartedSession>),
    ("output.session.list", output::<SessionList>),
    ("output.session.log", output::<SessionLog>),
    ("output.session.new", output::<StartedSession>),
    ("output.session.rewind", output::<SessionRewound>),
    ("output.session.show", output::<SessionHead>),
    ("output.session.turn", output::<TurnTaken>),
    ("output.session.why-not", output::<SessionWhyNot>),
    ("output.status", output::<StatusView>),
    ("output.test", output::<TestReport>),
    ("output.trust", output::<TrustView>),
    ("output.trust-revoke", output::<RevokedView>),
    ("output.uninstall", output::<OperationsView>),
    ("output.verify", output::<Verification>),
    ("output.verify-line", output::<RecordView<'_>>),
    ("output.verify-many", output::<ManyView>),
];

pub(crate) fn run(args: &Schema) -> Answer {
    let Some(name) = &args.name else {
        list(args.output.format);
        return Answer::Yes;
    };
    let found = OUTPUTS.iter().find(|(known, _)| known == name);
    match document(name).or_else(|| found.map(|(name, schema)| schema(name))) {
        Some(schema) => {
            print_json(&schema);
            Answer::Yes
        }
        None => unknown(name, args.output.format),
    }
}

fn names() -> Vec<&'static str> {
    documents().chain(OUTPUTS.iter().map(|(name, _)| *name)).collect()
}

fn list(format: Format) {
    match format {
        Format::Human => print(&(names().join("\n") + "\n")),
        Format::Json => print_json(&SchemaList { schemas: names() }),
    }
}

fn unknown(name: &str, format: Format) -> Answer {
    let message = format!("there is no schema `{}`", escape::name(name));
    let names = names();
    let help = if nearest(name, names.iter().copied()).is_empty() {
        "`lawful schema` lists every name".to_owned()
    } else {
        did_you_mean("schema", name, names.iter().copied())
    };
    Failure::usage(message, help).report(format.is_json())
}
