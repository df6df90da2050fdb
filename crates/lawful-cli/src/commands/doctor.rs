//! `lawful hook doctor`

use std::fmt::Write as _;

use lawful::syntax::escape;
use lawful_host::deliver::hook_harnesses;
use lawful_host::doctor::Checkup;

use crate::args::HookDoctor;
use crate::output::{Answer, Report as _, print, print_json};
use crate::workspace::workspace;

pub(super) fn run(harnesses: &[String], args: &HookDoctor) -> Answer {
    let json = args.output.is_json();
    let checkup = hook_harnesses(harnesses).and_then(|named| workspace(None).hook_doctor(&named));
    match checkup {
        Ok(checkup) => {
            if json {
                print_json(&checkup);
            } else {
                print(&text(&checkup));
            }
            checkup.answer()
        }
        Err(failure) => failure.report(json),
    }
}

pub(super) fn text(checkup: &Checkup) -> String {
    if checkup.harnesses.is_empty() {
        return "no hook is installed; run `lawful hook install --harness NAME`\n".to_owned();
    }
    let mut out = String::new();
    for harness in &checkup.harnesses {
        let _ = writeln!(out, "{}", harness.id);
        for check in &harness.checks {
            let ok = if check.ok { "ok" } else { "open" };
            let detail = escape::line(&check.detail);
            let _ = writeln!(out, "  {ok:4}  {:9}  {detail}", check.check.name());
        }
    }
    out
}
