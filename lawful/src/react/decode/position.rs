//! `position` and `depth`, wherever they are written.

use lawful_syntax::Diagnostic;

use crate::decode::{Fields, choice, whole};
use crate::insertion::Position;
use crate::react::codes::NEEDLESS_KEY;

/// The place that `position` and `depth` name: `after_char` where nothing is said.
pub(crate) fn position(fields: &Fields<'_>, problems: &mut Vec<Diagnostic>) -> Option<Position> {
    let position = match fields.get("position") {
        None => Some(Position::AfterChar),
        Some(node) => choice(node, "position", &Position::NAMES, problems),
    };
    let Some(node) = fields.get("depth") else { return position };
    let depth = whole(node, "`depth`", 0, problems)?;
    match position? {
        Position::Depth(_) => Some(Position::Depth(u32::try_from(depth).unwrap_or(u32::MAX))),
        other @ (Position::Top | Position::BeforeChar | Position::AfterChar | Position::Bottom) => {
            let message = format!("`depth` does nothing where the position is `{}`", other.name());
            problems.push(
                Diagnostic::new(&NEEDLESS_KEY, node.span, message)
                    .help("write `position: depth`, or remove it"),
            );
            Some(other)
        }
    }
}
