//! Models against a slow computation of the same, and folders that hold none.

mod tiny;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use safetensors::Dtype;
use tempfile::TempDir;

use super::*;
use tiny::{DIMENSIONS, HEADS, POSITIONS, Random, Tiny, VOCABULARY, write};

/// Texts of all lengths up to what fits, some empty, so that they meet in every place of a panel.
fn texts() -> Vec<(String, Vec<u32>)> {
    let mut random = Random(3);
    let text = |length: usize| {
        let words: Vec<u32> = (0..length).map(|_| (random.next() * (VOCABULARY - 4) as f64) as u32).collect();
        let tokens = [2].into_iter().chain(words.iter().map(|word| word + 4)).chain([3]);
        (words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" "), tokens.collect())
    };
    (0..60).chain([1, 31, 0, 30, 29, 7]).map(text).collect()
}

fn words(texts: &[(String, Vec<u32>)]) -> Vec<&str> {
    texts.iter().map(|(text, _)| text.as_str()).collect()
}

/// Nobody who follows the work.
fn silent(_: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn folder(tiny: &Tiny) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    tiny.write(folder.path());
    folder
}

fn bert() -> Tiny {
    Tiny::new("bert", "gelu", Dtype::F32)
}

fn open(folder: &TempDir) -> Result<Encoder, LocalError> {
    Encoder::open(folder.path(), &Options::default())
}

fn encode(model: &Encoder, texts: &[(String, Vec<u32>)]) -> Vec<Vec<f32>> {
    model.encode(&words(texts), Role::Document, &silent).expect("vectors")
}

/// One way from tokens' vectors to a text's.
fn pool(name: &str, tokens: &[Vec<f64>]) -> Vec<f64> {
    let count = tokens.len() as f64;
    (0..DIMENSIONS)
        .map(|at| {
            let values = tokens.iter().map(|token| token[at]);
            match name {
                "cls_token" => tokens[0][at],
                "lasttoken" => tokens[tokens.len() - 1][at],
                "max_tokens" => values.fold(f64::NEG_INFINITY, f64::max),
                "mean_tokens" => values.sum::<f64>() / count,
                "mean_sqrt_len_tokens" => values.sum::<f64>() / count.sqrt(),
                "weightedmean_tokens" => {
                    let weights = (1..=tokens.len()).map(|weight| weight as f64);
                    let sum: f64 = weights.clone().sum();
                    weights.zip(values).map(|(weight, value)| weight * value).sum::<f64>() / sum
                }
                _ => panic!("{name} is not known"),
            }
        })
        .collect()
}

fn assert_near(ours: &[f32], expected: &[f64], what: &str) {
    assert_eq!(ours.len(), expected.len(), "{what}");
    for (ours, expected) in ours.iter().zip(expected) {
        assert!((f64::from(*ours) - expected).abs() < 1e-5, "{what}: {ours} where {expected} is expected");
    }
}

#[test]
fn every_kind_of_model_computes_what_it_should() {
    for (kind, activation, numbers, prefix) in [
        ("bert", "gelu", Dtype::F32, ""),
        ("bert", "relu", Dtype::F16, "bert."),
        ("roberta", "gelu_new", Dtype::BF16, "roberta."),
        ("distilbert", "gelu", Dtype::F32, "distilbert."),
    ] {
        let tiny = Tiny::new(kind, activation, numbers);
        let folder = folder(&tiny);
        tiny.write_weights(folder.path(), prefix);
        let texts = texts();
        let mut model = open(&folder).expect("a model");
        let vectors = encode(&model, &texts);
        model.model.set_cpu(Cpu::plain());
        let plain = encode(&model, &texts);
        for (((text, tokens), vector), plain) in texts.iter().zip(&vectors).zip(&plain) {
            let expected = pool("mean_tokens", &tiny.compute(tokens));
            assert_near(vector, &expected, &format!("{kind}: {text}"));
            assert_near(plain, &expected, &format!("{kind} on a plain machine: {text}"));
        }
    }
}

