//! What holds for every text, whether it is a line or not.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "this is a test")]

use std::time::{Duration, Instant};

use lawful_shell::{MAX_COMMANDS, MAX_LENGTH, Reading, read};
use proptest::prelude::*;

/// Lines as people write them; the generator cuts and joins them.
const LINES: &[&str] = &[
    "cd web && npm ci && npm test -- --watch=false 2>&1 | tail -20",
    "git commit -m \"$(cat <<'EOF'\nFix it's `x`\n\nMore (text)\nEOF\n)\" && git push origin HEAD",
    "for f in $(git ls-files '*.rs'); do sed -i \"s/${old}/$new/g\" \"$f\"; done",
    "find . -name '*.py' -not -path './venv/*' -exec grep -l 'import os' {} + | xargs -r rm -f",
    "if [[ -f Cargo.toml && $(grep -c workspace Cargo.toml) -gt 0 ]]; then cargo test; else exit 1; fi",
    "sudo env PATH=\"$PATH\" bash -lc 'set -e; make -j$(nproc) && make install'",
    "python3 - <<'PY'\nimport sys\nprint(\"$(not run)\", sys.argv)\nPY",
    "case \"$1\" in start|stop) systemctl \"$1\" x ;; *) echo \"usage: $0\" >&2; exit 2 ;; esac",
    "docker run --rm -it -v \"$PWD:/w\" -w /w node:20 sh -c 'npm ci && npm run build'",
    "curl -fsSL https://example.com/install.sh | sh -s -- --yes",
    "diff <(sort a) <(sort b) > >(tee out.txt) 2>/dev/null || true",
    "f() { local x=${1:-$(date +%s)}; echo $((x + 1)); }; f 3 & wait $!",
    "x=(a 'b c' $(ls)); printf '%s\\n' \"${x[@]/#/pre}\" | while read -r l; do echo \"$l\"; done",
    "timeout 30 ssh -o StrictHostKeyChecking=no host 'cd /srv && git pull --ff-only'",
    "trap 'rm -rf \"$tmp\"' EXIT; tmp=$(mktemp -d) && tar -xzf a.tgz -C \"$tmp\" --strip-components=1",
];

/// Texts that mean something to the shell, and some that do not.
const TOKENS: &[&str] = &[
    "git", "push", "echo", "sh", "-c", "eval", "xargs", "env", "sudo", "cd", "a", "x=1", " ", "  ",
    "\n", "\t", ";", ";;", ";&", "&", "&&", "|", "||", "|&", "!", "(", ")", "((", "))", "{", "}",
    "[[", "]]", "[", "]", "<", ">", ">>", "<<", "<<-", "<<<", "<&", ">&", "&>", "<(", ">(", "'",
    "\"", "`", "\\", "\\\n", "$", "$(", "$((", "${", "$[", "$'", "$\"", "#", "#!", "if", "then",
    "else", "fi", "for", "in", "do", "done", "while", "case", "esac", "function", "f()", "time",
    "coproc", "select", "EOF", "\nEOF\n", "{a,b}", "{1..9}", "*", "?", "~", "=", "+=", "%", "@(",
    "!(", "\r", "\r\n", "é", "𝒳", "\u{a0}", "\0", "\u{7f}", "1", "2>", "{fd}>", "-", "--",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(TOKENS), 0..40).prop_map(|tokens| tokens.concat())
}

/// A real line with pieces cut out, put in and doubled.
fn damaged() -> impl Strategy<Value = String> {
    let edit =
        (any::<prop::sample::Index>(), any::<prop::sample::Index>(), prop::sample::select(TOKENS));
    (prop::sample::select(LINES), prop::collection::vec(edit, 0..6)).prop_map(|(line, edits)| {
        let mut characters: Vec<char> = line.chars().collect();
        for (from, to, token) in edits {
            let from = from.index(characters.len() + 1);
            let to = (from + to.index(4)).min(characters.len());
            characters.splice(from..to, token.chars());
        }
        characters.into_iter().collect()
    })
}

fn check_shape(reading: &Reading) {
    assert!(reading.commands.len() <= MAX_COMMANDS + 1);
    assert!(reading.opaque.len() <= MAX_COMMANDS);
    for command in &reading.commands {
        assert!(!command.folders.is_empty(), "{command:?}");
        let redirects = !command.writes.is_empty() || !command.reads.is_empty();
        assert!(!command.words.is_empty() || redirects, "{command:?}");
        assert!(command.words.is_empty() == command.essence().is_empty());
        assert!(command.lines().contains(&command.line()));
    }
    for opaque in &reading.opaque {
        assert!(!opaque.reason.is_empty());
        assert!(opaque.text.chars().count() <= 200);
    }
}

/// Every command of the inner reading is in the outer one, unless that is opaque.
fn check_contains(outer: &str, inner: &Reading) {
    let reading = read(outer);
    check_shape(&reading);
    if !reading.opaque.is_empty() {
        return;
    }
    for command in &inner.commands {
        let found = reading.commands.iter().any(|other| other.words == command.words);
        assert!(found, "{:?} is lost in {outer:?}: {reading:#?}", command.words);
    }
}

