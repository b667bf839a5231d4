//! What came of a call, as single values that can be said in words: what was returned, or what was left in memory.

use std::collections::BTreeMap;
use std::fmt;

use crate::plan::{BOOLEAN, INTEGER, Plan};
use crate::reading::{Scene, Value};
use crate::replay::{Ran, Replay};
use crate::seen::{Places, text};
use crate::spelling::{is_text, text_literal, text_of};

/// A single value that can be said in words.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A whole number, a character, a truth value or an enumerator, and how many bits it has.
    Number {
        /// Its value.
        value: i128,
        /// How many bits its type has.
        bits: u32,
    },
    /// A floating-point number.
    Real(f64),
    /// The text that a pointer leads to, up to its end.
    Text(Vec<u8>),
    /// A null pointer.
    Null,
}

/// As code writes it.
impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { value, .. } => write!(formatter, "{value}"),
            Self::Real(value) => write!(formatter, "{value:?}"),
            Self::Text(bytes) => formatter.write_str(&text_literal(bytes)),
            Self::Null => formatter.write_str("NULL"),
        }
    }
}

impl Replay<'_> {
    /// What a call returned; nothing where it returns nothing, or what no single value says.
    pub fn returned(&self, ran: &Ran) -> Option<Outcome> {
        let scene = Scene::read(ran.told.lines(), &self.plan);
        outcome(&self.plan, &scene, scene.returned.as_ref()?)
    }

    /// What a call returned nothing but left in memory: the places that its caller can name and that hold something else
    /// than before. Nothing where it returns something.
    pub fn left(&self, ran: &Ran) -> Vec<(String, Outcome)> {
        let after = Scene::read(ran.told.lines(), &self.plan);
        if after.returned.is_some() {
            return Vec::new();
        }
        let before: BTreeMap<String, Outcome> =
            held(&self.plan, &Scene::read(ran.given.lines(), &self.plan)).into_iter().collect();
        let held = held(&self.plan, &after).into_iter();
        held.filter(|(place, outcome)| before.get(place).is_some_and(|before| before != outcome)).collect()
    }
}

/// What the places hold that the caller can name.
fn held(plan: &Plan, scene: &Scene) -> Vec<(String, Outcome)> {
    let places = Places::of(plan, scene);
    let mut held = Vec::new();
    for (number, object) in &scene.objects {
        let Some(base) = places.known(*number) else { continue };
        if let Some(text) = text(plan, object) {
            held.push((base.name(), Outcome::Text(text)));
            continue;
        }
        let leaves = base.leaves(plan, object).into_iter();
        held.extend(leaves.filter_map(|(place, value)| Some((place, outcome(plan, scene, value)?))));
    }
    held
}

fn outcome(plan: &Plan, scene: &Scene, value: &Value) -> Option<Outcome> {
    match value {
        Value::Number { type_: Some(type_), bits } => number(plan, *type_, *bits),
        Value::Real { type_, bits } => {
            let value = match plan.types.get(*type_ as usize)?.more[0] {
                32 => f64::from(f32::from_bits(*bits as u32)),
                _ => f64::from_bits(*bits),
            };
            value.is_finite().then_some(Outcome::Real(value))
        }
        Value::Null => Some(Outcome::Null),
        Value::Text(bytes) => Some(Outcome::Text(bytes.clone())),
        Value::Constant(value) => outcome(plan, scene, value),
        Value::Address { object, offset } => pointed(plan, scene, *object, *offset).map(Outcome::Text),
        _ => None,
    }
}

fn number(plan: &Plan, type_: u64, bits: u128) -> Option<Outcome> {
    let described = plan.types.get(type_ as usize)?;
    let width = if described.kind == INTEGER { described.more[0] } else { described.size * 8 }.clamp(1, 128);
    let value = match described.kind {
        BOOLEAN => i128::from(bits & 1 != 0),
        INTEGER if described.more[1] == 0 => i128::try_from(bits).ok()?,
        _ => (bits << (128 - width)) as i128 >> (128 - width),
    };
    Some(Outcome::Number { value, bits: width as u32 })
}

/// The text that an address leads to, from there up to its end.
fn pointed(plan: &Plan, scene: &Scene, object: u64, offset: u64) -> Option<Vec<u8>> {
    let [Value::List { of, values }] = scene.objects.get(&object)?.values.as_slice() else { return None };
    let bytes = text_of(values).filter(|_| is_text(plan, *of))?;
    let own = bytes.get(usize::try_from(offset).ok()?..)?;
    let end = own.iter().position(|byte| *byte == 0)?;
    Some(own[..end].to_vec())
}
