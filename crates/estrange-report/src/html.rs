//! The page: one file with its style, its script and its data, which opens from a disk without a network.
//!
//! Tables are written here, so that the page can be read where scripts do not run; the script draws the plots, runs the
//! explorer, and computes tables again for the part of the queries that a filter leaves.

mod base64;
mod data;
mod explorer;
mod summary;
mod tables;

use crate::report::Report;
use crate::words;

/// How much of a document goes into a page.
///
/// With the defaults, a page of 3,000 queries, 6 settings and 4 models stays below 10 MB. Scores are never left out:
/// tables, plots and filters know every query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageOptions {
    /// How many queries the explorer shows; of more, it takes as many at equal distances.
    pub queries: usize,
    /// How many documents of a ranking are shown.
    pub hits: usize,
    /// How many characters of the right function are shown, in each setting.
    pub text: usize,
    /// How many characters of any other document are shown.
    pub hit_text: usize,
}

impl Default for PageOptions {
    fn default() -> Self {
        Self { queries: 200, hits: 5, text: 1500, hit_text: 240 }
    }
}

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &[&str] =
    &[include_str!("page/style.css"), include_str!("page/explorer.css"), include_str!("page/print.css")];
const SCRIPT: &[&str] = &[
    include_str!("page/data.js"),
    include_str!("page/state.js"),
    include_str!("page/scores.js"),
    include_str!("page/tables.js"),
    include_str!("page/plots.js"),
    include_str!("page/explorer.js"),
    include_str!("page/main.js"),
];

impl Report<'_> {
    /// One page with everything: tables, plots, filters and an explorer of queries. It needs no network and no other
    /// file.
    pub fn page(&self, options: &PageOptions) -> String {
        page(self, options)
    }
}

/// The whole page.
fn page(report: &Report<'_>, options: &PageOptions) -> String {
    let parts = [
        ("title", escape(&report.document().title)),
        ("style", STYLE.concat()),
        ("lead", summary::lead(report)),
        ("headline", summary::headline(report)),
        ("made", summary::made(report)),
        ("confidence", words::percent(report.document().confidence)),
        ("tables", tables::tables(&report.tables())),
        ("left-out", explorer::left_out(report.document(), options)),
        ("data", data::json(report, options)),
        ("script", SCRIPT.concat()),
    ];
    fill(TEMPLATE, &parts)
}

/// The template with each `{{name}}` replaced once; what is put in is not looked at again.
fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page += before;
        let Some((name, behind)) = after.split_once("}}") else {
            page += "{{";
            rest = after;
            continue;
        };
        if let Some((_, text)) = parts.iter().find(|(each, _)| *each == name) {
            page += text;
        }
        rest = behind;
    }
    page + rest
}

/// Text that stays text, between tags and in quoted attributes.
fn escape(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => output += "&amp;",
            '<' => output += "&lt;",
            '>' => output += "&gt;",
            '"' => output += "&quot;",
            '\'' => output += "&#39;",
            other => output.push(other),
        }
    }
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "B".to_owned())];
        assert_eq!(fill("x {{a}} {{b}} {{unknown}} {{", &parts), "x {{b}} B  {{");
    }

    #[test]
    fn text_cannot_become_a_tag_or_leave_its_attribute() {
        assert_eq!(escape("<b title='\"'>&"), "&lt;b title=&#39;&quot;&#39;&gt;&amp;");
    }
}
