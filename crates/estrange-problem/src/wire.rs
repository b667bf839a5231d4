//! What goes into the process that calls a function, and what comes out of it: arguments and results as bytes.

use crate::interface::{Interface, Parameter, Passing, Returned};
use crate::length::{Known, Length};
use crate::types::{Kind, Record, Type};
use crate::value::Value;

/// Marks a list that does not end, or a length that cannot be true.
pub(crate) const ENDLESS: u64 = u64::MAX;
/// No tree that is deeper is read.
const DEEPEST: usize = 4000;

/// The arguments of one call, one for each parameter; nothing where the function is to write the first value.
pub(crate) type Arguments = [Option<Value>];

/// What was seen after a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seen {
    /// What was returned.
    pub result: Option<Value>,
    /// What each parameter leads to, where that was asked for.
    pub outputs: Vec<Option<Value>>,
}

/// What can be known of lengths.
struct Lengths<'a> {
    arguments: &'a Arguments,
    seen: Option<&'a Seen>,
}

impl Known for Lengths<'_> {
    fn parameter(&self, number: usize) -> Option<u64> {
        let after = self.seen.and_then(|seen| seen.outputs.get(number)?.as_ref());
        natural(after.or(self.arguments.get(number)?.as_ref())?)
    }

    fn result(&self) -> Option<u64> {
        natural(self.seen?.result.as_ref()?)
    }
}

fn natural(value: &Value) -> Option<u64> {
    match value {
        Value::Integer(number) => u64::try_from(*number).ok(),
        _ => None,
    }
}

/// The bytes of a call's arguments, and of which outputs are wanted.
pub(crate) fn arguments(interface: &Interface, arguments: &Arguments, wanted: &[bool]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let lengths = Lengths { arguments, seen: None };
    for (parameter, argument) in interface.parameters.iter().zip(arguments) {
        let name = &parameter.name;
        let missing = || format!("there is no value for `{name}`");
        let length = |length: &Length| match length.value(&lengths) {
            Some(length) if length < 1 << 32 => Ok(length),
            _ => Err(format!("how long `{name}` is cannot be told")),
        };
        match &parameter.passing {
            Passing::Value(of) => put(&mut bytes, argument.as_ref().ok_or_else(missing)?, of),
            Passing::Cell(of) => {
                bytes.push(argument.is_some().into());
                if let Some(value) = argument {
                    put(&mut bytes, value, of);
                }
            }
            Passing::Buffer(room) => {
                let text = match argument {
                    Some(Value::Text(text)) => Some(text),
                    Some(_) => {
                        bytes.push(0);
                        continue;
                    }
                    None => None,
                };
                let room = match (room, text) {
                    (Some(room), text) => {
                        Some(length(room)?).filter(|room| text.is_none_or(|text| *room > text.len() as u64))
                    }
                    (None, Some(text)) => Some(text.len() as u64 + 1),
                    (None, None) => return Err(missing()),
                };
                let Some(room) = room else { return Err(format!("the text does not fit into `{name}`")) };
                bytes.push(1);
                whole(&mut bytes, room);
                bytes.push(text.is_some().into());
                text.into_iter().for_each(|text| put_text(&mut bytes, text));
            }
            Passing::Array(array) => {
                if argument == &Some(Value::Null) {
                    bytes.push(0);
                    continue;
                }
                let dimensions: Vec<u64> = array.dimensions.iter().map(length).collect::<Result<_, _>>()?;
                let room = dimensions.iter().try_fold(1_u64, |room, each| room.checked_mul(*each));
                let Some(room) = room.filter(|room| *room < 1 << 28) else {
                    return Err(format!("`{name}` is too long"));
                };
                let mut elements = Vec::new();
                if let Some(value) = argument {
                    flatten(value, &dimensions, &mut elements).map_err(|why| format!("`{name}`: {why}"))?;
                    if parameter.is_output && elements.len() as u64 <= room || elements.len() as u64 == room {
                    } else {
                        return Err(format!("`{name}` has {} elements, and is to have {room}", elements.len()));
                    }
                }
                bytes.push(1);
                whole(&mut bytes, dimensions[0]);
                whole(&mut bytes, dimensions[1..].iter().product());
                whole(&mut bytes, elements.len() as u64);
                elements.into_iter().for_each(|element| put(&mut bytes, element, &array.element));
            }
        }
    }
    bytes.extend(
        interface.parameters.iter().zip(wanted).filter(|(each, _)| each.is_output).map(|(_, is)| u8::from(*is)),
    );
    Ok(bytes)
}