#[test]
fn vectors_of_texts_come_from_those_of_tokens_as_the_files_say() {
    let tiny = bert();
    let folder = folder(&tiny);
    let texts = texts();
    let modules = |normalise: bool| {
        let all = [("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")];
        let all = all.iter().take(if normalise { 3 } else { 2 });
        all.map(|(kind, path)| json!({ "type": format!("sentence_transformers.models.{kind}"), "path": path }))
            .collect()
    };
    let all = ["cls_token", "max_tokens", "mean_tokens", "mean_sqrt_len_tokens", "weightedmean_tokens", "lasttoken"];
    for names in [&all[..1], &all[1..2], &all[2..3], &all[3..4], &all[4..5], &all[5..], &all[..]] {
        let config: serde_json::Map<String, Value> =
            all.iter().map(|name| (format!("pooling_mode_{name}"), json!(names.contains(name)))).collect();
        write(folder.path(), "1_Pooling/config.json", &config.into());
        for normalise in [false, true] {
            write(folder.path(), "modules.json", &modules(normalise));
            let vectors = encode(&open(&folder).expect("a model"), &texts[..9]);
            for ((text, tokens), vector) in texts.iter().zip(&vectors) {
                let tokens = tiny.compute(tokens);
                let mut expected: Vec<f64> = names.iter().flat_map(|name| pool(name, &tokens)).collect();
                if normalise {
                    let length = expected.iter().map(|x| x * x).sum::<f64>().sqrt();
                    expected.iter_mut().for_each(|x| *x /= length);
                }
                assert_near(vector, &expected, &format!("{names:?}, {normalise}: {text}"));
            }
        }
    }
    write(folder.path(), "1_Pooling/config.json", &json!({ "pooling_mode": ["cls", "weightedmean"] }));
    assert_eq!(open(&folder).expect("a model").card()["pooling"], json!(["cls", "weightedmean"]));
    write(folder.path(), "1_Pooling/config.json", &json!({ "pooling_mode": "mean" }));
    assert_eq!(open(&folder).expect("a model").card()["pooling"], json!(["mean"]));
}

#[test]
fn a_text_has_the_same_vector_in_any_company_on_any_threads_with_any_instructions() {
    let folder = folder(&bert());
    let texts = texts();
    let together = encode(&open(&folder).expect("a model"), &texts);
    for cpu in Cpu::all() {
        for threads in [1, 3] {
            let options = Options { threads: Some(threads), ..Options::default() };
            let mut model = Encoder::open(folder.path(), &options).expect("a model");
            model.model.set_cpu(cpu);
            assert_eq!(encode(&model, &texts), together, "{cpu:?}");
            for (text, vector) in texts.iter().zip(&together) {
                assert_eq!(&encode(&model, std::slice::from_ref(text))[0], vector, "{cpu:?}: {}", text.0);
            }
        }
    }
    assert!(encode(&open(&folder).expect("a model"), &[]).is_empty());
}

#[test]
fn texts_are_cut_off_where_positions_end_or_earlier() {
    let tiny = bert();
    let folder = folder(&tiny);
    let words: Vec<u32> = (0..200).map(|word| word % 100).collect();
    let long = words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let cut = |length: usize| -> Vec<u32> {
        [2].into_iter().chain(words[..length - 2].iter().map(|word| word + 4)).chain([3]).collect()
    };
    let with = |max_tokens| {
        let model = Encoder::open(folder.path(), &Options { max_tokens, ..Options::default() }).expect("a model");
        let vector = encode(&model, &[(long.clone(), Vec::new())]).remove(0);
        (model.card()["max_tokens"].clone(), vector)
    };
    for (asked, length) in [(None, POSITIONS), (Some(1000), POSITIONS), (Some(50), 50), (Some(3), 3)] {
        let (said, vector) = with(asked);
        assert_eq!(said, json!(length));
        assert_near(&vector, &pool("mean_tokens", &tiny.compute(&cut(length))), &format!("{asked:?}"));
    }
    write(folder.path(), "tokenizer_config.json", &json!({ "model_max_length": 60 }));
    assert_eq!(with(None).0, json!(60));
    write(folder.path(), "tokenizer_config.json", &json!({ "model_max_length": 1e30 }));
    assert_eq!(with(None).0, json!(POSITIONS));
    write(folder.path(), "sentence_bert_config.json", &json!({ "max_seq_length": 40, "do_lower_case": false }));
    assert_eq!(with(None).0, json!(40));
    assert_eq!(with(Some(50)).0, json!(50));

    let few = Encoder::open(folder.path(), &Options { max_tokens: Some(2), ..Options::default() });
    assert!(matches!(few, Err(LocalError::TooFewTokens { asked: 2, own: 2 })));
}

