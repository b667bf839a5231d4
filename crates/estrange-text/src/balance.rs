//! How much of the whole any one source may be.
//!
//! A bound is a count, or a share *of what stays*: where one library has 71% of everything and the bound is 30%, so much
//! of it is dropped that it has at most 30% of the rest. Of all ways to keep to a share, the one that keeps the most is
//! taken. Which items of a source go is decided by a hash of the seed and their ids, and so is the same in any order; a
//! wider bound keeps all that a narrower one does.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::split::hash;

/// The most of one source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// A share of what stays, above 0 and at most 1.
    Share(f64),
    /// So many items.
    Count(usize),
}

/// Why a bound is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is neither a share such as 0.3 or 30%, above 0 and at most 1, nor a count such as 500")]
pub struct NotABound {
    /// What was given.
    pub text: String,
}

/// Why a bound cannot be kept to.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("no source can be at most {share} of the whole when there are only {sources}")]
pub struct Impossible {
    /// The share that was asked for.
    pub share: f64,
    /// How many sources there are.
    pub sources: usize,
}

impl FromStr for Bound {
    type Err = NotABound;

    /// A whole number is a count; a number with a point (`0.3`, `1.0`) or a percent sign (`30%`) is a share.
    fn from_str(text: &str) -> Result<Self, NotABound> {
        let refused = || NotABound { text: text.to_owned() };
        let share = match text.strip_suffix('%') {
            Some(percent) => percent.trim_end().parse::<f64>().map_err(|_| refused())? / 100.0,
            None if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                let count: usize = text.parse().map_err(|_| refused())?;
                return if count > 0 { Ok(Bound::Count(count)) } else { Err(refused()) };
            }
            None => text.parse().map_err(|_| refused())?,
        };
        if share > 0.0 && share <= 1.0 { Ok(Bound::Share(share)) } else { Err(refused()) }
    }
}

/// An item, by the name of its source and by its own id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'a> {
    /// The name of its source.
    pub source: &'a str,
    /// Its id, different from that of any other.
    pub id: &'a str,
}

/// The indices of the items to drop so that no source has more than the bound allows, in order.
///
/// A share below one part in the number of sources cannot be kept to: that is an error, unless there is nothing.
pub fn surplus(items: &[Item<'_>], bound: Bound, seed: u64) -> Result<Vec<usize>, Impossible> {
    let mut sources: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        sources.entry(item.source).or_default().push(index);
    }
    let most = match bound {
        Bound::Count(count) => count,
        Bound::Share(share) => {
            let sizes: Vec<usize> = sources.values().map(Vec::len).collect();
            most_within(share, &sizes).ok_or(Impossible { share, sources: sizes.len() })?
        }
    };
    let mut dropped = Vec::new();
    for mut indices in sources.into_values().filter(|indices| indices.len() > most) {
        indices.sort_by_cached_key(|&index| (hash("balance", seed, items[index].id), items[index].id, index));
        dropped.extend_from_slice(&indices[most..]);
    }
    dropped.sort_unstable();
    Ok(dropped)
}

