//! What a function needs: chunks, each in the smallest form that will do, macros and headers, transitively.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use estrange_clang::{DeclarationKind, Need, Target};
use estrange_text::lexer::{Kind, Token};
use estrange_words::Language;

use crate::forms::{Cut, Form};
use crate::slices::{Chunk, Slices};

/// What one function needs of its translation unit.
#[derive(Clone)]
pub(crate) struct Closure<'s, 'a> {
    pub(crate) slices: &'s Slices<'a>,
    /// The function, as an index of declarations.
    pub(crate) target: u32,
    /// The chunks, with their forms.
    pub(crate) forms: BTreeMap<u32, Form>,
    /// The functions inside classes that keep their bodies.
    pub(crate) bodies: BTreeSet<u32>,
    /// The macro definitions, as indices of events.
    pub(crate) macros: BTreeSet<usize>,
    /// Names that some chunk uses where they are no longer macros.
    pub(crate) unmacroed: BTreeMap<u32, BTreeSet<String>>,
    /// The places in headers that must be had.
    pub(crate) places: BTreeSet<u32>,
    /// The macros that must come from headers.
    pub(crate) header_macros: BTreeSet<String>,
    /// Functions that are called, variables that are used: by entity.
    pub(crate) symbols: BTreeSet<&'a str>,
    /// Who mentions a type that need only be declared, and whether the mention declares it by itself.
    mentions: BTreeMap<&'a str, BTreeMap<u32, bool>>,
    /// Whether helpers and variables are wanted with their definitions.
    linked: bool,
    queue: VecDeque<u32>,
    /// The same macro may stand for others at another place, where those are defined anew.
    macros_seen: HashSet<(usize, usize)>,
}

/// The largest value, in lines, that a variable keeps in a unit that is not to be run.
const LARGEST_VALUE: usize = 12;

impl<'s, 'a> Closure<'s, 'a> {
    /// What `target` needs to compile.
    pub(crate) fn of(slices: &'s Slices<'a>, target: u32) -> Self {
        let mut closure = Self::empty(slices, target, false);
        if slices.declaration(target).class.is_some() {
            closure.bodies.insert(target);
        }
        closure.add(slices.chunk_of[target as usize], Form::Whole);
        closure.finish();
        closure
    }

    /// What one chunk in one form, with every body that stands in it, needs by itself so that it can run: its own
    /// needs are not followed further.
    pub(crate) fn of_chunk(slices: &'s Slices<'a>, number: u32, form: Form) -> Self {
        let target = slices.chunks[number as usize].declarations.first().copied().unwrap_or_default();
        let mut closure = Self::empty(slices, target, true);
        closure.bodies.extend(slices.chunks[number as usize].methods.iter().copied());
        closure.add(number, form);
        closure.queue.clear();
        closure.step(number);
        closure.declare_mentioned();
        closure.add_pasted(number);
        closure
    }

    fn empty(slices: &'s Slices<'a>, target: u32, linked: bool) -> Self {
        Self {
            slices,
            target,
            forms: BTreeMap::new(),
            bodies: BTreeSet::new(),
            macros: BTreeSet::new(),
            unmacroed: BTreeMap::new(),
            places: BTreeSet::new(),
            header_macros: BTreeSet::new(),
            symbols: BTreeSet::new(),
            mentions: BTreeMap::new(),
            linked,
            queue: VecDeque::new(),
            macros_seen: HashSet::new(),
        }
    }

    /// The chunk that holds the function.
    pub(crate) fn home(&self) -> u32 {
        self.slices.chunk_of[self.target as usize]
    }

    /// Asks for a chunk in some form. Says whether that is new.
    pub(crate) fn add(&mut self, number: u32, form: Form) -> bool {
        let Some(chunk) = self.slices.chunks.get(number as usize) else { return false };
        let form = if self.slices.declaring(chunk).is_none() { Form::Whole } else { form };
        if self.forms.get(&number).is_some_and(|had| *had >= form) {
            return false;
        }
        self.forms.insert(number, form);
        self.queue.push_back(number);
        true
    }

    /// Asks for the body of a function inside a class. Says whether that is new.
    pub(crate) fn add_body(&mut self, declaration: u32) -> bool {
        let new = self.bodies.insert(declaration);
        if new {
            self.queue.push_back(self.slices.chunk_of[declaration as usize]);
        }
        new
    }

