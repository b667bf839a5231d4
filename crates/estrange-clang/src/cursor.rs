//! Thin, safe shorthands for libclang's cursors, types and strings.

use std::ffi::CStr;
use std::os::raw::c_void;

use clang::{CXCursor, CXType};
use clang_sys as clang;

/// The text of a libclang string, which is given back.
pub(crate) fn owned(string: clang::CXString) -> String {
    // SAFETY: the string is alive until it is disposed of here.
    unsafe {
        let pointer = clang::clang_getCString(string);
        let text =
            if pointer.is_null() { String::new() } else { CStr::from_ptr(pointer).to_string_lossy().into_owned() };
        clang::clang_disposeString(string);
        text
    }
}

/// The children of a cursor, in order.
pub(crate) fn children(cursor: CXCursor) -> Vec<CXCursor> {
    extern "C" fn visit(cursor: CXCursor, _parent: CXCursor, data: *mut c_void) -> i32 {
        // SAFETY: `data` is the vector below, which nothing else uses meanwhile.
        unsafe { (*data.cast::<Vec<CXCursor>>()).push(cursor) };
        clang::CXChildVisit_Continue
    }
    let mut found: Vec<CXCursor> = Vec::new();
    // SAFETY: the visitor only pushes.
    unsafe { clang::clang_visitChildren(cursor, visit, (&raw mut found).cast()) };
    found
}

pub(crate) fn kind(cursor: CXCursor) -> i32 {
    // SAFETY: reads a field.
    unsafe { clang::clang_getCursorKind(cursor) }
}

pub(crate) fn is_null(cursor: CXCursor) -> bool {
    // SAFETY: compares fields.
    unsafe { clang::clang_Cursor_isNull(cursor) != 0 }
}

pub(crate) fn same(left: CXCursor, right: CXCursor) -> bool {
    // SAFETY: compares fields.
    unsafe { clang::clang_equalCursors(left, right) != 0 }
}

pub(crate) fn spelling(cursor: CXCursor) -> String {
    // SAFETY: the cursor's unit is alive.
    owned(unsafe { clang::clang_getCursorSpelling(cursor) })
}

pub(crate) fn referenced(cursor: CXCursor) -> CXCursor {
    // SAFETY: the cursor's unit is alive.
    unsafe { clang::clang_getCursorReferenced(cursor) }
}

pub(crate) fn semantic_parent(cursor: CXCursor) -> CXCursor {
    // SAFETY: the cursor's unit is alive.
    unsafe { clang::clang_getCursorSemanticParent(cursor) }
}

/// What a cursor stands in.
pub(crate) fn lexical_parent(cursor: CXCursor) -> CXCursor {
    // SAFETY: the cursor's unit is alive.
    unsafe { clang::clang_getCursorLexicalParent(cursor) }
}

pub(crate) fn definition(cursor: CXCursor) -> CXCursor {
    // SAFETY: the cursor's unit is alive.
    unsafe { clang::clang_getCursorDefinition(cursor) }
}

/// The template that a class or function was made of.
pub(crate) fn specialized_template(cursor: CXCursor) -> CXCursor {
    // SAFETY: the cursor's unit is alive.
    unsafe { clang::clang_getSpecializedCursorTemplate(cursor) }
}

pub(crate) fn is_definition(cursor: CXCursor) -> bool {
    // SAFETY: the cursor's unit is alive.
    unsafe { clang::clang_isCursorDefinition(cursor) != 0 }
}

/// Whether a cursor is a function, a method or a template of one.
pub(crate) fn is_function(cursor: CXCursor) -> bool {
    matches!(
        kind(cursor),
        clang::CXCursor_FunctionDecl
            | clang::CXCursor_CXXMethod
            | clang::CXCursor_Constructor
            | clang::CXCursor_Destructor
            | clang::CXCursor_ConversionFunction
            | clang::CXCursor_FunctionTemplate
    )
}

/// Whether a cursor is a template.
pub(crate) fn is_template(cursor: CXCursor) -> bool {
    matches!(
        kind(cursor),
        clang::CXCursor_FunctionTemplate
            | clang::CXCursor_ClassTemplate
            | clang::CXCursor_ClassTemplatePartialSpecialization
            | clang::CXCursor_TypeAliasTemplateDecl
    )
}

