//! The parser in worker processes: a crash or a hang on one file costs that file, on one function that function.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use estrange_clang::{Clang, Names, Reading, Tree, Trouble};
use estrange_sandbox::{Pool, WorkerEnd, WorkerLimits, Workshop};
use estrange_words::{Hint, Language, Reason};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::build::{Builder, Draft, Known, Tried, UnitLoss, Wanted};
use crate::flat::Flat;
use crate::found::Found;
use crate::slices::Slices;
use crate::undelivered::Undelivered;

/// The parser, in several processes.
#[derive(Debug)]
pub struct Parser {
    pool: Pool,
    /// Where the processes may leave files.
    folder: TempDir,
}

/// Why the parser has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum ParserLoss {
    /// It crashed.
    #[error("the parser crashed: {0}")]
    Crashed(String),
    /// It took too long.
    #[error("the parser took more than {0} s")]
    TimedOut(u64),
    /// It took too much memory.
    #[error("the parser needed too much memory")]
    OverMemory,
    /// It cannot be had: nothing can be said about the file.
    #[error("the parser cannot be started: {0}")]
    Unavailable(String),
}

impl Hint for ParserLoss {
    fn hint(&self) -> Option<Cow<'static, str>> {
        matches!(self, Self::Unavailable(_))
            .then(|| "`estrange doctor` says what is missing, and how to install it".into())
    }
}

impl ParserLoss {
    /// The typed reason.
    pub fn reason(&self) -> Reason {
        match self {
            ParserLoss::Crashed(_) => Reason::ParserCrashed,
            ParserLoss::TimedOut(_) => Reason::ParserTimedOut,
            ParserLoss::OverMemory => Reason::ParserOverMemory,
            ParserLoss::Unavailable(_) => Reason::ParserUnavailable,
        }
    }
}

/// A translation unit as the parser knows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Translation {
    /// Stands for all of it.
    pub key: String,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub flat: Flat,
    /// What is in it.
    pub reading: Reading,
}

impl Translation {
    /// The functions that it defines.
    pub fn functions(&self) -> Vec<Found> {
        self.all_functions().0
    }

    /// The functions that it defines, and those that its text shows and the parser did not deliver.
    pub fn all_functions(&self) -> (Vec<Found>, Vec<Undelivered>) {
        let slices = Slices::cut(&self.flat, &self.reading, self.language);
        let found = slices.functions();
        let undelivered = slices.undelivered(&found);
        (found, undelivered)
    }
}

/// The longest that one file may take, and how much longer for each function whose unit is wanted.
const WALL: Duration = Duration::from_secs(120);
const WALL_OF_A_UNIT: Duration = Duration::from_secs(5);

#[derive(Serialize, Deserialize)]
enum Request {
    Read { text: String, arguments: Vec<String> },
    Hold(Box<Translation>),
    Drafts { key: String, arguments: Vec<String>, declarations: Vec<u32>, folder: PathBuf },
    Units { key: String, alternatives: Vec<Vec<String>>, wanted: Vec<Wanted>, folder: PathBuf },
    Check { text: String, arguments: Vec<String>, folder: PathBuf },
    Names { text: String, arguments: Vec<String>, folder: PathBuf },
    Tree { text: String, arguments: Vec<String> },
}

impl Request {
    fn wall(&self) -> Duration {
        match self {
            Request::Units { wanted, .. } => WALL + WALL_OF_A_UNIT * wanted.len() as u32,
            Request::Drafts { declarations, .. } => WALL + WALL_OF_A_UNIT * declarations.len() as u32,
            _ => WALL,
        }
    }
}

#[derive(Serialize, Deserialize)]
enum Answer {
    Reading(Box<Reading>),
    Drafts(Vec<Draft>),
    Holds,
    Missing,
    Done,
    Troubles(Vec<Trouble>),
    Names(Box<Names>),
    Tree(Box<Tree>),
    Unavailable(String),
}

/// What a worker says while it builds units.
#[derive(Serialize, Deserialize)]
enum Note {
    Begins(u32),
    Ends(u32, Tried),
}

estrange_sandbox::service!(
    /// Parses.
    static PARSER = answer,
    environment ["LIBCLANG_NOTHREADS=1", "LIBCLANG_DISABLE_CRASH_RECOVERY=1"]
);

impl Parser {
    /// A parser in at most so many processes, which leave files in a folder of their own in the workshop.
    ///
    /// # Errors
    /// When there can be no such folder.
    pub fn new(processes: usize, workshop: &Workshop) -> io::Result<Self> {
        let folder = workshop.folder("parser-")?;
        let library = estrange_clang::library_path();
        let is_shown = |path: &&PathBuf| estrange_sandbox::is_software(path);
        let to_show: Vec<PathBuf> = library.iter().filter(|path| !is_shown(path)).cloned().collect();
        let mut pool = workshop.pool(&PARSER, WorkerLimits::default(), processes, folder.path(), &to_show);
        if let Some(path) = library {
            pool = pool.with_variable(estrange_clang::LIBRARY_PATH, path);
        }
        Ok(Self { pool, folder })
    }

