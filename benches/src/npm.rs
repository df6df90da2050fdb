//! Peers from npm, installed under `target/` and nowhere else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the packages are installed.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/peers");

/// The folder of an installed package.
pub(crate) fn folder(package: &str) -> PathBuf {
    Path::new(INSTALLED).join("node_modules").join(package)
}

/// Installs a package, unless it is there; the reason if it cannot be.
pub(crate) fn install(package: &str, version: &str) -> std::result::Result<(), String> {
    if is_installed(package, version) {
        return Ok(());
    }
    eprintln!("installing {package} {version}");
    fs::create_dir_all(INSTALLED).map_err(|error| error.to_string())?;
    let status = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", INSTALLED])
        .arg(format!("{package}@{version}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .map_err(|error| format!("npm cannot be started: {error}"))?;
    if status.success() && is_installed(package, version) {
        Ok(())
    } else {
        Err(format!("npm could not install {package} {version}"))
    }
}

fn is_installed(package: &str, version: &str) -> bool {
    let manifest = fs::read_to_string(folder(package).join("package.json")).unwrap_or_default();
    let manifest: Option<serde_json::Value> = serde_json::from_str(&manifest).ok();
    manifest.and_then(|json| Some(json.get("version")?.as_str()? == version)) == Some(true)
}

/// The version of Node, if there is one.
pub(crate) fn node_version() -> Option<String> {
    let output = Command::new("node").arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| version.trim().to_owned())
}
