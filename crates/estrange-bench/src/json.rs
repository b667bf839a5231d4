//! A value that stands in a column as JSON text.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::column::{Cell, Reason};

/// A value that is JSON text wherever it is stored, and itself in memory. What is stored and cannot be read is an error.
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

impl<T: Serialize> Json<T> {
    /// The text.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&self.0)
    }
}

impl<T: Serialize> Serialize for Json<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text().map_err(serde::ser::Error::custom)?)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Json<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        serde_json::from_str(&text).map(Self).map_err(serde::de::Error::custom)
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
        // The types in columns are maps with texts for keys, and plain fields: nothing of them cannot be JSON.
        values.for_each(|value| builder.append_option(value.and_then(|value| value.text().ok())));
        Arc::new(builder.finish())
    }

    fn read(array: &dyn Array) -> Result<Vec<Option<Self>>, Reason> {
        let parse = |text: &String| serde_json::from_str(text).map(Self).map_err(|error| error.to_string());
        <String as Cell>::read(array)?.iter().map(|text| text.as_ref().map(parse).transpose()).collect()
    }

    fn size(&self) -> usize {
        self.text().map_or(0, |text| text.len()) + 4
    }
}
