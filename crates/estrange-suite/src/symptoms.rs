//! What the words of a failing step tell: whether it wants the network, or writes outside; and whether it is the compiler
//! or the linker that refuses an edit.

use crate::error::SuiteError;

/// What programs say that cannot reach the network.
const NETWORK: [&str; 9] = [
    "getaddrinfo",
    "could not resolve host",
    "temporary failure in name resolution",
    "network is unreachable",
    "name or service not known",
    "socket: permission denied",
    "unable to connect to",
    "failed to connect to",
    "failed to download",
];

/// What programs say that write where they may not.
const OUTSIDE: [&str; 2] = ["read-only file system", "cannot create directory '/"];

/// What the linker says when it refuses.
const LINKER: [&str; 6] = [
    "undefined reference to",
    "multiple definition of",
    "ld returned ",
    "linker command failed",
    "undefined symbol:",
    "duplicate symbol",
];

/// What a failing step of the untouched project shows that it should not do.
pub fn of_untouched(output: &str) -> Option<SuiteError> {
    let find = |signs: &[&str]| {
        output.lines().find(|line| {
            let line = line.to_ascii_lowercase();
            signs.iter().any(|sign| line.contains(sign))
        })
    };
    if let Some(line) = find(&NETWORK) {
        return Some(SuiteError::NeedsNetwork { line: line.trim().to_owned() });
    }
    find(&OUTSIDE).map(|line| SuiteError::WritesOutside { line: line.trim().to_owned() })
}

/// Whether it is the linker that refused, and no compiler did.
pub fn is_linkers(output: &str) -> bool {
    let by_linker = |line: &str| LINKER.iter().any(|sign| line.contains(sign));
    let by_compiler = |line: &str| {
        // `file.c:3:5: error: …`, and not `collect2: error: …` or `/usr/bin/ld: …: error: …`.
        let before = line.split(" error: ").next().filter(|before| before.len() < line.len());
        before.is_some_and(|before| {
            before.split(':').filter(|part| part.parse::<u32>().is_ok()).count() > 0 && !by_linker(line)
        }) || line.contains(" Error: ")
            || line.contains("fatal error: ")
    };
    output.lines().any(by_linker) && !output.lines().any(by_compiler)
}

/// The last lines, for an error.
pub fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    lines[lines.len().saturating_sub(40)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linker_and_the_compiler_are_told_apart() {
        let linker = "gcc -o t t.o\n/usr/bin/ld: t.o: in function `f':\nt.c:(.text+0x5): undefined reference to `g'\n\
            collect2: error: ld returned 1 exit status\nmake: *** [Makefile:3: t] Error 1\n";
        let compiler = "t.c: In function 'f':\nt.c:3:5: error: 'x' undeclared (first use in this function)\n";
        assert!(is_linkers(linker));
        assert!(!is_linkers(compiler));
        assert!(!is_linkers(&format!("{linker}{compiler}")));
    }

    #[test]
    fn a_step_that_reaches_out_is_found_by_its_words() {
        let network = of_untouched("a\ncurl: (6) Could not resolve host: example.org\n");
        assert!(matches!(network, Some(SuiteError::NeedsNetwork { .. })));
        let outside = of_untouched("install: cannot create directory '/opt': Read-only file system\n");
        assert!(matches!(outside, Some(SuiteError::WritesOutside { .. })));
        assert!(of_untouched("all is well").is_none());
    }
}
