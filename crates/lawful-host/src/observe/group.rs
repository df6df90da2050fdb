//! Process groups: a program and everything it starts that stays in the group.

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

/// The running groups.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Starts a program in its own group.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    end_with_us();
    // Locked during the start, so that the list of groups is complete.
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let child = command.process_group(0).spawn()?;
    running.push(Pid::from_child(&child));
    Ok(child)
}

/// Calls `done` when the child has ended, without reaping it.
pub(super) fn watch(child: &Child, done: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    let pid = Pid::from_child(child);
    thread::spawn(move || {
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while waitid(WaitId::Pid(pid), ended).is_err_and(|error| error == Errno::INTR) {}
        done();
    })
}

/// Kills the rest of the group of a child that has not been reaped.
pub(super) fn kill(child: &Child) {
    let pid = Pid::from_child(child);
    // There may be nothing left to kill.
    let _ = kill_process_group(pid, Signal::KILL);
    if let Ok(mut running) = RUNNING.lock() {
        running.retain(|known| *known != pid);
    }
}

/// A program in its own group does not get the signals that a terminal or a harness sends to us, so
/// forward them.
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
                // Still locked, so that nobody mistakes a killed program for one that ended.
                let _ = emulate_default_handler(signal);
                drop(running);
            }
        });
    });
}
