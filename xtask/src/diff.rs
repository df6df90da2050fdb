//! Compares expected lines with actual ones; an expected `...` matches any number of lines.

/// Matches any number of lines.
const ANY: &str = "...";

/// A missing expected line is more informative than an extra line, so it weighs more.
const MISSING: usize = 2;
const EXTRA: usize = 1;

/// The differences as lines that start with `-` (expected), `+` (actual) or a space (both); `None`
/// if there are none.
pub(crate) fn diff(expected: &[&str], found: &[&str]) -> Option<String> {
    let costs = Costs::of(expected, found);
    if costs.at(0, 0) == 0 {
        return None;
    }
    let mut out = String::new();
    let mut show = |sign: char, line: &str| {
        out.push(sign);
        out.push_str(line);
        out.push('\n');
    };
    let (mut e, mut f) = (0, 0);
    loop {
        match (expected.get(e), found.get(f)) {
            (None, None) => return Some(out),
            (Some(&ANY), Some(_)) if costs.at(e, f + 1) == costs.at(e, f) => f += 1,
            (Some(&ANY), _) => {
                show(' ', ANY);
                e += 1;
            }
            (Some(line), Some(same)) if line == same => {
                show(' ', line);
                (e, f) = (e + 1, f + 1);
            }
            (Some(line), found)
                if found.is_none() || costs.at(e + 1, f) + MISSING == costs.at(e, f) =>
            {
                show('-', line);
                e += 1;
            }
            (_, Some(line)) => {
                show('+', line);
                f += 1;
            }
            (Some(_), None) => e += 1,
        }
    }
}

/// For each pair of positions, the least weight of missing and extra lines up to the ends.
struct Costs {
    width: usize,
    cells: Vec<usize>,
}

impl Costs {
    fn of(expected: &[&str], found: &[&str]) -> Self {
        let width = found.len() + 1;
        let mut costs = Self { width, cells: vec![0; width * (expected.len() + 1)] };
        for f in 0..width {
            costs.set(expected.len(), f, EXTRA * (found.len() - f));
        }
        for (e, line) in expected.iter().enumerate().rev() {
            for f in (0..width).rev() {
                let here = found.get(f);
                let without = costs.at(e + 1, f);
                let cost = match here {
                    _ if *line == ANY => match here {
                        Some(_) => without.min(costs.at(e, f + 1)),
                        None => without,
                    },
                    Some(same) if same == line => costs.at(e + 1, f + 1),
                    Some(_) => (MISSING + without).min(EXTRA + costs.at(e, f + 1)),
                    None => MISSING + without,
                };
                costs.set(e, f, cost);
            }
        }
        costs
    }

    fn at(&self, e: usize, f: usize) -> usize {
        self.cells.get(e * self.width + f).copied().unwrap_or(usize::MAX / 2)
    }

    fn set(&mut self, e: usize, f: usize, cost: usize) {
        if let Some(cell) = self.cells.get_mut(e * self.width + f) {
            *cell = cost;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: &str, found: &str, difference: &str) {
        let expected: Vec<&str> = expected.lines().collect();
        let found: Vec<&str> = found.lines().collect();
        let shown = diff(&expected, &found).unwrap_or_default();
        assert_eq!(shown.lines().collect::<Vec<_>>().join("|"), difference);
    }

    #[test]
    fn equal_lines_do_not_differ() {
        check("a\nb", "a\nb", "");
        check("", "", "");
    }

    #[test]
    fn a_changed_line_is_shown_both_ways() {
        check("a\nb\nc", "a\nx\nc", " a|-b|+x| c");
        check("a", "a\nb", " a|+b");
        check("a\nb", "a", " a|-b");
    }

    #[test]
    fn dots_stand_for_any_number_of_lines() {
        check("...", "", "");
        check("...", "a\nb", "");
        check("a\n...\nc", "a\nc", "");
        check("a\n...\nc", "a\nb\nc\nb\nc", "");
        check("...\nb\n...", "a\nb\nc", "");
    }

    #[test]
    fn what_dots_do_not_cover_is_shown() {
        check("a\n...\nz", "a\nb\nc", " a| ...|-z");
        check("b\n...", "a\nb\nc", "+a| b| ...");
    }
}
