//! Delivering to twelve harnesses: the whole process, in turns with its peers and with a bare loop.

pub mod bare;
pub mod report;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;
use crate::cli::{Folder, build, timed};
use crate::compose::peers::{FOR_TWELVE, Peer, Project};

/// For whom; rulesync has the same twelve.
pub const HARNESSES: [&str; 12] = [
    "claude-code",
    "codex",
    "cursor",
    "copilot",
    "cline",
    "opencode",
    "qwen",
    "goose",
    "agents-md",
    "zed",
    "devin",
    "pi",
];

/// The roles of the book, the main one first.
const ROLES: [&str; 3] = ["lead", "scout", "smith"];

/// Everything that was measured, in milliseconds, one figure for each turn.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// How many files are written, the ledger among them.
    pub files: usize,
    /// How many bytes they have.
    pub bytes: usize,
    /// `lawful install` into a project without anything of ours.
    pub first: Vec<f64>,
    /// The same again.
    pub again: Vec<f64>,
    /// `lawful status`.
    pub check: Vec<f64>,
    /// `lawful status` where the same prompts are written in Nickel.
    pub nickel: Vec<f64>,
    /// A loop that writes and syncs the same files.
    pub bare: Vec<f64>,
    /// A program that does nothing.
    pub nothing: Vec<f64>,
    /// Each peer: its first run and its second, or why there are none.
    pub peers: Vec<(Peer, std::result::Result<(Vec<f64>, Vec<f64>), String>)>,
}

/// The law that everybody delivers.
fn core() -> String {
    let line = "- Say what you saw, where you saw it, and what you did not look at.\n";
    format!("# The law\n\n{}", line.repeat(30)).trim_end().to_owned()
}

fn persona(role: &str) -> String {
    format!("You are the {role}. {}", "Do one thing, and show that it is done. ".repeat(8))
        .trim_end()
        .to_owned()
}

/// A project with a book in it.
struct Site {
    program: PathBuf,
    root: PathBuf,
}

impl Site {
    fn new(program: &Path, root: PathBuf, nickel: bool) -> Result<Self> {
        let law = root.join("law/conditioning");
        fs::create_dir_all(&law)?;
        let extension = if nickel { "ncl" } else { "md" };
        let written =
            |text: String| if nickel { format!("m%\"\n{text}\n\"%\n") } else { text + "\n" };
        fs::write(law.join(format!("core.{extension}")), written(core()))?;
        let mut personas = Vec::new();
        for role in ROLES {
            fs::write(law.join(format!("{role}.{extension}")), written(persona(role)))?;
            personas.push(format!("{role}: conditioning/{role}.{extension}"));
        }
        let manifest = format!(
            "name: crew\nconditioning:\n  core: conditioning/core.{extension}\n  personas: {{{}}}\n  main: lead\n",
            personas.join(", ")
        );
        fs::write(root.join("law/lawful.yaml"), manifest)?;
        Ok(Self { program: program.to_owned(), root })
    }

    fn lawful(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).args(["--book", "law", "--root", "."]).current_dir(&self.root);
        // What the person at the machine has configured is no part of the comparison.
        command.env("HOME", &self.root).stderr(Stdio::null());
        command
    }

    fn install(&self) -> Command {
        let mut words = vec!["install", "--harness"];
        words.extend(HARNESSES);
        self.lawful(&words)
    }

    /// Removes what was written.
    fn clear(&self) -> Result<()> {
        for entry in fs::read_dir(&self.root)? {
            let path = entry?.path();
            if path.ends_with("law") {
                continue;
            }
            if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
        Ok(())
    }

    /// Everything that was written.
    fn written(&self) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
        let mut found = BTreeMap::new();
        collect(&self.root, &self.root, &mut found)?;
        found.retain(|path, _| !path.starts_with("law"));
        Ok(found)
    }
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, found)?;
        } else {
            found.insert(path.strip_prefix(root)?.to_owned(), fs::read(&path)?);
        }
    }
    Ok(())
}

