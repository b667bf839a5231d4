//! Identifiers of every style, cut into words and written again.

use proptest::prelude::*;

use super::*;

fn words(identifier: &str) -> String {
    split(identifier).words().join(" ")
}

/// The identifier with each word replaced as `pairs` say; the others stay.
fn replaced(identifier: &str, pairs: &[(&str, &str)]) -> String {
    let identifier = split(identifier);
    let new = |word: String| pairs.iter().find(|pair| pair.0 == word).map_or(word, |pair| pair.1.to_owned());
    identifier.with_words(&identifier.words().into_iter().map(new).collect::<Vec<_>>())
}

#[test]
fn words_are_told_apart_by_case_underscores_and_digits() {
    for (identifier, expected) in [
        ("parse_line", "parse line"),
        ("parseLine", "parse line"),
        ("ParseLine", "parse line"),
        ("PARSE_LINE", "parse line"),
        ("parseHTTPHeader", "parse http header"),
        ("HTTPHeader", "http header"),
        ("getHTTP", "get http"),
        ("XML_ParserCreate", "xml parser create"),
        ("Parse_Line", "parse line"),
        ("__attribute__", "attribute"),
        ("_Bool", "bool"),
        ("m_fileName_", "m file name"),
        ("kMaxSize", "k max size"),
        ("getX", "get x"),
        ("AHeader", "a header"),
        ("utf8proc", "utf proc"),
        ("int32_to", "int to"),
        ("x2", "x"),
        ("Vec2D", "vec d"),
        ("base64Encode", "base encode"),
        ("~Parser", "parser"),
        ("a$b", "a b"),
        ("filename", "filename"),
        ("_", ""),
        ("_1", ""),
        ("", ""),
    ] {
        assert_eq!(words(identifier), expected, "{identifier}");
    }
}

#[test]
fn the_plural_of_an_acronym_is_one_word() {
    assert_eq!(words("URLs"), "urls");
    assert_eq!(words("getIDsOf"), "get ids of");
    assert_eq!(words("APIs_of"), "apis of");
    assert_eq!(words("XMLIsValid"), "xml is valid");
    assert_eq!(words("writeXMLAsText"), "write xml as text");
    assert_eq!(words("HTTPStatus"), "http status");
    assert_eq!(replaced("getURLsOf", &[("urls", "addresses")]), "getADDRESSESOf");
}

#[test]
fn letters_beyond_ascii_belong_to_their_word() {
    assert_eq!(words("größe_inBytes"), "größe in bytes");
    assert_eq!(words("caf\\u00e9Name"), "caf\\u00e9 name");
    assert_eq!(words("\\U0001F600\\u{1f}x9"), "\\u0001f600\\u{1f}x");
    assert_eq!(words("\\u12"), "u");
    assert_eq!(words("e\u{301}Table"), "e\u{301} table");
    assert_eq!(replaced("ÉtatName", &[("état", "zustand")]), "ZustandName");
}

#[test]
fn the_style_is_kept() {
    let pairs = [("parse", "study"), ("line", "row"), ("http", "net"), ("max", "most"), ("x", "cross"), ("n", "count")];
    for (old, new) in [
        ("parse_line", "study_row"),
        ("parseLine", "studyRow"),
        ("ParseLine", "StudyRow"),
        ("PARSE_LINE", "STUDY_ROW"),
        ("Parse_Line", "Study_Row"),
        ("parseHTTPLine", "studyNETRow"),
        ("__parse__line_", "__study__row_"),
        ("parse2line3", "study2row3"),
        ("LINE_MAX", "ROW_MOST"),
        ("MAXLine", "MOSTRow"),
        ("kMaxLine", "kMostRow"),
        ("parseX", "studyCross"),
        ("PARSE_X", "STUDY_CROSS"),
        ("N", "COUNT"),
        ("n", "count"),
        ("x2", "cross2"),
        ("LINE_max", "ROW_most"),
    ] {
        assert_eq!(replaced(old, &pairs), new);
    }
}

#[test]
fn several_words_are_joined_as_the_identifier_joins_its_own() {
    let pairs = [("parse", "look_at"), ("parser", "looker at"), ("xml", "make-up"), ("line", "row")];
    for (old, new) in [
        ("parse", "look_at"),
        ("Parser", "LookerAt"),
        ("PARSE", "LOOK_AT"),
        ("parse_line", "look_at_row"),
        ("line_parse", "row_look_at"),
        ("parseLine", "lookAtRow"),
        ("lineParse", "rowLookAt"),
        ("LineParser", "RowLookerAt"),
        ("PARSE_LINE", "LOOK_AT_ROW"),
        ("Parse_Line", "Look_At_Row"),
        ("readXMLFile", "readMakeUpFile"),
        ("XML_ParserCreate", "MAKE_UP_LookerAtCreate"),
        ("XML_ParserCreate_Parse", "MAKE_UP_LookerAtCreate_LookAt"),
        ("m_parseLine", "m_lookAtRow"),
        ("parse8", "look_at8"),
        ("Parse8", "LookAt8"),
        ("xml8parse", "make_up8look_at"),
    ] {
        assert_eq!(replaced(old, &pairs), new);
    }
}

#[test]
fn words_that_are_not_given_stay() {
    let identifier = split("parseHTTPLine");
    assert_eq!(identifier.with_words(&[]), "parseHTTPLine");
    assert_eq!(identifier.with_words(&["study".to_owned()]), "studyHTTPLine");
    assert_eq!(identifier.with_words(&["".to_owned(), "_".to_owned(), "row".to_owned()]), "parseHTTPRow");
    let many = ["a", "b", "c", "d"].map(str::to_owned);
    assert_eq!(identifier.with_words(&many), "aBC");
}

/// What identifiers are made of, and some of what they are not.
const PIECES: &str = r"([a-z]{1,5}|[A-Z]{1,4}|[A-Z][a-z]{1,4}|_{1,2}|[0-9]{1,2}|s|URLs|\\u00e9|é|É|ß|İ|ǅ|[$~:]){0,9}";

proptest! {
    #[test]
    fn the_same_words_give_the_same_identifier(identifier in PIECES) {
        let parts = split(&identifier);
        prop_assert_eq!(parts.with_words(&parts.words()), identifier);
    }

    #[test]
    fn any_text_is_given_back(text in ".*") {
        let parts = split(&text);
        prop_assert_eq!(parts.with_words(&parts.words()), text);
    }

    /// Other words can be read out of the result as they were put in.
    #[test]
    fn other_words_are_told_apart_as_well(
        identifier in "_?([A-Z][a-z]{1,4}|[a-z]{2,5}|[A-Z]{2,4}_|_|[0-9])([A-Z][a-z]{1,4}|_[a-z]{1,5}|[0-9]){0,5}_?",
        new in prop::collection::vec("[b-r]{2,6}(_[b-r]{2,6})?", 8),
    ) {
        let parts = split(&identifier);
        let count = parts.words().len();
        let expected: Vec<&str> = new[..count].iter().flat_map(|word| word.split('_')).collect();
        let written = parts.with_words(&new[..count]);
        prop_assert_eq!(split(&written).words(), expected, "{} {}", identifier, written);
    }
}