    /// Follows all that was asked for to its end.
    pub(crate) fn finish(&mut self) {
        loop {
            self.follow_all();
            if !self.declare_mentioned() {
                return;
            }
        }
    }

    /// Asks for a declaration of each type whose first mention is not enough. Says whether that was new.
    fn declare_mentioned(&mut self) -> bool {
        let slices = self.slices;
        let mut wanted = Vec::new();
        for (usr, by_chunk) in &self.mentions {
            let Some((first, declares_itself)) = by_chunk.first_key_value() else { continue };
            let declarations = slices.by_usr.get(usr).map_or(&[][..], Vec::as_slice);
            let whole_before = declarations.iter().any(|number| {
                let chunk = slices.chunk_of[*number as usize];
                chunk <= *first && self.forms.get(&chunk) == Some(&Form::Whole)
            });
            if *declares_itself || whole_before {
                continue;
            }
            let chunks = declarations.iter().map(|number| slices.chunk_of[*number as usize]);
            wanted.extend(chunks.filter(|chunk| *chunk != u32::MAX).min());
        }
        let mut new = false;
        for chunk in wanted {
            new |= self.add(chunk, Form::Declared);
        }
        new
    }

    fn follow_all(&mut self) {
        while let Some(number) = self.queue.pop_front() {
            self.step(number);
        }
    }

    /// Follows what one chunk asks for.
    fn step(&mut self, number: u32) {
        let chunk = &self.slices.chunks[number as usize];
        let mut from = chunk.start;
        for cut in self.cuts(number) {
            self.stretch(number, from, cut.start);
            from = from.max(cut.end);
        }
        self.stretch(number, from, chunk.end);
    }

    /// What is left out of a chunk in its present form, in order.
    pub(crate) fn cuts(&self, number: u32) -> Vec<Cut> {
        let chunk = &self.slices.chunks[number as usize];
        let form = self.forms.get(&number).copied().unwrap_or(Form::Whole);
        if form == Form::Declared
            && let Some(cuts) = self.slices.declaring(chunk)
        {
            return cuts;
        }
        let mut cuts: Vec<Cut> = chunk
            .methods
            .iter()
            .filter(|method| !self.bodies.contains(method))
            .filter_map(|method| self.slices.without_body(self.slices.declaration(*method)))
            .collect();
        cuts.sort();
        cuts
    }

    /// Follows the references and macros of a stretch of a chunk.
    fn stretch(&mut self, number: u32, start: u32, end: u32) {
        let slices = self.slices;
        for reference in slices.references(start, end) {
            match reference.target {
                Target::Here(offset) => self.follow(number, reference.at, offset, reference.need),
                Target::Header(place) => {
                    self.places.insert(place);
                }
            }
        }
        let tokens = slices.tokens(start, end);
        // Where the parentheses around the arguments of the outermost macro call end.
        let mut arguments_end = 0;
        for (index, token) in tokens.iter().enumerate() {
            if token.kind != Kind::Identifier {
                continue;
            }
            let name = token.spelling(slices.text());
            match slices.macros.in_force(&name, token.start) {
                Some(event) => {
                    let takes =
                        slices.macros.events[event].definition.as_ref().is_some_and(|found| found.takes_arguments);
                    let called = tokens[index + 1..]
                        .iter()
                        .find(|next| !matches!(next.kind, Kind::Comment | Kind::Directive))
                        .is_none_or(|next| next.text(slices.text()) == "(");
                    // Inside of a call, the macro that is called may call what it is given.
                    if !takes || called || token.start < arguments_end {
                        self.add_macro(event, token.start);
                    }
                    if takes && called && token.start >= arguments_end {
                        arguments_end = end_of_call(&tokens[index + 1..], slices.text());
                    }
                }
                None => {
                    if slices.macros.knows(&name) && slices.macros.last_before(&name, token.start).is_some() {
                        self.unmacroed.entry(number).or_default().insert(name.to_string());
                    }
                    self.header_macro(&name);
                }
            }
        }
    }

    /// Asks for a macro definition, used at `at`, with all that it needs there. Says whether any of that is new.
    pub(crate) fn add_macro(&mut self, event: usize, at: u32) -> bool {
        if !self.macros_seen.insert((event, self.slices.macros.epoch(at))) {
            return false;
        }
        let mut new = self.macros.insert(event);
        let Some(definition) = &self.slices.macros.events[event].definition else { return new };
        for name in &definition.names {
            match self.slices.macros.in_force(name, at) {
                Some(inner) => new |= self.add_macro(inner, at),
                None => self.header_macro(name),
            }
        }
        new
    }

