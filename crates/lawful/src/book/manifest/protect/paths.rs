//! Which paths the patterns of `protect.paths` cover.
//!
//! A pattern that matches a folder covers everything in it. `*` and `?` do not match `/`; `**`
//! does.

use globset::{GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};

/// The compiled patterns of `protect.paths`. A relative pattern matches only paths in the project,
/// and an absolute one only paths outside it.
#[derive(Clone, Debug)]
pub struct ProtectedPaths {
    inside: Patterns,
    outside: Patterns,
}

#[derive(Clone, Debug, Default)]
struct Patterns {
    set: GlobSet,
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct Pattern {
    text: Box<str>,
    /// The parts of the whole pattern; without the empty one before the first slash.
    parts: Vec<Part>,
}

/// A part of a pattern between slashes.
#[derive(Clone, Debug)]
enum Part {
    Name(Box<str>),
    /// One name that a wildcard describes.
    One(GlobMatcher),
    /// Anything, at any depth: `**`, or alternatives with a slash in them.
    Any,
}

impl ProtectedPaths {
    pub(super) fn new<'p>(patterns: impl Iterator<Item = &'p str>, home: Option<&str>) -> Self {
        let full = |text: &str| {
            let below_home = text.strip_prefix("~/").or((text == "~").then_some(""));
            let Some(rest) = below_home else { return Some(text.to_owned()) };
            let home = globset::escape(home?.trim_end_matches('/'));
            Some(format!("{home}/{rest}").trim_end_matches('/').to_owned())
        };
        let all = patterns.filter_map(|text| Some((text, full(text)?)));
        let (outside, inside): (Vec<_>, Vec<_>) =
            all.partition(|(_, pattern)| pattern.starts_with('/'));
        Self { inside: Patterns::new(inside), outside: Patterns::new(outside) }
    }

    /// Whether there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.inside.patterns.is_empty() && self.outside.patterns.is_empty()
    }

    /// A pattern that covers a path: one that matches it, or a folder that it is in. The path is
    /// relative to the project if it is inside, else absolute.
    pub fn covers(&self, path: &str) -> Option<&str> {
        self.of(path).covers(path)
    }

    /// A pattern that covers a folder, or something that can be in it. The project is inside every
    /// folder that leads to it, which the caller has to check.
    pub fn reaches(&self, folder: &str) -> Option<&str> {
        self.of(folder).reaches(folder)
    }

    fn of(&self, path: &str) -> &Patterns {
        if path.starts_with('/') { &self.outside } else { &self.inside }
    }
}

impl Patterns {
    fn new(patterns: Vec<(&str, String)>) -> Self {
        let mut builder = GlobSetBuilder::new();
        let mut compiled = Vec::new();
        for (text, full) in patterns {
            // Decoding has rejected invalid patterns.
            if let Ok(glob) = GlobBuilder::new(&full).literal_separator(true).build() {
                builder.add(glob);
                compiled.push(Pattern { text: text.into(), parts: parts(&full) });
            }
        }
        Self { set: builder.build().unwrap_or_default(), patterns: compiled }
    }

    fn covers(&self, path: &str) -> Option<&str> {
        let mut found: Option<usize> = None;
        let mut rest = Some(path);
        while let Some(path) = rest.filter(|path| !path.is_empty() && !self.patterns.is_empty()) {
            let first = self.set.matches(path).into_iter().min();
            found = found.into_iter().chain(first).min();
            rest = path.rsplit_once('/').map(|(folder, _)| folder);
        }
        found.and_then(|at| self.patterns.get(at)).map(|pattern| &*pattern.text)
    }

    fn reaches(&self, folder: &str) -> Option<&str> {
        let below = || self.patterns.iter().find(|pattern| pattern.is_below(folder));
        self.covers(folder).or_else(|| below().map(|pattern| &*pattern.text))
    }
}

impl Pattern {
    /// Whether the pattern can match something below a folder.
    fn is_below(&self, folder: &str) -> bool {
        let mut parts = self.parts.iter();
        for name in folder.split('/').filter(|name| !matches!(*name, "" | ".")) {
            match parts.next() {
                None => return false,
                Some(Part::Any) => return true,
                Some(Part::Name(part)) if **part == *name => {}
                Some(Part::One(glob)) if glob.is_match(name) => {}
                Some(Part::Name(_) | Part::One(_)) => return false,
            }
        }
        parts.next().is_some()
    }
}

fn parts(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for text in pattern.trim_start_matches('/').split('/') {
        let spans_a_slash = text.matches('{').count() != text.matches('}').count();
        if text.contains("**") || spans_a_slash {
            parts.push(Part::Any);
            return parts;
        }
        if !text.contains(['*', '?', '[', ']', '{', '}', '\\']) {
            parts.push(Part::Name(text.into()));
            continue;
        }
        match GlobBuilder::new(text).literal_separator(true).build() {
            Ok(glob) => parts.push(Part::One(glob.compile_matcher())),
            // A part that is no pattern by itself: a class with a slash in it.
            Err(_) => {
                parts.push(Part::Any);
                return parts;
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::ProtectedPaths;

    fn check(patterns: &[&str], paths: &[(&str, bool, bool)]) {
        let protected = ProtectedPaths::new(patterns.iter().copied(), Some("/home/ada"));
        for (path, covered, reached) in paths {
            assert_eq!(protected.covers(path).is_some(), *covered, "covers {path}");
            assert_eq!(protected.reaches(path).is_some(), *reached, "reaches {path}");
        }
    }

    #[test]
    fn a_folder_covers_what_is_in_it() {
        check(
            &["infra", "ci/*.yaml"],
            &[
                ("infra", true, true),
                ("infra/a/b.tf", true, true),
                ("infrastructure", false, false),
                ("ci", false, true),
                ("ci/a.yaml", true, true),
                ("ci/a.yaml/b", true, true),
                ("ci/deep/a.yaml", false, false),
                ("ci/a.json", false, false),
                ("", false, true),
                ("/", false, false),
                ("/infra", false, false),
            ],
        );
    }

    #[test]
    fn stars_reach_every_folder_that_could_hold_a_match() {
        check(
            &["**/*.lock", "src*/gen/**", "{a/b,c}/d"],
            &[
                ("Cargo.lock", true, true),
                ("x/y.lock", true, true),
                ("anything", false, true),
                ("/tmp", false, false),
                ("c/d", true, true),
                ("a/b/d", true, true),
            ],
        );
        check(
            &["src*/gen/**"],
            &[
                ("src1", false, true),
                ("src1/gen", false, true),
                ("src1/gen/x", true, true),
                ("src1/other", false, false),
                ("build", false, false),
            ],
        );
    }

    #[test]
    fn absolute_patterns_and_the_home_folder_are_outside_the_project() {
        check(
            &["/etc/**", "~/.ssh"],
            &[
                ("/etc/passwd", true, true),
                ("/etc", false, true),
                ("/", false, true),
                ("/home", false, true),
                ("/home/ada/.ssh/config", true, true),
                ("/home/ada", false, true),
                ("/home/bob/.ssh", false, false),
                ("etc", false, false),
                ("", false, false),
            ],
        );
    }
}
