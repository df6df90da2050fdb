//! The import closure: which files a Nickel program can reach.
//!
//! Imports name their files by literal strings, so they can be told without running anything.
//!
//! **Invariant:** every `import` of a text is accounted for, or the text is not evaluated.

use nickel_lang_parser::ErrorTolerantParser as _;
use nickel_lang_parser::ast::{Ast, AstAlloc, Import, InputFormat, Node};
use nickel_lang_parser::files::Files;
use nickel_lang_parser::grammar::TermParser;
use nickel_lang_parser::lexer::{Lexer, NormalToken, Token};
use nickel_lang_parser::traverse::{TraverseAlloc as _, TraverseControl};

/// An import of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Imported {
    /// What it names.
    pub(crate) written: String,
    /// Whether it is Nickel, and so may import in turn.
    pub(crate) nickel: bool,
    /// Where it is written, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Why the imports of a text cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Untold {
    /// It is not Nickel; evaluating it says why, before anything is imported.
    Syntax,
    /// The parser's tree does not have an import that the text has.
    Missed,
}

/// The files that a text imports, in order.
pub(crate) fn imports(text: &str) -> Result<Vec<Imported>, Untold> {
    let alloc = AstAlloc::new();
    let file = Files::empty().add("", text);
    let parsed = TermParser::new().parse_strict(&alloc, file, Lexer::new(text));
    let ast: &Ast<'_> = alloc.alloc(parsed.map_err(|_| Untold::Syntax)?);
    let mut found = Vec::new();
    let mut packages = 0;
    ast.traverse_ref::<(), ()>(
        &mut |ast: &Ast<'_>, &()| {
            if let Node::Import(Import::Path { path, format }) = &ast.node {
                let span = ast.pos.as_opt_ref();
                let (start, end) =
                    span.map_or((0, 0), |span| (span.start.to_usize(), span.end.to_usize()));
                let written = path.to_string_lossy().into_owned();
                let nickel = *format == InputFormat::Nickel;
                found.push(Imported { written, nickel, start, end });
            } else if matches!(&ast.node, Node::Import(Import::Package { .. })) {
                // There are none here, and Nickel says so.
                packages += 1;
            }
            TraverseControl::Continue
        },
        &(),
    );
    let is_import = |token: &Token<'_>| matches!(token, Token::Normal(NormalToken::Import));
    let words = Lexer::new(text).flatten().filter(|(_, token, _)| is_import(token)).count();
    if words == found.len() + packages { Ok(found) } else { Err(Untold::Missed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found = imports(text).unwrap();
        let found: Vec<&str> = found.iter().map(|import| &*import.written).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn imports_are_found_wherever_they_stand() {
        check("1", &[]);
        check("import \"a.ncl\"", &["a.ncl"]);
        check(
            "let x : String = import \"a.ncl\" in { y | (import \"b.ncl\") = x }",
            &["a.ncl", "b.ncl"],
        );
        check("{ s = \"%{import \"c.txt\" as 'Text}\" }", &["c.txt"]);
        check("fun { x ? import \"d.ncl\" } => x", &["d.ncl"]);
        check("1 : (import \"e.ncl\")", &["e.ncl"]);
        check("match { x if import \"f.ncl\" => 1 }", &["f.ncl"]);
        check("{ x | default = import \"../../etc/passwd\" }", &["../../etc/passwd"]);
        check("# import \"no.ncl\"\n\"import \\\"no.ncl\\\"\"", &[]);
    }

    #[test]
    fn a_text_that_is_not_nickel_imports_nothing() {
        assert_eq!(imports("{ x = import \"a.ncl\", y = }"), Err(Untold::Syntax));
    }

    #[test]
    fn data_is_not_looked_into() {
        let found =
            imports("[import \"a.json\", import \"b.ncl\", import \"c.ncl\" as 'Text]").unwrap();
        assert_eq!(
            found.iter().map(|import| import.nickel).collect::<Vec<_>>(),
            [false, true, false]
        );
        assert_eq!((found[0].start, found[0].end), (1, 16));
    }
}
