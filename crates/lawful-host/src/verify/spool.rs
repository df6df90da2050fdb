//! Text that is kept until the end of a run: in memory while it is short, in a temporary file
//! without a name after that.

use std::cell::RefCell;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write};

use lawful::Value;
use lawful::syntax::Limits;
use lawful::syntax::render::push_json_line;
use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use tempfile::SpooledTempFile;

/// The number of bytes that are kept in memory.
const IN_MEMORY: usize = 1024 * 1024;

/// Text, in the order in which it is written.
#[derive(Debug)]
pub struct Spool {
    file: SpooledTempFile,
    /// The last two bytes.
    end: [u8; 2],
    /// The first error; nothing is written after it.
    broken: Option<io::Error>,
}

impl Default for Spool {
    fn default() -> Self {
        Self { file: SpooledTempFile::new(IN_MEMORY), end: [0; 2], broken: None }
    }
}

impl Spool {
    /// Appends text. An error is returned by [`Spool::copy_to`].
    pub fn push(&mut self, text: &[u8]) {
        for byte in text.iter().rev().take(2).rev() {
            self.end = [self.end[1], *byte];
        }
        if self.broken.is_none() {
            self.broken = self.file.write_all(text).err();
        }
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.end == [0; 2]
    }

    /// Whether it ends with an empty line.
    pub fn ends_with_empty_line(&self) -> bool {
        self.end == *b"\n\n"
    }

    /// Copies everything to a writer.
    pub fn copy_to(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.rewind()?;
        io::copy(&mut self.file, out).map(|_| ())
    }

    fn rewind(&mut self) -> io::Result<()> {
        match self.broken.take() {
            Some(error) => Err(error),
            None => self.file.seek(SeekFrom::Start(0)).map(|_| ()),
        }
    }
}

/// A list of values, kept as lines of JSON. It serialises as the list.
#[derive(Debug, Default)]
pub struct SpooledList(RefCell<Spool>);

impl SpooledList {
    /// Appends a value.
    pub fn push(&self, value: &impl Serialize) {
        let mut line = Vec::new();
        let written = push_json_line(value, &mut line);
        let mut spool = self.0.borrow_mut();
        match written {
            Ok(()) => spool.push(&line),
            Err(error) => spool.broken = Some(io::Error::other(error)),
        }
    }

    /// Whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }
}

impl Serialize for SpooledList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Our own lines, which may nest a value of an envelope a few levels deeper.
        let limits = Limits { depth: 4 * Limits::default().depth, ..Limits::default() };
        let mut spool = self.0.borrow_mut();
        spool.rewind().map_err(S::Error::custom)?;
        let mut list = serializer.serialize_seq(None)?;
        let mut reader = BufReader::new(&mut spool.file);
        let mut line = String::new();
        while reader.read_line(&mut line).map_err(S::Error::custom)? > 0 {
            let value = Value::from_json(&line, &limits);
            let value = value.ok_or_else(|| S::Error::custom("a result cannot be read again"))?;
            list.serialize_element(&value)?;
            line.clear();
        }
        list.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_in_memory_comes_back_in_order() {
        let list = SpooledList::default();
        let text = "x".repeat(1000);
        for number in 0..3000 {
            list.push(&serde_json::json!({ "number": number, "text": text, "a": [null, 1.5] }));
        }
        assert!(list.0.borrow().file.is_rolled());
        let back = serde_json::to_value(&list).unwrap();
        let numbers: Vec<u64> =
            back.as_array().unwrap().iter().filter_map(|one| one["number"].as_u64()).collect();
        assert_eq!(numbers, (0..3000).collect::<Vec<u64>>());
        assert_eq!(back[2999]["a"], serde_json::json!([null, 1.5]));
    }
}
