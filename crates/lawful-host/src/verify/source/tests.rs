use std::io::{Cursor, Write as _};

use flate2::Compression as Level;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::*;

fn zst(text: &[u8]) -> Vec<u8> {
    compress_to_vec(text, CompressionLevel::Fastest)
}

fn gz(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Level::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn unzst(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    Frames::new(Cursor::new(bytes)).read_to_end(&mut out)?;
    Ok(out)
}

fn ungz(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    Members::new(BufReader::new(Cursor::new(bytes))).read_to_end(&mut out)?;
    Ok(out)
}

/// What is read before the error, and the error.
fn salvaged(mut reader: impl Read) -> (Vec<u8>, Option<String>) {
    let mut out = Vec::new();
    let error = reader.read_to_end(&mut out).err();
    (out, error.map(|error| error.to_string()))
}

fn text(lines: usize) -> Vec<u8> {
    (0..lines).flat_map(|line| format!("{{\"facts\": {{\"n\": {line}}}}}\n").into_bytes()).collect()
}

#[test]
fn the_name_says_how_to_read_a_file() {
    for name in ["a.jsonl", "a.NDJSON", "a.jsonl.gz", "a.ndjson.zst", "a.b.jsonl.GZ"] {
        assert!(is_lines(Path::new(name)), "{name}");
    }
    for name in ["a.json", "a.gz", "jsonl", "a.json.gz", "a.jsonl.bz2", "-"] {
        assert!(!is_lines(Path::new(name)), "{name}");
    }
}

#[test]
fn all_parts_of_a_compressed_stream_are_read() {
    let (first, second) = (text(50_000), text(3));
    let whole = [first.clone(), second.clone()].concat();
    assert_eq!(unzst(&[zst(&first), zst(&second)].concat()).unwrap(), whole);
    assert_eq!(ungz(&[gz(&first), gz(&second)].concat()).unwrap(), whole);
    // A frame that decoders must skip.
    let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3][..], &zst(&second)].concat();
    assert_eq!(unzst(&skipped).unwrap(), second);
    assert_eq!(unzst(b"").unwrap(), b"");
}

#[test]
fn a_damaged_stream_is_an_error_wherever_it_is_cut() {
    let (zstd, gzip) = (zst(&text(100)), gz(&text(100)));
    for cut in 1..zstd.len() {
        assert!(unzst(&zstd[..cut]).is_err(), "{cut}");
    }
    for cut in 1..gzip.len() {
        assert!(ungz(&gzip[..cut]).is_err(), "{cut}");
    }
    assert!(unzst(&[zst(&text(1)), b"rubbish".to_vec()].concat()).is_err());
    assert!(ungz(&[gz(&text(1)), b"rubbish".to_vec()].concat()).is_err());
}

#[test]
fn what_was_decoded_before_a_cut_is_read() {
    let whole = text(60_000);
    for (name, bytes) in [("zst", zst(&whole)), ("gz", gz(&whole))] {
        let mut before = 0;
        for tenth in 1..10 {
            let cut = Cursor::new(&bytes[..bytes.len() * tenth / 10]);
            let (out, error) = match name {
                "zst" => salvaged(Frames::new(cut)),
                _ => salvaged(Members::new(BufReader::new(cut))),
            };
            assert!(whole.starts_with(&out), "{name} {tenth}");
            // A block of Zstandard has 128 KiB.
            assert!(out.len() + (160 << 10) > whole.len() * tenth / 10, "{name} {tenth}");
            assert!(out.len() >= before);
            before = out.len();
            assert!(error.unwrap().ends_with("data ends early: the file is cut off"));
        }
    }
}

/// Whatever is wrong, it is an error in words, and never an end that looks like a whole file.
#[test]
fn no_changed_byte_goes_unnoticed() {
    let whole = text(300);
    for (name, bytes) in [("zst", zst(&whole)), ("gz", gz(&whole))] {
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            let (out, error) = match name {
                "zst" => salvaged(Frames::new(Cursor::new(&changed))),
                _ => salvaged(Members::new(BufReader::new(Cursor::new(&changed)))),
            };
            // The header of gzip has a time and a system, which nothing checks.
            assert!(error.is_some() || out == whole, "{name} {at}");
            let odd = |error: String| error.contains(['{', '(']) || error.contains("Error");
            assert!(!error.is_some_and(odd), "{name} {at}");
        }
    }
}

#[test]
fn the_first_bytes_tell_compressed_data_from_text() {
    let kind = |bytes: &[u8]| first_bytes(&mut Cursor::new(bytes)).unwrap();
    assert_eq!(kind(&zst(b"x")), (zst(b"x")[..4].to_vec(), Compression::Zstandard));
    assert_eq!(kind(&gz(b"x")), (gz(b"x")[..2].to_vec(), Compression::Gzip));
    assert_eq!(kind(b"{\"facts\": {}}"), (b"{".to_vec(), Compression::None));
    assert_eq!(kind(b"(\xb5x"), (b"(\xb5x".to_vec(), Compression::None));
    assert_eq!(kind(b""), (Vec::new(), Compression::None));
}
