//! Which role reaches which harness.

use crate::Strength;

/// Whether the prompt of a role reaches a harness, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleDelivery {
    /// The harness.
    pub harness: String,
    /// The role.
    pub role: String,
    /// Whether it is delivered.
    pub state: Delivered,
    /// The file or the setting, as shown to the user, and how it reaches the model.
    pub surface: Option<(String, Strength)>,
}

/// Whether the prompt of a role is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivered {
    /// The harness reads it.
    Active,
    /// It is written, but a setting of the harness must enable it.
    Inactive,
    /// The harness has no surface for it.
    NoSurface,
    /// It was not requested.
    Unselected,
}

impl Delivered {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "delivered",
            Self::Inactive => "inactive",
            Self::NoSurface => "undelivered",
            Self::Unselected => "unselected",
        }
    }
}
