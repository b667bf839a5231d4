//! Those of a unit's flags that an analysis may get.

/// Flags, by their beginnings, that change what a compiler says, or whether it says anything, and not what a text means.
/// A project that compiles with `-w` or `-Werror` has chosen that for its own builds.
const ABOUT_MESSAGES: &[&str] =
    &["-w", "-W", "-fdiagnostics", "-fno-diagnostics", "-fanalyzer", "-fno-analyzer", "-fmax-errors", "-ferror-limit"];

/// Flags that hand something to the preprocessor, although they begin as those of warnings do.
const PREPROCESSOR: &str = "-Wp,";

/// A unit's flags for gcc and clang: all that are not about messages.
pub fn for_compilers(flags: &[String]) -> Vec<String> {
    let is_message = |flag: &&String| ABOUT_MESSAGES.iter().any(|start| flag.starts_with(start));
    flags.iter().filter(|flag| flag.starts_with(PREPROCESSOR) || !is_message(flag)).cloned().collect()
}

/// A unit's flags for cppcheck, which takes macros and the standard.
pub fn for_cppcheck(flags: &[String]) -> Vec<String> {
    let mut known = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        match flag.as_str() {
            "-D" | "-U" => known.extend(rest.next().map(|name| format!("{flag}{name}"))),
            _ if flag.starts_with("-D") || flag.starts_with("-U") => known.push(flag.clone()),
            _ => known.extend(flag.strip_prefix("-std=").and_then(standard)),
        }
    }
    known
}

/// cppcheck's word for a standard of C or C++; it knows neither the extensions of gcc nor all years.
fn standard(name: &str) -> Option<String> {
    let year = name.strip_prefix("gnu").or(name.strip_prefix('c')).unwrap_or_default();
    let known = ["89", "99", "11", "++03", "++11", "++14", "++17", "++20"];
    known.contains(&year).then(|| format!("--std=c{year}"))
}

#[cfg(test)]
mod tests {
    use super::{for_compilers, for_cppcheck};

    #[test]
    fn what_is_about_messages_is_left_out() {
        let given = ["-O2", "-w", "-Werror", "-Wp,-DA", "-fno-analyzer", "-DW", "-fwrapv"].map(str::to_owned);
        assert_eq!(for_compilers(&given), ["-O2", "-Wp,-DA", "-DW", "-fwrapv"]);
    }

    #[test]
    fn cppcheck_gets_macros_and_the_standard() {
        let given = ["-DA=1", "-D", "B", "-O2", "-UC", "-std=gnu99", "-std=c++23", "-std=gnu++17", "-I/usr"];
        let given = given.map(str::to_owned);
        assert_eq!(for_cppcheck(&given), ["-DA=1", "-DB", "-UC", "--std=c99", "--std=c++17"]);
    }
}
