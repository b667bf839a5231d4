//! The panel of generation: its tables, its page in a real browser, and what it refuses.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use estrange_report::detect::FallSheet;
use estrange_report::document::{Estimate, Fact};
use estrange_report::generate::{
    AnswerSheet, AuthorSheet, FunctionSheet, GenerateResults, GenerateResultsError, MistakeSheet, OrderSheet,
    QualitySheet, WorldSheet, WritingSheet,
};
use estrange_report::{GeneratePanel, PageOptions, Report, Table};
use estrange_sandbox::Tool;

const SETTINGS: [&str; 3] = ["L0", "L2", "L4"];
const HOSTILE: &str = "</pre></details><script>alert(1)</script>";

fn estimate(value: f64) -> Estimate {
    Estimate { value, low: value - 0.1, high: value + 0.1 }
}

fn fall(before: f64, after: f64) -> FallSheet {
    FallSheet { pairs: 40, before, after, lost: estimate(before - after), p_value: 0.031 }
}

/// Of 40 answers 2 could not be graded; of the others so many pass, 4 return something else, and the rest does not compile but
/// for 2 that are cut off.
fn level(author: usize, setting: usize, project: Option<usize>, passed: u64) -> WritingSheet {
    let (answers, graded) = (40, 38);
    let broken = graded - passed - 4 - 2;
    let compiled = passed + 4;
    let share = |number: u64| number as f64 / graded as f64;
    let before = [20, 12][author];
    let outcomes = [("cut-off", 2), ("passed", passed), ("wrong-result", 4), ("does-not-compile", broken)];
    let mistake = |category: &str, mistake: &str, by_gcc, by_clang| MistakeSheet {
        category: category.to_owned(),
        mistake: mistake.to_owned(),
        by_gcc,
        by_clang,
    };
    WritingSheet {
        author,
        setting,
        project,
        functions: 40,
        answers,
        compiled,
        passed,
        ungraded: answers - graded,
        cpr: estimate(share(compiled)),
        tpr: estimate(share(passed)),
        pass_at: if author == 0 { vec![(1, share(passed)), (5, share(passed + 2))] } else { Vec::new() },
        outcomes: outcomes.map(|(word, count)| (word.to_owned(), count)).to_vec(),
        mistakes: vec![
            mistake("told-apart", "link-error", 1, 1),
            mistake("declaration", "type-conflict", 2, 1),
            mistake("declaration", "implicit-declaration", broken - 3, broken - 4),
        ],
        fall: (setting > 0).then(|| fall(share(before), share(passed))),
        cpr_fall: (setting > 0).then(|| fall(share(before + 4), share(compiled))),
        quality: QualitySheet { passed, leaves_memory: 3, not_robust: 1, slow: 2, steps: (passed > 0).then_some(1.25) },
        seen: None,
    }
}

fn function(number: usize, lines: usize) -> FunctionSheet {
    let text = "    total = total + next_of(&reader); /* as long as lines are in most code that people write */\n"
        .repeat(lines);
    let answer = |author, outcome: &str, text: &str, detail: Option<&str>| AnswerSheet {
        author,
        text: text.to_owned(),
        outcome: outcome.to_owned(),
        detail: detail.map(str::to_owned),
    };
    let world = |setting| WorldSheet {
        setting,
        text: format!("int sum_{number}(struct reader *reader)\n{{\n    int total = 0;\n{text}    return total;\n}}\n"),
        answers: vec![
            answer(0, "passed", &text, None),
            answer(
                1,
                "does-not-compile",
                HOSTILE,
                Some(
                    "answer.c:3:5: error: implicit declaration of function ‘next_<i>of’\n    3 |     next_of(&reader);",
                ),
            ),
        ],
    };
    FunctionSheet { name: format!("sum_{number} (zlib, <b>inflate.c)"), settings: (0..3).map(world).collect() }
}

