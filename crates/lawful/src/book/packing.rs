//! Bytes that hold other bytes, each behind its length.

/// Appends bytes behind their length.
pub(crate) fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// Takes what [`put`] appended from the front.
pub(crate) fn take<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (length, after) = rest.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (bytes, after) = after.split_at_checked(length)?;
    *rest = after;
    Some(bytes)
}

/// Takes a text from the front.
pub(crate) fn take_text<'b>(rest: &mut &'b [u8]) -> Option<&'b str> {
    std::str::from_utf8(take(rest)?).ok()
}

/// Takes one byte from the front.
pub(crate) fn take_byte(rest: &mut &[u8]) -> Option<u8> {
    let (byte, after) = rest.split_first()?;
    *rest = after;
    Some(*byte)
}
