//! WebAssembly as text: a module with the function, its helpers, and what they refer to, made from an object file.
//!
//! The module is whole, so that its text assembles: what is not printed is imported under a neutral name. In an object file
//! addresses are to be filled in by the linker; here data have addresses by the order of their first use, from 65536 on
//! in steps of as much, so that each stands out, and a comment names what it is. Functions whose addresses are taken stand in
//! the table in the order of first use.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, FunctionSection, ImportSection,
    IndirectNameMap, MemoryType, Module, NameMap, NameSection, TypeSection,
};
use wasmparser::{BinaryReader, FunctionBody, RelocationType};

use crate::data::SHOWN;
use crate::how::Style;
use crate::loss::Loss;
use crate::lowered::Lowered;
use crate::names::{Names, Policy, is_function_name, is_type_name};
use crate::symbol;
use crate::wasm_object::{Entry, ObjectFile, Symbol};

/// The addresses of data are so far apart, and begin there.
const STEP: u32 = 1 << 16;

/// Prints a function of an object file, and its helpers after it.
pub(crate) fn print(
    object: &[u8],
    function: &str,
    helpers: &[String],
    style: Style,
    policy: Policy<'_>,
) -> Result<Lowered, Loss> {
    let object = ObjectFile::read(object).map_err(|error| Loss::Unreadable { what: error.to_string() })?;
    let symbols = object.functions().map(|(name, _)| name);
    let mut wanted = vec![symbol::find(symbols.clone(), function)?];
    let mut absent = Vec::new();
    for helper in helpers {
        match symbol::find(symbols.clone(), helper) {
            Ok(found) if wanted.contains(&found) => {}
            Ok(found) => wanted.push(found),
            Err(_) => absent.push(helper.clone()),
        }
    }
    let printed =
        wanted.iter().filter_map(|name| object.functions().find(|(each, _)| each == name)).map(|(_, index)| index);
    let mut picture = Picture {
        printed: printed.collect(),
        object: &object,
        names: Names::new(policy),
        functions: Vec::new(),
        data: Vec::new(),
        slots: Vec::new(),
    };
    let text = picture.draw(style).map_err(|error| Loss::Unreadable { what: error.to_string() })?;
    Ok(picture.names.lowered(text, absent))
}

/// What data are known by: a segment, or the name of what is elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Datum {
    Segment(usize),
    Foreign(String),
}

struct Picture<'a> {
    object: &'a ObjectFile<'a>,
    names: Names<'a>,
    /// The functions that are printed, by their indices in the object.
    printed: Vec<u32>,
    /// All functions that are named, in order.
    functions: Vec<(u32, String)>,
    /// All data that are named, in order, with their addresses and names.
    data: Vec<(Datum, u32, String)>,
    /// The functions whose addresses are taken, in order.
    slots: Vec<u32>,
}

type Failure = Box<dyn std::error::Error>;

