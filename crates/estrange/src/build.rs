//! `estrange build`: makes a bench out of sources.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use estrange_bench::Manifest;
use estrange_build::{BuildError, Foreign, Options, PartReport, Report, Setting, Share, State, split_list};
use estrange_project::flags;
use estrange_project::role::Role;
use estrange_source::Spec;
use estrange_words::Word;

use crate::arguments::{self, Configure, Shared};
use crate::interrupt::Interrupt;
use crate::lists::{no_setting, role};
use crate::phrasing::{counted, quoted};
use crate::prepare::{cache, sandbox, spec};
use crate::progress::{Line, Progress};
use crate::voice::Failure;
use crate::{Ending, bench, foreign, output, voice};

/// How soon a wish to stop is noticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Runs the command.
pub fn run(arguments: &arguments::Build, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let specs = specs(&arguments.sources)?;
    let asked = specs.len();
    let mut options = options(arguments, shared)?;
    let (cache, sandbox) = (cache(shared)?, sandbox(shared)?);
    let names: Vec<String> = specs.iter().map(Spec::to_string).collect();
    if arguments.server.dry_run {
        // Everything that leads to a model is done but asking it, for a bench that goes again.
        let asks =
            |setting: &Setting| setting.recipe().foreign().iter().any(|step| matches!(step, Foreign::Model { .. }));
        options.settings.retain(asks);
        options.lowerings.clear();
        let folder =
            tempfile::tempdir().map_err(|error| Failure::new("there is no room for a rehearsal").because(&error))?;
        options.out = folder.path().join("bench");
        let foreign = options.foreign.clone();
        watched("sources", names, shared, interrupt, move |progress| {
            estrange_build::build(&states(&specs), &options, &cache, &sandbox, progress)
        })?;
        return foreign::announce(&foreign, &arguments.server);
    }
    match arguments.part {
        None => {
            let report = watched("sources", names, shared, interrupt, move |progress| {
                estrange_build::build(&states(&specs), &options, &cache, &sandbox, progress)
            })?;
            show(&report, arguments, asked)
        }
        Some(share) => {
            let report = watched("sources", names, shared, interrupt, move |progress| {
                estrange_build::build_part(&states(&specs), share, &options, &cache, &sandbox, progress)
            })?;
            show_part(&report, share, arguments, asked)
        }
    }
}

/// Does work in a thread of its own, shows how it goes on, and leaves it where the user wants to stop: the cache is whole
/// at any moment.
pub fn watched<T: Send + 'static, E: std::error::Error + From<BuildError> + Send + 'static>(
    kind: &'static str,
    names: Vec<String>,
    shared: &Shared,
    interrupt: &Interrupt,
    work: impl FnOnce(&dyn estrange_build::Progress) -> Result<T, E> + Send + 'static,
) -> Result<T, Failure> {
    let shown = Arc::new(Shown {
        progress: Progress::new(kind, names.into_iter(), shared.quiet),
        line: Mutex::new(None),
        interrupt: interrupt.clone(),
    });
    let (sender, receiver) = mpsc::channel();
    let teller = Arc::clone(&shown);
    thread::spawn(move || {
        // Nobody listens any more if the user stopped it.
        let _ = sender.send(work(&*teller));
    });
    let done = loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(done) => break done,
            Err(RecvTimeoutError::Timeout) if interrupt.is_set() => break Err(BuildError::Cancelled.into()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::new("Estrange has a bug that stopped the build")
                    .hint("please report it, with what was printed to stderr"));
            }
        }
    };
    shown.clear();
    done.map_err(|error| Failure::of(&error))
}

/// The sources, each once: a source that comes twice would only be a copy of itself.
pub fn specs(texts: &[String]) -> Result<Vec<Spec>, Failure> {
    let mut specs: Vec<Spec> = Vec::new();
    for text in texts {
        let spec = spec(text)?;
        if specs.iter().any(|known| known.to_string() == spec.to_string()) {
            voice::warning(&format!("{spec} was given more than once, and is taken once"));
        } else {
            specs.push(spec);
        }
    }
    Ok(specs)
}

/// Refuses trials of what was not asked for.
pub fn check_trials(options: &Options) -> Result<(), Failure> {
    match options.trials.named().find(|setting| !options.settings.contains(setting)) {
        Some(setting) => {
            let failure = Failure::new(format!("--trials speaks of `{setting}`, which is not among the settings"));
            Err(failure.hint("--settings lists what functions are wanted in").usage())
        }
        None => Ok(()),
    }
}

fn states(specs: &[Spec]) -> Vec<State> {
    specs.iter().cloned().map(State::from).collect()
}

fn options(arguments: &arguments::Build, shared: &Shared) -> Result<Options, Failure> {
    let mut options = Options::new(arguments.out.clone());
    options.seed = arguments.seed;
    options.jobs = shared.jobs();
    options.max_unit_lines = arguments.max_unit_lines;
    options.max_per_source = arguments.max_per_source;
    options.duplicate_threshold = arguments.duplicate_threshold;
    options.keep_versions = arguments.keep_versions;
    options.eval_share = arguments.eval_share;
    options.tokenizer.clone_from(&arguments.tokenizer);
    options.trials = arguments.trials.clone().unwrap_or_default();
    let words = arguments.settings.iter().flat_map(|list| split_list(list));
    for word in words.filter(|word| *word != "standard") {
        if let Ok(lowering) = word.parse() {
            options.lowerings.insert(lowering);
            continue;
        }
        options.settings.insert(word.parse().map_err(|error| no_setting(word, &error))?);
    }
    let recipes = options.settings.iter().map(Setting::recipe);
    options.foreign = foreign::options(recipes, &arguments.foreign, &arguments.server, shared)?;
    check_trials(&options)?;
    options.configure = match arguments.configure {
        Configure::Auto => flags::Configure::Auto,
        Configure::Never => flags::Configure::Never,
    };
    if arguments.include_tests {
        options.roles.extend([Role::Test, Role::Example, Role::Vendored, Role::Generated]);
    }
    if !arguments.roles.is_empty() {
        options.roles = arguments.roles.iter().map(|word| role(word)).collect::<Result<BTreeSet<Role>, Failure>>()?;
    }
    Ok(options)
}

