//! Stores that are killed, damaged and shared, and models that are asked only once.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::*;
use crate::error::ModelError;
use crate::traits::{Embedder, Item, Role, Silent, Watch};
use crate::writer::{Prompt, Writer, Written};

fn key(number: u32) -> Key {
    Key::new(&[&number.to_le_bytes()])
}

fn value(number: u32) -> Vec<u8> {
    number.to_le_bytes().repeat(number as usize)
}

#[test]
fn what_is_kept_is_there_in_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let store = Store::open(&path).unwrap();
    assert!(store.is_empty());
    (0..20).for_each(|number| store.put(key(number), &value(number)).unwrap());
    store.put(key(3), b"another answer").unwrap();
    drop(store);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.len(), 20);
    for number in 0..20 {
        assert_eq!(store.get(key(number)).unwrap(), Some(value(number)));
    }
    assert_eq!(store.get(key(20)).unwrap(), None);
}

#[test]
fn parts_of_a_key_do_not_run_into_each_other() {
    assert_ne!(Key::new(&[b"ab", b"c"]), Key::new(&[b"a", b"bc"]));
    assert_ne!(Key::new(&[b"a"]), Key::new(&[b"a", b""]));
}

/// Wherever a kill cuts the file, whole answers stay, and the next one goes where the cut one was.
#[test]
fn a_file_cut_anywhere_keeps_its_whole_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let store = Store::open(&path).unwrap();
    let mut ends = vec![fs::metadata(&path).unwrap().len()];
    for number in 0..4 {
        store.put(key(number), &value(number)).unwrap();
        ends.push(fs::metadata(&path).unwrap().len());
    }
    drop(store);
    let whole = fs::read(&path).unwrap();
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let store = Store::open(&path).unwrap();
        let expected = ends.iter().filter(|&&end| end <= cut as u64).count().saturating_sub(1);
        assert_eq!(store.len(), expected, "cut at {cut}");
        (0..4).for_each(|number| store.put(key(number), &value(number)).unwrap());
        drop(store);
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
}

#[test]
fn a_second_run_is_kept_out_until_the_first_ends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let store = Store::open(&path).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::InUse { .. })));
    drop(store);
    assert!(Store::open(&path).is_ok());
}

#[test]
fn another_file_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes");
    fs::write(&path, "my notes").unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::NotAStore { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"my notes");
    let nowhere = folder.path().join("no/such/folder");
    assert!(matches!(Store::open(&nowhere), Err(StoreError::Io { .. })));
}

#[test]
fn a_damaged_answer_is_an_error_unless_it_is_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let store = Store::open(&path).unwrap();
    let first = fs::metadata(&path).unwrap().len();
    (4..6).for_each(|number| store.put(key(number), &value(number)).unwrap());
    drop(store);
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[first as usize + KEY + LENGTH] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { at, .. } if at == first), "{error}");
    assert!(error.hint().contains(&format!("--size={first}")));
    assert_eq!(fs::read(&path).unwrap(), damaged);

    let mut damaged = whole;
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&path, damaged).unwrap();
    assert_eq!(Store::open(&path).unwrap().len(), 1);
}

#[test]
fn threads_share_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let store = Store::open(&path).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..50 {
                    store.put(key(number), &value(number)).unwrap();
                    assert!(store.get(key((number + thread) % (number + 1))).unwrap().is_some());
                }
            });
        }
    });
    drop(store);
    assert_eq!(Store::open(&path).unwrap().len(), 50);
}

/// Gives the length of a text, and fails after so many texts.
struct Lengths {
    asked: Mutex<Vec<String>>,
    fails_after: AtomicUsize,
    dimensions: AtomicUsize,
}

