//! The order of Debian's version numbers.

use std::cmp::Ordering;

/// Compares two versions as dpkg does.
pub(super) fn compare(left: &str, right: &str) -> Ordering {
    let (left, right) = (split(left), split(right));
    left.0.cmp(&right.0).then_with(|| compare_part(left.1, right.1)).then_with(|| compare_part(left.2, right.2))
}

/// Epoch, upstream version, revision.
fn split(version: &str) -> (u64, &str, &str) {
    let (epoch, rest) = version.split_once(':').unwrap_or(("0", version));
    let (upstream, revision) = rest.rsplit_once('-').unwrap_or((rest, "0"));
    (epoch.parse().unwrap_or(0), upstream, revision)
}

/// Compares text and numbers in turn: in text, `~` sorts before the end, letters before everything else.
fn compare_part(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    while !left.is_empty() || !right.is_empty() {
        loop {
            let next = |text: &[u8]| text.first().copied().filter(|byte| !byte.is_ascii_digit());
            let (a, b) = (next(left), next(right));
            if a.is_none() && b.is_none() {
                break;
            }
            match weight(a).cmp(&weight(b)) {
                Ordering::Equal => (left, right) = (&left[1..], &right[1..]),
                unequal => return unequal,
            }
        }
        let (a, after_left) = number(left);
        let (b, after_right) = number(right);
        match a.len().cmp(&b.len()).then_with(|| a.cmp(b)) {
            Ordering::Equal => (left, right) = (after_left, after_right),
            unequal => return unequal,
        }
    }
    Ordering::Equal
}

fn weight(byte: Option<u8>) -> i32 {
    match byte {
        Some(b'~') => -1,
        None => 0,
        Some(byte) if byte.is_ascii_alphabetic() => i32::from(byte),
        Some(byte) => i32::from(byte) + 256,
    }
}

/// The digits at the front without leading zeros, and the rest.
fn number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let zeros = digits.iter().position(|&digit| digit != b'0').unwrap_or(digits.len());
    (&digits[zeros..], rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_dpkg_orders_them() {
        let rising = [
            "0~rc1",
            "0",
            "0.1-1",
            "0.1-1+deb12u1",
            "0.1-1+deb12u2",
            "0.1-1+deb12u10",
            "0.1-1.1",
            "0.1-10",
            "0.1a-1",
            "0.1+git1-1",
            "0.02-1",
            "0.2.0-1",
            "0.10-1",
            "1.0~beta~1-1",
            "1.0~beta-1",
            "1.0-1~bpo1",
            "1.0-1",
            "1:0.1-1",
        ];
        for (index, left) in rising.iter().enumerate() {
            for (other, right) in rising.iter().enumerate() {
                assert_eq!(compare(left, right), index.cmp(&other), "{left} and {right}");
            }
        }
        assert_eq!(compare("1.0", "1.00"), Ordering::Equal);
        assert_eq!(compare("1.0-0", "1.0"), Ordering::Equal);
    }
}
