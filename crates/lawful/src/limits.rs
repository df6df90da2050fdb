//! Limits on what a lawbook may use. They count work, not seconds.

use lawful_syntax::or_raise;

/// Limits on what is read, compiled and run. Reaching one is an error, never a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Limits on one document.
    pub document: lawful_syntax::Limits,
    /// How many files a lawbook may have.
    pub files: usize,
    /// How many bytes all of its files may have in total.
    pub book_bytes: usize,
    /// How many nodes a condition may have once its refs are expanded.
    pub condition_nodes: usize,
    /// How deeply a condition may nest once its refs are expanded.
    pub condition_depth: usize,
    /// How many bytes of memory the regular expressions of one set may use.
    pub pattern_bytes: usize,
    /// How many predicates a rulespec may have.
    pub predicates: usize,
    /// Limits on judging one envelope.
    pub datalog: lawful_datalog::Limits,
    /// How many values may be examined to find hints for one envelope. Beyond that there are no
    /// hints.
    pub hints: usize,
    /// How many bytes the keywords of all rules may have in total.
    pub keyword_bytes: usize,
    /// The default limits on one step.
    pub cascade: Cascade,
    /// The highest limits on one step that a book may set.
    pub cascade_most: Cascade,
}

/// Limits on the rules that run in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cascade {
    /// How many waves.
    pub waves: usize,
    /// How many events rules may raise, over all waves.
    pub events: usize,
    /// How many actions may run, over all waves.
    pub actions: usize,
}

impl Limits {
    /// The help of a diagnostic about a limit, with the key of the manifest that raises it.
    pub(crate) fn help_on(
        key: &str,
        limit: usize,
        help: &str,
        most: impl Fn(&Self) -> usize,
    ) -> String {
        or_raise(help, key, limit, most(&Self::default()))
    }

    /// The help for regular expressions over the limit.
    pub(crate) fn help_on_patterns(limit: usize) -> String {
        let help = "use fewer or smaller regular expressions";
        Self::help_on("pattern-bytes", limit, help, |most| most.pattern_bytes)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            document: lawful_syntax::Limits::default(),
            files: 20_000,
            book_bytes: 256 * 1024 * 1024,
            condition_nodes: 100_000,
            condition_depth: 256,
            pattern_bytes: 256 * 1024 * 1024,
            predicates: 20_000,
            datalog: lawful_datalog::Limits::default(),
            hints: 50_000_000,
            keyword_bytes: 4 * 1024 * 1024,
            cascade: Cascade { waves: 16, events: 1_024, actions: 4_096 },
            cascade_most: Cascade { waves: 256, events: 16_384, actions: 65_536 },
        }
    }
}