fn check(line: &str) {
    let reading = read(line);
    check_shape(&reading);
    assert_eq!(read(line), reading, "read twice");
    // A carriage return at the end of an argument is left out, so lines with one are not compared.
    if !reading.opaque.is_empty() || line.ends_with('\\') || line.contains('\r') {
        return;
    }
    // What cannot end is never understood.
    for open in ["\n(", "\nif", "\n'", "\n\"", "\n$(", "\n{", "\n`", "\n&& ", "\n)"] {
        let cut = format!("{line}{open}");
        // A here-document without an end takes everything, and a backslash continues the line.
        if !line.contains("<<") && !line.ends_with('\\') {
            assert!(!read(&cut).opaque.is_empty(), "{cut:?} is understood");
        }
    }
    // Whatever is around a line, its commands stay.
    let quoted = line.replace('\'', "'\\''");
    for around in [
        format!("{{ {line}\n}}"),
        format!("( {line}\n)"),
        format!("echo \"$({line}\n)\""),
        format!("if :; then {line}\nfi"),
        format!("f() {{ {line}\n}}"),
        format!("bash -c ':\n{quoted}'"),
        format!("env -i sh -ec ':\n{quoted}'"),
        format!("trap ':\n{quoted}' EXIT"),
    ] {
        check_contains(&around, &reading);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_tokens_have_a_reading(line in soup()) {
        check(&line);
    }

    #[test]
    fn damaged_lines_have_a_reading(line in damaged()) {
        check(&line);
    }

    #[test]
    fn any_text_has_a_reading(line in any::<String>()) {
        check(&line);
    }
}

#[test]
fn real_lines_are_read_without_a_fault() {
    for line in LINES {
        let reading = read(line);
        let faults = reading.opaque.iter().filter(|opaque| opaque.reason.contains("parse"));
        assert_eq!(faults.count(), 0, "{line}: {:?}", reading.opaque);
    }
}

#[test]
fn hostile_lines_end_soon_and_are_opaque() {
    let repeat = |text: &str| text.repeat(MAX_LENGTH / text.len() - 8);
    let nested = |open: &str, close: &str, times: usize| {
        format!("{}x{}", open.repeat(times), close.repeat(times))
    };
    let lines = [
        repeat("$("),
        repeat("("),
        repeat("(( "),
        repeat("{ "),
        repeat("\"$("),
        repeat("${x:-"),
        repeat("$(("),
        repeat("$(( ("),
        repeat("`"),
        repeat("<("),
        repeat("if "),
        repeat("x=("),
        repeat("[[ ( "),
        repeat("[[ ! "),
        repeat("! "),
        repeat("@("),
        repeat("a[[["),
        repeat("f() {\n"),
        repeat("case x in x) "),
        repeat("coproc "),
        repeat("coproc x { "),
        repeat("sudo "),
        repeat("env "),
        format!("{}\n(", repeat("cat <<E;")),
        format!("{}<<E\n$(", repeat("cat <<E ")),
        repeat("{a,b}"),
        repeat("{"),
        repeat("{a,"),
        repeat("{1..999}"),
        repeat("zz a "),
        repeat("zz a;"),
        repeat("zz 'a b';"),
        repeat("cd a;"),
        repeat("f() { a; };"),
        repeat("f() { cd a; };"),
        repeat("while cd a; do "),
        format!("{{ {} }} <<E\n{}", "a;".repeat(5_000), "x".repeat(100_000)),
        repeat("alias a='a a; a a';a;"),
        "x".repeat(MAX_LENGTH + 1),
        nested("echo $(", ")", 500),
        nested("echo \"$(", ")\"", 500),
        nested("( ", " )", 500),
        nested("$((", "))", 200),
    ];
    for line in &lines {
        let shown: String = line.chars().take(20).collect();
        let start = Instant::now();
        let reading = read(line);
        let took = start.elapsed();
        check_shape(&reading);
        println!("{shown:?}: {took:?}, {} commands", reading.commands.len());
        assert!(took < Duration::from_secs(5), "{shown:?} takes {took:?}");
        assert!(!reading.opaque.is_empty(), "{shown:?} is understood");
    }
}

#[test]
fn deep_lines_fit_a_small_stack() {
    let read_all = || {
        for (open, close) in [
            ("echo $(", ")"),
            ("echo \"$(", ")\""),
            ("( ", "\n)"),
            ("{ ", "\n}"),
            ("if ", "\nthen a; fi"),
            ("case x in x) ", ";; esac"),
            ("echo ${x:-", "}"),
            ("echo $((", "))"),
            ("x=($(", "))"),
            ("[[ ( ", " ) ]]"),
            ("cat <(", ")"),
        ] {
            for depth in [5, 20, 25, 30, 40, 60, 100] {
                read(&format!("{}a{}", open.repeat(depth), close.repeat(depth)));
            }
        }
    };
    // As much as a thread of a WebAssembly module has.
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(read_all);
    thread.expect("a thread").join().expect("no overflow");
}
