//! Values as cases write them, and what counts as the same.

use std::cmp::Ordering;

use serde_json::{Map, Value as Json, json};

use crate::types::{Kind, Record, Type};

/// A value of some [`Type`].
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A null pointer, an empty tree, or nothing in an optional.
    Null,
    /// A whole number, a character, or a truth value.
    Integer(i128),
    /// A number with a fraction.
    Real(f64),
    /// Bytes of a text.
    Text(Vec<u8>),
    /// What has parts: elements, fields, the keys and values of a map, a node of a tree with what is left and right of it.
    List(Vec<Value>),
}

/// How results are compared with what is expected.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Compare {
    /// Whether the outermost elements of a sequence may come in any order.
    pub is_unordered: bool,
    /// How far a number with a fraction may be off: by this, or by this share of it if that is more. Exact unless told.
    pub tolerance: f64,
}

impl Value {
    /// Reads a value of a type.
    pub fn read(json: &Json, of: &Type) -> Result<Self, String> {
        let refused = |what: &str| Err(format!("{json} is no {what}, as `{}` wants it", of.spelling));
        let list = |json: &Json, of: &Type| match json.as_array() {
            Some(all) => all.iter().map(|each| Value::read(each, of)).collect::<Result<_, _>>().map(Value::List),
            None => Err(format!("{json} is no list of `{}`", of.spelling)),
        };
        match &of.kind {
            Kind::Boolean => json.as_bool().map_or_else(|| refused("truth value"), |is| Ok(Self::Integer(is.into()))),
            Kind::Character => match (json.as_str().map(str::as_bytes), json.as_i64()) {
                (Some([byte]), _) => Ok(Self::Integer(i128::from(*byte as i8))),
                (_, Some(number @ -128..=127)) => Ok(Self::Integer(number.into())),
                _ => refused("character"),
            },
            Kind::Integer { bits, is_signed } => {
                let number = json.as_i64().map(i128::from).or(json.as_u64().map(i128::from));
                let (low, high) = match is_signed {
                    true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
                    false => (0, (1_i128 << bits) - 1),
                };
                match number.filter(|number| (low..=high).contains(number)) {
                    Some(number) => Ok(Self::Integer(number)),
                    None => refused("number in range"),
                }
            }
            Kind::Real { is_single } => {
                let number = match json.as_str() {
                    Some("nan") => f64::NAN,
                    Some("inf") => f64::INFINITY,
                    Some("-inf") => f64::NEG_INFINITY,
                    _ => match json.as_f64() {
                        Some(number) => number,
                        None => return refused("number"),
                    },
                };
                Ok(Self::Real(if *is_single { f64::from(number as f32) } else { number }))
            }
            Kind::Text if json.is_null() => Ok(Self::Null),
            Kind::Text | Kind::String => match json.as_str() {
                Some(text) if of.kind == Kind::Text && text.contains('\0') => refused("text without a zero byte"),
                Some(text) => Ok(Self::Text(text.as_bytes().to_owned())),
                None => refused("text"),
            },
            Kind::Record(record) => fields(json, record).map(Self::List),
            Kind::List(_) if json.is_null() => Ok(Self::List(Vec::new())),
            Kind::List(record) => match json.as_array() {
                Some(all) => all.iter().map(|each| node(each, record)).collect::<Result<_, _>>().map(Self::List),
                None => refused("list"),
            },
            Kind::Tree(_) if json.is_null() => Ok(Self::Null),
            Kind::Tree(record) => match json.as_array().map(Vec::as_slice) {
                Some([value, below @ ..]) if below.len() <= 2 => {
                    let child = |number: usize| below.get(number).map_or(Ok(Self::Null), |json| Self::read(json, of));
                    Ok(Self::List(vec![node(value, record)?, child(0)?, child(1)?]))
                }
                _ => refused("tree: [value, left, right]"),
            },
            Kind::Sequence(of) | Kind::Set(of) => list(json, of),
            Kind::Map(key, value) => match (json.as_array(), json.as_object()) {
                (Some(all), _) => {
                    all.iter().map(|each| pair(each, key, value)).collect::<Result<_, _>>().map(Self::List)
                }
                (_, Some(all)) if key.kind == Kind::String => all
                    .iter()
                    .map(|(name, to)| {
                        Ok(Self::List(vec![Self::Text(name.clone().into_bytes()), Self::read(to, value)?]))
                    })
                    .collect::<Result<_, _>>()
                    .map(Self::List),
                _ => refused("list of pairs"),
            },
            Kind::Pair(first, second) => pair(json, first, second),
            Kind::Optional(_) if json.is_null() => Ok(Self::Null),
            Kind::Optional(of) => Ok(Self::List(vec![Self::read(json, of)?])),
        }
    }

