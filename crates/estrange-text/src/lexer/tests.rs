//! What each rule of the lexer cuts, and that nothing is lost, overlaps or panics whatever the text.

use proptest::prelude::*;

use super::*;

fn cut(text: &str) -> Vec<&str> {
    lex(text).iter().map(|token| token.text(text)).collect()
}

fn kinds(text: &str) -> Vec<Kind> {
    lex(text).iter().map(|token| token.kind).collect()
}

#[test]
fn code_is_cut_into_tokens() {
    let text = "int f(char *s) { return s[0] == 'x' ? 0x1F'00u : .5e-3 + g(\"a\\\"b\"); }";
    let wanted = [
        "int",
        "f",
        "(",
        "char",
        "*",
        "s",
        ")",
        "{",
        "return",
        "s",
        "[",
        "0",
        "]",
        "==",
        "'x'",
        "?",
        "0x1F'00u",
        ":",
        ".5e-3",
        "+",
        "g",
        "(",
        "\"a\\\"b\"",
        ")",
        ";",
        "}",
    ];
    assert_eq!(cut(text), wanted);
}

#[test]
fn punctuation_is_the_longest_match() {
    assert_eq!(
        cut("a<<=b>>=c->d->*e...f::g<=>h##i"),
        ["a", "<<=", "b", ">>=", "c", "->", "d", "->*", "e", "...", "f", "::", "g", "<=>", "h", "##", "i"]
    );
    assert_eq!(cut("x+++++y&&&z|||=.*..1"), ["x", "++", "++", "+", "y", "&&", "&", "z", "||", "|=", ".*", ".", ".1"]);
    assert_eq!(
        cut("v<::T> w<:0:> %:%: x<:::y"),
        ["v", "<", "::", "T", ">", "w", "<:", "0", ":>", "%:%:", "x", "<:", "::", "y"]
    );
}

#[test]
fn a_directive_is_one_token() {
    let text = "  # define A(x) \\\n  x /* one\n two */ + 1 // last \\\n more\nint a; # b\n/* c */ #if 0\n%: endif";
    let wanted = [
        "# define A(x) \\\n  x /* one\n two */ + 1 // last \\\n more",
        "int",
        "a",
        ";",
        "#",
        "b",
        "/* c */",
        "#if 0",
        "%: endif",
    ];
    assert_eq!(cut(text), wanted);
    assert_eq!(cut("#define OPEN \"/*\"\nx"), ["#define OPEN \"/*\"", "x"]);
    assert_eq!(cut("#error don't\r\nx"), ["#error don't", "x"]);
    assert_eq!(cut("#\n#"), ["#", "#"]);
    assert_eq!(kinds("#\n# x"), [Kind::Directive, Kind::Directive]);
    assert_eq!(
        kinds("int x; /*\n*/ #"),
        [Kind::Identifier, Kind::Identifier, Kind::Punctuation, Kind::Comment, Kind::Punctuation]
    );
}

#[test]
fn a_directive_is_cut_in_its_place() {
    let text = "a\n#define B /* c */ #d\n";
    let directive = lex(text)[1];
    let tokens: Vec<&str> = lex_directive(text, &directive).map(|token| token.text(text)).collect();
    assert_eq!(tokens, ["#", "define", "B", "/* c */", "#", "d"]);
}

#[test]
fn a_body_has_no_directives() {
    let kinds: Vec<Kind> = lex_body("#x ## y").iter().map(|token| token.kind).collect();
    assert_eq!(kinds, [Kind::Punctuation, Kind::Identifier, Kind::Punctuation, Kind::Identifier]);
}

#[test]
fn literals_are_whole_with_their_prefix() {
    for text in ["L\"x\"", "u8\"x\"", "U\"x\"", "R\"(a\n\"b)\"", "u8R\"x-y()\" )x-y\"", "\"a\\\nb\"", "L\\\n\"x\""] {
        assert_eq!(lex(text), [Token { kind: Kind::String, start: 0, end: text.len() as u32 }], "{text}");
    }
    for text in ["'x'", "L'\\''", "u8'x'", "'\\\\'", "'abcd'"] {
        assert_eq!(lex(text), [Token { kind: Kind::Character, start: 0, end: text.len() as u32 }], "{text}");
    }
    assert_eq!(
        cut("\"%\"PRId64 \"x\"s LL\"x\" R\"no delimiter\""),
        ["\"%\"", "PRId64", "\"x\"", "s", "LL", "\"x\"", "R", "\"no delimiter\""]
    );
}

