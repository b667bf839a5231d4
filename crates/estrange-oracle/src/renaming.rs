//! The names of a rewrite, wherever a harness writes some of the unit's.

use std::collections::BTreeMap;

use estrange_text::rename_map;

/// A type of C++ with its identifiers renamed.
pub(crate) fn with_names(text: &str, names: &BTreeMap<String, String>) -> String {
    renamed(text, |before, word| {
        // What belongs to the standard library has its own names.
        let is_standard = before.ends_with("std::") || before.ends_with("std::__cxx11::");
        renamed_type(word, names).filter(|_| !is_standard)
    })
}

/// A type of C with its identifiers renamed: what stands behind `struct` is a tag, and all else the name of a type.
pub(crate) fn with_names_in_c(text: &str, names: &BTreeMap<String, String>) -> String {
    renamed(text, |before, word| {
        let tags = [rename_map::STRUCT, rename_map::UNION, rename_map::ENUM];
        let tag = tags.into_iter().find(|tag| before.trim_end().ends_with(tag));
        let of_kind = names.get(&rename_map::key(tag.unwrap_or(rename_map::TYPEDEF), word));
        of_kind.or(names.get(word)).map(String::as_str)
    })
}

/// A text in which `rename` has a new name for some words, by what stands before them.
fn renamed<'n>(text: &str, rename: impl Fn(&str, &str) -> Option<&'n str>) -> String {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let mut renamed = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match is_part(first) {
            true => rest.find(|character| !is_part(character)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        let new = rename(&renamed, word).unwrap_or(word);
        renamed.push_str(new);
        rest = after;
    }
    renamed
}

/// The new name of a type or of what it belongs to. Where several kinds of things have a name, it says which it is of.
fn renamed_type<'n>(word: &str, names: &'n BTreeMap<String, String>) -> Option<&'n str> {
    use rename_map::{CLASS, ENUM, NAMESPACE, STRUCT, TYPEDEF, UNION};
    let of_kind = || {
        let kinds = [STRUCT, CLASS, UNION, ENUM, NAMESPACE, TYPEDEF];
        kinds.iter().find_map(|kind| names.get(&rename_map::key(kind, word)))
    };
    // Most names are those of one thing.
    let plain = names.get(word)?;
    Some(of_kind().unwrap_or(plain))
}

/// The new name of a function. Where several kinds of things have its name, it says that it is one.
pub fn renamed_function<'n>(name: &'n str, names: &'n BTreeMap<String, String>) -> &'n str {
    names.get(&rename_map::key(rename_map::FUNCTION, name)).or(names.get(name)).map_or(name, String::as_str)
}

/// The new name of a variable.
pub(crate) fn renamed_variable<'n>(name: &'n String, names: &'n BTreeMap<String, String>) -> &'n String {
    names.get(&rename_map::key(rename_map::VARIABLE, name)).or(names.get(name)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_type_are_renamed_as_whole_words() {
        let names = BTreeMap::from([("list".to_owned(), "a1".to_owned())]);
        assert_eq!(with_names("struct list *listing", &names), "struct a1 *listing");
        assert_eq!(with_names("std::list<my::list>", &names), "std::list<my::a1>");
        let names = BTreeMap::from([("list".to_owned(), "a1".to_owned()), ("struct list".to_owned(), "b1".to_owned())]);
        assert_eq!(with_names("const list &", &names), "const b1 &");
    }

    #[test]
    fn a_name_that_a_type_shares_is_told_by_its_kind() {
        let shared = |kind: &str| {
            BTreeMap::from([("list".to_owned(), "a1".to_owned()), (format!("{kind} list"), "b1".to_owned())])
        };
        assert_eq!(with_names("const list &", &shared(rename_map::TYPEDEF)), "const b1 &");
        for (kind, tagged, plain) in [("typedef", "struct a1", "b1"), ("struct", "struct b1", "a1")] {
            assert_eq!(with_names_in_c("struct list", &shared(kind)), tagged);
            assert_eq!(with_names_in_c("list", &shared(kind)), plain);
        }
    }
}
