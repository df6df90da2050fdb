//! Many envelopes or records: judged on all cores, counted, and reported in order.
//!
//! A reader produces batches, workers judge them, and the results are collected in the order of the
//! batches, so that the output is deterministic.
//!
//! **Invariant:** memory use depends on the size of a batch and the number of workers, not on the
//! length of the input. A batch is read only when one of the last few was collected, and what was
//! collected is passed on.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

use lawful::verify::Judge;

use super::batch_judge::BatchJudge;
use super::each::EachEnvelope;
use super::source::Watch;
use super::stream::{Batch, Batches};
use super::total::{BatchOutcome, BatchVerified, InputEnd, ReportedEnvelope, Total};
use super::{LoadedRulespec, ObservedFacts, Strictness};

/// Which envelopes to judge, and how.
#[derive(Clone, Debug)]
pub struct BatchRequest {
    /// Files, folders, and files with one envelope per line. `-` is standard input, with one per
    /// line.
    pub paths: Vec<PathBuf>,
    /// The documents are records, with observations of their own.
    pub records: bool,
    /// The first line to judge of the first file with lines, from 1.
    pub from: usize,
    /// The number of workers.
    pub jobs: usize,
    /// The maximal number of envelopes to report, of each kind.
    pub max_failures: usize,
    /// Stop at the first envelope that does not pass.
    pub fail_fast: bool,
    /// Set to end the run with what was judged so far.
    pub interrupt: Arc<AtomicBool>,
}

impl BatchRequest {
    /// Judges these paths with one worker, and reports everything.
    pub fn new(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            records: false,
            from: 1,
            jobs: 1,
            max_failures: usize::MAX,
            fail_fast: false,
            interrupt: Arc::default(),
        }
    }

    /// The size of the input in bytes, if all of it is files.
    fn size(&self) -> Option<u64> {
        let size = |path: &PathBuf| {
            let metadata = path.metadata().ok().filter(std::fs::Metadata::is_file);
            metadata.map(|metadata| metadata.len())
        };
        self.paths.iter().map(size).sum()
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct BatchProgress {
    /// The number of envelopes judged.
    pub envelopes: usize,
    /// The number that failed.
    pub failed: usize,
    /// The number of bytes of the input that were judged.
    pub read: u64,
    /// The number of bytes of the input, if it is known.
    pub size: Option<u64>,
}

/// Receives the results of many envelopes while they are judged, in the order of the input.
pub trait BatchSink {
    /// An envelope with something to report: at most [`BatchRequest::max_failures`] of each kind.
    fn reported(&mut self, report: ReportedEnvelope);

    /// What was rendered for each envelope of a batch. `Break` ends the run.
    fn text(&mut self, _text: &[u8]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// How far the run is.
    fn progress(&mut self, _progress: BatchProgress) {}
}

impl LoadedRulespec {
    /// Judges many envelopes. `each` renders the result of every one of them.
    pub fn verify_many(
        &self,
        request: &BatchRequest,
        seen: Option<&ObservedFacts>,
        strictness: Strictness,
        each: Option<&EachEnvelope<'_>>,
        sink: &mut dyn BatchSink,
    ) -> BatchVerified {
        let judges = BatchJudge { loaded: self, seen, strictness, request, each };
        let watch = Watch { interrupt: Arc::clone(&request.interrupt), read: Arc::default() };
        let longest = self.limits.document.bytes;
        let batches = Batches::new(&request.paths, longest, request.from, watch.clone());
        let mut run = Run { total: Total::new(self), size: request.size(), watch, sink, request };
        let end = if request.jobs <= 1 {
            one_by_one(&judges, batches, &mut run)
        } else {
            in_parallel(&judges, batches, &mut run)
        };
        run.total.finish(&end, request)
    }
}

/// What the collector of results needs.
struct Run<'r> {
    total: Total,
    size: Option<u64>,
    watch: Watch,
    sink: &'r mut dyn BatchSink,
    request: &'r BatchRequest,
}

impl Run<'_> {
    /// Collects a batch; whether the run is over.
    fn take(&mut self, outcome: BatchOutcome, read: u64) -> bool {
        self.total.take(outcome, self.request, self.sink);
        self.sink.progress(self.total.progress(read, self.size));
        self.total.over(self.request)
    }

    /// How the input ended.
    fn end(&self, batches: &Batches) -> InputEnd {
        let stopped = batches.position().filter(|_| self.watch.is_interrupted());
        InputEnd { stopped, first: batches.first().cloned(), lost: false }
    }
}

fn one_by_one(judges: &BatchJudge<'_>, mut batches: Batches, run: &mut Run<'_>) -> InputEnd {
    let mut judge = Judge::new(&judges.loaded.rulespec, &judges.loaded.limits);
    while let Some(batch) = batches.next() {
        if run.take(judges.batch(&batch, &mut judge), batches.consumed()) {
            return InputEnd::default();
        }
    }
    run.end(&batches)
}

fn in_parallel(judges: &BatchJudge<'_>, mut batches: Batches, run: &mut Run<'_>) -> InputEnd {
    let jobs = judges.request.jobs;
    let over = AtomicBool::new(false);
    let (hand_out, handed) = mpsc::channel::<(usize, u64, Batch)>();
    let (hand_in, results) = mpsc::channel::<(usize, u64, BatchOutcome)>();
    // A batch is read for each permit, and a permit is returned for each batch that was collected.
    // So a slow batch holds up the reader, and the others do not pile up behind it.
    let (permit, permits) = mpsc::channel::<()>();
    for _ in 0..jobs * 2 {
        let _ = permit.send(());
    }
    let handed = Mutex::new(handed);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let hand_in = hand_in.clone();
            let handed = &handed;
            scope.spawn(move || {
                let mut judge = Judge::new(&judges.loaded.rulespec, &judges.loaded.limits);
                loop {
                    let next = handed.lock().ok().and_then(|handed| handed.recv().ok());
                    let Some((number, read, batch)) = next else { return };
                    if hand_in.send((number, read, judges.batch(&batch, &mut judge))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(hand_in);
        let is_over = &over;
        let reader = scope.spawn(move || {
            let mut number = 0;
            while permits.recv().is_ok() && !is_over.load(Ordering::Relaxed) {
                let Some(batch) = batches.next() else { break };
                if hand_out.send((number, batches.consumed(), batch)).is_err() {
                    break;
                }
                number += 1;
            }
            batches
        });
        let mut early: BTreeMap<usize, (BatchOutcome, u64)> = BTreeMap::new();
        let mut next = 0;
        for (number, read, outcome) in &results {
            early.insert(number, (outcome, read));
            while let Some((outcome, read)) = early.remove(&next) {
                next += 1;
                if !over.load(Ordering::Relaxed) && run.take(outcome, read) {
                    over.store(true, Ordering::Relaxed);
                }
                let _ = permit.send(());
            }
        }
        match reader.join() {
            Ok(_) if over.load(Ordering::Relaxed) => InputEnd::default(),
            Ok(batches) => run.end(&batches),
            Err(_) => InputEnd { lost: true, ..InputEnd::default() },
        }
    })
}
