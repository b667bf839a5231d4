//! Says what code is refused for.

use std::collections::BTreeMap;

use estrange_words::Mistake;
use serde::{Deserialize, Serialize};

use crate::candidates::of_candidates;
use crate::clean::resolved;
use crate::diagnostic::{Diagnostic, Excerpt, Note, Severity};
use crate::pattern::{capture, fits};
use crate::rule::{Rule, When};
use crate::rules::{EXPLAINING, RULES};

/// What the code is refused for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnosed {
    /// The mistake.
    pub mistake: Mistake,
    /// Which diagnostic says so, counted from none: the first error, or the warning that explains it.
    pub because: usize,
    /// What the other errors stand for by themselves, and how often. Most of them follow from the first.
    pub others: BTreeMap<Mistake, usize>,
}

/// That there were errors, and no error itself.
const SUMMARIES: &[&str] = &["ld returned ", "linker command failed", "too many errors emitted", "final link failed"];
/// How an undefined reference begins.
const UNDEFINED: &str = "undefined reference to '{name}'";
/// How gcc warns of a call of what is not declared.
const IMPLICIT: &str = "implicit declaration of function '{name}'";

/// Says what code is refused for that these diagnostics are about; nothing if there is no error among them.
///
/// It is what the first error stands for, since others follow from it, with these exceptions:
/// - gcc only warns of a call of what is not declared. If something follows from that (the linker does not find the function;
///   it is declared behind the call; what it gives is used as no integer), the warning counts;
/// - a warning in the line of the first error may say more than the error, such as that a text in quotes does not end;
/// - where a type is unknown, its line may be no expression first;
/// - where text ends too early, errors may come before the one that says so.
pub fn diagnose(diagnostics: &[Diagnostic]) -> Option<Diagnosed> {
    let is_summary = |one: &Diagnostic| SUMMARIES.iter().any(|text| one.message.starts_with(text));
    let all: Vec<usize> = (0..diagnostics.len()).filter(|&index| diagnostics[index].severity.is_error()).collect();
    let real: Vec<usize> = all.iter().copied().filter(|&index| !is_summary(&diagnostics[index])).collect();
    let errors = if real.is_empty() { all } else { real };
    let first = *errors.first()?;
    let mistakes: Vec<Mistake> = errors.iter().map(|&index| mistake_of(&diagnostics[index])).collect();
    let (mistake, because) = explained(diagnostics, &errors)
        .or_else(|| by_another_error(diagnostics, &errors, &mistakes))
        .unwrap_or((mistakes[0], first));
    let mut others = BTreeMap::new();
    for (&index, &other) in errors.iter().zip(&mistakes) {
        if index != because && index != first {
            *others.entry(other).or_default() += 1;
        }
    }
    Some(Diagnosed { mistake, because, others })
}

/// What a diagnostic stands for by itself.
pub fn mistake_of(diagnostic: &Diagnostic) -> Mistake {
    if diagnostic.severity == Severity::Internal {
        return Mistake::CompilerFailure;
    }
    of_candidates(diagnostic).or_else(|| rule_of(RULES, diagnostic).map(|rule| rule.mistake)).unwrap_or(Mistake::Other)
}

/// The first rule that fits.
pub fn rule_of<'r>(rules: &'r [Rule], diagnostic: &Diagnostic) -> Option<&'r Rule> {
    let message = resolved(&diagnostic.message);
    rules.iter().find(|rule| capture(rule.pattern, &message).is_some_and(|name| holds(rule.when, diagnostic, name)))
}

