//! Rewrites of shape: what a function does stays, how it does it changes.
//!
//! Each is a file of its own below this one, and a function from a [`View`] of a function and a stream of choices to
//! edits of its text, or the reason why there are none. Expressions are moved as they are written, so that arithmetic
//! which can be undefined stays what it was, with operands of the same types.

mod arguments;
mod arrows;
mod assign;
mod branches;
mod cast_forms;
mod casts;
mod conditions;
mod constants;
mod declarations;
mod declare;
mod deduced;
mod distract;
mod draw;
mod edits;
mod effects;
mod encode;
mod exit_flag;
mod flatten;
mod function_objects;
mod initial_values;
mod inline;
mod jumps;
mod logic;
mod loops;
mod macro_constants;
mod opaque;
mod outline;
mod own_members;
mod pointers;
mod ranges;
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
use estrange_words::Language;

pub use draw::Draw;
pub use inline::Left;

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
    /// The language of the text.
    pub language: Language,
    /// Other parts of the text that are to be found again, none of them in the function.
    pub parts: &'a [Option<Range<usize>>],
}

/// A text after a rewrite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The whole text.
    pub text: String,
    /// Where the function stands in it.
    pub function: Range<usize>,
    /// Where the other parts of the subject stand in it: nothing where one is no longer what it was.
    pub parts: Vec<Option<Range<usize>>>,
    /// Conditions with what stands before them, and whole statements, as they are written, of which it is known that they
    /// decide always alike.
    pub known: Vec<String>,
}

/// A text after the calls of its function were unfolded once.
#[derive(Debug, Clone)]
pub(crate) struct Unfolded {
    pub(crate) edited: Edited,
    /// How many calls were unfolded.
    pub(crate) calls: u32,
    /// The calls that stay.
    pub(crate) left: Vec<Left>,
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
    /// What is added that has nothing to do with the rest.
    Distraction,
    /// Whatever no setting draws: only a recipe that names it does it, so that settings stay what they were.
    ByName,
}

