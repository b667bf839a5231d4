//! The types of a text: what a value of each consists of.

use std::collections::HashMap;
use std::os::raw::c_void;

use clang::{CXCursor, CXType};
use clang_sys as clang;
use serde::{Deserialize, Serialize};

use crate::cursor::{
    canonical_type, children, declaration_of, definition, is_null, kind, location, owned, pointee, qualified,
    semantic_parent, spelling,
};
use crate::library::Unit;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Type {
    /// As the text writes it.
    pub spelling: String,
    /// With all aliases looked through.
    pub canonical: String,
    /// What a value consists of.
    pub shape: Shape,
    /// Whether it cannot be written to.
    pub is_const: bool,
    /// Whether every access to it counts.
    pub is_volatile: bool,
    /// How many bytes a value has, where that is known.
    pub size: Option<u64>,
    /// Whether it is as in C: copying its bytes copies it.
    pub is_plain: bool,
}

/// What a value of a type consists of. Numbers are indices of types, records and enumerations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// Nothing.
    Void,
    /// True or false.
    Boolean,
    /// A whole number.
    Integer {
        /// Its bits.
        bits: u16,
        /// Whether it can be negative.
        is_signed: bool,
        /// Whether it is a character, by its type: `char` with or without a sign, `wchar_t`, ….
        is_character: bool,
    },
    /// A floating-point number.
    Floating {
        /// Its bits.
        bits: u16,
    },
    /// An address.
    Pointer {
        /// Of what.
        to: u32,
    },
    /// A reference.
    Reference {
        /// To what.
        to: u32,
        /// Whether it binds to what is about to end.
        is_rvalue: bool,
    },
    /// Several values of the same type.
    Array {
        /// Of what.
        of: u32,
        /// How many, where that is known before the program runs.
        length: Option<u64>,
    },
    /// A struct, union or class.
    Record(u32),
    /// One of several named numbers.
    Enumeration(u32),
    /// A function.
    Function {
        /// What it returns.
        result: u32,
        /// What it takes.
        parameters: Vec<u32>,
        /// Whether it takes more.
        is_variadic: bool,
    },
    /// A parameter of a template, or something that depends on one.
    Dependent,
    /// Something else: a vector of the processor, a complex number, a pointer to a member.
    Other,
}

/// A struct, union or class.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its tag; empty if it has none.
    pub name: String,
    /// Its name with what it belongs to.
    pub qualified_name: String,
    /// Whether it is a union.
    pub is_union: bool,
    /// Whether its members are known.
    pub is_complete: bool,
    /// Whether the text itself defines it.
    pub is_ours: bool,
    /// Whether it has a method that a class below it must define.
    pub is_abstract: bool,
    /// Its members, in order.
    pub fields: Vec<Field>,
    /// The types that it is made on top of.
    pub bases: Vec<u32>,
    /// Its constructors, as far as it declares them.
    pub constructors: Vec<Method>,
    /// The types that its template was given; none for what is no type.
    pub arguments: Vec<Option<u32>>,
    /// Whether objects of it know their class: it or one that it is made on top of has a virtual method.
    pub is_dynamic: bool,
    /// Whether it shares something that it is made on top of with others.
    pub has_virtual_base: bool,
    /// The types of the virtual methods that it adds, in the order of its table; none for each half of a destructor.
    pub virtuals: Vec<Option<u32>>,
    /// Where its definition starts in the text, if it is ours.
    pub start: Option<u32>,
}

/// A member of a struct, union or class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its type.
    pub type_: u32,
    /// How many bits it has, if it says so.
    pub bits: Option<u16>,
    /// Where it begins in the record, in bits, where that is known.
    pub offset: Option<u64>,
    /// Where its name stands in the text; none if it has none or a header declares it.
    pub at: Option<u32>,
    /// Whether all code may use it.
    pub is_public: bool,
}

/// A constructor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    /// What it takes.
    pub parameters: Vec<u32>,
    /// Whether all code may call it.
    pub is_public: bool,
    /// Whether the text or a header defines it, or the compiler does.
    pub is_defined: bool,
    /// Whether it may not be called at all.
    pub is_deleted: bool,
}

