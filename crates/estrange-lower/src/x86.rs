//! x86-64 code as text, from the object file: what `objdump` prints, with labels and names where it prints addresses.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use iced_x86::{ConstantOffsets, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, SymbolResolver, SymbolResult};

use crate::data::{self, References};
use crate::elf::{Image, Kind, Relocation};
use crate::gas::Speller;
use crate::how::Style;
use crate::loss::Loss;
use crate::lowered::Lowered;
use crate::names::{Names, Policy, is_function_name, is_type_name};
use crate::symbol;

/// Prints a function of an object file, and its helpers after it.
pub(crate) fn print(
    object: &[u8],
    function: &str,
    helpers: &[String],
    style: Style,
    policy: Policy<'_>,
) -> Result<Lowered, Loss> {
    let image = Image::read(object)?;
    let symbols = image.functions().map(|(_, symbol)| symbol.name);
    let primary = symbol::find(symbols.clone(), function)?;
    let mut wanted = vec![primary];
    let mut absent = Vec::new();
    for helper in helpers {
        match symbol::find(symbols.clone(), helper) {
            Ok(found) => wanted.push(found),
            Err(_) => absent.push(helper.clone()),
        }
    }
    let mut listing = Listing { image: &image, names: Names::new(policy), pieces: Vec::new(), data: Vec::new() };
    for name in wanted {
        let mut parts: Vec<(usize, &str)> = image
            .functions()
            .map(|(index, symbol)| (index, symbol.name))
            .filter(|(_, each)| *each == name || symbol::is_clone_of(each, name))
            .collect();
        parts.sort_by_key(|(_, each)| *each);
        for (index, _) in parts {
            listing.take(index)?;
        }
    }
    let text = match style {
        Style::Plain => listing.plain(),
        Style::Paper => listing.paper(),
    };
    Ok(listing.names.lowered(text, absent))
}

/// The code of one symbol.
struct Piece {
    section: usize,
    start: u64,
    end: u64,
    instructions: Vec<(Instruction, ConstantOffsets)>,
}

struct Listing<'a> {
    image: &'a Image<'a>,
    names: Names<'a>,
    pieces: Vec<Piece>,
    /// The data that were named, in order: section and start.
    data: Vec<(usize, u64)>,
}

/// A place in the code: which piece, and the address.
type PieceAddress = (usize, u64);

/// What something refers to.
enum Target {
    /// A place inside of the code that is printed.
    Label(PieceAddress),
    Name(String),
}

