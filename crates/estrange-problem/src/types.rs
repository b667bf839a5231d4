//! The types of arguments and results, read from their spelling in C or C++.

/// A type that values can be passed in, without `const` and references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// How it is spelled in the problem's language.
    pub spelling: String,
    /// What its values are.
    pub kind: Kind,
}

/// What the values of a type are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// `bool`, `_Bool`.
    Boolean,
    /// `char`: a character.
    Character,
    /// A whole number.
    Integer {
        /// How many bits it has.
        bits: u32,
        /// Whether it can be negative.
        is_signed: bool,
    },
    /// `float` or `double`.
    Real {
        /// Whether it has single precision.
        is_single: bool,
    },
    /// A pointer to a text that ends with a zero byte; it may be null.
    Text,
    /// `std::string`.
    String,
    /// A structure by value.
    Record(Box<Record>),
    /// A pointer to the first node of a linked list; null is the empty one.
    List(Box<Record>),
    /// A pointer to the root of a binary tree; null is the empty one.
    Tree(Box<Record>),
    /// `std::vector`, `std::deque`, `std::list`.
    Sequence(Box<Type>),
    /// `std::set` or `std::unordered_set`.
    Set(Box<Type>),
    /// `std::map` or `std::unordered_map`.
    Map(Box<Type>, Box<Type>),
    /// `std::pair`.
    Pair(Box<Type>, Box<Type>),
    /// `std::optional`.
    Optional(Box<Type>),
}

/// A structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// How it is spelled, such as `struct node`.
    pub spelling: String,
    /// Its fields that hold values, in order.
    pub fields: Vec<(String, Type)>,
    /// Its fields that lead to others of its kind: none, `next`, or left and right.
    pub links: Vec<String>,
}

impl Record {
    /// Reads a structure from its fields as they are declared, such as `int value` and `struct node *next`.
    pub(crate) fn read(spelling: &str, fields: &[String], known: &[Record]) -> Result<Self, String> {
        let mut record = Self { spelling: spelling.to_owned(), fields: Vec::new(), links: Vec::new() };
        for field in fields {
            let (declared, name) = split_name(field)?;
            match declared.strip_suffix('*').map(str::trim) {
                Some(to) if to == spelling => record.links.push(name),
                _ => record.fields.push((name, Type::read(&declared, known)?)),
            }
        }
        match (record.links.len(), record.fields.len()) {
            (0..=2, 1..) => Ok(record),
            (links, 1..) => {
                Err(format!("`{spelling}` has {links} fields that lead to others of its kind: at most two can"))
            }
            _ => Err(format!("`{spelling}` has no field that holds a value")),
        }
    }
}

impl Type {
    fn new(spelling: &str, kind: Kind) -> Self {
        Self { spelling: spelling.to_owned(), kind }
    }

    /// Reads a type from its spelling; `const` in it is skipped.
    pub(crate) fn read(spelling: &str, known: &[Record]) -> Result<Self, String> {
        let spelling = without_const(spelling);
        let (plain, pointers) = match spelling.find('*') {
            Some(at) if !spelling.contains('<') => spelling.split_at(at),
            _ => (spelling.as_str(), ""),
        };
        let plain = plain.trim();
        let record = known.iter().find(|record| record.spelling == plain);
        let kind = match (record, pointers.replace(' ', "").as_str()) {
            (Some(record), "") if record.links.is_empty() => Kind::Record(Box::new(record.clone())),
            (Some(record), "*") => match record.links.len() {
                1 => Kind::List(Box::new(record.clone())),
                2 => Kind::Tree(Box::new(record.clone())),
                _ => return Err(format!("what `{spelling}` points to must be said")),
            },
            (None, "*") if plain == "char" => Kind::Text,
            (None, "") => match number(plain) {
                Some(kind) => kind,
                None => return Self::template(plain, known),
            },
            _ => return Err(format!("values of `{spelling}` cannot be written down")),
        };
        Ok(Self::new(&spelling, kind))
    }

    fn template(spelling: &str, known: &[Record]) -> Result<Self, String> {
        let name = spelling.split('<').next().unwrap_or_default().trim();
        let name = name.strip_prefix("std::").unwrap_or(name);
        let inner = spelling.split_once('<').and_then(|(_, inner)| inner.trim_end().strip_suffix('>'));
        let arguments = inner.map(|inner| split_outside(inner, ',')).unwrap_or_default();
        let arguments: Vec<Type> = arguments.iter().map(|each| Type::read(each, known)).collect::<Result<_, _>>()?;
        let kind = match (name, <[Type; 1]>::try_from(arguments.clone()), <[Type; 2]>::try_from(arguments)) {
            ("string", _, _) if inner.is_none() => Kind::String,
            ("vector" | "deque" | "list", Ok([of]), _) => Kind::Sequence(Box::new(of)),
            ("set" | "unordered_set", Ok([of]), _) => Kind::Set(Box::new(of)),
            ("optional", Ok([of]), _) => Kind::Optional(Box::new(of)),
            ("map" | "unordered_map", _, Ok([from, to])) => Kind::Map(Box::new(from), Box::new(to)),
            ("pair", _, Ok([first, second])) => Kind::Pair(Box::new(first), Box::new(second)),
            _ => return Err(format!("`{spelling}` is no type whose values can be written down")),
        };
        Ok(Self::new(spelling, kind))
    }
}

