//! One walk over the syntax tree: what is declared, and what refers to what.

use std::collections::{HashMap, HashSet};

use clang::{CXCursor, CXType};
use clang_sys as clang;

use crate::cursor::{
    canonical_type, children, declaration_of, definition, element, extent, file_name, is_definition, is_null,
    is_template, kind, location, owned, pointee, referenced, same, semantic_parent, specialized_template, spelling,
    within_template,
};
use crate::library::{Clang, Unit, gave_up};
use crate::reading::{
    Container, ContainerKind, Declaration, DeclarationKind, HeaderLine, Need, Reading, Reference, Target,
};

/// libclang numbers its expressions in one range.
const FIRST_EXPRESSION: i32 = clang::CXCursor_UnexposedExpr;
const LAST_EXPRESSION: i32 = 199;

impl Clang {
    /// Reads `text`, which is to be compiled with `arguments`.
    pub fn read(&self, text: &str, arguments: &[String]) -> Reading {
        let options = clang::CXTranslationUnit_DetailedPreprocessingRecord | clang::CXTranslationUnit_KeepGoing;
        // However many errors there are, what stands after them is read.
        let arguments: Vec<String> = arguments.iter().cloned().chain(["-ferror-limit=0".to_owned()]).collect();
        let Some(unit) = self.parse(text, &arguments, options) else {
            return Reading { troubles: vec![gave_up()], ..Reading::default() };
        };
        let mut walk = Walk { unit: &unit, text, reading: Reading::default(), places: HashMap::new() };
        walk.whole_unit();
        let mut reading = walk.reading;
        reading.references.sort_unstable();
        reading.references.dedup();
        reading.troubles = unit.troubles();
        reading
    }
}

struct Walk<'a> {
    unit: &'a Unit,
    text: &'a str,
    reading: Reading,
    places: HashMap<(usize, u32), u32>,
}

/// Where the walk is.
#[derive(Clone, Copy, Default)]
struct Inside {
    container: Option<u32>,
    class: Option<u32>,
    template: bool,
}

