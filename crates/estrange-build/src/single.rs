//! One file of a user's, without a bench: rewritten, or compared with another one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use estrange_clang::Defined;
use estrange_evidence::leaks::{is_language, project_names};
use estrange_evidence::unlike::Unlike;
use estrange_evidence::{IdenticalCode, LEVELS, Pair, Refusal, Renames};
use estrange_lower::{Lowered, Lowerer, Lowering, Request};
use estrange_oracle::{self as oracle, InputError};
use estrange_rewrite::{Rewrite, Setting};
use estrange_text::comments::strip;
use estrange_text::lexer::{Kind, Token, lex, lex_directive};
use estrange_text::rename_map;
use estrange_text::thesaurus::Thesaurus;
use estrange_unit::Language;
use estrange_words::{Reason, Undefinedness};

use crate::desk::{self, Desk, Host, flags};
use crate::error::BuildError;
use crate::foreign::{Contractors, ForeignOptions};
use crate::named::{Choice, Functions, last_name, qualified};
use crate::run::{self, Behaviour, behaviours};
use crate::tools::Tools;
use crate::undefined::Undefined;
use crate::variants::{Known, RewriteSubject as Subject, Rewriter};

/// What to do with a file.
#[derive(Debug, Clone)]
pub struct FileRequest {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The function that counts: its name, with as many of its scopes and as much of its signature as it takes to tell it
    /// from others. The last one that the file defines, unless it is named.
    pub function: Option<String>,
    /// What a compiler must be told besides the language.
    pub flags: Vec<String>,
}

/// A file after a recipe.
#[derive(Debug, Clone)]
pub struct RewrittenFile {
    /// The whole text.
    pub text: String,
    /// The function's own text.
    pub function: String,
    /// Old names and new ones. A name that several kinds of things have stands by itself for the first of them, and
    /// behind a word for each of the others: `struct node`.
    pub names: BTreeMap<String, String>,
    /// What was shown, if that was asked.
    pub verdict: Option<Verdict>,
}

/// What can be shown about two texts.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// Both compile.
    Compiled {
        /// How their code compares.
        code: Box<IdenticalCode>,
        /// What running both shows: the same code may stand for what is undefined and for what is not.
        behaviour: Option<Box<Behaviour>>,
        /// Whether both are undefined in the same ways.
        undefined: Box<Undefined>,
        /// What only one of them does, where running both is all that shows that they do the same.
        unlike: Vec<Unlike>,
    },
    /// A compiler refuses one of them.
    Refused(Refusal),
}

impl Verdict {
    /// Whether the code is the same, or else does the same on all inputs, and is shown to be undefined in the same ways.
    pub fn holds(&self) -> bool {
        match self {
            Verdict::Compiled { code, behaviour, undefined, .. } => {
                let behaviour = behaviour.as_deref();
                let is_same = code.holds() && !behaviour.is_some_and(Behaviour::differs);
                let does_the_same = behaviour.is_some_and(Behaviour::agrees);
                (is_same || does_the_same) && undefined.shown != Undefinedness::NotShown
            }
            Verdict::Refused(_) => false,
        }
    }
}

/// Why a file was not rewritten or compared.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be rewritten, for a typed reason.
    #[error("{detail}")]
    Refused {
        /// The typed reason.
        reason: Reason,
        /// In words.
        detail: String,
    },
    /// The file does not define the function.
    #[error("{} defines no function{}", .path.display(), .name.as_ref().map(|name| format!(" `{name}`")).unwrap_or_default())]
    NoFunction {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        name: Option<String>,
        /// The functions that it does define.
        there: Vec<Choice>,
    },
    /// Several functions of the file may be meant.
    #[error("`{name}` may be any of {} functions of {}", .choices.len(), .path.display())]
    Ambiguous {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        name: String,
        /// The functions.
        choices: Vec<Choice>,
    },
    /// The input that it is to be run on cannot be used.
    #[error("the input cannot be used: {0}")]
    Input(#[from] InputError),
    /// The tools cannot be used.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// How a rewrite of a file is checked.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// What the inputs of functions are drawn from that are run.
    pub seed: u64,
}

