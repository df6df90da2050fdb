//! The program from the outside: commands and what they print, one page for each command.
//!
//! `TRYCMD=overwrite cargo test --test cli` rewrites the pages; read the difference.

#[test]
fn pages() {
    trycmd::TestCases::new().case("tests/cmd/*.md");
}
