//! The evidence `identical-code` for many renamed units: both compilers, at both levels.

use std::collections::HashMap;
use std::fmt;

use estrange_text::lexer::{Kind, Token, directive_name, lex, lex_directive};
use estrange_words::Language;
use serde::{Deserialize, Serialize};

use crate::batch::Compiled;
use crate::clang::Clang;
use crate::compilers::CompilerError;
use crate::gcc::{Gcc, Level};
use crate::identical::{Explanation, Identical, compare};
use crate::listing::{Listing, View};
use crate::pair::Pair;
use crate::stack::{SECTIONS, Stack, stacks};

/// What was found of one pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdenticalCode {
    /// By each compiler at each level, in the order in which they were had.
    verdicts: Vec<(Compiler, Level, Identical)>,
}

/// A compiler that evidence is had from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compiler {
    /// gcc or g++.
    Gcc,
    /// clang.
    Clang,
}

/// One of the two texts of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The unit.
    Old,
    /// The unit with new names.
    New,
}

/// A text that a compiler did not accept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Which text it is.
    pub side: Side,
    /// Which compiler it was.
    pub compiler: Compiler,
    /// At which level; a text that one level refuses is not compiled at the next.
    pub level: Level,
    /// What the compiler said, or how it ended.
    pub message: String,
}

impl IdenticalCode {
    /// The verdicts, in the order in which they were had.
    pub fn verdicts(&self) -> impl Iterator<Item = (Compiler, Level, &Identical)> {
        self.verdicts.iter().map(|(compiler, level, verdict)| (*compiler, *level, verdict))
    }

    /// Whether the code is the same for both compilers at all levels, as it stands or by names that were explained.
    pub fn holds(&self) -> bool {
        self.first_difference().is_none()
    }

    /// The first verdict that does not hold.
    pub fn first_difference(&self) -> Option<(Compiler, Level, &Identical)> {
        self.verdicts().find(|(_, _, verdict)| !verdict.holds())
    }

    /// The names in the data that were explained, of all verdicts.
    pub fn explanations(&self) -> Vec<&Explanation> {
        let mut all: Vec<&Explanation> = self
            .verdicts()
            .filter_map(|(_, _, verdict)| match verdict {
                Identical::Explained(explanations) => Some(explanations),
                _ => None,
            })
            .flatten()
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Compiler {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Compiler::Gcc => "gcc",
            Compiler::Clang => "clang",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::Old => "the unit",
            Side::New => "the renamed unit",
        };
        write!(f, "{} refuses {side}: {}", self.compiler.name(), self.message.trim_end())
    }
}

/// So many pairs are compiled before any is compared, which bounds what is kept of them.
const AT_ONCE: usize = 1000;

/// The levels of the whole evidence, in this order: what differs as a rule does so without optimisation already.
pub const LEVELS: [Level; 2] = [Level::O0, Level::O2];

/// Compiles the texts of all pairs with both compilers at the given levels, and compares each pair. The results stand in the
/// same order. Those of one unit should be neighbours: in C they are compiled together, as far as that shows the same
/// (where names keep them apart), and elsewhere the unit is compiled once.
///
/// `standard` says of a symbol, as the linker knows it, whether a standard library has it.
///
/// In C every function has code, used or not, but for those that are `always_inline` (by gcc), or `inline` and neither
/// static nor extern. In C++ one that nothing uses has code only if it is neither inline nor
/// local to the unit, or if `__attribute__((used))` stands before its definition in both texts.
pub fn identical_code(
    gcc: &Gcc,
    clang: &Clang,
    language: Language,
    flags: &[String],
    levels: &[Level],
    pairs: &[Pair<'_>],
    standard: &dyn Fn(&str) -> bool,
) -> Result<Vec<Result<IdenticalCode, Refusal>>, CompilerError> {
    let mut results = Vec::with_capacity(pairs.len());
    for pairs in pairs.chunks(AT_ONCE) {
        let compilers = Compilation { gcc, clang, language, flags, levels };
        let mut found: Vec<Option<IdenticalCode>> = match language {
            Language::C => in_stacks(&compilers, pairs, standard)?,
            Language::Cpp => vec![None; pairs.len()],
        };
        let alone: Vec<usize> = (0..pairs.len()).filter(|index| found[*index].is_none()).collect();
        let left: Vec<Pair<'_>> = alone.iter().map(|index| pairs[*index]).collect();
        let mut alone = one_by_one(&compilers, &left, standard)?.into_iter();
        results.extend(found.iter_mut().filter_map(|found| found.take().map(Ok).or_else(|| alone.next())));
    }
    Ok(results)
}

/// What compiles, and how.
struct Compilation<'a> {
    gcc: &'a Gcc,
    clang: &'a Clang,
    language: Language,
    flags: &'a [String],
    levels: &'a [Level],
}

