//! Types and values of a plan, as code writes them.

use crate::plan::{
    ARRAY, BOOLEAN, ENUMERATION, FLOATING, FUNCTION, INTEGER, MADE, POINTER, Plan, RECORD, SEQUENCE, STREAM, STRING,
    VIEW,
};
use crate::reading::{STUB, Value};

/// The declaration of a name with a type.
pub(crate) fn spelled(plan: &Plan, type_: u64, name: &str) -> String {
    // Types may lead to themselves.
    spelled_within(plan, type_, name, 0)
}

fn spelled_within(plan: &Plan, type_: u64, name: &str, depth: usize) -> String {
    const DEEPEST: usize = 8;
    let described = plan.types.get(type_ as usize).copied().unwrap_or_default();
    let known = plan.legend.types.get(&type_);
    let base = match described.kind {
        _ if depth > DEEPEST => "void".to_owned(),
        BOOLEAN if plan.legend.is_cpp => "bool".to_owned(),
        BOOLEAN => "_Bool".to_owned(),
        INTEGER => integer(described.more).to_owned(),
        FLOATING => match described.more[0] {
            32 => "float",
            64 => "double",
            _ => "long double",
        }
        .to_owned(),
        POINTER => {
            let to = plan.types.get(described.more[0] as usize).copied().unwrap_or_default();
            return match to.kind {
                FUNCTION => format!("void *{name}"),
                ARRAY => spelled_within(plan, described.more[0], &format!("(*{name})"), depth + 1),
                _ => spelled_within(plan, described.more[0], &format!("*{name}"), depth + 1),
            };
        }
        ARRAY => {
            let name = format!("{name}[{}]", described.more[1]);
            return spelled_within(plan, described.more[0], &name, depth + 1);
        }
        STREAM => "FILE".to_owned(),
        STRING => "std::string".to_owned(),
        VIEW => "std::string_view".to_owned(),
        SEQUENCE => format!("std::vector<{}>", spelled_within(plan, described.more[0], "", depth + 1).trim_end()),
        MADE => match plan.makers.get((described.made / 2).saturating_sub(1) as usize) {
            Some(maker) => maker.class.clone(),
            None => "void".to_owned(),
        },
        ENUMERATION => known.cloned().unwrap_or_else(|| "int".to_owned()),
        RECORD => known.cloned().unwrap_or_else(|| "struct unknown".to_owned()),
        _ => known.cloned().unwrap_or_else(|| "void".to_owned()),
    };
    format!("{base} {name}")
}

fn integer([bits, is_signed, is_character]: [u64; 3]) -> &'static str {
    match (bits, is_signed != 0, is_character != 0) {
        (8, true, true) => "char",
        (8, true, false) => "signed char",
        (8, false, _) => "unsigned char",
        (16, true, _) => "short",
        (16, false, _) => "unsigned short",
        (32, true, _) => "int",
        (32, false, _) => "unsigned",
        (64, true, _) => "long",
        (64, false, _) => "unsigned long",
        (_, true, _) => "__int128",
        (_, false, _) => "unsigned __int128",
    }
}

/// A single value; nothing for one that code cannot write.
pub(crate) fn literal(plan: &Plan, value: &Value) -> Option<String> {
    Some(match value {
        Value::Number { type_: None, bits } => bits.to_string(),
        Value::Number { type_: Some(type_), bits } => number(plan, *type_, *bits),
        Value::Real { type_, bits } => match plan.types.get(*type_ as usize).map(|type_| type_.more[0]) {
            Some(32) => real(f64::from(f32::from_bits(*bits as u32)), Some(f32::from_bits(*bits as u32))),
            _ => real(f64::from_bits(*bits), None),
        },
        Value::NotANumber => "NAN".to_owned(),
        Value::Null if plan.legend.is_cpp => "nullptr".to_owned(),
        Value::Null => "NULL".to_owned(),
        Value::Text(bytes) => text_literal(bytes),
        Value::Constant(value) => return literal(plan, value),
        Value::Word(word, number) => match word.as_str() {
            STUB => format!("function_{number}"),
            "stream" => "tmpfile()".to_owned(),
            "untouched" => "0".to_owned(),
            _ => return None,
        },
        Value::Address { .. } | Value::List { .. } | Value::Record { .. } | Value::Made { .. } => return None,
    })
}

