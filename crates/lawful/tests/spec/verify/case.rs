//! A rulespec, an envelope and what the host saw, read and judged.

use lawful::cond::{Args, Inputs, Primitive, Registry, SavedCondition, decode};
use lawful::syntax::{
    Diagnostic, Format, Node, Sources, Span, escape, parse, parse_sent, render, sort, text,
};
use lawful::verify::{
    Envelope, Facts, Finding, Findings, Judge, Judgement, Record, Rulespec, Verdict, apply,
    compiled_program, evaluation_report, observed, reading_errors,
};
use lawful::view::PredicateView;
use lawful::{Limits, Value};
use lawful_datalog::{Datum, Program};

/// What the agent says.
pub(super) enum Said {
    Envelope(String, Format),
    Facts(String),
    Record(String),
}

pub(super) struct Case {
    sources: Sources,
    limits: Limits,
    problems: Vec<Diagnostic>,
    rulespec: Option<Rulespec>,
    envelope: Option<Envelope>,
    seen: Option<(Value, Node)>,
}

/// Limits that a section sets.
pub(super) fn limits(text: &str) -> Result<Limits, String> {
    let mut limits = Limits::default();
    let Value::Map(given) = crate::read::value(text) else { return Err("no mapping".into()) };
    for (name, value) in given.iter() {
        let Value::Number(number) = value else { return Err("a limit is a number".into()) };
        let number = number.as_count().and_then(|count| usize::try_from(count).ok());
        let number = number.ok_or("a limit is a count")?;
        match name {
            "predicates" => limits.predicates = number,
            "facts" => limits.datalog.facts = number,
            "derivations" => limits.datalog.derivations = number,
            _ => return Err(format!("unknown limit `{name}`")),
        }
    }
    Ok(limits)
}

/// Nothing that a terminal obeys.
pub(super) fn harmless(text: &str) {
    let bad = text.chars().find(|c| *c != '\n' && escape::is_unsafe(*c));
    assert_eq!(bad, None, "an unsafe character in {text:?}");
}

impl Case {
    pub(super) fn new(limits: Limits) -> Self {
        let sources = Sources::default();
        let problems = Vec::new();
        Self { sources, limits, problems, rulespec: None, envelope: None, seen: None }
    }

    fn parse(&mut self, name: &str, source: &str, format: Format) -> Option<Node> {
        let (file, unreadable) = text::add(&mut self.sources, name, source.as_bytes());
        let (node, problems) = parse(&self.sources, file, format, &self.limits.document);
        // What parsed with errors is not decided from.
        let broken = unreadable.is_some() || problems.iter().any(Diagnostic::is_error);
        self.problems.extend(unreadable);
        self.problems.extend(problems);
        node.filter(|_| !broken)
    }

