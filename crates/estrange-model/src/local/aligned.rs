//! Numbers in memory, beginning where a cache line begins: a register then never takes two lines to fill.

use std::ops::{Deref, DerefMut};

/// The bytes of a cache line, and of the widest register.
const LINE: usize = 64;

/// Numbers that begin where a cache line begins.
#[derive(Default)]
pub struct Aligned {
    numbers: Vec<f32>,
    start: usize,
    length: usize,
}

impl Aligned {
    /// So many zeros.
    pub fn zeros(length: usize) -> Self {
        let numbers = vec![0.0; length + LINE / size_of::<f32>()];
        let start = numbers.as_ptr().align_offset(LINE);
        Self { numbers, start, length }
    }

    /// At least so many numbers, of any value. What is there is kept only if it is enough.
    pub fn room(&mut self, length: usize) -> &mut [f32] {
        if self.length < length {
            *self = Self::zeros(length);
        }
        &mut self[..length]
    }
}

impl Deref for Aligned {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.numbers[self.start..self.start + self.length]
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.numbers[self.start..self.start + self.length]
    }
}