/// An enumeration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enumeration {
    /// Its tag; empty if it has none.
    pub name: String,
    /// The type of its numbers.
    pub of: u32,
    /// Its values.
    pub values: Vec<(String, i64)>,
}

/// What the library makes of templates and is looked into: it consists of its members and nothing else.
const SHOWN: &[&str] = &["std::pair", "std::array", "std::complex", "std::initializer_list"];

/// The types found so far.
#[derive(Default)]
pub(super) struct Types {
    pub(super) types: Vec<Type>,
    pub(super) records: Vec<Record>,
    pub(super) enumerations: Vec<Enumeration>,
    known: HashMap<(String, String), u32>,
    declared: HashMap<String, u32>,
}

impl Types {
    /// The number of a type; nothing if it is none.
    pub(super) fn number(&mut self, of: CXType, unit: &Unit) -> Option<u32> {
        if of.kind == clang::CXType_Invalid {
            return None;
        }
        // SAFETY: the type's unit is alive.
        let canonical = unsafe { clang::clang_getCanonicalType(of) };
        let key = (written(of), written(canonical));
        // What has no type by itself, as `__builtin_va_start` or a method before it is called: libclang crashes when it
        // is asked for more.
        if key.1.starts_with('<') && key.1 != "<dependent type>" {
            return None;
        }
        if let Some(number) = self.known.get(&key) {
            return Some(*number);
        }
        // What the compiler uses in place of a type, such as for its own functions: it crashes when asked about one.
        if key.1.starts_with('<') {
            return None;
        }
        let number = self.types.len() as u32;
        // SAFETY: the type's unit is alive.
        let (is_const, is_volatile, size, is_plain) = unsafe {
            (
                clang::clang_isConstQualifiedType(canonical) != 0,
                clang::clang_isVolatileQualifiedType(canonical) != 0,
                clang::clang_Type_getSizeOf(canonical),
                clang::clang_isPODType(canonical) != 0,
            )
        };
        self.types.push(Type {
            spelling: key.0.clone(),
            canonical: key.1.clone(),
            shape: Shape::Other,
            is_const,
            is_volatile,
            size: u64::try_from(size).ok(),
            is_plain,
        });
        self.known.insert(key, number);
        // What it points to, or consists of, is as it is written, where that can be told.
        let is_alias = matches!(of.kind, clang::CXType_Typedef | clang::CXType_Elaborated | clang::CXType_Unexposed);
        let shape = self.shape(if is_alias || of.kind == clang::CXType_Auto { canonical } else { of }, size, unit);
        self.types[number as usize].shape = shape;
        Some(number)
    }

    fn shape(&mut self, of: CXType, size: i64, unit: &Unit) -> Shape {
        let bits = u16::try_from(size * 8).unwrap_or_default();
        let integer = |is_signed, is_character| Shape::Integer { bits, is_signed, is_character };
        match of.kind {
            clang::CXType_Void => Shape::Void,
            clang::CXType_Bool => Shape::Boolean,
            clang::CXType_Char_S | clang::CXType_SChar => integer(true, true),
            clang::CXType_Char_U | clang::CXType_UChar => integer(false, true),
            clang::CXType_WChar | clang::CXType_Char16 | clang::CXType_Char32 => {
                integer(of.kind == clang::CXType_WChar, true)
            }
            clang::CXType_Short
            | clang::CXType_Int
            | clang::CXType_Long
            | clang::CXType_LongLong
            | clang::CXType_Int128 => integer(true, false),
            clang::CXType_UShort
            | clang::CXType_UInt
            | clang::CXType_ULong
            | clang::CXType_ULongLong
            | clang::CXType_UInt128 => integer(false, false),
            clang::CXType_Float
            | clang::CXType_Double
            | clang::CXType_LongDouble
            | clang::CXType_Float128
            | clang::CXType_Half
            | clang::CXType_Float16 => Shape::Floating { bits },
            clang::CXType_Pointer => self.number(pointee(of), unit).map_or(Shape::Other, |to| Shape::Pointer { to }),
            clang::CXType_LValueReference | clang::CXType_RValueReference => {
                let is_rvalue = of.kind == clang::CXType_RValueReference;
                self.number(pointee(of), unit).map_or(Shape::Other, |to| Shape::Reference { to, is_rvalue })
            }
            clang::CXType_ConstantArray
            | clang::CXType_IncompleteArray
            | clang::CXType_VariableArray
            | clang::CXType_DependentSizedArray => {
                // SAFETY: the type's unit is alive.
                let (element, length) =
                    unsafe { (clang::clang_getArrayElementType(of), clang::clang_getArraySize(of)) };
                let length = (of.kind == clang::CXType_ConstantArray).then(|| u64::try_from(length).ok()).flatten();
                self.number(element, unit).map_or(Shape::Other, |of| Shape::Array { of, length })
            }
            clang::CXType_Record => self.record(declaration_of(of), unit).map_or(Shape::Other, Shape::Record),
            clang::CXType_Enum => self.enumeration(declaration_of(of), unit).map_or(Shape::Other, Shape::Enumeration),
            clang::CXType_FunctionProto | clang::CXType_FunctionNoProto => self.function(of, unit),
            clang::CXType_Dependent | clang::CXType_Unexposed | clang::CXType_Auto => Shape::Dependent,
            _ => Shape::Other,
        }
    }

