//! Regions: which contexts lead to which result, as text.
//!
//! The text is canonical: it determines the contexts and is determined by them. It names the paths
//! that make a difference, sorted by name, and groups all values with the same result. Equivalent
//! conditions have the same regions, however they are written.

use std::collections::{BTreeMap, HashMap};

use super::diagram::Diagram;
use super::variables::VariableKind;
use super::{Partition, Skipped};
use crate::cond::Outcome;
use crate::cond::set::CondId;
use crate::value::Value;

/// The contexts of each label: one line for each combination of values.
pub(crate) type Regions = BTreeMap<usize, Vec<String>>;

/// The maximum number of lines.
const LINES: usize = 100_000;

/// The names of the outcomes of an opaque test.
const ANSWERS: [&str; 3] = ["false", "true", "error"];

impl Partition<'_> {
    /// The regions of the labels that are assigned to outcomes of these conditions.
    pub(crate) fn regions(
        &self,
        conditions: &[CondId],
        label: &mut dyn FnMut(&[Outcome]) -> usize,
    ) -> Result<Regions, Skipped> {
        let mut map = Map { partition: self, nodes: Vec::new(), known: HashMap::new(), label };
        let start: Vec<Diagram> = conditions.iter().map(|id| self.diagram(*id)).collect();
        let root = map.fold(start, &mut HashMap::new())?;
        let mut order: Vec<(String, usize)> =
            (0..self.variables.len()).map(|index| (self.name(index), index)).collect();
        order.sort();
        let mut walk = Walk { map: &mut map, order: &order, cofactors: HashMap::new(), lines: 0 };
        let mut regions = Regions::new();
        walk.down(0, root, &mut Vec::new(), &mut regions)?;
        Ok(regions)
    }

    /// The name of a variable. The name of a test is quoted, so that it never equals a path.
    fn name(&self, index: usize) -> String {
        match self.variables.get(index).map(|variable| &variable.kind) {
            Some(VariableKind::Path(path)) => self.set.paths[*path].path.to_string(),
            Some(VariableKind::Free(key)) => Value::from(key.as_str()).to_string(),
            None => String::new(),
        }
    }

    /// The names of the values of a class.
    fn values(&self, index: usize, class: usize) -> Vec<String> {
        let Some(variable) = self.variables.get(index) else { return Vec::new() };
        match variable.kind {
            VariableKind::Free(_) => {
                ANSWERS.get(class).map(|answer| (*answer).to_owned()).into_iter().collect()
            }
            VariableKind::Path(_) => {
                let members = variable.classes.get(class).map_or(&[][..], |class| &class.members);
                members.iter().map(|value| shown(value.as_ref())).collect()
            }
        }
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("absent".to_owned(), ToString::to_string)
}

/// A place in a [`Map`].
type Place = usize;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    /// Contexts that reach this place have this label.
    Label(usize),
    /// A variable, and the place for each of its classes.
    Ask(usize, Vec<Place>),
}

/// One diagram of all labels. Equal places are shared, so a place that all classes of a variable
/// lead to does not depend on it.
struct Map<'m, 'p> {
    partition: &'m Partition<'p>,
    nodes: Vec<Node>,
    known: HashMap<Node, Place>,
    label: &'m mut dyn FnMut(&[Outcome]) -> usize,
}

impl Map<'_, '_> {
    fn place(&mut self, node: Node) -> Result<Place, Skipped> {
        if let Node::Ask(_, places) = &node
            && let Some(first) = places.first()
            && places.iter().all(|place| place == first)
        {
            return Ok(*first);
        }
        if let Some(known) = self.known.get(&node) {
            return Ok(*known);
        }
        let cap = self.partition.caps.size;
        if self.nodes.len() >= cap {
            return Err(Skipped(format!("the diagram of its prompts is larger than {cap}")));
        }
        self.nodes.push(node.clone());
        self.known.insert(node, self.nodes.len() - 1);
        Ok(self.nodes.len() - 1)
    }

