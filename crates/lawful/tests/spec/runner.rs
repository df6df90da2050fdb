//! Runs the pages of some folders below `spec/`: each section is a test.
//!
//! Whoever understands the fences of a folder is a [`Surface`].

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::page::{self, Block, Page, Section};

/// Understands the fences of one folder. One is made for each section.
pub(crate) trait Surface {
    /// Takes an input. `Ok(false)` says that the kind is not an input.
    fn input(&mut self, block: &Block) -> Result<bool, String>;
    /// What an expectation of this kind should say. `None`: no such kind.
    fn output(&mut self, block: &Block) -> Option<Result<String, String>>;
}

/// Runs every page of the folders that are `ours`.
pub(crate) fn main(ours: fn(&str) -> bool, surface: fn(folder: &str) -> Option<Box<dyn Surface>>) {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    let update = std::env::var_os("UPDATE_SPEC").is_some();
    let mut trials = Vec::new();
    for file in pages(&root) {
        let text = std::fs::read_to_string(&file).expect("a page is readable");
        let name = file.strip_prefix(&root).expect("below spec").with_extension("");
        let folder = name.iter().next().expect("a folder").to_string_lossy().into_owned();
        if !ours(&folder) {
            continue;
        }
        let page = Page::parse(&text);
        let updates = std::sync::Arc::new(Mutex::new(file.clone()));
        for section in page.sections {
            let title = format!("{}/{}", name.display(), section.title);
            let folder = folder.clone();
            let updates = updates.clone();
            let run = move || {
                let surface = surface(&folder);
                let surface = surface.ok_or_else(|| format!("no surface reads `spec/{folder}`"))?;
                run(&section, surface, update, &updates)
            };
            trials.push(Trial::test(title, run));
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

fn run(
    section: &Section,
    mut surface: Box<dyn Surface>,
    update: bool,
    file: &Mutex<PathBuf>,
) -> Result<(), Failed> {
    let mut expectations = 0;
    let mut wrong: Vec<String> = Vec::new();
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
        wrong.push(format!(
            "line {}, `{}`:\n--- expected\n{}\n--- found\n{}\n",
            block.line,
            block.info,
            block.text.trim_end(),
            found.trim_end()
        ));
    }
    if expectations == 0 {
        return Err("the section expects nothing".into());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.concat().into()) }
}
