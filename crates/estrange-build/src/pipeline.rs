//! The whole build, from sources to a bench on disk.

use std::collections::BTreeMap;

use estrange_bench::{Function, Lock, Manifest, Provenance, Rejected, Source, Split, Writer};
use estrange_inference::tokenizer::Tokenizer;
use estrange_sandbox::{Sandbox, Workshop};
use estrange_source::{Cache, Spec};
use estrange_text::balance::{Bound, Impossible};
use estrange_text::split::split;
use serde_json::json;

use crate::assign::assign;
use crate::batches::Counter;
use crate::error::BuildError;
use crate::gate::{Gated, gate};
use crate::helpers::Helpers;
use crate::linked::{LinkOutcome, link};
use crate::lower::lower;
use crate::options::{Options, Progress};
use crate::origin::Origin;
use crate::record::{Recorder, lost_source};
use crate::select::select;
use crate::store::Store;
use crate::tools::Tools;
use crate::translate::Translations;
use crate::undelivered::undelivered;
use crate::variants::variants;

/// What a build did.
#[derive(Debug)]
pub struct Report {
    /// The manifest of the bench.
    pub manifest: Manifest,
    /// The first file or source that was lost as a whole.
    pub first_loss: Option<Rejected>,
}

/// Builds a bench out of sources.
///
/// # Errors
/// When there can be no bench at all. What is lost of a source, a file or a function is in the bench.
pub fn build(
    sources: &[Spec],
    options: &Options,
    cache: &Cache,
    sandbox: &Sandbox,
    progress: &dyn Progress,
) -> Result<Report, BuildError> {
    if let Some(Bound::Share(share)) = options.max_per_source
        && share * (sources.len() as f64) < 1.0 - 1e-9
    {
        // Known now: nobody should wait for it.
        return Err(Impossible { share, sources: sources.len() }.into());
    }
    let lock = Lock::acquire(&options.out)?;
    let tokenizer = options.tokenizer.as_deref().map(Tokenizer::load).transpose()?;
    let store = Store::open(cache.path())?;
    let tools = Tools::find(options.jobs, &Workshop::new(sandbox.clone(), store.scratch()?))?;
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs)
        .build()
        .map_err(|error| BuildError::Threads(error.to_string()))?;

    let mut harvest = Harvest::default();
    for spec in sources {
        if progress.is_cancelled() {
            return Err(BuildError::Cancelled);
        }
        let name = spec.to_string();
        progress.source(&name);
        let origin = match Origin::get(spec, options, cache, sandbox, progress) {
            Ok(origin) => origin,
            Err(loss) => {
                progress.source_lost(&name, &loss.detail, loss.hint.as_deref());
                harvest.rejected.push(lost_source(&name, &loss.reason, &loss.detail));
                continue;
            }
        };
        let work = Work { options, tools: &tools, store: &store, tokenizer: tokenizer.as_ref(), progress };
        let (found, kept) = threads.install(|| work.source(&origin, &mut harvest))?;
        progress.source_done(&name, found, kept);
    }
    if harvest.sources.is_empty() {
        return Err(BuildError::NoSource);
    }

    let first_loss = harvest.rejected.iter().find(|lost| !lost.is_function()).cloned();
    progress.step("looking for duplicates");
    let (functions, gone) = threads.install(|| select(harvest.functions, options))?;
    let (variants, waiting) = threads.install(|| variants(&functions, options, &tools, &store, progress))?;
    let (lowered, not_lowered) = threads.install(|| lower(&functions, options, &tools, &store, progress))?;
    progress.step("writing the bench");
    let mut writer = Writer::new(&lock)?;
    let written = Counter::new(progress, functions.len() + harvest.rejected.len() + gone.len());
    for function in functions {
        writer.keep(function)?;
        written.add(1);
    }
    for rejected in harvest.rejected.into_iter().chain(gone) {
        writer.reject(rejected)?;
        written.add(1);
    }
    if !options.settings.is_empty() {
        writer.add_variants(variants, waiting)?;
    }
    if !options.lowerings.is_empty() {
        writer.add_lowered(lowered, not_lowered)?;
    }
    let provenance = Provenance {
        estrange: env!("CARGO_PKG_VERSION").to_owned(),
        seed: options.seed,
        config: config(options, tokenizer.as_ref()),
        tools: tools.versions.clone(),
        sources: harvest.sources,
    };
    Ok(Report { manifest: writer.finish(provenance)?, first_loss })
}

