//! The bytes of a constant, and how many of them an instruction uses.
//!
//! gcc lets a constant be part of a longer one that another function of the file uses. How long it is then stands
//! nowhere but in the instruction.

/// The bytes that these directives make, if all of them are numbers.
pub fn bytes<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for line in lines {
        let (directive, operand) = line.split_once(['\t', ' '])?;
        let size = match directive {
            ".byte" => 1,
            ".value" | ".short" | ".hword" | ".2byte" => 2,
            ".long" | ".int" | ".4byte" | ".word" => 4,
            ".quad" | ".8byte" | ".xword" => 8,
            ".zero" => {
                let count: usize = operand.trim().parse().ok().filter(|&count| count <= LONGEST)?;
                bytes.resize(bytes.len() + count, 0);
                continue;
            }
            _ => return None,
        };
        let number: i128 = operand.trim().parse().ok()?;
        bytes.extend_from_slice(&number.to_le_bytes()[..size]);
    }
    Some(bytes)
}

/// Data longer than this is left as it is written.
const LONGEST: usize = 1 << 16;

/// Bytes in hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How many bytes of memory an x86-64 instruction on a constant reads.
pub fn width(line: &str) -> Option<usize> {
    let (instruction, operands) = line.trim_start().split_once(['\t', ' '])?;
    Some(match instruction {
        "movq" | "movlps" | "movhps" | "movlpd" | "movhpd" | "fldl" => 8,
        "movd" | "movl" | "flds" => 4,
        "fldt" => 10,
        _ if instruction.starts_with('.') => return None,
        _ if operands.contains("%ymm") => 32,
        _ if instruction.contains("sd") && operands.contains("%xmm") => 8,
        _ if instruction.contains("ss") && operands.contains("%xmm") => 4,
        _ if operands.contains("%xmm") => 16,
        _ => return None,
    })
}
