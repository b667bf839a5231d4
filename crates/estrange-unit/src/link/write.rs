//! Sections written down as one text.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use estrange_text::lexer::{Kind, directive_name, is_feature_macro, lex, macro_name};
use estrange_words::Language;

use crate::emit::tidy_with;
use crate::forms::Form;
use crate::link::names::{ChunkRenames, Renames};
use crate::link::sheet::Sheet;
use crate::link::walk::Section;
use crate::link::{Linked, LinkedFunction};

/// Writes sections down, the first one last; `function` is a declaration of the first.
pub(super) fn write(sections: &[Section<'_>], renames: &[Renames], function: u32, language: Language) -> Linked {
    let mut writer = Writer {
        text: String::new(),
        open: Vec::new(),
        macros: HashMap::new(),
        pragmas: Vec::new(),
        saved: HashSet::new(),
        header_macros: HashSet::new(),
    };
    let includes = writer.head(sections);
    let own = sections.first().and_then(|section| Own::of(section, function));
    let mut place = 0..0;
    let mut functions = Vec::new();
    let mut without_code: Vec<Range<usize>> = Vec::new();
    let mut written: HashMap<u64, Form> = HashMap::new();
    for (section, renames) in sections.iter().zip(renames).rev() {
        for event in &section.macros {
            let event = &section.sheet.slices.macros.events[*event];
            let text = &section.sheet.slices.text()[event.start as usize..event.end as usize];
            writer.define(&event.name, text.to_owned());
        }
        for (number, piece) in &section.chunks {
            if written.get(&piece.item).is_some_and(|form| *form >= piece.form) {
                continue;
            }
            written.insert(piece.item, piece.form);
            let defined = writer.chunk(&section.sheet, *number, piece.form, &piece.macros, renames);
            // The function's own chunk may have been written by another section that shares it.
            if let Some(own) = own.as_ref().filter(|own| own.item == piece.item)
                && let Some((_, range)) = defined.iter().find(|(nth, _)| *nth == own.nth)
            {
                place = range.clone();
            }
            let all = section.sheet.defined(*number);
            functions.extend(defined.into_iter().filter_map(|(nth, range)| {
                let declaration = *all.get(nth)?;
                let found = section.sheet.slices.declaration(declaration);
                if found.is_only_inline && !found.is_internal && language == Language::C {
                    without_code.push(range.clone());
                }
                let (file, line) = section.sheet.slices.flat.origin(section.sheet.slices.extent_of(declaration).0)?;
                let file = file.to_string_lossy().into_owned();
                Some(LinkedFunction { usr: found.usr.clone(), file, line, range })
            }));
        }
    }
    writer.close_to(0);
    writer.pragmas_to(&[]);
    // In its project another file says so.
    for declaration in without_code.into_iter().map(|range| declared(&writer.text[range])).collect::<Vec<_>>() {
        writer.line(&format!("extern {declaration};"));
    }
    functions.sort_by_key(|function| function.range.start);
    let units = sections.iter().map(|section| section.unit).collect();
    Linked { text: writer.text, function: place, functions, includes, units }
}

/// What stands before the body of a function.
fn declared(function: &str) -> String {
    let body = lex(function).into_iter().find(|token| token.text(function) == "{");
    function[..body.map_or(function.len(), |token| token.start as usize)].trim_end().to_owned()
}

/// The function that a linked unit is for, as any section that shares its chunk knows it.
struct Own {
    item: u64,
    /// Which of the functions that the chunk defines.
    nth: usize,
}

impl Own {
    fn of(section: &Section<'_>, function: u32) -> Option<Self> {
        let chunk = *section.sheet.slices.chunk_of.get(function as usize)?;
        let item = section.chunks.get(&chunk)?.item;
        let nth = section.sheet.defined(chunk).iter().position(|declaration| *declaration == function)?;
        Some(Self { item, nth })
    }
}

impl Sheet<'_> {
    /// The functions that a chunk defines, as indices of declarations: always in the same order.
    fn defined(&self, number: u32) -> Vec<u32> {
        let chunk = self.chunk(number);
        let all = chunk.declarations.iter().chain(&chunk.methods).copied();
        all.filter(|number| {
            let declaration = self.slices.declaration(*number);
            declaration.kind.is_function() && declaration.is_definition && declaration.body.is_some()
        })
        .collect()
    }
}

/// Where parts of the source stand in what was written of it.
#[derive(Default)]
struct Copied {
    /// A stretch of the source, and where it begins in what was written.
    all: Vec<(Range<u32>, usize)>,
}

