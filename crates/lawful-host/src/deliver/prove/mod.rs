//! `lawful prove`: what the model of an installed client really receives.
//!
//! The client is started once, on a copy of what the harness table names, against a stub of its
//! model. What it sends is compared with what the table promises for what is installed.
//!
//! **Invariants:** the project and the home are only read. The client gets no credential, no
//! variable of the user but a few harmless ones, and no setting that could run a program. A proof is
//! made only of requests that the client sent.

mod copy;
mod inside;
mod more;
mod run;
mod verdict;
mod view;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lawful::syntax::{did_you_mean, escape};
use lawful::tokens::Tokenizer;
use lawful_deliver::{
    HARNESSES, Harness, OsDisk, Promise, Prompts, Scope, named_files, named_folders, persona,
    promises,
};
use lawful_prove::{CLIENTS, Client, Subject};

pub use inside::prove_inside;
pub use view::{
    CoreArrival, HarnessProof, PersonaArrival, ProofProblem, ProofText, Proven, RoleProof,
};

use super::site::{Site, named, prompts};
use crate::failure::Failure;
use crate::workspace::Workspace;
use copy::Copied;
use run::{Job, Recording};

/// What to prove.
#[derive(Clone, Debug)]
pub struct ProveRequest {
    /// These harnesses; default: those that have something installed.
    pub harnesses: Vec<String>,
    /// Only this role; default: the main one, and each agent that is installed.
    pub role: Option<String>,
    /// How long a client may take.
    pub limit: Duration,
    /// The program that calls [`prove_inside`] for a folder, to isolate the client where the system
    /// can; `None` not to.
    pub program: Option<PathBuf>,
}

impl Workspace {
    /// Starts each client and reports what its model would receive.
    pub fn prove(
        &self,
        request: &ProveRequest,
        tokenizer: Tokenizer<'_>,
    ) -> Result<Proven, Failure> {
        let site = Site::new(self, None)?;
        let folder = site.book(|| site.ledger(&site.desk(Scope::Project)?))?;
        let (_, prompts) = prompts(self, &folder)?;
        if let Some(role) = &request.role {
            check_role(&prompts, role)?;
        }
        let mut proofs = Vec::new();
        for (harness, client) in chosen(&site, request, &prompts)? {
            let promised = promises(harness, &prompts, &site.places, &OsDisk);
            let trial = Trial {
                workspace: self,
                site: &site,
                request,
                prompts: &prompts,
                harness,
                client,
                promised,
                tokenizer,
            };
            proofs.push(trial.proof());
        }
        Ok(Proven { harnesses: proofs })
    }
}

fn check_role(prompts: &Prompts, role: &str) -> Result<(), Failure> {
    if prompts.roles.iter().any(|prompt| prompt.role == role) {
        return Ok(());
    }
    let message = format!("unknown role `{}`", escape::name(role));
    let roles = prompts.roles.iter().map(|prompt| &*prompt.role);
    Err(Failure::usage(message, did_you_mean("role", role, roles)))
}

/// The harnesses to prove, with their clients.
fn chosen(
    site: &Site<'_>,
    request: &ProveRequest,
    prompts: &Prompts,
) -> Result<Vec<(&'static Harness, &'static Client)>, Failure> {
    let clients: Vec<&str> = CLIENTS.iter().map(|client| client.id).collect();
    let clients = clients.join(", ");
    let mut chosen = Vec::new();
    for harness in named(&request.harnesses)? {
        let Some(client) = lawful_prove::find(harness.id) else {
            let message = format!("Lawful cannot start the client of `{}`", harness.id);
            return Err(Failure::usage(message, format!("it can start: {clients}")));
        };
        chosen.push((harness, client));
    }
    if !request.harnesses.is_empty() {
        return Ok(chosen);
    }
    for client in &CLIENTS {
        let harness = HARNESSES.iter().find(|harness| harness.id == client.id);
        if let Some(harness) = harness
            && !promises(harness, prompts, &site.places, &OsDisk).is_empty()
        {
            chosen.push((harness, client));
        }
    }
    if chosen.is_empty() {
        let help = format!("run `lawful install`, or name one with `--harness`: {clients}");
        return Err(Failure::usage("nothing is installed for a client that can be started", help));
    }
    Ok(chosen)
}

/// One client, and what is expected of it.
struct Trial<'t> {
    workspace: &'t Workspace,
    site: &'t Site<'t>,
    request: &'t ProveRequest,
    prompts: &'t Prompts,
    harness: &'static Harness,
    client: &'static Client,
    promised: Vec<Promise>,
    tokenizer: Tokenizer<'t>,
}

