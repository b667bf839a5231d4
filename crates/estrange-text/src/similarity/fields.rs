//! What is still open while two texts are matched: the fields before, between and after the blocks found so far.

use std::collections::BinaryHeap;

use super::alphabet::{NONE, Texts};
use super::field::Field;
use super::runs::{Gathered, Run, common};

impl Field {
    /// The part of a run that lies in this field, if any.
    fn clip(&self, run: Run) -> Option<Run> {
        let skipped = self.old_start.saturating_sub(run.old).max(self.new_start.saturating_sub(run.new));
        let end = self.old_end.saturating_sub(run.old).min(self.new_end.saturating_sub(run.new)).min(run.length);
        (skipped < end).then(|| Run { length: end - skipped, old: run.old + skipped, new: run.new + skipped })
    }

    /// The fields before and after the block that a run in this field grows to.
    fn around(&self, run: Run, texts: &Texts) -> (Self, Self) {
        let (old, new) = (&texts.old[..self.old_end as usize], &texts.new[..self.new_end as usize]);
        let (old_end, new_end) = (run.old + run.length, run.new + run.length);
        let more = common(&old[old_end as usize..], &new[new_end as usize..]);
        let olds = old[self.old_start as usize..run.old as usize].iter().rev();
        let news = new[self.new_start as usize..run.new as usize].iter().rev();
        let earlier = olds.zip(news).take_while(|(old, new)| old == new).count() as u32;
        let before = Self { old_end: run.old - earlier, new_end: run.new - earlier, ..*self };
        let after = Self { old_start: old_end + more, new_start: new_end + more, ..*self };
        (before, after)
    }

    /// The most preferred run of a field that has only runs of one character.
    fn first_single(&self, texts: &Texts) -> Option<Run> {
        texts.rows(self).iter().find_map(|&old| {
            let new = *texts.positions(texts.rare[old as usize], self).first()?;
            Some(Run { length: 1, old, new })
        })
    }

    /// What the texts of a field have in common at their start: its block where it has no run.
    fn common_start(&self, texts: &Texts) -> u32 {
        common(&texts.old[self.olds()], &texts.new[self.news()])
    }

    /// The length of all blocks of a field that has only runs of one character.
    ///
    /// The first one takes the first of the new text that it can. So nothing before the block has a run, and what is
    /// after it is such a field again.
    fn matched(mut self, texts: &Texts) -> u32 {
        let mut matched = 0;
        while let Some(run) = self.first_single(texts) {
            let (before, after) = self.around(run, texts);
            matched += before.common_start(texts) + (after.old_start - before.old_end);
            self = after;
        }
        matched + self.common_start(texts)
    }
}

/// The fields of two texts.
pub struct Fields<'a> {
    texts: &'a Texts,
    /// All fields that there have been; some are no longer open.
    fields: Vec<Field>,
    /// The number of the open field of each position of the old text, or else [`NONE`].
    owners: Vec<u32>,
    /// The length of all blocks so far.
    matched: usize,
}

impl<'a> Fields<'a> {
    /// One field: both texts as a whole.
    pub fn new(texts: &'a Texts) -> Self {
        let (old_end, new_end) = (texts.old.len() as u32, texts.new.len() as u32);
        let whole = Field { old_start: 0, old_end, new_start: 0, new_end };
        Self { texts, fields: vec![whole], owners: vec![0; texts.old.len()], matched: 0 }
    }

    /// The fields that are open, in the order of the texts.
    pub fn open(&self) -> Vec<Field> {
        let mut open: Vec<Field> = self.fields.iter().filter(|field| field.is_open()).copied().collect();
        open.sort_unstable_by_key(|field| field.old_start);
        open
    }

    /// Makes blocks of all the runs that are the most preferred of their field when it is their turn.
    pub fn settle(&mut self, gathered: &Gathered) {
        // What is left of runs that a block has cut.
        let mut pieces = BinaryHeap::new();
        for &run in gathered.in_order() {
            while let Some(&piece) = pieces.peek()
                && piece > run
            {
                pieces.pop();
                self.offer(piece, gathered, &mut pieces);
            }
            self.offer(run, gathered, &mut pieces);
        }
        while let Some(piece) = pieces.pop() {
            self.offer(piece, gathered, &mut pieces);
        }
    }

    /// Makes a block of a run if it lies in one field; otherwise cuts it into the pieces that do.
    fn offer(&mut self, run: Run, gathered: &Gathered, pieces: &mut BinaryHeap<Run>) {
        let end = run.old + run.length;
        let mut position = run.old;
        while position < end {
            let owner = self.owners[position as usize];
            if owner == NONE {
                position += 1;
                continue;
            }
            let field = self.fields[owner as usize];
            match field.clip(run) {
                Some(piece) if piece == run => return self.split(owner, run),
                Some(piece) if piece.length > 1 && gathered.reaches(piece) => pieces.push(piece),
                _ => {}
            }
            position = field.old_end;
        }
    }

    /// Makes a block of a run in a field, and two fields of what is before and after it.
    fn split(&mut self, owner: u32, run: Run) {
        let (before, after) = self.fields[owner as usize].around(run, self.texts);
        self.matched += (after.old_start - before.old_end) as usize;
        self.owners[before.old_end as usize..after.old_start as usize].fill(NONE);
        // The one that is longer in the old text keeps the number, so that no position changes its owner often.
        let is_after_longer = before.olds().len() < after.olds().len();
        let (longer, shorter) = if is_after_longer { (after, before) } else { (before, after) };
        self.fields[owner as usize] = longer;
        if !longer.is_open() {
            self.owners[longer.olds()].fill(NONE);
        }
        let number = if shorter.is_open() { self.fields.len() as u32 } else { NONE };
        self.owners[shorter.olds()].fill(number);
        if shorter.is_open() {
            self.fields.push(shorter);
        }
    }

    /// The length of all blocks, when no field has a run of two characters any more.
    pub fn close(self) -> usize {
        let open = self.fields.iter().filter(|field| field.is_open());
        self.matched + open.map(|field| field.matched(self.texts) as usize).sum::<usize>()
    }
}
