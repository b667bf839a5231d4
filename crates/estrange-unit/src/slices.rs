//! A flattened translation unit, cut into chunks: one top-level declaration each, with everything that belongs to it.

use std::collections::HashMap;

use estrange_clang::{ContainerKind, Declaration, DeclarationKind, Reading, Reference};
use estrange_text::lexer::{Kind, Token, directive_name, lex};
use estrange_words::Language;

use crate::flat::Flat;
use crate::macros::Macros;

/// One top-level declaration, or several that cannot be told apart, such as a type with its alias.
#[derive(Debug, Clone)]
pub(crate) struct Chunk {
    /// Where its text starts.
    pub(crate) start: u32,
    /// Where it ends, its semicolon included.
    pub(crate) end: u32,
    /// What it declares, as indices of declarations.
    pub(crate) declarations: Vec<u32>,
    /// The innermost namespace or linkage block around it.
    pub(crate) container: Option<u32>,
    /// The functions with bodies that stand in its classes, as indices of declarations.
    pub(crate) methods: Vec<u32>,
}

/// A directive that is neither a macro nor dropped.
#[derive(Debug, Clone)]
pub(crate) struct Include {
    /// Where it stands.
    pub(crate) start: u32,
    /// The header's name.
    pub(crate) name: String,
}

/// A translation unit, cut.
pub(crate) struct Slices<'a> {
    pub(crate) flat: &'a Flat,
    pub(crate) reading: &'a Reading,
    pub(crate) language: Language,
    pub(crate) tokens: Vec<Token>,
    pub(crate) macros: Macros,
    pub(crate) includes: Vec<Include>,
    /// Pairs of `#pragma`s that change what stands between them.
    pub(crate) pragmas: Vec<Pragma>,
    pub(crate) chunks: Vec<Chunk>,
    /// The chunk of each declaration.
    pub(crate) chunk_of: Vec<u32>,
    /// The declarations of each entity, in order.
    pub(crate) by_usr: HashMap<&'a str, Vec<u32>>,
    by_name_offset: HashMap<u32, u32>,
}

/// A `#pragma` in force over a stretch of text.
#[derive(Debug, Clone)]
pub(crate) struct Pragma {
    /// The directives that open and close it.
    pub(crate) opens: (u32, u32),
    pub(crate) closes: Option<(u32, u32)>,
}

impl<'a> Slices<'a> {
    pub(crate) fn cut(flat: &'a Flat, reading: &'a Reading, language: Language) -> Self {
        let text = flat.text.as_str();
        let tokens = lex(text);
        let macros = Macros::of(text, &tokens);
        let includes = includes(text, &tokens);
        let pragmas = pragmas(text, &tokens);
        let mut by_usr: HashMap<&str, Vec<u32>> = HashMap::new();
        let mut by_name_offset = HashMap::new();
        for (number, declaration) in reading.declarations.iter().enumerate() {
            if !declaration.usr.is_empty() {
                by_usr.entry(&declaration.usr).or_default().push(number as u32);
            }
            by_name_offset.entry(declaration.at).or_insert(number as u32);
        }
        let chunks = Cutter { text, tokens: &tokens, macros: &macros, reading }.chunks();
        let mut chunk_of = vec![u32::MAX; reading.declarations.len()];
        for (number, chunk) in chunks.iter().enumerate() {
            for declaration in chunk.declarations.iter().chain(&chunk.methods) {
                chunk_of[*declaration as usize] = number as u32;
            }
        }
        Self { flat, reading, language, tokens, macros, includes, pragmas, chunks, chunk_of, by_usr, by_name_offset }
    }

