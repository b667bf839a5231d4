//! Reduces a compiler call to the flags that matter for parsing and for code, in a form gcc and clang both take.
//!
//! What could make a compiler run or load foreign code (`-fplugin`, `-B`, `-specs`, `-wrapper`, `-Xclang`) never
//! passes: flags are kept because they are known to be wanted, not dropped because they are known to be bad.

use std::path::{Path, PathBuf};

use estrange_words::Language;

use super::paths::absolute;
use super::words::listed;

/// A compiler call as a build system made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    /// Where it ran.
    pub directory: PathBuf,
    /// The compiler and its arguments.
    pub words: Vec<String>,
    /// The file that the compile database says it is about.
    pub file: Option<PathBuf>,
}

/// What a call says about the files it compiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Normal {
    /// The files, with their paths made absolute.
    pub files: Vec<PathBuf>,
    /// The language, if the call names one or the driver implies it.
    pub language: Option<Language>,
    /// The value of `-std`.
    pub standard: Option<String>,
    /// What is left of the arguments, each a single word, paths made absolute.
    pub arguments: Vec<String>,
}

/// Flags followed by a path, glued or as the next word.
const PATH_FLAGS: [&str; 6] = ["-include", "-imacros", "-iquote", "-isystem", "-idirafter", "-I"];

/// Flags whose next word belongs to them and goes with them.
const DROPPED_WITH_VALUE: &str = "-o -MF -MT -MQ -MJ -L -l -u -T -z -B -e -h -arch -framework -target -wrapper -specs -isysroot \
    --sysroot --param -aux-info -dumpbase -dumpdir -G -V";

/// The `-f` flags that change what code means or which code comes out, without their `no-`.
const MEANINGFUL: &str = "PIC PIE access-control aligned-new asm associative-math blocks builtin char8_t common concepts \
    coroutines delete-null-pointer-checks dollars-in-identifiers exceptions exec-charset fast-math \
    finite-math-only fp-contract freestanding gnu-keywords gnu89-inline hosted input-charset math-errno \
    ms-extensions openmp openmp-simd operator-names pack-struct permissive pic pie rounding-math rtti \
    short-enums short-wchar signed-bitfields signed-char signed-zeros strict-aliasing strict-overflow \
    trapping-math trapv unsigned-char visibility visibility-inlines-hidden wrapv";

/// Reads a call; nothing if it names no source file.
pub(crate) fn normalise(call: &Call) -> Option<Normal> {
    let driver = call.words.first().map(String::as_str).unwrap_or_default();
    let mut normal = Normal {
        files: Vec::new(),
        language: driver
            .trim_end_matches(|letter: char| letter == '-' || letter == '.' || letter.is_ascii_digit())
            .ends_with("++")
            .then_some(Language::Cpp),
        standard: None,
        arguments: Vec::new(),
    };
    let mut words = call.words.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            if is_source(word) {
                normal.files.push(absolute(&call.directory, Path::new(word)));
            }
        } else {
            flag(word, &mut words, &call.directory, &mut normal);
        }
    }
    if let Some(file) = &call.file {
        normal.files = vec![absolute(&call.directory, file)];
    }
    (!normal.files.is_empty()).then_some(normal)
}

fn flag<'a>(word: &'a str, rest: &mut impl Iterator<Item = &'a str>, directory: &Path, normal: &mut Normal) {
    if listed(DROPPED_WITH_VALUE, word) || word.starts_with("-X") && !word.contains('=') {
        rest.next();
    } else if let Some((flag, value)) = valued(word, "-x", rest) {
        debug_assert_eq!(flag, "-x");
        normal.language = match value {
            "c" | "c-header" | "cpp-output" => Some(Language::C),
            "c++" | "c++-header" | "c++-cpp-output" => Some(Language::Cpp),
            _ => normal.language,
        };
    } else if let Some((flag, value)) = PATH_FLAGS.iter().find_map(|flag| valued(word, flag, rest)) {
        // `-I-` splits the search path in an obsolete way that clang refuses.
        if value != "-" && !value.is_empty() {
            normal.arguments.push(path_argument(flag, value, directory));
        }
    } else if let Some((flag, value)) = ["-D", "-U"].iter().find_map(|flag| valued(word, flag, rest)) {
        normal.arguments.push(format!("{flag}{value}"));
    } else if let Some(standard) = word.strip_prefix("-std=").or_else(|| word.strip_prefix("--std=")) {
        normal.standard = Some(standard.to_owned());
    } else if word == "-ansi" {
        normal.standard = Some(if normal.language == Some(Language::Cpp) { "c++98" } else { "c90" }.to_owned());
    } else if kept(word) {
        normal.arguments.push(word.to_owned());
    }
}

