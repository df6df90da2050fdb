//! `position` and `depth`, wherever they are written.

use lawful_syntax::Diagnostic;

use crate::code;
use crate::decode::{Fields, choice, whole};
use crate::insertion::Position;
use crate::react::codes::NEEDLESS_KEY;

/// The position of `position` and `depth`; the default is `after_char`.
pub(crate) fn position(fields: &Fields<'_>, problems: &mut Vec<Diagnostic>) -> Option<Position> {
    let position = match fields.get("position") {
        None => Some(Position::AfterChar),
        Some(node) => choice(node, "position", &Position::NAMES, problems),
    };
    let Some(node) = fields.get("depth") else { return position };
    let depth = whole(node, "`depth`", 0, problems)?;
    match position? {
        Position::Depth(_) => {
            let depth = u32::try_from(depth).ok().map(Position::Depth);
            if depth.is_none() {
                let message = format!("`depth` is at most {}", u32::MAX);
                problems.push(
                    Diagnostic::new(&code::BAD_VALUE, node.span, message)
                        .help("write the number of messages that follow the insertion"),
                );
            }
            depth
        }
        other @ (Position::Top | Position::BeforeChar | Position::AfterChar | Position::Bottom) => {
            let message = format!("`depth` has no effect if the position is `{}`", other.name());
            problems.push(
                Diagnostic::new(&NEEDLESS_KEY, node.span, message)
                    .help("write `position: depth`, or remove it"),
            );
            Some(other)
        }
    }
}
