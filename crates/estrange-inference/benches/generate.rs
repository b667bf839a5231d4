//! How fast a language model reads and writes on this machine: `make peers`, or
//! `cargo bench -p estrange-inference --bench generate [-- FILE.gguf]`.
//!
//! The model is SmolLM2-135M-Instruct, which `tools/model` fetches, unless another one is named.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use estrange_inference::decoder::{LanguageModel, Request};
use estrange_sandbox::Tool;

fn main() {
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).map(PathBuf::from);
    let path = named.unwrap_or_else(|| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/model");
        let output = Tool::new(script).argument("smollm2").run().expect("it runs");
        assert!(output.success(), "{}", output.last_words(20));
        PathBuf::from(output.text().trim())
    });
    let started = Instant::now();
    let model = LanguageModel::open(&path).expect("a model");
    println!("{} opened in {:.2} s", path.display(), started.elapsed().as_secs_f64());
    let code = "int add(int a, int b) { return a + b; }\n".repeat(60);
    let seconds = |max_tokens| {
        let request = Request { system: None, user: &code, begin: None, max_tokens, temperature: 0.7, seed: 1 };
        let started = Instant::now();
        let generated = model.generate(&request, &|_| ControlFlow::Continue(())).expect("an answer");
        (started.elapsed().as_secs_f64(), generated)
    };
    let (reading, one) = seconds(1);
    let (both, many) = seconds(129);
    let written = (many.answer_tokens - one.answer_tokens) as f64;
    println!("prompt: {:.1} tokens a second ({} tokens)", one.prompt_tokens as f64 / reading, one.prompt_tokens);
    println!("answer: {:.1} tokens a second ({written} tokens)", written / (both - reading));
}
