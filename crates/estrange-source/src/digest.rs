//! The two digests a source is pinned by: SHA-256 of a downloaded file, BLAKE3 of an unpacked tree.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::Digest as _;

/// The text is not a digest: 64 hexadecimal digits are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a digest has 64 hexadecimal digits")]
pub struct NotADigest;

macro_rules! digest {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) [u8; 32]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = NotADigest;

            fn from_str(text: &str) -> Result<Self, NotADigest> {
                parse(text).map(Self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

digest! {
    /// The SHA-256 of a file.
    Sha256
}

digest! {
    /// The BLAKE3 of a whole tree: every path, kind, executable bit, link target and content, in one digest.
    TreeDigest
}

fn parse(text: &str) -> Result<[u8; 32], NotADigest> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(NotADigest);
    }
    let mut bytes = [0; 32];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).map_err(|_| NotADigest)?;
    }
    Ok(bytes)
}

impl Sha256 {
    /// The digest of a file's content, and its length.
    pub fn of_file(path: &Path) -> io::Result<(Self, u64)> {
        let mut file = File::open(path)?;
        let mut hasher = sha2::Sha256::new();
        let mut chunk = vec![0; 128 * 1024];
        let mut length = 0;
        loop {
            match file.read(&mut chunk) {
                Ok(0) => return Ok((Self(hasher.finalize().into()), length)),
                Ok(count) => {
                    hasher.update(&chunk[..count]);
                    length += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_read_back_what_they_print() {
        let digest = Sha256(std::array::from_fn(|index| index as u8 * 7));
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert_eq!(digest.to_string().to_uppercase().parse(), Ok(digest));
        for wrong in ["", "12", &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(wrong.parse::<Sha256>(), Err(NotADigest), "{wrong}");
        }
    }
}