fn holds(when: When, diagnostic: &Diagnostic, name: &str) -> bool {
    let shown = diagnostic.excerpt.as_ref();
    match when {
        When::Always => true,
        When::Used(wanted) => shown.is_some_and(|excerpt| excerpt.usage(name) == wanted),
        When::Opens => open_parentheses(diagnostic) > 0,
        When::OpensAtEnd => {
            open_parentheses(diagnostic) > 0 && shown.is_some_and(|excerpt| excerpt.pointed_at().1.starts_with(';'))
        }
        When::MacroInText => shown.is_some_and(|excerpt| {
            let (before, behind) = excerpt.pointed_at();
            let mut letters = behind.chars();
            before.trim_end().ends_with('"') && (0..2).all(|_| letters.next().is_some_and(|c| c.is_uppercase()))
        }),
        When::NoAccess => shown.filter(|excerpt| excerpt.caret.is_some()).is_some_and(|excerpt| {
            let (before, behind) = excerpt.pointed_at();
            let is_access = before.ends_with("->") || before.ends_with('.');
            !is_access && !behind.starts_with("->") && !behind.starts_with('.')
        }),
        When::Closes => open_parentheses(diagnostic) < 0,
        When::AtEnd => shown.is_some_and(|excerpt| excerpt.is_at_end()),
        When::Noted(pattern) => diagnostic.notes.iter().any(|note| fits(pattern, &resolved(&note.message))),
    }
}

/// How many parentheses are left open in the line that is shown, and in the one of what should be closed there.
fn open_parentheses(diagnostic: &Diagnostic) -> i32 {
    let is_opening = |note: &&Note| note.line != diagnostic.line && note.message.starts_with("to match this '('");
    let opening = diagnostic.notes.iter().find(is_opening).and_then(|note| note.excerpt.as_ref());
    diagnostic.excerpt.iter().chain(opening).map(Excerpt::open_parentheses).sum()
}

/// The warning that explains the first error, or an error of the linker.
fn explained(diagnostics: &[Diagnostic], errors: &[usize]) -> Option<(Mistake, usize)> {
    let first = *errors.first()?;
    let implicit = |name: &str| {
        let says = |one: &Diagnostic| capture(IMPLICIT, &one.message) == Some(name);
        diagnostics.iter().position(says).map(|index| (Mistake::ImplicitDeclaration, index))
    };
    if fits("undefined ", &diagnostics[first].message) {
        return errors.iter().find_map(|&index| implicit(capture(UNDEFINED, &diagnostics[index].message)?));
    }
    let error = &diagnostics[first];
    if error.notes.iter().any(|note| fits("previous implicit declaration", &note.message)) {
        let name = error.message.split('\'').nth(1).unwrap_or_default();
        return Some(implicit(name).unwrap_or((Mistake::ImplicitDeclaration, first)));
    }
    let is_near = |one: &Diagnostic| !one.severity.is_error() && one.file == error.file && one.line == error.line;
    let warnings = (0..first).filter(|&index| is_near(&diagnostics[index]));
    warnings.filter_map(|index| Some((rule_of(EXPLAINING, &diagnostics[index])?.mistake, index))).next()
}

/// Another error that explains the first one: of an unknown type in the same line, or that text ends too early.
fn by_another_error(diagnostics: &[Diagnostic], errors: &[usize], mistakes: &[Mistake]) -> Option<(Mistake, usize)> {
    let (&first, &mistake) = errors.first().zip(mistakes.first())?;
    let is_beside = |index: usize| {
        diagnostics[index].line == diagnostics[first].line && diagnostics[index].file == diagnostics[first].file
    };
    let all = || errors.iter().copied().zip(mistakes.iter().copied());
    // What follows the name of a type that is none is no expression.
    let of_type = all().find(|&(index, other)| other == Mistake::UndeclaredType && is_beside(index));
    if let Some((index, other)) = of_type.filter(|_| is_of_grammar(mistake)) {
        return Some((other, index));
    }
    // What stands in the last line may be half a name. A function inside of another is there since that does not end.
    let unclosed = all().rfind(|&(_, other)| other == Mistake::Unclosed);
    let is_last = |index: usize| {
        is_beside(index) && (mistake != Mistake::Parentheses || diagnostics[index].column == diagnostics[first].column)
    };
    unclosed.filter(|&(index, _)| is_last(index) || mistake == Mistake::Other).map(|(index, other)| (other, index))
}

fn is_of_grammar(mistake: Mistake) -> bool {
    matches!(mistake, Mistake::ExpectedExpression | Mistake::Punctuation | Mistake::Parentheses)
}
