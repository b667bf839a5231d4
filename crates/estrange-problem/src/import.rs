//! Problems that others wrote: files with one JSON object a line, in the usual layouts.
//!
//! Nothing is fetched. What a line lacks, or what is no problem in C or C++, is a typed loss.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use estrange_words::{Language, words};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use crate::error::ReadError;
use crate::folder::language;
use crate::interface::{Interface, Role, Structure, name_in};
use crate::problem::{Bounds, Cases, Loss, Problem, Program, Tests, WrittenCase, is_date, without_duplicates};
use crate::types::{Kind, Type, split_name, split_outside, without_const};
use crate::value::Compare;
use crate::words::Defect;

words! {
    /// How a file of problems is laid out.
    pub enum Layout {
        /// As HumanEval-X lays out its problems in C++: `task_id`, `prompt`, `declaration`, `canonical_solution`, and `test`, a
        /// program with assertions in `main`.
        HumanEvalX = "humaneval-x",
        /// As MultiPL-E does: `name`, `language`, `prompt` up to the brace that opens the function, `tests` from the brace that
        /// closes it, and `stop_tokens`.
        MultiplE = "multipl-e",
        /// A statement, a signature, a language, and `tests`: a list of objects with `input` and `output`, or a program.
        Generic = "generic",
    }
}

/// What a file holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imported {
    /// The problems, in the order of the file.
    pub problems: Vec<Problem>,
    /// What is in it and cannot be used.
    pub losses: Vec<Loss>,
}

/// Why a line is no problem.
type Lost = (Defect, String);

/// Reads a file. Problems that say nothing of their date get this one, which may be unknown.
pub fn read(path: &Path, layout: Layout, date: Option<&str>) -> Result<Imported, ReadError> {
    let text = fs::read_to_string(path).map_err(|source| ReadError { path: path.to_owned(), source })?;
    Ok(parse(&text, layout, date))
}

/// Reads the text of a file.
pub fn parse(text: &str, layout: Layout, date: Option<&str>) -> Imported {
    let mut imported = Imported::default();
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row: Result<Map<String, Json>, _> = serde_json::from_str(line);
        let row = match row {
            Ok(row) => Row(row),
            Err(error) => {
                let (name, detail) = (format!("line {}", number + 1), error.to_string());
                imported.losses.push(Loss { name, defect: Defect::Malformed, detail });
                continue;
            }
        };
        let name = row.first(&["task_id", "name", "id"]).map_or_else(|| format!("line {}", number + 1), plain_name);
        let problem = match layout {
            Layout::HumanEvalX => row.human_eval_x(&name),
            Layout::MultiplE => row.multipl_e(&name),
            Layout::Generic => row.generic(&name),
        };
        match problem.and_then(|problem| row.finish(problem, date)) {
            Ok(problem) => problems.push(problem),
            Err((defect, detail)) => imported.losses.push(Loss { name, defect, detail }),
        }
    }
    imported.problems = without_duplicates(problems, &mut imported.losses);
    imported
}

