//! Rewrites of shape: what a function does stays, how it does it changes.
//!
//! Each is a file of its own below this one, and a function from a [`View`] of a function and a stream of choices to
//! edits of its text, or the reason why there are none. Expressions are moved as they are written, so that arithmetic
//! which can be undefined stays what it was, with operands of the same types.

mod declare;
mod draw;
mod edits;
mod effects;
mod flatten;
mod jumps;
mod statement;
mod view;

use std::fmt;
use std::ops::Range;

use estrange_clang::Tree;

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
        let function = view.function.start as usize..view.function.end as usize;
        let (text, function) = edits.apply(subject.text, function);
        Ok(Edited { text, function })
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

impl fmt::Display for Reshape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