    /// The place for these partially followed diagrams.
    fn fold(
        &mut self,
        state: Vec<Diagram>,
        known: &mut HashMap<Vec<Diagram>, Place>,
    ) -> Result<Place, Skipped> {
        if let Some(known) = known.get(&state) {
            return Ok(*known);
        }
        let partition = self.partition;
        let work = partition.caps.work;
        if known.len().saturating_mul(state.len()) > work {
            return Err(Skipped(format!("to combine its conditions takes more than {work} steps")));
        }
        let next = state.iter().map(|one| partition.diagrams.variable(*one)).min();
        let next = next.unwrap_or(usize::MAX);
        let place = match partition.variables.get(next) {
            None => {
                let outcomes: Vec<Outcome> =
                    state.iter().map(|leaf| leaf.outcome().unwrap_or(Outcome::Error)).collect();
                let label = (self.label)(&outcomes);
                self.place(Node::Label(label))?
            }
            Some(variable) => {
                let mut places = Vec::with_capacity(variable.classes.len());
                for class in 0..variable.classes.len() {
                    let below =
                        state.iter().map(|one| partition.diagrams.restrict(*one, next, class));
                    places.push(self.fold(below.collect(), known)?);
                }
                self.place(Node::Ask(next, places))?
            }
        };
        known.insert(state, place);
        Ok(place)
    }
}

/// Walks a map in the order of the names.
struct Walk<'w, 'm, 'p> {
    map: &'w mut Map<'m, 'p>,
    order: &'w [(String, usize)],
    cofactors: HashMap<(Place, usize, usize), Place>,
    lines: usize,
}

impl Walk<'_, '_, '_> {
    fn down(
        &mut self,
        depth: usize,
        place: Place,
        front: &mut Vec<String>,
        regions: &mut Regions,
    ) -> Result<(), Skipped> {
        if let Some(Node::Label(label)) = self.map.nodes.get(place) {
            self.lines += 1;
            if self.lines > LINES {
                return Err(Skipped(format!("its contexts form more than {LINES} regions")));
            }
            let line = if front.is_empty() { "any".to_owned() } else { front.join(", ") };
            regions.entry(*label).or_default().push(line);
            return Ok(());
        }
        let order = self.order;
        let Some((name, variable)) = order.get(depth) else { return Ok(()) };
        let classes =
            self.map.partition.variables.get(*variable).map_or(0, |one| one.classes.len());
        let mut ways: BTreeMap<Place, Vec<String>> = BTreeMap::new();
        for class in 0..classes {
            let way = self.cofactor(place, *variable, class)?;
            ways.entry(way).or_default().extend(self.map.partition.values(*variable, class));
        }
        if ways.len() == 1 {
            return self.down(depth + 1, place, front, regions);
        }
        let mut ways: Vec<(Vec<String>, Place)> = ways
            .into_iter()
            .map(|(place, mut values)| {
                values.sort();
                (values, place)
            })
            .collect();
        ways.sort();
        for (values, way) in ways {
            front.push(format!("{name}: {}", values.join("|")));
            self.down(depth + 1, way, front, regions)?;
            front.pop();
        }
        Ok(())
    }

    /// The place after a variable is fixed to a class.
    fn cofactor(&mut self, place: Place, variable: usize, class: usize) -> Result<Place, Skipped> {
        let Some(Node::Ask(asked, places)) = self.map.nodes.get(place) else { return Ok(place) };
        // Variables are ordered, so it is not tested below a later one.
        if *asked > variable {
            return Ok(place);
        }
        if *asked == variable {
            return Ok(places.get(class).copied().unwrap_or(place));
        }
        if let Some(known) = self.cofactors.get(&(place, variable, class)) {
            return Ok(*known);
        }
        let (asked, places) = (*asked, places.clone());
        let mut below = Vec::with_capacity(places.len());
        for one in places {
            below.push(self.cofactor(one, variable, class)?);
        }
        let found = self.map.place(Node::Ask(asked, below))?;
        self.cofactors.insert((place, variable, class), found);
        Ok(found)
    }
}
