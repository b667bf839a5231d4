//! The planner: makes a [`Plan`] of what clang knows about a function, its types and the variables that it sees.

use std::collections::{BTreeMap, BTreeSet};

use estrange_clang::{Body, FunctionKind, NodeKind, Record, Shape, ThingKind, Tree};
use estrange_words::Language;
use serde::{Deserialize, Serialize};

use crate::dictionary::Dictionary;
use crate::instance::Instance;
use crate::legend::{Called, Legend};
use crate::plan::{
    ARRAY, BOOLEAN, Description, ENUMERATION, FLOATING, FUNCTION, INTEGER, NEVER_NULL, OPAQUE, POINTER, Plan, RECORD,
    STREAM, VOID,
};
use crate::record::Untestable;
use crate::types::{spelled, type_of_record};
use crate::usage::Usage;

/// The largest value that is handed over or returned, and the most parameters.
const LARGEST_ARGUMENT: u64 = 4096;
const MOST_PARAMETERS: usize = 32;

/// How objects of a unit's classes are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Making {
    /// By their constructors, where there are some.
    Constructors,
    /// By values for their members, since the unit does not have all that constructors need.
    Members,
}

/// The plan of a function.
pub(crate) fn plan(
    tree: &Tree,
    text: &str,
    body: &Body,
    usage: &Usage,
    language: Language,
    making: Making,
    instance: Option<&Instance>,
) -> Result<Plan, Untestable> {
    let mut planner = Planner {
        tree,
        usage,
        is_cpp: language == Language::Cpp,
        making,
        plan: Plan { legend: Legend { is_cpp: language == Language::Cpp, ..Legend::default() }, ..Plan::default() },
        known: BTreeMap::new(),
        records: BTreeMap::new(),
    };
    planner.function(body, instance)?;
    planner.globals();
    planner.functions(body);
    let Dictionary { numbers: literals, texts, reals } = Dictionary::of(tree, text, body);
    Ok(Plan { literals, texts, reals, ..planner.plan })
}

pub(crate) struct Planner<'t> {
    pub(crate) tree: &'t Tree,
    usage: &'t Usage,
    is_cpp: bool,
    pub(crate) making: Making,
    pub(crate) plan: Plan,
    known: BTreeMap<Description, u64>,
    pub(crate) records: BTreeMap<u32, u64>,
}

