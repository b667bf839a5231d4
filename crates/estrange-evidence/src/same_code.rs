//! Whether a function is the same machine code in two assembly texts.

use serde::{Deserialize, Serialize};

use crate::assembly::Assembly;

/// How a function's code in its unit stands to its code in its project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SameCode {
    /// The same.
    Same,
    /// It differs for reasons that were checked: with these taken away, it is the same.
    Explained {
        /// The reasons.
        why: Vec<Why>,
    },
    /// It differs.
    Different {
        /// Where it first does.
        first_difference: Difference,
    },
    /// One side does not have the function.
    Absent {
        /// Whether it is the project's file that has no code for it.
        in_original: bool,
    },
}

/// Why a function's code differs, as was shown by compiling again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The code holds its own line number or file name: it is the same once the unit's text is said to stand where
    /// the function stands in its project.
    Place,
    /// Elsewhere in the project's file the address of a static variable is taken, so that the compiler knows less of
    /// who writes it: it is the same once the unit's text takes that address too.
    AddressTaken,
    /// The compiler knows what variables hold, and where they lie, from their definitions: it is the same in the
    /// linked unit, which has these.
    Definitions,
}

/// The first line where two codes differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Its number, from 0.
    pub line: usize,
    /// The line in the project's code; empty where that has ended.
    pub original: String,
    /// The line in the unit's code; empty where that has ended.
    pub unit: String,
}

/// Compares the function `symbol`, as the linker knows it, in two assembly texts.
pub fn same_code(original: &Assembly, unit: &Assembly, symbol: &str) -> SameCode {
    let Some(ours) = original.code(symbol) else { return SameCode::Absent { in_original: true } };
    let Some(theirs) = unit.code(symbol) else { return SameCode::Absent { in_original: false } };
    if ours == theirs && ours.is_whole() {
        return SameCode::Same;
    }
    let (ours, theirs) = (ours.lines(), theirs.lines());
    let line = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    let at = |lines: &[String]| lines.get(line).cloned().unwrap_or_default();
    SameCode::Different { first_difference: Difference { line, original: at(ours), unit: at(theirs) } }
}