    pub(crate) fn text(&self) -> &'a str {
        &self.flat.text
    }

    pub(crate) fn declaration(&self, number: u32) -> &'a Declaration {
        &self.reading.declarations[number as usize]
    }

    /// The declaration whose name stands at `offset`.
    pub(crate) fn declared_at(&self, offset: u32) -> Option<u32> {
        self.by_name_offset.get(&offset).copied()
    }

    /// The chunk around `offset`.
    pub(crate) fn chunk_at(&self, offset: u32) -> Option<u32> {
        let after = self.chunks.partition_point(|chunk| chunk.start <= offset);
        let number = after.checked_sub(1)?;
        (self.chunks[number].end > offset).then_some(number as u32)
    }

    /// The containers around a chunk, outermost first, as the words that open them.
    pub(crate) fn path(&self, number: u32) -> Vec<String> {
        let containers = &self.reading.containers;
        let mut path = Vec::new();
        let mut next = self.chunks[number as usize].container;
        while let Some(index) = next {
            let container = &containers[index as usize];
            path.push(match &container.kind {
                ContainerKind::CLinkage => "extern \"C\" {".to_owned(),
                ContainerKind::Namespace { name, inline } => {
                    let words = [if *inline { "inline" } else { "" }, "namespace", name, "{"];
                    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
                }
            });
            next = container.parent;
        }
        path.reverse();
        path
    }

    /// The references made between two offsets.
    pub(crate) fn references(&self, start: u32, end: u32) -> &'a [Reference] {
        let all = &self.reading.references;
        let from = all.partition_point(|reference| reference.at < start);
        let to = from + all[from..].partition_point(|reference| reference.at < end);
        &all[from..to]
    }

    /// The tokens that start between two offsets.
    pub(crate) fn tokens(&self, start: u32, end: u32) -> &[Token] {
        between(&self.tokens, start, end)
    }
}

/// The tokens that start between two offsets.
pub(crate) fn between(tokens: &[Token], start: u32, end: u32) -> &[Token] {
    let from = tokens.partition_point(|token| token.start < start);
    let to = from + tokens[from..].partition_point(|token| token.start < end);
    &tokens[from..to]
}

fn includes(text: &str, tokens: &[Token]) -> Vec<Include> {
    let directives = tokens.iter().filter(|token| token.kind == Kind::Directive);
    directives
        .filter(|token| directive_name(token.text(text)) == "include")
        .filter_map(|token| {
            let name = token.text(text).split_once('<')?.1.split_once('>')?.0;
            Some(Include { start: token.start, name: name.to_owned() })
        })
        .collect()
}

/// Pragmas that change the layout of types or the code of functions, each with what ends it.
fn pragmas(text: &str, tokens: &[Token]) -> Vec<Pragma> {
    let mut all: Vec<Pragma> = Vec::new();
    let mut packs: Vec<usize> = Vec::new();
    let mut options: Vec<usize> = Vec::new();
    for token in tokens.iter().filter(|token| token.kind == Kind::Directive) {
        let directive = token.text(text);
        if directive_name(directive) != "pragma" {
            continue;
        }
        let squeezed: String = directive.chars().filter(|letter| !letter.is_whitespace()).collect();
        let place = (token.start, token.end);
        let mut open = |stack: &mut Vec<usize>| {
            stack.push(all.len());
            all.push(Pragma { opens: place, closes: None });
        };
        if let Some(packing) = squeezed.strip_prefix("#pragmapack(") {
            if packing.starts_with("pop") || packing.starts_with(')') {
                if let Some(opened) = packs.pop() {
                    all[opened].closes = Some(place);
                }
            } else {
                open(&mut packs);
            }
        } else if squeezed.starts_with("#pragmaGCCpush_options") || squeezed.starts_with("#pragmaGCCtarget") {
            open(&mut options);
        } else if squeezed.starts_with("#pragmaGCCpop_options") {
            for opened in options.drain(..) {
                all[opened].closes = Some(place);
            }
        }
    }
    all
}

/// Finds where chunks start and end.
struct Cutter<'a> {
    text: &'a str,
    tokens: &'a [Token],
    macros: &'a Macros,
    reading: &'a Reading,
}

