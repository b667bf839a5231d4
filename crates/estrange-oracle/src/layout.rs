//! What the values of an input mean for a function: where each of them stands in memory, by the types of the plan.

mod classes;
mod functions;

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use crate::given::{Given, Kind, Object, Spot, Step, Target};
use crate::input::{Input, InputError, by_position, bytes, hexadecimal};
use crate::plan::{
    ARRAY, BOOLEAN, DISPATCH, Description, ENUMERATION, FLOATING, FUNCTION, INTEGER, MADE, NEVER_NULL, POINTER, Plan,
    RECORD, SEQUENCE, STREAM, STRING, VIEW,
};
use crate::scalar;
use crate::spelling::spelled;

/// What is not larger than this is an object.
const LARGEST: u64 = 1 << 24;
/// How deep values are followed.
const DEEPEST: usize = 200;

type Placed<T> = Result<T, InputError>;

/// So often an input may call its function in a row.
const MOST_CALLS: u32 = 1000;

/// An input for a function.
///
/// # Errors
/// When a value does not fit its place.
pub(crate) fn given(plan: &Plan, input: &Input) -> Placed<Given> {
    let calls = input.calls.unwrap_or(1);
    if !(1..=MOST_CALLS).contains(&calls) {
        let wanted = format!("a number from 1 to {MOST_CALLS}");
        return Err(misfit("`calls`", &wanted, &Json::from(calls)));
    }
    let mut layout = Layout {
        plan,
        input,
        made: Given { calls: u64::from(calls), ..Given::default() },
        memory: BTreeMap::new(),
        points: Vec::new(),
        makes: Vec::new(),
        named: BTreeMap::new(),
        stubs: BTreeMap::new(),
        depth: 0,
    };
    layout.arguments()?;
    layout.globals()?;
    layout.surroundings()?;
    Ok(layout.finish())
}

struct Layout<'p> {
    plan: &'p Plan,
    input: &'p Input,
    made: Given,
    /// Bytes by what they are in and where, as far as they are set.
    memory: BTreeMap<(Kind, u64), BTreeMap<u64, u8>>,
    points: Vec<(Spot, Step)>,
    makes: Vec<(Spot, Step)>,
    named: BTreeMap<String, u64>,
    stubs: BTreeMap<String, u64>,
    depth: usize,
}

/// What stands at a place that it does not fit.
fn misfit(place: &str, wanted: impl Into<String>, found: &Json) -> InputError {
    let mut found = found.to_string();
    if found.len() > 60 {
        found = found.chars().take(60).collect::<String>() + "…";
    }
    InputError::Misfit { place: place.to_owned(), wanted: wanted.into(), found }
}

impl<'p> Layout<'p> {
    fn type_(&self, number: u64) -> Description {
        self.plan.types.get(number as usize).copied().unwrap_or_default()
    }

    /// What a type is called where something else stands.
    fn wanted(&self, type_: u64) -> String {
        let described = self.type_(type_);
        match described.kind {
            INTEGER | ENUMERATION => format!("a whole number of {} bits", described.size * 8),
            BOOLEAN => "true or false".to_owned(),
            FLOATING => "a number".to_owned(),
            POINTER => match self.type_(described.more[0]).kind {
                FUNCTION => "a function, such as {\"answers\": [0]}, or null".to_owned(),
                STREAM => "a stream, such as {\"content\": \"text\"}, or null".to_owned(),
                _ => format!("an object for `{}`, or null", spelled(self.plan, type_, "").trim()),
            },
            ARRAY => format!("a list or text for `{}`", spelled(self.plan, type_, "").trim()),
            STRING | VIEW => "a text".to_owned(),
            SEQUENCE => "a list".to_owned(),
            _ => format!("a `{}`", spelled(self.plan, type_, "").trim()),
        }
    }

    fn arguments(&mut self) -> Placed<()> {
        let Some(given) = &self.input.arguments else { return Err(InputError::DrawnElsewhere) };
        let Some(values) = by_position(given) else {
            return Err(misfit("`arguments`", "a list, or a map whose keys are positions", given));
        };
        let count = self.plan.parameters.len();
        if values.len() != count || values.iter().any(|(position, _)| *position >= count) {
            let names: Vec<String> = (0..count).map(|number| self.plan.legend.parameter(number)).collect();
            let wanted = if count == 0 { "none".to_owned() } else { format!("{count} ({})", names.join(", ")) };
            return Err(InputError::Arguments { found: values.len(), wanted });
        }
        for (position, value) in values {
            let type_ = self.plan.parameters[position];
            let place = format!("argument {position} (`{}`)", self.plan.legend.parameter(position));
            self.put(Spot::start(Kind::Argument, position as u64), type_, value, &place)?;
        }
        Ok(())
    }

