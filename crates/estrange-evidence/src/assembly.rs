//! What gcc wrote: the functions of an assembly text, each freed of what says nothing about its code.
//!
//! A function's code is its instructions and what belongs to it alone: jump tables, exception tables, constants, and
//! the static variables inside it. Its own labels are numbered in order of appearance; a constant stands as its
//! content where it is used, so that equal constants agree and different ones differ; numbers that the compiler gives
//! to the names of static variables inside functions are dropped; everything else is known by its name. Left out are
//! alignment, sections, unwinding and debugging directives, and comments.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::constant;

/// An assembly text, with its functions and data found.
#[derive(Debug, Clone)]
pub struct Assembly {
    text: String,
    functions: HashMap<String, Range<usize>>,
    data: HashMap<String, Vec<Range<usize>>>,
    /// Symbols that other files know.
    global: HashSet<String>,
    /// Other names: of functions, and of constants that are part of another.
    aliases: HashMap<String, String>,
}

/// The code of one function: equal for two functions exactly if nothing but names of labels, places of constants and
/// the like differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    lines: Vec<String>,
    is_whole: bool,
}

impl Code {
    /// Its lines: labels, instructions and tables, in the order of the text, and then the static variables inside.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Whether all that belongs to it is in its lines. Constants that point to constants without end are cut short;
    /// no compiler writes such, but a program's own assembly may.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }
}

impl Assembly {
    /// Finds the functions and the data of an assembly text, as gcc writes it for x86-64 on Linux.
    pub fn parse(text: impl Into<String>) -> Self {
        let text = text.into();
        let mut scan = Scan::default();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            scan.line(line.trim_end(), start..start + line.trim_end().len());
            start += line.len();
        }
        let Scan { functions, data, global, aliases, .. } = scan;
        Self { text, functions, data, global, aliases }
    }

    /// The names of its functions, sorted.
    pub fn functions(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.functions.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Whether it has this function.
    pub fn has(&self, symbol: &str) -> bool {
        self.range(symbol).is_some()
    }

    /// The code of one of its functions.
    pub fn code(&self, symbol: &str) -> Option<Code> {
        let range = self.range(symbol)?;
        let mut writer = Writer::new(self);
        writer.body(&self.text[range]);
        writer.statics();
        Some(Code { lines: writer.lines, is_whole: writer.left > 0 })
    }

    /// The static variables of the file that one of its functions uses, sorted.
    pub(crate) fn variables_of(&self, symbol: &str) -> Vec<&str> {
        let Some(range) = self.range(symbol) else { return Vec::new() };
        let mut found = HashSet::new();
        for line in self.text[range].lines().filter(|line| label(line).is_none() && is_kept(line)) {
            symbols(line, |name| {
                let is_static = self.data.contains_key(name) && !self.global.contains(name);
                if is_static && !name.contains(['.', '$']) {
                    found.insert(name);
                }
            });
        }
        let mut found: Vec<&str> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// The directives that make up a datum.
    fn lines_of(&self, symbol: &str) -> Option<impl Iterator<Item = &str> + Clone> {
        Some(self.data.get(symbol)?.iter().map(|range| self.text[range.clone()].trim()))
    }

    fn range(&self, symbol: &str) -> Option<Range<usize>> {
        let by_alias = || self.functions.get(self.aliases.get(symbol)?);
        self.functions.get(symbol).or_else(by_alias).cloned()
    }
}

/// Finding functions and data, line by line.
#[derive(Default)]
struct Scan {
    functions: HashMap<String, Range<usize>>,
    data: HashMap<String, Vec<Range<usize>>>,
    aliases: HashMap<String, String>,
    global: HashSet<String>,
    /// Symbols that are said to be functions.
    announced: Vec<String>,
    function: Option<(String, usize)>,
    datum: Option<String>,
}

impl Scan {
    fn line(&mut self, line: &str, range: Range<usize>) {
        if let Some(label) = label(line) {
            let is_function = self.function.is_none() && self.announced.iter().any(|name| name == label);
            if is_function {
                self.function = Some((label.to_owned(), range.end));
                self.datum = None;
            } else if self.function.is_none() || is_constant(label) {
                self.datum = Some(label.to_owned());
                self.data.entry(label.to_owned()).or_default();
            } else {
                self.datum = None;
            }
            return;
        }
        let (directive, operands) = directive(line);
        match directive {
            ".type" => {
                if let Some((name, "function")) =
                    operands.split_once(',').map(|(n, k)| (n, k.trim_start_matches([' ', '@', '%'])))
                {
                    self.announced.push(name.to_owned());
                }
            }
            ".size" => {
                let name = operands.split(',').next().unwrap_or_default();
                if self.function.as_ref().is_some_and(|(open, _)| open == name)
                    && let Some((open, start)) = self.function.take()
                {
                    self.announced.retain(|announced| *announced != open);
                    self.functions.insert(open, start..range.start);
                }
                self.datum = None;
            }
            ".globl" | ".global" | ".weak" => {
                self.global.insert(operands.to_owned());
            }
            ".local" => {
                self.data.entry(operands.to_owned()).or_default();
            }
            ".set" => {
                if let Some((name, value)) = operands.split_once(',') {
                    self.aliases.insert(name.trim().to_owned(), value.trim().to_owned());
                }
            }
            _ if is_data(directive) => {
                if let Some(ranges) = self.datum.as_ref().and_then(|name| self.data.get_mut(name)) {
                    ranges.push(range);
                }
            }
            ".align" | ".p2align" | ".balign" => {}
            _ => self.datum = None,
        }
    }
}

/// Writing one function's code.
struct Writer<'a> {
    assembly: &'a Assembly,
    labels: HashMap<String, usize>,
    /// Static variables inside the function, in order of appearance.
    statics: Vec<String>,
    lines: Vec<String>,
    /// How deep in constants within constants it is.
    depth: usize,
    /// How many more constants within constants it follows.
    left: usize,
}

