//! What it costs to do nothing but compile.

use std::error::Error;
use std::fs;

use estrange_bench::Function;

use crate::compilers::Compiler;
use crate::measure::cpu_of_children;
use crate::sample::Chance;

/// What the bare compilers cost.
pub struct Floor {
    pub kept: usize,
    /// For each sampled unit, the seconds of gcc and of clang.
    pub seconds: Vec<(f64, f64)>,
}

impl Floor {
    /// Compiles so many of the functions' units, one by one, once with each of these lists of flags.
    pub fn measure(
        functions: Vec<Function>,
        flags: &[&[&str]],
        units: usize,
        seed: u64,
    ) -> Result<Self, Box<dyn Error>> {
        let kept = functions.len();
        let sampled = Chance::new(seed).sample(functions, units);
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("unit");
        let mut seconds = Vec::with_capacity(sampled.len());
        for function in &sampled {
            fs::write(&file, &function.unit)?;
            let cost = |compiler: Compiler| -> Result<f64, Box<dyn Error>> {
                let before = cpu_of_children()?;
                for flags in flags {
                    let status = compiler.command(function.language, &function.flags, &file).args(*flags).status()?;
                    if !status.success() {
                        return Err(format!("{} does not compile: {}", function.qualified_name, function.id).into());
                    }
                }
                Ok(cpu_of_children()? - before)
            };
            seconds.push((cost(Compiler::Gcc)?, cost(Compiler::Clang)?));
        }
        Ok(Self { kept, seconds })
    }

    pub fn of(&self, part: impl Fn(&(f64, f64)) -> f64) -> f64 {
        self.seconds.iter().map(part).sum::<f64>() / self.seconds.len().max(1) as f64 * self.kept as f64
    }

    /// The seconds for all kept units.
    pub fn cpu(&self) -> f64 {
        self.of(|(gcc, clang)| gcc + clang)
    }

    /// The standard error of that, as a share of it: a sample without replacement.
    pub fn relative_error(&self) -> f64 {
        let count = self.seconds.len() as f64;
        let mean = self.cpu() / self.kept.max(1) as f64;
        let squares = self.seconds.iter().map(|(gcc, clang)| (gcc + clang - mean).powi(2)).sum::<f64>();
        let variance = squares / (count - 1.0).max(1.0);
        let left = 1.0 - count / self.kept.max(1) as f64;
        (variance / count.max(1.0) * left.max(0.0)).sqrt() / mean
    }
}