    fn globals(&mut self) -> Placed<()> {
        for (key, value) in &self.input.globals {
            let place = format!("global `{key}`");
            let position = crate::input::position(key).filter(|position| *position < self.plan.globals.len());
            let Some(position) = position else {
                let count = self.plan.globals.len();
                return Err(misfit(
                    &place,
                    format!("the position of one of {count} variables"),
                    &Json::from(key.as_str()),
                ));
            };
            let type_ = self.plan.globals[position];
            self.put(Spot::start(Kind::Global, position as u64), type_, value, &place)?;
        }
        Ok(())
    }

    /// Streams, files, the environment, and what the system answers.
    fn surroundings(&mut self) -> Placed<()> {
        let text = |value: &Json, place: &str| bytes(value).ok_or_else(|| misfit(place, "a text", value));
        let input = self.input;
        let pairs = |all: &BTreeMap<String, Json>, what: &str| {
            all.iter()
                .map(|(name, value)| Ok((name.clone().into_bytes(), text(value, &format!("{what} `{name}`"))?)))
                .collect::<Placed<Vec<_>>>()
        };
        let own: Vec<Vec<u8>> = input.streams.iter().map(|value| text(value, "a stream")).collect::<Placed<_>>()?;
        // Those that stand where they are used have their numbers behind these.
        self.made.streams.splice(0..own.len().min(self.made.streams.len()), own);
        self.made.variables = pairs(&input.environment, "variable")?;
        self.made.files = pairs(&input.files, "file")?;
        for name in input.files.keys() {
            if name.is_empty() || name.starts_with('.') || name.contains(['/', '\0']) {
                return Err(misfit("a file", "a plain name", &Json::from(name.as_str())));
            }
        }
        if let Some(value) = &input.stdin {
            self.made.standard_input = text(value, "stdin")?;
        }
        self.made.missing.clone_from(&input.missing);
        for value in &input.descriptors {
            let content = bytes(value);
            let count = content.as_ref().map(|content| content.len() as i64).or(value.as_i64());
            let count = count.ok_or_else(|| misfit("descriptors", "a text or a number of bytes", value))?;
            self.made.moves.push((count, content.unwrap_or_default()));
        }
        Ok(())
    }

    fn finish(mut self) -> Given {
        for ((kind, number), bytes) in self.memory {
            let mut run: Vec<u8> = Vec::new();
            let mut from = 0;
            for (at, byte) in bytes {
                if from + run.len() as u64 != at && !run.is_empty() {
                    let put = Step::Put(std::mem::take(&mut run));
                    self.made.steps.push((Spot { kind, number, offset: from }, put));
                }
                if run.is_empty() {
                    from = at;
                }
                run.push(byte);
            }
            if !run.is_empty() {
                self.made.steps.push((Spot { kind, number, offset: from }, Step::Put(run)));
            }
        }
        self.made.steps.append(&mut self.points);
        self.made.steps.append(&mut self.makes);
        self.made
    }

    fn write(&mut self, spot: Spot, bytes: &[u8]) {
        let memory = self.memory.entry((spot.kind, spot.number)).or_default();
        memory.extend((spot.offset..).zip(bytes.iter().copied()));
    }

    fn point(&mut self, spot: Spot, target: Target) {
        match target {
            Target::Bits(bits) => self.write(spot, &bits.to_le_bytes()),
            Target::Place(to) => self.points.push((spot, Step::Point(to))),
        }
    }

    /// A new object; what it holds comes later.
    fn new_object(&mut self, object: Object) -> u64 {
        self.made.objects.push(object);
        self.made.objects.len() as u64 - 1
    }

    fn set_size(&mut self, object: u64, size: u64) {
        if let Some(object) = self.made.objects.get_mut(object as usize) {
            object.size = size;
        }
    }

    /// A value of a type, at a place.
    fn put(&mut self, spot: Spot, type_: u64, value: &Json, place: &str) -> Placed<()> {
        self.depth += 1;
        let done = match self.depth > DEEPEST {
            true => Err(misfit(place, "less depth", value)),
            false => self.put_within(spot, type_, value, place),
        };
        self.depth -= 1;
        done
    }

