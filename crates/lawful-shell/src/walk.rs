//! Follows the tree of a line: what runs, where, and with which standard input.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::expand::{self, Arg, ArgKind};
use crate::reading::{Command, Folder, Opaque, Read, Reading, Write};
use crate::syntax::{
    self, Dialect, Limits, Node, Parsed, Part, Redirect, RedirectKind, Separator, Simple, Word,
};
use crate::variables::Variables;
use crate::{MAX_COMMANDS, MAX_LENGTH};
use crate::{assignments, special};

/// Folders beyond this many are not told apart.
const MAX_FOLDERS: usize = 8;

/// How many times a command may hold a line that holds a command.
const MAX_LAYERS: usize = 12;

/// How deep constructs nest within one line.
const MAX_DEPTH: usize = 120;

/// Collects the commands of a line.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the line")]
pub(crate) struct Reader {
    pub(crate) commands: Vec<Command>,
    pub(crate) opaque: Vec<Opaque>,
    /// The aliases that the line defines.
    pub(crate) aliases: BTreeMap<String, String>,
    /// The functions that the line defines, and whether they may change the folder.
    functions: BTreeMap<String, bool>,
    /// `exec < file`: what the shell reads from its standard input is no longer known.
    pub(crate) input_replaced: bool,
    /// What the line assigns.
    pub(crate) variables: Variables,
    /// The line makes a named pipe, so a file may be one.
    pub(crate) makes_pipes: bool,
    /// Text that was read as lines inside commands.
    spent: usize,
    /// Whether the text that is being read may change the folder somewhere.
    enters: bool,
    /// How many words the commands have that unknown programs may run.
    pub(crate) suspect_words: usize,
    /// The text may be no line at all, so nothing is concluded from what it might run.
    pub(crate) guessing: bool,
    /// The line sets a variable.
    pub(crate) assigns: bool,
}

/// The surroundings of a command.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) folders: Vec<Folder>,
    pub(crate) input: Input,
    /// How many commands are around this one that run it from a text.
    pub(crate) layer: usize,
    /// What the command before it in a pipeline prints, if that is known.
    pub(crate) piped: Option<Rc<[String]>>,
}

/// The standard input of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// That of the line.
    Inherited,
    /// A file or the null device, as a script in a file is.
    File,
    /// A here-document or here-string without expansions.
    Text(Rc<str>),
    /// A pipe, a substitution, or a text with expansions.
    Unknown,
}

/// The files of redirections.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) writes: Vec<Write>,
    pub(crate) reads: Vec<Read>,
}

impl Files {
    fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.reads.is_empty()
    }

    /// The redirections as a command without a program.
    fn command(self, folders: Vec<Folder>) -> Command {
        let Self { writes, reads } = self;
        let redirected = writes.len();
        Command { writes, redirected, reads, folders, ..Command::default() }
    }
}

/// The folders after a command, if it succeeds and if it fails.
#[derive(Debug, Clone)]
pub(crate) struct After {
    pub(crate) success: Vec<Folder>,
    pub(crate) failure: Vec<Folder>,
}

impl After {
    pub(crate) fn same(folders: &[Folder]) -> Self {
        Self { success: folders.to_vec(), failure: folders.to_vec() }
    }

    fn either(self) -> Vec<Folder> {
        union(self.success, self.failure)
    }
}

impl Reader {
    pub(crate) fn read_line(&mut self, line: &str) {
        let place =
            Place { folders: vec![Folder::Start], input: Input::Inherited, layer: 0, piped: None };
        self.spent = 0;
        self.text(line, Dialect::Bash, &place);
    }

    pub(crate) fn finish(mut self) -> Reading {
        if self.variables.apply(&mut self.commands).is_err() {
            self.give_up("variables have too many values", "");
        }
        let mut seen = BTreeSet::new();
        self.commands.retain(|command| seen.insert(command.clone()));
        let mut seen = BTreeSet::new();
        self.opaque.retain(|opaque| seen.insert(opaque.clone()));
        Reading { commands: self.commands, opaque: self.opaque, assigns: self.assigns }
    }