/// Two models, three settings, two projects.
fn sample(functions: usize, lines: usize) -> GenerateResults {
    let sheet = |name: &str| AuthorSheet {
        name: name.to_owned(),
        asked: "completion".to_owned(),
        graded: "function".to_owned(),
        facts: vec![Fact::new("temperature", "0")],
        ..AuthorSheet::default()
    };
    let passed = [[20, 12, 6], [12, 14, 3]];
    let places = [None, Some(0), Some(1)];
    let levels = (0..2).flat_map(|author| (0..3).map(move |setting| (author, setting)));
    let levels = levels
        .flat_map(|(author, setting)| places.map(|project| level(author, setting, project, passed[author][setting])));
    GenerateResults {
        title: "Functions".to_owned(),
        made: vec![Fact::new("seed", "7")],
        confidence: 0.95,
        drawn: "functions".to_owned(),
        settings: SETTINGS.map(str::to_owned).to_vec(),
        authors: vec![sheet("<b>one"), sheet("two")],
        projects: vec!["zlib".to_owned(), "expat".to_owned()],
        levels: levels.collect(),
        all_functions: functions,
        orders: vec![OrderSheet { setting: 2, models: 2, kendall: Estimate { value: 1.0, low: -1.0, high: 1.0 } }],
        shown: (0..functions).map(|number| function(number, lines)).collect(),
    }
}

fn tables(document: &GenerateResults) -> Vec<Table> {
    Report::new("Functions").with(GeneratePanel::new(document).unwrap()).tables()
}

fn page(document: &GenerateResults) -> String {
    Report::new("Functions").with(GeneratePanel::new(document).unwrap()).page(&PageOptions::default())
}

#[test]
fn the_tables_of_a_paper() {
    let document = sample(1, 3);
    let tables = tables(&document);
    let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    let all = ["rates", "projects", "falls", "compile-falls", "outcomes", "mistakes", "quality", "pass-at", "orders"];
    assert_eq!(names, all.map(|name| format!("generation-{name}")));
    let texts: Vec<String> = tables.iter().map(|table| table.to_text(Some(120))).collect();
    insta::assert_snapshot!(texts.join("\n"));
    let rates = tables[0].to_markdown();
    assert!(rates.contains("**52.6") && !rates.contains("**40"), "{rates}");

    // In a terminal, without projects and the order of models.
    let summary = GeneratePanel::new(&document).unwrap().summary();
    let names: Vec<&str> = summary.iter().map(|table| table.name.as_str()).collect();
    let some = ["rates", "pass-at", "falls", "outcomes", "mistakes", "quality"];
    assert_eq!(names, some.map(|name| format!("generation-{name}")));
}

#[test]
fn every_table_is_there_for_programs() {
    let document = sample(1, 3);
    let csv = Report::new("Functions").with(GeneratePanel::new(&document).unwrap()).csv();
    let rows = [
        "generation,<b>one,,,completion,L0,function,cpr,0.631579,0.531579,0.731579,40,,,,",
        "generation,two,,zlib,completion,L4,function,tpr,0.078947,-0.021053,0.178947,40,,,,",
        "generation,two,,expat,completion,L4,function,ungraded,2.000000,,,40,,,,",
        "generation_fall,<b>one,L0,,completion,L4,function,tpr,0.368421,0.268421,0.468421,40,,,0.031000,",
        "generation_fall,<b>one,L0,,completion,L4,function,tpr_decrease,0.700000,,,40,,,,",
        "generation_fall,two,L0,,completion,L2,function,cpr_decrease,-0.125000,,,40,,,,",
        "generation_outcome,two,,,completion,L0,function,does-not-compile,20.000000,,,38,,,,",
        "generation_mistake,two,,,completion,L0,function,implicit-declaration,17.000000,,,20,,,,",
        "generation_mistake_by_clang,two,,,completion,L0,function,implicit-declaration,16.000000,,,20,,,,",
        "generation_quality,two,,,completion,L4,function,slow,2.000000,,,3,,,,",
        "generation_quality,two,,,completion,L4,function,median_steps,1.250000,,,3,,,,",
        "generation_pass_at,<b>one,,,completion,L0,function,pass@5,0.578947,,,40,,,,",
        "generation_order,,L0,,,L4,,kendall,1.000000,-1.000000,1.000000,2,,,,",
    ];
    for row in rows {
        assert!(csv.lines().any(|line| line == row), "{row} is not in:\n{csv}");
    }
    assert!(csv.lines().all(|line| line.split(',').count() == 16), "{csv}");
}

#[test]
fn what_was_asked_for_and_how_it_was_graded_never_stand_in_one_block() {
    let mut document = sample(1, 3);
    document.authors[0].asked = "infill".to_owned();
    document.authors[1].name = document.authors[0].name.clone();
    let tables = tables(&document);
    let titles = |table: &Table| -> Vec<String> { table.sections.iter().map(|each| each.title.clone()).collect() };
    let asked = ["completion, each function graded by itself", "infill, each function graded by itself"];
    assert_eq!(titles(&tables[0]), asked);
    assert!(!tables[0].to_text(None).contains("best"), "what stands alone is not the best of anything");
    assert_eq!(titles(&tables[2]), ["<b>one, infill", "<b>one, completion"]);

    document.authors[0].asked = "completion".to_owned();
    document.authors[0].graded = "project".to_owned();
    let titles = titles(&self::tables(&document)[2]);
    assert_eq!(titles, ["<b>one, completion by project", "<b>one, completion by function"]);
}

