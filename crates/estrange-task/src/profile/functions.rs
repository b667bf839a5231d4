//! Which functions are the same for all tasks, and what they are called.
//!
//! A task on pairs asks about both sides of a pair; others ask about one of them. Both sides stand for one function: whoever
//! calls everything safe is right about each patched side, and knows nothing.

use std::collections::HashMap;

use estrange_bench::{Bench, BenchError, Table, record};

record! {
    /// What is read of a function.
    pub struct FunctionView of Functions {
        /// Its id.
        pub id: String,
        /// Its name.
        pub qualified_name: String,
        /// Where it is from.
        pub source: String,
        /// Its file.
        pub path: String,
    }
}

record! {
    /// What is read of a pair.
    pub struct PairView of Pairs {
        /// The function with the bug.
        pub vulnerable_id: String,
        /// The one without it.
        pub patched_id: String,
    }
}

/// The functions of a bench.
#[derive(Debug, Default)]
pub struct Functions {
    names: HashMap<String, String>,
    /// Of a function that is one with another, that other one.
    stands_for: HashMap<String, String>,
}

impl Functions {
    /// Reads them, and the pairs that there are.
    pub fn read(bench: &Bench) -> Result<Self, BenchError> {
        let mut functions = Self::default();
        for function in bench.rows::<FunctionView>()? {
            let FunctionView { id, qualified_name, source, path } = function?;
            functions.names.insert(id, format!("{qualified_name} in {path} of {source}"));
        }
        if bench.has(Table::Pairs) {
            for pair in bench.rows::<PairView>()? {
                let PairView { vulnerable_id, patched_id } = pair?;
                functions.unite(&vulnerable_id, &patched_id);
            }
        }
        Ok(functions)
    }

    /// From now on both are the same one.
    fn unite(&mut self, one: &str, other: &str) {
        let (one, other) = (self.one(one).to_owned(), self.one(other).to_owned());
        if one != other {
            self.stands_for.insert(one, other);
        }
    }

    /// The function that this one is the same as.
    pub fn one<'f>(&'f self, id: &'f str) -> &'f str {
        let mut id = id;
        while let Some(other) = self.stands_for.get(id) {
            id = other;
        }
        id
    }

    /// What a function is called, and where it is from.
    pub fn name(&self, id: &str) -> String {
        self.names.get(id).cloned().unwrap_or_else(|| id.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_pairs_that_touch_are_one_function() {
        let mut functions = Functions::default();
        functions.unite("a", "b");
        functions.unite("c", "d");
        functions.unite("a", "d");
        functions.unite("d", "b");
        assert!(["a", "b", "c", "d"].iter().all(|id| functions.one(id) == functions.one("a")));
        assert_eq!(functions.one("e"), "e");
    }
}
