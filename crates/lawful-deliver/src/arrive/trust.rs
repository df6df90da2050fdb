//! Whether the user trusts a project, as a harness sees it.

use std::path::{Path, PathBuf};

use super::Reader;
use crate::reading::{Trust, TrustForm};

impl Reader<'_> {
    /// Whether the harness reads files of this project that need trust.
    pub(crate) fn is_trusted(&self) -> bool {
        let Some(trust) = self.harness.reading.trust else { return true };
        let by_variable = trust.variable.and_then(|name| self.places.trust_variable(name));
        by_variable.unwrap_or_else(|| !self.needs_trust(&trust) || self.is_listed(&trust))
    }

    fn needs_trust(&self, trust: &Trust) -> bool {
        let set = self.nested(trust.settings, &["security", "folderTrust", "enabled"]);
        match set.as_ref().map(|(_, value)| value.trim()) {
            Some("true") => true,
            Some("false") => false,
            Some(_) | None => trust.is_default,
        }
    }

    fn is_listed(&self, trust: &Trust) -> bool {
        let Some(at) = self.places.locate(trust.list, "") else { return false };
        let Some(file) = (self.now)(&at.path) else { return false };
        match trust.form {
            TrustForm::Projects => {
                let folders = [self.places.project(), self.places.start()];
                folders.iter().any(|folder| is_project_listed(&file, folder))
            }
            TrustForm::Folders => is_folder_listed(&file, self.places.start()),
        }
    }
}

/// `[projects."/folder"] trust_level = "trusted"`
fn is_project_listed(file: &str, folder: &Path) -> bool {
    let Ok(document) = toml_edit::Document::parse(file) else { return false };
    let level = document
        .get("projects")
        .and_then(|projects| projects.get(folder.to_str()?))
        .and_then(|project| project.get("trust_level"))
        .and_then(toml_edit::Item::as_str);
    level == Some("trusted")
}

/// `{"/folder": "TRUST_FOLDER"}`; the longest folder that fits decides.
fn is_folder_listed(file: &str, folder: &Path) -> bool {
    let Ok(serde_json::Value::Object(rules)) = serde_json::from_str(file) else { return false };
    let mut best: Option<(usize, bool)> = None;
    for (path, level) in &rules {
        let path = PathBuf::from(path);
        let (root, is_trusted) = match level.as_str() {
            Some("TRUST_FOLDER") => (path, true),
            Some("TRUST_PARENT") => (path.parent().map_or_else(PathBuf::new, Path::to_owned), true),
            Some("DO_NOT_TRUST") => (path, false),
            Some(_) | None => continue,
        };
        let length = root.components().count();
        if folder.starts_with(&root) && best.is_none_or(|(longest, _)| length >= longest) {
            best = Some((length, is_trusted));
        }
    }
    best.is_some_and(|(_, is_trusted)| is_trusted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_codex_names_projects() {
        let file = "model = \"x\"\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n[projects.\"/q\"]\ntrust_level = \"untrusted\"\n";
        assert!(is_project_listed(file, Path::new("/p")));
        for other in ["/q", "/p/sub", "/r"] {
            assert!(!is_project_listed(file, Path::new(other)), "{other}");
        }
        assert!(!is_project_listed("= broken", Path::new("/p")));
    }

    #[test]
    fn the_longest_folder_of_a_list_decides() {
        let file = r#"{"/a": "TRUST_FOLDER", "/a/b": "DO_NOT_TRUST", "/c/d": "TRUST_PARENT"}"#;
        let trusted = |folder: &str| is_folder_listed(file, Path::new(folder));
        assert!(trusted("/a") && trusted("/a/x") && trusted("/c") && trusted("/c/e"));
        assert!(!trusted("/a/b") && !trusted("/a/b/c") && !trusted("/") && !trusted("/ab"));
    }
}
