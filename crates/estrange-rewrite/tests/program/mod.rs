//! A program whose functions are rewritten, compiled and run.

use std::cell::RefCell;
use std::collections::HashSet;
use std::convert::Infallible;
use std::ops::Range;
use std::path::Path;

use estrange_clang::{Clang, Names, Tree};
use estrange_rewrite::{
    Choices, Declined, InProcess, Interpreter, NamesRead, Reader, Refusal, Reshaped, Rewrite, Setting,
};
use estrange_sandbox::Tool;
use estrange_text::thesaurus::Thesaurus;
pub use estrange_words::Language;

#[derive(Debug, Clone)]
pub struct Program {
    pub language: Language,
    pub text: String,
    /// What compilers are told besides the language.
    pub flags: Vec<String>,
}

impl Program {
    pub fn new(language: Language, text: &str) -> Self {
        Self { language, text: text.to_owned(), flags: Vec::new() }
    }

    fn arguments(&self) -> Vec<String> {
        let words: &[&str] = match self.language {
            Language::C => &["-xc"],
            Language::Cpp => &["-xc++", "-std=c++20"],
        };
        words.iter().map(|word| (*word).to_owned()).chain(self.flags.iter().cloned()).collect()
    }

    /// The program after a setting's rewrites of all its functions but `main`, one after the other, and why some stay as
    /// they are. Names are chosen last.
    pub fn rewritten(&self, clang: &Clang, setting: &Setting, seed: u64) -> (Self, Vec<Refusal>) {
        let arguments = self.arguments();
        let inner = InProcess { clang, arguments: &arguments };
        let reader = Remembering { inner, names: RefCell::default(), tree: RefCell::default() };
        let thesaurus = match setting.recipe().has(Rewrite::Symbol) {
            true => Some(Thesaurus::load(Path::new(Thesaurus::FOLDER)).expect("WordNet")),
            false => None,
        };
        let (keep, theirs) = (ASKED_FOR.map(str::to_owned).into(), HashSet::new());
        let interpreter = Interpreter {
            reader: &reader,
            language: self.language,
            is_standard: &|_| false,
            keep: &keep,
            theirs: Some(&theirs),
            thesaurus: thesaurus.as_ref(),
            contractor: None,
        };
        let mut program = self.clone();
        let mut refused = Vec::new();
        let recipe = setting.recipe();
        let all: Vec<String> = functions(&reader, &self.text).into_iter().map(|(name, _)| name).collect();
        let mut change = |program: &mut Self, name: &str, shapes: bool| {
            let all = functions(&reader, &program.text);
            let (_, place) = all.into_iter().find(|(other, _)| other == name).expect("the function is there");
            let choices = Choices { id: name, seed };
            let text = match recipe.naming().filter(|_| !shapes) {
                Some(naming) => {
                    interpreter.rewritten(&program.text, place, &naming.into(), choices).map(|applied| applied.new.text)
                }
                None => interpreter.reshaped(program.text.clone(), place.into(), recipe, choices).map(|reshaped| {
                    let Reshaped { text, tree, .. } = reshaped;
                    assert!(tree.troubles.is_empty(), "{setting} of {name}: {:?}\n{text}", tree.troubles);
                    text
                }),
            };
            match text.map_err(Declined::from) {
                Ok(text) => program.text = text,
                Err(declined) => refused.push(declined.refusal),
            }
        };
        if recipe.reshapes() {
            all.iter().for_each(|name| change(&mut program, name, true));
        }
        // What one function declares is renamed function by function, everything else at once.
        match recipe.naming() {
            Some(Rewrite::Locals | Rewrite::Mangle) => all.iter().for_each(|name| change(&mut program, name, false)),
            Some(_) => all.last().into_iter().for_each(|name| change(&mut program, name, false)),
            None => {}
        }
        (program, refused)
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

/// A reader that does not parse the same text twice in a row.
struct Remembering<'a> {
    inner: InProcess<'a>,
    names: RefCell<Option<(String, Names)>>,
    tree: RefCell<Option<(String, Tree)>>,
}

impl Reader for Remembering<'_> {
    type Error = Infallible;

    fn names(&self, text: &str) -> Result<NamesRead, Infallible> {
        let names = remembered(&self.names, text, || self.inner.names(text).map(|read| read.names))?;
        Ok(NamesRead { names, in_headers: Box::new(|_| false) })
    }

    fn tree(&self, text: &str) -> Result<Tree, Infallible> {
        remembered(&self.tree, text, || self.inner.tree(text))
    }
}

/// What is known of a text, or is found out now.
fn remembered<T: Clone>(
    last: &RefCell<Option<(String, T)>>,
    text: &str,
    find: impl FnOnce() -> Result<T, Infallible>,
) -> Result<T, Infallible> {
    if let Some((_, known)) = last.borrow().as_ref().filter(|(known, _)| known == text) {
        return Ok(known.clone());
    }
    let found = find()?;
    *last.borrow_mut() = Some((text.to_owned(), found.clone()));
    Ok(found)
}

/// The functions of a text but `main`, and where they stand.
fn functions(reader: &Remembering<'_>, text: &str) -> Vec<(String, Range<usize>)> {
    let Ok(tree) = reader.tree(text);
    let all = tree
        .functions
        .iter()
        .map(|function| (tree.thing(function.thing).name.clone(), function.start as usize..function.end as usize));
    all.filter(|(name, _)| name != "main").collect()
}