/// A name that can be that of a file.
fn plain_name(text: String) -> String {
    text.chars().map(|letter| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' }).collect()
}

/// A line.
struct Row(Map<String, Json>);

impl Row {
    /// The first of these fields that is there: a text, or a number.
    fn first(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| match self.0.get(*name)? {
            Json::String(text) => Some(text.clone()),
            Json::Number(number) => Some(number.to_string()),
            _ => None,
        })
    }

    fn needed(&self, names: &[&str]) -> Result<String, Lost> {
        let missing = || (Defect::MissingField, format!("it has no field `{}`", names.join("` or `")));
        self.first(names).filter(|text| !text.trim().is_empty()).ok_or_else(missing)
    }

    /// A field of some shape, or what that shape is without it.
    fn shaped<T: DeserializeOwned + Default>(&self, name: &str) -> Result<T, Lost> {
        let read = |json: &Json| serde_json::from_value(json.clone());
        self.0.get(name).map_or(Ok(T::default()), read).map_err(|error| (Defect::Malformed, format!("{name}: {error}")))
    }

    fn language(&self, usual: Language) -> Result<Language, Lost> {
        self.first(&["language", "lang"]).map_or(Ok(usual), |name| language(&name))
    }

    fn human_eval_x(&self, name: &str) -> Result<Problem, Lost> {
        let usual = match name.split(['-', '/']).next().unwrap_or_default() {
            "CPP" => Language::Cpp,
            other => return Err((Defect::UnknownLanguage, format!("`{other}` in its name is not CPP"))),
        };
        let (prompt, declaration) = (self.needed(&["prompt"])?, self.needed(&["declaration"])?);
        let (context, signature) = divided(&declaration)?;
        let solution = self.first(&["canonical_solution"]).map(|body| format!("{signature} {{\n{body}"));
        let problem = program(name, self.language(usual)?, &prompt, context, signature, self.needed(&["test"])?)?;
        Ok(Problem { solution, ..problem })
    }

    fn multipl_e(&self, name: &str) -> Result<Problem, Lost> {
        let prompt = self.needed(&["prompt"])?;
        let language = language(&self.needed(&["language"])?)?;
        let (context, signature) = divided(&prompt)?;
        let tests = self.needed(&["tests"])?;
        // It closes the function that the model was to go on with.
        let tests = tests.trim_start().strip_prefix('}').unwrap_or(&tests).to_owned();
        program(name, language, &prompt, context, signature, tests)
    }

    fn generic(&self, name: &str) -> Result<Problem, Lost> {
        let statement = self.needed(&["statement", "prompt", "description", "question"])?;
        let signature = self.needed(&["signature", "declaration"])?;
        let signature = signature.trim().trim_end_matches(['{', ';', ' ', '\n']).to_owned();
        let language = self.language(if signature.contains("std::") { Language::Cpp } else { Language::C })?;
        let context = self.first(&["context"]).unwrap_or_default();
        let solution = self.first(&["solution", "canonical_solution"]);
        let problem = match self.0.get("tests") {
            Some(Json::String(text)) => program(name, language, &statement, context, signature, text.clone())?,
            Some(Json::Array(tests)) => {
                let function = function(&signature)?;
                let tests = Tests::Cases(self.cases(&signature, language, tests)?);
                blank(name, language, statement, context, signature, function, tests)
            }
            _ => return Err((Defect::NoTests, "it has no field `tests`".to_owned())),
        };
        Ok(Problem { solution, ..problem })
    }

    fn cases(&self, signature: &str, language: Language, tests: &[Json]) -> Result<Cases, Lost> {
        let structures: Vec<Structure> = self.shaped("structures")?;
        let mut roles: BTreeMap<String, Role> = self.shaped("parameters")?;
        let parameters = parameters(signature);
        let lengths = inferred(&parameters, &mut roles);
        Interface::read(signature, &roles, &structures, language).map_err(|why| (Defect::Signature, why))?;
        let compare = Compare {
            is_unordered: self.first(&["compare"]).is_some_and(|how| how == "unordered"),
            tolerance: self.shaped::<Option<f64>>("tolerance")?.unwrap_or_default(),
        };
        let names: Vec<&String> = parameters.iter().map(|(_, name)| name).collect();
        let given: Vec<&String> = names.iter().copied().filter(|name| !lengths.contains(name)).collect();
        let shape = Shape { names, given, parameters: &parameters, gives_nothing: gives_nothing(signature) };
        let read = |is_bare| {
            let written: Vec<WrittenCase> = tests
                .iter()
                .enumerate()
                .map(|(number, test)| {
                    let bad = |what| (Defect::BadCase, format!("test {}: {what}", number + 1));
                    shape.case(test, is_bare).map_err(bad)
                })
                .collect::<Result<_, Lost>>()?;
            Cases::read(signature, &roles, &structures, language, compare, &written)
        };
        // A list with one argument, or the only argument, which may be a list: the tests say which by what fits.
        read(false).or_else(|lost| read(true).map_err(|_| lost))
    }

    /// Adds what all layouts may say.
    fn finish(&self, problem: Problem, date: Option<&str>) -> Result<Problem, Lost> {
        let own = self.first(&["date", "release_date", "contest_date", "published"]);
        let date = match own {
            // What follows a day is its time.
            Some(own) => match own.get(..10).filter(|day| is_date(day)) {
                Some(day) => Some(day.to_owned()),
                None => return Err((Defect::Malformed, format!("date: `{own}` is no day such as 2026-11-19"))),
            },
            None => date.map(str::to_owned),
        };
        let title = self.first(&["title"]).unwrap_or_else(|| problem.function.replace('_', " "));
        let difficulty = self.first(&["difficulty"]).and_then(|word| word.to_lowercase().parse().ok());
        let tags = self.0.get("tags").and_then(|tags| serde_json::from_value(tags.clone()).ok()).unwrap_or_default();
        let origin = self.first(&["origin", "source"]).unwrap_or_default();
        Ok(Problem { date, title, difficulty, tags, origin, licence: self.first(&["licence", "license"]), ..problem })
    }
}

