//! What is made of functions: variants and lowered texts. A function from Arrow batches to Arrow batches, with no state
//! but the cache.

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use estrange_bench::{Placed, Reworked, RowPlace, Rows, Taken, Unnumbered, Variant, Waiting, from_batch, to_batch};

use crate::batches::{Counter, bounded};
use crate::error::BuildError;
use crate::lower::Lowerings;
use crate::variants::Variants;
use crate::work::Work;

/// So many bytes of texts are made at once, roughly: what is made of a batch is in memory until it is written.
const BYTES: usize = 48 << 20;

/// The column whose texts count: what is made of a function is about as long as its unit.
const UNIT: &str = "unit";

/// The stages that follow the taking out of functions.
pub(crate) struct Stages<'a> {
    variants: Variants<'a>,
    lowerings: Lowerings<'a>,
}

impl<'a> Stages<'a> {
    pub(crate) fn new(work: &Work<'a>) -> Result<Self, BuildError> {
        Ok(Self { variants: Variants::new(work)?, lowerings: Lowerings::new(work)? })
    }

    /// How often each function is gone through; never, if nothing is asked for.
    pub(crate) fn passes(&self) -> usize {
        self.variants.passes() + self.lowerings.passes()
    }

    /// What is made of a batch of [`Taken`] functions with their places.
    pub(crate) fn rework(&self, functions: &RecordBatch, counter: &Counter<'_>) -> Result<Reworked, BuildError> {
        let rows: Vec<Placed<Taken>> = from_batch(functions).map_err(estrange_bench::BenchError::from)?;
        let functions: Vec<&Taken> = rows.iter().map(|row| &row.record).collect();
        let made = self.variants.of(&functions, counter)?;
        let compiled = self.lowerings.of(&functions, counter)?;
        let (mut variants, mut lowered, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for ((row, made), compiled) in rows.iter().zip(made).zip(compiled) {
            variants.extend(placed(row.place, made.variants));
            lowered.extend(placed(row.place, compiled.texts));
            waiting.extend(placed(row.place, made.waiting.into_iter().chain(compiled.waiting)));
        }
        Ok(Reworked {
            variants: batch::<Variant>(variants)?,
            lowered: batch::<Unnumbered>(lowered)?,
            waiting: batch::<Waiting>(waiting)?,
        })
    }

    /// A batch in pieces: as many functions together as possible, for compilers are quicker on many, and no more than
    /// fit into memory with all that is made of them.
    pub(crate) fn pieces(&self, functions: &RecordBatch) -> Vec<RecordBatch> {
        let copies = 1 + self.variants.count() + self.lowerings.passes();
        let units = functions.column_by_name(UNIT).and_then(|column| column.as_string_opt::<i32>());
        let bytes = |row: &usize| units.map_or(0, |units| copies * units.value(*row).len());
        let rows: Vec<usize> = (0..functions.num_rows()).collect();
        let pieces = bounded(&rows, rows.len(), BYTES, bytes);
        pieces.into_iter().map(|piece| functions.slice(piece[0], piece.len())).collect()
    }
}

fn placed<R>(place: RowPlace, records: impl IntoIterator<Item = R>) -> impl Iterator<Item = Placed<R>> {
    records.into_iter().map(move |record| Placed { place, record })
}

/// Records as a batch. They go, for both would be much.
fn batch<R: Rows>(rows: Vec<Placed<R>>) -> Result<RecordBatch, BuildError> {
    Ok(to_batch(&rows).map_err(estrange_bench::BenchError::from)?)
}
