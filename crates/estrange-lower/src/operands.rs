//! Lines of AArch64 and RISC-V assembly, as compilers write them: statements, operands, and which words in them are symbols.

/// The machine whose assembly it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Machine {
    Aarch64,
    Riscv64,
}

impl Machine {
    /// What compilers call it, with its system.
    pub(crate) fn triple(self) -> &'static str {
        match self {
            Machine::Aarch64 => "aarch64-linux-gnu",
            Machine::Riscv64 => "riscv64-linux-gnu",
        }
    }

    /// What begins a comment in the texts that are printed.
    pub(crate) fn comment(self) -> &'static str {
        match self {
            Machine::Aarch64 => "// ",
            Machine::Riscv64 => "# ",
        }
    }
}

/// A part of a statement's operands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A word that may be a symbol, and the number of its operand.
    Word { word: &'a str, operand: usize, place: InOperand },
    /// What stands between quotes, with them.
    String(&'a str),
    /// Anything else.
    Other(&'a str),
}

/// Where a word stands in its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InOperand {
    /// Behind what says that it is a symbol: `:lo12:` or `%hi(`.
    Symbol,
    /// In parentheses or brackets, as registers that hold addresses are.
    Inside,
    /// Anywhere else.
    Plain,
}

/// The statements of a line, without comments.
pub(crate) fn statements(line: &str, machine: Machine) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    let mut end = line.len();
    for (at, character) in line.char_indices() {
        let rest = &line[at..];
        if quoted {
            quoted = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if character == '"' {
            quoted = true;
        } else if character == ';' {
            found.push(line[start..at].trim());
            start = at + 1;
        } else if match machine {
            Machine::Aarch64 => rest.starts_with("//") || character == '#' && line[..at].trim().is_empty(),
            Machine::Riscv64 => character == '#',
        } {
            end = at;
            break;
        }
    }
    if start < end {
        found.push(line[start..end].trim());
    }
    found.retain(|statement| !statement.is_empty());
    found
}

/// The parts of a statement's operands, in order; together they are all of it, but for `@plt`.
pub(crate) fn tokens(rest: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let bytes = rest.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_.$".contains(&byte) || byte >= 0x80;
    let run = |at: usize| bytes[at..].iter().take_while(|&&byte| is_word(byte)).count();
    let (mut at, mut operand, mut depth, mut parentheses) = (0, 0, 0usize, 0usize);
    let mut is_symbol = false;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                tokens.push(Token::String(&rest[start..at]));
                continue;
            }
            // `:lo12:symbol`
            b':' => {
                at += 1 + run(at + 1);
                is_symbol = bytes.get(at) == Some(&b':');
                at += usize::from(is_symbol);
            }
            // `%pcrel_hi(symbol)`
            b'%' => {
                at += 1 + run(at + 1);
                is_symbol = bytes.get(at) == Some(&b'(');
            }
            b'@' => {
                at += 1 + run(at + 1);
                if &rest[start..at] == "@plt" {
                    continue;
                }
            }
            byte if byte.is_ascii_digit() => at += run(at),
            byte if is_word(byte) => {
                at += run(at);
                // `.` alone is this place.
                if &rest[start..at] != "." {
                    let place = match (is_symbol, depth + parentheses) {
                        (true, _) => InOperand::Symbol,
                        (false, 0) => InOperand::Plain,
                        (false, _) => InOperand::Inside,
                    };
                    tokens.push(Token::Word { word: &rest[start..at], operand, place });
                    is_symbol = false;
                    continue;
                }
            }
            byte => {
                at += 1;
                match byte {
                    b'[' | b'{' => depth += 1,
                    b']' | b'}' => depth = depth.saturating_sub(1),
                    b'(' => parentheses += 1,
                    b')' => parentheses = parentheses.saturating_sub(1),
                    b',' if depth == 0 => operand += 1,
                    _ => {}
                }
            }
        }
        tokens.push(Token::Other(&rest[start..at]));
    }
    tokens
}

