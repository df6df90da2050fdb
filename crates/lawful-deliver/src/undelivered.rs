//! What a harness does not get of what a persona says of its agent.

use lawful::live::Action;
use lawful::syntax::escape;

use crate::agent_file::{Subject, tools_of};
use crate::finding::Finding;
use crate::harness::{Front, Harness, Surface};
use crate::{RolePrompt, code};

/// What is lost on a surface: keys that it has no place for, and tools that the harness does not
/// have. Without its last tool a role is not delivered, because it could use every tool then.
pub(crate) fn findings(harness: &Harness, surface: &Surface, prompt: &RolePrompt) -> Vec<Finding> {
    let mut found = keys(harness, surface, prompt);
    found.extend(tools(harness, surface, prompt));
    found
}

/// The codes that report it.
pub(crate) fn is_undelivered(finding: &Finding) -> bool {
    [&code::UNDELIVERED_ROLE, &code::UNDELIVERED_KEY, &code::UNDELIVERED_TOOL]
        .contains(&finding.code)
}

fn keys(harness: &Harness, surface: &Surface, prompt: &RolePrompt) -> Vec<Finding> {
    let (front, agent) = (surface.form.front(), &prompt.agent);
    let carries = |is: fn(Front) -> bool| front.iter().any(|(_, known)| is(*known));
    let is_tools = |front| matches!(front, Front::Tools(..));
    let general = [
        ("description", agent.description.is_some(), carries(|front| front == Front::Description)),
        ("tools", agent.tools.is_some(), carries(is_tools)),
        ("model", agent.model.is_some(), carries(|front| front == Front::Model)),
    ];
    let general = general.into_iter().filter(|(_, is_set, carried)| *is_set && !carried);
    let own = agent.of_harness(harness.id).filter(|_| front.is_empty());
    let lost = general.map(|(key, ..)| key).chain(own.map(|own| &*own.name));
    let (id, role) = (harness.id, escape::name(&prompt.role));
    let finding = |key: &str| {
        let message = format!("`{id}` does not get `{}` of the role `{role}`", escape::name(key));
        let help = if key == "tools" {
            "the role can use every tool there; restrict it in the settings of the harness"
        } else {
            "set it in the harness, or leave the key out of the persona"
        };
        Finding::new(&code::UNDELIVERED_KEY, None, message, help)
    };
    lost.map(finding).collect()
}

fn tools(harness: &Harness, surface: &Surface, prompt: &RolePrompt) -> Vec<Finding> {
    let (id, role) = (harness.id, escape::name(&prompt.role));
    let subject = Subject { harness: id, book: "", role: &prompt.role, agent: &prompt.agent };
    let Some(tools) = tools_of(surface.form, &subject) else { return Vec::new() };
    if tools.names.is_empty() {
        let message = format!("`{id}` has no tool for anything that the role `{role}` may use");
        let help = "name a tool of the harness in `tools`, or leave the harness out";
        return vec![Finding::new(&code::CANNOT_DELIVER, None, message, help)];
    }
    let lost = tools.lost.iter().map(|action| {
        let action = action.name();
        let message = format!("`{id}` has no tool for `{action}`, which the role `{role}` may use");
        let help = "the role is delivered without it; name a tool of the harness, if it has one";
        Finding::new(&code::UNDELIVERED_TOOL, None, message, help)
    });
    let foreign = tools.foreign.iter().map(|(tool, action)| {
        let tool = escape::name(tool);
        let message = format!("`{id}` has no tool `{tool}`, which the role `{role}` may use");
        let help = match action {
            Action::Other | Action::Mcp => {
                format!("name the tools of this harness in `harness: {{{id}: …}}`")
            }
            Action::Shell
            | Action::Read
            | Action::Write
            | Action::Edit
            | Action::Search
            | Action::Fetch
            | Action::Agent => {
                format!("write `{}`, which Lawful translates for each harness", action.name())
            }
        };
        Finding::new(&code::UNDELIVERED_TOOL, None, message, help)
    });
    lost.chain(foreign).collect()
}
