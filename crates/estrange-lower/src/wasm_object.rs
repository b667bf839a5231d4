//! A WebAssembly object file: its functions, data and symbols, and what the linker would fill in.

use std::collections::HashMap;
use std::ops::Range;

use wasmparser::{
    BinaryReaderError, FuncType, GlobalType, KnownCustom, Linking, Parser, Payload, RelocationEntry, RelocationType,
    SymbolInfo, TypeRef,
};

/// A place that the linker would fill in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub kind: RelocationType,
    /// From the start of the function's body or of the segment.
    pub offset: usize,
    pub symbol: u32,
    pub addend: i64,
}

#[derive(Debug)]
pub(crate) enum Symbol<'a> {
    Function {
        index: u32,
    },
    Data {
        name: &'a str,
        /// The segment and the place in it, unless it is elsewhere.
        segment: Option<(usize, u32)>,
    },
    Other,
}

#[derive(Debug)]
pub(crate) struct Segment<'a> {
    pub bytes: &'a [u8],
    pub entries: Vec<Entry>,
    /// The symbols in it.
    pub names: Vec<&'a str>,
    /// Where it is in the file.
    start: usize,
}

#[derive(Debug, Default)]
pub(crate) struct ObjectFile<'a> {
    pub bytes: &'a [u8],
    pub types: Vec<FuncType>,
    pub globals: Vec<(&'a str, GlobalType)>,
    pub segments: Vec<Segment<'a>>,
    pub symbols: Vec<Symbol<'a>>,
    imports: Vec<(&'a str, u32)>,
    defined: Vec<u32>,
    bodies: Vec<Range<usize>>,
    names: HashMap<u32, &'a str>,
    code: Vec<RelocationEntry>,
    code_start: usize,
}

impl<'a> ObjectFile<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, BinaryReaderError> {
        let mut object = Self { bytes, ..Self::default() };
        let mut data: Vec<RelocationEntry> = Vec::new();
        let mut data_start = 0;
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(types) => {
                    for kind in types.into_iter_err_on_gc_types() {
                        object.types.push(kind?);
                    }
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        match import.ty {
                            TypeRef::Func(kind) => object.imports.push((import.name, kind)),
                            TypeRef::Global(kind) => object.globals.push((import.name, kind)),
                            _ => {}
                        }
                    }
                }
                Payload::FunctionSection(functions) => {
                    for kind in functions {
                        object.defined.push(kind?);
                    }
                }
                Payload::CodeSectionStart { unchecked_range, .. } => object.code_start = unchecked_range.start as usize,
                Payload::CodeSectionEntry(body) => {
                    let range = body.range();
                    object.bodies.push(range.start as usize..range.end as usize);
                }
                Payload::DataSection(segments) => {
                    data_start = segments.range().start as usize;
                    for segment in segments {
                        let segment = segment?;
                        let start = segment.range.end as usize - segment.data.len();
                        object.segments.push(Segment {
                            bytes: segment.data,
                            entries: Vec::new(),
                            names: Vec::new(),
                            start,
                        });
                    }
                }
                Payload::CustomSection(section) => match section.as_known() {
                    KnownCustom::Linking(linking) => {
                        for part in linking.subsections() {
                            if let Linking::SymbolTable(symbols) = part? {
                                for symbol in symbols {
                                    object.symbol(symbol?);
                                }
                            }
                        }
                    }
                    KnownCustom::Reloc(entries) => {
                        let list = match section.name() {
                            "reloc.CODE" => &mut object.code,
                            "reloc.DATA" => &mut data,
                            _ => continue,
                        };
                        for entry in entries.entries() {
                            list.push(entry?);
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        for entry in data {
            let place = data_start + entry.offset as usize;
            let inside =
                |segment: &&mut Segment<'_>| (segment.start..segment.start + segment.bytes.len()).contains(&place);
            if let Some(segment) = object.segments.iter_mut().find(inside) {
                segment.entries.push(shifted(&entry, place - segment.start));
            }
        }
        Ok(object)
    }

    fn symbol(&mut self, symbol: SymbolInfo<'a>) {
        self.symbols.push(match symbol {
            SymbolInfo::Func { index, name, .. } => {
                if let Some(name) = name {
                    self.names.insert(index, name);
                }
                Symbol::Function { index }
            }
            SymbolInfo::Data { name, symbol, .. } => {
                let segment = symbol.map(|symbol| (symbol.index as usize, symbol.offset));
                if let Some(segment) = segment.and_then(|(segment, _)| self.segments.get_mut(segment)) {
                    segment.names.push(name);
                }
                Symbol::Data { name, segment: segment.filter(|(segment, _)| *segment < self.segments.len()) }
            }
            _ => Symbol::Other,
        });
    }

    /// The functions that have bodies, and their indices.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (&'a str, u32)> + Clone {
        let first = self.imports.len() as u32;
        (first..first + self.bodies.len() as u32).filter_map(move |index| Some((*self.names.get(&index)?, index)))
    }

    /// The name of a function that is elsewhere.
    pub(crate) fn imported(&self, index: u32) -> Option<&'a str> {
        self.imports.get(index as usize).map(|(name, _)| *name)
    }

    /// The index of a function's type.
    pub(crate) fn type_of(&self, index: u32) -> u32 {
        let index = index as usize;
        match self.imports.get(index) {
            Some((_, kind)) => *kind,
            None => self.defined.get(index - self.imports.len()).copied().unwrap_or_default(),
        }
    }

    /// Where a function's body is in the file, and what is to be filled in.
    pub(crate) fn body(&self, index: u32) -> Option<(Range<usize>, Vec<Entry>)> {
        let range = self.bodies.get((index as usize).checked_sub(self.imports.len())?)?.clone();
        let place = |entry: &RelocationEntry| self.code_start + entry.offset as usize;
        let inside = self.code.iter().filter(|entry| range.contains(&place(entry)));
        let entries = inside.map(|entry| shifted(entry, place(entry) - range.start)).collect();
        Some((range, entries))
    }
}

fn shifted(entry: &RelocationEntry, offset: usize) -> Entry {
    Entry { kind: entry.ty, offset, symbol: entry.index, addend: entry.addend }
}
