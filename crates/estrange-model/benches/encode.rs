//! How fast texts become vectors here and in sentence-transformers with PyTorch, on the same cores, with the same values.
//!
//! `make peers` (or `cargo bench -p estrange-model --bench encode`) encodes the same texts with all-MiniLM-L6-v2 in both,
//! in turns, and compares every vector. One that differs by more than 1e-5 ends the run, as does a bar that is missed.
//! Model and packages are installed below the target folder, pinned by hash; PyTorch is some 1.5 GB.
//!
//! The texts are pieces of the C and C++ files in a folder, by default the system's headers; or they come from a file: a
//! list in JSON of texts, or of objects with the text in `code_text`.
//!
//! What is timed: from texts to vectors, tokenizing included, with the model in memory.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use estrange_model::{
    Embedder, Item, Role, Silent,
    local::{Local, Options},
};
use estrange_sandbox::Tool;

/// So many texts are taken from a folder, of so many lines each.
const TEXTS: usize = 500;
const LINES: usize = 30;
/// Each is measured so often, and the median counts.
const TIMES: usize = 3;
/// Ours is to be at least so many times as fast.
const BAR: f64 = 1.0;
const MODEL: &str = "all-MiniLM-L6-v2";

fn main() {
    let from = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let from = PathBuf::from(from.unwrap_or_else(|| "/usr/include".into()));
    let texts = if from.is_dir() { pieces(&from) } else { listed(&from) };
    assert!(!texts.is_empty(), "there is no text in {}", from.display());
    let folder = PathBuf::from(tool("model", MODEL));
    let peer = Peer::new(&folder, &texts);
    let model = Local::open(&folder, &Options::default()).expect("the model");
    let items: Vec<Item<'_>> = texts.iter().map(|text| Item { id: "", text }).collect();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut largest = 0.0_f32;
    for _ in 0..TIMES {
        let (time, expected) = peer.encode();
        theirs.push(time);
        let started = Instant::now();
        let vectors = model.embed(&items, Role::Document, &Silent).expect("vectors");
        ours.push(started.elapsed());
        assert_eq!(expected.len(), vectors.len() * model.dimensions());
        let differences = vectors.iter().flatten().zip(&expected).map(|(ours, theirs)| (ours - theirs).abs());
        largest = differences.fold(largest, f32::max);
    }
    let ratio = median(&mut theirs).as_secs_f64() / median(&mut ours).as_secs_f64();
    println!("{} texts of {}, {MODEL}: the largest difference is {largest:.1e}", texts.len(), from.display());
    println!("{:<24} {:>8} {:>8}", "", "texts/s", "ratio");
    for (name, times, ratio) in [("sentence-transformers", &mut theirs, 1.0), ("ours", &mut ours, ratio)] {
        println!("{name:<24} {:>8.1} {ratio:>8.2}", texts.len() as f64 / median(times).as_secs_f64());
    }
    assert!(largest <= 1e-5, "a vector differs by {largest:e}");
    assert!(ratio >= BAR, "ours is {ratio:.2} times as fast; the bar is {BAR}");
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The first pieces of the C and C++ files below a folder.
fn pieces(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
        entries.sort();
        for path in entries {
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if ["c", "cc", "cpp", "h", "hpp"].contains(&ending) {
                let text = std::fs::read(&path).expect("a file");
                let text = String::from_utf8_lossy(&text);
                texts.extend(text.lines().collect::<Vec<_>>().chunks(LINES).map(|lines| lines.join("\n")));
            }
            if texts.len() >= TEXTS {
                texts.truncate(TEXTS);
                return texts;
            }
        }
    }
    texts
}

/// The texts of a file.
fn listed(path: &Path) -> Vec<String> {
    let list: Vec<serde_json::Value> =
        serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("a list in JSON");
    let text = |value: &serde_json::Value| value.as_str().or(value["code_text"].as_str()).expect("a text").to_owned();
    list.iter().map(text).collect()
}

/// sentence-transformers with a model and some texts.
struct Peer {
    files: tempfile::TempDir,
    model: PathBuf,
    python: PathBuf,
    stand_ins: PathBuf,
}

impl Peer {
    fn new(model: &Path, texts: &[String]) -> Self {
        let files = tempfile::tempdir().expect("a folder");
        std::fs::write(files.path().join("texts"), serde_json::json!(texts).to_string()).expect("a file in it");
        let python = PathBuf::from(tool("python-environment", "sentence-transformers"));
        let stand_ins = python.ancestors().nth(3).expect("the environment's folder").join("stand-ins");
        let peer = Self { files, model: model.into(), python, stand_ins };
        run(&peer.script("stand_ins.py").argument(&peer.stand_ins));
        peer
    }

    fn script(&self, name: &str) -> Tool {
        Tool::new(&self.python).argument(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers").join(name))
    }

    /// The time that the texts took, and their vectors one after the other.
    fn encode(&self) -> (Duration, Vec<f32>) {
        let vectors = self.files.path().join("vectors");
        let script = self.script("encode.py").argument(&self.model).argument(self.files.path().join("texts"));
        let seconds = run(&script.argument(&vectors).environment("LD_LIBRARY_PATH", &self.stand_ins));
        let bytes = std::fs::read(vectors).expect("vectors");
        let values = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        (Duration::from_secs_f64(seconds.parse().expect("seconds")), values)
    }
}

/// What one of our tools prints.
fn tool(name: &str, argument: &str) -> String {
    run(&Tool::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools").join(name)).argument(argument))
}

fn run(tool: &Tool) -> String {
    let output = tool.clone().wall(Duration::from_secs(1800)).run().expect("it runs");
    assert!(output.success(), "{}", output.last_words(20));
    output.text().trim().to_owned()
}
