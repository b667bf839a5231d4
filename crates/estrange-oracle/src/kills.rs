//! Which wrong edits of a function count: those that compile, and whose optimised code is another.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use estrange_clang::{Body, Tree};
use estrange_evidence::{Assembly, Compiled, Language, Level};

use crate::copies;
use crate::edits::Edit;
use crate::harness::{Callee, Harness};
use crate::mutants::{Mutant, mutants};
use crate::oracle::{Oracle, OracleError, Subject};
use crate::program::{BuildError, WHOLE};

/// At most so much text is added to a unit for all wrong edits together.
const MOST_TEXT: usize = 100_000;

/// A wrong edit that is planted, and what became of it.
#[derive(Debug)]
pub(crate) struct Planted {
    pub(crate) mutant: Mutant,
    /// Whether inputs are judged by it. For the others inputs are searched first: what finds them finds edits that nobody
    /// planted, too, and how many is told by those that nobody has searched for.
    pub(crate) is_judge: bool,
    /// Whether an input shows it, and whether one did before any was searched for it.
    pub(crate) is_killed: bool,
    pub(crate) was_killed: bool,
    /// Whether a compiler writes the same code for it as for the function.
    pub(crate) is_same: bool,
}

/// Of eight wrong edits, so many judge.
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

/// Of each of these edits, whether a compiler writes the same optimised code as for the function itself: then it is not
/// wrong.
pub(crate) fn have_same_code(
    oracle: &Oracle,
    subject: &Subject<'_>,
    tree: &Tree,
    body: &Body,
    harness: &Harness,
    mutants: &[&Mutant],
) -> Result<Vec<bool>, OracleError> {
    let mut same = vec![false; mutants.len()];
    // The first copy is the function itself.
    let all: Vec<&[Edit]> = [&[][..]].into_iter().chain(mutants.iter().map(|mutant| &mutant.edits[..])).collect();
    let copied = copies::with_copies(tree, subject.text, body, subject.language, &all);
    let Some(mut copied) = copied.filter(|_| !mutants.is_empty()) else { return Ok(same) };
    let mut flags = subject.flags.to_vec();
    // Code that says on which line it stands is the same on another line.
    flags.extend(["-w", "-D__LINE__=1"].map(str::to_owned));
    // There is no code of a template until something calls it.
    if body.is_template {
        let callees: Vec<Callee> = (0..all.len()).map(Callee::Copy).collect();
        copied.text.push_str(&harness.text(&callees, &BTreeMap::new()));
        flags.extend(["-fno-inline".to_owned(), "-fno-access-control".to_owned()]);
    }
    let texts = [copied.text.as_str()];
    let by_clang = oracle.clang.compile(subject.language, Level::O2, &flags, &texts).map_err(BuildError::from)?;
    if subject.language == Language::Cpp {
        flags.push(WHOLE.to_owned());
    }
    let by_gcc = oracle.builder.gcc().compile(subject.language, Level::O2, &flags, &texts).map_err(BuildError::from)?;
    let name = &tree.thing(body.thing).name;
    for compiled in by_gcc.into_iter().chain(by_clang) {
        let Compiled::Accepted { assembly } = compiled else { continue };
        let assembly = Assembly::parse(assembly);
        let functions = assembly.functions();
        let code = |number: usize| {
            let mark = copies::symbol(body.kind, subject.language, name, number);
            let is_it = |symbol: &&&str| match subject.language {
                Language::C => **symbol == mark,
                Language::Cpp => symbol.contains(&mark),
            };
            let code = assembly.code(functions.iter().find(is_it)?)?;
            Some(code.lines().iter().map(|line| line.replace(&mark, "")).collect::<Vec<_>>())
        };
        let Some(original) = code(0) else { continue };
        for (number, is_same) in same.iter_mut().enumerate() {
            *is_same |= code(number + 1).is_some_and(|code| code == original);
        }
    }
    Ok(same)
}

/// The lines, from 0, that have errors.
fn lines_with_errors(messages: &str) -> BTreeSet<usize> {
    let errors = messages.lines().filter(|line| line.contains(": error:"));
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
