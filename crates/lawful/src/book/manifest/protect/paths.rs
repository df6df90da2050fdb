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
    /// `None` if no pattern has a wildcard.
    set: Option<GlobSet>,
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct Pattern {
    text: Box<str>,
    /// The parts of the whole pattern; without the empty one before the first slash.
    parts: Vec<Part>,
    /// Whether it starts with `**`.
    is_anywhere: bool,
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
    pub(super) fn new<'p>(
        patterns: impl Iterator<Item = &'p str>,
        home: Option<&str>,
        project: Option<&str>,
    ) -> Self {
        let full = |text: &str| {
            let below_home = text.strip_prefix("~/").or((text == "~").then_some(""));
            let full = match below_home {
                None => text.to_owned(),
                Some(rest) => {
                    let home = globset::escape(home?.trim_end_matches('/'));
                    format!("{home}/{rest}").trim_end_matches('/').to_owned()
                }
            };
            // What lies in the project is compared with paths of the project.
            let root = project.map(|root| globset::escape(root.trim_end_matches('/')));
            let inside = root.and_then(|root| full.strip_prefix(&*root)?.strip_prefix('/'));
            Some(inside.map(str::to_owned).unwrap_or(full))
        };
        let all = patterns.filter_map(|text| Some((text, full(text)?)));
        let (outside, inside): (Vec<_>, Vec<_>) =
            all.partition(|(_, pattern)| pattern.starts_with('/'));
        Self { inside: Patterns::new(inside), outside: Patterns::new(outside) }
    }

    /// Files and folders by their names, without wildcards.
    pub(crate) fn literal<'p>(paths: impl Iterator<Item = &'p str>) -> Self {
        let (outside, inside): (Vec<_>, Vec<_>) = paths.partition(|path| path.starts_with('/'));
        Self { inside: Patterns::literal(&inside), outside: Patterns::literal(&outside) }
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

    /// A pattern that covers a folder, or whose files are in it: the folder is the part of the
    /// pattern before its last name or first wildcard, or below that. The project itself is no such
    /// folder.
    pub(crate) fn holds(&self, folder: &str) -> Option<&str> {
        let of = self.of(folder);
        let held = || of.patterns.iter().find(|pattern| pattern.is_held_by(folder));
        of.covers(folder).or_else(|| held().map(|pattern| &*pattern.text))
    }

    /// A pattern that covers something that a path with wildcards can match; with `tree`, also
    /// something in it.
    pub(crate) fn meets(&self, path: &str, tree: bool) -> Option<&str> {
        let written = parts(path);
        let of = self.of(path);
        // Only the last part can vary, so its end can rule a pattern out.
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let last = path.rsplit('/').next().unwrap_or_default();
        let only_last = !tree && !folder.contains(WILDCARDS) && of.covers(folder).is_none();
        let differs = |pattern: &Pattern| {
            let (a, b) = (fixed_end(&pattern.text), fixed_end(last));
            only_last && !a.ends_with(b) && !b.ends_with(a)
        };
        let mut found = of.patterns.iter();
        let found = found.find(|pattern| pattern.meets(&written, tree) && !differs(pattern));
        found.map(|pattern| &*pattern.text)
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
                let is_anywhere = full.starts_with("**");
                compiled.push(Pattern { text: text.into(), parts: parts(&full), is_anywhere });
            }
        }
        Self { set: Some(builder.build().unwrap_or_default()), patterns: compiled }
    }

    fn literal(paths: &[&str]) -> Self {
        let name = |name: &str| Part::Name(name.into());
        let pattern = |path: &&str| Pattern {
            text: (*path).into(),
            parts: names(path).map(name).collect(),
            is_anywhere: false,
        };
        Self { set: None, patterns: paths.iter().map(pattern).collect() }
    }

    fn covers(&self, path: &str) -> Option<&str> {
        let Some(set) = &self.set else {
            let names: Vec<Part> = names(path).map(|name| Part::Name(name.into())).collect();
            let found = self.patterns.iter().find(|pattern| pattern.meets(&names, false));
            return found.map(|pattern| &*pattern.text);
        };
        let mut found: Option<usize> = None;
        let mut rest = Some(path);
        while let Some(path) = rest.filter(|path| !path.is_empty() && !self.patterns.is_empty()) {
            let first = set.matches(path).into_iter().min();
            found = found.into_iter().chain(first).min();
            rest = path.rsplit_once('/').map(|(folder, _)| folder);
        }
        found.and_then(|at| self.patterns.get(at)).map(|pattern| &*pattern.text)
    }

    fn reaches(&self, folder: &str) -> Option<&str> {
        // A pattern such as `**/*.lock` could match something in every folder.
        let is_whole = names(folder).next().is_none();
        let counts = |pattern: &Pattern| is_whole || !pattern.is_anywhere;
        let holds = |pattern: &&Pattern| counts(pattern) && pattern.is_below(folder);
        let below = || self.patterns.iter().find(holds);
        self.covers(folder).or_else(|| below().map(|pattern| &*pattern.text))
    }
}

