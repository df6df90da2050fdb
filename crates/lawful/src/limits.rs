//! How much a lawbook may ask of us. Limits are fuel, not seconds.

/// Bounds on what is read, compiled and run. Reaching one is reported, never a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bounds on one document.
    pub document: lawful_syntax::Limits,
    /// How many files a lawbook may have.
    pub files: usize,
    /// How many bytes all of its files may have together.
    pub book_bytes: usize,
    /// How many nodes a condition may have once its refs are expanded.
    pub condition_nodes: usize,
    /// How deeply a condition may nest once its refs are expanded.
    pub condition_depth: usize,
    /// How many bytes the regular expressions of one set may take.
    pub pattern_bytes: usize,
    /// How many predicates a rulespec may have.
    pub predicates: usize,
    /// What judging one envelope may take.
    pub datalog: lawful_datalog::Limits,
    /// How many values may be looked at to find hints for one envelope. Past that there are none.
    pub hints: usize,
    /// How many bytes the keywords of all rules may have together.
    pub keyword_bytes: usize,
    /// How far one step may go, unless the book says otherwise.
    pub cascade: Cascade,
    /// How far a book may let one step go.
    pub cascade_most: Cascade,
}

/// How far the rules that one step sets off may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cascade {
    /// How many waves.
    pub waves: usize,
    /// How many events rules raise in all waves together.
    pub events: usize,
    /// How many actions in all waves together.
    pub actions: usize,
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
