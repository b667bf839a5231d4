//! What the functions of a bench are found by, kept and rejected ones, without their texts.

use estrange_bench::{Bench, BenchError, record};

/// A function, as far as it is needed to find it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub id: String,
    pub name: String,
    pub qualified_name: String,
    pub source: String,
    pub path: String,
    /// Its first and last line.
    pub lines: (u32, u32),
    pub state: State,
}

/// Where the function is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Among the kept ones.
    Kept,
    /// Among the rejected ones.
    Rejected {
        /// Its row there.
        row: usize,
        /// Where and why it was lost: `compile: gcc-refuses`.
        why: String,
    },
}

record! {
    /// The columns by which a kept function is found.
    pub struct KeptPlace of Functions {
        pub id: String,
        pub name: String,
        pub qualified_name: String,
        pub source: String,
        pub path: String,
        pub line_start: u32,
        pub line_end: u32,
    }
}

record! {
    /// The columns by which a rejected one is found.
    pub struct RejectedPlace of Rejected {
        pub id: Option<String>,
        pub name: Option<String>,
        pub source: String,
        pub path: Option<String>,
        pub line_start: Option<u32>,
        pub line_end: Option<u32>,
        pub stage: String,
        pub reason: String,
    }
}

/// Every function of the bench, the kept ones first.
pub fn read(bench: &Bench) -> Result<Vec<Entry>, BenchError> {
    let mut entries = Vec::new();
    for place in bench.rows::<KeptPlace>()? {
        let KeptPlace { id, name, qualified_name, source, path, line_start, line_end } = place?;
        let lines = (line_start, line_end);
        entries.push(Entry { id, name, qualified_name, source, path, lines, state: State::Kept });
    }
    for (row, place) in bench.rows::<RejectedPlace>()?.enumerate() {
        let RejectedPlace { id, name, source, path, line_start, line_end, stage, reason } = place?;
        // Without an id it is a whole file or source.
        let Some(id) = id else { continue };
        entries.push(Entry {
            id,
            name: name.unwrap_or_default(),
            qualified_name: String::new(),
            source,
            path: path.unwrap_or_default(),
            lines: (line_start.unwrap_or_default(), line_end.unwrap_or_default()),
            state: State::Rejected { row, why: format!("{stage}: {reason}") },
        });
    }
    Ok(entries)
}
