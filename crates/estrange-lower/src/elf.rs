//! An object file as the printer of x86-64 code sees it: sections, symbols, and what refers to what.

use std::collections::BTreeMap;

use object::elf::{self, FileHeader64};
use object::read::elf::ElfFile;
use object::{
    Endianness, Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionFlags, SectionIndex,
    SymbolKind, SymbolSection,
};

use crate::loss::Loss;

/// What a relocation makes of its target's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The distance from the place itself.
    Relative,
    /// The address.
    Absolute,
    /// The distance to the entry of a table (GOT or PLT) that stands for the address; and how it is written.
    Table(&'static str),
    /// An offset in thread-local storage; and how it is written.
    Thread(&'static str),
}

/// A place that refers to something.
#[derive(Debug, Clone)]
pub(crate) struct Relocation {
    pub kind: Kind,
    pub size: usize,
    pub symbol: usize,
    pub addend: i64,
}

#[derive(Debug)]
pub(crate) struct Section<'a> {
    pub bytes: &'a [u8],
    pub size: u64,
    pub is_code: bool,
    pub relocations: BTreeMap<u64, Relocation>,
    /// The symbols in it that are not the section's own, by their addresses.
    pub symbols: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Symbol<'a> {
    pub name: &'a str,
    /// Where it is, unless it is elsewhere.
    pub section: Option<usize>,
    pub address: u64,
    pub size: u64,
    pub is_function: bool,
    pub is_section: bool,
}

#[derive(Debug)]
pub(crate) struct Image<'a> {
    pub sections: BTreeMap<usize, Section<'a>>,
    pub symbols: BTreeMap<usize, Symbol<'a>>,
}

impl<'a> Image<'a> {
    /// Reads an object file of x86-64.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Loss> {
        Self::parse(bytes).map_err(|error| Loss::Unreadable { what: error.to_string() })
    }

    fn parse(bytes: &'a [u8]) -> object::Result<Self> {
        let file: ElfFile<'a, FileHeader64<Endianness>> = ElfFile::parse(bytes)?;
        let mut image = Self { sections: BTreeMap::new(), symbols: BTreeMap::new() };
        for section in file.sections() {
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else { continue };
            let mut relocations = BTreeMap::new();
            for (offset, relocation) in section.relocations() {
                let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
                let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
                if let Some((kind, size)) = kind(r_type) {
                    let addend = relocation.addend();
                    relocations.insert(offset, Relocation { kind, size, symbol: symbol.0, addend });
                }
            }
            image.sections.insert(
                section.index().0,
                Section {
                    bytes: section.data()?,
                    size: section.size(),
                    is_code: sh_flags & elf::SHF_EXECINSTR != Default::default(),
                    relocations,
                    symbols: Vec::new(),
                },
            );
        }
        for symbol in file.symbols() {
            let section = match symbol.section() {
                SymbolSection::Section(SectionIndex(index)) => Some(index),
                _ => None,
            };
            let is_section = symbol.kind() == SymbolKind::Section;
            let index = symbol.index().0;
            if let Some(section) = section.filter(|_| !is_section).and_then(|section| image.sections.get_mut(&section))
            {
                section.symbols.push(index);
            }
            image.symbols.insert(
                index,
                Symbol {
                    name: symbol.name()?,
                    section,
                    address: symbol.address(),
                    size: symbol.size(),
                    is_function: symbol.kind() == SymbolKind::Text && symbol.size() > 0,
                    is_section,
                },
            );
        }
        for section in image.sections.values_mut() {
            section.symbols.sort_by_key(|index| image.symbols[index].address);
        }
        Ok(image)
    }

    /// The functions that have code here.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (usize, &Symbol<'a>)> + Clone {
        self.symbols
            .iter()
            .filter(|(_, symbol)| {
                let code = symbol
                    .section
                    .and_then(|section| self.sections.get(&section))
                    .is_some_and(|section| section.is_code);
                symbol.is_function && code && !symbol.name.is_empty()
            })
            .map(|(&index, symbol)| (index, symbol))
    }

    /// Where data begin and end that hold an address, and whether the compiler said so: from the last symbol before it to the
    /// next.
    pub(crate) fn datum(&self, section: usize, address: u64) -> (u64, u64, bool) {
        let place = &self.sections[&section];
        let at = |index: &usize| &self.symbols[index];
        let after = place.symbols.partition_point(|index| at(index).address <= address);
        let end = place.symbols.get(after).map_or(place.size, |index| at(index).address);
        let Some(last) = after.checked_sub(1).map(|last| at(&place.symbols[last])) else { return (0, end, false) };
        let start = last.address;
        // Of several that begin there, one may know its size.
        let sized = place.symbols[..after].iter().rev().map(at).take_while(|each| each.address == start);
        match sized.map(|each| each.size).max() {
            Some(size) if size > 0 => (start, (start + size).min(place.size), true),
            _ => (start, end, false),
        }
    }

    /// The names that begin at an address.
    pub(crate) fn names_at(&self, section: usize, address: u64) -> impl Iterator<Item = &'a str> {
        let symbols = self.sections[&section].symbols.iter().map(|index| &self.symbols[index]);
        symbols.filter(move |symbol| symbol.address == address).map(|symbol| symbol.name)
    }
}

/// What a relocation of x86-64 does, and how many bytes it takes; nothing for those that only help a linker.
fn kind(r_type: elf::RelocationType) -> Option<(Kind, usize)> {
    Some(match r_type {
        elf::R_X86_64_64 => (Kind::Absolute, 8),
        elf::R_X86_64_PC32 | elf::R_X86_64_PLT32 => (Kind::Relative, 4),
        elf::R_X86_64_PC64 => (Kind::Relative, 8),
        elf::R_X86_64_32 | elf::R_X86_64_32S => (Kind::Absolute, 4),
        elf::R_X86_64_PC16 => (Kind::Relative, 2),
        elf::R_X86_64_16 => (Kind::Absolute, 2),
        elf::R_X86_64_PC8 => (Kind::Relative, 1),
        elf::R_X86_64_8 => (Kind::Absolute, 1),
        elf::R_X86_64_GOTPCREL | elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX => (Kind::Table("@GOTPCREL"), 4),
        elf::R_X86_64_GOTTPOFF => (Kind::Table("@GOTTPOFF"), 4),
        elf::R_X86_64_TLSGD => (Kind::Table("@TLSGD"), 4),
        elf::R_X86_64_TLSLD => (Kind::Table("@TLSLD"), 4),
        elf::R_X86_64_GOTPC32_TLSDESC => (Kind::Table("@TLSDESC"), 4),
        elf::R_X86_64_GOTPC32 => (Kind::Table(""), 4),
        elf::R_X86_64_TPOFF32 => (Kind::Thread("@TPOFF"), 4),
        elf::R_X86_64_TPOFF64 => (Kind::Thread("@TPOFF"), 8),
        elf::R_X86_64_DTPOFF32 => (Kind::Thread("@DTPOFF"), 4),
        elf::R_X86_64_DTPOFF64 => (Kind::Thread("@DTPOFF"), 8),
        elf::R_X86_64_GOTOFF64 => (Kind::Absolute, 8),
        _ => return None,
    })
}
