//! `cargo xtask bench conditions`: times Lawful and its peers, and writes `RESULTS.md`.

use std::process::ExitCode;

use lawful_benches::measure::{self, Plan};
use lawful_benches::report::{Part, Report};
use lawful_benches::workload::Workload;
use lawful_benches::{Result, cli, command, count};

const USAGE: &str = "\
usage: conditions [--quick] [--only WORKLOAD] [--skip-count] [--skip-cli] [--write]

  --quick          fewer and shorter batches
  --only WORKLOAD  time one workload; may be repeated
  --skip-count     do not count instructions
  --skip-cli       do not build and measure the program `lawful`
  --write          write RESULTS.md although the run is not a whole one";

/// What was asked for.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag")]
struct Options {
    quick: bool,
    only: Vec<String>,
    skip_count: bool,
    skip_cli: bool,
    write: bool,
    /// For a test of the check: this engine gives one wrong answer.
    inject_disagreement: Option<String>,
}

fn main() -> ExitCode {
    command::main(run)
}

fn run() -> Result<()> {
    let words = command::words();
    // Not in the usage: the program starts itself like this, under valgrind.
    if let [flag, engine, workload, documents] = words.as_slice()
        && flag == "--count"
    {
        return count::run(engine, workload, documents.parse()?);
    }
    if words.iter().any(|word| word == "--help") {
        println!("{USAGE}");
        return Ok(());
    }
    let options = Options::parse(&words)?;
    let report = measure_all(&options)?;
    let text = report.render();
    command::report(&text, "RESULTS.md", options.is_whole() || options.write)
}

fn measure_all(options: &Options) -> Result<Report> {
    let plan = if options.quick { Plan::QUICK } else { Plan::FULL };
    let mut columns = Vec::new();
    for name in Workload::names() {
        if !options.only.is_empty() && !options.only.iter().any(|only| only == name) {
            continue;
        }
        eprintln!("timing {name}");
        let workload = Workload::named(name).ok_or("there is no such workload")?;
        let spoil = options.inject_disagreement.as_deref();
        columns.push(measure::column(workload, &plan, spoil)?);
    }
    let counts = if options.skip_count {
        Part::Missing("this run left it out".to_owned())
    } else {
        eprintln!("counting instructions");
        match count::count_all()? {
            Some(counts) => Part::Measured(counts),
            None => Part::Missing("valgrind is missing".to_owned()),
        }
    };
    let figures = if options.skip_cli {
        Part::Missing("this run left it out".to_owned())
    } else {
        eprintln!("measuring the program");
        Part::Measured(cli::measure()?)
    };
    Ok(Report { plan, columns, counts, figures })
}

impl Options {
    fn parse(words: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--quick" => options.quick = true,
                "--skip-count" => options.skip_count = true,
                "--skip-cli" => options.skip_cli = true,
                "--write" => options.write = true,
                "--only" => {
                    let name = words.next().ok_or("`--only` needs the name of a workload")?;
                    if !Workload::names().any(|known| known == name) {
                        let names: Vec<&str> = Workload::names().collect();
                        let names = names.join(", ");
                        return Err(format!("no workload `{name}`; there are {names}").into());
                    }
                    options.only.push(name.clone());
                }
                "--inject-disagreement" => {
                    let name = words.next().ok_or("`--inject-disagreement` needs an engine")?;
                    options.inject_disagreement = Some(name.clone());
                }
                _ => return Err(format!("unknown argument `{word}`\n{USAGE}").into()),
            }
        }
        Ok(options)
    }

    fn is_whole(&self) -> bool {
        !self.quick && self.only.is_empty() && !self.skip_count && !self.skip_cli
    }
}
