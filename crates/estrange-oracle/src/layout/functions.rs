//! The layout of functions that are handed in: what they answer.

use serde_json::{Map, Value as Json};

use super::{Layout, Placed, misfit};
use crate::given::{Answer, Kind, Spot, Target};
use crate::input::{by_position, bytes};
use crate::plan::POINTER;
use crate::scalar;

impl Layout<'_> {
    /// A function that is handed in.
    pub(super) fn stub(&mut self, type_: u64, map: &Map<String, Json>, place: &str) -> Placed<Target> {
        let input = self.input;
        let name = map.get("function").and_then(Json::as_str);
        if let Some(known) = name.and_then(|name| self.stubs.get(name)) {
            return Ok(Target::Place(Spot::start(Kind::Stub, *known)));
        }
        let listed = name.and_then(|name| input.functions.get(name));
        let Some(answers) = listed.or_else(|| map.get("answers").and_then(Json::as_array)) else {
            return Err(misfit(place, "a function, such as {\"answers\": [0]}", &Json::Object(map.clone())));
        };
        let number = self.made.answers.len() as u64;
        self.made.answers.push((type_, Vec::new()));
        self.stubs.extend(name.map(|name| (name.to_owned(), number)));
        for (index, answer) in answers.iter().enumerate() {
            let made = self.answer(type_, answer, &format!("{place}, answer {index}"))?;
            self.made.answers[number as usize].1.push(made);
        }
        Ok(Target::Place(Spot::start(Kind::Stub, number)))
    }

    fn answer(&mut self, function: u64, value: &Json, place: &str) -> Placed<Answer> {
        let [result, at, count] = self.type_(function).more;
        let described = self.type_(result);
        let parts = value.as_object().filter(|map| map.contains_key("returns") || map.contains_key("writes"));
        let returned = match parts {
            Some(parts) => parts.get("returns").unwrap_or(&Json::Null),
            None => value,
        };
        let misfits = || misfit(place, self.wanted(result), returned);
        let target = match described.kind {
            POINTER => self.target(&described, result, returned, place)?,
            _ if *returned == Json::Null => Target::Bits(0),
            _ => {
                let mut bytes = scalar::bytes(&described, returned).ok_or_else(misfits)?;
                bytes.resize(8, 0);
                Target::Bits(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
            }
        };
        let mut writes = Vec::new();
        let written = parts.and_then(|parts| parts.get("writes"));
        for (position, value) in written.and_then(by_position).unwrap_or_default() {
            let place = format!("{place}, written to argument {position}");
            let pointer = (position < count as usize).then(|| self.type_(self.plan.signatures[at as usize + position]));
            let to = pointer.filter(|pointer| pointer.kind == POINTER).map(|pointer| self.type_(pointer.more[0]));
            let bytes = bytes(value).or_else(|| scalar::bytes(&to?, value));
            let wanted = || misfit(&place, "a text or a number, where that points", value);
            writes.push((position as u64, bytes.ok_or_else(wanted)?));
        }
        Ok(Answer { value: target, writes })
    }
}
