//! What the harness told of a call, read: values with their types, and the objects that addresses lead to.
//!
//! The program under test may write into this output, so it is untrusted: it may be cut off anywhere, and nesting is
//! followed to a fixed depth only.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::SplitWhitespace;

use crate::plan::Plan;

/// How deep values are followed.
const DEEPEST: usize = 32;

/// What stands where no more is told, and for a function that was handed in.
pub(crate) const CUT_OFF: &str = "...";
pub(crate) const STUB: &str = "stub";

/// A value that was seen. Types are numbers of the plan's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A whole number, as its bits; without a type it is a byte.
    Number { type_: Option<u64>, bits: u128 },
    /// A floating-point number, as its bits.
    Real { type_: u64, bits: u64 },
    /// NaN.
    NotANumber,
    /// A null pointer.
    Null,
    /// An address: which object, and how many bytes from its start.
    Address { object: u64, offset: u64 },
    /// Text that is known to be text.
    Text(Vec<u8>),
    /// Values of one type.
    List { of: u64, values: Vec<Value> },
    /// The members of a struct, union or class.
    Record { type_: u64, values: Vec<Value> },
    /// What code of a class told of an object.
    Made { type_: u64, values: Vec<Value> },
    /// What an address of a constant leads to.
    Constant(Box<Value>),
    /// Anything else.
    Word(String, u64),
}

/// An object that addresses lead to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Object {
    /// Which variable of the unit it is.
    pub(crate) global: Option<u64>,
    pub(crate) values: Vec<Value>,
}

/// Everything that was seen at one time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scene {
    pub(crate) returned: Option<Value>,
    pub(crate) arguments: BTreeMap<u64, Value>,
    pub(crate) objects: BTreeMap<u64, Object>,
}

/// A line of what was told: what it is about, which of these, and values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) about: String,
    pub(crate) number: u64,
    pub(crate) values: Vec<Value>,
}

impl Line {
    /// Reads a line.
    pub(crate) fn read(line: &str, plan: &Plan) -> Self {
        let (label, rest) = line.split_once(':').unwrap_or((line, ""));
        let (about, number) = label.rsplit_once(' ').unwrap_or((label, ""));
        let mut tokens = Tokens { tokens: rest.split_whitespace().peekable(), plan };
        let values = tokens.values(None, 0);
        Self { about: about.trim().to_owned(), number: number.parse().unwrap_or_default(), values }
    }

    /// The object that it tells of.
    pub(crate) fn object(&self) -> Object {
        let mut object = Object::default();
        for value in &self.values {
            match value {
                Value::Word(word, number) if word == "=" => object.global = Some(*number),
                // How large it is, its elements tell.
                Value::Word(word, _) if word == "of" => {}
                value => object.values.push(value.clone()),
            }
        }
        object
    }
}

impl Scene {
    /// Everything that lines tell.
    pub(crate) fn read<'l>(lines: impl Iterator<Item = &'l str>, plan: &Plan) -> Self {
        let mut scene = Self::default();
        for line in lines {
            let line = Line::read(line, plan);
            match line.about.as_str() {
                "returned" => scene.returned = line.values.into_iter().next(),
                "argument" => scene.arguments.extend(line.values.into_iter().next().map(|value| (line.number, value))),
                "object" => {
                    scene.objects.insert(line.number, line.object());
                }
                _ => {}
            }
        }
        scene
    }
}

struct Tokens<'t> {
    tokens: Peekable<SplitWhitespace<'t>>,
    plan: &'t Plan,
}

