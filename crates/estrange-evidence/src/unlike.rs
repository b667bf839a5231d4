//! What one of two texts does and the other does not, as far as that shows without running them.
//!
//! Inputs that agree say little about what they do not reach: a table of which one entry of a thousand is another, a number at
//! which something happens, a length that is kept in a narrower type, a function of the library that nearly does the same.
//! All of these leave something in the code that the other text does not have. So clang writes both in LLVM's language
//! before any optimisation, and their *deeds* are compared as sets: the numbers and data that they have, what they call and
//! refer to, the arithmetic of each width, conversions, and how often they read memory anew.
//!
//! A rewrite that is right may well do such a thing. Then running it is weaker evidence than it would be otherwise.

mod deeds;
mod loops;

use std::fmt;

use estrange_words::Language;
use serde::{Deserialize, Serialize};

use crate::batch::Compiled;
use crate::clang::{Clang, ClangError, Output};
use crate::gcc::Level;
use crate::pair::Pair;
use crate::undefined::module::Module;
use deeds::Deeds;

/// Something that only one of two texts does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unlike {
    /// What it does.
    pub what: String,
    /// Which one does it.
    pub only_in: Side,
}

/// One of two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The old one.
    Old,
    /// The new one.
    New,
}

impl fmt::Display for Unlike {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.only_in {
            Side::Old => "old",
            Side::New => "new",
        };
        write!(formatter, "{} only in the {side} one", self.what)
    }
}

/// What only one of two texts does; nothing, if clang refuses one of them.
pub fn unlike(clang: &Clang, language: Language, flags: &[String], pair: &Pair<'_>) -> Result<Vec<Unlike>, ClangError> {
    let made = clang.all(language, Level::O2, Output::Checks, flags, &[pair.old, pair.new])?;
    let made: Vec<Compiled> = made.into_iter().map(Compiled::into_text).collect();
    let [Compiled::Accepted { assembly: old }, Compiled::Accepted { assembly: new }] = made.as_slice() else {
        return Ok(Vec::new());
    };
    let as_it_is = |name: &str| name.to_owned();
    let as_it_was = |name: &str| pair.renames.old_text(name);
    let ours = Deeds::of(&Module::parse(old), old, &as_it_is);
    let theirs = Deeds::of(&Module::parse(new), new, &as_it_was);
    Ok(compare(&ours, &theirs))
}

fn compare(old: &Deeds, new: &Deeds) -> Vec<Unlike> {
    let only = |what: &String, only_in| Unlike { what: what.clone(), only_in };
    let mut all: Vec<Unlike> = old.all.difference(&new.all).map(|what| only(what, Side::Old)).collect();
    all.extend(new.all.difference(&old.all).map(|what| only(what, Side::New)));
    // What is computed once may be used twice; what is computed twice may be something else by then.
    all.extend(
        old.arithmetic
            .iter()
            .filter(|(what, count)| new.arithmetic.get(*what).unwrap_or(&0) < *count)
            .map(|(what, _)| only(&format!("{what}, or more often,"), Side::Old)),
    );
    all.extend(
        new.arithmetic.keys().filter(|what| !old.arithmetic.contains_key(*what)).map(|what| only(what, Side::New)),
    );
    // What is made wider may only be added: by what walks with a pointer it goes away.
    all.extend(new.widened.difference(&old.widened).map(|what| only(what, Side::New)));
    // What is read once may have changed by then, or what is read again may have.
    if new.reads_in_loops != old.reads_in_loops {
        let side = if old.reads_in_loops > new.reads_in_loops { Side::Old } else { Side::New };
        all.push(only(&"a read of memory in each round of a loop".to_owned(), side));
    }
    if new.reads < old.reads {
        all.push(only(&"a read of memory, or more often,".to_owned(), Side::Old));
    }
    if old.volatile != new.volatile {
        let side = if old.volatile > new.volatile { Side::Old } else { Side::New };
        all.push(only(&"an access that is volatile".to_owned(), side));
    }
    if new.is_recursive && !old.is_recursive {
        all.push(only(&"a function that calls itself".to_owned(), Side::New));
    }
    all.sort();
    all
}
