//! What compilers make of functions.

use crate::words;

words! {
    /// The machine, or the language, that a function is lowered to.
    pub enum Target {
        /// x86-64 assembly.
        X86_64 = "x86_64",
        /// AArch64 assembly.
        Aarch64 = "aarch64",
        /// RISC-V assembly, with 64 bits.
        Riscv64 = "riscv64",
        /// WebAssembly text, by clang.
        Wasm32 = "wasm32",
        /// LLVM's own language for x86-64, by clang.
        LlvmIr = "llvm-ir",
    }
}

impl Target {
    /// What it is called at the head of a narrow column.
    pub fn short(self) -> &'static str {
        match self {
            Target::X86_64 => "Asm",
            Target::Aarch64 => "Arm",
            Target::Riscv64 => "RISC-V",
            Target::Wasm32 => "Wasm",
            Target::LlvmIr => "IR",
        }
    }

    /// The target that a setting such as `x86_64:clang:O2` or `wasm32/paper` is about; nothing if it is no lowering.
    pub fn of_setting(setting: &str) -> Option<Self> {
        setting.split([':', '/']).next().and_then(|target| target.parse().ok())
    }
}
