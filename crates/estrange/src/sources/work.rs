//! One source from its name to what is in it: has it fetched, surveyed and, if asked, parsed.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use estrange_project::files::{self, Bounds, Kind, Listing};
use estrange_project::flags::{self, Configure, FlagOptions, Flags, FlagsError, FlagsReport, SourceFile};
use estrange_project::licence::{self, Licence};
use estrange_project::parse_check::parse_check;
use estrange_project::role::{self, Assigned, Role};
use estrange_sandbox::Sandbox;
use estrange_source::{Cache, Spec};

use super::document::{Failed, File, Lost, Parse, Parsed, Source, Survey};
use crate::progress::Line;

/// The time that each attempt at a configure step may take.
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
                reason: "internal_error",
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
        line.says("listing files");
        let listing = files::list(root, &Bounds::default()).map_err(|error| unreadable(root, &error))?;
        let roles = role::assign(root, &listing);
        line.says("reading licences");
        let licences = licence::find(root, &listing);
        line.says("finding compile flags");
        let report = self.flags(root, &listing, line).map_err(|error| Lost::from(&error))?;
        let parse = self.parse.then(|| {
            line.says("parsing library files");
            parse(&listing, &roles, &report)
        });
        let mut survey = Survey {
            files: listing.files.len(),
            languages: count(listing.files.iter().map(|file| file.language)),
            kinds: count(listing.files.iter().map(|file| file.kind)),
            roles: count(roles.iter().map(|assigned| assigned.role)),
            licence_classes: count(licences.iter().map(|licence| licence.class)),
            licences: BTreeMap::new(),
            flags: count(library(&listing, &roles, Kind::Unit).filter_map(|path| Some(report.files.get(path)?.origin))),
            attempts: Vec::new(),
            parse,
            skipped: Vec::new(),
            list: self.list.then(|| list(&listing, &roles, &licences, &report)),
        };
        for licence in licences {
            if let Some(expression) = licence.expression {
                *survey.licences.entry(licence.class).or_default().entry(expression).or_default() += 1;
            }
        }
        survey.attempts = report.attempts;
        survey.skipped = listing.skipped;
        Ok(survey)
    }

    fn flags(&self, root: &Path, listing: &Listing, line: &Line) -> Result<FlagsReport, FlagsError> {
        let wanted: Vec<SourceFile> = listing
            .files
            .iter()
            .map(|file| SourceFile { path: file.path.clone(), language: file.language, kind: file.kind })
            .collect();
        let cache = self.cache.path().to_owned();
        let options = FlagOptions { configure: self.configure, wall: CONFIGURE_WALL, cache };
        flags::obtain(root, &wanted, &options, Some(&self.sandbox), &|what| line.says(what))
    }
}

/// The paths of the library's files of one kind.
fn library<'a>(listing: &'a Listing, roles: &'a [Assigned], kind: Kind) -> impl Iterator<Item = &'a Path> {
    let files = listing.files.iter().zip(roles);
    files
        .filter(move |(file, role)| role.role == Role::Library && file.kind == kind)
        .map(|(file, _)| file.path.as_path())
}

fn count<T: Ord>(things: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    for thing in things {
        *counts.entry(thing).or_default() += 1;
    }
    counts
}

fn parse(listing: &Listing, roles: &[Assigned], report: &FlagsReport) -> Parse {
    let kinds = [Kind::Unit, Kind::Header].map(|kind| library(listing, roles, kind).map(move |path| (path, kind)));
    let wanted: HashMap<&Path, Kind> = kinds.into_iter().flatten().collect();
    let mut parse = Parse::default();
    for result in parse_check(report, |path| wanted.contains_key(path)) {
        let is_header = wanted.get(result.path.as_path()) == Some(&Kind::Header);
        let parsed: &mut Parsed = if is_header { &mut parse.headers } else { &mut parse.units };
        parsed.files += 1;
        parsed.without_fatal_error += usize::from(result.fatal.is_none());
        parsed.without_error += usize::from(result.clean());
        if !result.clean() {
            let path = result.path.display().to_string();
            parse.failed.push(Failed { path, errors: result.errors, fatal: result.fatal });
        }
    }
    parse
}

fn list(listing: &Listing, roles: &[Assigned], licences: &[Licence], report: &FlagsReport) -> Vec<File> {
    let each = listing.files.iter().zip(roles).zip(licences);
    each.map(|((file, assigned), licence)| {
        let flags = report.files.get(&file.path);
        File {
            path: file.path.display().to_string(),
            language: file.language,
            kind: file.kind,
            role: assigned.role,
            role_reason: assigned.reason.clone(),
            licence: licence.expression.clone(),
            licence_class: licence.class,
            licence_found_by: licence.found_by.clone(),
            flags_origin: flags.map(|flags| flags.origin),
            flags: flags.map(Flags::command_line).unwrap_or_default(),
        }
    })
    .collect()
}

fn unreadable(root: &Path, error: &io::Error) -> Lost {
    Lost { reason: "unreadable_tree", detail: format!("cannot read {}: {error}", root.display()), hint: None }
}

impl From<&FlagsError> for Lost {
    fn from(error: &FlagsError) -> Self {
        let (reason, hint) = match error {
            FlagsError::Tree { .. } => ("unreadable_tree", None),
            FlagsError::Cache { .. } => {
                ("cache_unusable", Some("name a folder that can be written with --cache DIR".to_owned()))
            }
        };
        Self { reason, detail: error.to_string(), hint }
    }
}
