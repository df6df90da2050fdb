//! What a Nickel text imports, found without parsing it.
//!
//! The imports of a conditioning file are part of the book, so they are found when it is loaded, and
//! loading runs no Nickel. A text in a comment that looks like an import is found too; that is
//! harmless. An import that is not found here is read when the file is evaluated, and is missing from
//! a [`Bundle`](super::Bundle), so a book that depends on it cannot be trusted.

/// The path in the lawbook of an import; `None` if it leads out of it.
pub fn import_path(importer: Option<&str>, written: &str) -> Option<String> {
    if written.starts_with('/') || written.contains(['\\', ':', '\0']) {
        return None;
    }
    let folder = importer.and_then(|path| path.rsplit_once('/')).map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The paths that follow the word `import` in a text.
pub(super) fn imports(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("import").filter_map(|(at, word)| {
        let before = text.get(..at)?.chars().next_back();
        let after = text.get(at + word.len()..)?;
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'');
        if before.is_some_and(is_word) || after.starts_with(is_word) {
            // `m%"…"%` starts with a word character, so it needs a space before it.
            return None;
        }
        quoted(without_comments(after))
    })
}

fn without_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        let Some(comment) = text.strip_prefix('#') else { return text };
        text = comment.split_once('\n').map_or("", |(_, rest)| rest);
    }
}

/// The text of a string literal without escapes: no file of a lawbook needs one.
fn quoted(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('"') {
        return rest.split_once('"').map(|(path, _)| path);
    }
    let rest = text.strip_prefix('m')?;
    let open = rest.split_once('"')?.0;
    let marked = !open.is_empty() && open.chars().all(|c| c == '%');
    let end = format!("\"{open}");
    rest.get(open.len() + 1..).filter(|_| marked)?.split_once(&*end).map(|(path, _)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_is_relative_to_its_file_and_stays_in_the_book() {
        let one = |from, written, expected: Option<&str>| {
            assert_eq!(import_path(from, written).as_deref(), expected, "{written}");
        };
        one(None, "c/compose.ncl", Some("c/compose.ncl"));
        one(Some("c/compose.ncl"), "core.ncl", Some("c/core.ncl"));
        one(Some("c/compose.ncl"), "./personas/../core.ncl", Some("c/core.ncl"));
        one(Some("c/compose.ncl"), "../law/core.ncl", Some("law/core.ncl"));
        one(Some("compose.ncl"), "core.ncl", Some("core.ncl"));
        one(Some("c/compose.ncl"), "../../core.ncl", None);
        one(Some("c/compose.ncl"), "../../c/core.ncl", None);
        one(Some("c/compose.ncl"), "/etc/passwd", None);
        one(Some("c/compose.ncl"), "C:\\secret", None);
    }

    #[test]
    fn imports_are_found_in_every_form() {
        let found = |text: &str| imports(text).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            found("(import \"a.ncl\") & import\n# why\n\"b.ncl\" as 'Text"),
            ["a.ncl", "b.ncl"]
        );
        assert_eq!(found("import m%\"c.ncl\"% import m%%\"d\"%.ncl\"%%"), ["c.ncl", "d\"%.ncl"]);
        assert_eq!(found("import\"e.ncl\""), ["e.ncl"]);
        assert!(found("reimport \"a\" imports \"b\" import pkg import \"open import").is_empty());
    }
}
