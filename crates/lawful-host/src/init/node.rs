//! The test command of a Node project.

use serde_json::Value;

use super::detect::{Project, Tests};

/// What `npm init` writes if there are no tests.
const NO_TESTS: &str = "no test specified";

/// The script `test` of `package.json`, run by the package manager whose lock file is there.
pub(super) fn tests(project: &Project<'_>) -> Option<Tests> {
    let package: Value = serde_json::from_str(&project.text("package.json")).ok()?;
    let script = package.get("scripts")?.get("test")?.as_str()?;
    if script.trim().is_empty() || script.contains(NO_TESTS) {
        return None;
    }
    let named = package.get("packageManager").and_then(Value::as_str).unwrap_or_default();
    let uses = |manager: &str, locks: &[&str]| {
        named.starts_with(manager) || locks.iter().any(|lock| project.has(lock))
    };
    let run: &[&str] = if uses("pnpm", &["pnpm-lock.yaml"]) {
        &["pnpm", "test"]
    } else if uses("yarn", &["yarn.lock"]) {
        &["yarn", "test"]
    } else if uses("bun", &["bun.lock", "bun.lockb"]) {
        &["bun", "run", "test"]
    } else {
        &["npm", "test"]
    };
    Some(Tests { run, reads: Some("package.json") })
}