    /// Reads a text as a list of commands.
    pub(crate) fn text(&mut self, text: &str, dialect: Dialect, place: &Place) -> After {
        let unchanged = After::same(&place.folders);
        self.spent += text.len();
        if text.len() > MAX_LENGTH || self.spent > 4 * MAX_LENGTH {
            self.give_up("the line is too long", text);
            return unchanged;
        }
        if place.layer > MAX_LAYERS {
            self.give_up("commands are nested too deeply", text);
            return unchanged;
        }
        if text.contains('\0') {
            self.give_up("the line has a zero byte", text);
        }
        let limits = Limits { depth: MAX_DEPTH, steps: text.len() * 8 + 256 };
        let parsed = syntax::parse(text, dialect, limits);
        for (reason, text) in &parsed.notes {
            self.give_up(reason, text);
        }
        let outside = self.enters;
        self.enters |= parsed.simples.iter().any(|simple| self.enters(simple));
        let after = match &parsed.root {
            Ok(root) => self.walk(&parsed, root, place),
            Err(fault) => {
                let from = text.get(fault.at..).unwrap_or_default();
                self.give_up(fault.reason, if from.is_empty() { text } else { from });
                let place = Place {
                    folders: vec![Folder::Unknown],
                    input: Input::Unknown,
                    ..place.clone()
                };
                for simple in &parsed.simples {
                    self.simple(&parsed, simple, &place);
                }
                After::same(&place.folders)
            }
        };
        self.enters = outside;
        after
    }

    /// Notes that something was not understood.
    pub(crate) fn give_up(&mut self, reason: &'static str, text: &str) {
        const LONGEST: usize = 200;
        if self.opaque.len() < MAX_COMMANDS {
            let text = text.chars().take(LONGEST).collect();
            self.opaque.push(Opaque { reason, text });
        }
    }

