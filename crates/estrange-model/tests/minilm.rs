//! A real model: all-MiniLM-L6-v2, fetched by `tools/model`, against what sentence-transformers 6.2.0 says of it.

use std::{path::Path, time::Duration};

use estrange_model::{
    Embedder, Item, Ranker, Role, Silent,
    dense::Dense,
    local::{Local, Options},
};
use estrange_sandbox::Tool;

const CODE: &str = "static int count_leading_zeros(uint32_t word) {
    int count = 0;
    while (count < 32 && !(word & 0x80000000u)) { word <<= 1; count++; }
    return count;
}";

/// Where the numbers are taken from a vector, and those of each text below.
const PLACES: [usize; 8] = [0, 1, 2, 3, 100, 200, 300, 383];
const EXPECTED: [[f32; 8]; 5] = [
    [0.07349461, 0.07828025, -0.04556112, 0.0116729, 0.01870471, -0.01264594, -0.04543621, 0.02685321],
    [0.05486169, 0.06784123, -0.04579644, 0.00162447, -0.00755474, -0.03317916, -0.03787367, -0.00137654],
    [0.05331065, 0.06014822, 0.07871592, -0.05772108, -0.00812351, 0.19680364, 0.00097994, 0.00491372],
    [-0.11883841, 0.04829881, -0.00254804, -0.01101118, 0.03594956, 0.0377175, -0.0184271, -0.01571723],
    [0.02114034, 0.05354569, -0.01592413, -0.11203962, 0.01757587, 0.12612061, -0.0203252, 0.01044087],
];

fn model() -> Local {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/model");
    let output = Tool::new(script).argument("all-MiniLM-L6-v2").wall(Duration::from_secs(900)).run().expect("it runs");
    assert!(output.success(), "{}", output.last_words(20));
    Local::open(Path::new(output.text().trim()), &Options::default()).expect("a model")
}

#[test]
fn a_real_model_gives_the_vectors_that_sentence_transformers_gives() {
    let model = model();
    let card = model.card();
    assert_eq!(card["model"], "local:all-MiniLM-L6-v2");
    assert_eq!(card["max_tokens"], 256);
    assert_eq!(card["normalized"], true);
    // Prose, code, other scripts, nothing, and more than the model reads.
    let long = "if (left[i] == right[i]) continue; ".repeat(60);
    let prose = "Returns the number of leading zero bits of a word.";
    let texts = [prose, CODE, "Grüße aus Köln, 東京 and Ελλάδα 😀", "", &long].map(|text| Item { id: "", text });
    let vectors = model.embed(&texts, Role::Document, &Silent).expect("vectors");
    for (vector, expected) in vectors.iter().zip(EXPECTED) {
        assert_eq!(vector.len(), 384);
        for (place, expected) in PLACES.iter().zip(expected) {
            assert!((vector[*place] - expected).abs() < 2e-6, "{} where {expected} is expected", vector[*place]);
        }
    }
    let ranked = Dense::new(model).rank(&texts[..1], &texts[1..], 4, &Silent).expect("a ranking");
    assert_eq!(ranked[0].iter().map(|found| found.document).collect::<Vec<_>>(), [0, 3, 2, 1]);
    assert!((ranked[0][0].score - 0.727_242).abs() < 1e-5);
}
