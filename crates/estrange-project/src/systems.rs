//! The names of systems other than the one at hand, Linux: what a path that holds one speaks of.

/// No kind of Unix, or a kernel for devices.
const OTHER_SYSTEMS: &str = "win32 win64 w32 windows wince winrt winnt mswin uwp cygwin mingw msdos dos djgpp os2 macos \
    macosx macintosh osx ios amiga amigaos atari beos haiku riscos vms openvms os400 mvs zos netware nonstop symbian plan9 \
    vxworks qnx threadx freertos rtems ecos micrium zephyr";

/// A Unix that is not Linux.
const OTHER_UNIXES: &str =
    "aix darwin freebsd netbsd openbsd dragonfly dragonflybsd solaris sunos hpux irix tru64 os390 ibmi hurd";

/// Words that mean another system only beside others that do: toolchains, boards, and names with a second meaning.
const HINTS: &str = "android apple borland mac mingw32 minix msvc msw nt vc vcnet visualc watcom win win16 xcode wasm \
    emscripten esp32 arduino mbed";

/// Whether a word, in lower case, names a system that is no kind of Unix.
pub fn is_other_system(word: &str) -> bool {
    is_listed(OTHER_SYSTEMS, word)
}

/// Whether a word, in lower case, names another Unix. No such word has a second meaning, so that it tells even when it is
/// all there is.
pub fn is_other_unix(word: &str) -> bool {
    is_listed(OTHER_UNIXES, word)
}

/// Whether any word of a path hints at another system: enough to prefer another path to it, not to rule it out.
pub fn is_hinted_at(path: &str) -> bool {
    path.split(['/', '.', '_', '-']).any(|word| {
        let word = word.to_ascii_lowercase();
        [OTHER_SYSTEMS, OTHER_UNIXES, HINTS].iter().any(|list| is_listed(list, &word))
    })
}

fn is_listed(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_hint_at_other_systems() {
        for path in ["win32/config.h", "src/config_vms.h", "lib/MacOS/x.h", "src/aix.c", "mac/x.c"] {
            assert!(is_hinted_at(path), "{path}");
        }
        for path in ["src/window.h", "include/config.h", ""] {
            assert!(!is_hinted_at(path), "{path}");
        }
    }
}
