//! Whether code keeps anything from one call to the next, or asks anybody.

use estrange_clang::{NodeKind, ThingKind, Tree};

/// What a function may call that keeps nothing and sees nothing but what it is handed.
const PURE: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "isalnum",
    "isalpha",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "tolower",
    "toupper",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "memchr",
    "strlen",
    "strchr",
    "strcmp",
    "strncmp",
    "floor",
    "ceil",
    "fabs",
    "fabsf",
    "sqrt",
    "__assert_fail",
    "abort",
];

/// Whether no function of a text keeps anything from one call to the next, or asks anybody.
pub(crate) fn keeps_nothing(tree: &Tree) -> bool {
    tree.nodes.iter().all(|node| {
        let thing = node.thing.map(|thing| tree.thing(thing));
        let is_constant = |type_: Option<u32>| type_.is_some_and(|type_| is_constant(tree, type_));
        match (node.kind, thing) {
            (NodeKind::Assembly | NodeKind::New | NodeKind::Delete | NodeKind::Throw | NodeKind::Lambda, _) => false,
            (NodeKind::Variable, Some(thing)) => !thing.is_static || is_constant(thing.type_),
            (NodeKind::Name, Some(thing)) => match thing.kind {
                ThingKind::Global => thing.is_defined && is_constant(thing.type_),
                ThingKind::Function => thing.is_defined || PURE.contains(&thing.name.as_str()),
                ThingKind::Method | ThingKind::Other => false,
                _ => true,
            },
            _ => true,
        }
    })
}

fn is_constant(tree: &Tree, type_: u32) -> bool {
    let type_ = tree.type_(type_);
    match type_.shape {
        estrange_clang::Shape::Array { of, .. } => type_.is_const || is_constant(tree, of),
        _ => type_.is_const && !type_.is_volatile,
    }
}
