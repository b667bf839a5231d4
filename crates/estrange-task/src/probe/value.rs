//! Values as people and models write them, and when two of them are the same.
//!
//! Whole numbers are in decimal, or in hexadecimal or binary as their bits; characters stand in quotes and are numbers;
//! texts stand in double quotes with C's escapes; `NULL` is a null pointer; several stand in braces or brackets, or with commas
//! between them. Whatever else stands there is no value.

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number, a character or a truth value.
    Number {
        /// Its value.
        value: i128,
        /// Whether it was written as bits, which do not say whether there is a sign.
        is_bits: bool,
    },
    /// A floating-point number.
    Real(f64),
    /// A text, up to its end.
    Text(Vec<u8>),
    /// A null pointer.
    Null,
    /// Several values.
    List(Vec<Value>),
}

/// How far two floating-point numbers may be apart that are the same, as a share of the first: six digits are enough.
const NEAR: f64 = 1e-5;

/// How deep lists may stand in each other.
const DEEPEST: usize = 8;

impl Value {
    /// Reads a value; nothing if it is none, or if there is more than it.
    pub fn read(text: &str) -> Option<Self> {
        let (mut values, rest) = values(text, 0)?;
        match (rest.is_empty(), values.len()) {
            (true, 1) => values.pop(),
            (true, 2..) => Some(Self::List(values)),
            _ => None,
        }
    }

    /// Whether an answer is this value. Whole numbers have so many bits; bits mean the number that they are of.
    pub fn is(&self, answer: &Self, bits: Option<u32>) -> bool {
        match (self, answer) {
            (Self::Number { value, .. }, Self::Number { value: other, is_bits }) => {
                value == other || *is_bits && bits.is_some_and(|bits| unsigned(*value, bits) == Some(*other))
            }
            (Self::Real(value), Self::Real(other)) => is_near(*value, *other),
            (Self::Real(value), Self::Number { value: other, .. }) => is_near(*value, *other as f64),
            (Self::Text(text), Self::Text(other)) => text == other,
            (Self::Null, Self::Null | Self::Number { value: 0, .. }) => true,
            (Self::List(own), Self::List(others)) => {
                own.len() == others.len() && own.iter().zip(others).all(|(own, other)| own.is(other, bits))
            }
            _ => false,
        }
    }
}

/// A text as it is written, so that it can be read again.
pub(super) fn in_quotes(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn is_near(value: f64, other: f64) -> bool {
    (value - other).abs() <= NEAR * value.abs()
}

/// The bits of a number, as one without a sign.
fn unsigned(value: i128, bits: u32) -> Option<i128> {
    1_i128.checked_shl(bits).filter(|range| *range > 0).map(|range| value.rem_euclid(range))
}

/// Values with commas between them, and what follows them.
fn values(text: &str, depth: usize) -> Option<(Vec<Value>, &str)> {
    let mut values = Vec::new();
    let mut rest = text.trim();
    loop {
        let (value, after) = value(rest, depth)?;
        values.push(value);
        rest = after.trim_start();
        match rest.strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None => return Some((values, rest)),
        }
    }
}

fn value(text: &str, depth: usize) -> Option<(Value, &str)> {
    match text.chars().next()? {
        '"' => quoted(&text[1..], '"').map(|(bytes, rest)| (Value::Text(to_its_end(bytes)), rest)),
        '\'' => match quoted(&text[1..], '\'')? {
            (bytes, rest) if bytes.len() == 1 => {
                Some((Value::Number { value: bytes[0].into(), is_bits: !bytes[0].is_ascii() }, rest))
            }
            _ => None,
        },
        open @ ('{' | '[') if depth < DEEPEST => list(&text[1..], if open == '{' { '}' } else { ']' }, depth + 1),
        _ => word(text),
    }
}

fn list(text: &str, close: char, depth: usize) -> Option<(Value, &str)> {
    if let Some(rest) = text.trim_start().strip_prefix(close) {
        return Some((Value::List(Vec::new()), rest));
    }
    let (values, rest) = values(text, depth)?;
    rest.strip_prefix(close).map(|rest| (Value::List(values), rest))
}