    fn put_within(&mut self, spot: Spot, type_: u64, value: &Json, place: &str) -> Placed<()> {
        let described = self.type_(type_);
        let misfits = |layout: &Self| misfit(place, layout.wanted(type_), value);
        match described.kind {
            BOOLEAN | INTEGER | ENUMERATION | FLOATING => {
                let bytes = scalar::bytes(&described, value).ok_or_else(|| misfits(self))?;
                self.write(spot, &bytes);
            }
            POINTER => {
                let target = self.target(&described, type_, value, place)?;
                self.point(spot, target);
            }
            ARRAY => self.array(spot, type_, value, place)?,
            RECORD => self.record(spot, type_, value, place)?,
            STRING | VIEW => {
                let text = bytes(value).ok_or_else(|| misfits(self))?;
                self.string(spot, described.kind, &text);
            }
            SEQUENCE => {
                let Json::Array(values) = value else { return Err(misfits(self)) };
                self.sequence(spot, described.more[0], values, place)?;
            }
            MADE => self.container(spot, type_, value, place)?,
            _ => self.raw(spot, described.size, value, place).and_then(|is_raw| match is_raw {
                true => Ok(()),
                false => Err(misfits(self)),
            })?,
        }
        Ok(())
    }

    /// Bytes as such, with the pointers among them; says whether the value is that.
    fn raw(&mut self, spot: Spot, most: u64, value: &Json, place: &str) -> Placed<bool> {
        let Json::Object(map) = value else { return Ok(false) };
        let Some(bytes) = map.get("bytes").and_then(Json::as_str).and_then(hexadecimal) else { return Ok(false) };
        if bytes.len() as u64 > most {
            return Err(misfit(place, format!("at most {most} bytes"), value));
        }
        self.write(spot, &bytes);
        let pointers = map.get("pointers").and_then(Json::as_object).into_iter().flatten();
        let nothing = Description { kind: POINTER, size: 8, more: [u64::MAX, 0, 0], ..Description::default() };
        for (key, value) in pointers {
            let place = format!("{place}, pointer `{key}`");
            let offset = key.parse().map_err(|_| misfit(&place, "an offset", &Json::from(key.as_str())))?;
            let target = self.target(&nothing, u64::MAX, value, &place)?;
            self.point(spot.at(offset), target);
        }
        Ok(true)
    }

    fn array(&mut self, spot: Spot, type_: u64, value: &Json, place: &str) -> Placed<()> {
        let described = self.type_(type_);
        let [of, length, _] = described.more;
        let element = self.type_(of);
        if self.raw(spot, described.size, value, place)? {
            return Ok(());
        }
        match value {
            Json::String(text) if element.size == 1 && text.len() as u64 <= length => {
                let mut bytes = text.clone().into_bytes();
                bytes.resize(length as usize, 0);
                self.write(spot, &bytes);
            }
            Json::Array(_) | Json::Object(_) => {
                let values = by_position(value).filter(|all| all.iter().all(|(at, _)| (*at as u64) < length));
                let Some(values) = values else {
                    return Err(misfit(place, format!("at most {length} elements"), value));
                };
                let mut left: Vec<bool> = vec![true; length.min(LARGEST) as usize];
                for (position, value) in values {
                    left[position] = false;
                    let place = format!("{place}, element {position}");
                    self.put(spot.at(position as u64 * element.size), of, value, &place)?;
                }
                for (position, _) in left.iter().enumerate().filter(|(_, is_left)| **is_left) {
                    self.leave(spot.at(position as u64 * element.size), of, place)?;
                }
            }
            _ => return Err(misfit(place, self.wanted(type_), value)),
        }
        Ok(())
    }

    fn record(&mut self, spot: Spot, type_: u64, value: &Json, place: &str) -> Placed<()> {
        let described = self.type_(type_);
        if let Json::Object(map) = value
            && map.contains_key("constructor")
        {
            self.construct(spot, &described, map, place)?;
            return match map.get("members") {
                Some(members) => self.members(spot, type_, members, place, false),
                None => Ok(()),
            };
        }
        if self.raw(spot, described.size, value, place)? {
            return Ok(());
        }
        if described.made & 1 != 0 {
            return Err(misfit(
                place,
                "an object made by code, such as {\"constructor\": 0, \"arguments\": []}",
                value,
            ));
        }
        self.members(spot, type_, value, place, true)
    }

