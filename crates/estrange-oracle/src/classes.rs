//! The plan of what only C++ has: objects of classes, and the types of the standard library.
//!
//! Strings and vectors are built and looked at by where their parts are. Everything else that needs more than its members'
//! values is made by code that is compiled behind the unit ([`Maker`]): its constructors, or, for what the library has,
//! what puts elements in and takes them out.

use estrange_clang::{Record, Shape, Tree};

use crate::plan::{
    ALONE, ARRAY, DISPATCH, Description, FUNCTION, Family, MADE, Maker, OPAQUE, POINTER, RECORD, SEQUENCE, STRING,
    VIEW, VOID,
};
use crate::planner::{Making, Planner};
use crate::types::{spelled, spelled_whole, type_of_record};

/// Room for a stream of our own, where a function wants any stream.
const STREAM_SIZE: u64 = 512;

/// What a class of the library is, by its name.
enum Known {
    String,
    View,
    Vector,
    Callable,
    Owner,
    Shared,
    Members,
    Made(Family),
}

fn known(record: &Record) -> Option<Known> {
    let name = record.qualified_name.strip_prefix("std::")?;
    let name = name.strip_prefix("__cxx11::").unwrap_or(name);
    Some(match name {
        "basic_string" => Known::String,
        "basic_string_view" => Known::View,
        "vector" => Known::Vector,
        "function" => Known::Callable,
        "unique_ptr" => Known::Owner,
        "shared_ptr" => Known::Shared,
        "pair" | "array" | "complex" => Known::Members,
        "deque" | "list" | "set" | "multiset" | "unordered_set" | "unordered_multiset" => Known::Made(Family::Elements),
        "map" | "multimap" | "unordered_map" | "unordered_multimap" => Known::Made(Family::Pairs),
        "stack" | "queue" | "priority_queue" => Known::Made(Family::Adaptor),
        "optional" => Known::Made(Family::Optional),
        "basic_ostream" | "basic_istream" | "basic_iostream" | "basic_ios" | "ios_base" => {
            Known::Made(Family::AnyStream)
        }
        "basic_stringstream" | "basic_ostringstream" | "basic_istringstream" => Known::Made(Family::StringStream),
        _ => Known::Made(Family::Whole),
    })
}