/// What the arguments of a test can look like.
struct Shape<'a> {
    /// All parameters.
    names: Vec<&'a String>,
    /// Those that are no lengths of others.
    given: Vec<&'a String>,
    parameters: &'a [(String, String)],
    /// Whether nothing is returned.
    gives_nothing: bool,
}

impl Shape<'_> {
    /// Reads a test, whose input is the only argument if it is bare, and else an object or a list of arguments.
    fn case(&self, test: &Json, is_bare: bool) -> Result<WrittenCase, &'static str> {
        let input = test.get("input").ok_or("it has no field `input`")?;
        let output = test.get("output").ok_or("it has no field `output`")?;
        let arguments = match input {
            Json::Object(named) => named.clone(),
            one if is_bare && self.given.len() == 1 => named(&self.given, std::slice::from_ref(one)),
            Json::Array(all) if all.len() == self.given.len() => named(&self.given, all),
            Json::Array(all) if all.len() == self.names.len() => named(&self.names, all),
            _ => return Err("its input is neither an object nor a list with a value for each parameter"),
        };
        let mut case = WrittenCase { arguments, ..WrittenCase::default() };
        match (self.gives_nothing, output) {
            (false, output) => case.result = Some(output.clone()),
            (true, Json::Object(outputs)) => case.outputs = outputs.clone(),
            (true, output) => {
                // The first pointer or reference that may be written to.
                let written = self.parameters.iter().find(|(declared, _)| {
                    declared.contains(['*', '&', '[']) && !declared.trim_start().starts_with("const ")
                });
                let (_, name) = written.ok_or("the function gives nothing back")?;
                case.outputs.insert(name.clone(), output.clone());
            }
        }
        Ok(case)
    }
}

/// Whether a signature returns nothing.
fn gives_nothing(signature: &str) -> bool {
    signature.trim_start().strip_prefix("void ").is_some_and(|rest| !rest.trim_start().starts_with('*'))
}

fn named(names: &[&String], all: &[Json]) -> Map<String, Json> {
    names.iter().map(|name| (*name).clone()).zip(all.iter().cloned()).collect()
}

/// The types and names of a signature's parameters; what cannot be read is left out, and refused later.
fn parameters(signature: &str) -> Vec<(String, String)> {
    let inner = signature.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')')).map_or("", |(inner, _)| inner);
    let parameter = |text: &str| {
        let (front, brackets) = text.split_at(text.find('[').unwrap_or(text.len()));
        split_name(front).ok().map(|(declared, name)| (declared + brackets, name))
    };
    split_outside(inner, ',').into_iter().filter_map(parameter).collect()
}

/// Takes a pointer that is followed by a whole number for an array of that length, where nothing is said of it; gives the
/// names of the lengths.
fn inferred(parameters: &[(String, String)], roles: &mut BTreeMap<String, Role>) -> Vec<String> {
    for pair in parameters.windows(2) {
        let [(declared, name), (next, length)] = pair else { continue };
        let clean = without_const(declared);
        let to = clean.strip_suffix('*').or(clean.strip_suffix("[]")).map(str::trim);
        let is_number = |text: &str| Type::read(text, &[]).is_ok_and(|of| matches!(of.kind, Kind::Integer { .. }));
        if to.is_some_and(|to| to != "char" && Type::read(to, &[]).is_ok())
            && is_number(next)
            && !roles.contains_key(name)
        {
            roles.insert(name.clone(), Role { array: Some(vec![length.clone()]), ..Role::default() });
        }
    }
    roles.values().filter_map(|role| role.array.clone()).flatten().collect()
}

