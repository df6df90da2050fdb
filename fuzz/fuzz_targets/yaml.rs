//! Parses bytes as YAML, as JSON and as a Markdown page.
//!
//! Checks these properties: no input panics; every diagnostic points into the file and renders to
//! harmless text; without a node there is an error; a limit only adds errors; and a text that is
//! valid JSON and valid YAML means the same in both.

#![no_main]

use lawful_fuzz::{add, check_node, check_places, check_problems, check_span, has_error, read};
use lawful_syntax::{Format, Limits, Sources, parse_page};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut sources = Sources::default();
    let Some(file) = add(&mut sources, bytes) else { return };
    let large = Limits::default();
    let small = Limits { depth: 3, aliases: 40, ..large };
    let mut all_problems = Vec::new();

    let (yaml, yaml_problems) = read(&sources, file, Format::Yaml, &large);
    let (json, json_problems) = read(&sources, file, Format::Json, &large);
    if yaml_problems.is_empty() && json_problems.is_empty() {
        assert_eq!(yaml, json, "YAML and JSON read the same text differently");
    }
    for (format, node, problems) in
        [(Format::Yaml, yaml, yaml_problems), (Format::Json, json, json_problems)]
    {
        let (limited, found) = read(&sources, file, format, &small);
        if has_error(&problems) {
            assert!(has_error(&found), "a smaller limit hides an error");
        } else if !has_error(&found) {
            assert_eq!(limited, node, "a limit that is not reached changes the node");
        }
        all_problems.extend(problems);
        all_problems.extend(found);
    }
    for limits in [&large, &small] {
        let (page, problems) = parse_page(&sources, file, limits);
        check_places(&sources, &problems);
        check_span(&sources, page.body);
        if let Some(front) = &page.front {
            assert!(page.written.is_some());
            check_node(&sources, front, limits);
        }
        all_problems.extend(problems);
    }
    check_problems(&sources, &all_problems);
});
