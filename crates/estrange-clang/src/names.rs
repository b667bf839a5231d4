//! Every name in a text, and what it names.
//!
//! Two names name the same thing if a rename of one must rename the other: the declarations of a function and all of
//! its overloads, a method and those that override it, a class and its constructors, a template and its
//! specialisations.

use std::collections::{HashMap, HashSet};

use clang::CXCursor;
use clang_sys as clang;
use serde::{Deserialize, Serialize};

use crate::cursor::{
    children, extent, is_definition, is_function, is_null, kind, location, owned, referenced, semantic_parent,
    specialized_template, spelling, within_template,
};
use crate::library::{Clang, Trouble, Unit, gave_up};

/// The names of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    /// What is named.
    pub things: Vec<Named>,
    /// Where, in order: each a place at which the thing's name stands in the text.
    pub places: Vec<Naming>,
    /// Things that are named by the body of a macro, at the place where the macro is called.
    pub through_macros: Vec<Naming>,
    /// The functions that the text defines, in order.
    pub functions: Vec<Defined>,
    /// The names of the macros that headers define.
    pub header_macros: Vec<String>,
    /// What the parser complained about, errors only.
    pub troubles: Vec<Trouble>,
}

/// Something that has a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// Whether the text itself declares it, and no header has a say in its name.
    pub is_ours: bool,
    /// Whether it is a function or variable that other files can see, and the text does not define it.
    pub is_undefined: bool,
}

/// What has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// A function, or a method.
    Function,
    /// A variable, or a parameter of a function.
    Variable,
    /// A member of a struct, union or class.
    Field,
    /// A struct's tag.
    Struct,
    /// A union's tag.
    Union,
    /// A class.
    Class,
    /// An enumeration's tag.
    Enumeration,
    /// A value of an enumeration.
    Enumerator,
    /// A type alias.
    Alias,
    /// A label.
    Label,
    /// A namespace.
    Namespace,
    /// A parameter of a template, or a concept.
    TemplateParameter,
}

/// A place where a thing is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Naming {
    /// Where, in bytes.
    pub at: u32,
    /// What, as an index of things.
    pub thing: u32,
}

/// A function that the text defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defined {
    /// Its name, without what is around it.
    pub name: String,
    /// Its name as people write it, operators included, with the types of its parameters: `f(int, const char *)`.
    pub signature: String,
    /// Where its definition starts and ends.
    pub start: u32,
    /// The byte after its end.
    pub end: u32,
    /// Where its name stands.
    pub at: u32,
    /// Whether it is a template or a member of one.
    pub is_template: bool,
    /// What the linker knows it by; empty for a template.
    pub symbol: String,
    /// The namespaces and classes that it belongs to, the outermost first.
    pub around: Vec<Around>,
}

/// A namespace or class that a function belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Around {
    /// What it is called; nothing if it has no name.
    pub name: String,
    /// What it is.
    pub kind: AroundKind,
    /// Where its definition starts, `template` included.
    pub start: u32,
    /// Where its name stands.
    pub at: u32,
}

/// What a function belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AroundKind {
    /// A namespace.
    Namespace,
    /// A class or struct.
    Class,
    /// A union.
    Union,
    /// Something else, such as a function with a class in it.
    Other,
}

impl Clang {
    /// All names in `text`, which is to be compiled with `arguments`.
    pub fn names(&self, text: &str, arguments: &[String]) -> Names {
        let options = clang::CXTranslationUnit_DetailedPreprocessingRecord | clang::CXTranslationUnit_KeepGoing;
        let Some(unit) = self.parse_local(text, arguments, options) else {
            return Names { troubles: vec![gave_up()], ..Names::default() };
        };
        let mut walk = Walk {
            unit: &unit,
            text,
            names: Names::default(),
            things: HashMap::new(),
            joined: Vec::new(),
            declared: HashSet::new(),
        };
        walk.whole_unit();
        walk.finish()
    }
}

/// What two declarations of the same thing have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    /// It is declared in one place only; a macro may declare several there.
    Place(u32, String),
    /// It has a name that several places know.
    Linked(String),
    /// A header declares it.
    Header(String),
}

struct Walk<'a> {
    unit: &'a Unit,
    text: &'a str,
    names: Names,
    things: HashMap<Key, u32>,
    /// Which thing another one is the same as.
    joined: Vec<u32>,
    /// The things whose names stand where they are declared.
    declared: HashSet<u32>,
}