    fn walk(&mut self, parsed: &Parsed, node: &Node, place: &Place) -> After {
        let unchanged = After::same(&place.folders);
        if self.commands.len() > MAX_COMMANDS {
            return unchanged;
        }
        match node {
            Node::Simple(id) => match parsed.simples.get(id.0) {
                Some(simple) => self.simple(parsed, simple, place),
                None => unchanged,
            },
            Node::Pipeline(commands) => {
                let mut piped = None;
                for (index, command) in commands.iter().enumerate() {
                    let input = if index == 0 { place.input.clone() } else { Input::Unknown };
                    self.walk(parsed, command, &Place { input, piped, ..place.clone() });
                    piped = printed(parsed, command);
                }
                // The last command may run in the shell itself, as in zsh.
                match commands.last() {
                    Some(last) if self.may_enter(parsed, last) => unknown(),
                    Some(_) | None => unchanged,
                }
            }
            Node::Not(node) => {
                let After { success, failure } = self.walk(parsed, node, place);
                After { success: failure, failure: success }
            }
            Node::List(items) => self.list(parsed, items, place),
            Node::Subshell(body, redirects) => {
                let place = self.redirected(parsed, redirects, place);
                self.walk(parsed, body, &place);
                unchanged
            }
            Node::Group(body, redirects) => {
                let place = self.redirected(parsed, redirects, place);
                self.walk(parsed, body, &place)
            }
            Node::If(arms, redirects) => {
                let place = self.redirected(parsed, redirects, place);
                let mut here = place.clone();
                let mut after = Vec::new();
                for (condition, body) in arms {
                    let outcome = self.walk(parsed, condition, &here);
                    let inside = Place { folders: outcome.success, ..here.clone() };
                    after = union(after, self.walk(parsed, body, &inside).either());
                    here.folders = outcome.failure;
                }
                After::same(&union(after, here.folders))
            }
            Node::Loop { name, words, condition, body, redirects } => {
                let mut place = self.redirected(parsed, redirects, place);
                // Only `for` and `select` have no condition.
                self.assigns |= matches!(&**condition, Node::List(items) if items.is_empty());
                self.words(parsed, words, &place);
                if let Some(name) = name {
                    self.assign_each(name, words);
                }
                let start = place.folders.clone();
                if self.may_enter(parsed, condition) || self.may_enter(parsed, body) {
                    // A second round starts where the first one ended.
                    place.folders = union(place.folders, vec![Folder::Unknown]);
                }
                let outcome = self.walk(parsed, condition, &place);
                let inside = Place { folders: outcome.success.clone(), ..place };
                let end = self.walk(parsed, body, &inside).either();
                After::same(&union(union(start, outcome.either()), end))
            }
            Node::Case { words, bodies, redirects } => {
                let place = self.redirected(parsed, redirects, place);
                self.words(parsed, words, &place);
                let mut after = place.folders.clone();
                for body in bodies {
                    // `;&` goes on in the next body.
                    let inside = Place { folders: after.clone(), ..place.clone() };
                    after = union(after, self.walk(parsed, body, &inside).either());
                }
                After::same(&after)
            }
            Node::Test(words, redirects) => {
                let place = self.redirected(parsed, redirects, place);
                for word in words.iter().filter(|word| word.hides_expansion()) {
                    // `[[ 'a[$(b)]' -eq 1 ]]`: a number is arithmetic, and so is its subscript.
                    if word.text().contains('[') {
                        self.give_up("a subscript runs commands", &word.text());
                    }
                }
                self.words(parsed, words, &place);
                unchanged
            }
            Node::Function { name, body } => {
                let enters = self.may_enter(parsed, body);
                self.functions.insert(name.clone(), enters);
                let mut folders = place.folders.clone();
                if self.enters {
                    // It runs where it is called.
                    folders = union(folders, vec![Folder::Unknown]);
                }
                self.walk(parsed, body, &Place { folders, input: Input::Unknown, ..place.clone() });
                unchanged
            }
            Node::Coprocess(body) => {
                self.walk(parsed, body, &Place { input: Input::Unknown, ..place.clone() });
                unchanged
            }
        }
    }

    fn list(&mut self, parsed: &Parsed, items: &[(Node, Separator)], place: &Place) -> After {
        // What holds after the commands so far, for each result of the last one.
        let mut after = After::same(&place.folders);
        let mut before = Separator::Sequence;
        for (command, separator) in items {
            let (folders, skipped) = match before {
                Separator::And => (after.success.clone(), After { success: Vec::new(), ..after }),
                Separator::Or => (after.failure.clone(), After { failure: Vec::new(), ..after }),
                Separator::Sequence | Separator::Background => {
                    (after.either(), After { success: Vec::new(), failure: Vec::new() })
                }
            };
            let inside = Place { folders: folders.clone(), ..place.clone() };
            let outcome = self.walk(parsed, command, &inside);
            after = match separator {
                Separator::Background => After::same(&folders),
                Separator::And | Separator::Or | Separator::Sequence => After {
                    success: union(skipped.success, outcome.success),
                    failure: union(skipped.failure, outcome.failure),
                },
            };
            before = *separator;
        }
        after
    }

    /// Walks the commands that run while words expand.
    fn words(&mut self, parsed: &Parsed, words: &[Word], place: &Place) {
        for script in words.iter().flat_map(Word::scripts) {
            self.walk(parsed, script, place);
        }
    }

    /// The place inside a compound command, after its redirections.
    fn redirected(&mut self, parsed: &Parsed, redirects: &[Redirect], place: &Place) -> Place {
        let (place, files) = self.redirects(parsed, redirects, place);
        if !files.is_empty() {
            self.push(files.command(place.folders.clone()));
        }
        place
    }

