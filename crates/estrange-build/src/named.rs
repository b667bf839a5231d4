//! Which function of a file is meant: by its name, with as many of its scopes and as much of its signature as it takes.

use estrange_clang::Defined;

use crate::error::BuildError;
use crate::single::{FileError, FileRequest};
use crate::tools::Tools;
use estrange_unit::{Language, ParserLoss};
use estrange_words::Reason;

/// The functions that a file defines, in their order.
pub(crate) struct Functions {
    all: Vec<Defined>,
    text: String,
}

/// Why none is meant, as far as names tell.
#[derive(Debug, PartialEq, Eq)]
enum Unclear {
    /// There is none.
    None,
    /// It may be any of these.
    Several(Vec<usize>),
}

impl Functions {
    /// Those of a file, which must parse.
    pub(crate) fn of(
        tools: &Tools,
        file: &FileRequest,
        language: Language,
        flags: &[String],
    ) -> Result<Self, FileError> {
        let word = language.flag();
        let arguments: Vec<String> = [word.to_owned()].into_iter().chain(flags.iter().cloned()).collect();
        let found = match tools.parser.names(&file.text, &arguments) {
            Ok(found) => found,
            Err(loss @ ParserLoss::Unavailable(_)) => return Err(BuildError::Parser(loss).into()),
            Err(loss) => {
                return Err(FileError::Refused { reason: loss.reason(), detail: loss.to_string() });
            }
        };
        if let Some(trouble) = found.troubles.first() {
            let detail = format!("{} does not parse: {}", file.path.display(), trouble.message);
            return Err(FileError::Refused { reason: Reason::DoesNotParse, detail });
        }
        Ok(Self { all: found.functions, text: file.text.clone() })
    }

    /// The one that is called so; the last one, if no name is given.
    pub(crate) fn named(&self, file: &FileRequest, name: Option<&str>) -> Result<&Defined, FileError> {
        let number = match name {
            Some(name) => named(&self.all, name),
            None => self.all.len().checked_sub(1).ok_or(Unclear::None),
        };
        number.map(|number| &self.all[number]).map_err(|unclear| self.error(file, name, unclear))
    }

    /// The one that has taken the place of a function of an old file. `is_renamed` says that the two files are the same but
    /// for names.
    pub(crate) fn counterpart(
        &self,
        file: &FileRequest,
        old: &Functions,
        function: &Defined,
        is_renamed: bool,
    ) -> Result<&Defined, FileError> {
        let place = old.all.iter().position(|one| one == function).unwrap_or_default();
        counterpart(&old.all, place, &self.all, is_renamed)
            .map(|number| &self.all[number])
            .map_err(|unclear| self.error(file, Some(&whole(function)), unclear))
    }

    fn error(&self, file: &FileRequest, name: Option<&str>, unclear: Unclear) -> FileError {
        let line = |function: &Defined| {
            let before = self.text.get(..function.at as usize).unwrap_or_default();
            before.bytes().filter(|byte| *byte == b'\n').count() + 1
        };
        let choice = |function: &Defined| Choice { signature: whole(function), line: line(function) };
        let path = file.path.clone();
        let name = name.map(str::to_owned);
        match unclear {
            Unclear::None => FileError::NoFunction { path, name, there: self.all.iter().map(choice).collect() },
            Unclear::Several(several) => FileError::Ambiguous {
                path,
                name: name.unwrap_or_default(),
                choices: several.into_iter().map(|number| choice(&self.all[number])).collect(),
            },
        }
    }
}

/// A function that may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What it is called, with its scopes and the types of its parameters.
    pub signature: String,
    /// The line that its name stands in, from 1.
    pub line: usize,
}

/// A function's name without scopes, operators included.
pub(crate) fn last_name(function: &Defined) -> &str {
    if function.name.is_empty() { split(&function.signature).0 } else { &function.name }
}

/// A function's name with its scopes.
pub(crate) fn qualified(function: &Defined) -> String {
    scopes(function) + &without_arguments(split(&function.signature).0)
}

fn whole(function: &Defined) -> String {
    scopes(function) + &function.signature
}

fn scopes(function: &Defined) -> String {
    let named = function.around.iter().filter(|around| !around.name.is_empty());
    named.map(|around| without_arguments(&around.name) + "::").collect()
}

