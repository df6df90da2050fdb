//! The import closure: the files that a Nickel program can reach.
//!
//! Imports name their files by literal strings, so they are known without running anything.
//!
//! **Invariant:** every `import` in a text is found, or the text is not evaluated.

use std::collections::BTreeMap;

use nickel_lang_parser::ErrorTolerantParser as _;
use nickel_lang_parser::ast::{Ast, AstAlloc, Import, InputFormat, Node};
use nickel_lang_parser::files::Files;
use nickel_lang_parser::grammar::TermParser;
use nickel_lang_parser::lexer::{Lexer, NormalToken, Token};
use nickel_lang_parser::traverse::{TraverseAlloc as _, TraverseControl};

/// An import of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Imported {
    /// The path as written.
    pub(crate) written: String,
    /// Whether it is Nickel, and so can import other files.
    pub(crate) nickel: bool,
    /// Its place, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Why the imports of a text are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Untold {
    /// It does not parse; evaluation reports why, before anything is imported.
    Syntax,
    /// The syntax tree lacks the import at these bytes of the text.
    Missed(usize, usize),
}

/// The files that a text imports, in order.
pub(crate) fn imports(text: &str) -> Result<Vec<Imported>, Untold> {
    let alloc = AstAlloc::new();
    let file = Files::empty().add("", text);
    let parsed = TermParser::new().parse_strict(&alloc, file, Lexer::new(text));
    let ast: &Ast<'_> = alloc.alloc(parsed.map_err(|_| Untold::Syntax)?);
    let mut found = Vec::new();
    // The start and end of each import in the tree. Package imports are included: packages are not
    // supported, and Nickel reports that.
    let mut seen = BTreeMap::new();
    ast.traverse_ref::<(), ()>(
        &mut |ast: &Ast<'_>, &()| {
            if let Node::Import(Import::Path { path, format }) = &ast.node {
                let span = ast.pos.as_opt_ref();
                let (start, end) =
                    span.map_or((0, 0), |span| (span.start.to_usize(), span.end.to_usize()));
                seen.insert(start, end);
                let written = path.to_string_lossy().into_owned();
                let nickel = *format == InputFormat::Nickel;
                found.push(Imported { written, nickel, start, end });
            } else if matches!(&ast.node, Node::Import(Import::Package { .. })) {
                let span = ast.pos.as_opt_ref();
                seen.extend(span.map(|span| (span.start.to_usize(), span.end.to_usize())));
            }
            TraverseControl::Continue
        },
        &(),
    );
    let is_import = |token: &Token<'_>| matches!(token, Token::Normal(NormalToken::Import));
    let words = Lexer::new(text).flatten().filter(|(_, token, _)| is_import(token));
    let words: Vec<(usize, usize)> = words.map(|(start, _, end)| (start, end)).collect();
    // An import contains no other import, so the keyword identifies each.
    let is_seen = |(start, end): &(usize, usize)| {
        seen.range(..=*start).next_back().is_some_and(|(_, last)| end <= last)
    };
    match words.iter().find(|word| !is_seen(word)) {
        Some((start, end)) => Err(Untold::Missed(*start, *end)),
        None if words.len() == seen.len() => Ok(found),
        None => Err(Untold::Missed(0, 0)),
    }
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
        check("[(import \"a.ncl\"), ((import \"b.ncl\"))]", &["a.ncl", "b.ncl"]);
        check("match { x if import \"f.ncl\" => 1 }", &["f.ncl"]);
        check("{ x | default = import \"../../etc/passwd\" }", &["../../etc/passwd"]);
        check("# import \"no.ncl\"\n\"import \\\"no.ncl\\\"\"", &[]);
    }

    #[test]
    fn an_import_that_the_tree_lacks_is_pointed_at() {
        for (text, at) in
            [("let { q ? import \"d.txt\" } = {} in q", 10), ("[| 'A (import \"k.ncl\") |]", 7)]
        {
            assert_eq!(imports(text), Err(Untold::Missed(at, at + "import".len())), "{text}");
        }
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
