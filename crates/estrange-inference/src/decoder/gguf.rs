//! A file in GGUF format: what it says about a model, and the model's tensors.
//!
//! ```text
//! file    "GGUF", version (2 or 3), number of tensors, number of entries, entries, descriptions of tensors, padding, data
//! entry   key, kind, value
//! tensor  name, its dimensions with the innermost first, its element type, where it begins in the data
//! ```
//!
//! All numbers are little-endian. Nothing that a file says is believed before it is found to fit into the file.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::quantized::Dtype;

const MAGIC: &[u8] = b"GGUF";
/// What the data is aligned to, unless the file says otherwise.
const ALIGNMENT: u64 = 32;

/// What a file says under a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number of any size, and a flag as 0 or 1.
    Whole(i64),
    /// A number.
    Real(f64),
    /// A text. What is not UTF-8 in it is replaced.
    Text(String),
    /// Values of one kind.
    List(Vec<Value>),
}

/// A file that was read.
pub struct Gguf {
    bytes: Arc<Vec<u8>>,
    values: BTreeMap<String, Value>,
    tensors: BTreeMap<String, TensorInfo>,
}

/// What is said of a tensor.
struct TensorInfo {
    shape: Vec<usize>,
    /// Its element type, as the format counts them.
    dtype: u32,
    /// Where it begins in the file.
    start: usize,
}

/// A tensor of a file.
pub struct Tensor<'a> {
    /// Its dimensions, the outermost first.
    pub shape: &'a [usize],
    /// Its element type.
    pub dtype: Dtype,
    /// Where it is in the file.
    pub range: Range<usize>,
}

/// What is wrong with a tensor.
pub enum TensorError {
    /// There is none of that name.
    Missing,
    /// Its element type is not read.
    Dtype(u32),
    /// It does not lie within the file.
    Outside,
}

impl Gguf {
    /// Whether this is how such a file begins.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a file; the reason, if it is none.
    pub fn read(bytes: Vec<u8>) -> Result<Self, String> {
        let mut reader = Reader { rest: bytes.get(MAGIC.len()..).unwrap_or_default() };
        let version = reader.u32()?;
        if !(2..=3).contains(&version) {
            return Err(format!("it is of version {version}, and only 2 and 3 are known"));
        }
        let (tensors, entries) = (reader.u64()?, reader.u64()?);
        let mut values = BTreeMap::new();
        for _ in 0..entries {
            let key = reader.text()?;
            let kind = reader.u32()?;
            values.insert(key, reader.value(kind)?);
        }
        let mut infos = BTreeMap::new();
        for _ in 0..tensors {
            let name = reader.text()?;
            let dimensions = reader.u32()?;
            let mut shape = (0..dimensions).map(|_| whole(reader.u64()?)).collect::<Result<Vec<_>, _>>()?;
            shape.reverse();
            let dtype = reader.u32()?;
            infos.insert(name, TensorInfo { shape, dtype, start: whole(reader.u64()?)? });
        }
        let alignment = match values.get("general.alignment") {
            None => ALIGNMENT,
            Some(Value::Whole(given)) if *given > 0 => *given as u64,
            Some(_) => return Err("its alignment is not a number above 0".to_owned()),
        };
        let data = (bytes.len() - reader.rest.len()).checked_next_multiple_of(whole(alignment)?).ok_or(TOO_LARGE)?;
        for info in infos.values_mut() {
            info.start = info.start.checked_add(data).ok_or(TOO_LARGE)?;
        }
        Ok(Self { bytes: Arc::new(bytes), values, tensors: infos })
    }

    /// The whole file.
    pub fn bytes(&self) -> &Arc<Vec<u8>> {
        &self.bytes
    }

    /// What the file says under a key.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// The text under a key, if one is there.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.value(key) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The number under a key, if one is there.
    pub fn number(&self, key: &str) -> Option<f64> {
        match self.value(key) {
            Some(Value::Real(number)) => Some(*number),
            Some(Value::Whole(number)) => Some(*number as f64),
            _ => None,
        }
    }