impl Walk<'_> {
    fn whole_unit(&mut self) {
        // SAFETY: the unit is alive.
        let root = unsafe { clang::clang_getTranslationUnitCursor(self.unit.raw) };
        let names = identifiers(self.text);
        let mut macros: HashMap<String, Vec<u32>> = HashMap::new();
        for cursor in children(root) {
            match kind(cursor) {
                clang::CXCursor_MacroDefinition => {
                    let at = location(cursor);
                    if at.file.is_null() || at.file == self.unit.file {
                        continue;
                    }
                    let name = spelling(cursor);
                    if names.contains(name.as_str()) {
                        let place = self.place(at.file, at.line);
                        macros.entry(name).or_default().push(place);
                    }
                }
                clang::CXCursor_MacroExpansion | clang::CXCursor_InclusionDirective => {}
                _ => self.outer(cursor, Inside::default()),
            }
        }
        self.reading.header_macros = macros.into_iter().collect();
        self.reading.header_macros.sort();
    }

    fn is_here(&self, cursor: CXCursor) -> bool {
        location(cursor).file == self.unit.file
    }

    /// A declaration at file or namespace level.
    fn outer(&mut self, cursor: CXCursor, inside: Inside) {
        let (start, end) = extent(cursor);
        // A namespace whose braces come from a macro still stands in the file that calls the macro.
        if start.file != self.unit.file && !self.is_here(cursor) {
            return;
        }
        match kind(cursor) {
            clang::CXCursor_Namespace => {
                // SAFETY: the unit is alive.
                let inline = unsafe { clang::clang_Cursor_isInlineNamespace(cursor) != 0 };
                // SAFETY: the unit is alive.
                let unnamed = unsafe { clang::clang_Cursor_isAnonymous(cursor) != 0 };
                let name = if unnamed { String::new() } else { spelling(cursor) };
                let inside =
                    self.container(ContainerKind::Namespace { name, inline }, inside, start.offset, end.offset);
                for child in children(cursor) {
                    self.outer(child, inside);
                }
            }
            clang::CXCursor_LinkageSpec => {
                let inner = children(cursor);
                let single = match inner.as_slice() {
                    [only] => extent(*only).1.offset == end.offset,
                    _ => false,
                };
                let inside = if single {
                    inside
                } else {
                    self.container(ContainerKind::CLinkage, inside, start.offset, end.offset)
                };
                for child in inner {
                    let before = self.reading.declarations.len();
                    self.outer(child, inside);
                    if single && let Some(declaration) = self.reading.declarations.get_mut(before) {
                        declaration.start = start.offset;
                    }
                }
            }
            _ => {
                self.declare(cursor, inside);
            }
        }
    }

    fn container(&mut self, kind: ContainerKind, inside: Inside, start: u32, end: u32) -> Inside {
        let number = self.reading.containers.len() as u32;
        self.reading.containers.push(Container { kind, parent: inside.container, start, end });
        Inside { container: Some(number), ..inside }
    }

    /// Records a declaration and walks what it holds.
    fn declare(&mut self, cursor: CXCursor, inside: Inside) {
        let (start, end) = extent(cursor);
        let number = self.reading.declarations.len() as u32;
        let kind = declaration_kind(cursor);
        let parent = semantic_parent(cursor);
        let out_of_class = inside.class.is_none() && is_class(parent);
        let is_template = inside.template || is_template(cursor) || (out_of_class && within_template(parent));
        let definition_here = is_definition(cursor);
        let parts = children(cursor);
        let body = if kind.is_function() && definition_here && !self.is_defaulted(cursor) {
            parts.iter().rev().find(|part| is_body(**part)).and_then(|part| self.body(*part))
        } else {
            None
        };
        // A coroutine that is one `try` ends nowhere, for libclang.
        let end = body.filter(|_| end.file.is_null()).map_or(end.offset, |(_, end)| end);
        let of = canonical_type(cursor);
        // SAFETY: the unit is alive in all of these.
        let (linkage, storage, is_inline, symbol, usr, constant, is_virtual) = unsafe {
            let symbol = if !is_template && (kind.is_function() || kind == DeclarationKind::Variable) {
                owned(clang::clang_Cursor_getMangling(cursor))
            } else {
                String::new()
            };
            (
                clang::clang_getCursorLinkage(cursor),
                clang::clang_Cursor_getStorageClass(cursor),
                kind.is_function() && clang::clang_Cursor_isFunctionInlined(cursor) != 0,
                symbol,
                owned(clang::clang_getCursorUSR(cursor)),
                clang::clang_isConstQualifiedType(element(of)) != 0,
                clang::clang_CXXMethod_isVirtual(cursor) != 0,
            )
        };
        let at = location(cursor);
        let at = if at.file == self.unit.file { at.offset } else { start.offset };
        self.reading.declarations.push(Declaration {
            kind,
            name: spelling(cursor),
            qualified_name: qualified_name(cursor),
            usr,
            at,
            start: start.offset,
            end,
            container: inside.container,
            class: inside.class,
            is_definition: definition_here,
            body,
            is_internal: linkage == clang::CXLinkage_Internal || linkage == clang::CXLinkage_UniqueExternal,
            is_extern: storage == clang::CX_SC_Extern && !definition_here,
            is_only_inline: is_inline && storage == clang::CX_SC_None && definition_here,
            is_template,
            is_deduced: kind.is_function() && result_is_deduced(cursor),
            is_virtual,
            is_constant: kind == DeclarationKind::Variable && constant,
            array_length: if kind == DeclarationKind::Variable { array_length(of) } else { None },
            symbol,
        });
        if out_of_class {
            self.refer(at, parent, Need::Complete);
        }
        if kind.is_function() && definition_here {
            self.signature_by_value(at, cursor);
        }
        let inside = if kind == DeclarationKind::Record {
            Inside { class: Some(number), template: is_template, ..inside }
        } else {
            inside
        };
        self.visit(cursor);
        for part in parts {
            self.inner(part, inside, kind == DeclarationKind::Record);
        }
    }

    /// Where a body stands, or that of its parts which stands somewhere.
    fn body(&self, cursor: CXCursor) -> Option<(u32, u32)> {
        let (start, end) = extent(cursor);
        if start.file == self.unit.file {
            return Some((start.offset, end.offset));
        }
        children(cursor).into_iter().filter(|part| is_body(*part)).find_map(|part| self.body(part))
    }

    /// Whether a function is defined as `= default`: the body that the compiler gives it stands nowhere.
    fn is_defaulted(&self, cursor: CXCursor) -> bool {
        let (start, end) = extent(cursor);
        let text = self.text.get(start.offset as usize..end.offset as usize).unwrap_or_default();
        let before = text.trim_end().strip_suffix("default").map(str::trim_end);
        before.is_some_and(|before| before.ends_with('='))
    }

    /// A part of a declaration; functions inside classes are declarations of their own.
    fn inner(&mut self, cursor: CXCursor, inside: Inside, in_class: bool) {
        if in_class {
            match kind(cursor) {
                clang::CXCursor_FriendDecl => {
                    for child in children(cursor) {
                        self.inner(child, inside, true);
                    }
                    return;
                }
                // A nested class is a part of the class around it, but its functions count.
                _ if is_class(cursor) => {
                    let template = inside.template || is_template(cursor);
                    for child in children(cursor) {
                        self.inner(child, Inside { template, ..inside }, true);
                    }
                    return;
                }
                _ if declaration_kind(cursor).is_function() && self.is_here(cursor) => {
                    self.declare(cursor, inside);
                    return;
                }
                _ => {}
            }
        }
        self.visit(cursor);
        for child in children(cursor) {
            self.inner(child, inside, false);
        }
    }

    /// The references that one cursor makes by itself.
    fn visit(&mut self, cursor: CXCursor) {
        let kind = kind(cursor);
        let at = location(cursor);
        if at.file != self.unit.file {
            return;
        }
        let at = at.offset;
        match kind {
            clang::CXCursor_TypeRef
            | clang::CXCursor_TemplateRef
            | clang::CXCursor_NamespaceRef
            | clang::CXCursor_VariableRef => self.refer(at, referenced(cursor), Need::Declared),
            clang::CXCursor_MemberRef | clang::CXCursor_MemberRefExpr => {
                self.refer(at, referenced(cursor), Need::Complete);
            }
            clang::CXCursor_DeclRefExpr => {
                let target = referenced(cursor);
                let need = if is_null(target) || crate::cursor::kind(target) == clang::CXCursor_EnumConstantDecl {
                    Need::Complete
                } else {
                    Need::Declared
                };
                self.refer(at, target, need);
            }
            clang::CXCursor_OverloadedDeclRef => {
                // SAFETY: the unit is alive, the numbers are in range.
                unsafe {
                    for number in 0..clang::clang_getNumOverloadedDecls(cursor) {
                        self.refer(at, clang::clang_getOverloadedDecl(cursor, number), Need::Declared);
                    }
                }
            }
            clang::CXCursor_CallExpr => self.refer(at, referenced(cursor), Need::Declared),
            clang::CXCursor_CXXBaseSpecifier | clang::CXCursor_FieldDecl => {
                self.complete(at, canonical_type(cursor), 0);
            }
            clang::CXCursor_VarDecl => {
                // SAFETY: the unit is alive.
                let storage = unsafe { clang::clang_Cursor_getStorageClass(cursor) };
                if storage != clang::CX_SC_Extern || is_definition(cursor) {
                    self.complete(at, canonical_type(cursor), 0);
                }
            }
            clang::CXCursor_UnaryExpr => self.measured(at, cursor),
            clang::CXCursor_CXXDeleteExpr
            | clang::CXCursor_CXXNewExpr
            | clang::CXCursor_CXXStaticCastExpr
            | clang::CXCursor_CXXDynamicCastExpr
            | clang::CXCursor_CXXTypeidExpr => {
                self.complete_pointee(at, canonical_type(cursor));
                for child in children(cursor) {
                    self.complete_pointee(at, canonical_type(child));
                    if crate::cursor::kind(child) == clang::CXCursor_TypeRef {
                        self.refer(at, referenced(child), Need::Complete);
                    }
                }
            }
            clang::CXCursor_UnaryOperator | clang::CXCursor_BinaryOperator | clang::CXCursor_CompoundAssignOperator => {
                self.arithmetic(at, kind, cursor);
            }
            clang::CXCursor_UnexposedExpr => self.converted(at, cursor),
            _ => {}
        }
        if (FIRST_EXPRESSION..=LAST_EXPRESSION).contains(&kind) {
            self.complete(at, canonical_type(cursor), 0);
        }
    }

    /// `sizeof` and its like need the type itself, unless it is a pointer to it.
    fn measured(&mut self, at: u32, cursor: CXCursor) {
        let (start, end) = extent(cursor);
        let text = self.text.get(start.offset as usize..end.offset as usize).unwrap_or_default();
        if text.contains('*') {
            return;
        }
        for child in children(cursor) {
            if kind(child) == clang::CXCursor_TypeRef {
                let target = referenced(child);
                self.refer(at, target, Need::Complete);
                self.complete(at, canonical_type(target), 0);
            }
        }
    }

    /// Steps of a pointer need to know how large its target is.
    fn arithmetic(&mut self, at: u32, kind: i32, cursor: CXCursor) {
        // SAFETY: the unit is alive.
        let steps = unsafe {
            match kind {
                clang::CXCursor_UnaryOperator => matches!(
                    clang::clang_getCursorUnaryOperatorKind(cursor),
                    clang::CXUnaryOperator_PostInc
                        | clang::CXUnaryOperator_PostDec
                        | clang::CXUnaryOperator_PreInc
                        | clang::CXUnaryOperator_PreDec
                ),
                _ => matches!(
                    clang::clang_getCursorBinaryOperatorKind(cursor),
                    clang::CXBinaryOperator_Add
                        | clang::CXBinaryOperator_Sub
                        | clang::CXBinaryOperator_AddAssign
                        | clang::CXBinaryOperator_SubAssign
                ),
            }
        };
        if steps {
            self.complete_pointee(at, canonical_type(cursor));
            for child in children(cursor) {
                self.complete_pointee(at, canonical_type(child));
            }
        }
    }

    /// A conversion from a pointer to a class to one to another class follows the classes' bases.
    fn converted(&mut self, at: u32, cursor: CXCursor) {
        let to = pointee(canonical_type(cursor));
        if to.kind != clang::CXType_Record {
            return;
        }
        for child in children(cursor) {
            let from = pointee(canonical_type(child));
            if from.kind == clang::CXType_Record && !same(declaration_of(from), declaration_of(to)) {
                self.complete(at, from, 0);
            }
        }
    }

    /// The types that a defined function takes and gives by value.
    fn signature_by_value(&mut self, at: u32, cursor: CXCursor) {
        let of = canonical_type(cursor);
        // SAFETY: the unit is alive, the numbers are in range.
        unsafe {
            self.complete(at, clang::clang_getResultType(of), 0);
            for number in 0..u32::try_from(clang::clang_getNumArgTypes(of)).unwrap_or(0) {
                self.complete(at, clang::clang_getArgType(of, number), 0);
            }
        }
    }

    fn complete_pointee(&mut self, at: u32, of: CXType) {
        if of.kind == clang::CXType_Pointer {
            self.complete(at, pointee(of), 0);
        }
    }

    /// A type that is needed itself, with what its template was made of.
    fn complete(&mut self, at: u32, of: CXType, depth: u32) {
        // SAFETY: the unit is alive.
        let of = element(unsafe { clang::clang_getCanonicalType(of) });
        if of.kind != clang::CXType_Record && of.kind != clang::CXType_Enum {
            return;
        }
        self.refer(at, declaration_of(of), Need::Complete);
        if depth < 4 {
            // SAFETY: the unit is alive, the numbers are in range.
            unsafe {
                for number in 0..u32::try_from(clang::clang_Type_getNumTemplateArguments(of)).unwrap_or(0) {
                    self.complete(at, clang::clang_Type_getTemplateArgumentAsType(of, number), depth + 1);
                }
            }
        }
    }

    fn refer(&mut self, at: u32, target: CXCursor, need: Need) {
        if is_null(target) || kind(target) == clang::CXCursor_Namespace {
            return;
        }
        // What a template was made into stands where the template is first declared; its members stand with its definition.
        let pattern = specialized_template(target);
        let target = if need == Need::Complete && !is_null(pattern) { pattern } else { target };
        let defined = definition(target);
        let target = if need == Need::Complete && !is_null(defined) { defined } else { target };
        let position = location(target);
        if position.file == self.unit.file {
            self.reading.references.push(Reference { at, target: Target::Here(position.offset), need });
            return;
        }
        let outermost = namespace_level(target);
        let position = location(outermost);
        if !position.file.is_null() {
            let place = self.place(position.file, position.line);
            self.reading.references.push(Reference { at, target: Target::Header(place), need });
        }
    }

    fn place(&mut self, file: clang::CXFile, line: u32) -> u32 {
        let places = &mut self.reading.places;
        *self.places.entry((file as usize, line)).or_insert_with(|| {
            places.push(HeaderLine { file: file_name(file), line });
            places.len() as u32 - 1
        })
    }
}

