//! Rewrites of C and C++ that take away what a model could know a function by, and keep what it does.
//!
//! A rewrite takes a text and what the parser found in it, and gives a new text, or says with a typed reason why not.
//! Everything here is a function of its arguments: names are drawn from a seed, and the same seed gives the same text.
//!
//! - [`Bound`] knows for each name in a text what it names, and which names are the project's own;
//! - [`Neutral`], [`Random`] and [`Synonyms`] choose new names;
//! - [`Renamed`] is the result: the text, where the function is in it, and the map from old names to new;
//! - [`layout()`] takes away how a text was written down;
//! - [`Reshape`] changes the shape of a [`Subject`]: each kind is a file below `shape`, and [`Draw`] makes its choices;
//! - [`Recipe`] is a list of rewrites, and [`Setting`] one that has a name;
//! - [`Interpreter`] puts a function through a recipe, and asks a [`Reader`] what its text says;
//! - [`Foreign`] steps of a recipe are a [`Contractor`]'s: what it gives is taken if the function is still the same to others.
//!
//! This crate must not know evidence, files or processes: whether the code is still the same is for others to show.

/// The version of what this crate computes: raise it when the same text, recipe and seed may give something else. Its test
/// `golden` says when it must be.
pub const VERSION: &str = "5";

mod accept;
mod attributes;
mod bind;
mod foreign;
mod in_process;
mod interpret;
mod known;
mod layout;
mod measure;
mod naming;
mod neutral;
mod occurrence;
mod paste;
mod random;
mod recipe;
mod refusal;
mod rename;
mod setting;
mod shape;
mod spelling;
mod synonyms;

pub use bind::{Bound, Doubts, Symbol, What};
pub use estrange_text::piece::Piece;
pub use foreign::{Contractor, Foreign, Given};
pub use in_process::InProcess;
pub use interpret::{
    Applied, Choices, Declined, Interpreter, NamesRead, Part, Read, Reader, Reshaped, Stopped, Unfolding,
};
pub use layout::layout;
pub use measure::{expansion, perturbation_fraction};
pub use naming::{Naming, Taken};
pub use neutral::Neutral;
pub use random::Random;
pub use recipe::{NoRecipe, Recipe, Rewrite};
pub use refusal::Refusal;
pub use rename::{NewName, Renamed, back};
pub use setting::{NAMED, Setting};
pub use shape::{Draw, Edited, Group, Left, Reshape, Subject, function_in, locals};
pub use spelling::split_list;
pub use synonyms::Synonyms;
