//! What a project is made of: its languages, and the commands that run its tests.
//!
//! Only the names and texts of a few files are read. Nothing of the project runs.

use std::fs;
use std::path::Path;

use lawful::book::read_file;
use serde::Serialize;

use super::{node, python};

/// A command that runs tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestCommand {
    /// Its name in the manifest.
    pub name: String,
    /// The language of the tests.
    pub language: &'static str,
    /// The program and its arguments.
    pub run: Vec<String>,
    /// The file of the project that decides what it runs, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads: Option<&'static str>,
}

/// A language, and the files that are a sign of it.
struct Language {
    id: &'static str,
    signs: &'static [&'static str],
    tests: HasTests,
}

/// How the tests of a language are found.
enum HasTests {
    /// The language brings the command.
    Fixed(&'static [&'static str]),
    /// The project decides on the command.
    Chosen(fn(&Project<'_>) -> Tests),
    /// The project decides whether there is one.
    Perhaps(fn(&Project<'_>) -> Option<Tests>),
}

/// How tests are run: the program and its arguments, and the file that decides what they run.
pub(super) struct Tests {
    pub(super) run: &'static [&'static str],
    pub(super) reads: Option<&'static str>,
}

pub(super) const fn run(run: &'static [&'static str]) -> Tests {
    Tests { run, reads: None }
}

/// The languages, in the order in which they are reported. A sign that starts with `*` is the end of a
/// file name.
static LANGUAGES: [Language; 12] = [
    Language { id: "rust", signs: &["Cargo.toml"], tests: HasTests::Chosen(rust) },
    Language {
        id: "python",
        signs: &["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "*.py"],
        tests: HasTests::Perhaps(python::tests),
    },
    Language { id: "node", signs: &["package.json"], tests: HasTests::Perhaps(node::tests) },
    Language {
        id: "deno",
        signs: &["deno.json", "deno.jsonc"],
        tests: HasTests::Fixed(&["deno", "test"]),
    },
    Language { id: "go", signs: &["go.mod"], tests: HasTests::Fixed(&["go", "test", "./..."]) },
    Language {
        id: "java",
        signs: &["pom.xml", "build.gradle", "build.gradle.kts"],
        tests: HasTests::Chosen(java),
    },
    Language { id: "ruby", signs: &["Gemfile"], tests: HasTests::Perhaps(ruby) },
    Language { id: "php", signs: &["composer.json"], tests: HasTests::Perhaps(php) },
    Language { id: "elixir", signs: &["mix.exs"], tests: HasTests::Fixed(&["mix", "test"]) },
    Language {
        id: "dotnet",
        signs: &["*.sln", "*.slnx", "*.csproj", "*.fsproj"],
        tests: HasTests::Fixed(&["dotnet", "test"]),
    },
    Language { id: "swift", signs: &["Package.swift"], tests: HasTests::Fixed(&["swift", "test"]) },
    Language { id: "dart", signs: &["pubspec.yaml"], tests: HasTests::Perhaps(dart) },
];

/// The languages of a project, and its test commands: the first is called `tests`, a further one
/// `tests-LANGUAGE`.
pub(super) fn languages(folder: &Path) -> (Vec<&'static str>, Vec<TestCommand>) {
    let project = Project::open(folder);
    let found: Vec<&Language> =
        LANGUAGES.iter().filter(|language| project.has_any(language.signs)).collect();
    let mut commands: Vec<TestCommand> = Vec::new();
    for language in &found {
        let tests = match language.tests {
            HasTests::Fixed(words) => Some(run(words)),
            HasTests::Chosen(tests) => Some(tests(&project)),
            HasTests::Perhaps(tests) => tests(&project),
        };
        if let Some(tests) = tests {
            commands.push(command(language.id, &tests, commands.is_empty()));
        }
    }
    if commands.is_empty()
        && let Some(tests) = makefile(&project)
    {
        commands.push(command("make", &tests, true));
    }
    (found.iter().map(|language| language.id).collect(), commands)
}

fn command(language: &'static str, tests: &Tests, is_first: bool) -> TestCommand {
    TestCommand {
        name: if is_first { "tests".to_owned() } else { format!("tests-{language}") },
        language,
        run: tests.run.iter().map(|word| (*word).to_owned()).collect(),
        reads: tests.reads,
    }
}

/// The folder of a project.
pub(super) struct Project<'p> {
    folder: &'p Path,
    /// The names in it.
    names: Vec<String>,
}

impl<'p> Project<'p> {
    fn open(folder: &'p Path) -> Self {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        Self { folder, names: names.collect() }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    fn has_any(&self, signs: &[&str]) -> bool {
        signs.iter().any(|sign| match sign.strip_prefix('*') {
            Some(end) => self.names.iter().any(|name| name.ends_with(end)),
            None => self.has(sign),
        })
    }

    /// The names in a folder of the project; none if there is no such folder.
    pub(super) fn names_in(&self, folder: &str) -> Vec<String> {
        Project::open(&self.folder.join(folder)).names
    }

    /// The text of a file; empty if the file is missing or cannot be read.
    pub(super) fn text(&self, name: &str) -> String {
        /// More than any file that people write by hand.
        const LONGEST: usize = 1 << 20;
        let path = self.folder.join(name);
        if !fs::metadata(&path).is_ok_and(|known| known.is_file()) {
            return String::new();
        }
        let bytes = read_file(&path, LONGEST).unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }
}

fn rust(project: &Project<'_>) -> Tests {
    let has_workspace = project.text("Cargo.toml").lines().any(|line| line.trim() == "[workspace]");
    run(if has_workspace { &["cargo", "test", "--workspace"] } else { &["cargo", "test"] })
}

fn java(project: &Project<'_>) -> Tests {
    let wrapper = |run: &'static [&'static str], file| Tests { run, reads: Some(file) };
    match (project.has("pom.xml"), project.has("mvnw"), project.has("gradlew")) {
        (true, true, _) => wrapper(&["./mvnw", "-q", "test"], "mvnw"),
        (true, false, _) => run(&["mvn", "-q", "test"]),
        (false, _, true) => wrapper(&["./gradlew", "test"], "gradlew"),
        (false, _, false) => run(&["gradle", "test"]),
    }
}

fn ruby(project: &Project<'_>) -> Option<Tests> {
    if project.has("spec") {
        return Some(run(&["bundle", "exec", "rspec"]));
    }
    let has_rake = project.has("Rakefile") && project.has("test");
    has_rake.then_some(Tests { run: &["bundle", "exec", "rake", "test"], reads: Some("Rakefile") })
}

fn php(project: &Project<'_>) -> Option<Tests> {
    let has_phpunit = project.text("composer.json").contains("phpunit");
    has_phpunit.then_some(run(&["vendor/bin/phpunit"]))
}

fn dart(project: &Project<'_>) -> Option<Tests> {
    let is_flutter = project.text("pubspec.yaml").contains("flutter:");
    project.has("test").then_some(run(if is_flutter {
        &["flutter", "test"]
    } else {
        &["dart", "test"]
    }))
}

/// A `Makefile` with a target `test`, in a language that is not listed.
fn makefile(project: &Project<'_>) -> Option<Tests> {
    let has_target = project.text("Makefile").lines().any(|line| line.starts_with("test:"));
    has_target.then_some(Tests { run: &["make", "test"], reads: Some("Makefile") })
}

#[cfg(test)]
mod tests;
