//! Chance that comes out the same every time.

/// A small generator of random numbers (SplitMix64).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number from 0 on, below 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// So many of the items, or all if there are fewer, in their order.
    pub fn sample<T>(&mut self, items: Vec<T>, count: usize) -> Vec<T> {
        let mut left = items.len();
        let mut wanted = count.min(left);
        let mut chosen = Vec::with_capacity(wanted);
        for item in items {
            if self.share() * (left as f64) < wanted as f64 {
                chosen.push(item);
                wanted -= 1;
            }
            left -= 1;
        }
        chosen
    }
}
