//! Rewrites of shape: what a function does stays, how it does it changes.
//!
//! Each is a file of its own below this one, and a function from a [`View`] of a function and a stream of choices to
//! edits of its text, or the reason why there are none. Expressions are moved as they are written, so that arithmetic
//! which can be undefined stays what it was, with operands of the same types.

mod assign;
mod branches;
mod casts;
mod constants;
mod declarations;
mod declare;
mod draw;
mod edits;
mod effects;
mod encode;
mod exit_flag;
mod flatten;
mod inline;
mod jumps;
mod logic;
mod loops;
mod macro_constants;
mod opaque;
mod outline;
mod pointers;
mod reorder;
mod reorder_functions;
mod reverse;
mod site;
mod statement;
mod strings;
mod switches;
mod temporaries;
mod ternary;
mod truth;
mod unroll;
mod view;

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use estrange_clang::{NodeKind, Tree};

pub use draw::Draw;

use crate::refusal::Refusal;
use edits::Edits;
use view::View;

/// A function in a text without comments.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The whole text.
    pub text: &'a str,
    /// What the parser says of it.
    pub tree: &'a Tree,
    /// Which of the tree's functions.
    pub function: usize,
    /// Whether it is C++.
    pub is_cpp: bool,
}

/// A text after a rewrite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The whole text.
    pub text: String,
    /// Where the function stands in it.
    pub function: Range<usize>,
}

/// Which group of rewrites one belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// A rung of the ladder.
    Ladder,
    /// How a function is divided into parts.
    Structure,
    /// How a part says what it does.
    Semantic,
}

type Apply = fn(&View<'_>, &mut Draw) -> Result<Edits, Refusal>;

macro_rules! reshapes {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $group:ident $apply:path;)*) => {
        /// A rewrite of shape.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Reshape {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Reshape {
            /// All of them.
            pub const ALL: &[Reshape] = &[$(Reshape::$variant),*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Reshape::$variant => $name,)*
                }
            }

            /// Its group.
            pub fn group(self) -> Group {
                match self {
                    $(Reshape::$variant => Group::$group,)*
                }
            }

            fn apply_fn(self) -> Apply {
                match self {
                    $(Reshape::$variant => $apply,)*
                }
            }
        }
    };
}

reshapes! {
    /// Control flow as one loop over a `switch`.
    Flatten "flatten" Ladder flatten::rewrite;
    /// Integers as small sums.
    Encode "encode" Ladder encode::rewrite;
    /// Conditions that always hold.
    Opaque "opaque" Ladder opaque::rewrite;
    /// The body of a helper instead of its call.
    Inline "inline" Structure inline::rewrite;
    /// A part of a function as a function of its own.
    Outline "outline" Structure outline::rewrite;
    /// Statements in another order.
    Reorder "reorder" Structure reorder::rewrite;
    /// Functions in another order.
    ReorderFunctions "reorder-functions" Structure reorder_functions::rewrite;
    /// One declaration as several.
    SplitDeclarations "split-declarations" Structure declarations::split;
    /// Two declarations as one.
    MergeDeclarations "merge-declarations" Structure declarations::merge;
    /// A `for` as a `while`.
    ForToWhile "for-to-while" Semantic loops::for_to_while;
    /// A `while` as a `for`.
    WhileToFor "while-to-for" Semantic loops::while_to_for;
    /// A `while` as a `do` behind an `if`.
    WhileToDo "while-to-do" Semantic loops::while_to_do;
    /// A `do` as a `while` that breaks off.
    DoToWhile "do-to-while" Semantic loops::do_to_while;
    /// Two rounds of a loop in one.
    Unroll "unroll" Semantic unroll::rewrite;
    /// The rounds of a loop in the opposite order.
    ReverseLoop "reverse-loop" Semantic reverse::rewrite;
    /// A flag instead of `break`.
    ExitFlag "exit-flag" Semantic exit_flag::rewrite;
    /// `if` and `else` the other way round.
    InvertIf "invert-if" Semantic branches::invert;
    /// Two conditions as two `if`s.
    SplitIf "split-if" Semantic branches::split;
    /// A branch that leaves early, and what follows it, as a choice.
    Nest "nest" Semantic branches::nest;
    /// A last branch as one that leaves early.
    Guard "guard" Semantic branches::guard;
    /// `?:` as `if` and `else`.
    TernaryToIf "ternary-to-if" Semantic ternary::to_if;
    /// `if` and `else` as `?:`.
    IfToTernary "if-to-ternary" Semantic ternary::from_if;
    /// A `switch` as a chain of `if`s.
    SwitchToIf "switch-to-if" Semantic switches::to_if;
    /// A chain of `if`s as a `switch`.
    IfToSwitch "if-to-switch" Semantic switches::from_if;
    /// `&&` and `||` for each other.
    DeMorgan "de-morgan" Semantic logic::de_morgan;
    /// Operands on the other side.
    Flip "flip" Semantic logic::flip;
    /// `x += e` as `x = x + e`.
    CompoundToPlain "compound-to-plain" Semantic assign::to_plain;
    /// `x = x + e` as `x += e`.
    PlainToCompound "plain-to-compound" Semantic assign::to_compound;
    /// `i++` and `++i` for each other.
    Increment "increment" Semantic assign::increment;
    /// `p[i]` as `*(p + i)`.
    IndexToPointer "index-to-pointer" Semantic pointers::to_pointer;
    /// `*p` as `p[0]`.
    PointerToIndex "pointer-to-index" Semantic pointers::to_index;
    /// What is returned, with a name.
    NameResult "name-result" Semantic temporaries::name;
    /// What is returned, without a name.
    UnnameResult "unname-result" Semantic temporaries::unname;
    /// Numbers with a name.
    NameConstant "name-constant" Semantic constants::name;
    /// Enumerators as numbers.
    UnnameConstant "unname-constant" Semantic constants::unname;
    /// Numbers as macros.
    ConstantToMacro "constant-to-macro" Semantic macro_constants::name;
    /// Macros as numbers.
    MacroToConstant "macro-to-constant" Semantic macro_constants::unname;
    /// `!x` and `x == 0` for each other.
    Truth "truth" Semantic truth::rewrite;
    /// Strings as arrays.
    StringToArray "string-to-array" Semantic strings::to_array;
    /// Arrays as strings.
    ArrayToString "array-to-string" Semantic strings::from_array;
    /// Casts to the type that a value has.
    AddCast "add-cast" Semantic casts::add;
    /// Casts to the same type left out.
    RemoveCast "remove-cast" Semantic casts::remove;
}

