//! Two texts as numbers: equal characters are equal numbers, small enough to be indices of a table.

use super::field::Field;
use super::sieve::Sieve;

/// The number of no character of the new text.
pub const NONE: u32 = u32::MAX;

/// From how many characters on a text has popular ones.
const LONG: usize = 200;

/// How many code points share a page of a [`Numbering`], as a power of two.
const PAGE_BITS: u32 = 8;

/// The characters of two texts, and where they have which.
pub struct Texts {
    /// The old text. All characters that the new text does not have may be the same number, one that it does not have.
    pub old: Vec<u32>,
    /// The new text; none of its numbers is [`NONE`].
    pub new: Vec<u32>,
    /// The old text with [`NONE`] for what is not rare in the new one.
    pub rare: Vec<u32>,
    /// Where `rare` is not [`NONE`], ascending.
    rows: Vec<u32>,
    /// For each number and one more, where its positions start in `positions`.
    starts: Vec<u32>,
    /// Where the new text has each of its characters: ascending, one character after the other.
    positions: Vec<u32>,
}

impl Texts {
    /// Reads two texts.
    pub fn read(old: &str, new: &str) -> Self {
        if old.is_ascii() && new.is_ascii() {
            let numbers = |text: &str| text.bytes().map(u32::from).collect();
            return Self::index(numbers(old), numbers(new), 128);
        }
        let mut numbering = Numbering::new();
        let new = new.chars().map(|character| numbering.enter(character)).collect();
        let old = old.chars().map(|character| numbering.get(character)).collect();
        Self::index(old, new, numbering.count as usize + 1)
    }

    /// Finds where everything is, and what is rare. All numbers are below `end`.
    fn index(old: Vec<u32>, new: Vec<u32>, end: usize) -> Self {
        // Two places further, so that filling the positions moves each start to where the one before it belongs.
        let mut starts = vec![0_u32; end + 2];
        for &number in &new {
            starts[number as usize + 2] += 1;
        }
        let most = if new.len() < LONG { new.len() } else { new.len() / 100 + 1 } as u32;
        let rare_as = |(count, number): (&u32, u32)| if (1..=most).contains(count) { number } else { NONE };
        let rare_as: Vec<u32> = starts[2..].iter().zip(0..).map(rare_as).collect();
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut positions = vec![0; new.len()];
        for (position, &number) in new.iter().enumerate() {
            let next = &mut starts[number as usize + 1];
            positions[*next as usize] = position as u32;
            *next += 1;
        }
        let mut rare = Vec::with_capacity(old.len());
        let mut rows = Sieve::default();
        rows.make_room(old.len());
        for (position, &number) in old.iter().enumerate() {
            let number = rare_as[number as usize];
            rare.push(number);
            rows.offer(position as u32, number != NONE);
        }
        Self { old, new, rare, rows: rows.into_kept(), starts, positions }
    }

    /// Where a field has characters of the old text that are rare in the new one, ascending.
    pub fn rows(&self, field: &Field) -> &[u32] {
        let first = self.rows.partition_point(|&row| row < field.old_start);
        let end = self.rows.partition_point(|&row| row < field.old_end);
        &self.rows[first..end]
    }

    /// Where a field has the character with this number in the new text, ascending.
    pub fn positions(&self, number: u32, field: &Field) -> &[u32] {
        let number = number as usize;
        let all = &self.positions[self.starts[number] as usize..self.starts[number + 1] as usize];
        if field.news().len() == self.new.len() {
            return all;
        }
        let first = all.partition_point(|&position| position < field.new_start);
        let end = all.partition_point(|&position| position < field.new_end);
        &all[first..end]
    }
}

/// Numbers for code points, in the order in which they come.
struct Numbering {
    /// For each page of code points, which of `pages` it is, if any of them has come.
    which: Vec<u32>,
    /// The numbers of the code points of each page, one page after the other.
    pages: Vec<u32>,
    /// How many numbers there are.
    count: u32,
}

impl Numbering {
    fn new() -> Self {
        Self { which: vec![NONE; (char::MAX as usize >> PAGE_BITS) + 1], pages: Vec::new(), count: 0 }
    }

    /// The number of a character, a new one if it has none.
    fn enter(&mut self, character: char) -> u32 {
        let page = &mut self.which[character as usize >> PAGE_BITS];
        if *page == NONE {
            *page = (self.pages.len() >> PAGE_BITS) as u32;
            self.pages.resize(self.pages.len() + (1 << PAGE_BITS), NONE);
        }
        let number = &mut self.pages[slot(*page, character)];
        if *number == NONE {
            *number = self.count;
            self.count += 1;
        }
        *number
    }

    /// The number of a character, if it has one, or else the first that no character has.
    fn get(&self, character: char) -> u32 {
        let number = match self.which[character as usize >> PAGE_BITS] {
            NONE => NONE,
            page => self.pages[slot(page, character)],
        };
        number.min(self.count)
    }
}

/// Where the number of a character is among the pages.
fn slot(page: u32, character: char) -> usize {
    ((page as usize) << PAGE_BITS) + (character as usize & ((1 << PAGE_BITS) - 1))
}