impl Planner<'_> {
    fn function(&mut self, body: &Body, instance: Option<&Instance>) -> Result<(), Untestable> {
        let thing = self.tree.thing(body.thing);
        let type_ = instance.map(|instance| instance.function).or(thing.type_);
        let shape = type_.map(|type_| &self.tree.type_(type_).shape);
        let Some(Shape::Function { result, parameters: taken, is_variadic }) = shape else {
            return Err(Untestable::Type(thing.name.clone()));
        };
        if *is_variadic {
            return Err(Untestable::Varargs);
        }
        // Together with its object.
        if body.parameters.len() >= MOST_PARAMETERS {
            return Err(Untestable::Type(format!("{} parameters", body.parameters.len())));
        }
        if body.is_template && instance.is_none() {
            return Err(Untestable::Template);
        }
        let own = body.of.map(|of| type_of_record(self.tree, of).ok_or(Untestable::Type(thing.qualified_name.clone())));
        let object = own.transpose()?.or(instance.and_then(|instance| instance.class));
        let has_object = body.kind != FunctionKind::Constructor && !body.is_static_method;
        if let Some(object) = object.filter(|_| has_object) {
            let number = self.reference(object, None);
            self.can_be_handed_over(object, number)?;
            self.plan.parameters.push(number);
            self.plan.legend.parameters.push("object".to_owned());
        }
        self.plan.legend.function = match body.kind {
            FunctionKind::Constructor => {
                Called::Constructor(object.map_or_else(|| thing.name.clone(), |object| spelled(self.tree, object)))
            }
            _ if object.is_some() && has_object => Called::Method(thing.name.clone()),
            _ if self.is_cpp => Called::Plain(thing.qualified_name.clone()),
            _ => Called::Plain(thing.name.clone()),
        };
        self.plan.ends_object = body.kind == FunctionKind::Destructor;
        for (place, parameter) in body.parameters.iter().enumerate() {
            let known = self.tree.thing(*parameter).type_;
            let Some(type_) = instance.map_or(known, |_| taken.get(place).copied()) else {
                return Err(Untestable::Type(self.tree.thing(*parameter).name.clone()));
            };
            let number = match &self.tree.type_(type_).shape {
                Shape::Array { of, .. } => self.pointer(*of, Some(*parameter), true),
                Shape::Function { .. } => self.pointer(type_, None, false),
                _ => self.slot(type_, Some(*parameter)),
            };
            self.can_be_handed_over(type_, number)?;
            self.plan.parameters.push(number);
            self.plan.legend.parameters.push(self.tree.thing(*parameter).name.clone());
        }
        let result = object.as_ref().filter(|_| body.kind == FunctionKind::Constructor).unwrap_or(result);
        self.plan.result = self.slot(*result, None);
        if self.plan.types[self.plan.result as usize].kind != VOID {
            self.can_be_had(*result, self.plan.result)?;
        }
        Ok(())
    }

    /// Whether a value of a type can be made.
    fn can_be_handed_over(&self, type_: u32, number: u64) -> Result<(), Untestable> {
        self.can_be_had(type_, number)?;
        let description = self.plan.types[number as usize];
        // What a reference refers to must be there.
        let refers = description.kind == POINTER && description.last == NEVER_NULL;
        let is_made = |number: u64| !self.is_cpp || self.can_be_made(number);
        if !is_made(number) || refers && !is_made(description.more[0]) {
            return Err(Untestable::Type(self.tree.type_(type_).spelling.clone()));
        }
        Ok(())
    }

    /// Whether there is room for a value of a type, and it can be looked at.
    fn can_be_had(&self, type_: u32, number: u64) -> Result<(), Untestable> {
        let written = self.tree.type_(type_);
        if written.canonical.contains("__va_list_tag") || written.spelling.contains("va_list") {
            return Err(Untestable::Varargs);
        }
        let description = self.plan.types[number as usize];
        let is_sized = description.size > 0 && description.size <= LARGEST_ARGUMENT;
        match description.kind == OPAQUE || !is_sized {
            true => Err(Untestable::Type(written.spelling.clone())),
            false => Ok(()),
        }
    }

    /// The variables outside of functions that code uses and may change.
    fn globals(&mut self) {
        let named = self.tree.nodes.iter().filter(|node| node.kind == NodeKind::Name).filter_map(|node| node.thing);
        let named: BTreeSet<u32> = named.collect();
        for number in named {
            let thing = self.tree.thing(number);
            let Some(type_) = thing.type_ else { continue };
            if thing.kind != ThingKind::Global || !thing.is_defined || self.is_constant(type_) {
                continue;
            }
            if self.tree.type_(type_).size.is_none_or(|size| size == 0 || size > 1 << 20) {
                continue;
            }
            // Other objects are made by the program itself.
            if self.is_cpp && !self.tree.type_(type_).is_plain {
                continue;
            }
            let slot = self.slot(type_, Some(number));
            self.plan.globals.push(slot);
            self.plan.global_names.push(if self.is_cpp { &thing.qualified_name } else { &thing.name }.clone());
        }
    }

    /// The functions, but for the one that is tested, that code names and does not call there.
    fn functions(&mut self, body: &Body) {
        // In C++ functions may be overloaded.
        if self.is_cpp {
            return;
        }
        let tree = self.tree;
        let called = |node: u32| {
            let mut callee = tree.children(node).next()?;
            while tree.node(callee).kind != NodeKind::Name {
                callee = tree.children(callee).next()?;
            }
            Some(callee)
        };
        let numbers = || 0..tree.nodes.len() as u32;
        let calls = numbers().filter(|node| tree.node(*node).kind == NodeKind::Call);
        let callees: BTreeSet<u32> = calls.filter_map(called).collect();
        let names = numbers().filter(|node| tree.node(*node).kind == NodeKind::Name && !callees.contains(node));
        let named: BTreeSet<u32> = names.filter_map(|node| tree.node(node).thing).collect();
        for number in named {
            let thing = tree.thing(number);
            let Some(type_) = thing.type_ else { continue };
            if thing.kind != ThingKind::Function || number == body.thing {
                continue;
            }
            let slot = self.slot(type_, None);
            self.plan.functions.push(slot);
            self.plan.function_names.push(thing.name.clone());
        }
    }

    fn is_constant(&self, type_: u32) -> bool {
        let type_ = self.tree.type_(type_);
        match type_.shape {
            Shape::Array { of, .. } => type_.is_const || self.is_constant(of),
            _ => type_.is_const,
        }
    }

    /// The number of a description, which is the same for the same description.
    pub(crate) fn number(&mut self, description: Description) -> u64 {
        if let Some(number) = self.known.get(&description) {
            return *number;
        }
        let number = self.plan.types.len() as u64;
        self.plan.types.push(description);
        self.known.insert(description, number);
        number
    }

    /// The type of something that has a type and may be a thing.
    pub(crate) fn slot(&mut self, type_: u32, thing: Option<u32>) -> u64 {
        let tree = self.tree;
        let described = tree.type_(type_);
        let size = described.size.unwrap_or(0);
        let plain = |kind, more| Description { kind, size, more, ..Description::default() };
        match &described.shape {
            Shape::Void => self.number(plain(VOID, [0; 3])),
            Shape::Boolean => self.number(plain(BOOLEAN, [0; 3])),
            Shape::Integer { bits, is_signed, is_character } => {
                self.number(plain(INTEGER, [u64::from(*bits), u64::from(*is_signed), u64::from(*is_character)]))
            }
            Shape::Floating { bits } => self.number(plain(FLOATING, [u64::from(*bits), 0, 0])),
            Shape::Enumeration(number) => {
                let values = &tree.enumerations[*number as usize].values;
                let at = self.plan.values.len() as u64;
                let description = plain(ENUMERATION, [at, values.len() as u64, u64::from(*number)]);
                // The place of the values does not tell two of them apart.
                let key = Description { more: [u64::MAX, 0, u64::from(*number)], ..description };
                if let Some(known) = self.known.get(&key) {
                    return *known;
                }
                self.plan.values.extend(values.iter().map(|(_, value)| *value as u64));
                let made = self.number(description);
                self.known.insert(key, made);
                self.plan.legend.values.insert(made, values.clone());
                self.call_it(made, type_);
                made
            }
            Shape::Pointer { to } => self.pointer(*to, thing, false),
            Shape::Array { of, length } => {
                let of = self.slot(*of, thing);
                self.number(plain(ARRAY, [of, length.unwrap_or(0), 0]))
            }
            Shape::Record(number) => {
                let made = if self.is_cpp { self.class(*number, type_) } else { self.record(*number, size) };
                self.call_it(made, type_);
                made
            }
            Shape::Function { result, parameters, .. } => {
                let result = self.slot(*result, None);
                let parameters: Vec<u64> = parameters.iter().map(|each| self.slot(*each, None)).collect();
                let at = self.plan.signatures.len() as u64;
                let count = parameters.len() as u64;
                let same = self.plan.signatures.windows(parameters.len().max(1)).position(|all| all == parameters);
                let at = match same {
                    Some(same) if count > 0 => same as u64,
                    _ => {
                        self.plan.signatures.extend(parameters);
                        at
                    }
                };
                self.number(Description {
                    kind: FUNCTION,
                    size: 0,
                    more: [result, if count > 0 { at } else { 0 }, count],
                    ..Description::default()
                })
            }
            Shape::Reference { to, .. } => self.reference(*to, thing),
            Shape::Dependent | Shape::Other => self.number(plain(OPAQUE, [0; 3])),
        }
    }

    /// Notes what a type is called, the first time; one without a name is called by its place.
    fn call_it(&mut self, number: u64, type_: u32) {
        let name = match self.is_cpp {
            true => spelled(self.tree, type_),
            false => self.tree.type_(type_).spelling.replace("const ", "").replace("volatile ", ""),
        };
        if !name.contains('(') {
            self.plan.legend.types.entry(number).or_insert(name);
        }
    }

    /// A pointer that is never null.
    fn reference(&mut self, to: u32, thing: Option<u32>) -> u64 {
        let pointer = self.pointer(to, thing, false);
        let pointer = self.plan.types[pointer as usize];
        self.number(Description { last: NEVER_NULL, ..pointer })
    }

    fn pointer(&mut self, to: u32, thing: Option<u32>, is_array: bool) -> u64 {
        let used_as = thing.and_then(|thing| self.usage.pointed(self.tree, thing));
        let is_indexed = is_array || thing.is_some_and(|thing| self.usage.is_indexed(thing));
        let is_const = self.tree.type_(to).is_const;
        let to = self.slot(used_as.unwrap_or(to), None);
        self.number(Description {
            kind: POINTER,
            size: 8,
            more: [to, u64::from(is_indexed), u64::from(is_const)],
            ..Description::default()
        })
    }

    fn record(&mut self, number: u32, size: u64) -> u64 {
        if let Some(known) = self.records.get(&number) {
            return *known;
        }
        let tree = self.tree;
        let record: &Record = &tree.records[number as usize];
        let made = self.plan.types.len() as u64;
        self.records.insert(number, made);
        let kind = match record.name.as_str() {
            "_IO_FILE" => STREAM,
            _ if !record.is_complete => OPAQUE,
            _ => RECORD,
        };
        // Its members may have pointers to it: it is there before they are.
        self.plan.types.push(Description { kind, size, ..Description::default() });
        if kind != RECORD {
            return made;
        }
        // What belongs to the system is not ours to make up.
        let is_hidden = !record.is_ours && (record.name.starts_with("pthread") || record.name.starts_with("__"));
        let (mut fields, mut names) = (Vec::new(), Vec::new());
        let mut last = 0;
        for field in &record.fields {
            let Some(offset) = field.offset else { continue };
            let thing = field.at.and_then(|at| self.usage.member(at));
            let is_used = !is_hidden && (field.at.is_none() || thing.is_some());
            let type_ = self.slot(field.type_, thing);
            last = match tree.type_(field.type_).shape {
                Shape::Array { of, length: None | Some(0 | 1) } if is_used => self.slot(of, thing) + 1,
                _ => 0,
            };
            fields.push([offset, type_, field.bits.map_or(0, u64::from), u64::from(is_used)]);
            names.push(field.name.clone());
        }
        let usage = self.usage;
        let wider: Vec<u64> = usage.wider(number).map(|type_| self.slot(type_, None)).collect();
        let mut wider_at = 0;
        if !wider.is_empty() {
            wider_at = self.plan.values.len() as u64 + 1;
            self.plan.values.push(wider.len() as u64);
            self.plan.values.extend(wider);
        }
        let at = self.plan.fields.len() as u64;
        let count = fields.len() as u64;
        self.plan.fields.extend(fields);
        self.plan.legend.fields.extend((at..).zip(names));
        self.plan.types[made as usize] = Description {
            kind,
            size,
            more: [at, count, u64::from(record.is_union)],
            last: if record.is_union { 0 } else { last },
            made: 0,
            wider: wider_at,
        };
        made
    }
}
