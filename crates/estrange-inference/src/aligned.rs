//! Buffers that begin at a cache line, so that no load of a register crosses two lines.

use std::ops::{Deref, DerefMut};

/// The bytes of a cache line, and of the widest register.
const LINE: usize = 64;

/// Numbers that begin at a cache line.
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

    /// The first `length` numbers, of any value; the buffer grows if it is shorter.
    pub fn scratch(&mut self, length: usize) -> &mut [f32] {
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
