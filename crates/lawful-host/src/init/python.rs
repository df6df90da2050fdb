//! How the tests of a Python project are run.
//!
//! Files that configure pytest decide. Without one, the tests themselves do: plain functions need
//! pytest, and classes of `unittest` do not.

use super::detect::{Project, Tests, run};

/// The command of the tests, if there are any.
pub(super) fn tests(project: &Project<'_>) -> Option<Tests> {
    let found = Found::of(project);
    if uses_pytest(project) || found.style == Some(Style::Function) {
        return Some(run(match (project.has("uv.lock"), project.has("poetry.lock")) {
            (true, _) => &["uv", "run", "pytest", "-q"],
            (false, true) => &["poetry", "run", "pytest", "-q"],
            (false, false) => &["python3", "-m", "pytest", "-q"],
        }));
    }
    found.style?;
    Some(run(match found.apart {
        // `discover` enters only folders that are packages.
        Some("tests") => &["python3", "-m", "unittest", "discover", "-s", "tests"],
        Some(_) => &["python3", "-m", "unittest", "discover", "-s", "test"],
        None => &["python3", "-m", "unittest", "discover"],
    }))
}

fn uses_pytest(project: &Project<'_>) -> bool {
    const FILES: [&str; 8] = [
        "pyproject.toml",
        "setup.cfg",
        "tox.ini",
        "requirements.txt",
        "Pipfile",
        "requirements-dev.txt",
        "dev-requirements.txt",
        "setup.py",
    ];
    FILES.iter().any(|file| project.text(file).contains("pytest"))
        || project.has("pytest.ini")
        || project.has("conftest.py")
        || FOLDERS.iter().any(|folder| project.names_in(folder).iter().any(|n| n == "conftest.py"))
}

/// The folders that have tests by convention.
const FOLDERS: [&str; 2] = ["tests", "test"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Classes of `unittest`.
    Class,
    /// Functions, which only pytest runs.
    Function,
}

/// The tests that a project has.
struct Found {
    /// `None` if there are none.
    style: Option<Style>,
    /// The folder of the tests, unless `unittest discover` finds them without its name.
    apart: Option<&'static str>,
}

impl Found {
    fn of(project: &Project<'_>) -> Self {
        let mut found = Self { style: None, apart: None };
        for folder in [""].iter().chain(&FOLDERS) {
            let names = project.names_in(folder);
            let is_package = folder.is_empty() || names.iter().any(|name| name == "__init__.py");
            for name in names.iter().filter(|name| is_test(name)) {
                let path = format!("{folder}/{name}");
                let style = style_of(name, &project.text(path.trim_start_matches('/')));
                if found.style.is_none() {
                    found.style = style;
                    found.apart = style.filter(|_| !is_package).map(|_| *folder);
                } else if style == Some(Style::Function) {
                    found.style = style;
                }
            }
        }
        found
    }
}

fn is_test(name: &str) -> bool {
    let stem = name.strip_suffix(".py");
    stem.is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test") || stem == "test")
}

fn style_of(name: &str, text: &str) -> Option<Style> {
    let is_function = |line: &str| {
        let line = line.strip_prefix("async ").unwrap_or(line);
        line.starts_with("def test")
    };
    match (text.lines().any(is_function), text.contains("unittest")) {
        (true, _) => Some(Style::Function),
        // `unittest` does not look for such names.
        (false, true) if !name.starts_with("test") => Some(Style::Function),
        (false, true) => Some(Style::Class),
        (false, false) => None,
    }
}
