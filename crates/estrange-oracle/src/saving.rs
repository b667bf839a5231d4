//! An input that was drawn, written by its values: out of what the harness tells of it.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use crate::input::{Input, digits, key, written};
use crate::plan::{
    ARRAY, BOOLEAN, Description, ENUMERATION, FLOATING, FUNCTION, INTEGER, MADE, POINTER, Plan, RECORD, SEQUENCE,
    STREAM, STRING, VIEW,
};
use crate::reading::{Line, Object, STUB, Scene, Value};
use crate::spelling::{is_text, is_zero, text_of};

/// An input by its values; none if it has something that cannot be written so.
pub(crate) fn saved(plan: &Plan, told: &str) -> Option<Input> {
    let (given, after) = told.split_once("\n== after").unwrap_or((told, ""));
    let mut scene = Scene::read(given.lines(), plan);
    // What is told later of an object is what it has become, but for those that were made later.
    for (number, object) in Scene::read(after.lines(), plan).objects {
        scene.objects.entry(number).or_insert(object);
    }
    let mut saving = Saving { plan, scene: &scene, many: BTreeSet::new(), input: Input::empty(), open: Vec::new() };
    saving.count();
    saving.input.about = Some(Json::from("found by a search"));
    let mut arguments = Map::new();
    for (number, type_) in plan.parameters.iter().enumerate() {
        let value = scene.arguments.get(&(number as u64))?;
        let name = plan.legend.parameters.get(number).map_or("", String::as_str);
        arguments.insert(key(number, name), saving.value(*type_, value)?);
    }
    saving.input.arguments = Some(Json::Object(arguments));
    for object in scene.objects.values() {
        let Some(number) = object.global else { continue };
        let name = plan.global_names.get(number as usize).map_or("", String::as_str);
        let type_ = *plan.globals.get(number as usize)?;
        let value = match object.values.as_slice() {
            [Value::List { values, .. }] => values.first(),
            values => values.first(),
        };
        if let Some(value) = value.and_then(|value| saving.kept(type_, value)) {
            saving.input.globals.insert(key(number as usize, name), value);
        }
    }
    saving.lines(given.lines())?;
    saving.answers(after.lines())?;
    Some(saving.input)
}

struct Saving<'a> {
    plan: &'a Plan,
    scene: &'a Scene,
    /// Objects that more than one pointer leads to.
    many: BTreeSet<u64>,
    input: Input,
    /// The objects that are just being written.
    open: Vec<u64>,
}