impl Picture<'_> {
    fn draw(&mut self, style: Style) -> Result<String, Failure> {
        let mut bodies = Vec::new();
        for index in self.printed.clone() {
            self.function(index);
            bodies.push(self.body(index)?);
        }
        let mut contents = Vec::new();
        let mut at = 0;
        while at < self.data.len() {
            contents.push(self.contents(at)?);
            at += 1;
        }
        let mut mapper = self.mapper();
        let mut code = CodeSection::new();
        let mut notes = Vec::new();
        for (bytes, references) in &bodies {
            let body = FunctionBody::new(BinaryReader::new(bytes, 0));
            notes.push(comments(&body, references)?);
            mapper.parse_function_body(&mut code, body)?;
        }
        let module = self.module(&mut mapper, &code, &contents, style);
        let text = wasmprinter::print_bytes(module)?;
        Ok(match style {
            Style::Plain => self.plain(&text, &notes, &contents),
            Style::Paper => functions_only(&text),
        })
    }

    /// The name of a function.
    fn function(&mut self, index: u32) -> String {
        if let Some((_, name)) = self.functions.iter().find(|(each, _)| *each == index) {
            return name.clone();
        }
        let name = match self.object.imported(index) {
            Some(import) => self.names.foreign(import, true),
            None => self.names.function(&format!(":{index}")),
        };
        self.functions.push((index, name.clone()));
        name
    }

    /// The address and the name of what a symbol of data stands for.
    fn datum(&mut self, symbol: &Symbol<'_>) -> (u32, String) {
        let (datum, offset) = match *symbol {
            Symbol::Data { segment: Some((segment, offset)), .. } => (Datum::Segment(segment), offset),
            Symbol::Data { name, segment: None } => (Datum::Foreign(name.to_owned()), 0),
            Symbol::Function { .. } | Symbol::Other => (Datum::Foreign(String::new()), 0),
        };
        if let Some((_, address, name)) = self.data.iter().find(|(each, _, _)| *each == datum) {
            return (address + offset, name.clone());
        }
        let address = match self.data.last() {
            None => STEP,
            Some((Datum::Segment(segment), address, _)) => {
                let size = self.object.segments[*segment].bytes.len() as u32;
                (address + size.max(1)).next_multiple_of(STEP)
            }
            Some((Datum::Foreign(_), address, _)) => address + STEP,
        };
        let name = match &datum {
            Datum::Segment(segment) => {
                let named = match *symbol {
                    Symbol::Data { name, segment: Some((_, 0)) } => name,
                    _ => "",
                };
                self.names.variable(&format!(":{segment}"), named)
            }
            Datum::Foreign(name) => self.names.foreign(name, false),
        };
        self.data.push((datum, address, name.clone()));
        (address + offset, name)
    }

    /// Where a function stands in the table, from 1 on.
    fn slot(&mut self, index: u32) -> u32 {
        let at = self.slots.iter().position(|&each| each == index).unwrap_or_else(|| {
            self.slots.push(index);
            self.slots.len() - 1
        });
        at as u32 + 1
    }

    /// What stands for an address, and the name of what is there.
    fn address(&mut self, entry: &Entry) -> Option<(i64, String)> {
        use RelocationType as Kind;
        let object = self.object;
        let symbol = object.symbols.get(entry.symbol as usize)?;
        match entry.kind {
            Kind::TableIndexSleb | Kind::TableIndexI32 | Kind::TableIndexRelSleb => {
                let Symbol::Function { index } = *symbol else { return None };
                let name = self.function(index);
                Some((i64::from(self.slot(index)), name))
            }
            Kind::MemoryAddrLeb
            | Kind::MemoryAddrSleb
            | Kind::MemoryAddrI32
            | Kind::MemoryAddrRelSleb
            | Kind::MemoryAddrTlsSleb => {
                let (address, name) = self.datum(symbol);
                Some((i64::from(address) + entry.addend, name))
            }
            _ => None,
        }
    }

    /// A function's body with its addresses filled in, and where that was, with names.
    fn body(&mut self, index: u32) -> Result<(Vec<u8>, BTreeMap<usize, String>), Failure> {
        let (range, entries) = self.object.body(index).ok_or("a function without body")?;
        let mut bytes = self.object.bytes[range].to_vec();
        let mut references = BTreeMap::new();
        for entry in entries {
            if let RelocationType::FunctionIndexLeb = entry.kind
                && let Some(Symbol::Function { index }) = self.object.symbols.get(entry.symbol as usize)
            {
                self.function(*index);
            } else if let Some((address, name)) = self.address(&entry) {
                let signed = !matches!(entry.kind, RelocationType::MemoryAddrLeb);
                let place = bytes.get_mut(entry.offset..entry.offset + 5).ok_or("a reference beyond its function")?;
                place.copy_from_slice(&padded(address, signed));
                references.insert(entry.offset, name);
            }
        }
        Ok((bytes, references))
    }

    /// The bytes of data with their addresses filled in; nothing for what is elsewhere.
    fn contents(&mut self, at: usize) -> Result<Option<Vec<u8>>, Failure> {
        let Datum::Segment(segment) = self.data[at].0 else { return Ok(None) };
        let segment = &self.object.segments[segment];
        let is = |kind: fn(&str) -> bool| segment.names.iter().any(|name| kind(name));
        if is(is_function_name) {
            return Ok(Some(format!("{}\0", self.functions[0].1).into_bytes()));
        }
        if is(is_type_name) {
            return Ok(Some(format!("{}\0", self.names.r#type(segment.names[0])).into_bytes()));
        }
        let mut bytes = segment.bytes.to_vec();
        let mut refers = false;
        for entry in &segment.entries {
            if let Some((address, _)) = self.address(entry) {
                let place = bytes.get_mut(entry.offset..entry.offset + 4).ok_or("a reference beyond its data")?;
                place.copy_from_slice(&(address as u32).to_le_bytes());
                refers = true;
            }
        }
        if !refers && let Ok(text) = std::str::from_utf8(&bytes) {
            bytes = self.names.cleaned(text, false).into_bytes();
        }
        Ok(Some(bytes))
    }

    /// The indices of the new module.
    fn mapper(&self) -> Mapper<'_> {
        let imported: Vec<u32> =
            self.functions.iter().map(|(index, _)| *index).filter(|index| !self.printed.contains(index)).collect();
        let order = imported.iter().chain(&self.printed);
        let functions = order.enumerate().map(|(new, &old)| (old, new as u32)).collect();
        Mapper { object: self.object, functions, imported, types: Vec::new(), globals: Vec::new(), tables: false }
    }

    fn module(
        &self,
        mapper: &mut Mapper<'_>,
        code: &CodeSection,
        contents: &[Option<Vec<u8>>],
        style: Style,
    ) -> Vec<u8> {
        let named =
            |index: u32| self.functions.iter().find(|(each, _)| *each == index).map_or("", |(_, name)| name.as_str());
        let mut imports = ImportSection::new();
        let mut names = NameMap::new();
        for (new, &index) in mapper.imported.clone().iter().enumerate() {
            let kind = mapper.r#type(self.object.type_of(index));
            imports.import("env", named(index), EntityType::Function(kind));
            names.append(new as u32, named(index));
        }
        let mut functions = FunctionSection::new();
        for &index in &self.printed {
            functions.function(mapper.r#type(self.object.type_of(index)));
            names.append(mapper.functions[&index], named(index));
        }
        let memory = MemoryType { minimum: 0, maximum: None, memory64: false, shared: false, page_size_log2: None };
        imports.import("env", "__linear_memory", memory);
        let mut global_names = NameMap::new();
        for (new, &index) in mapper.globals.iter().enumerate() {
            let (name, global) = self.object.globals[index as usize];
            imports.import("env", name, global_type(global));
            global_names.append(new as u32, name);
        }
        if mapper.tables || !self.slots.is_empty() {
            let table = wasm_encoder::TableType {
                element_type: wasm_encoder::RefType::FUNCREF,
                table64: false,
                minimum: self.slots.len() as u64 + 1,
                maximum: None,
                shared: false,
            };
            imports.import("env", "__indirect_function_table", table);
        }
        let mut elements = ElementSection::new();
        if !self.slots.is_empty() {
            let slots: Vec<u32> = self.slots.iter().map(|index| mapper.functions[index]).collect();
            elements.active(None, &ConstExpr::i32_const(1), Elements::Functions(Cow::Owned(slots)));
        }
        let mut data = DataSection::new();
        let mut data_names = NameMap::new();
        for ((_, address, name), content) in self.data.iter().zip(contents) {
            if let Some(bytes) = content
                && !is_blank(bytes)
            {
                data_names.append(data.len(), name);
                let shown = bytes[..bytes.len().min(SHOWN)].iter().copied();
                data.active(0, &ConstExpr::i32_const(address.cast_signed()), shown);
            }
        }
        let mut types = TypeSection::new();
        for &index in &mapper.types {
            let kind = &self.object.types[index as usize];
            types.ty().function(
                kind.params().iter().map(|each| value(*each)),
                kind.results().iter().map(|each| value(*each)),
            );
        }
        let mut section = NameSection::new();
        section.functions(&names);
        section.locals(&IndirectNameMap::new());
        section.globals(&global_names);
        section.data(&data_names);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions);
        if !self.slots.is_empty() {
            module.section(&elements);
        }
        module.section(code);
        if !data.is_empty() {
            module.section(&data);
        }
        if style == Style::Plain {
            module.section(&section);
        }
        module.finish()
    }

    /// The module's text, with comments that name what is at an address.
    fn plain(&self, text: &str, notes: &[BTreeMap<usize, String>], contents: &[Option<Vec<u8>>]) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut notes = notes.iter();
        // The comments of the function that is being read, and how many of its instructions were.
        let mut open: Option<(&BTreeMap<usize, String>, usize)> = None;
        for line in text.lines() {
            let bare = line.trim_start();
            let mut line = line.to_owned();
            if bare.starts_with("(func $") {
                open = notes.next().map(|notes| (notes, 0));
            } else if line == "  )" {
                open = None;
            } else if !bare.starts_with("(local")
                && let Some((notes, count)) = &mut open
            {
                if let Some(name) = notes.get(count) {
                    line.push_str(&format!(" (;{name};)"));
                }
                *count += 1;
            }
            lines.push(line);
        }
        // What is not all there is told before the last line.
        let last = lines.pop().unwrap_or_default();
        for ((_, address, name), content) in self.data.iter().zip(contents) {
            match content {
                Some(bytes) if is_blank(bytes) => lines.push(format!("  ;; {name} {address} zero {}", bytes.len())),
                Some(bytes) if bytes.len() > SHOWN => {
                    let hash = blake3::hash(&bytes[SHOWN..]).to_hex();
                    lines.push(format!("  ;; {name} {address} rest {} 0x{}", bytes.len() - SHOWN, &hash[..8]));
                }
                _ => {}
            }
        }
        lines.push(last);
        lines.join("\n") + "\n"
    }
}