/// Puts a function's file through the rewrites of a setting, and asks for evidence that nothing else changed if `check`
/// says how.
///
/// # Errors
/// When it cannot be rewritten, or a tool is missing.
pub fn rewrite_file(
    request: &FileRequest,
    setting: &Setting,
    seed: u32,
    check: Option<Check>,
    foreign: &ForeignOptions,
    host: &Host,
) -> Result<RewrittenFile, FileError> {
    let Desk { tools, .. } = &Desk::of(&[request], host)?;
    let thesaurus = match setting.recipe().naming() {
        Some(Rewrite::Symbol) => Some(Thesaurus::load(Path::new(Thesaurus::FOLDER)).map_err(BuildError::from)?),
        _ => None,
    };
    let language = language(&request.path);
    let flags = flags(request);
    let contractors = Contractors::new([setting.recipe()], foreign, &host.sandbox, None)?;
    let rewriter = Rewriter { tools, thesaurus: thesaurus.as_ref(), contractors: &contractors };
    let functions = Functions::of(tools, request, language, &flags)?;
    let function = functions.named(request, request.function.as_deref())?;
    let subject = Subject {
        id: last_name(function),
        unit: &request.text,
        function: Some(&(function.start as usize..function.end as usize)),
        helpers: &[],
        language,
        flags: &flags,
    };
    let mut all = rewriter.all(subject, &Known::default(), &[(setting.clone(), seed)])?;
    let rewritten = match all.pop() {
        Some(Ok(rewritten)) => rewritten,
        Some(Err((reason, detail))) => return Err(FileError::Refused { reason, detail }),
        None => return Err(BuildError::NoAnswer("the rewriter").into()),
    };
    let names: Vec<(String, String)> =
        rewritten.names.iter().map(|name| (name.old.clone(), name.new.clone())).collect();
    let verdict = match check {
        Some(check) => {
            let renames = Renames::new(names.iter().map(|(old, new)| (old, new)));
            let (old, new) = (rewritten.old_compiled(), rewritten.new_compiled());
            let texts = Pair { old: &old, new: &new, renames: &renames };
            let original = Original { text: &request.text, function, language, flags: &flags };
            let by = if setting.recipe().foreign().is_empty() { By::Us } else { By::Others };
            Some(verdict(tools, check, &texts, original, (rewritten.to_run(), by))?)
        }
        None => None,
    };
    Ok(RewrittenFile { function: rewritten.text().to_owned(), text: rewritten.unit, names: rewritten.map, verdict })
}

/// What can be shown about a new file against an old one.
#[derive(Debug, Clone)]
pub struct CheckedFile {
    /// That.
    pub verdict: Verdict,
    /// Old names and new ones, where the texts are the same but for them.
    pub names: Vec<(String, String)>,
    /// The function, with its scopes.
    pub function: String,
    /// What it is called in the new file.
    pub new_function: String,
}

/// What can be shown about `new` against `old`. Names that stand at the same places are taken for renamed; both are run, also
/// where the code is the same. A new file that names no function has the old one's in it, under whatever name.
///
/// # Errors
/// When one of the two does not define the function, or a tool is missing.
pub fn check_files(old: &FileRequest, new: &FileRequest, check: Check, host: &Host) -> Result<CheckedFile, FileError> {
    with_two(old, new, host, |tools, two| {
        // Comments count for nothing but the numbers of lines.
        let texts = (strip(&old.text), strip(&new.text));
        let renames = Renames::new(two.names.iter().map(|(old, new)| (old, new)));
        let pair = Pair { old: &texts.0, new: &texts.1, renames: &renames };
        let original = Original { text: &old.text, function: two.function, language: two.language, flags: &two.flags };
        let rewrite = run::Rewrite { text: &new.text, names: two.renamed.clone(), known: &[] };
        Ok(CheckedFile {
            verdict: verdict(tools, check, &pair, original, (rewrite, By::Others))?,
            function: two.function_name(),
            new_function: two.new_function_name(),
            names: two.names,
        })
    })
}

