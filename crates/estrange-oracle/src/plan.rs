//! The plan: everything that the harness must know about a function, as numbers.
//!
//! The harness is one fixed program in C (`runtime/*.c`), compiled once. What differs from function to function is data:
//! types with their sizes and the places of their members, the function's own literals, and what is to be done. So no
//! text needs compiling for a harness but a few lines that call the function.

use std::collections::{BTreeMap, BTreeSet};

use estrange_clang::{Binary, Body, FunctionKind, NodeKind, Record, Shape, ThingKind, Tree};
use estrange_evidence::Language;

use crate::classes::{Maker, type_of_record};
use crate::instance::Instance;
use crate::record::Untestable;
use crate::usage::Usage;

/// The numbers of `enum kind` in `runtime/state.c`.
pub(crate) const VOID: u64 = 0;
const BOOLEAN: u64 = 1;
const INTEGER: u64 = 2;
const FLOATING: u64 = 3;
const ENUMERATION: u64 = 4;
pub(crate) const POINTER: u64 = 5;
pub(crate) const ARRAY: u64 = 6;
pub(crate) const RECORD: u64 = 7;
pub(crate) const FUNCTION: u64 = 8;
const STREAM: u64 = 9;
pub(crate) const OPAQUE: u64 = 10;
pub(crate) const STRING: u64 = 11;
pub(crate) const VIEW: u64 = 12;
pub(crate) const SEQUENCE: u64 = 13;
pub(crate) const MADE: u64 = 14;
pub(crate) const DISPATCH: u64 = 15;

/// What the last word of a pointer says: it may be null and shared, it never is null, it is the only one.
pub(crate) const NEVER_NULL: u64 = 1;
pub(crate) const ALONE: u64 = 2;

/// The largest value that is handed over or returned, and the most parameters.
const LARGEST_ARGUMENT: u64 = 4096;
const MOST_PARAMETERS: usize = 32;

/// What a function takes, returns and sees.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub(crate) types: Vec<Description>,
    pub(crate) fields: Vec<[u64; 4]>,
    values: Vec<u64>,
    pub(crate) signatures: Vec<u64>,
    parameters: Vec<u64>,
    result: u64,
    /// The types of the variables in `global_names`.
    globals: Vec<u64>,
    /// Variables outside of functions that the function can see.
    pub(crate) global_names: Vec<String>,
    /// The types of the functions in `function_names`.
    functions: Vec<u64>,
    /// Functions whose address the code takes: it may ask whether it was handed one of them.
    pub(crate) function_names: Vec<String>,
    literals: Vec<u64>,
    texts: Vec<Vec<u8>>,
    /// How objects of classes are made.
    pub(crate) makers: Vec<Maker>,
    /// Whether the call ends its first argument.
    ends_object: bool,
}

/// A type, in the order of `struct type` in `runtime/state.c`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Description {
    pub(crate) kind: u64,
    pub(crate) size: u64,
    pub(crate) more: [u64; 3],
    pub(crate) last: u64,
    /// The number of its maker plus 1, times 2; plus 1 if it can be made in no other way.
    pub(crate) made: u64,
    /// Where among the values it stands which larger structs it is taken for, plus 1: how many, and their types.
    pub(crate) wider: u64,
}

/// One thing to do over the inputs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job {
    /// Which function of the program.
    pub(crate) function: u64,
    /// What memory is filled with that nobody wrote to.
    pub(crate) fill: u8,
    /// What.
    pub(crate) what: What,
    /// Steps that a call may take; for what is compared, how many times those of the original.
    pub(crate) fuel: u64,
    /// The input, if it is about one.
    pub(crate) input: u64,
}

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// Looks for inputs.
    Explore = 0,
    /// Runs all inputs.
    Run = 1,
    /// Runs inputs until one shows a difference.
    Compare = 2,
    /// Runs one input and writes down what it sees.
    Tell = 3,
    /// Looks for an input that shows a wrong edit.
    Hunt = 4,
}

/// How objects of a unit's classes are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Making {
    /// By their constructors, where there are some.
    Constructors,
    /// By values for their members, since the unit does not have all that constructors need.
    Members,
}

/// What the search for inputs goes by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) seed: u64,
    pub(crate) tries: u64,
    pub(crate) wanted: u64,
    pub(crate) marks: u64,
}

impl Plan {
    /// The plan of a function.
    pub(crate) fn of(
        tree: &Tree,
        text: &str,
        body: &Body,
        usage: &Usage,
        language: Language,
        making: Making,
        instance: Option<&Instance>,
    ) -> Result<Self, Untestable> {
        let mut planner = Planner {
            tree,
            usage,
            is_cpp: language == Language::Cpp,
            making,
            plan: Plan::default(),
            known: BTreeMap::new(),
            records: BTreeMap::new(),
        };
        planner.function(body, instance)?;
        planner.globals();
        planner.functions(body);
        planner.literals(body);
        planner.plan.texts = texts(tree, text);
        Ok(planner.plan)
    }