impl Saving<'_> {
    fn type_(&self, number: u64) -> Description {
        self.plan.types.get(number as usize).copied().unwrap_or_default()
    }

    /// Counts the pointers to each object.
    fn count(&mut self) {
        let mut found = Vec::new();
        let scene = self.scene;
        scene.arguments.values().for_each(|value| addresses(value, &mut found));
        scene.objects.values().flat_map(|object| &object.values).for_each(|value| addresses(value, &mut found));
        let mut seen = BTreeSet::new();
        self.many.extend(found.into_iter().filter(|object| !seen.insert(*object)));
    }

    /// What the harness tells before the call besides values.
    fn lines<'l>(&mut self, lines: impl Iterator<Item = &'l str>) -> Option<()> {
        for line in lines {
            let line = Line::read(line, self.plan);
            match line.about.as_str() {
                "content" => self.input.streams.push(written(text(&line)?)),
                "calls" => self.input.calls = number(&line).map(|calls| calls as u32),
                _ => {}
            }
        }
        Some(())
    }

    /// What is answered while the function runs.
    fn answers<'l>(&mut self, lines: impl Iterator<Item = &'l str>) -> Option<()> {
        let mut asked: Option<(u64, Map<String, Json>)> = None;
        let mut variable = None;
        let mut is_content = false;
        for line in lines {
            let line = Line::read(line, self.plan);
            let number = || number(&line);
            match line.about.as_str() {
                "asked" => {
                    self.answered(asked.take(), None);
                    asked = Some((number()? + (line.number << 32), Map::new()));
                }
                "written" => {
                    let writes = &mut asked.as_mut()?.1;
                    writes.insert(line.number.to_string(), json!({ "bytes": digits(text(&line)?) }));
                }
                "answer" if line.number == 0 => {
                    let value = line.values.first()?;
                    let stub = asked.as_ref()?.0;
                    let result = self.type_(self.stub_type(stub)?).more[0];
                    let value = self.value(result, value)?;
                    self.answered(asked.take(), Some(value));
                }
                "variable" => variable = Some(String::from_utf8(text(&line)?.to_vec()).ok()?),
                "value" => {
                    self.input.environment.insert(variable.take()?, written(text(&line)?));
                }
                "missing" => self.input.missing.push(number()?),
                "move" => {
                    self.input.descriptors.push(json!(number()? as i64));
                    is_content = true;
                    continue;
                }
                "bytes" if is_content => *self.input.descriptors.last_mut()? = written(text(&line)?),
                // Where a function moved a pointer to, or what class it returned.
                "moved" | "answer" => return None,
                _ => {}
            }
            is_content = false;
        }
        self.answered(asked.take(), None);
        Some(())
    }

    fn answered(&mut self, asked: Option<(u64, Map<String, Json>)>, returned: Option<Json>) {
        let Some((stub, writes)) = asked else { return };
        let answers = self.input.functions.entry(stub_name(stub)).or_default();
        answers.push(match writes.is_empty() {
            true => returned.unwrap_or(Json::Null),
            false => json!({ "returns": returned, "writes": writes }),
        });
    }

    /// The type of a function that is handed in, by the pointers to it.
    fn stub_type(&self, stub: u64) -> Option<u64> {
        let all = || self.scene.objects.values().flat_map(|object| &object.values);
        let plan = self.plan;
        let mut found = None;
        for (number, value) in &self.scene.arguments {
            let type_ = *plan.parameters.get(*number as usize)?;
            stubs(plan, type_, value, &mut |type_, number| {
                if number == stub && found.is_none() {
                    found = Some(type_);
                }
            });
        }
        for value in all() {
            stubs(plan, u64::MAX, value, &mut |type_, number| {
                if number == stub && found.is_none() {
                    found = Some(type_);
                }
            });
        }
        found
    }

    /// A value of a variable of the unit; what cannot be written stays as the unit has it.
    fn kept(&mut self, type_: u64, value: &Value) -> Option<Json> {
        match (self.type_(type_).kind, value) {
            (RECORD, Value::Record { values, .. }) if self.type_(type_).more[2] == 0 => {
                let mut map = Map::new();
                for (number, value) in values.iter().enumerate() {
                    let of = self.field_type(type_, number)?;
                    if let Some(value) = self.kept(of, value) {
                        map.insert(key(number, self.plan.field(type_, number).map_or("", String::as_str)), value);
                    }
                }
                Some(Json::Object(map))
            }
            _ => self.value(type_, value),
        }
    }

    fn field_type(&self, type_: u64, number: usize) -> Option<u64> {
        let described = self.type_(type_);
        let at = described.more[0] as usize + number;
        (number < described.more[1] as usize).then(|| self.plan.fields.get(at).map(|field| field[1]))?
    }

    fn value(&mut self, type_: u64, value: &Value) -> Option<Json> {
        let described = self.type_(type_);
        Some(match (described.kind, value) {
            (BOOLEAN | INTEGER | ENUMERATION | FLOATING, value) => single(&described, value)?,
            (POINTER, value) => self.pointer(&described, value)?,
            (ARRAY, Value::List { values, .. }) => self.list(described.more[0], values, Some(described.more[1]))?,
            (RECORD, Value::Record { values, .. }) if described.more[2] != 0 => self.bytes(values)?,
            (RECORD, Value::Record { values, .. }) => {
                let mut map = Map::new();
                for (number, value) in values.iter().enumerate() {
                    let name = self.plan.field(type_, number).map_or("", String::as_str);
                    let of = self.field_type(type_, number)?;
                    if !is_zero(value) {
                        map.insert(key(number, name), self.value(of, value)?);
                    }
                }
                Json::Object(map)
            }
            (STRING | VIEW, Value::Text(bytes)) => written(bytes),
            (SEQUENCE, Value::List { values, .. }) => {
                let all: Option<Vec<Json>> = values.iter().map(|value| self.value(described.more[0], value)).collect();
                Json::Array(all?)
            }
            (MADE, Value::Made { values, .. }) => self.container(&described, values.get(1..)?)?,
            _ => return None,
        })
    }

    /// The elements of a container, or the text of a stream.
    fn container(&mut self, described: &Description, values: &[Value]) -> Option<Json> {
        if let Some(Value::Text(bytes)) = values.first() {
            return Some(written(bytes)).filter(|text| text.is_string());
        }
        let [first, second, _] = described.more;
        if first == 0 {
            return None;
        }
        let mut all = Vec::new();
        for both in values.chunks(if second == 0 { 1 } else { 2 }) {
            let one = self.value(first - 1, both.first()?)?;
            all.push(match second {
                0 => one,
                _ => json!([one, self.value(second - 1, both.get(1)?)?]),
            });
        }
        Some(Json::Array(all))
    }

    /// Bytes of no type, with the pointers among them.
    fn bytes(&mut self, values: &[Value]) -> Option<Json> {
        let (mut bytes, mut pointers) = (Vec::new(), Map::new());
        let nothing = Description { kind: POINTER, size: 8, more: [u64::MAX, 0, 0], ..Description::default() };
        for value in values {
            match value {
                Value::Number { type_: None, bits } => bytes.push(*bits as u8),
                Value::Address { .. } => {
                    pointers.insert(bytes.len().to_string(), self.pointer(&nothing, value)?);
                    bytes.extend([0; 8]);
                }
                _ => return None,
            }
        }
        Some(match pointers.is_empty() {
            true => json!({ "bytes": digits(&bytes) }),
            false => json!({ "bytes": digits(&bytes), "pointers": pointers }),
        })
    }

    fn pointer(&mut self, described: &Description, value: &Value) -> Option<Json> {
        let to = described.more[0];
        Some(match value {
            Value::Null => Json::Null,
            Value::Word(word, number) => match (word.as_str(), self.type_(to).kind) {
                (STUB, FUNCTION) => {
                    let is_real = self.type_(self.type_(to).more[0]).kind == FLOATING;
                    let name = stub_name(*number + (u64::from(is_real) << 32));
                    self.input.functions.entry(name.clone()).or_default();
                    json!({ "function": name })
                }
                ("function", FUNCTION) => json!({ "unit-function": number }),
                ("stream", STREAM) => json!({ "stream": number }),
                ("untouched", _) => Json::Null,
                _ => return None,
            },
            Value::Address { object: number, offset } => {
                let object = self.scene.objects.get(number)?;
                if let Some(global) = object.global {
                    return Some(json!({ "global": global, "offset": offset }));
                }
                let name = format!("object-{number}");
                let is_shared = self.many.contains(number) || *offset > 0 || self.open.contains(number);
                match is_shared {
                    false => {
                        self.open.push(*number);
                        let value = self.object(to, object);
                        self.open.pop();
                        value?
                    }
                    true => {
                        if !self.input.objects.contains_key(&name) {
                            // Its place is taken before what it leads to.
                            self.input.objects.insert(name.clone(), Json::Null);
                            let value = self.object(to, object)?;
                            self.input.objects.insert(name.clone(), value);
                        }
                        match offset {
                            0 => json!({ "object": name }),
                            offset => json!({ "object": name, "offset": offset }),
                        }
                    }
                }
            }
            _ => return None,
        })
    }

    /// An object that a pointer to a type leads to.
    fn object(&mut self, to: u64, object: &Object) -> Option<Json> {
        let Some(Value::List { of, values }) = object.values.first() else {
            return match object.values.as_slice() {
                // A struct that ends with an array.
                [Value::Record { type_, .. }, Value::List { of, values }] if *type_ == to => {
                    let head = self.value(to, &object.values[0])?;
                    let behind: Option<Vec<Json>> = values.iter().map(|value| self.value(*of, value)).collect();
                    Some(json!({ "to": head, "behind": behind? }))
                }
                values => self.bytes(values),
            };
        };
        if object.values.len() > 1 {
            return None;
        }
        if *of == to {
            return self.list(to, values, None);
        }
        let at = self.type_(to).wider.checked_sub(1).map(|at| at as usize);
        let wider = at.and_then(|at| self.plan.values.get(at + 1..at + 1 + *self.plan.values.get(at)? as usize));
        match wider.and_then(|wider| wider.iter().position(|wider| wider == of)) {
            Some(number) => Some(json!({ "as": number, "to": self.list(*of, values, None)? })),
            None => None,
        }
    }

    /// Values of one type: a text where they are one, and a list without the zeros at its end.
    fn list(&mut self, of: u64, values: &[Value], fixed: Option<u64>) -> Option<Json> {
        if is_text(self.plan, of)
            && let Some(bytes) = text_of(values)
        {
            return Some(as_text(&bytes, fixed.is_some()));
        }
        let size = self.type_(of).size;
        let length = values.iter().rposition(|value| !is_zero(value)).map_or(0, |last| last + 1);
        let length = if fixed.is_some() { length } else { length.max(1).min(values.len()) };
        let is_plain = matches!(self.type_(of).kind, BOOLEAN | INTEGER | ENUMERATION | FLOATING | POINTER);
        // What is not said of other elements is not zero.
        let length = if is_plain { length } else { values.len() };
        let each: Option<Vec<Json>> = values[..length].iter().map(|value| self.value(of, value)).collect();
        let each = Json::Array(each?);
        Some(match fixed.is_some() || length == values.len() {
            true => each,
            false => json!({ "to": each, "size": size * values.len() as u64 }),
        })
    }
}

