//! What was seen to be another, as people say it: a place that the caller can name, and what it holds.

use std::collections::BTreeMap;

use estrange_words::End;

use crate::paste::{is_alone, leaves, paste};
use crate::plan::Plan;
use crate::reading::{Line, Object, Scene, Value};
use crate::record::{Difference, Seen};
use crate::spelling::{is_text, literal, text_literal, text_of};

/// What the harness told: of the input, and of what each did with it.
pub(crate) struct Told<'t> {
    pub(crate) given: &'t str,
    pub(crate) old: &'t str,
    pub(crate) new: &'t str,
}

/// What begins all that is told of a call; a function may be called twice.
const FIRST_LINE: &str = "errno ";

/// The first thing that differs.
pub(crate) fn difference(plan: &Plan, input: u32, (old_end, new_end): (End, End), told: Told<'_>) -> Difference {
    let given = Scene::read(told.given.lines(), plan);
    let (old, new): (Vec<&str>, Vec<&str>) = (told.old.lines().collect(), told.new.lines().collect());
    let lines = || old.iter().zip(&new);
    let different = lines().position(|(old, new)| old != new);
    let place = different.unwrap_or(old.len().min(new.len()).saturating_sub(1));
    let calls = old.iter().take(place + 1).filter(|line| line.starts_with(FIRST_LINE)).count().max(1);
    let scenes = [&old, &new].map(|lines| Scene::read(of_call(lines, place), plan));
    let (seen, values) = match old_end == new_end {
        true => {
            let line = |lines: &[&str]| Line::read(lines.get(place).copied().unwrap_or_default(), plan);
            told_apart(plan, &scenes, [line(&old), line(&new)])
        }
        false => {
            let result = |scene: &Scene| scene.returned.as_ref().map(|value| said(plan, scene, value));
            (Seen::End, [&scenes[0], &scenes[1]].map(|scene| result(scene).unwrap_or_default()))
        }
    };
    let [old, new] = values;
    Difference { input, old_end, new_end, call: paste(plan, &given, calls), seen, old, new, drawn: Vec::new() }
}

