//! How the code of each target becomes text: the one place that knows them all.

use estrange_words::Target;

use crate::operands::Machine;

/// What a target's text is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// An object file of this machine, disassembled.
    Object,
    /// The assembly that a cross compiler writes.
    Assembly(Machine),
    /// A WebAssembly object.
    Wasm,
    /// LLVM's own language.
    Ir,
}

impl Form {
    pub(crate) fn of(target: Target) -> Self {
        match target {
            Target::X86_64 => Form::Object,
            Target::Aarch64 => Form::Assembly(Machine::Aarch64),
            Target::Riscv64 => Form::Assembly(Machine::Riscv64),
            Target::Wasm32 => Form::Wasm,
            Target::LlvmIr => Form::Ir,
        }
    }

    /// Whether clang alone makes it.
    pub(crate) fn is_clangs(self) -> bool {
        matches!(self, Form::Wasm | Form::Ir)
    }

    /// The machine and system that a compiler is told.
    pub(crate) fn triple(self) -> &'static str {
        match self {
            Form::Assembly(machine) => machine.triple(),
            Form::Object | Form::Wasm | Form::Ir => "x86_64-linux-gnu",
        }
    }

    /// The beginning of the names of its programs.
    pub(crate) fn prefix(self) -> String {
        match self {
            Form::Assembly(machine) => format!("{}-", machine.triple()),
            Form::Object | Form::Wasm | Form::Ir => String::new(),
        }
    }
}
