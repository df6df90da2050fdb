//! Diagnostics as annotations of GitHub Actions: one workflow command per line.

use super::{DiagnosticView, details};
use crate::escape;

/// The annotation of a diagnostic: `::error file=…,line=…,col=…,title=…::message`.
pub fn github(problem: &DiagnosticView) -> String {
    let mut properties = Vec::new();
    if let Some(file) = &problem.file {
        properties.push(format!("file={}", escape::github_property(file)));
        properties.extend(problem.line.map(|line| format!("line={line}")));
        properties.extend(problem.column.map(|column| format!("col={column}")));
    }
    properties.push(format!("title={}", escape::github_property(problem.code)));
    // An encoded line break starts a new line of the annotation, and cannot start a command.
    let lines: Vec<String> =
        details(problem).iter().map(|line| escape::github(line).into_owned()).collect();
    format!("::{} {}::{}\n", problem.severity, properties.join(","), lines.join("%0A"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(file: Option<&str>, message: &str) -> DiagnosticView {
        DiagnosticView {
            code: "some-code",
            severity: "error",
            file: file.map(str::to_owned),
            line: Some(3),
            column: Some(5),
            message: message.to_owned(),
            notes: vec!["a note".to_owned()],
            help: Some("50% off".to_owned()),
            labels: Vec::new(),
        }
    }

    #[test]
    fn an_annotation_has_a_place_a_title_and_a_message() {
        assert_eq!(
            github(&problem(Some("a/b.yaml"), "wrong: a, b")),
            "::error file=a/b.yaml,line=3,col=5,title=some-code::wrong: a, b%0Anote: a note%0Ahelp: 50%25 off\n"
        );
        assert_eq!(
            github(&problem(None, "x")),
            "::error title=some-code::x%0Anote: a note%0Ahelp: 50%25 off\n"
        );
    }

    #[test]
    fn hostile_text_starts_no_command_and_ends_no_property() {
        assert_eq!(
            github(&problem(Some("a,b:c%\n::stop"), "x\r\n::add-mask::y\u{1b}[31m")),
            "::error file=a%2Cb%3Ac%25\\n%3A%3Astop,line=3,col=5,title=some-code::x\\r\\n::add-mask::y\\u{1b}[31m%0Anote: a note%0Ahelp: 50%25 off\n"
        );
    }
}
