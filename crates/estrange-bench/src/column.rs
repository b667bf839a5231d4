//! Columns: how a field of a record becomes an Arrow array, and an Arrow array the values of a field.
//!
//! Reading accepts exactly the type that writing gives, and says what it found otherwise: a bench is never guessed at.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder, UInt32Builder};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, ListArray, StringArray, StructArray, UInt32Array};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef};

use crate::rows::Rows;
use crate::words::{
    Asks, End, Group, Kind, Label, Language, Mistake, Outcome, Problem, Reason as WhyLost, Side, Split, Stage, Tier,
    Undefinedness, Verdict, View, Writing, WrittenBy,
};

/// Why a column cannot be read; without the column's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The row that is wrong, from 0; none where it is not about one.
    pub row: Option<usize>,
    /// What is wrong, in words.
    pub detail: String,
}

impl Reason {
    /// The value in this row is missing.
    fn missing(row: usize) -> Self {
        Self { row: Some(row), detail: "a value is missing".to_owned() }
    }
}

impl From<String> for Reason {
    fn from(detail: String) -> Self {
        Self { row: None, detail }
    }
}

impl From<&str> for Reason {
    fn from(detail: &str) -> Self {
        detail.to_owned().into()
    }
}

/// A type that a field of a record can have.
pub trait Column: Sized {
    /// The field of a schema with this name.
    fn field(name: &str) -> Field;
    /// Values as an array.
    fn write<'v>(values: impl Iterator<Item = &'v Self>) -> ArrayRef
    where
        Self: 'v;
    /// The values of an array.
    fn read(array: &dyn Array) -> Result<Vec<Self>, Reason>;
    /// How many bytes it takes in an array, roughly.
    fn size(&self) -> usize;
}

/// A type that a value in a column can have, where there is one.
pub trait Cell: Sized {
    fn data_type() -> DataType;
    fn write<'v>(values: impl Iterator<Item = Option<&'v Self>>) -> ArrayRef
    where
        Self: 'v;
    fn read(array: &dyn Array) -> Result<Vec<Option<Self>>, Reason>;
    fn size(&self) -> usize;
}

impl<T: Cell> Column for T {
    fn field(name: &str) -> Field {
        Field::new(name, T::data_type(), false)
    }

    fn write<'v>(values: impl Iterator<Item = &'v Self>) -> ArrayRef
    where
        T: 'v,
    {
        T::write(values.map(Some))
    }

    fn read(array: &dyn Array) -> Result<Vec<Self>, Reason> {
        let values = T::read(array)?.into_iter().enumerate();
        values.map(|(row, value)| value.ok_or_else(|| Reason::missing(row))).collect()
    }

    fn size(&self) -> usize {
        Cell::size(self)
    }
}

impl<T: Cell> Column for Option<T> {
    fn field(name: &str) -> Field {
        Field::new(name, T::data_type(), true)
    }

    fn write<'v>(values: impl Iterator<Item = &'v Self>) -> ArrayRef
    where
        T: 'v,
    {
        T::write(values.map(Option::as_ref))
    }

    fn read(array: &dyn Array) -> Result<Vec<Self>, Reason> {
        T::read(array)
    }

    fn size(&self) -> usize {
        self.as_ref().map_or(1, Cell::size)
    }
}

/// The array as what it has to be.
pub(crate) fn cast<A: Array + 'static>(array: &dyn Array, expected: impl std::fmt::Display) -> Result<&A, Reason> {
    let found = || format!("it has the type {}, not {expected}", array.data_type()).into();
    array.as_any().downcast_ref().ok_or_else(found)
}

/// What each text stands for, where there is one.
pub(crate) fn each<T, E: std::fmt::Display>(
    texts: &StringArray,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Vec<Option<T>>, Reason> {
    let wrong = |row: usize, error: E| Reason { row: Some(row), detail: error.to_string() };
    let one = |(row, text): (usize, Option<&str>)| text.map(&parse).transpose().map_err(|error| wrong(row, error));
    texts.iter().enumerate().map(one).collect()
}

impl Cell for String {
    fn data_type() -> DataType {
        DataType::Utf8
    }

    fn write<'v>(values: impl Iterator<Item = Option<&'v Self>>) -> ArrayRef {
        let mut builder = StringBuilder::new();
        values.for_each(|value| builder.append_option(value));
        Arc::new(builder.finish())
    }

    fn read(array: &dyn Array) -> Result<Vec<Option<Self>>, Reason> {
        let strings: &StringArray = cast(array, Self::data_type())?;
        Ok(strings.iter().map(|value| value.map(str::to_owned)).collect())
    }

    fn size(&self) -> usize {
        self.len() + 4
    }
}

impl Cell for f64 {
    fn data_type() -> DataType {
        DataType::Float64
    }

    fn write<'v>(values: impl Iterator<Item = Option<&'v Self>>) -> ArrayRef {
        let mut builder = Float64Builder::new();
        values.for_each(|value| builder.append_option(value.copied()));
        Arc::new(builder.finish())
    }

    fn read(array: &dyn Array) -> Result<Vec<Option<Self>>, Reason> {
        Ok(cast::<Float64Array>(array, Self::data_type())?.iter().collect())
    }

    fn size(&self) -> usize {
        8
    }
}

