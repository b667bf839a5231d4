//! Follows a function to all it reaches, through as many translation units as that takes, until a bound stops it.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use estrange_clang::DeclarationKind;
use estrange_words::Language;

use crate::forms::Form;
use crate::link::index::Site;
use crate::link::sheet::{Local, Piece, Sheet};
use crate::link::{Bounds, LinkLoss, Program};

/// What one translation unit contributes.
pub(super) struct Section<'a> {
    pub(super) unit: u32,
    pub(super) sheet: Rc<Sheet<'a>>,
    /// The chunks, with what they are and need.
    pub(super) chunks: BTreeMap<u32, Rc<Piece<'a>>>,
    /// Macros that are wanted besides, as indices of events.
    pub(super) macros: Vec<usize>,
}

pub(super) struct Walk<'p, 'a> {
    program: &'p Program<'a>,
    bounds: Bounds,
    sections: Vec<Section<'a>>,
    section_of: HashMap<u32, usize>,
    /// What was counted already.
    items: HashSet<(u64, Form)>,
    /// Which chunk defines an entity for all.
    claimed: HashMap<&'a str, u64>,
    asked: HashSet<&'a str>,
    queue: VecDeque<(usize, u32, Form)>,
    lines: usize,
    bytes: usize,
    data: usize,
}

impl<'p, 'a> Walk<'p, 'a> {
    pub(super) fn new(program: &'p Program<'a>, bounds: Bounds) -> Self {
        Self {
            program,
            bounds,
            sections: Vec::new(),
            section_of: HashMap::new(),
            items: HashSet::new(),
            claimed: HashMap::new(),
            asked: HashSet::new(),
            queue: VecDeque::new(),
            lines: 0,
            bytes: 0,
            data: 0,
        }
    }

    /// Asks for the function itself, and follows it.
    pub(super) fn start(&mut self, unit: u32, function: u32) -> Result<(), LinkLoss> {
        let member = self.program.members.get(unit as usize).ok_or(LinkLoss::NoFunction)?;
        let declaration = member.reading.declarations.get(function as usize).ok_or(LinkLoss::NoFunction)?;
        if !declaration.kind.is_function() || !declaration.is_definition {
            return Err(LinkLoss::NoFunction);
        }
        let section = self.section(unit)?;
        let chunk = self.sections[section].sheet.slices.chunk_of[function as usize];
        if chunk == u32::MAX {
            return Err(LinkLoss::NoFunction);
        }
        self.ask(section, chunk, Form::Whole)?;
        self.follow()
    }

    /// Asks for all that has one of these names in the translation units that contribute so far.
    pub(super) fn names(&mut self, names: &[String]) -> Result<(), LinkLoss> {
        for name in names {
            for section in 0..self.sections.len() {
                let sheet = Rc::clone(&self.sections[section].sheet);
                if let Some(event) = sheet.slices.macros.last_before(name, u32::MAX) {
                    self.sections[section].macros.push(event);
                }
                for (number, declaration) in sheet.slices.reading.declarations.iter().enumerate() {
                    let chunk = sheet.slices.chunk_of[number];
                    if declaration.name == *name && chunk != u32::MAX {
                        self.ask(section, chunk, Form::Whole)?;
                    }
                }
            }
        }
        self.follow()
    }

    /// Asks for what has one of these symbols in object code.
    pub(super) fn symbols(&mut self, symbols: &[String]) -> Result<(), LinkLoss> {
        for symbol in symbols {
            for usr in self.program.index.called(symbol) {
                self.elsewhere(0, usr, false)?;
            }
        }
        self.follow()
    }

