//! How the rows of the table are written: forms of files, and surfaces.

use super::readings::{CLAUDE_SETTINGS, OPENCODE_SETTINGS};
use crate::Scope;
use crate::harness::Audience::{Agents, Main};
use crate::harness::Base::{Config, Home, Moved, Project, Start, System as Machine};
use crate::harness::Front::{Description, Flag, Model, Name, Prompt, Tools, Word};
use crate::harness::Strength::{Developer, Message, Replaces, System};
use crate::harness::{
    Audience, Base, Form, Front, Place, Strength, Surface, Switch, SwitchValue, Syntax, ToolForm,
    Used,
};
use crate::tools;

/// The day of the last run of `cargo xtask e2e`, which checks that the text arrives.
pub(super) const SEEN: Option<&str> = Some("2026-11-16");

pub(super) const CLAUDE: Base = Moved("CLAUDE_CONFIG_DIR", ".claude");
pub(super) const CODEX: Base = Moved("CODEX_HOME", ".codex");
pub(super) const COPILOT: Base = Moved("COPILOT_HOME", ".copilot");
pub(super) const PI: Base = Moved("PI_CODING_AGENT_DIR", ".pi/agent");

pub(super) const NONE: Form = Form::Owned(&[]);
pub(super) const AGENT: Form = Form::Owned(&[("name", Name), ("description", Description)]);
pub(super) const CLAUDE_AGENT: Form = Form::Owned(&[
    ("name", Name),
    ("description", Description),
    ("tools", Tools(ToolForm::Text, tools::CLAUDE_CODE)),
    ("model", Model),
]);
pub(super) const GEMINI_AGENT: Form = Form::Owned(&[
    ("name", Name),
    ("description", Description),
    ("tools", Tools(ToolForm::List, tools::GEMINI_CLI)),
    ("model", Model),
]);
pub(super) const QWEN_AGENT: Form = Form::Owned(&[
    ("name", Name),
    ("description", Description),
    ("tools", Tools(ToolForm::List, tools::QWEN)),
    ("model", Model),
]);
pub(super) const COPILOT_AGENT: Form = Form::Owned(&[
    ("name", Name),
    ("description", Description),
    ("tools", Tools(ToolForm::List, tools::COPILOT)),
    ("model", Model),
]);
pub(super) const CLINE_AGENT: Form = Form::Owned(&[
    ("name", Name),
    ("description", Description),
    ("tools", Tools(ToolForm::List, tools::CLINE)),
    ("modelId", Model),
]);
pub(super) const DEVIN_AGENT: Form = Form::Owned(&[
    ("name", Name),
    ("description", Description),
    ("allowed-tools", Tools(ToolForm::List, tools::DEVIN)),
    ("model", Model),
]);
pub(super) const CURSOR_AGENT: Form =
    Form::Owned(&[("name", Name), ("description", Description), ("model", Model)]);
pub(super) const CODEX_AGENT: Form = Form::OwnedToml(&[
    ("name", Name),
    ("description", Description),
    ("model", Model),
    ("developer_instructions", Prompt),
]);
pub(super) const STYLE: Form = Form::Owned(&[
    ("name", Name),
    ("description", Description),
    ("keep-coding-instructions", Flag(false)),
]);
pub(super) const PRIMARY: Form = Form::Owned(&[
    ("description", Description),
    ("mode", Word("primary")),
    ("permission", Tools(ToolForm::Permissions, tools::OPENCODE)),
    ("model", Model),
]);
pub(super) const SUBAGENT: Form = Form::Owned(&[
    ("description", Description),
    ("mode", Word("subagent")),
    ("permission", Tools(ToolForm::Permissions, tools::OPENCODE)),
    ("model", Model),
]);
pub(super) const ALWAYS_ON: &[(&str, Front)] = &[("trigger", Word("always_on"))];
pub(super) const ALWAYS_APPLIED: &[(&str, Front)] =
    &[("description", Description), ("alwaysApply", Flag(true))];

pub(super) const fn at(base: Base, path: &'static str) -> Place {
    Place { base, path }
}

