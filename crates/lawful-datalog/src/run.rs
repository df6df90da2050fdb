//! Runs a program to its fixed point, semi-naively.
//!
//! Strata run one after the other. In a stratum that is not recursive each rule runs once. A
//! recursive stratum runs in rounds. A rule can derive something new only from a fact that the last
//! round added. So each recursive atom of its body in turn sees only those facts, while the atoms
//! before it see only older ones, and the atoms after it see all. That way every combination of
//! facts is read once. A round that adds nothing is the last.

#![expect(
    clippy::indexing_slicing,
    reason = "plans, relations and variables are numbered when the program is compiled"
)]

use crate::compile::Compiled;
use crate::constant::{Constant, Constants, Datum};
use crate::plan::{Access, Arg, Pattern, Plan, Rows, Step};
use crate::problem::{Exhausted, Limits};
use crate::program::{Comparison, RelationId};
use crate::table::{GIVEN, NO_ROW, Table};

/// A run of a program: add facts, run the rules, read the results.
///
/// A run can be [reset](Run::reset) and used again; it keeps its memory.
#[derive(Debug)]
pub struct Run<'c> {
    pub(crate) compiled: &'c Compiled,
    /// The constants of the program, and of facts that were added.
    pub constants: Constants,
    pub(crate) tables: Vec<Table>,
    /// For each relation, the number of rows before the last round and before this one.
    rounds: Vec<(u32, u32)>,
    bindings: Vec<u32>,
    facts: usize,
    looked: usize,
    limits: Limits,
}

type Result = std::result::Result<(), Exhausted>;

impl<'c> Run<'c> {
    pub(crate) fn new(compiled: &'c Compiled) -> Self {
        let program = &compiled.program;
        // Most programs have about one fact for each rule.
        let mut room = vec![0_usize; program.relations.len()];
        program.facts.iter().for_each(|fact| room[fact.relation.index()] += 1);
        program.rules.iter().for_each(|rule| room[rule.head.relation.index()] += 1);
        let tables = program.relations().zip(room).map(|((id, relation), room)| {
            let indexes = compiled.plans.indexes.get(id.index()).map_or(&[][..], |indexes| indexes);
            Table::new(relation.columns.len(), room, indexes, compiled.plans.seed)
        });
        let mut run = Self {
            compiled,
            constants: program.constants.clone(),
            tables: tables.collect(),
            rounds: vec![(0, 0); program.relations.len()],
            bindings: vec![0; compiled.plans.variables],
            facts: 0,
            looked: 0,
            limits: Limits::default(),
        };
        run.reset();
        run
    }

    /// Removes everything but the facts of the program.
    pub fn reset(&mut self) {
        self.constants.forget(self.compiled.mark);
        for table in &mut self.tables {
            table.clear();
        }
        self.rounds.fill((0, 0));
        (self.facts, self.looked) = (0, 0);
        let compiled = self.compiled;
        for (relation, values) in compiled.program.facts() {
            self.add(relation, values);
        }
    }

    /// Adds a fact. Its constants are those of [`Run::constants`].
    pub fn add(&mut self, relation: RelationId, values: &[Constant]) {
        let mut row = [0; crate::parse::WIDEST];
        for (to, value) in row.iter_mut().zip(values) {
            *to = value.0;
        }
        let added = row.get(..values.len()).is_some_and(|row| {
            self.tables[relation.index()].insert(row, GIVEN, crate::program::position(self.facts))
        });
        self.facts += usize::from(added);
    }

    /// Derives everything that follows from the facts.
    pub fn run(&mut self, limits: Limits) -> Result {
        self.limits = limits;
        if self.facts > limits.facts {
            return Err(Exhausted::Facts(limits.facts));
        }
        let compiled = self.compiled;
        for stratum in &compiled.strata {
            for plan in &stratum.once {
                self.plan(plan)?;
            }
            if !stratum.rounds.is_empty() {
                self.rounds(&stratum.recursive, &stratum.rounds)?;
            }
        }
        Ok(())
    }

    fn rounds(&mut self, relations: &[RelationId], plans: &[Plan]) -> Result {
        for relation in relations {
            self.rounds[relation.index()] = (0, self.tables[relation.index()].len());
        }
        loop {
            for plan in plans {
                self.plan(plan)?;
            }
            let mut grown = false;
            for relation in relations {
                let now = self.tables[relation.index()].len();
                let (_, seen) = self.rounds[relation.index()];
                grown |= now > seen;
                self.rounds[relation.index()] = (seen, now);
            }
            if !grown {
                // Outside its stratum, all rows of a relation are visible.
                for relation in relations {
                    self.rounds[relation.index()] = (0, 0);
                }
                return Ok(());
            }
        }
    }

