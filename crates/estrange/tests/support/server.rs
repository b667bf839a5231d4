//! A server that is only pretended: it speaks OpenAI's protocol, and answers as a test wants.

// Each test file uses a part of this.
#![allow(dead_code, clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use serde_json::{Value, json};

/// What a request is answered with.
pub enum Reply {
    /// This, and that all is well.
    Answer(Value),
    /// This, with a status that says otherwise.
    Refusal(u16, Value),
    /// Nothing, ever.
    Silence,
}

/// Starts a server, which ends with the process. Its address is returned.
pub fn server(reply: impl Fn(&Value) -> Reply + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let reply = Arc::new(reply);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let reply = Arc::clone(&reply);
            std::thread::spawn(move || serve(stream.unwrap(), &*reply));
        }
    });
    address
}

fn serve(mut stream: TcpStream, reply: &dyn Fn(&Value) -> Reply) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut length = 0;
    let mut line = String::new();
    while reader.read_line(&mut line).unwrap_or(0) > 2 {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let (status, answer) = match reply(&serde_json::from_slice(&body).unwrap_or_default()) {
        Reply::Answer(answer) => (200, answer.to_string()),
        Reply::Refusal(status, answer) => (status, answer.to_string()),
        Reply::Silence => {
            // Until the other side has had enough.
            let _ = stream.read(&mut [0]);
            return;
        }
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        answer.len()
    );
    let _ = stream.write_all((head + &answer).as_bytes());
}

/// Vectors by how often texts have each letter, if vectors are asked for.
pub fn vectors(asked: &Value) -> Option<Value> {
    let letters = |text: &Value| {
        let text = text.as_str().unwrap();
        ('a'..='z').map(|letter| text.matches(letter).count() as f64 + 0.1).collect::<Vec<f64>>()
    };
    let texts = asked["input"].as_array()?.iter().enumerate();
    let data = texts.map(|(index, text)| json!({ "object": "embedding", "index": index, "embedding": letters(text) }));
    Some(
        json!({ "object": "list", "data": data.collect::<Vec<_>>(), "usage": { "prompt_tokens": 7, "total_tokens": 7 } }),
    )
}

/// An answer of a model that writes.
pub fn said(text: Option<&str>) -> Value {
    json!({
        "choices": [{ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120 },
    })
}
