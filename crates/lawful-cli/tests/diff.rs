//! `lawful diff` and `lawful blame`: the second context, warnings, and changes that cannot be seen.

#![allow(clippy::unwrap_used, clippy::format_collect, reason = "this is a test")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

struct Book(PathBuf);

impl Book {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lawful-diff-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let book = Self(path);
        book.write("lawful.yaml", "name: desk\n");
        book.write("fragments/hello.md", "---\nid: hello\n---\nGreet ${user.name} in ${tone}.\n");
        book.write("fragments/vip.md", "---\nid: vip\n---\nVIP.\n");
        let rules = "rules:\n  - when: {user.tier: vip}\n    add: [vip]\n  - forbid: [spam]\n";
        book.write("fragments/spam.md", "---\nid: spam\n---\nBuy.\n");
        book.write("compositions/reply.yaml", &format!("name: reply\nbase: [hello]\n{rules}"));
        book
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The exit code, standard output and standard error.
    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_lawful"))
            .args(args)
            .current_dir(&self.0)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap(), text(stdout), text(stderr))
    }
}

impl Drop for Book {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const ANN: [&str; 6] = ["-c", "tone=warm", "-c", "user.name=Ann", "-c", "user.tier=free"];

#[test]
fn against_changes_only_the_keys_it_names() {
    let book = Book::new("against");
    let diff = |more: &[&str]| book.run(&[&["diff", "reply"], &ANN[..], more].concat());
    let (code, said, warned) = diff(&["--against", "user.tier=vip"]);
    assert_eq!((code, warned.as_str()), (1, ""));
    assert!(said.contains("\n Greet Ann in warm.\n"), "{said}");
    assert!(said.contains("\n+VIP.\n"), "{said}");
    let (code, said, _) = diff(&["--against", "user.tier=free"]);
    assert_eq!((code, said.as_str()), (0, "the prompts are identical\n"));
    let (code, said, warned) = diff(&["--against-only", "user.tier=vip"]);
    assert_eq!(code, 1);
    assert!(said.contains("\n+Greet  in .\n"), "{said}");
    assert!(warned.contains("warning[missing-placeholder]: the context has no value at `tone`"));
    let (code, _, warned) = diff(&["--against", "tone=x", "--against-only", "tone=y"]);
    assert_eq!(code, 2, "{warned}");
}

#[test]
fn warnings_say_which_prompt_has_them() {
    let book = Book::new("warnings");
    let (code, _, warned) =
        book.run(&["diff", "reply", "-c", "tone=warm", "--against", "tone=terse"]);
    assert_eq!(code, 1);
    assert_eq!(warned.matches("warning[").count(), 1, "{warned}");
    assert!(warned.contains("the context has no value at `user.name`"), "{warned}");
    assert!(!warned.contains("only in"), "{warned}");
    let first = ["diff", "reply", "-c", "tone=warm", "--against", "user.name=Ann"];
    let (_, _, warned) = book.run(&first);
    assert!(warned.contains("= note: only in the first prompt"), "{warned}");
    let (_, said, warned) = book.run(&[&first[..], &["--format", "json"]].concat());
    assert_eq!(warned, "");
    assert!(said.contains("\"only in the first prompt\""), "{said}");
    let (code, said, warned) = book.run(&["blame", "reply", "-c", "tone=warm"]);
    assert_eq!(code, 0);
    assert!(said.contains("Greet  in warm."), "{said}");
    assert!(warned.contains("the context has no value at `user.name`"), "{warned}");
    assert!(!warned.contains("forbid-missing"), "{warned}");
    let (_, _, warned) = book.run(&["compose", "reply", "-c", "tone=warm"]);
    assert_eq!(warned.matches("warning[").count(), 1, "{warned}");
    let (_, said, _) = book.run(&["blame", "reply", "-c", "tone=warm", "--format", "json"]);
    assert!(said.contains("\"missing-placeholder\"") && said.contains("\"forbid-missing\""));
}

#[test]
fn changes_that_look_like_none_are_shown() {
    let book = Book::new("visible");
    let diff = |first: &str, second: &str, expected: &str| {
        book.write(
            "first.json",
            &format!("{{\"user\": {{\"name\": \"Ann\"}}, \"tone\": \"{first}\"}}"),
        );
        book.write("second.json", &format!("{{\"tone\": \"{second}\"}}"));
        let (code, said, _) =
            book.run(&["diff", "reply", "-c", "@first.json", "--against", "@second.json"]);
        assert_eq!(code, 1, "{said}");
        assert!(said.contains(expected), "{said}");
    };
    diff("a b", "a\u{a0}b", "\n-Greet Ann in a b.\n+Greet Ann in a\\u{a0}b.\n");
    diff("caf\u{e9}", "cafe\u{301}", "\n-Greet Ann in caf\\u{e9}.\n+Greet Ann in cafe\\u{301}.\n");
    diff("a\\r\\nb", "a\\nb", "\n-Greet Ann in a\\r\n+Greet Ann in a\n b.\n");
    diff("a \\nb", "a\\nb", "\n-Greet Ann in a\\u{20}\n+Greet Ann in a\n b.\n");
}

#[test]
fn prompts_with_nothing_in_common_are_compared() {
    let book = Book::new("large");
    let text = |word: &str| (0..20_000).map(|n| format!("{word} number {n} is here.\n")).collect();
    let page = |id: &str, body: String| format!("---\nid: {id}\n---\n{body}");
    book.write("fragments/one.md", &page("one", text("Sentence")));
    book.write("fragments/two.md", &page("two", text("Statement")));
    book.write("compositions/one.yaml", "{name: one, base: [one]}\n");
    book.write("compositions/two.yaml", "{name: two, base: [two]}\n");
    let (code, said, warned) = book.run(&["diff", "one", "two"]);
    assert_eq!((code, warned.as_str()), (1, ""));
    assert!(said.contains("\n@@ -1,20000 +1,20000 @@\n"));
}

#[test]
fn a_coarse_diff_says_so() {
    let book = Book::new("coarse");
    let text = |step: u64| -> String {
        let line = |n: u64| format!("Line {}.\n", n.wrapping_mul(step).wrapping_mul(n) >> 7 & 15);
        (1..12_000).map(line).collect()
    };
    book.write("fragments/one.md", &format!("---\nid: one\n---\n{}", text(2_654_435_761)));
    book.write("fragments/two.md", &format!("---\nid: two\n---\n{}", text(40_503)));
    book.write("compositions/one.yaml", "{name: one, base: [one]}\n");
    book.write("compositions/two.yaml", "{name: two, base: [two]}\n");
    let (code, said, _) = book.run(&["diff", "one", "two"]);
    assert_eq!(code, 1);
    assert!(said.contains("\ncoarse diff: "));
    let (_, said, _) = book.run(&["diff", "one", "two", "--format", "json"]);
    assert!(said.contains("\"coarse\": true"));
}