/// A number or a name, up to what ends it.
fn word(text: &str) -> Option<(Value, &str)> {
    let end = text.find(|letter: char| letter.is_whitespace() || ",}]".contains(letter)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let plain = |value| Value::Number { value, is_bits: false };
    let value = match word {
        "NULL" | "null" | "nullptr" => Value::Null,
        "true" => plain(1),
        "false" => plain(0),
        number => whole(number).or_else(|| real(number))?,
    };
    Some((value, rest))
}

/// A whole number, as C and people write it: a zero before other digits means different things to them, so it means nothing.
fn whole(word: &str) -> Option<Value> {
    let (is_negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match (lower.strip_prefix("0x"), lower.strip_prefix("0b")) {
        (Some(digits), _) => (16, digits),
        (_, Some(digits)) => (2, digits),
        _ => (10, lower.as_str()),
    };
    let is_octal = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    if is_octal || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let value = i128::from_str_radix(digits, radix).ok()?;
    Some(Value::Number { value: if is_negative { -value } else { value }, is_bits: radix != 10 && !is_negative })
}

fn real(word: &str) -> Option<Value> {
    let number = word.strip_suffix(['f', 'F']).unwrap_or(word);
    let is_number = number.chars().all(|letter| letter.is_ascii_digit() || "+-.eE".contains(letter));
    let value: f64 = number.parse().ok().filter(|_| is_number && number.contains(['.', 'e', 'E']))?;
    value.is_finite().then_some(Value::Real(value))
}

/// What stands up to the closing quote, and what follows that.
fn quoted(text: &str, close: char) -> Option<(Vec<u8>, &str)> {
    let mut bytes = Vec::new();
    let mut rest = text;
    loop {
        let letter = rest.chars().next()?;
        let after = &rest[letter.len_utf8()..];
        rest = match letter {
            letter if letter == close => return Some((bytes, after)),
            '\\' => {
                let (byte, after) = escape(after)?;
                bytes.push(byte);
                after
            }
            letter => {
                bytes.extend(letter.encode_utf8(&mut [0; 4]).bytes());
                after
            }
        };
    }
}

/// The byte that an escape stands for, and what follows it.
fn escape(text: &str) -> Option<(u8, &str)> {
    let letter = text.chars().next()?;
    let plain = |byte| Some((byte, &text[1..]));
    match letter {
        'n' => plain(b'\n'),
        't' => plain(b'\t'),
        'r' => plain(b'\r'),
        'a' => plain(7),
        'b' => plain(8),
        'f' => plain(12),
        'v' => plain(11),
        '\\' | '"' | '\'' | '?' => plain(letter as u8),
        'x' => digits(&text[1..], 16, 2),
        '0'..='7' => digits(text, 8, 3),
        _ => None,
    }
}

/// The byte that so many digits at most stand for.
fn digits(text: &str, radix: u32, most: usize) -> Option<(u8, &str)> {
    let end = text.chars().take(most).take_while(|digit| digit.is_digit(radix)).count();
    Some((u8::from_str_radix(&text[..end], radix).ok()?, &text[end..]))
}

/// A text up to its end, as C has it.
fn to_its_end(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    bytes.truncate(end);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: i128) -> Value {
        Value::Number { value, is_bits: false }
    }

    #[test]
    fn values_are_read_as_they_are_written() {
        for (text, value) in [
            ("42", number(42)),
            ("-7", number(-7)),
            ("+3", number(3)),
            ("18446744073709551615ul", number(u64::MAX.into())),
            ("0xFF", Value::Number { value: 255, is_bits: true }),
            ("-0x10", number(-16)),
            ("0b101", Value::Number { value: 5, is_bits: true }),
            ("'y'", number(121)),
            (r"'\n'", number(10)),
            (r"'\0'", number(0)),
            ("true", number(1)),
            ("0.75", Value::Real(0.75)),
            ("-1e-3", Value::Real(-0.001)),
            ("2.5f", Value::Real(2.5)),
            (r#""a\"\\\n\101\x42c, {""#, Value::Text(b"a\"\\\nABc, {".to_vec())),
            (r#""é\0rest""#, Value::Text("é".as_bytes().to_vec())),
            ("NULL", Value::Null),
            (
                "{1, \"a\", {NULL}}",
                Value::List(vec![number(1), Value::Text(b"a".to_vec()), Value::List(vec![Value::Null])]),
            ),
            ("[1,2]", Value::List(vec![number(1), number(2)])),
            ("1, 2", Value::List(vec![number(1), number(2)])),
            ("{}", Value::List(Vec::new())),
            (&in_quotes(r#"a\ "b""#), Value::Text(br#"a\ "b""#.to_vec())),
        ] {
            assert_eq!(Value::read(text), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_value_is_none() {
        let deep = "{".repeat(100) + &"}".repeat(100);
        for text in [
            "",
            "value",
            "about 3",
            "3 apples",
            "1_000",
            "017",
            "0x",
            "-",
            "1.2.3",
            "inf",
            "nan",
            "1e999",
            "\"open",
            "'ab'",
            "''",
            r#""\q""#,
            "{1",
            "{1,}",
            "1,",
            "]",
            "\"a\" \"b\"",
            "1 2",
            "0xg",
            "--1",
            "(1)",
            &deep,
            "'\\400'",
        ] {
            assert_eq!(Value::read(text), None, "{text}");
        }
    }

    #[test]
    fn the_same_value_may_be_written_in_several_ways() {
        let is = |value: &str, answer: &str, bits| Value::read(value).unwrap().is(&Value::read(answer).unwrap(), bits);
        assert!(is("-1", "0xffffffff", Some(32)) && !is("-1", "0xffffffff", Some(64)));
        assert!(!is("-1", "4294967295", Some(32)), "in decimal, a sign is a part of it");
        assert!(is("121", "'y'", Some(8)) && is("-1", r"'\xff'", Some(8)) && is("255", "0xff", Some(8)));
        assert!(is("0.3333333333", "0.333333", None) && !is("0.3333333333", "0.33", None));
        assert!(is("33.0", "33", None) && is("0.0", "0", None) && !is("0.0", "0.1", None));
        assert!(!is("33", "33.0", Some(32)), "a whole number is not written as another");
        assert!(is("NULL", "0", None) && !is("0", "NULL", Some(32)));
        assert!(is("{1, \"a\"}", "[0x1, \"a\"]", Some(32)) && !is("{1, 2}", "{1}", Some(32)));
        assert!(!is("\"1\"", "1", None));
    }
}
