//! Neutral names, numbered by first use, and words that must not stand in strings.

use std::collections::{HashMap, HashSet};

use crate::lowered::Lowered;

/// Which names may stand in a text.
#[derive(Clone, Copy)]
pub(crate) struct Policy<'a> {
    /// Whether a symbol that the unit does not define keeps its name.
    pub keep: &'a dyn Fn(&str) -> bool,
    /// Words that are replaced wherever they stand whole in string data.
    pub hidden: &'a HashSet<String>,
    /// Strings that the preprocessor may have made of words of the unit: in them, a letter alone is a name too.
    pub stringised: &'a HashSet<String>,
}

/// Gives out the names of one text.
pub(crate) struct Names<'a> {
    policy: Policy<'a>,
    functions: HashMap<String, String>,
    data: HashMap<String, String>,
    types: HashMap<String, String>,
    words: HashMap<String, String>,
    /// What the text refers to and the unit does not define: its name here, and its symbol.
    outside: Vec<(String, String)>,
    /// The variables whose values are shown: the name here, and the symbol.
    variables: Vec<(String, String)>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(policy: Policy<'a>) -> Self {
        let (functions, data, types, words) = (HashMap::new(), HashMap::new(), HashMap::new(), HashMap::new());
        Self { policy, functions, data, types, words, outside: Vec::new(), variables: Vec::new() }
    }

    /// The name of the function that is known by `key`.
    pub(crate) fn function(&mut self, key: &str) -> String {
        numbered(&mut self.functions, "fn", key)
    }

    /// The name of the data that are known by `key`.
    pub(crate) fn data(&mut self, key: &str) -> String {
        numbered(&mut self.data, "data", key)
    }

    /// The name of the type that is known by `key`.
    pub(crate) fn r#type(&mut self, key: &str) -> String {
        numbered(&mut self.types, "type", key)
    }

    /// The name of what the unit only declares: its own if that may be kept.
    pub(crate) fn foreign(&mut self, symbol: &str, function: bool) -> String {
        if (self.policy.keep)(symbol) {
            return symbol.to_owned();
        }
        let name = if function { self.function(symbol) } else { self.data(symbol) };
        if !self.outside.iter().any(|(known, _)| *known == name) {
            self.outside.push((name.clone(), symbol.to_owned()));
        }
        name
    }

    /// The name of the data that are known by `key` and have a symbol. A symbol that the compiler made up is not recorded.
    pub(crate) fn variable(&mut self, key: &str, symbol: &str) -> String {
        let name = self.data(key);
        let is_made_up = symbol.is_empty() || symbol.contains('.') || is_function_name(symbol) || is_type_name(symbol);
        if !is_made_up && !self.variables.iter().any(|(known, _)| *known == name) {
            self.variables.push((name.clone(), symbol.to_owned()));
        }
        name
    }

    /// A text with these names, and the helpers that are not in it.
    pub(crate) fn lowered(self, text: String, absent: Vec<String>) -> Lowered {
        Lowered { text, absent, outside: self.outside, variables: self.variables }
    }

    /// A string without the words that must not stand in it. Where `escaped`, a backslash and what follows it are no part
    /// of a word. A single letter is a name only beside longer ones, or in what was made of the unit's own words: `%s` has
    /// none.
    pub(crate) fn cleaned(&mut self, text: &str, escaped: bool) -> String {
        if self.policy.hidden.is_empty() {
            return text.to_owned();
        }
        let mut cleaned = String::with_capacity(text.len());
        for (number, part) in text.split('\0').enumerate() {
            if number > 0 {
                cleaned.push('\0');
            }
            self.clean(part, escaped, &mut cleaned);
        }
        cleaned
    }

    fn clean(&mut self, text: &str, escaped: bool, cleaned: &mut String) {
        let hidden = self.policy.hidden;
        let mut words = text.split(|character: char| character != '_' && !character.is_alphanumeric());
        let is_made = || {
            let plain = text.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(text);
            let plain = plain.trim_end_matches("\\0").trim_end_matches("\\000");
            let plain = if escaped { plain.replace("\\\"", "\"").replace("\\\\", "\\") } else { plain.to_owned() };
            self.policy.stringised.contains(&plain)
        };
        let is_code = words.any(|word| word.len() > 1 && hidden.contains(word)) || is_made();
        let is_hidden = |word: &str| hidden.contains(word) && (word.len() > 1 || is_code);
        let mut word = String::new();
        let mut characters = text.chars();
        loop {
            let next = characters.next();
            match next {
                Some(character) if character == '_' || character.is_alphanumeric() => word.push(character),
                _ => {
                    if is_hidden(&word) {
                        cleaned.push_str(&numbered(&mut self.words, "name", &word));
                    } else {
                        cleaned.push_str(&word);
                    }
                    word.clear();
                    let Some(character) = next else { return };
                    cleaned.push(character);
                    if escaped && character == '\\' {
                        cleaned.extend(characters.next());
                    }
                }
            }
        }
    }
}

