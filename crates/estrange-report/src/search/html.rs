//! The part of the page that is about searches.
//!
//! Tables are written here, so that the page can be read where scripts do not run; the script draws the plots, runs the
//! explorer, and computes tables again for the part of the queries that a filter leaves.

mod base64;
mod data;
mod explorer;
mod summary;

use super::SearchPanel;
use crate::markup::{fill, tables};
use crate::panel::{PageOptions, PagePart, Panel};
use crate::words;

const SECTIONS: &str = include_str!("../page/search.html");
const SCRIPT: &[&str] = &[
    include_str!("../page/data.js"),
    include_str!("../page/state.js"),
    include_str!("../page/scores.js"),
    include_str!("../page/tables.js"),
    include_str!("../page/plots.js"),
    include_str!("../page/explorer.js"),
    include_str!("../page/main.js"),
];

/// What searches have on the page.
pub(super) fn part(panel: &SearchPanel<'_>, options: &PageOptions) -> PagePart {
    let parts = [
        ("headline", summary::headline(panel)),
        ("confidence", words::percent(panel.document().confidence)),
        ("tables", tables(&panel.tables())),
        ("left-out", explorer::left_out(panel.document(), options)),
    ];
    let links = [("summary", "Summary"), ("plots", "Plots"), ("tables", "Tables"), ("explorer", "Queries")];
    PagePart {
        lead: summary::lead(panel),
        links: links.map(|(anchor, words)| (anchor.to_owned(), words.to_owned())).to_vec(),
        controls: "<form id=\"filters\" aria-label=\"Filters\" hidden></form>".to_owned(),
        sections: fill(SECTIONS, &parts),
        style: include_str!("../page/explorer.css").to_owned(),
        scripts: format!(
            "<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n\"use strict\";\n{}\n</script>",
            data::json(panel, options),
            SCRIPT.concat()
        ),
    }
}
