//! Instructions for agents: `CLAUDE.md`, `AGENTS.md`, rule files of editors.
//!
//! Each section becomes a fragment, and a composition puts them together. Sections that several
//! harnesses have in common are the core: they are written once. What only one harness reads is added
//! by a rule on the axis `harness`, what applies to some files by one on `files`, and what an agent asks
//! for by one on `topic`.
//!
//! **Invariant:** the prompt for a harness has the sections of its file, in their order.

use std::fmt::Write as _;

use lawful::syntax::escape;

use super::front::{Front, split_outside_braces};
use super::scan::PageKind;
use super::sections::sections;
use super::slug::{slug, unique};
use super::{Carried, Imported, ImportedAxis};
use crate::init::yaml;

/// The name of the composition.
const NAME: &str = "instructions";

/// The instructions that were read so far.
#[derive(Debug, Default)]
pub(super) struct Instructions {
    fragments: Vec<Fragment>,
    /// What applies always, by harness; empty for a file that no harness reads.
    always: Vec<Group>,
    files: Vec<Group>,
    topics: Vec<Group>,
    pages: Vec<Page>,
}

/// A text that is written once, whoever has it.
#[derive(Debug)]
struct Fragment {
    id: String,
    folder: &'static str,
    title: String,
    text: String,
    origin: String,
}

/// Sections that apply together.
#[derive(Debug)]
struct Group {
    value: String,
    /// Why they do: patterns, or a description.
    comment: String,
    /// The fragments, by index, in order.
    sections: Vec<usize>,
}

/// A file that was read, with its fragments.
#[derive(Debug)]
struct Page {
    file: String,
    what: String,
    sections: Vec<usize>,
}

/// When a page applies.
enum When {
    Always(String),
    Files(String, String),
    Topic(String, String),
}

impl Instructions {
    /// Adds a file.
    pub(super) fn add(&mut self, file: &str, kind: &PageKind, text: &str, imported: &mut Imported) {
        let front = match kind {
            PageKind::Rule(..) | PageKind::Plain => Front::split(text),
            // There a `---` is a line of the text.
            PageKind::Always(_) | PageKind::Nested(_) => Front::none(text),
        };
        let when = when(file, kind, &front, imported);
        let (found, managed) = sections(front.body);
        for line in managed {
            let why = "`lawful install` wrote it, so its source is a lawbook already";
            imported.lose(file, Some(front.lines + line), "a block of Lawful", why);
        }
        for (number, line) in (1..).zip(front.body.lines()) {
            for path in imports_of(line) {
                let what = format!("the import `@{path}`");
                let why = "the line is in a fragment, but Lawful does not read the file; import it with `--from`";
                imported.lose(file, Some(front.lines + number), what, why);
            }
        }
        let ids: Vec<usize> = found
            .iter()
            .map(|section| {
                let title = if section.title.is_empty() { stem(file) } else { &section.title };
                self.fragment(title, &section.text, file)
            })
            .collect();
        let what = match (&when, ids.len()) {
            (_, 0) => {
                imported.lose(file, None, "the file", "it has no text");
                return;
            }
            (When::Always(_), count) => escape::count(count, "fragment"),
            (When::Files(value, _), count) => {
                format!("{}, added by `files={value}`", escape::count(count, "fragment"))
            }
            (When::Topic(value, _), count) => {
                format!("{}, added by `topic={value}`", escape::count(count, "fragment"))
            }
        };
        self.pages.push(Page { file: file.to_owned(), what, sections: ids.clone() });
        let (groups, value, comment) = match when {
            When::Always(harness) => (&mut self.always, harness, file.to_owned()),
            When::Files(value, globs) => (&mut self.files, value, globs),
            When::Topic(value, description) => (&mut self.topics, value, description),
        };
        match groups.iter_mut().find(|group| group.value == value) {
            Some(group) => {
                // Two files of one harness: `CLAUDE.md` and `.claude/CLAUDE.md`.
                let _ = write!(group.comment, ", {comment}");
                group.add(&ids);
            }
            None => {
                let mut group = Group { value, comment, sections: Vec::new() };
                group.add(&ids);
                groups.push(group);
            }
        }
    }

