//! The lawbook that judges, in its JSON form.

use serde::Serialize;

use super::fingerprint::Fingerprint;
use super::law::{Law, in_folder};

/// `{"book", "fingerprint"?, "trusted"}`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LawView {
    /// The folder of the lawbook.
    pub book: String,
    /// The fingerprint of what judges; of the folder if nobody trusted it. Absent if the folder
    /// cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Whether a person trusted it.
    pub trusted: bool,
}

impl Law {
    /// The JSON form; `None` if no lawbook judges.
    pub(crate) fn view(&self) -> Option<LawView> {
        match self {
            Self::Trusted(law) => Some(LawView {
                book: law.book.display().to_string(),
                fingerprint: Some(law.fingerprint.to_string()),
                trusted: true,
            }),
            Self::Untrusted { book, .. } => {
                let content = in_folder(book).ok();
                Some(LawView {
                    book: book.display().to_string(),
                    fingerprint: content.map(|content| Fingerprint::of(&content).to_string()),
                    trusted: false,
                })
            }
            Self::Unknown { .. } | Self::None => None,
        }
    }
}
