//! Instructions of x86-64 spelled as `objdump` spells them.

use iced_x86::{ConstantOffsets, Formatter, GasFormatter, Instruction, Mnemonic, SymbolResolver};

/// Writes instructions.
pub(crate) struct Speller {
    formatter: GasFormatter,
}

impl Speller {
    /// One that asks `resolver` what stands for an address.
    pub(crate) fn new(resolver: Option<Box<dyn SymbolResolver>>) -> Self {
        let mut formatter = GasFormatter::with_options(resolver, None);
        let options = formatter.options_mut();
        options.set_hex_prefix("0x");
        options.set_uppercase_hex(false);
        options.set_small_hex_numbers_in_decimal(false);
        options.set_branch_leading_zeros(false);
        options.set_displacement_leading_zeros(false);
        options.set_first_operand_char_index(7);
        options.set_rip_relative_addresses(true);
        options.set_always_show_scale(true);
        options.set_show_zero_displacements(true);
        options.set_show_useless_prefixes(true);
        Self { formatter }
    }

    /// The instruction's text.
    pub(crate) fn spell(&mut self, instruction: &Instruction, offsets: &ConstantOffsets) -> String {
        self.formatter.options_mut().set_always_show_segment_register(is_string(instruction.mnemonic()));
        let mut text = String::new();
        self.formatter.format(instruction, &mut text);
        // The formatter writes a comma where there is no index to scale.
        let mut text = text.trim_end().replace(",)", ")");
        match instruction.mnemonic() {
            // Their size is clear without a letter.
            Mnemonic::Push | Mnemonic::Pop | Mnemonic::Call | Mnemonic::Jmp => {
                for name in ["push", "pop", "call", "jmp"] {
                    if let Some(operands) = text.strip_prefix(name).and_then(|rest| rest.strip_prefix("q ")) {
                        text = format!("{name:<6} {}", operands.trim_start());
                        break;
                    }
                }
            }
            // The prefix that makes it longer refers to nothing.
            Mnemonic::Nop if text.contains("%cs:") => {
                let words: Vec<&str> = text.split_whitespace().collect();
                text = format!("cs {}", words.join(" ").replace("%cs:", ""));
            }
            // A shift by one, where the one is not written in the code.
            Mnemonic::Sar
            | Mnemonic::Shr
            | Mnemonic::Shl
            | Mnemonic::Sal
            | Mnemonic::Rol
            | Mnemonic::Ror
            | Mnemonic::Rcl
            | Mnemonic::Rcr
                if !offsets.has_immediate() =>
            {
                text = text.replace("$0x1,", "");
            }
            // Of three operands, two may be the same, and are both shown.
            Mnemonic::Imul if instruction.op_count() == 3 && text.matches(',').count() == 1 => {
                let last = text.rsplit(',').next().unwrap_or_default().to_owned();
                text = format!("{text},{last}");
            }
            _ => {}
        }
        text
    }
}

/// Whether it works on strings, whose operands are always shown with their segments.
fn is_string(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{
        Cmpsb, Cmpsq, Cmpsw, Insb, Insd, Insw, Lodsb, Lodsd, Lodsq, Lodsw, Movsb, Movsq, Movsw, Outsb, Outsd, Outsw,
        Scasb, Scasd, Scasq, Scasw, Stosb, Stosd, Stosq, Stosw,
    };
    matches!(
        mnemonic,
        Cmpsb
            | Cmpsq
            | Cmpsw
            | Insb
            | Insd
            | Insw
            | Lodsb
            | Lodsd
            | Lodsq
            | Lodsw
            | Movsb
            | Movsq
            | Movsw
            | Outsb
            | Outsd
            | Outsw
            | Scasb
            | Scasd
            | Scasq
            | Scasw
            | Stosb
            | Stosd
            | Stosq
            | Stosw
    )
}