/// The elements of lists in lists, in order. The inner ones are as long as is said; the first may be shorter.
fn flatten<'v>(value: &'v Value, dimensions: &[u64], into: &mut Vec<&'v Value>) -> Result<(), String> {
    let ([_, inner @ ..], Value::List(all)) = (dimensions, value) else {
        into.push(value);
        return Ok(());
    };
    for each in all {
        if let (Some(length), Value::List(row)) = (inner.first(), each)
            && row.len() as u64 != *length
        {
            return Err(format!("a row has {} elements, and is to have {length}", row.len()));
        }
        flatten(each, inner, into)?;
    }
    Ok(())
}

fn whole(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend(number.to_le_bytes());
}

fn put_text(bytes: &mut Vec<u8>, text: &[u8]) {
    whole(bytes, text.len() as u64);
    bytes.extend(text);
}

fn put(bytes: &mut Vec<u8>, value: &Value, of: &Type) {
    match (&of.kind, value) {
        (Kind::Optional(_) | Kind::Tree(_) | Kind::Text, Value::Null) => bytes.push(0),
        (Kind::Text, Value::Text(text)) => {
            bytes.push(1);
            put_text(bytes, text);
        }
        (Kind::Optional(of), Value::List(all)) => {
            bytes.push(1);
            all.iter().for_each(|each| put(bytes, each, of));
        }
        (Kind::Tree(record), Value::List(all)) => {
            bytes.push(1);
            if let [value, below @ ..] = all.as_slice() {
                put_node(bytes, value, record);
                below.iter().for_each(|each| put(bytes, each, of));
            }
        }
        (Kind::List(record), Value::List(all)) => {
            whole(bytes, all.len() as u64);
            all.iter().for_each(|each| put_node(bytes, each, record));
        }
        (Kind::Sequence(of) | Kind::Set(of), Value::List(all)) => {
            whole(bytes, all.len() as u64);
            all.iter().for_each(|each| put(bytes, each, of));
        }
        (Kind::Map(key, to), Value::List(all)) => {
            whole(bytes, all.len() as u64);
            all.iter().for_each(|each| put_pair(bytes, each, key, to));
        }
        (Kind::Pair(first, second), pair) => put_pair(bytes, pair, first, second),
        (Kind::Record(record), Value::List(all)) => put_fields(bytes, all, record),
        (_, Value::Integer(number)) => whole(bytes, *number as u64),
        (_, Value::Real(number)) => whole(bytes, number.to_bits()),
        (_, Value::Text(text)) => put_text(bytes, text),
        (_, Value::Null | Value::List(_)) => whole(bytes, 0),
    }
}

fn put_pair(bytes: &mut Vec<u8>, pair: &Value, first: &Type, second: &Type) {
    if let Value::List(both) = pair {
        both.iter().zip([first, second]).for_each(|(each, of)| put(bytes, each, of));
    }
}

fn put_node(bytes: &mut Vec<u8>, value: &Value, record: &Record) {
    match (record.fields.as_slice(), value) {
        ([(_, of)], value) => put(bytes, value, of),
        (_, Value::List(all)) => put_fields(bytes, all, record),
        _ => {}
    }
}

fn put_fields(bytes: &mut Vec<u8>, all: &[Value], record: &Record) {
    record.fields.iter().zip(all).for_each(|((_, of), value)| put(bytes, value, of));
}

/// Reads what was seen after a call. What is read was written by a process that is not trusted.
pub(crate) fn seen(interface: &Interface, call: &Arguments, wanted: &[bool], bytes: &[u8]) -> Result<Seen, String> {
    let mut reader = Reader { bytes };
    let result = match &interface.result {
        Returned::Nothing => None,
        Returned::Value(of) => Some(reader.value(of, 0)?),
        Returned::Array(of, _) => Some(match reader.byte()? {
            0 => Value::Null,
            _ => reader.list(|reader| reader.value(of, 0))?,
        }),
    };
    let mut seen = Seen { result, outputs: vec![None; interface.parameters.len()] };
    for (number, parameter) in interface.parameters.iter().enumerate() {
        if parameter.is_output && wanted[number] {
            seen.outputs[number] = Some(reader.output(parameter)?);
        }
    }
    if !reader.bytes.is_empty() {
        return Err("more was told than there is".to_owned());
    }
    shape_arrays(interface, call, &mut seen)?;
    Ok(seen)
}

