//! When a request that failed is made again.

use std::time::{Duration, SystemTime};

/// The pause after an attempt, counted from 1: each twice as long as the one before, up to a bound. Somewhere in its second
/// half, so that those who failed together do not come again together; where exactly depends on the request alone.
pub(super) fn pause(first: Duration, longest: Duration, attempt: u32, request: &[u8]) -> Duration {
    let doubled = first.saturating_mul(1_u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX));
    let mut hasher = blake3::Hasher::new();
    hasher.update(request).update(&attempt.to_le_bytes());
    let drawn = f64::from(hasher.finalize().as_bytes()[0]) / 255.0;
    doubled.min(longest).mul_f64(0.5 + drawn / 2.0)
}

/// How long a server asks us to wait: the value of `Retry-After`, in seconds or as a date.
pub(super) fn asked_for(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_bound_and_are_always_the_same() {
        let (first, longest) = (Duration::from_millis(100), Duration::from_secs(2));
        for attempt in 1..200 {
            let whole = first.mul_f64(2_f64.powi(attempt as i32 - 1).min(20.0));
            let drawn = pause(first, longest, attempt, b"request");
            assert!(drawn >= whole / 2 && drawn <= whole, "{attempt}: {drawn:?}");
            assert_eq!(drawn, pause(first, longest, attempt, b"request"));
        }
        assert_ne!(pause(first, longest, 1, b"request"), pause(first, longest, 1, b"another"));
    }

    #[test]
    fn servers_say_when_in_seconds_or_as_a_date() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        assert_eq!(asked_for(" 20 ", then), Some(Duration::from_secs(20)));
        assert_eq!(asked_for("0.5", then), Some(Duration::from_millis(500)));
        assert_eq!(asked_for(date, then - Duration::from_secs(7)), Some(Duration::from_secs(7)));
        assert_eq!(asked_for(date, then + Duration::from_secs(7)), Some(Duration::ZERO));
        for nothing in ["", "soon", "-1", "NaN", "1e99"] {
            assert_eq!(asked_for(nothing, then), None, "{nothing}");
        }
    }
}
