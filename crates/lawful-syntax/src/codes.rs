//! The codes of this crate: everything that can be wrong with a text before it means anything.

crate::declare_codes! {
    INVALID_UTF8 = "invalid-utf8", Error, "the file is not UTF-8 text",
        "Lawful reads UTF-8. The place shown is the first byte that is not.\n\nSave the file as UTF-8 in your editor, or convert it with a tool such as `iconv`.";
    TOO_LARGE = "too-large", Error, "the file is larger than the limit",
        "A document may have 16 MiB unless the host sets another limit. A document over the limit is not read at all, so that nothing is decided from a part of it.\n\nSplit the file.";
    TOO_DEEP = "too-deep", Error, "lists and mappings nest deeper than the limit",
        "A document may nest 128 levels of lists and mappings, counting what aliases repeat.\n\nFlatten the structure, or give its inner parts names of their own.";
    ALIAS_LIMIT = "alias-limit", Error, "aliases repeat more than the limit",
        "Every YAML alias (`*name`) repeats the node that its anchor (`&name`) marks. A few lines of nested aliases can ask for gigabytes, so the sum of what they repeat is bounded.\n\nWrite the repeated parts out, or repeat less.";
    RECURSIVE_ALIAS = "recursive-alias", Error, "an alias stands inside the node it repeats",
        "`&a [*a]` would be a list without an end.\n\nWrite the value out.";
    YAML_SYNTAX = "yaml-syntax", Error, "the text is not valid YAML",
        "The parser stopped at the place shown; what follows it was not looked at.\n\nThe usual causes: a value that holds `: ` or ` #` or starts with a character such as `@`, `*` or a backtick and needs quotes; a line indented by a tab; a bracket or quote that is never closed.";
    TAB_INDENT = "tab-indent", Error, "a line is indented by a tab",
        "YAML does not allow tabs in indentation, because their width is anybody's guess.\n\nIndent with spaces.";
    JSON_SYNTAX = "json-syntax", Error, "the text is not valid JSON",
        "Files that end in `.json` are read strictly: no comments, no trailing commas, double quotes only.\n\nFix the text, or rename the file to `.yaml`.";
    EMPTY_DOCUMENT = "empty-document", Error, "the document is empty",
        "The file has no content besides white space and comments, so there is nothing to read from it.\n\nWrite the document, or delete the file. An empty mapping is written `{}`.";
    MULTIPLE_DOCUMENTS = "multiple-documents", Error, "the file holds more than one document",
        "A line `---` starts another YAML document in the same file. Lawful reads one document from one file, so that a place is a file, a line and a column.\n\nMove the other documents into files of their own.";
    MERGE_KEY = "merge-key", Error, "merge keys are not supported",
        "`<<` is not part of YAML 1.2, and tools disagree on what it means.\n\nWrite the merged keys out. A key that is really called `<<` is written in quotes.";
    CUSTOM_TAG = "custom-tag", Error, "a YAML tag that is not in the core schema",
        "Lawful knows the tags `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!seq` and `!!map`, and no others.\n\nRemove the tag and write the value plainly.";
    BAD_TAGGED_VALUE = "bad-tagged-value", Error, "a value does not fit its YAML tag",
        "`!!int abc` promises an integer and gives none.\n\nRemove the tag, or write a value that fits it.";
    NON_STRING_KEY = "non-string-key", Error, "a key is not a string",
        "Keys are strings in every document of Lawful. YAML reads `1:`, `true:` and `null:` as a number, a boolean and null.\n\nPut the key in quotes: `\"1\": …`.";
    DUPLICATE_KEY = "duplicate-key", Error, "a mapping has the same key twice",
        "One of the two values would be lost, and readers disagree on which.\n\nRemove one, or rename it.";
    INTEGER_RANGE = "integer-range", Error, "an integer does not fit 64 bits",
        "Integers are exact from -9223372036854775808 to 9223372036854775807; one outside is refused rather than rounded.\n\nWrite it as a string if it is an identifier, or as a float (`9.3e18`) if it may be rounded.";
    NUMBER_NOT_FINITE = "number-not-finite", Error, "a number is not finite",
        "`.nan`, `.inf` and numbers too large for a 64-bit float (such as `1e999`) have no place in a comparison that must come out true or false.\n\nWrite a finite number, or leave the key out.";
    MORE_ERRORS = "more-errors", Error, "a file has more problems than are shown",
        "For people, the first 200 problems of a file are shown, and the message counts the others, of which at least one is an error. JSON has all of them, up to 10,000 of one file.\n\nThey often have one cause. Mend the first ones and look again.";
    MORE_WARNINGS = "more-warnings", Warning, "a file has more warnings than are shown",
        "For people, the first 200 problems of a file are shown, and the message counts the others, all of which are warnings. JSON has all of them, up to 10,000 of one file.";
    FRONT_MATTER_UNCLOSED = "front-matter-unclosed", Error, "front matter is never closed",
        "A Markdown file whose first line is `---` starts with front matter, which ends at the next line that is `---`.\n\nAdd the closing line, or start the file with an empty line if the first one is meant as a rule.";
}
