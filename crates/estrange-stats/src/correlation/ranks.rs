//! The ranks of values, where equal ones share theirs.

/// The rank of each value, counted from 1; equal values share the mean of their ranks.
pub(super) fn mean_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&one, &two| values[one].total_cmp(&values[two]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|&one, &two| values[one] == values[two]) {
        let rank = before as f64 + (equal.len() + 1) as f64 / 2.0;
        equal.iter().for_each(|&place| ranks[place] = rank);
        before += equal.len();
    }
    ranks
}
