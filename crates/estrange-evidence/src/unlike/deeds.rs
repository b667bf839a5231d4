//! The deeds of a text: what stands in it in LLVM's language.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::undefined::is_of_headers;
use crate::undefined::module::{Function, Module, is_check, named};
use crate::unlike::loops::in_loops;

/// What a text does, each kind of thing once, and how often it reads memory.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    pub(super) all: BTreeSet<String>,
    /// Arithmetic on whole numbers, and how often each is done.
    pub(super) arithmetic: BTreeMap<String, usize>,
    /// Whole numbers that are made wider.
    pub(super) widened: BTreeSet<String>,
    pub(super) volatile: usize,
    /// Reads of memory, but for those of variables that only the function itself has; and those in loops.
    pub(super) reads: usize,
    pub(super) reads_in_loops: usize,
    pub(super) is_recursive: bool,
}

/// Data that have no name of their own are what they hold; they lead to others so deep.
const DEEPEST: usize = 4;

impl Deeds {
    /// Those of a text. `old` says a name as it was before a renaming.
    pub(super) fn of(module: &Module<'_>, text: &str, old: &dyn Fn(&str) -> String) -> Self {
        let mut reader = Reader { deeds: Self::default(), data: data(text), module, old };
        for (symbol, function) in module.functions.iter().filter(|(symbol, _)| !is_of_headers(symbol)) {
            reader.function(symbol, function);
        }
        let names: Vec<&str> = reader.data.keys().copied().filter(|name| !is_of_headers(&name[1..])).collect();
        let held: Vec<String> = names.into_iter().filter_map(|name| reader.held(name, 0)).collect();
        reader.deeds.all.extend(held.into_iter().map(|held| format!("the data `{held}`")));
        reader.deeds
    }
}

struct Reader<'a> {
    deeds: Deeds,
    /// What variables hold at the beginning, by their names.
    data: BTreeMap<&'a str, &'a str>,
    module: &'a Module<'a>,
    old: &'a dyn Fn(&str) -> String,
}

/// What the variables of a text hold, where that is said, but for those of a sanitizer's.
fn data(text: &str) -> BTreeMap<&str, &str> {
    let mut all = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with('@')) {
        let (name, rest) = named(line);
        let held = [" constant ", " global "].iter().find_map(|word| Some(rest.split_once(word)?.1));
        let is_ours = name[1..].bytes().all(|byte| byte.is_ascii_digit()) || name.starts_with("@llvm.");
        if let Some(held) = held.filter(|_| !is_ours && !rest.contains(" external ")) {
            all.insert(name, without_place(held));
        }
    }
    all
}

/// What stands before where and how something is put: `, align 4`, `, comdat`.
fn without_place(held: &str) -> &str {
    let ends = [", align ", ", comdat", ", section ", ", !"].iter().filter_map(|mark| held.rfind(mark));
    &held[..ends.min().unwrap_or(held.len())]
}