    pub(super) fn rulespec(&mut self, source: &str, saved: Option<&str>) -> Result<(), String> {
        let mut registry = Registry::builder();
        let fails = |_: &Args| Ok(|_: &Inputs<'_>| Err("the service is down".to_owned()));
        registry.primitive(Primitive::new("host.fails", fails)).unwrap();
        if let Some(saved) = saved {
            let node = self.parse("conditions.yaml", saved, Format::Yaml);
            for entry in node.as_ref().and_then(Node::as_map).ok_or("no mapping")? {
                let (tree, problems) = decode(&entry.value);
                self.problems.extend(problems);
                let id_span = entry.key_span;
                let condition = SavedCondition { id: entry.key.clone(), id_span, tree };
                registry.saved(condition).map_err(|problem| problem.message.clone())?;
            }
        }
        if let Some(node) = self.parse("rulespec.yaml", source, Format::Yaml) {
            let registry = registry.build();
            let (rulespec, problems) =
                Rulespec::decode(&node, &self.sources, &registry, &self.limits);
            let failed = problems.iter().any(Diagnostic::is_error);
            assert_eq!(rulespec.is_none(), failed, "a rulespec or an error");
            self.rulespec = rulespec;
            self.problems.extend(problems);
        }
        Ok(())
    }

    pub(super) fn said(&mut self, said: &Said) {
        if let Said::Record(text) = said {
            return self.record(text);
        }
        let decoded = match said {
            Said::Envelope(text, format) => {
                let name = match format {
                    Format::Json => "envelope.json",
                    Format::Yaml => "envelope.yaml",
                };
                self.sent(name, text, *format).map(|node| Envelope::decode(&node))
            }
            Said::Facts(text) => self
                .sent("facts.yaml", text, Format::Yaml)
                .map(|node| Envelope::decode_facts(&node)),
            Said::Record(_) => None,
        };
        match decoded {
            None => {}
            Some(Ok(envelope)) => {
                self.problems.extend(envelope.warnings.iter().cloned());
                self.envelope = Some(envelope);
            }
            Some(Err(problems)) => self.problems.extend(problems),
        }
    }

    /// A record has its own observation.
    fn record(&mut self, text: &str) {
        match self.sent("record.json", text, Format::Json).map(|node| Record::decode(&node)) {
            None => {}
            Some(Ok(record)) => {
                self.problems.extend(record.envelope.warnings.iter().cloned());
                self.envelope = Some(record.envelope);
                self.seen = record.observed.zip(record.observed_node);
            }
            Some(Err(problems)) => self.problems.extend(problems),
        }
    }

    /// What a host or an agent sends is read leniently.
    fn sent(&mut self, name: &str, source: &str, format: Format) -> Option<Node> {
        let (file, unreadable) = text::add(&mut self.sources, name, source.as_bytes());
        let (node, problems) = parse_sent(&self.sources, file, format, &self.limits.document);
        let warnings = problems.iter().filter(|problem| problem.code.name == "lone-surrogate");
        self.problems.extend(warnings.cloned());
        let errors = reading_errors(problems);
        let broken = unreadable.is_some() || !errors.is_empty();
        self.problems.extend(unreadable);
        self.problems.extend(errors);
        node.filter(|_| !broken)
    }

    pub(super) fn observed(&mut self, source: &str) {
        let Some(node) = self.parse("observed.yaml", source, Format::Yaml) else { return };
        match observed(&node) {
            Ok(value) => self.seen = Some((value, node)),
            Err(problem) => self.problems.push(problem),
        }
    }

    pub(super) fn law(&self) -> &Rulespec {
        self.rulespec.as_ref().unwrap()
    }

    fn facts(&self) -> Option<Facts<'_>> {
        let envelope = self.envelope.as_ref()?;
        Some(Facts { said: &envelope.facts, seen: self.seen.as_ref().map(|(value, _)| value) })
    }

