//! Facts about this system's compiler and C library: where headers are searched, which functions exist, sizes of types.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::Tool;
use estrange_words::Language;

use super::words::listed;

/// The compiler whose view of the system counts.
pub(crate) const COMPILER: &str = "clang-19";

/// What a configure script would find out by trying.
#[derive(Debug, Clone, Default)]
pub(crate) struct System {
    c_folders: Vec<PathBuf>,
    cpp_folders: Vec<PathBuf>,
    symbols: HashSet<String>,
}

impl System {
    /// Asks the compiler. Where it is not installed, no header and no function is known.
    pub fn probe() -> Self {
        Self { c_folders: search_path("c"), cpp_folders: search_path("c++"), symbols: library_symbols() }
    }

    /// Whether `#include <name>` finds a header outside the tree.
    pub fn has_header(&self, name: &str, language: Language) -> bool {
        let folders = match language {
            Language::C => &self.c_folders,
            Language::Cpp => &self.cpp_folders,
        };
        !name.is_empty() && folders.iter().any(|folder| folder.join(name).is_file())
    }

    /// Whether the C library exports this function.
    pub fn has_function(&self, name: &str) -> bool {
        self.symbols.contains(name)
    }
}

/// The folders that the compiler searches for `<…>`, in order.
fn search_path(language: &str) -> Vec<PathBuf> {
    let tool = Tool::new(COMPILER).arguments(["-E", "-v", "-x", language, "/dev/null"]).wall(Duration::from_secs(30));
    let Ok(output) = tool.run() else { return Vec::new() };
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines()
        .skip_while(|line| !line.starts_with("#include <"))
        .skip(1)
        .take_while(|line| line.starts_with(' '))
        .map(|line| PathBuf::from(line.trim()))
        .collect()
}

/// The functions that the C and mathematics libraries export.
fn library_symbols() -> HashSet<String> {
    ["libc.so.6", "libm.so.6"].into_iter().flat_map(exported).collect()
}

fn exported(library: &str) -> Vec<String> {
    let find = Tool::new(COMPILER).argument(format!("-print-file-name={library}")).wall(Duration::from_secs(30));
    let Ok(found) = find.run() else { return Vec::new() };
    let path = found.text().trim().to_owned();
    if !Path::new(&path).is_absolute() {
        return Vec::new();
    }
    let list = Tool::new("nm").arguments(["-D", "--defined-only", &path]).wall(Duration::from_secs(30));
    let Ok(list) = list.run() else { return Vec::new() };
    let symbols = list.text();
    symbols
        .lines()
        .filter_map(|line| line.rsplit(' ').next())
        .map(|symbol| symbol.split('@').next().unwrap_or(symbol).to_owned())
        .collect()
}

/// The size of a type in bytes, by the name a configure script gives it (`LONG_LONG`, `VOID_P`, `SIZE_T`).
pub(crate) fn type_size(name: &str) -> Option<usize> {
    use std::ffi::{c_int, c_long, c_longlong, c_short};
    use std::mem::size_of;
    let name = name.trim_start_matches("UNSIGNED_").trim_matches('_');
    Some(match name {
        "CHAR" | "BOOL" | "_BOOL" | "INT8_T" | "UINT8_T" => 1,
        "SHORT" | "SHORT_INT" => size_of::<c_short>(),
        "INT16_T" | "UINT16_T" => 2,
        "INT" | "UNSIGNED" => size_of::<c_int>(),
        "INT32_T" | "UINT32_T" | "WCHAR_T" | "WINT_T" | "PID_T" | "MODE_T" | "UID_T" | "GID_T" | "SOCKLEN_T"
        | "FLOAT" => 4,
        "LONG" | "LONG_INT" => size_of::<c_long>(),
        "LONG_LONG" | "LONG_LONG_INT" => size_of::<c_longlong>(),
        "INT64_T" | "UINT64_T" | "INTMAX_T" | "UINTMAX_T" | "DOUBLE" => 8,
        "OFF_T" | "TIME_T" | "SIZE_T" | "SSIZE_T" | "PTRDIFF_T" | "INTPTR_T" | "UINTPTR_T" => size_of::<usize>(),
        "VOIDP" | "VOID_P" | "PTR" | "POINTER" | "CHAR_P" | "VOID_STAR" => size_of::<usize>(),
        "LONG_DOUBLE" => 16,
        "INT128_T" | "__INT128" => 16,
        _ => return None,
    })
}

/// Headers of the C, C++ and POSIX standards: a project's file of the same name never stands for `<name>`.
pub(crate) fn is_standard(name: &str) -> bool {
    const FOLDERS: [&str; 12] = [
        "arpa/",
        "asm/",
        "asm-generic/",
        "bits/",
        "c++/",
        "gnu/",
        "linux/",
        "net/",
        "netinet/",
        "rpc/",
        "sys/",
        "scsi/",
    ];
    const NAMES: &str = " aio alloca ar assert complex cpio ctype dirent dlfcn elf endian err errno error execinfo fcntl \
        features fenv float fmtmsg fnmatch ftw getopt glob grp iconv ifaddrs inttypes iso646 langinfo libgen libintl limits \
        link locale malloc math memory monetary mqueue ndbm netdb nl_types paths poll pthread pty pwd regex resolv sched \
        search semaphore setjmp shadow signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib \
        stdnoreturn string strings stropts syscall sysexits syslog tar termio termios tgmath threads time trace uchar \
        ucontext ulimit unistd unwind utime utmp utmpx values wait wchar wctype wordexp xlocale \
        immintrin emmintrin xmmintrin smmintrin tmmintrin nmmintrin pmmintrin x86intrin arm_neon cpuid ";
    match name.strip_suffix(".h") {
        Some(stem) if name.contains('/') => FOLDERS.iter().any(|folder| stem.starts_with(folder)),
        Some(stem) => listed(NAMES, stem),
        // The C++ library's headers have no extension.
        None => !name.contains(['.', '/']),
    }
}