/// Two files, with the function of each.
pub(crate) struct Two<'a> {
    pub(crate) language: Language,
    pub(crate) flags: Vec<String>,
    pub(crate) function: &'a Defined,
    pub(crate) new_function: &'a Defined,
    /// Old names and new ones, where the texts are the same but for them.
    pub(crate) names: Vec<(String, String)>,
    /// The same for whoever runs both, the functions' own included.
    pub(crate) renamed: BTreeMap<String, String>,
}

impl Two<'_> {
    pub(crate) fn function_name(&self) -> String {
        qualified(self.function)
    }

    pub(crate) fn new_function_name(&self) -> String {
        qualified(self.new_function)
    }
}

/// Finds the function in both files, and does something with them. Names that stand at the same places are taken for renamed. A
/// new file that names no function has the old one's in it, under whatever name.
pub(crate) fn with_two<T>(
    old: &FileRequest,
    new: &FileRequest,
    host: &Host,
    work: impl FnOnce(&Tools, Two<'_>) -> Result<T, FileError>,
) -> Result<T, FileError> {
    let Desk { tools, .. } = &Desk::of(&[old, new], host)?;
    let language = language(&old.path);
    let headers = tools.headers_of(&old.text, language, &flags(old))?;
    let is_own = |name: &String| !headers.have(name);
    let names = renamed(&old.text, &new.text).filter(|names| names.iter().all(|(old, new)| is_own(old) || is_own(new)));
    let old_functions = Functions::of(tools, old, language, &flags(old))?;
    let new_functions = Functions::of(tools, new, language, &flags(new))?;
    let function = old_functions.named(old, old.function.as_deref())?;
    let new_function = match &new.function {
        Some(name) => new_functions.named(new, Some(name))?,
        None => new_functions.counterpart(new, &old_functions, function, names.is_some())?,
    };
    let mut names = names.unwrap_or_default();
    let own_names = (last_name(function).to_owned(), last_name(new_function).to_owned());
    if own_names.0 != own_names.1 && !names.contains(&own_names) {
        names.push(own_names.clone());
    }
    let mut flags = flags(old);
    for flag in desk::flags(new) {
        if !flags.contains(&flag) {
            flags.push(flag);
        }
    }
    let mut renamed: BTreeMap<String, String> = names.iter().cloned().collect();
    renamed.insert(rename_map::key(rename_map::FUNCTION, &own_names.0), own_names.1);
    work(tools, Two { language, flags, function, new_function, names, renamed })
}

/// What to lower, and how.
#[derive(Debug, Clone)]
pub struct LowerRequest {
    /// The file and the function.
    pub file: FileRequest,
    /// Other functions of the file that are printed after it.
    pub helpers: Vec<String>,
    /// What to, by what, how far optimised, and how it looks.
    pub lowering: Lowering,
    /// Whether functions of the standard library keep their names.
    pub keep_standard_names: bool,
}

/// What a compiler makes of a function of a file.
///
/// # Errors
/// When the target has no code for it, or a tool is missing.
pub fn lower_file(request: &LowerRequest, host: &Host) -> Result<Lowered, FileError> {
    let Desk { tools, .. } = &Desk::of(&[&request.file], host)?;
    let LowerRequest { file, lowering, .. } = request;
    let language = language(&file.path);
    let flags = flags(file);
    let functions = Functions::of(tools, file, language, &flags)?;
    let symbol = |name: Option<&str>| match functions.named(file, name) {
        Ok(function) if function.symbol.is_empty() => Ok(qualified(function)),
        Ok(function) => Ok(function.symbol.clone()),
        // What a header defines, and what only a compiler makes, has code too.
        Err(FileError::NoFunction { name: Some(name), .. }) => Ok(name),
        Err(error) => Err(error),
    };
    let function = symbol(file.function.as_deref())?;
    let helpers: Vec<String> = request.helpers.iter().map(|name| symbol(Some(name))).collect::<Result<_, _>>()?;
    let headers = tools.headers_of(&file.text, language, &flags)?;
    let hidden = project_names(&file.text, &|name| is_language(name) || headers.have(name));
    let keep = |symbol: &str| request.keep_standard_names && tools.standard_symbols.contains(symbol);
    let options = estrange_lower::Options {
        target: lowering.target,
        compiler: lowering.compiler,
        opt: lowering.opt,
        style: lowering.style,
        keep: &keep,
    };
    let one =
        Request { unit: &file.text, language, flags: &flags, function: &function, helpers: &helpers, hidden: &hidden };
    let lowered = Lowerer::new(&tools.workshop).lower(&options, &[one]).map_err(BuildError::from)?.pop();
    match lowered {
        Some(Ok(lowered)) => Ok(lowered),
        Some(Err(loss)) => Err(FileError::Refused { reason: loss.reason(), detail: loss.to_string() }),
        None => Err(BuildError::NoAnswer("a compiler").into()),
    }
}

/// A function of a file as it was.
struct Original<'a> {
    text: &'a str,
    function: &'a Defined,
    language: Language,
    flags: &'a [String],
}