impl Reader<'_> {
    fn function(&mut self, symbol: &str, function: &Function<'_>) {
        let own: HashSet<&str> =
            function.lines.iter().filter_map(|line| Some(line.split_once(" = alloca ")?.0)).collect();
        let looped = in_loops(&function.lines);
        for (line, is_looped) in function.lines.iter().zip(looped) {
            let work = line.split_once(" = ").filter(|_| line.starts_with('%')).map_or(*line, |(_, work)| work);
            let work = self.module.without_metadata(work).0;
            if is_check(line) {
                self.checked(work);
                continue;
            }
            self.numbers(work);
            self.names(symbol, work);
            self.operation(work);
            if work.contains(" volatile ") {
                self.deeds.volatile += 1;
            }
            let address = work.strip_prefix("load ").and_then(|rest| rest.split(", ptr ").nth(1));
            let address = address.map(|rest| rest.split(',').next().unwrap_or_default());
            if address.is_some_and(|address| !own.contains(address)) {
                self.deeds.reads += 1;
                self.deeds.reads_in_loops += usize::from(is_looped);
            }
        }
    }

    /// Arithmetic that a sanitizer checks is done by what it asks.
    fn checked(&mut self, work: &str) {
        let Some((_, called)) = work.split_once("@llvm.") else { return };
        let mut parts = called.split(['.', '(']);
        let operation = parts.next().unwrap_or_default();
        let operation = operation.strip_prefix(['s', 'u']).unwrap_or_default();
        if matches!(operation, "add" | "sub" | "mul") && called.contains(".with.overflow.") {
            self.arithmetic(format!("`{operation} {}`", parts.nth(2).unwrap_or_default()));
            self.numbers(called);
        }
    }

    /// Numbers that are written out, but for 0, 1 and -1, and the places of members.
    fn numbers(&mut self, work: &str) {
        if work.contains("@llvm.lifetime.") {
            return;
        }
        let is_address = work.starts_with("getelementptr");
        let words: Vec<&str> = work.split([' ', ',', '(', ')', '[', ']']).filter(|word| !word.is_empty()).collect();
        for (index, word) in words.iter().enumerate() {
            let before = index.checked_sub(1).map_or("", |index| words[index]);
            let is_size =
                words.get(index + 1) == Some(&"x") || matches!(before, "align" | "addrspace" | "dereferenceable");
            if is_size || (is_address && before == "i32") {
                continue;
            }
            let is_number = match word.parse::<i128>() {
                Ok(value) => !(-1..=1).contains(&value),
                Err(_) => is_real_number(word),
            };
            if is_number {
                self.deeds.all.insert(format!("the number {word}"));
            }
        }
    }

    /// What a line calls and refers to.
    fn names(&mut self, symbol: &str, work: &str) {
        let is_call = work.contains("call ") || work.starts_with("invoke ");
        let mut rest = work;
        while let Some(at) = rest.find('@') {
            let (name, after) = named(&rest[at..]);
            let plain = name[1..].trim_matches('"');
            let is_called = is_call && after.starts_with('(');
            rest = after;
            if is_called && self.module.functions.contains_key(plain) && !is_of_headers(plain) {
                self.deeds.is_recursive |= plain == symbol;
            } else if is_called {
                let handed = numbers_handed(after);
                let what = called(plain).map(|name| format!("a call of `{}`{handed}", (self.old)(name)));
                self.deeds.all.extend(what);
            } else if !is_nameless(name) && !plain.starts_with("llvm.") {
                self.deeds.all.insert(format!("`{}`", (self.old)(plain)));
            }
        }
    }

    fn operation(&mut self, work: &str) {
        let mut words = work.split([' ', ',']).filter(|word| !word.is_empty());
        let operation = words.next().unwrap_or_default();
        let flags = ["nsw", "nuw", "exact", "disjoint", "nneg", "samesign", "fast", "contract"];
        let mut words = words.filter(|word| !flags.contains(word));
        let what = match operation {
            "add" | "sub" | "mul" | "udiv" | "sdiv" | "urem" | "srem" | "shl" | "lshr" | "ashr" | "and" | "or"
            | "xor" => {
                let of = words.next().unwrap_or_default();
                if of != "i1" {
                    self.arithmetic(format!("`{operation} {of}`"));
                }
                return;
            }
            "fadd" | "fsub" | "fmul" | "fdiv" | "frem" | "fneg" => {
                format!("`{operation} {}`", words.next().unwrap_or_default())
            }
            "trunc" | "zext" | "sext" | "fptosi" | "fptoui" | "sitofp" | "uitofp" | "fptrunc" | "fpext" => {
                let (from, to) = (words.next().unwrap_or_default(), words.next_back().unwrap_or_default());
                if from == "i1" || to == "i1" {
                    return;
                }
                let what = format!("`{operation} {from} to {to}`");
                if matches!(operation, "zext" | "sext") {
                    self.deeds.widened.insert(what);
                    return;
                }
                what
            }
            "icmp" | "fcmp" => match compared(words.next().unwrap_or_default(), words.next().unwrap_or_default()) {
                Some(what) => what,
                None => return,
            },
            _ => return,
        };
        self.deeds.all.insert(what);
    }

    fn arithmetic(&mut self, what: String) {
        *self.deeds.arithmetic.entry(what).or_default() += 1;
    }

    /// What a variable holds that has a value from the beginning, with what it leads to.
    fn held(&self, name: &str, depth: usize) -> Option<String> {
        let mut rest = *self.data.get(name)?;
        if (rest.ends_with(" zeroinitializer") && !is_nameless(name))
            || rest.ends_with(" undef")
            || rest.ends_with(" null")
        {
            return None;
        }
        let mut spelled = String::new();
        while let Some(at) = rest.find('@') {
            spelled.push_str(&rest[..at]);
            let (other, after) = named(&rest[at..]);
            match is_nameless(other) && depth < DEEPEST {
                true => spelled.push_str(&self.held(other, depth + 1).unwrap_or_default()),
                false => spelled.push_str(&(self.old)(other[1..].trim_matches('"'))),
            }
            rest = after;
        }
        Some(spelled + rest)
    }
}