/// Letters as a text with its end, or with more room behind it.
fn as_text(bytes: &[u8], is_fixed: bool) -> Json {
    let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let content = written(&bytes[..length]);
    if is_fixed && content.is_string() {
        return content;
    }
    match content.is_string() && length + 1 == bytes.len() {
        true => content,
        false if content.is_string() => json!({ "to": content, "size": bytes.len() }),
        false => json!({ "bytes": digits(bytes) }),
    }
}

/// A single value.
fn single(described: &Description, value: &Value) -> Option<Json> {
    Some(match value {
        Value::Number { bits, .. } if described.size > 8 => Json::from(format!("{bits:#x}")),
        Value::Number { bits, .. } => {
            let width = (described.size * 8).clamp(1, 64) as u32;
            let is_signed = described.kind == ENUMERATION || described.more[1] != 0;
            match described.kind {
                BOOLEAN if *bits < 2 => Json::from(*bits == 1),
                INTEGER | ENUMERATION if is_signed => {
                    Json::from((((*bits as u64) << (64 - width)) as i64) >> (64 - width))
                }
                _ => Json::from(*bits as u64),
            }
        }
        Value::Real { bits, .. } => {
            let wide = match described.more[0] {
                32 => f64::from(f32::from_bits(*bits as u32)),
                _ => f64::from_bits(*bits),
            };
            match (wide.is_infinite(), wide > 0.0) {
                (true, true) => Json::from("inf"),
                (true, false) => Json::from("-inf"),
                _ => Json::from(wide),
            }
        }
        Value::NotANumber => Json::from("nan"),
        Value::Word(word, _) if word == "untouched" => Json::from(0),
        _ => return None,
    })
}

