//! The plan: everything that the harness must know about a function, as numbers.
//!
//! The harness is one fixed program in C (`runtime/*.c`), compiled once. What differs from function to function is data:
//! types with their sizes and the places of their members, the function's own literals, and what is to be done. So no
//! text needs compiling for a harness but a few lines that call the function.

use crate::dictionary::Dictionary;
use crate::given::Given;
use crate::legend::Legend;

/// The numbers of `enum kind` in `runtime/state.c`.
pub(crate) const VOID: u64 = 0;
pub(crate) const BOOLEAN: u64 = 1;
pub(crate) const INTEGER: u64 = 2;
pub(crate) const FLOATING: u64 = 3;
pub(crate) const ENUMERATION: u64 = 4;
pub(crate) const POINTER: u64 = 5;
pub(crate) const ARRAY: u64 = 6;
pub(crate) const RECORD: u64 = 7;
pub(crate) const FUNCTION: u64 = 8;
pub(crate) const STREAM: u64 = 9;
pub(crate) const OPAQUE: u64 = 10;
pub(crate) const STRING: u64 = 11;
pub(crate) const VIEW: u64 = 12;
pub(crate) const SEQUENCE: u64 = 13;
pub(crate) const MADE: u64 = 14;
pub(crate) const DISPATCH: u64 = 15;

/// What the last word of a pointer says: it may be null and shared, it never is null, it is the only one.
pub(crate) const NEVER_NULL: u64 = 1;
pub(crate) const ALONE: u64 = 2;

/// What a function takes, returns and sees.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub(crate) types: Vec<Description>,
    pub(crate) fields: Vec<[u64; 4]>,
    pub(crate) values: Vec<u64>,
    pub(crate) signatures: Vec<u64>,
    pub(crate) parameters: Vec<u64>,
    pub(crate) result: u64,
    /// The types of the variables in `global_names`.
    pub(crate) globals: Vec<u64>,
    /// Variables outside of functions that the function can see.
    pub(crate) global_names: Vec<String>,
    /// The types of the functions in `function_names`.
    pub(crate) functions: Vec<u64>,
    /// Functions whose address the code takes: it may ask whether it was handed one of them.
    pub(crate) function_names: Vec<String>,
    /// Numbers and texts that the code has.
    pub(crate) literals: Vec<u64>,
    pub(crate) texts: Vec<Vec<u8>>,
    /// The bits of floating-point numbers that it has.
    pub(crate) reals: Vec<u64>,
    /// How objects of classes are made.
    pub(crate) makers: Vec<Maker>,
    /// Whether the call ends its first argument.
    pub(crate) ends_object: bool,
    /// What all of that is called.
    pub(crate) legend: Legend,
}

/// How objects of a class are made.
#[derive(Debug, Clone)]
pub(crate) struct Maker {
    /// The class, as code outside of everything would write it.
    pub(crate) class: String,
    pub(crate) family: Family,
    /// What each of its constructors takes: the number of a type of the plan, and how the type is written.
    pub(crate) constructors: Vec<Vec<(u64, String)>>,
}

/// What code makes objects of a class, fills them and looks into them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Its constructors.
    Class,
    /// Made from nothing, and not looked into.
    Whole,
    /// Elements of one type, put in at the end, taken out in order.
    Elements,
    /// Keys and values.
    Pairs,
    /// A container within, which elements are pushed into.
    Adaptor,
    /// At most one element.
    Optional,
    /// Any stream: one that reads from and writes to a string.
    AnyStream,
    /// A stream that reads from or writes to a string.
    StringStream,
}

/// A type, in the order of `struct type` in `runtime/state.c`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Description {
    pub(crate) kind: u64,
    pub(crate) size: u64,
    pub(crate) more: [u64; 3],
    pub(crate) last: u64,
    /// The number of its maker plus 1, times 2; plus 1 if it can be made in no other way.
    pub(crate) made: u64,
    /// Where among the values it stands which larger structs it is taken for, plus 1: how many, and their types.
    pub(crate) wider: u64,
}

/// One thing to do over the inputs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job {
    /// Which function of the program.
    pub(crate) function: u64,
    /// What memory is filled with that nobody wrote to.
    pub(crate) fill: u8,
    /// What.
    pub(crate) what: What,
    /// Steps that a call may take; for what is compared, how many times those of the original.
    pub(crate) fuel: u64,
    /// The input, if it is about one; the first, if it is about several.
    pub(crate) input: u64,
}

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// Looks for inputs.
    Explore = 0,
    /// Runs all inputs.
    Run = 1,
    /// Runs inputs until one shows a difference.
    Compare = 2,
    /// Runs one input and writes down what it sees.
    Tell = 3,
    /// Looks for an input that shows a wrong edit.
    Hunt = 4,
    /// Looks for inputs that reach what only the other side has.
    Seek = 5,
    /// Runs two functions on all inputs that there are; its input is the number of the other one.
    Exhaust = 6,
    /// Runs one input and writes down all that it is made of.
    Save = 7,
    /// Looks for inputs on which a function faults and another one does not; its input is the number of that one.
    Mend = 8,
}