    /// Writes the value as cases write it.
    pub fn json(&self, of: &Type) -> Json {
        match (&of.kind, self) {
            (Kind::Boolean, Self::Integer(number @ 0..=1)) => json!(*number == 1),
            (Kind::Character, Self::Integer(number @ 32..=126)) => json!(char::from(*number as u8).to_string()),
            (_, Self::Integer(number)) => match i64::try_from(*number) {
                Ok(number) => json!(number),
                Err(_) => json!(u64::try_from(*number).unwrap_or_default()),
            },
            (_, Self::Real(number)) if number.is_finite() => json!(number),
            (_, Self::Real(number)) => json!(number.to_string().to_lowercase()),
            (_, Self::Text(bytes)) => json!(String::from_utf8_lossy(bytes)),
            (_, Self::Null) => Json::Null,
            (Kind::Record(record), Self::List(all)) => fields_json(all, record),
            (Kind::List(record), Self::List(all)) => all.iter().map(|each| node_json(each, record)).collect(),
            (Kind::Tree(record), Self::List(all)) => match all.as_slice() {
                [value, Self::Null, Self::Null] => json!([node_json(value, record)]),
                [value, left, Self::Null] => json!([node_json(value, record), left.json(of)]),
                [value, left, right] => json!([node_json(value, record), left.json(of), right.json(of)]),
                _ => Json::Null,
            },
            (Kind::Sequence(of) | Kind::Set(of), Self::List(all)) => all.iter().map(|each| each.json(of)).collect(),
            (Kind::Map(key, value), Self::List(all)) => all.iter().map(|each| pair_json(each, key, value)).collect(),
            (Kind::Pair(first, second), Self::List(_)) => pair_json(self, first, second),
            (Kind::Optional(of), Self::List(all)) => all.first().map_or(Json::Null, |value| value.json(of)),
            (_, Self::List(_)) => Json::Null,
        }
    }

    /// Whether it counts as what was expected.
    pub fn is_as(&self, expected: &Self, of: &Type, compare: Compare) -> bool {
        let is_sequence = matches!(of.kind, Kind::Sequence(_) | Kind::List(_));
        let is_unordered = compare.is_unordered && is_sequence;
        self.sorted(of, is_unordered).is_close(&expected.sorted(of, is_unordered), compare.tolerance)
    }

    /// It with the elements of what has no order of its own in one order.
    fn sorted(&self, of: &Type, is_unordered: bool) -> Self {
        let Self::List(all) = self else { return self.clone() };
        let each = |all: &[Self], of: &Type| all.iter().map(|each| each.sorted(of, false)).collect();
        let mut all: Vec<Self> = match &of.kind {
            Kind::Sequence(of) | Kind::Set(of) | Kind::Optional(of) => each(all, of),
            Kind::Map(_, value) => all.iter().map(|pair| pair.sorted_pair(value)).collect(),
            _ => all.clone(),
        };
        if is_unordered || matches!(of.kind, Kind::Set(_) | Kind::Map(..)) {
            all.sort_by(Self::order);
        }
        Self::List(all)
    }

    fn sorted_pair(&self, value: &Type) -> Self {
        match self {
            Self::List(both) if both.len() == 2 => Self::List(vec![both[0].clone(), both[1].sorted(value, false)]),
            other => other.clone(),
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        let rank = |value: &Self| match value {
            Self::Null => 0,
            Self::Integer(_) => 1,
            Self::Real(_) => 2,
            Self::Text(_) => 3,
            Self::List(_) => 4,
        };
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Real(a), Self::Real(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::List(a), Self::List(b)) => {
                let first = a.iter().zip(b).map(|(a, b)| a.order(b)).find(|order| order.is_ne());
                first.unwrap_or(a.len().cmp(&b.len()))
            }
            _ => rank(self).cmp(&rank(other)),
        }
    }

    fn is_close(&self, expected: &Self, tolerance: f64) -> bool {
        match (self, expected) {
            (Self::Real(got), Self::Real(expected)) => {
                got == expected
                    || got.is_nan() && expected.is_nan()
                    || (got - expected).abs() <= tolerance * expected.abs().max(1.0)
                        && (got - expected).is_finite()
                        && tolerance > 0.0
            }
            (Self::List(got), Self::List(expected)) => {
                got.len() == expected.len() && got.iter().zip(expected).all(|(a, b)| a.is_close(b, tolerance))
            }
            _ => self == expected,
        }
    }
}

