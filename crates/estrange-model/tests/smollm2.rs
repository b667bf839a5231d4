//! A real language model: SmolLM2-135M-Instruct, fetched by `tools/model`, against what transformers 5.22.2 says with the
//! weights of the same file.

use std::{path::Path, time::Duration};

use estrange_model::{ModelError, Prompt, Silent, Writer, language::LanguageModel};
use estrange_sandbox::Tool;

const USER: &str = "Describe in one sentence what this function does.\n\n\
                    int add(int a, int b) { return a + b; } // 2024, naïve 😀";

/// What transformers answers with the likeliest token each time.
const EXPECTED: &str = "This function is a simple example of a function that takes two integer arguments and returns \
                        their sum. However, it's not a traditional function that would be used in a traditional \
                        programming language.";

fn model() -> LanguageModel {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/model");
    let output = Tool::new(script).argument("smollm2").wall(Duration::from_secs(900)).run().expect("it runs");
    assert!(output.success(), "{}", output.last_words(20));
    LanguageModel::open(Path::new(output.text().trim())).expect("a model")
}

#[test]
fn a_real_model_writes_what_transformers_writes() {
    let model = model();
    let card = model.card();
    assert_eq!(card["model"], "local:SmolLM2-135M-Instruct.Q4_1");
    assert_eq!(card["hash"], "5f4fa13bfc6dd4a91fd00e22974a9c4e9ed628fd7d7f307398ddf30260d6b2c3");
    assert_eq!(card["quantisation"], serde_json::json!(["F32", "Q4_1", "Q8_0"]));
    let prompt = Prompt { system: None, user: USER.to_owned(), begin: None, max_tokens: 60, temperature: 0.0, seed: 0 };
    let written = model.write(&prompt, &Silent).expect("an answer");
    assert_eq!(written.text, EXPECTED);
    assert_eq!((written.prompt_tokens, written.answer_tokens, written.cost), (Some(68), Some(37), Some(0.0)));

    // What is drawn is the same for the same seed, and not for another.
    let drawn = |seed| {
        let prompt = Prompt { max_tokens: 12, temperature: 1.0, seed, ..prompt.clone() };
        model.write(&prompt, &Silent).expect("an answer")
    };
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1).text, drawn(2).text);

    let long = Prompt { user: "int main(void);\n".repeat(2000), ..prompt };
    let error = model.write(&long, &Silent).expect_err("too long");
    assert!(matches!(error, ModelError::TooLong { answer: 60, context: 8192, .. }), "{error}");
}