/// How many constants within constants are followed, and how deep.
const FOLLOWED: usize = 100_000;
const DEEPEST: usize = 16;

impl<'a> Writer<'a> {
    fn new(assembly: &'a Assembly) -> Self {
        Self { assembly, labels: HashMap::new(), statics: Vec::new(), lines: Vec::new(), depth: 0, left: FOLLOWED }
    }

    fn body(&mut self, text: &str) {
        let mut used: HashSet<&str> = HashSet::new();
        for line in text.lines() {
            if label(line).is_none() && is_kept(line) {
                symbols(line, |symbol| {
                    used.insert(symbol);
                });
            }
        }
        let mut in_constant = false;
        for line in text.lines() {
            if let Some(label) = label(line) {
                in_constant = is_constant(label);
                if !in_constant && (!label.starts_with(".L") || used.contains(label)) {
                    let name = self.name(label);
                    self.lines.push(format!("{name}:"));
                }
            } else if is_kept(line) {
                in_constant &= is_data(directive(line).0);
                if !in_constant {
                    let line = self.rewritten(line.trim());
                    self.lines.push(line);
                }
            }
        }
    }

    /// The static variables inside the function, and those that they refer to.
    fn statics(&mut self) {
        let mut next = 0;
        while let Some(name) = self.statics.get(next).cloned() {
            let content = self.content(&name);
            let shown = self.name(&name);
            self.lines.push(format!("{shown}={content}"));
            next += 1;
        }
    }

    /// A line with every name in it as the code has it.
    fn rewritten(&mut self, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut last = 0;
        let mut spans = Vec::new();
        symbols(line, |symbol| {
            let start = symbol.as_ptr() as usize - line.as_ptr() as usize;
            spans.push(start..start + symbol.len());
        });
        for span in spans {
            out.push_str(&line[last..span.start]);
            let symbol = &line[span.clone()];
            let name =
                if is_constant(symbol) { self.constant(symbol, constant::width(line)) } else { self.name(symbol) };
            out.push_str(&name);
            last = span.end;
        }
        out.push_str(&line[last..]);
        out.replace('\t', " ")
    }

    fn name(&mut self, symbol: &str) -> String {
        if is_constant(symbol) {
            return self.constant(symbol, None);
        }
        if symbol.starts_with(".L") {
            let next = self.labels.len();
            return format!(".L{}", self.labels.entry(symbol.to_owned()).or_insert(next));
        }
        // In C++ their names are the function's too, and have no number.
        let is_inside = symbol.starts_with("_ZZ") && self.assembly.data.contains_key(symbol);
        let Some(stem) = static_stem(symbol).or(is_inside.then_some(symbol)) else { return without_linkage(symbol) };
        let place = self.statics.iter().position(|known| known == symbol).unwrap_or_else(|| {
            self.statics.push(symbol.to_owned());
            self.statics.len() - 1
        });
        // Two of one name, in different blocks, are told apart by which comes first.
        let earlier = self.statics[..place].iter().filter(|known| static_stem(known) == Some(stem)).count();
        format!("{stem}.#{earlier}")
    }

    /// A constant's content; of one that is part of another, as many bytes as are used there.
    fn constant(&mut self, symbol: &str, width: Option<usize>) -> String {
        let Some(whole) = self.assembly.aliases.get(symbol) else { return format!("{{{}}}", self.content(symbol)) };
        let (whole, offset) = whole.split_once('+').unwrap_or((whole, "0"));
        let part = || {
            let bytes = constant::bytes(self.assembly.lines_of(whole)?)?;
            let start: usize = offset.trim().parse().ok()?;
            Some(constant::hexadecimal(bytes.get(start..start + width?)?))
        };
        part().map_or_else(|| format!("{{part of {whole} from {offset}}}"), |part| format!("{{{part}}}"))
    }

