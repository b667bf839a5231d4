//! One file of a user's, without a bench: rewritten, or compared with another one.

use std::path::{Path, PathBuf};

use estrange_evidence::{IdenticalCode, LEVELS, Pair, Refusal, Renames};
use estrange_lower::{Lowered, Lowerer, Lowering, Request, Style};
use estrange_rewrite::{Rewrite, Setting};
use estrange_text::comments::strip;
use estrange_text::lexer::{Kind, Token, lex, lex_directive};
use estrange_text::thesaurus::Thesaurus;
use estrange_unit::Language;

use crate::error::BuildError;
use crate::leaks::{is_language, project_names};
use crate::tools::Tools;
use crate::variants::{Known, Rewriter, Subject, Which};

/// What to do with a file.
#[derive(Debug, Clone)]
pub struct FileRequest {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The function that counts; the last one that the file defines, unless it is named.
    pub function: Option<String>,
    /// What a compiler must be told besides the language.
    pub flags: Vec<String>,
}

/// A file with new names.
#[derive(Debug, Clone)]
pub struct RewrittenFile {
    /// The whole text.
    pub text: String,
    /// The function's own text.
    pub function: String,
    /// Old names and new ones.
    pub names: Vec<(String, String)>,
    /// What both compilers say, if they were asked.
    pub verdict: Option<Verdict>,
}

/// What can be shown about two texts.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// Both compile; how their code compares.
    Compiled(Box<IdenticalCode>),
    /// A compiler refuses one of them.
    Refused(Refusal),
}

impl Verdict {
    /// Whether the code is the same.
    pub fn holds(&self) -> bool {
        matches!(self, Verdict::Compiled(code) if code.holds())
    }
}

/// Why a file was not rewritten or compared.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be rewritten, for a typed reason.
    #[error("{detail}")]
    Refused {
        /// The typed reason.
        reason: String,
        /// In words.
        detail: String,
    },
    /// The tools cannot be used.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Gives a function's file new names, and asks both compilers whether anything else changed if `check` says so.
///
/// # Errors
/// When it cannot be rewritten, or a tool is missing.
pub fn rewrite_file(
    request: &FileRequest,
    setting: &Setting,
    seed: u32,
    check: bool,
) -> Result<RewrittenFile, FileError> {
    let scratch = scratch()?;
    let tools = Tools::find(1, scratch.path())?;
    let thesaurus = match setting.recipe().naming() {
        Some(Rewrite::Symbol) => Some(Thesaurus::load(Path::new(Thesaurus::FOLDER)).map_err(BuildError::from)?),
        _ => None,
    };
    let language = language(&request.path);
    let flags = flags(request);
    let rewriter = Rewriter { tools: &tools, thesaurus: thesaurus.as_ref() };
    let subject = Subject {
        id: request.function.as_deref().unwrap_or_default(),
        unit: &request.text,
        which: request.function.as_deref().map_or(Which::Last, Which::Name),
        helpers: &[],
        language,
        flags: &flags,
    };
    let mut all = rewriter.all(subject, &Known::default(), &[(setting.clone(), seed)])?;
    let rewritten = match all.pop() {
        Some(Ok(rewritten)) => rewritten,
        Some(Err((reason, detail))) => return Err(FileError::Refused { reason, detail }),
        None => return Err(FileError::Refused { reason: "no-function".to_owned(), detail: String::new() }),
    };
    let names: Vec<(String, String)> =
        rewritten.names.iter().map(|name| (name.old.clone(), name.new.clone())).collect();
    let verdict = match check {
        true => {
            let renames = Renames::new(names.iter().map(|(old, new)| (old, new)));
            Some(verdict(&tools, language, &flags, &rewritten.old_compiled(), &rewritten.new_compiled(), &renames)?)
        }
        false => None,
    };
    Ok(RewrittenFile { function: rewritten.text().to_owned(), text: rewritten.unit, names, verdict })
}

/// What can be shown about `new` against `old`. Names that stand at the same places are taken for renamed.
///
/// # Errors
/// When one of the two does not define the function, or a tool is missing.
pub fn check_files(old: &FileRequest, new: &FileRequest) -> Result<(Verdict, Vec<(String, String)>), FileError> {
    let scratch = scratch()?;
    let tools = Tools::find(1, scratch.path())?;
    let names = renamed(&old.text, &new.text);
    let language = language(&old.path);
    let renamed_to =
        |old: &String| names.iter().find(|(name, _)| name == old).map_or(old.clone(), |(_, new)| new.clone());
    let new_name = old.function.as_ref().map(renamed_to);
    for (request, name) in [(old, &old.function), (new, &new_name)] {
        let mut flags = flags(request);
        flags.insert(0, if language == Language::C { "-xc" } else { "-xc++" }.to_owned());
        let found = tools
            .parser
            .names(&request.text, &flags)
            .map_err(|loss| FileError::Refused { reason: loss.reason().to_owned(), detail: loss.to_string() })?;
        if let Some(trouble) = found.troubles.first() {
            let detail = format!("{} does not parse: {}", request.path.display(), trouble.message);
            return Err(FileError::Refused { reason: "does-not-parse".to_owned(), detail });
        }
        if let Some(name) = name
            && !found.functions.iter().any(|function| function.name == *name)
        {
            let detail = format!("{} defines no function `{name}`", request.path.display());
            return Err(FileError::Refused { reason: "no-function".to_owned(), detail });
        }
    }
    let renames = Renames::new(names.iter().map(|(old, new)| (old, new)));
    let mut flags = flags(old);
    for flag in self::flags(new) {
        if !flags.contains(&flag) {
            flags.push(flag);
        }
    }
    // Comments count for nothing but the numbers of lines.
    let verdict = verdict(&tools, language, &flags, &strip(&old.text), &strip(&new.text), &renames)?;
    Ok((verdict, names))
}

