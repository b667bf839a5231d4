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
fn what_is_kept_is_there_in_the_next_run_and_in_one_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("models/answers");
    let store = Store::open(&path).unwrap();
    let beside = Store::open(&path).unwrap();
    (0..20).for_each(|number| store.put(key(number), &value(number)).unwrap());
    store.put(key(3), b"another answer").unwrap();
    for store in [beside, Store::open(&path).unwrap()] {
        assert!((0..20).all(|number| store.get(key(number)) == Some(value(number))));
        assert_eq!(store.get(key(20)), None);
    }
}

#[test]
fn parts_of_a_key_do_not_run_into_each_other() {
    assert_ne!(Key::new(&[b"ab", b"c"]), Key::new(&[b"a", b"bc"]));
    assert_ne!(Key::new(&[b"a"]), Key::new(&[b"a", b""]));
}

#[test]
fn a_damaged_answer_is_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.put(key(4), &value(4)).unwrap();
    let place = store.0.place(&key(4).name());
    let mut bytes = fs::read(&place).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&place, bytes).unwrap();
    assert_eq!(store.get(key(4)), None);
    store.put(key(4), b"again").unwrap();
    assert_eq!(store.get(key(4)).as_deref(), Some(&b"again"[..]));
}

/// Wherever a kill had cut the file of a former version, its whole answers are taken over.
#[test]
fn a_store_of_a_former_version_becomes_a_folder() {
    let values: Vec<Vec<u8>> = (0..4).map(value).collect();
    let all: Vec<(Key, &[u8])> = (0..4).map(|number| (key(number), values[number as usize].as_slice())).collect();
    let whole = former::written(&all);
    for cut in 0..=whole.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        fs::write(&path, &whole[..cut]).unwrap();
        let store = Store::open(&path).unwrap();
        for length in 0..=4 {
            let is_there = length > 0 && former::written(&all[..length as usize]).len() <= cut;
            assert_eq!(length > 0 && store.get(key(length - 1)).is_some(), is_there, "{length} of {cut}");
        }
        assert!(path.is_dir() && !path.with_extension("former").exists());
        // Killed on the way, the next run goes on.
        fs::write(path.with_extension("former"), &whole).unwrap();
        assert_eq!(Store::open(&path).unwrap().get(key(3)), Some(value(3)));
    }
}

#[test]
fn another_file_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes");
    fs::write(&path, "my notes").unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::NotAStore { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"my notes");
    assert!(matches!(Store::open(&path.join("within")), Err(StoreError::Io { .. })));
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
