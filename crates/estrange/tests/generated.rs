//! Keeps the tables of words in the documents true: they are made from the code, between marks, and compared.
//!
//! `ESTRANGE_UPDATE_DOCS=1 cargo test -p estrange --test generated` writes them anew.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use estrange_build::{Group, LoweringTarget, Rewrite};
use estrange_stats::retrieval::Kind as Measure;
use estrange_words::{Concern, End, Problem, Reason, Stage, Tier, Undefinedness, Word};

/// What stands between the marks of each name.
fn table(name: &str) -> String {
    match name {
        "stages" => words::<Stage>("stage"),
        "tiers" => words::<Tier>("tier"),
        "undefinedness" => words::<Undefinedness>("word"),
        "targets" => words::<LoweringTarget>("target"),
        "reasons" => Concern::ALL.iter().map(|concern| of_concern(*concern)).collect::<Vec<_>>().join("\n"),
        "rewrites" => rewrites(),
        "ends" => ends(),
        "problems" => words::<Problem>("problem"),
        "measures" => words::<Measure>("measure"),
        other => panic!("nothing is called {other}"),
    }
}

fn words<W: Word>(title: &str) -> String {
    rows_of(&[title, "what it means"], W::ALL.iter().map(|word| vec![format!("`{word}`"), word.meaning().to_owned()]))
}

fn ends() -> String {
    let numbers = |end: &End| end.weaknesses().iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
    let rows = End::ALL.iter().map(|end| vec![format!("`{end}`"), end.meaning().to_owned(), numbers(end)]);
    rows_of(&["end", "what it means", "CWE"], rows)
}

fn of_concern(concern: Concern) -> String {
    let reasons = Reason::ALL.iter().filter(|reason| reason.concern() == concern);
    let rows = reasons.map(|reason| vec![format!("`{reason}`"), reason.meaning().to_owned()]);
    let head = format!("{concern}: {}", concern.phrase());
    rows_of(&[&head, "what it means"], rows)
}

fn rewrites() -> String {
    let groups = [
        ("of names and layout", None, false),
        ("that stands for others", None, true),
        ("of the ladder", Some(Group::Ladder), true),
        ("of structure", Some(Group::Structure), true),
        ("of semantics", Some(Group::Semantic), true),
        ("of distraction", Some(Group::Distraction), true),
    ];
    let tables = groups.map(|(title, group, reshapes)| {
        let those = Rewrite::all().filter(|rewrite| rewrite.group() == group && rewrite.reshapes() == reshapes);
        let rows = those.map(|rewrite| {
            vec![format!("`{}`", rewrite.name()), rewrite.about().to_owned(), rewrite.needs().unwrap_or("").to_owned()]
        });
        rows_of(&[&format!("rewrite {title}"), "what it does", "what a function must have"], rows)
    });
    tables.join("\n")
}

fn rows_of(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | ").replace("  ", " "));
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let escaped = |cells: Vec<String>| cells.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>();
    let rows: String = rows.map(|cells| line(&escaped(cells))).collect();
    format!("{}|{}\n{rows}", line(&head), "---|".repeat(head.len()))
}

/// The text with every marked part as the code has it.
fn generated(text: &str) -> String {
    let mut parts = text.split("<!-- generated: ");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" -->\n").expect("a mark with a name");
        let (_, after) = rest.split_once("<!-- end -->").expect("a mark for the end");
        whole += &format!("<!-- generated: {name} -->\n{}<!-- end -->{after}", table(name));
    }
    whole
}

fn documents() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    files
}

#[test]
fn the_tables_of_words_are_those_of_the_code() {
    let mut marks = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        marks += text.matches("<!-- generated: ").count();
        let wanted = generated(&text);
        if std::env::var_os("ESTRANGE_UPDATE_DOCS").is_some() {
            fs::write(&path, wanted).unwrap();
        } else {
            assert!(text == wanted, "{}: make it anew with ESTRANGE_UPDATE_DOCS=1", path.display());
        }
    }
    assert_eq!(marks, 8, "stages, reasons, tiers, undefinedness, rewrites, measures, ends and problems");
}
