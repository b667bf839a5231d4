//! A text in LLVM's language, as clang writes it before any optimisation: functions, and what their lines refer to.

use std::collections::{BTreeMap, HashMap};

/// A text in LLVM's language.
#[derive(Debug, Default)]
pub(crate) struct Module<'a> {
    /// The functions that it defines, by their symbols.
    pub(crate) functions: BTreeMap<&'a str, Function<'a>>,
    /// What stands behind the names of types, metadata and groups of attributes.
    meanings: HashMap<&'a str, &'a str>,
}

/// A function.
#[derive(Debug)]
pub(crate) struct Function<'a> {
    /// The line that begins it, from its linkage to the brace.
    pub(crate) head: &'a str,
    /// Its instructions and labels, without comments.
    pub(crate) lines: Vec<&'a str>,
}

/// What marks an instruction that a sanitizer put in.
const CHECKS: &str = "!nosanitize";

/// Types within types are followed so deep.
const DEEPEST: usize = 6;

impl<'a> Module<'a> {
    pub(crate) fn parse(text: &'a str) -> Self {
        let mut module = Self::default();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(head) = line.strip_prefix("define ") {
                let Some(symbol) = symbol(head) else { continue };
                let body = lines.by_ref().take_while(|line| *line != "}");
                let lines = body.map(|line| without_comment(line).trim()).filter(|line| !line.is_empty()).collect();
                module.functions.insert(symbol, Function { head, lines });
            } else if line.starts_with(['%', '!', '#'])
                && let Some((name, meaning)) = line.split_once(" = ")
            {
                module.meanings.insert(name, meaning);
            } else if let Some((name, meaning)) =
                line.strip_prefix("attributes ").and_then(|rest| rest.split_once(" = "))
            {
                module.meanings.insert(name, meaning);
            }
        }
        module
    }

    /// A line in which numbers that say nothing by themselves are replaced by what they stand for.
    pub(crate) fn spelled_out(&self, line: &str) -> String {
        let (line, access) = self.without_metadata(line);
        let mut spelled = String::with_capacity(line.len() + access.len());
        for (index, part) in line.split('#').enumerate() {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            if index > 0 && digits == 0 {
                spelled.push('#');
            }
            if index > 0 && digits > 0 {
                spelled.push_str(self.meanings.get(&*format!("#{}", &part[..digits])).unwrap_or(&""));
                spelled.push_str(&part[digits..]);
            } else {
                spelled.push_str(part);
            }
        }
        if !access.is_empty() {
            spelled.push_str(" as ");
            spelled.push_str(&access);
        }
        spelled
    }

    /// A line without what stands behind it for the optimiser, and the type by which it accesses memory.
    pub(crate) fn without_metadata<'l>(&self, line: &'l str) -> (&'l str, String) {
        let Some(at) = line.find(", !") else { return (line, String::new()) };
        let access = line[at..].split(", ").find_map(|one| one.strip_prefix("!tbaa ")).unwrap_or_default();
        (&line[..at], self.access(access))
    }

    /// The type by which memory is accessed: as what, in which struct, how far behind its beginning.
    fn access(&self, node: &str) -> String {
        let meaning = self.meanings.get(node).copied().unwrap_or_default();
        let mut parts = meaning.trim_start_matches("!{").trim_end_matches('}').split(", ");
        let mut name = || {
            let of = parts.next().and_then(|part| self.meanings.get(part)).copied().unwrap_or_default();
            of.split('"').nth(1).unwrap_or_default()
        };
        let (of, access) = (name(), name());
        let place = parts.next().and_then(|part| part.strip_prefix("i64 ")).unwrap_or_default();
        if of == access && place == "0" { access.to_owned() } else { format!("{access} in {of} at {place}") }
    }

    /// The attributes that a line refers to by their number.
    pub(crate) fn attributes(&self, line: &str) -> &'a str {
        let group = line.split_whitespace().find(|word| word.starts_with('#'));
        group.and_then(|group| self.meanings.get(group)).copied().unwrap_or_default()
    }

    /// What a name of a type or of metadata stands for, followed to the end.
    pub(crate) fn meaning(&self, text: &str, depth: usize) -> String {
        let mut spelled = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['%', '!']) {
            spelled.push_str(&rest[..at]);
            let (name, after) = named(&rest[at..]);
            match self.meanings.get(name) {
                Some(meaning) if depth < DEEPEST => spelled.push_str(&self.meaning(meaning, depth + 1)),
                _ => spelled.push_str(&name[1..]),
            }
            rest = after;
        }
        spelled + rest
    }
}

/// Whether a sanitizer put this instruction in.
pub(crate) fn is_check(line: &str) -> bool {
    line.contains(CHECKS)
}

/// The symbol that a line begins to define.
fn symbol(head: &str) -> Option<&str> {
    let (name, _) = named(&head[head.find('@')?..]);
    let name = &name[1..];
    (!name.is_empty()).then(|| name.trim_matches('"'))
}

/// A name with the character before it, and what stands behind it. It may be quoted.
pub(crate) fn named(text: &str) -> (&str, &str) {
    let end = match text.as_bytes().get(1) {
        Some(b'"') => text[2..].find('"').map_or(text.len(), |at| at + 3),
        _ => text[1..].find(|next: char| !is_part(next)).map_or(text.len(), |at| at + 1),
    };
    text.split_at(end)
}

/// Whether a character may stand in a name.
pub(crate) fn is_part(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '$')
}

fn without_comment(line: &str) -> &str {
    match line.find(" ;") {
        Some(at) if !line[..at].contains('"') => &line[..at],
        _ => line,
    }
}
