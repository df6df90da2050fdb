//! Envelopes that an agent writes, in the folder where a hook looks for them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lawful::code;
use lawful::syntax::{Diagnostic, Format, Limits, Node, Sources, Span, parse, text};
use lawful::verify::{Envelope, NO_ENVELOPE, NOT_OBSERVED, reading_errors};
use lawful::{Diagnostics, Value};

use super::artifacts::{clear_artifacts, write_artifacts};
use super::one::{Observation, Verified};
use super::{Home, LoadedRulespec, OutputFolder, Strictness};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::input::sent_document;
use crate::observe::{Place, gather};
use crate::workspace::Workspace;

/// The default folder of an envelope.
const FOLDER: &str = ".lawful";
/// The file name of an envelope.
pub(crate) const NAME: &str = "envelope.yaml";
/// The file that tells git to ignore the folder.
const IGNORE: &str = ".gitignore";

/// Which envelope to write or check, and what to judge it by.
#[derive(Clone, Debug, Default)]
pub struct EnvelopeRequest {
    /// The folder of the envelope; default: the one where a hook looks.
    pub folder: Option<PathBuf>,
    /// The rulespec; default: that of the lawbook.
    pub rulespec: Option<PathBuf>,
    /// A file written by `lawful observe`.
    pub observed: Option<PathBuf>,
    /// Observe what the stop hook observes.
    pub observe: bool,
}

/// The result of checking an envelope.
#[derive(Debug)]
pub enum EnvelopeChecked {
    /// The envelope was judged by this rulespec.
    Judged(Box<LoadedRulespec>, Box<Verified>),
    /// No envelope was written.
    Missing(Diagnostics),
}

impl EnvelopeChecked {
    /// The verdict as an answer; `No` if there is no envelope.
    pub fn answer(&self) -> Answer {
        match self {
            Self::Judged(_, verified) => verified.answer(),
            Self::Missing(_) => Answer::No,
        }
    }
}

impl Workspace {
    /// Writes facts as an envelope to the folder where a hook looks, and judges it.
    pub fn write_envelope(
        &self,
        facts: &Path,
        request: &EnvelopeRequest,
    ) -> Result<(LoadedRulespec, Verified), Failure> {
        let mut loaded = self.rulespec(request.rulespec.as_deref())?;
        let mut sources = Sources::default();
        let mut problems = Vec::new();
        let node = sent_document(facts, &loaded.limits.document, &mut sources, &mut problems);
        let problems = reading_errors(problems);
        let Some(node) = node.filter(|_| problems.is_empty()) else {
            return Err(Failure::new(sources, problems));
        };
        let envelope = match Envelope::decode_facts(&node) {
            Ok(envelope) => envelope,
            Err(problems) => return Err(Failure::new(sources, problems)),
        };
        let folder = output_folder(request, &loaded)?;
        folder.refuse_links(&[NAME])?;
        if request.folder.is_none() {
            folder.refuse_links(&[IGNORE])?;
        }
        clear_artifacts(&folder)?;
        if request.folder.is_none() {
            keep_out_of_git(&folder)?;
        }
        folder.write(NAME, &envelope_text(&node, &sources, &envelope))?;
        let (_, file) = folder.file(NAME);
        let verified = self.judge_envelope(&mut loaded, &file, request)?;
        write_artifacts(&folder, &verified)?;
        Ok((loaded, verified))
    }

    /// Judges the envelope in the folder where a hook looks.
    pub fn check_envelope(&self, request: &EnvelopeRequest) -> Result<EnvelopeChecked, Failure> {
        let mut loaded = self.rulespec(request.rulespec.as_deref())?;
        let file = folder_of(request, &loaded).join(NAME);
        if !file.exists() {
            let mut sources = Sources::default();
            let place = Span::start_of(sources.add_unread(file.display().to_string()));
            let problem = Diagnostic::new(&NO_ENVELOPE, place, "no envelope was written")
                .help("write it with `lawful envelope write --facts FILE`");
            return Ok(EnvelopeChecked::Missing(Diagnostics::in_order(
                vec![problem],
                Arc::new(sources),
            )));
        }
        if let Some(home) = loaded.home.as_ref().filter(|_| request.folder.is_none()) {
            stay_inside(&home.folder, &file)?;
        }
        let verified = self.judge_envelope(&mut loaded, &file, request)?;
        Ok(EnvelopeChecked::Judged(Box::new(loaded), Box::new(verified)))
    }