impl Reshape {
    /// The text after this rewrite of its function.
    ///
    /// # Errors
    /// When it does not apply.
    pub fn apply(self, subject: &Subject<'_>, draw: &mut Draw) -> Result<Edited, Refusal> {
        let view = View::new(subject)?;
        let edits = self.apply_fn()(&view, draw)?;
        if edits.is_empty() {
            return Err(Refusal::NoPlace);
        }
        let (text, function) = edits.apply(subject.text, view.place());
        Ok(Edited { text, function })
    }

    /// Whether it is the way back from another.
    pub fn undoes(self, other: Reshape) -> bool {
        const WAYS: [(Reshape, Reshape); 12] = [
            (Reshape::ForToWhile, Reshape::WhileToFor),
            (Reshape::WhileToDo, Reshape::DoToWhile),
            (Reshape::Nest, Reshape::Guard),
            (Reshape::TernaryToIf, Reshape::IfToTernary),
            (Reshape::SwitchToIf, Reshape::IfToSwitch),
            (Reshape::CompoundToPlain, Reshape::PlainToCompound),
            (Reshape::IndexToPointer, Reshape::PointerToIndex),
            (Reshape::NameResult, Reshape::UnnameResult),
            (Reshape::NameConstant, Reshape::UnnameConstant),
            (Reshape::ConstantToMacro, Reshape::MacroToConstant),
            (Reshape::StringToArray, Reshape::ArrayToString),
            (Reshape::AddCast, Reshape::RemoveCast),
        ];
        WAYS.contains(&(self, other)) || WAYS.contains(&(other, self))
    }

    /// Those of a group.
    pub fn of(group: Group) -> impl Iterator<Item = Reshape> {
        Self::ALL.iter().copied().filter(move |reshape| reshape.group() == group)
    }
}

impl Edited {
    /// The function's text.
    pub fn function_text(&self) -> &str {
        &self.text[self.function.clone()]
    }
}

/// The function that stands in a part of a text: the last that begins in it.
pub fn function_in(tree: &Tree, part: &Range<usize>) -> Option<usize> {
    tree.functions.iter().rposition(|function| part.contains(&(function.start as usize)))
}

/// The names of the parameters, variables and labels that a function declares.
pub fn locals(tree: &Tree, function: usize) -> HashSet<String> {
    let Some(function) = tree.functions.get(function) else { return HashSet::new() };
    let inside = function.body.into_iter().flat_map(|body| tree.subtree(body)).map(|node| tree.node(node));
    let declares = |kind: NodeKind| matches!(kind, NodeKind::Variable | NodeKind::Label);
    let things = inside.filter(|node| declares(node.kind)).filter_map(|node| node.thing);
    let things = things.chain(function.parameters.iter().copied()).map(|thing| tree.thing(thing));
    things.map(|thing| thing.name.clone()).filter(|name| !name.is_empty()).collect()
}

impl fmt::Display for Reshape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