    /// The processor time used so far.
    pub fn usage(&self) -> estrange_sandbox::Usage {
        self.pool.usage()
    }

    /// Ends all processes at once; whoever waits for one gets a loss.
    pub fn stop(&self) {
        self.pool.stop();
    }

    /// Reads a flattened text.
    ///
    /// # Errors
    /// When the parser does not survive it.
    pub fn read(&self, flat: &Flat, arguments: &[String]) -> Result<Reading, ParserLoss> {
        let request = Request::Read { text: flat.text.clone(), arguments: arguments.to_vec() };
        match self.ask(&request, &mut |_| {})? {
            Answer::Reading(reading) => Ok(*reading),
            other => Err(unexpected(other)),
        }
    }

    /// The errors in a text, none if it compiles.
    ///
    /// # Errors
    /// When the parser does not survive it.
    pub fn check(&self, text: &str, arguments: &[String]) -> Result<Vec<Trouble>, ParserLoss> {
        let folder = self.folder.path().to_owned();
        let request = Request::Check { text: text.to_owned(), arguments: arguments.to_vec(), folder };
        match self.ask(&request, &mut |_| {})? {
            Answer::Troubles(troubles) => Ok(troubles),
            other => Err(unexpected(other)),
        }
    }

    /// All names in a text, and what they name. The macros of headers are not always among them.
    ///
    /// # Errors
    /// When the parser does not survive it.
    pub fn names(&self, text: &str, arguments: &[String]) -> Result<Names, ParserLoss> {
        let folder = self.folder.path().to_owned();
        let request = Request::Names { text: text.to_owned(), arguments: arguments.to_vec(), folder };
        match self.ask(&request, &mut |_| {})? {
            Answer::Names(names) => Ok(*names),
            other => Err(unexpected(other)),
        }
    }

    /// The functions of a text as trees.
    ///
    /// # Errors
    /// When the parser does not survive it.
    pub fn tree(&self, text: &str, arguments: &[String]) -> Result<Tree, ParserLoss> {
        match self.ask(&Request::Tree { text: text.to_owned(), arguments: arguments.to_vec() }, &mut |_| {})? {
            Answer::Tree(tree) => Ok(*tree),
            other => Err(unexpected(other)),
        }
    }

    /// The drafts of the units of functions, by their declarations, in the order asked for.
    ///
    /// # Errors
    /// When the parser does not survive it.
    pub fn drafts(
        &self,
        translation: &Translation,
        arguments: &[String],
        declarations: &[u32],
    ) -> Result<Vec<Draft>, ParserLoss> {
        let request = Request::Drafts {
            key: translation.key.clone(),
            arguments: arguments.to_vec(),
            declarations: declarations.to_vec(),
            folder: self.folder.path().to_owned(),
        };
        let answered = match self.ask(&request, &mut |_| {}) {
            Ok(Answer::Missing) => self.ask_holding(translation, &request, &mut |_| {}),
            other => other,
        };
        match answered? {
            Answer::Drafts(drafts) => Ok(drafts),
            other => Err(unexpected(other)),
        }
    }

    /// The units of functions of a translation unit, in the order asked for. `alternatives` are the arguments to
    /// compile with; the first that works is taken.
    ///
    /// # Errors
    /// When the parser cannot be had at all; what it does not survive is a loss of that function.
    pub fn units(
        &self,
        translation: &Translation,
        alternatives: &[Vec<String>],
        wanted: &[Wanted],
    ) -> Result<Vec<Tried>, ParserLoss> {
        let mut results: Vec<Option<Tried>> = vec![None; wanted.len()];
        loop {
            let open: Vec<usize> = (0..wanted.len()).filter(|index| results[*index].is_none()).collect();
            if open.is_empty() {
                return Ok(results.into_iter().flatten().collect());
            }
            let request = Request::Units {
                key: translation.key.clone(),
                alternatives: alternatives.to_vec(),
                wanted: open.iter().map(|index| wanted[*index].clone()).collect(),
                folder: self.folder.path().to_owned(),
            };
            let mut begun = None;
            let mut note = |bytes: &[u8]| match postcard::from_bytes(bytes) {
                Ok(Note::Begins(number)) => begun = Some(number as usize),
                Ok(Note::Ends(number, result)) => {
                    if let Some(index) = open.get(number as usize) {
                        results[*index] = Some(result);
                    }
                }
                Err(_) => {}
            };
            let answered = match self.ask(&request, &mut note) {
                // A worker that does not have the translation unit gets it and the same request again.
                Ok(Answer::Missing) => self.ask_holding(translation, &request, &mut note),
                other => other,
            };
            match answered {
                Ok(Answer::Done) => {}
                Ok(other) => return Err(unexpected(other)),
                Err(loss @ ParserLoss::Unavailable(_)) => return Err(loss),
                Err(loss) => {
                    let blamed = begun.unwrap_or(0).min(open.len() - 1);
                    let lost = UnitLoss { reason: loss.reason(), detail: loss.to_string() };
                    results[open[blamed]] = Some(Tried::lost(lost));
                }
            }
        }
    }

