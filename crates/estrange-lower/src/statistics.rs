//! What the paper's Table 10 has of lowered texts: lines, tokens, and different instructions. How a token is cut is ours.
//!
//! - A line counts if there is something on it that is not a comment.
//! - A token is a word (letters, digits, `_`, `.`, `$`, `%`, `@` in one), a number, a whole string, or one other character
//!   that is no space.
//! - An instruction is the first word of a line of code. In WebAssembly text it is the instruction's name; in LLVM's
//!   language, the word behind `=` where there is one. Labels, directives and data are none.

use std::collections::BTreeSet;

use estrange_words::Target;
use serde::{Deserialize, Serialize};

use crate::form::Form;

/// What was counted; see [the module](self) for how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Lines that hold something.
    pub lines: usize,
    /// Tokens.
    pub tokens: usize,
    /// All instructions.
    pub instructions: usize,
    /// Different instructions.
    pub unique_instructions: usize,
}

/// Counts in a text of a target, of either style.
pub fn statistics(target: Target, text: &str) -> Statistics {
    let mut found = Statistics::default();
    let mut unique = BTreeSet::new();
    for line in text.lines() {
        let line = without_comments(target, line);
        if line.trim().is_empty() {
            continue;
        }
        found.lines += 1;
        found.tokens += tokens(&line);
        if let Some(instruction) = mnemonic(target, &line) {
            found.instructions += 1;
            unique.insert(instruction.to_owned());
        }
    }
    found.unique_instructions = unique.len();
    found
}

/// The name of the instruction on a line of a text, if there is one.
pub fn mnemonic(target: Target, line: &str) -> Option<&str> {
    let line = line.trim();
    let form = Form::of(target);
    let line = match form {
        // The paper's style has addresses.
        Form::Object => line.split_once(":\t").map_or(line, |(_, rest)| rest),
        _ => line,
    };
    match form {
        Form::Object | Form::Assembly(_) => {
            let mut words = line.split_whitespace();
            let mut word = words.next()?;
            if word.ends_with(':') || word.starts_with('.') {
                return None;
            }
            // A prefix belongs to what follows.
            while PREFIXES.contains(&word) {
                word = words.next().unwrap_or(word);
                if words.clone().next().is_none() {
                    break;
                }
            }
            Some(word)
        }
        Form::Wasm => {
            let word = line.split_whitespace().next()?;
            (!word.starts_with(['(', ')', ';', '"'])).then(|| word.trim_end_matches(')'))
        }
        Form::Ir => {
            let starts = |word: &str| line.starts_with(word);
            if starts("define") || starts("declare") || starts("@") || starts("}") || starts("]") || line.ends_with(':')
            {
                return None;
            }
            let rest = line.split_once(" = ").map_or(line, |(_, rest)| rest);
            if rest.starts_with("type ") {
                return None;
            }
            let mut words = rest.split_whitespace().filter(|word| !matches!(*word, "tail" | "musttail" | "notail"));
            let word = words.next()?;
            word.starts_with(|character: char| character.is_ascii_lowercase()).then_some(word).filter(|word| {
                // The cases of a switch stand on lines of their own.
                !is_type(word)
            })
        }
    }
}

/// x86's words that change the instruction behind them.
const PREFIXES: &[&str] =
    &["lock", "rep", "repz", "repnz", "repe", "repne", "bnd", "notrack", "data16", "cs", "ds", "rex.W"];

fn is_type(word: &str) -> bool {
    word.strip_prefix('i').is_some_and(|digits| digits.parse::<u32>().is_ok())
}

fn without_comments(target: Target, line: &str) -> String {
    let form = Form::of(target);
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    let mut quoted = false;
    while let Some(character) = rest.chars().next() {
        let starts = |text: &str| !quoted && rest.starts_with(text);
        let length = match form {
            Form::Wasm if starts(";;") => break,
            Form::Wasm if starts("(;") => rest.find(";)").map_or(rest.len(), |end| end + 2),
            Form::Ir if starts(";") => break,
            Form::Object if starts("# ") => break,
            Form::Assembly(machine) if starts(machine.comment()) => break,
            _ if character == '\\' => {
                let length = character.len_utf8() + rest[1..].chars().next().map_or(0, char::len_utf8);
                kept.push_str(&rest[..length]);
                length
            }
            _ => {
                quoted ^= character == '"';
                kept.push(character);
                character.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    kept
}

fn tokens(line: &str) -> usize {
    let word = |character: char| character.is_alphanumeric() || "_.$%@".contains(character);
    let mut count = 0;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        if character.is_whitespace() {
            continue;
        }
        count += 1;
        if character == '"' {
            while let Some(next) = characters.next() {
                match next {
                    '\\' => drop(characters.next()),
                    '"' => break,
                    _ => {}
                }
            }
        } else if word(character) {
            while characters.next_if(|&next| word(next)).is_some() {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x86_text_is_counted() {
        let text = "fn_1:\n\tpush   %rbp\n\tmov    %rsp,%rbp\n.L1:\n\tcall   fn_2\n\trep stos %al,%es:(%rdi)\n\tcall   fn_2\n\ndata_1:\n\t.string \"a b # \\\" c\"\n";
        let found = statistics(Target::X86_64, text);
        assert_eq!((found.lines, found.instructions, found.unique_instructions), (9, 5, 4));
        assert_eq!(found.tokens, 2 + 2 + 4 + 2 + 2 + 9 + 2 + 2 + 2);
    }

    #[test]
    fn the_papers_addresses_are_no_instructions() {
        assert_eq!(mnemonic(Target::X86_64, "   4:\tpush   %rbp"), Some("push"));
        assert_eq!(mnemonic(Target::X86_64, "\tlock cmpxchg %ecx,(%rdx)"), Some("cmpxchg"));
    }

    #[test]
    fn wasm_and_ir_instructions_are_known() {
        assert_eq!(mnemonic(Target::Wasm32, "    local.get 0"), Some("local.get"));
        assert_eq!(mnemonic(Target::Wasm32, "    end)"), Some("end"));
        assert_eq!(mnemonic(Target::Wasm32, "  (local i32)"), None);
        assert_eq!(mnemonic(Target::LlvmIr, "  %1 = tail call i32 @fn_2(i32 %0)"), Some("call"));
        assert_eq!(mnemonic(Target::LlvmIr, "    i32 4, label %5"), None);
        assert_eq!(mnemonic(Target::LlvmIr, "  ret void"), Some("ret"));
        assert_eq!(statistics(Target::Wasm32, "block ;; label = @1\n(;x;)\n").lines, 1);
    }
}