    /// The count under a key, if one is there.
    pub fn count(&self, key: &str) -> Option<usize> {
        match self.value(key) {
            Some(Value::Whole(number)) => usize::try_from(*number).ok(),
            _ => None,
        }
    }

    /// The texts under a key, if a list of texts is there.
    pub fn texts(&self, key: &str) -> Option<Vec<&str>> {
        let Some(Value::List(values)) = self.value(key) else { return None };
        values.iter().map(|value| if let Value::Text(text) = value { Some(text.as_str()) } else { None }).collect()
    }

    /// The names of all tensors.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// The names of the tensors' element types.
    pub fn dtypes(&self) -> Vec<String> {
        let mut dtypes: Vec<u32> = self.tensors.values().map(|info| info.dtype).collect();
        dtypes.sort_unstable();
        dtypes.dedup();
        dtypes.into_iter().map(Dtype::name_of).collect()
    }

    /// The tensor of a name.
    pub fn tensor(&self, name: &str) -> Result<Tensor<'_>, TensorError> {
        let TensorInfo { shape, dtype, start } = self.tensors.get(name).ok_or(TensorError::Missing)?;
        let dtype = Dtype::of(*dtype).ok_or(TensorError::Dtype(*dtype))?;
        // The innermost dimension consists of whole blocks.
        let (columns, others) = shape.split_last().map_or((1, &[][..]), |(columns, others)| (*columns, others));
        let row = dtype.length(columns).ok_or(TensorError::Outside)?;
        let length = others.iter().try_fold(row, |product, size| product.checked_mul(*size));
        let end = length.and_then(|length| start.checked_add(length)).filter(|end| *end <= self.bytes.len());
        Ok(Tensor { shape, dtype, range: *start..end.ok_or(TensorError::Outside)? })
    }
}

const TOO_LARGE: &str = "it names a place beyond what this machine can count";

fn whole(number: u64) -> Result<usize, String> {
    usize::try_from(number).map_err(|_| TOO_LARGE.to_owned())
}

/// What is left of a file to read.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or("it ends too early")?;
        self.rest = rest;
        Ok(*bytes)
    }

    fn u32(&mut self) -> Result<u32, String> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, String> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Result<String, String> {
        let length = whole(self.u64()?)?;
        let (text, rest) = self.rest.split_at_checked(length).ok_or("it ends too early")?;
        self.rest = rest;
        Ok(String::from_utf8_lossy(text).into_owned())
    }

    fn value(&mut self, kind: u32) -> Result<Value, String> {
        const LIST: u32 = 9;
        if kind != LIST {
            return self.one(kind);
        }
        let kind = self.u32()?;
        let count = self.u64()?;
        // Each takes at least a byte, so a count that is too large is found out before it takes much room.
        (0..count).map(|_| self.one(kind)).collect::<Result<_, _>>().map(Value::List)
    }

    /// A value that is not a list.
    fn one(&mut self, kind: u32) -> Result<Value, String> {
        Ok(match kind {
            0 | 7 => Value::Whole(self.bytes().map(u8::from_le_bytes)?.into()),
            1 => Value::Whole(self.bytes().map(i8::from_le_bytes)?.into()),
            2 => Value::Whole(self.bytes().map(u16::from_le_bytes)?.into()),
            3 => Value::Whole(self.bytes().map(i16::from_le_bytes)?.into()),
            4 => Value::Whole(self.u32()?.into()),
            5 => Value::Whole(self.bytes().map(i32::from_le_bytes)?.into()),
            6 => Value::Real(self.bytes().map(f32::from_le_bytes)?.into()),
            8 => Value::Text(self.text()?),
            // No count is so large that half of the numbers would not do.
            10 => Value::Whole(i64::try_from(self.u64()?).map_err(|_| TOO_LARGE)?),
            11 => Value::Whole(self.bytes().map(i64::from_le_bytes)?),
            12 => Value::Real(self.bytes().map(f64::from_le_bytes)?),
            kind => return Err(format!("it has a value of the kind {kind}, which is not known")),
        })
    }
}
