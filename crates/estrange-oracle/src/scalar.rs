//! Single values between what a file says and the bytes of a type.

use serde_json::Value as Json;

use crate::plan::{BOOLEAN, Description, ENUMERATION, FLOATING, INTEGER};

/// The bytes of a single value of a type; none if it does not fit.
pub(crate) fn bytes(described: &Description, value: &Json) -> Option<Vec<u8>> {
    let size = described.size as usize;
    match described.kind {
        BOOLEAN | INTEGER | ENUMERATION => {
            let is_character = described.kind == INTEGER && size == 1 && described.more[2] != 0;
            let number = whole(value, described.size as u32 * 8, is_character)?;
            Some(number.to_le_bytes().get(..size)?.to_vec())
        }
        FLOATING => floating(described, value),
        _ => None,
    }
}

/// The bits of a whole number, which may have a sign: a number, a text with one such as `0xff`, true or false, or a letter
/// where one belongs.
pub(crate) fn whole(value: &Json, bits: u32, is_character: bool) -> Option<u128> {
    let number = match value {
        Json::Bool(is) => i128::from(*is),
        Json::Number(number) => number.as_i64().map(i128::from).or(number.as_u64().map(i128::from))?,
        Json::String(text) if is_character && text.len() == 1 => i128::from(text.as_bytes()[0]),
        Json::String(text) => {
            let (sign, digits) = text.strip_prefix('-').map_or((1, text.as_str()), |rest| (-1, rest));
            let number = match digits.strip_prefix("0x") {
                Some(digits) => u128::from_str_radix(digits, 16).ok()?,
                None => digits.parse::<u128>().ok()?,
            };
            // All of 128 bits are used by no other way.
            if bits == 128 {
                return Some(if sign < 0 { number.wrapping_neg() } else { number });
            }
            sign * i128::try_from(number).ok()?
        }
        _ => return None,
    };
    if bits == 0 {
        return None;
    }
    let fits = bits >= 128 || (-(1_i128 << (bits - 1))..1_i128 << bits).contains(&number);
    fits.then_some(if bits >= 128 { number as u128 } else { number as u128 & ((1 << bits) - 1) })
}

fn floating(described: &Description, value: &Json) -> Option<Vec<u8>> {
    let wide = match value {
        Json::Number(number) => number.as_f64()?,
        Json::String(text) => match text.as_str() {
            "nan" => f64::NAN,
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            text => {
                text.parse().ok().filter(|_| text.starts_with(|first: char| first == '-' || first.is_ascii_digit()))?
            }
        },
        Json::Object(map) if map.len() == 1 => {
            let bits = whole(map.get("bits")?, described.size.min(8) as u32 * 8, false)?;
            return Some(bits.to_le_bytes().get(..described.size.min(8) as usize)?.to_vec());
        }
        _ => return None,
    };
    Some(match described.more[0] {
        32 => (wide as f32).to_le_bytes().to_vec(),
        64 => wide.to_le_bytes().to_vec(),
        _ => extended(wide),
    })
}

/// A number in the processor's widest format: 10 bytes.
fn extended(wide: f64) -> Vec<u8> {
    const BIAS: u64 = 16383 - 1023;
    let bits = wide.to_bits();
    let (sign, exponent, fraction) = (bits >> 63, bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let (exponent, mantissa) = match exponent {
        0 if fraction == 0 => (0, 0),
        // What is too small for its own first bit gets one here.
        0 => {
            let shift = u64::from(fraction.leading_zeros());
            (BIAS + 12 - shift, fraction << shift)
        }
        0x7ff => (0x7fff, 1 << 63 | fraction << 11),
        exponent => (exponent + BIAS, 1 << 63 | fraction << 11),
    };
    let mut bytes = mantissa.to_le_bytes().to_vec();
    bytes.extend(((sign << 15 | exponent) as u16).to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn integer(bits: u64) -> Description {
        Description { kind: INTEGER, size: bits / 8, more: [bits, 1, u64::from(bits == 8)], ..Description::default() }
    }

    #[test]
    fn whole_numbers_fit_by_their_bits() {
        assert_eq!(bytes(&integer(8), &json!(-1)), Some(vec![255]));
        assert_eq!(bytes(&integer(8), &json!(255)), Some(vec![255]));
        assert_eq!(bytes(&integer(8), &json!("a")), Some(vec![b'a']));
        assert_eq!(bytes(&integer(8), &json!(256)), None);
        assert_eq!(bytes(&integer(32), &json!("0x10")), Some(vec![16, 0, 0, 0]));
        assert_eq!(bytes(&integer(64), &json!(u64::MAX)), Some(vec![255; 8]));
        assert_eq!(bytes(&integer(64), &json!(-9_223_372_036_854_775_808_i64)).map(|bytes| bytes[7]), Some(0x80));
        assert_eq!(bytes(&integer(128), &json!("-1")), Some(vec![255; 16]));
        assert_eq!((bytes(&integer(32), &json!(1.5)), bytes(&integer(32), &json!([1]))), (None, None));
    }

    #[test]
    fn floating_point_numbers_are_exact() {
        let floating = |bits: u64, value| {
            let size = if bits == 80 { 16 } else { bits / 8 };
            bytes(&Description { kind: FLOATING, size, more: [bits, 0, 0], ..Description::default() }, &value)
        };
        assert_eq!(floating(64, json!(-0.0)), Some((-0.0_f64).to_le_bytes().to_vec()));
        assert_eq!(floating(32, json!(0.1)), Some(0.1_f32.to_le_bytes().to_vec()));
        assert_eq!(floating(64, json!("-inf")), Some(f64::NEG_INFINITY.to_le_bytes().to_vec()));
        assert_eq!(floating(64, json!({"bits": "0x7ff8000000000001"})).map(|bytes| bytes[0]), Some(1));
        assert_eq!(floating(80, json!(1.0)), Some(vec![0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f]));
        assert_eq!(floating(80, json!(5e-324)).map(|bytes| bytes[7]), Some(0x80));
        assert_eq!(floating(64, json!("text")), None);
    }
}
