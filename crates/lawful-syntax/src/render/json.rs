//! JSON output: the public form of a diagnostic, and a writer whose strings are safe to print.

use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

use crate::{Diagnostic, Sources, escape};

/// A diagnostic in every `--format json` output. Without a place, there is no file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DiagnosticView {
    /// The stable code.
    pub code: &'static str,
    /// `error` or `warning`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["error", "warning"])))]
    pub severity: &'static str,
    /// The file, as the user named it.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    /// The message.
    pub message: String,
    /// Further notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The help.
    pub help: Option<String>,
    /// Secondary places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<LabelView>,
}

/// A secondary place of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LabelView {
    /// The file, as the user named it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The label.
    pub message: String,
}

/// The public form of a diagnostic.
pub fn view(diagnostic: &Diagnostic, sources: &Sources) -> DiagnosticView {
    let place = sources.locate(diagnostic.span);
    let labels = diagnostic.labels.iter().filter_map(|label| {
        let (file, position) = sources.locate(label.span)?;
        Some(LabelView {
            file: file.name().to_owned(),
            line: position.line,
            column: position.column,
            message: label.message.clone(),
        })
    });
    DiagnosticView {
        code: diagnostic.code.name,
        severity: diagnostic.severity.name(),
        file: place.map(|(file, _)| file.name().to_owned()),
        line: place.map(|(_, position)| position.line),
        column: place.map(|(_, position)| position.column),
        message: diagnostic.message.clone(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
        labels: labels.collect(),
    }
}

/// Writes a value as indented JSON, with every unsafe character as a `\u` escape: the same value
/// for a program, and harmless on a terminal.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String, serde_json::Error> {
    let mut out = Vec::new();
    write_json(value, &mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Writes the same to a writer, for values that are too large to keep as text.
pub fn write_json<T: Serialize + ?Sized>(
    value: &T,
    out: &mut dyn io::Write,
) -> Result<(), serde_json::Error> {
    let formatter = Safe(PrettyFormatter::new());
    value.serialize(&mut serde_json::Serializer::with_formatter(out, formatter))
}

/// Appends a value as one line of JSON, as safe to print, and ends the line.
pub fn push_json_line<T: Serialize + ?Sized>(
    value: &T,
    out: &mut Vec<u8>,
) -> Result<(), serde_json::Error> {
    value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut *out,
        Safe(CompactFormatter),
    ))?;
    out.push(b'\n');
    Ok(())
}

struct Safe<F>(F);

impl<F: Formatter> Formatter for Safe<F> {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if !fragment.contains(escape::is_unsafe) {
            return writer.write_all(fragment.as_bytes());
        }
        for c in fragment.chars() {
            if escape::is_unsafe(c) {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            } else {
                writer.write_all(c.encode_utf8(&mut [0; 4]).as_bytes())?;
            }
        }
        Ok(())
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}
