//! Negative controls: rewrites that the language allows and that take bugs away. The gate must refuse each where it does.
//!
//! What a program with undefined behaviour does is not defined, so that giving it a definition is a right rewrite: a
//! compiler, an obfuscator or a careful person may do so. These do it on purpose, to the operation that faults or to what it
//! depends on. A pair's vulnerable side after one of them is run on its trigger like any rung.

use std::ops::Range;

use estrange_clang::{Binary, Node, NodeKind, Shape, Tree, Unary};
use estrange_text::lexer::{Kind, lex};
use estrange_words::{End, words};

words! {
    /// A rewrite that may take a bug away.
    pub enum Control {
        /// Arithmetic goes through unsigned numbers and back.
        UnsignedDetour = "unsigned-detour",
        /// Sums and differences become bitwise arithmetic, as obfuscators write them.
        ArithmeticEncoding = "arithmetic-encoding",
        /// Arithmetic is done in 128 bits, and what is left over is dropped.
        WiderArithmetic = "wider-arithmetic",
        /// Arithmetic is done by the compiler's functions that wrap around.
        WrappingBuiltin = "wrapping-builtin",
        /// A shift goes by as many bits as the processor takes of the number.
        MaskedShift = "masked-shift",
        /// A division by zero gives zero.
        GuardedDivision = "guarded-division",
        /// An index wraps around at the length of its array.
        WrappedIndex = "wrapped-index",
        /// Instead of through a null pointer, a spare object is accessed.
        NullCheck = "null-check",
        /// `memcpy` becomes `memmove`.
        Memmove = "memmove",
        /// Allocations are larger than was asked for.
        SpareRoom = "spare-room",
        /// Nothing is freed.
        NeverFreed = "never-freed",
        /// Local arrays are longer than they were.
        LongerArray = "longer-array",
        /// What has no value gets one: variables of functions by the compiler.
        Initialised = "initialised",
        /// `malloc` becomes `calloc`: what was allocated is zero.
        ZeroedMemory = "zeroed-memory",
        /// The compiler optimises before the sanitizers look: what is computed and not used is gone.
        Optimised = "optimised",
        /// Functions come as machine code that was compiled before, where no sanitizer looks.
        CompiledBefore = "compiled-before",
    }
}

/// What a control makes of a text.
pub(crate) enum Controlled {
    /// Another text.
    Text(String),
    /// The same text, compiled with one more flag.
    Flag(&'static str),
}

/// What became of a pair under one control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Outcome {
    /// The text was another one, and both compilers took it.
    pub(crate) ran: bool,
    /// The bug was gone: under neither compiler did it fault on the trigger.
    pub(crate) gone: bool,
    /// The gate let it through.
    pub(crate) passed: bool,
}

/// The widest unsigned type.
const WIDE: &str = "unsigned long long";
/// So many more bytes or elements.
const SPARE: u32 = 256;

impl Control {
    /// The text after it, if there is something in it for this control: for a fault of this class, by this node, where that is
    /// known.
    pub(crate) fn apply(self, text: &str, tree: &Tree, class: End, fault: Option<u32>) -> Option<Controlled> {
        let at = |edit: fn(&At<'_>) -> Option<String>| edit(&At::of(text, tree, fault?)?);
        let new = match self {
            Self::UnsignedDetour => {
                at(|at| at.computed(|left, sign, right| format!("({WIDE})({left}) {sign} ({WIDE})({right})")))
            }
            Self::ArithmeticEncoding => at(encoded),
            Self::WiderArithmetic => {
                at(|at| at.computed(|left, sign, right| format!("(__int128)({left}) {sign} (__int128)({right})")))
            }
            Self::WrappingBuiltin => at(built_in),
            Self::MaskedShift => at(masked),
            Self::GuardedDivision => at(guarded),
            Self::WrappedIndex => at(wrapped),
            Self::NullCheck => at(checked),
            Self::Memmove => called(text, "memcpy", "memmove("),
            Self::SpareRoom => called(text, "malloc", &format!("malloc({SPARE} + ")),
            Self::NeverFreed => called(text, "free", "(void)("),
            Self::LongerArray => longer_arrays(text, tree),
            Self::Initialised if class == End::UninitialisedUse => {
                return Some(Controlled::Flag("-ftrivial-auto-var-init=zero"));
            }
            Self::Initialised => None,
            Self::ZeroedMemory => called(text, "malloc", "calloc(1, "),
            Self::Optimised => return Some(Controlled::Flag("-O2")),
            Self::CompiledBefore => Some(compiled_before(text, tree)),
        };
        // What does not change it is no control.
        new.filter(|new| new != text).map(Controlled::Text)
    }
}

/// An operation in its text.
struct At<'a> {
    text: &'a str,
    tree: &'a Tree,
    node: &'a Node,
    operands: Vec<Range<usize>>,
}