/// Which function has this name.
fn named(functions: &[Defined], name: &str) -> Result<usize, Unclear> {
    let name = name.trim();
    if let Some(number) = functions.iter().position(|one| !one.symbol.is_empty() && one.symbol == name) {
        // In C the linker's name is the name; in C++ nobody else has it.
        return Ok(number);
    }
    let (path, types) = split(name);
    let (path, is_outermost) = match path.strip_prefix("::") {
        Some(path) => (path, true),
        None => (path, false),
    };
    let path = without_arguments(path);
    let is_meant = |function: &Defined| {
        let own = qualified(function);
        let scope = own.strip_suffix(path.as_str());
        let has_name = match is_outermost {
            true => own == path,
            false => scope.is_some_and(|scope| scope.is_empty() || scope.ends_with("::")),
        };
        has_name && (types.is_empty() || squeezed(types) == squeezed(split(&function.signature).1))
    };
    let found = (0..functions.len()).filter(|number| !path.is_empty() && is_meant(&functions[*number]));
    only(found.collect())
}

fn counterpart(old: &[Defined], place: usize, new: &[Defined], is_renamed: bool) -> Result<usize, Unclear> {
    if is_renamed && old.len() == new.len() {
        return Ok(place);
    }
    let function = &old[place];
    if let Some(same) = new.iter().position(|one| whole(one) == whole(function)) {
        return Ok(same);
    }
    let of_that_name: Vec<usize> = (0..new.len()).filter(|one| qualified(&new[*one]) == qualified(function)).collect();
    if !of_that_name.is_empty() {
        return only(of_that_name);
    }
    // It has another name, which none of the old ones had.
    let is_fresh = |one: &Defined| !old.iter().any(|known| whole(known) == whole(one));
    let count = |one: &Defined| types(one).len();
    let fresh: Vec<usize> =
        (0..new.len()).filter(|one| is_fresh(&new[*one]) && count(&new[*one]) == count(function)).collect();
    if fresh.len() <= 1 {
        return only(fresh);
    }
    let alike: Vec<usize> = fresh.iter().copied().filter(|one| types(&new[*one]) == types(function)).collect();
    match alike.as_slice() {
        [one] => Ok(*one),
        // Types may have other names too; then they stand where they stood.
        _ if old.len() == new.len() && fresh.contains(&place) => Ok(place),
        _ => Err(Unclear::Several(fresh)),
    }
}

fn only(found: Vec<usize>) -> Result<usize, Unclear> {
    match found.as_slice() {
        [] => Err(Unclear::None),
        [one] => Ok(*one),
        _ => Err(Unclear::Several(found)),
    }
}

/// The name and the list of parameters with all that follows it, which is empty if there is none.
fn split(signature: &str) -> (&str, &str) {
    let signature = signature.trim();
    let end = signature.strip_suffix("const").unwrap_or(signature).trim_end();
    if !end.ends_with(')') || end.ends_with("operator()") {
        return (signature, "");
    }
    let mut depth = 0usize;
    for (at, character) in end.char_indices().rev() {
        match character {
            ')' => depth += 1,
            '(' if depth == 1 => return (signature[..at].trim_end(), &signature[at..]),
            '(' => depth -= 1,
            _ => {}
        }
    }
    (signature, "")
}

/// The types of a function's parameters.
fn types(function: &Defined) -> Vec<String> {
    let list = squeezed(split(&function.signature).1);
    let list = list.strip_suffix("const").unwrap_or(&list);
    let list = list.strip_prefix('(').and_then(|list| list.strip_suffix(')')).unwrap_or_default();
    let mut types = Vec::new();
    let (mut depth, mut from) = (0usize, 0);
    for (at, character) in list.char_indices() {
        match character {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                types.push(list[from..at].to_owned());
                from = at + 1;
            }
            _ => {}
        }
    }
    if !list.is_empty() {
        types.push(list[from..].to_owned());
    }
    types
}

