//! The tables of a bench: the one list from which everything else about them follows.
//!
//! A line of the list gives a table its file, its record and whether every bench has it. The order of the list is the
//! order in which files are moved into place. A record of a table says so by [`TableRow`]: the whole one through the list,
//! a narrow view by `of`, as in `record! { pub struct Id of Functions { … } }`. So [`crate::Bench::rows`] reads any of
//! them, and only the columns that it has.

use arrow_schema::SchemaRef;

use crate::pairs::{BugPair, Rung, Unpaired};
use crate::record::{Function, Judgement, Lowered, Query, Rejected, Variant, Waiting};
use crate::rows::{Rows, schema};

/// A record that stands in a table: all of a row, or some of its columns.
pub trait TableRow: Rows {
    /// The table.
    const TABLE: Table;
}

macro_rules! tables {
    ($($(#[$meta:meta])* $table:ident: $record:ident in $file:literal, $presence:ident;)+) => {
        /// A table of a bench.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Table {
            $($(#[$meta])* $table,)+
        }

        impl Table {
            /// Every table, in the order in which they come about.
            pub const ALL: &'static [Self] = &[$(Self::$table,)+];

            /// The name of its file.
            pub const fn file_name(self) -> &'static str {
                match self {
                    $(Self::$table => $file,)+
                }
            }

            /// What its columns are.
            pub fn schema(self) -> SchemaRef {
                match self {
                    $(Self::$table => schema::<$record>(),)+
                }
            }

            pub(crate) const fn presence(self) -> Presence {
                match self {
                    $(Self::$table => Presence::$presence,)+
                }
            }
        }

        $(
            impl TableRow for $record {
                const TABLE: Table = Table::$table;
            }
        )+
    };
}

/// When a bench has a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// In every bench.
    Always,
    /// If a build was asked for it.
    Asked,
    /// If it was added to a bench that is whole: a new bench has none.
    Added,
}

tables! {
    /// The functions that were kept: [`Function`].
    Functions: Function in "functions.parquet", Always;
    /// What was not: [`Rejected`].
    Rejected: Rejected in "rejected.parquet", Always;
    /// The variants of functions: [`Variant`].
    Variants: Variant in "variants.parquet", Asked;
    /// The functions as what compilers make of them: [`Lowered`].
    Lowered: Lowered in "lowered.parquet", Asked;
    /// The variants and lowered functions that are not there: [`Waiting`].
    Waiting: Waiting in "waiting.parquet", Asked;
    /// The descriptions of functions: [`Query`].
    Queries: Query in "queries.parquet", Added;
    /// What is right for each of them: [`Judgement`].
    Judgements: Judgement in "qrels.parquet", Added;
    /// Functions with a bug, and the same functions without it: [`BugPair`].
    Pairs: BugPair in "pairs.parquet", Added;
    /// Both sides of pairs after a recipe that left the bug where it was: [`Rung`].
    Rungs: Rung in "rungs.parquet", Added;
    /// Fixes, pairs and rungs that are not there: [`Unpaired`].
    Unpaired: Unpaired in "unpaired.parquet", Added;
}
