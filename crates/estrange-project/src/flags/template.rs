//! Fills in the templates of configuration headers (`config.h.in` and its kin) with facts about this system.
//!
//! Understood are autoheader's `#undef`, CMake's `#cmakedefine` and `#cmakedefine01`, Meson's `#mesondefine`, and
//! the substitutions `@NAME@` and `${NAME}`. What is not known is left undefined.

use super::build_files::Project;
use super::system::{System, type_size};
use crate::files::Language;

/// What a template may ask for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts<'a> {
    /// This system.
    pub system: &'a System,
    /// The project's own statements about itself.
    pub project: &'a Project,
}

/// The header that a template becomes.
pub(crate) fn evaluate(template: &str, facts: Facts<'_>) -> String {
    let mut out = String::with_capacity(template.len());
    for line in template.lines() {
        out.push_str(&evaluate_line(line, facts));
        out.push('\n');
    }
    out
}

fn evaluate_line(line: &str, facts: Facts<'_>) -> String {
    let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
        return substitute(line, facts);
    };
    let (keyword, rest) = directive.split_once(char::is_whitespace).unwrap_or((directive, ""));
    let rest = rest.trim();
    let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let known = facts.value(name);
    match keyword {
        "undef" | "mesondefine" if is_name(name) => define(name, known),
        "cmakedefine" if is_name(name) => {
            let wanted = known.filter(|value| value != "0");
            let asks_itself = value.contains(&format!("@{name}@")) || value.contains(&format!("${{{name}}}"));
            define(
                name,
                wanted.map(
                    |known| if asks_itself { value_in(value, name, &known, facts) } else { substitute(value, facts) },
                ),
            )
        }
        "cmakedefine01" if is_name(name) => {
            define(name, Some(if known.is_some_and(|value| value != "0") { "1" } else { "0" }.to_owned()))
        }
        _ => substitute(line, facts),
    }
}

/// A `#define` whose value quotes its own name, as in `#cmakedefine VERSION "@VERSION@"`.
fn value_in(text: &str, name: &str, known: &str, facts: Facts<'_>) -> String {
    let bare = if text.contains('"') { known.trim_matches('"') } else { known };
    substitute(&text.replace(&format!("@{name}@"), bare).replace(&format!("${{{name}}}"), bare), facts)
}