impl Listing<'_> {
    /// Decodes a symbol's code, unless it is there already under another name.
    fn take(&mut self, symbol: usize) -> Result<(), Loss> {
        let found = &self.image.symbols[&symbol];
        let Some(section) = found.section else { return Ok(()) };
        let (start, end) = (found.address, found.address + found.size);
        if self.pieces.iter().any(|piece| (piece.section, piece.start) == (section, start)) {
            return Ok(());
        }
        let bytes = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        let bytes = bytes.and_then(|(start, end)| self.image.sections[&section].bytes.get(start..end));
        let bytes = bytes.ok_or_else(|| Loss::Unreadable { what: "a function beyond its section".to_owned() })?;
        let mut decoder = Decoder::with_ip(64, bytes, start, DecoderOptions::NONE);
        let mut instructions = Vec::new();
        while decoder.can_decode() {
            let instruction = decoder.decode();
            if instruction.is_invalid() {
                return Err(Loss::Unreadable { what: format!("no instruction at {:#x}", instruction.ip() - start) });
            }
            instructions.push((instruction, decoder.get_constant_offsets(&instruction)));
        }
        self.pieces.push(Piece { section, start, end, instructions });
        Ok(())
    }

    /// The text with labels, names and data.
    fn plain(&mut self) -> String {
        let mut labels: BTreeSet<PieceAddress> = BTreeSet::new();
        let mut operands: HashMap<(usize, u64), Operands> = HashMap::new();
        let mut titles = Vec::new();
        for number in 0..self.pieces.len() {
            titles.push(self.title(number));
            for at in 0..self.pieces[number].instructions.len() {
                let (instruction, offsets) = self.pieces[number].instructions[at];
                let found = self.operands(number, &instruction, &offsets);
                for target in [&found.near, &found.memory, &found.immediate].into_iter().flatten() {
                    if let Target::Label(place) = target {
                        labels.insert(*place);
                    }
                }
                operands.insert((number, instruction.ip()), found);
            }
        }
        // What data refer to may be data too.
        let mut contents = Vec::new();
        let mut at = 0;
        while at < self.data.len() {
            let (section, start) = self.data[at];
            contents.push(self.contents(section, start, &mut labels));
            at += 1;
        }
        let numbers: BTreeMap<PieceAddress, usize> =
            labels.iter().enumerate().map(|(number, &place)| (place, number + 1)).collect();
        let mut text = String::new();
        for (number, piece) in self.pieces.iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            text.push_str(&format!("{}:\n", titles[number]));
            let own = piece.instructions.iter().filter_map(|(instruction, _)| {
                let found = operands.remove(&(number, instruction.ip()))?;
                Some((instruction.ip(), found.written(&numbers)))
            });
            let mut speller = Speller::new(Some(Box::new(Resolver { operands: own.collect() })));
            for (instruction, offsets) in &piece.instructions {
                if let Some(label) = numbers.get(&(number, instruction.ip())) {
                    text.push_str(&format!(".L{label}:\n"));
                }
                text.push('\t');
                text.push_str(&speller.spell(instruction, offsets));
                text.push('\n');
            }
        }
        for ((section, start), content) in self.data.clone().into_iter().zip(contents) {
            let Some((bytes, references)) = content else { continue };
            let references: References = references
                .into_iter()
                .map(|(at, (size, target, after))| (at, (size, written(&target, &numbers) + &after)))
                .collect();
            let name = self.names.data(&key(section, start));
            text.push_str(&format!("\n{name}:\n"));
            for line in data::lines(&bytes, &references, &mut self.names) {
                text.push_str(&format!("\t{line}\n"));
            }
        }
        text
    }

    /// The text as `objdump` prints it of a stripped file.
    fn paper(&self) -> String {
        let mut text = String::new();
        for (number, piece) in self.pieces.iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            let mut speller = Speller::new(None);
            let range = piece.start as usize..piece.end as usize;
            // Addresses begin with the function.
            let bytes = &self.image.sections[&piece.section].bytes[range];
            let mut decoder = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
            while decoder.can_decode() {
                let instruction = decoder.decode();
                let offsets = decoder.get_constant_offsets(&instruction);
                let comment = if instruction.is_ip_rel_memory_operand() {
                    format!("        # 0x{:x}", instruction.ip_rel_memory_address())
                } else {
                    String::new()
                };
                let written = speller.spell(&instruction, &offsets);
                text.push_str(&format!("{:>4x}:\t{written}{comment}\n", instruction.ip()));
            }
        }
        text
    }

    /// The name of a piece.
    fn title(&mut self, number: usize) -> String {
        let piece = &self.pieces[number];
        self.names.function(&key(piece.section, piece.start))
    }

    /// What an instruction's operands refer to.
    fn operands(&mut self, number: usize, instruction: &Instruction, offsets: &ConstantOffsets) -> Operands {
        let mut found = Operands::default();
        let section = self.pieces[number].section;
        let place = &self.image.sections[&section];
        let end = instruction.next_ip();
        let within = |offset: usize| instruction.ip() + offset as u64;
        let relocations: Vec<(u64, Relocation)> =
            place.relocations.range(instruction.ip()..end).map(|(&at, relocation)| (at, relocation.clone())).collect();
        let is_branch = matches!(instruction.op0_kind(), OpKind::NearBranch64 | OpKind::NearBranch32);
        for (at, relocation) in &relocations {
            // What is relative is so to the next instruction.
            let addend = match relocation.kind {
                Kind::Relative | Kind::Table(_) => relocation.addend + (end - at) as i64,
                Kind::Absolute | Kind::Thread(_) => relocation.addend,
            };
            let target = self.target(relocation, addend, is_branch);
            if is_branch {
                found.near = Some(target);
            } else if offsets.has_displacement() && within(offsets.displacement_offset()) == *at {
                found.memory = Some(target);
            } else {
                found.immediate = Some(target);
            }
        }
        if is_branch && relocations.is_empty() {
            found.near = Some(self.code(section, instruction.near_branch_target()));
        } else if instruction.is_ip_rel_memory_operand() && relocations.is_empty() {
            found.memory = Some(self.code(section, instruction.ip_rel_memory_address()));
        }
        // Only a jump inside of a function may go to its start and mean no call.
        let jumps = is_branch && instruction.mnemonic() != Mnemonic::Call;
        for target in [&mut found.near, &mut found.memory, &mut found.immediate].into_iter().flatten() {
            if let Target::Label((piece, address)) = *target
                && self.pieces[piece].start == address
                && !(jumps && piece == number)
            {
                *target = Target::Name(self.title(piece));
            }
        }
        found
    }

    /// What a relocation refers to, with this distance from its symbol.
    fn target(&mut self, relocation: &Relocation, addend: i64, called: bool) -> Target {
        let suffix = match relocation.kind {
            Kind::Table(suffix) | Kind::Thread(suffix) => suffix,
            Kind::Relative | Kind::Absolute => "",
        };
        let symbol = &self.image.symbols[&relocation.symbol];
        let Some(section) = symbol.section.filter(|section| self.image.sections.contains_key(section)) else {
            return Target::Name(self.names.foreign(symbol.name, called) + suffix + &distance(addend));
        };
        let address = symbol.address.wrapping_add_signed(addend);
        if self.image.sections[&section].is_code {
            return match self.code(section, address) {
                Target::Name(name) => Target::Name(name + suffix),
                label => label,
            };
        }
        // A symbol of its own says which data are meant, even if the distance leads out of them.
        let inside = if symbol.is_section { address } else { symbol.address };
        let (start, _, _) = self.image.datum(section, inside.min(self.image.sections[&section].size));
        let name = self.datum(section, start);
        Target::Name(name + suffix + &distance(address.wrapping_sub(start).cast_signed()))
    }

    /// A place in code.
    fn code(&mut self, section: usize, address: u64) -> Target {
        let inside = |piece: &Piece| piece.section == section && (piece.start..piece.end).contains(&address);
        if let Some(piece) = self.pieces.iter().position(inside) {
            return Target::Label((piece, address));
        }
        // Another function, by its start.
        let (start, _, _) = self.image.datum(section, address);
        let functions = self.image.sections[&section].symbols.iter().map(|index| &self.image.symbols[index]);
        let function = functions
            .filter(|symbol| symbol.is_function && symbol.address <= address)
            .max_by_key(|symbol| symbol.address);
        let start = function.map_or(start, |symbol| symbol.address);
        let name = self.names.function(&key(section, start));
        Target::Name(name + &distance((address - start).cast_signed()))
    }

    /// The name of the data that start there.
    fn datum(&mut self, section: usize, start: u64) -> String {
        if !self.data.contains(&(section, start)) {
            self.data.push((section, start));
        }
        let mut symbols = self.image.sections[&section].symbols.iter().map(|index| &self.image.symbols[index]);
        let symbol = symbols.find(|symbol| symbol.address == start && !symbol.is_section && !symbol.name.contains('.'));
        self.names.variable(&key(section, start), symbol.map_or("", |symbol| symbol.name))
    }

    /// The bytes of data, and what they refer to, with what is written behind.
    #[expect(clippy::type_complexity, reason = "used in one place")]
    fn contents(
        &mut self,
        section: usize,
        start: u64,
        labels: &mut BTreeSet<PieceAddress>,
    ) -> Option<(Vec<u8>, BTreeMap<usize, (usize, Target, String)>)> {
        let image = self.image;
        let place = &image.sections[&section];
        let (start, end, sized) = image.datum(section, start);
        if image.names_at(section, start).any(is_function_name) {
            let title = self.title(0);
            return Some((format!("{title}\0").into_bytes(), BTreeMap::new()));
        }
        if image.names_at(section, start).any(is_type_name) {
            let name = self.names.r#type(&key(section, start));
            return Some((format!("{name}\0").into_bytes(), BTreeMap::new()));
        }
        let mut references = BTreeMap::new();
        for (&at, relocation) in place.relocations.range(start..end) {
            let within = usize::try_from(at - start).ok()?;
            let relative = relocation.kind == Kind::Relative;
            // An offset from the start of the data, as in jump tables.
            let addend = if relative { relocation.addend - (at - start) as i64 } else { relocation.addend };
            let target = match self.target(relocation, addend, false) {
                Target::Label((piece, address)) if address == self.pieces[piece].start => {
                    Target::Name(self.title(piece))
                }
                other => other,
            };
            if let Target::Label(place) = target {
                labels.insert(place);
            }
            let after = if relative { format!("-{}", self.names.data(&key(section, start))) } else { String::new() };
            references.insert(within, (relocation.size, target, after));
        }
        let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
        let mut bytes = match place.bytes.get(range.clone()) {
            Some(bytes) => bytes.to_vec(),
            None => vec![0; range.len()],
        };
        if !sized {
            // Zeros at the end may be padding for the alignment of what follows.
            let last = references.iter().next_back().map_or(0, |(at, (size, _, _))| at + size);
            let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1).max(last);
            let text = used > 0 && bytes[..used].iter().all(|&byte| byte >= 9 && byte != 127);
            let kept = if text { used + 1 } else { used.next_multiple_of(4) };
            bytes.truncate(kept.max(1));
        }
        Some((bytes, references))
    }
}