impl Walk<'_> {
    fn whole_unit(&mut self) {
        // SAFETY: the unit is alive.
        let root = unsafe { clang::clang_getTranslationUnitCursor(self.unit.raw) };
        for cursor in children(root) {
            match kind(cursor) {
                clang::CXCursor_MacroDefinition => {
                    let at = location(cursor);
                    if at.file != self.unit.file {
                        self.names.header_macros.push(spelling(cursor));
                    }
                }
                clang::CXCursor_MacroExpansion | clang::CXCursor_InclusionDirective => {}
                _ if extent(cursor).0.file == self.unit.file || location(cursor).file == self.unit.file => {
                    self.visit(cursor);
                }
                _ => {}
            }
        }
    }

    fn finish(mut self) -> Names {
        // What the compiler declares by itself: built-in functions, the variables of a `for` over a range.
        for (number, thing) in self.names.things.iter_mut().enumerate() {
            if thing.name.starts_with("__") && !self.declared.contains(&(number as u32)) {
                thing.is_ours = false;
            }
        }
        // Things that turned out to be the same become one; a header's say counts for all.
        for number in 0..self.names.things.len() as u32 {
            let root = self.root(number);
            if !self.names.things[number as usize].is_ours {
                self.names.things[root as usize].is_ours = false;
            }
        }
        let roots: Vec<u32> = (0..self.names.things.len() as u32).map(|number| self.root(number)).collect();
        let mut names = self.names;
        for naming in names.places.iter_mut().chain(&mut names.through_macros) {
            naming.thing = roots[naming.thing as usize];
        }
        names.places.sort_unstable();
        names.places.dedup();
        names.through_macros.sort_unstable();
        names.through_macros.dedup();
        names.functions.sort_by_key(|function| (function.start, function.end));
        names.header_macros.sort_unstable();
        names.header_macros.dedup();
        names.troubles = self.unit.troubles();
        names
    }

    fn root(&self, mut number: u32) -> u32 {
        while self.joined[number as usize] != number {
            number = self.joined[number as usize];
        }
        number
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        let (first, second) = (one.min(other), one.max(other));
        self.joined[second as usize] = first;
    }

    fn visit(&mut self, cursor: CXCursor) {
        let kind = kind(cursor);
        // SAFETY: reads a number.
        let is_declaration = unsafe { clang::clang_isDeclaration(kind) != 0 };
        if is_declaration {
            self.declaration(cursor);
        } else {
            self.reference(cursor, kind);
        }
        for child in children(cursor) {
            self.visit(child);
        }
    }

    fn declaration(&mut self, cursor: CXCursor) {
        let at = location(cursor);
        if at.file != self.unit.file {
            return;
        }
        if is_function(cursor) && is_definition(cursor) {
            let (start, end) = extent(cursor);
            self.names.functions.push(Defined {
                name: plain_name(cursor),
                signature: signature(cursor),
                start: start.offset,
                end: end.offset,
                at: at.offset,
                is_template: within_template(cursor),
                symbol: symbol(cursor),
                around: around(cursor),
            });
        }
        if let Some(thing) = self.thing(cursor) {
            if is_definition(cursor) {
                self.names.things[thing as usize].is_undefined = false;
            }
            if self.name(at.offset, thing) {
                self.declared.insert(thing);
            }
        }
    }

    fn reference(&mut self, cursor: CXCursor, kind: i32) {
        let at = location(cursor);
        if at.file != self.unit.file {
            return;
        }
        match kind {
            clang::CXCursor_OverloadedDeclRef => {
                // SAFETY: the unit is alive, the numbers are in range.
                unsafe {
                    for number in 0..clang::clang_getNumOverloadedDecls(cursor) {
                        self.refer(at.offset, clang::clang_getOverloadedDecl(cursor, number));
                    }
                }
            }
            clang::CXCursor_TypeRef
            | clang::CXCursor_TemplateRef
            | clang::CXCursor_NamespaceRef
            | clang::CXCursor_VariableRef
            | clang::CXCursor_MemberRef
            | clang::CXCursor_LabelRef
            | clang::CXCursor_DeclRefExpr => self.refer(at.offset, referenced(cursor)),
            clang::CXCursor_MemberRefExpr => {
                // Its location is that of the member's name.
                self.refer(at.offset, referenced(cursor));
            }
            clang::CXCursor_LabelStmt => {
                let thing = self.thing(cursor);
                if let Some(thing) = thing {
                    self.name(at.offset, thing);
                }
            }
            _ => {}
        }
    }

    fn refer(&mut self, at: u32, target: CXCursor) {
        if !is_null(target)
            && let Some(thing) = self.thing(target)
        {
            self.name(at, thing);
        }
    }

    /// Notes that a thing is named at a place, and tells whether its name stands there.
    fn name(&mut self, at: u32, thing: u32) -> bool {
        let name = &self.names.things[thing as usize].name;
        let rest = self.text.get(at as usize..).unwrap_or_default();
        // A destructor's name begins with a tilde.
        let tilde = rest.strip_prefix('~').map(str::trim_start);
        let (at, rest) = match tilde {
            Some(after) => (at + (rest.len() - after.len()) as u32, after),
            None => (at, rest),
        };
        let is_whole = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        let stands_here = rest.strip_prefix(name.as_str()).is_some_and(is_whole);
        let naming = Naming { at, thing };
        if stands_here {
            self.names.places.push(naming);
        } else {
            self.names.through_macros.push(naming);
        }
        stands_here
    }

    /// The thing that a cursor declares; nothing if it has no name of its own.
    fn thing(&mut self, cursor: CXCursor) -> Option<u32> {
        let cursor = declared(cursor);
        let role = role(cursor)?;
        let name = plain_name(cursor);
        if name.is_empty()
            || !name.starts_with(|first: char| first.is_alphabetic() || first == '_' || !first.is_ascii())
        {
            return None;
        }
        let key = self.key(cursor, role, &name);
        let is_ours = !matches!(key, Key::Header(_));
        if let Some(known) = self.things.get(&key) {
            return Some(*known);
        }
        let number = self.names.things.len() as u32;
        // SAFETY: the unit is alive.
        let linkage = unsafe { clang::clang_getCursorLinkage(cursor) };
        // What the linker calls by another name is no function of a library in C.
        let is_undefined = matches!(role, Role::Function | Role::Variable)
            && linkage == clang::CXLinkage_External
            && mangled(cursor) == name;
        self.names.things.push(Named { name, role, is_ours, is_undefined });
        self.joined.push(number);
        self.things.insert(key, number);
        if role == Role::Function {
            self.overridden(cursor, number);
        }
        Some(number)
    }

    /// A method's name is that of those it overrides.
    fn overridden(&mut self, cursor: CXCursor, number: u32) {
        let mut overridden: *mut CXCursor = std::ptr::null_mut();
        let mut count = 0;
        // SAFETY: the unit is alive, and the list is given back.
        let all: Vec<CXCursor> = unsafe {
            clang::clang_getOverriddenCursors(cursor, &mut overridden, &mut count);
            if overridden.is_null() {
                return;
            }
            let all = std::slice::from_raw_parts(overridden, count as usize).to_vec();
            clang::clang_disposeOverriddenCursors(overridden);
            all
        };
        for other in all {
            if let Some(other) = self.thing(other) {
                self.join(number, other);
            }
        }
    }

    fn key(&self, cursor: CXCursor, role: Role, name: &str) -> Key {
        // SAFETY: the unit is alive.
        let first = unsafe { clang::clang_getCanonicalCursor(cursor) };
        let at = location(first);
        let here = location(cursor);
        let in_text = at.file == self.unit.file && here.file == self.unit.file;
        if !in_text {
            return Key::Header(usr(first));
        }
        // SAFETY: the unit is alive.
        let linkage = unsafe { clang::clang_getCursorLinkage(cursor) };
        match role {
            Role::Function => Key::Linked(format!("{}::{name}", usr(declared(semantic_parent(first))))),
            Role::Variable if matches!(linkage, clang::CXLinkage_NoLinkage | clang::CXLinkage_Invalid) => {
                Key::Place(at.offset, name.to_owned())
            }
            Role::Label | Role::TemplateParameter | Role::Field | Role::Enumerator => {
                Key::Place(at.offset, name.to_owned())
            }
            _ => match usr(first) {
                usr if usr.is_empty() => Key::Place(at.offset, name.to_owned()),
                // Roles keep a typedef apart from the tag of the same name.
                usr => Key::Linked(format!("{role:?} {usr}")),
            },
        }
    }
}