/// Whether data are so many zeros that they are told, not shown.
fn is_blank(bytes: &[u8]) -> bool {
    bytes.len() > 16 && bytes.iter().all(|&byte| byte == 0)
}

/// Which instruction of a body, by its number, refers to what.
fn comments(body: &FunctionBody<'_>, references: &BTreeMap<usize, String>) -> Result<BTreeMap<usize, String>, Failure> {
    let mut found = BTreeMap::new();
    let mut reader = body.get_operators_reader()?;
    let mut number = 0;
    while !reader.eof() {
        let start = usize::try_from(reader.original_position())?;
        reader.read()?;
        let end = usize::try_from(reader.original_position())?;
        if let Some((_, name)) = references.range(start..end).next() {
            found.insert(number, name.clone());
        }
        number += 1;
    }
    Ok(found)
}

/// The functions of a module's text, as `wasm2wat` writes them.
fn functions_only(text: &str) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        inside |= line.starts_with("  (func ");
        if !inside {
            continue;
        }
        if line == "  )" {
            inside = false;
            if let Some(last) = kept.last_mut() {
                last.push(')');
            }
        } else {
            kept.push(line.to_owned());
        }
    }
    kept.join("\n") + "\n"
}

/// A number in exactly five bytes.
fn padded(value: i64, signed: bool) -> [u8; 5] {
    // As 32 bits: an address may be written as a negative number.
    let value = if signed { i64::from(value as i32) } else { i64::from(value as u32) };
    let mut bytes = [0; 5];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = ((value >> (7 * at)) & 0x7f) as u8 | if at < 4 { 0x80 } else { 0 };
    }
    bytes
}

