//! Models that write: what they say, what they do not say, and what they do not want to be told.

use std::sync::{Arc, Mutex};

use serde_json::{Map, json};

use super::limits;
use super::server::{Fault, FaultyServer};
use crate::openai::{Chat, Limits, Price, Server};
use crate::store::{Store, Stored};
use crate::traits::{Event, Silent, Watch};
use crate::writer::{Prompt, Writer, Written};

fn prompt(text: &str) -> Prompt {
    Prompt {
        system: Some("be short".to_owned()),
        user: text.to_owned(),
        begin: None,
        max_tokens: 50,
        temperature: 0.2,
        seed: 7,
    }
}

#[test]
fn a_model_writes() {
    let folder = tempfile::tempdir().unwrap();
    let faults = [Fault::Busy(None), Fault::Cut, Fault::Malformed];
    let server = FaultyServer::new(&faults);
    let price = Some(Price { read: 1e6, written: 2e6 });
    let extra = json!({ "max_tokens": null, "max_completion_tokens": 60 }).as_object().unwrap().clone();
    let place = Server::new(&server.address(), None).unwrap();
    let chat = Chat::new(place, "words", extra, Limits { price, ..limits() }).unwrap();
    let estimate = chat.estimate(&[prompt("abc"), prompt("abc")]);
    assert_eq!((estimate.requests, estimate.tokens), (2, 2 * (1 + 3 + 16 + 50)));
    let stored = Stored::new(chat, Arc::new(Store::open(&folder.path().join("answers")).unwrap()));
    let written = stored.write(&prompt("abc"), &Silent).unwrap();
    assert_eq!((written.text.as_str(), written.prompt_tokens, written.answer_tokens), ("cba", Some(7), Some(3)));
    assert_eq!(written.cost, Some(13.0));
    assert_eq!(stored.write(&prompt("abc"), &Silent).unwrap(), written);
    let requests = server.requests();
    assert_eq!(requests.len(), 4);
    assert_eq!(
        requests[0].body,
        json!({
            "model": "words", "max_completion_tokens": 60, "temperature": 0.2, "seed": 7,
            "messages": [{ "role": "system", "content": "be short" }, { "role": "user", "content": "abc" }],
        })
    );
    assert_eq!(requests[0].authorization, None);
}

#[test]
fn an_answer_without_a_text_is_an_answer_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let message = |content: &str| format!(r#"{{"choices": [{{"message": {{"content": {content}}}}}], "usage": {{}}}}"#);
    let answers = [r#"{"choices": []}"#.to_owned(), message("null"), message(r#""""#)];
    let faults: Vec<Fault> = answers.into_iter().map(|answer| Fault::Status(200, answer.leak())).collect();
    let server = FaultyServer::new(&faults);
    let price = Some(Price { read: 1e6, written: 2e6 });
    let place = Server::new(&server.address(), None).unwrap();
    let chat = Chat::new(place, "words", Map::new(), Limits { price, ..limits() }).unwrap();
    let stored = Stored::new(chat, Arc::new(Store::open(&folder.path().join("answers")).unwrap()));
    for _ in 0..2 {
        for text in ["a", "b", "c"] {
            let written = stored.write(&prompt(text), &Silent).unwrap();
            let nothing = Written { text: String::new(), prompt_tokens: None, answer_tokens: None, cost: None };
            assert_eq!(written, nothing, "{text}");
        }
        assert_eq!(server.requests().len(), 3);
    }
}

#[test]
fn what_a_model_that_thinks_does_not_want_is_left_out_and_told() {
    struct Told(Mutex<Vec<String>>);
    impl Watch for Told {
        fn done(&self, _: usize) {}

        fn happened(&self, event: Event<'_>) {
            if let Event::Unwanted { parameter, instead } = event {
                self.0.lock().unwrap().push(format!("{parameter} {instead:?}"));
            }
        }
    }
    let tokens = r#"{"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "param": "max_tokens", "code": "unsupported_parameter"}}"#;
    let temperature = r#"{"error": {"message": "'temperature' does not support 0.2 with this model.", "param": "temperature", "code": "unsupported_value"}}"#;
    let server = FaultyServer::new(&[Fault::Status(400, tokens), Fault::Status(400, temperature)]);
    let chat = Chat::new(Server::new(&server.address(), None).unwrap(), "o", Map::new(), limits()).unwrap();
    let told = Told(Mutex::default());
    assert_eq!(chat.write(&prompt("abc"), &told).unwrap().text, "cba");
    assert_eq!(chat.write(&prompt("def"), &told).unwrap().text, "fed");
    assert_eq!(*told.0.lock().unwrap(), ["max_tokens Some(\"max_completion_tokens\")", "temperature None"]);
    let requests = server.requests();
    assert_eq!(requests.len(), 4, "it is learnt once");
    let sent = &requests[3].body;
    assert_eq!((&sent["max_completion_tokens"], &sent["seed"]), (&json!(50), &json!(7)));
    assert!(sent.get("max_tokens").is_none() && sent.get("temperature").is_none(), "{sent}");
}
