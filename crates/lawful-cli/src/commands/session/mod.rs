//! `lawful session`: steps of a session, stored in a file.

mod text;

use std::fmt::Write as _;

use lawful::syntax::escape;
use lawful_host::Failure;
use lawful_host::session::{
    LogRange, RewindResult, Sessions, StartedSession, TurnRequest, TurnResult,
};
use lawful_store::Summary;

use crate::args::{
    Delete, Effects, Export, Fork, Format, Import, List, Live, Log, New, Place, Rewind,
    SessionCommand, Show, Turn, Verb, WhyNot,
};
use crate::output::{Answer, Report as _, print, print_json, print_problems, stream_json};
use crate::workspace::workspace;

pub(super) use text::request_line;

pub(crate) fn run(args: &SessionCommand) -> Answer {
    let (answer, format) = match &args.verb {
        Verb::New(args) => (new(args), args.place.output.format),
        Verb::Turn(args) => (turn(args), args.place.output.format),
        Verb::Show(args) => (show(args), args.place.output.format),
        Verb::Log(args) => (log(args), args.place.output.format),
        Verb::WhyNot(args) => (why_not(args), args.place.output.format),
        Verb::List(args) => (list(args), args.place.output.format),
        Verb::Rewind(args) => (rewind(args), args.place.output.format),
        Verb::Effects(args) => (effects(args), args.place.output.format),
        Verb::Fork(args) => (fork(args), args.place.output.format),
        Verb::Export(args) => (export(args), args.place.output.format),
        Verb::Import(args) => (import(args), args.place.output.format),
        Verb::Delete(args) => (delete(args), args.place.output.format),
    };
    answer.unwrap_or_else(|failure| failure.report(format.is_json()))
}

fn open(place: &Place) -> Result<Sessions, Failure> {
    let workspace = workspace(place.book.dir());
    workspace.sessions(&workspace.session_file(place.db.file())?)
}

/// For commands that change nothing: the file may be read-only.
fn read(place: &Place) -> Result<Sessions, Failure> {
    let workspace = workspace(place.book.dir());
    workspace.read_sessions(&workspace.session_file(place.db.file())?)
}

/// The same for commands that also show the sessions of harnesses.
fn read_or_live(place: &Place, live: &Live) -> Result<Sessions, Failure> {
    if live.is_live { workspace(None).live_sessions() } else { read(place) }
}

fn new(args: &New) -> Result<Answer, Failure> {
    let workspace = workspace(args.place.book.dir());
    let book = workspace.lawbook_for(lawful::Verb::React)?;
    let file = workspace.session_file(args.place.db.file())?;
    let sessions = workspace.create_sessions(&file)?;
    let started = sessions.start(&book, args.session.clone())?;
    Ok(print_started(&started, args.place.output.format))
}

fn print_started(started: &StartedSession, format: Format) -> Answer {
    match format {
        Format::Human => {
            print_problems(&started.diagnostics);
            let name = escape::line(&started.session);
            print(&format!("session {name}, version {}\n", started.version));
        }
        Format::Json => print_json(started),
    }
    Answer::Yes
}

fn turn(args: &Turn) -> Result<Answer, Failure> {
    let book = workspace(args.place.book.dir()).lawbook_for(lawful::Verb::React)?;
    let request = TurnRequest {
        key: args.key.clone(),
        expect: args.expect,
        strict: args.strict,
        why_not: args.why_not,
        ..TurnRequest::from_file(&args.session, &args.input, &book)?
    };
    let taken = open(&args.place)?.turn(&book, &request)?;
    match (args.place.output.format, taken.result) {
        (Format::Json, _) => print_json(&taken),
        (Format::Human, TurnResult::Conflict) => {
            print(&text::conflict(&taken.session, taken.version, args.expect));
        }
        (Format::Human, TurnResult::Committed | TurnResult::Duplicate) => {
            print_problems(&taken.problems);
            print(&text::turn(&taken));
        }
    }
    Ok(taken.answer())
}

fn show(args: &Show) -> Result<Answer, Failure> {
    let head = read_or_live(&args.place, &args.live)?.show(&args.session)?;
    match args.place.output.format {
        Format::Human => print(&text::head(&head.session, head.version, &head.state)),
        Format::Json => print_json(&head),
    }
    Ok(Answer::Yes)
}

