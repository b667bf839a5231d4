//! Scores as text that is short and quick to read: two bytes each, in base64.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Fractions of 1 as steps of 1/65535, the lower byte first.
pub(super) fn fractions(values: &[f32]) -> String {
    let steps = values.iter().map(|value| (f64::from(*value).clamp(0.0, 1.0) * 65535.0).round() as u16);
    encode(&steps.flat_map(u16::to_le_bytes).collect::<Vec<u8>>())
}

fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |place: usize| u32::from(chunk.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() { letter.into() } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_the_standard_says() {
        let examples = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in examples {
            assert_eq!(encode(bytes.as_bytes()), text);
        }
        assert_eq!(fractions(&[0.0, 1.0]), "AAD//w==");
    }
}