/// The options that have an influence on the records.
fn config(options: &Options, tokenizer: Option<&Tokenizer>) -> serde_json::Value {
    json!({
        "roles": options.roles,
        "configure": options.configure,
        "max_unit_lines": options.max_unit_lines,
        "max_data_share": options.max_data_share,
        "max_per_source": options.max_per_source.map(|bound| match bound {
            Bound::Share(share) => json!({ "share": share }),
            Bound::Count(count) => json!({ "count": count }),
        }),
        "eval_share": options.eval_share,
        "duplicate_threshold": options.duplicate_threshold,
        "tokenizer": tokenizer.map(Tokenizer::hash),
        "settings": options.settings.iter().map(|setting| setting.name()).collect::<Vec<_>>(),
        "lowerings": options.lowerings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "trials": options.trials,
    })
}

/// What has been gathered from the sources so far.
#[derive(Default)]
struct Harvest {
    functions: Vec<Function>,
    rejected: Vec<Rejected>,
    sources: Vec<Source>,
}

struct Work<'a> {
    options: &'a Options,
    tools: &'a Tools,
    store: &'a Store,
    tokenizer: Option<&'a Tokenizer>,
    progress: &'a dyn Progress,
}

impl Work<'_> {
    /// All of one source. Gives how many functions were found and kept.
    fn source(&self, origin: &Origin, harvest: &mut Harvest) -> Result<(usize, usize), BuildError> {
        let translations = Translations::of(origin, self.options, self.tools, self.store, self.progress)?;
        let functions = assign(origin, &translations, self.options);
        let gated = gate(origin, &translations, &functions, self.tools, self.store, self.progress)?;
        let linked = link(&translations, &functions, &gated, self.options, self.tools, self.store, self.progress)?;
        let name = origin.fetched.name.as_str();
        let split = match split(name, self.options.seed, self.options.eval_share) {
            estrange_text::split::Split::Train => Split::Train,
            estrange_text::split::Split::Eval => Split::Eval,
        };
        let recorder =
            Recorder { origin, split, helpers: Helpers::of(&functions), tokenizer: self.tokenizer, tools: self.tools };
        let mut kept = 0;
        for ((function, gated), linked) in functions.iter().zip(gated).zip(linked) {
            let language = translations.units[function.unit].translation.language;
            match gated {
                Gated::Kept { unit, evidence } => {
                    kept += 1;
                    let linked = linked.unwrap_or_else(|| LinkOutcome::Not("not-tried".to_owned()));
                    harvest.functions.push(recorder.function(function, unit, evidence.as_ref(), linked, language)?);
                }
                Gated::Lost { stage, reason, detail } => {
                    harvest.rejected.push(recorder.rejected(function, language, &stage, &reason, &detail));
                }
            }
        }
        let undelivered = undelivered(origin, &translations, &functions, self.options);
        harvest.rejected.extend(undelivered.iter().map(|lost| recorder.undelivered(lost)));
        harvest.rejected.extend(translations.losses.iter().map(|loss| recorder.lost_file(loss)));
        harvest.sources.push(source_record(origin, split));
        Ok((functions.len() + undelivered.len(), kept))
    }
}

fn source_record(origin: &Origin, split: Split) -> Source {
    let mut licences: BTreeMap<String, u64> = BTreeMap::new();
    for file in &origin.project.files {
        *licences.entry(file.licence.expression.clone().unwrap_or_default()).or_default() += 1;
    }
    Source {
        spec: origin.name(),
        pinned: origin.fetched.pinned.to_string(),
        version: origin.fetched.version.clone(),
        tree: origin.fetched.tree.to_string(),
        licences,
        split,
        counts: Default::default(),
    }
}
