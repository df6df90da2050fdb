//! `lawful harnesses`

use std::fmt::Write as _;

use lawful_deliver::{Form, HARNESSES, Harness, Scope, Surface};
use serde::Serialize;

use crate::args::{Format, Harnesses};
use crate::output::{Answer, print, print_json};

/// `{"harnesses": […]}`
#[derive(Serialize)]
struct View {
    harnesses: Vec<HarnessView>,
}

#[derive(Serialize)]
struct HarnessView {
    id: &'static str,
    name: &'static str,
    /// Whether its stop can be held.
    hook: bool,
    surfaces: Vec<SurfaceView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SurfaceView {
    scope: &'static str,
    audience: &'static str,
    strength: &'static str,
    path: String,
    form: &'static str,
    used: &'static str,
    /// The setting that holds it or turns it on.
    #[serde(skip_serializing_if = "Option::is_none")]
    setting: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    shadowed_by: &'static [&'static str],
    /// A day, or `unconfirmed`.
    confirmed: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'static str,
}

pub(crate) fn run(args: &Harnesses) -> Answer {
    match args.format {
        Format::Human => print(&table()),
        Format::Json => {
            print_json(&View { harnesses: HARNESSES.iter().map(harness).collect() });
        }
    }
    Answer::Yes
}

fn harness(harness: &'static Harness) -> HarnessView {
    HarnessView {
        id: harness.id,
        name: harness.name,
        hook: harness.hook().is_some(),
        surfaces: harness.surfaces.iter().map(surface).collect(),
    }
}

fn surface(surface: &'static Surface) -> SurfaceView {
    let setting = match (surface.form, surface.switch) {
        (Form::Setting(_, key), _) => Some(key.to_owned()),
        (Form::Owned(_) | Form::Block, Some(switch)) => {
            Some(format!("{} in {}", switch.key, switch.place.shown()))
        }
        (Form::Owned(_) | Form::Block, None) => None,
    };
    SurfaceView {
        scope: match surface.scope {
            Scope::User => "user",
            Scope::Project => "project",
        },
        audience: surface.audience.name(),
        strength: surface.strength.name(),
        path: surface.place.shown(),
        form: surface.form.name(),
        used: surface.used.name(),
        setting,
        limit: surface.limit.map(lawful_deliver::Limit::shown),
        shadowed_by: surface.shadowed_by,
        confirmed: surface.confirmed.unwrap_or("unconfirmed"),
        note: surface.note,
    }
}

/// One line for each surface, under its harness.
fn table() -> String {
    let mut out = String::new();
    for one in HARNESSES.iter().map(harness) {
        let _ = writeln!(out, "{} ({})", one.id, one.name);
        for row in one.surfaces {
            let mut notes: Vec<String> = vec![row.confirmed.to_owned(), row.used.to_owned()];
            notes.extend(row.setting);
            notes.extend(row.limit.map(|limit| format!("at most {limit}")));
            if !row.shadowed_by.is_empty() {
                notes.push(format!("shadowed by {}", row.shadowed_by.join(", ")));
            }
            notes.extend((!row.note.is_empty()).then(|| row.note.to_owned()));
            let (scope, audience, strength) = (row.scope, row.audience, row.strength);
            let (path, notes) = (row.path, notes.join("; "));
            let _ = writeln!(out, "  {scope:8}{audience:7}{strength:10}{path:46}  {notes}");
        }
    }
    out
}
