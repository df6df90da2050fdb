//! Packs the o200k vocabulary: less than a third of its size in the program.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The number of ordinary tokens. Their ranks are consecutive.
const TOKENS: u32 = 199_998;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let vocabulary = tiktoken_rs::o200k_base()?;
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    for rank in 0..TOKENS {
        let token = vocabulary.decode_bytes(&[rank])?;
        packed.write_all(&[u8::try_from(token.len())?])?;
        packed.write_all(&token)?;
    }
    let out = std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    std::fs::write(PathBuf::from(out).join("o200k.deflate"), packed.finish()?)?;
    Ok(())
}
