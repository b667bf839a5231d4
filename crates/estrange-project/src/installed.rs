//! What is installed on this machine that files are compiled against.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where packages put headers.
const FOLDERS: [&str; 3] = ["/usr/include", "/usr/local/include", "/usr/lib/gcc"];

/// Stands for the headers that are installed: another one as soon as a header is added, changed or removed.
///
/// A file that includes a missing header, or asks with `__has_include` for one, depends on all of them. Looked up once;
/// names, lengths and times are compared, which takes a few hundredths of a second.
pub fn installed_headers() -> &'static str {
    static HEADERS: OnceLock<String> = OnceLock::new();
    HEADERS.get_or_init(|| fingerprint(FOLDERS.map(Path::new)))
}

fn fingerprint<'p>(folders: impl IntoIterator<Item = &'p Path>) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut open: Vec<PathBuf> = folders.into_iter().map(Path::to_owned).collect();
    while let Some(folder) = open.pop() {
        let mut entries: Vec<_> = fs::read_dir(&folder).into_iter().flatten().flatten().collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let Ok(found) = entry.metadata() else { continue };
            if found.is_dir() {
                open.push(entry.path());
                continue;
            }
            let path = entry.path();
            let name = path.as_os_str().as_bytes();
            hasher.update(&(name.len() as u64).to_le_bytes()).update(name);
            for number in [found.len() as i64, found.mtime(), found.mtime_nsec()] {
                hasher.update(&number.to_le_bytes());
            }
        }
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_that_is_added_changed_or_removed_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        let seen = || fingerprint([folder.path()]);
        let none = seen();
        fs::write(folder.path().join("sub/one.h"), "int a;").unwrap();
        let one = seen();
        fs::write(folder.path().join("sub/one.h"), "int ab;").unwrap();
        let changed = seen();
        assert!(none != one && one != changed);
        assert_eq!(changed, seen());
        fs::remove_file(folder.path().join("sub/one.h")).unwrap();
        assert_eq!(seen(), none);
    }
}
