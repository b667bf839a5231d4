//! One input as a program of its own: lines that call the function, and a file in C that makes the input and calls it once.
//! Both need a compiler and nothing of this crate, and the sanitizers report as they do everywhere.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use crate::callee::Callee;
use crate::given::{Answer, Given, Kind, Spot, Step, Target};
use crate::plan::{FLOATING, MADE, Plan, RECORD, SEQUENCE, STRING};
use crate::replay::{Fitted, Ran, Replay};

/// A program for one input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standalone {
    /// Lines to stand behind the function's unit, in its language.
    pub call: String,
    /// A file of its own, in C, that has `main`. It takes all memory by `calloc`: a sanitizer must not ask how memory was taken
    /// that the function gives back (`alloc_dealloc_mismatch=0`).
    pub input: String,
}

/// Why an input has no such program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotStandalone {
    /// Only what drew it knows what it is made of.
    #[error("its input was drawn and is not written by its values")]
    Drawn,
    /// Allocations have to fail.
    #[error("its input takes memory away")]
    Memory,
    /// Reads and writes have to end in a certain way.
    #[error("its input says how reading and writing end")]
    Descriptors,
    /// A function that is handed in puts its result where the caller says.
    #[error("its input has a function whose result is an object")]
    Answer,
}

/// Records of this size and less are returned in registers.
const IN_REGISTERS: u64 = 16;
/// How long a part of a text is that stands in a line of its own.
const BYTES_A_LINE: usize = 48;
/// What every file begins with.
const OPENING: &str = r#"#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct maker {
    void *(*make)(void *at, long which, void **taken);
    void (*add)(void *at, void *first, void *second);
    void (*each)(const void *at, void (*see)(long, const void *, long));
};
struct function {
    void (*call)(void **arguments, void *result);
    void *const *globals;
    void *code;
    const struct maker *makers;
} __attribute__((__aligned__(16)));
/* The function to call: the lines behind the unit's text put it there. */
extern struct function __start_estrange_functions[];

/* An exception that nobody caught is an end like any other. */
void estrange_threw(const char *type, const char *what) {
    fprintf(stderr, "it threw an exception: %s %s\n", type, what);
}
"#;
/// What files begin with whose function is handed functions.
const ANSWERING: &str = r"
void *__asan_region_is_poisoned(void *at, size_t size) __attribute__((__weak__));
/* What a function that is handed in writes where its arguments point, if it may. */
static void written(unsigned long at, const char *bytes, size_t count) {
    if (at && !(__asan_region_is_poisoned && __asan_region_is_poisoned((void *)at, count)))
        for (size_t byte = 0; byte < count; byte++) ((char *)at)[byte] = bytes[byte];
}
";

impl Replay<'_> {
    /// The program for an input. What ran on it, by whom ever, is told in a comment.
    ///
    /// # Errors
    /// When a plain program cannot make the input.
    pub fn standalone(&self, input: &Fitted, ran: Option<&Ran>) -> Result<Standalone, NotStandalone> {
        let told = ran.map(|ran| self.call(ran)).unwrap_or_default();
        self.program(input, (&self.function, &BTreeMap::new()), &told)
    }

    /// The program for an input of the function, under the names that it and others have after a rewrite.
    pub(crate) fn program(
        &self,
        input: &Fitted,
        (function, names): (&str, &BTreeMap<String, String>),
        told: &str,
    ) -> Result<Standalone, NotStandalone> {
        let given = input.values().ok_or(NotStandalone::Drawn)?;
        if !given.missing.is_empty() {
            return Err(NotStandalone::Memory);
        }
        if !given.moves.is_empty() {
            return Err(NotStandalone::Descriptors);
        }
        let call = self.harness.text(&[Callee::Itself(function.to_owned())], names);
        let writing = Writing { plan: &self.plan, given };
        Ok(Standalone { call, input: writing.file(told)? })
    }
}

struct Writing<'a> {
    plan: &'a Plan,
    given: &'a Given,
}

