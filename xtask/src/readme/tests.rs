use super::*;

fn shown(page: &str) -> Vec<String> {
    let show = |example: &Example| {
        let output = example.output.as_ref().map_or("anything".to_owned(), |lines| lines.join("|"));
        format!("{}: {} -> {output} ({})", example.line, example.command, example.exit)
    };
    let mut shown = Vec::new();
    for block in blocks(page) {
        match block.content {
            Content::Commands(examples) => shown.extend(examples.iter().map(show)),
            Content::File(file, text) => shown.push(format!("{file}: {text:?}")),
        }
    }
    shown
}

#[test]
fn commands_and_outputs_are_read() {
    let page = "\
# Title

```console
$ lawful check
error: no
...

[EXIT 1]
$ true

$ lawful --version
lawful 0.1.0
```

```sh
$ not this one
```
";
    assert_eq!(
        shown(page),
        [
            "4: lawful check -> error: no|... (1)",
            "9: true -> anything (0)",
            "11: lawful --version -> lawful 0.1.0 (0)",
        ]
    );
}

#[test]
fn a_block_in_a_larger_block_is_text() {
    let page = "````markdown\n```console\n$ no\n```\n````\n~~~console\n$ yes\n~~~\n";
    assert_eq!(shown(page), ["7: yes -> anything (0)"]);
}

#[test]
fn a_block_in_a_list_loses_its_indent() {
    let page = "- first\n\n  ```console\n  $ echo\n    kept\n  ```\n";
    assert_eq!(shown(page), ["4: echo ->   kept (0)"]);
}

#[test]
fn only_an_exit_code_leaves_the_output_open() {
    assert_eq!(shown("```console\n$ false\n[EXIT 1]\n```"), ["2: false -> anything (1)"]);
}

#[test]
fn pages_run_in_their_folders() {
    assert_eq!(folder_of("README.md"), Some(""));
    assert_eq!(folder_of("examples/desk/README.md"), Some("examples/desk"));
    assert_eq!(folder_of("docs/guide/start.md"), Some(""));
    assert_eq!(folder_of("docs/start.md"), Some(""));
    assert_eq!(folder_of("spec/cond/path.md"), None);
    assert_eq!(folder_of("examples/README.md"), None);
    assert_eq!(folder_of("docs/page.html"), None);
}

fn example(output: Option<&str>, exit: i32) -> Example {
    let output = output.map(|text| text.lines().map(str::to_owned).collect());
    Example { line: 1, command: "x".to_owned(), output, exit }
}

#[test]
fn output_and_exit_code_are_compared() {
    assert_eq!(compare(&example(Some("a\nb"), 0), "a\nb\n\n", Some(0)), None);
    assert_eq!(compare(&example(None, 2), "whatever\n", Some(2)), None);
    assert_eq!(
        compare(&example(Some("a\nb"), 0), "a\nc\n", Some(0)).unwrap(),
        "  it should print (-) and prints (+):\n   a\n  -b\n  +c"
    );
    assert_eq!(
        compare(&example(None, 0), "oh\n", Some(1)).unwrap(),
        "  it should exit with 0 and exits with 1\n  | oh"
    );
    assert_eq!(
        compare(&example(None, 0), "", None).unwrap(),
        "  it should exit with 0 and exits with a signal"
    );
}

#[test]
fn commands_run_in_a_shell_with_both_streams() {
    let command = "echo out; echo err >&2; exit 3".to_owned();
    let output = Some(vec!["out".to_owned(), "err".to_owned()]);
    let example = Example { line: 1, command, output, exit: 3 };
    let mut stage = Stage::new(Path::new(".")).expect("a stage");
    assert_eq!(stage.check(&example, false), Ok(None));
}

#[test]
fn a_block_may_be_a_file() {
    let page = "```yaml file=desk/lawful.yaml\nname: desk\n```\n```yaml\nname: none\n```\n";
    assert_eq!(shown(page), ["desk/lawful.yaml: \"name: desk\\n\""]);
}

#[test]
fn tutorials_start_in_an_empty_folder_where_a_change_of_folder_lasts() {
    assert!(is_tutorial("docs/tutorial-guard.md"));
    assert!(!is_tutorial("docs/guards.md"));
    let mut stage = Stage::new(&root()).expect("a stage");
    stage.write("a/file", "text\n").expect("a file");
    for page in ["$ cd a", "$ cat file\ntext"] {
        for block in blocks(&format!("```console scratch\n{page}\n```\n")) {
            let Content::Commands(examples) = block.content else { panic!("no commands") };
            for example in &examples {
                assert_eq!(stage.check(example, block.scratch).expect("runs"), None);
            }
        }
    }
}