/// The numbers of C and C++ and their names in the standard headers, on a machine of 64 bits.
fn number(spelling: &str) -> Option<Kind> {
    let name = spelling.strip_prefix("std::").unwrap_or(spelling);
    let named = |bits, is_signed| Some(Kind::Integer { bits, is_signed });
    match name {
        "bool" | "_Bool" => return Some(Kind::Boolean),
        "char" => return Some(Kind::Character),
        "float" => return Some(Kind::Real { is_single: true }),
        "double" => return Some(Kind::Real { is_single: false }),
        "int8_t" => return named(8, true),
        "uint8_t" => return named(8, false),
        "int16_t" => return named(16, true),
        "uint16_t" => return named(16, false),
        "int32_t" => return named(32, true),
        "uint32_t" => return named(32, false),
        "int64_t" | "ptrdiff_t" | "ssize_t" | "intmax_t" => return named(64, true),
        "uint64_t" | "size_t" | "uintmax_t" => return named(64, false),
        _ => {}
    }
    let words: Vec<&str> = spelling.split_whitespace().collect();
    let count = |word: &str| words.iter().filter(|each| **each == word).count();
    if words.is_empty()
        || words.iter().any(|word| !["signed", "unsigned", "short", "int", "long", "char"].contains(word))
    {
        return None;
    }
    let bits = match (count("char"), count("short"), count("long")) {
        (1, ..) => 8,
        (_, 1, _) => 16,
        (_, _, 1 | 2) => 64,
        _ => 32,
    };
    named(bits, count("unsigned") == 0)
}

/// A type's spelling without the words that say that it is not written to, with single blanks.
pub(crate) fn without_const(spelling: &str) -> String {
    let spaced = spelling.replace('*', " * ").replace('<', " < ").replace('>', " > ").replace(',', " , ");
    let words = spaced.split_whitespace().filter(|word| !["const", "restrict", "volatile"].contains(word));
    let mut clean = words.collect::<Vec<_>>().join(" ");
    for (from, to) in [(" < ", "<"), (" >", ">"), (" , ", ", "), ("* *", "**"), ("* *", "**")] {
        clean = clean.replace(from, to);
    }
    clean
}

/// Divides `const int *values` into its type and its name.
pub(crate) fn split_name(declaration: &str) -> Result<(String, String), String> {
    let text = declaration.trim();
    let start = text.rfind(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')).map_or(0, |at| at + 1);
    let (declared, name) = text.split_at(start);
    if declared.trim().is_empty() || name.is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
        return Err(format!("`{text}` is no declaration with a type and a name"));
    }
    Ok((declared.trim().to_owned(), name.to_owned()))
}

/// The parts of a text between separators that stand in no brackets.
pub(crate) fn split_outside(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0_i32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth -= 1,
            _ if letter == separator && depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(spelling: &str) -> Kind {
        Type::read(spelling, &[]).unwrap().kind
    }

    #[test]
    fn numbers_have_the_widths_of_this_machine() {
        assert_eq!(kind("unsigned long long"), Kind::Integer { bits: 64, is_signed: false });
        assert_eq!(kind("short int"), Kind::Integer { bits: 16, is_signed: true });
        assert_eq!(kind("unsigned"), Kind::Integer { bits: 32, is_signed: false });
        assert_eq!(kind("signed char"), Kind::Integer { bits: 8, is_signed: true });
        assert_eq!(kind("std::size_t"), Kind::Integer { bits: 64, is_signed: false });
        assert_eq!(kind("const char *"), Kind::Text);
        assert!(Type::read("void", &[]).is_err() && Type::read("int *", &[]).is_err());
    }

    #[test]
    fn templates_nest() {
        let Kind::Map(from, to) = kind("std::map<std::string, std::vector<std::pair<int, double>>>") else { panic!() };
        assert_eq!(from.kind, Kind::String);
        assert_eq!(to.spelling, "std::vector<std::pair<int, double>>");
        assert!(Type::read("std::vector<int, int>", &[]).is_err() && Type::read("std::tuple<int>", &[]).is_err());
    }

    #[test]
    fn nodes_lead_to_nodes() {
        let fields = ["int value", "struct node *next"].map(str::to_owned);
        let node = Record::read("struct node", &fields, &[]).unwrap();
        assert_eq!((node.fields.len(), node.links.as_slice()), (1, &["next".to_owned()][..]));
        let read = Type::read("const struct node *", &[node]).unwrap();
        assert!(matches!(read.kind, Kind::List(_)) && read.spelling == "struct node *");
    }
}
