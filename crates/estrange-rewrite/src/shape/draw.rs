//! Chance out of a seed: the same seed gives the same choices.

/// A stream of choices.
pub struct Draw {
    stream: blake3::OutputReader,
}

impl Draw {
    /// The choices of one step of one trial of one function: another function, trial or step has others.
    pub fn new(function: &str, seed: u64, step: u32) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("estrange shapes");
        hasher.update(&seed.to_le_bytes());
        hasher.update(&step.to_le_bytes());
        hasher.update(function.as_bytes());
        Self { stream: hasher.finalize_xof() }
    }

    /// A number below `end`, all but as likely as each other; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        let mut bytes = [0; 8];
        self.stream.fill(&mut bytes);
        (u64::from_le_bytes(bytes) % end.max(1) as u64) as usize
    }

    /// True in so many cases of a hundred.
    pub fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    /// One of several; nothing if there are none.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// Puts a list into another order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }

    /// Some of a list, in its order: each with the same chance, at least one if there is one.
    pub fn some<T>(&mut self, mut list: Vec<T>, share: usize) -> Vec<T> {
        let kept = self.below(list.len());
        let mut at = 0;
        list.retain(|_| {
            let is_kept = self.percent(share) || at == kept;
            at += 1;
            is_kept
        });
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_draws_the_same() {
        let draws = |seed, step| {
            let mut draw = Draw::new("f", seed, step);
            let mut list: Vec<usize> = (0..50).collect();
            draw.shuffle(&mut list);
            (list, draw.below(1 << 40))
        };
        assert_eq!(draws(1, 0), draws(1, 0));
        assert_ne!(draws(1, 0), draws(2, 0));
        assert_ne!(draws(1, 0), draws(1, 1));
        let mut sorted = draws(1, 0).0;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn some_are_at_least_one() {
        let mut draw = Draw::new("f", 1, 0);
        assert_eq!(draw.some(vec![1], 0), [1]);
        assert!(draw.some(Vec::<u8>::new(), 50).is_empty());
        assert_eq!(draw.some(vec![1, 2, 3], 100), [1, 2, 3]);
    }
}
