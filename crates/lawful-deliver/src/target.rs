//! Targets: the prompts of a lawbook on the surfaces of a harness.

use std::path::{Path, PathBuf};

use crate::agent_file::Subject;
use crate::delivery::{Delivered, RoleDelivery};
use crate::finding::Finding;
use crate::harness::{Audience, Form, Harness, Place, Surface, SwitchValue, Syntax};
use crate::place::{Located, Places};
use crate::text::with_plain_lines;
use crate::{Prompts, RolePrompt, Scope, Strength, code, keys, owned, undelivered};

/// One thing that should be in one file.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) harness: &'static Harness,
    pub(crate) role: String,
    pub(crate) at: Located,
    /// The path as ledgers store it and output shows it.
    pub(crate) shown: String,
    pub(crate) what: What,
    /// Another file to use if it exists and this one does not.
    pub(crate) instead: Option<PathBuf>,
    /// If one of these files exists, this one is not read. Each with its shown path.
    pub(crate) shadows: Vec<(Located, String)>,
    /// How it reaches the model.
    pub(crate) strength: Strength,
    /// The setting that must name it before the harness reads it.
    pub(crate) enabled_by: Option<Box<Target>>,
}

/// What should be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// This file, owned by Lawful.
    Owned { file: String },
    /// This text in a block.
    Block { text: String },
    /// This value under a key.
    Key { syntax: Syntax, key: &'static str, value: String, use_of: KeyUse },
}

/// The purpose of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyUse {
    /// It contains the prompt.
    Prompt,
    /// It enables a file.
    Switch,
}

/// The harness, and how to install for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) scope: Scope,
    /// The requested roles; `None` for all.
    pub(crate) roles: Option<&'a [String]>,
    /// Whether settings can be changed and prompts of the harness replaced.
    pub(crate) active: bool,
}

/// Every target of a harness.
pub(crate) fn targets(
    prompts: &Prompts,
    harness: &'static Harness,
    ask: Ask<'_>,
    places: &Places,
    findings: &mut Vec<Finding>,
) -> Vec<Target> {
    let mut targets = Vec::new();
    let mut nowhere: Vec<Finding> = Vec::new();
    for prompt in &prompts.roles {
        if ask.roles.is_some_and(|roles| !roles.contains(&prompt.role)) {
            continue;
        }
        let is_main = prompt.role == prompts.main;
        let audience = if is_main { Audience::Main } else { Audience::Agents };
        let Some(surface) = harness.surface(ask.scope, audience, ask.active) else {
            nowhere.push(no_surface(harness, ask.scope, &prompt.role, is_main));
            continue;
        };
        findings.extend(undelivered::findings(harness, surface, prompt));
        let layout = Layout { prompts, harness, places, scope: ask.scope, role: &prompt.role };
        let file = layout.file(surface, prompt);
        let switch = file.as_ref().and_then(|file| file.enabled_by.as_deref().cloned());
        targets.extend(file);
        targets.extend(switch.filter(|_| ask.active));
    }
    // A request for roles of which none can be delivered is not a request for nothing.
    if targets.is_empty() && ask.roles.is_some() {
        for finding in &mut nowhere {
            finding.code = &code::NO_PLACE_FOR_ROLE;
            "request the main role, or leave this harness out".clone_into(&mut finding.help);
        }
    }
    findings.extend(nowhere);
    targets
}

/// Which roles reach a harness through its targets, when the files are as `now` says.
pub(crate) fn deliveries(
    prompts: &Prompts,
    harness: &'static Harness,
    roles: Option<&[String]>,
    targets: &[Target],
    now: &impl Fn(&Path) -> Option<String>,
) -> Vec<RoleDelivery> {
    let is_selected = |role: &String| roles.is_none_or(|roles| roles.contains(role));
    let delivery = |role: &String| {
        let is_its = |target: &&Target| {
            target.harness.id == harness.id && target.role == *role && !target.is_switch()
        };
        let target = targets.iter().find(is_its);
        let state = match target {
            Some(target) if target.is_enabled(now) => Delivered::Active,
            Some(_) => Delivered::Inactive,
            None if is_selected(role) => Delivered::NoSurface,
            None => Delivered::Unselected,
        };
        let surface = target.map(|target| (target.shown.clone(), target.strength));
        RoleDelivery { harness: harness.id.to_owned(), role: role.clone(), state, surface }
    };
    prompts.roles.iter().map(|prompt| delivery(&prompt.role)).collect()
}

