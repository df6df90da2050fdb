//! The codes of this crate: everything that can be wrong with a text before it means anything.

crate::declare_codes! {
    INVALID_UTF8 = "invalid-utf8", Error, "the file is not UTF-8 text",
        "Lawful reads UTF-8. The place shown is the first invalid byte.\n\nSave the file as UTF-8 in your editor, or convert it with a tool such as `iconv`.";
    TOO_LARGE = "too-large", Error, "the file is larger than the limit",
        "A document can have 16 MiB unless the host sets another limit. Lawful does not read a larger one at all, so that it decides nothing from a part of it.\n\nSplit the file.";
    TOO_DEEP = "too-deep", Error, "lists and mappings are nested deeper than the limit",
        "A document can nest 128 levels of lists and mappings, including those that aliases repeat.\n\nFlatten the structure, or give its inner parts names of their own.";
    ALIAS_LIMIT = "alias-limit", Error, "aliases repeat more than the limit",
        "Every YAML alias (`*name`) repeats the node that its anchor (`&name`) marks. A few lines of nested aliases can expand to gigabytes, so their total size is limited.\n\nWrite the repeated parts out, or repeat less.";
    RECURSIVE_ALIAS = "recursive-alias", Error, "an alias is inside the node it repeats",
        "`&a [*a]` would be an infinite list, so the text has no value.\n\nWrite the value out instead of repeating it.";
    YAML_SYNTAX = "yaml-syntax", Error, "the text is not valid YAML",
        "The parser stopped at the place shown and read nothing after it.\n\nUsual causes: a value that needs quotes because it contains `: ` or ` #`, or starts with a character such as `@`, `*` or a backtick; a line indented with a tab; a bracket or quote that is never closed.";
    TAB_INDENT = "tab-indent", Error, "a line is indented with a tab",
        "YAML does not allow tabs in indentation, because editors disagree on their width.\n\nIndent with spaces.";
    JSON_SYNTAX = "json-syntax", Error, "the text is not valid JSON",
        "Files that end in `.json` are read strictly: no comments, no trailing commas, double quotes only.\n\nFix the text, or rename the file to `.yaml`.";
    LONE_SURROGATE = "lone-surrogate", Warning, "half of a surrogate pair was replaced",
        "JSON writes a character beyond U+FFFF as two escapes, such as `\\ud83d\\ude00`. Half of a pair is not a character. A host or an agent that cuts a text between the halves sends one. In an input, an event, an envelope or a record it becomes U+FFFD. In a file of a lawbook it is an error.\n\nCut texts between characters.";
    EMPTY_DOCUMENT = "empty-document", Error, "the document is empty",
        "The file contains only white space and comments.\n\nWrite the document, or delete the file. An empty mapping is written `{}`.";
    MULTIPLE_DOCUMENTS = "multiple-documents", Error, "the file has more than one document",
        "A line `---` starts another YAML document in the same file. Lawful reads one document per file, so that a place is a file, a line and a column.\n\nMove the other documents into files of their own.";
    MERGE_KEY = "merge-key", Error, "merge keys are not supported",
        "`<<` is not part of YAML 1.2, and tools disagree on its meaning.\n\nWrite the merged keys out. Put a key that is really called `<<` in quotes.";
    CUSTOM_TAG = "custom-tag", Error, "a YAML tag is not in the core schema",
        "Lawful supports only the tags `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!seq` and `!!map`.\n\nRemove the tag and write a plain value.";
    BAD_TAGGED_VALUE = "bad-tagged-value", Error, "a value does not match its YAML tag",
        "`!!int abc` declares an integer, but `abc` is not one.\n\nRemove the tag, or write a matching value.";
    NON_STRING_KEY = "non-string-key", Error, "a key is not a string",
        "Keys are strings in every document. YAML reads `1:`, `true:` and `null:` as a number, a boolean and null.\n\nPut the key in quotes: `\"1\": …`.";
    DUPLICATE_KEY = "duplicate-key", Error, "a mapping has the same key twice",
        "One of the two values would be lost, and parsers disagree on which.\n\nRemove one, or rename it.";
    INTEGER_RANGE = "integer-range", Error, "an integer does not fit in a signed 64-bit integer",
        "Integers are exact from -9223372036854775808 to 9223372036854775807. One outside this range is rejected, not rounded.\n\nWrite it as a string if it is an identifier, or as a float (`9.3e18`) if it can be rounded.";
    NUMBER_NOT_FINITE = "number-not-finite", Error, "a number is not finite",
        "`.nan`, `.inf` and numbers too large for a 64-bit float (such as `1e999`) cannot be compared.\n\nWrite a finite number, or leave the key out.";
    MORE_ERRORS = "more-errors", Error, "a file has more problems than are shown",
        "Text output shows the first 200 problems of a file. This message counts the rest, which contain at least one error. JSON output has up to 10,000 problems per file.\n\nMany problems often have one cause. Fix the first ones and check again.";
    MORE_WARNINGS = "more-warnings", Warning, "a file has more warnings than are shown",
        "Text output shows the first 200 problems of a file. This message counts the rest, all of which are warnings. JSON output has up to 10,000 problems per file.";
    FRONT_MATTER_UNCLOSED = "front-matter-unclosed", Error, "front matter is not closed",
        "A Markdown file whose first line is `---` starts with front matter, which ends at the next `---` line.\n\nAdd the closing line. If the first line is meant as a horizontal rule, put an empty line before it.";
}
