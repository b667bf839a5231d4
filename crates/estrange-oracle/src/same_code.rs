//! Which wrong edits of a function are not wrong: a compiler writes the same optimised code for them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use estrange_clang::{Body, Tree};
use estrange_evidence::{Assembly, Compiled, Level};
use estrange_words::Language;

use crate::callee::Callee;
use crate::copies;
use crate::edits::Edit;
use crate::harness::Harness;
use crate::mutants::Mutant;
use crate::oracle::{Oracle, OracleError, Subject};
use crate::program::{BuildError, WHOLE};

/// What is compiled with the function. What it calls is put into its code; what that calls hardly ever is, but may be most
/// of a text, so that it is left out at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Around {
    /// The functions that it names.
    Near,
    /// The whole text.
    All,
}

impl Around {
    /// Where to begin with a function: what is near is for C, and where there is more.
    pub(crate) fn first(language: Language, tree: &Tree, body: &Body) -> Self {
        match language == Language::C && far(tree, body).next().is_some() {
            true => Self::Near,
            false => Self::All,
        }
    }
}

/// Of each of these edits, whether a compiler writes the same optimised code as for the function itself.
pub(crate) fn have_same_code(
    oracle: &Oracle,
    subject: &Subject<'_>,
    tree: &Tree,
    body: &Body,
    harness: &Harness,
    mutants: &[&Mutant],
    around: Around,
) -> Result<Vec<bool>, OracleError> {
    let mut same = vec![false; mutants.len()];
    for by_gcc in [false, true] {
        let rest: Vec<usize> = (0..mutants.len()).filter(|number| !same[*number]).collect();
        if rest.is_empty() {
            break;
        }
        // The first copy is the function itself.
        let edits = rest.iter().map(|number| &mutants[*number].edits[..]);
        let all: Vec<&[Edit]> = [&[][..]].into_iter().chain(edits).collect();
        let Some(mut copied) = copies::with_copies(tree, subject.text, body, subject.language, &all) else { break };
        // There is no code of a template until something calls it.
        if body.is_template {
            let callees: Vec<Callee> = (0..all.len()).map(Callee::Copy).collect();
            copied.text.push_str(&harness.text(&callees, &BTreeMap::new()));
        }
        let near = (around == Around::Near).then(|| nearby(tree, &copied.text, body));
        // The compiler may not take it without the rest.
        for text in near.iter().chain([&copied.text]) {
            let Some(assembly) = optimised(oracle, subject, body, text, by_gcc)? else { continue };
            let codes = codes(assembly, subject.language, body, &tree.thing(body.thing).name, all.len());
            if let [Some(original), wrong @ ..] = &codes[..] {
                rest.iter().zip(wrong).for_each(|(number, code)| same[*number] = code.as_ref() == Some(original));
            }
            break;
        }
    }
    Ok(same)
}

/// The optimised code of a text, unless the compiler refuses it.
fn optimised(
    oracle: &Oracle,
    subject: &Subject<'_>,
    body: &Body,
    text: &str,
    by_gcc: bool,
) -> Result<Option<String>, OracleError> {
    let mut flags = subject.flags.to_vec();
    // Code that says on which line it stands is the same on another line.
    flags.extend(["-w", "-D__LINE__=1"].map(str::to_owned));
    if body.is_template {
        flags.extend(["-fno-inline", "-fno-access-control"].map(str::to_owned));
    }
    if by_gcc && subject.language == Language::Cpp {
        flags.push(WHOLE.to_owned());
    }
    let compiled = match by_gcc {
        true => oracle.builder.gcc().compile(subject.language, Level::O2, &flags, &[text]).map_err(BuildError::from)?,
        false => oracle.clang.compile(subject.language, Level::O2, &flags, &[text]).map_err(BuildError::from)?,
    };
    Ok(compiled.into_iter().find_map(|compiled| match compiled {
        Compiled::Accepted { assembly } => Some(assembly),
        _ => None,
    }))
}

/// The code of each of so many copies, as far as it is there, without their own names.
fn codes(assembly: String, language: Language, body: &Body, name: &str, copies: usize) -> Vec<Option<Vec<String>>> {
    let assembly = Assembly::parse(assembly);
    let functions = assembly.functions();
    let code = |number: usize| {
        let mark = copies::symbol(body.kind, language, name, number);
        let is_it = |symbol: &&&str| match language {
            Language::C => **symbol == mark,
            Language::Cpp => symbol.contains(&mark),
        };
        let code = assembly.code(functions.iter().find(is_it)?)?;
        Some(code.lines().iter().map(|line| line.replace(&mark, "")).collect())
    };
    (0..copies).map(code).collect()
}

/// The functions that a function does not name.
fn far<'t>(tree: &'t Tree, body: &'t Body) -> impl Iterator<Item = &'t Body> {
    let nodes = body.body.map(|block| tree.subtree(block)).unwrap_or_default();
    let named: BTreeSet<u32> = nodes.filter_map(|node| tree.node(node).thing).collect();
    tree.functions.iter().filter(move |other| other.start != body.start && !named.contains(&other.thing))
}

/// A text of C with copies of a function, without the bodies of functions that these do not name.
fn nearby(tree: &Tree, text: &str, body: &Body) -> String {
    let mut near = text.to_owned();
    // What the function calls by its own name, a copy calls by that of the copy.
    for (other, block) in far(tree, body).chain([body]).filter_map(|other| Some((other, tree.node(other.body?)))) {
        let (mut start, end) = (block.start as usize, block.end as usize);
        if !text.get(start..end).is_some_and(|text| text.starts_with('{') && text.ends_with('}')) {
            continue;
        }
        if !text[..start].trim_end().ends_with(')') {
            // In the old style, only names stand in parentheses, and declarations of them before the body.
            let Some((names, close)) = names_in_parentheses(text, other.name as usize) else { continue };
            near.replace_range(names.clone(), &" ".repeat(names.len()));
            start = close;
        }
        near.replace_range(start..end, &format!(";{}", " ".repeat(end - start - 1)));
    }
    near
}

/// What stands in the parentheses behind the name at a place, if that is no more than names, and the byte behind them.
fn names_in_parentheses(text: &str, name: usize) -> Option<(Range<usize>, usize)> {
    let open = name + text.get(name..)?.find('(')? + 1;
    let close = open + text[open..].find(')')?;
    let is_name = |character: char| character.is_alphanumeric() || "_, \t\r\n".contains(character);
    text[open..close].chars().all(is_name).then_some((open..close, close + 1))
}