    /// What a datum holds, with the constants that it points to.
    fn content(&mut self, symbol: &str) -> String {
        let Some(lines) = self.assembly.lines_of(symbol) else { return "elsewhere".to_owned() };
        if let Some(bytes) = constant::bytes(lines.clone()) {
            return constant::hexadecimal(&bytes);
        }
        if self.depth == DEEPEST || self.left == 0 {
            self.left = 0;
            return String::new();
        }
        self.depth += 1;
        self.left -= 1;
        let content = lines.map(|line| self.rewritten(line) + ";").collect();
        self.depth -= 1;
        content
    }
}

/// The label that a line defines.
fn label(line: &str) -> Option<&str> {
    let label = line.strip_suffix(':')?;
    (!label.is_empty() && !label.starts_with(['\t', ' ', '#']) && label.bytes().all(is_symbol_byte)).then_some(label)
}

/// A line's first word, and the rest.
fn directive(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let end = line.find([' ', '\t']).unwrap_or(line.len());
    (&line[..end], line[end..].trim_start())
}

fn is_data(directive: &str) -> bool {
    matches!(
        directive,
        ".string"
            | ".ascii"
            | ".asciz"
            | ".byte"
            | ".value"
            | ".short"
            | ".hword"
            | ".2byte"
            | ".long"
            | ".word"
            | ".4byte"
            | ".int"
            | ".quad"
            | ".xword"
            | ".8byte"
            | ".octa"
            | ".zero"
            | ".skip"
            | ".float"
            | ".double"
            | ".uleb128"
            | ".sleb128"
    )
}

/// Whether a line is part of the code: an instruction, or data.
fn is_kept(line: &str) -> bool {
    let (first, _) = directive(line);
    !first.is_empty() && !first.starts_with('#') && (!first.starts_with('.') || is_data(first))
}