impl<'a> At<'a> {
    fn of(text: &'a str, tree: &'a Tree, number: u32) -> Option<Self> {
        let node = tree.node(number);
        let place = |child: u32| tree.node(child).start as usize..tree.node(child).end as usize;
        // What comes out of a macro is not written there.
        node.is_written.then(|| Self { text, tree, node, operands: tree.children(number).map(place).collect() })
    }

    fn operand(&self, number: usize) -> Option<&'a str> {
        self.text.get(self.operands.get(number)?.clone())
    }

    /// The type of the result, if it is a signed number, and its bits.
    fn signed(&self) -> Option<(&'a str, u16)> {
        let type_ = self.tree.type_(self.node.type_?);
        match type_.shape {
            Shape::Integer { bits, is_signed: true, .. } => Some((type_.canonical.trim_start_matches("const "), bits)),
            _ => None,
        }
    }

    /// The whole text with another one in the operation's place.
    fn with(&self, new: &str) -> Option<String> {
        let (before, after) = (self.text.get(..self.node.start as usize)?, self.text.get(self.node.end as usize..)?);
        Some(format!("{before}({new}){after}"))
    }

    /// The two operands of a signed sum, difference or product, and its sign; and what it is assigned to.
    fn arithmetic(&self) -> Option<(String, &'static str, String, Option<&'a str>)> {
        let two = |sign, target: bool| {
            let (left, right) = (self.operand(0)?, self.operand(1)?);
            Some((left.to_owned(), sign, right.to_owned(), target.then_some(left)))
        };
        let one = |sign| {
            let operand = self.operand(0)?;
            Some((operand.to_owned(), sign, "1".to_owned(), Some(operand)))
        };
        match self.node.kind {
            NodeKind::Binary(Binary::Add) => two("+", false),
            NodeKind::Binary(Binary::Subtract) => two("-", false),
            NodeKind::Binary(Binary::Multiply) => two("*", false),
            NodeKind::Binary(Binary::AddAssign) => two("+", true),
            NodeKind::Binary(Binary::SubtractAssign) => two("-", true),
            NodeKind::Binary(Binary::MultiplyAssign) => two("*", true),
            NodeKind::Unary(Unary::PreIncrement | Unary::PostIncrement) => one("+"),
            NodeKind::Unary(Unary::PreDecrement | Unary::PostDecrement) => one("-"),
            NodeKind::Unary(Unary::Minus) => Some(("0".to_owned(), "-", self.operand(0)?.to_owned(), None)),
            _ => None,
        }
    }

    /// The arithmetic written in another way, and converted back.
    fn computed(&self, write: impl Fn(&str, &str, &str) -> String) -> Option<String> {
        let (type_, _) = self.signed()?;
        let (left, sign, right, target) = self.arithmetic()?;
        let value = format!("({type_})({})", write(&left, sign, &right));
        self.with(&target.map_or(value.clone(), |target| format!("{target} = {value}")))
    }
}

fn encoded(at: &At<'_>) -> Option<String> {
    let write = |left: &str, sign: &str, right: &str| match sign {
        "+" => format!("(({WIDE})({left}) ^ ({WIDE})({right})) + 2 * (({WIDE})({left}) & ({WIDE})({right}))"),
        _ => format!("(({WIDE})({left}) ^ ({WIDE})({right})) - 2 * (~({WIDE})({left}) & ({WIDE})({right}))"),
    };
    let (_, sign, ..) = at.arithmetic()?;
    if sign == "*" { None } else { at.computed(write) }
}

fn built_in(at: &At<'_>) -> Option<String> {
    let (type_, _) = at.signed()?;
    let (left, sign, right, target) = at.arithmetic()?;
    let name = match sign {
        "+" => "add",
        "-" => "sub",
        _ => "mul",
    };
    let value = format!(
        "__extension__ ({{ {type_} wrapped_; __builtin_{name}_overflow(({type_})({left}), ({type_})({right}), &wrapped_); wrapped_; }})"
    );
    at.with(&target.map_or(value.clone(), |target| format!("{target} = {value}")))
}