impl Compilation<'_> {
    /// What is compiled, in this order.
    fn runs(&self) -> impl Iterator<Item = (Compiler, Level)> {
        self.levels.iter().flat_map(|level| [(Compiler::Gcc, *level), (Compiler::Clang, *level)])
    }

    fn compile(
        &self,
        (compiler, level): (Compiler, Level),
        more: &[&str],
        texts: &[&str],
    ) -> Result<Vec<Compiled>, CompilerError> {
        let flags: Vec<String> = self.flags.iter().cloned().chain(more.iter().map(|&flag| flag.to_owned())).collect();
        Ok(match compiler {
            Compiler::Gcc => self.gcc.compile(self.language, level, &flags, texts)?,
            Compiler::Clang => self.clang.compile(self.language, level, &flags, texts)?,
        })
    }
}

/// Compiles each unit with its new texts behind it. Where not all of the code is the same, nothing is found.
fn in_stacks(
    compilers: &Compilation<'_>,
    pairs: &[Pair<'_>],
    standard: &dyn Fn(&str) -> bool,
) -> Result<Vec<Option<IdenticalCode>>, CompilerError> {
    let mut found: Vec<Option<IdenticalCode>> = vec![None; pairs.len()];
    let mut open: Vec<Stack<'_>> = stacks(pairs);
    let stacked: usize = open.iter().map(|stack| stack.pairs.len()).sum();
    tracing::debug!(pairs = pairs.len(), stacks = open.len(), stacked, "texts behind each other");
    for index in open.iter().flat_map(|stack| &stack.pairs) {
        found[*index] = Some(IdenticalCode { verdicts: Vec::new() });
    }
    for run in compilers.runs() {
        let texts: Vec<&str> = open.iter().map(|stack| stack.text.as_str()).collect();
        let compiled = compilers.compile(run, &SECTIONS, &texts)?;
        for (stack, compiled) in open.iter().zip(&compiled) {
            let listing = compiled.assembly().map(Listing::parse);
            let parts = listing.as_ref().and_then(|listing| stack.parts(listing)).unwrap_or_default();
            if parts.is_empty() {
                tracing::debug!(?run, first = stack.pairs.first(), ?compiled, "a stack cannot be used");
            }
            let (old, new) = parts.split_first().map_or((None, &[][..]), |(old, new)| (Some(old), new));
            for (place, index) in stack.pairs.iter().enumerate() {
                let Some(mut so_far) = found[*index].take() else { continue };
                let Some((old, new)) = old.zip(new.get(place)) else { continue };
                let verdict = verdict(&pairs[*index], old, new, standard);
                if verdict.holds() {
                    so_far.verdicts.push((run.0, run.1, verdict));
                    found[*index] = Some(so_far);
                } else {
                    tracing::debug!(?run, index, ?verdict, "a stack does not show it");
                }
            }
        }
        open.retain(|stack| stack.pairs.iter().any(|index| found[*index].is_some()));
    }
    Ok(found)
}

/// Compiles each text by itself.
fn one_by_one(
    compilers: &Compilation<'_>,
    pairs: &[Pair<'_>],
    standard: &dyn Fn(&str) -> bool,
) -> Result<Vec<Result<IdenticalCode, Refusal>>, CompilerError> {
    let mut found: Vec<Result<IdenticalCode, Refusal>> = vec![Ok(IdenticalCode { verdicts: Vec::new() }); pairs.len()];
    for run @ (compiler, level) in compilers.runs() {
        let texts = Texts::of(pairs, &found);
        let compiled = compilers.compile(run, &[], &texts.all)?;
        // Those of one text stand side by side: it is read once, and nothing else is in memory but one new text.
        let mut found = found.as_mut_slice();
        for same_old in pairs.chunk_by(|one, other| one.old == other.old) {
            let (of_these, rest) = found.split_at_mut(same_old.len());
            found = rest;
            let old = read(texts.of_text(same_old[0].old, &compiled));
            let old = old.as_ref().map(Listing::whole);
            for (pair, found) in same_old.iter().zip(of_these) {
                let Ok(so_far) = found else { continue };
                let refusal = |side, message: &str| Refusal { side, compiler, level, message: message.to_owned() };
                let new = read(texts.of_text(pair.new, &compiled));
                match (&old, new.as_ref().map(Listing::whole)) {
                    (Ok(old), Ok(new)) => so_far.verdicts.push((compiler, level, verdict(pair, old, &new, standard))),
                    (Err(message), _) => *found = Err(refusal(Side::Old, message)),
                    (_, Err(message)) => *found = Err(refusal(Side::New, message)),
                }
            }
        }
    }
    Ok(found)
}

/// Different texts, each once.
struct Texts<'a> {
    all: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Texts<'a> {
    /// Those of the pairs that no compiler refused so far.
    fn of(pairs: &[Pair<'a>], found: &[Result<IdenticalCode, Refusal>]) -> Self {
        let mut texts = Self { all: Vec::new(), places: HashMap::new() };
        for (pair, _) in pairs.iter().zip(found).filter(|(_, found)| found.is_ok()) {
            for text in [pair.old, pair.new] {
                let next = texts.all.len();
                if *texts.places.entry(text).or_insert(next) == next {
                    texts.all.push(text);
                }
            }
        }
        texts
    }

    /// What a compiler made of this text.
    fn of_text<'r>(&self, text: &str, compiled: &'r [Compiled]) -> Option<&'r Compiled> {
        self.places.get(text).and_then(|&place| compiled.get(place))
    }
}

