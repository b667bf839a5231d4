//! Which wrong edits of a function count: those that compile, and whose optimised code is another.

use std::collections::{BTreeMap, BTreeSet};

use estrange_clang::{Body, Tree};
use estrange_evidence::{Assembly, Compiled, Language, Level};

use crate::copies;
use crate::edits::Edit;
use crate::harness::{Callee, Harness};
use crate::mutants::{Mutant, mutants};
use crate::oracle::{Oracle, OracleError, Subject};
use crate::program::{BuildError, WHOLE};

/// At most so much text is added to a unit for all wrong edits together.
const MOST_TEXT: usize = 120_000;

/// The wrong edits that count, those first by which inputs are judged. For the others inputs are searched: what finds
/// them finds edits that nobody planted, too, and how many is told by those that nobody searched for.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    pub(crate) mutants: Vec<Mutant>,
    pub(crate) judges: usize,
    /// How many there would be if the function could be copied.
    pub(crate) unjudged: u32,
}

/// Of eight wrong edits, so many judge.
const JUDGES_OF_EIGHT: usize = 5;

impl Chosen {
    fn of(mutants: impl Iterator<Item = Mutant>) -> Self {
        let (judges, guides): (Vec<_>, Vec<_>) =
            mutants.enumerate().partition(|(number, _)| number % 8 < JUDGES_OF_EIGHT);
        let count = judges.len();
        Self {
            mutants: judges.into_iter().chain(guides).map(|(_, mutant)| mutant).collect(),
            judges: count,
            unjudged: 0,
        }
    }
}

/// Chooses among all wrong edits by the seed, and leaves out those that do not count.
pub(crate) fn choose(
    oracle: &Oracle,
    subject: &Subject<'_>,
    tree: &Tree,
    body: &Body,
    harness: &Harness,
) -> Result<Chosen, OracleError> {
    let name = &tree.thing(body.thing).name;
    let size = (body.end - body.start) as usize;
    let most = (oracle.settings.mutants * 8 / JUDGES_OF_EIGHT).min(MOST_TEXT / size.max(1));
    let mut chosen = drawn(mutants(tree, subject.text, body), most, subject.seed);
    // In C++ a function may be such that no copy of it compiles: then nothing is known of what inputs would show.
    let unjudged = |left: usize| Chosen {
        unjudged: if subject.language == Language::Cpp { left as u32 } else { 0 },
        ..Chosen::default()
    };
    // Each round leaves out what the compiler complains about; it tells all of that at once.
    for _ in 0..3 {
        if chosen.is_empty() {
            return Ok(Chosen::default());
        }
        // The first copy is the function itself.
        let all: Vec<&[Edit]> = [&[][..]].into_iter().chain(chosen.iter().map(|mutant| &mutant.edits[..])).collect();
        let copied = copies::with_copies(tree, subject.text, body, subject.language, &all);
        let Some(copies::Copied { mut text, lines }) = copied else { return Ok(unjudged(chosen.len())) };
        let mut flags = subject.flags.to_vec();
        flags.extend(["-w".to_owned(), "-fmax-errors=0".to_owned()]);
        if subject.language == Language::Cpp {
            flags.push(WHOLE.to_owned());
        }
        // There is no code of a template until something calls it.
        if body.is_template {
            let callees: Vec<Callee> = (0..all.len()).map(Callee::Copy).collect();
            text.push_str(&harness.text(&callees, &BTreeMap::new()));
            flags.extend(["-fno-inline".to_owned(), "-fno-access-control".to_owned()]);
        }
        let compiled =
            oracle.builder.gcc().compile(subject.language, Level::O2, &flags, &[&text]).map_err(BuildError::from)?;
        match compiled.into_iter().next() {
            Some(Compiled::Accepted { assembly }) => {
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
                let Some(original) = code(0) else { return Ok(unjudged(chosen.len())) };
                let is_another = |number: usize| code(number + 1).is_some_and(|code| code != original);
                let mutants = chosen.into_iter().enumerate().filter(|(number, _)| is_another(*number));
                return Ok(Chosen::of(mutants.map(|(_, mutant)| mutant)));
            }
            Some(Compiled::Refused { messages }) => {
                let wrong = lines_with_errors(&messages);
                let before = chosen.len();
                let mut place = lines.iter().skip(1);
                chosen.retain(|_| place.next().is_some_and(|place| wrong.range(place.clone()).next().is_none()));
                if chosen.len() == before {
                    return Ok(unjudged(before));
                }
            }
            _ => return Ok(unjudged(chosen.len())),
        }
    }
    Ok(unjudged(chosen.len()))
}

/// The lines, from 0, that have errors.
fn lines_with_errors(messages: &str) -> BTreeSet<usize> {
    let errors = messages.lines().filter(|line| line.contains(": error:"));
    let numbers = errors.filter_map(|line| line.split(':').nth(1)?.parse::<usize>().ok());
    numbers.map(|line| line - 1).collect()
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