fn masked(at: &At<'_>) -> Option<String> {
    let (sign, is_assigned) = match at.node.kind {
        NodeKind::Binary(Binary::ShiftLeft) => ("<<", false),
        NodeKind::Binary(Binary::ShiftRight) => (">>", false),
        NodeKind::Binary(Binary::ShiftLeftAssign) => ("<<", true),
        NodeKind::Binary(Binary::ShiftRightAssign) => (">>", true),
        _ => return None,
    };
    let type_ = at.tree.type_(at.node.type_?);
    let Shape::Integer { bits, .. } = type_.shape else { return None };
    let (left, right) = (at.operand(0)?, at.operand(1)?);
    let value = format!(
        "({})(({WIDE})({left}) {sign} (({right}) & {}))",
        type_.canonical.trim_start_matches("const "),
        bits - 1
    );
    at.with(&if is_assigned { format!("{left} = {value}") } else { value })
}

fn guarded(at: &At<'_>) -> Option<String> {
    let (sign, is_assigned) = match at.node.kind {
        NodeKind::Binary(Binary::Divide) => ("/", false),
        NodeKind::Binary(Binary::Remainder) => ("%", false),
        NodeKind::Binary(Binary::DivideAssign) => ("/", true),
        NodeKind::Binary(Binary::RemainderAssign) => ("%", true),
        _ => return None,
    };
    let (left, right) = (at.operand(0)?, at.operand(1)?);
    let value = format!("({right}) ? ({left}) {sign} ({right}) : 0");
    at.with(&if is_assigned { format!("{left} = {value}") } else { value })
}

fn wrapped(at: &At<'_>) -> Option<String> {
    if at.node.kind != NodeKind::Subscript {
        return None;
    }
    let array = at.operands.first()?.clone();
    let length = at.tree.nodes.iter().find_map(|node| {
        let is_array = node.start as usize == array.start && node.end as usize == array.end;
        match at.tree.type_(node.type_.filter(|_| is_array)?).shape {
            Shape::Array { length, .. } => length,
            _ => None,
        }
    })?;
    let (array, index) = (at.operand(0)?, at.operand(1)?);
    at.with(&format!("{array}[({WIDE})({index}) % {length}]"))
}

fn checked(at: &At<'_>) -> Option<String> {
    let spare = |pointer: &str| {
        format!("__extension__ ({{ static __typeof__(*({pointer})) spare_; ({pointer}) ? ({pointer}) : &spare_; }})")
    };
    match at.node.kind {
        NodeKind::Unary(Unary::Dereference) => at.with(&format!("*{}", spare(at.operand(0)?))),
        NodeKind::Subscript => {
            let (array, index) = (at.operand(0)?, at.operand(1)?);
            at.with(&format!("({})[({array}) ? ({index}) : 0]", spare(array)))
        }
        NodeKind::Member => {
            let object = at.operand(0)?;
            let rest = at.text.get(at.operands.first()?.end..at.node.end as usize)?.trim_start();
            at.with(&format!("({}){rest}", spare(object))).filter(|_| rest.starts_with("->"))
        }
        _ => None,
    }
}

/// The text with something else for each call of a function up to its first argument.
fn called(text: &str, name: &str, new: &str) -> Option<String> {
    let mut changed = String::new();
    let mut from = 0;
    for token in lex(text).into_iter().filter(|token| token.kind == Kind::Identifier) {
        let Range { start, end } = token.range();
        let rest = &text[end..];
        if &text[start..end] == name && rest.trim_start().starts_with('(') {
            changed.push_str(&text[from..start]);
            changed.push_str(new);
            from = end + (rest.len() - rest.trim_start().len()) + 1;
        }
    }
    (from > 0).then(|| changed + &text[from..])
}

/// The text with functions that no sanitizer looks into, as if only their machine code were there.
fn compiled_before(text: &str, tree: &Tree) -> String {
    let mut starts: Vec<usize> = tree.functions.iter().map(|function| function.start as usize).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut changed = text.to_owned();
    for start in starts.into_iter().rev() {
        changed.insert_str(start, "__attribute__((no_sanitize(\"address\", \"undefined\", \"memory\"))) ");
    }
    changed
}

/// Arrays that functions declare with a length in numbers, longer.
fn longer_arrays(text: &str, tree: &Tree) -> Option<String> {
    let mut changed = text.to_owned();
    let is_local = |node: &&Node| node.kind == NodeKind::Variable && node.is_written;
    for node in tree.nodes.iter().rev().filter(is_local) {
        let Some(type_) = node.type_ else { continue };
        if !matches!(tree.type_(type_).shape, Shape::Array { length: Some(_), .. }) {
            continue;
        }
        let Some(declared) = text.get(node.start as usize..node.end as usize) else { continue };
        let close = declared.split('=').next().and_then(|head| head.rfind(']'));
        if let Some(close) = close {
            changed.insert_str(node.start as usize + close, &format!(" + {SPARE}"));
        }
    }
    Some(changed)
}