impl Pattern {
    /// The names before the first wildcard.
    fn fixed(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map_while(|part| match part {
            Part::Name(name) => Some(&**name),
            Part::One(_) | Part::Any => None,
        })
    }

    /// Whether a folder is the one that the files of the pattern are in, or is below that.
    fn is_held_by(&self, folder: &str) -> bool {
        let before_last = self.parts.len().saturating_sub(1);
        let parent: Vec<&str> = self.fixed().take(before_last).collect();
        let folder_names: Vec<&str> = names(folder).collect();
        let is_whole = folder_names.is_empty();
        !self.is_anywhere && !is_whole && folder_names.starts_with(&parent) && self.is_below(folder)
    }

    /// Whether the pattern can match something below a folder.
    fn is_below(&self, folder: &str) -> bool {
        let mut parts = self.parts.iter();
        for name in names(folder) {
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

    /// Whether something that other parts can match is covered by the pattern.
    fn meets(&self, written: &[Part], tree: bool) -> bool {
        let mut written = written.iter();
        for part in &self.parts {
            match (part, written.next()) {
                (_, None) => return tree,
                (Part::Any, Some(_)) | (_, Some(Part::Any)) => return true,
                (Part::Name(a), Some(Part::Name(b))) if a == b => {}
                (Part::Name(name), Some(Part::One(glob)))
                | (Part::One(glob), Some(Part::Name(name)))
                    if glob.is_match(&**name) => {}
                // Two wildcards may match the same name.
                (Part::One(_), Some(Part::One(_))) => {}
                (Part::Name(_), Some(Part::Name(_) | Part::One(_)))
                | (Part::One(_), Some(Part::Name(_))) => return false,
            }
        }
        true
    }
}

/// What makes a part of a pattern more than a name.
const WILDCARDS: [char; 7] = ['*', '?', '[', ']', '{', '}', '\\'];

/// The end of a pattern that is plain text.
fn fixed_end(pattern: &str) -> &str {
    pattern.rsplit(|c| c == '/' || WILDCARDS.contains(&c)).next().unwrap_or_default()
}

/// The names of a path.
fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !matches!(*name, "" | "."))
}

fn parts(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for text in pattern.trim_start_matches('/').split('/') {
        let spans_a_slash = text.matches('{').count() != text.matches('}').count();
        if text.contains("**") || spans_a_slash {
            parts.push(Part::Any);
            return parts;
        }
        if !text.contains(WILDCARDS) {
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
        let protected = ProtectedPaths::new(patterns.iter().copied(), Some("/users/ada"), None);
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
    fn an_absolute_pattern_in_the_project_matches_paths_of_the_project() {
        let patterns = ["/users/ada/shop/ci", "~/.ssh"].into_iter();
        let home = Some("/users/ada");
        let shop = ProtectedPaths::new(patterns.clone(), home, Some("/users/ada/shop"));
        assert!(shop.covers("ci/a").is_some() && shop.covers("/users/ada/.ssh/id").is_some());
        let all = ProtectedPaths::new(patterns, home, Some("/users/ada"));
        assert!(all.covers("shop/ci/a").is_some() && all.covers(".ssh/id").is_some());
    }

    #[test]
    fn a_written_wildcard_meets_what_it_can_match() {
        let check = |pattern: &str, written: &str, tree: bool, expected: bool| {
            let protected = ProtectedPaths::new([pattern].into_iter(), None, None);
            assert_eq!(protected.meets(written, tree).is_some(), expected, "{pattern} {written}");
        };
        check("src/secret.rs", "src/*.rs", false, true);
        check("src/secret.rs", "src/*.log", false, false);
        check("src/secret.rs", "*", false, false);
        check("src/secret.rs", "*", true, true);
        check("src", "src/*", false, true);
        check("**/*.lock", "build/*", false, true);
        check("**/*.lock", "build/*.o", false, false);
        check("**/*.lock", "build/*.o", true, true);
        check("**/*.lock", "*/a.o", false, true);
        check("**/build", "x/build/*.o", false, true);
        check("a/b", "{a,c}/b", false, true);
        check("a/b", "{c,d}/b", false, false);
        let literal = ProtectedPaths::literal([".claude/settings.json", "/s"].into_iter());
        assert!(literal.covers(".claude/settings.json").is_some());
        assert!(literal.covers(".claude").is_none() && literal.reaches(".claude").is_some());
        assert!(literal.covers("/s/x").is_some() && literal.covers("s").is_none());
        assert!(literal.meets(".claude/*", false).is_some());
    }

    #[test]
    fn absolute_patterns_and_the_home_folder_are_outside_the_project() {
        check(
            &["/etc/**", "~/.ssh"],
            &[
                ("/etc/passwd", true, true),
                ("/etc", false, true),
                ("/", false, true),
                ("/users", false, true),
                ("/users/ada/.ssh/config", true, true),
                ("/users/ada", false, true),
                ("/users/bob/.ssh", false, false),
                ("etc", false, false),
                ("", false, false),
            ],
        );
    }
}
