//! A list that keeps some of what it is offered, for where it is as good as random which.

/// A list that writes down whatever it is offered, and writes the next one over it where it was not to be kept: a
/// processor that guesses wrongly which of two ways to go loses far more time than that.
#[derive(Default)]
pub struct Sieve<T> {
    /// Those kept, and room for more.
    items: Vec<T>,
    /// How many are kept.
    count: usize,
}

impl<T: Copy + Default> Sieve<T> {
    /// Makes room for so many offers.
    pub fn make_room(&mut self, offers: usize) {
        let needed = self.count + offers;
        if self.items.len() < needed {
            self.items.resize(needed.next_power_of_two().max(64), T::default());
        }
    }

    /// Adds an item if it is to be kept. There has to be room for it.
    pub fn offer(&mut self, item: T, is_kept: bool) {
        self.items[self.count] = item;
        self.count += usize::from(is_kept);
    }

    /// Those kept, in order.
    pub fn kept(&self) -> &[T] {
        &self.items[..self.count]
    }

    /// Drops all.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Those kept, in order.
    pub fn into_kept(mut self) -> Vec<T> {
        self.items.truncate(self.count);
        self.items
    }
}
