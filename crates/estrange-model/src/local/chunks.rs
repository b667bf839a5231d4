//! Which texts are computed together.

use std::collections::BTreeMap;

/// Puts texts of some lengths together so that each chunk is as full as can be: the longest first, each into the chunk
/// that it fills best. A text longer than a chunk has one for itself.
pub fn chunks(lengths: &[usize], capacity: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|text| std::cmp::Reverse(lengths[*text]));
    let mut chunks: Vec<Vec<usize>> = Vec::new();
    // The chunks that have so much room left.
    let mut open: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for text in order {
        let length = lengths[text];
        let (room, chunk) = match open.range_mut(length..).next() {
            Some((&room, same)) => {
                let chunk = same.pop();
                if same.is_empty() {
                    open.remove(&room);
                }
                (room, chunk)
            }
            None => (capacity, None),
        };
        let chunk = chunk.unwrap_or_else(|| {
            chunks.push(Vec::new());
            chunks.len() - 1
        });
        chunks[chunk].push(text);
        if room > length {
            open.entry(room - length).or_default().push(chunk);
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_in_one_chunk_and_chunks_are_full() {
        let lengths: Vec<usize> = (0..1000).map(|text| 1 + text * 7919 % 256).collect();
        let chunks = chunks(&lengths, 256);
        let mut texts: Vec<usize> = chunks.iter().flatten().copied().collect();
        texts.sort_unstable();
        assert_eq!(texts, (0..1000).collect::<Vec<_>>());
        let total: usize = lengths.iter().sum();
        assert!(chunks.iter().all(|chunk| chunk.iter().map(|text| lengths[*text]).sum::<usize>() <= 256));
        assert!(chunks.len() <= total.div_ceil(256) + 5, "{} chunks for {total} tokens", chunks.len());
    }

    #[test]
    fn a_text_longer_than_a_chunk_is_alone() {
        assert_eq!(chunks(&[5, 300, 0], 256), [vec![1], vec![0, 2]]);
        assert!(chunks(&[], 256).is_empty());
    }
}