fn show(report: &Report, arguments: &arguments::Build, asked: usize) -> Result<Ending, Failure> {
    let manifest = &report.manifest;
    show_bench(manifest, &arguments.out, arguments.json)?;
    say_what_is_new(report.computed, manifest.counts.found);
    if manifest.counts.found == 0 {
        match &report.first_loss {
            None => voice::hint("no function was found; --include-tests and --roles take more files"),
            Some(lost) => voice::hint(&format!(
                "no function was found; lost first: {}: {}: {}",
                lost.path.as_deref().unwrap_or(&lost.source),
                lost.reason.phrase(),
                lost.detail
            )),
        }
    }
    lost_sources(asked, manifest.sources.len())
}

/// What a bench has, and what to look at next.
pub fn show_bench(manifest: &Manifest, out: &Path, as_json: bool) -> Result<(), Failure> {
    if as_json {
        return bench::print_manifest(manifest.format_version, manifest);
    }
    let counts = &manifest.counts;
    // Rounded down, as everywhere: 100.0% means all of them.
    let percent = |share: f64| format!(" ({:.1}%)", (share * 1000.0).floor() / 10.0);
    let share = counts.kept_share().map_or(String::new(), percent);
    let more = match counts.kept {
        0 => "says what was lost",
        kept if kept < counts.found => "says what became of the others",
        _ => "says what they are like",
    };
    output::print(&format!(
        "{} of {} kept{share} from {}: {out}\n`estrange stats {out}` {more}\n",
        counts.kept,
        counted(counts.found, "function"),
        counted(manifest.sources.len(), "source"),
        out = quoted(out),
    ))
}

fn show_part(report: &PartReport, share: Share, arguments: &arguments::Build, asked: usize) -> Result<Ending, Failure> {
    let manifest = &report.part.manifest;
    let Share { part, of } = share;
    if arguments.json {
        bench::print_manifest(manifest.format_version, manifest)?;
    } else {
        output::print(&format!(
            "part {part} of {of}: {} of {} taken out of {}: {out}\n`estrange merge` puts it together with the others\n",
            report.taken,
            counted(report.found as u64, "function"),
            counted(manifest.build.sources.len(), "source"),
            out = quoted(&arguments.out),
        ))?;
    }
    say_what_is_new(report.computed, report.found as u64);
    lost_sources(asked, manifest.build.sources.len())
}

/// Says how much of a build had to be computed, where the cache had some of it.
fn say_what_is_new(computed: usize, found: u64) {
    match computed as u64 {
        0 => voice::note("nothing had to be computed: the cache had it all"),
        computed if computed < found => {
            voice::note(&format!("{} had to be computed; the cache had the rest", counted(computed, "function")));
        }
        _ => {}
    }
}

pub fn lost_sources(asked: usize, had: usize) -> Result<Ending, Failure> {
    match asked - had {
        0 => Ok(Ending::Done),
        lost => {
            let was = if lost == 1 { "was" } else { "were" };
            Err(Failure::new(format!("{lost} of {} {was} lost", counted(asked, "source"))))
        }
    }
}

/// What is on the screen while a build runs.
struct Shown {
    progress: Progress,
    line: Mutex<Option<Line>>,
    interrupt: Interrupt,
}

impl Shown {
    fn line(&self) -> MutexGuard<'_, Option<Line>> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn clear(&self) {
        self.line().take();
        self.progress.clear();
    }
}

impl estrange_build::Progress for Shown {
    fn source(&self, name: &str) {
        *self.line() = Some(self.progress.line(name));
    }

    fn step(&self, what: &str) {
        // What follows the last source is about all of them.
        self.line().get_or_insert_with(|| self.progress.together()).says(what);
    }

    fn count(&self, done: usize, of: usize) {
        if let Some(line) = &*self.line() {
            line.counts(done, of);
        }
    }

    fn source_done(&self, name: &str, found: usize, kept: usize) {
        self.line().take();
        tracing::info!("{name}: {kept} of {found} functions kept");
    }

    fn source_lost(&self, name: &str, why: &str, hint: Option<&str>) {
        self.line().take();
        voice::warning(&format!("{name} was lost: {why}"));
        if let Some(hint) = hint {
            voice::hint(hint);
        }
    }

    fn fetching(&self) -> &dyn estrange_source::Progress {
        self
    }

    fn is_cancelled(&self) -> bool {
        self.interrupt.is_set()
    }
}

impl estrange_source::Progress for Shown {
    fn started(&self, what: &str, bytes: Option<u64>) {
        if let Some(line) = &*self.line() {
            line.started(what, bytes);
        }
    }

    fn advanced(&self, bytes: u64) {
        if let Some(line) = &*self.line() {
            line.advanced(bytes);
        }
    }

    fn message(&self, text: &str) {
        if let Some(line) = &*self.line() {
            line.message(text);
        }
    }

    fn finished(&self) {
        if let Some(line) = &*self.line() {
            line.finished();
        }
    }
}
