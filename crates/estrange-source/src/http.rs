//! Downloads archives from the web: in one piece or in several, as the network allows.
//!
//! A body that stops early is continued where it stopped, in this run and in the next, as long as the server still
//! has the same file (`If-Range`). Whole is what has the announced length.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use estrange_http::retry::{self, Backoff};
use serde::{Deserialize, Serialize};
use ureq::http::{Response, StatusCode, header};
use ureq::{Agent, Body};

use crate::cache::{Download, Key};
use crate::digest::Sha256;
use crate::job::Job;
use crate::loss::Loss;
use crate::patience::Patience;
use crate::progress::Step;

/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(8);

/// The largest file that is downloaded.
const LARGEST: u64 = 4 * 1024 * 1024 * 1024;

/// What is remembered of an address.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Remembered {
    download: Download,
    validator: Option<Validator>,
}

/// What tells whether the server still has the same file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Validator {
    Etag(String),
    LastModified(String),
}

/// The file at this address. With a pinned digest, a kept file of that digest will do without asking.
pub(crate) fn fetch(job: &Job<'_>, url: &str, pinned: Option<Sha256>) -> Result<Download, Loss> {
    let name = url.split(['?', '#']).next().unwrap_or(url).rsplit('/').next().unwrap_or(url).to_owned();
    if let Some(sha256) = pinned
        && let Some(file) = job.cache.download(sha256)?
    {
        let bytes = file.metadata().map_err(Loss::io("read", &file))?.len();
        return Ok(Download { name, sha256, bytes });
    }
    let key = Key::new("url", [url]);
    if !job.cache.is_writable()
        && let Some(remembered) = kept(job, &key)?
    {
        return Ok(remembered.download);
    }
    job.cache.require_writable(&name)?;
    let _lock = job.cache.lock(&key, job.progress)?;
    let known = kept(job, &key)?;
    let transfer = Transfer {
        url,
        name: &name,
        agent: agent(url, job.patience),
        folder: job.cache.partial(&key)?,
        patience: job.patience,
        job,
    };
    match transfer.run(known.as_ref()) {
        Ok(Some((file, validator))) => {
            let download = job.cache.keep_download(&file, &name)?;
            job.cache.keep_record(&key, &Remembered { download: download.clone(), validator })?;
            crate::cache::remove(&transfer.folder).map_err(Loss::io("remove", &transfer.folder))?;
            Ok(download)
        }
        Ok(None) => known.map(|known| known.download).ok_or_else(|| transfer.unreachable("it says nothing changed")),
        Err(loss) if loss.is_transient() && known.is_some() => {
            job.progress.message(&format!("{name}: not reachable; taking the kept file"));
            known.map(|known| known.download).ok_or(loss)
        }
        Err(loss) => Err(loss),
    }
}

/// What is remembered of an address, if its file is still there.
fn kept(job: &Job<'_>, key: &Key) -> Result<Option<Remembered>, Loss> {
    let Some(remembered) = job.cache.record::<Remembered>(key) else { return Ok(None) };
    Ok(job.cache.download(remembered.download.sha256)?.map(|_| remembered))
}

fn agent(url: &str, patience: Patience) -> Agent {
    estrange_http::client()
        // What was asked for safely is not accepted otherwise.
        .https_only(url.starts_with("https://"))
        .max_redirects(10)
        .accept_encoding("identity")
        .timeout_resolve(Some(patience.silence))
        .timeout_connect(Some(patience.silence))
        .timeout_recv_response(Some(patience.silence))
        .timeout_per_read(Some(patience.silence))
        .build()
        .new_agent()
}

/// One file on its way.
struct Transfer<'a> {
    url: &'a str,
    name: &'a str,
    agent: Agent,
    /// Holds `body`, what has come so far, and `state.json`, what it is a part of.
    folder: PathBuf,
    patience: Patience,
    job: &'a Job<'a>,
}

/// What a partial body is a part of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    url: String,
    validator: Option<Validator>,
    length: Option<u64>,
}

/// How one attempt ended.
enum Attempt {
    /// The body is whole.
    Whole(Option<Validator>),
    /// The server has what we have.
    Unchanged,
    /// The body stopped, or never began; another attempt may help.
    Stopped(Loss),
}

