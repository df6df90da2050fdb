//! Prints the graph for Graphviz and for Mermaid.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lawful_syntax::escape;

use super::{Graph, Via};

impl Graph<'_> {
    /// The graph in the DOT language of Graphviz.
    pub fn to_dot(&self) -> String {
        let quote = |text: &str| {
            // Backslashes of the text are doubled before escaping adds its own, so that two ids
            // never look the same.
            let text = text.replace('\\', "\\\\");
            let text = escape::line(&text).replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{text}\"")
        };
        let mut out = "digraph rules {\n".to_owned();
        for (_, rule) in self.rules.all() {
            let _ = writeln!(out, "  {};", quote(&rule.id));
        }
        for edge in self.edges() {
            let (from, to, label) = (quote(edge.from), quote(edge.to), quote(&labels(edge.via)));
            let _ = writeln!(out, "  {from} -> {to} [label={label}];");
        }
        out.push_str("}\n");
        out
    }

    /// The graph in the language of Mermaid.
    pub fn to_mermaid(&self) -> String {
        let quote = |text: &str| {
            let text = escape::line(text);
            let mut out = "\"".to_owned();
            for c in text.chars() {
                // Anything that Mermaid or a browser could interpret is written as a number.
                if c.is_alphanumeric() || " -_.:,".contains(c) {
                    out.push(c);
                } else {
                    let _ = write!(out, "#{};", u32::from(c));
                }
            }
            out.push('"');
            out
        };
        let mut out = "flowchart LR\n".to_owned();
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, (_, rule)) in self.rules.all().enumerate() {
            numbers.insert(&rule.id, at);
            let _ = writeln!(out, "  r{at}[{}]", quote(&rule.id));
        }
        for edge in self.edges() {
            if let (Some(from), Some(to)) = (numbers.get(edge.from), numbers.get(edge.to)) {
                let label = quote(&labels(edge.via));
                let _ = writeln!(out, "  r{from} -->|{label}| r{to}");
            }
        }
        out
    }
}

fn labels(via: &BTreeSet<Via>) -> String {
    let label = |via: &Via| match via {
        Via::Variable(id) | Via::Event(id) => id.to_string(),
        Via::Name => "trigger-rule".to_owned(),
    };
    via.iter().map(label).collect::<Vec<_>>().join(", ")
}
