//! When a request that failed is made again: exponential backoff with jitter, and what a server says about it.

use std::time::{Duration, SystemTime};

use ureq::http::{Response, StatusCode, header};

/// The pauses between attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The pause after the first attempt. It doubles each time.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
}

impl Backoff {
    /// The pause after an attempt, counted from 1. The jitter takes away up to half of it, so that clients that failed
    /// together do not come again together; how much depends on the request alone.
    pub fn pause(&self, attempt: u32, request: &[u8]) -> Duration {
        let doubled = self.first.saturating_mul(1_u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX));
        let mut hasher = blake3::Hasher::new();
        hasher.update(request).update(&attempt.to_le_bytes());
        let jitter = f64::from(hasher.finalize().as_bytes()[0]) / 255.0;
        doubled.min(self.longest).mul_f64(0.5 + jitter / 2.0)
    }
}

/// Whether another attempt may get another status.
pub fn is_transient(status: StatusCode) -> bool {
    let waits =
        [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT, StatusCode::CONFLICT, StatusCode::TOO_EARLY];
    waits.contains(&status) || status.is_server_error()
}

/// How long a server asks us to wait: its header `Retry-After`.
pub fn retry_after<B>(response: &Response<B>) -> Option<Duration> {
    let value = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?;
    parse(value, SystemTime::now()).filter(|wait| !wait.is_zero())
}

/// A time in seconds or as a date.
fn parse(value: &str, now: SystemTime) -> Option<Duration> {
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
        let backoff = Backoff { first: Duration::from_millis(100), longest: Duration::from_secs(2) };
        for attempt in 1..200 {
            let whole = backoff.first.mul_f64(2_f64.powi(attempt as i32 - 1).min(20.0));
            let drawn = backoff.pause(attempt, b"request");
            assert!(drawn >= whole / 2 && drawn <= whole, "{attempt}: {drawn:?}");
            assert_eq!(drawn, backoff.pause(attempt, b"request"));
        }
        assert_ne!(backoff.pause(1, b"request"), backoff.pause(1, b"another"));
    }

    #[test]
    fn servers_say_when_in_seconds_or_as_a_date() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        assert_eq!(parse(" 20 ", then), Some(Duration::from_secs(20)));
        assert_eq!(parse("0.5", then), Some(Duration::from_millis(500)));
        assert_eq!(parse(date, then - Duration::from_secs(7)), Some(Duration::from_secs(7)));
        assert_eq!(parse(date, then + Duration::from_secs(7)), Some(Duration::ZERO));
        for nothing in ["", "soon", "-1", "NaN", "1e99"] {
            assert_eq!(parse(nothing, then), None, "{nothing}");
        }
    }

    #[test]
    fn what_a_server_has_no_time_for_is_asked_again_and_what_it_refuses_is_not() {
        let transient = |status: u16| is_transient(StatusCode::from_u16(status).expect("a status"));
        assert!([408, 409, 425, 429, 500, 503].into_iter().all(transient));
        assert!(![200, 301, 400, 401, 403, 404, 422].into_iter().any(transient));
    }
}
