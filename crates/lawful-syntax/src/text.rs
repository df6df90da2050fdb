//! Bytes to text.
//!
//! Only this module drops a byte order mark and turns `\r\n` and `\r` into `\n`; later stages see
//! neither. Lines and columns are the ones that an editor shows.

use crate::{Diagnostic, FileId, Limits, Sources, Span, codes, escape};

/// Adds a file to the table. If the bytes are not UTF-8, keeps the text up to the first invalid
/// byte, so that the diagnostic can point to it.
pub fn add(sources: &mut Sources, name: &str, bytes: &[u8]) -> (FileId, Option<Diagnostic>) {
    let file = sources.reserve();
    (file, put(sources, file, name, bytes))
}

/// Like [`add`], under an existing id.
pub fn put(sources: &mut Sources, file: FileId, name: &str, bytes: &[u8]) -> Option<Diagnostic> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            sources.put_text(file, name.to_owned(), normalise(text));
            None
        }
        Err(error) => {
            let (good, bad) = bytes.split_at(error.valid_up_to());
            let text = normalise(std::str::from_utf8(good).unwrap_or_default());
            let end = text.len();
            sources.put_text(file, name.to_owned(), text);
            let byte = bad.first().copied().unwrap_or_default();
            let message = format!("byte `0x{byte:02x}` is not valid UTF-8");
            let place = Span::new(file, end, end);
            let problem = Diagnostic::new(&codes::INVALID_UTF8, place, message);
            Some(problem.help("save the file as UTF-8"))
        }
    }
}

/// The diagnostic for a file over the size limit. Add the file with [`Sources::add_unread`] first,
/// so that it has a name.
pub fn too_large(file: FileId, limits: &Limits) -> Diagnostic {
    let message = format!("the file is larger than the limit of {}", escape::bytes(limits.bytes));
    Diagnostic::new(&codes::TOO_LARGE, Span::start_of(file), message)
        .help(limits.help_on_bytes("split the file"))
}

fn normalise(text: &str) -> String {
    if !text.contains('\r') {
        return text.to_owned();
    }
    text.replace("\r\n", "\n").replace('\r', "\n")
}
