//! The data card: what a person should know of a bench before using it. Where its code comes from and under which
//! licences, what is in it, what was checked and how strongly, and how it was made.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use estrange_words::counted;

use super::corpus::ExportedCorpus;
use super::error::ExchangeError;
use super::file::write;
use crate::bench::Bench;
use crate::error::BenchError;
use crate::funnel::{Funnel, Summary};
use crate::manifest::Manifest;
use crate::record::FunctionFacts;

/// What is known of a bench, for its readers.
#[derive(Debug, Clone)]
pub struct Card {
    name: String,
    manifest: Manifest,
    funnel: Funnel,
    all: Summary,
    /// The licences of the functions, with their number.
    licences: BTreeMap<String, u64>,
    /// Who wrote the queries: what they are, and their number.
    authors: BTreeMap<(String, String), u64>,
    /// Variants that are there, by setting.
    variants: BTreeMap<String, u64>,
    /// Lowered functions that are there, by setting.
    lowered: BTreeMap<String, u64>,
    /// What is not there, by setting.
    waiting: BTreeMap<String, u64>,
    /// A line for each corpus.
    corpora: Vec<String>,
}

impl Card {
    /// Reads what the card of a bench says, and of the corpora that go with it.
    pub fn of(bench: &Bench, corpora: &[ExportedCorpus]) -> Result<Self, BenchError> {
        let facts: Vec<FunctionFacts> = bench.function_facts()?.collect::<Result<_, _>>()?;
        let folder = bench.folder().file_name().map(|name| name.to_string_lossy().into_owned());
        let mut card = Self {
            name: folder.unwrap_or_else(|| "bench".to_owned()),
            manifest: bench.manifest().clone(),
            funnel: Funnel::of(bench)?,
            all: Summary::of(&facts),
            licences: BTreeMap::new(),
            authors: BTreeMap::new(),
            variants: BTreeMap::new(),
            lowered: BTreeMap::new(),
            waiting: BTreeMap::new(),
            corpora: corpora.iter().map(line).collect(),
        };
        for function in bench.functions()? {
            let licence = function?.licence;
            let licence = if licence.is_empty() { "not known".to_owned() } else { licence };
            *card.licences.entry(licence).or_default() += 1;
        }
        if bench.has_queries() {
            for query in bench.queries()? {
                let query = query?;
                *card.authors.entry((query.author, query.written_by.to_string())).or_default() += 1;
            }
        }
        if bench.has_variants() {
            for variant in bench.variant_facts()? {
                *card.variants.entry(variant?.setting).or_default() += 1;
            }
        }
        if bench.has_lowered() {
            for lowered in bench.lowered_facts()? {
                *card.lowered.entry(lowered?.setting).or_default() += 1;
            }
        }
        if bench.has_variants() || bench.has_lowered() {
            for waiting in bench.waiting()? {
                *card.waiting.entry(waiting?.setting).or_default() += 1;
            }
        }
        Ok(card)
    }

    /// What the bench is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One sentence about it.
    pub fn summary(&self) -> String {
        let sources = self.manifest.sources.len();
        let from = if sources == 1 { "one source".to_owned() } else { counted(sources, "source") };
        format!("{} functions in C and C++ out of {from}, to be found by descriptions of them.", self.all.functions)
    }

    /// The licences of the functions.
    pub fn licences(&self) -> Vec<&str> {
        self.licences.keys().map(String::as_str).collect()
    }

    /// The card, in Markdown.
    pub fn text(&self) -> String {
        let mut card = format!("# {}\n\n{}\n", self.name, self.summary());
        // Writing to a string cannot fail.
        let _ = self.sections(&mut card);
        card
    }

    /// Writes it as `README.md`.
    pub fn write(&self, folder: &Path) -> Result<(), ExchangeError> {
        write(folder, &["README.md"], |file| file.write_all(self.text().as_bytes()))
    }

