//! Models write functions, and what they write is run beside the functions: with a server that is only pretended.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use support::server::{Reply, said, server};
use support::{estrange, json, whole};
use tempfile::TempDir;

const PROJECT: &str = r#"
#include <stddef.h>
#include <string.h>

struct span { const char *first; size_t count; };
#define BLANK ' '

/* Tells whether a letter is one that stands between words. */
static int is_between(char letter) { return letter == BLANK || letter == '\t'; }

/* Counts the words of a piece of text, which blanks and tabulators stand between. */
int count_words(const struct span *piece)
{
    int words = 0, is_in = 0;
    if (!piece || !piece->first)
        return 0;
    for (size_t at = 0; at < piece->count && piece->first[at]; at++) {
        if (is_between(piece->first[at])) {
            is_in = 0;
        } else if (!is_in) {
            is_in = 1;
            words++;
        }
    }
    return words;
}

/* Sums up the squares of all numbers from one to a last one, which is less than a hundred. */
int sum_of_squares(int last)
{
    int sum = 0;
    if (last < 1 || last > 99)
        return -1;
#ifdef NEVER
    abort();
#endif
    for (int each = 1; each <= last; each++)
        sum += each * each;
    return sum;
}
"#;

/// A folder with a bench in it.
struct Playground {
    folder: TempDir,
}

