//! Builds the programs as they are distributed, and prints their paths.
//!
//! A harness starts `lawful` for every tool call, and much of that time passes before `main`: loading
//! shared libraries and relocating tables. So on Linux with glibc the program is static and has a fixed
//! address. The flags are for the last crate alone, because procedural macros cannot be static.

use crate::workspace::{Result, cargo, run as run_command, target_folder};

/// Builds both programs.
pub(crate) fn run() -> Result {
    // Separately, as they are installed: together, each would get the features that the other needs
    // of shared crates.
    run_command(cargo(&["build", "--release", "--locked", "--package", "lawful-nickel"]))?;
    let mut lawful =
        cargo(&["rustc", "--release", "--locked", "--package", "lawful-cli", "--bin", "lawful"]);
    if cfg!(all(target_os = "linux", target_env = "gnu")) {
        lawful.args(["--", "-C", "target-feature=+crt-static", "-C", "relocation-model=static"]);
    }
    run_command(lawful)?;
    for name in ["lawful", "lawful-nickel"] {
        let program = target_folder().join("release").join(name);
        println!("{}", program.with_extension(std::env::consts::EXE_EXTENSION).display());
    }
    Ok(())
}
