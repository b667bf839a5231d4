//! The page: one file with its style, its scripts and its data, which opens from a disk without a network. Each panel has
//! a part of it.

use crate::document::Fact;
use crate::markup::{escape, fill};
use crate::panel::{FactSheet, PageOptions, PagePart, Panel};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const PRINT: &str = include_str!("page/print.css");

/// The whole page.
pub(crate) fn page(title: &str, panels: &[Box<dyn Panel + '_>], options: &PageOptions) -> String {
    let parts: Vec<PagePart> = panels.iter().map(|panel| panel.page(options)).collect();
    let all = |read: &dyn Fn(&PagePart) -> String| parts.iter().map(read).collect::<Vec<_>>();
    let link = |(anchor, words): &(String, String)| format!("<a href=\"#{}\">{}</a>", escape(anchor), escape(words));
    let links = all(&|part| part.links.iter().map(link).collect::<Vec<_>>().join(" "));
    let lead = parts.iter().filter(|part| !part.lead.is_empty());
    let sheets = panels.iter().flat_map(|panel| panel.facts());
    let parts = [
        ("title", escape(title)),
        ("style", [STYLE.to_owned(), all(&|part| part.style.clone()).concat(), PRINT.to_owned()].concat()),
        ("lead", lead.map(|part| format!("<p class=\"lead\">{}</p>", part.lead)).collect()),
        ("links", links.join(" ")),
        ("controls", all(&|part| part.controls.clone()).concat()),
        ("sections", all(&|part| part.sections.clone()).concat()),
        ("made", sheets.map(|sheet| made(&sheet)).collect()),
        ("scripts", all(&|part| part.scripts.clone()).join("\n")),
    ];
    fill(TEMPLATE, &parts)
}

/// What was run, or by whom.
fn made(sheet: &FactSheet) -> String {
    if sheet.facts.is_empty() {
        return String::new();
    }
    let title = if sheet.title.is_empty() { String::new() } else { format!("<h3>{}</h3>", escape(&sheet.title)) };
    let fact = |fact: &Fact| format!("<dt>{}</dt><dd>{}</dd>", escape(&fact.name), escape(&fact.value));
    format!("{title}<dl>{}</dl>", sheet.facts.iter().map(fact).collect::<String>())
}
