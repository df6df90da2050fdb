//! `lawful trust`

use std::fmt::Write as _;

use lawful::syntax::escape;
use lawful_host::trust::{Fingerprint, PartChange, Review, Standing};
use lawful_host::{Failure, Workspace, codes};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::Trust;
use crate::output::{Answer, Report as _, ask, has_terminal, print, print_json, print_problems};
use crate::workspace::workspace;

/// `{"book", "trusted": false, "revoked"}`
#[derive(Serialize, JsonSchema)]
pub(crate) struct RevokedView {
    /// The lawbook folder.
    book: String,
    /// Whether it is trusted.
    trusted: bool,
    /// Whether it was trusted before.
    revoked: bool,
}

pub(crate) fn run(args: &Trust) -> Answer {
    let workspace = workspace(args.dir.as_deref());
    let done = if args.revoke { revoke(args, &workspace) } else { trust(args, &workspace) };
    done.unwrap_or_else(|failure| failure.report(args.output.is_json()))
}

fn trust(args: &Trust, workspace: &Workspace) -> Result<Answer, Failure> {
    let expected = args.hash.as_deref().map(fingerprint).transpose()?;
    let review = workspace.review()?;
    if let Some(expected) = expected.filter(|expected| *expected != review.fingerprint) {
        return Err(mismatch(&review, &expected));
    }
    let json = args.output.is_json();
    if !json {
        print_problems(&review.warnings);
        print(&text(&review, args.diff));
    }
    let trusted = match (review.is_trusted(), args.show, args.yes) {
        (true, true, _) => true,
        (true, false, _) => {
            workspace.collect_trust(&review);
            true
        }
        (false, true, _) => false,
        (false, false, true) => register(workspace, &review)?,
        (false, false, false) => asked()? && register(workspace, &review)?,
    };
    if json {
        print_json(&review.view(trusted, args.diff));
    } else if !args.show && !review.is_trusted() {
        print(if trusted { "trusted\n" } else { "nothing was trusted\n" });
    }
    Ok(Answer::of(trusted))
}

fn register(workspace: &Workspace, review: &Review) -> Result<bool, Failure> {
    workspace.trust(review).map(|()| true)
}

/// Asks on the terminal; no is the default.
fn asked() -> Result<bool, Failure> {
    if !has_terminal() {
        let message = "there is no terminal to ask on, and nothing was trusted";
        return Err(Failure::usage(message, "look at `lawful trust --show`, then pass `--yes`"));
    }
    Ok(ask("Let hooks judge by this lawbook?"))
}

fn revoke(args: &Trust, workspace: &Workspace) -> Result<Answer, Failure> {
    let revoked = workspace.revoke_trust()?;
    let book = match workspace.named_book() {
        Some(book) => book.to_owned(),
        None => workspace.folder()?,
    };
    let book = book.display().to_string();
    if args.output.is_json() {
        print_json(&RevokedView { book, trusted: false, revoked });
    } else {
        let said = if revoked { "is no longer trusted" } else { "was not trusted" };
        print(&format!("`{}` {said}\n", escape::line(&book)));
    }
    Ok(Answer::Yes)
}

fn fingerprint(text: &str) -> Result<Fingerprint, Failure> {
    Fingerprint::parse(text).ok_or_else(|| {
        let message = format!("`{}` is not a fingerprint", escape::name(text));
        Failure::usage(message, "write `sha256:` and 64 hexadecimal digits")
    })
}

fn mismatch(review: &Review, expected: &Fingerprint) -> Failure {
    let message = format!("the lawbook has the fingerprint {}, not {expected}", review.fingerprint);
    let problem = lawful::syntax::Diagnostic::new(
        &codes::TRUST_MISMATCH,
        lawful::syntax::Span::NONE,
        message,
    );
    Failure::of(problem.help("see what changed with `lawful trust --show`"))
}

/// What a person decides on.
fn text(review: &Review, diffs: bool) -> String {
    let book = review.book.display().to_string();
    let mut out = format!("lawbook     {}\n", escape::line(&book));
    let _ = writeln!(out, "fingerprint {}", review.fingerprint);
    let folder =
        |folder: &std::path::Path| escape::line(&folder.display().to_string()).into_owned();
    let standing = match &review.standing {
        Standing::Trusted => "trusted, and unchanged since".to_owned(),
        Standing::Pinned => {
            "trusted by `LAWFUL_LAW` or the administrator of this machine".to_owned()
        }
        Standing::Excluded => {
            "not trusted: `LAWFUL_LAW` or the administrator of this machine trusts other content"
                .to_owned()
        }
        Standing::Changed => "trusted, and changed since".to_owned(),
        Standing::Older => {
            "trusted, and changed since: it was trusted earlier, before the current one".to_owned()
        }
        Standing::Elsewhere(other) => {
            format!("not trusted here; you trusted the same content in `{}`", folder(other))
        }
        Standing::OlderElsewhere(other) => {
            format!("not trusted here; you trusted a newer version in `{}`", folder(other))
        }
        Standing::New => "not trusted".to_owned(),
    };
    let _ = writeln!(out, "state       {standing}");
    for part in &review.parts {
        out.push_str(&part_line(part));
    }
    for file in &review.files {
        let _ = writeln!(out, "{:9}{}", file.change.name(), escape::line(&file.path));
        if diffs {
            out.push_str(&review.diff(&file.path).for_people());
        }
    }
    out
}

fn part_line(part: &PartChange) -> String {
    let (change, kind) = (part.change.name(), part.kind.name());
    let runs =
        part.runs.as_ref().map_or_else(String::new, |runs| format!(" runs {}", escape::line(runs)));
    format!("{change:9}{kind} `{}`{runs}\n", escape::name(&part.name))
}
