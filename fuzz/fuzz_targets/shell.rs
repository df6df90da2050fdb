//! Reads text as a shell line.
//!
//! Checks these properties: a reading is the same each time and stays within its limits; a line
//! that cannot end is opaque; and the commands of a line that is understood are also in the
//! readings of a group, a subshell, a substitution and a `bash -c` around it.

#![no_main]

use lawful_shell::{MAX_COMMANDS, Reading, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    let reading = read(line);
    check_shape(&reading);
    assert_eq!(read(line), reading, "read twice");
    // A carriage return at the end of an argument is left out, so lines with one are not compared.
    if !reading.opaque.is_empty() || line.ends_with('\\') || line.contains('\r') {
        return;
    }
    // A here-document without an end takes everything after it.
    if !line.contains("<<") {
        for open in ["\n(", "\nif", "\n'", "\n\"", "\n$(", "\n{", "\n`", "\n)"] {
            let cut = format!("{line}{open}");
            assert!(!read(&cut).opaque.is_empty(), "{cut:?} is understood");
        }
    }
    let quoted = line.replace('\'', "'\\''");
    for around in [
        format!("{{ {line}\n}}"),
        format!("( {line}\n)"),
        format!("echo \"$({line}\n)\""),
        format!("f() {{ {line}\n}}"),
        format!("bash -c ':\n{quoted}'"),
    ] {
        check_contains(&around, &reading);
    }
});

fn check_shape(reading: &Reading) {
    assert!(reading.commands.len() <= MAX_COMMANDS + 1);
    assert!(reading.opaque.len() <= MAX_COMMANDS);
    for command in &reading.commands {
        assert!(!command.folders.is_empty(), "{command:?}");
        let redirects = !command.writes.is_empty() || !command.reads.is_empty();
        assert!(!command.words.is_empty() || redirects, "{command:?}");
        assert!(command.lines().contains(&command.line()));
    }
}

/// Every command of a line is in the reading of the text around it, unless that is opaque.
fn check_contains(around: &str, inner: &Reading) {
    let reading = read(around);
    check_shape(&reading);
    if reading.opaque.is_empty() {
        for command in &inner.commands {
            let found = reading.commands.iter().any(|other| other.words == command.words);
            assert!(found, "{:?} is lost in {around:?}", command.words);
        }
    }
}