/// What the search for inputs goes by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort<'h> {
    pub(crate) seed: u64,
    pub(crate) tries: u64,
    pub(crate) wanted: u64,
    pub(crate) marks: u64,
    /// Numbers and texts that are worth trying besides those of the plan.
    pub(crate) hints: &'h Dictionary,
    /// Whether what is compared is graded: how much memory it leaves in use is noted beside what it does.
    pub(crate) is_graded: bool,
}

impl Plan {
    /// What of a dictionary it does not have.
    pub(crate) fn lacks(&self, mut dictionary: Dictionary) -> Dictionary {
        dictionary.numbers.retain(|number| !self.literals.contains(number));
        dictionary.texts.retain(|text| !self.texts.contains(text));
        dictionary.reals.retain(|real| !self.reals.contains(real));
        dictionary
    }

    /// What a member of a type is called, if it has a name.
    pub(crate) fn field(&self, type_: u64, number: usize) -> Option<&String> {
        let first = self.types.get(type_ as usize)?.more[0];
        self.legend.fields.get(&(first + number as u64)).filter(|name| !name.is_empty())
    }

    /// The plan as the harness reads it; of an input that is given by its values, that is the one there is.
    pub(crate) fn words(&self, jobs: &[Job], effort: Effort<'_>, given: Option<&Given>) -> Vec<u8> {
        const HEADER: usize = 32;
        let mut words: Vec<u64> = vec![0; HEADER];
        let types_at = words.len();
        // Numbers of fields and values become places in the words, which are known once the types have theirs.
        let fields_at = types_at + self.types.len() * 8;
        let values_at = fields_at + self.fields.len() * 4;
        let signatures_at = values_at + self.values.len();
        for type_ in &self.types {
            let mut more = type_.more;
            match type_.kind {
                RECORD => more[0] = fields_at as u64 + more[0] * 4,
                ENUMERATION => more[0] += values_at as u64,
                FUNCTION => more[1] += signatures_at as u64,
                DISPATCH => more[0] += signatures_at as u64,
                _ => {}
            }
            let wider = if type_.wider > 0 { type_.wider - 1 + values_at as u64 } else { 0 };
            words.extend([type_.kind, type_.size, more[0], more[1], more[2], type_.last, type_.made, wider]);
        }
        words.extend(self.fields.iter().flatten());
        words.extend(&self.values);
        words.extend(&self.signatures);
        let mut put = |all: &[u64]| {
            let at = words.len() as u64;
            words.extend(all);
            at
        };
        let parameters_at = put(&self.parameters);
        let globals_at = put(&self.globals);
        let functions_at = put(&self.functions);
        let literals_at = put(&self.literals);
        let texts_at = put_texts(&mut put, &self.texts);
        let reals_at = put(&self.reals);
        let hints = [&effort.hints.numbers[..], &effort.hints.reals].concat();
        let hints_at = put(&hints);
        let hinted_texts_at = put_texts(&mut put, &effort.hints.texts);
        let mut makers = Vec::new();
        for maker in &self.makers {
            let mut constructors = vec![maker.constructors.len() as u64];
            for taken in &maker.constructors {
                let parameters: Vec<u64> =
                    [taken.len() as u64].into_iter().chain(taken.iter().map(|(number, _)| *number)).collect();
                constructors.push(put(&parameters));
            }
            makers.push(put(&constructors));
        }
        let makers_at = put(&makers);
        let jobs_at = put(&[]);
        for job in jobs {
            put(&[job.function, u64::from(job.fill), job.what as u64, job.fuel, job.input]);
        }
        let given_at = given.map_or(0, |given| {
            let at = words.len() as u64;
            words.extend(given.words(at));
            at
        });
        let count = |length: usize| length as u64;
        let header = [
            0x0072_6163_6c65,
            types_at as u64,
            count(self.types.len()),
            parameters_at,
            count(self.parameters.len()),
            self.result,
            globals_at,
            count(self.globals.len()),
            literals_at,
            count(self.literals.len()),
            texts_at,
            count(self.texts.len()),
            jobs_at,
            count(jobs.len()),
            effort.seed,
            effort.tries,
            effort.wanted,
            0,
            effort.marks,
            makers_at,
            count(self.makers.len()),
            u64::from(self.ends_object),
            functions_at,
            count(self.functions.len()),
            hints_at,
            count(hints.len()),
            hinted_texts_at,
            count(effort.hints.texts.len()),
            reals_at,
            count(self.reals.len()),
            given_at,
            u64::from(effort.is_graded),
        ];
        words[..HEADER].copy_from_slice(&header);
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// Puts texts among the words, each with its length before it; says where their places stand.
fn put_texts(put: &mut impl FnMut(&[u64]) -> u64, texts: &[Vec<u8>]) -> u64 {
    let mut places = Vec::new();
    for text in texts {
        places.push(put(&[text.len() as u64]));
        let chunks = text.chunks(8);
        let padded = chunks.map(|chunk| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        put(&padded.collect::<Vec<u64>>());
    }
    put(&places)
}