#[test]
fn what_is_put_before_texts_is_the_models_own_unless_it_is_given() {
    let folder = folder(&bert());
    let prompts = json!({ "prompts": { "query": "w1 ", "passage": "w2 " }, "default_prompt_name": null });
    write(folder.path(), "config_sentence_transformers.json", &prompts);
    let prefixed = open(&folder).expect("a model");
    let plain =
        Options { query_prefix: Some(String::new()), document_prefix: Some("w7 ".into()), ..Options::default() };
    let plain = Encoder::open(folder.path(), &plain).expect("a model");
    let one = |model: &Encoder, text, role| model.encode(&[text], role, &silent).expect("a vector");
    assert_eq!(one(&prefixed, "w5", Role::Query), one(&plain, "w1 w5", Role::Query));
    assert_eq!(one(&plain, "w5", Role::Document), one(&plain, "w7 w5", Role::Query));
    assert_eq!(one(&prefixed, "w5", Role::Document), one(&plain, "w2 w5", Role::Query));
    assert_ne!(one(&prefixed, "w5", Role::Document), one(&plain, "w5", Role::Query));
    assert_eq!(plain.card()["document_prefix"], "w7 ");
    assert_eq!(prefixed.card()["query_prefix"], "w1 ");
    assert_eq!(prefixed.card()["hash"], plain.card()["hash"]);
}

#[test]
fn the_card_tells_models_apart() {
    let first = folder(&bert());
    let mut other = bert();
    let (shape, mut values) = other.remove("embeddings.LayerNorm.bias");
    values[0] += 1.0;
    other.insert("embeddings.LayerNorm.bias", (shape, values));
    let second = folder(&other);
    let (first, second) = (open(&first).expect("a model").card(), open(&second).expect("a model").card());
    assert_ne!(first["hash"], second["hash"]);
    assert_eq!(first["architecture"], "bert");
    assert_eq!(first["dimensions"], DIMENSIONS);
    assert_eq!(first["normalized"], false);
}

