//! AArch64 and RISC-V code as text, from the assembly that the compiler itself wrote.
//!
//! The compiler's text names what its code refers to; an object file has groups of relocations that only a linker can
//! put together. We remove the directives for the assembler, the linker and the debugger, and every name of the unit.
//! What is left assembles to the same bytes.

use std::collections::{HashMap, HashSet};

use crate::how::Style;
use crate::loss::Loss;
use crate::lowered::Lowered;
use crate::names::{Names, Policy, is_function_name, is_type_name};
use crate::operands::{self, InOperand, Machine, Token};
use crate::symbol;

/// So many lines of a datum are shown.
const SHOWN: usize = 256;

/// Prints a function of an assembly text, and its helpers after it.
pub(crate) fn print(
    assembly: &str,
    machine: Machine,
    function: &str,
    helpers: &[String],
    style: Style,
    policy: Policy<'_>,
) -> Result<Lowered, Loss> {
    let file = File::parse(assembly, machine);
    let functions = file.order.iter().copied();
    let mut wanted = vec![file.resolved(symbol::find(functions.clone(), function)?)];
    let mut absent = Vec::new();
    for helper in helpers {
        match symbol::find(functions.clone(), helper) {
            Ok(found) => wanted.push(file.resolved(found)),
            Err(_) => absent.push(helper.clone()),
        }
    }
    let mut printed: Vec<Range<'_>> = Vec::new();
    for name in wanted {
        let mut parts: Vec<&str> =
            functions.clone().filter(|each| *each == name || symbol::is_clone_of(each, name)).collect();
        parts.sort_unstable();
        for part in parts.into_iter().filter_map(|part| file.range(part)) {
            if !printed.iter().any(|each| each.name == part.name) {
                printed.push(part);
            }
        }
    }
    let mut listing =
        Listing { file: &file, names: Names::new(policy), printed, data: Vec::new(), mentioned: HashSet::new() };
    let text = listing.text(style);
    Ok(listing.names.lowered(text, absent))
}

/// Whether there is assembly in it that stood in the source.
pub(crate) fn has_inline_assembly(assembly: &str) -> bool {
    let mut inside = false;
    for line in assembly.lines().map(str::trim) {
        match line {
            "#APP" | "//APP" => inside = true,
            "#NO_APP" | "//NO_APP" => inside = false,
            _ if inside && !line.is_empty() && !line.starts_with('#') && !line.starts_with("//") => return true,
            _ => {}
        }
    }
    false
}

#[derive(Debug, Clone, Copy)]
enum Element<'a> {
    Label(&'a str),
    /// An instruction or a directive, and its operands.
    Line(&'a str, &'a str),
}

/// What an assembly text holds.
struct File<'a> {
    machine: Machine,
    sections: Vec<Vec<Element<'a>>>,
    /// Where each label stands.
    labels: HashMap<&'a str, (usize, usize)>,
    /// The functions, as they come.
    order: Vec<&'a str>,
    functions: HashSet<&'a str>,
    aliases: HashMap<&'a str, &'a str>,
    /// What is only reserved, and how many bytes.
    reserved: HashMap<&'a str, &'a str>,
}

/// A function's elements.
#[derive(Debug, Clone)]
struct Range<'a> {
    name: &'a str,
    section: usize,
    start: usize,
    end: usize,
}

impl<'a> File<'a> {
    fn parse(text: &'a str, machine: Machine) -> Self {
        let mut file = Self {
            machine,
            sections: vec![Vec::new()],
            labels: HashMap::new(),
            order: Vec::new(),
            functions: HashSet::new(),
            aliases: HashMap::new(),
            reserved: HashMap::new(),
        };
        let mut numbers: HashMap<&str, usize> = HashMap::from([(".text", 0)]);
        let (mut current, mut before, mut pushed) = (0, 0, Vec::new());
        for line in text.lines() {
            for statement in operands::statements(line, machine) {
                if let Some(label) = statement.strip_suffix(':').filter(|label| !label.contains(char::is_whitespace)) {
                    let label = label.trim_matches('"');
                    file.labels.insert(label, (current, file.sections[current].len()));
                    file.sections[current].push(Element::Label(label));
                    continue;
                }
                let (word, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
                let rest = rest.trim();
                let mut section = |name: &'a str| {
                    let next = numbers.len();
                    *numbers.entry(name).or_insert(next)
                };
                let first = rest.split(',').next().unwrap_or_default().trim().trim_matches('"');
                let next = match word {
                    ".text" | ".data" | ".bss" => Some(section(word)),
                    ".section" => Some(section(first)),
                    ".pushsection" => {
                        pushed.push(current);
                        Some(section(first))
                    }
                    ".popsection" => pushed.pop(),
                    ".previous" => Some(before),
                    _ => None,
                };
                if let Some(next) = next {
                    before = current;
                    current = next;
                    while file.sections.len() <= current {
                        file.sections.push(Vec::new());
                    }
                    continue;
                }
                file.statement(current, word, rest, first);
            }
        }
        let File { labels, order, aliases, .. } = &mut file;
        order.retain(|name| {
            labels.contains_key(name) || aliases.get(name).is_some_and(|other| labels.contains_key(other))
        });
        file
    }

