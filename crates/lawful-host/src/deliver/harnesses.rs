//! The harnesses: what each reads, how strongly, and up to what size.

use lawful::syntax::did_you_mean;
use lawful_deliver::{Form, HARNESSES, Harness, Scope, Surface, meant_by};
use serde::Serialize;

use super::site::named;
use crate::failure::Failure;

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
    /// Its id in requests.
    pub id: &'static str,
    /// Its display name.
    pub name: &'static str,
    /// Whether a stop hook can block its agent.
    pub hook: bool,
    /// What it reads.
    pub surfaces: Vec<SurfaceView>,
}

/// A surface of a harness.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SurfaceView {
    /// `user` or `project`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["user", "project"])))]
    pub scope: &'static str,
    /// Who reads it.
    pub audience: &'static str,
    /// How strongly the harness follows it.
    pub strength: &'static str,
    /// Its path.
    pub path: String,
    /// The form of a prompt there.
    pub form: &'static str,
    /// When it is used.
    pub used: &'static str,
    /// The setting that contains it or enables it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// Its size limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Files that the harness reads instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shadowed_by: Vec<String>,
    /// The day on which the text was last seen to arrive; null if never.
    pub confirmed: Option<&'static str>,
    /// A further note.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub note: &'static str,
}

/// The harnesses with these ids that prompts can be installed for; all if there are none.
pub fn harnesses(ids: &[String]) -> Result<HarnessesView, Failure> {
    let asked = match named(ids)? {
        none if none.is_empty() => HARNESSES.iter().collect(),
        named => named,
    };
    Ok(HarnessesView { harnesses: asked.into_iter().map(harness).collect() })
}

/// The help for an unknown harness, of which only some may be valid.
pub(crate) fn did_you_mean_harness(written: &str, valid: &[&'static str]) -> String {
    let meant = meant_by(written);
    let mut meant = meant.iter().map(|harness| harness.id).filter(|id| valid.contains(id));
    match (meant.next(), meant.next()) {
        (Some(only), None) => format!("did you mean `{only}`?"),
        (Some(_), Some(_)) | (None, _) => did_you_mean("harness", written, valid.iter().copied()),
    }
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
        (Form::Owned(_) | Form::OwnedToml(_) | Form::Block, Some(switch)) => {
            Some(format!("{} in {}", switch.key, switch.place.shown()))
        }
        (Form::Owned(_) | Form::OwnedToml(_) | Form::Block, None) => None,
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
        shadowed_by: surface.shadowed_by.iter().map(lawful_deliver::Place::shown).collect(),
        confirmed: surface.confirmed,
        note: surface.note,
    }
}