/// What to lower, and how.
#[derive(Debug, Clone)]
pub struct LowerRequest {
    /// The file and the function.
    pub file: FileRequest,
    /// Other functions of the file that are printed after it.
    pub helpers: Vec<String>,
    /// What to, by what, and how far optimised.
    pub lowering: Lowering,
    /// How the text looks.
    pub style: Style,
    /// Whether functions of the standard library keep their names.
    pub keep_standard_names: bool,
}

/// What a compiler makes of a function of a file.
///
/// # Errors
/// When the target has no code for it, or a tool is missing.
pub fn lower_file(request: &LowerRequest) -> Result<Lowered, FileError> {
    let scratch = scratch()?;
    let tools = Tools::find(1, scratch.path())?;
    let LowerRequest { file, lowering, .. } = request;
    let language = language(&file.path);
    let flags = flags(file);
    let function = match &file.function {
        Some(name) => name.clone(),
        None => last_function(&tools, file, language, &flags)?,
    };
    let headers = tools.headers.of(&file.text, language, &flags, &tools.scratch)?;
    let hidden = project_names(&file.text, &|name| name.len() < 2 || is_language(name) || headers.all.contains(name));
    let keep = |symbol: &str| request.keep_standard_names && tools.standard_symbols.contains(symbol);
    let options = estrange_lower::Options {
        target: lowering.target,
        compiler: lowering.compiler,
        opt: lowering.opt,
        style: request.style,
        keep: &keep,
    };
    let language = match language {
        Language::C => estrange_lower::Language::C,
        Language::Cpp => estrange_lower::Language::Cpp,
    };
    let one = Request {
        unit: &file.text,
        language,
        flags: &flags,
        function: &function,
        helpers: &request.helpers,
        hidden: &hidden,
    };
    let failed = |error: estrange_lower::LowerError| BuildError::Tool { what: "a compiler", detail: error.to_string() };
    let lowered = Lowerer::new(&tools.scratch).lower(&options, &[one]).map_err(failed)?.pop();
    match lowered {
        Some(Ok(lowered)) => Ok(lowered),
        Some(Err(loss)) => Err(FileError::Refused { reason: loss.reason().to_owned(), detail: loss.to_string() }),
        None => Err(BuildError::Tool { what: "a compiler", detail: "it gave no answer".to_owned() }.into()),
    }
}

/// The last function that a file defines.
fn last_function(tools: &Tools, file: &FileRequest, language: Language, flags: &[String]) -> Result<String, FileError> {
    let word = if language == Language::C { "-xc" } else { "-xc++" };
    let arguments: Vec<String> = [word.to_owned()].into_iter().chain(flags.iter().cloned()).collect();
    let found = tools
        .parser
        .names(&file.text, &arguments)
        .map_err(|loss| FileError::Refused { reason: loss.reason().to_owned(), detail: loss.to_string() })?;
    match found.functions.last() {
        Some(last) if last.symbol.is_empty() => Ok(last.name.clone()),
        Some(last) => Ok(last.symbol.clone()),
        None => {
            let detail = format!("{} defines no function", file.path.display());
            Err(FileError::Refused { reason: "no-function".to_owned(), detail })
        }
    }
}

fn scratch() -> Result<tempfile::TempDir, BuildError> {
    let folder = std::env::temp_dir();
    tempfile::tempdir().map_err(|source| BuildError::Cache { path: folder, source })
}

fn verdict(
    tools: &Tools,
    language: Language,
    flags: &[String],
    old: &str,
    new: &str,
    renames: &Renames,
) -> Result<Verdict, BuildError> {
    let found = tools.identical_code(language, flags, &LEVELS, &[Pair { old, new, renames }])?;
    Ok(match found.into_iter().next() {
        Some(Ok(code)) => Verdict::Compiled(Box::new(code)),
        Some(Err(refusal)) => Verdict::Refused(refusal),
        None => return Err(BuildError::Tool { what: "a compiler", detail: "it gave no answer".to_owned() }),
    })
}

/// The language that a file's name tells.
fn language(path: &Path) -> Language {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "h") => Language::C,
        _ => Language::Cpp,
    }
}

/// The flags of a file: its own folder's headers are found.
fn flags(request: &FileRequest) -> Vec<String> {
    let folder = std::path::absolute(&request.path).ok().and_then(|path| Some(path.parent()?.to_owned()));
    let include = folder.map(|folder| format!("-I{}", folder.display()));
    include.into_iter().chain(request.flags.iter().cloned()).collect()
}

/// The names that differ between two texts that are token for token the same but for names; none if they are not.
fn renamed(old: &str, new: &str) -> Vec<(String, String)> {
    let (ours, theirs) = (tokens(old), tokens(new));
    let mut names = Vec::new();
    if ours.len() != theirs.len() {
        return names;
    }
    for (one, other) in ours.iter().zip(&theirs) {
        if one.0 != other.0 || (one.0 != Kind::Identifier && one.1 != other.1) {
            return Vec::new();
        }
        let pair = (one.1.clone(), other.1.clone());
        if one.1 != other.1 && !names.contains(&pair) {
            names.push(pair);
        }
    }
    names
}

/// The tokens of a text, those of directives included, without comments.
fn tokens(text: &str) -> Vec<(Kind, String)> {
    let mut all = Vec::new();
    let mut add = |token: Token| {
        if token.kind != Kind::Comment {
            all.push((token.kind, token.spelling(text).into_owned()));
        }
    };
    for token in lex(text) {
        match token.kind {
            Kind::Directive => lex_directive(text, &token).for_each(&mut add),
            _ => add(token),
        }
    }
    all
}