/// The value of a node: that of its only field, or an object of all.
fn node(json: &Json, record: &Record) -> Result<Value, String> {
    match record.fields.as_slice() {
        [(_, of)] => Value::read(json, of),
        _ => fields(json, record).map(Value::List),
    }
}

fn node_json(value: &Value, record: &Record) -> Json {
    match (record.fields.as_slice(), value) {
        ([(_, of)], value) => value.json(of),
        (_, Value::List(all)) => fields_json(all, record),
        _ => Json::Null,
    }
}

fn fields(json: &Json, record: &Record) -> Result<Vec<Value>, String> {
    let names: Vec<&str> = record.fields.iter().map(|(name, _)| name.as_str()).collect();
    match json.as_object() {
        Some(all) if all.len() == names.len() && names.iter().all(|name| all.contains_key(*name)) => {
            record.fields.iter().map(|(name, of)| Value::read(&all[name], of)).collect()
        }
        _ => {
            Err(format!("{json} is no object with the fields {}, as `{}` has them", names.join(", "), record.spelling))
        }
    }
}

fn fields_json(all: &[Value], record: &Record) -> Json {
    let named = record.fields.iter().zip(all).map(|((name, of), value)| (name.clone(), value.json(of)));
    Json::Object(named.collect::<Map<_, _>>())
}

fn pair(json: &Json, first: &Type, second: &Type) -> Result<Value, String> {
    match json.as_array().map(Vec::as_slice) {
        Some([a, b]) => Ok(Value::List(vec![Value::read(a, first)?, Value::read(b, second)?])),
        _ => Err(format!("{json} is no list of two values")),
    }
}

fn pair_json(value: &Value, first: &Type, second: &Type) -> Json {
    match value {
        Value::List(both) if both.len() == 2 => json!([both[0].json(first), both[1].json(second)]),
        _ => Json::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, spelling: &str) -> Result<Value, String> {
        Value::read(&serde_json::from_str(text).unwrap(), &Type::read(spelling, &[]).unwrap())
    }

    fn is_as(got: &str, expected: &str, spelling: &str, compare: Compare) -> bool {
        let of = Type::read(spelling, &[]).unwrap();
        read(got, spelling).unwrap().is_as(&read(expected, spelling).unwrap(), &of, compare)
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (text, spelling) in [
            ("18446744073709551615", "size_t"),
            ("-9223372036854775808", "long"),
            ("true", "bool"),
            ("\"x\"", "char"),
            ("null", "char *"),
            ("\"nan\"", "double"),
            ("[[\"a\",[1,2]],[\"b\",[]]]", "std::map<std::string, std::vector<int>>"),
            ("[null,[3,0.5]]", "std::vector<std::optional<std::pair<int, double>>>"),
        ] {
            let of = Type::read(spelling, &[]).unwrap();
            assert_eq!(read(text, spelling).unwrap().json(&of).to_string(), text);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (text, spelling) in
            [("256", "uint8_t"), ("-1", "size_t"), ("1", "bool"), ("\"ab\"", "char"), ("1.5", "int")]
        {
            assert!(read(text, spelling).is_err(), "{text} as {spelling}");
        }
        assert!(read("\"a\\u0000b\"", "const char *").is_err() && read("\"a\\u0000b\"", "std::string").is_ok());
    }

    #[test]
    fn comparing_goes_by_what_was_said() {
        let (exact, loose) = (Compare::default(), Compare { tolerance: 1e-6, ..Compare::default() });
        let unordered = Compare { is_unordered: true, ..Compare::default() };
        assert!(
            is_as("[1,2]", "[1,2]", "std::vector<int>", exact) && !is_as("[2,1]", "[1,2]", "std::vector<int>", exact)
        );
        assert!(is_as("[2,1]", "[1,2]", "std::vector<int>", unordered));
        assert!(!is_as("[2,1,1]", "[1,2,2]", "std::vector<int>", unordered));
        assert!(!is_as("[[2,1]]", "[[1,2]]", "std::vector<std::vector<int>>", unordered));
        assert!(is_as("[2,1]", "[1,2]", "std::unordered_set<int>", exact));
        assert!(is_as("0.1000000001", "0.1", "double", loose) && !is_as("0.1000000001", "0.1", "double", exact));
        assert!(is_as("\"nan\"", "\"nan\"", "double", exact) && !is_as("\"inf\"", "1", "double", loose));
        assert!(!is_as("\"inf\"", "\"-inf\"", "double", loose) && is_as("\"inf\"", "\"inf\"", "double", loose));
    }
}