impl Tokens<'_> {
    fn values(&mut self, until: Option<&str>, depth: usize) -> Vec<Value> {
        let mut values = Vec::new();
        while let Some(token) = self.tokens.peek().copied() {
            if Some(token) == until {
                self.tokens.next();
                break;
            }
            values.extend(self.value(depth));
        }
        values
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        let token = self.tokens.next()?;
        if let Some(number) = bits(token) {
            return Some(Value::Number { type_: None, bits: number.into() });
        }
        let (sign, rest) = token.split_at(token.chars().next().map_or(0, char::len_utf8));
        let number = rest.parse::<u64>().unwrap_or_default();
        let within = depth + 1;
        Some(match sign {
            ":" => self.typed(number),
            "{" | "[" | "<" if within > DEEPEST => Value::Word(token.to_owned(), 0),
            "{" => Value::Record { type_: number, values: self.values(Some("}"), within) },
            "[" => Value::List { of: number, values: self.values(Some("]"), within) },
            "<" => Value::Made { type_: number, values: self.values(Some(">"), within) },
            "=" => Value::Word("=".to_owned(), number),
            _ => self.word(token, depth),
        })
    }

    /// A value of a type.
    fn typed(&mut self, type_: u64) -> Value {
        let Some(token) = self.tokens.next() else { return Value::Word(CUT_OFF.to_owned(), 0) };
        if let Some(low) = bits(token) {
            let is_wide = self.plan.types.get(type_ as usize).is_some_and(|of| of.size > 8);
            let high = if is_wide { self.number().unwrap_or_default() } else { 0 };
            return Value::Number { type_: Some(type_), bits: u128::from(high) << 64 | u128::from(low) };
        }
        let number = self.number().unwrap_or_default();
        match token {
            "real" => Value::Real { type_, bits: number },
            "not-a-number" => Value::NotANumber,
            word => Value::Word(word.to_owned(), number),
        }
    }

    /// What begins with a word: words, and the number behind them.
    fn word(&mut self, first: &str, depth: usize) -> Value {
        let mut word = first.to_owned();
        if word == "?" || word == CUT_OFF {
            return Value::Word(word, 0);
        }
        while let Some(next) = self.tokens.peek().copied().filter(|next| next.starts_with(char::is_alphabetic)) {
            word = format!("{word} {next}");
            self.tokens.next();
        }
        let number = self.number().unwrap_or_default();
        match word.as_str() {
            "null" => Value::Null,
            "object" if self.tokens.peek() == Some(&"+") => {
                self.tokens.next();
                Value::Address { object: number, offset: self.number().unwrap_or_default() }
            }
            "text" | "bytes" => {
                let mut text = Vec::new();
                while let Some(byte) = self.number() {
                    text.push(byte as u8);
                }
                Value::Text(text)
            }
            // How many they are, they tell themselves.
            "elements" if self.tokens.peek().is_some_and(|next| next.starts_with('[')) => {
                self.value(depth).unwrap_or(Value::Word(word, number))
            }
            "constant" if depth < DEEPEST => match self.value(depth + 1) {
                Some(value) => Value::Constant(Box::new(value)),
                None => Value::Word(word, number),
            },
            _ => Value::Word(word, number),
        }
    }

    fn number(&mut self) -> Option<u64> {
        let number = self.tokens.peek().copied().and_then(bits)?;
        self.tokens.next();
        Some(number)
    }
}

/// The bits of a number, which is told as one with a sign.
fn bits(token: &str) -> Option<u64> {
    token.parse::<i64>().ok().map(|number| number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_with_what_belongs_to_them() {
        let line =
            Line::read("object 2: =1 of 16 [4 {3 :0  5 object 1 + 8 } {3 :0 untouched 0 null 0 } ]", &Plan::default());
        assert_eq!((line.about.as_str(), line.number), ("object", 2));
        let object = line.object();
        let first = [Value::Number { type_: Some(0), bits: 5 }, Value::Address { object: 1, offset: 8 }];
        let second = [Value::Word("untouched".to_owned(), 0), Value::Null];
        let records = [first, second].map(|values| Value::Record { type_: 3, values: values.to_vec() });
        assert_eq!(object, Object { global: Some(1), values: vec![Value::List { of: 4, values: records.to_vec() }] });
        let text = Line::read("argument 0: constant 0 :1 real 0 text 2  104  105 no text 7", &Plan::default()).values;
        let real = Value::Constant(Box::new(Value::Real { type_: 1, bits: 0 }));
        assert_eq!(text, [real, Value::Text(b"hi".to_vec()), Value::Word("no text".to_owned(), 7)]);
    }

    #[test]
    fn what_a_program_wrote_itself_is_read_as_far_as_it_goes() {
        for text in ["{1 ".repeat(100_000), "constant 0 ".repeat(100_000), "}} ] :".to_owned(), ": : :9".to_owned()] {
            Line::read(&format!("argument 0: {text}"), &Plan::default());
        }
    }
}
