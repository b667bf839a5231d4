//! The main line of a repository: what landed on it, and which lines each of these changes touches.
//!
//! The main line is what the first parents lead to. A merge on it is one change, with all that it brings: so a pull request is one
//! change, whether its commits were merged, squashed or moved on top.

use estrange_diff::Patch;
use estrange_words::words;

use super::Repository;
use super::history::{FORM, QUIET};
use crate::changed::ChangedFile;
use crate::loss::Loss;

words! {
    /// How a change came to the main line.
    pub enum Landing {
        /// A merge: of a pull request, as a rule.
        Merge = "merge",
        /// One commit whose title ends with the number of a pull request, `(#12)`, as one that was squashed has it.
        Squashed = "squashed",
        /// A commit.
        Commit = "commit",
    }
}

/// A change on the main line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landed {
    /// The commit.
    pub commit: String,
    /// The day on which it landed, as `2024-05-31`.
    pub day: String,
    /// How.
    pub landing: Landing,
}

/// What a change touches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// The files, whatever they are.
    pub files: Vec<ChangedFile>,
    /// How many files' diffs cannot be read, such as those with a name that is no text.
    pub unread: usize,
}

/// Git may print this much at once; what is longer is cut (`estrange_sandbox::Tool`).
const LONGEST: usize = 64 * 1024 * 1024;

impl Repository<'_> {
    /// The main line that ends with a commit, the newest change first. Whether its beginning is known: of a copy without its
    /// whole history, the oldest commit is none that began anything.
    pub(crate) fn main_line(&self, newest: &str) -> Result<(Vec<Landed>, bool), Loss> {
        let fixed = ["log", "--first-parent", "--encoding=UTF-8", "--no-show-signature", "--no-decorate", "--no-notes"];
        let output =
            self.ask(&[&fixed[..], &["--format=%H%x00%P%x00%cs%x00%s", "--end-of-options", newest]].concat())?;
        let text = String::from_utf8_lossy(&output);
        let mut parents = "";
        let mut line = Vec::new();
        for entry in text.lines() {
            let mut parts = entry.splitn(4, '\0');
            let mut next = || parts.next().unwrap_or_default();
            let (commit, day);
            (commit, parents, day) = (next(), next(), next());
            let landing = match parents.split_whitespace().count() {
                2.. => Landing::Merge,
                _ if ends_with_number(next()) => Landing::Squashed,
                _ => Landing::Commit,
            };
            line.push(Landed { commit: commit.to_owned(), day: day.to_owned(), landing });
        }
        if line.is_empty() || !parents.is_empty() {
            return Err(self.too_long("more commits"));
        }
        Ok((line, !self.is_shallow()?))
    }

    /// What these commits of the main line touch, in their order; none where it is more than git prints at once.
    pub(crate) fn touched(&self, commits: &[&str]) -> Result<Option<Vec<Touched>>, Loss> {
        let fixed = ["-c", "log.showRoot=true", "log", "--no-walk=unsorted", "--diff-merges=first-parent", "-U0"];
        let more = ["--no-show-signature", "--no-decorate", "--no-notes", "--format=%x00%H", "--end-of-options"];
        let output = self.ask(&[&QUIET[..], &fixed, &FORM, &more, commits].concat())?;
        if output.len() >= LONGEST {
            return Ok(None);
        }
        let found = read(&output);
        let is_asked = found.iter().map(|(commit, _)| commit.as_str()).eq(commits.iter().copied());
        if is_asked {
            Ok(Some(found.into_iter().map(|(_, touched)| touched).collect()))
        } else {
            Err(self.too_long("other commits"))
        }
    }
}

/// Whether a title ends with the number of a pull request.
fn ends_with_number(title: &str) -> bool {
    let number = title.trim_end().strip_suffix(')').and_then(|title| title.rsplit_once(" (#"));
    number.is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads commits, each begun by a NUL and its hash, with the diffs of their files. No line of a diff begins with a NUL, nor with
/// what begins the diff of a file: before each line of a text stands what becomes of it.
fn read(output: &[u8]) -> Vec<(String, Touched)> {
    let mut commits: Vec<(String, Touched)> = Vec::new();
    let mut diff: Vec<u8> = Vec::new();
    for line in output.split_inclusive(|byte| *byte == b'\n').chain([&b"\0"[..]]) {
        let begins_commit = line.first() == Some(&0);
        if begins_commit || line.starts_with(b"diff --git ") {
            if let Some((_, touched)) = commits.last_mut().filter(|_| !diff.is_empty()) {
                touched.add(&diff);
            }
            diff.clear();
        }
        if begins_commit {
            commits.push((String::from_utf8_lossy(&line[1..]).trim().to_owned(), Touched::default()));
        } else if !diff.is_empty() || line.starts_with(b"diff --git ") {
            diff.extend_from_slice(line);
        }
    }
    // The last one was only there to end the one before it.
    commits.pop();
    commits
}

impl Touched {
    fn add(&mut self, diff: &[u8]) {
        match Patch::read(diff) {
            Ok(patch) if !patch.files.is_empty() => self.files.extend(patch.files.iter().map(ChangedFile::of)),
            _ => self.unread += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_with_a_number_behind_it_is_a_squashed_request() {
        for (title, is_one) in [
            ("Check it (#12)", true),
            ("Check it (#12) ", true),
            ("Check #12", false),
            ("f(#1)", false),
            ("x (#)", false),
        ] {
            assert_eq!(ends_with_number(title), is_one, "{title}");
        }
    }

    #[test]
    fn commits_are_told_apart_whatever_stands_in_the_files() {
        let hunk = "@@ -1 +1 @@\n-\0x\n+diff --git a/no b/no\n";
        let file =
            |name: &str| format!("diff --git a/{name} b/{name}\nindex 1..2 100644\n--- a/{name}\n+++ b/{name}\n{hunk}");
        let bad = "diff --git a/x\\ b/y z\nindex 1..2\n";
        let text = format!("\0one\n\n{}{}\0two\n\0three\n\n{}{bad}", file("a.c"), file("b.c"), file("c.c"));
        let found = read(text.as_bytes());
        let paths = |touched: &Touched| -> Vec<String> {
            touched.files.iter().flat_map(ChangedFile::paths).map(str::to_owned).collect()
        };
        let all: Vec<(&str, Vec<String>, usize)> =
            found.iter().map(|(commit, touched)| (commit.as_str(), paths(touched), touched.unread)).collect();
        let twice = |name: &str| [name.to_owned(), name.to_owned()];
        let expected = [
            ("one", [twice("a.c"), twice("b.c")].concat(), 0),
            ("two", vec![], 0),
            ("three", twice("c.c").to_vec(), 1),
        ];
        assert_eq!(all, expected);
        assert!(read(b"").is_empty());
    }
}
