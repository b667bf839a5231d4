//! Which symbol is the function: by the linker's name, or by the name that it has in the source.

use std::collections::BTreeSet;

use cpp_demangle::DemangleOptions;

use crate::loss::Loss;

/// Finds a function among the symbols that have code. It may be called by the linker's name, or, in C++, by its name in the
/// source with as many of its scopes as one likes: `f`, `Class::f`, `space::Class::f`. A linker's name of another target will
/// do, although the same types have other names there.
///
/// Of the several symbols of a constructor or destructor, it is the one that builds or ends the object itself.
pub(crate) fn find<'a>(symbols: impl Iterator<Item = &'a str> + Clone, function: &str) -> Result<&'a str, Loss> {
    if let Some(symbol) = symbols.clone().find(|symbol| *symbol == function) {
        return Ok(symbol);
    }
    let absent = || Loss::NoCode { function: function.to_owned() };
    let mut wanted = function.trim_start_matches("::").to_owned();
    if function.starts_with("_Z") {
        let others = siblings(function);
        if let Some(symbol) = others.iter().find_map(|other| symbols.clone().find(|symbol| symbol == other)) {
            return Ok(symbol);
        }
        wanted = format!("::{}", source_name(function).ok_or_else(absent)?);
    } else if let Some(symbol) = symbols.clone().filter(|symbol| is_clone_of(symbol, function)).min() {
        // The compiler may have cloned a function of C with fewer parameters (`.constprop`, `.isra`).
        return Ok(symbol);
    }
    let mut found: Vec<&str> = Vec::new();
    for symbol in symbols.filter(|symbol| symbol.starts_with("_Z") && !symbol.contains('.')) {
        let name = source_name(symbol).map(|name| format!("::{name}"));
        if name.is_some_and(|name| {
            name.strip_suffix(&wanted).is_some_and(|scope| scope.is_empty() || scope.ends_with("::"))
        }) {
            found.push(symbol);
        }
    }
    // The same types may have other names at another target.
    let given = function.starts_with("_Z").then(|| signature(function)).flatten();
    if let Some(symbol) = found.iter().find(|symbol| given.is_some() && signature(symbol) == given) {
        let family = family(symbol);
        found.retain(|symbol| family.contains(*symbol));
    }
    let families: BTreeSet<BTreeSet<String>> = found.iter().map(|symbol| family(symbol)).collect();
    match families.len() {
        0 => Err(absent()),
        1 => Ok(found.into_iter().min_by_key(|symbol| rank(symbol)).unwrap_or_default()),
        count => Err(Loss::Ambiguous { function: function.to_owned(), count }),
    }
}

/// A function's name with the types of its parameters, spelled the same at every target.
fn signature(symbol: &str) -> Option<String> {
    let parsed = cpp_demangle::Symbol::new(symbol).ok()?;
    let mut name = parsed.demangle_with_options(&DemangleOptions::new().no_return_type()).ok()?;
    for (one, other) in SPELLINGS {
        name = name.replace(one, other);
    }
    Some(name)
}

/// What has other names at some targets: inline namespaces of the standard library, 64-bit integers, `va_list`.
const SPELLINGS: &[(&str, &str)] = &[
    ("std::__cxx11::", "std::"),
    ("std::__1::", "std::"),
    ("std::__2::", "std::"),
    ("long long", "long"),
    ("std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"),
    ("std::__va_list", "va_list"),
    ("__va_list_tag*", "va_list"),
    ("__va_list_tag (*) [1]", "va_list"),
];

/// The name in the source, with its scopes, without parameters and what a template was given.
fn source_name(symbol: &str) -> Option<String> {
    let parsed = cpp_demangle::Symbol::new(symbol).ok()?;
    let name = parsed.demangle_with_options(&DemangleOptions::new().no_params().no_return_type()).ok()?;
    let name = name.replace("(anonymous namespace)::", "").replace("[abi:cxx11]", "");
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
    use estrange_words::Reason;

    use super::*;

    fn found(symbols: &[&str], function: &str) -> Result<String, Reason> {
        find(symbols.iter().copied(), function).map(str::to_owned).map_err(|loss| loss.reason())
    }

    #[test]
    fn functions_are_found_by_either_name() {
        let symbols = ["main", "_ZN3abc1fEi", "_ZN1C1gEv", "_ZN1CC1Ev", "_ZN1CC2Ev", "_Z1hi", "_Z1hd", "k.constprop.0"];
        assert_eq!(found(&symbols, "main"), Ok("main".to_owned()));
        assert_eq!(found(&symbols, "_Z1hd"), Ok("_Z1hd".to_owned()));
        assert_eq!(found(&symbols, "f"), Ok("_ZN3abc1fEi".to_owned()));
        assert_eq!(found(&symbols, "abc::f"), Ok("_ZN3abc1fEi".to_owned()));
        assert_eq!(found(&symbols, "xabc::f"), Err(Reason::FunctionHasNoCode));
        assert_eq!(found(&symbols, "C::C"), Ok("_ZN1CC2Ev".to_owned()));
        assert_eq!(found(&["_ZN1CC2Ev"], "_ZN1CC1Ev"), Ok("_ZN1CC2Ev".to_owned()));
        assert_eq!(found(&symbols, "h"), Err(Reason::Ambiguous));
        assert_eq!(found(&symbols, "k"), Ok("k.constprop.0".to_owned()));
        assert_eq!(found(&symbols, "none"), Err(Reason::FunctionHasNoCode));
    }

    #[test]
    fn a_name_of_another_target_will_do() {
        let symbols = ["_Z1hx", "_Z1hd", "_Z1sRKNSt3__212basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE"];
        assert_eq!(found(&symbols, "_Z1hl"), Ok("_Z1hx".to_owned()));
        assert_eq!(found(&symbols, "_Z1hPv"), Err(Reason::Ambiguous));
        let host = "_Z1sRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
        assert_eq!(found(&symbols, host), Ok(symbols[2].to_owned()));
        assert_eq!(found(&["_ZN12_GLOBAL__N_11fEv"], "f"), Ok("_ZN12_GLOBAL__N_11fEv".to_owned()));
    }

    #[test]
    fn templates_and_operators_are_found() {
        assert_eq!(source_name("_ZN3BoxIiE3getEv").as_deref(), Some("Box::get"));
        assert_eq!(source_name("_ZlsR1AS0_").as_deref(), Some("operator<<"));
    }
}
