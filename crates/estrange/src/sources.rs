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
use estrange_source::Spec;

use crate::arguments::{self, Configure, Shared};
use crate::interrupt::Interrupt;
use crate::prepare::{cache, sandbox, spec};
use crate::progress::Progress;
use crate::voice::Failure;
use crate::{Ending, output};
use document::{FORMAT, Source, SourcesJson};
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

    let document = SourcesJson { sources };
    match arguments.json {
        true => output::print_json(FORMAT, &document)?,
        false => output::print(&render::text(&document))?,
    }
    let lost = document.sources.iter().filter(|source| source.lost.is_some()).count();
    match (lost, document.sources.len()) {
        (0, _) => Ok(Ending::Done),
        (1, 1) => Err(Failure::new("the source was lost; the reason is with it above")),
        (lost, all) => Err(Failure::new(format!("{lost} of {all} sources were lost; the reason is with each above"))),
    }
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