/// The text that a line tells.
fn text(line: &Line) -> Option<&[u8]> {
    match line.values.first() {
        Some(Value::Text(bytes)) => Some(bytes),
        _ => None,
    }
}

/// What a function that is handed in is called.
fn stub_name(stub: u64) -> String {
    let kind = if stub >> 32 == 0 { "function" } else { "real-function" };
    format!("{kind}-{}", stub & 0xffff_ffff)
}

/// The objects that a value leads to.
fn addresses(value: &Value, found: &mut Vec<u64>) {
    match value {
        Value::Address { object, .. } => found.push(*object),
        Value::List { values, .. } | Value::Record { values, .. } | Value::Made { values, .. } => {
            values.iter().for_each(|value| addresses(value, found));
        }
        _ => {}
    }
}

/// The functions that are handed in with a value, with their types.
fn stubs(plan: &Plan, type_: u64, value: &Value, found: &mut impl FnMut(u64, u64)) {
    let described = plan.types.get(type_ as usize).copied().unwrap_or_default();
    match value {
        Value::Word(word, number) if word == STUB && described.kind == POINTER => {
            let result = plan.types.get(described.more[0] as usize).copied().unwrap_or_default().more[0];
            let is_real = plan.types.get(result as usize).is_some_and(|result| result.kind == FLOATING);
            found(described.more[0], *number + (u64::from(is_real) << 32));
        }
        Value::List { of, values } => values.iter().for_each(|value| stubs(plan, *of, value, found)),
        Value::Record { type_, values } => {
            let at = plan.types.get(*type_ as usize).map_or(0, |type_| type_.more[0]) as usize;
            for (number, value) in values.iter().enumerate() {
                if let Some(field) = plan.fields.get(at + number) {
                    stubs(plan, field[1], value, found);
                }
            }
        }
        _ => {}
    }
}

/// The number that a line has.
fn number(line: &Line) -> Option<u64> {
    match line.values.first() {
        Some(Value::Number { bits, .. }) => Some(*bits as u64),
        _ => None,
    }
}