    fn redirects(
        &mut self,
        parsed: &Parsed,
        redirects: &[Redirect],
        place: &Place,
    ) -> (Place, Files) {
        let mut place = place.clone();
        let mut files = Files::default();
        for redirect in redirects {
            self.words(parsed, std::slice::from_ref(&redirect.target), &place);
            let is_input = matches!(redirect.descriptor.as_deref(), None | Some("0"));
            let mut input = None;
            match redirect.kind {
                RedirectKind::Write => self.written(&redirect.target, &mut files),
                RedirectKind::ReadWrite => {
                    self.written(&redirect.target, &mut files);
                    self.read(&redirect.target, &mut files);
                    input = Some(Input::File);
                }
                RedirectKind::Read => {
                    self.read(&redirect.target, &mut files);
                    input = Some(match redirect.target.literal() {
                        Some(path) if !path.starts_with("/dev/fd") && path != "/dev/stdin" => {
                            Input::File
                        }
                        Some(_) | None => Input::Unknown,
                    });
                }
                RedirectKind::Duplicate { input: true } => input = Some(Input::Unknown),
                RedirectKind::Duplicate { input: false } => {}
                RedirectKind::HereString => input = Some(text_of(&redirect.target)),
                RedirectKind::HereDocument(index) => {
                    let body = parsed.bodies.get(index).and_then(Option::as_ref);
                    if let Some(body) = body {
                        self.words(parsed, std::slice::from_ref(body), &place);
                    }
                    input = Some(body.map_or(Input::Text(Rc::from("")), text_of));
                }
            }
            if let Some(input) = input
                && is_input
            {
                place.input = input;
            }
        }
        (place, files)
    }

    fn written(&mut self, target: &Word, files: &mut Files) {
        let write = |arg: Arg| Write { known: arg.is_known(), path: arg.text, tree: false };
        let writes = self.targets(target).into_iter().map(write);
        files.writes.extend(writes.filter(|write| !(write.known && is_device(&write.path))));
    }

    fn read(&mut self, target: &Word, files: &mut Files) {
        // A process is among the commands.
        let targets = self.targets(target).into_iter().filter(|arg| arg.kind != ArgKind::Process);
        let reads = targets.map(|arg| Read { known: arg.is_known(), path: arg.text });
        files.reads.extend(reads.filter(|read| !(read.known && is_device(&read.path))));
    }

    fn targets(&mut self, target: &Word) -> Vec<Arg> {
        expand::arguments(target).unwrap_or_else(|()| {
            self.give_up("braces expand to too many words", &target.text());
            Vec::new()
        })
    }

    /// `for name in words`
    fn assign_each(&mut self, name: &str, words: &[Word]) {
        for value in words.iter().flat_map(|word| expand::arguments(word).unwrap_or_default()) {
            self.variables.assign(name, &value.text);
        }
    }

    fn simple(&mut self, parsed: &Parsed, simple: &Simple, place: &Place) -> After {
        self.words(parsed, &simple.words, place);
        for assignment in &simple.assignments {
            self.words(parsed, std::slice::from_ref(&assignment.value), place);
            if assignment.appends {
                self.variables.append(&assignment.name, &assignment.value.text());
            }
            assignments::assignment(self, &assignment.name, &assignment.value, place);
        }
        let (inside, files) = self.redirects(parsed, &simple.redirects, place);
        let mut args: Vec<Arg> = Vec::new();
        for word in &simple.words {
            match expand::arguments(word) {
                Ok(expanded) => args.extend(expanded),
                Err(()) => {
                    self.give_up("braces expand to too many words", &word.text());
                    args.push(Arg { text: word.text(), kind: ArgKind::Expansion });
                }
            }
        }
        if simple.words.len() == 1 && simple.words.iter().all(is_line_end) {
            args.clear();
        }
        if args.is_empty() {
            if !files.is_empty() {
                self.push(files.command(inside.folders.clone()));
            }
            return After::same(&place.folders);
        }
        if args.len() == 1
            && inside.input != place.input
            && args.iter().all(|arg| arg.text == "exec")
        {
            self.input_replaced = true;
        }
        let enters = args.first().and_then(|arg| self.functions.get(&arg.text)).copied();
        if enters.is_some() {
            self.variables.positional(args.get(1..).unwrap_or_default());
        }
        let replaces = args.first().is_some_and(|arg| {
            special::CHANGES_FOLDER.contains(&arg.text.as_str())
                && (enters.is_some() || self.aliases.contains_key(&arg.text))
        });
        let after = self.run(&args, files, &inside);
        if replaces {
            // The line has a `cd` of its own.
            After::same(&union(place.folders.clone(), vec![Folder::Unknown]))
        } else if enters == Some(true) {
            unknown()
        } else {
            after
        }
    }

