//! What every rewrite and every setting makes of fixed functions: it changes only with the version.

#[path = "../../golden.rs"]
mod golden;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use estrange_clang::Clang;
use estrange_rewrite::{Choices, Declined, InProcess, Interpreter, NAMED, Rewrite, Setting, VERSION};
use estrange_text::thesaurus::Thesaurus;
use estrange_words::Language;

/// Recipes of several rewrites, besides those that have a name.
const MORE: [&str; 4] = ["neutralize,layout", "inline*2,neutralize", "outline,flatten", "reorder-functions,randomize"];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

#[test]
fn what_recipes_give_changes_with_the_version_only() {
    golden::check(&path("golden.txt"), VERSION, &outputs());
}

/// All that each recipe gives.
fn outputs() -> Vec<(String, String)> {
    let clang = Clang::load().expect("libclang");
    let thesaurus = Thesaurus::load(Path::new(Thesaurus::FOLDER)).expect("WordNet");
    let recipes = NAMED.iter().map(|(name, _)| *name).chain(MORE).chain(Rewrite::all().map(Rewrite::name));
    let settings = recipes.map(|recipe| recipe.parse::<Setting>().expect("a setting"));
    let mut outputs: BTreeMap<String, (Setting, String)> =
        settings.map(|setting| (setting.to_string(), (setting, String::new()))).collect();
    for (file, language) in [("golden/functions.c", "-xc"), ("golden/functions.cpp", "-xc++")] {
        let text = fs::read_to_string(path(file)).expect("the functions");
        let arguments = [language.to_owned()];
        let names = clang.names(&text, &arguments);
        assert!(names.troubles.is_empty(), "{:?}", names.troubles);
        let (keep, theirs) = (HashSet::new(), HashSet::new());
        let interpreter = Interpreter {
            reader: &InProcess { clang: &clang, arguments: &arguments },
            language: Language::of_arguments(&arguments),
            is_standard: &|name| name == "show",
            keep: &keep,
            theirs: Some(&theirs),
            thesaurus: Some(&thesaurus),
            contractor: None,
        };
        for (setting, output) in outputs.values_mut() {
            for function in &names.functions {
                let place = function.start as usize..function.end as usize;
                let choices = Choices { id: &function.name, seed: 1 };
                let applied = interpreter.rewritten(&text, place, setting.recipe(), choices);
                *output += &match applied.map_err(Declined::from) {
                    Ok(applied) => format!("{:?} {}", applied.new.map(), applied.new.text),
                    Err(declined) => format!("{}: {declined}\n", declined.reason()),
                };
            }
        }
    }
    outputs.into_iter().map(|(name, (_, output))| (name, output)).collect()
}