    fn function(&mut self, of: CXType, unit: &Unit) -> Shape {
        // SAFETY: the type's unit is alive, the numbers are in range.
        let (result, parameters, is_variadic) = unsafe {
            let count = u32::try_from(clang::clang_getNumArgTypes(of)).unwrap_or_default();
            let parameters: Vec<CXType> = (0..count).map(|number| clang::clang_getArgType(of, number)).collect();
            (clang::clang_getResultType(of), parameters, clang::clang_isFunctionTypeVariadic(of) != 0)
        };
        let parameters: Option<Vec<u32>> = parameters.into_iter().map(|each| self.number(each, unit)).collect();
        match (self.number(result, unit), parameters) {
            (Some(result), Some(parameters)) => Shape::Function { result, parameters, is_variadic },
            _ => Shape::Other,
        }
    }

    /// The number of the record that a cursor declares.
    pub(super) fn record(&mut self, cursor: CXCursor, unit: &Unit) -> Option<u32> {
        if is_null(cursor) {
            return None;
        }
        let defined = definition(cursor);
        let cursor = if is_null(defined) { cursor } else { defined };
        let key = identity(cursor);
        if let Some(number) = self.declared.get(&key) {
            return Some(*number);
        }
        let number = self.records.len() as u32;
        self.declared.insert(key, number);
        let at = location(cursor);
        let is_ours = at.file == unit.file;
        // SAFETY: the unit is alive.
        let (is_abstract, has_no_name) =
            unsafe { (clang::clang_CXXRecord_isAbstract(cursor) != 0, clang::clang_Cursor_isAnonymous(cursor) != 0) };
        let name = if has_no_name { String::new() } else { spelling(cursor) };
        self.records.push(Record {
            qualified_name: qualified(cursor, &name),
            name,
            is_union: kind(cursor) == clang::CXCursor_UnionDecl,
            is_complete: !is_null(defined),
            is_ours,
            is_abstract,
            start: is_ours.then(|| crate::cursor::extent(cursor).0.offset),
            ..Record::default()
        });
        self.arguments(number, cursor, unit);
        let mut members = children(cursor);
        // Of what a template was made into, libclang shows the members by its type only.
        let is_seen = members.iter().any(|child| kind(*child) == clang::CXCursor_FieldDecl);
        let is_wanted = is_ours || SHOWN.contains(&self.records[number as usize].qualified_name.as_str());
        if !is_seen && is_wanted && !self.records[number as usize].arguments.is_empty() {
            members = fields_by_type(cursor);
        }
        for child in members {
            self.member(number, child, unit);
        }
        Some(number)
    }

