//! What the columns of exported tables hold.

use arrow_schema::DataType;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Integer,
    Float,
    Boolean,
}

impl Kind {
    pub(super) fn of(data_type: &DataType) -> Option<Self> {
        match data_type {
            DataType::Utf8 => Some(Self::Text),
            DataType::UInt32 => Some(Self::Integer),
            DataType::Float64 => Some(Self::Float),
            DataType::Boolean => Some(Self::Boolean),
            _ => None,
        }
    }

    /// Its word in a Croissant document.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Text => "sc:Text",
            Self::Integer => "sc:Integer",
            Self::Float => "sc:Float",
            Self::Boolean => "sc:Boolean",
        }
    }
}