/// Every harness has a file with the core in it, and nothing is left to do.
fn verify(site: &Site) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let written = site.written()?;
    let core = core();
    let holding = written.values().filter(|bytes| String::from_utf8_lossy(bytes).contains(&core));
    // Seven of the twelve share one file, and every agent has one of its own.
    if holding.count() < 12 {
        return Err("void: the core is not where it should be".into());
    }
    Ok(written)
}

/// Builds the program, installs the peers, checks what everyone writes and times them in turns.
pub fn measure(turns: usize) -> Result<Figures> {
    let program = build()?;
    let folder = Folder::new()?;
    let site = Site::new(&program, folder.0.join("markdown"), false)?;
    let nickel = Site::new(&program, folder.0.join("nickel"), true)?;
    timed(site.install())?;
    timed(nickel.install())?;
    let written = verify(&site)?;
    let strip = |files: BTreeMap<PathBuf, Vec<u8>>| -> Vec<PathBuf> { files.into_keys().collect() };
    if strip(verify(&nickel)?) != strip(written.clone()) {
        return Err("void: Nickel and Markdown are delivered to different files".into());
    }
    let source = folder.0.join("source");
    bare::keep(&source, &written)?;
    let mut projects: Vec<(Peer, std::result::Result<Project, String>)> = Vec::new();
    let rules: Vec<String> = std::iter::once(core()).chain(ROLES.map(persona)).collect();
    for peer in FOR_TWELVE {
        let project = match peer.install() {
            Ok(()) => Ok(peer.project(&folder.0, &rules)?),
            Err(why) => Err(why),
        };
        projects.push((peer, project));
    }
    let mut figures = Figures {
        files: written.len(),
        bytes: written.values().map(Vec::len).sum(),
        peers: projects
            .iter()
            .map(|(peer, project)| (*peer, project.clone().map(|_| (Vec::new(), Vec::new()))))
            .collect(),
        ..Figures::default()
    };
    // The first turn warms the caches of the system and does not count.
    for turn in 0..=turns {
        eprint!("\rturn {turn} of {turns}");
        let one = turn_of(&site, &nickel, &folder.0, &source, &projects)?;
        if turn == 0 {
            continue;
        }
        figures.first.push(one.first);
        figures.again.push(one.again);
        figures.check.push(one.check);
        figures.nickel.push(one.nickel);
        figures.bare.push(one.bare);
        figures.nothing.push(one.nothing);
        for ((_, times), took) in figures.peers.iter_mut().zip(one.peers) {
            if let (Ok((first, again)), Some(took)) = (times, took) {
                first.push(took.0);
                again.push(took.1);
            }
        }
    }
    eprintln!();
    if verify(&site)? != written {
        return Err("void: installing twice does not give the same files".into());
    }
    Ok(figures)
}

struct Turn {
    first: f64,
    again: f64,
    check: f64,
    nickel: f64,
    bare: f64,
    nothing: f64,
    peers: Vec<Option<(f64, f64)>>,
}

fn turn_of(
    site: &Site,
    nickel: &Site,
    folder: &Path,
    source: &Path,
    projects: &[(Peer, std::result::Result<Project, String>)],
) -> Result<Turn> {
    site.clear()?;
    let first = timed(site.install())?;
    let bare_root = folder.join("bare");
    if bare_root.exists() {
        fs::remove_dir_all(&bare_root)?;
    }
    let bare = timed(bare::command(source, &bare_root)?)?;
    let again = median_of(|| site.install())?;
    let check = median_of(|| site.lawful(&["status"]))?;
    let of_nickel = median_of(|| nickel.lawful(&["status"]))?;
    let nothing = median_of(|| Command::new("true"))?;
    let mut peers = Vec::new();
    for (_, project) in projects {
        peers.push(match project {
            Err(_) => None,
            Ok(project) => {
                project.clear()?;
                let first = timed(project.command())?;
                project.check()?;
                Some((first, timed(project.command())?))
            }
        });
    }
    Ok(Turn { first, again, check, nickel: of_nickel, bare, nothing, peers })
}

fn median_of(command: impl Fn() -> Command) -> Result<f64> {
    let mut took = Vec::new();
    for _ in 0..5 {
        took.push(timed(command())?);
    }
    took.sort_by(f64::total_cmp);
    Ok(took.get(took.len() / 2).copied().unwrap_or(f64::NAN))
}
