//! A translation unit, cut, with what each of its chunks needs, found once for each that is asked for.

use std::cell::{OnceCell, RefCell};
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use estrange_clang::{Declaration, DeclarationKind, Target};
use estrange_text::lexer::Kind;
use estrange_words::Language;

use crate::closure::Closure;
use crate::forms::{Cut, Form};
use crate::link::Member;
use crate::slices::{Chunk, Slices, is_type};
use crate::standard::normal_path;

/// The translation units that were cut, the last used ones only.
pub(super) struct Sheets<'a> {
    kept: RefCell<Vec<Kept<'a>>>,
}

struct Kept<'a> {
    unit: u32,
    sheet: Rc<Sheet<'a>>,
}

/// The most text, in bytes, of translation units that are kept cut. Tokens take several times as much.
const LARGEST: usize = 64 << 20;

impl<'a> Sheets<'a> {
    pub(super) fn new() -> Self {
        Self { kept: RefCell::default() }
    }

    pub(super) fn get(&self, unit: u32, member: &Member<'a>) -> Rc<Sheet<'a>> {
        let mut kept = self.kept.borrow_mut();
        if let Some(at) = kept.iter().position(|kept| kept.unit == unit) {
            let found = kept.remove(at);
            let sheet = Rc::clone(&found.sheet);
            kept.push(found);
            return sheet;
        }
        let sheet = Rc::new(Sheet::cut(member));
        kept.push(Kept { unit, sheet: Rc::clone(&sheet) });
        let mut size: usize = kept.iter().map(|kept| kept.sheet.slices.text().len()).sum();
        while size > LARGEST && kept.len() > 1 {
            size -= kept.remove(0).sheet.slices.text().len();
        }
        sheet
    }
}

/// A translation unit, cut.
pub(super) struct Sheet<'a> {
    pub(super) slices: Slices<'a>,
    /// Where lines end.
    line_ends: Vec<u32>,
    files: Vec<String>,
    pieces: RefCell<HashMap<(u32, Form), Rc<Piece<'a>>>>,
    functions_by_name: OnceCell<HashMap<&'a str, Vec<u32>>>,
    records_by_name: OnceCell<HashMap<&'a str, Vec<u32>>>,
}

/// What one chunk in one form needs and is.
pub(super) struct Piece<'a> {
    /// The form it really has.
    pub(super) form: Form,
    /// The same for the same text at the same place of the same file, in every translation unit.
    pub(super) item: u64,
    /// The chunks it needs.
    pub(super) needs: Vec<(u32, Form)>,
    /// The functions and variables it needs that are not defined here.
    pub(super) wanted: Vec<&'a str>,
    /// Those that it may need.
    pub(super) welcome: Vec<&'a str>,
    /// What would be the variables of classes that it names, if they are variables.
    pub(super) members: Vec<String>,
    /// The functions and variables for all files that it defines.
    pub(super) claims: Vec<&'a str>,
    /// The macros it needs, as indices of events.
    pub(super) macros: Vec<usize>,
    /// Whether it needs anything of a standard header.
    pub(super) is_standard: bool,
    /// Its lines that are not empty.
    pub(super) lines: usize,
    /// Its length, and how much of that is data.
    pub(super) bytes: usize,
    pub(super) data: usize,
}

