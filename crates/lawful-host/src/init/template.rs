//! The templates: small commented lawbooks, embedded in the program.
//!
//! **Invariant:** a template passes `lawful check --deny warnings` and its own scenarios, for every
//! project and harness.

use super::plan::PlannedFile;

/// A lawbook to start from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Template {
    /// Guards, and a stop hook that runs the tests.
    #[default]
    Guard,
    /// A core and personas.
    Crew,
    /// A composition over axes.
    Desk,
    /// Variables, rules and entries.
    Story,
}

/// What stands for the name of the lawbook in a manifest.
const NAME: &str = "__NAME__";

/// The files of a template: paths and texts.
macro_rules! files {
    ($folder:literal: $($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!("templates/", $folder, "/", $path)))),+]
    };
}

const GUARD: &[(&str, &str)] = files!("guard":
    "lawful.yaml",
    "guards/git.yaml",
    "guards/outside.yaml",
    "guards/secrets.yaml",
    "guards/downloads.yaml",
    "scenarios/force-push.yaml",
    "scenarios/files.yaml",
    "scenarios/downloads.yaml",
);

const CREW: &[(&str, &str)] = files!("crew":
    "lawful.yaml",
    "conditioning/core.md",
    "conditioning/lead.md",
    "conditioning/builder.md",
    "conditioning/reviewer.md",
    "guards/roles.yaml",
    "scenarios/roles.yaml",
    "scenarios/reviewer.yaml",
);

const DESK: &[(&str, &str)] = files!("desk":
    "lawful.yaml",
    "compositions/reply.yaml",
    "fragments/persona.md",
    "fragments/tone-warm.md",
    "fragments/tone-terse.md",
    "fragments/limits.md",
    "fragments/priority.md",
    "fragments/task.md",
    "fragments/survey.md",
    "scenarios/reply.yaml",
);

const STORY: &[(&str, &str)] = files!("story":
    "lawful.yaml",
    "compositions/scene.yaml",
    "fragments/storyteller.md",
    "fragments/mechanics.md",
    "rules/cellar.yaml",
    "entries/house.md",
    "entries/cellar.md",
    "scenarios/lamp.yaml",
    "scenarios/dark.yaml",
);

impl Template {
    /// Every template.
    pub const ALL: [Self; 4] = [Self::Guard, Self::Crew, Self::Desk, Self::Story];

    /// Its name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::Crew => "crew",
            Self::Desk => "desk",
            Self::Story => "story",
        }
    }

    /// Its files, the manifest first, for a lawbook of this name.
    pub(super) fn files(self, name: &str) -> Vec<PlannedFile> {
        let files = match self {
            Self::Guard => GUARD,
            Self::Crew => CREW,
            Self::Desk => DESK,
            Self::Story => STORY,
        };
        let file = |(path, text): &(&str, &str)| PlannedFile {
            path: (*path).to_owned(),
            text: text.replace(NAME, name),
        };
        files.iter().map(file).collect()
    }
}
