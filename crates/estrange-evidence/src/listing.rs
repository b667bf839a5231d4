//! An assembly text as a list of what it makes: lines of code, and data, each with its section.
//!
//! Constants that a compiler makes up itself (texts, numbers that do not fit into an instruction) are kept apart, by
//! their labels: where they stand and how they are numbered says nothing, what they hold matters where they are used.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// An assembly text for x86-64 on Linux, as gcc and clang write it.
#[derive(Debug, Default)]
pub(crate) struct Listing<'a> {
    /// What it makes, in order.
    pub items: Vec<Item<'a>>,
    /// The constants that the compiler made up.
    pub constants: HashMap<&'a str, Constant<'a>>,
    /// What is said of the sizes of data.
    pub sizes: HashMap<&'a str, &'a str>,
    /// The symbols that it defines, labels included.
    pub defined: HashSet<&'a str>,
    /// The symbols that other files know.
    pub global: HashSet<&'a str>,
    sections: Vec<&'a str>,
    lines: Vec<&'a str>,
}

/// A listing, or the part of it that belongs to one of several texts.
#[derive(Debug)]
pub(crate) struct View<'a> {
    /// What it makes, in order.
    pub items: Vec<&'a Item<'a>>,
    /// What is said of the sizes of its data.
    pub sizes: HashMap<&'a str, &'a str>,
    /// All that stands with it.
    pub listing: &'a Listing<'a>,
}

/// Whose a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// One of several texts.
    Text(usize),
    /// The headers that they include.
    Headers,
}

/// What a listing is made of.
#[derive(Debug, Clone)]
pub(crate) enum Item<'a> {
    /// A label, an instruction, or a directive.
    Line {
        /// The line, without comments.
        text: &'a str,
        /// Its section, where it matters.
        section: Option<usize>,
    },
    /// Bytes that are no instructions.
    Datum(Datum<'a>),
}

/// Bytes that are no instructions.
#[derive(Debug, Clone)]
pub(crate) struct Datum<'a> {
    /// The label before them.
    pub label: Option<&'a str>,
    /// The section they are in.
    pub section: usize,
    /// How they are aligned, in bytes.
    pub alignment: u64,
    lines: Range<usize>,
}