/// What data or code at a place are known by.
fn key(section: usize, start: u64) -> String {
    format!("{section}:{start}")
}

fn distance(addend: i64) -> String {
    match addend {
        0 => String::new(),
        _ if addend < 0 => format!("-0x{:x}", addend.unsigned_abs()),
        _ => format!("+0x{addend:x}"),
    }
}

/// What each operand of an instruction that refers to something refers to.
#[derive(Default)]
struct Operands {
    near: Option<Target>,
    memory: Option<Target>,
    immediate: Option<Target>,
}

/// The same, as it is written.
struct Written {
    near: Option<String>,
    memory: Option<String>,
    immediate: Option<String>,
}

impl Operands {
    fn written(&self, numbers: &BTreeMap<PieceAddress, usize>) -> Written {
        let text = |target: &Option<Target>| target.as_ref().map(|target| written(target, numbers));
        Written { near: text(&self.near), memory: text(&self.memory), immediate: text(&self.immediate) }
    }
}

fn written(target: &Target, numbers: &BTreeMap<PieceAddress, usize>) -> String {
    match target {
        Target::Name(name) => name.clone(),
        // A place between two instructions has no label; nothing that compilers write refers to one.
        Target::Label(place) => numbers.get(place).map_or_else(|| ".L0".to_owned(), |number| format!(".L{number}")),
    }
}

/// Tells the formatter what stands for an address.
struct Resolver {
    operands: HashMap<u64, Written>,
}

impl SymbolResolver for Resolver {
    fn symbol(
        &mut self,
        instruction: &Instruction,
        _operand: u32,
        instruction_operand: Option<u32>,
        address: u64,
        _address_size: u32,
    ) -> Option<SymbolResult<'_>> {
        let found = self.operands.get(&instruction.ip())?;
        let text = match instruction.op_kind(instruction_operand?) {
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => found.near.as_deref(),
            OpKind::Memory => found.memory.as_deref(),
            _ => found.immediate.as_deref(),
        }?;
        Some(SymbolResult::with_str(address, text))
    }
}