#[test]
fn splices_may_stand_anywhere() {
    let text = "ret\\\nurn a +\\  \n= \\\n 1\\\n0; /\\\n/ x\ny /\\\n* z *\\\n/ \\\n w";
    let spelled: Vec<_> = lex(text).iter().map(|token| token.spelling(text).into_owned()).collect();
    assert_eq!(spelled, ["return", "a", "+=", "10", ";", "// x", "y", "/* z */", "w"]);
    let raw = "R\"(a\\\nb)\"";
    assert_eq!(lex(raw)[0].spelling(raw), raw);
}

#[test]
fn names_may_hold_more_than_letters() {
    assert_eq!(cut("größe $x \\u00e9t\\U000000e9 a$b"), ["größe", "$x", "\\u00e9t\\U000000e9", "a$b"]);
    assert_eq!(cut("\u{feff}int"), ["int"]);
    assert_eq!(cut("a \\ @ `"), ["a", "\\", "@", "`"]);
}

#[test]
fn what_does_not_end_stops() {
    assert_eq!(cut("\"abc\nd"), ["\"abc", "d"]);
    assert_eq!(cut("'\r\nd"), ["'", "d"]);
    assert_eq!(cut("\"abc\\"), ["\"abc\\"]);
    assert_eq!(cut("\"abc\\\\\\\n\nd"), ["\"abc\\\\\\\n", "d"]);
    assert_eq!(cut("/* abc *"), ["/* abc *"]);
    assert_eq!(cut("R\"x(abc)y\""), ["R\"x(abc)y\""]);
    assert_eq!(cut("// abc \\\n"), ["// abc \\\n"]);
    assert_eq!(cut("# abc \\"), ["# abc \\"]);
    assert_eq!(cut(""), [""; 0]);
}

/// Text in which the hard cases are as frequent as letters.
fn nasty() -> impl Strategy<Value = String> {
    let pieces = [
        "\\\n", "\\ \r\n", "\\", "\n", "\r\n", " ", "\"", "'", "/*", "*/", "//", "#", "%:", "R\"", "x(", ")x\"", "u8",
        "L", "0x1", "1'0", "e+", ".", "<", ":", ">", "=", "é", "\\u00e9", "define", "a", "(", ")", "\u{feff}", "\0",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..60).prop_map(|pieces| pieces.concat())
}

/// Tokens are in order and apart, and only white space, splices and a byte order mark are outside of them.
fn check(text: &str, tokens: &[Token]) {
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    for range in tokens.iter().map(Token::range).chain(std::iter::once(text.len()..text.len() + 1)) {
        assert!(at <= range.start && range.start < range.end, "{range:?} after {at} in {text:?}");
        let between = without_splices(&text[at..range.start]);
        assert!(between.chars().all(|c| c.is_ascii_whitespace() || c == '\x0b'), "{between:?} in {text:?}");
        at = range.end;
    }
}

proptest! {
    #[test]
    fn every_byte_has_its_token(text in nasty()) {
        check(&text, &lex(&text));
        check(&text, &lex_body(&text));
    }

    #[test]
    fn every_byte_of_anything_has_its_token(text in any::<String>()) {
        check(&text, &lex(&text));
    }

    #[test]
    fn splices_change_nothing_but_places(words in proptest::collection::vec("[a-z]{1,4}|[+<>=:&.-]{1,3}|[0-9]{1,3}|\"[a-z]*\"", 0..20), cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8)) {
        let plain = words.join(" ");
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(plain.len() + 1)).collect();
        places.sort_unstable();
        let mut spliced = plain.clone();
        for place in places.into_iter().rev() {
            spliced.insert_str(place, "\\\n");
        }
        let spelled = |text: &str| -> Vec<(Kind, String)> {
            lex(text).iter().map(|token| (token.kind, token.spelling(text).into_owned())).collect()
        };
        prop_assert_eq!(spelled(&plain), spelled(&spliced));
    }
}