    /// Hands the translation unit over together with the request.
    fn ask_holding(
        &self,
        translation: &Translation,
        request: &Request,
        note: &mut dyn FnMut(&[u8]),
    ) -> Result<Answer, ParserLoss> {
        // One message, so that both reach the same worker.
        let both = (Request::Hold(Box::new(translation.clone())), request);
        self.send(&encode(&both), request.wall(), note)
    }

    fn ask(&self, request: &Request, note: &mut dyn FnMut(&[u8])) -> Result<Answer, ParserLoss> {
        self.send(&encode(&(request, ())), request.wall(), note)
    }

    fn send(&self, bytes: &[u8], wall: Duration, note: &mut dyn FnMut(&[u8])) -> Result<Answer, ParserLoss> {
        let answer = self.pool.ask(bytes, wall, note).map_err(|end| match end {
            WorkerEnd::Crashed { crash, .. } => ParserLoss::Crashed(crash.to_string()),
            WorkerEnd::TimedOut => ParserLoss::TimedOut(wall.as_secs()),
            WorkerEnd::OverMemory => ParserLoss::OverMemory,
            WorkerEnd::CouldNotStart(why) => ParserLoss::Unavailable(why),
            WorkerEnd::Stopped => ParserLoss::Unavailable("it was stopped".to_owned()),
        })?;
        match postcard::from_bytes(&answer) {
            Ok(Answer::Unavailable(why)) => Err(ParserLoss::Unavailable(why)),
            Ok(answer) => Ok(answer),
            Err(error) => Err(ParserLoss::Crashed(error.to_string())),
        }
    }
}

fn unexpected(_: Answer) -> ParserLoss {
    ParserLoss::Crashed("it gave another answer than was asked for".to_owned())
}

fn encode(value: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(value).expect("plain data in memory always encodes")
}

/// What a worker keeps between requests.
struct State {
    clang: Clang,
    known: Known,
    held: Option<Box<Translation>>,
}

thread_local! {
    static STATE: RefCell<Option<State>> = const { RefCell::new(None) };
}

/// Answers in the worker.
fn answer(request: &[u8], note: &mut dyn FnMut(&[u8])) -> Vec<u8> {
    STATE.with_borrow_mut(|slot| {
        if slot.is_none() {
            match Clang::load() {
                Ok(clang) => *slot = Some(State { clang, known: Known::default(), held: None }),
                Err(error) => return encode(&Answer::Unavailable(error.to_string())),
            }
        }
        let Some(state) = slot else { return encode(&Answer::Missing) };
        let answer = match postcard::take_from_bytes::<Request>(request) {
            Ok((Request::Hold(translation), rest)) => {
                state.held = Some(translation);
                match postcard::from_bytes(rest) {
                    Ok(request) => state.answer(request, note),
                    Err(_) => Answer::Holds,
                }
            }
            Ok((request, _)) => state.answer(request, note),
            Err(error) => Answer::Unavailable(error.to_string()),
        };
        encode(&answer)
    })
}

impl State {
    fn answer(&mut self, request: Request, note: &mut dyn FnMut(&[u8])) -> Answer {
        match request {
            Request::Read { text, arguments } => Answer::Reading(Box::new(self.clang.read(&text, &arguments))),
            Request::Check { text, arguments, folder } => {
                let precompiled = &mut self.known.precompiled;
                Answer::Troubles(precompiled.check_text(&self.clang, &text, &arguments, &folder))
            }
            Request::Names { text, arguments, folder } => {
                let precompiled = &mut self.known.precompiled;
                Answer::Names(Box::new(precompiled.names(&self.clang, &text, &arguments, &folder)))
            }
            Request::Tree { text, arguments } => Answer::Tree(Box::new(self.clang.tree(&text, &arguments))),
            Request::Hold(translation) => {
                self.held = Some(translation);
                Answer::Holds
            }
            Request::Drafts { key, arguments, declarations, folder } => {
                let Some(held) = self.held.take_if(|held| held.key == key) else { return Answer::Missing };
                let slices = Slices::cut(&held.flat, &held.reading, held.language);
                let mut builder = Builder::new(&self.clang, &mut self.known, &folder);
                let drafts = declarations.iter().map(|number| builder.draft(&slices, *number, &arguments)).collect();
                drop(slices);
                self.held = Some(held);
                Answer::Drafts(drafts)
            }
            Request::Units { key, alternatives, wanted, folder } => {
                let Some(held) = self.held.take_if(|held| held.key == key) else { return Answer::Missing };
                let slices = Slices::cut(&held.flat, &held.reading, held.language);
                let mut builder = Builder::new(&self.clang, &mut self.known, &folder);
                for (number, wanted) in wanted.iter().enumerate() {
                    let number = number as u32;
                    note(&encode(&Note::Begins(number)));
                    let result = builder.unit(&slices, wanted, &alternatives);
                    note(&encode(&Note::Ends(number, result)));
                }
                drop(slices);
                self.held = Some(held);
                Answer::Done
            }
        }
    }
}
