//! A day of the calendar, as it is typed and kept.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use estrange_words::Hint;
use serde::Serialize;

/// A day, such as `2024-05-31`. Days are in their order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Day(String);

/// The text is no day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no day")]
pub struct BadDay(String);

impl Hint for BadDay {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some("write year, month and day, such as 2024-05-31".into())
    }
}

impl Day {
    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for Day {
    type Err = BadDay;

    fn from_str(text: &str) -> Result<Self, BadDay> {
        let bad = || BadDay(text.to_owned());
        let is_digits =
            |part: &str, digits: usize| part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts[..] else { return Err(bad()) };
        if !is_digits(year, 4) || !is_digits(month, 2) || !is_digits(day, 2) {
            return Err(bad());
        }
        let number = |part: &str| part.parse::<u32>().map_err(|_| bad());
        let (year, month, day) = (number(year)?, number(month)?, number(day)?);
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return Err(bad()),
        };
        if (1..=days).contains(&day) { Ok(Self(text.to_owned())) } else { Err(bad()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_days_of_the_calendar() {
        for text in ["2024-05-31", "2024-02-29", "2000-02-29", "1999-12-01"] {
            assert_eq!(text.parse::<Day>().map(|day| day.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-01",
            "2024-04-31",
            "2024-4-01",
            "",
            "+024-01-01",
            "2024-01-01T",
        ] {
            assert_eq!(text.parse::<Day>(), Err(BadDay(text.to_owned())), "{text}");
        }
        assert!("2023-12-31".parse::<Day>().unwrap() < "2024-01-01".parse::<Day>().unwrap());
    }
}
