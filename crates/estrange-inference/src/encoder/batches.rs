//! Which texts are computed together: best-fit decreasing bin packing by their numbers of tokens.

use std::collections::BTreeMap;

/// Packs texts of some lengths into batches of at most `capacity` tokens: the longest first, each into the fullest batch
/// that still takes it. A text longer than that has a batch for itself.
pub fn batches(lengths: &[usize], capacity: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|text| std::cmp::Reverse(lengths[*text]));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    // The batches with so much room left.
    let mut open: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for text in order {
        let length = lengths[text];
        let (room, batch) = match open.range_mut(length..).next() {
            Some((&room, same)) => {
                let batch = same.pop();
                if same.is_empty() {
                    open.remove(&room);
                }
                (room, batch)
            }
            None => (capacity, None),
        };
        let batch = batch.unwrap_or_else(|| {
            batches.push(Vec::new());
            batches.len() - 1
        });
        batches[batch].push(text);
        if room > length {
            open.entry(room - length).or_default().push(batch);
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_in_one_batch_and_batches_are_full() {
        let lengths: Vec<usize> = (0..1000).map(|text| 1 + text * 7919 % 256).collect();
        let batches = batches(&lengths, 256);
        let mut texts: Vec<usize> = batches.iter().flatten().copied().collect();
        texts.sort_unstable();
        assert_eq!(texts, (0..1000).collect::<Vec<_>>());
        let total: usize = lengths.iter().sum();
        assert!(batches.iter().all(|batch| batch.iter().map(|text| lengths[*text]).sum::<usize>() <= 256));
        assert!(batches.len() <= total.div_ceil(256) + 5, "{} batches for {total} tokens", batches.len());
    }

    #[test]
    fn a_text_longer_than_a_batch_is_alone() {
        assert_eq!(batches(&[5, 300, 0], 256), [vec![1], vec![0, 2]]);
        assert!(batches(&[], 256).is_empty());
    }
}
