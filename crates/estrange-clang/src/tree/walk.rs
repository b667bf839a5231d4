//! From libclang's cursors to the tree.

use std::collections::HashMap;

use clang::CXCursor;
use clang_sys as clang;

use super::kind::kind_of;
use super::types::Types;
use super::{Body, Declared, FunctionKind, Node, NodeKind, TemplateParameter, Thing, ThingKind, Tree};
use crate::cursor::{
    children, extent, is_definition, is_function, is_null, is_template, kind, lexical_parent, location, qualified,
    referenced, semantic_parent, spelling, within_template,
};
use crate::library::Unit;

/// The functions of a parsed text.
pub(super) fn tree(unit: &Unit) -> Tree {
    let mut walk =
        Walk { unit, tree: Tree::default(), types: Types::default(), things: HashMap::new(), is_added: false };
    // SAFETY: the unit is alive.
    let root = unsafe { clang::clang_getTranslationUnitCursor(unit.raw) };
    let top = children(root);
    walk.expansions(&top);
    for cursor in top {
        walk.outside(cursor);
    }
    let Walk { mut tree, types, .. } = walk;
    (tree.types, tree.records, tree.enumerations) = (types.types, types.records, types.enumerations);
    tree.troubles = unit.troubles();
    tree
}

struct Walk<'u> {
    unit: &'u Unit,
    tree: Tree,
    types: Types,
    things: HashMap<(usize, u32, String), u32>,
    /// Whether the nodes that are visited are what the language adds to a text.
    is_added: bool,
}