/// Whether a variable is one that the compiler has named: it is what it holds.
fn is_nameless(name: &str) -> bool {
    name.starts_with("@.str")
        || name.starts_with("@__const.")
        || name.starts_with("@switch.")
        || name.starts_with("@__func__")
}

/// The numbers that a call hands over as they are written.
fn numbers_handed(arguments: &str) -> String {
    let mut depth = 0;
    let end = arguments.find(|character| {
        depth += i32::from(character == '(') - i32::from(character == ')');
        depth == 0
    });
    let arguments = &arguments[..end.unwrap_or(arguments.len())];
    let last =
        arguments.split(", ").map(|argument| argument.trim_end_matches(')').rsplit(' ').next().unwrap_or_default());
    let numbers: Vec<&str> = last.filter(|word| word.parse::<i128>().is_ok()).collect();
    if numbers.is_empty() { String::new() } else { format!(" with {}", numbers.join(", ")) }
}

/// The name of what is called; none, where the compiler only notes something.
fn called(name: &str) -> Option<&str> {
    let Some(own) = name.strip_prefix("llvm.") else { return Some(name) };
    let word = own.split('.').next().unwrap_or_default();
    let does = !matches!(word, "lifetime" | "dbg" | "assume" | "ubsantrap" | "objectsize" | "expect" | "invariant");
    does.then_some(word)
}

/// A comparison, whichever side is the larger one; none of whether whole numbers are equal.
fn compared(how: &str, of: &str) -> Option<String> {
    if matches!(how, "eq" | "ne") {
        return None;
    }
    let (kind, order) = how.split_at(how.len().min(1));
    let order = match order {
        "gt" => "lt",
        "ge" => "le",
        order => order,
    };
    match (kind, order) {
        // Of whole numbers only whether they have a sign: `< 1` and `<= 0` are the same.
        ("s" | "u", _) if of != "ptr" && is_whole(of) => {
            Some(format!("a comparison of {} `{of}`", if kind == "s" { "signed" } else { "unsigned" }))
        }
        _ => Some(format!("the comparison `{kind}{order} {of}`")),
    }
}

fn is_whole(word: &str) -> bool {
    word.strip_prefix('i').is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a word is a number with a fraction as LLVM writes it: `2.500000e-01` or `0x3FB999999999999A`; but for 0 and 1.
fn is_real_number(word: &str) -> bool {
    let is_written = word.contains('e') && word.parse::<f64>().is_ok_and(f64::is_finite);
    let is_bits =
        word.strip_prefix("0x").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'K'));
    (is_written || is_bits) && !matches!(word, "0.000000e+00" | "1.000000e+00" | "-1.000000e+00")
}
