//! An input as code that can be pasted: what it needs, and the call.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::plan::{FUNCTION, NEVER_NULL, POINTER, Plan, RECORD};
use crate::reading::{CUT_OFF, Object, STUB, Scene, Value};
use crate::spelling::{is_text, is_zero, literal, spelled, text_literal, text_of};

/// So many calls in a row are written one by one.
const FEW: usize = 3;

/// The call of a function on an input, as code of the unit's language, so many times.
pub(crate) fn paste(plan: &Plan, scene: &Scene, times: usize) -> String {
    let mut paste = Paste { plan, scene, names: BTreeMap::new(), late: Vec::new(), declared: BTreeSet::new() };
    paste.name_objects();
    let mut text = String::new();
    let values = || scene.arguments.values().chain(scene.objects.values().flat_map(|object| &object.values));
    if values().any(|value| has_word(value, STUB)) {
        text.push_str("/* function_0 and the like are functions that answer anything */\n");
    }
    if values().any(|value| has_word(value, CUT_OFF)) {
        text.push_str("/* there is more in memory than is told */\n");
    }
    for number in paste.reached().into_iter().rev() {
        let Some(object) = scene.objects.get(&number).filter(|object| object.global.is_none()) else { continue };
        paste.declare(&mut text, number, object);
        paste.declared.insert(number);
    }
    let mut handed = Vec::new();
    for (number, type_) in plan.parameters.iter().enumerate() {
        let value = scene.arguments.get(&(number as u64));
        handed.push(paste.argument(&mut text, number, *type_, value));
    }
    for line in std::mem::take(&mut paste.late) {
        let _ = writeln!(text, "{line}");
    }
    for object in scene.objects.values().filter(|object| object.global.is_some()) {
        paste.set_global(&mut text, object);
    }
    let call = plan.legend.call(&handed);
    let _ = match times {
        0..=FEW => (0..times).try_for_each(|_| writeln!(text, "{call};")),
        _ => writeln!(text, "for (int call = 0; call < {times}; call++)\n    {call};"),
    };
    text
}

struct Paste<'a> {
    plan: &'a Plan,
    scene: &'a Scene,
    /// The variables that stand for objects.
    names: BTreeMap<u64, String>,
    /// What can be said only when all variables are there.
    late: Vec<String>,
    declared: BTreeSet<u64>,
}

/// How many values of a variable of the unit are set.
const MOST_SET: usize = 16;