/// The lines about the call that a line is about.
fn of_call<'l>(lines: &'l [&'l str], place: usize) -> impl Iterator<Item = &'l str> {
    let place = place.min(lines.len());
    let from = lines[..place].iter().rposition(|line| line.starts_with(FIRST_LINE)).unwrap_or(0);
    let later = lines.iter().skip(place + 1).position(|line| line.starts_with(FIRST_LINE));
    let to = later.map_or(lines.len(), |later| place + 1 + later);
    lines[from.min(to)..to].iter().copied()
}

/// What differs between two lines.
fn told_apart(plan: &Plan, scenes: &[Scene; 2], [old, new]: [Line; 2]) -> (Seen, [String; 2]) {
    let all = |line: &Line, scene: &Scene| said_all(plan, scene, &line.values);
    let both = || [all(&old, &scenes[0]), all(&new, &scenes[1])];
    if (&old.about, old.number) != (&new.about, new.number) && (old.about != "printed" || new.about != "printed") {
        let whole = |line: &Line, said: String| format!("{} {}", line.about, said).trim().to_owned();
        let [one, other] = both();
        return (Seen::Event(String::new()), [whole(&old, one), whole(&new, other)]);
    }
    let seen = match old.about.as_str() {
        "returned" | "argument" | "object" => {
            let (place, [one, other]) = first_different(plan, scenes, &old, &new);
            let said = [(one, &scenes[0]), (other, &scenes[1])].map(|(value, scene)| match value {
                Some(value) => said(plan, scene, &value),
                None => "nothing".to_owned(),
            });
            return (if place == RESULT { Seen::Result } else { Seen::Place(place) }, said);
        }
        CALL => {
            let taken = |line: &Line, scene: &Scene| {
                // The first is its number. Objects have other numbers here than elsewhere.
                let nameless = |value: &Value| match value {
                    Value::Address { .. } => Value::Word(ADDRESS.to_owned(), 0),
                    value => value.clone(),
                };
                said_all(plan, scene, &line.values.iter().skip(1).map(nameless).collect::<Vec<_>>())
            };
            let called = Seen::Call(format!("function_{}", old.number));
            return (called, [taken(&old, &scenes[0]), taken(&new, &scenes[1])]);
        }
        "errno" => Seen::Errno,
        "printed" => Seen::Printed,
        "left" => {
            let bytes = |line: &Line| match line.values.first() {
                Some(Value::Word(_, bytes)) => bytes.to_string(),
                _ => String::new(),
            };
            return (Seen::Left, [bytes(&old), bytes(&new)]);
        }
        about => Seen::Event(about.to_owned()),
    };
    (seen, both())
}

/// What begins a line about a call of what was handed in, and what stands for an address in it.
const CALL: &str = "call of stub";
const ADDRESS: &str = "an address";

/// What stands for what was returned.
const RESULT: &str = "result";

/// The first place in two lines about values that holds different ones, and these.
fn first_different(plan: &Plan, scenes: &[Scene; 2], old: &Line, new: &Line) -> (String, [Option<Value>; 2]) {
    let base = match old.about.as_str() {
        "returned" => Base::Value(RESULT.to_owned()),
        "argument" => Base::Value(plan.legend.parameter(old.number as usize)),
        _ => Places::of(plan, &scenes[0]).base(old.number),
    };
    let (one, other) = (old.object(), new.object());
    let values = |object: &Object| match &base {
        Base::Value(_) => object.values.iter().take(1).cloned().collect(),
        _ => object.values.clone(),
    };
    let (one, other) = (Object { values: values(&one), ..one.clone() }, Object { values: values(&other), ..other });
    if let Some((place, texts)) = texts(plan, &base, [&one, &other]) {
        return (place, texts.map(Some));
    }
    let (ours, theirs) = (base.leaves(plan, &one), base.leaves(plan, &other));
    let differs = ours.iter().zip(&theirs).find(|(one, other)| one != other);
    match differs {
        Some(((place, one), (_, other))) => (place.clone(), [Some((*one).clone()), Some((*other).clone())]),
        // One of them has more.
        None => {
            let at = ours.len().min(theirs.len());
            let value = |all: &[(String, &Value)]| all.get(at).map(|(_, value)| (*value).clone());
            let place = ours.get(at).or(theirs.get(at)).map(|(place, _)| place.clone()).unwrap_or_default();
            (place, [value(&ours), value(&theirs)])
        }
    }
}

/// Two objects that are texts, as such, if that shows what differs.
fn texts(plan: &Plan, base: &Base, objects: [&Object; 2]) -> Option<(String, [Value; 2])> {
    let [one, other] = [text(plan, objects[0])?, text(plan, objects[1])?];
    (one != other).then(|| (base.name(), [Value::Text(one), Value::Text(other)]))
}

/// The text in an object, up to its end.
pub(crate) fn text(plan: &Plan, object: &Object) -> Option<Vec<u8>> {
    let Some(Value::List { of, values }) = object.values.first() else { return None };
    let bytes = text_of(values).filter(|_| is_text(plan, *of))?;
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    Some(bytes[..end].to_vec())
}

/// How the caller gets at an object.
#[derive(Debug, Clone)]
pub(crate) enum Base {
    /// By a variable that is the value.
    Value(String),
    /// By a pointer into it, so many bytes from its start.
    Pointer(String, u64),
}

impl Base {
    pub(crate) fn name(&self) -> String {
        match self {
            Base::Value(name) | Base::Pointer(name, _) => name.clone(),
        }
    }

    /// The single values of an object, with what the caller calls their places.
    pub(crate) fn leaves<'v>(&self, plan: &Plan, object: &'v Object) -> Vec<(String, &'v Value)> {
        let mut found = Vec::new();
        for value in &object.values {
            match (self, value) {
                (Base::Pointer(pointer, offset), Value::List { of, values }) => {
                    let size = plan.types.get(*of as usize).map_or(1, |of| of.size.max(1));
                    for (index, value) in values.iter().enumerate() {
                        let place = match is_alone(plan, object) {
                            true => format!("(*{pointer})"),
                            false => format!("{pointer}[{}]", index as i64 - (offset / size) as i64),
                        };
                        leaves(plan, value, &place, &mut found);
                    }
                }
                (Base::Value(name), Value::List { values, .. }) if is_alone(plan, object) => {
                    values.iter().for_each(|value| leaves(plan, value, name, &mut found));
                }
                (base, value) => leaves(plan, value, &base.name(), &mut found),
            }
        }
        for (place, _) in &mut found {
            *place = as_written(place);
        }
        found
    }
}

