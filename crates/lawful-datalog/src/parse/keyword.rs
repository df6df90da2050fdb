//! The keywords of Soufflé.

/// The keywords of Soufflé's scanner, sorted. Soufflé could not read a program that uses one of
/// them as the name of a relation, a column or a variable.
const KEYWORDS: [&str; 50] = [
    "__FILE__",
    "__INCL__",
    "__ITERATION__",
    "__LINE__",
    "as",
    "autoinc",
    "band",
    "bnot",
    "bor",
    "brie",
    "bshl",
    "bshr",
    "bshru",
    "btree",
    "btree_delete",
    "bxor",
    "cat",
    "contains",
    "count",
    "eqrel",
    "false",
    "fold",
    "inline",
    "input",
    "land",
    "lnot",
    "lor",
    "lxor",
    "magic",
    "match",
    "max",
    "mean",
    "min",
    "nil",
    "no_inline",
    "no_magic",
    "ord",
    "output",
    "overridable",
    "printsize",
    "range",
    "stateful",
    "strlen",
    "substr",
    "sum",
    "to_float",
    "to_number",
    "to_string",
    "to_unsigned",
    "true",
];

/// Whether a word is a keyword of Soufflé, and so cannot be a name.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(KEYWORDS.is_sorted());
        assert!(KEYWORDS.iter().all(|word| is_keyword(word)));
        assert!(!is_keyword("edge"));
    }
}
