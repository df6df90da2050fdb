//! Relations over the facts, and the author's rules over them.

use lawful_datalog::{Problem, ProblemKind, Program, RelationId, is_keyword, parse_with};
use lawful_syntax::{Diagnostic, Entry, Kind, Node, Sources, Span, did_you_mean, escape};

use super::codes;
use super::decode::select;
use super::law::{RESERVED, Wanted};
use super::symbol;
use crate::code::NEEDLESS_VALUE;
use crate::cond::Operator;
use crate::decode::{Fields, text, wrong_type};
use crate::path::Path;
use crate::value::Value;

/// A relation with one tuple for each value that its selector selects.
#[derive(Debug)]
pub(super) struct FactRelation {
    pub id: RelationId,
    pub name: Box<str>,
    pub from: Path,
    /// Selectors inside a value; `None` is the value itself.
    pub columns: Vec<Option<Path>>,
    pub span: Span,
}

/// The relations of a rulespec, and a program with the author's rules.
pub(super) struct Relations {
    pub list: RelationList,
    pub program: Program,
    /// Whether some of it is invalid.
    pub broken: bool,
}

/// The relations, and the place of the author's rules.
pub(super) struct RelationList {
    pub relations: Vec<FactRelation>,
    rules: Option<Node>,
}

/// The keys of a relation.
pub(crate) const KEYS: [&str; 3] = ["name", "from", "columns"];
/// The rules that can judge a relation.
pub(crate) const RULES: [&str; 5] =
    ["exists", "not_exists", "min_length", "max_length", "contains"];
/// The most columns a relation can have.
pub(crate) const WIDEST: usize = 32;

pub(super) fn decode(
    relations: Option<&Node>,
    rules: Option<&Node>,
    sources: &Sources,
    problems: &mut Vec<Diagnostic>,
) -> Relations {
    let before = problems.len();
    let mut warnings = Vec::new();
    let mut program = Program::default();
    let mut list = RelationList { relations: Vec::new(), rules: rules.cloned() };
    match relations.map(|node| (node, node.as_list())) {
        None => {}
        Some((_, Some(items))) => {
            for item in items {
                list.relations.extend(relation(item, &list.relations, &mut program, problems));
            }
        }
        Some((node, None)) => {
            let first = node.as_map().and_then(<[Entry]>::first);
            let help = match first {
                Some(first) => format!(
                    "write `- {{name: {}, from: …, columns: […]}}` for each relation",
                    escape::name(&first.key)
                ),
                None => "write it as `- …`".to_owned(),
            };
            problems.push(wrong_type(node, "`relations`", "a list").help(help));
        }
    }
    if let Some(written) = rules.and_then(|rules| text(rules, "`rules`", problems)) {
        let found = parse_with(written, &mut program, symbol::encode);
        let is_valid = found.is_empty();
        problems.extend(list.place(found, sources));
        if is_valid {
            warnings = list.place(program.single_uses(), sources);
        }
        for (_, relation) in program.relations() {
            if relation.output {
                let message = format!("`.output {}` is not allowed", relation.name);
                problems.push(
                    Diagnostic::new(&codes::BAD_DATALOG, list.span(&relation.at, sources), message)
                        .help(
                            "remove it; judge the relation with a predicate that has `relation:`",
                        ),
                );
            }
            if is_reserved(&relation.name) {
                problems.push(reserved_name(&relation.name, list.span(&relation.at, sources)));
            }
        }
    }
    let broken = problems.len() > before;
    problems.extend(warnings);
    Relations { list, program, broken }
}