impl Copied {
    fn add(&mut self, source: Range<u32>, written: usize) {
        self.all.push((source, written));
    }

    /// Where a part begins and ends, if both its ends were copied.
    fn place(&self, start: u32, end: u32) -> Option<Range<usize>> {
        let holds = |range: &Range<u32>, at: u32| range.start <= at && at <= range.end;
        let offset = |(range, written): &(Range<u32>, usize), at: u32| written + (at - range.start) as usize;
        let first = self.all.iter().rev().find(|(range, _)| holds(range, start))?;
        let last = self.all.iter().find(|(range, _)| holds(range, end))?;
        Some(offset(first, start)..offset(last, end)).filter(|range| range.start < range.end)
    }
}

struct Writer {
    text: String,
    open: Vec<String>,
    /// The macros in force, with the directives that define them.
    macros: HashMap<String, String>,
    /// The pragmas in force, each with what ends it.
    pragmas: Vec<(String, String)>,
    /// Macros of headers that ours stand in for.
    saved: HashSet<String>,
    header_macros: HashSet<String>,
}

impl Writer {
    /// Standard headers, and the macros that they look at.
    fn head(&mut self, sections: &[Section<'_>]) -> Vec<String> {
        let mut features: BTreeMap<String, String> = BTreeMap::new();
        let mut includes: Vec<String> = Vec::new();
        for section in sections {
            let slices = &section.sheet.slices;
            if !section.chunks.values().any(|piece| piece.is_standard) {
                continue;
            }
            let end = section.chunks.keys().next_back().map_or(0, |number| section.sheet.chunk(*number).end);
            for include in slices.includes.iter().filter(|include| include.start < end) {
                for event in slices.macros.events.iter().filter(|event| is_feature_macro(&event.name)) {
                    if event.definition.is_some() && event.start < include.start {
                        let text = &slices.text()[event.start as usize..event.end as usize];
                        // The function's own file decides.
                        features.entry(event.name.clone()).or_insert_with(|| text.to_owned());
                    }
                }
                if !includes.contains(&include.name) {
                    includes.push(include.name.clone());
                }
            }
            self.header_macros.extend(slices.reading.header_macros.iter().map(|(name, _)| name.clone()));
        }
        for (name, text) in features {
            self.define(&name, text);
        }
        for include in &includes {
            self.line(&format!("#include <{include}>"));
        }
        includes
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Brings a macro into force.
    fn define(&mut self, name: &str, directive: String) {
        if self.macros.get(name) == Some(&directive) {
            return;
        }
        let had = self.macros.contains_key(name);
        self.undefine(name);
        if self.header_macros.contains(name) {
            self.saved.insert(name.to_owned());
            self.line(&format!("#pragma push_macro(\"{name}\")\n#undef {name}"));
        } else if !had && self.saved.contains(name) {
            self.line(&format!("#undef {name}"));
        }
        self.line(&directive);
        self.macros.insert(name.to_owned(), directive);
    }

    /// Takes a macro of ours out of force.
    fn undefine(&mut self, name: &str) {
        if self.macros.remove(name).is_none() {
            return;
        }
        if self.saved.remove(name) {
            self.line(&format!("#pragma pop_macro(\"{name}\")"));
        } else {
            self.line(&format!("#undef {name}"));
        }
    }

    /// Writes a chunk; where each of the functions stands that it defines, by their numbers among those.
    fn chunk(
        &mut self,
        sheet: &Sheet<'_>,
        number: u32,
        form: Form,
        macros: &[usize],
        renames: &Renames,
    ) -> Vec<(usize, Range<usize>)> {
        let slices = &sheet.slices;
        let source = slices.text();
        let chunk = sheet.chunk(number);
        let renames = ChunkRenames::of(sheet, number, renames);
        // What is a macro here, and what must not be one.
        let mut used: HashSet<&str> = HashSet::new();
        let mut words: HashSet<&str> = HashSet::new();
        for event in macros {
            let event = &slices.macros.events[*event];
            used.insert(&event.name);
            words.extend(event.definition.iter().flat_map(|definition| &definition.names).map(String::as_str));
        }
        let mut text = String::new();
        let mut copied = Copied::default();
        let mut directives = Vec::new();
        let mut from = chunk.start;
        let mut cuts = sheet.cuts(number, form);
        let end = cuts.last().map_or(chunk.end, |cut| cut.end.max(chunk.end));
        cuts.push(crate::forms::Cut { start: end, end, instead: "".into() });
        for cut in &cuts {
            for token in slices.tokens(from, cut.start) {
                match token.kind {
                    Kind::Identifier => {
                        words.insert(token.text(source));
                        if let Some(renamed) = renames.places.get(&token.start) {
                            copied.add(from..token.start, text.len());
                            text.push_str(&source[from as usize..token.start as usize]);
                            text.push_str(renamed);
                            from = token.end;
                        }
                    }
                    Kind::Directive => {
                        copied.add(from..token.start, text.len());
                        text.push_str(&source[from as usize..token.start as usize]);
                        let directive = token.text(source);
                        match directive_name(directive) {
                            "define" | "undef" => {
                                let directive = renames.directive(directive);
                                text.push_str(&directive);
                                directives.push(directive);
                            }
                            "pragma" => text.push_str(directive),
                            _ => {}
                        }
                        from = token.end;
                    }
                    _ => {}
                }
            }
            copied.add(from.min(cut.start)..cut.start, text.len());
            text.push_str(&source[from.min(cut.start) as usize..cut.start as usize]);
            text.push_str(&cut.instead);
            from = cut.end;
        }
        let mut unwanted: Vec<String> = self
            .macros
            .keys()
            .filter(|name| words.contains(name.as_str()) && !used.contains(name.as_str()))
            .cloned()
            .collect();
        unwanted.sort();
        for name in unwanted {
            self.undefine(&name);
        }
        for event in macros {
            let event = &slices.macros.events[*event];
            if !(chunk.start..chunk.end).contains(&event.start) {
                self.define(&event.name, renames.directive(&source[event.start as usize..event.end as usize]));
            }
        }
        self.pragmas_to(&pragmas(sheet, number));
        self.enter(&sheet.slices.path(number));
        let is_cut = |start: u32, end: u32| cuts.iter().any(|cut| cut.start < end && start < cut.end);
        let places = sheet.defined(number).into_iter().enumerate().filter_map(|(nth, declaration)| {
            let (start, end) = slices.extent_of(declaration);
            Some((nth, copied.place(start, end).filter(|_| !is_cut(start, end))?))
        });
        let places: Vec<(usize, Range<usize>)> = places.collect();
        let mut marks: Vec<usize> = places.iter().flat_map(|(_, range)| [range.start, range.end]).collect();
        let text = tidy_with(&text, &mut marks);
        let begin = self.text.len();
        self.line(&text);
        for directive in directives {
            let Some(name) = macro_name(&directive) else { continue };
            self.macros.remove(name);
            if directive_name(&directive) == "define" {
                self.macros.insert(name.to_owned(), directive.clone());
            }
        }
        let ranges = marks.chunks(2).map(|ends| begin + ends[0]..begin + ends[1]);
        places.into_iter().map(|(nth, _)| nth).zip(ranges).collect()
    }

    fn pragmas_to(&mut self, wanted: &[(String, String)]) {
        let common = self.pragmas.iter().zip(wanted).take_while(|(open, wanted)| open == wanted).count();
        while self.pragmas.len() > common {
            if let Some((_, closes)) = self.pragmas.pop() {
                self.line(&closes);
            }
        }
        for pragma in &wanted[common..] {
            self.line(&pragma.0);
            self.pragmas.push(pragma.clone());
        }
    }

    fn enter(&mut self, path: &[String]) {
        let common = self.open.iter().zip(path).take_while(|(open, wanted)| open == wanted).count();
        self.close_to(common);
        for words in &path[common..] {
            self.line(words);
            self.open.push(words.clone());
        }
    }

    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            self.open.pop();
            self.line("}");
        }
    }
}

/// The pragmas in force over a chunk, with what ends them.
fn pragmas(sheet: &Sheet<'_>, number: u32) -> Vec<(String, String)> {
    let chunk = sheet.chunk(number);
    let text = sheet.slices.text();
    let over = sheet
        .slices
        .pragmas
        .iter()
        .filter(|pragma| pragma.opens.0 < chunk.start && pragma.closes.is_none_or(|(start, _)| start >= chunk.end));
    let part = |(start, end): (u32, u32)| text[start as usize..end as usize].to_owned();
    over.map(|pragma| {
        let opens = part(pragma.opens);
        let closes = pragma.closes.map_or_else(
            || if opens.contains("pack") { "#pragma pack()" } else { "#pragma GCC reset_options" }.to_owned(),
            part,
        );
        (opens, closes)
    })
    .collect()
}
