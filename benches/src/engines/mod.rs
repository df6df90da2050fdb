//! The engines, each behind the same small trait.

use crate::Result;
use crate::workload::Workload;

mod cel;
mod datalogic;
mod jsonschema;
mod lawful;
mod regorus;

/// A workload, compiled: rules and document in the engine's own form.
pub trait Engine {
    /// Decides every rule over the document and says which hold.
    fn decide(&mut self, hits: &mut [bool]);
}

/// An engine that can be asked to compile a workload.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// A short name for commands.
    pub name: &'static str,
    /// How tables call it.
    pub label: &'static str,
    /// The crate, for its version; `None` for Lawful.
    pub package: Option<&'static str>,
    /// Whether it has regular expressions.
    pub regex: bool,
    prepare: fn(&Workload) -> Result<Box<dyn Engine>>,
}

/// Lawful in its three modes, then the peers.
pub const CONTENDERS: &[Contender] = &[
    Contender {
        name: LAWFUL,
        label: "Lawful, without explanation",
        package: None,
        regex: true,
        prepare: lawful::decide_only,
    },
    Contender {
        name: LAWFUL_KEEP,
        label: "Lawful, outcomes kept for an explanation",
        package: None,
        regex: true,
        prepare: lawful::keep_outcomes,
    },
    Contender {
        name: LAWFUL_EXPLAIN,
        label: "Lawful, every rule explained in full",
        package: None,
        regex: true,
        prepare: lawful::explain_all,
    },
    Contender {
        name: DATALOGIC,
        label: "datalogic-rs (JSONLogic)",
        package: Some("datalogic-rs"),
        regex: false,
        prepare: datalogic::prepare,
    },
    Contender {
        name: "jsonschema",
        label: "jsonschema",
        package: Some("jsonschema"),
        regex: true,
        prepare: jsonschema::prepare,
    },
    Contender {
        name: "regorus",
        label: "regorus (VM)",
        package: Some("regorus"),
        regex: true,
        prepare: regorus::prepare,
    },
    Contender {
        name: "cel",
        label: "cel",
        package: Some("cel"),
        regex: true,
        prepare: cel::prepare,
    },
];

/// Lawful without an explanation.
pub const LAWFUL: &str = "lawful";
/// Lawful with what an explanation needs.
pub const LAWFUL_KEEP: &str = "lawful-keep";
/// Lawful with every explanation made.
pub const LAWFUL_EXPLAIN: &str = "lawful-explain";
/// The peer that the goals are set against.
pub const DATALOGIC: &str = "datalogic";

impl Contender {
    /// The contender with a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        CONTENDERS.iter().find(|contender| contender.name == name)
    }

    /// Whether it can say everything that the rules of a workload say.
    pub fn can_express(&self, workload: &Workload) -> bool {
        self.regex || !workload.regex
    }

    /// Compiles the rules and parses the document.
    pub fn prepare(&self, workload: &Workload) -> Result<Box<dyn Engine>> {
        (self.prepare)(workload)
            .map_err(|error| format!("{}: {}: {error}", self.name, workload.name).into())
    }
}
