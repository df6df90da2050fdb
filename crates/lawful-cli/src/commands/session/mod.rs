//! `lawful session`: steps of a session, stored in a file.

mod text;

use std::fmt::Write as _;

use lawful::syntax::escape;
use lawful_host::Failure;
use lawful_host::session::{RewindResult, Sessions, TurnRequest, TurnResult};
use lawful_store::Summary;

use crate::args::{
    Effects, Export, Format, List, Log, New, Place, Rewind, SessionCommand, Show, Turn, Verb,
};
use crate::output::{Answer, Report as _, print, print_json, print_problems};
use crate::workspace::workspace;

pub(super) use text::request_line;

pub(crate) fn run(args: &SessionCommand) -> Answer {
    let (answer, format) = match &args.verb {
        Verb::New(args) => (new(args), args.place.output.format),
        Verb::Turn(args) => (turn(args), args.place.output.format),
        Verb::Show(args) => (show(args), args.place.output.format),
        Verb::Log(args) => (log(args), args.place.output.format),
        Verb::List(args) => (list(args), args.place.output.format),
        Verb::Rewind(args) => (rewind(args), args.place.output.format),
        Verb::Effects(args) => (effects(args), args.place.output.format),
        Verb::Export(args) => (export(args), args.place.output.format),
    };
    answer.unwrap_or_else(|failure| failure.report(format.is_json()))
}

fn open(place: &Place) -> Result<Sessions, Failure> {
    let workspace = workspace(place.book.dir());
    workspace.sessions(&workspace.session_file(place.db.file())?)
}

fn new(args: &New) -> Result<Answer, Failure> {
    let workspace = workspace(args.place.book.dir());
    let book = workspace.lawbook_for(lawful::Verb::React)?;
    let file = workspace.session_file(args.place.db.file())?;
    let sessions = workspace.create_sessions(&file)?;
    let started = sessions.start(&book, args.session.clone())?;
    match args.place.output.format {
        Format::Human => {
            print_problems(&started.diagnostics);
            let name = escape::line(&started.session);
            print(&format!("session {name}, version {}\n", started.version));
        }
        Format::Json => print_json(&started),
    }
    Ok(Answer::Yes)
}

fn turn(args: &Turn) -> Result<Answer, Failure> {
    let book = workspace(args.place.book.dir()).lawbook_for(lawful::Verb::React)?;
    let request = TurnRequest {
        key: args.key.clone(),
        expect: args.expect,
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
    let head = open(&args.place)?.show(&args.session)?;
    match args.place.output.format {
        Format::Human => print(&text::head(&head.session, head.version, &head.state)),
        Format::Json => print_json(&head),
    }
    Ok(Answer::Yes)
}

fn log(args: &Log) -> Result<Answer, Failure> {
    let log = open(&args.place)?.log(&args.session)?;
    match args.place.output.format {
        Format::Human => print(&text::log(&log)),
        Format::Json => print_json(&log),
    }
    Ok(Answer::Yes)
}

fn list(args: &List) -> Result<Answer, Failure> {
    let list = open(&args.place)?.list()?;
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
    let rewound = open(&args.place)?.rewind(&args.session, args.to, args.expect)?;
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
    let pending = open(&args.place)?.effects(&args.session, &args.ack)?;
    match args.place.output.format {
        Format::Human => print(&text::effects(&pending)),
        Format::Json => print_json(&pending),
    }
    Ok(Answer::Yes)
}

/// The output is a JSON document in every format, because it is for programs.
fn export(args: &Export) -> Result<Answer, Failure> {
    print_json(&open(&args.place)?.export(&args.session)?);
    Ok(Answer::Yes)
}
