//! Runs against a server on this machine that does everything servers do wrong.

mod chat;
mod server;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use estrange_words::Hint;
use serde_json::json;

use super::*;
use crate::error::ModelError;
use crate::store::{Store, Stored};
use crate::traits::{Embedder, Event, Item, Role, Silent, Watch};
use server::{Fault, FaultyServer, vector};

/// Texts of different lengths, some of them twice.
fn texts() -> Vec<String> {
    (0..20).map(|number| format!("text {}", "x".repeat(number % 17))).collect()
}

fn items(texts: &[String]) -> Vec<Item<'_>> {
    texts.iter().map(|text| Item { id: "", text }).collect()
}

/// Three texts a request, two requests at a time, and little patience.
fn limits() -> Limits {
    Limits {
        at_a_time: 2,
        timeout: Duration::from_millis(1500),
        attempts: 4,
        first_pause: Duration::from_millis(4),
        longest_wait: Duration::from_secs(3),
        ..Limits::default()
    }
}

fn model(server: &FaultyServer, limits: Limits) -> Embeddings {
    let options = EmbeddingOptions { texts_a_request: 3, ..EmbeddingOptions::default() };
    let server = Server::new(&server.address(), Some("secret".to_owned())).unwrap();
    Embeddings::new(server, "numbers", options, limits).unwrap()
}

fn stored(server: &FaultyServer, limits: Limits, path: &Path) -> Stored<Embeddings> {
    Stored::new(model(server, limits), Arc::new(Store::open(path).unwrap()))
}

fn embed(model: &impl Embedder) -> Result<Vec<Vec<f32>>, ModelError> {
    model.embed(&items(&texts()), Role::Document, &Silent)
}

fn right() -> Vec<Vec<f32>> {
    texts().iter().map(|text| vector(text)).collect()
}

/// 17 different texts, three at a time.
const REQUESTS: usize = 6;

fn assert_each_answered_once(server: &FaultyServer) {
    let answered = server.answered();
    assert_eq!(answered.len(), 17);
    assert!(answered.values().all(|&count| count == 1), "{answered:?}");
}

#[test]
fn what_may_pass_is_tried_again() {
    let faults = [Fault::Busy(None), Fault::Busy(Some("0")), Fault::Broken, Fault::Hang, Fault::Cut, Fault::Malformed];
    let faults = [&faults[..], &[Fault::Status(503, ""), Fault::Status(408, "late"), Fault::Value("NaN")]].concat();
    for &fault in &faults {
        let folder = tempfile::tempdir().unwrap();
        let server = FaultyServer::new(&[Fault::None, fault]);
        let stored = stored(&server, limits(), &folder.path().join("answers"));
        assert_eq!(embed(&stored).unwrap(), right(), "{fault:?}");
        assert_eq!(server.requests().len(), REQUESTS + 1, "{fault:?}");
        assert_each_answered_once(&server);
        // All is there: nobody is asked.
        assert_eq!(embed(&stored).unwrap(), right());
        assert_eq!(server.requests().len(), REQUESTS + 1);
    }
    let server = FaultyServer::new(&faults);
    let folder = tempfile::tempdir().unwrap();
    let patient = Limits { attempts: 10, ..limits() };
    assert_eq!(embed(&stored(&server, patient, &folder.path().join("answers"))).unwrap(), right());
    assert_eq!(server.requests().len(), REQUESTS + faults.len());
    assert_each_answered_once(&server);
}

#[test]
fn vectors_in_another_order_find_their_texts() {
    let server = FaultyServer::new(&[Fault::Shuffled; 10]);
    assert_eq!(embed(&model(&server, limits())).unwrap(), right());
}

