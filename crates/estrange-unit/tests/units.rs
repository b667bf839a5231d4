//! Literate tests of units: each page in `tests/units` has C or C++ in, and the unit and group of a function out.
//!
//! Real gcc, real workers, real libclang; and both compilers must accept every unit on the pages. After a change on
//! purpose, `ESTRANGE_UPDATE_UNITS=1 cargo test -p estrange-unit --test units` writes the new answers into the pages.

#[path = "units/page.rs"]
mod page;

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use estrange_clang::DeclarationKind;
use estrange_sandbox::{Tool, Workshop};
use estrange_unit::{Flat, Group, Language, Parser, SystemFolders, Translation, Wanted, flatten};
use page::{Answers, Case, Page, Question};

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

pages! { classes comments functions groups headers macros names preprocessor templates types variables }

#[test]
fn every_page_is_checked() {
    let mut found: Vec<String> = fs::read_dir(folder())
        .expect("the folder of pages")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    found.sort();
    assert_eq!(found, PAGES);
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/units")
}

fn check(name: &str) {
    let path = folder().join(format!("{name}.md"));
    let page = Page::read(&fs::read_to_string(&path).expect("the page"));
    let workshop = Workshop::temporary().expect("a workshop");
    let parser = Parser::new(1, &workshop).expect("a parser");
    let mut answers = Vec::new();
    let mut wrong = Vec::new();
    let update = std::env::var_os("ESTRANGE_UPDATE_UNITS").is_some();
    for case in &page.cases {
        let mut translations: BTreeMap<&[String], Result<Translation, String>> = BTreeMap::new();
        for question in &case.questions {
            let translation =
                translations.entry(&question.flags).or_insert_with_key(|flags| read(&workshop, &parser, case, flags));
            let answer = translation.as_ref().map_err(String::clone).and_then(|read| ask(&parser, read, question));
            let differences = match &answer {
                Err(why) => vec![why.clone()],
                Ok(_) if update => Vec::new(),
                Ok(answer) => differences(question, answer),
            };
            let told = |difference: String| format!("{}: `{}` {difference}", case.heading, question.name);
            wrong.extend(differences.into_iter().map(told));
            answers.push(answer.ok());
        }
    }
    wrong.extend(refused(&page, &answers));
    if update {
        fs::write(&path, page.rewritten(&answers)).expect("the page is written");
    }
    assert!(wrong.is_empty(), "{name}.md\n\n{}", wrong.join("\n"));
}

fn differences(question: &Question, answer: &Answers) -> Vec<String> {
    let mut differences = Vec::new();
    if answer.unit != question.unit {
        differences.push(format!("has another unit:\n{}", answer.unit));
    }
    if answer.group != question.group {
        differences.push(format!("is in group {}", answer.group));
    }
    if question.documentation.is_some() && answer.documentation != question.documentation {
        differences.push(format!("is documented by:\n{}", answer.documentation.as_deref().unwrap_or("nothing")));
    }
    differences
}

/// Reads the files of a case; or says in words why that cannot be.
fn read(workshop: &Workshop, parser: &Parser, case: &Case, flags: &[String]) -> Result<Translation, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let (language, word, extension) =
        if case.is_cpp { (Language::Cpp, "-xc++", "cpp") } else { (Language::C, "-xc", "c") };
    for file in &case.files {
        let name = if file.name == "source" { format!("source.{extension}") } else { file.name.clone() };
        fs::write(folder.path().join(name), &file.bytes).expect("a file");
    }
    let mut arguments = vec![word.to_owned()];
    arguments.extend(flags.iter().cloned());
    let file = folder.path().join(format!("source.{extension}"));
    let flat =
        flatten(&workshop.clone().showing([folder.path()]), &file, &arguments, folder.path(), folders(case.is_cpp))
            .map_err(|loss| format!("stands in a file that is lost: {loss}"))?;
    let reading = parser.read(&flat, &dialect(language, flags)).map_err(|loss| loss.to_string())?;
    if !reading.troubles.is_empty() {
        return Err(format!("stands in a file with errors: {:?}", reading.troubles));
    }
    Ok(Translation { key: format!("{} {flags:?}", case.heading), language, flat, reading })
}

/// What a compiler must be told of a unit.
fn dialect(language: Language, flags: &[String]) -> Vec<String> {
    let language = if language == Language::Cpp { "-xc++" } else { "-xc" };
    let standard = flags.iter().filter(|flag| flag.starts_with("-std")).cloned();
    [language.to_owned()].into_iter().chain(standard).collect()
}

