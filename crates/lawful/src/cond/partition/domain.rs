//! The declared domain of a path: the values of an axis or the type of a variable.

use std::collections::BTreeMap;

use crate::book::{Manifest, Variable, VariableType};
use crate::path::Path;
use crate::react::STATE;
use crate::value::{Number, Value};

/// The values a path can have.
#[derive(Clone, Debug)]
pub enum Domain {
    /// Only these values.
    Values {
        /// The values.
        values: Vec<Value>,
        /// Whether it may also be absent.
        absent: bool,
    },
    /// Any value of a type, or absent.
    Type {
        /// The type.
        kind: VariableType,
        /// The least number.
        min: Option<Number>,
        /// The greatest number.
        max: Option<Number>,
    },
}

impl Domain {
    /// The values of a variable: its declared ones, or those of its type.
    pub(crate) fn of_variable(variable: &Variable) -> Self {
        let values = variable.values.clone();
        if values.is_empty() { of_type(variable) } else { Self::Values { values, absent: true } }
    }

    /// Whether a present value belongs to the domain.
    pub fn admits(&self, value: &Value) -> bool {
        match self {
            Self::Values { values, .. } => values.contains(value),
            Self::Type { kind, min, max } => {
                let within = |number: &Number| {
                    min.is_none_or(|min| *number >= min) && max.is_none_or(|max| *number <= max)
                };
                kind.admits(value)
                    && if let Value::Number(number) = value { within(number) } else { true }
            }
        }
    }
}

/// The declared domains of a book, by path.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    by_path: BTreeMap<Path, Domain>,
}

impl Domains {
    /// The axes and variables of a manifest. A context may lack any key, so every path may also be
    /// absent. An axis takes precedence over a variable of the same name.
    pub fn of(manifest: &Manifest) -> Self {
        let mut domains = Self::default();
        for variable in &manifest.variables {
            // The size of a product counts the values of axes, so a list of values is only a type
            // here.
            let domain = of_type(variable);
            let Ok(path) = Path::parse(&variable.id) else { continue };
            if let Ok(below) = Path::parse(&format!("{STATE}.{}", variable.id)) {
                domains.declare(below, domain.clone());
            }
            domains.declare(path, domain);
        }
        for axis in &manifest.axes {
            let domain = Domain::Values { values: axis.values.clone(), absent: true };
            domains.declare(axis.path.clone(), domain);
        }
        domains
    }

    /// Only the variables of a manifest, which the conditions of rules read.
    pub fn of_variables(manifest: &Manifest) -> Self {
        let mut domains = Self::default();
        for variable in &manifest.variables {
            if let Ok(path) = Path::parse(&variable.id) {
                domains.declare(path, Domain::of_variable(variable));
            }
        }
        domains
    }

    /// Declares the domain of a path.
    pub fn declare(&mut self, path: Path, domain: Domain) {
        self.by_path.insert(path, domain);
    }

    /// The product of the numbers of declared values of all paths except some.
    pub(super) fn sizes_except(&self, left_out: impl Fn(&Path) -> bool) -> Option<u128> {
        let mut product = 1_u128;
        for (path, domain) in &self.by_path {
            if let Domain::Values { values, .. } = domain
                && !left_out(path)
            {
                product = product.checked_mul(values.len() as u128)?;
            }
        }
        Some(product)
    }

    /// Removes a declaration.
    pub fn forget(&mut self, path: &Path) {
        self.by_path.remove(path);
    }

    /// The domain of a path, if it is declared.
    pub fn get(&self, path: &Path) -> Option<&Domain> {
        self.by_path.get(path)
    }
}

fn of_type(variable: &Variable) -> Domain {
    Domain::Type { kind: variable.kind, min: variable.min, max: variable.max }
}