fn value(kind: wasmparser::ValType) -> wasm_encoder::ValType {
    use wasm_encoder::ValType;
    match kind {
        wasmparser::ValType::I32 => ValType::I32,
        wasmparser::ValType::I64 => ValType::I64,
        wasmparser::ValType::F32 => ValType::F32,
        wasmparser::ValType::F64 => ValType::F64,
        wasmparser::ValType::V128 => ValType::V128,
        // Objects of C and C++ have no others than these two.
        wasmparser::ValType::Ref(kind) if kind.is_extern_ref() => ValType::EXTERNREF,
        wasmparser::ValType::Ref(_) => ValType::FUNCREF,
    }
}

fn global_type(global: wasmparser::GlobalType) -> wasm_encoder::GlobalType {
    wasm_encoder::GlobalType { val_type: value(global.content_type), mutable: global.mutable, shared: global.shared }
}

/// From the object's indices to those of the new module.
struct Mapper<'a> {
    object: &'a ObjectFile<'a>,
    functions: HashMap<u32, u32>,
    imported: Vec<u32>,
    types: Vec<u32>,
    globals: Vec<u32>,
    tables: bool,
}

impl Mapper<'_> {
    /// The new index of a type: those that are equal become one.
    fn r#type(&mut self, index: u32) -> u32 {
        let types = &self.object.types;
        let same = |&each: &u32| types.get(each as usize) == types.get(index as usize);
        let at = self.types.iter().position(same).unwrap_or_else(|| {
            self.types.push(index);
            self.types.len() - 1
        });
        at as u32
    }
}

impl Reencode for Mapper<'_> {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, Error<Self::Error>> {
        Ok(self.functions.get(&index).copied().unwrap_or(index))
    }

    fn type_index(&mut self, index: u32) -> Result<u32, Error<Self::Error>> {
        Ok(self.r#type(index))
    }

    fn global_index(&mut self, index: u32) -> Result<u32, Error<Self::Error>> {
        let at = self.globals.iter().position(|&each| each == index).unwrap_or_else(|| {
            self.globals.push(index);
            self.globals.len() - 1
        });
        Ok(at as u32)
    }

    fn table_index(&mut self, index: u32) -> Result<u32, Error<Self::Error>> {
        self.tables = true;
        Ok(index)
    }
}
