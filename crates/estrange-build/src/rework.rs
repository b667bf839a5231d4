//! What is made of functions: variants and lowered texts. A function from Arrow batches to Arrow batches, with no state
//! but the cache.

use std::ops::Range;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use estrange_bench::{Placed, Reworked, RowPlace, Rows, Taken, Unnumbered, Variant, Waiting, from_batch, to_batch};

use crate::batches::{Counter, bounded};
use crate::error::BuildError;
use crate::lower::Lowerings;
use crate::variants::Variants;
use crate::work::Work;

/// So many bytes of texts are made at once, roughly: what is made of a batch is in memory until it is written.
const BYTES: usize = 24 << 20;

/// The columns whose texts count: what is made of a function is about as long as they are.
const TEXTS: [&str; 2] = ["unit", "linked_unit"];

/// What is made at once.
pub(crate) struct Piece {
    /// The functions: [`Taken`], with their places.
    functions: RecordBatch,
    /// The variants that each of them gets, as numbers of those that are asked for.
    variants: Range<usize>,
}

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

    /// What is made of a piece.
    pub(crate) fn rework(&self, piece: &Piece, counter: &Counter<'_>) -> Result<Reworked, BuildError> {
        let rows: Vec<Placed<Taken>> = from_batch(&piece.functions).map_err(estrange_bench::BenchError::from)?;
        let functions: Vec<&Taken> = rows.iter().map(|row| &row.record).collect();
        // The lowered texts of a function come with its first variants, and it is counted with its last.
        let (is_first, is_last) = (piece.variants.start == 0, piece.variants.end == self.variants.count());
        let silent = counter.silent();
        let inner = if is_first && is_last { counter } else { &silent };
        let made = self.variants.of(&functions, piece.variants.clone(), inner)?;
        let mut compiled = if is_first { self.lowerings.of(&functions, inner)? } else { Vec::new() }.into_iter();
        if is_last && !is_first {
            counter.add(functions.len() * self.passes());
        }
        let (mut variants, mut lowered, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for (row, made) in rows.iter().zip(made) {
            let compiled = compiled.next().unwrap_or_default();
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
    /// fit into memory with all that is made of them. A function that is too long for that gets its variants a few at a time.
    pub(crate) fn pieces(&self, functions: &RecordBatch) -> Vec<Piece> {
        let text = |name: &str| functions.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
        let texts: Vec<_> = TEXTS.into_iter().filter_map(text).collect();
        let length = |row: &usize| texts.iter().map(|text| text.value(*row).len()).sum::<usize>();
        let rows: Vec<usize> = (0..functions.num_rows()).collect();
        let variants: Vec<usize> = (0..self.variants.count()).collect();
        let copies = 1 + variants.len() + self.lowerings.passes();
        let mut pieces = Vec::new();
        for rows in bounded(&rows, rows.len(), BYTES, |row| copies * length(row)) {
            let functions = functions.slice(rows[0], rows.len());
            let portions = match rows {
                [row] if !variants.is_empty() => bounded(&variants, variants.len(), BYTES, |_| length(row)),
                _ => vec![&variants[..]],
            };
            pieces.extend(portions.into_iter().map(|portion| {
                let start = portion.first().copied().unwrap_or_default();
                Piece { functions: functions.clone(), variants: start..start + portion.len() }
            }));
        }
        pieces
    }
}

fn placed<R>(place: RowPlace, records: impl IntoIterator<Item = R>) -> impl Iterator<Item = Placed<R>> {
    records.into_iter().map(move |record| Placed { place, record })
}

/// Records as a batch. They go, for both would be much.
fn batch<R: Rows>(rows: Vec<Placed<R>>) -> Result<RecordBatch, BuildError> {
    Ok(to_batch(&rows).map_err(estrange_bench::BenchError::from)?)
}