    fn sections(&self, card: &mut String) -> std::fmt::Result {
        if !self.corpora.is_empty() {
            write!(card, "\n## What is in it\n\n| corpus | group | view | setting | seed | documents | queries |")?;
            write!(card, "\n|---|---|---|---|---|---:|---:|\n{}", self.corpora.concat())?;
            writeln!(
                card,
                "\nGroup 1 uses the standard library only, group 2 types of its project, group 3 functions of"
            )?;
            writeln!(
                card,
                "its project. In the short view of group 3 helpers are documents of their own, with grade 1;"
            )?;
            writeln!(
                card,
                "in the long view a function and its helpers are one document. The function itself has grade 2."
            )?;
        }
        if !self.authors.is_empty() {
            writeln!(card, "\n## Queries\n\n| author | written by | queries |\n|---|---|---:|")?;
            for ((author, written_by), number) in &self.authors {
                writeln!(card, "| {} | {written_by} | {number} |", cell(author))?;
            }
        }
        self.sources(card)?;
        self.evidence(card)?;
        self.settings(card)?;
        self.making(card)
    }

    /// Where the functions come from, and how the bench was made.
    pub(super) fn provenance(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.sources(&mut text).and_then(|()| self.making(&mut text));
        text
    }

    fn making(&self, card: &mut String) -> std::fmt::Result {
        writeln!(
            card,
            "\n## How it was made\n\nBy Estrange {}, with the seed {}.",
            self.manifest.estrange, self.manifest.seed
        )?;
        for (tool, version) in &self.manifest.tools {
            writeln!(card, "- {tool} {version}")?;
        }
        let config = serde_json::to_string_pretty(&self.manifest.config).unwrap_or_default();
        writeln!(card, "\n```json\n{config}\n```")
    }

    fn sources(&self, card: &mut String) -> std::fmt::Result {
        writeln!(
            card,
            "\n## Sources and licences\n\n| source | version | functions found | kept |\n|---|---|---:|---:|"
        )?;
        for source in &self.manifest.sources {
            let version = if source.version.is_empty() { "not known" } else { &source.version };
            let (found, kept) = (source.counts.found, source.counts.kept);
            writeln!(card, "| {} | {} | {found} | {kept} |", cell(&source.pinned), cell(version))?;
        }
        writeln!(card, "\nEach function keeps the licence of its file:\n\n| licence | functions |\n|---|---:|")?;
        for (licence, number) in &self.licences {
            writeln!(card, "| {} | {number} |", cell(licence))?;
        }
        let classes: Vec<String> =
            self.funnel.kept_by_licence_class.iter().map(|(class, number)| format!("{number} {class}")).collect();
        writeln!(card, "\nBy the class of the licence: {}.", classes.join(", "))
    }

    fn evidence(&self, card: &mut String) -> std::fmt::Result {
        writeln!(card, "\n## What was checked\n")?;
        if self.all.same_code.is_empty() && self.manifest.tools.is_empty() {
            return writeln!(card, "Nothing: the functions were imported as they are.");
        }
        writeln!(
            card,
            "Every function compiles alone with gcc and clang. Its machine code, compared with what it is in its"
        )?;
        writeln!(card, "project:\n\n| level | verdict | functions |\n|---|---|---:|")?;
        for (level, verdicts) in &self.all.same_code {
            for (verdict, number) in verdicts {
                writeln!(card, "| {level} | {verdict} | {number} |")?;
            }
        }
        writeln!(card, "\n{} functions have a linked unit, which can run.", self.all.linkable)
    }

    fn settings(&self, card: &mut String) -> std::fmt::Result {
        let settings: BTreeSet<&String> =
            self.variants.keys().chain(self.lowered.keys()).chain(self.waiting.keys()).collect();
        if settings.is_empty() {
            return Ok(());
        }
        writeln!(card, "\n## Settings\n\n| setting | texts | not there |\n|---|---:|---:|")?;
        for setting in settings {
            let number = |numbers: &BTreeMap<String, u64>| numbers.get(setting).copied().unwrap_or(0);
            let texts = number(&self.variants) + number(&self.lowered);
            writeln!(card, "| {} | {texts} | {} |", cell(setting), number(&self.waiting))?;
        }
        writeln!(card, "\nWhat is not there could not be made, or nothing could be shown of it.")
    }
}

fn line(corpus: &ExportedCorpus) -> String {
    let ExportedCorpus { name, group, view, setting, seed, documents, queries, .. } = corpus;
    format!("| {name} | {group} | {view} | {setting} | {seed} | {} | {} |\n", documents.len(), queries.len())
}

/// Text that cannot break out of a table's cell.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