    pub(crate) fn push(&mut self, mut command: Command) {
        if command.folders.is_empty() {
            command.folders.push(Folder::Unknown);
        }
        command.writes.retain(|write| !(write.known && is_device(&write.path)));
        if self.commands.len() == MAX_COMMANDS {
            self.give_up("the line has too many commands", &command.line());
        }
        if self.commands.len() <= MAX_COMMANDS {
            self.commands.push(command);
        }
    }

    /// Whether a node may change the folder of the shell that runs it.
    fn may_enter(&self, parsed: &Parsed, node: &Node) -> bool {
        match node {
            Node::Simple(id) => parsed.simples.get(id.0).is_some_and(|simple| self.enters(simple)),
            Node::Pipeline(nodes) => nodes.last().is_some_and(|last| self.may_enter(parsed, last)),
            Node::Not(node) | Node::Group(node, _) => self.may_enter(parsed, node),
            Node::List(items) => items.iter().any(|(item, _)| self.may_enter(parsed, item)),
            Node::If(arms, _) => arms.iter().any(|(condition, body)| {
                self.may_enter(parsed, condition) || self.may_enter(parsed, body)
            }),
            Node::Loop { condition, body, .. } => {
                self.may_enter(parsed, condition) || self.may_enter(parsed, body)
            }
            Node::Case { bodies, .. } => bodies.iter().any(|body| self.may_enter(parsed, body)),
            Node::Subshell(..) | Node::Test(..) | Node::Function { .. } | Node::Coprocess(_) => {
                false
            }
        }
    }

    fn enters(&self, simple: &Simple) -> bool {
        simple.words.first().is_some_and(|word| {
            word.literal().is_none_or(|name| {
                special::CHANGES_FOLDER.contains(&name.as_str())
                    || self.functions.get(&name).copied().unwrap_or(false)
            })
        })
    }
}

/// After something of which nothing is known.
pub(crate) fn unknown() -> After {
    After::same(&[Folder::Unknown])
}

/// Whether a word is only the rest of a line end of another system.
fn is_line_end(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Plain(text)] if text.chars().all(|letter| letter == '\r'))
}

/// Devices that are no files: nothing that is written to them stays.
fn is_device(path: &str) -> bool {
    let descriptor = path.strip_prefix("/dev/fd/");
    matches!(path, "/dev/null" | "/dev/stdin" | "/dev/stdout" | "/dev/stderr" | "/dev/tty")
        || descriptor.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// The words that `echo` or `printf` prints, if they are plain.
fn printed(parsed: &Parsed, node: &Node) -> Option<Rc<[String]>> {
    let Node::Simple(id) = node else { return None };
    let (program, rest) = parsed.simples.get(id.0)?.words.split_first()?;
    let program = program.literal()?;
    if !matches!(program.as_str(), "echo" | "printf") {
        return None;
    }
    let texts = rest.iter().map(|word| word.text().replace("\\n", " "));
    let words: Vec<String> = texts
        .flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    Some(words.into())
}

fn text_of(word: &Word) -> Input {
    word.literal().map_or(Input::Unknown, |text| Input::Text(text.into()))
}

pub(crate) fn union(mut left: Vec<Folder>, right: Vec<Folder>) -> Vec<Folder> {
    for folder in right {
        if !left.contains(&folder) {
            left.push(folder);
        }
    }
    if left.len() > MAX_FOLDERS { vec![Folder::Unknown] } else { left }
}
