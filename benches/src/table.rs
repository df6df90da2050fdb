//! Tables and figures as Markdown that also reads as plain text.

/// A table whose columns stand under each other also as plain text.
pub(crate) fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at)).chain(head.get(at));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).enumerate().map(|(at, (cell, width))| {
            if at == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        format!("| {} |", padded.collect::<Vec<_>>().join(" | "))
    };
    let rule = widths.iter().enumerate().map(|(at, width)| {
        if at == 0 { "-".repeat(width + 2) } else { format!("{}:", "-".repeat(width + 1)) }
    });
    let rule = format!("|{}|", rule.collect::<Vec<_>>().join("|"));
    let body = rows.iter().map(|row| line(row));
    [line(head), rule].into_iter().chain(body).collect::<Vec<_>>().join("\n")
}

/// A list with a point before each line.
pub(crate) fn list(lines: Vec<String>) -> String {
    lines.into_iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}

/// What stands where there is nothing to say.
pub(crate) fn dash() -> String {
    "–".to_owned()
}

/// Three figures that count.
pub(crate) fn figure(value: f64) -> String {
    if value >= 100.0 {
        format!("{value:.0}")
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

/// A whole number with commas.
pub(crate) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
