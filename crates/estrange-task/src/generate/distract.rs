//! Distractors: what a function might use and does not, similar to what it uses, out of other units of its project.
//!
//! In a real project nobody says what a function needs. For each thing that it may use, some are shown beside it that look
//! like it by their names and their text and that its unit does not have.

use std::collections::{BTreeMap, HashSet};

use estrange_text::identifier;

use super::context::{Thing, Use};

/// What other units of a project have in a setting.
#[derive(Debug, Default)]
pub struct Pool {
    things: BTreeMap<Use, Vec<Candidate>>,
    known: HashSet<String>,
}

#[derive(Debug)]
struct Candidate {
    thing: Thing,
    look: Look,
}

/// What something looks like: the words of its name, and those of its text.
#[derive(Debug)]
struct Look {
    name: HashSet<String>,
    text: HashSet<String>,
}

impl Look {
    fn of(thing: &Thing) -> Self {
        let words = |text: &str| identifier::split(text).words().into_iter().collect();
        let name = thing.name.as_deref().map(words).unwrap_or_default();
        let text = thing.text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        Self { name, text: text.filter(|word| !word.is_empty()).map(str::to_owned).collect() }
    }

    /// How much alike two things look, from 0 to 1: names count as much as the rest.
    fn likeness(&self, other: &Self) -> f64 {
        (shared(&self.name, &other.name) + shared(&self.text, &other.text)) / 2.0
    }
}

/// The share of the words of both that both have.
fn shared(one: &HashSet<String>, other: &HashSet<String>) -> f64 {
    let both = one.intersection(other).count();
    let all = one.len() + other.len() - both;
    if all == 0 { 0.0 } else { both as f64 / all as f64 }
}

impl Pool {
    /// Adds what a unit has.
    pub fn add(&mut self, things: &[Thing]) {
        for thing in things.iter().filter(|thing| thing.what != Use::Header && thing.name.is_some()) {
            if self.known.insert(thing.text.clone()) {
                let candidate = Candidate { look: Look::of(thing), thing: thing.clone() };
                self.things.entry(thing.what).or_default().push(candidate);
            }
        }
    }

    /// So many for each of some things: the most similar ones, of equals those that the seed prefers. What has a name that
    /// `is_taken` is left out, and so is what was chosen before.
    pub fn distractors(&self, things: &[Thing], each: usize, is_taken: impl Fn(&str) -> bool, seed: u64) -> Vec<Thing> {
        let mut chosen: Vec<Thing> = Vec::new();
        let mut names: HashSet<String> = HashSet::new();
        for thing in things.iter().filter(|thing| thing.what != Use::Header) {
            let look = Look::of(thing);
            let candidates = self.things.get(&thing.what).into_iter().flatten();
            let mut fitting: Vec<(f64, u64, &Thing)> = candidates
                .filter(|candidate| {
                    let name = candidate.thing.name.as_deref().unwrap_or_default();
                    !is_taken(name) && !names.contains(name)
                })
                .map(|candidate| (look.likeness(&candidate.look), order(&candidate.thing, seed), &candidate.thing))
                .collect();
            fitting.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
            for (_, _, thing) in fitting.into_iter().take(each) {
                names.extend(thing.name.clone());
                chosen.push(thing.clone());
            }
        }
        chosen
    }
}

/// Both as one list, in an order that does not tell which is which.
pub fn mixed(mut things: Vec<Thing>, distractors: Vec<Thing>, seed: u64) -> Vec<Thing> {
    // What one type is made of must stand before it: the order of the unit stays, and the others come between.
    for distractor in distractors {
        let places = things.len() as u64 + 1;
        let at = (order(&distractor, seed) % places) as usize;
        things.insert(at, distractor);
    }
    things
}

fn order(thing: &Thing, seed: u64) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes()).update(thing.text.as_bytes());
    hasher.finalize().as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thing(what: Use, name: &str, text: &str) -> Thing {
        Thing { what, name: Some(name.to_owned()), text: text.to_owned() }
    }

    #[test]
    fn what_looks_alike_is_chosen_and_what_the_unit_has_is_not() {
        let mut pool = Pool::default();
        pool.add(&[
            thing(Use::Function, "list_insert", "int list_insert(struct list *list, int value);"),
            thing(Use::Function, "parse_header", "char *parse_header(const char *text);"),
            thing(Use::Function, "list_remove", "int list_remove(struct list *list, int value);"),
            thing(Use::Macro, "LIST_MOST", "#define LIST_MOST 9"),
        ]);
        let own = [thing(Use::Function, "list_find", "int list_find(struct list *list, int value);")];
        let taken = |name: &str| name == "list_insert";
        let found = pool.distractors(&own, 1, taken, 1);
        assert_eq!(found.iter().filter_map(|thing| thing.name.as_deref()).collect::<Vec<_>>(), ["list_remove"]);
        assert_eq!(pool.distractors(&own, 5, taken, 1).len(), 2);
        let all = mixed(own.to_vec(), found, 1);
        assert_eq!(all.len(), 2);
    }
}
