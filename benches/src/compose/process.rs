//! The whole process: `lawful compose` on the example from start to exit, in turns with its peers.

use std::path::{Path, PathBuf};
use std::process::Command;

use lawful::book::{FolderSource, Options, load};
use lawful::compose::Compositions;
use lawful::syntax::Diagnostic;
use crate::read::{messages, value};

use super::peers::{PEERS, Peer, Project};
use super::resolve::named;
use crate::Result;
use crate::cli::{Folder, ROOT, build, timed};
use crate::npm::node_version;

/// The example, seen from the repository.
const EXAMPLE: &str = "examples/support-desk";
/// The composition.
const NAME: &str = "reply";
/// How often `lawful` is started in each turn; the peers are started once.
const STARTS: usize = 5;

/// What was measured. Every list has one figure for each turn, in milliseconds.
#[derive(Clone, Debug)]
pub struct Figures {
    /// How many fragments the example has, and every project of a peer.
    pub fragments: usize,
    /// `lawful compose`: the median of the starts in a turn.
    pub lawful: Vec<f64>,
    /// A program that does nothing.
    pub nothing: Vec<f64>,
    /// Node, with nothing to do; `None` where there is no Node.
    pub node: Option<Vec<f64>>,
    /// The version of Node.
    pub node_version: String,
    /// Each peer: its times, or why there are none.
    pub peers: Vec<(Peer, std::result::Result<Vec<f64>, String>)>,
}

/// Builds the program, installs the peers, checks everyone's output and times them in turns.
pub fn measure(turns: usize) -> Result<Figures> {
    let (expected, bodies) = example()?;
    let program = build()?;
    check(&program, &expected)?;
    let folder = Folder::new()?;
    let mut projects: Vec<(Peer, std::result::Result<Project, String>)> = Vec::new();
    for peer in PEERS {
        let project = match peer.install() {
            Ok(()) => Ok(peer.project(&folder.0, &bodies)?),
            Err(why) => Err(why),
        };
        projects.push((peer, project));
    }
    let node_version = node_version();
    let node = || {
        let mut command = Command::new("node");
        command.args(["-e", "0"]);
        command
    };
    let mut figures = Figures {
        fragments: bodies.len(),
        lawful: Vec::new(),
        nothing: Vec::new(),
        node: node_version.is_some().then(Vec::new),
        node_version: node_version.unwrap_or_else(|| "missing".to_owned()),
        peers: projects
            .iter()
            .map(|(peer, project)| (*peer, project.clone().map(|_| Vec::new())))
            .collect(),
    };
    // The first turn warms the caches of the system and does not count.
    for turn in 0..=turns {
        eprint!("\rturn {turn} of {turns}");
        let lawful = median_of(STARTS, || compose(&program))?;
        let nothing = median_of(STARTS, || Command::new("true"))?;
        let idle = figures.node.as_ref().map(|_| timed(node())).transpose()?;
        let mut peers = Vec::new();
        for (_, project) in &projects {
            peers.push(match project {
                Ok(project) => Some(run(project)?),
                Err(_) => None,
            });
        }
        if turn == 0 {
            continue;
        }
        figures.lawful.push(lawful);
        figures.nothing.push(nothing);
        if let Some((node, idle)) = figures.node.as_mut().zip(idle) {
            node.push(idle);
        }
        for ((_, times), took) in figures.peers.iter_mut().zip(peers) {
            if let (Ok(times), Some(took)) = (times, took) {
                times.push(took);
            }
        }
    }
    eprintln!();
    Ok(figures)
}

/// One run of a peer into a clean project; what it wrote is checked.
fn run(project: &Project) -> Result<f64> {
    project.clear()?;
    let took = timed(project.command())?;
    project.check()?;
    Ok(took)
}

/// `lawful compose reply --book examples/support-desk --context tone=terse`
fn compose(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(ROOT).args(["compose", NAME, "--book", EXAMPLE]);
    command.args(["--context", "tone=terse"]);
    // Warnings are for people, and there is nobody to read them.
    command.stderr(std::process::Stdio::null());
    command
}

fn median_of(times: usize, command: impl Fn() -> Command) -> Result<f64> {
    let mut took = Vec::new();
    for _ in 0..times {
        took.push(timed(command())?);
    }
    took.sort_by(f64::total_cmp);
    Ok(took.get(took.len() / 2).copied().unwrap_or(f64::NAN))
}

/// The prompt that the library composes from the example, and the texts of all its fragments.
fn example() -> Result<(String, Vec<String>)> {
    let folder: PathBuf = Path::new(ROOT).join(EXAMPLE);
    let source = FolderSource::open(&folder)?;
    let (book, mut problems) =
        load(&source, Options::default()).map_err(|error| error.to_string())?;
    let (compositions, more) = Compositions::decode(&book);
    problems.extend(more);
    if problems.iter().any(Diagnostic::is_error) {
        return Err(messages(&problems).into());
    }
    let composition = named(&compositions, NAME)?;
    let context = value("tone: terse");
    let resolution = compositions.resolve(composition, &context, &book.sources, false);
    let bodies = compositions
        .fragments()
        .map(|(_, fragment)| book.sources.slice(fragment.body).to_owned())
        .collect();
    Ok((resolution.prompt.text, bodies))
}

/// The program must print the prompt that the library composes.
fn check(program: &Path, expected: &str) -> Result<()> {
    let output = compose(program).output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("void: `lawful compose` failed: {}", output.status).into());
    }
    if expected.is_empty() || printed.trim_end() != expected.trim_end() {
        return Err("void: `lawful compose` does not print the prompt of the library".into());
    }
    Ok(())
}
