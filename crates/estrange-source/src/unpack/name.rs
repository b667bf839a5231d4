//! What an entry of an archive may be called.

use super::left_out::Omission;
use crate::rule::Rule;

/// The longest path, in bytes, that is unpacked: what is left of `PATH_MAX` must do for the folders above it.
const LONGEST_PATH: usize = 1024;
/// The longest part of a path that Linux file systems take.
const LONGEST_PART: usize = 255;
/// The deepest path, in parts.
const DEEPEST: usize = 64;

/// What is to be done with an entry of a certain name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// Unpack it here: a relative path of plain parts.
    Plain(String),
    /// It is the folder itself, `.`.
    Root,
    /// Leave it out.
    LeaveOut(Omission),
    /// Refuse the archive.
    Refuse(Rule),
}

impl Name {
    pub(super) fn read(bytes: &[u8]) -> Name {
        if bytes.contains(&0) {
            return Name::Refuse(Rule::NulInName);
        }
        if bytes.starts_with(b"/") {
            return Name::Refuse(Rule::AbsolutePath);
        }
        let parts = || bytes.split(|&byte| byte == b'/').filter(|part| !part.is_empty() && *part != b".");
        if parts().any(|part| part == b"..") {
            return Name::Refuse(Rule::ParentPath);
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return Name::LeaveOut(Omission::NameNotUtf8) };
        if text.contains(char::is_control) {
            return Name::LeaveOut(Omission::NameControl);
        }
        if parts().count() > DEEPEST {
            return Name::LeaveOut(Omission::NameTooDeep);
        }
        if bytes.len() > LONGEST_PATH || parts().any(|part| part.len() > LONGEST_PART) {
            return Name::LeaveOut(Omission::NameTooLong);
        }
        let plain: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        if plain.is_empty() { Name::Root } else { Name::Plain(plain.join("/")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_left_out_or_refused() {
        let deep = "a/".repeat(300);
        let long = "a".repeat(4000);
        let part = format!("x/{}", "b".repeat(256));
        for (name, expected) in [
            (&b"a/b.c"[..], Name::Plain("a/b.c".to_owned())),
            (b"./a//b/./c/", Name::Plain("a/b/c".to_owned())),
            (b"...", Name::Plain("...".to_owned())),
            (b"./", Name::Root),
            (b"", Name::Root),
            (b"/etc/passwd", Name::Refuse(Rule::AbsolutePath)),
            (b"a/../../b", Name::Refuse(Rule::ParentPath)),
            (b"..", Name::Refuse(Rule::ParentPath)),
            (b"a\0b", Name::Refuse(Rule::NulInName)),
            (b"a\nb", Name::LeaveOut(Omission::NameControl)),
            (b"a\x1b[2Jb", Name::LeaveOut(Omission::NameControl)),
            (b"caf\xe9.c", Name::LeaveOut(Omission::NameNotUtf8)),
            (deep.as_bytes(), Name::LeaveOut(Omission::NameTooDeep)),
            (long.as_bytes(), Name::LeaveOut(Omission::NameTooLong)),
            (part.as_bytes(), Name::LeaveOut(Omission::NameTooLong)),
        ] {
            assert_eq!(Name::read(name), expected, "{}", String::from_utf8_lossy(name));
        }
    }
}