/// The most that each of sources of these sizes may have so that none has more than `share` of what stays.
///
/// If `total` items are to stay, each source may have `share × total`, and so at most `cut(total)` can stay. That function
/// grows with the total; so, coming down from everything, the first total that it leaves as it is is the greatest.
fn most_within(share: f64, sizes: &[usize]) -> Option<usize> {
    // A share such as 0.29 is hardly less than what was meant; without the addition, 29 of 100 would be too many.
    let most = |total: usize| (share * total as f64 + 1e-9) as usize;
    let cut = |total: usize| sizes.iter().map(|&size| size.min(most(total))).sum::<usize>();
    let everything: usize = sizes.iter().sum();
    let mut total = everything;
    while cut(total) < total {
        total = cut(total);
    }
    (total > 0 || everything == 0).then(|| most(total))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Sources `0`, `1`, … of these sizes.
    fn names(sizes: &[usize]) -> Vec<(String, String)> {
        let items = |(source, &size): (usize, &usize)| {
            (0..size).map(move |item| (source.to_string(), format!("{source}/{item}"))).collect::<Vec<_>>()
        };
        sizes.iter().enumerate().flat_map(items).collect()
    }

    fn items(names: &[(String, String)]) -> Vec<Item<'_>> {
        names.iter().map(|(source, id)| Item { source, id }).collect()
    }

    /// The sizes that are left.
    fn left(sizes: &[usize], bound: Bound) -> Option<Vec<usize>> {
        let names = names(sizes);
        let items = items(&names);
        let mut left = sizes.to_vec();
        for index in surplus(&items, bound, 1).ok()? {
            left[items[index].source.parse::<usize>().expect("a number")] -= 1;
        }
        Some(left)
    }

    #[test]
    fn a_share_is_one_of_what_stays() {
        assert_eq!(left(&[71, 10, 10, 9], Bound::Share(0.5)), Some(vec![29, 10, 10, 9]));
        assert_eq!(left(&[71, 10, 10, 9], Bound::Share(0.3)), Some(vec![12, 10, 10, 9]));
        assert_eq!(left(&[71, 29], Bound::Share(0.5)), Some(vec![29, 29]));
        assert_eq!(left(&[71, 29], Bound::Share(1.0)), Some(vec![71, 29]));
        assert_eq!(left(&[71, 29], Bound::Share(0.71)), Some(vec![71, 29]));
        assert_eq!(left(&[29, 71], Bound::Share(0.29)), None);
        assert_eq!(left(&[5], Bound::Share(0.9)), None);
        assert_eq!(left(&[], Bound::Share(0.1)), Some(vec![]));
    }

    #[test]
    fn a_count_is_a_count() {
        assert_eq!(left(&[7, 2, 3], Bound::Count(3)), Some(vec![3, 2, 3]));
    }

    #[test]
    fn bounds_are_read() {
        assert_eq!("0.3".parse(), Ok(Bound::Share(0.3)));
        assert_eq!("30%".parse(), Ok(Bound::Share(0.3)));
        assert_eq!("1.0".parse(), Ok(Bound::Share(1.0)));
        assert_eq!("1".parse(), Ok(Bound::Count(1)));
        assert_eq!("500".parse(), Ok(Bound::Count(500)));
        for text in ["", "0", "0.0", "1.5", "-1", "-0.5", "x", "%", "101%", "nan", "inf", "99999999999999999999999"] {
            assert!(text.parse::<Bound>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_share_is_kept_to_and_no_more_could_stay(sizes in proptest::collection::vec(0usize..40, 0..7), share in 0.05..1.0f64) {
            let sources = sizes.iter().filter(|&&size| size > 0).count();
            // The plain way: the greatest total that some cut gives and that keeps to the share.
            let greatest = (0..=40).map(|most| sizes.iter().map(|&size| size.min(most)).collect::<Vec<_>>()).filter(|left| {
                let total: usize = left.iter().sum();
                left.iter().all(|&size| size as f64 <= share * total as f64 + 1e-9)
            }).map(|left| left.iter().sum::<usize>()).max();
            match left(&sizes, Bound::Share(share)) {
                Some(left) => prop_assert_eq!(Some(left.iter().sum::<usize>()), greatest),
                None => prop_assert!(greatest == Some(0) && sources > 0),
            }
        }

        #[test]
        fn order_changes_nothing_and_wider_bounds_keep_more(sizes in proptest::collection::vec(0usize..20, 1..5), most in 1usize..20, seed: u64) {
            let names = names(&sizes);
            let forward = items(&names);
            let mut backward = forward.clone();
            backward.reverse();
            let dropped = |items: &[Item<'_>], most| -> std::collections::BTreeSet<String> {
                let dropped = surplus(items, Bound::Count(most), seed).expect("a count is always possible");
                dropped.into_iter().map(|index| items[index].id.to_owned()).collect()
            };
            prop_assert_eq!(dropped(&forward, most), dropped(&backward, most));
            prop_assert!(dropped(&forward, most).is_superset(&dropped(&forward, most + 1)));
        }
    }
}
