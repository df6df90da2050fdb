//! `lawful prove`

use std::fmt::Write as _;
use std::time::Duration;

use lawful::syntax::escape;
use lawful_host::deliver::{
    CoreArrival, HarnessProof, PersonaArrival, ProofProblem, ProofText, ProveRequest, Proven,
    prove_inside,
};

use crate::args::{Prove, ProveInside};
use crate::output::{Answer, Report as _, one_line, print, print_json};
use crate::token_count::TokenCount;
use crate::workspace::workspace;

pub(crate) fn run(args: &Prove) -> Answer {
    let request = ProveRequest {
        harnesses: args.harness.clone(),
        role: args.role.clone(),
        limit: Duration::from_secs(args.timeout.into()),
        program: std::env::current_exe().ok(),
    };
    let count = TokenCount::new(true);
    match workspace(args.book.dir()).prove(&request, count.tokenizer()) {
        Ok(proven) => {
            if args.output.is_json() {
                print_json(&proven);
            } else {
                print(&text(&proven, &count));
            }
            proven.answer()
        }
        Err(failure) => failure.report(args.output.is_json()),
    }
}

pub(crate) fn run_inside(args: &ProveInside) -> Answer {
    prove_inside(&args.folder)
}

fn text(proven: &Proven, count: &TokenCount) -> String {
    let blocks: Vec<String> =
        proven.harnesses.iter().map(|harness| block(harness, count)).collect();
    blocks.join("\n")
}

/// One client: what arrives, what else is in its prompt, and what to do.
fn block(proof: &HarnessProof, count: &TokenCount) -> String {
    let mut out = proof.id.to_owned();
    if let Some(version) = &proof.version {
        let _ = write!(out, " {}", escape::line(version));
    }
    out.push('\n');
    if let Some(error) = &proof.error {
        let _ = writeln!(out, "  error    {}", one_line(error));
    }
    if let (Some(core), Some(persona)) = (&proof.core, &proof.persona) {
        let _ = writeln!(out, "  role     {}", escape::line(&proof.role));
        arrivals(&mut out, core, persona);
        texts(&mut out, &proof.texts, count);
    }
    problems(&mut out, &proof.problems, &proof.notes);
    for agent in &proof.agents {
        let _ = writeln!(out, "  agent    {}", escape::line(&agent.role));
        if !agent.texts.is_empty() {
            arrivals(&mut out, &agent.core, &agent.persona);
            texts(&mut out, &agent.texts, count);
        }
        problems(&mut out, &agent.problems, &agent.notes);
    }
    for file in &proof.left_out {
        let _ = writeln!(out, "  left out {}", one_line(file));
    }
    if !proof.refused.is_empty() {
        let refused: Vec<String> = proof.refused.iter().map(|one| one_line(one)).collect();
        let _ = writeln!(out, "  refused  {}", refused.join(", "));
    }
    if proof.core.is_some() {
        let network = if proof.isolated {
            "the client could reach only this stub"
        } else {
            "no network namespace: a client that ignores the proxy could reach other hosts"
        };
        let _ = writeln!(out, "  network  {network}");
    }
    out
}

fn arrivals(out: &mut String, core: &CoreArrival, persona: &PersonaArrival) {
    let by = |strength: Option<&str>| strength.map_or(String::new(), |by| format!(", {by}"));
    let bytes = match (core.times, core.bytes_equal) {
        (0, _) => "",
        (_, true) => ", byte for byte",
        (_, false) => ", changed",
    };
    let _ = writeln!(out, "  core     {}{}{bytes}", times(core.times), by(core.strength));
    let _ = writeln!(out, "  persona  {}{}", times(persona.times), by(persona.strength));
}

fn times(count: usize) -> String {
    match count {
        0 => "missing".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        many => format!("{many} times"),
    }
}

/// One line for each role and source, with its tokens.
fn texts(out: &mut String, texts: &[ProofText], count: &TokenCount) {
    let mut rows: Vec<(&str, &str, usize)> = Vec::new();
    for text in texts {
        let source = text.source.as_deref().unwrap_or("from the client");
        match rows.iter_mut().find(|(role, known, _)| *role == text.role && *known == source) {
            Some((_, _, tokens)) => *tokens += text.tokens,
            None => rows.push((text.role, source, text.tokens)),
        }
    }
    for (index, (role, source, tokens)) in rows.into_iter().enumerate() {
        let title = if index == 0 { "prompt" } else { "" };
        let (tokens, source) = (count.shown(tokens), escape::line(source));
        let _ = writeln!(out, "  {title:7}  {role:9}  {tokens:>14}  {source}");
    }
}

fn problems(out: &mut String, problems: &[ProofProblem], notes: &[String]) {
    for problem in problems {
        let _ = writeln!(out, "  problem  {}", escape::line(&problem.message));
        let _ = writeln!(out, "           {}", escape::line(&problem.help));
    }
    for note in notes {
        let _ = writeln!(out, "  note     {}", escape::line(note));
    }
}
