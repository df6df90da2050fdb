//! Tests of the whole engine: compared with a naive engine, through its text form, and at its
//! limits.

mod naive;

use proptest::prelude::*;

use super::*;

fn program(text: &str) -> Program {
    let mut program = Program::default();
    let problems = parse(text, &mut program);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    program
}

/// The facts of a relation after a run, sorted, as text.
fn facts(text: &str, relation: &str) -> String {
    let program = program(text);
    let id = program.find(relation).unwrap();
    let compiled = program.compile().unwrap();
    let mut run = compiled.start();
    run.run(Limits::default()).unwrap();
    let mut shown: Vec<String> = run.rows(id).map(|row| run.show(id, &row)).collect();
    shown.sort();
    shown.join(" ")
}

fn problems(text: &str) -> String {
    let mut program = Program::default();
    let mut found = parse(text, &mut program);
    if found.is_empty() {
        found = program.compile().err().unwrap_or_default();
    }
    let shown = |problem: &Problem| {
        let place = text.get(problem.at.start as usize..problem.at.end as usize);
        format!("{:?} at [{}]: {}", problem.kind, place.unwrap_or_default(), problem.message)
    };
    found.iter().map(shown).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_transitive_closure_of_a_chain() {
    let text = r#"
        edge("a", "b"). edge("b", "c"). edge("c", "d").
        path(x, y) :- edge(x, y).
        path(x, z) :- path(x, y), path(y, z).
    "#;
    assert_eq!(
        facts(text, "path"),
        r#"path("a", "b") path("a", "c") path("a", "d") path("b", "c") path("b", "d") path("c", "d")"#
    );
}

#[test]
fn negation_reads_a_complete_relation() {
    let text = "
        lone(x) :- node(x), !linked(x).
        linked(x) :- edge(x, _).
        linked(y) :- edge(_, y).
        node(1). node(2). node(3). edge(1, 3).
    ";
    assert_eq!(facts(text, "lone"), "lone(2)");
}

#[test]
fn comparisons_and_counts() {
    let text = r#"
        size("a", 3). size("b", -7). size("c", 9000000000).
        large(x) :- size(x, n), n >= 3.
        pair(x, y) :- size(x, n), size(y, m), n < m, x != "a".
        same(x, y) :- size(x, n), y = x, n = -7.
        many() :- count : { size(_, _) } >= 3.
        few() :- count : { size(_, _) } < 3.
        once(x) :- size(x, _), count : { size(x, _) } = 1.
    "#;
    assert_eq!(facts(text, "large"), r#"large("a") large("c")"#);
    assert_eq!(facts(text, "pair"), r#"pair("b", "a") pair("b", "c")"#);
    assert_eq!(facts(text, "same"), r#"same("b", "b")"#);
    assert_eq!(facts(text, "many"), "many()");
    assert_eq!(facts(text, "few"), "");
    assert_eq!(facts(text, "once"), r#"once("a") once("b") once("c")"#);
}

#[test]
fn a_variable_may_occur_twice_in_an_atom() {
    let text = "e(1, 1). e(1, 2). e(2, 2). loop(x) :- e(x, x). both(x) :- e(x, x), e(1, x).";
    assert_eq!(facts(text, "loop"), "loop(1) loop(2)");
    assert_eq!(facts(text, "both"), "both(1) both(2)");
}

#[test]
fn booleans_are_constants() {
    let text = r#"
        .decl test(name: symbol, passed: boolean)
        test("a", true). test("b", false). test("c", false).
        good(x) :- test(x, true).
        bad(x) :- test(x, y), y = false.
        state(y) :- test(_, y), y != true.
    "#;
    assert_eq!(facts(text, "good"), r#"good("a")"#);
    assert_eq!(facts(text, "bad"), r#"bad("b") bad("c")"#);
    assert_eq!(facts(text, "state"), "state(false)");
    // Soufflé has no booleans, so a printed program has only symbols for them.
    let printed = program(text).to_string();
    assert!(printed.contains(".decl test(name: symbol, passed: symbol)\n"), "{printed}");
    assert!(printed.contains("\ngood(x) :- test(x, \"true\").\n"), "{printed}");
    assert_eq!(facts(&printed, "bad"), r#"bad("b") bad("c")"#);
    assert_eq!(program(&printed).to_string(), printed);
}

#[test]
fn every_error_is_reported_at_once() {
    assert_eq!(
        problems("p(x) :- q(x. r(1).\ns(x) : t(x).\n.input q\nu(\"open)."),
        "Syntax at [.]: expected `,` or `)` between arguments, found `.`\n\
         Syntax at [:]: expected `.` or `:-` after the head of a rule, found `:`\n\
         Directive at [.input]: the directive `.input` is not supported\n\
         Syntax at [\"open).]: the string is not closed"
    );
}

#[test]
fn a_missing_full_stop_is_where_the_clause_ends() {
    assert_eq!(
        problems("q(1)\np(x) :- q(x)\n\nr(x) :- p(x).\ns(1)"),
        "Syntax at [)]: the clause does not end with `.`\n\
         Syntax at [)]: the clause does not end with `.`\n\
         Syntax at [)]: the clause does not end with `.`"
    );
    // On one line it may as well be a comma.
    assert_eq!(
        problems("q(1). p(x) :- q(x) r(x)."),
        "Syntax at [r]: expected `,` or `.` in the body of a rule, found `r`"
    );
}

#[test]
fn arithmetic_is_told_from_text_without_quotes() {
    let arithmetic = |sign: &str| format!("Syntax at [{sign}]: arithmetic is not supported");
    assert_eq!(problems("q(1, 2). p(x) :- q(x, y), x-y > 2."), arithmetic("-"));
    assert_eq!(problems("q(1, 2). p(x) :- q(x, y), y = x + 1."), arithmetic("+"));
    assert_eq!(problems("q(1, 2). p(x) :- q(x, y * 2)."), arithmetic("*"));
    assert_eq!(
        problems("q(1, 2). p(x) :- q(x, src/a-b.rs), q(x, to-do)."),
        "Syntax at [src/a-b.rs]: `src/a-b.rs` is not a variable"
    );
}

#[test]
fn a_variable_that_occurs_once_is_noted() {
    let noted = |text: &str| {
        let mut program = Program::default();
        assert_eq!(parse(text, &mut program), []);
        let found = program.single_uses();
        let place = |problem: &Problem| {
            text.get(problem.at.start as usize..problem.at.end as usize).unwrap().to_owned()
        };
        found.iter().map(place).collect::<Vec<String>>().join(" ")
    };
    assert_eq!(noted("p(x) :- q(x, done), q(_, _y), q(z, z)."), "done");
    assert_eq!(
        noted("p(x) :- q(x, 1), x = word. p(y) :- q(y, left), q(y, right)."),
        "word left right"
    );
    assert_eq!(noted("p(x) :- q(x, y), y > 1, count : { q(x, y) } > 2. p(\"a\")."), "");
}

#[test]
fn invalid_programs_are_refused() {
    assert_eq!(
        problems("q(1). p(x) :- q(x, x)."),
        "Arity at [q]: `q` has 1 column, but is used with 2 here"
    );
    assert_eq!(problems("p(x) :- q(x)."), "Unknown at [q]: unknown relation `q`");
    assert_eq!(
        problems("q(1). p(x) :- q(_), !q(x)."),
        "Unsafe at [p(x) :- q(_), !q(x).]: nothing binds the variable `x` in a rule for `p`"
    );
    assert_eq!(
        problems("q(1). p(x) :- q(y), y < 3."),
        "Unsafe at [p(x) :- q(y), y < 3.]: nothing binds the variable `x` in a rule for `p`"
    );
    assert_eq!(
        problems("q(1). p(_) :- q(1)."),
        "Unsafe at [p(_) :- q(1).]: the head of a rule for `p` contains `_`"
    );
    assert_eq!(
        problems("q(1). p(x) :- q(x), x < \"a\"."),
        "Kind at [p(x) :- q(x), x < \"a\".]: one column has both a number and a string, which are never equal"
    );
    assert_eq!(
        problems("q(true). p(1) :- q(\"true\")."),
        "Kind at [p(1) :- q(\"true\").]: one column has both a boolean and a string, which are never equal"
    );
    assert_eq!(
        problems("q(1). p(x) :- q(x), x > true."),
        "Kind at [p(x) :- q(x), x > true.]: one column has both a number and a boolean, which are never equal"
    );
    assert_eq!(
        problems("range(1). q(1). p(min) :- q(min). .decl r(max: number)"),
        "Syntax at [range]: `range` is a keyword of Soufflé and cannot be a name\n\
         Syntax at [min]: `min` is a keyword of Soufflé and cannot be a name\n\
         Syntax at [max]: `max` is a keyword of Soufflé and cannot be a name"
    );
    assert_eq!(
        problems("p(x)."),
        "Syntax at [x]: `x` is a variable, and a fact contains only constants"
    );
    assert_eq!(problems("p(_)."), "Syntax at [p(_).]: a fact contains only constants");
    assert_eq!(
        problems("p(1); q(1)."),
        "Syntax at [;]: expected `.` or `:-` after the head of a rule, found `;`"
    );
    assert_eq!(problems("q(1). p(1) :- q(1) ; q(2)."), "Syntax at [;]: `;` is not supported");
    assert_eq!(
        problems("p(99999999999999999999)."),
        "Syntax at [99999999999999999999]: the number is out of range"
    );
    assert_eq!(problems("/* never closed"), "Syntax at [/*]: the comment is not closed");
}

#[test]
fn a_cycle_through_a_negation_is_reported() {
    assert_eq!(
        problems("n(1). win(x) :- move(x, y), !win(y). move(1, 2)."),
        "Cycle at [win(x) :- move(x, y), !win(y).]: `win` depends on its own negation: win -> !win"
    );
    assert_eq!(
        problems("n(1). a(x) :- n(x), !b(x). b(x) :- c(x). c(x) :- a(x)."),
        "Cycle at [a(x) :- n(x), !b(x).]: `a` depends on its own negation: a -> !b -> c -> a"
    );
    assert_eq!(
        problems("n(1). a(x) :- n(x), count : { a(_) } > 1."),
        "Cycle at [a(x) :- n(x), count : { a(_) } > 1.]: `a` depends on its own negation: a -> !a"
    );
}

#[test]
fn running_out_of_fuel_is_an_error() {
    let all = "n(1). n(2). n(3). n(4). n(5). n(6). n(7). n(8). n(9). n(10).
        far(a, b, c, d) :- n(a), n(b), n(c), n(d).
        none(a) :- n(a), n(b), n(c), n(d), a < b, b < a.";
    let compiled = program(all).compile().unwrap();
    let mut run = compiled.start();
    let limits = Limits { facts: 5_000, ..Limits::default() };
    assert_eq!(run.run(limits), Err(Exhausted::Facts(5_000)));
    run.reset();
    let limits = Limits { derivations: 10_000, ..Limits::default() };
    assert_eq!(run.run(limits), Err(Exhausted::Derivations(10_000)));
    run.reset();
    assert_eq!(run.run(Limits::default()), Ok(()));
}

#[test]
fn a_fact_is_explained_down_to_given_facts() {
    let program = program(
        r#"
        edge("a", "b"). edge("b", "c"). edge("c", "d").
        path(x, y) :- edge(x, y).
        path(x, z) :- path(x, y), edge(y, z).
        end(x) :- path(_, x), !edge(x, _).
        "#,
    );
    let end = program.find("end").unwrap();
    let compiled = program.compile().unwrap();
    let mut run = compiled.start();
    run.run(Limits::default()).unwrap();
    let d = run.constants.symbol("d");
    let why = run.why(end, &[d], 100).unwrap();
    assert_eq!(
        run.show_derivation(&why),
        "end(\"d\") by rule 2\n\
         \x20 path(\"c\", \"d\") by rule 0\n\
         \x20   edge(\"c\", \"d\")\n\
         \x20 no edge(\"d\", _)\n"
    );
    let a = run.constants.symbol("a");
    assert_eq!(run.why(end, &[a], 100), None);
}

#[test]
fn quoted_symbols_parse_back() {
    let mut built = Program::default();
    let said = built.relation("said", &["text"]);
    let hostile = ["\"). evil(1).", "line\nbreak", "back\\slash", "*/ // ", "\t\r", "\u{202e}\0"];
    for text in hostile {
        let constant = built.constants.symbol(text);
        built.fact(said, &[constant]);
    }
    let again = program(&built.to_string());
    assert_eq!(again.relations().count(), 1);
    let texts: Vec<Datum<'_>> =
        again.facts().map(|(_, values)| again.constants.datum(values[0])).collect();
    assert_eq!(texts, hostile.map(Datum::Symbol));
}

#[test]
fn numbers_that_need_64_bits_are_detected() {
    for small in ["p(2147483647).", "q(1). p(x) :- q(x), x > -2147483648."] {
        assert!(!program(small).needs_64_bits(), "{small}");
    }
    for large in [
        "p(2147483648).",
        "q(1). p(x) :- q(x), x > -2147483649.",
        "q(1). p(3000000000) :- q(1).",
        "q(1). p(1) :- count : { q(_) } < 3000000000.",
    ] {
        assert!(program(large).needs_64_bits(), "{large}");
        assert!(program(large).to_clingo().is_err(), "{large}");
    }
}

#[test]
fn a_note_stays_on_one_line() {
    let mut built = Program::default();
    let said = built.relation("said", &["n"]);
    let one = Term::Constant(built.constants.number(1));
    let fact = built.constants.number(1);
    built.fact(said, &[fact]);
    let other = built.relation("other", &["n"]);
    built.rule(other, &[one]).has(said, &[one]).note("a\nevil(1). \\").end(&[]);
    let text = built.to_string();
    assert!(text.contains("\n// a evil(1). \\ .\nother(1) :- said(1).\n"), "{text}");
    assert!(program(&text).find("evil").is_none());
}

/// The search for a derivation has fuel, as a run has.
#[test]
fn explaining_takes_bounded_time() {
    let numbers: Vec<String> = (0..200).map(|n| format!("r({n}).")).collect();
    let numbers = numbers.join(" ");
    let text = format!(
        "{numbers}\nall(a) :- r(a), r(b), r(c), r(d), r(e), e < 0, d < 0, c < 0, b < 0, a < 0.\nnone() :- !all(_)."
    );
    let program = program(&text);
    let none = program.find("none").unwrap();
    let compiled = program.compile().unwrap();
    let mut run = compiled.start();
    run.run(Limits::default()).unwrap();
    // A run evaluates comparisons as early as it can. Without fuel this would try 200^5
    // combinations.
    assert!(run.why(none, &[], 100).is_some());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_engine_agrees_with_a_naive_one(text in naive::any_program()) {
        let program = program(&text);
        let Ok(compiled) = program.clone().compile() else { return Ok(()) };
        let mut run = compiled.start();
        run.run(Limits::default()).unwrap();
        let expected = naive::run(&program);
        for (id, relation) in program.relations() {
            let mut rows: Vec<Vec<Constant>> = run.rows(id).collect();
            rows.sort();
            let wanted = expected.get(&id).cloned().unwrap_or_default();
            prop_assert_eq!(rows, wanted.into_iter().collect::<Vec<_>>(), "{} in\n{}", relation.name, text);
        }
    }

    #[test]
    fn every_fact_has_a_derivation_from_given_facts(text in naive::any_program()) {
        let Ok(compiled) = program(&text).compile() else { return Ok(()) };
        let mut run = compiled.start();
        run.run(Limits::default()).unwrap();
        for (id, _) in compiled.program().relations() {
            for row in run.rows(id).take(10) {
                let why = run.why(id, &row, 10_000).unwrap();
                prop_assert!(naive::is_grounded(compiled.program(), &why), "{}", text);
            }
        }
    }

    #[test]
    fn a_printed_program_parses_to_the_same(text in naive::any_program()) {
        let first = program(&text).to_string();
        prop_assert_eq!(program(&first).to_string(), first);
    }

    #[test]
    fn a_run_can_be_used_again(text in naive::any_program()) {
        let Ok(compiled) = program(&text).compile() else { return Ok(()) };
        let mut run = compiled.start();
        run.run(Limits::default()).unwrap();
        let lens = |run: &Run<'_>| -> Vec<usize> {
            compiled.program().relations().map(|(id, _)| run.len(id)).collect()
        };
        let first = lens(&run);
        run.reset();
        run.run(Limits::default()).unwrap();
        prop_assert_eq!(first, lens(&run));
    }

    #[test]
    fn no_text_panics(text in "[a-d(),.:!=<>\"_ 0-9/*\\\\\n{}-]{0,60}") {
        let mut program = Program::default();
        for problem in parse(&text, &mut program) {
            prop_assert!(text.get(problem.at.start as usize..problem.at.end as usize).is_some());
        }
        let _ = program.compile();
    }
}