/// A constant that the compiler made up.
#[derive(Debug, Clone)]
pub(crate) enum Constant<'a> {
    /// By itself.
    Whole(Datum<'a>),
    /// A part of another: what its label is said to be.
    Part(&'a str),
}

impl<'a> Listing<'a> {
    pub(crate) fn parse(text: &'a str) -> Self {
        let mut reader = Reader::default();
        reader.switch(".text");
        text.lines().for_each(|line| reader.line(line));
        reader.close();
        reader.listing
    }

    /// All of it.
    pub(crate) fn whole(&'a self) -> View<'a> {
        View { items: self.items.iter().collect(), sizes: self.sizes.clone(), listing: self }
    }

    /// The parts that belong to each of so many texts, by who owns a symbol; nothing if that is not known of all.
    ///
    /// Every function and every datum must stand in a section of its own that has its name.
    pub(crate) fn parts(&'a self, count: usize, owner: impl Fn(&str) -> Option<Owner>) -> Option<Vec<View<'a>>> {
        let part = || View { items: Vec::new(), sizes: HashMap::new(), listing: self };
        let mut parts: Vec<View<'a>> = (0..count).map(|_| part()).collect();
        for item in &self.items {
            let symbol = match item {
                Item::Datum(Datum { section, .. }) | Item::Line { section: Some(section), .. } => {
                    named_after(self.section(*section))?
                }
                Item::Line { text, section: None } => unquoted(first_word(text).1.split([',', ' ']).next()?),
            };
            if let Owner::Text(place) = owner(symbol)? {
                parts.get_mut(place)?.items.push(item);
            }
        }
        for (symbol, size) in &self.sizes {
            if let Owner::Text(place) = owner(symbol)? {
                parts.get_mut(place)?.sizes.insert(symbol, size);
            }
        }
        Some(parts)
    }

    /// The directives of a datum.
    pub(crate) fn lines(&self, datum: &Datum<'a>) -> &[&'a str] {
        &self.lines[datum.lines.clone()]
    }

    /// What stands behind `.section`.
    pub(crate) fn section(&self, section: usize) -> &'a str {
        self.sections[section]
    }
}

impl<'a> Item<'a> {
    /// The symbol that it defines.
    pub(crate) fn defines(&self) -> Option<&'a str> {
        match self {
            Item::Datum(datum) => datum.label,
            Item::Line { text, .. } => label(text).or_else(|| match first_word(text) {
                (".comm" | ".lcomm", operands) => operands.split([',', ' ']).next().map(unquoted),
                _ => None,
            }),
        }
    }
}

/// What is known while a text is read.
#[derive(Default)]
struct Reader<'a> {
    listing: Listing<'a>,
    /// Where each section is.
    sections: HashMap<&'a str, usize>,
    /// What was said of each when it was named first.
    named: HashMap<&'a str, &'a str>,
    current: Section,
    before: Section,
    outer: Vec<Section>,
    datum: Option<Datum<'a>>,
    /// The alignment of what comes next.
    alignment: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Section {
    index: usize,
    is_code: bool,
    is_merged: bool,
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: &'a str) {
        let line = without_comment(line).trim();
        if line.is_empty() {
            return;
        }
        if let Some(label) = label(line) {
            return self.label(line, label);
        }
        let (word, operands) = first_word(line);
        if !word.starts_with('.') {
            return self.push(line, true);
        }
        let name = operands.split([',', ' ']).next().unwrap_or_default();
        match word {
            ".file" | ".ident" | ".loc" | ".addrsig" | ".addrsig_sym" => {}
            ".text" | ".data" | ".bss" => self.switch(line),
            ".section" => self.switch(operands),
            ".pushsection" => {
                self.outer.push(self.current);
                self.switch(operands);
            }
            ".popsection" => {
                self.close();
                self.current = self.outer.pop().unwrap_or(self.current);
            }
            ".previous" => {
                self.close();
                std::mem::swap(&mut self.current, &mut self.before);
            }
            ".type" | ".size" if unquoted(name).starts_with(".L") || is_constant(name) => {}
            ".size" => {
                let value = operands[name.len()..].trim_start_matches([',', ' ', '\t']);
                if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
                    self.listing.sizes.insert(unquoted(name), value);
                } else {
                    self.push(line, false);
                }
            }
            ".globl" | ".global" | ".weak" => {
                self.listing.global.insert(unquoted(operands));
                self.push(line, false);
            }
            ".comm" | ".lcomm" => {
                self.listing.defined.insert(unquoted(name));
                self.push(line, false);
            }
            ".set" | ".equ" | ".equiv" => {
                let value = operands[name.len()..].trim_start_matches([',', ' ', '\t']);
                if is_constant(name) {
                    self.listing.constants.insert(name, Constant::Part(value));
                } else {
                    self.listing.defined.insert(unquoted(name));
                    self.push(line, false);
                }
            }
            ".align" | ".balign" | ".p2align" if !self.current.is_code => {
                // What is said twice holds twice: the stronger one.
                self.end_datum();
                self.alignment = self.alignment.max(alignment(word, operands));
            }
            ".align" | ".balign" | ".p2align" => self.push(line, true),
            _ if is_data(word) && !self.current.is_code => self.data(line),
            // What is said for unwinding belongs to the code that it stands in.
            _ => self.push(line, is_data(word) || word.starts_with(".cfi_")),
        }
    }

    fn label(&mut self, line: &'a str, label: &'a str) {
        self.listing.defined.insert(label);
        if self.current.is_code {
            return self.push(line, true);
        }
        self.end_datum();
        self.datum = Some(self.next_datum(Some(label)));
    }

    fn data(&mut self, line: &'a str) {
        let mut datum = self.datum.take().unwrap_or_else(|| self.next_datum(None));
        self.listing.lines.push(line);
        datum.lines.end = self.listing.lines.len();
        self.datum = Some(datum);
    }

    fn next_datum(&mut self, label: Option<&'a str>) -> Datum<'a> {
        let here = self.listing.lines.len();
        let alignment = std::mem::take(&mut self.alignment);
        Datum { label, section: self.current.index, alignment, lines: here..here }
    }

    fn push(&mut self, text: &'a str, is_in_section: bool) {
        self.end_datum();
        let section = is_in_section.then_some(self.current.index);
        self.listing.items.push(Item::Line { text, section });
    }

    /// Ends the datum that is being read.
    fn end_datum(&mut self) {
        let Some(datum) = self.datum.take() else { return };
        match datum.label {
            Some(label) if is_constant(label) || (label.starts_with(".L") && self.current.is_merged) => {
                self.listing.constants.insert(label, Constant::Whole(datum));
            }
            _ => self.listing.items.push(Item::Datum(datum)),
        }
    }

    /// Ends what is being read of a section.
    fn close(&mut self) {
        self.end_datum();
        if self.alignment > 0 {
            let datum = self.next_datum(None);
            self.listing.items.push(Item::Datum(datum));
        }
    }

    fn switch(&mut self, section: &'a str) {
        self.close();
        // What a section is like is said when it is named first.
        let section = match section.split_once(',') {
            Some((name, _)) => {
                self.named.insert(name, section);
                section
            }
            None => self.named.get(section).copied().unwrap_or(section),
        };
        let next = self.listing.sections.len();
        let index = *self.sections.entry(section).or_insert(next);
        if index == next {
            self.listing.sections.push(section);
        }
        let (name, rest) = section.split_once(',').unwrap_or((section, ""));
        let flags = rest.split('"').nth(1).unwrap_or_default();
        let is_code = flags.contains('x') || unquoted(name).starts_with(".text");
        self.before = self.current;
        self.current = Section { index, is_code, is_merged: flags.contains('M') };
    }
}