type Apply = fn(&View<'_>, &mut Draw) -> Result<Edits, Refusal>;

macro_rules! reshapes {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $group:ident $apply:path, needs $needs:literal;)*) => {
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

            /// What it does, in a few words.
            pub fn about(self) -> &'static str {
                match self {
                    $(Reshape::$variant => concat!($($doc),*).trim(),)*
                }
            }

            /// What a function must have for it.
            pub fn needs(self) -> &'static str {
                match self {
                    $(Reshape::$variant => $needs,)*
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

// Behind each, what a function must have for it: that is said where there is no place.
reshapes! {
    /// Control flow as one loop over a `switch`.
    Flatten "flatten" Ladder flatten::rewrite,
        needs "statements outside of declarations";
    /// Integers as small sums.
    Encode "encode" Ladder encode::rewrite,
        needs "whole numbers that are written out";
    /// Conditions that always hold, for each case of a loop over a `switch`.
    Opaque "opaque" Ladder opaque::rewrite,
        needs "statements to guard";
    /// Conditions that always hold, for one case of three.
    OpaqueSparse "opaque-sparse" Ladder opaque::sparse,
        needs "statements to guard";
    /// The body of a helper instead of its call.
    Inline "inline" Structure inline::rewrite,
        needs "a call of another function that the text defines";
    /// A part of a function as a function of its own.
    Outline "outline" Structure outline::rewrite,
        needs "a statement of some length that nothing jumps into or out of";
    /// Statements in another order.
    Reorder "reorder" Structure reorder::rewrite,
        needs "two statements in a row of which neither needs the other";
    /// Functions in another order.
    ReorderFunctions "reorder-functions" Structure reorder_functions::rewrite,
        needs "other functions before it";
    /// One declaration as several.
    SplitDeclarations "split-declarations" Structure declarations::split,
        needs "a declaration of several variables";
    /// Two declarations as one.
    MergeDeclarations "merge-declarations" Structure declarations::merge,
        needs "two declarations in a row of the same type";
    /// A `for` as a `while`.
    ForToWhile "for-to-while" Semantic loops::for_to_while,
        needs "a `for` that nothing continues";
    /// A `while` as a `for`.
    WhileToFor "while-to-for" Semantic loops::while_to_for,
        needs "a `while`";
    /// A `while` as a `do` behind an `if`.
    WhileToDo "while-to-do" Semantic loops::while_to_do,
        needs "a `while` with a short condition";
    /// A `do` as a `while` that breaks off.
    DoToWhile "do-to-while" Semantic loops::do_to_while,
        needs "a `do` that nothing continues";
    /// Two rounds of a loop in one.
    Unroll "unroll" Semantic unroll::rewrite,
        needs "a `while` or `for` with a short body";
    /// The rounds of a loop in the opposite order.
    ReverseLoop "reverse-loop" Semantic reverse::rewrite,
        needs "a `for` that counts up by one, with rounds that do not need each other";
    /// A flag instead of `break`.
    ExitFlag "exit-flag" Semantic exit_flag::rewrite,
        needs "a `while` that a `break` ends";
    /// `if` and `else` the other way round.
    InvertIf "invert-if" Semantic branches::invert,
        needs "an `if` with an `else`";
    /// Two conditions as two `if`s.
    SplitIf "split-if" Semantic branches::split,
        needs "an `if` without `else` whose condition is an `&&`";
    /// A branch that leaves early, and what follows it, as a choice.
    Nest "nest" Semantic branches::nest,
        needs "an `if` that leaves early, with statements behind it";
    /// A last branch as one that leaves early.
    Guard "guard" Semantic branches::guard,
        needs "an `if` without `else` at the end of the function or of a loop";
    /// `?:` as `if` and `else`.
    TernaryToIf "ternary-to-if" Semantic ternary::to_if,
        needs "a `?:` that is assigned or returned";
    /// `if` and `else` as `?:`.
    IfToTernary "if-to-ternary" Semantic ternary::from_if,
        needs "an `if` and an `else` that both assign to one place or both return";
    /// A `switch` as a chain of `if`s.
    SwitchToIf "switch-to-if" Semantic switches::to_if,
        needs "a `switch` whose cases each leave it";
    /// A chain of `if`s as a `switch`.
    IfToSwitch "if-to-switch" Semantic switches::from_if,
        needs "a chain of `if`s that compares one variable with numbers";
    /// `&&` and `||` for each other.
    DeMorgan "de-morgan" Semantic logic::de_morgan,
        needs "an `&&` or an `||`";
    /// Operands on the other side.
    Flip "flip" Semantic logic::flip,
        needs "a comparison, a sum or a product whose sides may change places";
    /// `x += e` as `x = x + e`.
    CompoundToPlain "compound-to-plain" Semantic assign::to_plain,
        needs "an assignment such as `x += e`";
    /// `x = x + e` as `x += e`.
    PlainToCompound "plain-to-compound" Semantic assign::to_compound,
        needs "an assignment such as `x = x + e`";
    /// `i++` and `++i` for each other.
    Increment "increment" Semantic assign::increment,
        needs "an `i++` or `++i` whose value nobody uses";
    /// `p[i]` as `*(p + i)`.
    IndexToPointer "index-to-pointer" Semantic pointers::to_pointer,
        needs "an element `p[i]` of a pointer";
    /// `*p` as `p[0]`.
    PointerToIndex "pointer-to-index" Semantic pointers::to_index,
        needs "a `*p` or `*(p + i)`";
    /// What is returned, with a name.
    NameResult "name-result" Semantic temporaries::name,
        needs "a `return` of a number or an address";
    /// What is returned, without a name.
    UnnameResult "unname-result" Semantic temporaries::unname,
        needs "a variable that is only made to be returned";
    /// Numbers with a name.
    NameConstant "name-constant" Semantic constants::name,
        needs "a number of type `int`";
    /// Enumerators as numbers.
    UnnameConstant "unname-constant" Semantic constants::unname,
        needs "a constant of an enumeration";
    /// Numbers as macros.
    ConstantToMacro "constant-to-macro" Semantic macro_constants::name,
        needs "a number";
    /// Macros as numbers.
    MacroToConstant "macro-to-constant" Semantic macro_constants::unname,
        needs "a macro of the text that is one number";
    /// `!x` and `x == 0` for each other.
    Truth "truth" Semantic truth::rewrite,
        needs "a condition, a `!x` or a comparison with 0";
    /// Strings as arrays.
    StringToArray "string-to-array" Semantic strings::to_array,
        needs "a string that is handed to someone who only reads it";
    /// Arrays as strings.
    ArrayToString "array-to-string" Semantic strings::from_array,
        needs "an array of characters that is a list, or that is only read";
    /// Casts to the type that a value has.
    AddCast "add-cast" Semantic casts::add,
        needs "a variable that is read";
    /// Casts to the same type left out.
    RemoveCast "remove-cast" Semantic casts::remove,
        needs "a cast to the type that a value has";
    /// Arguments with a name.
    NameArgument "name-argument" Semantic arguments::name,
        needs "a call whose argument is computed, a number or an address, and may be evaluated first";
    /// `p->x` as `(*p).x`.
    ArrowToDot "arrow-to-dot" Semantic arrows::to_dot,
        needs "a member `p->x` through an address";
    /// `a.x` as `(&a)->x`.
    DotToArrow "dot-to-arrow" Semantic arrows::to_arrow,
        needs "a member `a.x` of a variable";
    /// Members with `this`.
    AddThis "add-this" Semantic own_members::add,
        needs "a member of its own object, in a method of C++";
    /// Members without `this`.
    RemoveThis "remove-this" Semantic own_members::remove,
        needs "a `this->x`, in a method of C++";
    /// Types that are deduced.
    TypeToAuto "type-to-auto" Semantic deduced::to_auto,
        needs "a variable of C++ whose first value has its type";
    /// Deduced types that are written.
    AutoToType "auto-to-type" Semantic deduced::from_auto,
        needs "a variable of C++ that is `auto` and whose type has a name";
    /// First values in braces.
    EqualsToBraces "equals-to-braces" Semantic initial_values::to_braces,
        needs "a number or an address of C++ that begins with a value of its type";
    /// First values behind `=`.
    BracesToEquals "braces-to-equals" Semantic initial_values::from_braces,
        needs "a number or an address of C++ whose first value stands in brackets";
    /// `static_cast` as a cast of C.
    StaticToPlainCast "static-to-plain-cast" Semantic cast_forms::to_plain,
        needs "a `static_cast` of a number or an address";
    /// A cast of C as `static_cast`.
    PlainToStaticCast "plain-to-static-cast" Semantic cast_forms::to_static,
        needs "a cast of C between numbers, in C++";
    /// `for` over a range with iterators.
    RangeToIterator "range-to-iterator" Semantic ranges::to_iterator,
        needs "a `for` over an array or a container";
    /// `for` over an array with an index.
    RangeToIndex "range-to-index" Semantic ranges::to_index,
        needs "a `for` over an array";
    /// `for` with an index over an array.
    IndexToRange "index-to-range" Semantic ranges::from_index,
        needs "a `for` of C++ whose index only picks the elements of one array, all of them";
    /// Lambdas as objects.
    LambdaToObject "lambda-to-object" Semantic function_objects::to_object,
        needs "a variable that is a lambda, with captures whose types can be written";
    /// Statements that have nothing to do with the rest.
    Distract "distract" Distraction distract::rewrite,
        needs "a statement";
    /// Conditions with a name.
    NameCondition "name-condition" ByName conditions::name,
        needs "an `if` that nothing jumps into";
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
        Ok(edited(&view, subject, &edits))
    }

    /// Whether it is the way back from another.
    pub fn undoes(self, other: Reshape) -> bool {
        const WAYS: [(Reshape, Reshape); 18] = [
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
            (Reshape::ArrowToDot, Reshape::DotToArrow),
            (Reshape::AddThis, Reshape::RemoveThis),
            (Reshape::TypeToAuto, Reshape::AutoToType),
            (Reshape::EqualsToBraces, Reshape::BracesToEquals),
            (Reshape::StaticToPlainCast, Reshape::PlainToStaticCast),
            (Reshape::RangeToIndex, Reshape::IndexToRange),
        ];
        WAYS.contains(&(self, other)) || WAYS.contains(&(other, self))
    }

    /// Those of a group.
    pub fn of(group: Group) -> impl Iterator<Item = Reshape> {
        Self::ALL.iter().copied().filter(move |reshape| reshape.group() == group)
    }
}

/// The text after the calls of its function are unfolded, but for those within the bodies that then stand there.
pub(crate) fn unfold(subject: &Subject<'_>) -> Result<Unfolded, Refusal> {
    let view = View::new(subject)?;
    let inline::Round { edits, unfolded, left } = inline::round(&view)?;
    Ok(Unfolded { edited: edited(&view, subject, &edits), calls: unfolded, left })
}

fn edited(view: &View<'_>, subject: &Subject<'_>, edits: &Edits) -> Edited {
    let (text, function, parts) = edits.apply(subject.text, view.place(), subject.parts);
    Edited { text, function, parts, known: edits.all_known().to_vec() }
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
