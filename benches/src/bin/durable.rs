//! Times durable turns alone.

use lawful_benches::Result;
use lawful_benches::react::durable;

fn main() -> Result<()> {
    let figures = durable::run(15, 64, 8)?;
    println!("{}", figures.table());
    for goal in figures.goals() {
        println!("{}: {} ({})", goal.verdict(), goal.aim, goal.found);
    }
    Ok(())
}
