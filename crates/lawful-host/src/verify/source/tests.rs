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
    MultiGzDecoder::new(Cursor::new(bytes)).read_to_end(&mut out)?;
    Ok(out)
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
