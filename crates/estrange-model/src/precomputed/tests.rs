//! Files of vectors and rankings, whole and otherwise.

use estrange_words::Hint;

use super::*;
use crate::error::ModelError;
use crate::traits::{Embedder, Item, Role, Scored, Silent};

/// A folder with files of these names and contents.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, content)| fs::write(folder.path().join(name), content).unwrap());
    folder
}

fn items<'a>(ids: &[&'a str]) -> Vec<Item<'a>> {
    ids.iter().map(|id| Item { id, text: "" }).collect()
}

fn rank(file: &str, content: &[u8], queries: &[&str], documents: &[&str]) -> Result<Vec<Vec<Scored>>, ModelError> {
    let folder = folder(&[(file, content)]);
    open(&folder.path().join(file))?.rank(&items(queries), &items(documents), 10, &Silent)
}

/// An array as NumPy would save it.
fn npy(descr: &str, order: &str, shape: &str, values: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values);
    bytes
}

const JSONL: &[u8] = b"{\"id\": \"q\", \"embedding\": [1, 0.5]}\n\n{\"id\": \"d\", \"embedding\": [-1e0, 2]}\n";

#[test]
fn vectors_are_found_by_their_ids() {
    let single: Vec<u8> = [1.0_f32, 0.5, -1.0, 2.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    let double: Vec<u8> = [1.0_f64, 0.5, -1.0, 2.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    let folder = folder(&[
        ("a.jsonl", JSONL),
        ("b.npy", &npy("<f4", "False", "(2, 2)", &single)),
        ("b.ids.txt", b"q\nd\n"),
        ("c.npy", &npy("<f8", "False", "(2, 2)", &double)),
        ("c.ids.txt", b"q\nd"),
    ]);
    let mut cards = Vec::new();
    for name in ["a.jsonl", "b.npy", "c.npy"] {
        let vectors = Vectors::open(&folder.path().join(name)).unwrap();
        let found = vectors.embed(&items(&["d", "q", "d"]), Role::Query, &Silent).unwrap();
        assert_eq!(found, [[-1.0, 2.0], [1.0, 0.5], [-1.0, 2.0]], "{name}");
        cards.push(vectors.card().to_string());
        assert!(cards.last().unwrap().contains(&format!("precomputed:{name}")));
    }
    cards.dedup();
    assert_eq!(cards.len(), 3);
    let ranking = rank("a.jsonl", JSONL, &["q"], &["d", "q"]).unwrap();
    assert_eq!(ranking[0].iter().map(|scored| scored.document).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn ids_that_are_missing_are_named() {
    let error = rank("a.jsonl", JSONL, &["q"], &["d", "e", "f"]).unwrap_err();
    assert!(error.to_string().ends_with("a.jsonl lacks a vector for 2 of 3 ids, such as `e`"), "{error}");
    let error = rank("a.run", b"q Q0 d 1 0.5 x", &["q", "r"], &["d"]).unwrap_err();
    assert!(error.to_string().ends_with("a.run lacks a ranking for 1 of 2 ids, such as `r`"), "{error}");
    let error = rank("a.run", b"q Q0 d 1 0.5 x", &["q"], &["e"]).unwrap_err();
    assert!(error.to_string().ends_with("ranks the document `d`, which is not among the documents"), "{error}");
}

#[test]
fn files_with_something_wrong_are_refused() {
    let one = "{\"id\": \"a\", \"embedding\": [1, 2]}\n";
    let cases = [
        (
            format!("{one}{{\"id\": \"b\", \"embedding\": [1]}}"),
            "line 2: the vector of `b` has 1 values, the first one has 2",
        ),
        (
            format!("{one}{{\"id\": \"b\", \"embedding\": [1, null]}}"),
            "line 2: value 1 of the vector of `b` is not a finite number",
        ),
        (
            format!("{one}{{\"id\": \"b\", \"embedding\": [1e99, 1]}}"),
            "line 2: value 0 of the vector of `b` is not a finite number",
        ),
        (format!("{one}{{\"id\": \"b\", \"embedding\": [NaN, 1]}}"), "line 2: expected value"),
        (format!("{one}{one}"), "line 2: `a` has two vectors"),
        (format!("{one}{{\"id\": \"b\"}}"), "line 2: missing field `embedding`"),
        ("{\"id\": \"b\", \"embedding\": []}".to_owned(), "line 1: the vector of `b` is empty"),
        (format!("{one}{{\"id\": \"b\", \"embedding\": [0, -0.0]}}"), "line 2: the vector of `b` is zero"),
    ];
    for (content, words) in cases {
        let error = rank("a.jsonl", content.as_bytes(), &[], &[]).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let runs: [(&[u8], &str); 4] = [
        (b"q Q0 d 1 0.5", "line 1: six columns"),
        (b"\nq Q0 d 1 NaN x", "line 2: the fifth column"),
        (b"q Q0 d 1 1 x\nq Q0 d 2 1 x", "line 2: `q` has the document `d` twice"),
        (b"\xff", "it is not UTF-8"),
    ];
    for (content, words) in runs {
        let error = rank("a.run", content, &[], &[]).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let values = [0; 16];
    let nan = [f32::NAN; 4].map(f32::to_le_bytes).concat();
    let arrays = [
        (npy("<f4", "False", "(2, 2)", &values[..15]), "15 bytes of values are not 2 rows of 2"),
        (npy("<f4", "False", "(4,)", &values), "it has 1 dimensions, not two"),
        (npy("<f4", "True", "(2, 2)", &values), "save it in C order"),
        (npy("<i4", "False", "(2, 2)", &values), "not of float32 or float64"),
        (npy("<f4", "False", "(1, 4)", &values), "it has 1 rows for 2 ids"),
        (npy("<f4", "False", "(2, 2)", &nan), "value 0 of the vector of `a` is not a finite number"),
        (b"\x93NUMPY\x01\x00\xff\xff".to_vec(), "it is cut off"),
        (b"\x93NUMPY\x01".to_vec(), "it is cut off"),
        (b"PK".to_vec(), "it is not a .npy file"),
    ];
    for (content, words) in arrays {
        let folder = folder(&[("a.npy", &content), ("a.ids.txt", b"a\nb\n")]);
        let error = Vectors::open(&folder.path().join("a.npy")).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let without_ids = folder(&[("a.npy", &npy("<f4", "False", "(2, 2)", &values))]);
    let error = Vectors::open(&without_ids.path().join("a.npy")).unwrap_err();
    assert!(error.to_string().contains("a.ids.txt cannot be read"), "{error}");
    assert!(error.hint().unwrap().contains(".ids.txt"));
    assert!(matches!(open(Path::new("vectors.pt")), Err(PrecomputedError::Unknown { .. })));
}

#[test]
fn a_run_is_ranked_by_its_scores() {
    let run = b"q Q0 d1 1 0.5 x\nq Q0 d2 2 0.7 x\n r\tQ0 d3 1 -1e-3 x\nq Q0 d3 9 0.5 x\n";
    let rankings = rank("a.trec", run, &["r", "q"], &["d3", "d1", "d2"]).unwrap();
    let documents = |place: usize| rankings[place].iter().map(|scored| scored.document).collect::<Vec<_>>();
    assert_eq!(documents(0), [0]);
    assert_eq!(documents(1), [2, 1, 0]);
    assert_eq!(rankings[1][0].score, 0.7);
}

/// Texts by collection, id and content.
fn texts<'a>(texts: &[(&'a str, &'a str)]) -> Vec<Item<'a>> {
    texts.iter().map(|(id, text)| Item { id, text }).collect()
}

#[test]
fn a_function_has_a_vector_for_each_of_its_texts() {
    let line = |id: &str, value: i32| format!("{{\"id\": \"{id}\", \"embedding\": [1, {value}]}}\n");
    let named = line("one/f", 1) + &line("two/f", 2) + &line("q", 3);
    let plain = line("f", 1) + &line("q", 3);
    let folder = folder(&[
        ("named.jsonl", named.as_bytes()),
        ("plain.jsonl", plain.as_bytes()),
        ("one.jsonl", (line("f", 1) + &line("q", 3)).as_bytes()),
        ("two.jsonl", (line("f", 2) + &line("q", 3)).as_bytes()),
    ]);
    fs::create_dir(folder.path().join("both")).unwrap();
    for name in ["one.jsonl", "two.jsonl"] {
        fs::rename(folder.path().join(name), folder.path().join("both").join(name)).unwrap();
    }
    let embed = |vectors: &Vectors, given: &[(&str, &str)]| {
        vectors
            .embed(&texts(given), Role::Document, &Silent)
            .map(|found| found.iter().map(|each| each[1]).collect::<Vec<_>>())
    };
    for name in ["named.jsonl", "both"] {
        let vectors = Vectors::open(&folder.path().join(name)).unwrap();
        assert_eq!(embed(&vectors, &[("one/f", "int f;"), ("one/q", "f?")]).unwrap(), [1.0, 3.0], "{name}");
        // A second function with the same text is not in an export.
        assert_eq!(embed(&vectors, &[("two/f", "int x;"), ("two/g", "int x;")]).unwrap(), [2.0, 2.0], "{name}");
    }
    let vectors = Vectors::open(&folder.path().join("plain.jsonl")).unwrap();
    assert_eq!(embed(&vectors, &[("one/f", "int f;"), ("one/q", "f?")]).unwrap(), [1.0, 3.0]);
    assert_eq!(embed(&vectors, &[("one/f", "int f;"), ("two/q", "f?")]).unwrap(), [1.0, 3.0]);
    let error = embed(&vectors, &[("two/f", "int x;")]).unwrap_err();
    assert!(error.to_string().ends_with("plain.jsonl `f` stands for texts of more than one corpus"), "{error}");
    assert!(error.hint().unwrap().contains("group1-neutralized/ID"));
}

#[test]
fn a_ranking_is_of_one_collection() {
    let run = |query: &str, document: &str| format!("{query} Q0 {document} 1 0.5 x\n");
    let named = run("one/q", "d") + &run("two/q", "two/e");
    let folder = folder(&[("named.run", named.as_bytes()), ("plain.run", run("q", "d").as_bytes())]);
    let open = |name: &str| Rankings::open(&folder.path().join(name)).unwrap();
    let rank = |rankings: &Rankings, query: &str, documents: &[&str]| {
        let found = rankings.rank(&items(&[query]), &items(documents), 9, &Silent)?;
        Ok::<u32, ModelError>(found[0][0].document)
    };
    let named = open("named.run");
    assert_eq!(rank(&named, "one/q", &["one/e", "one/d"]).unwrap(), 1);
    assert_eq!(rank(&named, "two/q", &["two/e", "two/d"]).unwrap(), 0);
    let plain = open("plain.run");
    assert_eq!(rank(&plain, "one/q", &["one/e", "one/d"]).unwrap(), 1);
    assert!(matches!(
        rank(&plain, "two/q", &["two/e", "two/d"]),
        Err(ModelError::Precomputed(PrecomputedError::Ambiguous { .. }))
    ));
}