fn define(name: &str, value: Option<String>) -> String {
    match value {
        Some(value) => format!("#define {name} {value}").trim_end().to_owned(),
        None => format!("/* #undef {name} */"),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Puts values in the place of `@NAME@` and `${NAME}`.
fn substitute(line: &str, facts: Facts<'_>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['@', '$']) {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let (open, close) = if tail.starts_with('@') { ("@", '@') } else { ("${", '}') };
        let found = tail.strip_prefix(open).and_then(|inner| inner.split_once(close)).filter(|(name, _)| is_name(name));
        match found {
            Some((name, after)) => {
                let quoted = line[..line.len() - tail.len()].matches('"').count() % 2 == 1;
                out.push_str(&facts.substitution(name, quoted));
                rest = after;
            }
            None => {
                out.push_str(&tail[..1]);
                rest = &tail[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

impl Facts<'_> {
    /// What `@NAME@` stands for. Unknown switches are off; an unknown text is empty.
    fn substitution(self, name: &str, quoted: bool) -> String {
        match self.value(name) {
            Some(value) if quoted => value.trim_matches('"').to_owned(),
            Some(value) => value.trim_matches('"').to_owned(),
            None if quoted || name.ends_with("_CODE") || name.ends_with("_INCLUDE") || name.starts_with("INCLUDE_") => {
                String::new()
            }
            None => integer_type(name).unwrap_or_else(|| "0".to_owned()),
        }
    }

    /// What a macro of this name would be defined as on this system, if at all.
    fn value(self, name: &str) -> Option<String> {
        let one = || Some("1".to_owned());
        if let Some(at) = find_word(name, "HAVE_").or_else(|| find_word(name, "HAS_")) {
            let subject = &name[at..];
            return self
                .has(subject)
                .then(one)
                .flatten()
                .or_else(|| subject.starts_with("DECL_").then(|| "0".to_owned()));
        }
        if let Some(at) = find_word(name, "SIZEOF_").or_else(|| find_word(name, "SIZE_OF_")) {
            // `SIZEOF_TOY_OFF_T` asks for a type of the project's own that is named for `off_t`.
            let subject = &name[at..];
            let tails = std::iter::successors(Some(subject), |rest| rest.split_once('_').map(|(_, tail)| tail));
            return tails.filter_map(type_size).next().map(|size| size.to_string());
        }
        match name {
            "STDC_HEADERS" | "TIME_WITH_SYS_TIME" | "_GNU_SOURCE" | "STDC" => one(),
            "RETSIGTYPE" => Some("void".to_owned()),
            _ if name.to_ascii_lowercase().ends_with("_inline") => Some("inline".to_owned()),
            "LT_OBJDIR" => Some("\".libs/\"".to_owned()),
            _ => self.version(name),
        }
    }

    /// Whether the system has what follows `HAVE_`.
    fn has(self, subject: &str) -> bool {
        let lower = subject.to_ascii_lowercase();
        if let Some(stem) = lower.strip_suffix("_h").or_else(|| lower.strip_suffix("_hdr")) {
            return header_spellings(stem).any(|header| self.system.has_header(&header, Language::C));
        }
        let plain = lower.strip_prefix("decl_").or_else(|| lower.strip_prefix("func_")).unwrap_or(&lower);
        let plain = plain.strip_suffix("_function").or_else(|| plain.strip_suffix("_func")).unwrap_or(plain);
        let c_library = matches!(
            plain,
            "libc"
                | "libm"
                | "libpthread"
                | "pthread"
                | "libdl"
                | "dlfcn"
                | "long_long"
                | "inline"
                | "visibility"
                | "stdc_headers"
                | "__func__"
                | "__attribute__"
                | "c99"
                | "variadic_macros"
                | "pthreads"
                | "threads"
        );
        let known_type = plain.ends_with("_t") && type_size(&plain.to_ascii_uppercase()).is_some();
        let known_struct = matches!(
            plain.strip_prefix("struct_"),
            Some(
                "timespec"
                    | "timeval"
                    | "sockaddr_storage"
                    | "addrinfo"
                    | "in6_addr"
                    | "sockaddr_in6"
                    | "tm_tm_zone"
                    | "stat_st_mtim_tv_nsec"
                    | "stat_st_blksize"
                    | "stat_st_rdev"
            )
        );
        c_library || known_type || known_struct || plain.contains("__builtin_") || self.system.has_function(plain)
    }

    /// The project's name and version under the names that templates use.
    fn version(self, name: &str) -> Option<String> {
        let project = self.project;
        let upper = name.to_ascii_uppercase();
        let part =
            |index: usize| Some(project.version.split('.').nth(index).map(digits).unwrap_or_else(|| "0".to_owned()));
        match upper.as_str() {
            "PACKAGE" | "PACKAGE_NAME" | "PACKAGE_TARNAME" | "PROJECT_NAME" | "CMAKE_PROJECT_NAME" => {
                Some(format!("\"{}\"", project.name))
            }
            "PACKAGE_STRING" => Some(format!("\"{} {}\"", project.name, project.version)),
            "PACKAGE_BUGREPORT" | "PACKAGE_URL" => Some("\"\"".to_owned()),
            _ if upper.ends_with("VERSION_MAJOR")
                || upper.ends_with("MAJOR_VERSION")
                || upper.ends_with("VER_MAJOR") =>
            {
                part(0)
            }
            _ if upper.ends_with("VERSION_MINOR")
                || upper.ends_with("MINOR_VERSION")
                || upper.ends_with("VER_MINOR") =>
            {
                part(1)
            }
            _ if [
                "VERSION_PATCH",
                "VERSION_MICRO",
                "VERSION_BUILD",
                "PATCH_VERSION",
                "MICRO_VERSION",
                "VER_PATCH",
                "VERSION_REVISION",
                "VERSION_BUGFIX",
                "VERSION_RELEASE",
            ]
            .iter()
            .any(|end| upper.ends_with(end)) =>
            {
                part(2)
            }
            _ if upper.ends_with("VERSION_TWEAK") => part(3),
            _ if upper == "VERSION" || upper.ends_with("_VERSION") || upper.ends_with("_VERSION_STRING") => {
                Some(format!("\"{}\"", project.version))
            }
            _ => None,
        }
    }
}

fn digits(text: &str) -> String {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    if digits.is_empty() { "0".to_owned() } else { digits }
}

/// Where what follows `word` begins, if `word` begins the name or a part of it.
fn find_word(name: &str, word: &str) -> Option<usize> {
    let at = name.find(word)?;
    (at == 0 || name[..at].ends_with('_')).then_some(at + word.len()).filter(|&end| end < name.len())
}

/// `sys_time` may be `sys/time.h` or `sys_time.h`; nothing else in the name tells.
fn header_spellings(stem: &str) -> impl Iterator<Item = String> {
    let slash = stem.replacen('_', "/", 1);
    let all_slashes = stem.replace('_', "/");
    [format!("{stem}.h"), format!("{slash}.h"), format!("{all_slashes}.h")].into_iter()
}

/// The C type that a name such as `FOO_UINT16_T` or `FOO_INT64_TYPE` speaks of.
fn integer_type(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    if upper.contains("FORMAT") || upper.contains("PRI") {
        return None;
    }
    for bits in ["8", "16", "32", "64"] {
        for sign in ["U", ""] {
            if upper.contains(&format!("{sign}INT{bits}")) {
                return Some(format!("{}int{bits}_t", sign.to_ascii_lowercase()));
            }
        }
    }
    ["SSIZE_T", "SIZE_T", "OFF_T", "PTRDIFF_T", "SOCKLEN_T"]
        .iter()
        .find(|kind| upper.contains(**kind))
        .map(|kind| kind.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: &str) -> String {
        let system = System::probe();
        let mut project = Project::default();
        project.name = "toy".to_owned();
        project.version = "3.14.1".to_owned();
        evaluate(template, Facts { system: &system, project: &project })
    }

    #[test]
    fn autoheader_templates_are_filled_from_the_system() {
        let header = fill(
            "/* x */\n#undef HAVE_UNISTD_H\n#undef HAVE_SYS_TIME_H\n#undef HAVE_WINDOWS_H\n#undef HAVE_STRDUP\n# undef HAVE_NO_SUCH\n#undef SIZEOF_LONG\n#undef VERSION\n#undef inline",
        );
        assert_eq!(
            header,
            "/* x */\n#define HAVE_UNISTD_H 1\n#define HAVE_SYS_TIME_H 1\n/* #undef HAVE_WINDOWS_H */\n#define HAVE_STRDUP 1\n/* #undef HAVE_NO_SUCH */\n#define SIZEOF_LONG 8\n#define VERSION \"3.14.1\"\n/* #undef inline */\n"
        );
    }

    #[test]
    fn cmake_and_meson_templates_are_filled_from_the_system() {
        let header = fill(
            "#cmakedefine HAVE_STDINT_H\n#cmakedefine HAVE_X 1\n#cmakedefine01 TOY_HAVE_STRDUP\n#cmakedefine01 USE_X\n#mesondefine HAVE_FCNTL_H\n#define V \"@PROJECT_VERSION@\"\n#define M ${toy_VERSION_MAJOR}\n#if @USE_Y@\n#define T @TOY_UINT16_T@\na@b",
        );
        assert_eq!(
            header,
            "#define HAVE_STDINT_H\n/* #undef HAVE_X */\n#define TOY_HAVE_STRDUP 1\n#define USE_X 0\n#define HAVE_FCNTL_H 1\n#define V \"3.14.1\"\n#define M 3\n#if 0\n#define T uint16_t\na@b\n"
        );
    }
}