fn no_surface(harness: &Harness, scope: Scope, role: &str, is_main: bool) -> Finding {
    let whose = match scope {
        Scope::User => "of a user",
        Scope::Project => "of a project",
    };
    let (id, role) = (harness.id, lawful::syntax::escape::name(role));
    let (code, message) = if is_main {
        (&code::NO_SURFACE, format!("`{id}` reads no file {whose} for the main conversation"))
    } else {
        let message = format!("`{id}` reads no file {whose} for an agent such as `{role}`");
        (&code::UNDELIVERED_ROLE, message)
    };
    Finding::new(code, None, message, "`lawful harnesses` lists the surfaces")
}

struct Layout<'a> {
    prompts: &'a Prompts,
    harness: &'static Harness,
    places: &'a Places,
    scope: Scope,
    role: &'a str,
}

impl Layout<'_> {
    fn file(&self, surface: &'static Surface, prompt: &RolePrompt) -> Option<Target> {
        let text = &*prompt.text;
        let what = match surface.form {
            Form::Owned(_) | Form::OwnedToml(_) => {
                let (harness, agent) = (self.harness.id, &prompt.agent);
                let book = &self.prompts.id();
                let subject = Subject { harness, book, role: self.role, agent };
                What::Owned { file: owned::render(surface.form, &subject, text) }
            }
            Form::Block => What::Block { text: text.to_owned() },
            Form::Setting(syntax, key) => {
                What::Key { syntax, key, value: text.to_owned(), use_of: KeyUse::Prompt }
            }
        };
        let target = self.target(surface, surface.place, what)?;
        let shadows = surface.shadowed_by.iter().filter_map(|name| {
            let folder = target.at.path.parent()?;
            // Inside a project the path is relative to its root, elsewhere to the file.
            let path = match self.scope {
                Scope::Project => self.places.project().join(name),
                Scope::User => folder.join(name),
            };
            let shown = self.places.shown(self.scope, &path);
            Some((Located { path, root: target.at.root.clone() }, shown))
        });
        let shadows = shadows.collect();
        let enabled_by = self.switch(surface).map(Box::new);
        Some(Target { shadows, enabled_by, ..target })
    }

    fn switch(&self, surface: &'static Surface) -> Option<Target> {
        let switch = surface.switch?;
        let value = match switch.value {
            SwitchValue::Name => format!("lawful-{}", self.role),
            SwitchValue::Path => match self.scope {
                // Relative to the root of the project, so that it is the same for everyone.
                Scope::Project => surface.place.path.to_owned(),
                Scope::User => self.located(surface.place)?.path.to_string_lossy().into_owned(),
            },
        };
        let (syntax, key) = (switch.syntax, switch.key);
        let what = What::Key { syntax, key, value, use_of: KeyUse::Switch };
        let target = self.target(surface, switch.place, what)?;
        // A user with `settings.jsonc` does not want a `settings.json` next to it.
        let instead = switch.or_jsonc.then(|| target.at.path.with_extension("jsonc"));
        Some(Target { instead, ..target })
    }

    fn target(&self, surface: &Surface, place: Place, what: What) -> Option<Target> {
        let at = self.located(place)?;
        let shown = self.places.shown(self.scope, &at.path);
        let (harness, role) = (self.harness, self.role.to_owned());
        Some(Target {
            harness,
            role,
            at,
            shown,
            what,
            instead: None,
            shadows: Vec::new(),
            strength: surface.strength,
            enabled_by: None,
        })
    }

    fn located(&self, place: Place) -> Option<Located> {
        self.places.locate(place, self.role)
    }
}

impl Target {
    /// Whether it is a setting that enables a file.
    pub(crate) fn is_switch(&self) -> bool {
        matches!(self.what, What::Key { use_of: KeyUse::Switch, .. })
    }

    /// Whether the harness reads it, when the files are as `now` says.
    pub(crate) fn is_enabled(&self, now: &impl Fn(&Path) -> Option<String>) -> bool {
        let Some(switch) = &self.enabled_by else { return true };
        let What::Key { syntax, key, value, .. } = &switch.what else { return true };
        let file = now(&switch.at.path).unwrap_or_default();
        let held = keys::get(*syntax, &file, key).ok().flatten().and_then(|held| held.text);
        held.is_some_and(|text| with_plain_lines(&text) == *value)
    }

    /// The key of a settings file, if it is one.
    pub(crate) fn key(&self) -> Option<&'static str> {
        match &self.what {
            What::Key { key, .. } => Some(key),
            What::Owned { .. } | What::Block { .. } => None,
        }
    }
}
