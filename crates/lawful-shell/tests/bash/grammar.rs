//! Random lines that run only the stubs `p1` to `p9`, builtins of bash and a few wrappers.

/// A small generator of random numbers, so that a case is known by its number.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap_or_default()
    }

    pub(crate) fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// Writes lines.
pub(crate) struct Grammar<'a> {
    pub(crate) random: &'a mut Random,
    /// Functions and loops, which a mutation could make endless.
    pub(crate) repeats: bool,
    /// The folder of the stubs.
    pub(crate) bin: &'a str,
    functions: usize,
    documents: usize,
}

impl<'a> Grammar<'a> {
    pub(crate) fn new(random: &'a mut Random, repeats: bool, bin: &'a str) -> Self {
        Self { random, repeats, bin, functions: 0, documents: 0 }
    }

    pub(crate) fn line(&mut self) -> String {
        self.list(3)
    }

    fn list(&mut self, depth: usize) -> String {
        let mut list = self.command(depth);
        for _ in 0..self.random.below(3) {
            // A here-document ends with a line of its own.
            let separator = if list.contains("<<E") {
                "\n"
            } else {
                self.random.pick(&[
                    " && ", " || ", "; ", "\n", " | ", " & ", " |& ", " ;\n", " &&\n", " # p9\n",
                ])
            };
            list.push_str(separator);
            list.push_str(&self.command(depth));
        }
        list
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple(0);
        }
        let inner = depth - 1;
        match self.random.below(if self.repeats { 22 } else { 19 }) {
            0 => format!("{{ {}\n}}", self.list(inner)),
            1 => format!("( {}\n)", self.list(inner)),
            2 => format!(
                "if {}\nthen {}\nelse {}\nfi",
                self.list(inner),
                self.list(inner),
                self.list(inner)
            ),
            3 => format!(
                "case {} in a|b) {}\n;; (*) {}\nesac",
                self.word(inner),
                self.list(inner),
                self.list(inner)
            ),
            4 => format!("[[ -n {} && {} == a* ]]", self.word(inner), self.word(inner)),
            5 => format!("! {}", self.simple(inner)),
            6 => format!("x={} y=({} {})", self.word(inner), self.word(inner), self.word(inner)),
            7 => {
                let shell = self.random.pick(&[
                    "sh -c",
                    "bash -c",
                    "bash -ec",
                    "bash -o pipefail -c",
                    "env bash -c",
                    "command sh -c",
                    "eval",
                ]);
                format!("{shell} {}", quote(&self.list(inner)))
            }
            8 => {
                self.documents += 1;
                let (end, body) = (self.documents, self.list(inner));
                let shell = self.random.pick(&["bash", "sh", "bash -s a", "env bash"]);
                format!("{shell} <<'E{end}'\n{body}\nE{end}\n")
            }
            9 => {
                self.documents += 1;
                let (end, word) = (self.documents, self.word(inner));
                let dash = self.random.pick(&["", "-"]);
                format!("{} <<{dash}E{end}\na {word} `p3`\nE{end}\n", self.simple(inner))
            }
            10 => format!(
                "{} <<< {}",
                self.random.pick(&["p1", "bash", "xargs p2"]),
                self.word(inner)
            ),
            11 => format!("trap {} EXIT", quote(&self.simple(inner))),
            12 => format!("coproc {}", self.simple(inner)),
            13 => format!("time {}", self.simple(inner)),
            14 => format!(
                "printf 'a b\\n' | xargs {}",
                self.random.pick(&[
                    "p1",
                    "-n1 p2 x",
                    "-I{} p3 {} y",
                    "env p4",
                    "-I% sh -c 'p5 %'",
                    "-n 1 -P 2 p6"
                ])
            ),
            // Always opaque, so rarer than the rest.
            15 | 16 if self.random.below(4) > 0 => self.simple(inner),
            15 => format!(
                "p5 | {}",
                self.random.pick(&[
                    "sh",
                    "bash",
                    "bash -s",
                    "{ bash; }",
                    "xargs env",
                    "xargs p1",
                    "(sh)"
                ])
            ),
            16 => format!(
                "{} {}",
                self.random.pick(&["$(p5)", "`p5`", "${x:-p1}", "$x p2"]),
                self.word(inner)
            ),
            17 => format!("declare z={} 'w'={}", self.word(inner), self.word(inner)),
            18 => format!(
                "{} > {} 2>&1",
                self.simple(inner),
                self.random.pick(&["out", "\"o$(p2)\"", ">(p3 a)", "'o o'"])
            ),
            19 => {
                self.functions += 1;
                let name = format!("f{}", self.functions);
                let head =
                    self.random.pick(&["NAME()", "function NAME", "function NAME ()", "NAME ( )"]);
                format!(
                    "{} {{ {}\n}}; {name} {}",
                    head.replace("NAME", &name),
                    self.list(inner),
                    self.word(inner)
                )
            }
            20 => format!(
                "for i in {} {}; do {}\ndone",
                self.word(inner),
                self.word(inner),
                self.list(inner)
            ),
            _ => format!("for ((i = 0; i < 1; i++)); do {}\ndone", self.list(inner)),
        }
    }

    fn simple(&mut self, depth: usize) -> String {
        let mut simple = String::new();
        if self.random.below(6) == 0 {
            simple.push_str(&format!("A={} ", self.word(depth)));
        }
        if self.random.below(5) == 0 {
            simple.push_str(self.random.pick(&[
                "env ",
                "env -i PATH=\"$PATH\" B=1 ",
                "command ",
                "nice -n 1 ",
                "timeout 5 ",
                "env -u A -- ",
                "command -p -- command ",
            ]));
        }
        simple.push_str(&self.program());
        for _ in 0..self.random.below(3) {
            simple.push_str(self.random.pick(&[" ", "  ", " \\\n ", "\t"]));
            simple.push_str(&self.word(depth));
        }
        simple
    }

    fn program(&mut self) -> String {
        let number = self.random.below(9) + 1;
        match self.random.below(16) {
            0 => format!("p\"{number}\""),
            1 => format!("\\p{number}"),
            2 => format!("'p'{number}"),
            3 => format!("$'\\x70'{number}"),
            4 => format!("$'p\\06{number}'"),
            5 => format!("p\\\n{number}"),
            6 => format!("{{p{number},a,b}}"),
            7 => format!("{}/p{number}", self.bin),
            8 => format!("$\"p{number}\""),
            9 => format!("p''{number}"),
            _ => format!("p{number}"),
        }
    }

    fn word(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self
                .random
                .pick(&[
                    "a",
                    "'b c'",
                    "\"d\"",
                    "e\\ f",
                    "'#'",
                    "g#h",
                    "$'\\n'",
                    "\"\\$(p9)\"",
                    "'$(p9)'",
                    "{x,y}",
                    "~",
                    "$x",
                    "\"$x\"",
                    "\"\\\"\"",
                    "''",
                    "a=b",
                    "\")\"",
                    "${x#)}",
                    "'`p9`'",
                ])
                .to_owned();
        }
        let inner = depth - 1;
        match self.random.below(18) {
            0 => format!("$({})", self.closed(inner)),
            1 => format!("\"$({})\"", self.closed(inner)),
            2 => format!("\"a $({}) b\"", self.closed(inner)),
            3 => format!("`{}`", escape_backquotes(&self.closed(inner))),
            4 => format!("${{x:-$({})}}", self.closed(inner)),
            5 => format!("\"${{x:-$({})}}\"", self.closed(inner)),
            6 => format!("$((1 + 0$({} >o)))", self.simple(inner)),
            7 => format!("<({})", self.closed(inner)),
            8 => format!(
                "${{x:-{}}}",
                self.random.pick(&["'}'", "\"}\"", "\\}", "a b", "`p4`", "\"$(p4)\""])
            ),
            9 => format!("a{{{},c}}", self.random.pick(&["b", "$(p7)", "'x'"])),
            10 => format!("${{y[$({} >o)0]}}", self.simple(inner)),
            11 => format!("$( ({})\n)", self.closed(inner)),
            12 => format!("$((({})) )", self.random.pick(&["p8", "p8; p7", "1"])),
            13 => format!("\"${{x:+'a'}}$({})\"", self.closed(inner)),
            _ => self.word(0),
        }
    }

    /// A list that may stand in front of a closing parenthesis.
    fn closed(&mut self, depth: usize) -> String {
        let list = self.list(depth);
        if list.contains('#') || list.contains("<<") { format!("{list}\n") } else { list }
    }
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn escape_backquotes(text: &str) -> String {
    text.replace('\\', "\\\\").replace('`', "\\`").replace('$', "\\$")
}

/// Inserts, removes and doubles characters that mean something to the shell. Letters stay, so no
/// other program is named.
pub(crate) fn mutated(line: &str, random: &mut Random) -> String {
    const SIGNS: [&str; 24] = [
        "'", "\"", "\\", "$", "(", ")", "{", "}", ";", "&", "|", "<", ">", "#", "`", " ", "\n",
        "!", "=", "[", "]", "*", ",", "\r",
    ];
    let mut characters: Vec<char> = line.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(characters.len() + 1);
        match random.below(3) {
            0 => {
                let sign = random.pick(&SIGNS);
                characters.splice(at..at, sign.chars());
            }
            1 if at < characters.len()
                && !characters[at].is_ascii_alphanumeric()
                && characters[at] != '/' =>
            {
                characters.remove(at);
            }
            _ => {
                let sign = random.pick(&SIGNS);
                if at < characters.len()
                    && !characters[at].is_ascii_alphanumeric()
                    && characters[at] != '/'
                {
                    characters.splice(at..=at, sign.chars());
                }
            }
        }
    }
    characters.into_iter().collect()
}
