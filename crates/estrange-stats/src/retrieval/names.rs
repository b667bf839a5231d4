//! Numbers for documents that are known by name, in the order that breaks ties.

/// Document names, numbered in the order of their bytes, so that the later of two names has the higher number.
///
/// This is the order in which trec_eval compares names.
///
/// Reading a run is mostly looking up names, so they lie close together: one text, and a table that is asked at most
/// a few places of it.
#[derive(Debug, Clone)]
pub struct Names {
    /// All names, one after the other.
    text: String,
    /// Where each name ends in the text.
    ends: Vec<usize>,
    /// At the place that a name's hash says, or at the next free one: the upper half of the hash, then the number
    /// plus 1. A power of two of them, at least half of which are free (0).
    slots: Vec<u64>,
}

impl Names {
    /// Numbers these names; one that comes twice is numbered once.
    ///
    /// # Panics
    /// With 2³² − 1 names or more.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        let mut names: Vec<String> = names.into_iter().map(Into::into).collect();
        names.sort_unstable();
        names.dedup();
        let mut end = 0;
        let ends = names.iter().map(|name| {
            end += name.len();
            end
        });
        let ends = ends.collect();
        let mut numbered = Self { text: names.concat(), ends, slots: vec![0; (2 * names.len()).next_power_of_two()] };
        for (place, name) in names.iter().enumerate() {
            let one_more = u32::try_from(place + 1).expect("fewer than 2³² − 1 names");
            let hash = hash(name.as_bytes());
            let mut slot = numbered.slot(hash);
            while numbered.slots[slot] != 0 {
                slot = numbered.next(slot);
            }
            numbered.slots[slot] = upper_half(hash) | u64::from(one_more);
        }
        numbered
    }

    /// The number of a name.
    pub fn number(&self, name: &str) -> Option<u32> {
        let hash = hash(name.as_bytes());
        let mut slot = self.slot(hash);
        loop {
            let found = self.slots[slot];
            // The number is the lower half, plus 1; an empty slot ends the search.
            let number = (found as u32).checked_sub(1)?;
            if upper_half(found) == upper_half(hash) && self.name(number) == Some(name) {
                return Some(number);
            }
            slot = self.next(slot);
        }
    }

    /// The name with a number.
    pub fn name(&self, number: u32) -> Option<&str> {
        let number = number as usize;
        let end = *self.ends.get(number)?;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        Some(&self.text[start..end])
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn next(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }
}

fn upper_half(bits: u64) -> u64 {
    bits & !u64::from(u32::MAX)
}

/// A hash of a few operations for every eight bytes.
fn hash(bytes: &[u8]) -> u64 {
    // An odd number without a pattern: the golden ratio's digits.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| {
        let mixed = (hash ^ word).wrapping_mul(FACTOR);
        mixed ^ mixed >> 32
    };
    let mut hash = mix(0, bytes.len() as u64);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        hash = mix(hash, u64::from_le_bytes(*word));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    // Once more at the end, since a product's upper bits know more than its lower ones.
    mix(mix(hash, u64::from_le_bytes(last)), FACTOR)
}
