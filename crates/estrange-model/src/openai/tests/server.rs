//! A server on this machine that speaks OpenAI's protocol, and does wrong whatever it is told to.

use std::collections::{HashMap, VecDeque};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// What a server does wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fault {
    /// Nothing: the next fault is for another request.
    None,
    /// 429, perhaps with a time to wait.
    Busy(Option<&'static str>),
    /// 500.
    Broken,
    /// This status and body.
    Status(u16, &'static str),
    /// 307, to there.
    Moved(&'static str),
    /// Never answers.
    Hang,
    /// Stops in the middle of the body.
    Cut,
    /// Half of the body, and it says that this is all.
    Malformed,
    /// One vector is missing.
    Fewer,
    /// The last vector is shorter.
    Shorter,
    /// The first value of the last vector is this.
    Value(&'static str),
    /// The last vector is of zeros.
    Zeros,
    /// The vectors come in another order, which their indexes tell.
    Shuffled,
    /// All vectors say that they belong to the first text.
    SameIndex,
    /// Right, but late.
    Late(Duration),
}

/// A request that came.
#[derive(Debug, Clone)]
pub struct Request {
    pub path: String,
    pub authorization: Option<String>,
    pub body: Value,
    pub time: Instant,
}

#[derive(Default)]
struct State {
    faults: Mutex<VecDeque<Fault>>,
    requests: Mutex<Vec<Request>>,
    /// How often each text was answered with all that belongs to an answer.
    answered: Mutex<HashMap<String, usize>>,
    inside: AtomicUsize,
    most_inside: AtomicUsize,
    is_over: AtomicBool,
}

/// A server that runs until it is dropped.
pub struct FaultyServer {
    state: Arc<State>,
    port: u16,
}

impl FaultyServer {
    /// A server that does these things wrong with the first requests, and none with those after.
    pub fn new(faults: &[Fault]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State::default());
        state.faults.lock().unwrap().extend(faults);
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if shared.is_over.load(Ordering::Relaxed) {
                    break;
                }
                let (stream, shared) = (stream.unwrap(), Arc::clone(&shared));
                std::thread::spawn(move || shared.serve(stream));
            }
        });
        Self { state, port }
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.state.requests.lock().unwrap().clone()
    }

    /// How many requests were on their way at a time, at most.
    pub fn most_inside(&self) -> usize {
        self.state.most_inside.load(Ordering::Relaxed)
    }

    /// How often each text was answered.
    pub fn answered(&self) -> HashMap<String, usize> {
        self.state.answered.lock().unwrap().clone()
    }
}

impl Drop for FaultyServer {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

/// The vector of a text.
pub fn vector(text: &str) -> Vec<f32> {
    let sum: u32 = text.bytes().map(u32::from).sum();
    vec![text.len() as f32, sum as f32 / 64.0, -0.5]
}

impl State {
    fn serve(&self, mut stream: TcpStream) {
        let Some(request) = read(&mut stream) else { return };
        let inside = self.inside.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_inside.fetch_max(inside, Ordering::SeqCst);
        let fault = self.faults.lock().unwrap().pop_front().unwrap_or(Fault::None);
        self.requests.lock().unwrap().push(request.clone());
        if let Fault::Late(time) = fault {
            std::thread::sleep(time);
        }
        // Before the answer goes: who has it may ask again at once.
        self.inside.fetch_sub(1, Ordering::SeqCst);
        self.answer(&mut stream, &request, fault);
    }

    fn answer(&self, stream: &mut TcpStream, request: &Request, fault: Fault) {
        let right = match request.path.as_str() {
            "/v1/embeddings" => embeddings(&request.body, fault),
            "/v1/chat/completions" => chat(&request.body),
            _ => return respond(stream, 404, "", r#"{"error": {"message": "no such path"}}"#),
        };
        match fault {
            Fault::Busy(wait) => {
                let header = wait.map_or_else(String::new, |wait| format!("Retry-After: {wait}\r\n"));
                respond(stream, 429, &header, r#"{"error": {"message": "too much to do", "code": "rate_limit"}}"#);
            }
            Fault::Broken => respond(stream, 500, "", "<html>broken</html>"),
            Fault::Status(status, body) => respond(stream, status, "", body),
            Fault::Moved(to) => respond(stream, 307, &format!("Location: {to}\r\n"), ""),
            Fault::Hang => {
                // Until the other side has had enough.
                let _ = stream.read(&mut [0]);
            }
            Fault::Cut => {
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", right.len());
                let _ = stream.write_all(format!("{head}{}", &right[..right.len() / 2]).as_bytes());
            }
            Fault::Malformed => respond(stream, 200, "", &right[..right.len() / 2]),
            Fault::Fewer | Fault::Shorter | Fault::Value(_) | Fault::Zeros | Fault::SameIndex => {
                respond(stream, 200, "", &right)
            }
            Fault::None | Fault::Shuffled | Fault::Late(_) => {
                for text in request.body["input"].as_array().into_iter().flatten() {
                    *self.answered.lock().unwrap().entry(text.as_str().unwrap().to_owned()).or_default() += 1;
                }
                respond(stream, 200, "", &right);
            }
        }
    }
}

fn embeddings(body: &Value, fault: Fault) -> String {
    let texts: Vec<&str> = body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let data = texts.iter().enumerate().map(|(index, text)| json!({ "index": index, "embedding": vector(text) }));
    let mut data: Vec<Value> = data.collect();
    let last = data.len() - 1;
    match fault {
        Fault::Fewer => data.truncate(last),
        Fault::Shorter => data[last]["embedding"].as_array_mut().unwrap().truncate(2),
        Fault::Value(_) => data[last]["embedding"][0] = json!("VALUE"),
        Fault::Zeros => data[last]["embedding"] = json!([0.0, 0.0, 0.0]),
        Fault::Shuffled => data.reverse(),
        Fault::SameIndex => data.iter_mut().for_each(|datum| datum["index"] = json!(0)),
        _ => (),
    }
    let tokens: usize = texts.iter().map(|text| text.len().div_ceil(4)).sum();
    let answer = json!({ "data": data, "usage": { "prompt_tokens": tokens, "total_tokens": tokens } }).to_string();
    match fault {
        Fault::Value(value) => answer.replace("\"VALUE\"", value),
        _ => answer,
    }
}

/// Answers with the last message, turned around.
fn chat(body: &Value) -> String {
    let text = body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap();
    let text: String = text.chars().rev().collect();
    json!({
        "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 7, "completion_tokens": 3 },
    })
    .to_string()
}

fn respond(stream: &mut TcpStream, status: u16, headers: &str, body: &str) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} X\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n");
    let _ = stream.write_all(format!("{head}{body}").as_bytes());
}

fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let header = |name: &str| {
                head.lines().find_map(|line| {
                    let (found, value) = line.split_once(':')?;
                    found.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
                })
            };
            let length: usize = header("content-length").unwrap().parse().unwrap();
            if bytes.len() >= end + 4 + length {
                return Some(Request {
                    path: head.split(' ').nth(1).unwrap().to_owned(),
                    authorization: header("authorization"),
                    body: serde_json::from_slice(&bytes[end + 4..]).unwrap(),
                    time: Instant::now(),
                });
            }
        }
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend(&chunk[..count]),
        }
    }
}