impl Cutter<'_> {
    fn chunks(&self) -> Vec<Chunk> {
        let declarations = &self.reading.declarations;
        let mut outer: Vec<u32> =
            (0..declarations.len() as u32).filter(|number| declarations[*number as usize].class.is_none()).collect();
        outer.sort_by_key(|number| {
            let declaration = &declarations[*number as usize];
            (declaration.start, std::cmp::Reverse(declaration.end))
        });
        let mut chunks: Vec<Chunk> = Vec::new();
        // How far the declarations of the last chunk go, as the parser says.
        let mut farthest = 0;
        for number in outer {
            let declaration = &declarations[number as usize];
            if declaration.start as usize >= self.text.len() {
                continue;
            }
            let end = match chunks.last() {
                // A type within another declaration ends with that: `struct { … } *f(void) { … }` has no semicolon.
                Some(chunk) if declaration.start < chunk.end && declaration.end <= farthest => chunk.end,
                _ => self.end_of(declaration),
            };
            farthest = farthest.max(declaration.end);
            match chunks.last_mut() {
                Some(chunk) if declaration.start < chunk.end => {
                    chunk.end = chunk.end.max(end);
                    chunk.declarations.push(number);
                }
                _ => chunks.push(Chunk {
                    start: declaration.start,
                    end,
                    declarations: vec![number],
                    container: declaration.container,
                    methods: Vec::new(),
                }),
            }
        }
        self.attach_what_stands_before(&mut chunks);
        for (number, declaration) in declarations.iter().enumerate() {
            if declaration.class.is_some() {
                let after = chunks.partition_point(|chunk| chunk.start <= declaration.start);
                if let Some(chunk) = after.checked_sub(1).and_then(|before| chunks.get_mut(before)) {
                    chunk.methods.push(number as u32);
                }
            }
        }
        chunks
    }

    /// Where the text of a declaration ends, its semicolon included.
    fn end_of(&self, declaration: &Declaration) -> u32 {
        let end = self.after_macro_call(declaration.start, declaration.end);
        let mut depth = 0_i32;
        let after = self.tokens.partition_point(|token| token.start < end);
        // `= default` stands after what libclang calls the end of the function.
        let has_body = declaration.kind.is_function()
            && declaration.is_definition
            && self.tokens.get(after).is_none_or(|token| token.text(self.text) != "=");
        for token in &self.tokens[after..] {
            if matches!(token.kind, Kind::Comment | Kind::Directive) {
                continue;
            }
            match token.text(self.text) {
                ";" if depth <= 0 => return if has_body && token.start > end + 1 { end } else { token.end },
                _ if has_body => return end,
                // A namespace ends here, or another declaration begins.
                "}" if depth <= 0 => return end,
                "(" | "{" | "[" => depth += 1,
                // libclang may see the end within the arguments of a macro.
                ")" | "}" | "]" => depth -= 1,
                _ => {}
            }
        }
        end
    }

    /// If the last token of a declaration is a macro, the declaration ends where the macro's call ends.
    fn after_macro_call(&self, start: u32, end: u32) -> u32 {
        let last = end.saturating_sub(1).max(start);
        let number = self.tokens.partition_point(|token| token.end <= last);
        let Some(token) = self.tokens.get(number) else { return end };
        if token.kind != Kind::Identifier {
            return end.max(token.end.min(end));
        }
        let Some(event) = self.macros.in_force(&token.spelling(self.text), token.start) else {
            return end.max(token.end);
        };
        let takes_arguments = self.macros.events[event].definition.as_ref().is_some_and(|found| found.takes_arguments);
        let follows = self.tokens.get(number + 1).is_some_and(|next| next.text(self.text) == "(");
        if takes_arguments && follows {
            return self.closing(number + 1).map_or(end, |close| self.tokens[close].end).max(end);
        }
        end.max(token.end)
    }

    /// The token that closes the parenthesis at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_i32;
        for (number, token) in self.tokens.iter().enumerate().skip(open) {
            match token.text(self.text) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                return Some(number);
            }
        }
        None
    }

    /// Macros without content, attributes and specifiers may stand before what libclang calls a declaration.
    fn attach_what_stands_before(&self, chunks: &mut [Chunk]) {
        let mut borders: Vec<u32> = Vec::new();
        for container in &self.reading.containers {
            borders.push(self.after_macro_call(container.start, container.start + 1));
            borders.push(self.after_macro_call(container.end.saturating_sub(1), container.end));
        }
        borders.sort_unstable();
        let mut previous = 0;
        for chunk in chunks {
            let inside = borders.partition_point(|border| *border <= chunk.start);
            let border = inside.checked_sub(1).map_or(0, |number| borders[number]);
            let gap = between(self.tokens, previous.max(border), chunk.start);
            let mut start = chunk.start;
            for token in gap.iter().rev() {
                match token.kind {
                    Kind::Comment | Kind::Directive => continue,
                    _ if matches!(token.text(self.text), ";" | "{" | "}") => break,
                    _ => start = token.start,
                }
            }
            chunk.start = start;
            previous = chunk.end;
        }
    }
}

/// Whether a declaration is a type.
pub(crate) fn is_type(kind: DeclarationKind) -> bool {
    matches!(kind, DeclarationKind::Record | DeclarationKind::Enumeration | DeclarationKind::Alias)
}