/// What stands before a function, and its signature, from a text that ends with the brace that opens it.
fn divided(text: &str) -> Result<(String, String), Lost> {
    let refused = || (Defect::Signature, "it does not end with a function's signature and `{`".to_owned());
    let open = text.trim_end().strip_suffix('{').ok_or_else(refused)?.trim_end();
    let lines: Vec<&str> = open.lines().collect();
    let is_other = |line: &&str| {
        let line = line.trim();
        line.is_empty() || line.starts_with(['#', '/', '*']) || line.ends_with([';', '}', '/'])
    };
    let from = lines.iter().rposition(is_other).map_or(0, |at| at + 1);
    let signature = lines[from..].join(" ");
    match (name_in(&signature), signature.rsplit_once(')')) {
        (Some(_), Some((_, ""))) => Ok((lines[..from].join("\n"), without_defaults(signature.trim()))),
        _ => Err(refused()),
    }
}

/// A signature without the values that parameters have where none is given: they can be said once only.
fn without_defaults(signature: &str) -> String {
    let Some((before, inner)) = signature.split_once('(').filter(|_| signature.contains('=')) else {
        return signature.to_owned();
    };
    let inner = inner.strip_suffix(')').unwrap_or(inner);
    let plain: Vec<&str> =
        split_outside(inner, ',').into_iter().map(|each| each.split('=').next().unwrap_or(each).trim()).collect();
    format!("{before}({})", plain.join(", "))
}

fn function(signature: &str) -> Result<String, Lost> {
    name_in(signature).ok_or_else(|| (Defect::Signature, format!("`{signature}` declares no function")))
}

fn blank(
    name: &str,
    language: Language,
    statement: String,
    context: String,
    signature: String,
    function: String,
    tests: Tests,
) -> Problem {
    Problem {
        name: name.to_owned(),
        title: String::new(),
        date: None,
        language,
        difficulty: None,
        tags: Vec::new(),
        origin: String::new(),
        licence: None,
        statement,
        signature,
        function,
        context,
        tests,
        solution: None,
        wrong: Vec::new(),
        bounds: Bounds::default(),
    }
}

/// A problem that is tested by a program.
fn program(
    name: &str,
    language: Language,
    prompt: &str,
    context: String,
    signature: String,
    text: String,
) -> Result<Problem, Lost> {
    let function = function(&signature)?;
    if !text.contains(&function) {
        return Err((Defect::TestsDoNotCall, format!("its tests do not call `{function}`")));
    }
    let statement = comment(prompt).unwrap_or_else(|| prompt.trim().to_owned());
    let tests = Tests::Program(Program { text });
    Ok(blank(name, language, statement, without_comments(&context), signature, function, tests))
}

/// The words of the last comment before a function; nothing if there is none.
fn comment(prompt: &str) -> Option<String> {
    if let Some((before, _)) = prompt.rsplit_once("*/") {
        let inner = before.rsplit_once("/*")?.1;
        let lines = inner.lines().map(|line| line.trim().trim_start_matches('*').trim());
        return Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned());
    }
    let lines: Vec<&str> = prompt.lines().filter_map(|line| line.trim().strip_prefix("//")).map(str::trim).collect();
    (!lines.is_empty()).then(|| lines.join("\n").trim().to_owned())
}

/// A context without the lines that are nothing but a comment: they are the statement.
fn without_comments(context: &str) -> String {
    let lines = context.lines().filter(|line| !line.trim().starts_with("//"));
    let text = lines.collect::<Vec<_>>().join("\n");
    match text.split_once("/*").and_then(|(before, rest)| Some((before, rest.split_once("*/")?.1))) {
        Some((before, after)) => format!("{before}{after}"),
        None => text,
    }
}
