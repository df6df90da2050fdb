//! Trust: the lawbook that judges is the one that a person trusted.
//!
//! `lawful trust` registers a lawbook for a project, and stores a copy of it in the state folder of
//! the user. Hooks judge by that copy, so an edit of the folder has no effect until a person accepts
//! it. The registration is found from the folder in which the agent works, wherever the lawbook is.
//!
//! **Invariant:** without trusted content nothing of a lawbook is obeyed: no command and no Nickel
//! runs, and no setting of it applies.

mod fingerprint;
mod inventory;
mod law;
mod location;
mod notice;
mod pin;
mod registry;
mod review;
mod seen;
mod trees;
mod unprotected;
mod vault;
mod view;

pub use fingerprint::Fingerprint;
pub use inventory::PartKind;
pub use law::{Law, Trusted};
pub(crate) use notice::untrusted;
pub use review::{ChangeKind, FileChange, PartChange, Review, Standing, TrustView};
pub use view::LawView;
