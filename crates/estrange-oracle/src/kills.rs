//! Which wrong edits of a function are planted: some of all, without those that do not compile or link.

use std::collections::BTreeSet;
use std::ops::Range;

use estrange_clang::{Body, Tree};

use crate::mutants::{Mutant, mutants};
use crate::oracle::{Oracle, Subject};

/// At most so much text is added to a unit for all wrong edits together.
const MOST_TEXT: usize = 100_000;

/// A wrong edit that is planted, and what became of it.
#[derive(Debug)]
pub(crate) struct Planted {
    pub(crate) mutant: Mutant,
    /// Whether it is held out: inputs are never searched for it, so that the share of held-out edits that are seen tells
    /// what to expect of edits that nobody planted.
    pub(crate) is_judge: bool,
    /// Whether an input shows it, and whether one did before any was searched for it.
    pub(crate) is_killed: bool,
    pub(crate) was_killed: bool,
    /// Whether a compiler writes the same code for it as for the function.
    pub(crate) is_same: bool,
}

/// Of eight wrong edits, so many are held out.
const JUDGES_OF_EIGHT: usize = 5;

impl Planted {
    /// Whether it is wrong and no input shows it.
    pub(crate) fn is_unseen(&self) -> bool {
        !self.is_killed && !self.is_same
    }
}

/// Chooses among all wrong edits by the seed.
pub(crate) fn draw(oracle: &Oracle, subject: &Subject<'_>, tree: &Tree, body: &Body) -> Vec<Planted> {
    let size = (body.end - body.start) as usize;
    let most = oracle.settings.mutants.min(MOST_TEXT / size.max(1));
    let mutants = drawn(mutants(tree, subject.text, body), most, subject.seed);
    let planted = |(number, mutant)| Planted {
        mutant,
        is_judge: number % 8 < JUDGES_OF_EIGHT,
        is_killed: false,
        was_killed: false,
        is_same: false,
    };
    mutants.into_iter().enumerate().map(planted).collect()
}

/// Leaves out those edits whose copies, at these lines, the compiler has something against; says whether there are any.
pub(crate) fn leave_out_refused(planted: &mut Vec<Planted>, messages: &str, lines: &[Range<usize>]) -> bool {
    let wrong = lines_with_errors(messages);
    let before = planted.len();
    let mut places = lines.iter();
    planted.retain(|_| places.next().is_none_or(|place| wrong.range(place.clone()).next().is_none()));
    planted.len() < before
}

/// Leaves out those edits in whose copies, which have these symbols, the linker misses something; says whether there are
/// any. Where it misses that elsewhere, too, they are not to blame.
pub(crate) fn leave_out_unlinked(planted: &mut Vec<Planted>, messages: &str, symbols: &[String]) -> bool {
    let places: Vec<&str> = messages.lines().filter(|line| line.contains("in function `")).collect();
    let names = |place: &&str, symbol: &String| {
        place.split(symbol.as_str()).skip(1).any(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
    };
    if !places.iter().all(|place| symbols.iter().any(|symbol| names(place, symbol))) {
        return false;
    }
    let before = planted.len();
    let mut symbols = symbols.iter();
    planted.retain(|_| symbols.next().is_none_or(|symbol| !places.iter().any(|place| names(place, symbol))));
    planted.len() < before
}

/// The lines, from 0, that have errors: as the compiler says it, or the assembler, of what the text hands to it.
fn lines_with_errors(messages: &str) -> BTreeSet<usize> {
    let is_error = |line: &&str| line.contains(": error:") || line.contains(": Error:");
    let errors = messages.lines().filter(is_error);
    let numbers = errors.filter_map(|line| line.split(':').nth(1)?.parse::<usize>().ok());
    numbers.filter_map(|line| line.checked_sub(1)).collect()
}

/// At most so many of all, by the seed, in their order.
fn drawn(mut all: Vec<Mutant>, most: usize, seed: u64) -> Vec<Mutant> {
    let mut random = seed ^ 0x5DEE_CE66_D1CE_4E5B;
    while all.len() > most {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        all.remove((random >> 33) as usize % all.len());
    }
    all
}