fn number(plan: &Plan, type_: u64, bits: u128) -> String {
    let described = plan.types.get(type_ as usize).copied().unwrap_or_default();
    // A member may have fewer bits than its type; its sign is not told then.
    let width = if described.kind == INTEGER { described.more[0] } else { described.size * 8 }.clamp(1, 128);
    let signed = (bits << (128 - width)) as i128 >> (128 - width);
    match described.kind {
        BOOLEAN if plan.legend.is_cpp => (bits & 1 != 0).to_string(),
        ENUMERATION => {
            let values = plan.legend.values.get(&type_).map(Vec::as_slice).unwrap_or_default();
            let named = values.iter().find(|(_, value)| i128::from(*value) == signed);
            named.map_or_else(|| signed.to_string(), |(name, _)| name.clone())
        }
        INTEGER if described.more[2] != 0 && described.size == 1 && (0x20..0x7f).contains(&bits) => {
            match bits as u8 as char {
                sign @ ('\'' | '\\') => format!("'\\{sign}'"),
                sign => format!("'{sign}'"),
            }
        }
        // The constant without its sign is no number of the type.
        INTEGER if described.more[1] != 0 && width == 64 && signed == i128::from(i64::MIN) => {
            format!("({} - 1)", signed + 1)
        }
        INTEGER if described.more[1] != 0 => signed.to_string(),
        INTEGER if bits > i64::MAX as u128 => format!("{bits}u"),
        _ => bits.to_string(),
    }
}

fn real(wide: f64, narrow: Option<f32>) -> String {
    match (wide.is_infinite(), narrow) {
        (true, _) if wide < 0.0 => "-INFINITY".to_owned(),
        (true, _) => "INFINITY".to_owned(),
        (false, Some(narrow)) => format!("{narrow:?}f"),
        (false, None) => format!("{wide:?}"),
    }
}

/// Whether a value is what a variable holds that is set to nothing.
pub(crate) fn is_zero(value: &Value) -> bool {
    match value {
        Value::Number { bits, .. } => *bits == 0,
        Value::Real { bits, .. } => *bits == 0,
        Value::Null => true,
        Value::Word(word, _) => word == "untouched" || word == "?",
        Value::List { values, .. } | Value::Record { values, .. } => values.iter().all(is_zero),
        Value::Text(bytes) => bytes.is_empty(),
        Value::NotANumber | Value::Address { .. } | Value::Made { .. } | Value::Constant(_) => false,
    }
}

/// Whether values of a type are the letters of a text.
pub(crate) fn is_text(plan: &Plan, type_: u64) -> bool {
    let is_letter = |kind: u64, size: u64, more: [u64; 3]| kind == INTEGER && size == 1 && more[2] != 0;
    plan.types.get(type_ as usize).is_some_and(|type_| is_letter(type_.kind, type_.size, type_.more))
}

/// The bytes of values that are bytes.
pub(crate) fn text_of(values: &[Value]) -> Option<Vec<u8>> {
    let byte = |value: &Value| match value {
        Value::Number { bits, .. } => Some((*bits & 0xff) as u8),
        Value::Word(word, _) if word == "untouched" => Some(0),
        _ => None,
    };
    values.iter().map(byte).collect()
}

/// Bytes as the text that they are, without the zeros behind it.
pub(crate) fn text_literal(bytes: &[u8]) -> String {
    let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let mut text = String::from("\"");
    for part in bytes[..length].utf8_chunks() {
        for character in part.valid().chars() {
            match character {
                '"' | '\\' => text.extend(['\\', character]),
                '\n' => text.push_str("\\n"),
                '\t' => text.push_str("\\t"),
                '\r' => text.push_str("\\r"),
                character if character.is_control() || !is_plain(character) => {
                    let mut buffer = [0; 4];
                    character.encode_utf8(&mut buffer).bytes().for_each(|byte| text.push_str(&octal(byte)));
                }
                character => text.push(character),
            }
        }
        part.invalid().iter().for_each(|byte| text.push_str(&octal(*byte)));
    }
    text + "\""
}

/// Whether a character is seen where it stands, and nothing else is moved by it.
fn is_plain(character: char) -> bool {
    character.is_ascii() || character.is_alphanumeric()
}

/// Three digits always, so that none that follows is taken for another.
fn octal(byte: u8) -> String {
    format!("\\{byte:03o}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_the_text_that_they_are() {
        assert_eq!(text_literal(b"etc\0\0"), r#""etc""#);
        assert_eq!(text_literal("a\"\\\n\u{1}1é\u{202e}".as_bytes()), r#""a\"\\\n\0011é\342\200\256""#);
        assert_eq!(text_literal(b"a\xff\0b"), r#""a\377\000b""#);
    }

    #[test]
    fn numbers_are_written_as_people_do() {
        assert_eq!(real(33.0, None), "33.0");
        assert_eq!(real(f64::from(0.1f32), Some(0.1)), "0.1f");
        assert_eq!(real(f64::NEG_INFINITY, None), "-INFINITY");
        assert_eq!(real(1e300, None), "1e300");
    }
}