    fn plan(&mut self, plan: &Plan) -> Result {
        self.count_row()?;
        self.steps(plan, plan.start as usize)
    }

    fn steps(&mut self, plan: &Plan, mut at: usize) -> Result {
        let compiled = self.compiled;
        while at < plan.end as usize {
            let holds = match &compiled.plans.steps[at] {
                Step::Each(pattern, rows) => return self.each(plan, at, pattern, *rows),
                Step::Has(pattern, rows) => {
                    self.count_row()?;
                    self.find(pattern, *rows).is_some()
                }
                Step::Lacks(pattern) => {
                    self.count_row()?;
                    self.find(pattern, Rows::All).is_none()
                }
                Step::Count(pattern, comparison, bound) => {
                    self.count_row()?;
                    comparison.holds(self.count(pattern), *bound)
                }
                Step::Compare(left, comparison, right) => {
                    self.compare(self.value(*left), *comparison, self.value(*right))
                }
                Step::Let(variable, from) => {
                    self.bindings[usize::from(*variable)] = self.value(*from);
                    true
                }
            };
            if !holds {
                return Ok(());
            }
            at += 1;
        }
        self.conclude(plan)
    }

    fn conclude(&mut self, plan: &Plan) -> Result {
        let head = &plan.head;
        let moment = crate::program::position(self.facts);
        let new = if let Access::Ground(address) = head.access {
            let row = &self.compiled.plans.ground[head.start as usize..head.end as usize];
            self.tables[head.relation.index()].insert_at(address, row, plan.rule, moment)
        } else {
            let mut row = [0; crate::parse::WIDEST];
            let width = self.values(head, &mut row);
            self.tables[head.relation.index()].insert(&row[..width], plan.rule, moment)
        };
        if new {
            self.facts += 1;
            if self.facts > self.limits.facts {
                return Err(Exhausted::Facts(self.limits.facts));
            }
        }
        Ok(())
    }

    fn each(&mut self, plan: &Plan, at: usize, pattern: &Pattern, rows: Rows) -> Result {
        let (from, to) = self.range(pattern, rows);
        match pattern.access {
            // A pattern that binds something never knows every column.
            Access::Scan | Access::Whole | Access::Ground(_) => {
                for row in from..to {
                    self.count_row()?;
                    if self.fits(pattern, row) {
                        self.steps(plan, at + 1)?;
                    }
                }
            }
            Access::Index(index) => {
                let mut row = self.newest(pattern, index);
                while row != NO_ROW && row >= from {
                    self.count_row()?;
                    if row < to && self.fits(pattern, row) {
                        self.steps(plan, at + 1)?;
                    }
                    row = self.tables[pattern.relation.index()].older(usize::from(index), row);
                }
            }
        }
        Ok(())
    }

    /// A row that matches a pattern that binds nothing.
    fn find(&mut self, pattern: &Pattern, rows: Rows) -> Option<u32> {
        let table = &self.tables[pattern.relation.index()];
        let found = match pattern.access {
            Access::Ground(address) => {
                let row = pattern.start as usize..pattern.end as usize;
                table.find_at(address, &self.compiled.plans.ground[row])
            }
            Access::Whole => {
                let mut row = [0; crate::parse::WIDEST];
                let width = self.values(pattern, &mut row);
                table.find(&row[..width])
            }
            Access::Scan => {
                let (from, to) = self.range(pattern, rows);
                return (from < to).then_some(from);
            }
            Access::Index(index) => {
                let (_, to) = self.range(pattern, rows);
                let mut row = self.newest(pattern, index);
                while row != NO_ROW && row >= to {
                    self.looked += 1;
                    row = self.tables[pattern.relation.index()].older(usize::from(index), row);
                }
                Some(row).filter(|row| *row != NO_ROW)
            }
        };
        let seen = |row: &u32| {
            let (from, to) = self.range(pattern, rows);
            (from..to).contains(row)
        };
        found.filter(seen)
    }

    fn count(&mut self, pattern: &Pattern) -> i64 {
        let table = &self.tables[pattern.relation.index()];
        match pattern.access {
            Access::Scan => i64::from(table.len()),
            Access::Whole | Access::Ground(_) => i64::from(self.find(pattern, Rows::All).is_some()),
            Access::Index(index) => {
                let mut count = 0;
                let mut row = self.newest(pattern, index);
                while row != NO_ROW {
                    self.looked += 1;
                    count += 1;
                    row = self.tables[pattern.relation.index()].older(usize::from(index), row);
                }
                count
            }
        }
    }

    /// The rows that a step sees: the first, and the one after the last.
    fn range(&self, pattern: &Pattern, rows: Rows) -> (u32, u32) {
        let relation = pattern.relation.index();
        let (seen, now) = self.rounds[relation];
        match rows {
            Rows::Fresh => (seen, now),
            Rows::Old => (0, seen),
            // While its stratum runs, a relation grows during the scan.
            Rows::All if now > 0 => (0, now),
            Rows::All => (0, self.tables[relation].len()),
        }
    }

