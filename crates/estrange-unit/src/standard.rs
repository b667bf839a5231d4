//! Which headers count as standard: they stay `#include`s, everything else is carried out as text.
//!
//! Standard are the headers of C and C++, of POSIX and of the C library and kernel beneath it, and the compiler's own.
//! A header of any other library is a dependency like the project's own headers.

use std::path::{Path, PathBuf};

/// Headers of C, POSIX and the GNU C library that stand directly in the system's folder.
const NAMES: &str = "\
    aio aliases alloca ar argp argz assert byteswap complex cpio crypt ctype dirent dlfcn elf endian envz err errno \
    error execinfo fcntl features fenv float fmtmsg fnmatch fstab fts ftw gconv getopt glob gnu-versions grp gshadow \
    iconv ifaddrs inttypes iso646 langinfo lastlog libgen libintl limits link locale malloc math mcheck memory mntent \
    monetary mqueue netdb nl_types nss obstack paths poll printf proc_service pthread pty pwd re_comp regex regexp \
    resolv sched search semaphore setjmp sgtty shadow signal spawn stab stdalign stdarg stdatomic stdbool stdc-predef \
    stddef stdint stdio stdio_ext stdlib stdnoreturn string strings syscall sysexits syslog tar termio termios tgmath \
    thread_db threads time ttyent uchar ucontext ulimit unistd utime utmp utmpx values varargs wait wchar wctype wordexp";

/// Folders of the system's folder that belong to the C library or the kernel.
const FOLDERS: &[&str] = &[
    "arpa",
    "asm",
    "asm-generic",
    "bits",
    "fpu_control",
    "gnu",
    "linux",
    "net",
    "netash",
    "netatalk",
    "netax25",
    "neteconet",
    "netinet",
    "netipx",
    "netiucv",
    "netpacket",
    "netrom",
    "netrose",
    "nfs",
    "protocols",
    "rpc",
    "scsi",
    "sys",
];

/// The folders that a compiler searches for `#include <…>`, in order.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SystemFolders(Vec<PathBuf>);

impl SystemFolders {
    /// Reads them out of what `gcc -v -E` says.
    pub fn from_compiler(said: &str) -> Self {
        let listed = said
            .lines()
            .skip_while(|line| !line.starts_with("#include <...> search starts here"))
            .skip(1)
            .take_while(|line| line.starts_with(' '));
        Self(listed.map(|line| normal_path(Path::new(line.trim()))).collect())
    }

    /// Whether `header` lies where the system's headers do, standard or not.
    pub fn may_hold(&self, header: &Path) -> bool {
        let header = normal_path(header);
        // Libraries keep some of their headers beside the folder that is searched, such as in `/usr/lib`.
        let around = |folder: &Path| folder.parent().filter(|up| up.parent().is_some()).map(Path::to_owned);
        self.0.iter().any(|folder| header.starts_with(around(folder).as_ref().unwrap_or(folder)))
    }

    /// The name by which `header` is included, if it is a standard header.
    pub fn standard_name(&self, header: &Path) -> Option<String> {
        let header = normal_path(header);
        let folder =
            self.0.iter().filter(|folder| header.starts_with(folder)).max_by_key(|folder| folder.as_os_str().len())?;
        let name = header.strip_prefix(folder).ok()?.to_str()?;
        let of_the_compiler = folder.components().any(|part| part.as_os_str() == "gcc" || part.as_os_str() == "c++");
        (of_the_compiler || is_standard_name(name)).then(|| name.to_owned())
    }
}

fn is_standard_name(name: &str) -> bool {
    match name.split_once('/') {
        Some((folder, _)) => FOLDERS.contains(&folder),
        None => name.strip_suffix(".h").is_some_and(|stem| NAMES.split_ascii_whitespace().any(|known| known == stem)),
    }
}

/// A path without `.` and `..`.
pub fn normal_path(path: &Path) -> PathBuf {
    use std::path::Component;
    path.components().fold(PathBuf::new(), |mut whole, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
        whole
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders() -> SystemFolders {
        SystemFolders::from_compiler(
            "noise\n#include <...> search starts here:\n /usr/include/c++/12\n /usr/lib/gcc/x86_64-linux-gnu/12/include\n \
             /usr/include/x86_64-linux-gnu\n /usr/include\nEnd of search list.\n",
        )
    }

    #[test]
    fn headers_of_the_language_and_the_system_are_standard_and_others_are_not() {
        let name = |path: &str| folders().standard_name(Path::new(path));
        assert_eq!(name("/usr/include/stdio.h").as_deref(), Some("stdio.h"));
        assert_eq!(name("/usr/include/x86_64-linux-gnu/sys/types.h").as_deref(), Some("sys/types.h"));
        assert_eq!(name("/usr/include/c++/12/vector").as_deref(), Some("vector"));
        assert_eq!(name("/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h").as_deref(), Some("stddef.h"));
        assert_eq!(name("/usr/include/zlib.h"), None);
        assert_eq!(name("/usr/include/openssl/ssl.h"), None);
        assert_eq!(name("src/stdio.h"), None);
    }

    #[test]
    fn the_systems_headers_are_told_from_other_files_of_the_machine() {
        let said = "#include <...> search starts here:\n /usr/lib/gcc/x/12/include\n /usr/include\n /include\nEnd\n";
        let folders = SystemFolders::from_compiler(said);
        for header in ["/usr/include/a/b.h", "/usr/lib/x/glib/config.h", "/usr/include/../lib/c.h", "/include/d.h"] {
            assert!(folders.may_hold(Path::new(header)), "{header}");
        }
        for other in ["/etc/passwd", "/usr/include/../../etc/passwd", "/dev/zero", "/usrs/a.h"] {
            assert!(!folders.may_hold(Path::new(other)), "{other}");
        }
    }
}
