//! A host that brings two primitives of its own, a deal's stage and a user's role, and combines
//! them with saved conditions.
//!
//! Run it with `cargo run --package lawful --example deal`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use lawful::cond::{
    ArgSpec, Args, Condition, Inputs, Outcome, Primitive, Registry, RegistryBuilder, SavedCondition,
};
use lawful::syntax::Span;
use lawful::{Value, view};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = registry()?;

    // "The deal is won, and the user may approve it."
    let may_close = Condition::all([
        Condition::with_args("deal.stage", [("is", Value::from("won"))]),
        Condition::reference("approver"),
    ]);

    // Everything wrong with a condition is known before anything runs.
    for problem in registry.validate(&may_close) {
        println!("{}: {}", problem.code.name, problem.message);
    }
    let (set, id, _) = registry.compile(&may_close).map_err(|_| "it does not compile")?;
    println!(
        "reads: {}",
        set.reads(id).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    );

    let context: Value = "{deal: {stage: won}, user: {role: clerk}}".parse()?;
    let mut run = set.run(&context);
    let outcome = run.outcome(id);
    let explanation = set.explain(id, &context, &run.finish());
    print!("{}", view::explanation_text(&explanation));

    // A condition is data: this is what a host would store.
    println!("{}", may_close.to_value());
    assert_eq!(outcome, Outcome::False);
    Ok(())
}

fn registry() -> Result<Registry, Box<dyn std::error::Error>> {
    let mut builder: RegistryBuilder = Registry::builder();
    builder.primitive(
        Primitive::new("deal.stage", |args: &Args| {
            let wanted = args.text("is").to_owned();
            Ok(move |inputs: &Inputs<'_>| {
                Ok(inputs.get(0).and_then(Value::as_text) == Some(wanted.as_str()))
            })
        })
        .reads("deal.stage")
        .arg(ArgSpec::one_of("is", &["open", "won", "lost"])),
    )?;
    builder.primitive(
        Primitive::new("user.role", |args: &Args| {
            let wanted = args.text("is").to_owned();
            // A role that is missing is not "some other role": the host cannot tell.
            Ok(move |inputs: &Inputs<'_>| match inputs.get(0).and_then(Value::as_text) {
                Some(role) => Ok(role == wanted),
                None => Err("the user has no role".to_owned()),
            })
        })
        .reads("user.role")
        .arg(ArgSpec::one_of("is", &["admin", "manager", "clerk"])),
    )?;

    // Saved conditions come from the host's configuration while the registry is built.
    let tree: Condition =
        "any: [{ref: user.role, args: {is: admin}}, {ref: user.role, args: {is: manager}}]"
            .parse()?;
    let saved = SavedCondition { id: "approver".into(), id_span: Span::NONE, tree };
    builder.saved(saved).map_err(|problem| problem.message)?;
    Ok(builder.build())
}