/// A list of types in one spelling: blanks only where they part two words, and no `struct` before a name.
fn squeezed(list: &str) -> String {
    const TAGS: [&str; 4] = ["struct", "class", "union", "enum"];
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut squeezed = String::new();
    let mut rest = list.trim();
    while let Some(first) = rest.chars().next() {
        let length = match is_word(first) {
            true => rest.find(|character| !is_word(character)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        if first.is_whitespace() || TAGS.contains(&token) {
            continue;
        }
        if is_word(first) && squeezed.ends_with(is_word) {
            squeezed.push(' ');
        }
        squeezed.push_str(token);
    }
    // `f(void)` takes nothing.
    if squeezed == "(void)" { "()".to_owned() } else { squeezed }
}

/// A name without what templates are given; an operator keeps its sign.
fn without_arguments(name: &str) -> String {
    let operator = name.find("operator").filter(|at| {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        !name[..*at].ends_with(is_word) && !name[*at + "operator".len()..].starts_with(is_word)
    });
    let (before, sign) = name.split_at(operator.unwrap_or(name.len()));
    let mut plain = String::new();
    let mut depth = 0usize;
    for character in before.chars() {
        match character {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(character),
            _ => {}
        }
    }
    plain + sign
}

#[cfg(test)]
mod tests {
    use super::*;
    use estrange_clang::{Around, AroundKind};

    fn defined(scopes: &[&str], signature: &str) -> Defined {
        let name = split(signature).0.to_owned();
        let around = |name: &&str| Around { name: (*name).to_owned(), kind: AroundKind::Namespace, start: 0, at: 0 };
        Defined {
            name: if name.starts_with("operator") { String::new() } else { name },
            signature: signature.to_owned(),
            start: 0,
            end: 0,
            at: 0,
            is_template: false,
            symbol: String::new(),
            around: scopes.iter().map(around).collect(),
        }
    }

    #[test]
    fn a_function_is_found_by_as_much_of_its_name_as_it_takes() {
        let all = [
            defined(&["n"], "f(int)"),
            defined(&["n"], "f(const char *)"),
            defined(&["", "S"], "f(struct item *, int) const"),
            defined(&[], "g(void)"),
            defined(&["S"], "operator()(int)"),
            defined(&["S"], "operator<(const S &) const"),
            defined(&["Box<T>"], "get<U>(U)"),
            defined(&[], "get(int)"),
        ];
        let found = |name: &str| named(&all, name);
        assert_eq!(found("g"), Ok(3));
        assert_eq!(found("g()"), Ok(3));
        assert_eq!(found("S::f"), Ok(2));
        assert_eq!(found("f(item*,int) const"), Ok(2));
        assert_eq!(found("n::f( const char* )"), Ok(1));
        assert_eq!(found("n::f"), Err(Unclear::Several(vec![0, 1])));
        assert_eq!(found("f"), Err(Unclear::Several(vec![0, 1, 2])));
        assert_eq!(found("operator()"), Ok(4));
        assert_eq!(found("S::operator<"), Ok(5));
        assert_eq!(found("Box::get"), Ok(6));
        assert_eq!(found("get"), Err(Unclear::Several(vec![6, 7])));
        assert_eq!(found("::get"), Ok(7));
        assert_eq!(found("m::f"), Err(Unclear::None));
        assert_eq!(found(""), Err(Unclear::None));
    }

    #[test]
    fn a_function_with_another_name_is_found_where_only_one_can_be_meant() {
        let old = [defined(&[], "help(int)"), defined(&[], "best(struct item *, int)")];
        let found = |new: &[Defined]| counterpart(&old, 1, new, false);
        assert_eq!(found(&[defined(&[], "best(item *, int)"), defined(&[], "x(item *, int)")]), Ok(0));
        assert_eq!(found(&[defined(&[], "help(int)"), defined(&[], "func_0(struct item *, int)")]), Ok(1));
        let outlined = [defined(&[], "part(int *, int)"), defined(&[], "help(int)"), defined(&[], "y(item *, int)")];
        assert_eq!(found(&outlined), Ok(2));
        // All names are new, those of types too.
        assert_eq!(found(&[defined(&[], "func_0(int)"), defined(&[], "func_1(struct struct_0 *, int)")]), Ok(1));
        let two = [defined(&[], "a(item *, int)"), defined(&[], "b(item *, int)"), defined(&[], "help(int)")];
        assert_eq!(found(&two), Err(Unclear::Several(vec![0, 1])));
        assert_eq!(found(&[defined(&[], "help(int)"), defined(&[], "best(void)")]), Ok(1));
        assert_eq!(found(&[defined(&[], "help(int)")]), Err(Unclear::None));
    }
}
