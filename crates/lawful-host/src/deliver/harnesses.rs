//! The harnesses: what each reads, how strongly, and how much of it.

use lawful_deliver::{Form, HARNESSES, Harness, Scope, Surface};
use serde::Serialize;

/// `{"harnesses": […]}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HarnessesView {
    /// Every harness.
    pub harnesses: Vec<HarnessView>,
}

/// `{"id", "name", "hook", "surfaces"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HarnessView {
    /// What it is called in requests.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// Whether its stop can be held.
    pub hook: bool,
    /// What it reads.
    pub surfaces: Vec<SurfaceView>,
}

/// One place that a harness reads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SurfaceView {
    /// `user` or `project`.
    pub scope: &'static str,
    /// Who reads it.
    pub audience: &'static str,
    /// How strongly it is followed.
    pub strength: &'static str,
    /// Where it is.
    pub path: String,
    /// How a prompt is written there.
    pub form: &'static str,
    /// When it is used.
    pub used: &'static str,
    /// The setting that holds it or turns it on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// How much of it is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Files that are read in its place.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub shadowed_by: &'static [&'static str],
    /// A day, or `unconfirmed`.
    pub confirmed: &'static str,
    /// What else there is to know.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub note: &'static str,
}

/// Every harness that prompts can be installed for.
pub fn harnesses() -> HarnessesView {
    HarnessesView { harnesses: HARNESSES.iter().map(harness).collect() }
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