impl Lengths {
    fn new() -> Self {
        Self { asked: Mutex::default(), fails_after: AtomicUsize::new(usize::MAX), dimensions: AtomicUsize::new(2) }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Embedder for Lengths {
    fn card(&self) -> Value {
        json!({ "model": "lengths" })
    }

    fn embed(&self, texts: &[Item<'_>], _: Role, watch: &dyn Watch) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut asked = self.asked.lock().unwrap();
        if asked.len() >= self.fails_after.load(Ordering::Relaxed) {
            return Err(ModelError::Stopped);
        }
        asked.extend(texts.iter().map(|text| text.text.to_owned()));
        watch.done(texts.len());
        let dimensions = self.dimensions.load(Ordering::Relaxed);
        Ok(texts.iter().map(|text| vec![text.text.len() as f32; dimensions]).collect())
    }
}

fn items(texts: &[String]) -> Vec<Item<'_>> {
    texts.iter().map(|text| Item { id: "", text }).collect()
}

#[test]
fn each_text_is_asked_for_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(&folder.path().join("answers")).unwrap());
    let stored = Stored::new(Lengths::new(), store);
    let texts = ["a", "bb", "a", "ccc", "bb"].map(str::to_owned);
    let vectors = stored.embed(&items(&texts), Role::Document, &Silent).unwrap();
    assert_eq!(vectors.iter().map(|vector| vector[0]).collect::<Vec<_>>(), [1.0, 2.0, 1.0, 3.0, 2.0]);
    assert_eq!(stored.model().asked(), ["a", "bb", "ccc"]);
    assert_eq!(stored.embed(&items(&texts), Role::Document, &Silent).unwrap(), vectors);
    assert_eq!(stored.model().asked().len(), 3);
    // As a query, a text may have another vector.
    assert_eq!(stored.missing(&items(&texts), Role::Query).len(), 3);
    stored.embed(&items(&texts[..1]), Role::Query, &Silent).unwrap();
    assert_eq!(stored.model().asked().len(), 4);
}

#[test]
fn what_came_before_a_failure_is_not_asked_for_again() {
    struct Count(AtomicUsize);
    impl Watch for Count {
        fn done(&self, texts: usize) {
            self.0.fetch_add(texts, Ordering::Relaxed);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let texts: Vec<String> = (0..1000).map(|number| "x".repeat(number)).collect();
    let first = Stored::new(Lengths::new(), Arc::new(Store::open(&path).unwrap()));
    first.model().fails_after.store(500, Ordering::Relaxed);
    assert!(first.embed(&items(&texts), Role::Document, &Silent).is_err());
    let asked = first.model().asked().len();
    assert!((500..1000).contains(&asked));
    drop(first);
    let second = Stored::new(Lengths::new(), Arc::new(Store::open(&path).unwrap()));
    let count = Count(AtomicUsize::new(0));
    let vectors = second.embed(&items(&texts), Role::Document, &count).unwrap();
    assert!(vectors.iter().enumerate().all(|(length, vector)| *vector == [length as f32; 2]));
    assert_eq!(second.model().asked().len(), 1000 - asked);
    assert_eq!(count.0.into_inner(), 1000);
}

#[test]
fn vectors_of_different_lengths_are_a_wrong_answer() {
    let folder = tempfile::tempdir().unwrap();
    let stored = Stored::new(Lengths::new(), Arc::new(Store::open(&folder.path().join("answers")).unwrap()));
    let texts = ["a", "bb"].map(str::to_owned);
    stored.embed(&items(&texts[..1]), Role::Document, &Silent).unwrap();
    stored.model().dimensions.store(3, Ordering::Relaxed);
    let error = stored.embed(&items(&texts), Role::Document, &Silent).unwrap_err();
    assert_eq!(error.to_string(), "lengths gave a vector of 3 values where a vector of 2 values was expected");
}

#[test]
fn a_prompt_is_answered_once() {
    struct Echo(AtomicUsize);
    impl Writer for Echo {
        fn card(&self) -> Value {
            json!({ "model": "echo" })
        }

        fn write(&self, prompt: &Prompt, _: &dyn Watch) -> Result<Written, ModelError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(Written { text: prompt.user.clone(), prompt_tokens: Some(1), answer_tokens: None, cost: Some(0.1) })
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(&folder.path().join("answers")).unwrap());
    let stored = Stored::new(Echo(AtomicUsize::new(0)), store);
    let prompt =
        Prompt { system: None, user: "hello".to_owned(), begin: None, max_tokens: 9, temperature: 0.5, seed: 1 };
    let first = stored.write(&prompt, &Silent).unwrap();
    assert_eq!(stored.write(&prompt, &Silent).unwrap(), first);
    assert_eq!(first.text, "hello");
    stored.write(&Prompt { seed: 2, ..prompt.clone() }, &Silent).unwrap();
    assert_eq!(stored.model().0.load(Ordering::Relaxed), 2);

    // Who only wants to know what would be asked is told, and nobody is asked.
    let rehearsal = Rehearsal::new(&stored, "anything");
    assert_eq!(rehearsal.write(&prompt, &Silent).unwrap(), first);
    let new = Prompt { seed: 3, ..prompt };
    assert_eq!(rehearsal.write(&new, &Silent).unwrap().text, "anything");
    assert_eq!(rehearsal.asked(), [new]);
    assert_eq!(stored.model().0.load(Ordering::Relaxed), 2);
}
