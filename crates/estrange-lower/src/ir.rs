//! LLVM's own language as text: the function, its helpers, and what they refer to, without names, attributes and metadata.
//!
//! What is printed is a module that `llvm-as` accepts: types first, since they must be known, then definitions, data, and
//! declarations of what is elsewhere.

use std::collections::HashMap;

use crate::data::SHOWN;
use crate::how::Style;
use crate::loss::Loss;
use crate::lowered::Lowered;
use crate::names::{Names, Policy, is_function_name, is_type_name};
use crate::symbol;

/// Prints a function of a module's text, and its helpers after it.
pub(crate) fn print(
    text: &str,
    function: &str,
    helpers: &[String],
    style: Style,
    policy: Policy<'_>,
) -> Result<Lowered, Loss> {
    let module = Module::parse(text);
    let functions = module.order.iter().copied();
    let mut wanted = vec![symbol::find(functions.clone(), function)?];
    let mut absent = Vec::new();
    for helper in helpers {
        match symbol::find(functions.clone(), helper) {
            Ok(found) if wanted.contains(&found) => {}
            Ok(found) => wanted.push(found),
            Err(_) => absent.push(helper.clone()),
        }
    }
    let mut writer = Writer {
        module: &module,
        names: Names::new(policy),
        primary: wanted[0],
        functions: Vec::new(),
        data: Vec::new(),
        types: Vec::new(),
    };
    let text = writer.write(&wanted, style);
    Ok(writer.names.lowered(text, absent))
}

/// What stands at the top of a module, by name.
#[derive(Default)]
struct Module<'a> {
    /// The functions with code, as they come.
    order: Vec<&'a str>,
    defined: HashMap<&'a str, (&'a str, Vec<&'a str>)>,
    declared: HashMap<&'a str, &'a str>,
    data: HashMap<&'a str, &'a str>,
    types: HashMap<&'a str, &'a str>,
}

impl<'a> Module<'a> {
    fn parse(text: &'a str) -> Self {
        let mut module = Self::default();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("define ") {
                let Some(name) = first_name(line, '@') else { continue };
                let body = lines.by_ref().take_while(|line| *line != "}").collect();
                module.order.push(name);
                module.defined.insert(name, (line, body));
            } else if line.starts_with("declare ") {
                module.declared.extend(first_name(line, '@').map(|name| (name, line)));
            } else if line.starts_with('@') {
                let definition = line.split_once(" = ").map_or("", |(_, rest)| rest);
                module.data.extend(first_name(line, '@').map(|name| (name, definition)));
            } else if line.starts_with('%') {
                let definition = line.split_once(" = ").map_or("", |(_, rest)| rest);
                module.types.extend(first_name(line, '%').map(|name| (name, definition)));
            }
        }
        module
    }
}

/// The first name in a line that begins with this sign.
fn first_name(line: &str, sign: char) -> Option<&str> {
    let rest = &line[line.find(sign)? + 1..];
    Some(&rest[..name_length(rest)])
}

/// The length of a name, with quotes where it has them.
fn name_length(rest: &str) -> usize {
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.find('"').map_or(rest.len(), |end| end + 2),
        None => rest.find(|each: char| !(each.is_alphanumeric() || "-$._".contains(each))).unwrap_or(rest.len()),
    }
}

struct Writer<'a> {
    module: &'a Module<'a>,
    names: Names<'a>,
    primary: &'a str,
    /// What was mentioned, in order.
    functions: Vec<&'a str>,
    data: Vec<&'a str>,
    types: Vec<&'a str>,
}

/// Words of definitions that say how a name is seen elsewhere.
const LINKAGE: &[&str] = &[
    "internal",
    "private",
    "linkonce_odr",
    "weak_odr",
    "linkonce",
    "weak",
    "available_externally",
    "common",
    "dso_local",
    "local_unnamed_addr",
    "unnamed_addr",
    "hidden",
    "protected",
    "comdat",
];