    fn newest(&self, pattern: &Pattern, index: u16) -> u32 {
        let args = &self.compiled.plans.args[pattern.start as usize..pattern.end as usize];
        let columns = &self.compiled.plans.indexes[pattern.relation.index()][usize::from(index)];
        let mut key = [0; crate::parse::WIDEST];
        for (to, column) in key.iter_mut().zip(columns) {
            *to = self.value(args[usize::from(*column)]);
        }
        self.tables[pattern.relation.index()].newest(usize::from(index), &key[..columns.len()])
    }

    /// Whether a row matches; sets the variables that the pattern binds.
    #[inline]
    fn fits(&mut self, pattern: &Pattern, row: u32) -> bool {
        let Self { compiled, tables, bindings, .. } = self;
        let args = &compiled.plans.args[pattern.start as usize..pattern.end as usize];
        let row = tables[pattern.relation.index()].row(row);
        for (arg, value) in args.iter().zip(row) {
            match *arg {
                Arg::Any => {}
                Arg::Bind(variable) => bindings[usize::from(variable)] = *value,
                Arg::Known(variable) if bindings[usize::from(variable)] == *value => {}
                Arg::Constant(constant) if constant == *value => {}
                Arg::Known(_) | Arg::Constant(_) => return false,
            }
        }
        true
    }

    #[inline]
    fn values(&self, pattern: &Pattern, row: &mut [u32]) -> usize {
        let args = &self.compiled.plans.args[pattern.start as usize..pattern.end as usize];
        for (to, arg) in row.iter_mut().zip(args) {
            *to = self.value(*arg);
        }
        args.len()
    }

    #[inline]
    fn value(&self, arg: Arg) -> u32 {
        match arg {
            Arg::Constant(constant) => constant,
            Arg::Known(variable) | Arg::Bind(variable) => self.bindings[usize::from(variable)],
            Arg::Any => 0,
        }
    }

    fn compare(&self, left: u32, comparison: Comparison, right: u32) -> bool {
        compare(&self.constants, Constant(left), comparison, Constant(right))
    }

    #[inline]
    fn count_row(&mut self) -> Result {
        self.looked += 1;
        if self.looked > self.limits.derivations {
            return Err(Exhausted::Derivations(self.limits.derivations));
        }
        Ok(())
    }

    /// Whether a fact is true.
    pub fn contains(&self, relation: RelationId, values: &[Constant]) -> bool {
        self.row_of(relation, values).is_some()
    }

    pub(crate) fn row_of(&self, relation: RelationId, values: &[Constant]) -> Option<u32> {
        let row: Vec<u32> = values.iter().map(|value| value.0).collect();
        self.tables[relation.index()].find(&row)
    }

    /// The facts of a relation with one column that are numbers from 0.
    pub fn counters(&self, relation: RelationId) -> impl Iterator<Item = usize> {
        let table = &self.tables[relation.index()];
        (0..table.len()).filter_map(|row| match table.row(row) {
            [value] => Constant(*value).as_counter(),
            _ => None,
        })
    }

    /// How many facts a relation has.
    pub fn len(&self, relation: RelationId) -> usize {
        self.tables[relation.index()].len() as usize
    }

    /// The given facts of a relation, including those of the program.
    pub fn given(&self, relation: RelationId) -> impl Iterator<Item = Vec<Constant>> {
        let table = &self.tables[relation.index()];
        let given = (0..table.len()).filter(|row| table.origin(*row).0 == GIVEN);
        given.map(|row| table.row(row).iter().copied().map(Constant).collect())
    }

    /// The facts of a relation, in the order of addition and derivation.
    pub fn rows(&self, relation: RelationId) -> impl Iterator<Item = Vec<Constant>> {
        let table = &self.tables[relation.index()];
        (0..table.len()).map(|row| table.row(row).iter().copied().map(Constant).collect())
    }
}

/// Whether the comparison of two constants is true. Only numbers have an order.
pub(crate) fn compare(
    constants: &Constants,
    left: Constant,
    comparison: Comparison,
    right: Constant,
) -> bool {
    match comparison {
        Comparison::Equal => left == right,
        Comparison::Unequal => left != right,
        Comparison::Less | Comparison::AtMost | Comparison::Greater | Comparison::AtLeast => {
            match (constants.datum(left), constants.datum(right)) {
                (Datum::Number(left), Datum::Number(right)) => comparison.holds(left, right),
                (Datum::Symbol(_) | Datum::Boolean(_), _)
                | (_, Datum::Symbol(_) | Datum::Boolean(_)) => false,
            }
        }
    }
}