/// Whether a cursor is a template or stands in one.
pub(crate) fn within_template(mut cursor: CXCursor) -> bool {
    while !is_null(cursor) && kind(cursor) != clang::CXCursor_TranslationUnit {
        if is_template(cursor) {
            return true;
        }
        cursor = semantic_parent(cursor);
    }
    false
}

/// The canonical type of a cursor: aliases looked through.
pub(crate) fn canonical_type(cursor: CXCursor) -> CXType {
    // SAFETY: the cursor's unit is alive.
    unsafe { clang::clang_getCanonicalType(clang::clang_getCursorType(cursor)) }
}

pub(crate) fn pointee(of: CXType) -> CXType {
    // SAFETY: the type's unit is alive.
    unsafe { clang::clang_getPointeeType(of) }
}

pub(crate) fn declaration_of(of: CXType) -> CXCursor {
    // SAFETY: the type's unit is alive.
    unsafe { clang::clang_getTypeDeclaration(of) }
}

/// The type of the elements, however deep the arrays.
pub(crate) fn element(mut of: CXType) -> CXType {
    while matches!(
        of.kind,
        clang::CXType_ConstantArray
            | clang::CXType_IncompleteArray
            | clang::CXType_VariableArray
            | clang::CXType_DependentSizedArray
    ) {
        // SAFETY: the type's unit is alive.
        of = unsafe { clang::clang_getArrayElementType(of) };
    }
    of
}

/// A position in a file: the file, line, and offset.
pub(crate) struct Position {
    pub(crate) file: clang::CXFile,
    pub(crate) line: u32,
    pub(crate) offset: u32,
}

/// Where a location stands in a file; what a macro made stands where the macro was called.
pub(crate) fn position(location: clang::CXSourceLocation) -> Position {
    let mut position = Position { file: std::ptr::null_mut(), line: 0, offset: 0 };
    // SAFETY: all pointers are to fields that outlive the call.
    unsafe {
        clang::clang_getFileLocation(
            location,
            &mut position.file,
            &mut position.line,
            std::ptr::null_mut(),
            &mut position.offset,
        );
    }
    position
}

pub(crate) fn location(cursor: CXCursor) -> Position {
    // SAFETY: the cursor's unit is alive.
    position(unsafe { clang::clang_getCursorLocation(cursor) })
}

/// Where a cursor starts and ends. A template that is one only by the `auto` of a parameter starts nowhere, for libclang:
/// at its name, then.
pub(crate) fn extent(cursor: CXCursor) -> (Position, Position) {
    // SAFETY: the cursor's unit is alive.
    let (start, end) = unsafe {
        let range = clang::clang_getCursorExtent(cursor);
        (position(clang::clang_getRangeStart(range)), position(clang::clang_getRangeEnd(range)))
    };
    let is_nowhere = start.file.is_null() && kind(cursor) == clang::CXCursor_FunctionTemplate;
    (if is_nowhere { location(cursor) } else { start }, end)
}

pub(crate) fn file_name(file: clang::CXFile) -> String {
    if file.is_null() {
        return String::new();
    }
    // SAFETY: the file belongs to a living unit.
    owned(unsafe { clang::clang_getFileName(file) })
}

/// A name with the namespaces and classes that it belongs to.
pub(crate) fn qualified(cursor: CXCursor, name: &str) -> String {
    let mut qualified = name.to_owned();
    let mut parent = semantic_parent(cursor);
    while !is_null(parent) {
        match kind(parent) {
            clang::CXCursor_Namespace
            | clang::CXCursor_StructDecl
            | clang::CXCursor_ClassDecl
            | clang::CXCursor_UnionDecl
            | clang::CXCursor_ClassTemplate => {
                // SAFETY: the unit is alive.
                let has_no_name = unsafe { clang::clang_Cursor_isAnonymous(parent) != 0 };
                if !has_no_name {
                    qualified = format!("{}::{qualified}", spelling(parent));
                }
            }
            clang::CXCursor_EnumDecl => {
                // SAFETY: the unit is alive.
                let is_scope = unsafe { clang::clang_EnumDecl_isScoped(parent) != 0 };
                if is_scope {
                    qualified = format!("{}::{qualified}", spelling(parent));
                }
            }
            clang::CXCursor_LinkageSpec | clang::CXCursor_UnexposedDecl => {}
            _ => break,
        }
        parent = semantic_parent(parent);
    }
    qualified
}
