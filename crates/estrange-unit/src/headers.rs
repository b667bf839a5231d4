//! Which of the standard headers that a translation unit includes its functions need.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use estrange_clang::{Clang, HeaderLine, Provided};
use estrange_text::lexer::is_feature_macro;

use crate::closure::Closure;

/// What headers provide, asked once for each.
#[derive(Default)]
pub(crate) struct Headers {
    known: HashMap<(Vec<String>, String), Rc<Provided>>,
}

/// What a unit needs of headers.
pub(crate) struct Choice {
    /// The includes, as indices of the translation unit's.
    pub(crate) includes: BTreeSet<usize>,
    /// The macros that must be defined before them, as indices of events.
    pub(crate) macros: BTreeSet<usize>,
}

impl Headers {
    fn provided(&mut self, clang: &Clang, arguments: &[String], prologue: &str, name: &str) -> Rc<Provided> {
        let text = format!("{prologue}#include <{name}>\n");
        let key = (arguments.to_vec(), text);
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let provided = Rc::new(clang.provides(&key.1, arguments));
        self.known.insert(key, Rc::clone(&provided));
        provided
    }

    /// The fewest includes that bring all that a closure needs.
    pub(crate) fn choose(&mut self, clang: &Clang, arguments: &[String], closure: &Closure<'_, '_>) -> Choice {
        let slices = closure.slices;
        let reading = slices.reading;
        // Each wish is granted by any one of its places.
        let mut wishes: Vec<Vec<&HeaderLine>> =
            closure.places.iter().map(|place| vec![&reading.places[*place as usize]]).collect();
        for name in &closure.header_macros {
            if let Ok(found) = reading.header_macros.binary_search_by(|(known, _)| known.cmp(name)) {
                wishes.push(
                    reading.header_macros[found].1.iter().map(|place| &reading.places[*place as usize]).collect(),
                );
            }
        }
        let mut choice = Choice { includes: BTreeSet::new(), macros: BTreeSet::new() };
        if wishes.is_empty() {
            return choice;
        }
        // Some of what is needed may stand after the function.
        let last = closure.forms.keys().next_back().copied().unwrap_or_else(|| closure.home());
        let end = slices.chunks[last as usize].end;
        let mut candidates: Vec<usize> = Vec::new();
        for (number, include) in slices.includes.iter().enumerate() {
            let seen = candidates.iter().any(|known| slices.includes[*known].name == include.name);
            if include.start < end && !seen {
                candidates.push(number);
            }
        }
        for featured in [false, true] {
            let mut provided: Vec<(usize, Rc<Provided>, Vec<usize>)> = Vec::new();
            for number in &candidates {
                let include = &slices.includes[*number];
                let features = if featured { self.features(closure, include.start) } else { Vec::new() };
                if featured && features.is_empty() {
                    continue;
                }
                let prologue: String = features
                    .iter()
                    .map(|event| {
                        let event = &slices.macros.events[*event];
                        format!("{}\n", &slices.text()[event.start as usize..event.end as usize])
                    })
                    .collect();
                provided.push((*number, self.provided(clang, arguments, &prologue, &include.name), features));
            }
            loop {
                let best = provided
                    .iter()
                    .map(|(number, provided, features)| {
                        let granted = wishes.iter().filter(|wish| wish.iter().any(|place| provided.has(place))).count();
                        (granted, *number, provided.size(), features)
                    })
                    // Of two that grant as much, the one that brings less else.
                    .max_by_key(|(granted, number, size, _)| (*granted, Reverse(*size), Reverse(*number)));
                let Some((granted, number, _, features)) = best else { break };
                if granted == 0 {
                    break;
                }
                choice.includes.insert(number);
                choice.macros.extend(features.iter().copied());
                let (_, chosen, _) =
                    provided.iter().find(|(known, ..)| *known == number).expect("it was just found there");
                wishes.retain(|wish| !wish.iter().any(|place| chosen.has(place)));
            }
            if wishes.is_empty() {
                break;
            }
        }
        if !wishes.is_empty() {
            // Some header only gives it together with others.
            choice.includes.extend(candidates);
        }
        // What `assert` does hangs on a macro that no header defines.
        if closure.header_macros.contains("assert") {
            for include in &choice.includes {
                let start = slices.includes[*include].start;
                choice.macros.extend(slices.macros.in_force("NDEBUG", start));
            }
        }
        choice
    }

    fn features(&self, closure: &Closure<'_, '_>, before: u32) -> Vec<usize> {
        let macros = &closure.slices.macros;
        let events = macros.events.iter().enumerate().filter(|(_, event)| event.start < before);
        events
            .filter(|(number, event)| {
                is_feature_macro(&event.name) && macros.in_force(&event.name, before) == Some(*number)
            })
            .map(|(number, _)| number)
            .collect()
    }
}
