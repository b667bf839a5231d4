//! What the template of a configuration header may ask for, by the names that configure scripts have for it.

use estrange_words::Language;

use super::build_files::Project;
use super::system::{System, type_size};
use super::words::listed;

/// Headers, functions and types that every system of this kind has, as they follow `HAVE_`.
const ALWAYS: &str = "libc libm libpthread pthread pthreads threads libdl dlfcn long_long inline visibility stdc_headers \
    __func__ __attribute__ c99 variadic_macros struct_timespec struct_timeval struct_sockaddr_storage struct_addrinfo \
    struct_in6_addr struct_sockaddr_in6 struct_tm_tm_zone struct_stat_st_mtim_tv_nsec struct_stat_st_blksize \
    struct_stat_st_rdev";

/// The names that the parts of a version go by, as endings.
const PARTS: [&str; 4] = [
    "VERSION_MAJOR MAJOR_VERSION VER_MAJOR",
    "VERSION_MINOR MINOR_VERSION VER_MINOR",
    "VERSION_PATCH VERSION_MICRO VERSION_BUILD PATCH_VERSION MICRO_VERSION VER_PATCH VERSION_REVISION VERSION_BUGFIX \
     VERSION_RELEASE",
    "VERSION_TWEAK",
];

/// What a template may ask for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts<'a> {
    /// This system.
    pub system: &'a System,
    /// The project's own statements about itself.
    pub project: &'a Project,
}

impl Facts<'_> {
    /// What `@NAME@` stands for. Unknown switches are off; an unknown text is empty.
    pub fn substitution(self, name: &str, quoted: bool) -> String {
        match self.value(name) {
            Some(value) => value.trim_matches('"').to_owned(),
            None if quoted || name.ends_with("_CODE") || name.ends_with("_INCLUDE") || name.starts_with("INCLUDE_") => {
                String::new()
            }
            None => integer_type(name).unwrap_or_else(|| "0".to_owned()),
        }
    }

    /// What a macro of this name would be defined as on this system, if at all.
    pub fn value(self, name: &str) -> Option<String> {
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
        let known_type = plain.ends_with("_t") && type_size(&plain.to_ascii_uppercase()).is_some();
        listed(ALWAYS, plain) || known_type || plain.contains("__builtin_") || self.system.has_function(plain)
    }

    /// The project's name and version under the names that templates use.
    fn version(self, name: &str) -> Option<String> {
        let Project { name: project, version, .. } = self.project;
        let upper = name.to_ascii_uppercase();
        let ends = |endings: &str| endings.split_whitespace().any(|ending| upper.ends_with(ending));
        if let Some(part) = PARTS.iter().position(|endings| ends(endings)) {
            return Some(version.split('.').nth(part).map_or_else(|| "0".to_owned(), digits));
        }
        match upper.as_str() {
            "PACKAGE" | "PACKAGE_NAME" | "PACKAGE_TARNAME" | "PROJECT_NAME" | "CMAKE_PROJECT_NAME" => {
                Some(format!("\"{project}\""))
            }
            "PACKAGE_STRING" => Some(format!("\"{project} {version}\"")),
            "PACKAGE_BUGREPORT" | "PACKAGE_URL" => Some("\"\"".to_owned()),
            "VERSION" => Some(format!("\"{version}\"")),
            _ if ends("_VERSION _VERSION_STRING") => Some(format!("\"{version}\"")),
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
