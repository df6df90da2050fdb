use std::path::PathBuf;

use super::*;

/// A folder with these files.
struct Scene(PathBuf);

impl Scene {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder =
            std::env::temp_dir().join(format!("lawful-detect-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(folder)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The languages, and each test command with its name.
fn check(name: &str, files: &[(&str, &str)], expected: &str) {
    let scene = Scene::new(name, files);
    let (languages, commands) = languages(&scene.0);
    let commands = commands.iter().map(|one| format!("{}: {}", one.name, one.run.join(" ")));
    let commands: Vec<String> = commands.collect();
    assert_eq!(format!("{} | {}", languages.join(" "), commands.join(", ")), expected, "{name}");
}

#[test]
fn languages_are_known_by_their_manifests() {
    check("none", &[("README.md", "")], " | ");
    check("rust", &[("Cargo.toml", "[package]")], "rust | tests: cargo test");
    check("workspace", &[("Cargo.toml", "[workspace]\n")], "rust | tests: cargo test --workspace");
    check("go", &[("go.mod", "module a")], "go | tests: go test ./...");
    check("dotnet", &[("shop.sln", "")], "dotnet | tests: dotnet test");
    check("maven", &[("pom.xml", "")], "java | tests: mvn -q test");
    check("gradle", &[("build.gradle.kts", ""), ("gradlew", "")], "java | tests: ./gradlew test");
}

#[test]
fn python_tests_run_with_what_the_project_uses() {
    check("py", &[("setup.py", "")], "python | ");
    let class = "import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self): pass\n";
    let unittest = "python | tests: python3 -m unittest discover";
    check("unittest", &[("test_a.py", class)], unittest);
    check(
        "package",
        &[("setup.py", ""), ("tests/__init__.py", ""), ("tests/test_a.py", class)],
        unittest,
    );
    let apart = "python | tests: python3 -m unittest discover -s tests";
    check("folder", &[("setup.py", ""), ("tests/test_a.py", class)], apart);
    let functions = "python | tests: python3 -m pytest -q";
    check("functions", &[("setup.py", ""), ("tests/test_a.py", "def test_a(): pass\n")], functions);
    check("suffix", &[("a_test.py", class)], functions);
    check("empty", &[("setup.py", ""), ("tests/test_a.py", "")], "python | ");
    let pytest = ("pyproject.toml", "[tool.pytest.ini_options]");
    check("pytest", &[pytest], "python | tests: python3 -m pytest -q");
    check("uv", &[pytest, ("uv.lock", "")], "python | tests: uv run pytest -q");
    check("poetry", &[pytest, ("poetry.lock", "")], "python | tests: poetry run pytest -q");
}

#[test]
fn node_tests_are_the_script_of_the_package() {
    let package = ("package.json", r#"{"scripts": {"test": "node --test"}}"#);
    check("npm", &[package], "node | tests: npm test");
    check("pnpm", &[package, ("pnpm-lock.yaml", "")], "node | tests: pnpm test");
    check("yarn", &[package, ("yarn.lock", "")], "node | tests: yarn test");
    check("bun", &[package, ("bun.lock", "")], "node | tests: bun run test");
    let none = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
    check("no-tests", &[("package.json", none)], "node | ");
    check("broken", &[("package.json", "{")], "node | ");
    let named = r#"{"packageManager": "pnpm@9.1.0", "scripts": {"test": "vitest run"}}"#;
    check("named", &[("package.json", named)], "node | tests: pnpm test");
}

#[test]
fn every_language_has_a_command_of_its_own() {
    check(
        "two",
        &[("Cargo.toml", ""), ("package.json", r#"{"scripts": {"test": "vitest run"}}"#)],
        "rust node | tests: cargo test, tests-node: npm test",
    );
    check("make", &[("Makefile", "all:\ntest: all\n\tprove\n")], " | tests: make test");
    check("go-make", &[("go.mod", ""), ("Makefile", "test:\n")], "go | tests: go test ./...");
}

#[cfg(unix)]
#[test]
fn what_is_not_a_text_file_is_not_read() {
    let scene = Scene::new("odd", &[("pyproject.toml/x", ""), ("setup.cfg", "")]);
    fs::write(scene.0.join("tox.ini"), b"pytest \xff").unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(scene.0.join("Pipfile")).status();
    assert!(pipe.unwrap().success());
    assert_eq!(languages(&scene.0).0, ["python"]);
}