impl Walk<'_> {
    /// Notes where macros are called.
    fn expansions(&mut self, top: &[CXCursor]) {
        let calls = top.iter().filter(|cursor| kind(**cursor) == clang::CXCursor_MacroExpansion);
        let mut ranges: Vec<(u32, u32)> = calls
            .map(|cursor| extent(*cursor))
            .filter(|(start, _)| start.file == self.unit.file)
            .map(|(start, end)| (start.offset, end.offset))
            .collect();
        ranges.sort_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
        let mut reached = 0;
        ranges.retain(|(start, end)| {
            let is_outermost = *start >= reached;
            reached = reached.max(*end);
            is_outermost
        });
        self.tree.expansions = ranges;
    }

    /// What stands outside of functions.
    fn outside(&mut self, cursor: CXCursor) {
        if location(cursor).file != self.unit.file {
            return;
        }
        match kind(cursor) {
            _ if is_function(cursor) => {
                if is_definition(cursor) {
                    self.function(cursor);
                } else {
                    self.thing(cursor);
                }
            }
            clang::CXCursor_VarDecl => {
                self.thing(cursor);
            }
            clang::CXCursor_Namespace
            | clang::CXCursor_LinkageSpec
            | clang::CXCursor_UnexposedDecl
            | clang::CXCursor_StructDecl
            | clang::CXCursor_UnionDecl
            | clang::CXCursor_ClassDecl
            | clang::CXCursor_ClassTemplate
            | clang::CXCursor_ClassTemplatePartialSpecialization => {
                let is_class = matches!(kind(cursor), clang::CXCursor_StructDecl | clang::CXCursor_ClassDecl);
                if is_class && is_definition(cursor) && !within_template(cursor) {
                    // SAFETY: the unit is alive.
                    self.types.number(unsafe { clang::clang_getCursorType(cursor) }, self.unit);
                }
                for child in children(cursor) {
                    self.outside(child);
                }
            }
            _ => {}
        }
    }

    fn function(&mut self, cursor: CXCursor) {
        let Some(thing) = self.thing(cursor) else { return };
        let (start, end) = extent(cursor);
        let mut parameters = Vec::new();
        let mut body = None;
        let mut initializers = Vec::new();
        // SAFETY: asks about a number.
        let is_expression = |child| unsafe { clang::clang_isExpression(kind(child)) != 0 };
        for child in children(cursor) {
            match kind(child) {
                clang::CXCursor_ParmDecl => parameters.extend(self.thing(child)),
                clang::CXCursor_CompoundStmt => body = Some(self.node(child, None)),
                _ if kind(cursor) == clang::CXCursor_Constructor && is_expression(child) => {
                    initializers.push(self.node(child, None));
                }
                _ => {}
            }
        }
        let parent = semantic_parent(cursor);
        let of = is_class(parent).then(|| self.types.record(parent, self.unit)).flatten();
        // SAFETY: the unit is alive.
        let (is_static_method, is_const_method) =
            unsafe { (clang::clang_CXXMethod_isStatic(cursor) != 0, clang::clang_CXXMethod_isConst(cursor) != 0) };
        let function_kind = match kind(cursor) {
            clang::CXCursor_Constructor => FunctionKind::Constructor,
            clang::CXCursor_Destructor => FunctionKind::Destructor,
            clang::CXCursor_ConversionFunction => FunctionKind::Conversion,
            clang::CXCursor_CXXMethod => FunctionKind::Method,
            _ if of.is_some() => FunctionKind::Method,
            _ => FunctionKind::Free,
        };
        self.tree.functions.push(Body {
            thing,
            start: start.offset,
            end: end.offset,
            parameters,
            body,
            initializers,
            of,
            kind: function_kind,
            name: location(cursor).offset,
            declared: (of.is_some() || is_template(parent)).then(|| self.declared(cursor)).flatten(),
            is_static_method,
            is_const_method,
            is_friend: of.is_none() && is_class(lexical_parent(cursor)),
            is_template: within_template(cursor),
            class_parameters: template_parameters(parent),
            template_parameters: template_parameters(cursor),
        });
    }

    /// Where a method is declared that is defined elsewhere.
    fn declared(&self, cursor: CXCursor) -> Option<Declared> {
        // SAFETY: the unit is alive.
        let first = unsafe { clang::clang_getCanonicalCursor(cursor) };
        let ((start, end), name) = (extent(first), location(first));
        let is_other = name.offset != location(cursor).offset && name.file == self.unit.file;
        is_other.then_some(Declared { start: start.offset, end: end.offset, name: name.offset })
    }

    /// Puts a cursor and all below it into the tree.
    fn node(&mut self, cursor: CXCursor, parent: Option<u32>) -> u32 {
        let number = self.tree.nodes.len() as u32;
        let (start, end) = extent(cursor);
        let node_kind = kind_of(cursor);
        // SAFETY: the unit is alive.
        let type_ = self.types.number(unsafe { clang::clang_getCursorType(cursor) }, self.unit);
        let thing = self.named(cursor, node_kind);
        let is_written = !self.is_added
            && start.file == self.unit.file
            && end.file == self.unit.file
            && self.is_written(start.offset, end.offset, parent);
        self.tree.nodes.push(Node {
            kind: node_kind,
            start: start.offset,
            end: end.offset,
            parent,
            next: number + 1,
            type_,
            thing,
            is_written,
            value: value(cursor, node_kind),
        });
        // A `for` over a range gives its variable a value that stands nowhere.
        let is_of_range = |parent: u32| self.tree.nodes[parent as usize].kind == NodeKind::RangeFor;
        let was_added = self.is_added;
        self.is_added |= node_kind == NodeKind::Variable && parent.is_some_and(is_of_range);
        for child in children(cursor) {
            self.node(child, Some(number));
        }
        self.is_added = was_added;
        self.tree.nodes[number as usize].next = self.tree.nodes.len() as u32;
        number
    }

    /// Whether a text is a node's own: macros are called within it or not at all.
    fn is_written(&self, start: u32, end: u32, parent: Option<u32>) -> bool {
        if start >= end {
            return false;
        }
        let calls = &self.tree.expansions;
        let first = calls.partition_point(|(_, call_end)| *call_end <= start);
        for (call_start, call_end) in calls[first..].iter().take_while(|(call_start, _)| *call_start < end) {
            let is_within = start <= *call_start && *call_end <= end;
            if !is_within {
                return false;
            }
            // What a macro's body consists of stands where the call as a whole does.
            let is_whole_call = (start, end) == (*call_start, *call_end);
            let parent = parent.map(|parent| &self.tree.nodes[parent as usize]);
            if is_whole_call && parent.is_some_and(|parent| start <= parent.start && parent.end <= end) {
                return false;
            }
        }
        true
    }

    fn named(&mut self, cursor: CXCursor, node_kind: NodeKind) -> Option<u32> {
        match node_kind {
            NodeKind::Variable | NodeKind::Label => self.thing(cursor),
            NodeKind::Name | NodeKind::Member | NodeKind::TypeName | NodeKind::Call => {
                let target = referenced(cursor);
                if is_null(target) { None } else { self.thing(target) }
            }
            _ => None,
        }
    }

    /// The number of what a cursor declares.
    fn thing(&mut self, cursor: CXCursor) -> Option<u32> {
        // SAFETY: the unit is alive.
        let first = unsafe { clang::clang_getCanonicalCursor(cursor) };
        let at = location(first);
        let name = spelling(cursor);
        let key = (at.file as usize, at.offset, name.clone());
        if let Some(number) = self.things.get(&key) {
            if is_definition(cursor) {
                self.tree.things[*number as usize].is_defined |= location(cursor).file == self.unit.file;
            }
            return Some(*number);
        }
        let thing_kind = self.thing_kind(cursor)?;
        let number = self.tree.things.len() as u32;
        // SAFETY: the unit is alive.
        let (of, storage, linkage) = unsafe {
            (
                clang::clang_getCursorType(cursor),
                clang::clang_Cursor_getStorageClass(cursor),
                clang::clang_getCursorLinkage(cursor),
            )
        };
        self.things.insert(key, number);
        self.tree.things.push(Thing {
            qualified_name: qualified(cursor, &name),
            name,
            kind: thing_kind,
            type_: None,
            at: (at.file == self.unit.file).then_some(at.offset),
            // In C a variable may be defined without a value, and several times; in a class it is declared only.
            is_defined: (is_definition(cursor)
                || kind(cursor) == clang::CXCursor_VarDecl
                    && storage != clang::CX_SC_Extern
                    && !is_class(semantic_parent(cursor)))
                && location(cursor).file == self.unit.file,
            is_static: storage == clang::CX_SC_Static || linkage == clang::CXLinkage_Internal,
            is_public: is_public(cursor),
            // SAFETY: the unit is alive.
            is_virtual: unsafe { clang::clang_CXXMethod_isVirtual(cursor) != 0 },
        });
        let type_ = self.types.number(of, self.unit);
        self.tree.things[number as usize].type_ = type_;
        Some(number)
    }

    fn thing_kind(&self, cursor: CXCursor) -> Option<ThingKind> {
        Some(match kind(cursor) {
            clang::CXCursor_ParmDecl => ThingKind::Parameter,
            clang::CXCursor_VarDecl => {
                let parent = semantic_parent(cursor);
                let is_local = is_function(parent) || kind(parent) == clang::CXCursor_LambdaExpr;
                if is_local { ThingKind::Local } else { ThingKind::Global }
            }
            clang::CXCursor_FunctionDecl | clang::CXCursor_FunctionTemplate => ThingKind::Function,
            clang::CXCursor_CXXMethod
            | clang::CXCursor_Constructor
            | clang::CXCursor_Destructor
            | clang::CXCursor_ConversionFunction => ThingKind::Method,
            clang::CXCursor_FieldDecl => ThingKind::Field,
            clang::CXCursor_EnumConstantDecl => ThingKind::Enumerator,
            clang::CXCursor_LabelStmt => ThingKind::Label,
            clang::CXCursor_StructDecl
            | clang::CXCursor_UnionDecl
            | clang::CXCursor_ClassDecl
            | clang::CXCursor_EnumDecl
            | clang::CXCursor_TypedefDecl
            | clang::CXCursor_TypeAliasDecl
            | clang::CXCursor_ClassTemplate => ThingKind::Type,
            clang::CXCursor_InvalidFile | clang::CXCursor_NoDeclFound | clang::CXCursor_TranslationUnit => return None,
            _ => ThingKind::Other,
        })
    }
}

