//! The page in a real browser: Debian's Chromium, without a window.
//!
//! A page of ours opens the report in frames, uses it as a reader would and writes down what it sees (`driver.html`);
//! the browser prints that page, and what was seen is compared with the document here.

use std::path::Path;
use std::time::Duration;

use estrange_report::{PageOptions, SearchResults};
use estrange_sandbox::Tool;
use serde_json::{Value, json};

use super::{report, sample};

const DRIVER: &str = include_str!("driver.html");

/// What the driver saw of a document's page.
fn look(document: &SearchResults) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let page = report(document).page(&PageOptions::default());
    std::fs::write(folder.path().join("report.html"), page).unwrap();
    std::fs::write(folder.path().join("driver.html"), DRIVER).unwrap();
    let printed = browse(folder.path(), "driver.html");
    let seen = printed.split_once("<pre id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let seen = seen.unwrap_or_else(|| panic!("the driver did not run: {printed}")).0;
    let seen = seen.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}").replace("&amp;", "&");
    let seen: Value = serde_json::from_str(&seen).unwrap_or_else(|error| panic!("{error}: {seen:?}"));
    assert_eq!(seen["failed"], Value::Null);
    seen
}

/// A page of a folder as it is after its scripts have run.
fn browse(folder: &Path, page: &str) -> String {
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
        .argument(format!("--user-data-dir={}", folder.join("profile").display()))
        .argument(format!("file://{}", folder.join(page).display()))
        .wall(Duration::from_secs(120))
        .run()
        .unwrap_or_else(|error| panic!("{error}; tools/setup installs it"));
    assert!(output.success(), "{:?}: {}", output.end, output.last_words(20));
    output.text()
}

/// A model's values by all measures on a corpus, over the queries that a filter leaves, as the page writes them.
fn expected(document: &SearchResults, model: usize, corpus: usize, is_chosen: impl Fn(usize) -> bool) -> Vec<String> {
    let cells = document.results.iter().filter(|cell| cell.model == model && cell.corpus == corpus);
    let values = cells.map(|cell| {
        let asked = &document.corpora[corpus].asked;
        let chosen = asked.iter().zip(&cell.scores).filter(|(query, _)| is_chosen(**query));
        let chosen: Vec<f64> = chosen.map(|(_, score)| f64::from(*score)).collect();
        format!("{:.2}", 100.0 * chosen.iter().sum::<f64>() / chosen.len() as f64)
    });
    values.collect()
}

#[test]
fn the_page_works_in_a_browser() {
    let mut document = sample::make(&sample::Size { queries: 150, settings: sample::SETTINGS, models: 3 });
    // Intervals of runs are no mean and standard errors.
    document.results.iter_mut().for_each(|cell| cell.mean.low *= 0.9);
    document.results.iter_mut().filter_map(|cell| cell.drop.as_mut()).for_each(|drop| drop.low -= 0.05);
    let tables = report(&document).tables();
    let seen = look(&document);
    assert_eq!(seen["errors"], "");

    // Tables, plots and the list are filled.
    assert_eq!(seen["tables"], tables.len());
    assert!(seen["numbers"].as_u64().unwrap() > 500);
    assert_eq!(seen["emptyNumbers"], 0);
    let categories = json!(["Group 1", "Group 2", "Group 3 short", "Group 3 long", "Group 3"]);
    assert_eq!(seen["panels"], categories);
    // Three models: five settings in Groups 1 and 2, three in both views of Group 3, and standard with two lowered ones.
    assert_eq!((&seen["bars"], &seen["whiskers"]), (&json!(57), &json!(57)));
    assert_eq!(seen["curves"], 15);
    assert_eq!(seen["listed"], 150);

    // A filter in the address: only that group is left, and its numbers are what they were.
    assert_eq!(seen["groupCount"], "50 of 150 queries");
    assert_eq!(seen["groupControl"], "2");
    assert_eq!(seen["groupPanels"], json!(["Group 2"]));
    assert_eq!(seen["groupListed"], 50);
    assert_eq!(seen["groupStandard"], json!({ "Group 2": seen["wholeStandard"]["Group 2"] }));
    assert_eq!(seen["groupRobustness"], json!({ "Group 2": seen["wholeRobustness"]["Group 2"] }));

    // The same queries have the same intervals, whether a group was chosen or not, and whether they are a corpus of their
    // own or the part of another that a filter leaves.
    let of_group = |intervals: &Value| -> Vec<Value> {
        intervals.as_array().unwrap().iter().map(|table| table["Group 2"].clone()).collect()
    };
    assert!(seen["wholeIntervals"][0]["Group 2"][0][0].as_str().unwrap().contains('–'));
    assert_eq!(of_group(&seen["groupIntervals"]), of_group(&seen["wholeIntervals"]));
    let person = seen["personIntervals"]["Group 1"].as_array().unwrap();
    assert!(person.len() == 2 && person[0] == person[1], "{person:?}");

    // Two filters by hand: computed again in the page as it is here; and back again.
    let is_chosen =
        |query: usize| document.queries[query].author == "person" && document.queries[query].licence == "MIT";
    assert_eq!(seen["authorAddress"], "#author=person&licence=MIT");
    assert_eq!(seen["authorStandard"]["Group 1"], json!(expected(&document, 0, 0, is_chosen)));
    assert_ne!(seen["authorStandard"]["Group 1"], seen["wholeStandard"]["Group 1"]);
    assert!(seen["authorBest"].as_u64().unwrap() > 0);
    assert_eq!(seen["isBack"], true);
    assert_eq!(seen["addressAfterReset"], "");
    assert_eq!(seen["changedTitle"], "MRR@10 by setting");
    assert_eq!(seen["changedPanels"], json!(["Group 1"]));

    // The explorer.
    assert_eq!(seen["found"], 1);
    assert_eq!(seen["query"], document.queries[7].text);
    assert_eq!(seen["queryAddress"], "#find=q00007&query=q00007");
    assert_eq!(seen["ranks"], document.queries[7].rankings.len());
    assert_eq!(seen["pressed"], "true1");
    assert_eq!(seen["hits"], 5);
    assert_eq!(seen["tabs"], json!(sample::SETTINGS));
    let text = |setting: usize| document.snippets[7].texts[setting].text.as_str();
    let shows = |seen: &Value, text: &str| text.starts_with(seen.as_str().unwrap()) && text.contains("</script>");
    assert!(shows(&seen["code"], text(0)) && shows(&seen["codeAfter"], text(1)));
    assert_eq!(seen["focused"], "neutralized");
    assert_eq!(seen["foundNothing"], 0);
    assert_eq!((&seen["unreachable"], &seen["unnamed"]), (&json!(0), &json!(0)));

    // No page is wider than its window.
    assert_eq!(seen["overflows"], json!({ "390": 0, "320": 0 }));
}

#[test]
fn a_page_without_results_has_no_error_either() {
    let folder = tempfile::tempdir().unwrap();
    let document = SearchResults { title: "Nothing yet".to_owned(), ..SearchResults::default() };
    let page = report(&document).page(&PageOptions::default());
    std::fs::write(folder.path().join("report.html"), page).unwrap();
    let printed = browse(folder.path(), "report.html");
    assert!(printed.contains("<pre id=\"errors\" role=\"alert\" hidden=\"\"></pre>"), "{printed}");
    assert!(printed.contains("<h1>Nothing yet</h1>"));
}
