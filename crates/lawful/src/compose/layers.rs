//! The three layers: system, project and task, each with its own lifetime.
//!
//! SYSTEM is the core and a persona, at every step. PROJECT is the record of the repository: its
//! requirements, invariants and unknowns, from sections of its `AGENTS.md` or from fragments of
//! that layer. TASK is the text of one task. This module never joins them.

use crate::markdown::{Line, lines};

/// The headings of an `AGENTS.md` whose sections are the record of a project.
const RECORD: [&str; 3] = ["requirement", "invariant", "unknown"];

/// The sections of an `AGENTS.md` that record requirements, invariants and unknowns, in written
/// order. Blocks that Lawful wrote are output and are ignored.
pub fn project_record(agents: &str) -> String {
    let own = without_managed(agents);
    let mut kept: Vec<&str> = Vec::new();
    // The depth of the heading of the current section.
    let mut keeping: Option<usize> = None;
    for (line, kind) in own.iter().zip(lines(&own.join("\n"))) {
        if let Line::Heading { depth, title } = kind {
            let inside = keeping.is_some_and(|outer| depth > outer);
            if !inside {
                keeping = is_record(&title).then_some(depth);
                // Put a blank line before every section.
                if keeping.is_some() && !kept.is_empty() {
                    trim_end(&mut kept);
                    kept.push("");
                }
            }
        }
        if keeping.is_some() {
            kept.push(line);
        }
    }
    trim_end(&mut kept);
    kept.join("\n")
}

/// The lines outside the blocks that Lawful wrote.
fn without_managed(agents: &str) -> Vec<&str> {
    let mut managed = false;
    let own = agents.lines().filter(|line| {
        let inside = managed || line.starts_with("<!-- lawful:begin");
        managed = inside && !line.starts_with("<!-- lawful:end");
        !inside
    });
    own.collect()
}

fn is_record(title: &str) -> bool {
    let lower = title.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| RECORD.contains(&word.strip_suffix('s').unwrap_or(word)))
}

fn trim_end(lines: &mut Vec<&str>) {
    while lines.pop_if(|line| line.trim().is_empty()).is_some() {}
}

#[cfg(test)]
mod tests {
    use super::project_record;

    #[test]
    fn the_record_is_taken_out_of_a_page() {
        let page = "# Mill\n\nHow to build.\n\n## Requirements\n\n- R1: grind\n\n### Why\n\nBread.\n\n\
                    ## Style\n\nShort.\n\n## Known unknowns:\n- U1: water\n\n```\n## Requirements\n```\n\
                    # Invariant\nStones turn.\n\n";
        assert_eq!(
            project_record(page),
            "## Requirements\n\n- R1: grind\n\n### Why\n\nBread.\n\n\
             ## Known unknowns:\n- U1: water\n\n```\n## Requirements\n```\n\n# Invariant\nStones turn."
        );
    }

    #[test]
    fn a_section_ends_where_the_next_heading_is() {
        let page = "# P\n\n## Invariants\n\n```make``` builds it.\n\n## House style\n\n- short\n";
        assert_eq!(project_record(page), "## Invariants\n\n```make``` builds it.");
        let page = "Requirements\n============\n\n- R0\n\n ## Known unknowns\n- U0\n\nStyle\n===\n- short\n";
        assert_eq!(
            project_record(page),
            "Requirements\n============\n\n- R0\n\n ## Known unknowns\n- U0"
        );
        let page = "## Invariants\n```\n~~~\n## Style\n```\n## Style\n- short\n";
        assert_eq!(project_record(page), "## Invariants\n```\n~~~\n## Style\n```");
    }

    #[test]
    fn what_was_installed_is_no_record() {
        let page = "<!-- lawful:begin mill 0 -->\n## Requirements\nobey\n<!-- lawful:end mill -->\n\
                    ## Invariants\nkeep\n";
        assert_eq!(project_record(page), "## Invariants\nkeep");
        assert_eq!(project_record("# Mill\n\n#Requirements\n"), "");
    }
}