fn numbered(names: &mut HashMap<String, String>, word: &str, key: &str) -> String {
    if let Some(name) = names.get(key) {
        return name.clone();
    }
    let name = format!("{word}_{}", names.len() + 1);
    names.insert(key.to_owned(), name.clone());
    name
}

/// Whether a symbol stands for the name of a function as a string: C's `__func__` and its like.
pub(crate) fn is_function_name(symbol: &str) -> bool {
    let symbol = symbol.trim_start_matches(['.', 'L']);
    ["__func__.", "__FUNCTION__.", "__PRETTY_FUNCTION__."].iter().any(|start| symbol.starts_with(start))
        || symbol.starts_with("_ZZ")
            && ["E8__func__", "E12__FUNCTION__", "E19__PRETTY_FUNCTION__"].iter().any(|end| symbol.contains(end))
        || symbol.starts_with("__func__") && symbol.len() == "__func__".len()
}

/// Whether a symbol stands for the name of a C++ type as a string.
pub(crate) fn is_type_name(symbol: &str) -> bool {
    symbol.starts_with("_ZTS")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_words_are_replaced_only_where_they_are_whole() {
        let stringised = HashSet::from(["S > 0".to_owned(), "*S == \"x\"".to_owned()]);
        let hidden = HashSet::from(["len".to_owned(), "buffer".to_owned()]);
        let mut names = Names::new(Policy { keep: &|_| false, hidden: &hidden, stringised: &stringised });
        assert_eq!(names.cleaned("buffer->len > length", false), "name_1->name_2 > length");
        assert_eq!(names.cleaned("\\nlen len", true), "\\nname_2 name_2");
        let hidden = HashSet::from(["shape".to_owned(), "S".to_owned()]);
        let mut names = Names::new(Policy { keep: &|_| false, hidden: &hidden, stringised: &stringised });
        assert_eq!(names.cleaned("shape(S) [with S = int]", false), "name_1(name_2) [with name_2 = int]");
        assert_eq!(names.cleaned("S: %S", false), "S: %S");
        assert_eq!(names.cleaned("S > 0\0S: %S\0", false), "name_2 > 0\0S: %S\0");
        assert_eq!(names.cleaned("*S == \\\"x\\\"", true), "*name_2 == \\\"x\\\"");
    }

    #[test]
    fn names_are_numbered_by_first_use() {
        let none = HashSet::new();
        let mut names = Names::new(Policy { keep: &|name| name == "memcpy", hidden: &none, stringised: &none });
        assert_eq!(names.function("a"), "fn_1");
        assert_eq!(names.foreign("b", true), "fn_2");
        assert_eq!(names.foreign("memcpy", true), "memcpy");
        assert_eq!(names.function("a"), "fn_1");
        assert_eq!(names.data("a"), "data_1");
    }

    #[test]
    fn names_of_functions_as_strings_are_known() {
        for symbol in
            ["__func__.0", ".L__func__.f", "__PRETTY_FUNCTION__.3", ".L__PRETTY_FUNCTION__._Z1fv", "_ZZ1fvE8__func__"]
        {
            assert!(is_function_name(symbol), "{symbol}");
        }
        assert!(!is_function_name("__functions"));
    }
}
