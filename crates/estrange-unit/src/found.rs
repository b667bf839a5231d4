//! The functions of a translation unit, with what can be said of each: where it is, what it uses, its group.

use std::collections::BTreeSet;

use estrange_clang::{Declaration, DeclarationKind, Target};
use estrange_text::lexer::Kind;
use serde::{Deserialize, Serialize};

use crate::slices::{Slices, is_type};

/// How much a function depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Group {
    /// The standard library only. Macros and constants do not count: they are text or values, neither types nor code.
    One,
    /// Types of the project.
    Two,
    /// Functions of the project.
    Three,
}

/// One function definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// As an index of the translation unit's declarations.
    pub declaration: u32,
    /// Its name.
    pub name: String,
    /// With namespaces and classes.
    pub qualified_name: String,
    /// The same for all declarations of it, in every file.
    pub usr: String,
    /// `function`, `method`, `constructor`, `destructor`, `conversion`, `operator`; templates too.
    pub kind: String,
    /// Whether it is a template or a member of one.
    pub is_template: bool,
    /// The symbol of its code.
    pub symbol: String,
    /// The file it stands in.
    pub file: String,
    /// Its first and last line there.
    pub lines: (u32, u32),
    /// Its text.
    pub text: String,
    /// The documentation before it.
    pub comment: Option<String>,
    /// Its group.
    pub group: Group,
    /// The entities that it calls, functions of the project.
    pub calls: Vec<String>,
    /// The names of the project's types that it uses.
    pub types: Vec<String>,
    /// What the macro call makes besides it that is all of its text: other functions and types, by name. Its text is
    /// then not its own.
    pub made_with: Vec<String>,
}

impl Slices<'_> {
    /// All functions that are defined in the text.
    pub(crate) fn functions(&self) -> Vec<Found> {
        let declarations = self.reading.declarations.iter().enumerate();
        declarations
            .filter(|(number, declaration)| {
                declaration.kind.is_function()
                    && declaration.is_definition
                    && declaration.body.is_some()
                    && self.chunk_of[*number] != u32::MAX
            })
            .filter_map(|(number, declaration)| self.found(number as u32, declaration))
            .collect()
    }

    /// Where the text of a function starts and ends.
    pub(crate) fn extent_of(&self, number: u32) -> (u32, u32) {
        let declaration = self.declaration(number);
        if declaration.class.is_some() {
            let nowhere = declaration.is_template && declaration.start == declaration.at;
            let start = if nowhere { self.member_start(declaration) } else { declaration.start };
            return (start, declaration.end);
        }
        let chunk = &self.chunks[self.chunk_of[number as usize] as usize];
        (chunk.start, chunk.end)
    }

    /// Where a member starts of which only the place of its name is known: after what stands before it in its class.
    fn member_start(&self, declaration: &Declaration) -> u32 {
        let chunk = self.chunk_at(declaration.at).map_or(declaration.at, |chunk| self.chunks[chunk as usize].start);
        let before = self.tokens(chunk, declaration.at).iter().rev();
        let own = before
            .filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive))
            .take_while(|token| !matches!(token.text(self.text()), ";" | "{" | "}" | ":"));
        own.last().map_or(declaration.at, |token| token.start)
    }

    fn found(&self, number: u32, declaration: &Declaration) -> Option<Found> {
        let (start, end) = self.extent_of(number);
        let (file, first) = self.flat.origin(start)?;
        let (last_file, last) = self.flat.origin(end.saturating_sub(1))?;
        let last = if last_file == file { last } else { first };
        let text = self.text().get(start as usize..end as usize)?;
        let (group, calls, types) = self.uses(number, start, end);
        let comment = estrange_text::comments::documentation_before_in(self.text(), &self.tokens, start as usize);
        Some(Found {
            declaration: number,
            name: declaration.name.clone(),
            qualified_name: declaration.qualified_name.clone(),
            usr: declaration.usr.clone(),
            kind: kind_word(declaration).to_owned(),
            is_template: declaration.is_template,
            symbol: declaration.symbol.clone(),
            file: file.to_string_lossy().into_owned(),
            lines: (first, last),
            text: crate::emit::tidy(text),
            comment: comment.map(str::to_owned),
            group,
            calls: calls.into_iter().collect(),
            types: types.into_iter().collect(),
            made_with: self.made_with(number, declaration),
        })
    }

    /// The functions and types that stand in the same place, because one macro call makes them all.
    fn made_with(&self, number: u32, declaration: &Declaration) -> Vec<String> {
        let chunk = &self.chunks[self.chunk_of[number as usize] as usize];
        let place = (declaration.start, declaration.end);
        let others = chunk.declarations.iter().chain(&chunk.methods).map(|other| self.declaration(*other));
        let made = others.filter(|other| {
            let is_function = other.kind.is_function() && other.body.is_some();
            let in_place = (other.start, other.end) == place;
            // What follows the call may be the rest of another function.
            let begun = is_function && other.class.is_none() && declaration.class.is_none();
            other.usr != declaration.usr && ((in_place && (is_function || is_type(other.kind))) || begun)
        });
        let names: BTreeSet<String> = made.map(|other| other.name.clone()).collect();
        names.into_iter().collect()
    }

    /// The group of a function, what it calls, and the types it uses.
    fn uses(&self, number: u32, start: u32, end: u32) -> (Group, BTreeSet<String>, BTreeSet<String>) {
        let own = &self.declaration(number).usr;
        let mut calls = BTreeSet::new();
        let mut types = BTreeSet::new();
        for reference in self.references(start, end) {
            let Target::Here(offset) = reference.target else { continue };
            if (start..end).contains(&offset) {
                continue;
            }
            match self.declared_at(offset).map(|found| self.declaration(found)) {
                Some(target) if target.kind.is_function() => {
                    if target.usr != *own {
                        calls.insert(target.usr.clone());
                    }
                }
                Some(target) if is_type(target.kind) => {
                    types.insert(target.name.clone());
                }
                Some(_) => {}
                // A member or a value of a type.
                None => {
                    let chunk = self.chunk_at(offset).map(|chunk| &self.chunks[chunk as usize]);
                    let around = chunk.into_iter().flat_map(|chunk| &chunk.declarations);
                    let types_around = around.map(|found| self.declaration(*found)).filter(|found| is_type(found.kind));
                    types.extend(types_around.map(|found| found.name.clone()).next());
                }
            }
        }
        let group = match (calls.is_empty(), types.is_empty()) {
            (false, _) => Group::Three,
            (true, false) => Group::Two,
            (true, true) => Group::One,
        };
        (group, calls, types)
    }
}

fn kind_word(declaration: &Declaration) -> &'static str {
    match declaration.kind {
        _ if declaration
            .name
            .strip_prefix("operator")
            .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
            && declaration.kind == DeclarationKind::Function =>
        {
            "operator"
        }
        DeclarationKind::Method => "method",
        DeclarationKind::Constructor => "constructor",
        DeclarationKind::Destructor => "destructor",
        DeclarationKind::Conversion => "conversion",
        _ => "function",
    }
}