    /// The fragment with a text, which is added if no file had it before.
    fn fragment(&mut self, title: &str, text: &str, origin: &str) -> usize {
        let is_same = |known: &Fragment| known.text.trim() == text.trim();
        if let Some(at) = self.fragments.iter().position(is_same) {
            return at;
        }
        let name = Some(slug(title)).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| "section".to_owned());
        let is_taken = |id: &str| self.fragments.iter().any(|known| known.id == id);
        let id = unique(&format!("imported-{name}"), is_taken);
        self.fragments.push(Fragment {
            id,
            folder: "imported",
            title: title.to_owned(),
            text: text.to_owned(),
            origin: origin.to_owned(),
        });
        self.fragments.len() - 1
    }

    /// Writes the fragments, the composition, its scenario and the axes.
    pub(super) fn finish(mut self, imported: &mut Imported) {
        if self.fragments.is_empty() {
            return;
        }
        let core = self.core();
        for at in &core {
            if let Some(fragment) = self.fragments.get_mut(*at)
                && self.always.len() > 1
            {
                fragment.folder = "core";
            }
        }
        for fragment in &self.fragments {
            imported.put(fragment.path(), fragment.page(), &fragment.origin);
        }
        let origin = self.pages.first().map(|page| page.file.clone()).unwrap_or_default();
        imported.put(format!("compositions/{NAME}.yaml"), self.composition(&core), &origin);
        imported.put(format!("scenarios/{NAME}.yaml"), self.scenario(&core), &origin);
        self.axes(imported);
        for page in &self.pages {
            let path = |at: &usize| self.fragments.get(*at).map(Fragment::path);
            imported.carried.push(Carried {
                file: page.file.clone(),
                what: page.what.clone(),
                files: page.sections.iter().filter_map(path).collect(),
            });
        }
    }

    /// What is always in the prompt: the sections of the only harness, or those that at least two
    /// have; and those of files that no harness reads.
    fn core(&self) -> Vec<usize> {
        let mut core: Vec<usize> = Vec::new();
        let is_shared = |at: usize| {
            self.always.len() == 1
                || self.always.iter().filter(|group| group.sections.contains(&at)).count() > 1
        };
        for group in &self.always {
            for at in &group.sections {
                if (group.value.is_empty() || is_shared(*at)) && !core.contains(at) {
                    core.push(*at);
                }
            }
        }
        core
    }

    /// The harnesses that have a value on the axis.
    fn harnesses(&self) -> impl Iterator<Item = &Group> {
        let only_one = self.always.len() == 1;
        self.always.iter().filter(move |group| !only_one && !group.value.is_empty())
    }

    /// What a harness has in its prompt, in order: its own sections, then those of files that no harness
    /// reads.
    fn prompt_of(&self, harness: &Group) -> Vec<usize> {
        let mut all = harness.sections.clone();
        for group in self.always.iter().filter(|group| group.value.is_empty()) {
            all.extend(group.sections.iter().filter(|at| !harness.sections.contains(at)));
        }
        all
    }

    fn ids(&self, sections: &[usize]) -> String {
        let id = |at: &usize| self.fragments.get(*at).map(|fragment| &*fragment.id);
        yaml::list(sections.iter().filter_map(id))
    }

    fn composition(&self, core: &[usize]) -> String {
        let files: Vec<&str> = self.pages.iter().map(|page| &*page.file).collect();
        let mut text = format!(
            "# The instructions of {}, section by section.\nname: {NAME}\nbase: {}\n",
            yaml::comment(&files.join(", ")),
            self.ids(core)
        );
        let mut rules = String::new();
        for harness in self.harnesses() {
            let prompt = self.prompt_of(harness);
            let own: Vec<usize> = prompt.iter().filter(|at| !core.contains(at)).copied().collect();
            let others: Vec<usize> =
                core.iter().filter(|at| !prompt.contains(at)).copied().collect();
            let kept: Vec<usize> = core.iter().filter(|at| prompt.contains(at)).copied().collect();
            let when = format!("    when: {{harness: {}}}\n", yaml::scalar(&harness.value));
            let mut rule = |name: &str, action: &str, ids: &[usize]| {
                let _ = write!(
                    rules,
                    "  - id: {}{name}\n{when}    {action}: {}\n",
                    harness.value,
                    self.ids(ids)
                );
            };
            if !own.is_empty() {
                rule("", "add", &own);
            }
            if !others.is_empty() {
                rule("-without", "forbid", &others);
            }
            // What is added for some files or a topic comes after the sections of the harness.
            let has_more = prompt.len() > 1 || !(self.files.is_empty() && self.topics.is_empty());
            if has_more && (!own.is_empty() || kept != prompt) {
                rule("-order", "order", &prompt);
            }
        }
        // The later of two rules on one anchor lands nearer to it.
        let last = core.last().and_then(|at| self.fragments.get(*at));
        let conditional = [("files", &self.files), ("topic", &self.topics)];
        for (axis, group) in conditional
            .iter()
            .flat_map(|(axis, groups)| groups.iter().map(move |g| (axis, g)))
            .rev()
        {
            let _ = write!(
                rules,
                "  # {}\n  - id: {axis}-{}\n    when: {{{axis}: {}}}\n    add: {}\n",
                yaml::comment(&group.comment),
                slug(&group.value),
                yaml::scalar(&group.value),
                self.ids(&group.sections)
            );
            if let Some(last) = last {
                let _ = writeln!(rules, "    after: {}", yaml::scalar(&last.id));
            }
        }
        if !rules.is_empty() {
            text.push_str("rules:\n");
            text.push_str(&rules);
        }
        text
    }

    /// A prompt for every harness, every kind of file and every topic.
    fn scenario(&self, core: &[usize]) -> String {
        let mut text = format!("name: the imported {NAME} are complete\nsteps:\n");
        let mut step = |context: &str, order: &[usize]| {
            if order.is_empty() {
                return;
            }
            let _ = write!(
                text,
                "  - compose: {{name: {NAME}, context: {{{context}}}}}\n    expect: {{prompt: {{order: {}}}}}\n",
                self.ids(order)
            );
        };
        step("", core);
        for harness in self.harnesses() {
            step(&format!("harness: {}", yaml::scalar(&harness.value)), &self.prompt_of(harness));
        }
        for (axis, groups) in [("files", &self.files), ("topic", &self.topics)] {
            for group in groups {
                let context = format!("{axis}: {}", yaml::scalar(&group.value));
                step(&context, &group.sections);
            }
        }
        text
    }

    fn axes(&self, imported: &mut Imported) {
        let values = |groups: &mut dyn Iterator<Item = &Group>| -> Vec<(String, String)> {
            groups.map(|group| (group.value.clone(), group.comment.clone())).collect()
        };
        let axes = [
            ("harness", values(&mut self.harnesses())),
            ("files", values(&mut self.files.iter())),
            ("topic", values(&mut self.topics.iter())),
        ];
        for (name, values) in axes {
            if !values.is_empty() {
                imported.axes.push(ImportedAxis { name, values });
            }
        }
    }
}

