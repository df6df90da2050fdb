//! Scripts of `sed`: whether they run commands, and the files that they write.

/// What a script does apart from editing.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    /// `e`, or the flag `e` of `s`: text becomes a command.
    pub(crate) runs: bool,
    /// The files of `w`, and of the flag `w` of `s`.
    pub(crate) files: Vec<String>,
}

/// Reads a script.
pub(crate) fn read(script: &str) -> Script {
    let mut found = Script::default();
    let mut letters = Letters { rest: script };
    while let Some(letter) = letters.next() {
        match letter {
            // Addresses, blocks and blanks.
            '/' => letters.skip_part('/'),
            '\\' => {
                if let Some(delimiter) = letters.next() {
                    letters.skip_part(delimiter);
                }
            }
            'e' => {
                found.runs = true;
                letters.line();
            }
            'w' | 'W' => found.files.push(letters.line()),
            's' | 'y' => {
                let Some(delimiter) = letters.next() else { break };
                letters.skip_part(delimiter);
                letters.skip_part(delimiter);
                while let Some(flag) = letters.peek().filter(|flag| !";}\n# ".contains(*flag)) {
                    letters.next();
                    if flag == 'w' && letter == 's' {
                        found.files.push(letters.line());
                    }
                    found.runs |= flag == 'e' && letter == 's';
                }
            }
            'a' | 'i' | 'c' | 'r' | 'R' | '#' => drop(letters.line()),
            'b' | 't' | 'T' | ':' => {
                while letters.peek().is_some_and(|letter| !";}\n".contains(letter)) {
                    letters.next();
                }
            }
            _ => {}
        }
    }
    found
}

struct Letters<'s> {
    rest: &'s str,
}

impl Letters<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.rest = self.rest.get(letter.len_utf8()..).unwrap_or_default();
        Some(letter)
    }

    /// Up to a delimiter that no backslash hides.
    fn skip_part(&mut self, delimiter: char) {
        while let Some(letter) = self.next() {
            if letter == '\\' {
                self.next();
            } else if letter == delimiter {
                return;
            }
        }
    }

    /// The rest of the line.
    fn line(&mut self) -> String {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        let line = line.trim().to_owned();
        self.rest = rest;
        line
    }
}
