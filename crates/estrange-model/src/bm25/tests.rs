//! Words of code, scores by the formulas, and options.

use estrange_words::Hint;

use super::words::{KEYWORDS, STOP_WORDS};
use super::*;
use crate::traits::Silent;

fn terms(options: &str, text: &str) -> Vec<String> {
    Bm25::new(options.parse().unwrap()).terms(text)
}

fn rank(options: &str, query: &str, documents: &[&str]) -> Vec<Scored> {
    let documents: Vec<Item<'_>> = documents.iter().map(|text| Item { id: "", text }).collect();
    let ranker = Bm25::new(options.parse().unwrap());
    ranker.rank(&[Item { id: "", text: query }], &documents, 10, &Silent).unwrap().remove(0)
}

#[test]
fn lists_of_words_are_in_order() {
    assert!(STOP_WORDS.is_sorted());
    assert!(KEYWORDS.is_sorted());
}

#[test]
fn identifiers_are_cut_into_words() {
    assert_eq!(terms("stem=no", "parseHTTPHeader"), ["parse", "http", "header", "parsehttpheader"]);
    assert_eq!(terms("stem=no,whole=no", "int32_to_utf8"), ["int", "32", "utf", "8"]);
    assert_eq!(terms("split=no", "read_LINE(x)"), ["read_lin", "x"]);
    assert_eq!(terms("", "__ 0x1Fu 3.5e2"), ["0x1fu", "3", "5e2"]);
    assert_eq!(terms("", "größeÄndern"), ["größe", "ändern", "größeändern"]);
    assert_eq!(terms("", "→ ∑ \u{0}"), Vec::<String>::new());
}

#[test]
fn words_are_stemmed_and_left_out_as_asked() {
    let text = "The function returns an int";
    assert_eq!(terms("", text), ["function", "return", "int"]);
    assert_eq!(terms("stem=no", text), ["function", "returns", "int"]);
    assert_eq!(terms("stop=no", text), ["the", "function", "return", "an", "int"]);
    assert_eq!(terms("keywords=no", text), ["function", "return"]);
    assert_eq!(terms("keywords=no", "return int_value"), ["int", "valu", "int_valu"]);
}

/// Worked out by hand from the formulas: two documents of 1 and 3 words, of which the first has `a` and the second `a` and
/// twice `b`.
#[test]
fn scores_are_those_of_the_formulas() {
    let weight = |variant: &str| match variant {
        "robertson" => 0.0,
        "lucene" => (1.0_f64 + 1.5 / 1.5).ln(),
        "atire" => 2.0_f64.ln(),
        "bm25+" => 3.0_f64.ln(),
        _ => (3.0_f64 / 1.5).ln(),
    };
    for (variant, _) in Variant::ALL {
        let options = format!("{variant},k1=1.5,b=0.5,delta=0.5,stop=no");
        let ranking = rank(&options, "b", &["a", "a b b"]);
        // The mean length is 2, so that the second document's norm is 0.5 + 0.5 × 1.5.
        let norm = 1.25;
        let (has, lacks) = match variant {
            "robertson" | "lucene" => (2.0 / (1.5 * norm + 2.0), 0.0),
            "atire" => (2.5 * 2.0 / (1.5 * norm + 2.0), 0.0),
            "bm25+" => (2.5 * 2.0 / (1.5 * norm + 2.0) + 0.5, 0.5),
            _ => (2.5 * (2.0 / norm + 0.5) / (1.5 + 2.0 / norm + 0.5), 2.5 * 0.5 / (1.5 + 0.5)),
        };
        let expected = [has * weight(variant), lacks * weight(variant)];
        for (document, expected) in [1, 0].into_iter().zip(expected) {
            let scored = ranking.iter().find(|scored| scored.document == document).unwrap();
            assert!((f64::from(scored.score) - expected).abs() < 1e-6, "{variant}: {} {expected}", scored.score);
        }
    }
}

#[test]
fn words_said_twice_count_as_k3_says() {
    let documents = ["x y", "z", "v"];
    let score = |options: &str, query: &str| rank(options, query, &documents)[0].score;
    assert_eq!(score("", "x x x"), score("", "x"));
    assert!((score("k3=inf", "x x x") - 3.0 * score("", "x")).abs() < 1e-6);
    assert!((score("k3=1", "x x x") - 1.5 * score("", "x")).abs() < 1e-6);
}

#[test]
fn of_equal_scores_the_last_comes_first() {
    let order = |query| rank("", query, &["x", "y", "x", ""]).iter().map(|scored| scored.document).collect::<Vec<_>>();
    assert_eq!(order("x"), [2, 0, 3, 1]);
    assert_eq!(order("of the"), [3, 2, 1, 0]);
}

#[test]
fn empty_texts_are_ranked_like_any() {
    assert_eq!(rank("", "x", &[]), []);
    let ranking = rank("bm25l", "x", &["", ""]);
    assert_eq!(ranking.iter().map(|scored| scored.score).collect::<Vec<_>>(), [0.0, 0.0]);
    assert!(rank("k1=0,b=1", "x", &["x", ""]).iter().all(|scored| scored.score.is_finite()));
}

/// More documents than are cut into words at a time, so that numbers of words differ.
#[test]
fn many_documents_are_found_by_their_own_words() {
    let texts: Vec<String> = (0..5000).map(|number| format!("word{number} shared{} all", number % 7)).collect();
    let documents: Vec<Item<'_>> = texts.iter().map(|text| Item { id: "", text }).collect();
    let queries: Vec<Item<'_>> = documents.iter().rev().step_by(9).copied().collect();
    let rankings = Bm25::default().rank(&queries, &documents, 3, &Silent).unwrap();
    for (place, ranking) in rankings.iter().enumerate() {
        assert_eq!(ranking[0].document as usize, 4999 - 9 * place);
        assert_eq!(ranking.len(), 3);
    }
}

#[test]
fn whoever_watches_may_stop() {
    struct Stop;
    impl Watch for Stop {
        fn done(&self, _: usize) {}

        fn should_stop(&self) -> bool {
            true
        }
    }
    let item = [Item { id: "", text: "x" }];
    assert!(matches!(Bm25::default().rank(&item, &item, 1, &Stop), Err(ModelError::Stopped)));
}

#[test]
fn options_are_read_and_written() {
    let read = |text: &str| text.parse::<Options>().map(|options| options.to_string());
    assert_eq!(read("").as_deref(), Ok("lucene"));
    assert_eq!(read("stem=no , k3=inf,ATIRE,k1=1.20").as_deref(), Ok("atire,k3=inf,stem=no"));
    for (variant, _) in Variant::ALL {
        assert_eq!(read(variant).as_deref(), Ok(variant));
    }
    let all = "bm25l,k1=0,b=1,k3=8,delta=1,split=no,whole=no,stem=no,stop=no,keywords=no";
    assert_eq!(read(all).as_deref(), Ok(all));
    for wrong in ["bm26", "k4=1", "k1=-1", "k1=inf", "b=1.1", "b=x", "b=NaN", "stem=true", "stem", "k1="] {
        let error = wrong.parse::<Options>().unwrap_err();
        assert!(error.hint().is_some(), "{wrong}: {error}");
    }
}

#[test]
fn the_card_says_everything() {
    let card = Bm25::new("bm25+,stem=no".parse().unwrap()).card();
    assert_eq!(card["model"], "bm25");
    assert_eq!(card["variant"], "bm25+");
    assert_eq!(card["stem"], false);
    assert_eq!(card.as_object().unwrap().len(), 11);
}