impl Group {
    /// Adds sections, each once.
    fn add(&mut self, sections: &[usize]) {
        for at in sections {
            if !self.sections.contains(at) {
                self.sections.push(*at);
            }
        }
    }
}

impl Fragment {
    fn path(&self) -> String {
        format!("fragments/{}/{}.md", self.folder, self.id)
    }

    /// The page. `${` is text in the instructions, and a placeholder in a fragment.
    fn page(&self) -> String {
        let title = yaml::quoted(&self.title);
        let text = self.text.replace("${", "\\${");
        format!("---\nid: {}\ntitle: {title}\n---\n{text}\n", yaml::scalar(&self.id))
    }
}

/// When a page applies. What else its front matter says is listed.
fn when(file: &str, kind: &PageKind, front: &Front<'_>, imported: &mut Imported) -> When {
    let (harness, name) = match kind {
        PageKind::Always(harness) => return When::Always((*harness).to_owned()),
        PageKind::Plain => ("", String::new()),
        PageKind::Nested(folder) => return When::Files(folder.clone(), format!("{folder}/**")),
        PageKind::Rule(harness, name) => (*harness, name.clone()),
    };
    for entry in front.except(&["globs", "alwaysApply", "applyTo", "paths", "description"]) {
        let what = if entry.key.is_empty() {
            format!("the line `{}`", entry.values.join(" "))
        } else {
            format!("the key `{}`", entry.key)
        };
        imported.lose(file, Some(entry.line), what, "nothing in a lawbook reads it");
    }
    for entry in front.unclosed() {
        let what = format!("a part of the list `{}`", entry.key);
        let why = "the list is not closed on its line, so the front matter is not valid";
        imported.lose(file, Some(entry.line), what, why);
    }
    let globs: Vec<String> = ["globs", "applyTo", "paths"]
        .iter()
        .flat_map(|key| front.get(key))
        .flat_map(|value| split_outside_braces(value))
        .map(|glob| glob.trim().to_owned())
        .filter(|glob| !glob.is_empty())
        .collect();
    let is_everything = |glob: &String| matches!(&**glob, "**" | "**/*" | "*");
    let description = front.first("description").unwrap_or_default();
    if front.is_true("alwaysApply") || globs.iter().any(is_everything) || harness.is_empty() {
        if !description.is_empty() {
            let why = "the text always applies, so nobody needs to choose it";
            imported.lose(file, None, format!("the description `{description}`"), why);
        }
        return When::Always(harness.to_owned());
    }
    if !globs.is_empty() {
        let why = format!(
            "Lawful does not see which files a prompt is for; pass `--context files={name}`"
        );
        imported.lose(file, None, format!("the patterns `{}`", globs.join(", ")), why);
        return When::Files(name, globs.join(", "));
    }
    // Claude Code and Copilot read a rule without patterns always; Cursor asks its agent.
    if harness != "cursor" {
        return When::Always(harness.to_owned());
    }
    let why =
        format!("an agent chose this by the description; Lawful needs `--context topic={name}`");
    imported.lose(file, None, "when to use it", why);
    let comment = if description.is_empty() { "chosen by a person" } else { description };
    When::Topic(name, comment.to_owned())
}

/// The files that a line imports: `@docs/style.md`, `@~/notes.md`. The name of a package, such as
/// `@types/node`, has no ending.
fn imports_of(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().filter_map(|word| {
        let path = word.strip_prefix('@')?.trim_end_matches([',', '.', ';', ':', ')']);
        let (_, name) = path.rsplit_once('/').unwrap_or(("", path));
        let has_ending = name.rsplit_once('.').is_some_and(|(stem, end)| {
            !stem.is_empty() && end.chars().all(|c| c.is_ascii_alphanumeric())
        });
        has_ending.then_some(path)
    })
}

/// The name of a file without its folder and its ending.
fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.split('.').find(|part| !part.is_empty()).unwrap_or(name)
}
