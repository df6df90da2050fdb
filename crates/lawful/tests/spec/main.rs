//! Runs the literate specification: every section of every page under `spec/` is a test.
//!
//! A section is prose, fenced inputs and fenced expectations. Inputs stay in force until the
//! section gives another of the same kind; an expectation is compared with what the inputs before
//! it produce. `UPDATE_SPEC=1 cargo test --test spec` rewrites expectations in place; read the
//! difference before you commit it.
//!
//! The folder under `spec/` decides who understands the fences: see [`surface`].

#![allow(
    clippy::expect_used,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "this is a test"
)]

mod compose;
mod cond;
mod guard;
mod page;
mod problems;
mod react;
mod read;
mod scenario;
mod verify;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use libtest_mimic::{Arguments, Failed, Trial};
use page::{Block, Page, Section};

/// Understands the fences of one folder. One is made for each section.
trait Surface {
    /// Takes an input. `Ok(false)` says that the kind is not an input.
    fn input(&mut self, block: &Block) -> Result<bool, String>;
    /// What an expectation of this kind should say. `None`: no such kind.
    fn output(&mut self, block: &Block) -> Option<Result<String, String>>;
}

fn surface(folder: &str) -> Option<Box<dyn Surface>> {
    match folder {
        "compose" => Some(Box::new(compose::Composing::default())),
        "cond" => Some(Box::new(cond::Conditions::default())),
        "guard" => Some(Box::new(guard::Guarding::default())),
        "react" => Some(Box::new(react::Reacting::default())),
        "scenario" => Some(Box::new(scenario::Scenarios::default())),
        "verify" => Some(Box::new(verify::Verifying::default())),
        _ => None,
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    let update = std::env::var_os("UPDATE_SPEC").is_some();
    let mut trials = Vec::new();
    for file in pages(&root) {
        let text = std::fs::read_to_string(&file).expect("a page is readable");
        let name = file.strip_prefix(&root).expect("below spec").with_extension("");
        let folder = name.iter().next().expect("a folder").to_string_lossy().into_owned();
        let page = Page::parse(&text);
        let updates = std::sync::Arc::new(Mutex::new(file.clone()));
        for section in page.sections {
            let title = format!("{}/{}", name.display(), section.title);
            let folder = folder.clone();
            let updates = updates.clone();
            trials.push(Trial::test(title, move || run(&section, &folder, update, &updates)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).expect("spec is a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            out.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            out.push(path);
        }
    }
    out.sort();
    out
}

fn run(section: &Section, folder: &str, update: bool, file: &Mutex<PathBuf>) -> Result<(), Failed> {
    let mut surface = surface(folder).ok_or_else(|| format!("no surface reads `spec/{folder}`"))?;
    let mut expectations = 0;
    let mut wrong = String::new();
    for block in &section.blocks {
        if surface.input(block)? {
            continue;
        }
        let Some(found) = surface.output(block) else {
            return Err(format!("line {}: unknown fence `{}`", block.line, block.info).into());
        };
        expectations += 1;
        let found = found.map_err(|why| format!("line {}: {why}", block.line))?;
        if found.trim_end() == block.text.trim_end() {
            continue;
        }
        if update {
            let path = file.lock().map_err(|_| "another update failed")?;
            page::rewrite(&path, section, block, &found)?;
            continue;
        }
        wrong += &format!(
            "line {}, `{}`:\n--- expected\n{}\n--- found\n{}\n",
            block.line,
            block.info,
            block.text.trim_end(),
            found.trim_end()
        );
    }
    if expectations == 0 {
        return Err("the section expects nothing".into());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}
