//! What can be undefined about a function: the checks that clang put into it, and what it does without one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::undefined::module::{Function, Module, is_check, is_part, named};
use crate::undefined::safe::safe_values;
use crate::undefined::variables::uninitialised;

/// What a check, or something that is done without one, is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// Integers that overflow.
    Overflow,
    /// Shifts by too much, or of what is negative.
    Shift,
    /// Division by zero, or of the least number by -1.
    Division,
    /// Numbers with a fraction that become whole ones.
    FloatCast,
    /// Values that a type does not have.
    Value,
    /// An index beyond an array.
    Bounds,
    /// Null pointers, addresses that are aligned wrongly, and too little memory behind them.
    Pointer,
    /// Pointers that leave what they point into.
    PointerArithmetic,
    /// Null where a function asks for a pointer.
    NonNull,
    /// Places that are never reached.
    Unreachable,
    /// Arrays of a length that is not positive.
    Length,
    /// The types by which memory is accessed.
    Access,
    /// What a function is promised about its arguments, or promises.
    Promise,
    /// Variables that are read before they have a value.
    Uninitialised,
    /// Anything else.
    Other,
}

/// Something of a function that can be undefined, or that could be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Fact {
    pub(super) subject: Subject,
    /// What is done.
    pub(super) what: String,
    /// In which way: what is done in one way here must not be done in another there.
    pub(super) way: String,
    /// Whether it can be undefined.
    pub(super) can_fail: bool,
}

/// The facts about a function.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// How often each stands in it.
    pub(super) counts: BTreeMap<Fact, usize>,
    /// The symbols that it refers to.
    pub(super) refers_to: BTreeSet<String>,
    /// How many cases its largest `switch` has.
    pub(super) cases: usize,
}

impl Facts {
    /// Those of one function. `old` says a name as it was before a renaming; `own` are the places of its arguments that are
    /// always addresses of its callers' variables.
    pub(super) fn of(
        module: &Module<'_>,
        function: &Function<'_>,
        old: &dyn Fn(&str) -> String,
        own: &BTreeSet<usize>,
    ) -> Self {
        let (checks, variables, safe) = (HashMap::new(), HashMap::new(), safe_values(function, own));
        let mut reader = Reader { facts: Self::default(), module, old, checks, variables, safe, cases: 0 };
        let traps = traps(function);
        for line in &function.lines {
            reader.line(line, &traps);
        }
        for _ in 0..uninitialised(function) {
            reader.facts.count(Subject::Uninitialised, "a variable without a value".to_owned(), String::new(), true);
        }
        reader.facts
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (fact, count) in &other.counts {
            *self.counts.entry(fact.clone()).or_default() += count;
        }
        self.cases = self.cases.max(other.cases);
    }

    fn count(&mut self, subject: Subject, what: String, way: String, can_fail: bool) {
        *self.counts.entry(Fact { subject, what, way, can_fail }).or_default() += 1;
    }
}

struct Reader<'a> {
    facts: Facts,
    module: &'a Module<'a>,
    old: &'a dyn Fn(&str) -> String,
    /// What sanitizers compute, by its name.
    checks: HashMap<&'a str, &'a str>,
    /// The types of variables, by the names of their addresses.
    variables: HashMap<&'a str, &'a str>,
    /// Values of which a check could not fail.
    safe: HashSet<&'a str>,
    /// How many cases were read of a `switch`.
    cases: usize,
}