/// What a template takes; nothing for what is none.
fn template_parameters(cursor: CXCursor) -> Vec<TemplateParameter> {
    if !is_template(cursor) {
        return Vec::new();
    }
    let parameters = children(cursor).into_iter().filter(|child| {
        matches!(
            kind(*child),
            clang::CXCursor_TemplateTypeParameter
                | clang::CXCursor_NonTypeTemplateParameter
                | clang::CXCursor_TemplateTemplateParameter
        )
    });
    let is_type = |parameter: CXCursor| kind(parameter) == clang::CXCursor_TemplateTypeParameter;
    parameters.map(|each| TemplateParameter { name: spelling(each), is_type: is_type(each) }).collect()
}

/// Whether all code may name what a cursor declares.
fn is_public(cursor: CXCursor) -> bool {
    let mut at = cursor;
    while !is_null(at) && kind(at) != clang::CXCursor_TranslationUnit {
        // SAFETY: the unit is alive.
        let access = unsafe { clang::clang_getCXXAccessSpecifier(at) };
        if matches!(access, clang::CX_CXXPrivate | clang::CX_CXXProtected) {
            return false;
        }
        at = semantic_parent(at);
    }
    true
}

fn is_class(cursor: CXCursor) -> bool {
    matches!(kind(cursor), clang::CXCursor_StructDecl | clang::CXCursor_ClassDecl | clang::CXCursor_UnionDecl)
}

/// The value of an integer that the compiler knows.
fn value(cursor: CXCursor, node_kind: NodeKind) -> Option<i64> {
    if node_kind == NodeKind::Name {
        let target = referenced(cursor);
        let is_enumerator = !is_null(target) && kind(target) == clang::CXCursor_EnumConstantDecl;
        // SAFETY: the unit is alive.
        return is_enumerator.then(|| unsafe { clang::clang_getEnumConstantDeclValue(target) });
    }
    if !matches!(node_kind, NodeKind::Integer | NodeKind::Character | NodeKind::Size) {
        return None;
    }
    // SAFETY: the unit is alive, and the result is given back.
    unsafe {
        let result = clang::clang_Cursor_Evaluate(cursor);
        if result.is_null() {
            return None;
        }
        let is_integer = clang::clang_EvalResult_getKind(result) == clang::CXEval_Int;
        let value = is_integer.then(|| clang::clang_EvalResult_getAsLongLong(result));
        clang::clang_EvalResult_dispose(result);
        value
    }
}
