//! Files that are read because wanted functions need what they define. Where only some functions of a source are wanted, files
//! that have nothing to do with them are not read.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

use estrange_project::files::Kind;

use crate::assign::Assigned;
use crate::error::BuildError;
use crate::linked::Link;
use crate::origin::Origin;
use crate::translate::{Translated, Translations};
use crate::work::Work;

/// So many files are read each time that a name is missing.
const AT_ONCE: usize = 2;

/// So often is more read for a name.
const TRIES: usize = 4;

/// So far a variable outside of functions may be indented.
const INDENTED: usize = 4;

/// Files beyond those of the wanted functions, in the order in which they were needed.
#[derive(Default)]
pub(crate) struct Companions {
    pub(crate) units: Vec<Translated>,
    /// The files that were read or tried, by their numbers.
    read: HashSet<usize>,
    /// How often more was read for a name.
    tries: HashMap<String, usize>,
    /// The files that may define a name, where it was looked for.
    places: Option<Places>,
}

/// The files in which a word stands where definitions do.
struct Places(HashMap<String, BTreeSet<usize>>);

impl Companions {
    /// Reads the files that may define what functions miss; says whether there were any.
    pub(crate) fn fetch(
        &mut self,
        work: &Work<'_>,
        origin: &Origin,
        functions: &[&Assigned<'_>],
        links: &[Option<Link>],
    ) -> Result<bool, BuildError> {
        let mut missing: BTreeMap<&str, &Path> = BTreeMap::new();
        for (function, link) in functions.iter().zip(links) {
            if let Some(Link::Not { missing: names, .. }) = link {
                let folder = function.file.path.parent().unwrap_or(Path::new(""));
                missing.extend(names.iter().map(|name| (last_word(name), folder)));
            }
        }
        let mut files = BTreeSet::new();
        for (name, folder) in missing {
            let tries = self.tries.entry(name.to_owned()).or_default();
            if *tries < TRIES {
                *tries += 1;
                let places = self.places.get_or_insert_with(|| Places::of(origin));
                files.extend(places.near(name, folder, origin, &self.read));
            }
        }
        self.read.extend(&files);
        let more = Translations::of_files(origin, &files, work)?;
        let found = !more.is_empty();
        self.units.extend(more);
        Ok(found)
    }

    /// Files that need not be read again.
    pub(crate) fn without(translations: &Translations, origin: &Origin) -> Self {
        let known: HashSet<&Path> = translations.units.iter().map(|unit| unit.path.as_path()).collect();
        let files = origin.project.files.iter().enumerate();
        let read = files.filter(|(_, file)| known.contains(file.path.as_path())).map(|(number, _)| number);
        Self { read: read.collect(), ..Self::default() }
    }
}

impl Places {
    fn of(origin: &Origin) -> Self {
        let mut places: HashMap<String, BTreeSet<usize>> = HashMap::new();
        for (number, file) in origin.project.files.iter().enumerate() {
            let text = fs::read(origin.project.root.join(&file.path)).unwrap_or_default();
            for line in String::from_utf8_lossy(&text).lines().filter(|line| may_define(line)) {
                for word in line.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
                    if word.starts_with(|first: char| first.is_alphabetic() || first == '_') {
                        places.entry(word.to_owned()).or_default().insert(number);
                    }
                }
            }
        }
        Self(places)
    }

    /// Of the units that may define a name the nearest ones that were not read.
    fn near(&self, name: &str, folder: &Path, origin: &Origin, read: &HashSet<usize>) -> Vec<usize> {
        let units = self.0.get(name).into_iter().flatten().filter_map(|number| unit_of(*number, origin));
        let mut units: Vec<usize> =
            units.filter(|number| !read.contains(number)).collect::<BTreeSet<_>>().into_iter().collect();
        // Of two files with as many folders in common, the one that is not further down.
        let nearness = |number: &usize| {
            let path = &origin.project.files[*number].path;
            let common = path.components().zip(folder.components()).take_while(|(one, other)| one == other).count();
            (Reverse(common), path.components().count(), *number)
        };
        units.sort_by_key(nearness);
        units.truncate(AT_ONCE);
        units
    }
}

/// Whether a definition may stand on a line: the head of a function, which is not indented, or a variable, which may be, and is
/// no declaration.
fn may_define(line: &str) -> bool {
    let text = line.trim_start();
    if !text.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        return false;
    }
    match line.len() - text.len() {
        0 if !text.trim_end().ends_with(';') || text.contains('=') => true,
        0..=INDENTED => is_variable(text.trim_end()),
        _ => false,
    }
}

/// Whether a line is a variable without a value: a type and a name.
fn is_variable(line: &str) -> bool {
    let first = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or("");
    let is_none = matches!(first, "extern" | "typedef" | "return" | "goto" | "break" | "continue" | "using" | "case");
    let second = line[first.len()..].trim_start_matches([' ', '\t', '*', '&']);
    let is_name = second.len() + first.len() < line.len()
        && second.starts_with(|first: char| first.is_alphabetic() || first == '_');
    line.ends_with(';') && !line.contains(['(', '=']) && !is_none && is_name
}

/// The unit that a file is, or the first that includes it.
fn unit_of(number: usize, origin: &Origin) -> Option<usize> {
    let files = &origin.project.files;
    let mut seen = BTreeSet::from([number]);
    let mut open = vec![number];
    while let Some(number) = open.pop() {
        if files[number].kind == Kind::Unit {
            return Some(number);
        }
        open.extend(files[number].included_by.iter().rev().filter(|other| seen.insert(**other)));
    }
    None
}

/// The last word of a name or of a symbol of C++: without scopes, parameters and arguments of templates.
fn last_word(name: &str) -> &str {
    if let Some(symbol) = name.strip_prefix("_Z") {
        return last_of_symbol(symbol).unwrap_or(name);
    }
    let bare = name.split(['(', '<']).next().unwrap_or(name);
    bare.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or(bare)
}

/// The last of the names, each behind its length, with which a symbol begins: `N3foo3barEi` ends in `bar`.
fn last_of_symbol(symbol: &str) -> Option<&str> {
    let mut rest = symbol.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let mut last = None;
    while let Some(end) = rest.find(|letter: char| !letter.is_ascii_digit()).filter(|end| *end > 0) {
        let length: usize = rest[..end].parse().ok()?;
        let word = rest[end..].get(..length)?;
        (last, rest) = (Some(word), &rest[end + length..]);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_names() {
        for line in [
            "int",
            "foo(int a)",
            "static int foo(int a) {",
            "const int table[] = { 1, 2 };",
            "Ns::foo() const",
            "Foo foo;",
            "  foo_t *foo, bar[2];",
        ] {
            assert!(may_define(line), "{line}");
        }
        for line in [
            "",
            "  foo(1);",
            "int foo(int a);",
            "#define foo",
            "/* foo */",
            "}",
            "extern int table[];",
            "  return foo;",
            "  foo = 1 + bar;",
            "  foo.bar = 1;",
            "  foo++;",
            "typedef int foo;",
        ] {
            assert!(!may_define(line), "{line}");
        }
        let names = [
            "foo",
            "ns::foo(int, char)",
            "foo<int>::bar",
            "_Z3fooi",
            "_ZNK2ns3Bar3fooEv",
            "_ZN3fooC1E6Widget",
            "_ZTV3foo",
        ];
        assert!(names.iter().all(|name| last_word(name) == "foo"), "{:?}", names.map(last_word));
        let endless = format!("_Z{}foo", usize::MAX);
        assert_eq!(last_word(&endless), endless, "a length of no name");
    }
}