/// The places where a failed check ends, with the number that says which check it is.
fn traps<'a>(function: &Function<'a>) -> HashMap<&'a str, u32> {
    let number = |line: &str| line.split_once("@llvm.ubsantrap(i8 ")?.1.split_once(')')?.0.parse().ok();
    let labels = function.lines.iter().zip(function.lines.iter().skip(1));
    labels.filter_map(|(label, line)| Some((label.strip_suffix(':')?, number(line)?))).collect()
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: &'a str, traps: &HashMap<&str, u32>) {
        let (name, work) = line.split_once(" = ").filter(|_| line.starts_with('%')).unwrap_or(("", line));
        if is_check(line) {
            if let Some(rest) = work.strip_prefix("br i1 ") {
                self.branch(rest, traps);
            } else if !name.is_empty() {
                self.checks.insert(name, work);
            }
            return;
        }
        self.refers(work);
        let mut words = work.split([' ', ',']).filter(|word| !word.is_empty());
        match words.next().unwrap_or_default() {
            "alloca" => drop(self.variables.insert(name, words.next().unwrap_or_default())),
            "load" | "store" => self.access(work),
            "switch" => self.cases = 0,
            word if is_integer(word) => {
                self.cases += 1;
                self.facts.cases = self.facts.cases.max(self.cases);
            }
            operation @ ("add" | "sub" | "mul") => {
                let (flags, rest): (Vec<&str>, Vec<&str>) = words.partition(|word| matches!(*word, "nsw" | "nuw"));
                let what = format!("{operation} {}", rest.first().unwrap_or(&""));
                self.facts.count(Subject::Overflow, what, format!("unchecked {}", flags.join(" ")), false);
            }
            "getelementptr" => {
                let rest = &work["getelementptr".len()..];
                let flags = rest.split(' ').filter(|word| matches!(*word, "inbounds" | "nuw" | "nusw"));
                let way = flags.collect::<Vec<_>>().join(" ");
                self.facts.count(Subject::PointerArithmetic, "address".to_owned(), way, false);
            }
            "inttoptr" => {
                let way = "from a number".to_owned();
                self.facts.count(Subject::PointerArithmetic, "address".to_owned(), way, false);
            }
            "ret" if work.ends_with(" undef") || work.ends_with(" poison") => {
                self.facts.count(Subject::Unreachable, "no result".to_owned(), String::new(), true);
            }
            _ => {}
        }
    }

    /// The symbols that a line refers to.
    fn refers(&mut self, work: &str) {
        let mut rest = work;
        while let Some(at) = rest.find('@') {
            let (name, after) = named(&rest[at..]);
            if !name.starts_with("@llvm.") {
                self.facts.refers_to.insert(name[1..].trim_matches('"').to_owned());
            }
            rest = after;
        }
    }

    /// What is read or written by an address that is not that of a variable of this type.
    fn access(&mut self, work: &'a str) {
        let (plain, by) = self.module.without_metadata(work);
        let parts: Vec<&str> = plain.split(", ").collect();
        let (Some(first), Some(address)) =
            (parts.first(), parts.iter().skip(1).find_map(|part| part.strip_prefix("ptr ")))
        else {
            return;
        };
        let is_volatile = first.contains(" volatile ");
        let mut words = first.split(' ').filter(|word| !matches!(*word, "volatile" | "atomic"));
        let operation = words.next().unwrap_or_default();
        let is_load = operation == "load";
        let of_type = match first.find(['{', '[', '<']) {
            Some(_) => "aggregate",
            None => words.next().unwrap_or_default(),
        };
        let is_own = self.variables.get(address) == Some(&of_type) || self.safe.contains(address);
        if is_own && !is_volatile {
            return;
        }
        let align = parts.last().filter(|part| part.starts_with("align ")).unwrap_or(&"");
        let what = format!("{} {}", if is_load { "load" } else { "store" }, self.module.meaning(of_type, 0));
        let way = format!("{align} as {}{}", (self.old)(&by), if is_volatile { ", volatile" } else { "" });
        self.facts.count(Subject::Access, what, way, true);
    }

    /// A branch that ends in a trap if a check fails.
    fn branch(&mut self, rest: &'a str, traps: &HashMap<&str, u32>) {
        let mut parts = rest.split(", ");
        let condition = parts.next().unwrap_or_default();
        let mut labels = parts.filter_map(|part| part.strip_prefix("label %"));
        let Some(number) = labels.find_map(|label| traps.get(label)) else { return };
        if condition == "true" {
            return;
        }
        let steps = self.steps(condition);
        if steps.iter().any(|step| values(step).any(|value| self.safe.contains(value))) {
            return;
        }
        let subject = Subject::of(*number);
        let joined = |keep: &dyn Fn(&str) -> bool| {
            let kept: BTreeSet<String> =
                steps.iter().filter(|step| keep(step)).map(|step| without_values(step)).collect();
            kept.into_iter().collect::<Vec<_>>().join("; ")
        };
        let (what, way) = match subject {
            Subject::Overflow => {
                let called = steps.iter().find_map(|step| step.split_once("@llvm.s")).map_or("", |(_, called)| called);
                let mut parts = called.split(['.', '(']);
                let (operation, of_type) = (parts.next().unwrap_or_default(), parts.nth(2).unwrap_or_default());
                (format!("{operation} {of_type}"), "checked".to_owned())
            }
            Subject::Shift => {
                let operation = |step: &&&str| step.starts_with("lshr") || step.starts_with("icmp ule");
                let of_type = |step: &&str| step.split(' ').find(|word| is_integer(word)).map(str::to_owned);
                let of_type = steps.iter().find(operation).and_then(of_type);
                let is_signed = steps.iter().any(|step| step.starts_with("lshr"));
                let way = if is_signed { "of signed" } else { "of unsigned" };
                (format!("shift of {}", of_type.unwrap_or_default()), way.to_owned())
            }
            Subject::Pointer => {
                let is_null = |step: &str| step.starts_with("icmp ne ptr");
                let says = |step: &str| step.starts_with("icmp uge") || (step.starts_with("and i64") && !is_null(step));
                let way = if steps.iter().any(|step| is_null(step)) { "null too" } else { "" };
                (format!("pointer {}", joined(&says)), way.to_owned())
            }
            Subject::Bounds => ("index".to_owned(), joined(&|step| step.starts_with("icmp"))),
            Subject::Division | Subject::FloatCast | Subject::Value => {
                (subject.name().to_owned(), joined(&|step| step.starts_with("icmp") || step.starts_with("fcmp")))
            }
            _ => (subject.name().to_owned(), String::new()),
        };
        self.facts.count(subject, what, way, true);
    }

    /// What a sanitizer computes for a condition.
    fn steps(&self, condition: &'a str) -> Vec<&'a str> {
        let mut steps = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        let mut open = vec![condition];
        while let Some(name) = open.pop() {
            let Some(step) = self.checks.get(name).filter(|_| seen.insert(name)) else { continue };
            let step = step.split_once(", !").map_or(*step, |(step, _)| step);
            steps.push(step);
            open.extend(values(step));
        }
        steps
    }
}

