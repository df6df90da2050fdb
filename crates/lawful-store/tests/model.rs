//! Stores against the model of `lawful_store::model`: the one in a file, one that somebody else wrote,
//! and one with a mistake in it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod memory;
mod pair;
mod support;

use std::sync::{Arc, Mutex};

use lawful_store::model::{Config, Mismatch, check};
use memory::{Kept, Memory};
use pair::Pair;
use support::{Folder, open};

fn config(cases: u32) -> Config {
    Config { cases, source_file: Some(file!()), ..Config::default() }
}

#[test]
fn the_store_in_a_file_does_what_the_model_does() {
    let fresh = || {
        let folder = Folder::new();
        move || open(&folder.file("model.db"))
    };
    check(config(96), fresh).unwrap();
}

#[test]
fn two_stores_of_one_file_that_take_turns_do_what_the_model_does() {
    let fresh = || {
        let folder = Folder::new();
        move || Pair::open(&folder.file("model.db"))
    };
    check(config(96), fresh).unwrap();
}

fn check_memory(config: Config, reuses_ids: bool) -> Result<(), Mismatch> {
    check(config, || {
        let kept = Arc::new(Mutex::new(Kept::new(reuses_ids)));
        move || Memory::open(Arc::clone(&kept))
    })
}

#[test]
fn a_store_in_memory_does_what_the_model_does() {
    check_memory(config(96), false).unwrap();
}

#[test]
fn a_store_that_uses_an_id_twice_is_told_from_the_model() {
    let config = Config { failure_persistence: None, ..config(256) };
    let mismatch = check_memory(config, true).unwrap_err().to_string();
    assert!(
        mismatch.contains("minimal failing input") && mismatch.contains("Rewind"),
        "{mismatch}"
    );
}