/// Takes a function out; or says in words why that cannot be.
fn ask(parser: &Parser, translation: &Translation, question: &Question) -> Result<Answers, String> {
    let functions = translation.functions();
    let Some(found) = functions.iter().filter(|found| found.qualified_name == question.name).nth(question.number)
    else {
        let names: Vec<&str> = functions.iter().map(|found| found.qualified_name.as_str()).collect();
        return Err(format!("is not among {names:?}"));
    };
    let wanted = [Wanted { declaration: found.declaration, missed: Vec::new(), checked: Vec::new() }];
    let alternatives = [dialect(translation.language, &question.flags)];
    let units = parser.units(translation, &alternatives, &wanted).map_err(|loss| loss.to_string())?;
    let unit = units[0].unit.as_ref().map_err(|loss| format!("is lost: {}: {}", loss.reason, loss.detail))?;
    if unit.line as usize != 1 + unit.text[..unit.function.start].matches('\n').count() {
        return Err(format!("does not begin on line {}:\n{}", unit.line, unit.text));
    }
    if unit.text[unit.function.clone()] != found.text {
        return Err(format!("does not stand at {:?}:\n{}", unit.function, unit.text));
    }
    let needless = needless(parser, &unit.text, unit.function.clone(), &alternatives[0]);
    if !needless.is_empty() {
        return Err(format!("compiles without {needless:?}:\n{}", unit.text));
    }
    let group = match found.group {
        Group::One => 1,
        Group::Two => 2,
        Group::Three => 3,
    };
    let documentation = found.comment.as_ref().map(|text| format!("{text}\n"));
    Ok(Answers { group, unit: unit.text.clone(), documentation })
}

/// What can be taken away from a unit so that clang still accepts it: nothing should be.
fn needless(parser: &Parser, unit: &str, home: Range<usize>, dialect: &[String]) -> Vec<String> {
    let flat = Flat { text: unit.to_owned(), ..Flat::default() };
    let reading = parser.read(&flat, dialect).expect("the parser lives");
    let mut ranges: Vec<(Range<usize>, String)> = Vec::new();
    for declaration in reading.declarations.iter().filter(|declaration| declaration.class.is_none()) {
        // Where a type is named by its tag it is declared, if only in a parameter list; that is a warning. And without
        // a function of C++, another one may be called.
        let is_tag = declaration.kind == DeclarationKind::Record && !declaration.is_definition;
        let is_overload = dialect[0] == "-xc++" && declaration.kind.is_function();
        let (start, end) = (declaration.start as usize, declaration.end as usize);
        let semicolon = unit[end..].len() - unit[end..].trim_start().trim_start_matches(';').len();
        match ranges.last_mut() {
            Some((range, _)) if start < range.end => range.end = range.end.max(end + semicolon),
            _ if is_tag || is_overload => {}
            _ => ranges.push((start..end + semicolon, declaration.name.clone())),
        }
    }
    ranges.retain(|(range, _)| range.end <= home.start || range.start >= home.end);
    let still_compiles = |(range, _): &(Range<usize>, String)| {
        let rest = format!("{}\n{}", &unit[..range.start], &unit[range.end..]);
        parser.check(&rest, dialect).is_ok_and(|troubles| troubles.is_empty())
    };
    ranges.into_iter().filter(still_compiles).map(|(_, name)| name).collect()
}

fn folders(is_cpp: bool) -> &'static SystemFolders {
    static FOLDERS: [OnceLock<SystemFolders>; 2] = [OnceLock::new(), OnceLock::new()];
    FOLDERS[usize::from(is_cpp)].get_or_init(|| ask_for_folders(if is_cpp { "-xc++" } else { "-xc" }))
}

fn ask_for_folders(language: &str) -> SystemFolders {
    let tool = Tool::new("gcc").arguments(["-v", "-E", language, "/dev/null"]).environment("LC_ALL", "C");
    SystemFolders::from_compiler(&String::from_utf8_lossy(&tool.run().expect("gcc runs").stderr))
}

/// What the compilers say of units that they refuse: they should accept every one.
fn refused(page: &Page, answers: &[Option<Answers>]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let questions = page.cases.iter().flat_map(|case| case.questions.iter().map(move |question| (case, question)));
    let mut groups: BTreeMap<(bool, Vec<String>), Vec<String>> = BTreeMap::new();
    for (number, ((case, question), answer)) in questions.zip(answers).enumerate() {
        let Some(answer) = answer else { continue };
        let name = format!("{number}.{}", if case.is_cpp { "cpp" } else { "c" });
        fs::write(folder.path().join(&name), &answer.unit).expect("a file");
        let dialect = question.flags.iter().filter(|flag| flag.starts_with("-std")).cloned().collect();
        groups.entry((case.is_cpp, dialect)).or_default().push(name);
    }
    let mut refused = Vec::new();
    for ((is_cpp, dialect), files) in groups {
        let compilers = if is_cpp { ["g++", "clang++-19"] } else { ["gcc", "clang-19"] };
        for compiler in compilers {
            let output = Tool::new(compiler)
                .arguments(["-c", "-w"])
                .arguments(dialect.iter().cloned())
                .arguments(files.iter().cloned())
                .directory(folder.path())
                .environment("LC_ALL", "C")
                .run()
                .expect("the compiler runs");
            if !output.success() {
                refused.push(format!("{compiler} refuses units:\n{}", String::from_utf8_lossy(&output.stderr)));
            }
        }
    }
    refused
}