    fn members(&mut self, spot: Spot, type_: u64, value: &Json, place: &str, is_whole: bool) -> Placed<()> {
        let described = self.type_(type_);
        let count = described.more[1] as usize;
        let values = by_position(value).filter(|all| all.iter().all(|(position, _)| *position < count));
        let Some(values) = values else {
            return Err(misfit(place, format!("{}, which has {count} members", self.wanted(type_)), value));
        };
        let mut left = vec![is_whole; count];
        for (position, value) in values {
            left[position] = false;
            let name = self.plan.field(type_, position).map(|name| format!(" (`{name}`)")).unwrap_or_default();
            let place = format!("{place}, member {position}{name}");
            let [bit, of, bits, _] = self.plan.fields[described.more[0] as usize + position];
            match bits {
                0 => self.put(spot.at(bit / 8), of, value, &place)?,
                _ => {
                    let number = scalar::whole(value, bits as u32, false);
                    let wanted = || misfit(&place, format!("a whole number of {bits} bits"), value);
                    self.put_bits(spot, bit, bits, number.ok_or_else(wanted)?);
                }
            }
        }
        // Of a union, one member is all.
        for position in (0..count).filter(|position| left[*position] && described.more[2] == 0) {
            let [bit, of, bits, _] = self.plan.fields[described.more[0] as usize + position];
            if bits == 0 {
                self.leave(spot.at(bit / 8), of, place)?;
            }
        }
        Ok(())
    }

    fn put_bits(&mut self, spot: Spot, bit: u64, bits: u64, value: u128) {
        let memory = self.memory.entry((spot.kind, spot.number)).or_default();
        for index in 0..bits {
            let (at, shift) = ((bit + index) / 8, (bit + index) % 8);
            let byte = memory.entry(spot.offset + at).or_default();
            *byte = *byte & !(1 << shift) | ((value >> index & 1) as u8) << shift;
        }
    }