    fn looked(&self) -> Option<Findings<'_>> {
        let seen = self.seen.as_ref().map(|(value, node)| (value, Some(node)));
        self.envelope.as_ref().map(|envelope| Findings::new(envelope, seen))
    }

    pub(super) fn findings(&self, judge: &Judge<'_>, explain: bool) -> Vec<Finding> {
        let findings = self.looked().unwrap();
        let finding = |at: usize| findings.finding(judge, at, &self.limits, explain).unwrap();
        (0..self.law().predicates.len()).map(finding).collect()
    }

    pub(super) fn views(&self, judge: &Judge<'_>, explain: bool) -> Vec<PredicateView> {
        let view = |finding: Finding| {
            PredicateView::new(finding, self.law(), &self.sources, &self.sources).unwrap()
        };
        self.findings(judge, explain).into_iter().map(view).collect()
    }

    /// Judges the envelope and looks at the outcome.
    pub(super) fn judged<T>(&self, look: impl FnOnce(&Judge<'_>) -> T) -> Result<T, String> {
        let undecided = || format!("it cannot be judged:\n{}", self.diagnostics());
        let rulespec = self.rulespec.as_ref().ok_or_else(undecided)?;
        let facts = self.facts().ok_or_else(undecided)?;
        let mut judge = Judge::new(rulespec, &self.limits);
        judge
            .judge(facts)
            .map_err(|problem| format!("{}: {}", problem.code.name, problem.message))?;
        Ok(look(&judge))
    }

    /// What must hold of whatever is judged.
    pub(super) fn check(&mut self) {
        let usable = !self.problems.iter().any(Diagnostic::is_error);
        let problem = match (&self.rulespec, self.facts()) {
            (Some(rulespec), Some(facts)) if usable => {
                let mut judge = Judge::new(rulespec, &self.limits);
                match judge.judge(facts) {
                    Ok(judgements) => {
                        let judgements = judgements.to_vec();
                        self.check_program(&judge, &judgements);
                        self.check_hints(&judge, &judgements);
                        let views = self.views(&judge, true);
                        harmless(&render::to_json(&views).unwrap());
                        harmless(&evaluation_report(&judge));
                        None
                    }
                    Err(problem) => Some(*problem),
                }
            }
            (_, _) => None,
        };
        self.problems.extend(problem);
    }

    /// The written program alone gives the same verdicts.
    fn check_program(&self, judge: &Judge<'_>, judgements: &[Judgement]) {
        let written = compiled_program(judge);
        harmless(&written);
        let mut program = Program::default();
        let problems = lawful_datalog::parse(&written, &mut program);
        assert!(problems.is_empty(), "{problems:?}\n{written}");
        let answers = ["pass", "fail", "skipped", "undecided"]
            .map(|name| (name, program.find(name).unwrap()));
        let compiled = program.compile().unwrap();
        let mut run = compiled.start();
        run.run(self.limits.datalog).unwrap();
        let mut found = vec![Vec::new(); judgements.len()];
        for (name, relation) in answers {
            for row in run.rows(relation) {
                let Datum::Number(index) = run.constants.datum(row[0]) else { panic!("a number") };
                found[usize::try_from(index).unwrap()].push(name);
            }
        }
        let expected: Vec<Vec<&str>> = judgements.iter().map(|one| vec![one.name()]).collect();
        assert_eq!(found, expected, "the written program disagrees:\n{written}");
    }

    /// Every hint makes its predicate pass, and only what failed has one.
    fn check_hints(&self, judge: &Judge<'_>, judgements: &[Judgement]) {
        for finding in self.findings(judge, false) {
            let Some(hint) = &finding.hint else { continue };
            assert_eq!(judgements[finding.index], Judgement::Fail, "a hint for what did not fail");
            let facts = self.facts().unwrap();
            let mut changed = facts.said.clone();
            assert!(apply(hint, &mut changed), "the hint does not fit: {hint:?}");
            let mut judge = Judge::new(self.law(), &self.limits);
            let again = judge.judge(Facts { said: &changed, ..facts }).unwrap();
            assert_eq!(again[finding.index], Judgement::Pass, "{hint:?} does not help");
        }
    }

    pub(super) fn verdict(&self, deny_vacuous: bool) -> &'static str {
        if self.problems.iter().any(Diagnostic::is_error) {
            return "undecided";
        }
        let verdict = self.judged(|judge| {
            let facts = self.facts().unwrap();
            if deny_vacuous && !judge.denials(facts).is_empty() {
                Verdict::Fail
            } else {
                Judge::verdict(self.law(), judge.judgements())
            }
        });
        verdict.map_or("undecided", Verdict::name)
    }

    pub(super) fn place(&self, span: Span) -> Option<String> {
        let (file, at) = self.sources.locate(span)?;
        Some(format!("{}:{}:{}", file.name(), at.line, at.column))
    }

    pub(super) fn diagnostics(&self) -> String {
        let mut problems = self.problems.clone();
        sort(&mut problems, &self.sources);
        let mut out = String::new();
        for problem in &problems {
            let place = self.place(problem.span).map_or(String::new(), |place| format!(" {place}"));
            let severity = problem.severity.name();
            // Every renderer escapes what it shows, and so does this one.
            let message = escape::line(&problem.message);
            out += &format!("{severity}[{}]{place}: {message}\n", problem.code.name);
            for label in &problem.labels {
                let place = self.place(label.span).unwrap_or_default();
                out += &format!("  {place}: {}\n", escape::line(&label.message));
            }
            if let Some(help) = &problem.help {
                out += &format!("  help: {}\n", escape::line(help));
            }
        }
        out
    }
}
