//! `lawful allow DECISION-ID`

use std::io::{self, BufRead as _, IsTerminal as _};

use lawful_host::Failure;

use super::log::line;
use crate::args::Allow;
use crate::output::{Answer, Report as _, print, print_error, print_json};
use crate::workspace::workspace;

pub(crate) fn run(args: &Allow) -> Answer {
    let json = args.output.is_json();
    ask(args, json).unwrap_or_else(|failure| failure.report(json))
}

fn ask(args: &Allow, json: bool) -> Result<Answer, Failure> {
    let workspace = workspace(None);
    // An agent that runs this command has no terminal.
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let message = "there is no terminal to ask on";
        return Err(Failure::usage(message, "run `lawful allow` yourself, in a terminal"));
    }
    let denied = workspace.denied_call(&args.decision)?;
    print_error(&line(&denied.decision));
    print_error("Let this call through once? [y/N] ");
    let mut said = String::new();
    // Anything but a clear yes is a no.
    let read = io::stdin().lock().read_line(&mut said);
    let yes = read.is_ok() && ["y", "yes"].contains(&&*said.trim().to_lowercase());
    let allowed = workspace.answer_denied_call(&denied, yes)?;
    if json {
        print_json(&allowed);
    } else if let Some(expires) = &allowed.expires {
        print(&format!("the next such call runs, if it is made before {expires}\n"));
    } else {
        print("the call stays denied\n");
    }
    Ok(allowed.answer())
}