    /// The observation: from a file, or gathered as the hook does.
    fn observation<'r>(
        &self,
        loaded: &LoadedRulespec,
        request: &'r EnvelopeRequest,
    ) -> Result<Observation<'r>, Failure> {
        if !request.observe {
            return Ok(Observation::of_file(request.observed.as_deref()));
        }
        let wanted = loaded.home.as_ref().map(|home| (home, &home.manifest.hooks.stop.observe));
        let Some((Home { folder, manifest, .. }, wanted)) = wanted.filter(|(_, it)| !it.is_empty())
        else {
            let message = "nothing to observe: the manifest has no `hooks.stop.observe`";
            return Err(Failure::usage(message, "add it, or omit `--observe`"));
        };
        // The work is where the agent is, as for the hook.
        let root = self.project_under(folder);
        let place = Place { root: &root, reports: &root, deadline: None };
        Ok(Observation::Facts(gather(wanted, Some(manifest), &place)?.into()))
    }

    fn judge_envelope(
        &self,
        loaded: &mut LoadedRulespec,
        file: &Path,
        request: &EnvelopeRequest,
    ) -> Result<Verified, Failure> {
        let observation = self.observation(loaded, request)?;
        let blind = matches!(observation, Observation::None);
        let mut verified = loaded.verify_file(file, observation, Strictness::default())?;
        if let Some(place) = loaded.rulespec.observed_place().filter(|_| blind) {
            let message = "the rulespec reads an observation, but nothing was observed";
            let manifest = loaded.home.as_ref().map(|home| &home.manifest.hooks.stop.observe);
            let help = if manifest.is_some_and(|wanted| !wanted.is_empty()) {
                "the hook observes before it judges; pass `--observe` to do the same"
            } else {
                "pass the output of `lawful observe` with `--observed FILE`"
            };
            verified.note = Some(Diagnostic::new(&NOT_OBSERVED, place, message).help(help));
        }
        Ok(verified)
    }
}

/// The folder of the envelope: the one where a hook looks, unless another is given.
fn folder_of(request: &EnvelopeRequest, loaded: &LoadedRulespec) -> PathBuf {
    match (&request.folder, &loaded.home) {
        (Some(folder), _) => folder.clone(),
        (None, Some(home)) => home.envelope(),
        (None, None) => PathBuf::from(FOLDER),
    }
}

/// Refuses an envelope that links lead to from the lawbook, as the hook does.
fn stay_inside(book: &Path, file: &Path) -> Result<(), Failure> {
    match (book.canonicalize(), file.canonicalize()) {
        (Ok(book), Ok(real)) if !real.starts_with(&book) => {
            Err(Failure::instead_of(file, |span| {
                let message = "this is a link that leads out of the lawbook";
                Diagnostic::new(&code::OUTSIDE_BOOK, span, message).help("remove it")
            }))
        }
        // Reading the file reports what is wrong with it.
        _ => Ok(()),
    }
}

/// The same folder, to write to.
fn output_folder(
    request: &EnvelopeRequest,
    loaded: &LoadedRulespec,
) -> Result<OutputFolder, Failure> {
    let folder = folder_of(request, loaded);
    match (&request.folder, &loaded.home) {
        (Some(_), home) => OutputFolder::named(&folder, home.as_ref()),
        (None, Some(home)) => OutputFolder::inside(&home.folder, &folder),
        (None, None) => OutputFolder::inside(Path::new("."), &folder),
    }
}

/// Envelopes describe the work and are not part of it, so git ignores their folder.
fn keep_out_of_git(folder: &OutputFolder) -> Result<(), Failure> {
    let (ignored, _) = folder.file(IGNORE);
    if ignored.exists() { Ok(()) } else { folder.write(IGNORE, lawful_deliver::IGNORE) }
}

/// The text of the file: the author's own text if it means the same in place, otherwise generated.
/// A multi-line string that must not be indented is an example.
fn envelope_text(node: &Node, sources: &Sources, envelope: &Envelope) -> String {
    let written = sources.file(node.span.file).map_or("", |file| file.text());
    let own = if node.get("facts").is_some() {
        written.to_owned()
    } else {
        // The marks at the start and end of a document are not allowed under a key.
        let marks = |line: &&str| !matches!(line.trim_end(), "---" | "...");
        let indented = written.lines().filter(marks).map(|line| {
            if line.trim().is_empty() { "\n".to_owned() } else { format!("  {line}\n") }
        });
        format!("facts:\n{}", indented.collect::<String>())
    };
    let same = |read: Envelope| read.facts == envelope.facts && read.rest == envelope.rest;
    if read_again(&own).is_some_and(same) {
        return own;
    }
    // JSON is YAML, and can represent any value.
    let mut all = envelope.rest.clone();
    all.insert("facts", envelope.facts.clone());
    let line = |(key, value): (&str, &Value)| format!("{}: {value}\n", Value::from(key));
    all.iter().map(line).collect()
}

fn read_again(text: &str) -> Option<Envelope> {
    let mut sources = Sources::default();
    let (file, unreadable) = text::add(&mut sources, NAME, text.as_bytes());
    let (node, problems) = parse(&sources, file, Format::Yaml, &Limits::default());
    let sound = unreadable.is_none() && !problems.iter().any(Diagnostic::is_error);
    Envelope::decode(&node.filter(|_| sound)?).ok()
}