    /// The plan as the harness reads it.
    pub(crate) fn words(&self, jobs: &[Job], effort: Effort) -> Vec<u8> {
        const HEADER: usize = 24;
        let mut words: Vec<u64> = vec![0; HEADER];
        let types_at = words.len();
        // Numbers of fields and values become places in the words, which are known once the types have theirs.
        let fields_at = types_at + self.types.len() * 8;
        let values_at = fields_at + self.fields.len() * 4;
        let signatures_at = values_at + self.values.len();
        for type_ in &self.types {
            let mut more = type_.more;
            match type_.kind {
                RECORD => more[0] = fields_at as u64 + more[0] * 4,
                ENUMERATION => more[0] += values_at as u64,
                FUNCTION => more[1] += signatures_at as u64,
                DISPATCH => more[0] += signatures_at as u64,
                _ => {}
            }
            let wider = if type_.wider > 0 { type_.wider - 1 + values_at as u64 } else { 0 };
            words.extend([type_.kind, type_.size, more[0], more[1], more[2], type_.last, type_.made, wider]);
        }
        words.extend(self.fields.iter().flatten());
        words.extend(&self.values);
        words.extend(&self.signatures);
        let mut put = |all: &[u64]| {
            let at = words.len() as u64;
            words.extend(all);
            at
        };
        let parameters_at = put(&self.parameters);
        let globals_at = put(&self.globals);
        let functions_at = put(&self.functions);
        let literals_at = put(&self.literals);
        let mut places = Vec::new();
        for text in &self.texts {
            places.push(put(&[text.len() as u64]));
            let padded: Vec<u64> = text
                .chunks(8)
                .map(|chunk| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
                .collect();
            put(&padded);
        }
        let texts_at = put(&places);
        let mut makers = Vec::new();
        for maker in &self.makers {
            let mut constructors = vec![maker.constructors.len() as u64];
            for taken in &maker.constructors {
                let parameters: Vec<u64> =
                    [taken.len() as u64].into_iter().chain(taken.iter().map(|(number, _)| *number)).collect();
                constructors.push(put(&parameters));
            }
            makers.push(put(&constructors));
        }
        let makers_at = put(&makers);
        let jobs_at = put(&[]);
        for job in jobs {
            put(&[job.function, u64::from(job.fill), job.what as u64, job.fuel, job.input]);
        }
        let count = |length: usize| length as u64;
        let header = [
            0x0072_6163_6c65,
            types_at as u64,
            count(self.types.len()),
            parameters_at,
            count(self.parameters.len()),
            self.result,
            globals_at,
            count(self.globals.len()),
            literals_at,
            count(self.literals.len()),
            texts_at,
            count(self.texts.len()),
            jobs_at,
            count(jobs.len()),
            effort.seed,
            effort.tries,
            effort.wanted,
            0,
            effort.marks,
            makers_at,
            count(self.makers.len()),
            u64::from(self.ends_object),
            functions_at,
            count(self.functions.len()),
        ];
        words[..HEADER].copy_from_slice(&header);
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
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
        }
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
        // In C++ a name may be that of several.
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

    /// Numbers and texts of the code itself: those of the function first, then those of its helpers.
    fn literals(&mut self, body: &Body) {
        let mut literals = BTreeSet::new();
        let own = body.body.map(|node| self.tree.subtree(node)).unwrap_or_default();
        let others = 0..self.tree.nodes.len() as u32;
        for (range, most) in [(own, 400), (others, 600)] {
            for node in range {
                if literals.len() < most {
                    literals.extend(constant(self.tree, node).map(|value| value as u64));
                }
            }
        }
        for enumeration in &self.tree.enumerations {
            if literals.len() < 600 && enumeration.values.len() < 40 {
                literals.extend(enumeration.values.iter().map(|(_, value)| *value as u64));
            }
        }
        self.plan.literals = literals.into_iter().collect();
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
                made
            }
            Shape::Pointer { to } => self.pointer(*to, thing, false),
            Shape::Array { of, length } => {
                let of = self.slot(*of, thing);
                self.number(plain(ARRAY, [of, length.unwrap_or(0), 0]))
            }
            Shape::Record(number) if self.is_cpp => self.class(*number, type_),
            Shape::Record(number) => self.record(*number, size),
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
        let mut fields = Vec::new();
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

/// The value of a number that is written, or of what is made of such numbers.
fn constant(tree: &Tree, node: u32) -> Option<i64> {
    let this = tree.node(node);
    if this.value.is_some() {
        return this.value;
    }
    let mut children = tree.children(node);
    match this.kind {
        NodeKind::Implicit | NodeKind::Parentheses | NodeKind::Cast => constant(tree, children.last()?),
        NodeKind::Binary(operator) => {
            let (left, right) = (constant(tree, children.next()?)?, constant(tree, children.next()?)?);
            match operator {
                Binary::Add => left.checked_add(right),
                Binary::Subtract => left.checked_sub(right),
                Binary::Multiply => left.checked_mul(right),
                Binary::Divide => left.checked_div(right),
                Binary::ShiftLeft => left.checked_shl(u32::try_from(right).ok()?),
                Binary::BitOr => Some(left | right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The texts that the code has, each once.
fn texts(tree: &Tree, text: &str) -> Vec<Vec<u8>> {
    const MOST: usize = 200;
    const LONGEST: usize = 64;
    let literals = tree.nodes.iter().filter(|node| node.kind == NodeKind::Text && node.is_written);
    let written = literals.filter_map(|node| text.get(node.start as usize..node.end as usize));
    let said = written.filter_map(|literal| Some(unescaped(literal.strip_prefix('"')?.strip_suffix('"')?)));
    let texts: BTreeSet<Vec<u8>> = said.filter(|text| !text.is_empty() && text.len() <= LONGEST).take(MOST).collect();
    texts.into_iter().collect()
}

/// A text without the commonest escapes; of the others the letter stays.
fn unescaped(literal: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = literal.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'\\' => match rest.next() {
                Some(b'n') => b'\n',
                Some(b't') => b'\t',
                Some(b'r') => b'\r',
                Some(other) => other,
                None => break,
            },
            other => other,
        };
        bytes.push(byte);
    }
    bytes
}
