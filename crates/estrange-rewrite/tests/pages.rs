//! Literate tests of the rewrites: each page in `tests/pages` has C or C++ in, and what a rewrite makes of it out.
//!
//! A block marked `c` or `cpp` is a text; a block after it marked with a setting (`c neutralized`) is what the whole
//! text becomes, the last function of the text being the one that is meant; `text refused` is why it becomes nothing.
//! Both compilers must give the same code for both, by the evidence itself, except where a page says otherwise. After a
//! change on purpose, `ESTRANGE_UPDATE_PAGES=1 cargo test -p estrange-rewrite --test pages` writes the new answers.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use estrange_clang::Clang;
use estrange_rewrite::{
    Bound, Doubts, Draw, Neutral, Random, Renamed, Rewrite, Setting, Subject, Synonyms, What, back, function_in, locals,
};
use estrange_text::thesaurus::Thesaurus;
use estrange_words::Language;

macro_rules! pages {
    ($($name:ident)*) => {
        const PAGES: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*
    };
}

pages! {
    assign branches casts constants cpp declarations encode exit_flag flatten inline layout logic loops
    macro_constants macros neutralize oddities opaque outline pointers randomize reorder reorder_functions reverse
    strings switches symbol temporaries ternary truth unroll
}

#[test]
fn every_page_is_checked() {
    let mut found: Vec<String> = fs::read_dir(folder())
        .expect("the folder of pages")
        .map(|entry| entry.expect("an entry").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    found.sort();
    assert_eq!(found, PAGES);
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages")
}

/// What stands in a page between two fences, and what stands after the opening one.
struct Block<'a> {
    mark: &'a str,
    text: &'a str,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once("\n```") {
        let (mark, after) = after.split_once('\n').expect("a fence ends its line");
        let end = if after.starts_with("```") { 0 } else { after.find("\n```").expect("a block ends") + 1 };
        blocks.push(Block { mark, text: &after[..end] });
        rest = &after[end + 3..];
    }
    blocks
}

fn check(name: &str) {
    let path = folder().join(format!("{name}.md"));
    let page = fs::read_to_string(&path).expect("the page");
    let update = std::env::var_os("ESTRANGE_UPDATE_PAGES").is_some();
    let mut written = page.clone();
    let mut wrong = Vec::new();
    let mut source: Option<(&str, &str)> = None;
    for block in blocks(&page) {
        let (language, what) = block.mark.split_once(' ').unwrap_or((block.mark, ""));
        if what.is_empty() {
            source = Some((language, block.text));
            continue;
        }
        let (language, text) = source.expect("a text comes first");
        let answer = match what {
            "refused" => rewritten(language, text, "neutralized").err().unwrap_or_else(|| "nothing\n".to_owned()),
            refused if language != block.mark.split(' ').next().unwrap_or_default() => {
                let setting = refused.trim_end_matches(" refused");
                rewritten(language, text, setting).err().unwrap_or_else(|| "nothing\n".to_owned())
            }
            setting => rewritten(language, text, setting).unwrap_or_else(|refusal| format!("refused: {refusal}")),
        };
        if answer != block.text {
            if update {
                written = written.replacen(
                    &format!("\n```{}\n{}```", block.mark, block.text),
                    &format!("\n```{}\n{answer}```", block.mark),
                    1,
                );
            } else {
                wrong.push(format!("{}\nbecomes\n{answer}", text));
            }
        }
    }
    if update {
        fs::write(&path, written).expect("the page is written");
    }
    assert!(wrong.is_empty(), "{name}.md\n\n{}", wrong.join("\n"));
}

/// What a text becomes; or why not.
fn rewritten(language: &str, text: &str, setting: &str) -> Result<String, String> {
    let clang = Clang::load().expect("libclang");
    let arguments = vec![if language == "cpp" { "-xc++" } else { "-xc" }.to_owned()];
    let setting: Setting = setting.parse().expect("a setting");
    let text = &reshaped(&clang, text, &arguments, &setting)?;
    let names = clang.names(text, &arguments);
    let is_standard = |name: &str| matches!(name, "strlen" | "strcmp" | "printf" | "malloc" | "index");
    let bound = Bound::new(text, &names, &is_standard, &HashSet::new(), Doubts::Refuse)
        .map_err(|refusal| format!("{}: {refusal}\n", refusal.reason()))?;
    let last = names.functions.last().expect("a function");
    let range = last.start as usize..last.end as usize;
    let bound = match setting.recipe().naming() {
        Some(naming @ (Rewrite::Locals | Rewrite::Mangle)) => {
            let tree = clang.tree(text, &arguments);
            let mut chosen = locals(&tree, tree.functions.len() - 1);
            if naming == Rewrite::Mangle {
                chosen.insert(last_name(&tree));
            }
            bound.only(|symbol| matches!(symbol.what, What::Thing(_)) && chosen.contains(&symbol.name))
        }
        _ => bound,
    };
    let renamed = match setting.recipe().naming() {
        Some(Rewrite::Neutralize | Rewrite::Locals | Rewrite::Mangle) => bound.rename(range, &mut Neutral::default()),
        Some(Rewrite::Randomize) => bound.rename(range, &mut Random::new("page", 1)),
        Some(_) => {
            let thesaurus = Thesaurus::load(Path::new(Thesaurus::FOLDER)).expect("WordNet");
            bound.rename(range, &mut Synonyms::new(&thesaurus, 1))
        }
        None => Ok(bound.plain(range, &[])),
    };
    let renamed = renamed.map_err(|refusal| format!("{}: {refusal}\n", refusal.reason()))?;
    let in_layout = |text: Renamed| if setting.recipe().has(Rewrite::Layout) { text.laid_out() } else { text };
    let renamed = in_layout(renamed);
    let troubles = clang.check(&renamed.text, &arguments);
    assert!(troubles.is_empty(), "{troubles:?}\n{}", renamed.text);
    let plain = in_layout(bound.plain(last.start as usize..last.end as usize, &[]));
    assert_eq!(back(&renamed.text, &renamed.names), plain.text, "the way back");
    Ok(renamed.text)
}

/// A text after the rewrites of shape of a setting.
fn reshaped(clang: &Clang, text: &str, arguments: &[String], setting: &Setting) -> Result<String, String> {
    let mut text = text.to_owned();
    let mut done = Vec::new();
    for (step, rewrite) in setting.recipe().rewrites().iter().enumerate().filter(|(_, rewrite)| rewrite.reshapes()) {
        let tree = clang.tree(&text, arguments);
        let function = function_in(&tree, &(0..text.len())).expect("a function");
        let subject = Subject { text: &text, tree: &tree, function, language: Language::of_arguments(arguments) };
        match rewrite.reshape(&subject, &done, &mut Draw::new("page", 1, step as u32)) {
            Ok((reshape, edited)) => {
                done.push(reshape);
                text = edited.text;
            }
            Err(refusal) if rewrite.can_be_left_out(&done, &refusal) => {}
            Err(refusal) => return Err(format!("{}: {refusal}\n", refusal.reason())),
        }
        let troubles = clang.check(&text, arguments);
        assert!(troubles.is_empty(), "{troubles:?}\n{text}");
    }
    Ok(text)
}

fn last_name(tree: &estrange_clang::Tree) -> String {
    tree.functions.last().map(|function| tree.thing(function.thing).name.clone()).unwrap_or_default()
}
