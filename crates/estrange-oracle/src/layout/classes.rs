//! The layout of what only C++ has: strings, vectors, containers, objects that constructors make.

use serde_json::{Map, Value as Json};

use super::{Layout, Placed, misfit};
use crate::given::{Kind, Object, Spot, Step};
use crate::plan::{Description, Family, STRING};

impl Layout<'_> {
    /// A vtable of functions that answer nothing.
    pub(super) fn table(&mut self, spot: Spot, described: &Description) {
        let [at, count, _] = described.more;
        let table = self.new_object(Object { size: (count + 2) * 8, type_: None, is_storage: true });
        for index in 0..count {
            let type_ = self.plan.signatures[(at + index) as usize];
            self.made.answers.push((type_, Vec::new()));
            let stub = Spot::start(Kind::Stub, self.made.answers.len() as u64 - 1);
            self.points.push((Spot::start(Kind::Object, table).at((index + 2) * 8), Step::Point(stub)));
        }
        self.points.push((spot, Step::Point(Spot::start(Kind::Object, table).at(16))));
    }

    /// What makes an object of the library that has nothing in it.
    pub(super) fn made_of_nothing(&self, described: &Description) -> Map<String, Json> {
        let maker = self.plan.makers.get((described.made / 2).wrapping_sub(1) as usize);
        let taken = maker.and_then(|maker| maker.constructors.first()).map(Vec::as_slice).unwrap_or_default();
        let nothing = taken.iter().map(|(type_, _)| match self.type_(*type_).kind {
            STRING => Json::from(""),
            _ => Json::Null,
        });
        Map::from_iter([("arguments".to_owned(), nothing.collect())])
    }

    /// A text behind an address and a length. Short text lies within a string itself.
    pub(super) fn string(&mut self, spot: Spot, kind: u64, text: &[u8]) {
        const WITHIN: usize = 15;
        let length = (text.len() as u64).to_le_bytes();
        let (address, size) = if kind == STRING { (spot, spot.at(8)) } else { (spot.at(8), spot) };
        self.write(size, &length);
        let mut text = text.to_vec();
        if kind == STRING {
            text.push(0);
        }
        if kind == STRING && text.len() <= WITHIN + 1 {
            self.write(spot.at(16), &text);
            self.points.push((address, Step::Point(spot.at(16))));
            return;
        }
        if kind == STRING {
            self.write(spot.at(16), &length);
        }
        let room = self.new_object(Object { size: text.len() as u64, type_: None, is_storage: true });
        let room = Spot::start(Kind::Object, room);
        self.write(room, &text);
        self.points.push((address, Step::Point(room)));
    }

    /// A vector: where its elements begin and end, and where their room ends.
    pub(super) fn sequence(&mut self, spot: Spot, of: u64, values: &[Json], place: &str) -> Placed<()> {
        let size = self.type_(of).size;
        let all = size * values.len() as u64;
        if all == 0 {
            self.write(spot, &[0; 24]);
            return Ok(());
        }
        let room = self.new_object(Object { size: all, type_: Some(of), is_storage: true });
        let room = Spot::start(Kind::Object, room);
        for (index, offset) in [0, all, all].into_iter().enumerate() {
            self.points.push((spot.at(index as u64 * 8), Step::Point(room.at(offset))));
        }
        for (index, value) in values.iter().enumerate() {
            self.put(room.at(index as u64 * size), of, value, &format!("{place}, element {index}"))?;
        }
        Ok(())
    }

    /// An object that is made by code: a container with elements, a stream with a text, or by a constructor.
    pub(super) fn container(&mut self, spot: Spot, type_: u64, value: &Json, place: &str) -> Placed<()> {
        let described = self.type_(type_);
        let maker = (described.made / 2).wrapping_sub(1);
        let family = self.plan.makers.get(maker as usize).map(|maker| maker.family);
        let wanted = self.wanted(type_);
        match (family, value) {
            (Some(Family::AnyStream | Family::StringStream), Json::String(_)) => {
                let map = Map::from_iter([("arguments".to_owned(), Json::Array(vec![value.clone()]))]);
                self.construct(spot, &described, &map, place)
            }
            (_, Json::Object(map)) if map.contains_key("constructor") => self.construct(spot, &described, map, place),
            (Some(Family::Elements | Family::Adaptor | Family::Optional | Family::Pairs), Json::Array(values)) => {
                self.construct(spot, &described, &Map::new(), place)?;
                for (index, value) in values.iter().enumerate() {
                    let place = format!("{place}, element {index}");
                    let both = match (described.more[1], value) {
                        (0, value) => vec![(described.more[0], value)],
                        (_, Json::Array(both)) if both.len() == 2 => {
                            vec![(described.more[0], &both[0]), (described.more[1], &both[1])]
                        }
                        _ => return Err(misfit(&place, "a key and a value", value)),
                    };
                    let mut made = Vec::new();
                    for (of, value) in both {
                        made.push(self.taken(of.saturating_sub(1), value, &place)?);
                    }
                    let step = Step::Add { maker, first: made[0], second: made.get(1).copied() };
                    self.makes.push((spot, step));
                }
                Ok(())
            }
            _ => Err(misfit(place, wanted, value)),
        }
    }

    /// An object that code takes.
    fn taken(&mut self, type_: u64, value: &Json, place: &str) -> Placed<u64> {
        let object = self.new_object(Object { size: self.type_(type_).size, type_: None, is_storage: true });
        self.put(Spot::start(Kind::Object, object), type_, value, place)?;
        Ok(object)
    }

    pub(super) fn construct(
        &mut self,
        spot: Spot,
        described: &Description,
        map: &Map<String, Json>,
        place: &str,
    ) -> Placed<()> {
        let number = (described.made / 2).wrapping_sub(1);
        let which = map.get("constructor").and_then(Json::as_u64).unwrap_or(0);
        let maker = self.plan.makers.get(number as usize);
        let values: Vec<Json> = map.get("arguments").and_then(Json::as_array).cloned().unwrap_or_default();
        let constructors = maker.map(|maker| maker.constructors.as_slice()).unwrap_or_default();
        let fits = |taken: &&Vec<(u64, String)>| taken.len() == values.len();
        let Some(wanted) = constructors.get(which as usize).filter(fits) else {
            let counts: Vec<String> = constructors.iter().map(|taken| taken.len().to_string()).collect();
            let wanted = format!("one of {} constructors, which take {} arguments", counts.len(), counts.join(", "));
            return Err(misfit(place, wanted, &Json::Object(map.clone())));
        };
        let types: Vec<u64> = wanted.iter().map(|(type_, _)| *type_).collect();
        let mut taken = Vec::new();
        for (position, (type_, value)) in types.into_iter().zip(&values).enumerate() {
            taken.push(self.taken(type_, value, &format!("{place}, constructor argument {position}"))?);
        }
        self.makes.push((spot, Step::Make { maker: number, constructor: which, taken }));
        Ok(())
    }
}