/// Cuts arrays to what was written of them, and divides them into rows.
fn shape_arrays(interface: &Interface, call: &Arguments, seen: &mut Seen) -> Result<(), String> {
    let mut shaped = Vec::new();
    let lengths = Lengths { arguments: call, seen: Some(seen) };
    for (number, parameter) in interface.parameters.iter().enumerate() {
        let (Passing::Array(array), Some(Value::List(all))) = (&parameter.passing, &seen.outputs[number]) else {
            continue;
        };
        let filled = match &array.filled {
            None => all.len() as u64,
            Some(filled) => filled.value(&lengths).unwrap_or(ENDLESS),
        };
        let Some(kept) = usize::try_from(filled).ok().and_then(|filled| all.get(..filled)) else {
            return Err(format!(
                "the function says that it has written more to `{}` than there is room for",
                parameter.name
            ));
        };
        let before = Lengths { arguments: call, seen: None };
        let inner: Option<Vec<usize>> =
            array.dimensions[1..].iter().map(|each| each.value(&before)?.try_into().ok()).collect();
        let rows = inner.unwrap_or_default().into_iter().rev().fold(kept.to_vec(), |all, length| {
            all.chunks(length.max(1)).map(|row| Value::List(row.to_vec())).collect()
        });
        shaped.push((number, Value::List(rows)));
    }
    for (number, value) in shaped {
        seen.outputs[number] = Some(value);
    }
    Ok(())
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take(&mut self, count: u64) -> Result<&[u8], String> {
        let split = usize::try_from(count).ok().and_then(|count| self.bytes.split_at_checked(count));
        let (taken, rest) = split.ok_or("what was told breaks off")?;
        self.bytes = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    fn whole(&mut self) -> Result<u64, String> {
        let mut number = [0; 8];
        number.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(number))
    }

    fn list(&mut self, mut each: impl FnMut(&mut Self) -> Result<Value, String>) -> Result<Value, String> {
        let count = self.whole()?;
        if count == ENDLESS {
            return Err("a list that is returned has no end, or is too long".to_owned());
        }
        // Each element takes a byte at least.
        if count > self.bytes.len() as u64 {
            return Err("what was told breaks off".to_owned());
        }
        (0..count).map(|_| each(self)).collect::<Result<_, _>>().map(Value::List)
    }

    fn text(&mut self) -> Result<Value, String> {
        let count = self.whole()?;
        Ok(Value::Text(self.take(count)?.to_vec()))
    }

    fn value(&mut self, of: &Type, depth: usize) -> Result<Value, String> {
        Ok(match &of.kind {
            Kind::Boolean | Kind::Character => Value::Integer((self.whole()? as i64).into()),
            Kind::Integer { is_signed: true, .. } => Value::Integer((self.whole()? as i64).into()),
            Kind::Integer { is_signed: false, .. } => Value::Integer(self.whole()?.into()),
            Kind::Real { .. } => Value::Real(f64::from_bits(self.whole()?)),
            Kind::Text if self.byte()? == 0 => Value::Null,
            Kind::Text | Kind::String => self.text()?,
            Kind::Record(record) => Value::List(self.fields(record)?),
            Kind::List(record) => self.list(|reader| reader.node(record))?,
            Kind::Tree(_) if depth > DEEPEST => return Err("a tree that is returned is too deep".to_owned()),
            Kind::Tree(record) => match self.byte()? {
                0 => Value::Null,
                2 => return Err("a tree that is returned is too large, or leads back to itself".to_owned()),
                _ => Value::List(vec![self.node(record)?, self.value(of, depth + 1)?, self.value(of, depth + 1)?]),
            },
            Kind::Sequence(of) | Kind::Set(of) => self.list(|reader| reader.value(of, depth))?,
            Kind::Map(key, to) => {
                self.list(|reader| Ok(Value::List(vec![reader.value(key, depth)?, reader.value(to, depth)?])))?
            }
            Kind::Pair(first, second) => Value::List(vec![self.value(first, depth)?, self.value(second, depth)?]),
            Kind::Optional(of) => match self.byte()? {
                0 => Value::Null,
                _ => Value::List(vec![self.value(of, depth)?]),
            },
        })
    }

    fn node(&mut self, record: &Record) -> Result<Value, String> {
        match record.fields.as_slice() {
            [(_, of)] => self.value(of, 0),
            _ => self.fields(record).map(Value::List),
        }
    }

    fn fields(&mut self, record: &Record) -> Result<Vec<Value>, String> {
        record.fields.iter().map(|(_, of)| self.value(of, 0)).collect()
    }

    fn output(&mut self, parameter: &Parameter) -> Result<Value, String> {
        match &parameter.passing {
            Passing::Value(of) | Passing::Cell(of) => self.value(of, 0),
            Passing::Buffer(_) => match self.byte()? {
                0 => Ok(Value::Null),
                _ => self.text(),
            },
            Passing::Array(array) => match self.byte()? {
                0 => Ok(Value::Null),
                _ => self.list(|reader| reader.value(&array.element, 0)),
            },
        }
    }
}