#[test]
fn the_work_ends_when_it_is_asked_to_and_is_told_of() {
    let folder = folder(&bert());
    let model = Encoder::open(folder.path(), &Options { threads: Some(1), ..Options::default() }).expect("a model");
    let texts = texts();
    let up_to = |most: usize| {
        let done = AtomicUsize::new(0);
        let count = |texts| match done.fetch_add(texts, Ordering::Relaxed) + texts < most {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        let result = model.encode(&words(&texts), Role::Query, &count).map(|_| ());
        (result, done.into_inner())
    };
    assert!(matches!(up_to(usize::MAX), (Ok(()), done) if done == texts.len()));
    assert!(matches!(up_to(5), (Err(RunError::Stopped), done) if done < texts.len()));
}

#[test]
fn weights_that_are_no_numbers_give_an_error_and_no_vector() {
    let mut tiny = bert();
    let (shape, mut values) = tiny.remove("embeddings.LayerNorm.bias");
    values[0] = f64::NAN;
    tiny.insert("embeddings.LayerNorm.bias", (shape, values));
    let model = open(&folder(&tiny)).expect("a model");
    let answer = model.encode(&["w1"], Role::Query, &silent);
    assert!(matches!(answer, Err(RunError::NotFinite { .. })));
}

#[test]
fn folders_without_a_model_that_can_be_used_are_told_apart() {
    let error = |change: &dyn Fn(&Path)| {
        let folder = folder(&bert());
        change(folder.path());
        open(&folder).err().expect("an error").to_string().replace(&folder.path().display().to_string(), "DIR")
    };
    let config = |key: &'static str, value: Value| {
        move |folder: &Path| {
            let path = folder.join("config.json");
            let mut config: Value = serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("JSON");
            config[key] = value.clone();
            write(folder, "config.json", &config);
        }
    };
    let remove = |name: &'static str| move |folder: &Path| std::fs::remove_file(folder.join(name)).expect("removed");
    let rename = |from: &'static str, to: &'static str| {
        move |folder: &Path| std::fs::rename(folder.join(from), folder.join(to)).expect("renamed")
    };
    let not = "is not a model's folder: there is no";
    assert_eq!(error(&remove("config.json")), format!("DIR {not} config.json in it"));
    assert_eq!(error(&remove("tokenizer.json")), format!("DIR {not} tokenizer.json in it"));
    assert_eq!(error(&remove("model.safetensors")), format!("DIR {not} model.safetensors in it"));
    for name in ["pytorch_model.bin", "model-q4_0.gguf", "model-00001-of-00002.safetensors"] {
        assert_eq!(
            error(&rename("model.safetensors", name)),
            format!("DIR has its weights as {name}, which is not read")
        );
    }
    assert_eq!(
        error(&config("quantization_config", json!({ "quant_method": "gptq", "bits": 4 }))),
        "DIR is quantised by gptq, which needs a GPU"
    );
    assert_eq!(
        error(&config("model_type", json!("qwen2"))),
        "DIR is a model of the kind qwen2; known are bert, roberta, xlm-roberta, camembert, distilbert"
    );
    let unsupported = |what: &str| format!("DIR asks for {what}, which is not supported");
    assert_eq!(error(&config("hidden_act", json!("silu"))), unsupported("the activation silu"));
    assert_eq!(error(&config("position_embedding_type", json!("alibi"))), unsupported("positions of the type alibi"));
    assert_eq!(error(&config("is_decoder", json!(true))), unsupported("causal attention"));
    for heads in [0, 7, HEADS * 2] {
        let what = format!("{heads} heads for {DIMENSIONS} dimensions: each must have a multiple of 8");
        assert_eq!(error(&config("num_attention_heads", json!(heads))), unsupported(&what));
    }
    let module = json!([{ "type": "sentence_transformers.models.Dense", "path": "2_Dense" }]);
    assert_eq!(
        error(&|folder| write(folder, "modules.json", &module)),
        unsupported("a module sentence_transformers.models.Dense")
    );
    assert_eq!(
        error(&config("num_hidden_layers", json!(3))),
        "the weights have no tensor encoder.layer.2.attention.self.query.weight"
    );
    assert_eq!(
        error(&config("num_hidden_layers", json!(1))),
        "the weights have 16 tensors that the configuration does not speak of, such as \
         encoder.layer.1.attention.output.LayerNorm.bias"
    );
    assert_eq!(
        error(&config("intermediate_size", json!(200))),
        "the tensor encoder.layer.0.intermediate.dense.weight has the shape [400, 40] where [200, 40] is expected"
    );
    for name in ["config.json", "tokenizer.json", "model.safetensors", "modules.json"] {
        let said = error(&|folder| std::fs::write(folder.join(name), "{\"half").expect("written"));
        assert!(said.starts_with(&format!("DIR/{name} cannot be understood: ")), "{said}");
    }
    let nowhere = Encoder::open(Path::new("/nowhere/at-all"), &Options::default()).err().expect("an error");
    assert!(matches!(nowhere, LocalError::NoModel { .. }), "{nowhere}");
    let file = Encoder::open(Path::new("Cargo.toml"), &Options::default()).err().expect("an error");
    assert!(matches!(file, LocalError::NoModel { .. }), "{file}");
}

#[test]
fn numbers_of_other_types_are_refused() {
    let folder = folder(&bert());
    let bytes = vec![0; VOCABULARY * DIMENSIONS * 8];
    let view =
        safetensors::tensor::TensorView::new(Dtype::I64, vec![VOCABULARY, DIMENSIONS], &bytes).expect("a tensor");
    let file = safetensors::serialize([("embeddings.word_embeddings.weight", view)], None).expect("a file");
    std::fs::write(folder.path().join("model.safetensors"), file).expect("written");
    assert!(matches!(open(&folder), Err(LocalError::Dtype { found, .. }) if found == "I64"));
}