impl Writing<'_> {
    fn file(&self, told: &str) -> Result<String, NotStandalone> {
        let mut file = "/* Makes one input and calls the function on it. As code, about:\n".to_owned();
        file.extend(told.lines().map(|line| format!(" *     {}\n", line.replace("*/", "* /").replace("/*", "/ *"))));
        file += " */\n";
        file += OPENING;
        self.variables(&mut file);
        self.functions(&mut file)?;
        file += "\nstatic void make_input(const struct function *function) {\n    (void)function;\n";
        self.surroundings(&mut file);
        for (spot, step) in &self.given.steps {
            let _ = writeln!(file, "    {}", self.step(*spot, step));
        }
        file += "}\n";
        self.main(&mut file);
        Ok(file)
    }

    /// Objects, arguments and streams.
    fn variables(&self, file: &mut String) {
        file.push('\n');
        for (number, type_) in self.plan.parameters.iter().enumerate() {
            let size = self.plan.types.get(*type_ as usize).map_or(0, |described| described.size).max(16);
            let name = self.plan.legend.parameter(number);
            let _ = writeln!(file, "static _Alignas(16) char argument_{number}[{size}]; /* {name} */");
        }
        for number in 0..self.given.objects.len() {
            let _ = writeln!(file, "static char *object_{number};");
        }
        for number in 0..self.given.streams.len() {
            let _ = writeln!(file, "static FILE *stream_{number};");
        }
    }

    /// Functions that are handed in.
    fn functions(&self, file: &mut String) -> Result<(), NotStandalone> {
        if !self.given.answers.is_empty() {
            file.push_str(ANSWERING);
        }
        for (number, (type_, answers)) in self.given.answers.iter().enumerate() {
            let described = self.plan.types.get(*type_ as usize).copied().unwrap_or_default();
            let [result, at, count] = described.more;
            let result = self.plan.types.get(result as usize).copied().unwrap_or_default();
            let is_elsewhere = matches!(result.kind, STRING | SEQUENCE | MADE)
                || result.kind == RECORD && (result.size > IN_REGISTERS || result.made != 0);
            if is_elsewhere && !answers.is_empty() {
                return Err(NotStandalone::Answer);
            }
            let word = if result.kind == FLOATING { "double" } else { "unsigned long" };
            let _ = writeln!(
                file,
                "\nstatic {word} function_{number}(unsigned long a, unsigned long b, unsigned long c, unsigned long d, \
                 unsigned long e, unsigned long f) {{\n    const unsigned long handed[] = {{a, b, c, d, e, f}};\n    \
                 unsigned long value = 0;\n    (void)handed;"
            );
            self.answers(file, answers, at..at + count);
            let ends = match result.kind {
                FLOATING => "    double real;\n    memcpy(&real, &value, sizeof real);\n    return real;\n}\n",
                _ => "    return value;\n}\n",
            };
            file.push_str(ends);
        }
        Ok(())
    }

    fn answers(&self, file: &mut String, answers: &[Answer], signature: Range<u64>) {
        let Some(last) = answers.len().checked_sub(1) else { return };
        let _ = writeln!(file, "    static unsigned long calls;\n    switch (calls++) {{");
        for (number, answer) in answers.iter().enumerate() {
            // The last one answers all that come after it.
            let case = if number == last { "default".to_owned() } else { format!("case {number}") };
            let _ = writeln!(file, "    {case}:");
            for (position, bytes) in &answer.writes {
                let Some(place) = self.register(&signature, *position) else { continue };
                let _ = writeln!(file, "        written(handed[{place}], {}, {});", literal(bytes), bytes.len());
            }
            let value = match answer.value {
                Target::Bits(bits) => format!("{bits:#x}ul"),
                Target::Place(spot) => format!("(unsigned long)({})", self.outside(spot)),
            };
            let _ = writeln!(file, "        value = {value};\n        break;");
        }
        file.push_str("    }\n");
    }

    /// Which of the whole numbers that are handed over stands at a position.
    fn register(&self, signature: &Range<u64>, position: u64) -> Option<u64> {
        let is_whole = |at: &u64| {
            let type_ = self.plan.signatures.get(*at as usize).and_then(|type_| self.plan.types.get(*type_ as usize));
            type_.is_none_or(|type_| type_.kind != FLOATING)
        };
        let before = (signature.start..signature.start + position).filter(is_whole).count() as u64;
        Some(before).filter(|before| *before < 6 && signature.start + position < signature.end)
    }

    /// Objects are taken, streams and files filled, the environment set.
    fn surroundings(&self, file: &mut String) {
        for (number, object) in self.given.objects.iter().enumerate() {
            let _ = writeln!(file, "    object_{number} = calloc(1, {});", object.size.max(1));
        }
        for (number, content) in self.given.streams.iter().enumerate() {
            let (text, size) = (literal(content), content.len());
            let _ = writeln!(file, "    stream_{number} = tmpfile();");
            let _ = writeln!(file, "    fwrite({text}, 1, {size}, stream_{number});\n    rewind(stream_{number});");
        }
        for (name, content) in &self.given.files {
            let (name, text, size) = (literal(name), literal(content), content.len());
            let _ = writeln!(
                file,
                "    {{ FILE *made = fopen({name}, \"w\"); fwrite({text}, 1, {size}, made); fclose(made); }}"
            );
        }
        for (name, value) in &self.given.variables {
            let _ = writeln!(file, "    setenv({}, {}, 1);", literal(name), literal(value));
        }
        let input = &self.given.standard_input;
        if !input.is_empty() {
            let (text, size) = (literal(input), input.len());
            let _ = writeln!(
                file,
                "    {{ FILE *made = tmpfile(); fwrite({text}, 1, {size}, made); rewind(made); dup2(fileno(made), 0); }}"
            );
        }
    }

    fn step(&self, spot: Spot, step: &Step) -> String {
        let place = self.place(spot);
        match step {
            Step::Put(bytes) => format!("memcpy({place}, {}, {});", literal(bytes), bytes.len()),
            Step::Point(to) => {
                format!("{{ void *to = (void *)({}); memcpy({place}, &to, sizeof to); }}", self.place(*to))
            }
            Step::Make { maker, constructor, taken } => {
                let taken: Vec<String> = taken.iter().map(|object| format!("object_{object}, ")).collect();
                format!(
                    "{{ void *taken[] = {{{}0}}; if (!function->makers[{maker}].make({place}, {constructor}, taken)) \
                     exit(99); }}",
                    taken.concat()
                )
            }
            Step::Add { maker, first, second } => {
                let second = second.map_or("0".to_owned(), |second| format!("object_{second}"));
                format!("function->makers[{maker}].add({place}, object_{first}, {second});")
            }
        }
    }

    /// An address, where `function` is known.
    fn place(&self, spot: Spot) -> String {
        let Spot { kind, number, offset } = spot;
        let base = match kind {
            Kind::Object => format!("object_{number}"),
            Kind::Argument => format!("argument_{number}"),
            Kind::Global => format!("(char *)function->globals[{number}]"),
            Kind::Function => format!("(char *)function->globals[{}]", self.plan.globals.len() as u64 + number),
            Kind::Stub => format!("(char *)function_{number}"),
            Kind::Stream => format!("(char *)stream_{number}"),
        };
        if offset == 0 { base } else { format!("{base} + {offset}") }
    }

    /// An address in the answer of a function that is handed in.
    fn outside(&self, spot: Spot) -> String {
        self.place(spot).replace("function->", "__start_estrange_functions->")
    }

    fn main(&self, file: &mut String) {
        let arguments: Vec<String> =
            (0..self.plan.parameters.len()).map(|number| format!("argument_{number}, ")).collect();
        let _ = write!(
            file,
            "\nint main(void) {{\n    static _Alignas(16) char result[4096];\n    void *arguments[] = {{{}0}};\n    \
             make_input(__start_estrange_functions);\n    for (int call = 0; call < {}; call++)\n        \
             __start_estrange_functions->call(arguments, result);\n    return 0;\n}}\n",
            arguments.concat(),
            self.given.calls
        );
    }
}

/// Bytes as texts of C, a line for each part of them.
fn literal(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "\"\"".to_owned();
    }
    let parts: Vec<String> = bytes.chunks(BYTES_A_LINE).map(|part| format!("\"{}\"", escaped(part))).collect();
    parts.join("\n        ")
}

fn escaped(bytes: &[u8]) -> String {
    let escape = |byte: &u8| match byte {
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        byte => format!("\\{byte:03o}"),
    };
    bytes.iter().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn bytes_are_texts_that_mean_the_same() {
        assert_eq!(literal(b"a\"\\?\n1"), r#""a\"\\\?\0121""#);
        assert_eq!((literal(b"").as_str(), literal(&[0; 49]).matches('"').count()), ("\"\"", 4));
    }
}