/// Who made a rewrite.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// Rewrites of ours, which do what they say.
    Us,
    /// Anyone: inputs that agree are weak evidence where only one of two texts has a number or a call.
    Others,
}

/// What the code of both shows, what clang would check in them, and what running them shows.
fn verdict(
    tools: &Tools,
    check: Check,
    pair: &Pair<'_>,
    original: Original<'_>,
    (rewrite, by): (run::Rewrite<'_>, By),
) -> Result<Verdict, BuildError> {
    let Original { text, function, language, flags } = original;
    let pairs = std::slice::from_ref(pair);
    let code = match tools.identical_code(language, flags, &LEVELS, pairs)?.pop() {
        Some(Ok(code)) => Box::new(code),
        Some(Err(refusal)) => return Ok(Verdict::Refused(refusal)),
        None => return Err(BuildError::NoAnswer("a compiler")),
    };
    let checks = tools.same_checks(language, flags, pairs)?.pop().ok_or(BuildError::NoAnswer("a compiler"))?;
    let (at, function) = (Some(function.start as usize), last_name(function));
    let subject = oracle::Subject { text, function, at, language, flags, seed: check.seed };
    let mut behaviour = behaviours(&tools.oracle()?, &subject, &[rewrite])?.pop();
    let unlike = match &mut behaviour {
        Some(behaviour) if by == By::Others && !code.holds() => tools.weighed(language, flags, pair, behaviour)?,
        _ => Vec::new(),
    };
    let undefined = Box::new(Undefined::new(checks, behaviour.as_ref()));
    Ok(Verdict::Compiled { code, behaviour: behaviour.map(Box::new), undefined, unlike })
}

/// The language that a file's name tells.
fn language(path: &Path) -> Language {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "h") => Language::C,
        _ => Language::Cpp,
    }
}

/// The names that differ between two texts that are token for token the same but for names; nothing if they are not. Where a
/// new name is one that the old text has as well, something else may be meant by it: that is no renaming.
fn renamed(old: &str, new: &str) -> Option<Vec<(String, String)>> {
    let (ours, theirs) = (tokens(old), tokens(new));
    let mut names = Vec::new();
    if ours.len() != theirs.len() {
        return None;
    }
    for (one, other) in ours.iter().zip(&theirs) {
        if one.0 != other.0 || (one.0 != Kind::Identifier && one.1 != other.1) {
            return None;
        }
        let pair = (one.1.clone(), other.1.clone());
        if one.1 != other.1 && !names.contains(&pair) {
            names.push(pair);
        }
    }
    let is_taken = |name: &String| ours.iter().any(|(kind, spelling)| *kind == Kind::Identifier && spelling == name);
    (!names.iter().any(|(_, new)| is_taken(new))).then_some(names)
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