#[test]
fn a_wrong_answer_ends_the_run_and_the_next_goes_on() {
    let faults = [
        (Fault::Fewer, "openai:numbers gave 2 vectors where 3 was expected"),
        (Fault::Shorter, "openai:numbers gave a vector of 2 values where a vector of 3 values was expected"),
        (
            Fault::Value("null"),
            "openai:numbers gave a vector whose value 0 is not a finite number where numbers was expected",
        ),
        (Fault::Value("\"NaN\""), "value 0 is not a finite number"),
        (Fault::Value("1e99"), "value 0 is not a finite number"),
        (Fault::Value("[1]"), "another form of answer"),
        (Fault::Zeros, "openai:numbers gave a vector of zeros where one that points somewhere was expected"),
        (Fault::SameIndex, "a vector for text 0, twice or of none"),
        (Fault::Status(200, "{}"), "another form of answer (missing field `data`"),
    ];
    for (fault, words) in faults {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let server = FaultyServer::new(&[Fault::None, Fault::None, fault]);
        let error = embed(&stored(&server, limits(), &path)).unwrap_err();
        assert!(matches!(error, ModelError::WrongAnswer { .. }), "{fault:?}: {error}");
        assert!(error.to_string().contains(words), "{fault:?}: {error}");
        let asked = server.requests().len();
        assert!((3..REQUESTS + 1).contains(&asked), "{fault:?}: {asked}");
        assert_eq!(embed(&stored(&server, limits(), &path)).unwrap(), right(), "{fault:?}");
        assert_each_answered_once(&server);
    }
}