    /// What nothing is said of is zero, but for what cannot be: a string has an address also when it is empty, and an object
    /// of a class is made by it. Variables of the unit stay as they are.
    fn leave(&mut self, spot: Spot, type_: u64, place: &str) -> Placed<()> {
        let described = self.type_(type_);
        if spot.kind == Kind::Global {
            return Ok(());
        }
        match described.kind {
            STRING => self.string(spot, STRING, b""),
            DISPATCH => self.table(spot, &described),
            MADE => {
                let nothing = self.made_of_nothing(&described);
                self.construct(spot, &described, &nothing, place)?;
            }
            RECORD if described.made & 1 != 0 => self.construct(spot, &described, &Map::new(), place)?,
            RECORD if described.more[2] == 0 => {
                for position in 0..described.more[1] {
                    let [bit, of, bits, _] = self.plan.fields[(described.more[0] + position) as usize];
                    if bits == 0 {
                        self.leave(spot.at(bit / 8), of, place)?;
                    }
                }
            }
            ARRAY => {
                for index in 0..described.more[1].min(4096) {
                    self.leave(spot.at(index * self.type_(described.more[0]).size), described.more[0], place)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What a pointer is.
    fn target(&mut self, described: &Description, type_: u64, value: &Json, place: &str) -> Placed<Target> {
        let to = described.more[0];
        let kind = self.type_(to).kind;
        let misfits = |layout: &Self| Err(misfit(place, layout.wanted(type_), value));
        let whole = |object| Ok(Target::Place(Spot::start(Kind::Object, object)));
        let map = match value {
            Json::Null if described.last == NEVER_NULL => return misfits(self),
            Json::Null => return Ok(Target::Bits(0)),
            Json::String(_) if kind == STREAM => return self.stream(value, place),
            Json::Object(map) => map,
            Json::String(_) | Json::Array(_) if kind != FUNCTION => return whole(self.object(to, value, None, place)?),
            _ => return misfits(self),
        };
        let number = |key: &str| map.get(key).and_then(Json::as_u64);
        if let Some(name) = map.get("object").and_then(Json::as_str) {
            let object = self.named_object(name, to, place)?;
            return Ok(Target::Place(Spot::start(Kind::Object, object).at(number("offset").unwrap_or(0))));
        }
        if let Some(position) = number("global") {
            if position >= self.plan.globals.len() as u64 {
                return Err(misfit(place, format!("one of {} variables", self.plan.globals.len()), value));
            }
            return Ok(Target::Place(Spot::start(Kind::Global, position).at(number("offset").unwrap_or(0))));
        }
        if let Some(address) = map.get("address") {
            let bits = scalar::whole(address, 64, false).ok_or_else(|| misfit(place, "an address", address))?;
            return Ok(Target::Bits(bits as u64));
        }
        if let Some(position) = number("unit-function") {
            return match position < self.plan.functions.len() as u64 {
                true => Ok(Target::Place(Spot::start(Kind::Function, position))),
                false => misfits(self),
            };
        }
        match kind {
            FUNCTION => self.stub(to, map, place),
            STREAM => match (number("stream"), map.get("content")) {
                (Some(position), _) if (position as usize) < self.input.streams.len() => {
                    Ok(Target::Place(Spot::start(Kind::Stream, position)))
                }
                (None, Some(content)) => self.stream(content, place),
                _ => misfits(self),
            },
            _ => {
                let to = match number("as") {
                    Some(wider) => self.wider(to, wider).ok_or_else(|| misfit(place, "a larger struct", value))?,
                    None => to,
                };
                let object = self.object(to, value, None, place)?;
                Ok(Target::Place(Spot::start(Kind::Object, object).at(number("offset").unwrap_or(0))))
            }
        }
    }

    /// One of the larger structs that a struct is taken for.
    fn wider(&self, to: u64, number: u64) -> Option<u64> {
        let at = self.type_(to).wider.checked_sub(1)? as usize;
        let count = *self.plan.values.get(at)?;
        (number < count).then(|| self.plan.values[at + 1 + number as usize])
    }

    fn stream(&mut self, content: &Json, place: &str) -> Placed<Target> {
        let content = bytes(content).ok_or_else(|| misfit(place, "a text", content))?;
        let own = self.input.streams.len();
        self.made.streams.resize(self.made.streams.len().max(own), Vec::new());
        self.made.streams.push(content);
        Ok(Target::Place(Spot::start(Kind::Stream, self.made.streams.len() as u64 - 1)))
    }

    fn named_object(&mut self, name: &str, to: u64, place: &str) -> Placed<u64> {
        if let Some(known) = self.named.get(name) {
            return Ok(*known);
        }
        let input = self.input;
        let Some(value) = input.objects.get(name) else {
            return Err(misfit(place, "the name of an object", &Json::from(name)));
        };
        self.object(to, value, Some(name), &format!("object `{name}`"))
    }

    /// An object with what it holds, which a pointer to a type leads to.
    fn object(&mut self, to: u64, value: &Json, name: Option<&str>, place: &str) -> Placed<u64> {
        let type_ = self.type_(to);
        let object = self.new_object(Object { size: 0, type_: (to != u64::MAX).then_some(to), is_storage: false });
        // What it holds may lead back to it.
        self.named.extend(name.map(|name| (name.to_owned(), object)));
        let (content, size, behind) = match value {
            Json::Object(map) if map.contains_key("to") => {
                (&map["to"], map.get("size").and_then(Json::as_u64), map.get("behind"))
            }
            value => (value, None, None),
        };
        let spot = Spot::start(Kind::Object, object);
        let mut room = match content {
            Json::String(text) if type_.size <= 1 => {
                self.write(spot, text.as_bytes());
                // What fills its room has no end.
                if size == Some(text.len() as u64) { text.len() as u64 } else { text.len() as u64 + 1 }
            }
            Json::Object(map) if map.contains_key("bytes") => {
                self.raw(spot, LARGEST, content, place)?;
                map["bytes"].as_str().and_then(hexadecimal).unwrap_or_default().len() as u64
            }
            Json::Array(values) => {
                // Of what has no size, bytes are told.
                if type_.size == 0 && !values.is_empty() {
                    return Err(misfit(place, "a text or {\"bytes\": \"…\"}", content));
                }
                for (index, value) in values.iter().enumerate() {
                    let place = format!("{place}, element {index}");
                    self.put(spot.at(index as u64 * type_.size), to, value, &place)?;
                }
                values.len() as u64 * type_.size
            }
            single => {
                self.put(spot, to, single, place)?;
                type_.size
            }
        };
        if let Some(behind) = behind {
            let of = type_.last.wrapping_sub(1);
            let Json::Array(values) = behind else { return Err(misfit(place, "a list behind it", behind)) };
            for (index, value) in values.iter().enumerate() {
                let place = format!("{place}, element {index} behind it");
                self.put(spot.at(room + index as u64 * self.type_(of).size), of, value, &place)?;
            }
            room += values.len() as u64 * self.type_(of).size;
        }
        match size {
            Some(size) if size < room || size > LARGEST => {
                return Err(misfit(place, format!("a size from {room} to {LARGEST}"), &Json::from(size)));
            }
            size => self.set_size(object, size.unwrap_or(room)),
        }
        Ok(object)
    }
}
