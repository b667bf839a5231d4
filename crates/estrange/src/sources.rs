//! `estrange sources`: fetches sources side by side and shows what is in each.

mod document;
mod overview;
mod render;
mod words;
mod work;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use estrange_project::flags;
use estrange_sandbox::{Protection, Sandbox};
use estrange_source::{Cache, Spec};

use crate::arguments::{self, Configure, Shared};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::voice::Failure;
use crate::{Ending, output, voice};
use document::{Document, FORMAT, Source};
use work::Work;

/// How soon a wish to stop is noticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Runs the command.
pub fn run(arguments: &arguments::Sources, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let specs = arguments.sources.iter().map(|text| spec(text)).collect::<Result<Vec<Spec>, Failure>>()?;
    let work = Work {
        cache: cache(shared)?,
        sandbox: sandbox(shared)?,
        configure: match arguments.configure {
            Configure::Auto => flags::Configure::Auto,
            Configure::Never => flags::Configure::Never,
        },
        parse: arguments.parse,
        list: arguments.files,
    };
    // The libraries share one pool for what they do in parallel; that it exists already is no harm.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(shared.jobs()).build_global();
    let progress = Arc::new(Progress::new("sources", specs.iter().map(Spec::to_string), shared.quiet));
    let sources = run_all(specs, work, shared.jobs(), &progress, interrupt);
    progress.clear();
    let Some(sources) = sources else { return Ok(Ending::Failed) };

    let document = Document { format: FORMAT, sources };
    match arguments.json {
        true => output::print_json(&document)?,
        false => output::print(&render::text(&document))?,
    }
    let lost = document.sources.iter().filter(|source| source.lost.is_some()).count();
    match (lost, document.sources.len()) {
        (0, _) => Ok(Ending::Done),
        (1, 1) => Err(Failure::new("the source was lost; the reason is with it above")),
        (lost, all) => Err(Failure::new(format!("{lost} of {all} sources were lost; the reason is with each above"))),
    }
}

fn spec(text: &str) -> Result<Spec, Failure> {
    text.parse().map_err(|bad: estrange_source::BadSpec| Failure::new(bad.to_string()).hint(bad.hint()).usage())
}

fn cache(shared: &Shared) -> Result<Cache, Failure> {
    let path = shared.cache.clone().or_else(Cache::default_path);
    let path = path.ok_or_else(|| Failure::new("there is no place for the cache").hint("name one with --cache DIR"))?;
    Cache::open(&path).map_err(|loss| {
        let failure = Failure::new(format!("the cache cannot be used: {}", path.display())).because(&loss);
        failure.hint(loss.hint().unwrap_or_else(|| "name another folder with --cache DIR".to_owned()))
    })
}

fn sandbox(shared: &Shared) -> Result<Sandbox, Failure> {
    let protection = if shared.unprotected { Protection::Waived } else { Protection::Required };
    let sandbox = Sandbox::start(protection).map_err(|error| {
        Failure::new("foreign code will not be run on this machine")
            .because(&error)
            .hint("`estrange doctor` says what would change that")
            .hint("--unprotected runs it all the same, at your own risk")
    })?;
    if !sandbox.is_protected() {
        voice::warning(
            "foreign code runs WITHOUT PROTECTION: it can read and change whatever you can\n\
             because --unprotected was given and this machine cannot confine it",
        );
    }
    Ok(sandbox)
}

/// Works on as many sources at once as there are jobs; `None` if the user stopped it.
///
/// The threads are not waited for when the user wants to stop: what they have in hand is lost, as it would be by a kill,
/// and what is in the cache is whole at any moment.
fn run_all(
    specs: Vec<Spec>,
    work: Work,
    jobs: usize,
    progress: &Arc<Progress>,
    interrupt: &Interrupt,
) -> Option<Vec<Source>> {
    let count = specs.len();
    let shared = Arc::new((specs, work, AtomicUsize::new(0)));
    let (sender, receiver) = mpsc::channel();
    for _ in 0..jobs.min(count) {
        let (shared, progress, sender) = (Arc::clone(&shared), Arc::clone(progress), sender.clone());
        thread::spawn(move || {
            let (specs, work, next) = &*shared;
            while let Some((at, spec)) = specs.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
                let source = work.run(spec, &progress.line(&spec.to_string()));
                if sender.send((at, source)).is_err() {
                    break;
                }
            }
        });
    }
    drop(sender);
    let mut done = Vec::with_capacity(count);
    while !interrupt.is_set() {
        match receiver.recv_timeout(PATIENCE) {
            Ok(source) => done.push(source),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                done.sort_by_key(|(at, _)| *at);
                return Some(done.into_iter().map(|(_, source)| source).collect());
            }
        }
    }
    None
}
