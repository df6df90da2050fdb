//! The tables are found by binary search, and no program is in two of them.

use std::collections::BTreeSet;

use crate::essence::GLOBALS;
use crate::programs::PLAIN;
use crate::special::is_special;
use crate::wrappers::WRAPPERS;
use crate::writes::WRITERS;
use crate::{shells, special};

fn check_sorted<'a>(what: &str, names: impl IntoIterator<Item = &'a str>) {
    let names: Vec<&str> = names.into_iter().collect();
    for pair in names.windows(2) {
        assert!(pair[0] < pair[1], "{what}: `{}` comes before `{}`", pair[1], pair[0]);
    }
}

#[test]
fn tables_are_sorted() {
    check_sorted("globals", GLOBALS.iter().map(|global| global.name));
    check_sorted("plain programs", PLAIN.iter().copied());
    check_sorted("wrappers", WRAPPERS.iter().map(|wrapper| wrapper.name));
    check_sorted("writers", WRITERS.iter().map(|writer| writer.name));
    check_sorted("special programs", special::SPECIAL.iter().copied());
    check_sorted("variables", crate::assignments::RUN_BY_NAME.iter().copied());
    check_sorted("shells", shells::SHELLS.iter().copied());
    check_sorted("settings of git", crate::git::RUN_KEYS.iter().copied());
}

#[test]
fn a_plain_program_runs_nothing() {
    let wrappers: BTreeSet<&str> = WRAPPERS.iter().map(|wrapper| wrapper.name).collect();
    for name in PLAIN {
        assert!(!wrappers.contains(name), "`{name}` is a wrapper");
        assert!(!shells::is_shell(name), "`{name}` is a shell");
        assert!(crate::essence::global(name).is_none(), "`{name}` has sub-commands");
        assert!(!is_special(name), "`{name}` is special");
    }
}

#[test]
fn a_wrapper_with_a_sub_command_has_its_global_options() {
    for wrapper in WRAPPERS {
        if let Some((program, _)) = wrapper.name.split_once(' ') {
            assert!(crate::essence::global(program).is_some(), "`{program}` is missing");
        }
    }
}