impl<'a> Sheet<'a> {
    fn cut(member: &Member<'a>) -> Self {
        let slices = Slices::cut(member.flat, member.reading, member.language);
        let ends = member.flat.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            line_ends: ends.map(|(at, _)| at as u32).collect(),
            files: member.flat.files.iter().map(|file| normal_path(file).to_string_lossy().into_owned()).collect(),
            pieces: RefCell::default(),
            functions_by_name: OnceCell::new(),
            records_by_name: OnceCell::new(),
            slices,
        }
    }

    pub(super) fn chunk(&self, number: u32) -> &Chunk {
        &self.slices.chunks[number as usize]
    }

    /// What a chunk in some form is and needs.
    pub(super) fn piece(&self, number: u32, form: Form) -> Rc<Piece<'a>> {
        if let Some(known) = self.pieces.borrow().get(&(number, form)) {
            return Rc::clone(known);
        }
        let piece = Rc::new(self.new_piece(number, form));
        self.pieces.borrow_mut().insert((number, form), Rc::clone(&piece));
        piece
    }

    fn new_piece(&self, number: u32, form: Form) -> Piece<'a> {
        let slices = &self.slices;
        let chunk = self.chunk(number);
        let closure = Closure::of_chunk(slices, number, form);
        let form = if form == Form::Declared && slices.declaring(chunk).is_none() { Form::Whole } else { form };
        let mut needs: BTreeSet<(u32, Form)> =
            closure.forms.iter().filter(|(other, _)| **other != number).map(|(other, form)| (*other, *form)).collect();
        let mut wanted = Vec::new();
        let mut welcome = BTreeSet::new();
        for usr in &closure.symbols {
            match self.local(usr) {
                Local::Defined(defined) => {
                    needs.insert((defined, Form::Whole));
                }
                Local::Elsewhere => wanted.push(*usr),
                Local::Nowhere => {
                    welcome.insert(*usr);
                }
            }
        }
        let mut members = BTreeSet::new();
        if slices.language == Language::Cpp {
            if form == Form::Whole {
                self.dependent_names(chunk, &mut welcome);
                self.static_members(chunk, &mut members);
            }
            self.templates(chunk, &mut needs);
        }
        // What may be needed and is defined here is needed.
        let welcome = welcome.into_iter().filter(|usr| match self.local(usr) {
            Local::Defined(defined) => {
                if defined != number {
                    needs.insert((defined, Form::Whole));
                }
                false
            }
            _ => true,
        });
        let welcome = welcome.collect();
        let claims = chunk.declarations.iter().map(|number| slices.declaration(*number)).filter(|declaration| {
            form == Form::Whole
                && (declaration.kind.is_function() || declaration.kind == DeclarationKind::Variable)
                && declaration.is_definition
                && !declaration.is_internal
                && !declaration.usr.is_empty()
        });
        let text = self.text(number, form);
        let is_data =
            chunk.declarations.iter().any(|number| slices.declaration(*number).kind == DeclarationKind::Variable);
        Piece {
            form,
            item: self.item(number, &closure),
            needs: needs.into_iter().collect(),
            wanted,
            welcome,
            members: members.into_iter().collect(),
            claims: claims.map(|declaration| declaration.usr.as_str()).collect(),
            macros: closure.macros.iter().copied().collect(),
            is_standard: !closure.places.is_empty() || !closure.header_macros.is_empty(),
            lines: text.lines().filter(|line| !line.trim().is_empty()).count(),
            bytes: text.len(),
            data: if is_data { text.len() } else { 0 },
        }
    }

    /// A chunk's text in some form.
    fn text(&self, number: u32, form: Form) -> String {
        let chunk = self.chunk(number);
        let mut text = String::new();
        let mut from = chunk.start;
        for cut in self.cuts(number, form) {
            text.push_str(&self.slices.text()[from as usize..cut.start as usize]);
            text.push_str(&cut.instead);
            from = cut.end;
        }
        text.push_str(&self.slices.text()[from as usize..chunk.end as usize]);
        text
    }

    /// What is left out of a chunk in some form.
    pub(super) fn cuts(&self, number: u32, form: Form) -> Vec<Cut> {
        match form {
            Form::Whole => Vec::new(),
            Form::Declared => self.slices.declaring(self.chunk(number)).unwrap_or_default(),
        }
    }

    /// Whether the translation unit itself defines an entity.
    pub(super) fn local(&self, usr: &str) -> Local {
        let slices = &self.slices;
        let all = slices.by_usr.get(usr).map_or(&[][..], Vec::as_slice);
        let here = |number: &u32| slices.chunk_of[*number as usize] != u32::MAX;
        let declarations = || all.iter().copied().filter(here).map(|number| (number, slices.declaration(number)));
        if let Some((number, _)) = declarations().find(|(_, declaration)| declaration.is_definition) {
            return Local::Defined(slices.chunk_of[number as usize]);
        }
        let tentative = declarations().find(|(_, found)| found.kind == DeclarationKind::Variable && !found.is_extern);
        if let (Some((number, _)), Language::C) = (tentative, slices.language) {
            return Local::Defined(slices.chunk_of[number as usize]);
        }
        if declarations().any(|(_, declaration)| declaration.is_template || self.is_without_body(declaration)) {
            return Local::Nowhere;
        }
        Local::Elsewhere
    }

    /// Whether a function is pure, defaulted or deleted.
    fn is_without_body(&self, declaration: &Declaration) -> bool {
        if !declaration.kind.is_function() || declaration.class.is_none() {
            return false;
        }
        let text = self.slices.text();
        let tokens = self.slices.tokens(declaration.start, declaration.end.max(declaration.start));
        let mut last = tokens.iter().rev().filter(|token| token.kind != Kind::Comment).map(|token| token.text(text));
        let tail = (last.next(), last.next());
        matches!(tail, (Some("0" | "default" | "delete"), Some("=")))
    }

    /// What a template is made of is only known where it is used, and so is which specialisation is taken: all of them
    /// are needed.
    fn templates(&self, chunk: &Chunk, needs: &mut BTreeSet<(u32, Form)>) {
        let needed = needs.iter().flat_map(|(other, _)| &self.chunk(*other).declarations).copied();
        let all: Vec<u32> = needed.chain(chunk.declarations.iter().copied()).collect();
        for number in all {
            let declaration = self.slices.declaration(number);
            if declaration.kind == DeclarationKind::Record && declaration.is_template {
                needs.extend(self.records(&declaration.qualified_name).map(|other| (other, Form::Whole)));
            }
        }
    }

    /// The chunks that define a class of this name.
    fn records(&self, qualified_name: &str) -> impl Iterator<Item = u32> {
        let slices = &self.slices;
        let records = self.records_by_name.get_or_init(|| {
            let mut records: HashMap<&str, Vec<u32>> = HashMap::new();
            for (number, declaration) in slices.reading.declarations.iter().enumerate() {
                let chunk = slices.chunk_of[number];
                if declaration.kind == DeclarationKind::Record && declaration.is_definition && chunk != u32::MAX {
                    records.entry(&declaration.qualified_name).or_default().push(chunk);
                }
            }
            records
        });
        records.get(qualified_name).into_iter().flatten().copied()
    }

    /// Names that a template calls without saying which function they mean.
    fn dependent_names(&self, chunk: &Chunk, welcome: &mut BTreeSet<&'a str>) {
        let slices = &self.slices;
        let all = chunk.declarations.iter().chain(&chunk.methods);
        if !all.map(|number| slices.declaration(*number)).any(|declaration| declaration.is_template) {
            return;
        }
        let functions = self.functions_by_name.get_or_init(|| {
            let mut functions: HashMap<&str, Vec<u32>> = HashMap::new();
            for (number, declaration) in slices.reading.declarations.iter().enumerate() {
                if declaration.kind.is_function() && slices.chunk_of[number] != u32::MAX {
                    functions.entry(&declaration.name).or_default().push(number as u32);
                }
            }
            functions
        });
        let tokens = slices.tokens(chunk.start, chunk.end);
        for (index, token) in tokens.iter().enumerate() {
            if token.kind != Kind::Identifier {
                continue;
            }
            let called = tokens.get(index + 1).is_some_and(|next| matches!(next.text(slices.text()), "(" | "<"));
            if !called || !slices.references(token.start, token.start + 1).is_empty() {
                continue;
            }
            for number in functions.get(token.text(slices.text())).into_iter().flatten() {
                welcome.insert(&slices.declaration(*number).usr);
            }
        }
    }

    /// Variables of classes are declared inside and defined outside of them; how those definitions would be known.
    fn static_members(&self, chunk: &Chunk, members: &mut BTreeSet<String>) {
        let slices = &self.slices;
        for reference in slices.references(chunk.start, chunk.end) {
            let Target::Here(offset) = reference.target else { continue };
            if slices.declared_at(offset).is_some() {
                continue;
            }
            let Some(around) = slices.chunk_at(offset) else { continue };
            let token = slices.tokens(offset, offset + 1).first();
            let Some(name) = token.map(|token| token.text(slices.text())) else { continue };
            for record in &self.chunk(around).declarations {
                let record = slices.declaration(*record);
                if record.kind == DeclarationKind::Record {
                    members.insert(format!("{}@{name}", record.usr));
                }
            }
        }
    }

    /// What a chunk is, wherever else it stands.
    fn item(&self, number: u32, closure: &Closure<'_, '_>) -> u64 {
        let slices = &self.slices;
        let chunk = self.chunk(number);
        let mut hasher = DefaultHasher::new();
        for token in slices.tokens(chunk.start, chunk.end) {
            if token.kind != Kind::Comment {
                token.text(slices.text()).hash(&mut hasher);
            }
        }
        self.slices.path(number).hash(&mut hasher);
        let declarations = || chunk.declarations.iter().map(|number| slices.declaration(*number));
        // Macros may give the same text other names.
        for declaration in declarations() {
            declaration.name.hash(&mut hasher);
        }
        // A type that two files spell alike is one type.
        if declarations().all(|declaration| is_type(declaration.kind)) {
            return hasher.finish();
        }
        self.origin(chunk.start).hash(&mut hasher);
        if declarations().any(|declaration| declaration.is_internal) {
            for event in &closure.macros {
                let event = &slices.macros.events[*event];
                slices.text()[event.start as usize..event.end as usize].hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// The file and line that an offset came from.
    fn origin(&self, offset: u32) -> Option<(&str, u32)> {
        let runs = &self.slices.flat.runs;
        let run = runs.get(runs.partition_point(|run| run.start <= offset).checked_sub(1)?)?;
        let line = |at: u32| self.line_ends.partition_point(|end| *end < at) as u32;
        Some((self.files.get(run.file as usize)?, run.line + line(offset) - line(run.start)))
    }
}

/// Where an entity that a translation unit uses is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Local {
    /// In this chunk of the same translation unit.
    Defined(u32),
    /// It must be somewhere else.
    Elsewhere,
    /// It may be nowhere: a template, or a function that needs no body.
    Nowhere,
}