impl Trial<'_> {
    fn proof(&self) -> HarnessProof {
        let main = self.is_main();
        let role = self.request.role.clone().unwrap_or_else(|| self.prompts.main.clone());
        match self.play() {
            Err(error) => HarnessProof::failed(self.client.id, role, None, error),
            Ok((recording, copied)) => {
                let agents = self.agents();
                let first = if main { None } else { Some(&*role) };
                let Some(proof) = self.of_role(first, &recording, &copied) else {
                    let why = recording.why_silent(self.client, main);
                    let mut failed =
                        HarnessProof::failed(self.client.id, role, recording.version, why);
                    failed.refused = recording.refused;
                    failed.isolated = recording.isolated;
                    failed.left_out = copied.left_out;
                    return failed;
                };
                let agents = agents.iter().filter(|_| main).map(|agent| {
                    let of_agent = self.of_role(Some(agent), &recording, &copied);
                    of_agent.unwrap_or_else(|| {
                        let promised = self.promised_to(agent);
                        RoleProof::absent(agent, self.client, verdict::unread(&promised))
                    })
                });
                let agents = agents.collect();
                let mut found = HarnessProof::of(self.client.id, proof, agents, &recording);
                found.problems.extend(copied.settings_left_out.iter().map(|file| {
                    let message = format!("`{file}` was left out, so this is no proof");
                    ProofProblem::new(message, "`left out` says why; correct the file")
                }));
                found.left_out = copied.left_out;
                found
            }
        }
    }

    /// What the table promises for a role.
    fn promised_to(&self, role: &str) -> Vec<&Promise> {
        self.promised.iter().filter(|promise| promise.role == role).collect()
    }

    /// Whether the main conversation is to be proved.
    fn is_main(&self) -> bool {
        self.request.role.as_ref().is_none_or(|role| *role == self.prompts.main)
    }

    /// The agents to start.
    fn agents(&self) -> Vec<String> {
        if self.client.delegation.is_none() {
            return Vec::new();
        }
        match &self.request.role {
            Some(role) if *role == self.prompts.main => Vec::new(),
            Some(role) => vec![role.clone()],
            None => {
                let is_agent = |promise: &&Promise| promise.role != self.prompts.main;
                let roles = self.promised.iter().filter(is_agent).map(|promise| &promise.role);
                roles.collect::<BTreeSet<&String>>().into_iter().cloned().collect()
            }
        }
    }

    /// Copies what the client reads, and starts it.
    fn play(&self) -> Result<(Recording, Copied), String> {
        if !self.is_main() && self.client.delegation.is_none() {
            return Err("Lawful knows no way to make this client start an agent".to_owned());
        }
        let path = self.workspace.variable("PATH").unwrap_or_default();
        let program = run::find_program(self.client, &path).ok_or_else(|| {
            let names = self.client.programs.join("`, `");
            format!("it is not installed: there is no program `{names}` on the PATH")
        })?;
        let roles: Vec<&str> = self.prompts.roles.iter().map(|prompt| &*prompt.role).collect();
        let files = named_files(self.harness, self.client.reads, &roles, &self.site.places);
        let folders = self.client.folders.iter().filter_map(|(place, end)| {
            let folder = named_folders(&[*place], &self.site.places).pop()?;
            Some((folder, *end))
        });
        let home = self.workspace.variable("HOME").map(PathBuf::from);
        let places = copy::Original { project: self.site.places.project(), home: home.as_deref() };
        let copied = copy::copy(self.harness, self.client, (files, folders.collect()), places)
            .map_err(|error| {
                format!("cannot copy what the client reads into a temporary folder: {error}")
            })?;
        let here = self.workspace.start().canonicalize().unwrap_or_default();
        let below = here.strip_prefix(self.site.places.project()).unwrap_or(Path::new(""));
        let agents = self.agents().iter().map(|role| format!("lawful-{role}")).collect();
        let job = Job::new(self.workspace, self.client, program, below, agents, self.request.limit);
        let recording = run::play(&job, copied.folder.path(), self.request.program.as_deref())?;
        Ok((recording, copied))
    }

    /// What arrives of a role; `None` if the client sent no request for it.
    fn of_role(
        &self,
        agent: Option<&str>,
        recording: &Recording,
        copied: &Copied,
    ) -> Option<RoleProof> {
        let role = agent.unwrap_or(&self.prompts.main);
        let prompt = self.prompts.roles.iter().find(|prompt| prompt.role == role)?;
        let others = self.prompts.roles.iter().filter(|other| other.role != role);
        let subject = Subject {
            core: self.prompts.core.clone(),
            persona: persona(self.prompts, prompt).to_owned(),
            others: others
                .map(|other| (other.role.clone(), persona(self.prompts, other).to_owned()))
                .collect(),
            files: copied.texts.clone(),
        };
        let name = agent.map(|role| format!("lawful-{role}"));
        let requests = &recording.requests;
        let proof = lawful_prove::examine(self.client.wire, requests, name.as_deref(), &subject)?;
        let promised = self.promised_to(role);
        let problems = verdict::problems(self.client.id, &subject, &proof, &promised);
        Some(RoleProof::of(role, &proof, (problems, verdict::notes(&proof)), self.tokenizer))
    }
}

#[cfg(test)]
mod tests;