/// What the linker calls it.
fn mangled(cursor: CXCursor) -> String {
    // SAFETY: the unit is alive.
    owned(unsafe { clang::clang_Cursor_getMangling(cursor) })
}

/// What a function belongs to, the outermost first.
fn around(cursor: CXCursor) -> Vec<Around> {
    let mut found = Vec::new();
    let mut parent = semantic_parent(cursor);
    while !is_null(parent) && kind(parent) != clang::CXCursor_TranslationUnit {
        let around_kind = match role(parent) {
            Some(Role::Namespace) => AroundKind::Namespace,
            Some(Role::Class | Role::Struct) => AroundKind::Class,
            Some(Role::Union) => AroundKind::Union,
            _ if kind(parent) == clang::CXCursor_LinkageSpec => {
                parent = semantic_parent(parent);
                continue;
            }
            _ => AroundKind::Other,
        };
        found.push(Around {
            name: plain_name(parent),
            kind: around_kind,
            start: extent(parent).0.offset,
            at: location(parent).offset,
        });
        parent = semantic_parent(parent);
    }
    found.reverse();
    found
}

fn symbol(cursor: CXCursor) -> String {
    if within_template(cursor) {
        return String::new();
    }
    // SAFETY: the unit is alive.
    owned(unsafe { clang::clang_Cursor_getMangling(cursor) })
}