/// The label that a line defines.
fn label(line: &str) -> Option<&str> {
    let label = line.strip_suffix(':')?;
    if label.starts_with('"') {
        return Some(unquoted(label));
    }
    (!label.is_empty() && label.bytes().all(is_symbol_byte)).then_some(label)
}

/// A line's first word, and the rest.
pub(crate) fn first_word(line: &str) -> (&str, &str) {
    let end = line.find([' ', '\t']).unwrap_or(line.len());
    (&line[..end], line[end..].trim_start())
}

/// A name without the quotes around it.
pub(crate) fn unquoted(name: &str) -> &str {
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name)
}

/// A line without the comment at its end.
fn without_comment(line: &str) -> &str {
    if !line.contains('#') {
        return line;
    }
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_quoted,
            b'"' => is_quoted = !is_quoted,
            b'#' if !is_quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

/// Alignment in bytes.
fn alignment(word: &str, operands: &str) -> u64 {
    let number = operands.split(',').next().and_then(|number| number.trim().parse().ok()).unwrap_or(1);
    if word == ".p2align" { 1u64.checked_shl(number).unwrap_or(u64::MAX) } else { number.into() }
}

/// Whether this directive makes bytes.
fn is_data(directive: &str) -> bool {
    is_text(directive)
        || matches!(
            directive,
            ".byte" | ".value" | ".short" | ".hword" | ".2byte" | ".long" | ".word" | ".4byte" | ".int" | ".quad"
        )
        || matches!(
            directive,
            ".xword" | ".8byte" | ".octa" | ".zero" | ".skip" | ".space" | ".fill" | ".float" | ".double"
        )
        || matches!(directive, ".uleb128" | ".sleb128" | ".single" | ".reloc")
}

/// Whether this directive makes the bytes of a text.
pub(crate) fn is_text(directive: &str) -> bool {
    matches!(directive, ".string" | ".ascii" | ".asciz")
}

/// The labels that gcc gives to constants, wherever it puts them: also to what it makes of a `switch`, and to the name of a
/// function in itself.
fn is_constant(label: &str) -> bool {
    let prefixes = [".LC", "CSWTCH.", "__func__.", "__FUNCTION__.", "__PRETTY_FUNCTION__."];
    let number = prefixes.iter().find_map(|prefix| label.strip_prefix(prefix));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The symbol that a section of its own is named after.
fn named_after(section: &str) -> Option<&str> {
    let name = unquoted(section.split(',').next()?);
    let symbol = KINDS.iter().find_map(|kind| name.strip_prefix(kind))?;
    (!symbol.is_empty()).then_some(symbol)
}

/// What stands before the symbol in the name of a section; the longer ones first.
const KINDS: &[&str] = &[
    ".text.unlikely.",
    ".text.startup.",
    ".text.exit.",
    ".text.hot.",
    ".text.",
    ".rodata.",
    ".data.rel.ro.local.",
    ".data.rel.ro.",
    ".data.rel.local.",
    ".data.rel.",
    ".data.",
    ".bss.",
    ".tdata.",
    ".tbss.",
];

/// Whether a byte may be part of a symbol.
pub(crate) fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$') || byte >= 0x80
}

/// The bytes of the texts in quotes behind a directive; nothing if that is not what stands there.
pub(crate) fn quoted_bytes(directive: &str, operands: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(operands.len());
    let mut rest = operands.as_bytes();
    loop {
        rest = rest.trim_ascii_start().strip_prefix(b"\"")?;
        loop {
            let (&first, after) = rest.split_first()?;
            rest = after;
            match first {
                b'"' => break,
                b'\\' => rest = escaped(rest, &mut bytes)?,
                other => bytes.push(other),
            }
        }
        if directive != ".ascii" {
            bytes.push(0);
        }
        rest = rest.trim_ascii_start();
        match rest.split_first() {
            None => return Some(bytes),
            Some((b',', after)) => rest = after,
            Some(_) => return None,
        }
    }
}

/// Reads what stands behind a backslash.
fn escaped<'a>(rest: &'a [u8], bytes: &mut Vec<u8>) -> Option<&'a [u8]> {
    let (&first, after) = rest.split_first()?;
    let byte = match first {
        b'0'..=b'7' => {
            let digits = rest.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            let number = rest[..digits].iter().fold(0u32, |number, digit| number * 8 + u32::from(digit - b'0'));
            // As the assembler does with numbers that are too great.
            bytes.push((number & 0xff) as u8);
            return Some(&rest[digits..]);
        }
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'b' => 8,
        b'f' => 12,
        b'"' | b'\\' => first,
        _ => return None,
    };
    bytes.push(byte);
    Some(after)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = r#"
	.file	"x.c"
	.text
	.section	.rodata.str1.8,"aMS",@progbits,1
	.align 8