impl Cell for u32 {
    fn data_type() -> DataType {
        DataType::UInt32
    }

    fn write<'v>(values: impl Iterator<Item = Option<&'v Self>>) -> ArrayRef {
        let mut builder = UInt32Builder::new();
        values.for_each(|value| builder.append_option(value.copied()));
        Arc::new(builder.finish())
    }

    fn read(array: &dyn Array) -> Result<Vec<Option<Self>>, Reason> {
        Ok(cast::<UInt32Array>(array, Self::data_type())?.iter().collect())
    }

    fn size(&self) -> usize {
        4
    }
}

impl Cell for bool {
    fn data_type() -> DataType {
        DataType::Boolean
    }

    fn write<'v>(values: impl Iterator<Item = Option<&'v Self>>) -> ArrayRef {
        let mut builder = BooleanBuilder::new();
        values.for_each(|value| builder.append_option(value.copied()));
        Arc::new(builder.finish())
    }

    fn read(array: &dyn Array) -> Result<Vec<Option<Self>>, Reason> {
        Ok(cast::<BooleanArray>(array, Self::data_type())?.iter().collect())
    }

    fn size(&self) -> usize {
        1
    }
}

/// Words are stored as strings, so that any reader understands them.
macro_rules! word_cells {
    ($($name:ty),+) => {$(
        impl Cell for $name {
            fn data_type() -> DataType {
                DataType::Utf8
            }

            fn write<'v>(values: impl Iterator<Item = Option<&'v Self>>) -> ArrayRef {
                let mut builder = StringBuilder::new();
                values.for_each(|value| builder.append_option(value.map(|word| word.as_str())));
                Arc::new(builder.finish())
            }

            fn read(array: &dyn Array) -> Result<Vec<Option<Self>>, Reason> {
                each(cast(array, DataType::Utf8)?, |text: &str| text.parse::<Self>())
            }

            fn size(&self) -> usize {
                self.as_str().len() + 4
            }
        }
    )+};
}

word_cells!(
    Language,
    Kind,
    Group,
    Split,
    View,
    WrittenBy,
    Stage,
    WhyLost,
    Tier,
    Undefinedness,
    End,
    Label,
    Asks,
    Mistake,
    Outcome,
    Writing,
    Side,
    Verdict,
    Problem
);

/// The name that the Parquet format gives to what is in a list.
fn list_element<T: Cell>() -> FieldRef {
    Arc::new(Field::new("element", T::data_type(), false))
}

impl<T: Cell> Cell for Vec<T> {
    fn data_type() -> DataType {
        DataType::List(list_element::<T>())
    }

    fn write<'v>(values: impl Iterator<Item = Option<&'v Self>>) -> ArrayRef
    where
        T: 'v,
    {
        let lists: Vec<Option<&Self>> = values.collect();
        let lengths = lists.iter().map(|list| list.map_or(0, Vec::len));
        let offsets = OffsetBuffer::from_lengths(lengths);
        let nulls =
            lists.iter().any(Option::is_none).then(|| lists.iter().map(Option::is_some).collect::<NullBuffer>());
        let elements = T::write(lists.iter().flatten().flat_map(|list| list.iter()).map(Some));
        Arc::new(ListArray::new(list_element::<T>(), offsets, elements, nulls))
    }

    fn read(array: &dyn Array) -> Result<Vec<Option<Self>>, Reason> {
        let lists: &ListArray = cast(array, Self::data_type())?;
        let one = |(row, list): (usize, Option<ArrayRef>)| {
            let elements = list.map(|elements| <T as Column>::read(&elements)).transpose();
            elements.map_err(|reason| Reason { row: Some(row), ..reason })
        };
        lists.iter().enumerate().map(one).collect()
    }

    fn size(&self) -> usize {
        self.iter().map(Cell::size).sum::<usize>() + 4
    }
}

/// A record within a record.
impl<T: Rows> Cell for T {
    fn data_type() -> DataType {
        DataType::Struct(T::fields())
    }

    fn write<'v>(values: impl Iterator<Item = Option<&'v Self>>) -> ArrayRef
    where
        T: 'v,
    {
        // Records stand in lists only, and nothing in a list is missing.
        let records: Vec<&Self> = values.flatten().collect();
        Arc::new(StructArray::new(T::fields(), T::write(&records), None))
    }

    fn read(array: &dyn Array) -> Result<Vec<Option<Self>>, Reason> {
        let records: &StructArray = cast(array, Self::data_type())?;
        if records.null_count() > 0 {
            return Err("a value is missing".into());
        }
        let within = |(column, Reason { row, detail })| Reason { row, detail: format!("`{column}`: {detail}") };
        let rows = T::read(&|name| records.column_by_name(name)).map_err(within)?;
        Ok(rows.into_iter().map(Some).collect())
    }

    fn size(&self) -> usize {
        Rows::size(self)
    }
}