#[test]
fn tables_without_a_row_are_left_out() {
    let mut document = sample(1, 3);
    document.levels.retain(|level| level.author == 1 && level.setting == 0);
    document.levels.iter_mut().for_each(|level| {
        level.mistakes.clear();
        level.quality = QualitySheet::default();
    });
    document.projects.pop();
    document.levels.retain(|level| level.project != Some(1));
    document.orders[0].models = 1;
    let names: Vec<String> = tables(&document).into_iter().map(|table| table.name).collect();
    assert_eq!(names, ["generation-rates", "generation-outcomes"], "one project would say the same again");
    assert!(!page(&document).contains("class=\"decreases\""), "nothing is compared");
    let nothing = GenerateResults::default();
    assert_eq!(tables(&nothing), []);
    assert!(page(&nothing).contains("0 models wrote 0 functions in 0 settings."));
}

#[test]
fn the_page_is_alone_and_no_text_leaves_its_place() {
    let page = page(&sample(2, 3));
    for needs in ["src=", "<link", "@import", "url(", "fetch(", "http://", "https://"] {
        assert!(!page.contains(needs), "{needs}");
    }
    assert_eq!(page.matches("<script").count(), 1, "the one that tells of errors");
    for tag in ["<b>one", "<b>inflate", "<i>of", "</pre></details>"] {
        let found = page.find(tag).map(|at| &page[at.saturating_sub(80)..at + 20]);
        assert_eq!(found, None);
    }
    assert!(page.contains("&lt;/pre&gt;&lt;/details&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("2 models wrote 2 functions of 2 projects in 3 settings."));
    let most = "From L0 to L4, <strong>&lt;b&gt;one</strong> loses the most points: on the same functions its test pass \
                rate falls from 53% to 16%, a decrease of 70%.";
    assert!(page.contains(most));
    assert_eq!(page.matches("<svg").count(), 2, "both pass rates");
    assert_eq!(page.matches("class=\"stack\"").count(), 6, "a bar for each model and setting");
    assert!(page.contains("title=\"does not compile or link: 29 of 38\""));
    assert!(page.contains("<b>−16.7%</b>") && page.contains("class=\"zero\""));
    assert!(page.contains("passing: L0 1 of 2 · L2 1 of 2 · L4 1 of 2"));
    assert!(page.contains("<span class=\"outcome not-built\">✗ does-not-compile</span>"));
}

#[test]
fn a_page_of_many_long_functions_stays_small_and_says_what_is_left_out() {
    let page = page(&sample(300, 40));
    assert!(page.len() < 10_000_000, "{} bytes", page.len());
    assert!(page.contains("200 of 300 functions are shown.") && page.contains("characters more</span>"));
    let all = self::page(&sample(200, 12));
    assert!(!all.contains("functions are shown.") && all.contains("<strong>sum_199 "));
}

#[test]
fn a_document_that_contradicts_itself_is_refused() {
    let refused = |change: &dyn Fn(&mut GenerateResults)| {
        let mut document = sample(1, 3);
        change(&mut document);
        GeneratePanel::new(&document).unwrap_err()
    };
    let error = refused(&|document| document.levels[3].author = 7);
    assert_eq!(error.to_string(), "level 3 refers to model 7, but there are only 2 (places count from 0)");
    let error = refused(&|document| document.shown[0].settings[1].answers[0].author = 2);
    assert_eq!(error.to_string(), "function 0 refers to model 2, but there are only 2 (places count from 0)");
    assert!(matches!(
        refused(&|document| document.levels[1].project = Some(2)),
        GenerateResultsError::Place { what: "project", .. }
    ));
    assert_eq!(refused(&|document| document.levels[1].project = None), GenerateResultsError::Twice(1));
    let changes: [&dyn Fn(&mut WritingSheet); 4] = [
        &|level| level.tpr.high = f64::NAN,
        &|level| level.fall.as_mut().unwrap().before = f64::NAN,
        &|level| level.pass_at.push((2, f64::INFINITY)),
        &|level| level.quality.steps = Some(f64::NAN),
    ];
    for change in changes {
        let error = refused(&|document| change(&mut document.levels[3]));
        assert!(matches!(error, GenerateResultsError::NotFinite { level: 3, .. }), "{error}");
    }
    let error = refused(&|document| document.orders[0].kendall.low = f64::NAN);
    assert_eq!(error.to_string(), "order 0 has NaN, which is not finite (places count from 0)");
}

/// Opens the report beside it in windows of several widths, everything unfolded, and writes down what there is to see.
const DRIVER: &str = r#"<!doctype html>
<meta charset="utf-8">
<pre id="seen"></pre>
<script>
"use strict";
async function look(width) {
  const frame = document.createElement("iframe");
  frame.style = `width: ${width}px; height: 800px; border: 0`;
  frame.src = "report.html";
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
  document.body.append(frame);
  await loaded;
  const page = frame.contentDocument;
  page.querySelectorAll("details").forEach((each) => { each.open = true; });
  const box = (selector) => page.querySelector(selector).getBoundingClientRect();
  const [own, answer] = [box(".beside .own"), box(".beside > div:last-child")];
  // A label is seen where it is within its part of the bar.
  const isSeen = (label) => label.getBoundingClientRect().bottom <= label.parentElement.getBoundingClientRect().bottom + 1;
  const labels = (selector) => [...page.querySelectorAll(selector)].filter(isSeen).map((label) => label.textContent);
  return {
    overflow: page.documentElement.scrollWidth - page.documentElement.clientWidth,
    errors: page.getElementById("errors").textContent,
    isBeside: answer.left >= own.right && answer.top === own.top,
    numbers: labels(".stack b").length,
    words: labels(".stack em"),
    bars: [...page.querySelectorAll(".track")].map((track) => Math.round(
      100 * track.querySelector("i").getBoundingClientRect().width / track.getBoundingClientRect().width)),
  };
}
Promise.all([1280, 390, 320].map(look)).then(
  (seen) => { document.getElementById("seen").textContent = JSON.stringify(seen); },
  (error) => { document.getElementById("seen").textContent = JSON.stringify({ failed: `${error}` }); },
);
</script>
"#;

#[test]
fn the_page_fits_into_wide_and_narrow_windows_of_a_browser() {
    let mut document = sample(2, 12);
    document.authors[0].name = "openai:a-rather-long-name-of-a-model/7B-instruct".to_owned();
    document.shown[0].settings[0].answers[1].detail = Some("x".repeat(300));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("report.html"), page(&document)).unwrap();
    std::fs::write(folder.path().join("driver.html"), DRIVER).unwrap();
    let arguments = [
        "--headless=new",
        // Root has no other way; nothing foreign is opened.
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--no-first-run",
        "--allow-file-access-from-files",
        "--window-size=1400,1000",
        "--virtual-time-budget=20000",
        "--dump-dom",
    ];
    let output = Tool::new("chromium")
        .arguments(arguments)
        .argument(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .argument(format!("file://{}", folder.path().join("driver.html").display()))
        .wall(Duration::from_secs(120))
        .run()
        .unwrap_or_else(|error| panic!("{error}; tools/setup installs it"));
    assert!(output.success(), "{:?}: {}", output.end, output.last_words(20));
    let printed = output.text();
    let seen = printed.split_once("<pre id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>")).unwrap().0;
    let seen: serde_json::Value = serde_json::from_str(seen).unwrap_or_else(|error| panic!("{error}: {seen:?}"));
    for window in 0..3 {
        let seen = &seen[window];
        assert_eq!((&seen["overflow"], &seen["errors"]), (&0.into(), &"".into()), "{seen}");
        assert_eq!(seen["isBeside"], window == 0, "{seen}");
        // The track reaches from −16.7% to 100%: a loss of 40, a gain of 16.7, losses of 70 and 75.
        assert_eq!(seen["bars"], serde_json::json!([34, 14, 60, 64]), "{seen}");
    }
    // Six bars of four parts: every number is seen where there is room, and of words those that fit.
    assert_eq!(seen[0]["numbers"], 24, "{seen}");
    assert!(seen[2]["numbers"].as_u64().unwrap() < 24, "{seen}");
    let words = |window: usize| seen[window]["words"].as_array().unwrap().len();
    assert!(words(0) > words(2) && words(2) > 0, "{seen}");
    assert!(
        !seen[0]["words"].as_array().unwrap().contains(&"no function".into()),
        "five in a hundred have no room for it"
    );
}