/// The declaration around a cursor that stands at file or namespace level.
fn namespace_level(mut cursor: CXCursor) -> CXCursor {
    loop {
        let parent = semantic_parent(cursor);
        let outermost = is_null(parent)
            || matches!(
                kind(parent),
                clang::CXCursor_TranslationUnit | clang::CXCursor_Namespace | clang::CXCursor_LinkageSpec
            );
        if outermost {
            return cursor;
        }
        cursor = parent;
    }
}

fn qualified_name(cursor: CXCursor) -> String {
    let mut names = vec![spelling(cursor)];
    let mut parent = semantic_parent(cursor);
    while !is_null(parent) && kind(parent) != clang::CXCursor_TranslationUnit {
        // SAFETY: the unit is alive.
        let inline = unsafe { clang::clang_Cursor_isInlineNamespace(parent) != 0 };
        let name = spelling(parent);
        if !inline && !name.is_empty() && !name.starts_with('(') && kind(parent) != clang::CXCursor_LinkageSpec {
            names.push(name);
        }
        parent = semantic_parent(parent);
    }
    names.reverse();
    names.join("::")
}

fn declaration_kind(cursor: CXCursor) -> DeclarationKind {
    match kind(cursor) {
        clang::CXCursor_FunctionDecl => DeclarationKind::Function,
        clang::CXCursor_CXXMethod => DeclarationKind::Method,
        clang::CXCursor_Constructor => DeclarationKind::Constructor,
        clang::CXCursor_Destructor => DeclarationKind::Destructor,
        clang::CXCursor_ConversionFunction => DeclarationKind::Conversion,
        clang::CXCursor_FunctionTemplate => {
            // SAFETY: the unit is alive.
            match unsafe { clang::clang_getTemplateCursorKind(cursor) } {
                clang::CXCursor_CXXMethod => DeclarationKind::Method,
                clang::CXCursor_Constructor => DeclarationKind::Constructor,
                clang::CXCursor_ConversionFunction => DeclarationKind::Conversion,
                _ => DeclarationKind::Function,
            }
        }
        clang::CXCursor_VarDecl => DeclarationKind::Variable,
        clang::CXCursor_EnumDecl => DeclarationKind::Enumeration,
        clang::CXCursor_TypedefDecl | clang::CXCursor_TypeAliasDecl | clang::CXCursor_TypeAliasTemplateDecl => {
            DeclarationKind::Alias
        }
        clang::CXCursor_UsingDeclaration | clang::CXCursor_UsingDirective => DeclarationKind::Using,
        clang::CXCursor_NamespaceAlias => DeclarationKind::NamespaceAlias,
        _ if is_class(cursor) => DeclarationKind::Record,
        _ => DeclarationKind::Other,
    }
}

fn is_class(cursor: CXCursor) -> bool {
    matches!(
        kind(cursor),
        clang::CXCursor_StructDecl
            | clang::CXCursor_UnionDecl
            | clang::CXCursor_ClassDecl
            | clang::CXCursor_ClassTemplate
            | clang::CXCursor_ClassTemplatePartialSpecialization
    )
}

fn array_length(of: CXType) -> Option<u64> {
    // SAFETY: the unit is alive.
    let length = unsafe { clang::clang_getArraySize(of) };
    u64::try_from(length).ok()
}

/// libclang has no kind for the body of a coroutine; no other statement without a kind is a part of a function itself.
fn is_body(cursor: CXCursor) -> bool {
    matches!(kind(cursor), clang::CXCursor_CompoundStmt | clang::CXCursor_CXXTryStmt | clang::CXCursor_UnexposedStmt)
}

fn result_is_deduced(cursor: CXCursor) -> bool {
    // SAFETY: the unit is alive.
    unsafe { clang::clang_getCursorResultType(cursor).kind == clang::CXType_Auto }
}

/// Every word of the text that may be a name.
fn identifiers(text: &str) -> HashSet<&str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty()).collect()
}
