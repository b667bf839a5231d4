//! Literate tests of the rewrites: each page in `tests/pages` has C or C++ in, and what a recipe makes of it out.
//!
//! A block marked `c` or `cpp` is a text; a block after it marked with a setting (`c neutralized`) is what the whole
//! text becomes, the last function of the text being the one that is meant; `text neutralized refused` is why it becomes
//! nothing. After a change on purpose, `ESTRANGE_UPDATE_PAGES=1 cargo test -p estrange-rewrite --test pages` writes the new
//! answers.
//!
//! gcc and clang compile what becomes of every text. Where names and layout are all that changes, both must write the same
//! code for it, by the evidence itself and at both of its levels; of a method that is defined in its class they may write
//! none. Where the shape changes, both must accept it; that it does the same is shown by running it, in `meaning.rs`.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use estrange_clang::Clang;
use estrange_evidence::{self as evidence, Compiled, Gcc, Identical, LEVELS, Level, Pair, Renames, identical_code};
use estrange_rewrite::{Applied, Choices, Declined, InProcess, Interpreter, Recipe, Rewrite, Setting, back};
use estrange_sandbox::Workshop;
use estrange_text::thesaurus::Thesaurus;
use estrange_words::Language;

#[test]
fn every_text_becomes_what_its_page_says() {
    let update = std::env::var_os("ESTRANGE_UPDATE_PAGES").is_some();
    let mut wrong = Vec::new();
    for page in pages() {
        let mut written = String::new();
        let mut from = 0;
        for example in page.examples() {
            let answer = match (example.applied(), example.is_refusal) {
                (Ok(applied), false) => applied.new.text,
                (Ok(applied), true) => format!("nothing: it becomes\n{}", applied.new.text),
                (Err(declined), true) => format!("{}: {}\n", declined.reason(), declined.refusal),
                (Err(declined), false) => format!("refused: {}: {}\n", declined.reason(), declined.refusal),
            };
            // A refusal that is none is for a person to mend.
            let can_be_updated = !answer.starts_with("nothing: ") && !answer.starts_with("refused: ");
            if answer != page.text[example.answer.clone()] && !(update && can_be_updated) {
                let Example { source, setting, .. } = &example;
                wrong.push(format!("{}: by {setting}\n{source}\nbecomes\n{answer}", page.path.display()));
            }
            written += &page.text[from..example.answer.start];
            written += &answer;
            from = example.answer.end;
        }
        written += &page.text[from..];
        if update {
            fs::write(&page.path, written).expect("the page is written");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn both_compilers_write_the_same_code_for_new_names_and_accept_new_shapes() {
    let workshop = Workshop::temporary().expect("a workshop");
    let gcc = Gcc::find(&workshop).expect("gcc");
    let clang = evidence::Clang::find(&workshop).expect("clang");
    let pages = pages();
    let examples: Vec<Example<'_>> = pages.iter().flat_map(Page::examples).filter(|one| !one.is_refusal).collect();
    for (language, word) in [(Language::C, "c"), (Language::Cpp, "cpp")] {
        let own = examples.iter().filter(|example| example.language == word);
        let (shapes, names): (Vec<&Example<'_>>, Vec<_>) = own.partition(|example| example.setting.recipe().reshapes());
        let applied: Vec<Applied> = names.iter().map(|one| one.applied().expect("it is rewritten")).collect();
        let new_names = |one: &Applied| Renames::new(one.new.names.iter().map(|name| (&name.old, &name.new)));
        let renames: Vec<Renames> = applied.iter().map(new_names).collect();
        let pair = |(one, renames)| {
            let Applied { old, new, .. }: &Applied = one;
            Pair { old: &old.text, new: &new.text, renames }
        };
        let pairs: Vec<Pair<'_>> = applied.iter().zip(&renames).map(pair).collect();
        let verdicts = identical_code(&gcc, &clang, language, &[], &LEVELS, &pairs, &is_standard).expect("evidence");
        for ((example, pair), verdict) in names.iter().zip(&pairs).zip(verdicts) {
            let told = || format!("{}\nbecomes, by {},\n{}", pair.old, example.setting, pair.new);
            let code = verdict.unwrap_or_else(|refusal| panic!("{refusal}\n{}", told()));
            let has_none = |verdict: &Identical| word == "cpp" && *verdict == Identical::NoCode;
            for (compiler, level, verdict) in code.verdicts() {
                assert!(verdict.holds() || has_none(verdict), "{compiler:?} {level:?} {verdict:?}\n{}", told());
            }
        }
        let texts: Vec<&str> = shapes.iter().map(|example| example.answer()).collect();
        let by_gcc = gcc.compile(language, Level::Syntax, &[], &texts).expect("gcc");
        let by_clang = clang.compile(language, Level::Syntax, &[], &texts).expect("clang");
        for ((text, gcc), clang) in texts.iter().zip(by_gcc).zip(by_clang) {
            assert!(gcc.accepted() && clang.accepted(), "{} {}\n{text}", said(&gcc), said(&clang));
        }
    }
}

/// What a compiler said of a text that it does not accept.
fn said(compiled: &Compiled) -> &str {
    match compiled {
        Compiled::Accepted { .. } => "",
        Compiled::Refused { messages } => messages,
        Compiled::Ended { how } => how,
    }
}

#[test]
fn every_rewrite_has_a_page_that_shows_what_it_does_and_what_it_refuses() {
    let (mut shown, mut refused) = (BTreeSet::new(), BTreeSet::new());
    let pages = pages();
    for example in pages.iter().flat_map(Page::examples) {
        let all: BTreeSet<Rewrite> = example.setting.recipe().rewrites().iter().copied().collect();
        // In a recipe of several, nothing tells which of them it is.
        if all.len() == 1 {
            if example.is_refusal { &mut refused } else { &mut shown }.extend(all);
        }
    }
    let missing = |known: &BTreeSet<Rewrite>| -> Vec<&str> {
        Rewrite::all().filter(|rewrite| !known.contains(rewrite)).map(Rewrite::name).collect()
    };
    assert!(missing(&shown).is_empty(), "no page in tests/pages shows what these do: {:?}", missing(&shown));
    assert!(missing(&refused).is_empty(), "no page in tests/pages shows what these refuse: {:?}", missing(&refused));
}

/// A page and its file.
struct Page {
    path: PathBuf,
    text: String,
}

/// A text, and what a page says of it.
struct Example<'p> {
    language: &'p str,
    source: &'p str,
    setting: Setting,
    /// Whether the page says that it becomes nothing.
    is_refusal: bool,
    page: &'p str,
    /// Where in the page it says what it becomes, or why it becomes nothing.
    answer: Range<usize>,
}

/// All pages, by name.
fn pages() -> Vec<Page> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let entries = fs::read_dir(folder).expect("the folder of pages");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: PathBuf| Page { text: fs::read_to_string(&path).expect("a page"), path };
    paths.into_iter().map(read).collect()
}

impl Page {
    fn examples(&self) -> Vec<Example<'_>> {
        let mut examples = Vec::new();
        let mut source: Option<(&str, &str)> = None;
        let mut from = 0;
        while let Some(opening) = self.text[from..].find("\n```") {
            let opening = from + opening + 4;
            let start = opening + self.text[opening..].find('\n').expect("a fence ends its line") + 1;
            let mark = &self.text[opening..start - 1];
            let end = match self.text[start..].starts_with("```") {
                true => start,
                false => start + self.text[start..].find("\n```").expect("a block ends") + 1,
            };
            from = end + 3;
            let Some((kind, setting)) = mark.split_once(' ') else {
                source = Some((mark, &self.text[start..end]));
                continue;
            };
            let (language, source) = source.expect("a text comes first");
            let is_refusal = kind == "text";
            let setting = if is_refusal { setting.trim_end_matches(" refused") } else { setting };
            let setting = setting.parse().expect("a setting");
            let answer = start..end;
            examples.push(Example { language, source, setting, is_refusal, page: &self.text, answer });
        }
        examples
    }
}

fn is_standard(name: &str) -> bool {
    matches!(name, "strlen" | "strcmp" | "printf" | "malloc" | "index")
}

impl Example<'_> {
    /// What the page says that the text becomes.
    fn answer(&self) -> &str {
        &self.page[self.answer.clone()]
    }

    /// What the text becomes.
    fn applied(&self) -> Result<Applied, Declined> {
        static THESAURUS: LazyLock<Thesaurus> =
            LazyLock::new(|| Thesaurus::load(Path::new(Thesaurus::FOLDER)).expect("WordNet"));
        let clang = Clang::load().expect("libclang");
        let arguments = [if self.language == "cpp" { "-xc++" } else { "-xc" }.to_owned()];
        let recipe: &Recipe = self.setting.recipe();
        let interpreter = Interpreter {
            reader: &InProcess { clang: &clang, arguments: &arguments },
            language: if self.language == "cpp" { Language::Cpp } else { Language::C },
            is_standard: &is_standard,
            keep: &HashSet::new(),
            theirs: None,
            thesaurus: recipe.has(Rewrite::Symbol).then(|| &*THESAURUS),
            contractor: None,
        };
        let functions = clang.names(self.source, &arguments).functions;
        let last = functions.last().map_or(0..0, |last| last.start as usize..last.end as usize);
        let applied = interpreter.rewritten(self.source, last, recipe, Choices { id: "page", seed: 1 })?;
        if !recipe.reshapes() {
            assert_eq!(back(&applied.new.text, &applied.new.names), applied.old.text, "the way back");
        }
        Ok(applied)
    }
}
