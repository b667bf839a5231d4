//! A project's flags, as far as they matter to what its code means.

/// Flags, by their beginnings, that do not change what a text means: how it is optimised, hardened, debugged, warned
/// about, and where results go.
const WITHOUT_MEANING: &[&str] = &[
    "-O",
    "-g",
    "-W",
    "-w",
    "-pipe",
    "-pedantic",
    "-M",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
    "-pie",
    "-no-pie",
    "-static",
    "-shared",
    "-fno-PIC",
    "-fno-pic",
    "-fno-PIE",
    "-fno-pie",
    "-fno-plt",
    "-fstack-",
    "-fno-stack-",
    "-flto",
    "-fno-lto",
    "-ffat-lto",
    "-fno-fat-lto",
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile",
    "-ftest-coverage",
    "-fcoverage",
    "--coverage",
    "-fcf-protection",
    "-fdiagnostics",
    "-fno-diagnostics",
    "-fcolor",
    "-fmax-errors",
    "-fmessage-length",
    "-fmacro-prefix-map",
    "-ffile-prefix-map",
    "-fdebug",
    "-fdata-sections",
    "-ffunction-sections",
    "-fno-data-sections",
    "-fno-function-sections",
    "-fvisibility",
    "-fasynchronous",
    "-fno-asynchronous",
    "-funwind-tables",
    "-fno-unwind-tables",
    "-fomit-frame-pointer",
    "-fno-omit-frame-pointer",
    "-finline",
    "-fno-inline",
    "-funroll",
    "-fno-unroll",
    "-ftree",
    "-fno-tree",
    "-fipa",
    "-fno-ipa",
    "-fpartial-inlining",
    "-fkeep-",
    "-fdump",
    "-fno-semantic-interposition",
    "-fsemantic-interposition",
    "-ftrivial-auto-var-init",
    "-fzero-call-used-regs",
    "-fanalyzer",
    "-fuse-linker-plugin",
    "-fuse-ld",
    "-fverbose-asm",
    "-fopt-info",
    "-fsyntax-only",
    "-save-temps",
    "-L",
    "-l",
    "-Q",
    "-v",
    "-S",
    "-E",
    "-fdirectives-only",
    "-fpch-",
    "-mtune",
    "-m64",
];

/// Flags that tell where text is to be found or what macros are: a unit has all of that inside.
const IN_THE_TEXT: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-isysroot",
    "--sysroot",
    "-nostdinc",
    "-A",
    "-P",
    "-C",
];

/// Flags whose value is the next word.
const WITH_NEXT_WORD: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-isysroot",
    "-MF",
    "-MT",
    "-MQ",
    "-L",
    "-l",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xclang",
    "-arch",
    "-target",
    "-A",
    "--param",
    "-T",
    "-u",
    "-z",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-imultilib",
    "-dumpbase",
];

/// Of a project's arguments, those that a unit must be compiled with besides its language: dialect, and whatever
/// changes the meaning of types or code, such as `-funsigned-char`, `-fwrapv` or `-m32`. Usually there are none. The
/// standard (`-std=`, `-ansi`) is among them; try without it first.
pub fn unit_flags(arguments: &[String]) -> Vec<String> {
    sorted_out(arguments).filter(|(_, kind)| *kind == Kind::Meaning).flat_map(|(words, _)| words.to_vec()).collect()
}

/// Of a project's arguments, those to compile its file with when only its code is of interest.
pub(crate) fn original_flags(arguments: &[String]) -> Vec<String> {
    sorted_out(arguments).filter(|(_, kind)| *kind != Kind::None).flat_map(|(words, _)| words.to_vec()).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    None,
    Text,
    Meaning,
}

/// The arguments, each with its value, and what kind of flag each is.
fn sorted_out(arguments: &[String]) -> impl Iterator<Item = (&[String], Kind)> {
    let mut rest = arguments;
    std::iter::from_fn(move || {
        let first = rest.first()?;
        let count = if WITH_NEXT_WORD.contains(&first.as_str()) { 2.min(rest.len()) } else { 1 };
        let (words, after) = rest.split_at(count);
        rest = after;
        Some((words, kind(words)))
    })
}

fn kind(words: &[String]) -> Kind {
    let first = words[0].as_str();
    // The preprocessor's part of `-Wp,…` is a definition as a rule; hardening is of no interest.
    if first.contains("_FORTIFY_SOURCE") || words.get(1).is_some_and(|word| word.contains("_FORTIFY_SOURCE")) {
        return Kind::None;
    }
    if !first.starts_with('-') || matches!(first, "-c" | "-o" | "-x" | "-" | "--") || first.starts_with("-x") {
        return Kind::None;
    }
    if first == "-Xpreprocessor" || first.starts_with("-Wp,-D") || first.starts_with("-Wp,-U") {
        return Kind::Text;
    }
    if first == "-pthread" {
        return Kind::Text;
    }
    if matches!(first, "-Xlinker" | "-Xassembler" | "-Xclang" | "-arch" | "-target" | "-T" | "-u" | "-z" | "--param") {
        return Kind::None;
    }
    let starts = |list: &[&str]| list.iter().any(|flag| first.starts_with(flag));
    match () {
        () if first.starts_with("-finline") || first.starts_with("-fno-inline") => Kind::None,
        () if first.starts_with("-fgnu89-inline") => Kind::Meaning,
        () if starts(WITHOUT_MEANING) => Kind::None,
        () if starts(IN_THE_TEXT) => Kind::Text,
        () => Kind::Meaning,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn only_what_changes_the_meaning_of_a_unit_stays() {
        let all = "-c -O2 -g3 -ggdb -Wall -Wno-unused -w -fPIC -fstack-protector-strong -flto=auto -fsanitize=address \
                   -fvisibility=hidden -I include -Iother -DA=1 -D B -U C -include config.h -isystem /x -pthread -MD \
                   -MF deps -o out.o -x c -fdata-sections --param max-inline-insns-single=9 -pipe -L/x -lm file.c";
        assert_eq!(unit_flags(&words(all)), [""; 0]);
        let meaning = "-std=gnu99 -funsigned-char -fshort-enums -fno-builtin -ffreestanding -fwrapv -fno-strict-aliasing \
                       -m32 -mavx2 -march=haswell -fno-exceptions -fno-rtti -ffast-math -fgnu89-inline -fms-extensions \
                       -ansi -fno-common -fopenmp -fchar8_t";
        assert_eq!(unit_flags(&words(meaning)), words(meaning));
    }

    #[test]
    fn the_original_keeps_what_its_text_needs() {
        let all = "-O3 -I include -Iother -DA=1 -D B -U C -include config.h -isystem /x -pthread -std=c99 -Wp,-DQ=1 \
                   -D_FORTIFY_SOURCE=2 -Wp,-D_FORTIFY_SOURCE=3 -D _FORTIFY_SOURCE=1 -fPIC -o x";
        let kept = "-I include -Iother -DA=1 -D B -U C -include config.h -isystem /x -pthread -std=c99 -Wp,-DQ=1";
        assert_eq!(original_flags(&words(all)), words(kept));
    }

    #[test]
    fn a_flag_without_its_value_is_no_panic() {
        assert_eq!(original_flags(&words("-std=c99 -I")), words("-std=c99 -I"));
    }
}