    pub(crate) fn header_macro(&mut self, name: &str) {
        let macros = &self.slices.reading.header_macros;
        if macros.binary_search_by(|(known, _)| known.as_str().cmp(name)).is_ok() {
            self.header_macros.insert(name.to_owned());
        }
    }

    /// Follows one reference.
    fn follow(&mut self, from: u32, at: u32, offset: u32, need: Need) {
        let slices = self.slices;
        let Some(declared) = slices.declared_at(offset) else {
            // A member, a value of an enumeration, a variable of the function itself.
            if let Some(chunk) = slices.chunk_at(offset)
                && chunk != from
            {
                self.add(chunk, Form::Whole);
            }
            return;
        };
        let declaration = slices.declaration(declared);
        let all = slices.by_usr.get(declaration.usr.as_str()).map_or(&[][..], Vec::as_slice);
        let chunk_of = |number: u32| slices.chunk_of[number as usize];
        let earliest = all
            .iter()
            .copied()
            .filter(|number| chunk_of(*number) != u32::MAX)
            .find(|number| slices.declaration(*number).start < at)
            .unwrap_or(declared);
        let defined = all.iter().copied().find(|number| slices.declaration(*number).is_definition);
        // A function that calls itself, a type that points to itself.
        if all.iter().any(|number| chunk_of(*number) == from && slices.declaration(*number).start < at) {
            return;
        }
        match declaration.kind {
            kind if kind.is_function() => {
                self.symbols.insert(&declaration.usr);
                self.declare_function(from, earliest);
                let needs_body =
                    |defined: &u32| self.linked || declaration.is_deduced || self.is_always_inlined(*defined);
                if let Some(defined) = defined.filter(needs_body) {
                    self.define_function(defined);
                }
            }
            // The class declares its variables, but not always how many elements an array has.
            DeclarationKind::Variable
                if !self.linked
                    && declaration.array_length.is_none()
                    && self.is_qualified(slices.declaration(earliest).at) =>
            {
                self.symbols.insert(&declaration.usr);
                self.follow_class(from, slices.declaration(earliest).at);
            }
            DeclarationKind::Variable => {
                self.symbols.insert(&declaration.usr);
                let wanted = if self.linked { defined.unwrap_or(earliest) } else { earliest };
                if slices.declaration(wanted).start >= at && wanted != earliest {
                    self.add(chunk_of(earliest), Form::Declared);
                }
                let chunk = chunk_of(wanted);
                self.add(chunk, self.variable_form(chunk));
            }
            DeclarationKind::Record => match (need, defined) {
                (Need::Complete, Some(defined)) => {
                    if chunk_of(defined) != from {
                        self.add(chunk_of(defined), Form::Whole);
                    }
                }
                _ if self.is_befriended(at) => {}
                _ if self.is_qualified(declaration.at) => self.follow_class(from, declaration.at),
                _ => {
                    let declares_itself = self.declares_itself(from, at);
                    let mention =
                        self.mentions.entry(&declaration.usr).or_default().entry(from).or_insert(declares_itself);
                    *mention &= declares_itself;
                }
            },
            // C's compilers take `enum tag` for a type to come, as long as none of its values is used.
            DeclarationKind::Enumeration if need == Need::Declared && self.is_tagged(at) => {}
            DeclarationKind::Alias => {
                if chunk_of(earliest) != from {
                    self.add(chunk_of(earliest), Form::Declared);
                }
            }
            _ => {
                let wanted = defined.unwrap_or(earliest);
                if chunk_of(wanted) != from {
                    self.add(chunk_of(wanted), Form::Whole);
                }
            }
        }
    }

    fn declare_function(&mut self, from: u32, earliest: u32) {
        let chunk = self.slices.chunk_of[earliest as usize];
        if chunk == from {
            return;
        }
        let in_class = self.slices.declaration(earliest).class.is_some();
        self.add(chunk, if in_class { Form::Whole } else { Form::Declared });
    }