impl Subject {
    /// By the number of a check of clang's.
    fn of(number: u32) -> Self {
        match number {
            0 | 12 | 13 | 21 => Subject::Overflow,
            1 | 11 => Subject::Unreachable,
            3 => Subject::Division,
            5 => Subject::FloatCast,
            10 => Subject::Value,
            14..=17 => Subject::NonNull,
            18 => Subject::Bounds,
            19 => Subject::PointerArithmetic,
            20 => Subject::Shift,
            22 | 23 => Subject::Pointer,
            24 => Subject::Length,
            _ => Subject::Other,
        }
    }

    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Overflow => "integer overflow",
            Subject::Shift => "shifts",
            Subject::Division => "division",
            Subject::FloatCast => "casts of fractions to whole numbers",
            Subject::Value => "values that a type does not have",
            Subject::Bounds => "indices",
            Subject::Pointer => "null and misaligned pointers",
            Subject::PointerArithmetic => "pointer arithmetic",
            Subject::NonNull => "null arguments and results",
            Subject::Unreachable => "what is never reached",
            Subject::Length => "lengths of arrays",
            Subject::Access => "types of access",
            Subject::Promise => "what is promised of a function",
            Subject::Uninitialised => "uninitialised variables",
            Subject::Other => "other checks",
        }
    }
}

/// The values that a line works on.
fn values(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let (name, after) = named(&rest[rest.find('%')?..]);
        rest = after;
        Some(name)
    })
}

fn is_integer(word: &str) -> bool {
    word.strip_prefix('i').is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A step without the names of the values that it works on.
fn without_values(step: &str) -> String {
    let mut plain = String::new();
    let mut rest = step;
    while let Some(at) = rest.find('%') {
        plain.push_str(&rest[..at]);
        plain.push('_');
        rest = rest[at + 1..].trim_start_matches(is_part);
    }
    plain + rest
}
