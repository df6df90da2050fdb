//! The program from the outside: commands and what they print, one page for each command.
//!
//! `TRYCMD=overwrite cargo test --test cli` rewrites the pages; read the difference.

#[test]
fn pages() {
    // Nothing of this is remembered in the home of whoever runs it.
    let state = env!("CARGO_TARGET_TMPDIR");
    trycmd::TestCases::new().env("XDG_STATE_HOME", state).case("tests/cmd/*.md");
}