#[test]
fn what_the_server_refuses_is_not_tried_again() {
    let said = r#"{"error": {"message": "no such model", "code": "not_found"}}"#;
    let quota = r#"{"error": {"message": "no money left", "code": "insufficient_quota"}}"#;
    let faults = [
        (Fault::Status(400, r#"{"error": "too long"}"#), 400, "too long"),
        (Fault::Status(401, r#"{"detail": "who are you?"}"#), 401, "who are you?"),
        (Fault::Status(404, said), 404, "no such model (not_found)"),
        (Fault::Status(422, "<p>what?</p>"), 422, "<p>what?</p>"),
        (Fault::Status(429, quota), 429, "no money left (insufficient_quota)"),
        (Fault::Status(418, ""), 418, "without a word"),
    ];
    for (fault, status, words) in faults {
        let server = FaultyServer::new(&[fault]);
        let model = model(&server, Limits { at_a_time: 1, ..limits() });
        let error = embed(&model).unwrap_err();
        let address = format!("{}/embeddings", server.address());
        assert_eq!(error.to_string(), format!("{address} refuses the request ({status}): {words}"));
        let ModelError::Server(error) = error else { panic!("{error}") };
        assert!(error.hint().is_some());
        assert_eq!(server.requests().len(), 1, "{fault:?}");
    }
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let broken = [Fault::Broken; 4];
    let server = FaultyServer::new(&[&[Fault::None], &broken[..]].concat());
    let error = embed(&stored(&server, Limits { at_a_time: 1, ..limits() }, &path)).unwrap_err();
    let ModelError::Server(error) = error else { panic!("{error}") };
    let ServerError::NoAnswer { attempts: 4, detail, .. } = &error else { panic!("{error}") };
    assert!(detail.contains("500") && detail.contains("broken"), "{detail}");
    assert!(error.hint().unwrap().contains("goes on"));
    assert_eq!(embed(&stored(&server, limits(), &path)).unwrap(), right());
    assert_each_answered_once(&server);

    let malformed = FaultyServer::new(&[Fault::Malformed; 4]);
    let error = embed(&model(&malformed, Limits { at_a_time: 1, ..limits() })).unwrap_err();
    assert!(error.to_string().contains("what is not JSON"), "{error}");

    // Nobody is there at all.
    let address = server.address();
    drop(server);
    let gone =
        Embeddings::new(Server::new(&address, None).unwrap(), "x", EmbeddingOptions::default(), limits()).unwrap();
    assert!(matches!(embed(&gone), Err(ModelError::Server(ServerError::NoAnswer { attempts: 4, .. }))));
}

#[test]
fn the_server_says_how_long_to_wait() {
    let server = FaultyServer::new(&[Fault::Busy(Some("1"))]);
    let started = Instant::now();
    assert_eq!(embed(&model(&server, limits())).unwrap(), right());
    assert!(started.elapsed() >= Duration::from_secs(1));
    // All wait, not only who was told to: but others may have been on their way.
    let early = server.requests().iter().filter(|request| request.time - started < Duration::from_millis(900)).count();
    assert!(early <= 3, "{early}");

    let date = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(2));
    let server = FaultyServer::new(&[Fault::Busy(Some(date.leak()))]);
    let started = Instant::now();
    assert_eq!(embed(&model(&server, limits())).unwrap(), right());
    assert!(started.elapsed() >= Duration::from_millis(900));

    let server = FaultyServer::new(&[Fault::Busy(Some("3600"))]);
    let error = embed(&model(&server, limits())).unwrap_err();
    assert!(error.to_string().ends_with("wants to be asked again only in 3600 s"), "{error}");
}

#[test]
fn a_budget_is_kept_and_a_larger_one_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let server = FaultyServer::new(&[]);
    let with = |tokens| Limits { budget: Budget { tokens: Some(tokens), money: None }, ..limits() };
    let estimate = model(&server, limits()).estimate(&items(&texts()), Role::Document).unwrap();
    let error = embed(&stored(&server, with(estimate.tokens / 3), &path)).unwrap_err();
    assert!(matches!(error, ModelError::Server(ServerError::BudgetUsedUp { unit: "tokens", .. })), "{error}");
    let asked = server.requests().len();
    assert!((1..REQUESTS).contains(&asked), "{asked}");
    assert_eq!(embed(&stored(&server, with(estimate.tokens), &path)).unwrap(), right());
    assert_eq!(server.requests().len(), REQUESTS);
    assert_each_answered_once(&server);
}

#[test]
fn money_is_counted_by_the_price() {
    let server = FaultyServer::new(&[]);
    let price = Some(Price { read: 2e6, written: 0.0 });
    let with = |money| Limits { price, at_a_time: 1, budget: Budget { tokens: None, money: Some(money) }, ..limits() };
    let estimate = model(&server, with(1.0)).estimate(&items(&texts()), Role::Document).unwrap();
    assert_eq!(estimate.requests, 7);
    assert_eq!(estimate.money, 2.0 * estimate.tokens as f64);
    let error = embed(&model(&server, with(estimate.money / 2.0))).unwrap_err();
    assert!(error.to_string().contains("of money is used up"), "{error}");
    // The server counts fewer tokens than were estimated, so that there is some left in the end.
    assert!(embed(&model(&server, with(estimate.money))).is_ok());
}

#[test]
fn a_budget_of_nothing_is_an_error_before_anything_is_asked() {
    let make = |tokens, money, price| {
        let limits = Limits { budget: Budget { tokens, money }, price, ..limits() };
        let server = Server::new("http://127.0.0.1:1", None).unwrap();
        Embeddings::new(server, "x", EmbeddingOptions::default(), limits).map(|_| ()).unwrap_err()
    };
    let price = Some(Price { read: 1.0, written: 1.0 });
    assert_eq!(make(Some(0), None, None).to_string(), "the budget is 0 tokens: nothing can be asked");
    for money in [0.0, -1.0, f64::NAN] {
        assert_eq!(make(None, Some(money), price).to_string(), "the budget is 0 of money: nothing can be asked");
    }
    assert_eq!(make(None, Some(1.0), None), ServerError::NoPrice);
}

#[test]
fn requests_keep_the_pace_that_is_allowed() {
    let slowest = |limits| {
        let server = FaultyServer::new(&[]);
        let started = Instant::now();
        assert_eq!(embed(&model(&server, limits)).unwrap(), right());
        started.elapsed()
    };
    // Seven requests, six times a twentieth of a second between them.
    assert!(slowest(Limits { requests_a_minute: Some(1200), ..limits() }) >= Duration::from_millis(290));
    let tokens = model(&FaultyServer::new(&[]), limits()).estimate(&items(&texts()), Role::Document).unwrap().tokens;
    // All but the last request's tokens at a pace of all in half a second.
    assert!(slowest(Limits { tokens_a_minute: Some(tokens * 120), ..limits() }) >= Duration::from_millis(350));
}

#[test]
fn no_more_requests_than_allowed_are_on_their_way() {
    let late = [Fault::Late(Duration::from_millis(60)); 7];
    for at_a_time in [1, 3] {
        let server = FaultyServer::new(&late);
        assert_eq!(embed(&model(&server, Limits { at_a_time, ..limits() })).unwrap(), right());
        let most = server.most_inside();
        assert!(most <= at_a_time && (most > 1) == (at_a_time > 1), "{most}");
    }
}

#[test]
fn whoever_watches_may_stop_and_go_on_later() {
    /// Counts what is asked, not what is done: whoever asks is told at once.
    struct StopOnceThreeWereAsked(AtomicUsize);
    impl Watch for StopOnceThreeWereAsked {
        fn done(&self, _: usize) {}

        fn should_stop(&self) -> bool {
            self.0.load(Ordering::SeqCst) >= 3
        }

        fn happened(&self, event: Event<'_>) {
            self.0.fetch_add(usize::from(matches!(event, Event::Asked)), Ordering::SeqCst);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    let server = FaultyServer::new(&[]);
    let watch = StopOnceThreeWereAsked(AtomicUsize::new(0));
    let stopped = stored(&server, limits(), &path).embed(&items(&texts()), Role::Document, &watch);
    assert!(matches!(stopped, Err(ModelError::Stopped)));
    assert!(server.requests().len() < REQUESTS);
    assert_eq!(embed(&stored(&server, limits(), &path)).unwrap(), right());
    assert_each_answered_once(&server);

    // A long pause ends at once.
    let server = FaultyServer::new(&[Fault::Busy(Some("3"))]);
    let started = Instant::now();
    struct StopSoon(Instant);
    impl Watch for StopSoon {
        fn done(&self, _: usize) {}

        fn should_stop(&self) -> bool {
            self.0.elapsed() > Duration::from_millis(200)
        }
    }
    let stopped = model(&server, limits()).embed(&items(&texts()), Role::Document, &StopSoon(started));
    assert!(matches!(stopped, Err(ModelError::Stopped)));
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn texts_are_sent_as_the_options_say() {
    let server = FaultyServer::new(&[]);
    let options = EmbeddingOptions {
        query_prefix: "query: ".to_owned(),
        document_prefix: "é".to_owned(),
        truncation: Some(Truncation::Characters(9)),
        dimensions: Some(3),
        extra: json!({ "encoding_format": null, "user": "me" }).as_object().unwrap().clone(),
        ..EmbeddingOptions::default()
    };
    let place = Server::new(&format!("{}/", server.address()), Some("secret".to_owned())).unwrap();
    let model = Embeddings::new(place, "numbers", options, limits()).unwrap();
    let texts = ["".to_owned(), "ééééééééééé".to_owned()];
    model.embed(&items(&texts), Role::Query, &Silent).unwrap();
    model.embed(&items(&texts), Role::Document, &Silent).unwrap();
    let requests = server.requests();
    assert_eq!(
        requests[0].body,
        json!({ "model": "numbers", "input": ["query: ", "query: éé"], "dimensions": 3, "user": "me" })
    );
    assert_eq!(requests[1].body["input"], json!(["é", "ééééééééé"]));
    assert_eq!(requests[0].authorization.as_deref(), Some("Bearer secret"));
    let card = model.card();
    assert_eq!(card["truncation"], json!({ "characters": 9 }));
    assert_eq!(card["query_prefix"], "query: ");
    assert!(!card.to_string().contains("secret") && !format!("{model:?}").contains("secret"));

    // Who changes only what stands before queries need not pay for documents again.
    let with = |query_prefix: &str| {
        let options = EmbeddingOptions { query_prefix: query_prefix.to_owned(), ..EmbeddingOptions::default() };
        Embeddings::new(Server::new(&server.address(), None).unwrap(), "numbers", options, limits()).unwrap()
    };
    assert_eq!(with("a").basis(Role::Document), with("b").basis(Role::Document));
    assert_ne!(with("a").basis(Role::Query), with("b").basis(Role::Query));

    let plain = self::model(&server, limits());
    plain.embed(&items(&texts[..1]), Role::Query, &Silent).unwrap();
    assert_eq!(server.requests()[2].body["input"], json!([" "]));
}

#[test]
fn texts_are_cut_by_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokenizer.json");
    let tokenizer = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": { "type": "Whitespace" }, "post_processor": null, "decoder": null,
        "model": { "type": "WordLevel", "vocab": { "u": 0 }, "unk_token": "u" },
    });
    std::fs::write(&path, tokenizer.to_string()).unwrap();
    let tokenizer = Arc::new(estrange_inference::tokenizer::Tokenizer::load(&path).unwrap());
    let cut = |most, text: &str| {
        let truncation = Truncation::Tokens { most, tokenizer: Arc::clone(&tokenizer) };
        text[..truncation.end(text).unwrap()].trim_end().to_owned()
    };
    assert_eq!(cut(3, "int f ( void )"), "int f (");
    assert_eq!(cut(5, "int f ( void )"), "int f ( void )");
    assert_eq!(cut(1, "größe"), "größe");
    assert_eq!(cut(0, "größe"), "");
}

#[test]
fn requests_are_small_enough() {
    let server = FaultyServer::new(&[]);
    let options = EmbeddingOptions { tokens_a_request: 10, ..EmbeddingOptions::default() };
    let model = Embeddings::new(Server::new(&server.address(), None).unwrap(), "numbers", options, limits()).unwrap();
    let texts = ["x".repeat(15), "x".repeat(15), "x".repeat(15), "x".repeat(100), "x".to_owned()];
    assert_eq!(model.estimate(&items(&texts), Role::Document).unwrap().requests, 4);
    let vectors = model.embed(&items(&texts), Role::Document, &Silent).unwrap();
    assert_eq!(vectors, texts.iter().map(|text| vector(text)).collect::<Vec<_>>());
    assert_eq!(server.requests().len(), 4);
    assert!(model.embed(&[], Role::Document, &Silent).unwrap().is_empty());
}

#[test]
fn who_waits_is_told_and_silence_is_not_borne_for_long() {
    struct Told(Mutex<Vec<(u32, String)>>);
    impl Watch for Told {
        fn done(&self, _: usize) {}

        fn happened(&self, event: Event<'_>) {
            if let Event::Again { detail, attempt, .. } = event {
                self.0.lock().unwrap().push((attempt, detail.to_owned()));
            }
        }
    }
    let server = FaultyServer::new(&[Fault::Hang; 9]);
    let limits = Limits { timeout: Duration::from_millis(100), attempts: 9, silences: 2, at_a_time: 1, ..limits() };
    let told = Told(Mutex::default());
    let error = model(&server, limits).embed(&items(&texts()), Role::Document, &told).unwrap_err();
    assert!(error.to_string().ends_with("in 2 attempts; the last time: no answer in 0.1 s"), "{error}");
    assert_eq!(*told.0.lock().unwrap(), [(1, "no answer in 0.1 s".to_owned())]);
}

#[test]
fn a_server_that_points_elsewhere_is_not_followed() {
    let server = FaultyServer::new(&[Fault::Moved("https://elsewhere/v1")]);
    let error = embed(&model(&server, Limits { at_a_time: 1, ..limits() })).unwrap_err();
    assert!(error.to_string().ends_with("does not answer itself (307) but points to https://elsewhere/v1"), "{error}");
    assert!(error.hint().unwrap().contains("OPENAI_BASE_URL"));
}

#[test]
fn the_environment_names_the_server() {
    let server = |address: Option<&str>, key: Option<&str>| {
        Server::from_variables(|name| match name {
            "OPENAI_BASE_URL" => address.map(str::to_owned),
            "OPENAI_API_KEY" => key.map(str::to_owned),
            _ => None,
        })
    };
    assert_eq!(server(None, None), Err(ServerError::NotConfigured));
    assert_eq!(server(None, Some(" ")), Err(ServerError::NotConfigured));
    assert_eq!(server(None, Some("key")).unwrap().address, Server::DEFAULT);
    assert_eq!(server(Some("http://localhost:8080/v1/"), None).unwrap().address, "http://localhost:8080/v1");
    for wrong in ["localhost:8080", "ftp://localhost", "http://", "http:///v1", "http://h/v1?key=1"] {
        assert!(matches!(server(Some(wrong), None), Err(ServerError::Address { .. })), "{wrong}");
    }
    let error = server(Some("https://me:secret@host/v1"), None).unwrap_err();
    assert!(!error.to_string().contains("secret"), "{error}");
}
