//! The arguments of `lawful schema`.

use clap::Args;

use super::Output;

/// Print the JSON Schema of a document or of an output, or list their names
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful schema                       every name
  lawful schema composition           a document of a lawbook, for an editor
  lawful schema output.compose        what `lawful compose --format json` prints")]
pub(crate) struct Schema {
    /// The document or output
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}
