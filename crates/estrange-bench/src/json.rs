//! A value that stands in a column as a JSON object.

use std::ops::{Deref, DerefMut};
use std::str::FromStr;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_schema::DataType;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::column::{Cell, Reason, cast, each};

/// A value that is the text of a JSON object wherever it is stored, and itself in memory. Text that is no such value is
/// an error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T> Deref for Json<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Json<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> From<T> for Json<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: Serialize> Json<T> {
    /// The text.
    pub fn text(&self) -> String {
        serde_json::to_string(&self.0).expect("plain fields, lists, and maps with texts for keys are always JSON")
    }
}

impl<T: DeserializeOwned> FromStr for Json<T> {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // A list would do as well: it has the fields by their order, and an empty one has none of them.
        match text.starts_with('{') {
            true => serde_json::from_str(text).map(Self),
            false => Err(serde::de::Error::custom("it is no JSON object")),
        }
    }
}

impl<T: Serialize> Serialize for Json<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Json<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl<T: Serialize + DeserializeOwned> Cell for Json<T> {
    fn data_type() -> DataType {
        DataType::Utf8
    }

    fn write<'v>(values: impl Iterator<Item = Option<&'v Self>>) -> ArrayRef
    where
        T: 'v,
    {
        let mut builder = StringBuilder::new();
        values.for_each(|value| builder.append_option(value.map(Self::text)));
        Arc::new(builder.finish())
    }

    fn read(array: &dyn Array) -> Result<Vec<Option<Self>>, Reason> {
        let texts: &StringArray = cast(array, Self::data_type())?;
        each(texts, |text: &str| text.parse())
    }

    fn size(&self) -> usize {
        self.text().len() + 4
    }
}
