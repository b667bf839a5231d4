//! Rows: how a record as a whole becomes an Arrow batch and comes back.
//!
//! A stage of the pipeline is a function from batches to batches; [`to_batch`] and [`from_batch`] are its two ends.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{Fields, Schema, SchemaRef};

use crate::column::Reason;
use crate::error::BatchError;

/// The text of a batch is addressed with 31 bits.
const LARGEST_BATCH: usize = i32::MAX as usize;

/// What the declaration of a record gives.
pub trait Rows: Sized {
    #[doc(hidden)]
    fn fields() -> Fields;
    #[doc(hidden)]
    fn write(records: &[&Self]) -> Vec<ArrayRef>;
    #[doc(hidden)]
    fn read<'b>(find: &dyn Fn(&str) -> Option<&'b ArrayRef>) -> Result<Vec<Self>, (&'static str, Reason)>;
    #[doc(hidden)]
    fn size(&self) -> usize;
}

/// Declares a record: each field is a column of that name. With `of TABLE` it is a view of a table of the bench, which
/// needs not have all of its columns; with `in FILE`, a row of a run's table. Whoever declares one needs `serde`.
///
/// ```
/// estrange_bench::record! {
///     /// What a function is called, and where.
///     pub struct Named of Functions {
///         /// Its id.
///         pub id: String,
///         /// Its name.
///         pub name: String,
///     }
/// }
/// assert_eq!(estrange_bench::columns::<Named>(), ["id", "name"]);
/// ```
#[macro_export]
macro_rules! record {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(of $table:ident)? $(in $file:literal)? { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)+ }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)+
        }

        impl $crate::Rows for $name {
            fn fields() -> $crate::__columns::Fields {
                [$(<$type as $crate::__columns::Column>::field(stringify!($field))),+].into_iter().collect()
            }

            fn write(records: &[&Self]) -> Vec<$crate::__columns::ArrayRef> {
                vec![$(<$type as $crate::__columns::Column>::write(records.iter().map(|record| &record.$field))),+]
            }

            fn read<'b>(
                find: &dyn Fn(&str) -> Option<&'b $crate::__columns::ArrayRef>,
            ) -> Result<Vec<Self>, (&'static str, $crate::__columns::Reason)> {
                $(
                    let array = find(stringify!($field)).ok_or((stringify!($field), "it is not there".into()))?;
                    let mut $field = <$type as $crate::__columns::Column>::read(array)
                        .map_err(|reason| (stringify!($field), reason))?
                        .into_iter();
                )+
                let mut records = Vec::new();
                // The arrays of a batch are equally long.
                while let ($(Some($field),)+) = ($($field.next(),)+) {
                    records.push(Self { $($field),+ });
                }
                Ok(records)
            }

            fn size(&self) -> usize {
                0 $(+ $crate::__columns::Column::size(&self.$field))+
            }
        }

        $(
            impl $crate::TableRow for $name {
                const TABLE: $crate::Table = $crate::Table::$table;
            }
        )?

        $(
            impl $crate::RunRow for $name {
                const FILE: &'static str = $file;
            }
        )?
    };
}

pub(crate) use record;

/// The schema of the batches of a record type.
pub fn schema<R: Rows>() -> SchemaRef {
    Arc::new(Schema::new(R::fields()))
}

/// The names of the columns of a record type, in order.
pub fn columns<R: Rows>() -> Vec<String> {
    R::fields().iter().map(|field| field.name().clone()).collect()
}

/// The records as one batch, in their order.
pub fn to_batch<R: Rows>(records: &[R]) -> Result<RecordBatch, BatchError> {
    let bytes: usize = records.iter().map(Rows::size).sum();
    if bytes > LARGEST_BATCH {
        return Err(BatchError::TooLarge { bytes });
    }
    let records: Vec<&R> = records.iter().collect();
    let options = RecordBatchOptions::new().with_row_count(Some(records.len()));
    RecordBatch::try_new_with_options(schema::<R>(), R::write(&records), &options).map_err(BatchError::Arrow)
}

/// The records of a batch, in its order. Columns are found by name; those that the record type has not are passed over.
pub fn from_batch<R: Rows>(batch: &RecordBatch) -> Result<Vec<R>, BatchError> {
    R::read(&|name| batch.column_by_name(name)).map_err(|(column, Reason { row, detail })| BatchError::Column {
        column: column.to_owned(),
        row,
        detail,
    })
}
