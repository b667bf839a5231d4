//! One source from its name to what is in it: has it fetched, surveyed and, if asked, parsed.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use estrange_project::files::{Bounds, Kind};
use estrange_project::flags::{Configure, FlagOptions, FlagsError};
use estrange_project::parse_check::parse_check;
use estrange_project::role::Role;
use estrange_project::{Options, Project, SourceFile, SurveyError};
use estrange_sandbox::Sandbox;
use estrange_source::{Cache, Spec};
use estrange_words::Reason;

use super::document::{Failed, Lost, Parse, Parsed, Source, Survey};
use crate::progress::Line;

/// The time that all of a source's configure steps may take together.
const CONFIGURE_WALL: Duration = Duration::from_secs(300);

/// What is to be done with each source, and with what.
#[derive(Debug)]
pub struct Work {
    pub cache: Cache,
    pub sandbox: Sandbox,
    pub configure: Configure,
    pub parse: bool,
    pub list: bool,
}

impl Work {
    /// Does it all for one source. Whatever goes wrong is this source's loss alone.
    pub fn run(&self, spec: &Spec, line: &Line) -> Source {
        let mut source = Source { source: spec.to_string(), lost: None, fetched: None, root: None, survey: None };
        let done = catch_unwind(AssertUnwindSafe(|| self.fill(spec, line, &mut source)));
        source.lost = match done {
            Ok(Ok(())) => None,
            Ok(Err(lost)) => Some(lost),
            Err(_) => Some(Lost {
                reason: Reason::InternalError,
                detail: "Estrange has a bug that stopped work on this source".to_owned(),
                hint: Some("please report it, with what was printed to stderr".to_owned()),
            }),
        };
        source
    }

    fn fill(&self, spec: &Spec, line: &Line, source: &mut Source) -> Result<(), Lost> {
        let fetched =
            estrange_source::fetch(spec, &self.cache, &self.sandbox, line).map_err(|loss| Lost::from(&loss))?;
        let root = fetched.root.clone();
        source.fetched = Some(fetched);
        source.root = Some(root.clone());
        source.survey = Some(self.survey(&root, line)?);
        Ok(())
    }

    fn survey(&self, root: &Path, line: &Line) -> Result<Survey, Lost> {
        let cache = self.cache.path().to_owned();
        let flags = FlagOptions { configure: self.configure, wall: CONFIGURE_WALL, cache, earlier: None };
        let options = Options { bounds: Bounds::default(), flags };
        let project = estrange_project::survey(root, &options, &self.sandbox, &|what| line.says(what))
            .map_err(|error| Lost::from(&error))?;
        let parse = self.parse.then(|| {
            line.says("parsing library files");
            parse(&project, self.cache.path(), &self.sandbox)
        });
        Ok(summarise(project, parse, self.list))
    }
}

/// Counts what is in a project.
fn summarise(project: Project, parse: Option<Parse>, list: bool) -> Survey {
    let files = &project.files;
    let compiled = files.iter().filter(|file| file.role == Role::Library && file.kind == Kind::Unit);
    let mut licences: BTreeMap<_, BTreeMap<String, usize>> = BTreeMap::new();
    for licence in files.iter().map(|file| &file.licence) {
        if let Some(expression) = &licence.expression {
            *licences.entry(licence.class).or_default().entry(expression.clone()).or_default() += 1;
        }
    }
    Survey {
        files: files.len(),
        languages: count(files.iter().map(|file| file.language)),
        kinds: count(files.iter().map(|file| file.kind)),
        roles: count(files.iter().map(|file| file.role)),
        licence_classes: count(files.iter().map(|file| file.licence.class)),
        licences,
        flags: count(compiled.filter_map(|file| Some(file.flags.as_ref()?.origin))),
        attempts: project.attempts,
        parse,
        skipped: project.skipped,
        list: list.then_some(project.files),
    }
}

fn count<T: Ord>(things: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    for thing in things {
        *counts.entry(thing).or_default() += 1;
    }
    counts
}

/// Parses the library's files, those that are compiled by themselves and headers, and other systems' files.
fn parse(project: &Project, cache: &Path, sandbox: &Sandbox) -> Parse {
    let wanted = |file: &SourceFile| match file.role {
        Role::Library => file.kind != Kind::Fragment,
        Role::Platform => file.kind == Kind::Unit,
        _ => false,
    };
    let files: HashMap<&Path, &SourceFile> = project.files.iter().map(|file| (file.path.as_path(), file)).collect();
    let mut parse = Parse::default();
    for result in parse_check(project, wanted, cache, sandbox) {
        let Some(file) = files.get(result.path.as_path()) else { continue };
        let left_out = file.flags.as_ref().filter(|flags| result.fatal.is_some() && flags.is_elsewhere());
        let parsed: &mut Parsed = match (file.role, file.kind) {
            (Role::Platform, _) => &mut parse.other_system,
            (_, Kind::Header) => &mut parse.headers,
            _ => &mut parse.units,
        };
        parsed.files += 1;
        parsed.without_fatal_error += usize::from(result.fatal.is_none());
        parsed.without_error += usize::from(result.clean());
        parsed.left_out_by_the_build += usize::from(left_out.is_some());
        // Other systems' files are expected not to parse.
        if !result.clean() && file.role == Role::Library {
            let path = result.path.display().to_string();
            let unavailable = left_out.map(|flags| flags.unavailable.clone()).unwrap_or_default();
            parse.failed.push(Failed { path, errors: result.errors, fatal: result.fatal, unavailable });
        }
    }
    parse
}

impl From<&SurveyError> for Lost {
    fn from(error: &SurveyError) -> Self {
        let (reason, hint) = match error {
            SurveyError::Flags(FlagsError::Cache { .. }) => {
                (Reason::CacheUnusable, Some("name a folder that can be written with --cache DIR".to_owned()))
            }
            SurveyError::Tree { .. } | SurveyError::Flags(FlagsError::Tree { .. }) => (Reason::UnreadableTree, None),
        };
        Self { reason, detail: error.to_string(), hint }
    }
}