/// The names that gcc gives to constants.
fn is_constant(symbol: &str) -> bool {
    symbol.strip_prefix(".LC").is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// A symbol of C++ without what says that other files do not know it: what a function refers to may be `static` in its project,
/// and only declared where it is taken out. In C nothing says that.
fn without_linkage(symbol: &str) -> String {
    let Some(mut rest) = symbol.strip_prefix("_Z") else { return symbol.to_owned() };
    let mut plain = "_Z".to_owned();
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // A name stands behind its length.
        let length = match rest[..digits].parse::<usize>() {
            Ok(length) => digits.saturating_add(length).min(rest.len()),
            Err(_) => first.len_utf8(),
        };
        let length = if rest.is_char_boundary(length) { length } else { rest.len() };
        let is_mark = first == 'L' && rest[1..].starts_with(|next: char| next.is_ascii_digit());
        if !is_mark {
            plain.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    plain
}

/// The name of a static variable inside a function, without its number.
fn static_stem(symbol: &str) -> Option<&str> {
    let (stem, number) = symbol.rsplit_once('.')?;
    (!stem.is_empty() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(stem)
}

fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$') || byte >= 0x80
}

/// Hands out the names in a line's operands; what stands in quotes is no name, nor are registers and numbers.
fn symbols<'a>(line: &'a str, mut found: impl FnMut(&'a str)) {
    let (first, operands) = directive(line);
    if matches!(first, ".string" | ".ascii" | ".asciz") {
        return;
    }
    let bytes = operands.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' || bytes[at].is_ascii_digit() {
            at += 1;
            while at < bytes.len() && is_symbol_byte(bytes[at]) {
                at += 1;
            }
        } else if is_symbol_byte(bytes[at]) && bytes[at] != b'$' {
            let start = at;
            while at < bytes.len() && is_symbol_byte(bytes[at]) {
                at += 1;
            }
            found(&operands[start..at]);
        } else {
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_only_one_file_knows_has_the_name_that_others_would_know_it_by() {
        assert_eq!(without_linkage("_ZN5shelfL5countEi"), "_ZN5shelf5countEi");
        assert_eq!(without_linkage("_ZL5countv"), "_Z5countv");
        assert_eq!(without_linkage("_ZN3L1a3L2bIL3KindE1EEEv"), without_linkage("_ZN3L1a3L2bIL3KindE1EEEv"));
        for symbol in ["_ZN5L12342L2Ev", "count", "L5count", "_ZN99short", "_Z"] {
            assert_eq!(without_linkage(symbol), symbol);
        }
    }

    fn lines(text: &str, symbol: &str) -> Vec<String> {
        Assembly::parse(text).code(symbol).unwrap().lines().to_vec()
    }

    const TEXT: &str = r#"
	.file	"x.c"
	.section	.rodata.str1.1,"aMS",@progbits,1
.LC7:
	.string	"a, .L3: %s"
	.text
	.p2align 4
	.globl	f
	.type	f, @function
f:
.LFB3:
	.cfi_startproc
	cmpl	$4, %edi
	ja	.L9
	jmp	*.L11(,%rdi,8)
	.section	.rodata
	.align 8
.L11:
	.quad	.L9
	.quad	.L12
	.text
.L12:
	movl	$.LC7, %edi
	movsd	.LC8(%rip), %xmm0
	addl	n.17(%rip), %eax
	incl	n.18(%rip)
# 5 "x.c" 1
	nop
.L99:
.L9:
	jmp	other
	.cfi_endproc
	.section	.text.unlikely
	.type	f.cold, @function
f.cold:
	call	abort
.LFE3:
	.text
	.size	f, .-f
	.section	.text.unlikely
	.size	f.cold, .-f.cold
	.local	n.18
	.comm	n.18,4,4
	.data
	.align 4
	.type	n.17, @object
	.size	n.17, 4
n.17:
	.long	5
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC8:
	.long	0
	.long	1073217536
	.ident	"GCC"
"#;

    #[test]
    fn a_function_is_its_instructions_tables_and_constants() {
        let expected = [
            "cmpl $4, %edi",
            "ja .L0",
            "jmp *.L1(,%rdi,8)",
            ".L1:",
            ".quad .L0",
            ".quad .L2",
            ".L2:",
            "movl ${.string \"a, .L3: %s\";}, %edi",
            "movsd {000000000000f83f}(%rip), %xmm0",
            "addl n.#0(%rip), %eax",
            "incl n.#1(%rip)",
            "nop",
            ".L0:",
            "jmp other",
            "f.cold:",
            "call abort",
            "n.#0=05000000",
            "n.#1=",
        ];
        assert_eq!(lines(TEXT, "f"), expected);
        assert_eq!(Assembly::parse(TEXT).functions(), ["f"]);
    }

    #[test]
    fn numbers_of_labels_constants_and_static_variables_do_not_matter() {
        let mut other = TEXT.to_owned();
        for (from, to) in
            [(".L9", ".L123"), (".L11", ".L4"), (".L12", ".L5"), (".LC7", ".LC0"), ("n.17", "n.1"), ("n.18", "n.0")]
        {
            other = other.replace(&format!("{from}\n"), &format!("{to}\n"));
            for after in [":", "(", ",", " "] {
                other = other.replace(&format!("{from}{after}"), &format!("{to}{after}"));
            }
        }
        assert_ne!(other, TEXT);
        assert_eq!(lines(&other, "f"), lines(TEXT, "f"));
    }

    #[test]
    fn an_alias_is_its_function() {
        let text = "\t.type\tb, @function\nb:\n\tret\n\t.size\tb, .-b\n\t.globl\ta\n\t.set\ta,b\n";
        assert_eq!(lines(text, "a"), ["ret"]);
    }

    #[test]
    fn static_variables_of_the_file_are_known_where_they_are_used() {
        let text = "\t.local\tv\n\t.comm\tv,4,4\n\t.globl\tg\n\t.data\ng:\n\t.long 1\nw:\n\t.long 2\n\t.text\n\
                    \t.type\tf, @function\nf:\n\tmovl\tv(%rip), %eax\n\taddl\tg(%rip), %eax\n\taddl\tx(%rip), %eax\n\
                    \t.size\tf, .-f\n";
        assert_eq!(Assembly::parse(text).variables_of("f"), ["v"]);
    }

    #[test]
    fn static_variables_that_point_to_each_other_come_to_an_end() {
        let text = "\t.type\tf, @function\nf:\n\tmovq\ta.0(%rip), %rax\n\t.size\tf, .-f\na.0:\n\t.quad\tb.1\nb.1:\n\
                    \t.quad\ta.0\n\t.quad .LC0\n.LC0:\n\t.quad\t.LC0\n";
        assert!(!Assembly::parse(text).code("f").unwrap().is_whole());
        let text = text.replace(".quad\t.LC0", ".quad\t7");
        assert!(Assembly::parse(text).code("f").unwrap().is_whole());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(\\t?[.a-zL0-9:,@\"+é#(%$-]{0,12}[\\t ]?[.a-z0-9,@LC+-]{0,9}\n){0,30}") {
            let assembly = Assembly::parse(text);
            for name in assembly.functions() {
                prop_assert!(assembly.code(name).is_some());
            }
        }
    }
}
