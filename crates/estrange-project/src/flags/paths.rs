//! Paths as text: joined and cleaned without asking the file system, and compared by how near they lie.

use std::path::{Component, Path, PathBuf};

/// `path` seen from `directory`, without `.` and `..` where the text alone tells.
pub(crate) fn absolute(directory: &Path, path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in directory.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if clean.file_name().is_some() => {
                clean.pop();
            }
            Component::ParentDir if clean.has_root() => {}
            other => clean.push(other),
        }
    }
    clean
}

/// The folder part of a relative path written with slashes; empty for a file at the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path written with slashes.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Joins a folder (possibly empty) and a relative path as text, resolving `.` and `..`; nothing if it leaves the root.
pub(crate) fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// How many steps up and down lead from one folder to another.
pub(crate) fn distance(from: &str, to: &str) -> usize {
    let parts = |folder| str::split(folder, '/').filter(|part: &&str| !part.is_empty());
    let shared = parts(from).zip(parts(to)).take_while(|(a, b)| a == b).count();
    parts(from).count() + parts(to).count() - 2 * shared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cleaned_as_text() {
        assert_eq!(absolute(Path::new("/a/b"), Path::new("../c/./d")), Path::new("/a/c/d"));
        assert_eq!(absolute(Path::new("/a"), Path::new("../../x")), Path::new("/x"));
        assert_eq!(absolute(Path::new("/a"), Path::new("/y/z")), Path::new("/y/z"));
        assert_eq!(join("src/lib", "../inc/a.h").as_deref(), Some("src/inc/a.h"));
        assert_eq!(join("", "../a.h"), None);
    }

    #[test]
    fn distance_counts_steps_up_and_down() {
        assert_eq!(distance("src/a", "src/b"), 2);
        assert_eq!(distance("", "include"), 1);
        assert_eq!(distance("src", "src"), 0);
    }
}
