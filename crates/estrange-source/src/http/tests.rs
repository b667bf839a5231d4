//! Downloads from a server on this machine that does everything servers do wrong.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use estrange_sandbox::{Launcher, Protection, Sandbox};

use super::*;
use crate::cache::Cache;
use crate::progress::Silent;

/// What the server does with one request.
#[derive(Debug, Clone)]
enum Reply {
    /// Answers as it should, ranges and all.
    Well,
    /// Announces everything, and closes the connection after so many bytes of the body.
    Cut(usize),
    /// Sends everything, and says nothing about its length.
    WithoutLength,
    /// Announces fewer bytes than it sends.
    TooShort(usize),
    /// Answers with this status and no body.
    Status(u16),
    /// Sends the client elsewhere.
    Redirect(&'static str),
    /// Never answers.
    Hang,
    /// Sends half, then nothing more, and keeps the connection.
    Stall,
    /// Takes no notice of the range that is asked for.
    IgnoreRange,
    /// Answers a range with another.
    WrongRange,
}

struct Server {
    url: String,
    requests: Arc<Mutex<Vec<String>>>,
    state: Arc<Mutex<State>>,
}

struct State {
    script: VecDeque<Reply>,
    content: Vec<u8>,
    etag: &'static str,
}

impl Server {
    /// Follows the script, then answers well.
    fn start(content: &[u8], script: &[Reply]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/x.tar", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let script = script.iter().cloned().collect();
        let state = Arc::new(Mutex::new(State { script, content: content.to_vec(), etag: "\"one\"" }));
        let (seen, shared) = (Arc::clone(&requests), Arc::clone(&state));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, shared) = (Arc::clone(&seen), Arc::clone(&shared));
                thread::spawn(move || {
                    let _ = serve(stream, &seen, &shared);
                });
            }
        });
        Self { url, requests, state }
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<String>>, state: &Mutex<State>) -> io::Result<()> {
    let mut request = String::new();
    let mut reader = BufReader::new(stream.try_clone()?);
    while reader.read_line(&mut request)? > 2 {}
    seen.lock().unwrap().push(request.to_lowercase());
    let (reply, content, etag) = {
        let mut state = state.lock().unwrap();
        (state.script.pop_front().unwrap_or(Reply::Well), state.content.clone(), state.etag)
    };
    let field = |name: &str| {
        let lower = request.to_lowercase();
        lower.lines().find_map(|line| Some(line.strip_prefix(name)?.trim().to_owned()))
    };
    let length = content.len();
    let whole = format!("HTTP/1.1 200 OK\r\nETag: {etag}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    let start = field("range: bytes=").and_then(|range| range.trim_end_matches('-').parse::<usize>().ok());
    let start = start.filter(|_| field("if-range:").is_none_or(|tag| tag == etag));
    match reply {
        Reply::Well if field("if-none-match:").as_deref() == Some(etag) => {
            write!(stream, "HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n")
        }
        Reply::Well | Reply::WrongRange if start.is_some_and(|start| start < length) => {
            let start = start.unwrap_or_default();
            let stated = if matches!(reply, Reply::WrongRange) { start + 1 } else { start };
            let left = length - start;
            write!(
                stream,
                "HTTP/1.1 206 Partial Content\r\nETag: {etag}\r\nConnection: close\r\nContent-Length: {left}\r\n"
            )?;
            write!(stream, "Content-Range: bytes {stated}-{}/{length}\r\n\r\n", length - 1)?;
            stream.write_all(&content[start..])
        }
        Reply::Well if start.is_some() => {
            write!(stream, "HTTP/1.1 416 Range Not Satisfiable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        Reply::Well | Reply::IgnoreRange | Reply::WrongRange => {
            write!(stream, "{whole}")?;
            stream.write_all(&content)
        }
        Reply::Cut(after) if start.is_some() => {
            let start = start.unwrap_or_default();
            let left = length - start;
            write!(
                stream,
                "HTTP/1.1 206 Partial Content\r\nETag: {etag}\r\nConnection: close\r\nContent-Length: {left}\r\n"
            )?;
            write!(stream, "Content-Range: bytes {start}-{}/{length}\r\n\r\n", length - 1)?;
            stream.write_all(&content[start..start + after.min(left)])
        }
        Reply::Cut(after) => {
            write!(stream, "{whole}")?;
            stream.write_all(&content[..after])
        }
        Reply::WithoutLength => {
            write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
            stream.write_all(&content)
        }
        Reply::TooShort(announced) => {
            write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {announced}\r\n\r\n")?;
            stream.write_all(&content)
        }
        Reply::Status(status) => {
            write!(stream, "HTTP/1.1 {status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        Reply::Redirect(to) => {
            write!(stream, "HTTP/1.1 302 Found\r\nLocation: {to}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        Reply::Hang => {
            thread::sleep(Duration::from_secs(20));
            Ok(())
        }
        Reply::Stall => {
            write!(stream, "{whole}")?;
            stream.write_all(&content[..length / 2])?;
            stream.flush()?;
            thread::sleep(Duration::from_secs(20));
            Ok(())
        }
    }
}

struct Bench {
    _folder: tempfile::TempDir,
    cache: Cache,
    sandbox: Sandbox,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path().join("cache")).unwrap();
        Self {
            _folder: folder,
            cache,
            sandbox: Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap(),
        }
    }

    fn fetch(&self, url: &str, pinned: Option<Sha256>) -> Result<Download, Loss> {
        let patience = Patience { silence: Duration::from_millis(400), attempts: 3, pause: Duration::from_millis(10) };
        let job = Job { cache: &self.cache, sandbox: &self.sandbox, progress: &Silent, patience };
        fetch(&job, url, pinned)
    }

    /// The content that was kept.
    fn content(&self, download: &Download) -> Vec<u8> {
        fs::read(self.cache.download(download.sha256).unwrap().expect("it is kept")).unwrap()
    }
}

fn content() -> Vec<u8> {
    (0..300_000u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

/// Follows the script and expects the content whole at the end.
fn arrives(script: &[Reply]) -> Vec<String> {
    let server = Server::start(&content(), script);
    let bench = Bench::new();
    let download = bench.fetch(&server.url, None).unwrap();
    assert!(bench.content(&download) == content(), "the content differs");
    assert_eq!((download.name.as_str(), download.bytes), ("x.tar", 300_000));
    assert_eq!(fs::read_dir(bench.cache.folder("partial")).unwrap().count(), 0, "nothing stays behind");
    server.requests()
}

fn fails(script: &[Reply]) -> Loss {
    let server = Server::start(&content(), script);
    Bench::new().fetch(&server.url, None).unwrap_err()
}

#[test]
fn a_whole_body_arrives() {
    assert_eq!(arrives(&[]).len(), 1);
    assert_eq!(arrives(&[Reply::WithoutLength]).len(), 1);
}

#[test]
fn a_body_that_is_cut_is_continued_where_it_stopped() {
    let requests = arrives(&[Reply::Cut(100_000), Reply::Cut(50_000), Reply::Well]);
    assert_eq!(requests.len(), 3);
    assert!(requests[1].contains("range: bytes=100000-"), "{}", requests[1]);
    assert!(requests[1].contains("if-range: \"one\""), "{}", requests[1]);
    assert!(requests[2].contains("range: bytes=150000-"), "{}", requests[2]);
}

#[test]
fn progress_outweighs_any_number_of_cuts() {
    assert_eq!(arrives(&vec![Reply::Cut(20_000); 14]).len(), 15);
}

#[test]
fn a_server_without_ranges_starts_anew() {
    assert_eq!(arrives(&[Reply::Cut(100_000), Reply::IgnoreRange]).len(), 2);
    assert_eq!(arrives(&[Reply::Cut(100_000), Reply::WrongRange]).len(), 3);
}

#[test]
fn passing_troubles_are_sat_out() {
    arrives(&[Reply::Status(503), Reply::Status(429)]);
    arrives(&[Reply::Hang]);
    arrives(&[Reply::Stall]);
    arrives(&[Reply::Redirect("/elsewhere/x.tar")]);
}

#[test]
fn lasting_troubles_are_told_apart() {
    assert!(matches!(fails(&[Reply::Status(404)]), Loss::NotFound { .. }));
    assert!(matches!(fails(&[Reply::Status(403)]), Loss::Refused { status: 403, .. }));
    assert!(matches!(fails(&vec![Reply::Status(500); 9]), Loss::Refused { status: 500, .. }));
    assert!(matches!(fails(&vec![Reply::Cut(0); 9]), Loss::Truncated { expected: 300_000, received: 0, .. }));
    assert!(matches!(fails(&vec![Reply::Redirect("/again"); 20]), Loss::Network { .. }));
    let started = Instant::now();
    assert!(matches!(fails(&vec![Reply::Hang; 9]), Loss::Network { .. }));
    assert!(started.elapsed() < Duration::from_secs(10), "it gives up in time");
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert!(matches!(Bench::new().fetch(&format!("http://{closed}/x.tar"), None), Err(Loss::Network { .. })));
}

#[test]
fn bytes_beyond_the_announced_length_are_not_taken() {
    let server = Server::start(&content(), &[Reply::TooShort(1000)]);
    let bench = Bench::new();
    let download = bench.fetch(&server.url, None).unwrap();
    assert_eq!(bench.content(&download), content()[..1000]);
}

#[test]
fn a_later_run_continues_what_an_earlier_one_left() {
    let server = Server::start(&content(), &[Reply::Cut(100_000), Reply::Status(403)]);
    let bench = Bench::new();
    assert!(matches!(bench.fetch(&server.url, None), Err(Loss::Refused { .. })));
    let download = bench.fetch(&server.url, None).unwrap();
    assert!(bench.content(&download) == content());
    assert!(server.requests()[2].contains("range: bytes=100000-"));
}

#[test]
fn a_file_that_changed_meanwhile_is_not_patched_together() {
    let server = Server::start(&content(), &[Reply::Cut(100_000), Reply::Status(403)]);
    let bench = Bench::new();
    assert!(bench.fetch(&server.url, None).is_err());
    let other: Vec<u8> = content().into_iter().rev().collect();
    *server.state.lock().unwrap() = State { script: VecDeque::new(), content: other.clone(), etag: "\"two\"" };
    assert!(bench.content(&bench.fetch(&server.url, None).unwrap()) == other);
}

#[test]
fn what_is_known_is_asked_about_but_not_fetched_again() {
    let server = Server::start(&content(), &[]);
    let bench = Bench::new();
    let first = bench.fetch(&server.url, None).unwrap();
    assert_eq!(bench.fetch(&server.url, None).unwrap(), first);
    assert!(server.requests()[1].contains("if-none-match: \"one\""));
    // A pinned file is not even asked about.
    assert_eq!(bench.fetch(&server.url, Some(first.sha256)).unwrap(), first);
    assert_eq!(server.requests().len(), 2);
    // Without an answer, the known file will do.
    server.state.lock().unwrap().script = vec![Reply::Hang; 9].into();
    assert_eq!(bench.fetch(&server.url, None).unwrap(), first);
    // A damaged copy is fetched anew.
    server.state.lock().unwrap().script.clear();
    fs::write(bench.cache.folder("downloads").join(first.sha256.to_string()), "damaged").unwrap();
    assert!(bench.content(&bench.fetch(&server.url, None).unwrap()) == content());
}