    fn statement(&mut self, section: usize, word: &'a str, rest: &'a str, first: &'a str) {
        let second = || rest.split(',').nth(1).unwrap_or_default().trim().trim_matches('"');
        match word {
            ".type" if second().ends_with("function") => {
                if self.functions.insert(first) {
                    self.order.push(first);
                }
            }
            ".set" | ".equ" => {
                // `.` is this place.
                if second().starts_with('.') && second()[1..].trim_start().is_empty() || second() == ". + 0" {
                    self.labels.insert(first, (section, self.sections[section].len()));
                    self.sections[section].push(Element::Label(first));
                } else {
                    self.aliases.insert(first, second());
                }
            }
            ".comm" | ".lcomm" => {
                self.reserved.insert(first, second());
            }
            _ => self.sections[section].push(Element::Line(word, rest)),
        }
    }

    /// What a name stands for, if it is another name for something.
    fn resolved(&self, name: &'a str) -> &'a str {
        let mut name = name;
        for _ in 0..4 {
            match self.aliases.get(name) {
                Some(other) => name = other,
                None => break,
            }
        }
        name
    }

    /// A function's elements, up to its `.size`.
    fn range(&self, name: &'a str) -> Option<Range<'a>> {
        let &(section, label) = self.labels.get(self.resolved(name))?;
        let elements = &self.sections[section];
        let is_end = |element: &Element<'_>| match element {
            Element::Line(".size", rest) => {
                rest.split(',').next().map(|first| first.trim().trim_matches('"')) == Some(name)
            }
            _ => false,
        };
        let end = elements[label..].iter().position(is_end).map_or(elements.len(), |length| label + length);
        Some(Range { name, section, start: label, end })
    }

    /// The first of the labels that stand at the same place as this one.
    fn first_label(&self, label: &'a str) -> Option<(&'a str, usize, usize)> {
        let &(section, at) = self.labels.get(label)?;
        let mut first = (label, section, at);
        for index in (0..at).rev() {
            match self.sections[section][index] {
                Element::Label(name) => first = (name, section, index),
                Element::Line(word, _) if operands::is_data(word) || !word.starts_with('.') => break,
                Element::Line(..) => {}
            }
        }
        Some(first)
    }
}

struct Listing<'a> {
    file: &'a File<'a>,
    names: Names<'a>,
    printed: Vec<Range<'a>>,
    /// The data that were named, in order, by their first labels.
    data: Vec<&'a str>,
    /// The labels inside of the printed functions that something refers to.
    mentioned: HashSet<&'a str>,
}

/// A line of the text.
enum Line<'a> {
    Label(&'a str),
    /// With labels that are not numbered yet between two marks.
    Text(String),
}

/// Stands around labels that are not numbered yet.
const MARK: char = '\u{1}';