fn log(args: &Log) -> Result<Answer, Failure> {
    let range = LogRange { after: args.after, turn: args.turn };
    let sessions = read_or_live(&args.place, &args.live)?;
    match args.place.output.format {
        Format::Human => print(&text::log(&sessions, &args.session, range)?),
        Format::Json => stream_json(&sessions.log_document(&args.session, range)?),
    }
    Ok(Answer::Yes)
}

fn why_not(args: &WhyNot) -> Result<Answer, Failure> {
    let found = read_or_live(&args.place, &args.live)?.why_not(&args.session, args.version)?;
    match args.place.output.format {
        Format::Human => print(&text::why_not(&found)),
        Format::Json => print_json(&found),
    }
    Ok(Answer::Yes)
}

fn list(args: &List) -> Result<Answer, Failure> {
    let list = read_or_live(&args.place, &args.live)?.list()?;
    match args.place.output.format {
        Format::Human => {
            let mut out = String::new();
            for session in &list.sessions {
                let Summary { version, turn, branch, pending, .. } = session;
                let name = escape::line(&session.session);
                let _ = write!(out, "{name}  version {version}, turn {turn}");
                let _ = writeln!(out, ", rewinds: {branch}, pending effects: {pending}");
            }
            print(if list.sessions.is_empty() { "no sessions\n" } else { &out });
        }
        Format::Json => print_json(&list),
    }
    Ok(Answer::Yes)
}

fn rewind(args: &Rewind) -> Result<Answer, Failure> {
    let sessions = open(&args.place)?;
    let rewound = match (args.target.to, args.target.to_version) {
        (Some(turn), _) => sessions.rewind(&args.session, turn, args.expect)?,
        (None, version) => {
            sessions.rewind_to_version(&args.session, version.unwrap_or_default(), args.expect)?
        }
    };
    match (args.place.output.format, rewound.result) {
        (Format::Json, _) => print_json(&rewound),
        (Format::Human, RewindResult::Rewound) => print(&text::rewound(&rewound)),
        (Format::Human, RewindResult::Conflict) => {
            print(&text::conflict(&rewound.session, rewound.version, args.expect));
        }
    }
    Ok(rewound.answer())
}

fn effects(args: &Effects) -> Result<Answer, Failure> {
    let reads = args.ack.is_empty();
    let sessions = if reads { read(&args.place)? } else { open(&args.place)? };
    let pending = sessions.effects(&args.session, &args.ack)?;
    match args.place.output.format {
        Format::Human => print(&text::effects(&pending)),
        Format::Json => print_json(&pending),
    }
    Ok(Answer::Yes)
}

/// The output is a JSON document in every format, because it is for programs.
fn export(args: &Export) -> Result<Answer, Failure> {
    print_json(&read(&args.place)?.export(&args.session)?);
    Ok(Answer::Yes)
}

fn fork(args: &Fork) -> Result<Answer, Failure> {
    let forked = open(&args.place)?.fork(&args.session, &args.name, args.at)?;
    Ok(print_started(&forked, args.place.output.format))
}

fn import(args: &Import) -> Result<Answer, Failure> {
    let workspace = workspace(args.place.book.dir());
    let file = workspace.session_file(args.place.db.file())?;
    let sessions = workspace.create_sessions(&file)?;
    let imported = sessions.import_file(&args.file, args.name.as_deref())?;
    Ok(print_started(&imported, args.place.output.format))
}

fn delete(args: &Delete) -> Result<Answer, Failure> {
    let name = escape::line(&args.session);
    if !args.yes {
        let message =
            format!("session `{name}` was not deleted: a deleted session cannot be restored");
        return Err(Failure::usage(message, "pass `--yes` to delete it"));
    }
    let deleted = open(&args.place)?.delete(&args.session)?;
    match args.place.output.format {
        Format::Human => {
            let lost = match deleted.lost_effects {
                0 => String::new(),
                lost => format!(
                    ", with {} that no host performed",
                    escape::count(lost, "pending effect")
                ),
            };
            print(&format!("session {name} deleted{lost}\n"));
        }
        Format::Json => print_json(&deleted),
    }
    Ok(Answer::Yes)
}