impl Planner<'_> {
    /// The type of objects of a class.
    pub(crate) fn class(&mut self, number: u32, type_: u32) -> u64 {
        if let Some(known) = self.records.get(&number) {
            return *known;
        }
        let tree = self.tree;
        let record: &Record = &tree.records[number as usize];
        let below = || concrete(tree, number).filter(|_| record.is_abstract && self.making == Making::Constructors);
        if let Some(below) = below() {
            let made = self.slot(below, None);
            self.records.insert(number, made);
            return made;
        }
        let size = tree.type_(type_).size.unwrap_or(0);
        // Its members may have pointers to it: it is there before they are.
        let made = self.plan.types.len() as u64;
        self.records.insert(number, made);
        self.plan.types.push(Description { kind: RECORD, size, ..Description::default() });
        let class = spelled(tree, type_);
        let description = match known(record) {
            // An incomplete type: any bytes will do.
            _ if !record.is_complete && record.arguments.is_empty() && record.is_ours => {
                Some(Description { kind: RECORD, ..Description::default() })
            }
            _ if record.has_virtual_base => None,
            Some(known) => self.library(record, known, class, size),
            None => Some(self.own(number, class, size)),
        };
        let unknown = Description { kind: OPAQUE, size, ..Description::default() };
        self.plan.types[made as usize] = description.unwrap_or(unknown);
        made
    }

    /// Whether a value can be had at all.
    pub(crate) fn can_be_made(&self, number: u64) -> bool {
        let description = self.plan.types[number as usize];
        let has_maker = description.made & 1 == 0
            || self
                .plan
                .makers
                .get((description.made / 2 - 1) as usize)
                .is_some_and(|made| !made.constructors.is_empty());
        description.kind != OPAQUE && has_maker
    }

    /// A class of the library.
    fn library(&mut self, record: &Record, known: Known, class: String, size: u64) -> Option<Description> {
        let argument = |number: usize| record.arguments.get(number).copied().flatten();
        let first = argument(0);
        let is_of_bits = first.is_some_and(|first| self.tree.type_(first).shape == Shape::Boolean);
        // The parser does not know the size of a template that was not instantiated.
        let size = match (&known, size) {
            (Known::String, 0) => 32,
            (Known::View | Known::Shared, 0) => 16,
            (Known::Vector, 0) if is_of_bits => 40,
            (Known::Vector, 0) => 24,
            (Known::Callable, 0) => 32,
            (Known::Owner, 0) => 8,
            (Known::Made(Family::AnyStream), _) => STREAM_SIZE,
            (_, 0) => return None,
            (_, size) => size,
        };
        let is_char = first.is_some_and(|first| self.tree.type_(first).canonical == "char");
        let plain = |kind, of| Description { kind, size, more: [of, 0, 0], ..Description::default() };
        match known {
            Known::String if is_char && size == 32 => Some(plain(STRING, 0)),
            Known::View if is_char && size == 16 => Some(plain(VIEW, 0)),
            Known::String | Known::View => Some(self.made(class, Family::Whole, size, [0; 2], Vec::new())),
            // It has no elements that could be pointed to.
            Known::Vector if is_of_bits => {
                let of = self.slot(first?, None);
                Some(self.made(class, Family::Elements, size, [of + 1, 0], Vec::new()))
            }
            Known::Callable => Some(self.callable(class, size, first?)),
            Known::Vector => {
                let of = self.slot(first?, None);
                let is_sized = self.plan.types[of as usize].size > 0;
                (is_sized && self.can_be_made(of)).then(|| plain(SEQUENCE, of))
            }
            Known::Owner if size == 8 => {
                let to = self.slot(first?, None);
                Some(Description { last: ALONE, ..plain(POINTER, to) })
            }
            Known::Shared => {
                // Without a control block, a `shared_ptr` does not own its object.
                let to = self.slot(first?, None);
                let pointer =
                    self.number(Description { kind: POINTER, size: 8, more: [to, 0, 0], ..Description::default() });
                let at = self.plan.fields.len() as u64;
                self.plan.fields.push([0, pointer, 0, 1]);
                Some(Description { kind: RECORD, size, more: [at, 1, 0], ..Description::default() })
            }
            Known::Members => Some(self.members(record, size, false)),
            Known::Made(family @ (Family::Elements | Family::Adaptor | Family::Optional)) => {
                let of = self.slot(first?, None);
                let is_sized = self.plan.types[of as usize].size > 0;
                let element = if is_sized && self.can_be_made(of) { of + 1 } else { 0 };
                let family = if element == 0 { Family::Whole } else { family };
                Some(self.made(class, family, size, [element, 0], Vec::new()))
            }
            Known::Made(Family::Pairs) => {
                let (key, value) = (self.slot(first?, None), self.slot(argument(1)?, None));
                let is_both = self.can_be_made(key) && self.can_be_made(value);
                let family = if is_both { Family::Pairs } else { Family::Whole };
                let elements = if is_both { [key + 1, value + 1] } else { [0; 2] };
                Some(self.made(class, family, size, elements, Vec::new()))
            }
            Known::Made(family @ (Family::AnyStream | Family::StringStream)) => {
                let string = self.number(Description { kind: STRING, size: 32, ..Description::default() });
                let taken = vec![(string, "std::string".to_owned())];
                Some(self.made(class, family, size, [0; 2], vec![taken]))
            }
            Known::Made(_) | Known::Owner => Some(self.made(class, Family::Whole, size, [0; 2], Vec::new())),
        }
    }

    /// A `std::function`: it calls a function that is handed in.
    fn callable(&mut self, class: String, size: u64, first: u32) -> Description {
        let taken = match self.tree.type_(first).shape {
            Shape::Function { is_variadic: false, .. } => {
                let function = self.slot(first, None);
                let more = [function, 0, 0];
                let pointer = self.number(Description { kind: POINTER, size: 8, more, ..Description::default() });
                let written = format!("typename std::add_pointer<{}>::type", spelled_whole(self.tree, first));
                vec![vec![(pointer, written)]]
            }
            _ => Vec::new(),
        };
        self.made(class, Family::Whole, size, [0; 2], taken)
    }

    fn made(
        &mut self,
        class: String,
        family: Family,
        size: u64,
        [first, second]: [u64; 2],
        constructors: Vec<Vec<(u64, String)>>,
    ) -> Description {
        let constructors = if constructors.is_empty() { vec![Vec::new()] } else { constructors };
        self.plan.makers.push(Maker { class, family, constructors });
        let made = self.plan.makers.len() as u64 * 2 + 1;
        Description { kind: MADE, size, more: [first, second, 0], made, ..Description::default() }
    }

    /// A class of the unit.
    fn own(&mut self, number: u32, class: String, size: u64) -> Description {
        let tree = self.tree;
        let record: &Record = &tree.records[number as usize];
        let mut description = self.members(record, size, true);
        let fields = description.more[0] as usize..(description.more[0] + description.more[1]) as usize;
        let is_unknown = |field: &[u64; 4]| self.is_unknown(field[1]);
        // Bytes before the first member are no member: a pointer to a vtable, or something that the parser does not show.
        let is_hidden = !record.is_union
            && !record.is_dynamic
            && size >= 8
            && !fields.is_empty()
            && self.plan.fields[fields.clone()].iter().all(|[bit, ..]| *bit >= 64);
        let is_unknown = is_hidden || self.plan.fields[fields].iter().any(is_unknown);
        let mut constructors = Vec::new();
        let by_code = self.making == Making::Constructors && !record.is_abstract;
        for constructor in record.constructors.iter().filter(|_| by_code) {
            let is_copy = constructor.parameters.first().is_some_and(|first| refers_to(tree, *first, number));
            if is_copy || constructor.is_deleted || !constructor.is_defined {
                continue;
            }
            let taken: Vec<(u64, String)> = constructor
                .parameters
                .iter()
                .map(|type_| (self.slot(*type_, None), spelled_whole(tree, *type_)))
                .collect();
            let can_be_had = |number: u64| {
                let description = self.plan.types[number as usize];
                let refers = description.kind == POINTER && description.last != 0;
                self.can_be_made(number) && (!refers || self.can_be_made(description.more[0]))
            };
            if taken.iter().all(|(number, _)| can_be_had(*number)) {
                constructors.push(taken);
            }
        }
        if record.constructors.is_empty() && by_code && (is_unknown || record.is_dynamic) {
            constructors.push(Vec::new());
        }
        // Without a usable constructor, the object gets a vtable of stubs.
        let is_without = record.is_dynamic && constructors.is_empty() && !is_unknown;
        if let Some(table) = is_without.then(|| self.table(record)).flatten() {
            let at = self.plan.fields.len() as u64;
            let own = description.more[0] as usize..(description.more[0] + description.more[1]) as usize;
            self.plan.fields.extend_from_within(own);
            self.plan.fields.push([0, table, 0, 1]);
            description.more = [at, description.more[1] + 1, 0];
            return description;
        }
        let must = record.is_dynamic || is_unknown;
        if must || !constructors.is_empty() {
            self.plan.makers.push(Maker { class, family: Family::Class, constructors });
            description.made = self.plan.makers.len() as u64 * 2 + u64::from(must);
        }
        description
    }

    /// A vtable whose methods are all stubs; none if a base class belongs to the library.
    fn table(&mut self, record: &Record) -> Option<u64> {
        let tree = self.tree;
        let mut all = record.virtuals.clone();
        let mut base = record.bases.first().copied();
        while let Some(type_) = base {
            let Shape::Record(above) = tree.type_(type_).shape else { return None };
            let above = &tree.records[above as usize];
            if !above.is_ours || above.bases.len() > 1 {
                return None;
            }
            all.splice(0..0, above.virtuals.iter().copied());
            base = above.bases.first().copied();
        }
        if record.bases.len() > 1 {
            return None;
        }
        let nothing = self.number(Description { kind: VOID, ..Description::default() });
        let object = self.number(Description { kind: RECORD, ..Description::default() });
        let this = self.number(Description { kind: POINTER, size: 8, more: [object, 0, 0], ..Description::default() });
        let mut slots = Vec::new();
        for method in all {
            let (result, parameters) = match method.map(|method| &tree.type_(method).shape) {
                Some(Shape::Function { result, parameters, .. }) => (
                    self.slot(*result, None),
                    parameters.iter().map(|each| self.slot(*each, None)).collect::<Vec<u64>>(),
                ),
                _ => (nothing, Vec::new()),
            };
            let at = self.plan.signatures.len() as u64;
            let count = parameters.len() as u64 + 1;
            self.plan.signatures.push(this);
            self.plan.signatures.extend(parameters);
            slots.push(self.number(Description {
                kind: FUNCTION,
                more: [result, at, count],
                ..Description::default()
            }));
        }
        let at = self.plan.signatures.len() as u64;
        let count = slots.len() as u64;
        self.plan.signatures.extend(slots);
        Some(self.number(Description { kind: DISPATCH, size: 8, more: [at, count, 0], ..Description::default() }))
    }

    /// Whether no value can be made for a member.
    fn is_unknown(&self, number: u64) -> bool {
        let description = self.plan.types[number as usize];
        match description.kind {
            OPAQUE => description.size > 0,
            ARRAY => self.is_unknown(description.more[0]),
            _ => !self.can_be_made(number),
        }
    }

    /// A record as its members, with its first base class as the first of them.
    fn members(&mut self, record: &Record, size: u64, is_own: bool) -> Description {
        let tree = self.tree;
        let (mut fields, mut names) = (Vec::new(), Vec::new());
        // The offset of a base class is certain for the first one only.
        if let Some(base) = record.bases.first().filter(|_| is_own) {
            match tree.type_(*base).shape {
                Shape::Record(above) if tree.records[above as usize].is_ours => {
                    let above = &tree.records[above as usize];
                    if above.is_dynamic || !record.is_dynamic {
                        let size = tree.type_(*base).size.unwrap_or(0);
                        let members = self.members(above, size, true);
                        self.plan.types.push(members);
                        fields.push([0, self.plan.types.len() as u64 - 1, 0, 1]);
                    }
                }
                _ => fields.push([0, self.slot(*base, None), 0, 1]),
            }
        }
        // A base class has no name as a member.
        names.resize(fields.len(), String::new());
        for field in &record.fields {
            let Some(offset) = field.offset else { continue };
            let type_ = self.slot(field.type_, None);
            fields.push([offset, type_, field.bits.map_or(0, u64::from), 1]);
            names.push(field.name.clone());
        }
        let at = self.plan.fields.len() as u64;
        let count = fields.len() as u64;
        self.plan.fields.extend(fields);
        self.plan.legend.fields.extend((at..).zip(names));
        Description { kind: RECORD, size, more: [at, count, u64::from(record.is_union)], ..Description::default() }
    }
}

/// A concrete class of the unit that derives from an abstract one, and has it as its first base.
fn concrete(tree: &Tree, record: u32) -> Option<u32> {
    let begins_with = |below: &Record| {
        let mut first = below.bases.first().copied();
        while let Some(type_) = first {
            let Shape::Record(base) = tree.type_(type_).shape else { return false };
            if base == record {
                return true;
            }
            first = tree.records[base as usize].bases.first().copied();
        }
        false
    };
    let is_it = |below: &Record| below.is_ours && below.is_complete && !below.is_abstract && begins_with(below);
    let found = tree.records.iter().position(is_it)?;
    type_of_record(tree, found as u32)
}

fn refers_to(tree: &Tree, type_: u32, record: u32) -> bool {
    match tree.type_(type_).shape {
        Shape::Reference { to, .. } => tree.type_(to).shape == Shape::Record(record),
        _ => false,
    }
}