impl<'a> Listing<'a> {
    fn text(&mut self, style: Style) -> String {
        let mut lines = Vec::new();
        for (number, range) in self.printed.clone().into_iter().enumerate() {
            if number > 0 {
                lines.push(Line::Text(String::new()));
            }
            lines.push(Line::Text(format!("{}:", self.names.function(range.name))));
            for element in &self.file.sections[range.section][range.start + 1..range.end] {
                match *element {
                    Element::Label(label) => lines.push(Line::Label(label)),
                    Element::Line(word, rest) if !word.starts_with('.') || operands::is_code_data(word) => {
                        lines.push(Line::Text(self.line(word, rest)));
                    }
                    Element::Line(..) => {}
                }
            }
        }
        let mut at = 0;
        while style == Style::Plain && at < self.data.len() {
            let label = self.data[at];
            let name = self.names.data(label);
            lines.push(Line::Text(format!("\n{name}:")));
            lines.extend(self.datum(label).into_iter().map(Line::Text));
            at += 1;
        }
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for line in &lines {
            if let Line::Label(label) = line
                && self.mentioned.contains(label)
            {
                let next = numbers.len() + 1;
                numbers.insert(label, next);
            }
        }
        let mut text = String::new();
        for line in lines {
            match line {
                Line::Label(label) => {
                    if let Some(number) = numbers.get(label) {
                        text.push_str(&format!(".L{number}:\n"));
                    }
                }
                Line::Text(line) => {
                    for (at, part) in line.split(MARK).enumerate() {
                        match numbers.get(part) {
                            Some(number) if at % 2 == 1 => text.push_str(&format!(".L{number}")),
                            _ => text.push_str(part),
                        }
                    }
                    text.push('\n');
                }
            }
        }
        text
    }

    /// An instruction or directive with other names.
    fn line(&mut self, word: &'a str, rest: &'a str) -> String {
        let is_data = word.starts_with('.');
        let machine = self.file.machine;
        let mut text = format!("\t{word}");
        if !rest.is_empty() {
            text.push('\t');
        }
        let count = operands::count(rest);
        for token in operands::tokens(rest) {
            match token {
                Token::Other(part) => text.push_str(part),
                Token::String(part) => text.push_str(&self.names.cleaned(part, true)),
                Token::Word { word: name, operand, place } => {
                    let called = operands::is_call(machine, word, operand, count);
                    let symbol = place == InOperand::Symbol
                        || called
                        || is_data
                        || place == InOperand::Plain && operands::is_address(machine, word, operand, count)
                        || name.starts_with(".L") && self.file.labels.contains_key(name);
                    if symbol { text.push_str(&self.reference(name, called)) } else { text.push_str(name) }
                }
            }
        }
        text
    }

    /// What is written for a symbol.
    fn reference(&mut self, symbol: &'a str, called: bool) -> String {
        let file = self.file;
        let name = file.resolved(symbol);
        if let Some(&(section, at)) = file.labels.get(name) {
            let inside = |range: &Range<'_>| range.section == section && (range.start + 1..range.end).contains(&at);
            if self.printed.iter().any(inside) {
                self.mentioned.insert(name);
                return format!("{MARK}{name}{MARK}");
            }
            if called || file.functions.contains(name) {
                return self.names.function(name);
            }
            let (first, _, _) = file.first_label(name).unwrap_or((name, section, at));
            return self.named(first);
        }
        if file.reserved.contains_key(name) {
            return self.named(name);
        }
        self.names.foreign(name, called || file.functions.contains(name))
    }

    fn named(&mut self, label: &'a str) -> String {
        if !self.data.contains(&label) {
            self.data.push(label);
        }
        self.names.variable(label, label)
    }

    /// The lines of data.
    fn datum(&mut self, label: &'a str) -> Vec<String> {
        if let Some(size) = self.file.reserved.get(label) {
            return vec![format!("\t.zero\t{size}")];
        }
        let Some(&(section, at)) = self.file.labels.get(label) else { return Vec::new() };
        let mut lines = Vec::new();
        for element in &self.file.sections[section][at..] {
            match *element {
                Element::Label(name) if lines.is_empty() => {
                    if is_function_name(name) {
                        let own = self.names.function(self.printed[0].name);
                        return vec![format!("\t.string\t\"{own}\"")];
                    }
                    if is_type_name(name) {
                        return vec![format!("\t.string\t\"{}\"", self.names.r#type(name))];
                    }
                }
                Element::Label(_) => break,
                Element::Line(word, rest) if operands::is_data(word) => lines.push(self.line(word, rest)),
                Element::Line(..) => {}
            }
        }
        if lines.len() > SHOWN {
            let rest = lines.split_off(SHOWN);
            let hash = blake3::hash(rest.join("\n").as_bytes()).to_hex();
            lines.push(format!("\t.rest\t{} 0x{}", rest.len(), &hash[..8]));
        }
        lines
    }
}