    /// All that was asked for, the function's own translation unit first.
    pub(super) fn finish(self) -> Result<Vec<Section<'a>>, LinkLoss> {
        let share = self.data as f64 / self.bytes.max(1) as f64;
        if share > self.bounds.data_share {
            return Err(LinkLoss::TooMuchData((share * 100.0) as u32));
        }
        Ok(self.sections)
    }

    /// The section of a translation unit.
    fn section(&mut self, unit: u32) -> Result<usize, LinkLoss> {
        if let Some(known) = self.section_of.get(&unit) {
            return Ok(*known);
        }
        let number = self.sections.len();
        let sheet = self.program.sheet(unit);
        self.section_of.insert(unit, number);
        self.sections.push(Section { unit, sheet: Rc::clone(&sheet), chunks: BTreeMap::new(), macros: Vec::new() });
        // Names may be found through these, and nothing tells which.
        if sheet.slices.language == Language::Cpp {
            for (declaration, found) in sheet.slices.reading.declarations.iter().enumerate() {
                let names = matches!(found.kind, DeclarationKind::Using | DeclarationKind::NamespaceAlias);
                let chunk = sheet.slices.chunk_of[declaration];
                if names && found.class.is_none() && chunk != u32::MAX {
                    self.ask(number, chunk, Form::Whole)?;
                }
            }
        }
        Ok(number)
    }

    /// Asks for a chunk in some form.
    fn ask(&mut self, section: usize, chunk: u32, form: Form) -> Result<(), LinkLoss> {
        let known = self.sections[section].chunks.get(&chunk);
        if known.is_some_and(|piece| piece.form >= form) {
            return Ok(());
        }
        let mut piece = self.sections[section].sheet.piece(chunk, form);
        if piece.claims.iter().any(|usr| self.claimed.get(usr).is_some_and(|item| *item != piece.item)) {
            // Another file's definition was taken already; this one is only declared.
            let declared = self.sections[section].sheet.piece(chunk, Form::Declared);
            if declared.form == Form::Whole {
                return Err(LinkLoss::StaticCollision(self.name_of(section, chunk)));
            }
            if self.sections[section].chunks.contains_key(&chunk) {
                return Ok(());
            }
            piece = declared;
        }
        for usr in &piece.claims {
            self.claimed.insert(usr, piece.item);
        }
        if self.items.insert((piece.item, piece.form)) {
            self.lines += piece.lines;
            self.bytes += piece.bytes;
            self.data += piece.data;
            if self.lines > self.bounds.lines {
                return Err(LinkLoss::TooManyLines(self.bounds.lines));
            }
        }
        self.queue.push_back((section, chunk, piece.form));
        self.sections[section].chunks.insert(chunk, piece);
        Ok(())
    }

    fn name_of(&self, section: usize, chunk: u32) -> String {
        let slices = &self.sections[section].sheet.slices;
        let first = slices.chunks[chunk as usize].declarations.first();
        first.map(|number| slices.declaration(*number).qualified_name.clone()).unwrap_or_default()
    }

    /// Follows all that was asked for.
    fn follow(&mut self) -> Result<(), LinkLoss> {
        while let Some((section, chunk, form)) = self.queue.pop_front() {
            let Some(piece) = self.sections[section].chunks.get(&chunk).map(Rc::clone) else { continue };
            if piece.form != form {
                continue;
            }
            for (needed, form) in &piece.needs {
                self.ask(section, *needed, *form)?;
            }
            for usr in &piece.wanted {
                self.elsewhere(section, usr, true)?;
            }
            for usr in &piece.welcome {
                self.elsewhere(section, usr, false)?;
            }
            for usr in &piece.members {
                match self.sections[section].sheet.local(usr) {
                    Local::Defined(chunk) => self.ask(section, chunk, Form::Whole)?,
                    _ => self.define(section, usr).map(|_| ())?,
                }
            }
        }
        Ok(())
    }

    /// Asks for the definition of an entity in another translation unit.
    fn elsewhere(&mut self, section: usize, usr: &'a str, needed: bool) -> Result<(), LinkLoss> {
        if self.claimed.contains_key(usr) || (!needed && self.asked.contains(usr)) {
            return Ok(());
        }
        self.asked.insert(usr);
        if self.define(section, usr)? || !needed {
            return Ok(());
        }
        let slices = &self.sections[section].sheet.slices;
        let first = slices.by_usr.get(usr).and_then(|all| all.first());
        let name = first.map_or(usr.to_owned(), |number| slices.declaration(*number).qualified_name.clone());
        let unit = self.sections[section].unit;
        Err(match self.program.index.definition(usr, unit) {
            Some(_) => LinkLoss::OtherLanguage(name),
            None => LinkLoss::DefinitionNotFound(name),
        })
    }

    /// Asks for an entity's definition, if there is one in the same language.
    fn define(&mut self, section: usize, usr: &str) -> Result<bool, LinkLoss> {
        let unit = self.sections[section].unit;
        let site = self.program.index.definition(usr, unit);
        let Some(Site { unit: other, declaration }) =
            site.filter(|site| self.program.index.same_language(unit, site.unit))
        else {
            return Ok(false);
        };
        let other = self.section(other)?;
        let chunk = self.sections[other].sheet.slices.chunk_of[declaration as usize];
        if chunk == u32::MAX {
            return Ok(false);
        }
        self.ask(other, chunk, Form::Whole)?;
        Ok(true)
    }
}