impl<'a> Writer<'a> {
    fn write(&mut self, wanted: &[&'a str], style: Style) -> String {
        let module = self.module;
        let mut text = String::new();
        for (number, name) in wanted.iter().enumerate() {
            let Some((head, body)) = module.defined.get(name) else { continue };
            if number > 0 {
                text.push('\n');
            }
            text.push_str(&self.line(&without_linkage(head)));
            text.push('\n');
            for line in body.iter().filter(|line| !line.trim_start().starts_with(';')) {
                text.push_str(&self.line(line));
                text.push('\n');
            }
            text.push_str("}\n");
        }
        if style == Style::Paper {
            return text;
        }
        let mut lines = Vec::new();
        let mut at = 0;
        while at < self.data.len() {
            let name = self.data[at];
            let title = self.data_name(name);
            let definition = without_linkage(module.data.get(name).copied().unwrap_or_default());
            let definition = self.definition(name, &definition);
            lines.push(format!("@{title} = {definition}"));
            at += 1;
        }
        at = 0;
        while at < self.functions.len() {
            let name = self.functions[at];
            at += 1;
            let head = module.declared.get(name).copied().or_else(|| module.defined.get(name).map(|(head, _)| *head));
            if let Some(head) = head.filter(|_| !wanted.contains(&name)) {
                let head = without_linkage(head).replacen("define ", "declare ", 1);
                let head = head.split(" personality ").next().unwrap_or_default();
                lines.push(self.line(head.trim_end_matches('{').trim_end()));
            }
        }
        if !lines.is_empty() {
            text.push('\n');
            text.push_str(&lines.join("\n"));
            text.push('\n');
        }
        let mut types = String::new();
        at = 0;
        while at < self.types.len() {
            let name = self.types[at];
            let title = self.names.r#type(name);
            let definition = self.line(module.types.get(name).copied().unwrap_or_default());
            types.push_str(&format!("%{title} = {definition}\n"));
            at += 1;
        }
        if types.is_empty() { text } else { format!("{types}\n{text}") }
    }

    /// The definition of data with other names, and without what it says of the unit itself.
    fn definition(&mut self, name: &str, definition: &str) -> String {
        let bare = name.trim_matches('"');
        let neutral = if is_function_name(bare) {
            Some(self.names.function(self.primary))
        } else if is_type_name(bare) {
            Some(self.names.r#type(name))
        } else {
            None
        };
        if let Some(neutral) = neutral {
            return format!("constant [{} x i8] c\"{neutral}\\00\"", neutral.len() + 1);
        }
        let line = self.line(definition);
        // A whole table would be longer than any code.
        if line.len() > 8 * SHOWN {
            let cut = (0..=4 * SHOWN).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0);
            let hash = blake3::hash(&line.as_bytes()[cut..]).to_hex();
            return format!("external global i8 ; {} rest {} 0x{}", &line[..cut], line.len() - cut, &hash[..8]);
        }
        line
    }

    fn data_name(&mut self, name: &'a str) -> String {
        match self.module.data.get(name) {
            Some(definition) if !definition.starts_with("external") => self.names.variable(name, name),
            _ => self.names.foreign(name, false),
        }
    }

    /// A line with other names, without attributes, metadata and comments.
    fn line(&mut self, line: &str) -> String {
        let mut text = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(character) = rest.chars().next() {
            let length = match character {
                ';' => break,
                '"' => {
                    let length = name_length(rest);
                    let is_data = text.ends_with('c');
                    let quoted = &rest[..length];
                    if is_data {
                        self.string(&mut text, quoted)
                    } else {
                        text.push_str(quoted)
                    }
                    length
                }
                '@' => {
                    let length = 1 + name_length(&rest[1..]);
                    let name = self.global(&rest[1..length]);
                    text.push('@');
                    text.push_str(&name);
                    length
                }
                '%' => {
                    let length = 1 + name_length(&rest[1..]);
                    let name = &rest[1..length];
                    text.push('%');
                    match self.module.types.get_key_value(name) {
                        Some((&name, _)) => {
                            if !self.types.contains(&name) {
                                self.types.push(name);
                            }
                            text.push_str(&self.names.r#type(name));
                        }
                        None => text.push_str(name),
                    }
                    length
                }
                // A group of attributes.
                '#' if text.ends_with(' ') && rest[1..].starts_with(|each: char| each.is_ascii_digit()) => {
                    text.truncate(text.trim_end().len());
                    1 + name_length(&rest[1..])
                }
                // `, !name !number`: what is attached for the optimiser or the debugger.
                '!' if attachment(rest).is_some() => {
                    let kept = text.trim_end_matches([' ', ',']).len();
                    text.truncate(kept);
                    attachment(rest).unwrap_or(1)
                }
                other => {
                    text.push(other);
                    other.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        text.truncate(text.trim_end().len());
        text
    }

    fn global(&mut self, name: &str) -> String {
        let module = self.module;
        if name.starts_with("llvm.") {
            if let Some((&name, _)) = module.declared.get_key_value(name)
                && !self.functions.contains(&name)
            {
                self.functions.push(name);
            }
            return name.to_owned();
        }
        if let Some((&name, _)) = module.data.get_key_value(name) {
            if !self.data.contains(&name) {
                self.data.push(name);
            }
            return self.data_name(name);
        }
        let defined = module.defined.get_key_value(name).map(|(&name, _)| name);
        let known = defined.or_else(|| module.declared.get_key_value(name).map(|(&name, _)| name));
        if let Some(known) = known
            && !self.functions.contains(&known)
        {
            self.functions.push(known);
        }
        match defined {
            Some(name) => self.names.function(name),
            None => self.names.foreign(name, true),
        }
    }

    /// A string of data without words that must not stand in it, and its length before it.
    fn string(&mut self, text: &mut String, quoted: &str) {
        let inner = quoted.trim_start_matches('"').trim_end_matches('"');
        let bytes = unescaped(inner);
        let cleaned = std::str::from_utf8(&bytes).map(|text| self.names.cleaned(text, false));
        match cleaned {
            Ok(cleaned) if cleaned.as_bytes() != bytes => {
                let old = format!("[{} x i8] c", bytes.len());
                if let Some(before) = text.strip_suffix(&old) {
                    *text = format!("{before}[{} x i8] c", cleaned.len());
                }
                text.push_str(&format!("\"{}\"", escaped(cleaned.as_bytes())));
            }
            _ => text.push_str(quoted),
        }
    }
}

/// The length of `!name !number`, where that stands.
fn attachment(rest: &str) -> Option<usize> {
    let name = 1 + name_length(&rest[1..]);
    let number = rest[name..].strip_prefix(" !")?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    (name > 1 && digits > 0).then_some(name + 2 + digits)
}

/// A definition without the words that say how a name is seen elsewhere.
fn without_linkage(line: &str) -> String {
    // What follows the name's parameters or the first brace or quote is no longer about that.
    let end = line.find(['"', '{', '[']).unwrap_or(line.len());
    let is_function = line.starts_with("define ") || line.starts_with("declare ");
    let end = if is_function { line.len() } else { end };
    let (head, rest) = line.split_at(end);
    let words: Vec<&str> =
        head.split(' ').filter(|word| !LINKAGE.contains(word) && !(word.starts_with("comdat("))).collect();
    let text = words.join(" ") + rest;
    match text.find(", comdat") {
        Some(at) => {
            let after = &text[at + ", comdat".len()..];
            let after =
                after.strip_prefix('(').and_then(|after| after.split_once(')')).map_or(after, |(_, after)| after);
            text[..at].to_owned() + after
        }
        None => text,
    }
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after
            .get(..2)
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match hex.filter(|_| *first == b'\\') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

fn escaped(bytes: &[u8]) -> String {
    let plain = |byte: u8| (0x20..0x7f).contains(&byte) && byte != b'"' && byte != b'\\';
    bytes.iter().map(|&byte| if plain(byte) { char::from(byte).to_string() } else { format!("\\{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing_is_gone() {
        assert_eq!(
            without_linkage("define internal dso_local i32 @f(ptr %0) #0 comdat align 2 {"),
            "define i32 @f(ptr %0) #0 align 2 {"
        );
        assert_eq!(
            without_linkage("private unnamed_addr constant [2 x i8] c\"private \", align 1"),
            "constant [2 x i8] c\"private \", align 1"
        );
        assert_eq!(without_linkage("linkonce_odr global i32 0, comdat($x), align 4"), "global i32 0, align 4");
        assert_eq!(attachment("!tbaa !5, !srcloc !6"), Some(8));
        assert_eq!(attachment("!5"), None);
    }

    #[test]
    fn strings_are_read_and_written_back() {
        let text = "a\\0A\\22b\\00";
        assert_eq!(unescaped(text), b"a\n\"b\0");
        assert_eq!(escaped(&unescaped(text)), text);
    }
}
