//! json-rules-engine (npm) on the common subset: rules that are asked on every turn, with conditions
//! over facts, of which the engine tells the ones that fire.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::process::{Command, Stdio};

use lawful::book::MemorySource;
use lawful::react::{Input, Rules, Session};
use crate::read::value;
use serde_json::{Value, json};

use super::book::{input, rules};
use crate::cli::Folder;
use crate::measure::{Plan, quartiles, rounds, thread_seconds};
use crate::{Result, npm};

/// The package.
pub const PACKAGE: &str = "json-rules-engine";
/// Its version.
pub const VERSION: &str = "7.3.1";
/// How many rules.
pub const RULES: usize = 1_000;
/// How many facts.
const FACTS: usize = 40;

/// What was measured.
#[derive(Clone, Debug)]
pub struct Figures {
    /// How many rules fire.
    pub fired: usize,
    /// Microseconds for one step of Lawful: the quartiles.
    pub lawful: [f64; 3],
    /// Microseconds for one run of the peer: the quartiles.
    pub peer: [f64; 3],
    /// The version of Node.
    pub node: String,
}

/// A test of a fact, in both languages.
struct Test {
    fact: usize,
    ours: &'static str,
    theirs: &'static str,
    value: i64,
}

const OPERATORS: [(&str, &str); 6] = [
    ("eq", "equal"),
    ("neq", "notEqual"),
    ("gt", "greaterThan"),
    ("lt", "lessThan"),
    ("gte", "greaterThanInclusive"),
    ("lte", "lessThanInclusive"),
];

/// The tests of a rule, and whether any of them is enough.
fn tests(rule: usize) -> (Vec<Test>, bool) {
    let test = |at: usize| {
        let mix = rule.wrapping_mul(7919).wrapping_add(at.wrapping_mul(104_729));
        let (ours, theirs) =
            OPERATORS.get(mix % OPERATORS.len()).copied().unwrap_or(("eq", "equal"));
        let value = i64::try_from(mix / 7 % 10).unwrap_or(0);
        Test { fact: mix / 3 % FACTS, ours, theirs, value }
    };
    ((0..2 + rule % 3).map(test).collect(), rule.is_multiple_of(4))
}

fn fact(at: usize) -> i64 {
    i64::try_from(at.wrapping_mul(31) % 10).unwrap_or(0)
}

fn ours() -> MemorySource {
    let mut text = String::from("rules:\n");
    for rule in 0..RULES {
        let (tests, any) = tests(rule);
        let tests: Vec<String> = tests
            .iter()
            .map(|t| {
                format!("{{variableId: f{}, operator: {}, value: {}}}", t.fact, t.ours, t.value)
            })
            .collect();
        let logic = if any { "any" } else { "all" };
        let _ = writeln!(
            text,
            "  - {{id: r{rule}, trigger: {{type: every-turn}}, conditionLogic: {logic}, conditions: [{}], actions: []}}",
            tests.join(", ")
        );
    }
    MemorySource::new().with("lawful.yaml", "name: peer\n").with("rules/r.yaml", text)
}

fn theirs() -> Value {
    let rule = |rule: usize| {
        let (tests, any) = tests(rule);
        let tests: Vec<Value> = tests
            .iter()
            .map(
                |t| json!({"fact": format!("f{}", t.fact), "operator": t.theirs, "value": t.value}),
            )
            .collect();
        let logic = if any { "any" } else { "all" };
        json!({"conditions": {logic: tests}, "event": {"type": format!("r{rule}")}})
    };
    json!((0..RULES).map(rule).collect::<Vec<_>>())
}

/// Runs the peer's own loop and prints what fired and how long each batch took for one run.
const SCRIPT: &str = r"
const fs = require('fs');
const { Engine } = require(process.argv[2]);
const { rules, facts, batches, seconds } = JSON.parse(fs.readFileSync(process.argv[3], 'utf8'));
(async () => {
  const engine = new Engine(rules);
  const { events } = await engine.run(facts);
  const fired = events.map((event) => event.type).sort();
  let count = 0;
  let start = process.cpuUsage();
  const spent = (from) => { const used = process.cpuUsage(from); return used.user + used.system; };
  while (spent(start) < seconds * 1e6) { await engine.run(facts); count += 1; }
  const times = [];
  for (let batch = 0; batch < batches; batch += 1) {
    start = process.cpuUsage();
    for (let n = 0; n < count; n += 1) await engine.run(facts);
    times.push(spent(start) / count);
  }
  console.log(JSON.stringify({ fired, times }));
})();
";

/// Checks that both fire the same rules, and times them; the reason if there is no peer.
pub fn measure(plan: &Plan, spoil: bool) -> Result<std::result::Result<Figures, String>> {
    let Some(node) = npm::node_version() else { return Ok(Err("there is no Node".to_owned())) };
    if let Err(why) = npm::install(PACKAGE, VERSION) {
        return Ok(Err(why));
    }
    eprintln!("checking {PACKAGE}");
    let rules = rules(&ours())?;
    let facts: serde_json::Map<String, Value> =
        (0..FACTS).map(|at| (format!("f{at}"), json!(fact(at)))).collect();
    let mut session = Session::new();
    session.turn = 1;
    session.variables = value(&json!(facts).to_string());
    let turn = input("{}")?;
    let step = rules.step(session.clone(), &turn);
    let mut fired: Vec<String> =
        step.trace.fired.iter().map(|firing| rules.rule(firing.rule).id.to_string()).collect();
    fired.sort();
    if spoil {
        fired.pop();
    }
    let answer = run(&theirs(), &facts, plan)?;
    if answer.get("fired") != Some(&json!(fired)) || fired.is_empty() {
        return Err(format!("void: Lawful and {PACKAGE} fire different rules").into());
    }
    let times = answer.get("times").and_then(Value::as_array).cloned().unwrap_or_default();
    let times: Vec<f64> = times.iter().filter_map(Value::as_f64).collect();
    let lawful = quartiles(&time(plan, &rules, &session, &turn));
    Ok(Ok(Figures { fired: fired.len(), lawful, peer: quartiles(&times), node }))
}

fn run(rules: &Value, facts: &serde_json::Map<String, Value>, plan: &Plan) -> Result<Value> {
    let folder = Folder::new()?;
    let (script, data) = (folder.0.join("run.cjs"), folder.0.join("data.json"));
    fs::write(&script, SCRIPT)?;
    let seconds = plan.warm_up.as_secs_f64() * 2.0;
    let batches = plan.batches.min(15);
    let work = json!({"rules": rules, "facts": facts, "batches": batches, "seconds": seconds});
    fs::write(&data, work.to_string())?;
    let output = Command::new("node")
        .args([&script, &npm::folder(PACKAGE), &data])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("{PACKAGE} failed").into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn time(plan: &Plan, rules: &Rules, session: &Session, turn: &Input) -> Vec<f64> {
    let work = || {
        black_box(rules.step(session.clone(), black_box(turn)));
    };
    let count = rounds(plan, work);
    let batch = || {
        let start = thread_seconds();
        for _ in 0..count {
            work();
        }
        (thread_seconds() - start) * 1e6 / f64::from(count)
    };
    (0..plan.batches).map(|_| batch()).collect()
}