    /// Notes what a record's template was given.
    fn arguments(&mut self, record: u32, cursor: CXCursor, unit: &Unit) {
        let of = canonical_type(cursor);
        // SAFETY: the unit is alive, the numbers are in range.
        let arguments: Vec<CXType> = unsafe {
            let count = u32::try_from(clang::clang_Type_getNumTemplateArguments(of)).unwrap_or_default();
            (0..count).map(|number| clang::clang_Type_getTemplateArgumentAsType(of, number)).collect()
        };
        let arguments = arguments.into_iter().map(|each| self.number(each, unit)).collect();
        self.records[record as usize].arguments = arguments;
    }

    fn member(&mut self, record: u32, child: CXCursor, unit: &Unit) {
        // SAFETY: the unit is alive.
        let is_public = unsafe {
            !matches!(clang::clang_getCXXAccessSpecifier(child), clang::CX_CXXPrivate | clang::CX_CXXProtected)
        };
        match kind(child) {
            clang::CXCursor_FieldDecl => {
                // SAFETY: the unit is alive.
                let (of, bits, offset) = unsafe {
                    (
                        clang::clang_getCursorType(child),
                        clang::clang_getFieldDeclBitWidth(child),
                        clang::clang_Cursor_getOffsetOfField(child),
                    )
                };
                let Some(type_) = self.number(of, unit) else { return };
                let place = location(child);
                // SAFETY: the unit is alive.
                let has_no_name = unsafe { clang::clang_Cursor_isAnonymous(child) != 0 };
                let name = if has_no_name { String::new() } else { spelling(child) };
                self.records[record as usize].fields.push(Field {
                    name,
                    type_,
                    bits: u16::try_from(bits).ok(),
                    offset: u64::try_from(offset).ok(),
                    at: (place.file == unit.file && !has_no_name).then_some(place.offset),
                    is_public,
                });
            }
            // A struct without a name in another: its members are members of the other.
            clang::CXCursor_StructDecl | clang::CXCursor_UnionDecl => {
                // SAFETY: the unit is alive.
                let is_anonymous = unsafe { clang::clang_Cursor_isAnonymousRecordDecl(child) != 0 };
                if is_anonymous {
                    // SAFETY: the unit is alive.
                    let of = unsafe { clang::clang_getCursorType(child) };
                    if let Some(type_) = self.number(of, unit) {
                        let offset = offset_without_name(child);
                        let field = Field { name: String::new(), type_, bits: None, offset, at: None, is_public };
                        self.records[record as usize].fields.push(field);
                    }
                }
            }
            clang::CXCursor_CXXBaseSpecifier => {
                if let Some(base) = self.number(canonical_type(child), unit) {
                    // SAFETY: the unit is alive.
                    let is_virtual = unsafe { clang::clang_isVirtualBase(child) != 0 };
                    let is_dynamic = match self.types[base as usize].shape {
                        Shape::Record(base) => self.records[base as usize].is_dynamic,
                        _ => false,
                    };
                    let record = &mut self.records[record as usize];
                    record.bases.push(base);
                    record.is_dynamic |= is_virtual || is_dynamic;
                    record.has_virtual_base |= is_virtual;
                }
            }
            clang::CXCursor_CXXMethod | clang::CXCursor_Destructor => {
                // SAFETY: the unit is alive.
                let (is_virtual, of) =
                    unsafe { (clang::clang_CXXMethod_isVirtual(child) != 0, clang::clang_getCursorType(child)) };
                self.records[record as usize].is_dynamic |= is_virtual;
                if is_virtual && !overrides(child) {
                    let added = match kind(child) {
                        clang::CXCursor_Destructor => vec![None; 2],
                        _ => vec![self.number(of, unit)],
                    };
                    self.records[record as usize].virtuals.extend(added);
                }
            }
            clang::CXCursor_Constructor => {
                // SAFETY: the unit is alive, the numbers are in range.
                let (parameters, is_deleted) = unsafe {
                    let count = u32::try_from(clang::clang_Cursor_getNumArguments(child)).unwrap_or_default();
                    let parameters: Vec<CXType> = (0..count)
                        .map(|number| clang::clang_getCursorType(clang::clang_Cursor_getArgument(child, number)))
                        .collect();
                    (parameters, clang::clang_CXXMethod_isDeleted(child) != 0)
                };
                let parameters: Option<Vec<u32>> = parameters.into_iter().map(|each| self.number(each, unit)).collect();
                let Some(parameters) = parameters else { return };
                // SAFETY: the unit is alive.
                let is_defaulted = unsafe { clang::clang_CXXMethod_isDefaulted(child) != 0 };
                let is_defined = is_defaulted || !is_null(definition(child));
                let method = Method { parameters, is_public, is_defined, is_deleted };
                self.records[record as usize].constructors.push(method);
            }
            _ => {}
        }
    }

