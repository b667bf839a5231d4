//! Names of files in patches: quoted or plain, with or without a time behind them, and paths out of them.

/// A name, and the time that stands behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    time: Option<String>,
}

impl Named {
    /// Whether it stands for no file at all.
    pub(crate) fn is_nothing(&self) -> bool {
        self.name == "/dev/null"
    }

    /// Whether its time is the one that `diff -N` gives to files that are not there, in whatever zone.
    pub(crate) fn is_timeless(&self) -> bool {
        let is = |day: &str| self.time.as_deref().is_some_and(|time| time.starts_with(day));
        is("1970-01-01") || is("1969-12-31")
    }
}

/// Reads what stands behind `--- ` or `+++ `.
pub(crate) fn header(rest: &[u8]) -> Option<Named> {
    if rest.starts_with(b"\"") {
        let (name, _) = quoted(rest)?;
        return plain(&name).map(|name| Named { name, time: None });
    }
    let text = std::str::from_utf8(rest).ok()?.trim_end_matches('\r');
    // A tab ends the name; where there is none, a date may.
    let (name, time) = match text.split_once('\t') {
        Some((name, time)) => (name, Some(time.trim())),
        None => match date(text) {
            Some(at) => (&text[..at], Some(text[at..].trim())),
            None => (text, None),
        },
    };
    let name = plain(name.trim_end().as_bytes())?;
    Some(Named { name, time: time.filter(|time| !time.is_empty()).map(str::to_owned) })
}

/// Where a blank and a date such as `2020-01-02` begin.
fn date(text: &str) -> Option<usize> {
    let is_date = |rest: &str| {
        let bytes = rest.trim_start().as_bytes();
        let digits =
            |from: usize, to: usize| bytes.get(from..to).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
        digits(0, 4) && bytes.get(4) == Some(&b'-') && digits(5, 7) && bytes.get(7) == Some(&b'-') && digits(8, 10)
    };
    text.char_indices().find(|&(at, c)| at > 0 && c == ' ' && is_date(&text[at..])).map(|(at, _)| at)
}

/// A name that is text and not empty.
fn plain(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?;
    (!name.is_empty() && !name.contains(char::is_control)).then(|| name.to_owned())
}

/// A name behind `rename from ` and the like, which stands alone on its line.
pub(crate) fn alone(rest: &[u8]) -> Option<String> {
    if rest.starts_with(b"\"") {
        return quoted(rest).filter(|(_, rest)| rest.is_empty()).and_then(|(name, _)| plain(&name));
    }
    plain(rest)
}

/// The two names behind `diff --git `. Unquoted, they can be told apart where they are the same but for their first folders.
pub(crate) fn pair(rest: &[u8]) -> Option<(String, String)> {
    if rest.starts_with(b"\"") {
        let (old, rest) = quoted(rest)?;
        return Some((plain(&old)?, alone(rest.strip_prefix(b" ")?)?));
    }
    let text = std::str::from_utf8(rest).ok()?;
    if let Some((old, new)) = text.split_once(" \"").filter(|_| text.ends_with('"')) {
        return Some((plain(old.as_bytes())?, alone(&rest[rest.len() - new.len() - 1..])?));
    }
    let below = |name: &str| name.split_once('/').map_or(name, |(_, below)| below).to_owned();
    let splits = text.match_indices(' ').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let mut same = splits.filter(|(old, new)| old == new || below(old) == below(new));
    let (old, new) = same.next().or_else(|| text.split_once(' ').filter(|(_, new)| !new.contains(' ')))?;
    Some((plain(old.as_bytes())?, plain(new.as_bytes())?))
}

/// A name in quotes, as git writes what is not plain, and what stands behind it.
fn quoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut name = Vec::new();
    let mut at = 1;
    loop {
        match *text.get(at)? {
            b'"' => return Some((name, &text[at + 1..])),
            b'\\' => {
                let (byte, length) = escape(text.get(at + 1..)?)?;
                name.push(byte);
                at += 1 + length;
            }
            byte => {
                name.push(byte);
                at += 1;
            }
        }
    }
}

/// What stands for a byte behind a backslash, and how long it is.
fn escape(text: &[u8]) -> Option<(u8, usize)> {
    let byte = match *text.first()? {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        byte @ (b'"' | b'\\') => byte,
        b'0'..=b'3' => {
            let digits = std::str::from_utf8(text.get(..3)?).ok()?;
            return Some((u8::from_str_radix(digits, 8).ok()?, 3));
        }
        _ => return None,
    };
    Some((byte, 1))
}

/// A path without its first `strip` folders, as `patch -p` has it. None where too few folders are there, or where it
/// would lead out of the tree.
pub fn stripped(name: &str, strip: usize) -> Option<String> {
    if name.starts_with('/') || name.split('/').any(|part| part == "..") {
        return None;
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    parts.get(strip..).filter(|rest| !rest.is_empty()).map(|rest| rest.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_end_names() {
        for (text, name, timeless) in [
            ("a/x.c", "a/x.c", false),
            ("a/two words.c\t", "a/two words.c", false),
            ("x.orig/a b.c\t2020-01-01 10:00:00.000000000 +0100", "x.orig/a b.c", false),
            ("a/x.c 2020-01-01 10:00:00", "a/x.c", false),
            ("a/x.c\t1970-01-01 01:00:00.000000000 +0100", "a/x.c", true),
            ("a/x.c\t1969-12-31 19:00:00.000000000 -0500\r", "a/x.c", true),
            ("a/x.c\t(revision 12)", "a/x.c", false),
            ("\"a/caf\\303\\251\\t.c\"", "", false),
            ("\"a/caf\\303\\251.c\"", "a/café.c", false),
        ] {
            let found = header(text.as_bytes());
            let found = found.map(|named| (named.is_timeless(), named.name));
            assert_eq!(found, Some((timeless, name.to_owned())).filter(|_| !name.is_empty()), "{text}");
        }
        assert_eq!(header(b""), None);
        assert_eq!(header(b"\"a"), None);
        assert_eq!(header(b"a/caf\xe9"), None);
    }

    #[test]
    fn the_names_of_git_are_told_apart() {
        let names = |text: &str| pair(text.as_bytes());
        let both = |old: &str, new: &str| Some((old.to_owned(), new.to_owned()));
        assert_eq!(names("a/x.c b/x.c"), both("a/x.c", "b/x.c"));
        assert_eq!(names("a/x b/x.c b/x b/x.c"), both("a/x b/x.c", "b/x b/x.c"));
        assert_eq!(names("x y x y"), both("x y", "x y"));
        assert_eq!(names("a/x.c b/y.c"), both("a/x.c", "b/y.c"));
        assert_eq!(names("\"a/\\\"x\" b/y"), both("a/\"x", "b/y"));
        assert_eq!(names("a/y \"b/\\\"x\""), both("a/y", "b/\"x"));
        assert_eq!(names("a/x y b/z w"), None);
    }

    #[test]
    fn paths_stay_in_the_tree() {
        for (name, strip, path) in [
            ("a/x/y.c", 1, Some("x/y.c")),
            ("a//x.c", 1, Some("x.c")),
            ("./a/x.c", 1, Some("x.c")),
            ("x.c", 0, Some("x.c")),
            ("x.c", 1, None),
            ("a/../x.c", 1, None),
            ("/etc/passwd", 1, None),
        ] {
            assert_eq!(stripped(name, strip).as_deref(), path, "{name}");
        }
    }
}