impl Paste<'_> {
    /// Objects are called as the parameters that lead to them, or by their number.
    fn name_objects(&mut self) {
        let Scene { arguments, objects, .. } = self.scene;
        for (number, object) in objects {
            let global = object.global.and_then(|global| self.plan.global_names.get(global as usize));
            self.names.insert(*number, global.cloned().unwrap_or_else(|| format!("object_{number}")));
        }
        let mut taken = BTreeSet::new();
        for (number, value) in arguments {
            let Value::Address { object, .. } = value else { continue };
            let is_free = objects.get(object).is_some_and(|object| object.global.is_none()) && taken.insert(*object);
            if is_free {
                self.names.insert(*object, self.plan.legend.parameter(*number as usize));
            }
        }
    }

    /// The objects that arguments and variables lead to.
    fn reached(&self) -> BTreeSet<u64> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<u64> = Vec::new();
        self.scene.arguments.values().for_each(|value| addresses(value, &mut open));
        open.extend(self.scene.objects.iter().filter(|(_, object)| object.global.is_some()).map(|(number, _)| *number));
        while let Some(number) = open.pop() {
            let Some(object) = self.scene.objects.get(&number).filter(|_| reached.insert(number)) else { continue };
            object.values.iter().for_each(|value| addresses(value, &mut open));
        }
        reached
    }

    fn name(&self, object: u64) -> String {
        self.names.get(&object).cloned().unwrap_or_else(|| format!("object_{object}"))
    }

    /// A variable for an object.
    fn declare(&mut self, text: &mut String, number: u64, object: &Object) {
        let name = self.name(number);
        let line = match object.values.as_slice() {
            [Value::List { of, values }, ..] if is_alone(self.plan, object) => {
                let value = values.first().map(|value| self.value(value, &name)).unwrap_or_default();
                format!("{} = {value};", spelled(self.plan, *of, &name))
            }
            [Value::List { of, values }, ..] => {
                let declared = spelled(self.plan, *of, &format!("{name}[{}]", values.len().max(1)));
                format!("{declared} = {};", self.elements(*of, values, &name))
            }
            [Value::Record { type_, .. }, ..] => {
                let value = self.value(&object.values[0], &name);
                format!("{} = {value}; /* and what follows it */", spelled(self.plan, *type_, &name))
            }
            [] => format!("/* {name} is gone */"),
            // Of no type that is known.
            values => match text_of(values) {
                Some(bytes) => format!("char {name}[{}] = {};", bytes.len().max(1), text_literal(&bytes)),
                None => format!("char {name}[64]; /* of no type that is known */"),
            },
        };
        let _ = writeln!(text, "{line}");
    }

    /// What is handed over for a parameter, after a variable for it where one is needed.
    fn argument(&mut self, text: &mut String, number: usize, type_: u64, value: Option<&Value>) -> String {
        let name = self.plan.legend.parameter(number);
        let Some(value) = value else { return format!("/* {name} */") };
        let described = self.plan.types.get(type_ as usize).copied().unwrap_or_default();
        match value {
            Value::Address { object, offset } if described.kind == POINTER && described.last == NEVER_NULL => {
                let is_whole = self.scene.objects.get(object).is_some_and(|object| is_alone(self.plan, object));
                match (is_whole, offset) {
                    (true, 0) => self.name(*object),
                    _ => format!("*({})", self.address(*object, *offset)),
                }
            }
            Value::Address { object, offset } => self.address(*object, *offset),
            // Its type may take more than one line to write.
            Value::Null if self.is_function(described.more[0]) => format!("/* {name} */ 0"),
            Value::Word(..) | Value::Constant(_) => self.value(value, &name),
            value => {
                let value = self.value(value, &name);
                let _ = writeln!(text, "{} = {value};", spelled(self.plan, type_, &name));
                name
            }
        }
    }

    fn is_function(&self, type_: u64) -> bool {
        self.plan.types.get(type_ as usize).is_none_or(|type_| type_.kind == FUNCTION)
    }

    /// A variable of the unit is set, as far as that takes few lines.
    fn set_global(&self, text: &mut String, object: &Object) {
        let Some(name) = object.global.and_then(|global| self.plan.global_names.get(global as usize)) else { return };
        let mut places = Vec::new();
        for value in &object.values {
            match value {
                Value::List { values, .. } if values.len() == 1 => leaves(self.plan, &values[0], name, &mut places),
                value => leaves(self.plan, value, name, &mut places),
            }
        }
        places.retain(|(_, value)| !is_zero(value));
        let left = places.len().saturating_sub(MOST_SET);
        for (place, value) in places.into_iter().take(MOST_SET) {
            let value = match value {
                Value::Address { object, offset } => self.address(*object, *offset),
                value => literal(self.plan, value).unwrap_or_else(|| "0".to_owned()),
            };
            let _ = writeln!(text, "{place} = {value};");
        }
        if left > 0 {
            let _ = writeln!(text, "/* and {left} more values of {name} */");
        }
    }

    /// A value as it is written where a variable is declared; `place` is where it will stand.
    fn value(&mut self, value: &Value, place: &str) -> String {
        match value {
            Value::Address { object, offset } => {
                let is_global = self.scene.objects.get(object).is_some_and(|object| object.global.is_some());
                if is_global || self.declared.contains(object) {
                    return self.address(*object, *offset);
                }
                self.late.push(format!("{place} = {};", self.address(*object, *offset)));
                "0".to_owned()
            }
            Value::List { of, values } => self.elements(*of, values, place),
            Value::Record { type_, values } => format!("{{{}}}", self.members(*type_, values, place).join(", ")),
            value => literal(self.plan, value).unwrap_or_else(|| "{}".to_owned()),
        }
    }

    fn elements(&mut self, of: u64, values: &[Value], place: &str) -> String {
        if let Some(bytes) = text_of(values).filter(|_| is_text(self.plan, of)) {
            return text_literal(&bytes);
        }
        let length = values.iter().rposition(|value| !is_zero(value)).map_or(0, |last| last + 1);
        let each: Vec<String> =
            (0..length).map(|index| self.value(&values[index], &format!("{place}[{index}]"))).collect();
        if values.is_empty() {
            return "{}".to_owned();
        }
        if each.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", each.join(", ")) }
    }

    fn members(&mut self, type_: u64, values: &[Value], place: &str) -> Vec<String> {
        if is_union(self.plan, type_) {
            let bytes: Vec<String> = text_of(values).unwrap_or_default().iter().map(u8::to_string).collect();
            return vec![format!("/* the bytes {} */ 0", bytes.join(" "))];
        }
        let mut members = Vec::new();
        for (number, value) in values.iter().enumerate().filter(|(_, value)| !is_zero(value)) {
            match (self.plan.field(type_, number), value) {
                (Some(name), value) => {
                    members.push(format!(".{name} = {}", self.value(value, &format!("{place}.{name}"))));
                }
                // The members of one without a name are members of what it stands in.
                (None, Value::Record { type_, values }) => members.extend(self.members(*type_, values, place)),
                (None, _) => {}
            }
        }
        if members.is_empty() { vec!["0".to_owned()] } else { members }
    }

    /// An address of something in an object.
    fn address(&self, object: u64, offset: u64) -> String {
        let name = self.name(object);
        let Some(Value::List { of, .. }) = self.scene.objects.get(&object).and_then(|object| object.values.first())
        else {
            return if offset == 0 { format!("(void *)&{name}") } else { format!("(char *)&{name} + {offset}") };
        };
        let described = self.plan.types.get(*of as usize).copied().unwrap_or_default();
        let is_alone = self.scene.objects.get(&object).is_some_and(|object| is_alone(self.plan, object));
        match (is_alone, offset, described.size) {
            (true, 0, _) => format!("&{name}"),
            (false, 0, _) => name,
            (false, offset, size) if size > 0 && offset % size == 0 => format!("{name} + {}", offset / size),
            (_, offset, _) => format!("(void *)((char *)&{name} + {offset})"),
        }
    }
}