/// How many operands there are.
pub(crate) fn count(rest: &str) -> usize {
    let mut depth = 0usize;
    let mut count = usize::from(!rest.is_empty());
    for byte in rest.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

/// Whether an instruction calls this operand, or jumps there.
pub(crate) fn is_call(machine: Machine, mnemonic: &str, operand: usize, count: usize) -> bool {
    let last = operand + 1 == count;
    match machine {
        Machine::Aarch64 => match mnemonic {
            "b" | "bl" => true,
            "cbz" | "cbnz" | "tbz" | "tbnz" => last,
            _ => mnemonic.starts_with("b.") || AARCH64_BRANCHES.contains(&mnemonic),
        },
        Machine::Riscv64 => match mnemonic {
            "call" | "tail" | "j" | "jump" => operand == 0,
            "jal" => last,
            _ => RISCV_BRANCHES.contains(&mnemonic) && last,
        },
    }
}

/// Whether this operand of an instruction is an address by its name.
pub(crate) fn is_address(machine: Machine, mnemonic: &str, operand: usize, count: usize) -> bool {
    match machine {
        Machine::Aarch64 => matches!(mnemonic, "adrp" | "adr") && operand == 1 || mnemonic == ".tlsdesccall",
        Machine::Riscv64 => match mnemonic {
            "la" | "lla" | "lga" | "la.tls.ie" | "la.tls.gd" => operand == 1,
            // A register there stands in parentheses, behind a number.
            "lb" | "lbu" | "lh" | "lhu" | "lw" | "lwu" | "ld" | "flw" | "fld" => operand == 1 && count == 2,
            "sb" | "sh" | "sw" | "sd" | "fsw" | "fsd" => operand == 1 && count == 3,
            _ => false,
        },
    }
}

const AARCH64_BRANCHES: &[&str] = &[
    "beq", "bne", "bcs", "bcc", "bmi", "bpl", "bvs", "bvc", "bhi", "bls", "bge", "blt", "bgt", "ble", "bal", "bhs",
    "blo", "bany", "bnone", "bfirst", "blast",
];

const RISCV_BRANCHES: &[&str] = &[
    "beq", "bne", "blt", "bge", "bltu", "bgeu", "bgt", "ble", "bgtu", "bleu", "beqz", "bnez", "blez", "bgez", "bltz",
    "bgtz",
];

/// Whether a directive gives data.
pub(crate) fn is_data(word: &str) -> bool {
    matches!(
        word,
        ".byte"
            | ".2byte"
            | ".4byte"
            | ".8byte"
            | ".half"
            | ".hword"
            | ".short"
            | ".word"
            | ".long"
            | ".int"
            | ".dword"
            | ".xword"
            | ".quad"
            | ".octa"
            | ".string"
            | ".ascii"
            | ".asciz"
            | ".zero"
            | ".skip"
            | ".space"
            | ".fill"
            | ".float"
            | ".double"
            | ".single"
            | ".uleb128"
            | ".sleb128"
            | ".dtprelword"
            | ".dtpreldword"
    )
}

/// Whether a directive between instructions stands for code.
pub(crate) fn is_code_data(word: &str) -> bool {
    is_data(word) || matches!(word, ".inst" | ".insn" | ".tlsdesccall")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_statements_are_told_apart() {
        assert_eq!(statements("\tnop; nop // x", Machine::Aarch64), ["nop", "nop"]);
        assert_eq!(statements("#APP", Machine::Aarch64), [""; 0]);
        assert_eq!(statements("\tmov\tw0, #1", Machine::Aarch64), ["mov\tw0, #1"]);
        assert_eq!(
            statements("\t.string\t\"a;b // # \\\" c\"", Machine::Riscv64),
            ["\t.string\t\"a;b // # \\\" c\"".trim()]
        );
        assert_eq!(statements("\tcall\tf # x", Machine::Riscv64), ["call\tf"]);
    }

    fn words(rest: &str) -> Vec<(&str, usize, InOperand)> {
        let words = tokens(rest).into_iter().filter_map(|token| match token {
            Token::Word { word, operand, place } => Some((word, operand, place)),
            _ => None,
        });
        words.collect()
    }

    #[test]
    fn words_that_are_symbols_are_known() {
        use InOperand::{Inside, Plain, Symbol};
        assert_eq!(words("x0, x1, :lo12:x9+8"), [("x0", 0, Plain), ("x1", 1, Plain), ("x9", 2, Symbol)]);
        assert_eq!(words("w2, [x4, #:lo12:.L1]"), [("w2", 0, Plain), ("x4", 1, Inside), (".L1", 1, Symbol)]);
        assert_eq!(words("a0,%pcrel_lo(.L5)(a1)"), [("a0", 0, Plain), (".L5", 1, Symbol), ("a1", 1, Inside)]);
        assert_eq!(words("a5,-24(s0)"), [("a5", 0, Plain), ("s0", 1, Inside)]);
        assert_eq!(words(".L11-.L6"), [(".L11", 0, Plain), (".L6", 0, Plain)]);
        assert_eq!(words("puts@plt"), [("puts", 0, Plain)]);
        assert!(!tokens("puts@plt").contains(&Token::Other("@plt")));
    }
}
