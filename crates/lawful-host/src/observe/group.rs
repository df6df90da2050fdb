//! Process groups: a program and all that it starts, as long as it stays in the group.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// The groups that are running.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Starts a program in a group of its own.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    end_with_us();
    // Locked while it starts, so that nobody looks for it too early.
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let child = command.process_group(0).spawn()?;
    running.push(Pid::from_child(&child));
    Ok(child)
}

/// Calls when the child has ended, and leaves the reaping to others.
pub(super) fn watch(child: &Child, done: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    let pid = Pid::from_child(child);
    thread::spawn(move || {
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while waitid(WaitId::Pid(pid), ended).is_err_and(|error| error == Errno::INTR) {}
        done();
    })
}

/// Kills what is left of the group of a child that has not been reaped.
pub(super) fn kill(child: &Child) {
    let pid = Pid::from_child(child);
    // There may be nothing left to kill.
    let _ = kill_process_group(pid, Signal::KILL);
    if let Ok(mut running) = RUNNING.lock() {
        running.retain(|known| *known != pid);
    }
}

/// A program in a group of its own does not hear what a terminal or a harness tells us, so we
/// pass it on.
fn end_with_us() {
    static LISTENING: OnceLock<()> = OnceLock::new();
    LISTENING.get_or_init(|| {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        thread::spawn(move || {
            for signal in signals.forever() {
                let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
                for pid in running.iter() {
                    let _ = kill_process_group(*pid, Signal::KILL);
                }
                // Still locked, so that nobody takes what we killed for a program that ended.
                let _ = emulate_default_handler(signal);
                drop(running);
            }
        });
    });
}
