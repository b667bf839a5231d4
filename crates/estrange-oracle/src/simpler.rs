//! Simpler inputs: what somebody would try by hand who wants to know what of an input matters.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::input::Input;

impl Input {
    /// Inputs that are like this one but for one thing, which is gone, shorter or smaller there; what takes most away comes
    /// first. There are none of an input that is not written by its values.
    pub fn simpler(&self) -> Vec<Self> {
        let mut all = Vec::new();
        if !self.is_portable() {
            return all;
        }
        let mut add = |change: &dyn Fn(&mut Self)| {
            let mut other = self.clone();
            change(&mut other);
            if other != *self {
                all.push(other);
            }
        };
        add(&|input| input.descriptors.clear());
        add(&|input| input.missing.clear());
        add(&|input| input.calls = None);
        for_each_key(&self.environment, |key| add(&|input| drop(input.environment.remove(key))));
        for_each_key(&self.files, |key| add(&|input| drop(input.files.remove(key))));
        for_each_key(&self.globals, |key| add(&|input| drop(input.globals.remove(key))));
        for part in [Part::Arguments, Part::Stdin, Part::Globals, Part::Objects, Part::Files] {
            for value in simpler_values(&part.of(self)) {
                add(&|input| part.put(input, value.clone()));
            }
        }
        all
    }
}

fn for_each_key(map: &BTreeMap<String, Json>, each: impl FnMut(&String)) {
    map.keys().for_each(each);
}

/// A part of an input that is made of values.
#[derive(Clone, Copy)]
enum Part {
    Arguments,
    Stdin,
    Globals,
    Objects,
    Files,
}

impl Part {
    fn of(self, input: &Input) -> Json {
        match self {
            Self::Arguments => json!(input.arguments),
            Self::Stdin => json!(input.stdin),
            Self::Globals => json!(input.globals),
            Self::Objects => json!(input.objects),
            Self::Files => json!(input.files),
        }
    }

    fn put(self, input: &mut Input, value: Json) {
        let map = |value: Json| match value {
            Json::Object(map) => map.into_iter().collect(),
            _ => BTreeMap::new(),
        };
        match self {
            Self::Arguments => input.arguments = Some(value),
            Self::Stdin => input.stdin = Some(value),
            Self::Globals => input.globals = map(value),
            Self::Objects => input.objects = map(value),
            Self::Files => input.files = map(value),
        }
    }
}

/// A value with one thing in it simpler.
fn simpler_values(value: &Json) -> Vec<Json> {
    let mut all = match value {
        Json::String(text) => shorter(&text.chars().collect::<Vec<char>>())
            .into_iter()
            .map(|text| Json::String(text.into_iter().collect()))
            .collect(),
        Json::Array(values) => shorter(values).into_iter().map(Json::Array).collect(),
        Json::Number(_) => smaller(value),
        _ => Vec::new(),
    };
    match value {
        Json::Array(values) => {
            for (at, inner) in values.iter().enumerate() {
                all.extend(simpler_values(inner).into_iter().map(|inner| {
                    let mut values = values.clone();
                    values[at] = inner;
                    Json::Array(values)
                }));
            }
        }
        Json::Object(values) => {
            for (key, inner) in values {
                all.extend(simpler_values(inner).into_iter().map(|inner| {
                    let mut values = values.clone();
                    values.insert(key.clone(), inner);
                    Json::Object(values)
                }));
            }
        }
        _ => {}
    }
    all
}

/// A list without its second half, without its first, and without its last and its first element.
fn shorter<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    let (length, half) = (list.len(), list.len() / 2);
    match length {
        0 => Vec::new(),
        1 => vec![Vec::new()],
        2 | 3 => vec![list[..length - 1].to_vec(), list[1..].to_vec()],
        _ => vec![list[..half].to_vec(), list[half..].to_vec(), list[..length - 1].to_vec(), list[1..].to_vec()],
    }
}

/// Nothing, and half of a number.
fn smaller(number: &Json) -> Vec<Json> {
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(0), ..) => Vec::new(),
        (Some(-1 | 1), ..) => vec![json!(0)],
        (Some(whole), ..) => vec![json!(0), json!(whole / 2)],
        (_, Some(whole), _) => vec![json!(0), json!(whole / 2)],
        (_, _, Some(real)) if real != 0.0 => vec![json!(0.0)],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_simpler_in_one_thing() {
        let text = r#"{"estrange-input": 1, "arguments": ["abcd", [0, 9], {"0 next": null, "1 size": 1}], "calls": 2}"#;
        let input = Input::read(text).unwrap();
        let all: Vec<Json> = input.simpler().iter().filter_map(|input| input.arguments.clone()).collect();
        let wanted = [
            json!(["abcd", [0, 9], {"0 next": null, "1 size": 1}]),
            json!(["abcd", [0, 9]]),
            json!([[0, 9], {"0 next": null, "1 size": 1}]),
            json!(["ab", [0, 9], {"0 next": null, "1 size": 1}]),
            json!(["cd", [0, 9], {"0 next": null, "1 size": 1}]),
            json!(["abc", [0, 9], {"0 next": null, "1 size": 1}]),
            json!(["bcd", [0, 9], {"0 next": null, "1 size": 1}]),
            json!(["abcd", [0], {"0 next": null, "1 size": 1}]),
            json!(["abcd", [9], {"0 next": null, "1 size": 1}]),
            json!(["abcd", [0, 0], {"0 next": null, "1 size": 1}]),
            json!(["abcd", [0, 4], {"0 next": null, "1 size": 1}]),
            json!(["abcd", [0, 9], {"0 next": null, "1 size": 0}]),
        ];
        assert_eq!(all, wanted);
        assert!(input.simpler().iter().all(|simpler| Input::read(&simpler.text()).is_ok()));
    }

    #[test]
    fn it_comes_to_an_end() {
        let mut input =
            Input::read(r#"{"estrange-input": 1, "arguments": ["abcd", [-7, 9.5, 18446744073709551615]]}"#).unwrap();
        for _ in 0..200 {
            match input.simpler().into_iter().next() {
                Some(simpler) => input = simpler,
                None => return,
            }
        }
        panic!("{input:?}");
    }
}
