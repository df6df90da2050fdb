//! Targets: the prompts of a lawbook on the surfaces of a harness.
//!
//! The file of an agent has the whole prompt, unless the harness gives its agents the core with the
//! text of the main conversation. Then it has the persona alone: the core contract holds for what
//! the model gets in all, and there the core is once.

use std::path::{Path, PathBuf};

use crate::agent_file::Subject;
use crate::choose::{Chooser, Wish, altering};
use crate::delivery::{Delivered, RoleDelivery};
use crate::finding::Finding;
use crate::harness::{Audience, Form, Harness, Place, Surface, SwitchValue, Syntax};
use crate::place::{Located, Places};
use crate::{Prompts, RolePrompt, Scope, code, owned, undelivered};

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
    /// The surface that it is on.
    pub(crate) surface: &'static Surface,
    /// The text of the role in it, without front matter and markers.
    pub(crate) text: String,
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
    chooser: &Chooser<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<Target> {
    let mut targets = Vec::new();
    let mut nowhere: Vec<Finding> = Vec::new();
    let is_selected = |role: &String| ask.roles.is_none_or(|roles| roles.contains(role));
    let main = prompts.roles.iter().find(|prompt| prompt.role == prompts.main);
    let main = main.filter(|prompt| is_selected(&prompt.role)).and_then(|prompt| {
        let (role, text, active) = (&*prompt.role, &*prompt.text, ask.active);
        chooser.main(&Wish { harness, role, text, active })
    });
    let has_core = agents_have_core(prompts, harness, chooser, main.as_ref().map(|m| m.surface));
    for prompt in prompts.roles.iter().filter(|prompt| is_selected(&prompt.role)) {
        let is_main = prompt.role == prompts.main;
        let layout = Layout { prompts, harness, chooser, scope: ask.scope, role: &prompt.role };
        let of_agents = || harness.candidates(ask.scope, Audience::Agents, ask.active).next();
        let surface = if is_main { main.as_ref().map(|m| m.surface) } else { of_agents() };
        let Some(surface) = surface else {
            nowhere.push(no_surface(harness, ask.scope, &prompt.role, is_main));
            continue;
        };
        if let Some(choice) = main.as_ref().filter(|_| is_main) {
            findings.extend(choice.findings.iter().cloned());
        }
        findings.extend(undelivered::findings(harness, surface, prompt));
        let text = match prompt.persona(&prompts.core) {
            Some(persona) if !is_main && has_core => persona,
            Some(_) | None => &*prompt.text,
        };
        let Some(file) = layout.file(surface, prompt, text) else { continue };
        if !is_main {
            findings.extend(altering(harness, surface, text, &file.shown));
        }
        let switch = layout.switch(surface, text).filter(|_| ask.active);
        targets.push(file);
        targets.extend(switch);
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

/// Whether the agents of a harness get the core with the text of the main conversation.
fn agents_have_core(
    prompts: &Prompts,
    harness: &'static Harness,
    chooser: &Chooser<'_>,
    main: Option<&'static Surface>,
) -> bool {
    if let Some(main) = main {
        return main.reaches_agents;
    }
    let leaves = |path: &Path| chooser.leaves(path);
    chooser.reading(harness, &prompts.main, |reader| reader.agents_have(&prompts.core, leaves))
}

/// Which roles reach a harness through its targets.
pub(crate) fn deliveries(
    prompts: &Prompts,
    harness: &'static Harness,
    roles: Option<&[String]>,
    targets: &[Target],
    is_read: &impl Fn(&Target) -> bool,
) -> Vec<RoleDelivery> {
    let is_selected = |role: &String| roles.is_none_or(|roles| roles.contains(role));
    let delivery = |role: &String| {
        let is_its = |target: &&Target| {
            target.harness.id == harness.id && target.role == *role && !target.is_switch()
        };
        let target = targets.iter().find(is_its);
        let state = match target {
            Some(target) if is_read(target) => Delivered::Active,
            Some(_) => Delivered::Inactive,
            None if is_selected(role) => Delivered::NoSurface,
            None => Delivered::Unselected,
        };
        let surface = target.map(|target| (target.shown.clone(), target.surface.strength));
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
    chooser: &'a Chooser<'a>,
    scope: Scope,
    role: &'a str,
}

impl Layout<'_> {
    fn file(&self, surface: &'static Surface, prompt: &RolePrompt, text: &str) -> Option<Target> {
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
        self.target(surface, surface.place, what, text)
    }

    fn switch(&self, surface: &'static Surface, text: &str) -> Option<Target> {
        let switch = surface.switch?;
        let value = match switch.value {
            SwitchValue::Name => format!("lawful-{}", self.role),
            SwitchValue::Path => self.located(surface.place)?.path.to_string_lossy().into_owned(),
        };
        let (syntax, key) = (switch.syntax, switch.key);
        let what = What::Key { syntax, key, value, use_of: KeyUse::Switch };
        let target = self.target(surface, switch.place, what, text)?;
        // A user with `settings.jsonc` does not want a `settings.json` next to it.
        let instead = switch.or_jsonc.then(|| target.at.path.with_extension("jsonc"));
        Some(Target { instead, ..target })
    }

    fn target(
        &self,
        surface: &'static Surface,
        place: Place,
        what: What,
        text: &str,
    ) -> Option<Target> {
        let at = self.located(place)?;
        let shown = self.places().shown(self.scope, &at.path);
        let (harness, role, text) = (self.harness, self.role.to_owned(), text.to_owned());
        Some(Target { harness, role, at, shown, what, instead: None, surface, text })
    }

    fn located(&self, place: Place) -> Option<Located> {
        self.places().locate(place, self.role)
    }

    fn places(&self) -> &Places {
        self.chooser.places
    }
}

impl Target {
    /// Whether it is a setting that enables a file.
    pub(crate) fn is_switch(&self) -> bool {
        matches!(self.what, What::Key { use_of: KeyUse::Switch, .. })
    }

    /// The key of a settings file, if it is one.
    pub(crate) fn key(&self) -> Option<&'static str> {
        match &self.what {
            What::Key { key, .. } => Some(key),
            What::Owned { .. } | What::Block { .. } => None,
        }
    }
}
