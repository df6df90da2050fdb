//! The fences of `spec/guard`: guards, one event after the other, and the decision on each.

use lawful::book::{MemorySource, Options, load};
use lawful::cond::{Args, Inputs, Primitive, Registry};
use lawful::guard::Guards;
use lawful::live::{Action, Event, Host, LexicalPlaces, Moment, Target, ToolUse};
use lawful::react::{Input, Session};
use lawful::syntax::{Diagnostic, sort};
use lawful::view::GuardDecision;
use lawful::{Lawbook, Value};

use crate::page::Block;
use crate::problems::list;
use crate::read::{messages, node, value};
use crate::runner::Surface;

#[derive(Default)]
pub(crate) struct Guarding {
    /// Files of the book, by path.
    files: Vec<(String, String)>,
    /// Whether an event or expectation stood since the last document of guards.
    used: bool,
    session: Session,
    host: Host,
    event: Option<Event>,
    refused: String,
}

/// Where the agent works, and its home.
const PROJECT: &str = "/srv/shop";
const HOME: &str = "/users/ada";

impl Surface for Guarding {
    fn input(&mut self, block: &Block) -> Result<bool, String> {
        let content = block.text.clone();
        match block.kind.as_str() {
            "guards" => {
                if std::mem::take(&mut self.used) {
                    self.files.retain(|(path, _)| !path.starts_with("guards/"));
                    self.event = None;
                }
                let number = self.files.iter().filter(|(path, _)| path.starts_with("guards/"));
                let path = format!("guards/{}.yaml", number.count() + 1);
                self.files.push((path, content));
            }
            "manifest" => self.put("lawful.yaml", content),
            "conditions" => self.put("conditions/saved.yaml", content),
            "rules" => self.put("rules/1.yaml", content),
            "state" => {
                self.session = Session::from_value(&value(&content)).map_err(|e| e.to_string())?;
            }
            "host" => self.host = host(&value(&content)),
            "shell" => {
                let command = content.trim_end_matches('\n');
                self.see(&Moment::ToolCall(ToolUse {
                    action: Action::Shell,
                    tool: "Bash".into(),
                    agent: "main".into(),
                    input: Value::Null,
                    target: Target::Shell { command: command.into(), folder: None },
                }));
            }
            "moment" => {
                let (moment, problems) = Moment::decode(&node(&content));
                self.refused = messages(&problems);
                self.event = None;
                if let Some(moment) = moment {
                    self.see(&moment);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn output(&mut self, block: &Block) -> Option<Result<String, String>> {
        self.used = true;
        let law = self.law();
        let decided = || -> Result<GuardDecision, String> {
            let event = self.event.as_ref().ok_or("there is no event")?;
            let lawbook = &law.0;
            let plain = lawbook.guard(event, &self.session, &self.host);
            let explained = lawbook.guard_explained(event, &self.session, &self.host);
            match (plain, explained) {
                (Ok(plain), Ok(explained)) => {
                    assert_eq!(plain.decision, explained.decision, "explaining changes nothing");
                    assert_eq!(plain.reason, explained.reason);
                    Ok(explained)
                }
                (Err(error), _) => Err(format!("undecided: {error}")),
                (Ok(_), Err(error)) => panic!("{error}"),
            }
        };
        Some(match block.kind.as_str() {
            "diagnostics" => Ok(list(&law.1, &law.0.book().sources)),
            "lints" => Ok(list(&lawful::check(law.0.book()), &law.0.book().sources)),
            "refused" => Ok(self.refused.clone()),
            "decision" => Ok(decided().map_or_else(|why| why, |decided| decision(&decided))),
            "event" => decided().map(|decided| pretty(&decided.event)),
            "things" => {
                let event = self.event.as_ref().ok_or_else(|| "there is no event".to_owned());
                event.map(|event| event.things().collect::<Vec<_>>().join("\n"))
            }
            "why" => decided().map(|decided| why(&decided)),
            "raised" => decided().map(|decided| {
                let events = decided.events().iter();
                events.map(|event| format!("{}\n", event.body())).collect()
            }),
            "reports" => decided().map(|decided| {
                let (problems, sources) = decided.diagnostics.into_parts();
                list(&problems, &sources)
            }),
            "json" => decided().map(|mut decided| {
                decided.guards = None;
                let mut json = serde_json::to_value(&decided).expect("it serialises");
                json["law"] = "sha256:…".into();
                serde_json::to_string_pretty(&json).expect("it serialises")
            }),
            "fired" => decided().map(|decided| {
                let input = Input::from_value(&decided.input()).expect("it is an input");
                let step = law.0.step(law.0.start(), &input);
                let fired = step.trace.fired.iter();
                fired.map(|firing| format!("{}\n", firing.rule)).collect()
            }),
            _ => return None,
        })
    }
}

impl Guarding {
    fn put(&mut self, path: &str, content: String) {
        self.files.retain(|(known, _)| known != path);
        self.files.push((path.to_owned(), content));
    }

    fn see(&mut self, moment: &Moment) {
        let places = LexicalPlaces::new(PROJECT).with_home(HOME);
        self.event = Some(Event::read(moment, &places));
    }

    /// The lawbook, and every problem of its documents.
    fn law(&self) -> (Lawbook, Vec<Diagnostic>) {
        let mut source = MemorySource::new();
        if !self.files.iter().any(|(path, _)| path == "lawful.yaml") {
            source = source.with("lawful.yaml", "name: spec\n");
        }
        for (path, content) in &self.files {
            source = source.with(path, content.clone());
        }
        let mut registry = Registry::builder();
        let fails = |_: &Args| Ok(|_: &Inputs<'_>| Err("the service is down".to_owned()));
        registry.primitive(Primitive::new("host.fails", fails)).unwrap();
        let options = Options { registry, ..Options::default() };
        let (book, of_load) = load(&source, options).unwrap();
        let (_, found) = Guards::decode(&book);
        let mut problems = of_load.clone();
        problems.extend(found);
        sort(&mut problems, &book.sources);
        (Lawbook::new(book, of_load), problems)
    }
}

fn host(value: &Value) -> Host {
    let text = |key: &str| value.get(key).and_then(Value::as_text).map(Into::into);
    let texts = |key: &str| match value.get(key) {
        Some(Value::List(items)) => {
            items.iter().filter_map(Value::as_text).map(Into::into).collect()
        }
        _ => Vec::new(),
    };
    Host {
        settings: texts("settings"),
        state: texts("state"),
        book: text("book"),
        project: Some(PROJECT.into()),
        home: Some(HOME.into()),
        law: Some("sha256:spec".into()),
    }
}

/// `deny (a, b)`, and the reasons below.
fn decision(decided: &GuardDecision) -> String {
    let by = decided.by.join(", ");
    let by = if by.is_empty() { String::new() } else { format!(" ({by})") };
    let reason = decided.reason.as_ref().map(|reason| format!("\n{reason}")).unwrap_or_default();
    format!("{}{by}{reason}", decided.decision)
}

fn why(decided: &GuardDecision) -> String {
    let mut out = String::new();
    for row in decided.guards.as_deref().unwrap_or_default() {
        let result = serde_json::to_value(row.result).expect("it serialises");
        let thing = row.thing.as_ref().map(|thing| format!(" `{thing}`")).unwrap_or_default();
        let result = result.as_str().unwrap_or_default();
        out += &format!("{} {}: {result}{thing}: {}\n", row.decision, row.id, row.why);
    }
    out
}

/// An event, one field on a line.
fn pretty(event: &Value) -> String {
    let Value::Map(fields) = event else { return event.to_string() };
    fields.iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
}