.LC7:
	.string	"a # b"	# not this
	.section	.rodata.cst8,"aM",@progbits,8
.LCPI0:
	.quad	1
	.section	.rodata.str1.8
.Ltext:
	.string	"b"
	.globl	f
	.text
	.p2align 4
	.type	f, @function
f:
	movl	$.LC7, %edi # comment
	.section	.rodata
	.align 8
	.align 4
.L11:
	.quad	.L9
	.text
.L9:
	ret
	.size	f, .-f
	.data
	.align 4
	.type	n.17, @object
	.size	n.17, 4
n.17:
	.long	5
	.local	m
	.comm	m,4,4
	.set	.LC9,.LC8+8
	.ident	"GCC"
"#;

    #[test]
    fn constants_stand_apart_and_the_rest_in_order() {
        let listing = Listing::parse(TEXT);
        let shown: Vec<String> = listing
            .items
            .iter()
            .map(|item| match item {
                Item::Line { text, section } => format!("{text} in {:?}", section.map(|at| listing.section(at))),
                Item::Datum(datum) => format!(
                    "{:?} aligned {} in {}: {:?}",
                    datum.label,
                    datum.alignment,
                    listing.section(datum.section),
                    listing.lines(datum)
                ),
            })
            .map(|line| line.replace('\t', " "))
            .collect();
        let expected = [
            ".globl f in None",
            ".p2align 4 in Some(\".text\")",
            ".type f, @function in None",
            "f: in Some(\".text\")",
            "movl $.LC7, %edi in Some(\".text\")",
            "Some(\".L11\") aligned 8 in .rodata: [\".quad\\t.L9\"]",
            ".L9: in Some(\".text\")",
            "ret in Some(\".text\")",
            ".size f, .-f in None",
            ".type n.17, @object in None",
            "Some(\"n.17\") aligned 4 in .data: [\".long\\t5\"]",
            ".local m in None",
            ".comm m,4,4 in None",
        ];
        assert_eq!(shown, expected);
        let Some(Constant::Whole(text)) = listing.constants.get(".LC7") else { panic!("{:?}", listing.constants) };
        assert_eq!((listing.lines(text), text.alignment), (&[".string\t\"a # b\""][..], 8));
        assert!(listing.constants.contains_key(".LCPI0") && listing.constants.contains_key(".Ltext"));
        assert!(matches!(listing.constants.get(".LC9"), Some(Constant::Part(".LC8+8"))));
        assert_eq!(listing.sizes.get("n.17"), Some(&"4"));
        assert!(listing.defined.contains("m") && listing.defined.contains("f") && listing.global.contains("f"));
    }

    #[test]
    fn texts_are_bytes() {
        assert_eq!(quoted_bytes(".string", r#""a\n\"\\\0019", "b""#).unwrap(), b"a\n\"\\\x019\0b\0");
        assert_eq!(quoted_bytes(".ascii", r#""\377\0""#).unwrap(), b"\xff\0");
        assert_eq!(quoted_bytes(".ascii", r#""a" b"#), None);
        assert_eq!(quoted_bytes(".ascii", r#""a"#), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(\\t?[.a-zL0-9:,@\"+é#(%$-]{0,12}[\\t ]?[.a-z0-9,@LC\"\\\\+-]{0,9}\n){0,30}") {
            let listing = Listing::parse(&text);
            for item in &listing.items {
                if let Item::Datum(datum) = item {
                    listing.lines(datum).iter().for_each(|line| {
                        let (word, operands) = first_word(line);
                        quoted_bytes(word, operands);
                    });
                }
            }
        }
    }
}
