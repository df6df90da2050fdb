//! `Workspace::prove` without a namespace, as a host calls it that cannot start itself again.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "this is a test")]

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use lawful::tokens::Tokenizer;
use lawful_host::deliver::ProveRequest;
use lawful_host::{Answer, Workspace};

#[test]
fn a_client_that_hangs_is_ended_with_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    for made in ["home", "bin", "project"] {
        fs::create_dir_all(at(made)).unwrap();
    }
    let book = "name: crew\nconditioning: {core: core.md, personas: {lead: lead.md}, main: lead}\n";
    fs::write(at("project/lawful.yaml"), book).unwrap();
    fs::write(at("project/core.md"), "# The law\n").unwrap();
    fs::write(at("project/lead.md"), "You lead.\n").unwrap();
    let alive = at("alive");
    let client = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && exec echo 1.2.3\n\
         (while :; do sleep 0.1; date > {}; done) &\nsleep 1000\n",
        alive.display()
    );
    fs::write(at("bin/pi"), client).unwrap();
    fs::set_permissions(at("bin/pi"), fs::Permissions::from_mode(0o755)).unwrap();
    let (home, path) = (at("home"), format!("{}:/usr/bin:/bin", at("bin").display()));
    let workspace = Workspace::at(at("project")).with_variables(move |name| match name {
        "HOME" => Some(home.clone().into()),
        "PATH" => Some(OsString::from(path.clone())),
        _ => None,
    });
    let request = ProveRequest {
        harnesses: vec!["pi".to_owned()],
        role: None,
        limit: Duration::from_secs(2),
        program: None,
    };
    let start = Instant::now();
    let proven = workspace.prove(&request, Tokenizer::default()).unwrap();
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(proven.answer(), Answer::Undecided);
    let proof = &proven.harnesses[0];
    assert_eq!((proof.version.as_deref(), proof.isolated), (Some("1.2.3"), false));
    assert!(proof.error.as_ref().unwrap().contains("time limit"), "{:?}", proof.error);
    assert!(alive.exists());
    fs::remove_file(&alive).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(!alive.exists());
}
