//! What a compiled file says of itself: the symbols that it defines and wants, and the function at a place in it.

use std::collections::BTreeSet;

use object::read::elf::{ElfFile64, FileHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolKind, elf};

/// The symbols of an object file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Symbols {
    /// Those that others may use.
    pub defined: BTreeSet<String>,
    /// Those that it wants of others.
    pub wanted: BTreeSet<String>,
    /// The sections by which it runs before or after `main`.
    pub hooks: BTreeSet<String>,
}

/// The sections that name functions to run before or after `main`.
const HOOKS: [&str; 6] = [".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors", ".init"];

/// Reads an object file that a compiler wrote; nothing if it is none.
pub fn symbols(bytes: &[u8]) -> Option<Symbols> {
    let file = ElfFile64::<Endianness>::parse(bytes).ok()?;
    if file.elf_header().e_type(file.endian()) != elf::ET_REL {
        return None;
    }
    let mut symbols = Symbols::default();
    for symbol in file.symbols() {
        let Some(name) = symbol.name().ok().filter(|name| !name.is_empty()) else { continue };
        if symbol.is_undefined() {
            symbols.wanted.insert(name.to_owned());
        } else if symbol.is_global() {
            symbols.defined.insert(name.to_owned());
        }
    }
    let names = file
        .sections()
        .filter(|section| section.size() > 0)
        .filter_map(|section| Some(section.name().ok()?.to_owned()));
    symbols.hooks = names.filter(|name| HOOKS.iter().any(|hook| name.starts_with(hook))).collect();
    Some(symbols)
}

/// The functions of a program or a library, in order of their places.
#[derive(Debug, Default)]
pub struct Functions {
    /// Where each begins, counted from where the file is loaded, and its name.
    places: Vec<(u64, String)>,
}

impl Functions {
    /// Reads a program or a library.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let file = ElfFile64::<Endianness>::parse(bytes).ok()?;
        let base = match file.elf_header().e_type(file.endian()) {
            elf::ET_EXEC => file.relative_address_base().max(lowest_segment(&file)),
            _ => 0,
        };
        let functions = file.symbols().chain(file.dynamic_symbols());
        let functions = functions.filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
        let mut places: Vec<_> = functions
            .filter_map(|symbol| Some((symbol.address().checked_sub(base)?, symbol.name().ok()?.to_owned())))
            .collect();
        places.sort();
        Some(Self { places })
    }

    /// The function that has the instruction before this place, which is where a call returns to.
    pub fn at(&self, place: u64) -> Option<&str> {
        let before = self.places.partition_point(|(start, _)| *start < place);
        self.places[..before].last().map(|(_, name)| name.as_str())
    }
}

fn lowest_segment(file: &ElfFile64<'_, Endianness>) -> u64 {
    use object::ObjectSegment;
    file.segments().map(|segment| segment.address()).min().unwrap_or(0) & !0xfff
}