/// `(*p).x` as `p->x`, and `(*p)` as `*p`.
fn as_written(place: &str) -> String {
    let Some((pointer, rest)) = place.strip_prefix("(*").and_then(|rest| rest.rsplit_once(')')) else {
        return place.to_owned();
    };
    match rest.strip_prefix('.') {
        _ if rest.is_empty() => format!("*{pointer}"),
        Some(member) => format!("{pointer}->{member}"),
        None => place.to_owned(),
    }
}

/// The ways by which a caller gets at objects.
pub(crate) struct Places {
    bases: BTreeMap<u64, Base>,
}

impl Places {
    pub(crate) fn of(plan: &Plan, scene: &Scene) -> Self {
        let mut bases: BTreeMap<u64, Base> = BTreeMap::new();
        let mut open: Vec<(String, Value)> = Vec::new();
        for (number, value) in &scene.arguments {
            open.push((plan.legend.parameter(*number as usize), value.clone()));
        }
        open.extend(scene.returned.iter().map(|value| (RESULT.to_owned(), value.clone())));
        for (number, object) in &scene.objects {
            if let Some(name) = object.global.and_then(|global| plan.global_names.get(global as usize)) {
                let base = Base::Value(name.clone());
                open.extend(base.leaves(plan, object).into_iter().map(|(place, value)| (place, value.clone())));
                bases.insert(*number, base);
            }
        }
        // The nearest ones first, so that the ways are short.
        let mut from = 0;
        while let Some((place, value)) = open.get(from).cloned() {
            from += 1;
            let mut found = Vec::new();
            leaves(plan, &value, &place, &mut found);
            for (place, value) in found {
                let Value::Address { object: number, offset } = value else { continue };
                if bases.contains_key(number) {
                    continue;
                }
                let base = Base::Pointer(place, *offset);
                if let Some(object) = scene.objects.get(number) {
                    open.extend(base.leaves(plan, object).into_iter().map(|(place, value)| (place, value.clone())));
                }
                bases.insert(*number, base);
            }
        }
        Self { bases }
    }

    /// How the caller gets at an object, if it can.
    pub(crate) fn known(&self, object: u64) -> Option<&Base> {
        self.bases.get(&object)
    }

    fn base(&self, object: u64) -> Base {
        self.bases.get(&object).cloned().unwrap_or_else(|| Base::Value(format!("object_{object}")))
    }
}

/// A value as people write it.
fn said(plan: &Plan, scene: &Scene, value: &Value) -> String {
    match value {
        Value::Address { object, offset } => {
            let base = Places::of(plan, scene).base(*object);
            match (base, scene.objects.get(object).and_then(|object| text(plan, object))) {
                (Base::Pointer(place, at), _) if at == *offset && place != RESULT => place,
                (Base::Pointer(place, _), _) if place != RESULT => format!("an address in *{place}"),
                (Base::Pointer(..), Some(text)) => text_literal(&text),
                (Base::Pointer(..), _) => "the address of something new".to_owned(),
                (Base::Value(name), _) => format!("&{name}"),
            }
        }
        Value::List { of, values } => match text_of(values).filter(|_| is_text(plan, *of)) {
            Some(bytes) => text_literal(&bytes),
            None => format!("{{{}}}", said_all(plan, scene, values)),
        },
        Value::Record { values, .. } | Value::Made { values, .. } => format!("{{{}}}", said_all(plan, scene, values)),
        Value::Word(word, number) => match word.as_str() {
            "untouched" => "what nobody wrote".to_owned(),
            ADDRESS => word.clone(),
            word => format!("{word} {number}"),
        },
        value => literal(plan, value).unwrap_or_default(),
    }
}

/// Values one after the other; bytes of no type are a text.
fn said_all(plan: &Plan, scene: &Scene, values: &[Value]) -> String {
    let is_byte = |value: &Value| matches!(value, Value::Number { type_: None, .. });
    let mut all = Vec::new();
    for same in values.chunk_by(|one, next| is_byte(one) == is_byte(next)) {
        match same {
            [only] => all.push(said(plan, scene, only)),
            bytes if is_byte(&bytes[0]) => all.extend(text_of(bytes).map(|bytes| text_literal(&bytes))),
            others => all.extend(others.iter().map(|value| said(plan, scene, value))),
        }
    }
    all.join(", ")
}