impl Transfer<'_> {
    /// The finished file, or `None` where the server says that the known file is still the one.
    fn run(&self, known: Option<&Remembered>) -> Result<Option<(PathBuf, Option<Validator>)>, Loss> {
        let body = self.folder.join("body");
        let mut fruitless = 0;
        let backoff = Backoff { first: self.patience.pause, longest: LONGEST_PAUSE };
        loop {
            let before = length(&body);
            match self.attempt(&body, known)? {
                Attempt::Whole(validator) => return Ok(Some((body, validator))),
                Attempt::Unchanged => return Ok(None),
                Attempt::Stopped(loss) => {
                    if length(&body) > before {
                        fruitless = 0;
                    }
                    fruitless += 1;
                    tracing::debug!(name = self.name, %loss, fruitless, "a download stopped");
                    if fruitless >= self.patience.attempts {
                        return Err(loss);
                    }
                }
            }
            thread::sleep(backoff.pause(fruitless, self.url.as_bytes()));
        }
    }

    fn attempt(&self, body: &Path, known: Option<&Remembered>) -> Result<Attempt, Loss> {
        let state: Option<State> = fs::read(self.folder.join("state.json"))
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok())
            .filter(|state: &State| state.url == self.url);
        let have = length(body);
        let mut request = self.agent.get(self.url);
        let resumed = match state.as_ref().and_then(|state| state.validator.as_ref()) {
            Some(Validator::Etag(text) | Validator::LastModified(text)) if have > 0 => {
                request = request.header(header::RANGE, format!("bytes={have}-")).header(header::IF_RANGE, text);
                true
            }
            _ => false,
        };
        match known.and_then(|known| known.validator.as_ref()) {
            Some(Validator::Etag(text)) if !resumed => request = request.header(header::IF_NONE_MATCH, text),
            Some(Validator::LastModified(text)) if !resumed => {
                request = request.header(header::IF_MODIFIED_SINCE, text);
            }
            _ => (),
        }
        let response = match request.call() {
            Ok(response) => response,
            Err(error) => return self.failed(&error),
        };
        let status = response.status();
        match status {
            StatusCode::NOT_MODIFIED if known.is_some() => Ok(Attempt::Unchanged),
            StatusCode::PARTIAL_CONTENT if resumed && range_start(&response) == Some(have) => {
                let rest = content_length(&response).map(|rest| have + rest);
                let whole = state.as_ref().and_then(|state| state.length).or(rest);
                self.receive(response, body, have, whole)
            }
            StatusCode::OK => {
                let state = State {
                    url: self.url.to_owned(),
                    validator: validator(&response),
                    length: content_length(&response),
                };
                self.begin(body, &state)?;
                self.receive(response, body, 0, state.length)
            }
            // What we have is not a part of what the server has: start anew.
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT => {
                crate::cache::remove(body).map_err(Loss::io("remove", body))?;
                Ok(Attempt::Stopped(self.refused(status)))
            }
            StatusCode::NOT_FOUND | StatusCode::GONE => Err(Loss::NotFound { what: self.url.to_owned() }),
            status if retry::is_transient(status) => Ok(Attempt::Stopped(self.refused(status))),
            status => Err(self.refused(status)),
        }
    }

    /// Forgets what came before, and notes what is about to come.
    fn begin(&self, body: &Path, state: &State) -> Result<(), Loss> {
        crate::cache::remove(body).map_err(Loss::io("remove", body))?;
        let path = self.folder.join("state.json");
        let text = serde_json::to_vec(state).map_err(|error| Loss::io("write", &path)(error.into()))?;
        fs::write(&path, text).map_err(Loss::io("write", &path))
    }

    /// Takes in what the server sends, behind the `have` bytes that are there.
    fn receive(&self, response: Response<Body>, body: &Path, have: u64, whole: Option<u64>) -> Result<Attempt, Loss> {
        let too_large = || Loss::TooLarge {
            what: self.url.to_owned(),
            bound: format!("more than {LARGEST} bytes"),
            entry: String::new(),
        };
        if whole.is_some_and(|whole| whole > LARGEST) {
            return Err(too_large());
        }
        let step = Step::new(self.job.progress, &format!("downloading {}", self.name), whole);
        step.advanced(have);
        let tag = validator(&response);
        let mut file = File::options().create(true).append(true).open(body).map_err(Loss::io("open", body))?;
        let mut reader = response.into_body().into_with_config().limit(LARGEST).reader();
        let mut chunk = vec![0; 64 * 1024];
        let mut received = have;
        loop {
            match reader.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => {
                    file.write_all(&chunk[..count]).map_err(Loss::io("write", body))?;
                    received += count as u64;
                    step.advanced(count as u64);
                    if received > LARGEST {
                        return Err(too_large());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                Err(error) if whole.is_none() => return Ok(Attempt::Stopped(self.unreachable(&error.to_string()))),
                Err(_) => break,
            }
        }
        match whole {
            Some(whole) if received < whole => {
                Ok(Attempt::Stopped(Loss::Truncated { what: self.url.to_owned(), expected: whole, received }))
            }
            Some(whole) if received > whole => {
                crate::cache::remove(body).map_err(Loss::io("remove", body))?;
                Ok(Attempt::Stopped(self.unreachable("more came than was announced")))
            }
            _ => Ok(Attempt::Whole(tag)),
        }
    }

    /// An attempt that got no answer.
    fn failed(&self, error: &ureq::Error) -> Result<Attempt, Loss> {
        match error {
            ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::RequireHttpsOnly(_) => {
                Err(Loss::Unsupported { what: self.url.to_owned(), format: error.to_string() })
            }
            ureq::Error::TooManyRedirects | ureq::Error::RedirectFailed | ureq::Error::HostNotFound => {
                Err(self.unreachable(&error.to_string()))
            }
            _ => Ok(Attempt::Stopped(self.unreachable(&error.to_string()))),
        }
    }

    fn unreachable(&self, detail: &str) -> Loss {
        Loss::Network { what: self.url.to_owned(), detail: detail.to_owned() }
    }

    fn refused(&self, status: StatusCode) -> Loss {
        Loss::Refused { what: self.url.to_owned(), status: status.as_u16() }
    }
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

fn text(response: &Response<Body>, name: header::HeaderName) -> Option<&str> {
    response.headers().get(name)?.to_str().ok()
}

fn content_length(response: &Response<Body>) -> Option<u64> {
    text(response, header::CONTENT_LENGTH)?.trim().parse().ok()
}

/// A weak tag does not promise the same bytes, so it is none.
fn validator(response: &Response<Body>) -> Option<Validator> {
    let etag = text(response, header::ETAG).filter(|tag| !tag.starts_with("W/"));
    let date = || text(response, header::LAST_MODIFIED).map(|date| Validator::LastModified(date.to_owned()));
    etag.map(|tag| Validator::Etag(tag.to_owned())).or_else(date)
}

/// Where a partial answer starts: the `N` of `bytes N-M/LENGTH`.
fn range_start(response: &Response<Body>) -> Option<u64> {
    let range = text(response, header::CONTENT_RANGE)?.trim().strip_prefix("bytes ")?;
    range.split('-').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests;
