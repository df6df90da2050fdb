//! Ten thousand keywords beside a bare automaton over the same words.

use std::fmt::Write as _;
use std::hint::black_box;

use aho_corasick::AhoCorasick;
use lawful::book::MemorySource;
use lawful::react::{Input, Rules, Session};

use super::book::rules;
use crate::Result;
use crate::measure::{Plan, quartiles, rounds, thread_seconds};

/// How many keywords.
pub const KEYWORDS: usize = 10_000;
/// How many bytes a message has, about.
pub const BYTES: usize = 64 * 1024;

const SYLLABLES: [&str; 24] = [
    "ka", "lo", "mi", "ran", "tes", "vor", "bel", "nu", "shi", "gro", "fen", "dal", "quo", "zem",
    "pil", "hat", "jor", "wex", "cu", "yan", "ost", "ber", "lin", "tra",
];

/// A word of its own for each number.
pub fn word(n: usize) -> String {
    let mut rest = n + SYLLABLES.len() * SYLLABLES.len();
    let mut out = String::new();
    while rest > 0 {
        out.push_str(SYLLABLES.get(rest % SYLLABLES.len()).copied().unwrap_or_default());
        rest /= SYLLABLES.len();
    }
    out
}

/// One kind of message.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What is special about it.
    pub message: &'static str,
    /// How many bytes it has.
    pub bytes: usize,
    /// How many rules it sets off.
    pub fired: usize,
    /// Megabytes for each second of Lawful, one figure for each batch.
    pub lawful: Vec<f64>,
    /// The same of the bare automaton on text that is folded already.
    pub bare: Vec<f64>,
}

impl Figure {
    /// How fast Lawful is beside the bare automaton, turn by turn: the quartiles.
    pub fn ratio(&self) -> [f64; 3] {
        let ratios = self.lawful.iter().zip(&self.bare).map(|(ours, bare)| ours / bare);
        quartiles(&ratios.collect::<Vec<_>>())
    }
}

/// Prose in which a few keywords stand, about as long as asked for.
fn message(bytes: usize, foreign: bool) -> String {
    const PROSE: &str = "The tide went out, and she walked along the wet sand towards the old pier, where Nobody had Been for years. ";
    const FOREIGN: &str = "Die Möwen flögen höher, sagte er, naïvement, à la Straße von Ærø. ";
    let mut out = String::new();
    let mut n = 0;
    while out.len() < bytes {
        out.push_str(PROSE);
        if foreign && n % 4 == 0 {
            out.push_str(FOREIGN);
        }
        if n % 97 == 0 {
            let _ = write!(out, "{} ", word(n).to_uppercase());
        }
        n += 1;
    }
    out
}

/// Checks that both find the same keywords, and then times them in turns.
pub fn measure(plan: &Plan, spoil: bool) -> Result<Vec<Figure>> {
    let words: Vec<String> = (0..KEYWORDS).map(word).collect();
    let mut text = String::from("rules:\n");
    for (n, word) in words.iter().enumerate() {
        let _ = writeln!(
            text,
            "  - {{id: k{n}, trigger: {{type: keyword, keywords: [{word}]}}, actions: []}}"
        );
    }
    let source =
        MemorySource::new().with("lawful.yaml", "name: words\n").with("rules/k.yaml", text);
    let rules = rules(&source)?;
    let bare = AhoCorasick::new(&words)?;
    let mut figures = Vec::new();
    for (label, foreign) in [("ASCII", false), ("with other letters", true)] {
        eprintln!("checking keywords, {label}");
        let message = message(BYTES, foreign);
        let folded = message.to_lowercase();
        let input =
            Input::Turn { user: Some(message.as_str().into()), ai: None, writes: Vec::new() };
        let fired = check(&rules, &input, &bare, &folded, spoil)?;
        figures.push(time(plan, &rules, &input, (&bare, &folded), label, fired));
    }
    Ok(figures)
}

fn check(
    rules: &Rules,
    input: &Input,
    bare: &AhoCorasick,
    folded: &str,
    spoil: bool,
) -> Result<usize> {
    let step = rules.step(Session::new(), input);
    let mut ours: Vec<String> =
        step.trace.fired.iter().map(|firing| rules.rule(firing.rule).id.to_string()).collect();
    ours.sort();
    let mut theirs: Vec<String> = bare
        .find_overlapping_iter(folded)
        .map(|found| format!("k{}", found.pattern().as_usize()))
        .collect();
    theirs.sort();
    theirs.dedup();
    if spoil {
        theirs.pop();
    }
    if ours != theirs || ours.is_empty() {
        return Err("void: Lawful and the bare automaton find different keywords".into());
    }
    Ok(ours.len())
}

fn time(
    plan: &Plan,
    rules: &Rules,
    input: &Input,
    (bare, folded): (&AhoCorasick, &str),
    message: &'static str,
    fired: usize,
) -> Figure {
    let session = Session::new();
    let ours = || {
        black_box(rules.step(session.clone(), black_box(input)));
    };
    let theirs = || {
        black_box(bare.find_overlapping_iter(black_box(folded)).count());
    };
    let counts = (rounds(plan, ours), rounds(plan, theirs));
    let mut figure =
        Figure { message, bytes: folded.len(), fired, lawful: Vec::new(), bare: Vec::new() };
    #[expect(clippy::cast_precision_loss, reason = "a message is small")]
    let megabytes = folded.len() as f64 / 1e6;
    let speed = |count: u32, work: &dyn Fn()| {
        let start = thread_seconds();
        for _ in 0..count {
            work();
        }
        megabytes * f64::from(count) / (thread_seconds() - start)
    };
    for _ in 0..plan.batches {
        figure.lawful.push(speed(counts.0, &ours));
        figure.bare.push(speed(counts.1, &theirs));
    }
    figure
}