fn relation(
    node: &Node,
    known: &[FactRelation],
    program: &mut Program,
    problems: &mut Vec<Diagnostic>,
) -> Option<FactRelation> {
    let fields = Fields::of(node, "a relation", &KEYS, problems)?;
    let name_node = fields.require("name", "a relation", problems);
    let name = name_node.and_then(|node| text(node, "the name of a relation", problems));
    let from = fields.require("from", "a relation", problems);
    let from = from.and_then(|node| selector(node, "`from`", problems));
    let columns = match fields.get("columns").map(|node| (node, node.as_list())) {
        None => Some(vec![None]),
        Some((node, Some(items))) if items.is_empty() || items.len() > WIDEST => {
            let message =
                format!("a relation has 1 to {WIDEST} columns, and this one has {}", items.len());
            problems.push(
                Diagnostic::new(&codes::BAD_RELATION, node.span, message)
                    .help("`.` is the selected value itself"),
            );
            None
        }
        Some((_, Some(items))) => items.iter().map(|item| column(item, problems)).collect(),
        Some((node, None)) => {
            problems.push(wrong_type(node, "`columns`", "a list").help("write it as `[…]`"));
            None
        }
    };
    let (name, span) = (name?, name_node?.span);
    let bare = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !bare || name == "_" {
        let message = format!("`{}` cannot be the name of a relation", escape::name(name));
        problems.push(
            Diagnostic::new(&codes::BAD_RELATION, span, message)
                .help("use letters, digits and `_`, and start with a letter"),
        );
        return None;
    }
    if is_reserved(name) {
        problems.push(reserved_name(name, span));
        return None;
    }
    if is_keyword(name) {
        let message = format!("`{name}` is a keyword of Soufflé and cannot be a name");
        problems
            .push(Diagnostic::new(&codes::BAD_RELATION, span, message).help("use another name"));
        return None;
    }
    if let Some(first) = known.iter().find(|relation| &*relation.name == name) {
        let message = format!("there are two relations named `{name}`");
        problems.push(
            Diagnostic::new(&crate::code::DUPLICATE_ID, span, message)
                .label(first.span, "first defined here")
                .help("rename one"),
        );
        return None;
    }
    let (from, columns) = (from?, columns?);
    let names: Vec<String> = (0..columns.len()).map(|at| format!("c{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let id = program.relation(name, &names);
    Some(FactRelation { id, name: name.into(), from, columns, span })
}

fn selector(node: &Node, what: &str, problems: &mut Vec<Diagnostic>) -> Option<Path> {
    let written = text(node, what, problems)?;
    match select(node, written) {
        Ok(path) => Some(path),
        Err(problem) => {
            problems.push(*problem);
            None
        }
    }
}

fn column(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Option<Path>> {
    let written = text(node, "a column", problems)?;
    if written == "." {
        return Some(None);
    }
    match crate::decode::parse_path(node, written) {
        Ok(path) => Some(Some(path)),
        Err(problem) => {
            problems
                .push(problem.help("a column is a selector inside the value; `.` is the value"));
            None
        }
    }
}

fn is_reserved(name: &str) -> bool {
    name.starts_with("law_") || RESERVED.contains(&name)
}

fn reserved_name(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(&codes::BAD_RELATION, span, format!("the name `{name}` is reserved")).help(
        "`pass`, `fail`, `skipped`, `undecided` and names that start with `law_` are reserved",
    )
}

impl Relations {
    /// The number of columns of a relation, if it is defined.
    pub(super) fn columns_of(&self, name: &str) -> Option<usize> {
        let id = self.program.find(name)?;
        Some(self.program.get(id).columns.len())
    }

    pub(super) fn names(&self) -> Vec<Box<str>> {
        self.program.relations().map(|(_, relation)| relation.name.clone()).collect()
    }
}

impl RelationList {
    /// The problems of the program as diagnostics in the author's text.
    pub(super) fn place(&self, found: Vec<Problem>, sources: &Sources) -> Vec<Diagnostic> {
        let diagnostic = |problem: Problem| {
            let (code, help) = match problem.kind {
                // The engine would list Lawful's internal relations too.
                ProblemKind::Unknown => {
                    let help = "define it with a rule, or under `relations`".to_owned();
                    (&codes::UNKNOWN_RELATION, help)
                }
                // The outputs are Lawful's, too.
                ProblemKind::Directive => {
                    let help = "remove the line; only `.decl` is supported here".to_owned();
                    (&codes::BAD_DATALOG, help)
                }
                ProblemKind::SingleUse => (&codes::SINGLE_USE_VARIABLE, problem.help),
                ProblemKind::Syntax
                | ProblemKind::Arity
                | ProblemKind::Unsafe
                | ProblemKind::Cycle
                | ProblemKind::Kind
                | ProblemKind::Size => (&codes::BAD_DATALOG, problem.help),
            };
            Diagnostic::new(code, self.span(&problem.at, sources), problem.message).help(help)
        };
        found.into_iter().map(diagnostic).collect()
    }

    /// The place of the derivations: the rules, or the first relation.
    pub(super) fn rules_place(&self) -> Option<Span> {
        let rules = self.rules.as_ref().map(|rules| Span { end: rules.span.start, ..rules.span });
        rules.or_else(|| self.relations.first().map(|relation| relation.span))
    }

    /// The place of a part of the rules. In a YAML block every line has the same indentation, which
    /// the text does not have. For any other style the place is the whole value.
    fn span(&self, at: &lawful_datalog::Place, sources: &Sources) -> Span {
        let Some(node) = &self.rules else { return Span::NONE };
        let Some(text) = node.as_text() else { return node.span };
        let (start, end) = (at.start as usize, at.end as usize);
        let place = |offset: usize| {
            let before = text.get(..offset)?;
            let line = before.matches('\n').count();
            let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
            let wanted = text.lines().nth(line).unwrap_or_default();
            let file = sources.file(node.span.file)?;
            let (_, header) = file.line_at(node.span.start);
            let block = header.trim_end().ends_with(['|', '-', '+']) && header.contains('|');
            let written = file.text().get(node.span.start as usize..)?;
            let skipped = if block && sources.slice(node.span).trim_start().starts_with('|') {
                written.find('\n')? + 1
            } else if written.starts_with(text.lines().next()?.trim_start()) {
                0
            } else {
                return None;
            };
            let mut from = node.span.start as usize + skipped;
            for _ in 0..line {
                from += file.text().get(from..)?.find('\n')? + 1;
            }
            let here = file.text().get(from..)?.lines().next().unwrap_or_default();
            let indent = here.len().checked_sub(wanted.len())?;
            (here.get(indent..)? == wanted).then_some(from + indent + column)
        };
        match (place(start), place(end)) {
            (Some(start), Some(end)) => Span::new(node.span.file, start, end),
            (_, _) => node.span,
        }
    }
}

/// What a predicate requires of a relation, whose columns may be unknown.
pub(super) fn wanted(
    rule: &Node,
    value: Option<&Entry>,
    columns: Option<usize>,
    problems: &mut Vec<Diagnostic>,
) -> Result<(Operator, Wanted), Box<Diagnostic>> {
    let problem = |span: Span, message: String, help: &str| {
        Box::new(Diagnostic::new(&codes::BAD_PREDICATE, span, message).help(help))
    };
    let written = rule.as_text().unwrap_or_default();
    let operator = Operator::find(written).filter(|operator| RULES.contains(&operator.name()));
    let Some(operator) = operator else {
        let shown = rule.as_text().map_or_else(|| rule.describe(), str::to_owned);
        let message = format!("the rule `{}` does not apply to a relation", escape::name(&shown));
        let help = did_you_mean("rule", written, RULES);
        return Err(problem(rule.span, message, &help));
    };
    let given = value.filter(|entry| !entry.value.is_null());
    let name = operator.name();
    if matches!(operator, Operator::Exists | Operator::NotExists) {
        if let Some(entry) = given {
            let span = entry.key_span.to(entry.value.span);
            let message = format!("`{name}` takes no `value`");
            if matches!(entry.value.kind, Kind::Bool(false)) {
                let other = if operator == Operator::Exists { "not_exists" } else { "exists" };
                return Err(problem(span, message, &format!("write `{other}` without `value`")));
            }
            problems.push(Diagnostic::new(&NEEDLESS_VALUE, span, message).help("remove `value`"));
        }
        let wanted = if operator == Operator::Exists { Wanted::Some } else { Wanted::None };
        return Ok((operator, wanted));
    }
    let Some(entry) = given else {
        return Err(problem(rule.span, format!("`{name}` needs a `value`"), "add `value: …`"));
    };
    let (node, value) = (&entry.value, Value::from_node(&entry.value));
    if operator == Operator::Contains {
        let fits = |item: &Value| match item {
            Value::Text(_) | Value::Bool(_) => true,
            Value::Number(number) => number.as_i64().is_some(),
            Value::Null | Value::List(_) | Value::Map(_) => false,
        };
        return match value {
            Value::List(tuple)
                if columns.is_none_or(|columns| tuple.len() == columns)
                    && tuple.iter().all(fits) =>
            {
                Ok((operator, Wanted::Tuple(tuple)))
            }
            Value::List(_)
            | Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Text(_)
            | Value::Map(_) => {
                let tuple = match columns {
                    Some(columns) => format!("a tuple of {columns}"),
                    None => "a tuple".to_owned(),
                };
                let message =
                    format!("`contains` compares with {tuple}, and this is {}", node.describe());
                let help = "write a list with one string, whole number or boolean for each column";
                Err(problem(node.span, message, help))
            }
        };
    }
    let count = if let Value::Number(number) = &value { number.as_count() } else { None };
    let Some(count) = count else {
        let message = format!(
            "`{name}` compares with a whole number of at least 0, and this is {}",
            node.describe()
        );
        return Err(problem(node.span, message, "write a whole number"));
    };
    // No relation has more facts.
    let count = i64::try_from(count).unwrap_or(i64::MAX).min(i64::from(i32::MAX));
    let wanted = if operator == Operator::MinLength {
        Wanted::AtLeast(count)
    } else {
        Wanted::AtMost(count)
    };
    Ok((operator, wanted))
}