    fn enumeration(&mut self, cursor: CXCursor, unit: &Unit) -> Option<u32> {
        let defined = definition(cursor);
        let cursor = if is_null(defined) { cursor } else { defined };
        let key = identity(cursor);
        if let Some(number) = self.declared.get(&key) {
            return Some(*number);
        }
        // SAFETY: the unit is alive.
        let of = self.number(unsafe { clang::clang_getEnumDeclIntegerType(cursor) }, unit)?;
        let constants = children(cursor).into_iter().filter(|child| kind(*child) == clang::CXCursor_EnumConstantDecl);
        // SAFETY: the unit is alive.
        let values = constants.map(|child| (spelling(child), unsafe { clang::clang_getEnumConstantDeclValue(child) }));
        // SAFETY: the unit is alive.
        let has_no_name = unsafe { clang::clang_Cursor_isAnonymous(cursor) != 0 };
        let name = if has_no_name { String::new() } else { spelling(cursor) };
        let number = self.enumerations.len() as u32;
        self.enumerations.push(Enumeration { name, of, values: values.collect() });
        self.declared.insert(key, number);
        Some(number)
    }
}

fn written(of: CXType) -> String {
    // SAFETY: the type's unit is alive.
    owned(unsafe { clang::clang_getTypeSpelling(of) })
}

/// Where a struct without a name begins in the one that it is in: its first member that has a name tells.
fn offset_without_name(record: CXCursor) -> Option<u64> {
    let outer = semantic_parent(record);
    let member = children(record).into_iter().find(|child| kind(*child) == clang::CXCursor_FieldDecl)?;
    let name = std::ffi::CString::new(spelling(member)).ok()?;
    // SAFETY: the unit is alive, the name ends with a zero.
    let (in_outer, in_inner) = unsafe {
        (
            clang::clang_Type_getOffsetOf(clang::clang_getCursorType(outer), name.as_ptr()),
            clang::clang_Cursor_getOffsetOfField(member),
        )
    };
    u64::try_from(in_outer).ok()?.checked_sub(u64::try_from(in_inner).ok()?)
}

/// Whether a method has a place in a table already.
fn overrides(method: CXCursor) -> bool {
    let (mut overridden, mut count) = (std::ptr::null_mut(), 0);
    // SAFETY: the unit is alive, and the result is given back.
    unsafe {
        clang::clang_getOverriddenCursors(method, &mut overridden, &mut count);
        clang::clang_disposeOverriddenCursors(overridden);
    }
    count > 0
}

/// The members of a record, by its type.
fn fields_by_type(record: CXCursor) -> Vec<CXCursor> {
    extern "C" fn visit(cursor: CXCursor, data: *mut c_void) -> i32 {
        // SAFETY: `data` is the vector below, which nothing else uses meanwhile.
        unsafe { (*data.cast::<Vec<CXCursor>>()).push(cursor) };
        clang::CXVisit_Continue
    }
    let mut found: Vec<CXCursor> = Vec::new();
    // SAFETY: the visitor only pushes.
    unsafe { clang::clang_Type_visitFields(canonical_type(record), visit, (&raw mut found).cast()) };
    found
}

/// Stands for a declaration and no other.
fn identity(cursor: CXCursor) -> String {
    // SAFETY: the unit is alive.
    let usr = owned(unsafe { clang::clang_getCursorUSR(cursor) });
    let at = location(cursor);
    format!("{usr} {:?} {}", at.file, at.offset)
}