impl Playground {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.path("project")).unwrap();
        fs::write(place.path("project/words.c"), PROJECT).unwrap();
        let (project, bench) = (place.text("project"), place.text("bench"));
        let settings = ["--settings", "standard,neutralized,structure", "--trials", "1"];
        let built =
            place.command(&[&["build", &project, "--out", &bench, "--configure", "never"][..], &settings].concat());
        assert!(built.status.success(), "{}", whole(&built));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn command(&self, arguments: &[&str]) -> Output {
        estrange(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    fn generate(&self, model: &str, out: &str, more: &[&str]) -> Output {
        let (bench, out) = (self.text("bench"), self.text(out));
        self.command(&[&["generate", &bench, "--model", model, "--out", &out], more].concat())
    }

    /// The rates of a run, by setting: functions, compile pass rate, test pass rate.
    fn rates(&self, model: &str, out: &str, more: &[&str]) -> Vec<(String, u64, f64, f64)> {
        let output = self.generate(model, out, &[more, &["--json"]].concat());
        assert!(output.status.success(), "{}", whole(&output));
        let document: Value = json(&output);
        let all = document["levels"].as_array().unwrap().iter().filter(|level| level["project"].is_null());
        all.map(|level| {
            let setting = document["settings"][level["setting"].as_u64().unwrap() as usize].as_str().unwrap();
            let rate = |name: &str| level[name]["value"].as_f64().unwrap();
            (setting.to_owned(), level["functions"].as_u64().unwrap(), rate("cpr"), rate("tpr"))
        })
        .collect()
    }
}

/// The project's own tests, one program.
const TESTS: &str = r#"
#include <stdio.h>
#include <string.h>

struct span { const char *first; size_t count; };
int count_words(const struct span *piece);
int sum_of_squares(int last);

static int check(const char *name, int is_so)
{
    printf("%s: %s\n", is_so ? "PASS" : "FAIL", name);
    return !is_so;
}

int main(void)
{
    struct span piece = { "two \twords", 10 };
    int bad = check("two-words", count_words(&piece) == 2);
    piece.count = 0;
    bad |= check("no-words", count_words(&piece) == 0 && count_words(0) == 0);
    bad |= check("squares", sum_of_squares(3) == 14);
    bad |= check("no-squares", sum_of_squares(0) == -1 && sum_of_squares(100) == -1);
    printf("done\n");
    return bad;
}
"#;

/// How the project is built and tested.
const PROJECT_FILE: &str = r#"
build = ["make"]
test = "./check"

[report]
kind = "lines"
pass = ["PASS: {test}"]
fail = ["FAIL: {test}"]
end = "done"

[map]
by = "all"
"#;

const MAKEFILE: &str = "\
check: check.o words.o
\t$(CC) -o check check.o words.o
%.o: %.c
\t$(CC) -c -o $@ $<
";

#[test]
fn a_project_says_by_its_own_tests_what_an_answer_is_worth() {
    let place = Playground::new();
    // The bench has the project without its tests: they are no function that is asked for.
    fs::write(place.path("project/Makefile"), MAKEFILE).unwrap();
    fs::write(place.path("project/check.c"), TESTS).unwrap();
    let file = place.text("words.toml");
    fs::write(&file, format!("source = {:?}\n{PROJECT_FILE}", place.text("project"))).unwrap();
    let gold = place.rates("gold", "gold", &["--project", &file]);
    assert!(gold.iter().any(|(setting, functions, ..)| setting == "standard" && *functions >= 2), "{gold:?}");
    assert!(gold.iter().any(|(setting, ..)| setting == "structure"), "{gold:?}");
    assert!(gold.iter().all(|(_, _, compiled, passed)| (*compiled, *passed) == (1.0, 1.0)), "{gold:?}");
    for model in ["empty", "mutant:1"] {
        let rates = place.rates(model, model, &["--project", &file, "--setting", "standard"]);
        assert!(rates.iter().all(|(_, _, compiled, passed)| (*compiled, *passed) == (1.0, 0.0)), "{model}: {rates:?}");
    }
    let reply = |text: &str| serde_json::json!({ "item": "ITEM", "setting": "standard", "text": text }).to_string();
    let run = place.generate("gold", "one", &["--project", &file, "--setting", "standard", "--json"]);
    let shown = json(&run)["shown"].clone();
    assert!(run.status.success() && shown.is_array(), "{}", whole(&run));
    let cheats =
        reply("int sum_of_squares(int last) { printf(\"PASS: squares\\nPASS: no-squares\\ndone\\n\"); exit(0); }");
    let item = item_of(&place, "sum_of_squares");
    fs::write(place.path("cheats.jsonl"), cheats.replace("ITEM", &item) + "\n").unwrap();
    let model = format!("precomputed:{}", place.text("cheats.jsonl"));
    let cheated = place.generate(&model, "cheats", &["--project", &file, "--setting", "standard", "--json"]);
    let level = &json(&cheated)["levels"][0];
    assert_eq!(level["passed"], 0, "{}", whole(&cheated));
    let none = place.generate("gold", "none", &["--project", "none.toml"]);
    assert!(String::from_utf8_lossy(&none.stderr).contains("none.toml"), "{}", whole(&none));
}

/// The id of a function.
fn item_of(place: &Playground, name: &str) -> String {
    let run = estrange_bench::Run::open(&place.path("one")).unwrap();
    let mut assignments = run.tables().rows::<estrange_task::generate::Assignment>().unwrap();
    assignments.find_map(|row| row.ok().filter(|row| row.name == name).map(|row| row.item)).unwrap()
}

#[test]
fn problems_are_asked_with_and_without_solved_examples() {
    let place = TempDir::new().unwrap();
    let problems = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems").display().to_string();
    let ask = |model: &str, more: &[&str]| {
        let out = place.path().join(model.replace(':', "-")).display().to_string();
        estrange(&[&["generate", &problems, "--model", model, "--out", &out, "--limit", "3"], more].concat())
            .output()
            .unwrap()
    };
    let gold = ask("gold", &["--shots", "0,2", "--json"]);
    assert!(gold.status.success(), "{}", whole(&gold));
    let document = json(&gold);
    assert_eq!(document["settings"], serde_json::json!(["0-shot", "2-shot"]));
    for level in document["levels"].as_array().unwrap().iter().filter(|level| level["project"].is_null()) {
        assert_eq!((&level["answers"], &level["passed"]), (&3.into(), &3.into()), "{document:#}");
    }
    for model in ["empty", "mutant:0"] {
        let wrong = ask(model, &["--json"]);
        assert_eq!(json(&wrong)["levels"][0]["passed"], 0, "{model}: {}", whole(&wrong));
    }
    let address = server(|asked| {
        let prompt = asked["messages"][0]["content"].as_str().unwrap();
        let shots = prompt.matches("The answer:").count();
        Reply::Answer(said(Some(if shots == 2 { "I do not know." } else { "```c\nint nothing;\n```" })))
    });
    let asked = ["--shots", "0,2", "--json"];
    let out = place.path().join("model").display().to_string();
    let all = [&["generate", &problems, "--model", "openai:some", "--out", &out, "--limit", "2"][..], &asked].concat();
    let output = estrange(&all)
        .env("OPENAI_BASE_URL", &address)
        .env("OPENAI_API_KEY", "x")
        .env("ESTRANGE_CACHE", place.path().join("cache"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", whole(&output));
    let document = json(&output);
    let outcomes = |at: usize| document["levels"].as_array().unwrap()[at]["outcomes"][0][0].clone();
    assert_eq!(document["levels"].as_array().unwrap().len(), 2, "{document:#}");
    assert_eq!((outcomes(0), outcomes(1)), ("no-function".into(), "no-code".into()), "{document:#}");
    // Runs on problems need no bench to be shown.
    let page = place.path().join("page.html").display().to_string();
    let shown = estrange(&["report", &out, &place.path().join("gold").display().to_string(), "--out", &page]);
    let shown = { shown }.output().unwrap();
    assert!(shown.status.success(), "{}", whole(&shown));
    for (arguments, words) in [
        (&["--setting", "symbol"][..], "--setting is about the functions of a bench"),
        (&["--shots", "9"][..], "9 solved examples were asked for; there are 3"),
    ] {
        let refused = ask("gold", arguments);
        assert!(String::from_utf8_lossy(&refused.stderr).contains(words), "{}", whole(&refused));
    }
}

/// Every code block of an answer is the function, in whatever names its prompt has.
fn rewritten(prompt: &str) -> String {
    let declaration = prompt.split("Its declaration:\n```\n").nth(1).unwrap().split(";\n```").next().unwrap();
    let (head, parameter) = declaration.split_once('(').unwrap();
    let parameter = parameter.trim_end_matches(')').rsplit([' ', '*']).next().unwrap();
    if head.contains("sum") || !prompt.contains("struct") {
        return format!(
            "Sure:\n```c\n{declaration} {{\n    if ({parameter} < 1 || {parameter} > 99) return -1;\n    return {parameter} * \
             ({parameter} + 1) * (2 * {parameter} + 1) / 6;\n}}\n```\nIt uses the closed form."
        );
    }
    format!("```c\n{declaration} {{\n    return no_such_helper({parameter});\n}}\n```")
}

#[test]
fn the_function_itself_passes_in_every_setting_and_what_is_wrong_does_not() {
    let place = Playground::new();
    let gold = place.rates("gold", "gold", &[]);
    assert!(gold.iter().any(|(setting, functions, ..)| setting == "standard" && *functions == 3), "{gold:?}");
    assert!(gold.iter().any(|(setting, ..)| setting == "neutralized"), "{gold:?}");
    assert!(gold.iter().any(|(setting, ..)| setting == "structure"), "{gold:?}");
    for (setting, _, compiled, passed) in &gold {
        assert_eq!((*compiled, *passed), (1.0, 1.0), "{setting}");
    }
    for (model, out) in [("empty", "empty"), ("mutant:1", "mutant")] {
        for (setting, _, compiled, passed) in place.rates(model, out, &[]) {
            assert_eq!((compiled, passed), (1.0, 0.0), "{model} {setting}");
        }
    }
    // A part of the function is as good as the whole, if it is the right one.
    for ask in ["completion", "infill"] {
        let rates = place.rates("gold", ask, &["--ask", ask, "--setting", "standard"]);
        assert!(rates.iter().all(|(_, _, compiled, passed)| (*compiled, *passed) == (1.0, 1.0)), "{rates:?}");
    }
    // What the run says is shown beside others.
    let (runs, page) = ([place.text("gold"), place.text("mutant")], place.text("report.html"));
    let report = place.command(&["report", &runs[0], &runs[1], "--out", &page]);
    assert!(report.status.success(), "{}", whole(&report));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Writing functions") && page.contains("wrong-result"), "{page}");
}

#[test]
fn a_model_is_given_nothing_of_the_old_world_and_is_graded_in_the_new_one() {
    let place = Playground::new();
    let address = server(|asked| {
        let prompt = asked["messages"][0]["content"].as_str().unwrap();
        let is_strange = !prompt.contains("count_words(") && !prompt.contains("sum_of_squares(");
        // Neither the names of the project nor the body are shown there.
        if is_strange && ["is_between", "is_in", "BLANK", "each"].iter().any(|name| prompt.contains(name)) {
            return Reply::Refusal(400, serde_json::json!({ "error": { "message": format!("leaks: {prompt}") } }));
        }
        Reply::Answer(said(Some(&rewritten(prompt))))
    });
    let with = |arguments: &[&str], out: &str| {
        let (bench, out) = (place.text("bench"), place.text(out));
        let all = [&["generate", &bench, "--model", "openai:some", "--out", &out, "--json"], arguments].concat();
        let mut command = estrange(&all);
        command.env("OPENAI_BASE_URL", &address).env("OPENAI_API_KEY", "x").env("ESTRANGE_CACHE", place.text("own"));
        command.output().unwrap()
    };
    let output = with(&["--setting", "standard,neutralized"], "run");
    assert!(output.status.success(), "{}", whole(&output));
    let document = json(&output);
    let level = &document["levels"][0];
    // One function is right, the others call what is nowhere.
    assert_eq!(
        (level["answers"].as_u64(), level["compiled"].as_u64(), level["passed"].as_u64()),
        (Some(3), Some(1), Some(1))
    );
    assert_eq!(level["mistakes"][0]["mistake"], "implicit-declaration", "{document:#}");
    assert_eq!(document["levels"][1]["passed"], 1, "{document:#}");
    // Grading again asks nobody and says the same.
    let again = with(&["--setting", "standard,neutralized", "--regrade"], "run");
    assert!(again.status.success(), "{}", whole(&again));
    assert_eq!(json(&again)["levels"], document["levels"]);
    let dry = with(&["--setting", "standard", "--dry-run", "--ask", "completion"], "dry");
    assert!(String::from_utf8_lossy(&dry.stdout).contains("3 functions: 3 requests"), "{}", whole(&dry));
}

#[test]
fn people_review_a_sample_and_their_labels_are_held_against_ours() {
    let place = Playground::new();
    place.rates("mutant:1", "run", &["--setting", "standard,neutralized"]);
    let (run, file) = (place.text("run"), place.text("review.csv"));
    let review = |more: &[&str]| place.command(&[&["review", &run][..], more].concat());
    let drawn = review(&["--sample", &file]);
    assert!(drawn.status.success() && whole(&drawn).contains("wrong-result"), "{}", whole(&drawn));
    let sample = fs::read_to_string(&file).unwrap();
    let names = "item,setting,seed,sample,name,outcome,mistake,detail,prompt,answer,code,function,reviewed_outcome,reviewed_mistake,note\n";
    assert!(sample.starts_with(names) && sample.contains("sum_of_squares"), "{sample}");
    // The same seed draws the same.
    assert!(review(&["--sample", &place.text("again.csv")]).status.success());
    assert_eq!(fs::read_to_string(place.text("again.csv")).unwrap(), sample);

    let nobody = review(&["--reviewed", &file]);
    assert!(whole(&nobody).contains("no answer in") && whole(&nobody).contains("hint:"), "{}", whole(&nobody));
    // Each row ends with its empty columns: the first one passes, they say, the others are as we say.
    let labelled = sample.replace(",,,\n", ",wrong-result,,\n").replacen(",wrong-result,,\n", ",passed,,\n", 1);
    fs::write(&file, labelled).unwrap();
    let document = json(&review(&["--reviewed", &file, "--json"]));
    let labels = document["reviewed"].as_u64().unwrap();
    assert!(labels >= 4 && document["without"] == 0, "{document:#}");
    let same = document["agreements"][0]["same"]["value"].as_f64().unwrap();
    assert!((same - (labels - 1) as f64 / labels as f64).abs() < 1e-9, "{document:#}");
    assert_eq!(document["agreements"][0]["kappa"]["value"], 0.0, "{document:#}");
    let confusion = &document["confusions"][0];
    assert_eq!((&confusion["ours"], &confusion["theirs"]), (&"wrong-result".into(), &"passed".into()));
    let told = review(&["--reviewed", &file]);
    assert!(String::from_utf8_lossy(&told.stdout).contains("passes or not"), "{}", whole(&told));

    fs::write(&file, sample.replace(",,,\n", ",good,,\n")).unwrap();
    let wrong = review(&["--reviewed", &file]);
    assert!(whole(&wrong).contains("row 2: `good`") && !wrong.status.success(), "{}", whole(&wrong));
    assert_eq!(review(&[]).status.code(), Some(2));
    assert_eq!(review(&["--sample", &file, "--margin", "0"]).status.code(), Some(2));
}

#[test]
fn what_cannot_be_asked_says_why() {
    let place = Playground::new();
    for (arguments, words) in [
        (&["--model", "who"][..], "`who` names nobody who could write"),
        (&["--model", "gold", "--setting", "L9"][..], "the bench has no functions in the setting `L9`"),
        (&["--model", "gold", "--samples", "3"][..], "gold is no language model"),
        (&["--model", "gold", "--group", "2", "--language", "c++"][..], "no function of the bench can be asked for"),
        (&["--model", "precomputed:none.jsonl"][..], "cannot read none.jsonl"),
    ] {
        let bench = place.text("bench");
        let output = place.command(&[&["generate", &bench][..], arguments].concat());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && stderr.contains(words), "{arguments:?}: {stderr}");
        assert!(stderr.contains("hint:") || words.starts_with("cannot read"), "{arguments:?}: {stderr}");
    }
    let replies = place.path("replies.jsonl");
    fs::write(&replies, "{\"item\": \"nobody\", \"setting\": \"standard\", \"text\": \"\"}\n").unwrap();
    let output = place.generate(&format!("precomputed:{}", replies.display()), "run", &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no item `nobody`"), "{}", whole(&output));
    assert!(!Path::new(&place.path("run")).join("run.json").exists());
}
