//! What `lawful align` says when there is much to say, and when it cannot say anything.

#![allow(clippy::unwrap_used, reason = "this is a test")]

mod support;

struct Book(support::Folder);

impl Book {
    fn new(name: &str, rulespec: &str) -> Self {
        let book = Self(support::Folder::new(&format!("align-{name}")));
        let manifest = "name: b\nconditioning: {core: core.md, personas: {lead: lead.md}}\n";
        book.write("lawful.yaml", manifest);
        book.write("core.md", "---\nteaches: [nothing]\n---\nNever guess.\n");
        book.write("lead.md", "You lead.\n");
        book.write("analysis/rulespec.yaml", rulespec);
        book
    }

    fn write(&self, path: &str, text: &str) {
        self.0.write(path, text);
    }

    fn align(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.0.output(&[&["align"], arguments].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    }
}

#[test]
fn a_rulespec_that_does_not_parse_is_pointed_into() {
    let book = Book::new("syntax", "claims: [\n");
    let (code, answer) = book.align(&["--format", "json"]);
    assert_eq!(code, Some(2));
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let problem = &answer["diagnostics"][0];
    assert_eq!(problem["code"], "yaml-syntax");
    assert!(problem["file"].as_str().unwrap().ends_with("analysis/rulespec.yaml"));
    assert_eq!(problem["line"], 1);
}

#[test]
fn gaps_are_counted_also_where_they_are_too_many_to_show() {
    let predicates: Vec<String> =
        (0..300).map(|n| format!("  - {{name: p{n}, claim: c, rule: exists}}\n")).collect();
    let rulespec =
        format!("claims: [{{name: c, selector: c}}]\npredicates:\n{}", predicates.concat());
    let book = Book::new("count", &rulespec);
    let (code, answer) = book.align(&[]);
    assert_eq!(code, Some(0));
    assert!(answer.ends_with("\n301 gaps between 300 predicates and 1 prompt\n"), "{answer}");
    let (_, answer) = book.align(&["--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["untaught"].as_array().unwrap().len(), 300);
    // The core is neither a role nor a fragment.
    assert_eq!(answer["unknown"][0]["core"], true);
}