/// Every text of a pair that is left was compiled.
fn read(compiled: Option<&Compiled>) -> Result<Listing<'_>, &str> {
    match compiled {
        Some(Compiled::Accepted { assembly }) => Ok(Listing::parse(assembly)),
        Some(Compiled::Refused { messages }) => Err(messages),
        Some(Compiled::Ended { how }) => Err(how),
        None => Err(""),
    }
}

fn verdict<'a>(pair: &Pair<'a>, old: &'a View<'a>, new: &'a View<'a>, standard: &'a dyn Fn(&str) -> bool) -> Identical {
    let verdict = compare(old, new, pair.renames, standard);
    if matches!(verdict, Identical::Explained(_))
        && let Some((old, new)) = first_other_literal(pair.old, pair.new)
    {
        // A name in the data comes from an identifier; no renaming changes what is written in a literal.
        return Identical::Different { old, new };
    }
    verdict
}

/// The first literals by which two texts differ.
fn first_other_literal(old: &str, new: &str) -> Option<(String, String)> {
    let (ours, theirs) = (literals(old), literals(new));
    let at = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let show = |all: &[String]| all.get(at).cloned().unwrap_or_default();
    (ours != theirs).then(|| (show(&ours), show(&theirs)))
}

/// The literals of a text, in order, those of its macros included.
fn literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |token: Token| match token.kind {
        Kind::String | Kind::Character => found.push(token.spelling(text).into_owned()),
        // The suffix of a literal of C++ may be a name of the project.
        Kind::Number => found.push(token.spelling(text).split('_').next().unwrap_or_default().to_owned()),
        _ => {}
    };
    for token in lex(text) {
        match token.kind {
            Kind::Directive if directive_name(token.text(text)) == "include" => {}
            Kind::Directive => lex_directive(text, &token).for_each(&mut add),
            _ => add(token),
        }
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::renames::Renames;

    #[test]
    fn literals_are_those_of_macros_too_and_not_those_of_comments_and_includes() {
        let text = "#include \"a.h\"\n#define X \"x\" // \"no\"\nint f(void) { return 'c' + 0x1f + 1_km; /* 7 */ }\n";
        assert_eq!(literals(text), ["\"x\"", "'c'", "0x1f", "1"]);
        assert_eq!(first_other_literal("f(\"a\", 1)", "g(\"a\", 1)"), None);
        assert_eq!(first_other_literal("f(\"a\")", "f(\"b\")"), Some(("\"a\"".to_owned(), "\"b\"".to_owned())));
        assert_eq!(first_other_literal("f(1)", "f()"), Some(("1".to_owned(), String::new())));
    }

    const UNIT: &str = "#include <assert.h>\n#include <string.h>\nstruct pair { int left, right; };\n\
        static int powers[] = { 1, 10, 100 };\nextern int report(const char *text);\n\
        static int scaled(struct pair *pair, int at) { static int calls; calls++; return pair->left * powers[at]++; }\n\
        int best(struct pair *pair, const char *text) {\n    assert(pair->right);\n    switch (strlen(text)) {\n\
        case 0: return scaled(pair, 0);\n    case 1: return scaled(pair, 1);\n    case 2: return report(__func__);\n\
        case 3: return report(text);\n    case 4: return pair->left;\n    default: return report(\"none\");\n    }\n}\n";

    fn trial(number: usize, left: &str, right: &str) -> (String, Renames) {
        let old = ["pair", "left", "right", "powers", "report", "scaled", "at", "calls", "best", "text"];
        let mut new: HashMap<&str, String> = old.iter().map(|name| (*name, format!("{name}_{number}"))).collect();
        let renames = Renames::new(new.iter());
        let mut text = String::new();
        let mut at = 0;
        for token in lex(UNIT) {
            if let Some(name) = new.get(token.text(UNIT)) {
                text.push_str(&UNIT[at..token.start as usize]);
                text.push_str(name);
                at = token.end as usize;
            }
            // The fields are declared by then.
            if token.text(UNIT) == "powers" {
                let (left, right) = (format!("{left}_{number}"), format!("{right}_{number}"));
                new.extend([("left", left), ("right", right)]);
            }
        }
        (text + &UNIT[at..], renames)
    }

    #[test]
    fn right_texts_are_known_by_their_stack_and_a_wrong_one_among_them_is_not() {
        let (gcc, clang) = (
            Gcc::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap(),
            Clang::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap(),
        );
        let compilers = Compilation { gcc: &gcc, clang: &clang, language: Language::C, flags: &[], levels: &LEVELS };
        let trials = [trial(1, "left", "right"), trial(2, "right", "left"), trial(3, "left", "right")];
        let pairs: Vec<Pair<'_>> = trials.iter().map(|(new, renames)| Pair { old: UNIT, new, renames }).collect();
        assert_eq!(stacks(&pairs).len(), 1);
        let standard = |symbol: &str| ["strlen", "__assert_fail"].contains(&symbol);
        let found = in_stacks(&compilers, &pairs, &standard).unwrap();
        let alone = one_by_one(&compilers, &pairs, &standard).unwrap();
        assert_eq!(found[0].as_ref(), alone[0].as_ref().ok());
        assert_eq!(found[1], None);
        assert_eq!(found[2].as_ref(), alone[2].as_ref().ok());
        assert!(!alone[1].as_ref().unwrap().holds());
    }
}
