//! How fast a language model reads and writes here and in llama.cpp, with the same file on the same cores.
//!
//! `make peers` (or `cargo bench -p estrange-inference --bench generate [-- FILE.gguf]`) runs both in turns. The model is
//! SmolLM2-135M-Instruct, which `tools/model` fetches, unless another one is named; llama.cpp's own program for this,
//! llama-bench, is built by `tools/llama-cpp`. As many threads are used as `RAYON_NUM_THREADS` says, or as there are cores.
//!
//! What is timed: reading a prompt, and writing an answer after it, with the model in memory. Ours includes the tokenizer and
//! the choice of tokens, which llama-bench leaves out. Processor time is counted as well: other work distorts it less.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use estrange_inference::decoder::{LanguageModel, Request};
use estrange_sandbox::Tool;

/// How many tokens are written.
const WRITTEN: usize = 128;
/// Each is measured so often, and the median counts.
const TIMES: usize = 3;
/// Ours is to be at least so many times as fast.
const BAR: f64 = 0.7;

/// How fast one of both was.
struct Speed {
    /// Tokens read a second.
    read: f64,
    /// Tokens written a second.
    written: f64,
    /// Tokens read by a second of processor time.
    read_by_processor: f64,
    /// Tokens written by a second of processor time.
    written_by_processor: f64,
}

fn main() {
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).map(PathBuf::from);
    let path = named.unwrap_or_else(|| tool("model", &["smollm2"]).into());
    let peer = tool("llama-cpp", &[]);
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|threads| threads.parse().ok());
    let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let started = Instant::now();
    let model = LanguageModel::open(&path).expect("a model");
    println!("{}, opened in {:.2} s; {threads} threads", path.display(), started.elapsed().as_secs_f64());
    let (mut all_ours, mut all_theirs) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let (prompt, speed) = ours(&model);
        all_ours.push(speed);
        all_theirs.push(theirs(&peer, &path, prompt, threads));
    }
    println!("{:<40} {:>8} {:>10} {:>6}", "tokens", "ours", "llama.cpp", "ratio");
    let row = |what: &str, speed: fn(&Speed) -> f64| {
        let [ours, theirs] = [&all_ours, &all_theirs].map(|all| median(all.iter().map(speed).collect()));
        println!("{what:<40} {ours:>8.1} {theirs:>10.1} {:>6.2}", ours / theirs);
        ours / theirs
    };
    let ratios = [row("read a second", |speed| speed.read), row("written a second", |speed| speed.written)];
    row("read by a second of processor time", |speed| speed.read_by_processor);
    row("written by a second of processor time", |speed| speed.written_by_processor);
    assert!(ratios.iter().all(|ratio| *ratio >= BAR), "the bar is {BAR}");
}

/// How many tokens the prompt has, and how fast we are.
fn ours(model: &LanguageModel) -> (usize, Speed) {
    let code = "int add(int a, int b) { return a + b; }\n".repeat(60);
    let run = |max_tokens| {
        let request = Request { system: None, user: &code, begin: None, max_tokens, temperature: 0.7, seed: 1 };
        let (started, before) = (Instant::now(), processor_seconds());
        // Each part of a text is announced before it is read.
        let announced = Mutex::new(Vec::new());
        let progress = |_| {
            announced.lock().expect("no panic").push(started.elapsed().as_secs_f64());
            ControlFlow::Continue(())
        };
        let generated = model.generate(&request, &progress).expect("an answer");
        let seconds = started.elapsed().as_secs_f64();
        (generated, seconds, processor_seconds() - before, announced.into_inner().expect("no panic"))
    };
    let (one, seconds, processor, announced) = run(1);
    // What is announced after the prompt's own parts are the tokens of the answer.
    let (many, all_seconds, all_processor, tokens) = run(WRITTEN + 1);
    let (prompt, written) = (one.prompt_tokens as f64, (many.answer_tokens - 1) as f64);
    let speed = Speed {
        read: prompt / seconds,
        written: written / (all_seconds - tokens[announced.len()]),
        read_by_processor: prompt / processor,
        written_by_processor: written / (all_processor - processor),
    };
    (one.prompt_tokens, speed)
}

/// How fast llama.cpp is.
fn theirs(program: &str, model: &Path, prompt: usize, threads: usize) -> Speed {
    let [tokens, threads, written] = [prompt, threads, WRITTEN].map(|number| number.to_string());
    let run = |arguments: &[&str]| {
        let script = "TIMEFORMAT='%U %S'; time \"$@\" 2>/dev/null";
        let tool = Tool::new("bash").arguments(["-c", script, "bash", program, "-m"]).argument(model);
        // Otherwise its threads wait for one another by spinning, which costs it most of its speed where other work goes on.
        let tool = tool.environment("OMP_WAIT_POLICY", "PASSIVE");
        let tool = tool.arguments(["-t", &threads, "-r", "1", "--no-warmup", "-o", "json"]).arguments(arguments);
        let output = tool.wall(Duration::from_secs(1800)).run().expect("it runs");
        assert!(output.success(), "{}", output.last_words(20));
        let times = String::from_utf8_lossy(&output.stderr);
        let processor: f64 = times.split_whitespace().filter_map(|time| time.parse::<f64>().ok()).sum();
        let results: serde_json::Value = serde_json::from_slice(&output.stdout).expect("results in JSON");
        (results[0]["avg_ts"].as_f64().expect("tokens a second"), processor)
    };
    let (opened, read, both) = (
        run(&["-p", "0", "-n", "1"]),
        run(&["-p", &tokens, "-n", "0"]),
        run(&["-p", "0", "-n", &written, "-d", &tokens]),
    );
    Speed {
        read: read.0,
        written: both.0,
        // The time that opening the model takes is none of ours either.
        read_by_processor: prompt as f64 / (read.1 - opened.1),
        written_by_processor: WRITTEN as f64 / (both.1 - read.1),
    }
}

/// The processor time that this process has used.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    // After the name, which is in brackets: the fields 14 and 15, in hundredths of a second.
    let (_, fields) = stat.rsplit_once(')').expect("a name");
    let ticks = fields.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// What one of our tools prints.
fn tool(name: &str, arguments: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools").join(name);
    let output = Tool::new(script).arguments(arguments).wall(Duration::from_secs(3600)).run().expect("it runs");
    assert!(output.success(), "{}", output.last_words(20));
    output.text().trim().to_owned()
}
