//! A program whose functions are rewritten, compiled and run.

use std::collections::HashSet;
use std::path::Path;

use estrange_clang::{Clang, Tree};
use estrange_rewrite::{
    Bound, Doubts, Draw, Neutral, Random, Refusal, Rewrite, Setting, Subject, What, function_in, locals,
};
use estrange_sandbox::Tool;
pub use estrange_words::Language;

#[derive(Debug, Clone)]
pub struct Program {
    pub language: Language,
    pub text: String,
}

impl Program {
    pub fn new(language: Language, text: &str) -> Self {
        Self { language, text: text.to_owned() }
    }

    fn arguments(&self) -> Vec<String> {
        let words: &[&str] = match self.language {
            Language::C => &["-xc"],
            Language::Cpp => &["-xc++", "-std=c++20"],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    /// The program after a setting's rewrites of all its functions but `main`, one after the other, and why some stay as
    /// they are. Names are chosen last.
    pub fn rewritten(&self, clang: &Clang, setting: &Setting, seed: u64) -> (Self, Vec<Refusal>) {
        let mut program = self.clone();
        let mut refused = Vec::new();
        let mut tree = clang.tree(&self.text, &self.arguments());
        let all: Vec<String> = names(&tree).filter(|name| name != "main").collect();
        for name in all.iter().filter(|_| setting.recipe().reshapes()) {
            match program.with_one(clang, &tree, setting, name, seed) {
                Ok(changed) => (program.text, tree) = changed,
                Err(refusal) => refused.push(refusal),
            }
        }
        match setting.recipe().naming().map(|naming| program.renamed(clang, naming, seed)) {
            Some(Ok(text)) => program.text = text,
            Some(Err(refusal)) => refused.push(refusal),
            None => {}
        }
        (program, refused)
    }

    /// The text after a setting's rewrites of one function's shape, and what the parser says of it.
    fn with_one(
        &self,
        clang: &Clang,
        tree: &Tree,
        setting: &Setting,
        name: &str,
        seed: u64,
    ) -> Result<(String, Tree), Refusal> {
        let (mut text, mut tree) = (self.text.clone(), tree.clone());
        let number = names(&tree).position(|other| other == name).expect("the function is there");
        let mut range = tree.functions[number].start as usize..tree.functions[number].end as usize;
        let mut done = Vec::new();
        for (step, rewrite) in setting.recipe().rewrites().iter().enumerate().filter(|(_, each)| each.reshapes()) {
            let function = function_in(&tree, &range).expect("the function is there");
            let subject = Subject { text: &text, tree: &tree, function, language: self.language };
            match rewrite.reshape(&subject, &done, &mut Draw::new(name, seed, step as u32)) {
                Ok((reshape, edited)) => {
                    done.push(reshape);
                    (text, range) = (edited.text, edited.function);
                    tree = clang.tree(&text, &self.arguments());
                    assert!(tree.troubles.is_empty(), "{setting} of {name}: {:?}\n{text}", tree.troubles);
                }
                Err(refusal) if rewrite.can_be_left_out(&done, &refusal) => {}
                Err(refusal) => return Err(refusal),
            }
        }
        Ok((text, tree))
    }

    fn renamed(&self, clang: &Clang, naming: Rewrite, seed: u64) -> Result<String, Refusal> {
        let arguments = self.arguments();
        let (tree, names) = (clang.tree(&self.text, &arguments), clang.names(&self.text, &arguments));
        let (kept, nothing) = (ASKED_FOR.map(str::to_owned).into(), HashSet::new());
        let doubts = Doubts::Decide { in_headers: &|_| false, theirs: &nothing };
        let bound = Bound::new(&self.text, &names, &|_| false, &kept, doubts)?;
        let mut chosen: HashSet<String> =
            (0..tree.functions.len()).flat_map(|function| locals(&tree, function)).collect();
        if naming == Rewrite::Mangle {
            chosen.extend(self::names(&tree).filter(|name| name != "main"));
        }
        let bound = match naming {
            Rewrite::Locals | Rewrite::Mangle => {
                bound.only(|symbol| matches!(symbol.what, What::Thing(_)) && chosen.contains(&symbol.name))
            }
            _ => bound,
        };
        let all = 0..self.text.len();
        Ok(match naming {
            Rewrite::Randomize => bound.rename(all, &mut Random::new("program", seed))?.text,
            _ => bound.rename(all, &mut Neutral::default())?.text,
        })
    }

    /// What it prints; no sanitizer may complain.
    pub fn printed(&self, folder: &Path) -> String {
        let (compiler, file, standard) = match self.language {
            Language::C => ("gcc", "program.c", "-std=gnu17"),
            Language::Cpp => ("g++", "program.cpp", "-std=c++20"),
        };
        std::fs::write(folder.join(file), &self.text).expect("a file is written");
        let flags = ["-w", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-o", "program"];
        let call = Tool::new(compiler).arguments(flags).argument(standard).argument(file);
        let compiled = call.directory(folder).run().expect("the compiler is there");
        assert!(compiled.success(), "{}\n{}", compiled.last_words(5), self.text);
        let output = Tool::new(folder.join("program")).directory(folder).run().expect("the program starts");
        assert!(output.success(), "{}\n{}", output.last_words(8), self.text);
        output.text()
    }
}

/// Names that the language itself asks for.
const ASKED_FOR: [&str; 8] = [
    "main",
    "promise_type",
    "get_return_object",
    "initial_suspend",
    "final_suspend",
    "yield_value",
    "return_void",
    "unhandled_exception",
];

/// The names of a text's functions.
fn names(tree: &Tree) -> impl Iterator<Item = String> + '_ {
    tree.functions.iter().map(|function| tree.thing(function.thing).name.clone())
}