/// Whether an object is one value, and no text.
pub(crate) fn is_alone(plan: &Plan, object: &Object) -> bool {
    match object.values.as_slice() {
        [Value::List { of, values }] => values.len() == 1 && !is_text(plan, *of),
        _ => false,
    }
}

/// Whether a word is told of a value or of a part of it.
fn has_word(value: &Value, wanted: &str) -> bool {
    match value {
        Value::Word(word, _) => word == wanted,
        Value::List { values, .. } | Value::Record { values, .. } | Value::Made { values, .. } => {
            values.iter().any(|value| has_word(value, wanted))
        }
        _ => false,
    }
}

/// Whether a type is a union, of which only bytes are told.
fn is_union(plan: &Plan, type_: u64) -> bool {
    plan.types.get(type_ as usize).is_some_and(|type_| type_.kind == RECORD && type_.more[2] != 0)
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

/// The single values in a value, with the places where they stand.
pub(crate) fn leaves<'v>(plan: &Plan, value: &'v Value, place: &str, found: &mut Vec<(String, &'v Value)>) {
    match value {
        Value::List { values, .. } => {
            for (index, value) in values.iter().enumerate() {
                leaves(plan, value, &format!("{place}[{index}]"), found);
            }
        }
        Value::Record { type_, values } if !is_union(plan, *type_) => {
            for (number, value) in values.iter().enumerate() {
                match plan.field(*type_, number) {
                    Some(name) => leaves(plan, value, &format!("{place}.{name}"), found),
                    None => leaves(plan, value, place, found),
                }
            }
        }
        value => found.push((place.to_owned(), value)),
    }
}