pub(super) const fn surface(
    audience: Audience,
    strength: Strength,
    place: Place,
    form: Form,
) -> Surface {
    let scope = match place.base {
        Project | Start => Scope::Project,
        Home | Config | Moved(..) | Machine => Scope::User,
    };
    Surface {
        scope,
        audience,
        strength,
        place,
        form,
        used: Used::Always,
        switch: None,
        limit: None,
        shadowed_by: &[],
        reaches_agents: false,
        trusted: false,
        at_start: false,
        alters: &[],
        confirmed: None,
        note: "",
    }
}

pub(super) const fn agents(base: Base, path: &'static str, form: Form) -> Surface {
    Surface {
        note: "the whole prompt of the agent",
        ..surface(Agents, Replaces, at(base, path), form)
    }
}

/// Besides its own instructions, Codex gives an agent these as a developer message.
pub(super) const fn codex_agent(base: Base, path: &'static str) -> Surface {
    Surface {
        trusted: matches!(base, Project),
        ..surface(Agents, Developer, at(base, path), CODEX_AGENT)
    }
}

pub(super) const fn block(base: Base, path: &'static str) -> Surface {
    surface(Main, Message, at(base, path), Form::Block)
}

/// A surface that a real client was seen to read, with this strength.
pub(super) const fn seen(surface: &Surface) -> Surface {
    Surface { confirmed: SEEN, ..*surface }
}

/// A file that a real client was seen to put into its system prompt.
pub(super) const fn in_system(surface: &Surface) -> Surface {
    Surface { strength: System, ..seen(surface) }
}

/// A block that the agents of the harness get too.
pub(super) const fn shared(base: Base, path: &'static str) -> Surface {
    Surface { reaches_agents: true, ..block(base, path) }
}

/// A block in a shared file, if another harness has it there.
pub(super) const fn also(path: &'static str, reaches_agents: bool) -> Surface {
    let note = "if another harness has the text there";
    Surface { used: Used::Shared, reaches_agents, note, ..block(Project, path) }
}

pub(super) const fn by_hand(strength: Strength, place: Place, note: &'static str) -> Surface {
    Surface { used: Used::ByHand, note, ..surface(Main, strength, place, Form::Block) }
}

pub(super) const fn switch(
    place: Place,
    syntax: Syntax,
    key: &'static str,
    value: SwitchValue,
) -> Switch {
    Switch { place, syntax, key, value, or_jsonc: false, order: &[] }
}

pub(super) const fn style(base: Base, path: &'static str, settings: &'static str) -> Surface {
    Surface {
        used: Used::Activated,
        switch: Some(Switch {
            order: CLAUDE_SETTINGS,
            ..switch(at(base, settings), Syntax::Json, "outputStyle", SwitchValue::Name)
        }),
        confirmed: SEEN,
        note: "read by new conversations if `outputStyle` names it",
        ..surface(Main, System, at(base, path), STYLE)
    }
}

pub(super) const fn system_md(
    base: Base,
    path: &'static str,
    env: &'static str,
    key: &'static str,
) -> Surface {
    Surface {
        used: Used::Activated,
        switch: Some(switch(at(base, env), Syntax::Env, key, SwitchValue::Path)),
        trusted: matches!(base, Project),
        confirmed: SEEN,
        note: "replaces the harness's own instructions",
        ..surface(Main, Replaces, at(base, path), NONE)
    }
}

pub(super) const fn developer(base: Base, path: &'static str) -> Surface {
    Surface {
        used: Used::Activated,
        trusted: matches!(base, Project),
        ..surface(
            Main,
            Developer,
            at(base, path),
            Form::Setting(Syntax::Toml, "developer_instructions"),
        )
    }
}

pub(super) const fn primary(base: Base, path: &'static str, settings: &'static str) -> Surface {
    Surface {
        used: Used::Activated,
        switch: Some(Switch {
            or_jsonc: true,
            order: OPENCODE_SETTINGS,
            ..switch(at(base, settings), Syntax::Json, "default_agent", SwitchValue::Name)
        }),
        confirmed: SEEN,
        ..surface(Main, Replaces, at(base, path), PRIMARY)
    }
}