fn usr(cursor: CXCursor) -> String {
    // SAFETY: the unit is alive.
    owned(unsafe { clang::clang_getCursorUSR(cursor) })
}

/// The cursor whose name a cursor has: the class of a constructor, the template of a specialisation.
fn declared(cursor: CXCursor) -> CXCursor {
    let mut cursor = cursor;
    loop {
        let is_structor = match kind(cursor) {
            clang::CXCursor_Constructor | clang::CXCursor_Destructor => true,
            // SAFETY: the unit is alive.
            clang::CXCursor_FunctionTemplate => unsafe {
                clang::clang_getTemplateCursorKind(cursor) == clang::CXCursor_Constructor
            },
            _ => false,
        };
        if is_structor {
            cursor = semantic_parent(cursor);
            continue;
        }
        let pattern = specialized_template(cursor);
        if is_null(pattern) {
            return cursor;
        }
        cursor = pattern;
    }
}

fn role(cursor: CXCursor) -> Option<Role> {
    // SAFETY: the unit is alive.
    let of_template = |cursor| unsafe { clang::clang_getTemplateCursorKind(cursor) };
    Some(match kind(cursor) {
        clang::CXCursor_FunctionDecl | clang::CXCursor_CXXMethod => Role::Function,
        clang::CXCursor_FunctionTemplate => match of_template(cursor) {
            clang::CXCursor_ConversionFunction => return None,
            _ => Role::Function,
        },
        clang::CXCursor_VarDecl | clang::CXCursor_ParmDecl => Role::Variable,
        clang::CXCursor_FieldDecl => Role::Field,
        clang::CXCursor_StructDecl => Role::Struct,
        clang::CXCursor_UnionDecl => Role::Union,
        clang::CXCursor_ClassDecl => Role::Class,
        clang::CXCursor_ClassTemplate | clang::CXCursor_ClassTemplatePartialSpecialization => {
            match of_template(cursor) {
                clang::CXCursor_StructDecl => Role::Struct,
                clang::CXCursor_UnionDecl => Role::Union,
                _ => Role::Class,
            }
        }
        clang::CXCursor_EnumDecl => Role::Enumeration,
        clang::CXCursor_EnumConstantDecl => Role::Enumerator,
        clang::CXCursor_TypedefDecl | clang::CXCursor_TypeAliasDecl | clang::CXCursor_TypeAliasTemplateDecl => {
            Role::Alias
        }
        clang::CXCursor_LabelStmt => Role::Label,
        clang::CXCursor_Namespace | clang::CXCursor_NamespaceAlias => Role::Namespace,
        clang::CXCursor_TemplateTypeParameter
        | clang::CXCursor_NonTypeTemplateParameter
        | clang::CXCursor_TemplateTemplateParameter
        | clang::CXCursor_ConceptDecl => Role::TemplateParameter,
        // What a structured binding declares has a type, and what `__label__` declares has none.
        // SAFETY: the unit is alive.
        clang::CXCursor_UnexposedDecl => match unsafe { clang::clang_getCursorType(cursor) }.kind {
            clang::CXType_Invalid => Role::Label,
            _ => Role::Variable,
        },
        _ => return None,
    })
}

/// A function's name and what tells it from others of that name.
fn signature(cursor: CXCursor) -> String {
    // SAFETY: the unit is alive.
    let (shown, is_const) =
        unsafe { (owned(clang::clang_getCursorDisplayName(cursor)), clang::clang_CXXMethod_isConst(cursor) != 0) };
    if is_const { shown + " const" } else { shown }
}

/// A cursor's name; nothing if it has none, or one that is no identifier.
fn plain_name(cursor: CXCursor) -> String {
    // SAFETY: the unit is alive.
    let unnamed = unsafe { clang::clang_Cursor_isAnonymous(cursor) != 0 };
    if unnamed {
        return String::new();
    }
    let name = spelling(cursor);
    let operator =
        name.strip_prefix("operator").is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    if operator || name.contains([' ', '(']) { String::new() } else { name }
}
