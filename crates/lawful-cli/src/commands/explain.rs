//! `lawful explain [CODE]`

use lawful::syntax::{Code, did_you_mean, nearest};
use lawful_host::{Failure, codes};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::{Explain, Format};
use crate::output::{Answer, Report as _, print, print_json};

/// A code of diagnostics.
#[derive(Serialize, JsonSchema)]
pub(super) struct CodeView {
    /// Its name.
    code: &'static str,
    /// `error` or `warning`.
    severity: &'static str,
    /// What it means, in one line.
    summary: &'static str,
    /// Its documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<&'static str>,
}

/// Every code.
#[derive(Serialize, JsonSchema)]
pub(super) struct CodeList {
    /// The codes, without their documentation.
    codes: Vec<CodeView>,
}

pub(crate) fn run(args: &Explain) -> Answer {
    let Some(name) = &args.code else {
        list(args.output.format);
        return Answer::Yes;
    };
    let Some(code) = codes::find(name) else { return unknown(name, args.output.format) };
    match args.output.format {
        Format::Human => {
            let heading = format!("{}[{}]: {}", code.severity.name(), code.name, code.summary);
            print(&format!("{heading}\n\n{}\n", code.details));
        }
        Format::Json => print_json(&view(code, Some(code.details))),
    }
    Answer::Yes
}

fn view(code: &'static Code, details: Option<&'static str>) -> CodeView {
    let severity = code.severity.name();
    CodeView { code: code.name, severity, summary: code.summary, details }
}

fn list(format: Format) {
    let codes = codes::all();
    match format {
        Format::Human => {
            let width = codes.iter().map(|code| code.name.len()).max().unwrap_or(0);
            let line = |code: &&Code| {
                let severity = code.severity.name();
                format!("{:width$}  {severity:7}  {}\n", code.name, code.summary)
            };
            print(&codes.iter().map(line).collect::<String>());
        }
        Format::Json => {
            let codes = codes.into_iter().map(|code| view(code, None)).collect();
            print_json(&CodeList { codes });
        }
    }
}

fn unknown(name: &str, format: Format) -> Answer {
    let message = format!("unknown code `{}`", lawful::syntax::escape::name(name));
    let names: Vec<&str> = codes::all().iter().map(|code| code.name).collect();
    let help = if nearest(name, names.iter().copied()).is_empty() {
        "`lawful explain` lists every code".to_owned()
    } else {
        did_you_mean("code", name, names.iter().copied())
    };
    Failure::usage(message, help).report(format.is_json())
}