    /// Whether a function says, itself or by a macro, that it is always to be inlined: gcc then asks for its body.
    fn is_always_inlined(&self, defined: u32) -> bool {
        const ATTRIBUTE: &str = "always_inline";
        let slices = self.slices;
        let macros = &slices.macros;
        let (start, end) = (slices.extent_of(defined).0, slices.declaration(defined).at);
        let words = slices.tokens(start, end).iter().filter(|token| token.kind == Kind::Identifier);
        words.map(|token| token.spelling(slices.text())).any(|word| {
            let event = macros.in_force(&word, end).and_then(|event| macros.events[event].definition.as_ref());
            word.contains(ATTRIBUTE)
                || event.is_some_and(|found| found.names.iter().any(|name| name.contains(ATTRIBUTE)))
        })
    }

    /// Asks for a function with its body.
    pub(crate) fn define_function(&mut self, defined: u32) -> bool {
        let mut new = self.add(self.slices.chunk_of[defined as usize], Form::Whole);
        if self.slices.declaration(defined).class.is_some() {
            new |= self.add_body(defined);
        }
        new
    }

    /// A small value stays with its variable, a large one only where the unit is to be run.
    fn variable_form(&self, chunk: u32) -> Form {
        let Chunk { start, end, .. } = self.slices.chunks[chunk as usize];
        let lines = self.slices.text()[start as usize..end as usize].lines().count();
        if self.linked || lines <= LARGEST_VALUE { Form::Whole } else { Form::Declared }
    }

    /// In C, whether a type is named by its tag at `at`.
    fn is_tagged(&self, at: u32) -> bool {
        let before = self.slices.tokens(at.saturating_sub(64), at);
        let previous = before.iter().rev().find(|token| !matches!(token.kind, Kind::Comment | Kind::Directive));
        self.slices.language == Language::C
            && previous.is_some_and(|token| matches!(token.text(self.slices.text()), "struct" | "union" | "enum"))
    }

    /// Whether `at` stands in `friend class name;`, which needs no declaration of the class.
    fn is_befriended(&self, at: u32) -> bool {
        let text = self.slices.text();
        let before = self.slices.tokens(at.saturating_sub(64), at).iter().rev();
        let mut words = before.filter(|token| token.kind != Kind::Comment).map(|token| token.text(text));
        self.slices.language == Language::Cpp
            && matches!(words.next(), Some("class" | "struct" | "union"))
            && words.next() == Some("friend")
    }

    /// Whether the name at `at` has another before it, as in `struct outer::inner`.
    fn is_qualified(&self, at: u32) -> bool {
        let before = self.slices.tokens(at.saturating_sub(64), at).iter().rev();
        let previous = before.map(|token| token.text(self.slices.text())).next();
        self.slices.language == Language::Cpp && previous == Some("::")
    }

    /// What is defined outside of the class it belongs to is declared by that one, which stands for it.
    fn follow_class(&mut self, from: u32, at: u32) {
        let slices = self.slices;
        for reference in slices.references(at, at + 1).iter().filter(|reference| reference.need == Need::Complete) {
            if let Target::Here(offset) = reference.target
                && let Some(chunk) = slices.chunk_at(offset)
                && chunk != from
            {
                self.add(chunk, Form::Whole);
            }
        }
    }

    /// In C, `struct tag *` declares the tag by itself, unless that is within a parameter list or a function's body.
    fn declares_itself(&self, from: u32, at: u32) -> bool {
        if self.slices.language == Language::Cpp {
            return false;
        }
        let chunk = &self.slices.chunks[from as usize];
        let is_function = chunk.declarations.iter().any(|number| self.slices.declaration(*number).kind.is_function());
        let mut parentheses = 0;
        let mut braces = 0;
        let mut previous = "";
        for token in self.slices.tokens(chunk.start, at + 1) {
            if matches!(token.kind, Kind::Comment | Kind::Directive) {
                continue;
            }
            if token.start == at {
                let tagged = matches!(previous, "struct" | "union");
                return tagged && parentheses == 0 && (braces == 0 || !is_function);
            }
            previous = token.text(self.slices.text());
            match previous {
                "(" => parentheses += 1,
                ")" => parentheses -= 1,
                "{" => braces += 1,
                "}" => braces -= 1,
                _ => {}
            }
        }
        false
    }
}

/// Where the call ends whose parentheses `tokens` begin with.
fn end_of_call(tokens: &[Token], text: &str) -> u32 {
    let mut depth = 0;
    for token in tokens.iter().filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive)) {
        match token.text(text) {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return token.end;
        }
    }
    tokens.last().map_or(0, |token| token.end)
}
