//! Which symbol is the function: by the linker's name, or by the name that it has in the source.

use std::collections::BTreeSet;

use cpp_demangle::DemangleOptions;

use crate::loss::Loss;

/// Finds a function among the symbols that have code. It may be called by the linker's name, or, in C++, by its name in the
/// source with as many of its scopes as one likes: `f`, `Class::f`, `space::Class::f`.
///
/// Of the several symbols of a constructor or destructor, it is the one that builds or ends the object itself.
pub(crate) fn find<'a>(symbols: impl Iterator<Item = &'a str> + Clone, function: &str) -> Result<&'a str, Loss> {
    if let Some(symbol) = symbols.clone().find(|symbol| *symbol == function) {
        return Ok(symbol);
    }
    let absent = || Loss::NoCode { function: function.to_owned() };
    if function.starts_with("_Z") {
        let others = siblings(function);
        return others.iter().find_map(|other| symbols.clone().find(|symbol| symbol == other)).ok_or_else(absent);
    }
    // Of a function of C the compiler may have made another with fewer arguments.
    let clones: BTreeSet<&str> = symbols.clone().filter(|symbol| is_clone_of(symbol, function)).collect();
    if let Some(symbol) = clones.first() {
        return Ok(symbol);
    }
    let wanted = function.trim_start_matches("::");
    let mut found: Vec<(&str, String)> = Vec::new();
    for symbol in symbols.filter(|symbol| symbol.starts_with("_Z") && !symbol.contains('.')) {
        if let Some(name) = source_name(symbol)
            && (name == wanted || name.strip_suffix(wanted).is_some_and(|scope| scope.ends_with("::")))
        {
            found.push((symbol, name));
        }
    }
    let names: BTreeSet<BTreeSet<String>> = found.iter().map(|(symbol, _)| family(symbol)).collect();
    match names.len() {
        0 => Err(absent()),
        1 => Ok(found.iter().map(|(symbol, _)| *symbol).min_by_key(|symbol| rank(symbol)).unwrap_or_default()),
        count => Err(Loss::Ambiguous { function: function.to_owned(), count }),
    }
}

/// The name in the source, with its scopes, without parameters and what a template was given.
fn source_name(symbol: &str) -> Option<String> {
    let parsed = cpp_demangle::Symbol::new(symbol).ok()?;
    let name = parsed.demangle_with_options(&DemangleOptions::new().no_params().no_return_type()).ok()?;
    let mut plain = String::new();
    let mut depth = 0usize;
    let operator = name.find("operator").unwrap_or(name.len());
    for (at, character) in name.char_indices() {
        match character {
            '<' if at < operator => depth += 1,
            '>' if at < operator => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(character),
            _ => {}
        }
    }
    Some(plain)
}

/// The constructors and destructors, by the mark in their symbols, the one with the code first.
const SIBLINGS: [&[&str]; 2] = [&["C2", "C1", "C3"], &["D2", "D1", "D0"]];

/// The symbols that may stand for the same constructor or destructor.
fn siblings(symbol: &str) -> Vec<String> {
    let mut found = Vec::new();
    for family in SIBLINGS {
        for mark in family {
            for (at, _) in symbol.match_indices(&format!("{mark}E")) {
                for other in family {
                    found.push(format!("{}{other}{}", &symbol[..at], &symbol[at + 2..]));
                }
            }
        }
    }
    found
}

fn family(symbol: &str) -> BTreeSet<String> {
    let mut family: BTreeSet<String> = siblings(symbol).into_iter().collect();
    family.insert(symbol.to_owned());
    family
}

fn rank(symbol: &str) -> usize {
    usize::from(!(symbol.contains("C2E") || symbol.contains("D2E")))
}

/// Whether a symbol is a part of a function's code, or a version of it, that the compiler made.
pub(crate) fn is_clone_of(symbol: &str, function: &str) -> bool {
    symbol.strip_prefix(function).and_then(|rest| rest.strip_prefix('.')).is_some_and(|rest| {
        ["cold", "part", "isra", "constprop", "localalias"].iter().any(|word| rest.starts_with(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(symbols: &[&str], function: &str) -> Result<String, &'static str> {
        find(symbols.iter().copied(), function).map(str::to_owned).map_err(|loss| loss.reason())
    }

    #[test]
    fn functions_are_found_by_either_name() {
        let symbols = ["main", "_ZN3abc1fEi", "_ZN1C1gEv", "_ZN1CC1Ev", "_ZN1CC2Ev", "_Z1hi", "_Z1hd", "k.constprop.0"];
        assert_eq!(found(&symbols, "main"), Ok("main".to_owned()));
        assert_eq!(found(&symbols, "_Z1hd"), Ok("_Z1hd".to_owned()));
        assert_eq!(found(&symbols, "f"), Ok("_ZN3abc1fEi".to_owned()));
        assert_eq!(found(&symbols, "abc::f"), Ok("_ZN3abc1fEi".to_owned()));
        assert_eq!(found(&symbols, "xabc::f"), Err("no-code"));
        assert_eq!(found(&symbols, "C::C"), Ok("_ZN1CC2Ev".to_owned()));
        assert_eq!(found(&["_ZN1CC2Ev"], "_ZN1CC1Ev"), Ok("_ZN1CC2Ev".to_owned()));
        assert_eq!(found(&symbols, "h"), Err("ambiguous"));
        assert_eq!(found(&symbols, "k"), Ok("k.constprop.0".to_owned()));
        assert_eq!(found(&symbols, "none"), Err("no-code"));
    }

    #[test]
    fn templates_and_operators_are_found() {
        assert_eq!(source_name("_ZN3BoxIiE3getEv").as_deref(), Some("Box::get"));
        assert_eq!(source_name("_ZlsR1AS0_").as_deref(), Some("operator<<"));
    }
}