/// The value of `flag`, glued to it or in the next word.
fn valued<'a, 'b>(
    word: &'a str,
    flag: &'b str,
    rest: &mut impl Iterator<Item = &'a str>,
) -> Option<(&'b str, &'a str)> {
    match word.strip_prefix(flag)? {
        "" => rest.next().map(|value| (flag, value)),
        // `-include-pch` and its like are other flags.
        glued if flag.starts_with("-i") && glued.starts_with('-') => None,
        glued => Some((flag, glued.strip_prefix('=').filter(|_| flag.starts_with("-i")).unwrap_or(glued))),
    }
}

/// `-I/dir` and `-include/file` glue flag and path into one word, so that a list of arguments can be cut anywhere.
fn path_argument(flag: &str, value: &str, directory: &Path) -> String {
    format!("{flag}{}", absolute(directory, Path::new(value)).display())
}

fn kept(word: &str) -> bool {
    if let Some(name) = word.strip_prefix("-f") {
        let name = name.split_once('=').map_or(name, |(name, _)| name);
        let name = name.strip_prefix("no-").unwrap_or(name);
        return listed(MEANINGFUL, name) || name.starts_with("builtin-");
    }
    let optimisation = word.strip_prefix("-O").is_some_and(|level| level.len() <= 4);
    let machine = word.strip_prefix("-m").is_some_and(|rest| {
        !rest.is_empty() && rest.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_=.+".contains(letter))
    });
    optimisation || machine || matches!(word, "-pthread" | "-nostdinc" | "-nostdinc++" | "-undef" | "-traditional-cpp")
}

/// Whether the compiler would take this word for a C or C++ file.
pub(crate) fn is_source(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && matches!(
                extension,
                "c" | "C"
                    | "cc"
                    | "cp"
                    | "cpp"
                    | "cxx"
                    | "c++"
                    | "CPP"
                    | "ccm"
                    | "cppm"
                    | "cxxm"
                    | "c++m"
                    | "ixx"
                    | "mpp"
                    | "i"
                    | "ii"
                    | "inl"
                    | "h"
                    | "hpp"
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduce(line: &str) -> Normal {
        let words = super::super::words::split(line);
        normalise(&Call { directory: "/w/build".into(), words, file: None }).expect("a compile call")
    }

    #[test]
    fn keeps_what_matters_and_makes_paths_absolute() {
        let normal = reduce(
            "gcc -I../inc -I . -isystem sys -DA=1 -D B -UX -include cfg.h -std=gnu99 -O2 -pthread -fno-rtti \
                             -fPIC -msse2 -Wall -Wp,-DX -g3 -MD -MF a.d -o a.o -c ../a.c -fdiagnostics-color",
        );
        assert_eq!(normal.files, [Path::new("/w/a.c")]);
        assert_eq!(normal.standard.as_deref(), Some("gnu99"));
        assert_eq!(
            normal.arguments,
            [
                "-I/w/inc",
                "-I/w/build",
                "-isystem/w/build/sys",
                "-DA=1",
                "-DB",
                "-UX",
                "-include/w/build/cfg.h",
                "-O2",
                "-pthread",
                "-fno-rtti",
                "-fPIC",
                "-msse2"
            ]
        );
    }

    #[test]
    fn nothing_that_runs_foreign_code_passes() {
        let normal = reduce(
            "gcc -fplugin=./evil.so -B ./bin -B./bin -specs=./s -specs ./s -wrapper ./w -Xclang -load \
                             -Xclang ./e.so --sysroot=/x --sysroot /x -fplugin-arg-x=1 -c a.c -fpass-plugin=./x.so -fuse-ld=/tmp/ld",
        );
        assert_eq!(normal.arguments, Vec::<String>::new());
        assert_eq!(normal.files, [Path::new("/w/build/a.c")]);
    }

    #[test]
    fn the_driver_and_x_name_the_language() {
        assert_eq!(reduce("g++-12 -c a.c").language, Some(Language::Cpp));
        assert_eq!(reduce("clang++ -x c -c a.c").language, Some(Language::C));
        assert_eq!(reduce("cc -c a.c").language, None);
    }
}
